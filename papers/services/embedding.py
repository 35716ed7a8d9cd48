"""Keeps a vector of every paper's title and abstract, by the encoder in use."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator

import numpy as np
from django.db import connection, transaction
from pgvector import HalfVector
from psycopg import sql

from papers.models import Paper
from wovepaper.lib.markup import plain
from wovepaper.search.meaning.encoders import Encoder, current_encoder

BATCH = 500
_READ = """
SELECT p.id, p.title, p.abstract, v.text_hash, v.encoder FROM papers_paper p
LEFT JOIN papers_papervector v ON v.paper_id = p.id
WHERE p.id = ANY(%s) AND p.redirect_to_id IS NULL ORDER BY p.id
"""
_WRITE = """
INSERT INTO papers_papervector (paper_id, encoder, text_hash, embedding)
SELECT p.id, %s, given.text_hash, given.embedding::halfvec
FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS given(id, text_hash, embedding)
JOIN papers_paper p ON p.id = given.id
ON CONFLICT (paper_id) DO UPDATE
SET encoder = excluded.encoder, text_hash = excluded.text_hash, embedding = excluded.embedding
"""
_MISSING = """
SELECT p.id FROM papers_paper p WHERE p.id > %s AND p.redirect_to_id IS NULL
AND NOT EXISTS (SELECT FROM papers_papervector v WHERE v.paper_id = p.id AND v.encoder = %s)
ORDER BY p.id LIMIT %s
"""
_NEIGHBOURS = "paper_vector_neighbours"
_ANN_LIMIT = 4_000
"""Dimensions up to which pgvector indexes half-precision vectors."""


def text_of(title: str, abstract: str) -> str:
    """What of a paper is encoded, with formulas as a reader would type them."""
    return f"{_readable(title)}\n{_readable(abstract)}"


def _readable(text: str) -> str:
    return plain(text) if "$" in text or "\\" in text or "<" in text else text


def embed_papers(ids: Collection[int], encoder: Encoder | None = None) -> int:
    """Make the vectors of these papers that are missing, of another text or by another encoder; returns how many.

    Raises ``EncoderUnavailable``.
    """
    encoder = encoder or current_encoder()
    with connection.cursor() as cursor:
        cursor.execute(_READ, [list(ids)])
        rows = cursor.fetchall()
    wanted: list[tuple[int, str, str]] = []
    for paper_id, title, abstract, known, by in rows:
        text = text_of(title, abstract)
        # md5 tells texts apart; nobody gains by making two alike.
        text_hash = hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
        if (known, by) != (text_hash, encoder.version):
            wanted.append((paper_id, text_hash, text))
    if not wanted:
        return 0
    vectors = encoder.encode([text for _, _, text in wanted])
    texts = [HalfVector(vector.astype(np.float16)).to_text() for vector in vectors]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            _WRITE,
            [encoder.version, [one for one, _, _ in wanted], [one for _, one, _ in wanted], texts],
        )
    return len(wanted)


def embed_missing(*, limit: int | None = None, on_batch: Callable[[int], None] = lambda done: None) -> int:
    """Make the vectors of all papers that have none by the encoder in use, in the order of the keys; returns how many.

    Can be stopped at any moment; the next call goes on. Raises ``EncoderUnavailable``.
    """
    encoder = current_encoder()
    done = 0
    for ids in _missing(encoder.version):
        if limit is not None and done >= limit:
            break
        embed_papers(ids, encoder)
        done += len(ids)
        on_batch(len(ids))
    return done


def _missing(version: str) -> Iterator[list[int]]:
    last = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_MISSING, [last, version, BATCH])
            ids = [row[0] for row in cursor.fetchall()]
        if not ids:
            return
        yield ids
        last = ids[-1]


def count_missing() -> int:
    """How many papers have no vector by the encoder in use."""
    return Paper.objects.visible().exclude(vector__encoder=current_encoder().version).count()


def keep_neighbours_together() -> None:
    """Let the database find the nearest of all vectors without looking at each (HNSW), for the encoder in use.

    Built once, when there is an encoder worth it: each vector written afterwards takes a few milliseconds more.
    """
    encoder = current_encoder()
    dimensions = encoder.dimensions
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(_NEIGHBOURS)))
        if dimensions <= _ANN_LIMIT:
            cursor.execute("SET maintenance_work_mem = '512MB'")
            cursor.execute(
                sql.SQL(
                    "CREATE INDEX {name} ON papers_papervector USING hnsw ((embedding::halfvec({size})) halfvec_ip_ops)"
                    " WHERE vector_dims(embedding) = {size}"
                ).format(name=sql.Identifier(_NEIGHBOURS), size=sql.Literal(dimensions))
            )
            cursor.execute("RESET maintenance_work_mem")
