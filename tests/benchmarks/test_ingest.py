"""Taking records in, against the least a database can do."""

from __future__ import annotations

import statistics

import pytest

from tests.benchmarks.building import Build
from tests.benchmarks.conftest import Record
from tests.benchmarks.measure import compare, ratio_of_sums

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]
GROUP = "Ingest"


def test_new_records_against_copy(catalogue: Build, record: Record) -> None:
    swapped = [(copy, ingest) for ingest, copy in catalogue.ingest_and_copy]
    ingest_total = sum(ingest for ingest, _ in catalogue.ingest_and_copy)
    copy_total = sum(copy for _, copy in catalogue.ingest_and_copy)
    record(
        compare(
            GROUP,
            "rows/s of ingest over rows/s of COPY",
            swapped,
            limit=0.25,
            direction="at least",
            statistic=ratio_of_sums,
            note=(
                "Parsed records of 400 papers in two formats per transaction through the sink, against COPY of exactly "
                "the rows it wrote, from memory, into copies of the same tables with the same indexes and constraints."
            ),
            rows=sum(catalogue.rows),
            rows_per_second=round(sum(catalogue.rows) / ingest_total),
            copy_rows_per_second=round(sum(catalogue.rows) / copy_total),
            records_per_second=round(sum(catalogue.records) / ingest_total),
        )
    )
    with_parsing = [
        (copy, reading + ingest)
        for (_, copy), (reading, ingest) in zip(catalogue.ingest_and_copy, catalogue.reading_and_ingest, strict=True)
    ]
    record(
        compare(
            GROUP,
            "the same with reading and parsing the XML",
            with_parsing,
            limit=None,
            statistic=ratio_of_sums,
            records_per_second=round(sum(catalogue.records) / sum(total for _, total in with_parsing)),
        )
    )


def test_unchanged_harvest_against_first(catalogue: Build, record: Record) -> None:
    record(
        compare(
            GROUP,
            "time of an unchanged harvest over time of the first",
            catalogue.unchanged_and_first,
            limit=0.5,
            statistic=ratio_of_sums,
            note="The same OAI-PMH files twice through the whole harvest: reading, parsing, raw pages, sink.",
            records_per_second_first=round(
                catalogue.harvest_records / sum(first for _, first in catalogue.unchanged_and_first)
            ),
            records_per_second_unchanged=round(
                catalogue.harvest_records / sum(second for second, _ in catalogue.unchanged_and_first)
            ),
        )
    )
    assert all(seen == unchanged for seen, unchanged in catalogue.unchanged_counts), catalogue.unchanged_counts


def test_an_unchanged_harvest_writes_no_row(catalogue: Build) -> None:
    assert catalogue.unchanged_and_first
    assert catalogue.writes_by_unchanged == {}


def test_the_cost_of_a_row_does_not_grow(catalogue: Build, record: Record) -> None:
    per_row = [ingest / rows for (ingest, _), rows in zip(catalogue.ingest_and_copy, catalogue.rows, strict=True)]
    half = len(per_row) // 2
    pairs = list(zip(per_row[half : 2 * half], per_row[:half], strict=True))
    record(
        compare(
            "Growth",
            "ingest of a new row, second half of the build over first half",
            pairs,
            limit=None,
            note="Not by turns: the catalogue grows meanwhile.",
            first_microseconds=round(statistics.median(per_row[:half]) * 1e6, 1),
        )
    )
