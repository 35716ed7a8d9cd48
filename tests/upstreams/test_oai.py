"""The fake arXiv is judged by an OAI-PMH client that is not ours, and by what arXiv's documents look like."""

from __future__ import annotations

import datetime as dt
import urllib.request
import warnings
from urllib.parse import parse_qsl, unquote, urlencode

import pytest
from lxml import etree

from tests.upstreams import faults
from tests.upstreams.catalogue import Author, Paper, Version, invented_papers, set_of

with warnings.catch_warnings():
    # Its source has an escape sequence that Python warns of when it compiles it.
    warnings.simplefilter("ignore")
    import sickle
    import sickle.oaiexceptions

OAI = "{http://www.openarchives.org/OAI/2.0/}"
DAY = dt.date(2025, 6, 2)


def ask(upstream, **params):
    with urllib.request.urlopen(f"{upstream.url}?{urlencode(params)}") as answer:
        assert answer.status == 200
        return etree.fromstring(answer.read())


@pytest.fixture(params=["new", "classic"])
def upstream(request, make_arxiv_upstream):
    return make_arxiv_upstream(invented_papers(25, days=2), flavour=request.param)


@pytest.fixture
def client(upstream, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    return sickle.Sickle(upstream.url)


@pytest.mark.parametrize("prefix", ["oai_dc", "arXiv", "arXivRaw"])
def test_another_client_lists_every_record_once(client, upstream, prefix):
    headers = [record.header.identifier for record in client.ListRecords(metadataPrefix=prefix)]

    assert headers == [paper.oai_id for paper in upstream.papers]
    assert len(upstream.requests) == 3


def test_another_client_reads_identifiers_sets_formats_and_single_records(client, upstream):
    headers = list(client.ListIdentifiers(**{"metadataPrefix": "arXiv", "from": "2025-06-03", "until": "2025-06-03"}))
    assert [header.identifier for header in headers] == [
        paper.oai_id for paper in upstream.papers if paper.datestamp == dt.date(2025, 6, 3)
    ]
    assert {each.metadataPrefix for each in client.ListMetadataFormats()} == {"oai_dc", "arXiv", "arXivRaw"}
    assert client.Identify().earliestDatestamp == "2005-09-16"
    assert client.Identify().granularity == "YYYY-MM-DD"
    record = client.GetRecord(identifier=upstream.papers[3].oai_id, metadataPrefix="arXiv")
    assert record.metadata["title"] == ["On the woven lattice number 4"]
    sets = {each.setSpec for each in client.ListSets()}
    if upstream.classic:
        assert sets == {"math", "cs", "physics", "physics:hep-th"}
    else:
        assert sets == {"math", "math:math", "math:math:CO", "cs", "cs:cs", "cs:cs:AI", "physics", "physics:hep-th"}


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({"metadataPrefix": "arXiv", "from": "2025-07-01"}, sickle.oaiexceptions.NoRecordsMatch),
        ({"metadataPrefix": "arXiv", "set": "moo"}, sickle.oaiexceptions.NoRecordsMatch),
        ({"metadataPrefix": "marc"}, sickle.oaiexceptions.CannotDisseminateFormat),
        ({"metadataPrefix": "arXiv", "from": "2004-01-01"}, sickle.oaiexceptions.BadArgument),
        ({"metadataPrefix": "arXiv", "from": "2025-06-03", "until": "2025-06-02"}, sickle.oaiexceptions.BadArgument),
        ({"metadataPrefix": "arXiv", "from": "June"}, sickle.oaiexceptions.BadArgument),
        ({"metadataPrefix": "arXiv", "colour": "red"}, sickle.oaiexceptions.BadArgument),
        ({}, sickle.oaiexceptions.BadArgument),
        ({"resumptionToken": "3"}, sickle.oaiexceptions.BadResumptionToken),
        ({"resumptionToken": "3", "metadataPrefix": "arXiv"}, sickle.oaiexceptions.BadArgument),
    ],
)
def test_errors_are_those_of_the_protocol(client, params, error):
    with pytest.raises(error):
        client.ListRecords(**params)


def test_an_unknown_record_and_an_unknown_verb(client, upstream):
    with pytest.raises(sickle.oaiexceptions.IdDoesNotExist):
        client.GetRecord(identifier="oai:arXiv.org:0000.0000", metadataPrefix="arXiv")
    assert ask(upstream, verb="Dance").find(f"{OAI}error").get("code") == "badVerb"


def test_the_new_server_has_stateless_tokens_without_a_size(make_arxiv_upstream):
    upstream = make_arxiv_upstream(invented_papers(25))
    first = ask(upstream, verb="ListRecords", metadataPrefix="arXiv").find(f".//{OAI}resumptionToken")

    assert set(first.attrib) == {"expirationDate"}
    assert first.get("expirationDate").endswith("T00:00:00Z")
    assert "%26" in first.text
    assert dict(parse_qsl(unquote(first.text))) == {"verb": "ListRecords", "metadataPrefix": "arXiv", "skip": "10"}

    last = ask(upstream, verb="ListRecords", resumptionToken=first.text.replace("skip%3D10", "skip%3D20"))
    element = last.find(f".//{OAI}resumptionToken")
    assert (element.text, dict(element.attrib)) == (None, {})
    upstream.papers = upstream.papers[:3]
    assert ask(upstream, verb="ListRecords", metadataPrefix="arXiv").find(f".//{OAI}resumptionToken") is None


def test_the_classic_server_has_numbered_tokens_with_a_size(make_arxiv_upstream):
    upstream = make_arxiv_upstream(invented_papers(25), flavour="classic")
    first = ask(upstream, verb="ListRecords", metadataPrefix="arXiv").find(f".//{OAI}resumptionToken")

    assert first.text == "1403493|11"
    assert dict(first.attrib) == {"cursor": "0", "completeListSize": "25"}
    last = ask(upstream, verb="ListRecords", resumptionToken="1403493|21").find(f".//{OAI}resumptionToken")
    assert (last.text, dict(last.attrib)) == (None, {"cursor": "20", "completeListSize": "25"})


def test_the_two_servers_differ_in_dates_accents_and_affiliations(make_arxiv_upstream):
    paper = Paper(
        "2401.00001",
        "Über Gewebe",
        DAY,
        title_tex=r"\"Uber Gewebe",
        authors=(Author("Müller", "Ada", "Jr.", ("Nowhere",), tex=r"Ada M\"uller Jr."),),
        versions=(
            Version(1, dt.datetime(2024, 1, 9, 3, 4, 5, tzinfo=dt.UTC)),
            Version(2, dt.datetime(2025, 5, 30, 13, 4, 5, tzinfo=dt.UTC), 0, "I"),
        ),
    )

    def fields(flavour, prefix):
        root = ask(make_arxiv_upstream([paper], flavour=flavour), verb="ListRecords", metadataPrefix=prefix)
        return {etree.QName(each).localname: each.text for each in root.iter("{*}metadata") for each in each.iter()}

    new, classic, raw = fields("new", "arXiv"), fields("classic", "arXiv"), fields("new", "arXivRaw")
    assert (new["created"], new["updated"], new["title"]) == ("2025-05-30", "2025-06-02", "Über Gewebe")
    assert (classic["created"], classic["updated"], classic["title"]) == ("2024-01-09", "2025-05-30", r"\"Uber Gewebe")
    assert (new["keyname"], new["suffix"], "affiliation" in new) == ("Müller", "Jr.", False)
    assert classic["affiliation"] == "Nowhere"
    assert (raw["title"], raw["authors"]) == (r"\"Uber Gewebe", r"Ada M\"uller Jr. (Nowhere)")
    assert (raw["date"], raw["size"], raw["source_type"]) == ("Fri, 30 May 2025 13:04:05 GMT", "0kb", "I")


def test_answers_are_xml_without_a_charset(upstream):
    with urllib.request.urlopen(f"{upstream.url}?verb=Identify") as answer:
        assert answer.headers["Content-Type"] == "text/xml"


def test_every_request_is_noted_with_its_time(upstream):
    ask(upstream, verb="Identify")
    ask(upstream, verb="ListSets")

    assert [seen.params for seen in upstream.requests] == [{"verb": "Identify"}, {"verb": "ListSets"}]
    assert 0 < upstream.smallest_gap() < 5
    assert upstream.requests[0].headers["host"].startswith("127.0.0.1:")


def test_a_fault_is_met_as_often_as_it_should_be(upstream):
    upstream.faults.append(faults.html_with_200(on=faults.opening, times=1))
    with pytest.raises(etree.XMLSyntaxError):
        ask(upstream, verb="ListRecords", metadataPrefix="arXiv")
    assert ask(upstream, verb="ListRecords", metadataPrefix="arXiv").find(f"{OAI}ListRecords") is not None
    assert upstream.faults[0].met == 1


def test_sets_of_categories():
    assert set_of("cs.AI") == "cs:cs:AI"
    assert set_of("hep-th") == "physics:hep-th"
    assert set_of("physics.atom-ph") == "physics:physics:atom-ph"
    assert set_of("math.CO") == "math:math:CO"
