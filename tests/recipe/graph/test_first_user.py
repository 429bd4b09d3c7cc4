"""What somebody found who released networks for the first time, and then took the releases apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.recipe.dna.rows_examples import edit_json, refuted
from tests.recipe.graph.network_examples import csv, forge, released

TELL_THE_SAME = "files, schema, evidence and recipe tell of the same release"


def larger(evidence: Any) -> None:
    evidence["data"]["bytes"] += 1


def without_its_parameters(evidence: Any) -> None:
    evidence["recipe"]["method"] = {evidence["method"]: {}}


def with_parameters_as_text(evidence: Any) -> None:
    (parameters,) = evidence["recipe"]["method"].values()
    parameters["seed"] = str(parameters["seed"])


@pytest.mark.parametrize("promise", ["k-degree: {k: 3}", "k-grouping: {k: 3}"])
@pytest.mark.parametrize(
    ("change", "claim"),
    [
        (larger, "the data are those that were released"),
        (without_its_parameters, TELL_THE_SAME),
        (with_parameters_as_text, TELL_THE_SAME),
    ],
)
def test_evidence_of_another_size_or_of_another_method_is_refuted(
    tmp_path: Path, promise: str, change: Callable[[Any], None], claim: str
) -> None:
    release = released(tmp_path, csv(tmp_path), models=promise).release
    # The report is written anew and fingerprints are left alone, which would put the size right again.
    forge(release)
    assert refuted(release) == ""
    edit_json(release / "evidence.json", change)
    assert claim in refuted(release)


@pytest.mark.parametrize("format_", ["csv", "parquet"])
def test_the_order_of_links_cannot_carry_a_message(tmp_path: Path, format_: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    release = released(
        tmp_path, csv(tmp_path), models="k-grouping: {k: 3}", more=f"output: {{format: {format_}}}\n"
    ).release
    path = release / f"links.{format_}"
    if format_ == "csv":
        head, *rows = path.read_text().splitlines(keepends=True)
        path.write_text("".join([head, *rows[::-1]]))
    else:
        table = pq.read_table(path)
        pq.write_table(table.take(pa.array(range(table.num_rows)[::-1])), path)
    forge(release)
    assert refuted(release) == "the files hold the network and nothing else"
