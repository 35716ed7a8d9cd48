"""What can be asked beyond Haystack's own inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from haystack.inputs import Clean


class BestMatch(Clean):
    """Words as a reader types them, ranked: ``SQ(content=BestMatch("spin glass", title="title"))``.

    What has all the words is counted and comes first, what has some of them follows. Other engines than the embedded
    one take it as ``Clean``: all the words. ``phrases`` are those of the words that shall stand together.
    """

    input_type_name = "best_match"

    def __init__(self, query_string: str, *, title: str = "", phrases: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(query_string, **kwargs)
        self.title = title
        self.phrases = tuple(phrases)
