from __future__ import annotations

import datetime as dt

import pytest

from papers.sources.arxiv.source import IDENTIFIERS, ArxivSource
from tests.papers.sources.arxiv_documents import answer, arxiv, list_records, oai_record, raw
from wovepaper.harvest.contracts import Page, PageRefused, PageRequest, TokenExpired, Window

SOURCE = ArxivSource("http://127.0.0.1/oai")
ENCODED_TOKEN = "verb%3DListRecords%26metadataPrefix%3DarXiv%26from%3D2025-07-01%26skip%3D1300"


def read(body: bytes) -> Page:
    return SOURCE.read_page(body, stream="arXiv")


def identifiers(page: Page) -> list[str]:
    return [record.external_id for record in page.records]


def test_the_first_request_names_format_days_and_set() -> None:
    window = Window("arXivRaw", dt.date(2025, 7, 1), dt.date(2025, 7, 2), "physics:hep-th")

    assert SOURCE.first_request(window) == PageRequest(
        "http://127.0.0.1/oai",
        {
            "verb": "ListRecords",
            "metadataPrefix": "arXivRaw",
            "from": "2025-07-01",
            "until": "2025-07-02",
            "set": "physics:hep-th",
        },
    )


def test_days_that_the_server_refuses_are_left_out() -> None:
    request = SOURCE.first_request(Window("arXiv", dt.date(1991, 1, 1), dt.date(2005, 9, 20)))

    assert (request.params["from"], request.params["until"]) == ("2005-09-16", "2005-09-20")
    assert "set" not in request.params


@pytest.mark.parametrize("token", [ENCODED_TOKEN, "1403493|1001"])
def test_a_token_goes_back_as_it_came(token: str) -> None:
    request = SOURCE.next_request(Window("arXiv", dt.date(2025, 7, 1), dt.date(2025, 7, 1)), token)

    assert request.params == {"verb": "ListRecords", "resumptionToken": token}


def test_headers_are_listed_by_themselves() -> None:
    window = Window(IDENTIFIERS, dt.date(2025, 7, 1), dt.date(2025, 7, 7))

    assert SOURCE.first_request(window).params["verb"] == "ListIdentifiers"
    assert SOURCE.first_request(window).params["metadataPrefix"] == "arXiv"
    assert SOURCE.next_request(window, "x").params["verb"] == "ListIdentifiers"


def test_a_single_record_can_be_asked_for() -> None:
    assert SOURCE.headers_stream == IDENTIFIERS
    assert SOURCE.record_request(stream="arXivRaw", external_id="hep-th/9901001") == PageRequest(
        "http://127.0.0.1/oai",
        {"verb": "GetRecord", "metadataPrefix": "arXivRaw", "identifier": "oai:arXiv.org:hep-th/9901001"},
    )


def test_the_base_url_is_read_when_it_is_needed() -> None:
    urls = iter(["http://one/oai", "http://two/oai"])
    source = ArxivSource(lambda: next(urls))

    assert [source.base_url, source.base_url] == ["http://one/oai", "http://two/oai"]


def test_records_are_cut_out_with_their_ids_formats_and_stamps() -> None:
    page = read(
        list_records(
            oai_record(arxiv()),
            oai_record(raw(identifier="hep-th/9901001"), identifier="hep-th/9901001", stamp="2009-01-02"),
        )
    )

    assert [(record.external_id, record.format, record.stamp) for record in page.records] == [
        ("0704.0001", "arXiv", "2008-11-26"),
        ("hep-th/9901001", "arXivRaw", "2009-01-02"),
    ]
    assert [SOURCE.parse(record).title for record in page.records] == ["An invented title"] * 2
    assert page.next_token is None
    assert page.damaged == ()


@pytest.mark.parametrize(
    ("token", "expected", "size"),
    [
        ('<resumptionToken cursor="0" completeListSize="58011">1403493|1001</resumptionToken>', "1403493|1001", 58011),
        (f'<resumptionToken expirationDate="2025-07-02">{ENCODED_TOKEN}</resumptionToken>', ENCODED_TOKEN, None),
        ("<resumptionToken/>", None, None),
        ("<resumptionToken>\n  </resumptionToken>", None, None),
        ('<resumptionToken completeListSize="many">a|1</resumptionToken>', "a|1", None),
        ("", None, None),
    ],
)
def test_the_next_token_is_read_from_either_server(token: str, expected: str | None, size: int | None) -> None:
    page = read(list_records(oai_record(arxiv()), token=token, new=True))

    assert (page.next_token, page.complete_size) == (expected, size)


def test_a_single_record_is_a_page() -> None:
    body = answer(f"<GetRecord>{oai_record(arxiv())}</GetRecord>")

    assert identifiers(read(body)) == ["0704.0001"]


def test_identifiers_are_headers_only_and_deleted_ones_are_told() -> None:
    page = read(
        answer(
            "<ListIdentifiers><header><identifier>oai:arXiv.org:0704.0001</identifier><datestamp>2008-11-26</datestamp>"
            '</header><header status="deleted"><identifier>oai:arXiv.org:0704.0002</identifier>'
            "<datestamp>2008-11-27</datestamp></header><resumptionToken>a|2</resumptionToken></ListIdentifiers>"
        )
    )

    assert [(record.external_id, record.format, record.stamp) for record in page.records] == [
        ("0704.0001", "header", "2008-11-26"),
        ("0704.0002", "header", "2008-11-27"),
    ]
    assert b'status="deleted"' in page.records[1].payload
    assert page.next_token == "a|2"


def test_a_deleted_record_is_a_header() -> None:
    page = read(
        list_records(
            '<record><header status="deleted"><identifier>oai:arXiv.org:0704.0001</identifier>'
            "<datestamp>2008-11-26</datestamp></header></record>"
        )
    )

    assert page.records[0].format == "header"


def test_an_empty_window_is_an_empty_page() -> None:
    assert read(answer('<error code="noRecordsMatch">no records</error>')) == Page(())


def test_an_empty_last_page_is_an_empty_page() -> None:
    assert read(list_records(token="<resumptionToken/>")) == Page(())
    assert read(list_records(token="<resumptionToken>a|1</resumptionToken>")) == Page((), next_token="a|1")


def test_an_expired_token_is_told() -> None:
    with pytest.raises(TokenExpired, match="too old"):
        read(answer('<error code="badResumptionToken">too old</error>'))


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("badArgument", "check the dates"),
        ("badVerb", "base URL"),
        ("cannotDisseminateFormat", "format"),
        ("idDoesNotExist", "no paper of this id"),
        ("noSetHierarchy", "no sets"),
        ("unheard-of", "specification"),
    ],
)
def test_errors_inside_an_answer_are_refusals_that_say_what_to_do(code: str, advice: str) -> None:
    with pytest.raises(PageRefused) as refused:
        read(answer(f"<error code='{code}'>the server's words</error>"))

    assert code in refused.value.reason
    assert "the server's words" in refused.value.reason
    assert advice in refused.value.reason
    assert refused.value.retry is False
    assert not isinstance(refused.value, TokenExpired)


WHOLE = list_records(oai_record(arxiv()), oai_record(raw()))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "empty"),
        (b"{}", "not XML"),
        (b"<!DOCTYPE html><html><body>Busy</body></html>", "HTML"),
        (b"  <HTML><p>Busy", "HTML"),
        (WHOLE[: len(WHOLE) // 2], "cut off"),
        (WHOLE[:-14], "cut off"),
        (WHOLE + b"<script>1</script>", "garbage"),
        (WHOLE + b"garbage", "garbage"),
        (WHOLE + WHOLE, "garbage"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'/>", "<feed>"),
        (b"<OAI-PMH/>", "without records"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><OAI-PMH>&b;</OAI-PMH>', "DOCTYPE"),
    ],
)
def test_broken_answers_are_refused_and_worth_another_try(body: bytes, reason: str) -> None:
    with pytest.raises(PageRefused) as refused:
        read(body)

    assert reason in refused.value.reason
    assert refused.value.retry is True


@pytest.mark.parametrize("damage", [b"<b>", b"&undefined;", b"\x0c", b"\xff\xfe", b"</title>"])
def test_one_bad_record_does_not_cost_the_complete_page(damage: bytes) -> None:
    bad = oai_record(arxiv(identifier="0704.0002", title="A DAMAGED title"), identifier="0704.0002")
    body = list_records(
        oai_record(arxiv()), bad, oai_record(raw(), stamp="2009-01-01"), token="<resumptionToken>a|1</resumptionToken>"
    ).replace(b"DAMAGED", damage)

    page = read(body)

    assert [(record.external_id, record.stamp) for record in page.records] == [
        ("0704.0001", "2008-11-26"),
        ("0704.0001", "2009-01-01"),
    ]
    assert [SOURCE.parse(record).title for record in page.records] == ["An invented title"] * 2
    assert [damaged.external_id for damaged in page.damaged] == ["0704.0002"]
    assert "not well-formed XML" in page.damaged[0].reason
    assert damage in page.damaged[0].payload
    assert page.next_token == "a|1"


def test_records_without_header_or_identifier_are_damaged() -> None:
    page = read(list_records("<record><metadata/></record>", "<record><header/></record>", oai_record(arxiv())))

    assert [damaged.reason for damaged in page.damaged] == [
        "The record has no header.",
        "The header of the record has no identifier.",
    ]
    assert identifiers(page) == ["0704.0001"]


def test_entities_and_files_of_the_machine_are_not_read() -> None:
    body = WHOLE.replace(b"<ListRecords>", b'<ListRecords xmlns:xi="http://www.w3.org/2001/XInclude">'
                         b'<xi:include href="file:///etc/passwd" parse="text"/>')  # fmt: skip

    page = read(body)

    assert len(page.records) == 2
    assert all(b"root:" not in record.payload for record in page.records)


def test_the_encoding_of_the_document_is_obeyed() -> None:
    body = list_records(oai_record(arxiv(title="Ünïcode"))).decode()

    for encoding in ("utf-8", "iso-8859-1", "utf-16"):
        page = read(body.replace("UTF-8", encoding).encode(encoding))
        assert SOURCE.parse(page.records[0]).title == "Ünïcode"


def test_payloads_do_not_depend_on_the_page_they_came_in() -> None:
    alone = read(list_records(oai_record(raw())))
    among = read(list_records(oai_record(arxiv()), oai_record(raw()), oai_record(arxiv())))

    assert alone.records[0] == among.records[1]
