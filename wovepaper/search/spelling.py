"""Did you mean: the nearest words that the index itself holds."""

from __future__ import annotations

from rapidfuzz import process
from rapidfuzz.distance import OSA

from wovepaper.search import analysis
from wovepaper.search.store import Snapshot

_MOST_WORDS = 12  # of a query; longer ones are no slips of a keyboard
_MOST_CANDIDATES = 200_000
_SHORT = 4  # letters: shorter words are near too many others


def suggestion(snapshot: Snapshot, text: str) -> str | None:
    """The text with each unknown word replaced by the nearest known one, or ``None`` where there is nothing to mend.

    Near is one edit for words up to four letters and two beyond (insertion, deletion, substitution, neighbours
    swapped), the first letter being right; among equally near words the most frequent wins.
    """
    document = snapshot.schema.get(None)
    if document is None:
        return None
    words = analysis.tokens(text[: _MOST_WORDS * analysis.LONGEST_TERM], analysis.EXACT)
    if not words or len(words) > _MOST_WORDS:
        return None
    mended = [_nearest(snapshot, document.exact, word) for word in words]
    return " ".join(mended) if mended != words else None


def _nearest(snapshot: Snapshot, field: str, word: str) -> str:
    if len(word) < 3 or word.isdigit() or snapshot.searcher.doc_freq(field, word):
        return word
    frequency = dict(snapshot.searcher.terms_with_prefix(field, word[0], limit=_MOST_CANDIDATES))
    distance = 1 if len(word) <= _SHORT else 2
    near = process.extract(word, frequency.keys(), scorer=OSA.distance, score_cutoff=distance, limit=None)
    if not near:
        return word
    return str(min(near, key=lambda match: (match[1], -frequency[match[0]], match[0]))[0])
