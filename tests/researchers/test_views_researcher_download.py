"""All papers of one researcher as a file for reference managers."""

import bibtexparser
import pytest
import rispy
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.citations import reading
from researchers.services.profile import export
from tests.researchers.people import researcher
from tests.researchers.works import paper_of, people, write_many

pytestmark = pytest.mark.django_db


def download(client, person, extension):
    response = client.get(f"{person.get_absolute_url()}.{extension}")
    assert response.status_code == 200
    assert response.streaming
    return response, b"".join(response.streaming_content).decode()


def test_bibtex_of_every_paper_newest_first_with_keys_of_its_own(client):
    ada, bo = people("Ada Weaver", "Bo Spindle")
    for number in range(3):
        paper_of(ada, bo, title="On the loom", published_on=f"202{number}-01-01")
    for number in range(3):
        paper_of(bo, ada, title=f"Of the same year {number}", published_on="2010-01-01")
    response, text = download(client, ada, "bib")
    assert response.headers["Content-Type"] == "application/x-bibtex; charset=utf-8"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{ada.pk}-ada-weaver.bib"'
    entries = bibtexparser.parse_string(text)
    assert entries.failed_blocks == []
    assert [entry.key for entry in entries.entries] == [
        "weaver2022loom", "weaver2021loom", "weaver2020loom", "spindle2010same", "spindle2010sameb", "spindle2010samec",
    ]  # fmt: skip
    assert entries.entries[0]["author"] == "Weaver, Ada and Spindle, Bo"


def test_ris_of_every_paper(client):
    ada = researcher("Ada Weaver")
    for number in range(3):
        paper_of(ada, title=f"On loom {number}", published_on=f"202{number}-01-01")
    response, text = download(client, ada, "ris")
    assert response.headers["Content-Type"] == "application/x-research-info-systems; charset=utf-8"
    assert [entry["title"] for entry in rispy.loads(text)] == ["On loom 2", "On loom 1", "On loom 0"]


def test_nobody_s_papers_are_an_empty_file(client):
    for extension in ("bib", "ris"):
        assert download(client, researcher("Ada Weaver"), extension)[1] == ""


@pytest.mark.parametrize("extension", ["json", "pdf", "bib.ris"])
def test_other_formats_are_not_here(client, extension):
    person = researcher("Ada Weaver")
    assert client.get(f"{person.get_absolute_url()}.{extension}").status_code in {301, 404}


def test_batches_are_small_whatever_the_papers_are(client, monkeypatch):
    ada, bo = people("Ada Weaver", "Bo Spindle")
    write_many(ada, [[bo.pk]] * 6)
    paper_of(ada, published_on="2030-01-01")
    queries = {}
    for papers, authors, sizes in ((50, 50, [7]), (5, 6, [3, 3, 1]), (1, 50, [1] * 7)):
        monkeypatch.setattr(reading, "PAPERS_AT_A_TIME", papers)
        monkeypatch.setattr(reading, "AUTHORS_AT_A_TIME", authors)
        with CaptureQueriesContext(connection) as captured:
            assert [len(batch) for batch in export.citations_of(ada.pk, site_url="")] == sizes
        queries[len(sizes)] = len(captured)
    # One for the numbers, and the same few for each batch.
    of_a_batch = queries[1] - 1
    assert queries == {1: 1 + of_a_batch, 3: 1 + 3 * of_a_batch, 7: 1 + 7 * of_a_batch}
    assert of_a_batch <= 4


def test_the_file_in_pieces_is_the_file(client, monkeypatch):
    ada, bo = people("Ada Weaver", "Bo Spindle")
    write_many(ada, [[bo.pk]] * 7)
    whole = {extension: download(client, ada, extension)[1] for extension in ("bib", "ris")}
    monkeypatch.setattr(reading, "PAPERS_AT_A_TIME", 2)
    assert {extension: download(client, ada, extension)[1] for extension in ("bib", "ris")} == whole
    assert len(bibtexparser.parse_string(whole["bib"]).entries) == 7
