"""The invented catalogue holds what it promises, and the same seed gives the same papers."""

from __future__ import annotations

import datetime as dt
import itertools
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache

import pytest

from wovepaper.demo.papers import NOTE, DemoPaper, generate

MONDAY = dt.date(2026, 3, 16)


@cache
def catalogue(size: int = 2_000, seed: int = 1) -> tuple[DemoPaper, ...]:
    return tuple(generate(size, seed=seed, until=MONDAY))


def test_a_larger_catalogue_begins_with_the_smaller_one() -> None:
    assert tuple(generate(300, seed=1, until=MONDAY)) == catalogue()[:300]


def test_a_start_leaves_out_the_papers_before_it_and_changes_none() -> None:
    assert tuple(generate(300, seed=1, until=MONDAY, start=250)) == catalogue()[250:300]


def test_the_seed_decides() -> None:
    assert [paper.title for paper in catalogue(50, 1)] != [paper.title for paper in catalogue(50, 2)]


def test_another_process_with_another_hash_seed_writes_the_same_bytes() -> None:
    program = (
        "import datetime as dt, hashlib\n"
        "from wovepaper.demo.documents import oai_page\n"
        "from wovepaper.demo.papers import generate\n"
        "until = dt.date(2026, 3, 16)\n"
        "papers = list(generate(120, seed=7, until=until))\n"
        "print(hashlib.sha256(oai_page(papers, form='arXivRaw', until=until)).hexdigest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


@pytest.mark.parametrize("size", [0, -1, 1_000_001])
def test_a_size_out_of_bounds_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 1,000,000"):
        next(generate(size, seed=1, until=MONDAY))


def test_a_day_too_early_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot lie before 2017-01-01"):
        next(generate(10, seed=1, until=dt.date(2016, 12, 31)))


def test_identifiers_are_unique_and_nobody_elses() -> None:
    identifiers = [paper.arxiv_id for paper in catalogue()]
    assert len(set(identifiers)) == len(identifiers)
    for identifier in identifiers:
        if "/" in identifier:
            assert int(identifier.rpartition("/")[2][4:]) >= 900, identifier
        else:
            assert int(identifier.partition(".")[2]) >= 40_000, identifier
    assert any("/" in identifier for identifier in identifiers)


def test_the_identifier_names_the_month_of_the_first_version() -> None:
    for paper in catalogue():
        assert paper.arxiv_id.rpartition("/")[2][:4] == f"{paper.versions[0].submitted_at:%y%m}"


def test_every_paper_says_that_it_is_invented() -> None:
    assert all(paper.comments.startswith(NOTE) for paper in catalogue())


@pytest.mark.parametrize("until", [MONDAY + dt.timedelta(days=shift) for shift in range(7)])
def test_nothing_happens_after_the_last_day_and_the_last_days_have_news(until: dt.date) -> None:
    papers = list(generate(400, seed=1, until=until))
    assert papers[0].datestamp == until
    announced = Counter()
    for paper in papers:
        assert paper.datestamp <= until
        moments = [version.submitted_at for version in paper.versions]
        assert moments == sorted(set(moments))
        assert moments[-1].date() < until
        announced[moments[0].date()] += 1
    newest = max(announced)
    assert newest.weekday() < 5
    assert until - newest <= dt.timedelta(days=3 if until.weekday() in (0, 6) else 2)
    assert announced[newest] >= 2


def test_versions_are_numbered_and_some_are_withdrawn() -> None:
    papers = catalogue()
    for paper in papers:
        assert [version.number for version in paper.versions] == list(range(1, len(paper.versions) + 1))
    withdrawn = [paper for paper in papers if paper.withdrawn]
    assert 5 <= len(withdrawn) <= 60
    assert all(paper.versions[-1].source_type == "I" and "withdrawn" in paper.comments for paper in withdrawn)
    assert Counter(len(paper.versions) for paper in papers)[3] > 50


def test_crowds_of_authors() -> None:
    sizes = Counter(len(paper.authors) for paper in catalogue())
    assert sizes[3_000] == 1
    assert sizes[700] == 3
    assert sizes[1] > 200


def test_names_repeat_among_people_and_people_vary_their_names() -> None:
    bearers: dict[str, set[str]] = defaultdict(set)
    printed: dict[str, set[str]] = defaultdict(set)
    for author in itertools.chain.from_iterable(paper.authors for paper in catalogue()):
        bearers[author.person.name].add(author.person.key)
        printed[author.person.key].add(author.printed.text)
    assert len(bearers["Wei Wang"]) > 3
    assert sum(len(forms) > 1 for forms in printed.values()) > 50
    # Most names are borne by one person only.
    assert sum(len(people) == 1 for people in bearers.values()) > 0.9 * len(bearers)


def test_few_write_much_and_most_write_little() -> None:
    papers = [paper for paper in catalogue(8_000) if len(paper.authors) < 100]
    output = Counter(author.person.key for paper in papers for author in paper.authors).most_common()
    assert output[0][1] > 20
    assert sum(count == 1 for _, count in output) > 0.4 * len(output)
    assert sum(count <= 2 for _, count in output) > 0.6 * len(output)


def test_words_follow_zipf() -> None:
    words = Counter(word for paper in catalogue() for word in paper.abstract.lower().split()).most_common()
    assert len(words) > 4_000
    assert sum(count == 1 for _, count in words) > len(words) / 3
    # The hundredth word is rarer than the tenth by about its rank.
    assert 3 < words[9][1] / words[99][1] < 30


def test_duplicates_have_the_same_title_and_people() -> None:
    papers = {paper.arxiv_id: paper for paper in catalogue()}
    duplicates = [paper for paper in papers.values() if paper.duplicate_of]
    assert len(duplicates) == 8
    for paper in duplicates:
        original = papers[paper.duplicate_of]
        assert paper.title == original.title
        assert [author.person for author in paper.authors] == [author.person for author in original.authors]
        assert paper.arxiv_id != original.arxiv_id


def test_formulas_accents_suffixes_affiliations_and_awkward_titles_occur() -> None:
    papers = catalogue()
    assert sum("$" in paper.title for paper in papers) > 50
    assert sum("$" in paper.abstract for paper in papers) > 1_000
    assert any("<script>" in paper.title for paper in papers)
    assert any("<b>" in paper.title and "&" not in paper.title for paper in papers)
    assert any(author.printed.suffix == "Jr." for paper in papers for author in paper.authors)
    assert any(not author.printed.forenames for paper in papers for author in paper.authors)
    assert sum(bool(paper.affiliations) for paper in papers) > 300
    assert sum(bool(paper.collaboration) for paper in papers) > 5
    assert any(" " in paper.doi for paper in papers)
