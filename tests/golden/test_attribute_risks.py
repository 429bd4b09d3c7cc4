"""Distinction and separation of 766 sets of attributes, as recorded for ARX 3.9.2."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from sfumato.engine.contract import Engine
from sfumato.engine.sources import CsvFile
from sfumato.table.count import count
from sfumato.table.risk.attributes import AttributeRisks
from sfumato.table.risk.subsets import SubsetRisks

pytestmark = pytest.mark.golden


@pytest.mark.parametrize(("dataset", "number"), [("adult", 511), ("fars_subset", 255)])
def test_every_set_of_attributes_separates_as_arx_says(
    shared: Path, duck: Engine, dataset: str, number: int
) -> None:
    with gzip.open(shared / "golden" / "attribute_risks.csv.gz", "rt", encoding="utf-8") as file:
        recorded = {
            frozenset(line["quasi_identifier"].split(",")): (
                float(line["distinction"]),
                float(line["separation"]),
            )
            for line in csv.DictReader(file, delimiter=";")
            if line["dataset"] == dataset
        }
    assert len(recorded) == number
    table = duck.read(CsvFile(shared / "data" / "table" / dataset / f"{dataset}.csv.gz"))
    cells = count(table, table.names).cells
    found = AttributeRisks.of(cells, len(table.names)).attributes
    assert {frozenset(r.columns): (r.distinction, r.separation) for r in found} == recorded
    profile = SubsetRisks.of(cells, len(table.names)).subsets
    assert {frozenset(r.columns): (r.distinction, r.separation) for r in profile} == recorded
