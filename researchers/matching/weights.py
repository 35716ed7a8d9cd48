"""What evidence weighs: learnt from labelled pairs, kept in a small file with its provenance."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

DEFAULT = Path(__file__).with_name("weights.json")


@dataclass(frozen=True)
class Weights:
    """Log-odds per unit of each feature, and the thresholds of decisions.

    ``pairs`` weigh two authorships of one name, ``groups`` two groups of authorships of one name, ``variants`` two
    whose names differ; each has a ``bias``. A file without ``groups`` joins authorships by their pairs alone.
    ``decide`` holds thresholds: ``attach``, ``attach_group``, ``attach_variant`` and ``list`` are probabilities,
    ``rare`` and ``rare_initial`` expected namesakes, ``nearest`` the share of the nearest pairs in a link.
    ``calibration`` turns a link of authorships into the log-odds of that probability.
    """

    version: str
    provenance: Mapping[str, Any]
    pairs: Mapping[str, float]
    variants: Mapping[str, float]
    decide: Mapping[str, float]
    calibration: Mapping[str, float]
    groups: Mapping[str, float] = field(default_factory=dict)

    def probability_of(self, link: float) -> float:
        """The probability that authorships linked by these log-odds are one person's."""
        return 1 / (1 + math.exp(-(self.calibration["slope"] * link + self.calibration["offset"])))

    def score_of(self, probability: float) -> float:
        """The link of a probability: the inverse of ``probability_of``."""
        return (math.log(probability / (1 - probability)) - self.calibration["offset"]) / self.calibration["slope"]

    def to_json(self) -> str:
        """The content of a weights file."""
        content = {
            "version": self.version,
            "provenance": dict(self.provenance),
            "pairs": dict(self.pairs),
            "variants": dict(self.variants),
            "decide": dict(self.decide),
            "calibration": dict(self.calibration),
            "groups": dict(self.groups),
        }
        return json.dumps(content, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Weights:
        """Read a weights file. Raises ``ValueError`` that says what is wrong with it."""
        try:
            content = json.loads(text)
            needed = [one.name for one in fields(cls) if one.default_factory is MISSING or one.name in content]
            return cls(**{name: content[name] for name in needed})
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"No file of weights ({error}); make it anew with the training command.") from error


@lru_cache(maxsize=1)
def default_weights() -> Weights:
    """The weights that come with the project."""
    return Weights.from_json(DEFAULT.read_text(encoding="utf-8"))
