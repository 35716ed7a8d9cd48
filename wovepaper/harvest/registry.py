"""The sources this installation can harvest; each app registers its own when it is ready."""

from __future__ import annotations

from dataclasses import dataclass

from wovepaper.harvest.contracts import Holdings, Sink, Source, Subjects


class UnknownSource(LookupError):
    """No source of that name is registered."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A source and where its records go."""

    source: Source
    sink: Sink
    replay_sink: Sink
    """Takes records that were parsed again: for it a record may mean more now, though it says the same."""
    subjects: Subjects | None = None
    """What a source that offers look-ups is asked about; ``None`` for nothing."""
    holdings: Holdings | None = None
    """What is here of a source, to be compared with its lists; ``None`` where that is not done."""


_registrations: dict[str, Registration] = {}


def register(
    source: Source,
    *,
    sink: Sink,
    replay_sink: Sink | None = None,
    subjects: Subjects | None = None,
    holdings: Holdings | None = None,
) -> None:
    """Add a source. Replayed records go to the same sink unless another is named.

    Raises ``ValueError`` when the source's name is taken by another.
    """
    known = _registrations.get(source.name)
    if known is not None and known.source is not source:
        raise ValueError(f"Two sources call themselves {source.name!r}.")
    _registrations[source.name] = Registration(source, sink, replay_sink or sink, subjects, holdings)


def forget(name: str) -> None:
    """Undo ``register``; an unknown name is ignored."""
    _registrations.pop(name, None)


def get(name: str) -> Registration:
    """The registration of ``name``. Raises ``UnknownSource``."""
    try:
        return _registrations[name]
    except KeyError:
        raise UnknownSource(f"There is no source {name!r}; known: {', '.join(names())}.") from None


def names() -> list[str]:
    """All registered names, sorted."""
    return sorted(_registrations)
