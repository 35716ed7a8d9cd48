"""The Research Organization Registry, schema v2 (https://ror.readme.io/docs/ror-data-structure)."""

from institutions.sources.ror.source import RorSource

__all__ = ["RorSource"]
