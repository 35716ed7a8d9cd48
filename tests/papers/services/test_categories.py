from __future__ import annotations

import pytest
from django.core.management import call_command

from papers.models import Category
from papers.services.categories import load_categories
from papers.sources.arxiv import taxonomy

pytestmark = pytest.mark.django_db

ALIASES = {
    "math.MP": "math-ph",
    "math.IT": "cs.IT",
    "stat.TH": "math.ST",
    "cs.NA": "math.NA",
    "cs.SY": "eess.SY",
    "q-fin.EC": "econ.GN",
}
CLOSED = {
    "acc-phys": "physics.acc-ph",
    "adap-org": "nlin.AO",
    "alg-geom": "math.AG",
    "ao-sci": "physics.ao-ph",
    "atom-ph": "physics.atom-ph",
    "bayes-an": "physics.data-an",
    "chao-dyn": "nlin.CD",
    "chem-ph": "physics.chem-ph",
    "cmp-lg": "cs.CL",
    "comp-gas": "nlin.CG",
    "dg-ga": "math.DG",
    "funct-an": "math.FA",
    "mtrl-th": "cond-mat.mtrl-sci",
    "patt-sol": "nlin.PS",
    "plasm-ph": "physics.plasm-ph",
    "q-alg": "math.QA",
    "solv-int": "nlin.SI",
    "supr-con": "cond-mat.supr-con",
}


def test_a_migrated_database_has_the_taxonomy() -> None:
    assert set(Category.objects.values_list("code", flat=True)) == set(taxonomy.load())


def test_loading_again_writes_nothing(django_assert_num_queries: pytest.FixtureRequest) -> None:
    with django_assert_num_queries(3):  # type: ignore[operator]  # savepoint, read, release
        assert load_categories() == 0


def test_what_was_changed_is_put_right_and_what_is_unknown_stays() -> None:
    Category.objects.filter(code="cs.CL").update(name="Wrong", is_active=False)
    Category.objects.filter(code="cs.NA").update(canonical=None)
    Category.objects.filter(code="hep-th").delete()
    Category.objects.create(code="xyz.AB", name="xyz.AB", archive="xyz", group="grp_unknown")

    assert load_categories() == 3

    restored = Category.objects.get(code="cs.CL")
    assert (restored.name, restored.is_active) == ("Computation and Language", True)
    assert Category.objects.get(code="cs.NA").canonical_id == "math.NA"
    assert Category.objects.filter(code__in=["hep-th", "xyz.AB"]).count() == 2


def test_the_migration_signal_keeps_the_taxonomy() -> None:
    Category.objects.filter(code="hep-th").delete()

    call_command("migrate", "papers", verbosity=0)

    assert Category.objects.filter(code="hep-th").exists()


def test_aliases_and_closed_archives_point_at_what_stands_for_them() -> None:
    facts = taxonomy.load()

    assert {code: facts[code].canonical for code in ALIASES | CLOSED} == ALIASES | CLOSED
    assert all(facts[code].active for code in ALIASES)
    assert not any(facts[code].active for code in [*CLOSED, "q-bio", "cond-mat", "astro-ph"])


def test_the_taxonomy_is_whole_and_consistent() -> None:
    facts = taxonomy.load()

    assert len(facts) == 177
    assert sum(fact.active for fact in facts.values()) == 155
    assert facts["cs.LG"].name == "Machine Learning"
    assert (facts["hep-th"].archive, facts["hep-th"].group, facts["hep-th"].group_name) == (
        "hep-th",
        "grp_physics",
        "Physics",
    )
    for code, fact in facts.items():
        assert fact.code == code
        assert code.partition(".")[0] == fact.archive
        assert len(code) <= 32
        assert fact.name
        assert fact.archive_name
        assert fact.group.startswith("grp_")
        assert fact.canonical == "" or (facts[fact.canonical].active and facts[fact.canonical].canonical == "")
    assert len({(fact.archive, fact.archive_name, fact.group, fact.group_name) for fact in facts.values()}) == len(
        {fact.archive for fact in facts.values()}
    )
