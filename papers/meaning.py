"""How near papers are in meaning to a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from django.db import connection, transaction
from pgvector import HalfVector
from psycopg import sql

from wovepaper.search.meaning.encoders import Encoder
from wovepaper.search.ranking import Nearness

NEAREST = 200
"""Papers that are looked at where meaning alone decides."""


def nearness_to(text: str, encoder: Encoder) -> Nearness:
    """Tells how near papers, by their numbers, are to a text: between -1 and 1, ``None`` for one without a vector.

    Raises ``EncoderUnavailable``.
    """
    vector = _encoded(text, encoder)

    def nearness(keys: Sequence[str]) -> list[float | None]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT paper_id, -(embedding <#> %s::halfvec) FROM papers_papervector"
                " WHERE paper_id = ANY(%s) AND encoder = %s",
                [vector, [int(key) for key in keys], encoder.version],
            )
            found = {str(paper_id): float(near) for paper_id, near in cursor.fetchall()}
        return [found.get(key) for key in keys]

    return nearness


def nearest_papers(text: str, encoder: Encoder, *, limit: int = NEAREST) -> list[tuple[int, float]]:
    """The papers nearest to a text, the nearest first, each with how near it is. Raises ``EncoderUnavailable``."""
    vector = _encoded(text, encoder)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('hnsw.ef_search', %s, true)", [str(min(1_000, max(40, 2 * limit)))])
        cursor.execute(
            sql.SQL(
                "SELECT paper_id, -(embedding::halfvec({size}) <#> %(sought)s::halfvec({size}))"
                " FROM papers_papervector WHERE vector_dims(embedding) = {size} AND encoder = %(encoder)s"
                " ORDER BY embedding::halfvec({size}) <#> %(sought)s::halfvec({size}) LIMIT %(limit)s"
            ).format(size=sql.Literal(encoder.dimensions)),
            {"sought": vector, "encoder": encoder.version, "limit": limit},
        )
        return [(int(paper_id), float(near)) for paper_id, near in cursor.fetchall()]


def _encoded(text: str, encoder: Encoder) -> str:
    (vector,) = encoder.encode([text])
    return str(HalfVector(vector.astype(np.float16)).to_text())
