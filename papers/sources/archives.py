"""Dump files, plain or in gzip or zip; read by the harvest engine's own reader."""

from wovepaper.harvest.archives import OpenStream, ReadDocument, read_file, starts_like_json

__all__ = ["OpenStream", "ReadDocument", "read_file", "starts_like_json"]
