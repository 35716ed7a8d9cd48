"""Haystack's own test settings, with every live engine replaced by ours."""

from __future__ import annotations

import os
from pathlib import Path

from test_haystack.settings import *  # noqa: F403 - it is theirs, and it is meant to be taken over

_FOLDER = Path(os.environ["HAYSTACK_TEST_FOLDER"])
# Not beside the tests: a folder named whoosh could be imported as the library.
_INDEXES = _FOLDER / "indexes"
_ENGINE = "adapter.engine.AdaptedEngine"

DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(_FOLDER / "tests.db")}}
HAYSTACK_CONNECTIONS = {
    "default": {"ENGINE": "test_haystack.mocks.MockEngine"},
    "simple": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"},
    "whoosh": {"ENGINE": _ENGINE, "PATH": str(_INDEXES / "whoosh"), "INCLUDE_SPELLING": True, "SILENTLY_FAIL": False},
    "filtered_whoosh": {
        "ENGINE": _ENGINE,
        "PATH": str(_INDEXES / "filtered"),
        "EXCLUDED_INDEXES": ["test_haystack.multipleindex.search_indexes.BarIndex"],
        "SILENTLY_FAIL": False,
    },
    "elasticsearch": {
        "ENGINE": _ENGINE,
        "PATH": str(_INDEXES / "elasticsearch"),
        "URL": "embedded",
        "INDEX_NAME": "test_default",
        "INCLUDE_SPELLING": True,
        "SILENTLY_FAIL": False,
    },
    # The cases with several indexes ask for a second engine by this name.
    "solr": {"ENGINE": _ENGINE, "PATH": str(_INDEXES / "solr"), "INCLUDE_SPELLING": True, "SILENTLY_FAIL": False},
}
