"""Places among the streams being sent: how many there are, and that each is given back exactly once."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from wovepaper.lib.limited_streams import HeldStream, LimitedStreams, TooManyStreams

PIECES = ("one", "two", "three")


def free_places(streams: LimitedStreams) -> int:
    """How many more could begin now; they are closed again."""
    begun = []
    try:
        while True:
            begun.append(streams.begin(()))
    except TooManyStreams:
        return len(begun)
    finally:
        for stream in begun:
            stream.close()


def failing() -> Iterator[str]:
    yield "one"
    raise OSError("the database went away")


def to_the_end(stream: HeldStream) -> None:
    assert list(stream) == list(PIECES)


def halfway(stream: HeldStream) -> None:
    assert next(stream) == "one"
    stream.close()
    assert list(stream) == []


def never_begun(stream: HeldStream) -> None:
    stream.close()
    assert list(stream) == []


@pytest.mark.parametrize("end", [to_the_end, halfway, never_begun])
def test_a_place_is_given_back_once_however_the_stream_ends(end: Callable[[HeldStream], None]) -> None:
    streams = LimitedStreams(2)
    other = streams.begin(PIECES)
    stream = streams.begin(piece for piece in PIECES)
    with pytest.raises(TooManyStreams):
        streams.begin(PIECES)
    end(stream)
    assert free_places(streams) == 1
    stream.close()
    stream.close()
    assert free_places(streams) == 1  # not the other's place
    other.close()
    assert free_places(streams) == 2


def test_a_place_is_given_back_at_an_error() -> None:
    streams = LimitedStreams(1)
    stream = streams.begin(failing())
    assert next(stream) == "one"
    assert free_places(streams) == 0
    with pytest.raises(OSError, match="went away"):
        next(stream)
    assert free_places(streams) == 1


def test_a_place_is_given_back_where_closing_the_pieces_fails() -> None:
    def stubborn() -> Iterator[str]:
        try:
            yield "one"
        finally:
            raise OSError("cannot close")

    streams = LimitedStreams(1)
    stream = streams.begin(stubborn())
    next(stream)
    with pytest.raises(OSError, match="cannot close"):
        stream.close()
    assert free_places(streams) == 1


@pytest.mark.parametrize("read", [0, 1])
def test_a_place_is_given_back_by_a_stream_that_is_forgotten(read: int) -> None:
    streams = LimitedStreams(1)
    stream = streams.begin(piece for piece in PIECES)
    for _ in range(read):
        next(stream)
    assert free_places(streams) == 0
    del stream
    gc.collect()
    assert free_places(streams) == 1


def test_closing_ends_the_pieces_within() -> None:
    ended = threading.Event()

    def pieces() -> Iterator[str]:
        try:
            yield from PIECES
        finally:
            ended.set()

    stream = LimitedStreams(1).begin(pieces())
    next(stream)
    stream.close()
    assert ended.is_set()


def test_of_many_that_begin_together_only_so_many_do() -> None:
    streams = LimitedStreams(2)
    for _ in range(50):
        barrier = threading.Barrier(8)

        def begin(barrier: threading.Barrier = barrier) -> HeldStream | None:
            barrier.wait(30)
            try:
                return streams.begin(PIECES)
            except TooManyStreams:
                return None

        with ThreadPoolExecutor(8) as pool:
            begun = [stream for stream in pool.map(lambda _: begin(), range(8)) if stream is not None]
        assert len(begun) == 2
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(to_the_end, begun))
        assert free_places(streams) == 2
