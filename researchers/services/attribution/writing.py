"""Putting down what was decided of a batch: new researchers, attributions, names, identifiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import connection

from researchers.former_names import former_names
from researchers.matching.evidence import AuthorshipEvidence
from researchers.services.arrays import bigints, texts
from researchers.services.attribution.evidence import Loaded
from researchers.services.attribution.printed import match_keys, script_of
from researchers.services.attributions import MODEL_DECIDED, NewResearcher, create_researchers
from wovepaper.harvest.rows import copy_rows


def hold_papers(papers: Collection[int]) -> None:
    """Keep the author lists as they are until the transaction ends. Taken in the order in which ingest takes them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM"
            " (SELECT id FROM papers_paper WHERE id = ANY(%s::bigint[]) ORDER BY id FOR SHARE) AS held",
            [bigints(sorted(papers))],
        )


def create_newcomers(groups: Sequence[Sequence[AuthorshipEvidence]], loaded: Loaded) -> tuple[list[int], list[str]]:
    """A researcher for each group, named as they are printed most often and in full: their numbers and names."""
    sources = _sources(loaded)
    new = []
    for group in groups:
        printed = Counter(loaded.printed[one.id] for one in group)
        forms = {loaded.printed[one.id]: one for one in group}
        name = max(printed, key=lambda value: (forms[value].name.is_full, printed[value], len(value), value))
        one = forms[name]
        new.append(
            NewResearcher(
                name, sources.get(loaded.records[one.id], ""), script_of(name), match_keys(one.name), papers=len(group)
            )
        )
    return create_researchers(new), [one.name for one in new]


def add_names(printed: Iterable[tuple[int, AuthorshipEvidence]], loaded: Loaded, *, known: Mapping[int, str]) -> None:
    """Keep the names that bases were printed under and that they did not have, each with its keys.

    ``known`` holds bases whose first name is kept already.

    A name that somebody they are one with has hidden is hidden here too.
    """
    sources = _sources(loaded)
    rows = {}
    for base, one in printed:
        value = loaded.printed[one.id]
        if known.get(base) != value and (base, value) not in rows:
            source = sources.get(loaded.records[one.id], "")
            rows[base, value] = (base, value, script_of(value), source, texts(match_keys(one.name)))
    if not rows:
        return
    former = former_names({base for base, _ in rows})
    given = [
        (*row, "hidden" if base in former and former[base].hide(value) else "public")
        for (base, value), row in rows.items()
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE names_given"
            " (base_id bigint, value text, script text, source text, match_keys varchar(200)[], visibility text)"
        )
        copy_rows(cursor, "names_given", ("base_id", "value", "script", "source", "match_keys", "visibility"), given)
        cursor.execute(
            "INSERT INTO researchers_researchername (researcher_id, value, script, source, visibility, match_keys)"
            " SELECT given.base_id, given.value, given.script, given.source, given.visibility, given.match_keys"
            " FROM names_given AS given LEFT JOIN researchers_researchername AS kept"
            " ON kept.researcher_id = given.base_id AND kept.value = given.value WHERE kept.id IS NULL"
            " ORDER BY given.base_id, given.value ON CONFLICT DO NOTHING"
        )
        # Names that people gave have no keys until a paper prints them.
        cursor.execute(
            "UPDATE researchers_researchername AS kept SET match_keys = given.match_keys FROM names_given AS given"
            " WHERE kept.researcher_id = given.base_id AND kept.value = given.value AND kept.match_keys = '{}'"
        )
        cursor.execute("DROP TABLE names_given")


def _sources(loaded: Loaded) -> Mapping[int, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, source FROM papers_sourcerecord WHERE id = ANY(%s::bigint[])",
            [bigints(set(loaded.records.values()))],
        )
        return dict(cursor.fetchall())


def remove_attributions(authorships: Collection[int]) -> set[int]:
    """Take away what the model said of authors who are no people any more; returns the roots that lose a paper."""
    if not authorships:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM researchers_attribution WHERE authorship_id = ANY(%s) AND decided_by = ANY(%s)"
            " RETURNING root_id",
            [sorted(authorships), list(MODEL_DECIDED)],
        )
        return {row[0] for row in cursor.fetchall()}
