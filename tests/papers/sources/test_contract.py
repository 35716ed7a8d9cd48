"""What every registered source must honour, whichever it is."""

from __future__ import annotations

import datetime as dt
import inspect
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from wovepaper.harvest import registry
from wovepaper.harvest.contracts import (
    Identifier,
    Lookups,
    Metered,
    PageRefused,
    PageRequest,
    RawRecord,
    RecordRefused,
    SingleRecords,
    Source,
    Window,
)

SOURCES = [registry.get(name).source for name in registry.names()]
pytestmark = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)

MEMBERS = {"name", "streams", "host_interval", "earliest"} | {
    name for name, member in vars(Source).items() if inspect.isfunction(member) and not name.startswith("_")
}


def windows(source: Source) -> list[Window]:
    return [Window(stream, dt.date(2024, 1, 1), dt.date(2024, 1, 2), "a-set") for stream in source.streams]


def test_it_has_every_member_of_the_protocol(source: Source) -> None:
    assert {name for name in MEMBERS if not hasattr(source, name)} == set()


def test_it_is_registered_under_its_own_name_with_a_sink(source: Source) -> None:
    registration = registry.get(source.name)

    assert registration.source is source
    assert callable(registration.sink)
    assert source.name == source.name.lower() != ""


def test_its_streams_pace_and_first_day_are_usable(source: Source) -> None:
    assert len(set(source.streams)) == len(source.streams)  # none where the source is on no network
    assert source.host_interval >= 0
    assert source.earliest < dt.date(2026, 1, 1)


def test_a_source_without_streams_refuses_to_be_asked(source: Source) -> None:
    if source.streams:
        return
    with pytest.raises(PageRefused):
        source.first_request(Window("any", dt.date(2024, 1, 1), dt.date(2024, 1, 2)))


def test_requests_are_absolute_and_depend_on_nothing_but_their_arguments(source: Source) -> None:
    for window in windows(source):
        for request in (source.first_request(window), source.next_request(window, "a token&more=1")):
            assert isinstance(request, PageRequest)
            assert urlsplit(request.url).scheme in ("http", "https")
            assert all(isinstance(value, str) for value in request.params.values())
        assert source.first_request(window) == source.first_request(window)
        assert source.first_request(window) != source.next_request(window, "a token&more=1")


def test_a_source_that_offers_single_records_offers_them_wholly(source: Source) -> None:
    if not isinstance(source, SingleRecords):
        return
    assert source.headers_stream not in source.streams
    request = source.record_request(stream=source.streams[0], external_id="1")
    assert urlsplit(request.url).scheme in ("http", "https")
    assert request != source.record_request(stream=source.streams[0], external_id="2")


def identifiers(source: Source, number: int) -> list[Identifier]:
    assert isinstance(source, Lookups)
    return [Identifier(source.lookup_schemes[0], f"10.5555/{each}") for each in range(1, number + 1)]


def test_a_source_that_offers_look_ups_offers_them_wholly(source: Source) -> None:
    if not isinstance(source, Lookups):
        return
    assert source.lookup_size > 1
    assert len(set(source.lookup_schemes)) == len(source.lookup_schemes) > 0
    assert isinstance(source.lookups_configured, bool)
    assert registry.get(source.name).subjects is not None
    for number in (1, 2, source.lookup_size):
        request = source.lookup_request(identifiers(source, number))
        assert request.url.startswith(source.base_url.rstrip("/"))
        assert request == source.lookup_request(identifiers(source, number))
        assert 200 in request.statuses
        assert request.method == "POST" or request.json_body is None


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"<html></html>", b"<a", b"\x00\xff\xfe", b"x" * 10_000])
def test_a_look_up_that_is_none_is_refused_with_a_reason(source: Source, body: bytes) -> None:
    if not isinstance(source, Lookups):
        return
    for number in (1, 2):
        with pytest.raises(PageRefused) as refused:
            source.read_lookup(body, identifiers(source, number), status=200)
        assert refused.value.reason.endswith(".")


def test_a_source_that_is_metered_reads_any_headers(source: Source) -> None:
    if not isinstance(source, Metered):
        return
    assert source.account in registry.names()
    assert source.daily_requests is None or source.daily_requests > 0
    now = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    for headers in ({}, {"x-ratelimit-remaining": "?", "x-ratelimit-reset": "1e999"}, {"x-rate-limit-limit": "0"}):
        quota = source.read_quota(headers, now=now)
        assert quota is None or quota.remaining is None


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"<html></html>", b"<a", b"\x00\xff\xfe", b"x" * 10_000])
def test_an_answer_that_is_none_is_refused_with_a_reason(source: Source, body: bytes) -> None:
    for stream in source.streams or ("any",):
        with pytest.raises(PageRefused) as refused:
            source.read_page(body, stream=stream)
        assert refused.value.reason.endswith(".")


@pytest.mark.parametrize("body", [b"", b"<html></html>", b"<a", b"\x00\xff\xfe", b"x" * 10_000])
def test_a_file_that_is_none_is_refused_with_a_reason(source: Source, body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file.of.some.kind"
    path.write_bytes(body)

    with pytest.raises(PageRefused) as refused:
        list(source.read_file(path))
    assert refused.value.reason.endswith(".")
    assert refused.value.retry is False


def test_a_missing_file_is_refused_with_a_reason(source: Source, tmp_path: Path) -> None:
    with pytest.raises(PageRefused, match="nothing-here"):
        list(source.read_file(tmp_path / "nothing-here"))


@pytest.mark.parametrize("payload", [b"", b"{}", b"null", b"<record/>", b"<a", b"\x00", b"[" * 100_000])
def test_a_record_that_is_none_is_refused_with_a_reason(source: Source, payload: bytes) -> None:
    for kind in (*source.streams, "snapshot", "unheard-of"):
        with pytest.raises(RecordRefused) as refused:
            source.parse(RawRecord("1", kind, "", payload))
        assert str(refused.value).endswith((".", "?"))
