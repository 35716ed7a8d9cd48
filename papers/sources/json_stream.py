"""JSON of any size; read by the harvest engine's own reader."""

from wovepaper.harvest.json_stream import LARGEST_VALUE, DamagedJson, JsonStream

__all__ = ["LARGEST_VALUE", "DamagedJson", "JsonStream"]
