"""ROR's API and the archive of its dumps, on the loopback, over records of invented organisations."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any

from tests.upstreams.web import Reply, Seen, Upstream

MOST_PAGES = 500


class RorUpstream(Upstream):
    """``organisations`` may be changed at any time. ``record_url`` is where the archive tells of the newest dump."""

    path = "/v2"

    def __init__(self, organisations: Iterable[dict[str, Any]] = (), *, page_size: int = 20) -> None:
        super().__init__()
        self.organisations = list(organisations)
        self.page_size = page_size
        self.total: int | None = None
        """What the list claims to hold, where that is not what it holds."""
        self.extra_files: list[str] = []

    @property
    def root(self) -> str:
        return self.url.removesuffix(self.path)

    @property
    def record_url(self) -> str:
        return f"{self.root}/api/records/1"

    @property
    def dump_url(self) -> str:
        return f"{self.root}/files/v9.9-2025-06-01-ror-data.zip"

    def answer(self, seen: Seen) -> Reply:
        match seen.path:
            case "/v2/organizations":
                return self._list(seen.params)
            case "/api/records/1":
                return Reply(status=301, headers={"Location": "/api/records/7"})
            case "/api/records/7":
                return _json(self._record())
        if seen.path.startswith("/files/") and seen.path.endswith(".zip"):
            return Reply(dump_of(self.organisations), content_type="application/octet-stream")
        return _json({"errors": [f"{seen.path!r} does not exist"]}, 404)

    def _list(self, params: dict[str, str]) -> Reply:
        if unknown := set(params) - {"page", "all_status", "query", "filter"}:
            return _json({"errors": [f"query parameter '{name}' is illegal" for name in sorted(unknown)]})
        number = int(params.get("page", "1"))
        if not 1 <= number <= MOST_PAGES:
            return _json({"errors": [f"page '{number}' outside of range 1-{MOST_PAGES}"]})
        found = self.organisations
        if params.get("all_status") != "true":
            found = [each for each in found if each["status"] == "active"]
        items = found[(number - 1) * self.page_size : number * self.page_size]
        total = len(found) if self.total is None else self.total
        return _json({"number_of_results": total, "time_taken": 3, "items": items, "meta": {"types": []}})

    def _record(self) -> dict[str, Any]:
        names = ["v9.9-2025-06-01-ror-data.zip", *self.extra_files]
        files = [{"key": name, "size": 1, "links": {"self": f"{self.root}/files/{name}"}} for name in names]
        return {"id": 7, "metadata": {"version": "v9.9"}, "files": files}


def dump_of(organisations: list[dict[str, Any]]) -> bytes:
    """A release: the older schema and tables beside the records."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("v9.9-2025-06-01-ror-data.json", json.dumps([{"id": "https://ror.org/x", "name": "Old"}]))
        archive.writestr("v9.9-2025-06-01-ror-data_schema_v2.json", json.dumps(organisations))
        archive.writestr("v9.9-2025-06-01-ror-data_schema_v2.csv", "id,names\n")
    return buffer.getvalue()


def _json(said: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(said).encode(), status, {}, "application/json")
