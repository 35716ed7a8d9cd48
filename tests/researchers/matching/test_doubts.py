"""Papers printed under a name their researcher does not go by."""

from __future__ import annotations

from researchers.matching.doubts import doubtful_names
from researchers.matching.evidence import KnownResearcher
from researchers.matching.names import Relation
from researchers.matching.outcomes import Doubt
from tests.researchers.matching.building import Catalogue, form, researcher

ADA = "0000-0002-1825-0097"


def _her(*names: str, given: tuple[str, ...] = (), orcid: str = "") -> KnownResearcher:
    catalogue = Catalogue()
    rows = [catalogue.paper(name, orcids=(orcid,))[0] for name in names]
    return researcher(7, *rows, names=given, orcids=(orcid,) if orcid else ())


def test_a_longer_given_name_is_doubtful() -> None:
    her = _her("Shuai Wu", "Shuaihong Wu", "Shuai Wu")
    assert doubtful_names(her) == (Doubt(2, 7, form("Shuaihong Wu"), form("Shuai Wu"), Relation.BEGINNING),)


def test_an_unrelated_name_is_doubtful() -> None:
    assert doubtful_names(_her("Shuai Wu", "Shuai Wu", "Bodo Yzermann"))[0].relation is None


def test_variants_and_names_given_by_curators_are_hers() -> None:
    assert doubtful_names(_her("Ada Byron", "A. Byron", "Ada M. Byron", "ADA BYRÓN")) == ()
    assert doubtful_names(_her("Ada Byron", "Ada Byron", "Ada Lovelace", given=("Ada Lovelace",))) == ()


def test_papers_with_her_orcid_are_hers() -> None:
    assert doubtful_names(_her("Ada Byron", "Ada Byron", "Ada Lovelace", orcid=ADA)) == ()


def test_a_changed_name_is_no_doubt() -> None:
    assert doubtful_names(_her("Ada Byron", "Ada Byron", "Ada Lovelace", "Ada Lovelace")) == ()
