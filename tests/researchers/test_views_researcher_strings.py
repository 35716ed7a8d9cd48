"""Whatever a source prints appears as text on the pages of a researcher: no element or attribute of it."""

import datetime as dt

import pytest

from papers.models import Affiliation, Authorship, Paper
from researchers.models import Researcher, ResearcherIdentifier, ResearcherName
from tests.factories import affiliate
from tests.html import Page, tags_of
from tests.injections import INJECTIONS
from tests.papers.test_views_strings import assert_nothing_added
from tests.researchers.works import count, name, paper_of, people, written_by

pytestmark = pytest.mark.django_db


class Sample:
    """A researcher with a text in every place that a source or a person can fill."""

    def __init__(self, client):
        self.client = client
        self.ada, self.bo, self.namesake = people("Ada Weaver", "Bo Spindle", "Ada Weaver")
        paper_of(self.namesake)
        for number in range(4):
            paper = written_by(
                {"Ada Weaver": self.ada, "Bo": self.bo},
                venue="V", citation_count=number, published_on=dt.date(2020, 1, number + 1),
            )  # fmt: skip
            affiliate(paper, 1, "Loom Institute")
        written_by({"Zacharias Quill": self.ada}, published_on=dt.date(2019, 1, 1))
        name(self.ada, "韦阿达")
        name(self.ada, "A. Weaver")
        ResearcherIdentifier.objects.create(researcher=self.ada, scheme="dblp", value="1", state="trusted")
        count(self.ada, self.bo)

    def fill(self, text):
        Researcher.objects.filter(pk__in=[self.ada.pk, self.bo.pk, self.namesake.pk]).update(display_name=text)
        ResearcherName.objects.filter(value="A. Weaver").update(value=text + " ")
        ResearcherName.objects.filter(value="Bo Spindle").update(value=text)
        ResearcherIdentifier.objects.update(value=text[:64])
        Authorship.objects.exclude(name="Zacharias Quill").update(name=text)
        Affiliation.objects.update(text=text)
        Paper.objects.update(title=text, venue=text)

    def pages(self):
        path = self.ada.get_absolute_url()
        addresses = (path, f"{path}?field=cs.CL", f"{path}?sort=cited", f"{path}/co-authors", f"{path}/venues")
        return {address: Page(self.client.get(address)) for address in addresses}


@pytest.fixture
def sample(client):
    made = Sample(client)
    made.plain = {}
    for text in ("Ada Weaver", "Another Name Altogether", "long " * 30, "Ада Ткачёва", "＜ａ＞ alert"):
        made.fill(text)
        for address, page in made.pages().items():
            most = made.plain.setdefault(address, {})
            for tag, found in tags_of(page).items():
                most[tag] = max(most.get(tag, 0), found)
    return made


def test_injections_are_text_on_every_page(sample):
    for text in INJECTIONS:
        sample.fill(text.replace("\x00", ""))
        for address, page in sample.pages().items():
            assert page.response.status_code == 200, (address, text)
            assert_nothing_added(tags_of(page), sample.plain[address], (address, text))
            assert all(block["@context"] == "https://schema.org" for block in page.json_ld)


def test_injections_are_text_in_exports(sample):
    for text in INJECTIONS:
        sample.fill(text.replace("\x00", ""))
        for extension in ("bib", "ris"):
            response = sample.client.get(f"{sample.ada.get_absolute_url()}.{extension}")
            assert response.status_code == 200
            body = b"".join(response.streaming_content).decode()
            assert body.count("\nER  - \r" if extension == "ris" else "\n@") in {4, 5}, text


def test_injections_are_text_in_what_is_asked(client):
    (ada,) = people("Ada Weaver")
    paper_of(ada)
    path = ada.get_absolute_url()
    parameters = {path: ("field", "year", "kind", "sort", "after"), f"{path}/co-authors": ("after",)}
    for address, names in parameters.items():
        plain = set(tags_of(Page(client.get(address, dict.fromkeys(names, "nothing at all")))))
        for text in INJECTIONS:
            page = Page(client.get(address, dict.fromkeys(names, text)))
            assert page.response.status_code == 400, text
            assert set(tags_of(page)) <= plain, text
            after = client.get(f"/researchers/{ada.pk}-x", {"field": text})
            assert after.status_code == 301
            assert after.headers["Location"].startswith(f"{path}?field=")
