"""The fields of the demo catalogue: real category codes, their shares, and where their papers are cross-listed."""

from __future__ import annotations

from dataclasses import dataclass

from wovepaper.demo.words import (
    ALGEBRA,
    ALGORITHMS,
    ANALYSIS,
    COSMOS,
    FLOWS,
    LEARNING,
    LIFE,
    MATTER,
    PARTICLES,
    QUANTUM,
    SIGNALS,
    SOCIETY,
    Vocabulary,
)


@dataclass(frozen=True, slots=True)
class Field:
    """One primary category: its share of the papers, its vocabulary, and where its papers are cross-listed."""

    code: str
    weight: float
    vocabulary: Vocabulary
    cross_lists: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    """Listed with every paper, as arXiv does with the second code of a category."""
    team: float = 3.4
    """Mean number of authors."""
    old_style: bool = False
    """The archive also has papers with identifiers of the form used before April 2007."""
    collaborations: bool = False


FIELDS: tuple[Field, ...] = (
    Field("cs.LG", 11, LEARNING, ("stat.ML", "cs.AI", "cs.CL", "math.OC", "cs.CV"), team=4.2),
    Field("cs.CV", 9, LEARNING, ("cs.LG", "cs.AI", "eess.IV", "cs.RO"), team=4.8),
    Field("cs.CL", 8, LEARNING, ("cs.AI", "cs.LG", "cs.IR"), team=4.4),
    Field("cs.AI", 4, LEARNING, ("cs.LG", "cs.CL", "cs.MA"), team=3.9),
    Field("stat.ML", 2, LEARNING, ("cs.LG", "stat.ME", "math.ST"), team=3.2),
    Field("cs.DS", 2.5, ALGORITHMS, ("cs.CC", "cs.DM", "math.CO"), team=3.1),
    Field("cs.CR", 3, ALGORITHMS, ("cs.DC", "cs.NI", "cs.SE"), team=3.8),
    Field("cs.DC", 2, ALGORITHMS, ("cs.PF", "cs.NI", "cs.DB"), team=4.0),
    Field("cs.SE", 2, ALGORITHMS, ("cs.PL", "cs.LO"), team=3.7),
    Field("cs.IT", 2, SIGNALS, ("eess.SP", "cs.NI"), aliases=("math.IT",), team=3.2),
    Field("math.AG", 3, ALGEBRA, ("math.NT", "math.RT", "math.CT"), team=1.8),
    Field("math.NT", 3, ALGEBRA, ("math.AG", "math.CO", "math.RT"), team=1.8),
    Field("math.CO", 3.5, ALGEBRA, ("cs.DM", "math.PR", "math.NT"), team=2.4),
    Field("math.RT", 1.5, ALGEBRA, ("math.QA", "math.RA", "math.AG"), team=1.9),
    Field("math.PR", 3, ANALYSIS, ("math-ph", "math.ST", "math.AP"), team=2.2),
    Field("math.AP", 3.5, ANALYSIS, ("math.DG", "math-ph", "math.FA"), team=2.3),
    Field("math-ph", 1.5, ANALYSIS, ("hep-th", "math.AP", "nlin.SI"), aliases=("math.MP",), team=2.2),
    Field("hep-th", 3.5, PARTICLES, ("gr-qc", "math-ph", "hep-ph"), team=2.6, old_style=True),
    Field("hep-ph", 4, PARTICLES, ("hep-ex", "hep-th", "nucl-th", "astro-ph.CO"), team=3.2),
    Field("hep-ex", 1.5, PARTICLES, ("hep-ph", "physics.ins-det"), team=9, collaborations=True),
    Field("gr-qc", 2.5, PARTICLES, ("hep-th", "astro-ph.CO", "astro-ph.HE"), team=2.8, old_style=True),
    Field("nucl-th", 1, PARTICLES, ("nucl-ex", "hep-ph"), team=3.2, old_style=True),
    Field("astro-ph.GA", 4, COSMOS, ("astro-ph.CO", "astro-ph.SR"), team=7, collaborations=True),
    Field("astro-ph.HE", 3, COSMOS, ("gr-qc", "astro-ph.IM", "hep-ph"), team=7, collaborations=True),
    Field("astro-ph.EP", 1.5, COSMOS, ("astro-ph.SR", "astro-ph.IM"), team=6),
    Field("cond-mat.str-el", 3, MATTER, ("cond-mat.supr-con", "quant-ph", "cond-mat.mtrl-sci"), team=4.6),
    Field("cond-mat.mtrl-sci", 4, MATTER, ("physics.comp-ph", "cond-mat.mes-hall", "physics.app-ph"), team=5.4),
    Field("cond-mat.soft", 1.5, MATTER, ("cond-mat.stat-mech", "physics.flu-dyn"), team=3.9),
    Field(
        "quant-ph", 6, QUANTUM, ("cond-mat.mes-hall", "physics.optics", "math-ph", "cs.CC"), team=3.9, old_style=True
    ),
    Field("physics.optics", 2.5, QUANTUM, ("quant-ph", "physics.app-ph"), team=5.4),
    Field("physics.flu-dyn", 2, FLOWS, ("physics.comp-ph", "nlin.CD", "physics.ao-ph"), team=3.2),
    Field("nlin.CD", 0.8, FLOWS, ("physics.data-an", "math.DS"), team=2.8),
    Field("q-bio.PE", 1.2, LIFE, ("physics.soc-ph", "math.DS", "q-bio.QM"), team=3.9),
    Field("q-bio.NC", 1, LIFE, ("cs.NE", "cond-mat.dis-nn"), team=3.6),
    Field("stat.ME", 2.2, SOCIETY, ("math.ST", "stat.AP", "stat.CO"), aliases=(), team=3.0),
    Field("econ.EM", 0.8, SOCIETY, ("stat.ME", "econ.GN"), team=2.5),
    Field("q-fin.RM", 0.6, SOCIETY, ("q-fin.MF", "q-fin.ST", "stat.AP"), team=2.5),
    Field("eess.SP", 2.2, SIGNALS, ("cs.IT", "eess.SY", "cs.LG"), team=4.3),
    Field("eess.AS", 1, SIGNALS, ("cs.SD", "cs.CL"), aliases=("cs.SD",), team=4.2),
    Field("eess.SY", 1.2, SIGNALS, ("math.OC", "cs.RO"), aliases=("cs.SY",), team=3.6),
)

FIELD_WEIGHTS: tuple[float, ...] = tuple(sum(field.weight for field in FIELDS[: n + 1]) for n in range(len(FIELDS)))

GROUPED_ARCHIVES = {"cs", "math", "stat", "eess", "econ", "q-bio", "q-fin"}
"""Archives that are a group of their own; the others belong to the group physics."""


def set_spec(code: str) -> str:
    """The OAI-PMH set of a category as arXiv's server names it: group, archive and category, without repetition."""
    archive, _, subject = code.partition(".")
    if archive in GROUPED_ARCHIVES:
        return f"{archive}:{archive}:{subject}"
    if archive == "math-ph":
        return "physics:math-ph"
    return f"physics:{archive}:{subject}" if subject else f"physics:{archive}"
