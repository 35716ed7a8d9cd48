"""Short forms of given names that people sign with, for English and a few other languages."""

from __future__ import annotations

from collections import defaultdict

_TABLE = """
alan al; albert al bert; alexander alex sasha; alexandra alex sasha; andrew andy drew; anthony tony; antonio tony;
arthur art; barbara barb; benjamin ben; catherine cathy kate; charles charlie chuck; christine chris;
christopher chris; daniel dan danny; david dave; deborah debbie; donald don; douglas doug; edward ed eddie ted;
elizabeth liz beth betsy; eugene gene; francis frank; francisco paco fran; frederick fred; gerald gerry jerry;
gregory greg; harold hal harry; henry hank harry; inmaculada inma; james jim jimmy jamie; jeffrey jeff;
jennifer jen jenny; jessica jess; john jack johnny; jonathan jon; jose pepe; joseph joe; joshua josh;
katherine kathy kate katie; kathleen kathy; kenneth ken; lawrence larry; leonard len; manuel manolo;
margaret maggie meg peggy; martin marty; matthew matt; maximilian max; michael mike mick; mitchell mitch;
nathaniel nate nathan; nicholas nick; patricia pat patty; patrick pat; peter pete; philip phil; phillip phil;
raymond ray; rebecca becky; richard rick dick rich; robert bob rob bobby; ronald ron; samuel sam; sebastian seb;
stephen steve; steven steve; stuart stu; susan sue; thomas tom; timothy tim; victoria vicky; vincent vince;
walter walt; william bill will billy willie; zachary zach
"""


def _forms() -> dict[str, frozenset[str]]:
    forms: defaultdict[str, set[str]] = defaultdict(set)
    for entry in _TABLE.replace("\n", " ").split(";"):
        full, *short = entry.split()
        for form in short:
            forms[full].add(form)
            forms[form].add(full)
    return {name: frozenset(others) for name, others in forms.items()}


_FORMS = _forms()


def are_forms_of_one_name(first: str, second: str) -> bool:
    """Whether one is a usual short form of the other. Both lower case, without accents."""
    return second in _FORMS.get(first, frozenset())


def forms_of(name: str) -> frozenset[str]:
    """The short forms of a full name, or the full names of a short form."""
    return _FORMS.get(name, frozenset())
