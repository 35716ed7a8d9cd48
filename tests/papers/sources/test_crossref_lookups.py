"""Works of Crossref by their DOIs: what is asked, and what the answers tell."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from papers.sources.crossref import filters
from papers.sources.crossref.source import CrossrefSource
from tests.papers.sources.crossref_documents import answer, answer_list, failure, work
from tests.upstreams.crossref import CrossrefUpstream
from wovepaper.harvest.client import AllowedHosts, PoliteClient
from wovepaper.harvest.contracts import Identifier, LookupAnswer, Merged, PageRefused, Quota, Window
from wovepaper.harvest.errors import BadSet
from wovepaper.harvest.options import HarvestOptions

SOURCE = CrossrefSource(lambda: "https://api.example.org", lambda: "loom@example.org")
WINDOW = Window("work", dt.date(2025, 1, 1), dt.date(2025, 1, 2))
NOT_FOUND = b"Resource not found."


def dois(*names: str) -> list[Identifier]:
    return [Identifier("doi", name) for name in names]


ONE, TWO, THREE = dois("10.5555/woven.1", "10.5555/woven.2", "10.5555/woven.3")
ARXIVS_OWN = Identifier("doi", "10.48550/arxiv.2401.00001")
WITH_COMMA = Identifier("doi", "10.5555/warp,weft")


# --- requests ------------------------------------------------------------------------------------------------


def test_many_are_one_request():
    request = SOURCE.lookup_request([ONE, TWO])

    assert request.url == "https://api.example.org/works"
    assert request.params == {
        "filter": "doi:10.5555/woven.1,doi:10.5555/woven.2",
        "rows": "2",
        "mailto": "loom@example.org",
    }
    assert request.statuses == {200, 400}


def test_one_is_asked_for_by_itself_whatever_is_in_it():
    request = SOURCE.lookup_request(dois("10.1002/(sici)1096/../a?b#c;2-9<1::aid>3.0.co;2-k"))

    assert request.url == (
        "https://api.example.org/works/10.1002%2F%28sici%291096%2F..%2Fa%3Fb%23c%3B2-9%3C1%3A%3Aaid%3E3.0.co%3B2-k"
    )
    assert request.params == {"mailto": "loom@example.org"}
    assert request.statuses == {200, 404}


def test_arxivs_own_dois_are_never_asked_for():
    assert SOURCE.may_be_known(ONE)
    assert not SOURCE.may_be_known(ARXIVS_OWN)
    assert not SOURCE.may_be_known(Identifier("arxiv", "2401.00001"))
    assert "48550" not in SOURCE.lookup_request([ONE, ARXIVS_OWN, TWO]).params["filter"]
    assert SOURCE.lookup_request([ARXIVS_OWN, ONE]).url.endswith("/10.5555%2Fwoven.1")
    with pytest.raises(PageRefused, match="None of these identifiers"):
        SOURCE.lookup_request([ARXIVS_OWN])


def test_a_doi_that_would_tear_the_filter_apart_is_left_for_later():
    request = SOURCE.lookup_request([ONE, WITH_COMMA, TWO])
    assert request.params["filter"] == "doi:10.5555/woven.1,doi:10.5555/woven.2"

    found = SOURCE.read_lookup(answer_list(work()), [ONE, WITH_COMMA, TWO], status=200)

    assert (found.singly, found.unknown) == ((WITH_COMMA,), (TWO,))
    assert SOURCE.lookup_request([WITH_COMMA]).url.endswith("/works/10.5555%2Fwarp%2Cweft")


def test_an_address_stays_short_enough_for_any_server():
    long = dois(*(f"10.5555/{number:02}/{'<' * 80}" for number in range(50)))

    request = SOURCE.lookup_request(long)
    found = SOURCE.read_lookup(answer_list(), long, status=200)

    asked = request.params["filter"].count("doi:")
    assert 10 < asked < 50
    assert len(quote(request.params["filter"], safe="")) <= 5_000
    assert (len(found.unknown), len(found.singly)) == (asked, 50 - asked)
    assert {*found.unknown, *found.singly} == set(long)


# --- answers -------------------------------------------------------------------------------------------------


def test_what_was_found_and_what_is_not_known():
    body = answer_list(work(DOI="10.5555/WOVEN.3"), work(), work(DOI="10.5555/unasked"))

    found = SOURCE.read_lookup(body, [ONE, TWO, THREE, ARXIVS_OWN], status=200)

    assert [record.external_id for record in found.records] == ["10.5555/woven.1", "10.5555/woven.3"]
    assert found.unknown == (ARXIVS_OWN, TWO)
    assert (found.singly, found.merged, found.damaged) == ((), (), ())
    assert SOURCE.parse(found.records[0]).title == "A woven lattice"


def test_a_filter_that_is_refused_for_one_doi_is_asked_one_by_one():
    assert SOURCE.read_lookup(failure("A DOI is not valid."), [ONE, TWO], status=400) == LookupAnswer(singly=(ONE, TWO))


def test_the_404_of_an_unknown_doi_is_plain_text():
    assert SOURCE.read_lookup(NOT_FOUND, [ONE], status=404) == LookupAnswer(unknown=(ONE,))
    assert SOURCE.read_lookup(b"Resource not found.\n", [ONE], status=404).unknown == (ONE,)


@pytest.mark.parametrize("body", [b"<html>Not found</html>", b"", b"404 page not found"])
def test_another_404_says_nothing_of_the_doi(body):
    with pytest.raises(PageRefused, match="does not say that the DOI is unknown") as refused:
        SOURCE.read_lookup(body, [ONE], status=404)
    assert refused.value.retry is True


def test_a_work_that_has_become_part_of_another_is_merged():
    found = SOURCE.read_lookup(answer(work(DOI="10.5555/woven.2")), [ONE], status=200)

    assert found.merged == (Merged(ONE, TWO),)
    assert [record.external_id for record in found.records] == ["10.5555/woven.2"]
    assert SOURCE.read_lookup(answer(work()), [ONE], status=200).merged == ()


@pytest.mark.parametrize("asked", [[ONE], [ONE, TWO]])
@pytest.mark.parametrize(
    ("body", "reason", "retry"),
    [
        (b"", "The answer is not JSON (", True),
        (b"<html>Busy</html>", "The answer is not JSON (", True),
        (answer_list(work())[:-9], "The answer is not JSON (", True),
        (answer_list(work()) + b"<!-- cache -->", "The answer is not JSON (Extra data", True),
        (b"{}", "The answer has no message", True),
        (b"null", "The answer has no message", True),
        (failure("No such route."), "Crossref refuses: No such route.", False),
        (answer({"ISSN": []}, "journal"), "The answer is a 'journal', and works are wanted.", False),
    ],
)
def test_what_is_no_answer_is_refused(asked, body, reason, retry):
    with pytest.raises(PageRefused) as refused:
        SOURCE.read_lookup(body, asked, status=200)
    assert refused.value.reason.startswith(reason)
    assert refused.value.retry is retry


def test_an_empty_list_is_not_the_one_work():
    with pytest.raises(PageRefused, match="not the one work that was asked for"):
        SOURCE.read_lookup(answer_list(), [ONE], status=200)
    nothing = json.dumps({"status": "ok", "message-type": "work", "message": None}).encode()
    with pytest.raises(PageRefused, match="it does not say which"):
        SOURCE.read_lookup(nothing, [ONE], status=200)


def test_nulls_among_the_works_are_damage_and_the_rest_is_taken():
    found = SOURCE.read_lookup(answer_list(None, work(), None), [ONE, TWO], status=200)

    assert [record.external_id for record in found.records] == ["10.5555/woven.1"]
    assert [damaged.reason for damaged in found.damaged] == [
        "Item 1 is not a JSON object.",
        "Item 3 is not a JSON object.",
    ]


# --- the pools, and what they ask for ------------------------------------------------------------------------


def test_the_polite_pool_is_that_of_those_with_an_address():
    public = CrossrefSource(lambda: "https://api.example.org", lambda: "")

    assert (SOURCE.host_interval, public.host_interval) == (0.1, 0.2)
    assert (SOURCE.lookups_configured, public.lookups_configured) == (True, False)
    assert "mailto" not in public.lookup_request([ONE, TWO]).params
    assert "mailto" not in public.first_request(WINDOW).params


@pytest.mark.parametrize(
    ("limit", "interval", "seconds"),
    [("50", "1s", 0.02), ("10", "1s", 0.1), ("5", "1s", 0.2), ("60", "1m", 1.0), ("3", "1500ms", 0.5), ("2", "1", 0.5)],
)
def test_the_pace_of_the_pool_is_read_from_its_headers(limit, interval, seconds):
    headers = {"x-rate-limit-limit": limit, "x-rate-limit-interval": interval}

    quota = SOURCE.read_quota(headers, now=dt.datetime(2025, 1, 1, tzinfo=dt.UTC))

    assert quota == Quota(limit=float(limit), unit=f"requests in {interval}", interval=pytest.approx(seconds))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-rate-limit-limit": "50"},
        {"x-rate-limit-interval": "1s"},
        {"x-rate-limit-limit": "0", "x-rate-limit-interval": "1s"},
        {"x-rate-limit-limit": "many", "x-rate-limit-interval": "1s"},
        {"x-rate-limit-limit": "50", "x-rate-limit-interval": "a while"},
    ],
)
def test_headers_that_say_nothing_change_nothing(headers):
    assert SOURCE.read_quota(headers, now=dt.datetime(2025, 1, 1, tzinfo=dt.UTC)) is None


# --- filters -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        "prefix:10.1145",
        "member:320",
        "issn:0001-0782",
        "issn:2160-276x,type:journal-article",
        "orcid:0000-0002-1825-0097",
        "ror-id:https://ror.org/05gq02987",
        "funder:10.13039/100000001",
        "has-abstract:true,from-pub-date:2025-07",
        "container-title:Journal of Looms: A & B",
    ],
)
def test_filters_that_are_taken(asked):
    filters.check(asked)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("", "'' is no filter of Crossref's works"),
        ("10.1145", "'10.1145' is no filter of Crossref's works: write its name and its value, for example prefix:"),
        ("prefix:10.1145,", "'' is no filter"),
        ("prefix:ACM", "prefix takes a DOI prefix such as 10.1145, not 'ACM'."),
        ("member:ACM", "member takes the number of a member such as 320, not 'ACM'."),
        ("issn:12345", "issn takes an ISSN such as 0001-0782, not '12345'."),
        ("orcid:0000-0002-1825-0098", "orcid takes an ORCID iD, not"),
        ("from-index-date:2025-01-01", "'from-index-date' is not a filter that parts of Crossref can be chosen by"),
        ("has-abstract:perhaps", "has-abstract takes true or false, not 'perhaps'."),
    ],
)
def test_what_is_no_filter_is_refused_with_what_would_be_one(asked, reason):
    with pytest.raises(BadSet) as refused:
        filters.check(asked)
    assert str(refused.value).startswith(reason)


# --- over the loopback ---------------------------------------------------------------------------------------


@pytest.fixture
def upstream() -> Iterator[CrossrefUpstream]:
    with CrossrefUpstream([work(DOI=f"10.5555/Woven.{number}") for number in range(1, 4)]) as upstream:
        yield upstream


@pytest.mark.django_db
def test_a_look_up_over_the_loopback(upstream):
    source = CrossrefSource(lambda: upstream.url, lambda: "loom@example.org")
    upstream.aliases["10.5555/old"] = "10.5555/woven.3"
    options = HarvestOptions()
    client = PoliteClient(AllowedHosts.of(upstream.url), interval=0.0, options=options, user_agent="wovepaper")

    def look_up(*asked: Identifier) -> LookupAnswer:
        got = client.fetch(source.lookup_request(asked))
        return source.read_lookup(got.body, asked, status=got.status)

    unheard_of, old = dois("10.5555/unheard-of", "10.5555/old")
    with client:
        many = look_up(ONE, TWO, unheard_of)
        alone = look_up(unheard_of)
        renamed = look_up(old)
        upstream.refused_dois.add(unheard_of.value)
        poisoned = look_up(ONE, unheard_of)

    assert ([record.external_id for record in many.records], many.unknown) == ([ONE.value, TWO.value], (unheard_of,))
    assert (alone.records, alone.unknown) == ((), (unheard_of,))
    assert renamed.merged == (Merged(old, THREE),)
    assert poisoned.singly == (ONE, unheard_of)
