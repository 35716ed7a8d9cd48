"""The page of one researcher."""

import datetime as dt

import pytest

from papers.models import Affiliation, Category, Paper
from researchers.models import Attribution, ResearcherIdentifier, ResearcherMetric
from researchers.services.names import hide_former_name
from tests.factories import InstitutionFactory, SourceRecordFactory, affiliate
from tests.html import get
from tests.researchers.people import curator, merge, orcid, place, researcher
from tests.researchers.works import count, name, paper_of, people, written_by

pytestmark = pytest.mark.django_db

ORCID = "0000-0002-1825-0097"


def show(client, person, query="", status=200):
    person.refresh_from_db()
    return get(client, person.get_absolute_url() + query, status)


def roles(page):
    return page.texts("//section[@id='papers']//p[@class='work-role']/span")


def titles(page):
    """Of the list, without the most cited ones."""
    return page.texts("//section[@id='papers']//article/*[contains(@class, 'paper-card__title')]")


def notes(page, section):
    return page.texts(f"//section[@aria-labelledby='{section}']//p[@class='bars__note']")


class TestAside:
    def test_names(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada)
        name(ada, "A. B. Weaver")
        name(ada, "韦阿达", script="Hani")
        name(ada, "Ада Ткачёва")
        page = show(client, ada)
        assert page.one("//h1") == "Ada Weaver"
        assert page.texts("//p[@class='researcher__native']") == ["韦阿达", "Ада Ткачёва"]
        assert page.one("//p[@class='researcher__also']") == "Also printed as A. B. Weaver"

    def test_names_of_everybody_merged_into_them(self, client, someone):
        ada, other = people("Ada Weaver", "Ada M. Weaver")
        paper_of(ada)
        merge(other, ada, someone)
        assert show(client, ada).one("//p[@class='researcher__also']") == "Also printed as Ada M. Weaver"

    def test_figures_with_their_scope(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada, citation_count=4)
        paper_of(ada, citation_count=None)
        count(ada)
        page = show(client, ada)
        figures = page.texts("//ul[@class='figures']/li")
        assert figures[0].startswith("2 Papers here")
        assert figures[1].startswith("4 Citations")
        assert "(1 of 2)" in figures[1]
        assert figures[2].startswith("1 h-index")

    def test_what_sources_count_has_its_scope_once_each(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada)
        count(ada)
        for source, works, day in (
            ("openalex", 60, dt.date(2026, 5, 1)),
            ("semantic-scholar", None, dt.date(2026, 6, 2)),
        ):
            ResearcherMetric.objects.create(
                researcher=ada, source=source, h_index=17, cited_by_count=4245, works_count=works, as_of=day
            )
        scope = "Counted by Semantic Scholar over all works it knows of them, as of 2 June 2026."
        assert show(client, ada).texts("//ul[@class='figures']/li")[3:] == [
            "60 Works OpenAlex Counted by OpenAlex over all works it knows of them, as of 1 May 2026.",
            "4,245 Citations OpenAlex",
            "17 h-index OpenAlex",
            f"4,245 Citations Semantic Scholar {scope}",
            "17 h-index Semantic Scholar",
        ]

    def test_what_is_not_known_is_not_nought(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada)
        count(ada)
        figures = show(client, ada).texts("//ul[@class='figures']/li")
        assert figures[1].startswith("not known Citations")
        assert figures[2].startswith("not known h-index")

    def test_identifiers_by_what_is_known_of_them(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada)
        orcid(ada, ORCID)
        for scheme, value, state in (
            ("openalex", "A5023888391", "claimed"),
            ("s2", "1741101", "trusted"),
            ("orcid", "0000-0001-5109-3700", "conflict"),
            ("dblp", "12/345", "deprecated"),
        ):
            ResearcherIdentifier.objects.create(researcher=ada, scheme=scheme, value=value, state=state)
        page = show(client, ada)
        assert page.texts("//ul[@class='identifiers']/li") == [
            f"ORCID {ORCID}",
            "OpenAlex A5023888391 said by a source, not confirmed",
            "Semantic Scholar 1741101",
        ]
        assert page.all("//ul[@class='identifiers']//a/@href") == [
            f"https://orcid.org/{ORCID}",
            "https://openalex.org/A5023888391",
            "https://www.semanticscholar.org/author/1741101",
        ]

    def test_identifiers_of_invented_people_lead_nowhere(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada, is_demo=True)
        orcid(ada, ORCID)
        page = show(client, ada)
        assert page.texts("//ul[@class='identifiers']/li") == [f"ORCID {ORCID}"]
        assert page.all("//ul[@class='identifiers']//a") == []
        assert "This person is invented" in page.one("//p[@class='notice']")
        assert "sameAs" not in page.json_ld[0]

    def test_affiliations_now_and_before_with_their_years(self, client):
        ada, bo = people("Ada Weaver", "Bo Spindle")
        for year, texts in (
            (2001, ["Loom Institute, Weaverton"]),
            (2007, ["LOOM INSTITUTE  Weaverton."]),
            (2010, ["University of Knots"]),
            (2012, ["University of Knots", "Thread Laboratory"]),
        ):
            paper = paper_of(ada, bo, published_on=dt.date(year, 3, 1))
            affiliate(paper, 1, *texts)
            affiliate(paper, 2, "Where Bo works")
        paper_of(ada, published_on=dt.date(2020, 1, 1))
        page = show(client, ada)
        lists = page.all("//section[@aria-labelledby='affiliations-title']/ul")
        assert [[" ".join(item.text_content().split()) for item in found.iterchildren()] for found in lists] == [
            ["University of Knots 2010–2012", "Thread Laboratory 2012"],
            ["LOOM INSTITUTE Weaverton. 2001–2007"],
        ]
        assert page.texts("//p[@class='affiliation-list__when']") == ["On the newest papers, 2012", "Before"]

    def test_affiliations_lead_to_the_institutions_they_name_which_are_one_line_each(self, client):
        ada = researcher("Ada Weaver")
        hall, annex = InstitutionFactory(display_name="Loom Hall"), InstitutionFactory(display_name="Loom Annex")
        annex.merged_into = annex.root = hall
        annex.save()
        other = InstitutionFactory(display_name="Yarn College")
        for year, text, where, others in (
            (2012, "Department of Knots, Loom Hall", hall, None),
            (2011, "Loom Annex", annex, None),
            (2009, "Yarn College", other, None),
            (2008, "Yarn College and Loom Hall", other, [hall.pk]),
        ):
            paper = paper_of(ada, published_on=dt.date(year, 3, 1))
            affiliate(paper, 1, text)
            Affiliation.objects.filter(text=text).update(institution=where, others=others)
        page = show(client, ada)
        items = "//section[@aria-labelledby='affiliations-title']//li"
        assert page.texts(items) == ["Loom Hall 2011–2012", "Yarn College 2009", "Yarn College and Loom Hall 2008"]
        assert page.all(f"{items}/a/@href") == [hall.get_absolute_url(), other.get_absolute_url()]

    def test_places_in_the_author_list(self, client):
        ada, bo, cem = people("Ada Weaver", "Bo Spindle", "Cem Knot")
        paper_of(ada, bo)
        paper_of(ada, bo, cem)
        paper_of(bo, ada, cem)
        paper_of(bo, cem, ada)
        paper_of(ada)
        cut = paper_of(bo, cem, ada)
        Paper.objects.filter(pk=cut.pk).update(author_count=2)
        page = show(client, ada)
        bars = "//section[@aria-labelledby='places-title']"
        assert page.texts(f"{bars}//li/span") == ["First", "2", "Middle", "1", "Last", "1", "Single", "1"]
        assert page.all(f"{bars}//rect/@width") == ["40", "20", "20", "20"]
        assert notes(page, "places-title") == ["Across the 5 of 6 papers where the position is known"]

    def test_fields_lead_to_the_filtered_list(self, client):
        ada = researcher("Ada Weaver")
        for code in ("cs.CL", "cs.CL", "cs.LG", "stat.ML", None):
            paper_of(ada, category=code)
        page = show(client, ada)
        links = "//section[@aria-labelledby='fields-title']//a"
        assert page.texts(links) == [
            "Computation and Language2", "Not classified1", "Machine Learning (cs.LG)1", "Machine Learning (stat.ML)1",
        ]  # fmt: skip
        assert page.all(f"{links}/@aria-current") == []
        chosen = get(client, page.all(f"{links}/@href")[0])
        assert len(titles(chosen)) == 2
        assert chosen.texts(f"{links}[@aria-current='true']") == ["Computation and Language (in force; remove)2"]
        assert chosen.value(f"{links}[@aria-current='true']/@href") == ada.get_absolute_url()
        assert len(titles(get(client, page.all(f"{links}/@href")[1]))) == 1

    def test_only_the_main_fields_and_the_one_in_force(self, client):
        ada = researcher("Ada Weaver")
        codes = list(Category.objects.filter(group="grp_cs", is_active=True).values_list("code", flat=True)[:10])
        for number, code in enumerate(codes):
            for _ in range(10 - number):
                paper_of(ada, category=code)
        page = show(client, ada)
        assert len(page.all("//section[@aria-labelledby='fields-title']//a")) == 8
        assert notes(page, "fields-title") == ["And 2 more fields, in the filter of the list"]
        page = show(client, ada, f"?field={codes[9]}")
        assert len(page.all("//section[@aria-labelledby='fields-title']//a")) == 9
        assert len(titles(page)) == 1

    def test_papers_per_year_drawn_and_as_a_table(self, client):
        ada = researcher("Ada Weaver")
        for year in (2010, 2010, 2013):
            paper_of(ada, published_on=dt.date(year, 1, 1))
        paper_of(ada, published_on=None)
        page = show(client, ada)
        years = "//section[@aria-labelledby='years-title']"
        assert page.texts(f"{years}//tbody/tr/*") == ["2010", "2", "2011", "0", "2012", "0", "2013", "1"]
        assert page.all(f"{years}//svg/@viewbox | {years}//svg/@viewBox") == ["0 0 40 40"]
        assert page.all(f"{years}//rect/@x") == ["1", "31"]
        assert page.all(f"{years}//rect/@y") == ["0.0", "20.0"]
        assert notes(page, "years-title") == ["1 paper without a date"]


class TestOverview:
    def test_most_cited_with_the_count_of_counts(self, client):
        ada = researcher("Ada Weaver")
        for citations in (3, 9, 0, None, 20, 1):
            paper_of(ada, title=f"Cited {citations}", citation_count=citations)
        count(ada)
        page = show(client, ada)
        section = "//section[@aria-labelledby='most-cited-title']"
        assert page.texts(f"{section}//h3") == ["Cited 20", "Cited 9", "Cited 3"]
        assert page.texts(f"{section}//strong") == ["Cited 20 times", "Cited 9 times", "Cited 3 times"]
        assert notes(page, "most-cited-title") == ["Cited 33 times across the 5 papers we have counts for"]

    def test_without_any_count_it_says_so(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada)
        count(ada)
        page = show(client, ada)
        assert notes(page, "most-cited-title") == ["No source has told how often these papers are cited."]
        assert "cited" not in page.one("//nav[@aria-label='Order']").lower()

    def test_counted_and_never_cited(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada, citation_count=0)
        count(ada)
        assert notes(show(client, ada), "most-cited-title") == [
            "The one paper we have a count for has not been cited yet."
        ]
        paper_of(ada, citation_count=0)
        count(ada)
        assert notes(show(client, ada), "most-cited-title") == [
            "None of the 2 papers we have counts for has been cited yet."
        ]

    def test_the_network_leads_to_each_co_author_and_has_a_table(self, client):
        ada, bo, cem = people("Ada Weaver", "Bo Spindle", "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff Sr.")
        paper_of(ada, bo, published_on=dt.date(2010, 1, 1))
        paper_of(bo, ada, cem, published_on=dt.date(2012, 1, 1))
        paper_of(ada, bo, published_on=None)
        paper_of(bo, cem)
        page = show(client, ada)
        assert page.all("//svg[@class='network']//a/@href") == [bo.get_absolute_url(), cem.get_absolute_url()]
        assert page.texts("//svg[@class='network']//a/title") == [
            "Bo Spindle: 3 papers together",
            "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff Sr.: 1 paper together",
        ]
        assert page.texts("//svg[@class='network']//text[@class='network__wide']") == [
            "Bo Spindle", "Hubert Blaine Wolfeschlegel…",
        ]  # fmt: skip
        assert page.texts("//details[@class='network-table']//tbody/tr/*") == [
            "Bo Spindle", "3", "2010–2012", "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff Sr.", "1", "2012",
        ]  # fmt: skip
        assert len(page.all("//g[@class='network__spokes']/path")) == 2
        assert len(page.all("//g[@class='network__chords']/path")) == 1
        assert notes(page, "network-title")[0].startswith("Round Ada Weaver: all 2 co-authors.")

    def test_merged_co_authors_are_one(self, client, someone):
        ada, bo, b = people("Ada Weaver", "Bo Spindle", "B. Spindle")
        paper_of(ada, bo)
        paper_of(ada, b)
        merge(b, bo, someone)
        page = show(client, ada)
        assert page.texts("//details[@class='network-table']//tbody//a") == ["Bo Spindle"]
        assert page.texts("//details[@class='network-table']//tbody//td")[0] == "2"

    def test_who_wrote_alone_has_no_network(self, client):
        ada = researcher("Ada Weaver")
        written_by({"Ada Weaver": ada, "Somebody Else": None})
        page = show(client, ada)
        assert page.all("//svg[@class='network']") == []
        assert notes(page, "network-title") == ["Nobody else on these papers is attributed to a researcher here."]

    def test_those_of_the_same_name(self, client):
        ada, other = people("Ada Weaver", "Ada Weaver")
        paper_of(ada)
        paper_of(other)
        page = show(client, ada)
        assert page.all("//section[@id='same-name']//a[@class='same-name__name']/@href") == [other.get_absolute_url()]
        assert "1 other of this name" in page.texts("//p[@class='researcher__also']")

    def test_the_overview_gives_way_to_a_list_that_is_filtered_or_further_on(self, client):
        ada, bo = people("Ada Weaver", "Bo Spindle")
        for _ in range(26):
            paper_of(ada, bo)
        page = show(client, ada)
        assert page.all("//svg[@class='network']")
        for address in (page.next, ada.get_absolute_url() + "?field=cs.CL", ada.get_absolute_url() + "?sort=oldest"):
            other = get(client, address)
            assert other.all("//svg[@class='network']") == []
            assert other.all("//section[@aria-labelledby='most-cited-title']") == []
            assert other.all("//meta[@name='robots']/@content") == ["noindex, follow"]


class TestDoubts:
    def test_a_paper_that_prints_another_name_is_shown_as_doubtful(self, client):
        shuai = researcher("Shuai Wu")
        for _ in range(3):
            paper_of(shuai)
        written_by({"Shuaihong Wu": shuai}, title="On silk")
        written_by({"S. Wu": shuai}, title="On hemp")
        page = show(client, shuai)
        notice = "//aside[contains(@class, 'doubtful')]"
        assert page.one(f"{notice}//h2") == "A paper here prints another name"
        assert page.texts(f"{notice}//li") == ["Printed as “Shuaihong Wu”: On silk"]
        assert page.one("//li[article//a[text()='On silk']]//span[contains(@class, 'badge--alarm')]") == "Another name"
        assert page.all("//li[article//a[text()='On hemp']]//span[contains(@class, 'badge--alarm')]") == []

    def test_that_a_paper_prints_a_name_does_not_make_it_theirs(self, client):
        shuai = researcher("Shuai Wu")
        paper_of(shuai)
        paper_of(shuai)
        name(shuai, "Shuaihong Wu", source="arxiv")
        written_by({"Shuaihong Wu": shuai}, title="On silk")
        assert show(client, shuai).all("//aside[contains(@class, 'doubtful')]")

    @pytest.mark.parametrize("settled", ["curator", "hidden", "human", "claim", "orcid"])
    def test_what_people_decided_and_what_prints_the_orcid_is_not_doubted(self, client, settled):
        shuai = researcher("Shuai Wu")
        paper_of(shuai)
        paper_of(shuai)
        odd = written_by({"Shuaihong Wu": shuai}, title="On silk")
        if settled == "curator":
            name(shuai, "Shuaihong Wu", source="curator")
        elif settled == "hidden":
            name(shuai, "Shuaihong Wu", visibility="hidden")
        elif settled == "orcid":
            orcid(shuai, ORCID)
            record = SourceRecordFactory(paper=odd)
            place(odd).source_authorships.create(source_record=record, position=1, name="Shuaihong Wu", orcid=ORCID)
        else:
            Attribution.objects.filter(paper=odd).update(decided_by=settled)
        assert show(client, shuai).all("//aside[contains(@class, 'doubtful')]") == []

    def test_a_name_on_half_of_the_papers_is_a_change_of_name(self, client):
        shuai = researcher("Shuai Wu")
        paper_of(shuai)
        written_by({"Shuaihong Wu": shuai})
        assert show(client, shuai).all("//aside[contains(@class, 'doubtful')]") == []


class TestList:
    def test_newest_first_24_a_page_and_each_once(self, client):
        ada, bo = people("Ada Weaver", "Bo Spindle")
        for number in range(50):
            day = dt.date(2020, 1, 1) + dt.timedelta(days=number // 2)
            paper_of(ada, title=f"Paper {number:02}", published_on=day)
            paper_of(bo, published_on=day)
        page = show(client, ada)
        assert page.one("//section[@id='papers']//div[@class='sorts']/p") == "50 papers"
        seen, pages = [], []
        while True:
            pages.append(titles(page))
            seen += pages[-1]
            if not page.next:
                break
            page = get(client, page.next)
        assert seen == [f"Paper {number:02}" for number in range(49, -1, -1)]
        assert [len(found) for found in pages] == [24, 24, 2]
        back = [titles(page)]
        while page.previous:
            page = get(client, page.previous)
            back.insert(0, titles(page))
        assert back == pages

    def test_place_in_the_author_list_and_the_name_printed(self, client):
        ada, bo, cem = people("Ada Weaver", "Bo Spindle", "Cem Knot")
        written_by({"Ada Weaver": ada}, published_on=dt.date(2020, 1, 4))
        written_by({"A. Weaver": ada, "Bo": bo}, published_on=dt.date(2020, 1, 3))
        written_by({"Bo": bo, "Ada Weaver": ada, "Cem": cem}, published_on=dt.date(2020, 1, 2))
        written_by({"Bo": bo, "Ada Weaver": ada}, published_on=dt.date(2020, 1, 1))
        assert roles(show(client, ada)) == [
            "Only author", "First of 2 authors", "Printed as “A. Weaver”", "Author 2 of 3", "Last of 2 authors",
        ]  # fmt: skip

    def test_each_paper_can_be_objected_to(self, client):
        ada = researcher("Ada Weaver")
        paper = paper_of(ada)
        link = "//a[@class='work-role__contest']/@href"
        assert show(client, ada).all(link) == [f"/papers/{paper.reference}/authors/{place(paper).pk}/contest"]

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("?sort=oldest", ["D", "A", "B", "C"]),
            ("?sort=cited", ["B", "A", "C", "D"]),
            ("?field=math.AG", ["B"]),
            ("?field=none", ["D"]),
            ("?year=2020", ["B", "A"]),
            ("?kind=article", ["C", "A"]),
            ("?year=2020&kind=article", ["A"]),
            ("?year=1999", []),
            ("?field=&year=&kind=&sort=", ["C", "B", "A", "D"]),
        ],
    )
    def test_filters_and_orders(self, client, query, expected):
        ada = researcher("Ada Weaver")
        for title, year, code, kind, citations in (
            ("A", 2020, "cs.CL", "article", 3), ("B", 2020, "math.AG", "preprint", 5),
            ("C", 2021, "cs.CL", "article", 0), ("D", None, None, "preprint", None),
        ):  # fmt: skip
            day = dt.date(year, 1, 1 if title == "A" else 2) if year else None
            paper_of(ada, title=title, published_on=day, category=code, kind=kind, citation_count=citations)
        count(ada)
        assert titles(show(client, ada, query)) == expected

    def test_the_most_cited_first_is_paged_through_equals_and_unknown_counts(self, client):
        ada = researcher("Ada Weaver")
        for number in range(30):
            paper_of(ada, title=f"Paper {number:02}", citation_count=[None, 0, 7][number % 3])
        count(ada)
        page = show(client, ada, "?sort=cited")
        seen = titles(page) + titles(get(client, page.next))
        assert seen == [
            f"Paper {number:02}" for rest in (2, 1, 0) for number in range(29, -1, -1) if number % 3 == rest
        ]
        assert titles(get(client, get(client, page.next).previous)) == seen[:24]
        assert roles(get(client, page.next))[-1] == "Citations not known"

    def test_filters_in_force_can_be_taken_away(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada, published_on=dt.date(2020, 1, 1), kind="article")
        paper_of(ada, published_on=dt.date(2021, 1, 1))
        page = show(client, ada, "?field=cs.CL&year=2020&kind=article&sort=oldest")
        path = ada.get_absolute_url()
        chips = dict(zip(page.texts("//a[@class='chip']"), page.all("//a[@class='chip']/@href"), strict=True))
        assert chips == {
            "Remove the filter Computation and Language ×": f"{path}?year=2020&kind=article&sort=oldest",
            "Remove the filter 2020 ×": f"{path}?field=cs.CL&kind=article&sort=oldest",
            "Remove the filter Journal article ×": f"{path}?field=cs.CL&year=2020&sort=oldest",
        }
        assert page.value("//a[contains(@class, 'chip--plain')]/@href") == f"{path}?sort=oldest"
        assert page.one("//section[@id='papers']//div[@class='sorts']/p") == "1 of 2 papers"
        assert page.all("//form[@class='works__filter']//option[@selected]/@value") == ["cs.CL", "2020", "article"]
        assert page.value("//link[@rel='canonical']/@href").endswith(
            f"{path}?field=cs.CL&year=2020&kind=article&sort=oldest"
        )

    @pytest.mark.parametrize(
        "query",
        ["?field=<b>", "?year=twenty", "?year=20201", "?year=0000", "?kind=poem", "?sort=best", "?after=x",
         "?before=2020-13-01_1", "?sort=cited&after=2020-01-01_1", "?after=5_1"],
    )  # fmt: skip
    def test_what_cannot_be_read_is_left_out_and_said(self, client, query):
        ada = researcher("Ada Weaver")
        paper_of(ada, title="The only one")
        page = show(client, ada, query, status=400)
        assert titles(page) == ["The only one"]
        assert len(page.texts("//p[contains(@class, 'notice--problem')]")) == 1

    def test_nothing_passes(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada, published_on=dt.date(2020, 1, 1))
        assert show(client, ada, "?year=1999").one("//section[@class='empty-state']/h2") == (
            "None of their papers passes these filters"
        )
        assert show(client, ada, "?after=1999-01-01_1").one("//section[@class='empty-state']/h2") == (
            "The list ends before this page"
        )

    def test_papers_that_redirect_are_nowhere(self, client):
        ada = researcher("Ada Weaver")
        old, new = paper_of(ada, title="Old"), paper_of(ada, title="New")
        Paper.objects.filter(pk=old.pk).update(redirect_to=new)
        page = show(client, ada)
        assert titles(page) == ["New"]
        assert notes(page, "places-title") == ["Across the 1 of 1 papers where the position is known"]

    def test_who_lost_every_paper_is_told_so(self, client):
        ada, bo = people("Ada Weaver", "Bo Spindle")
        paper = paper_of(ada)
        Attribution.objects.filter(paper=paper).update(base=bo, root=bo)
        count(ada, bo)
        page = show(client, ada)
        assert page.one("//section[@class='empty-state']/h2") == "No papers are attributed to them now"
        assert page.all("//svg") == []
        assert page.all("//article") == []
        assert page.all("//meta[@name='robots']/@content") == ["noindex, follow"]


class TestHiddenNames:
    def test_a_former_name_is_nowhere_on_any_page(self, client, someone):
        ada, bo, cem = people("Ada Weaver", "Bo Spindle", "Cem Knot")
        name(ada, "Adam Weaver")
        name(bo, "Bodo Spindle")
        other = researcher("Adam Weaver")
        for number in range(4):
            written_by({"Adam Weaver": ada, "Bodo Spindle": bo, "Cem Knot": cem}, citation_count=number)
        written_by({"Ada Weaver": ada, "Bo Spindle": bo})
        written_by({"ADAM WEAVER": ada})
        paper_of(other)
        count(ada, bo, cem)
        hide_former_name(researcher=ada.pk, name="Adam Weaver", actor=curator(), reason="on request")
        hide_former_name(researcher=bo.pk, name="Bodo Spindle", actor=curator(), reason="on request")
        path = ada.get_absolute_url()
        for address in (path, f"{path}?sort=cited", f"{path}/co-authors", f"{path}/venues", cem.get_absolute_url()):
            text = client.get(address).content.decode()
            assert "adam" not in text.lower(), address
            assert "bodo" not in text.lower(), address
        for extension in (".bib", ".ris"):
            text = b"".join(client.get(path + extension)).decode()
            assert "adam" not in text.lower()
            assert "bodo" not in text.lower()
            assert "Weaver, Ada" in text
            assert "Spindle, Bo" in text
        page = show(client, ada)
        lines = page.texts("//section[@id='papers']//p[@class='paper-card__authors']")
        assert sorted(lines) == ["Ada Weaver", "Ada Weaver, Bo Spindle", *["Ada Weaver, Bo Spindle, Cem Knot"] * 4]
        assert all("Printed as" not in role for role in roles(page))

    def test_a_name_hidden_by_a_merged_base_is_hidden_for_all(self, client, someone):
        ada, other = people("Ada Weaver", "Ada M. Weaver")
        written_by({"Adam Weaver": other})
        written_by({"Adam Weaver": ada})
        name(other, "Adam Weaver", visibility="hidden")
        name(ada, "Adam Weaver")
        merge(other, ada, someone)
        assert "Adam" not in client.get(ada.get_absolute_url()).content.decode()

    def test_somebody_else_may_bear_that_name(self, client):
        ada, adam = people("Ada Weaver", "Adam Weaver")
        name(ada, "Adam Weaver", visibility="hidden")
        written_by({"Adam Weaver": adam})
        assert show(client, adam).texts("//section[@id='papers']//p[@class='paper-card__authors']") == ["Adam Weaver"]


class TestHead:
    def test_what_machines_read(self, client):
        ada, bo = people("Ada Weaver", "Bo Spindle")
        name(ada, "A. Weaver")
        orcid(ada, ORCID)
        ResearcherIdentifier.objects.create(researcher=ada, scheme="openalex", value="A1", state="claimed")
        affiliate(paper_of(ada, bo, published_on=dt.date(2019, 1, 1)), 1, "Loom Institute")
        paper_of(ada, published_on=dt.date(2021, 1, 1))
        page = show(client, ada)
        url = f"http://localhost:8000{ada.get_absolute_url()}"
        assert page.one("//head/title") == "Ada Weaver · wovepaper"
        assert page.value("//link[@rel='canonical']/@href") == url
        assert page.value("//meta[@property='og:type']/@content") == "profile"
        assert page.value("//meta[@property='og:title']/@content") == "Ada Weaver"
        assert page.value("//meta[@name='description']/@content") == (
            "Ada Weaver: 2 papers in this catalogue, 2019 to 2021, in Computation and Language. Loom Institute"
        )
        person, crumbs, _ = page.json_ld
        assert person == {
            "@context": "https://schema.org", "@type": "Person", "@id": url, "url": url, "mainEntityOfPage": url,
            "name": "Ada Weaver", "alternateName": ["A. Weaver"], "sameAs": [f"https://orcid.org/{ORCID}"],
            "affiliation": [{"@type": "Organization", "name": "Loom Institute"}],
        }  # fmt: skip
        assert [step["name"] for step in crumbs["itemListElement"]] == ["Researchers", "Ada Weaver"]
        assert page.all("//link[@rel='alternate']/@href") == [
            f"{ada.get_absolute_url()}.md", f"/rss/researchers/{ada.pk}.xml", f"/atom/researchers/{ada.pk}.xml",
            f"{ada.get_absolute_url()}.bib", f"{ada.get_absolute_url()}.ris",
        ]  # fmt: skip

    def test_the_tabs(self, client):
        ada = researcher("Ada Weaver")
        paper_of(ada)
        path = ada.get_absolute_url()
        for current, address in (("Papers", path), ("Co-authors", f"{path}/co-authors"), ("Venues", f"{path}/venues")):
            page = get(client, address)
            assert page.texts("//nav[@class='tabs']//a") == ["Papers", "Co-authors", "Venues"]
            assert page.texts("//nav[@class='tabs']//a[@aria-current='page']") == [current]
