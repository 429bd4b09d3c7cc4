"""l, t, α, β, δ of twenty published tables, computed independently by others."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine
from sfumato.engine.sources import source_of
from sfumato.table.published import PublishedTable

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
FILE = SHARED / "golden" / "table-metrics.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())["cases"] if FILE.exists() else []
KMAPS = {0.01: 9, 0.05: 7}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    opened = open_engine("duckdb", threads=1)
    yield opened
    opened.close()


@pytest.mark.golden
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_published_tables_achieve_what_others_computed(case: dict[str, Any], engine: Engine) -> None:
    column, expected = case["sa"], case["independent"]
    table = PublishedTable(engine.read(source_of(SHARED / case["csv"])), tuple(case["qi"]), (column,))

    def achieved(model: Any) -> float:
        return float(model.measured(table)[column])

    assert achieved(sf.DistinctLDiversity(1)) == expected["l_distinct"]
    assert achieved(sf.AlphaKAnonymity(1, 1)) == pytest.approx(expected["alpha"], rel=1e-12)
    assert achieved(sf.EntropyLDiversity(1)) == pytest.approx(expected["l_entropy"], rel=1e-12)
    assert achieved(sf.TCloseness(1)) == pytest.approx(expected["t_equal"], rel=1e-12, abs=1e-15)
    ordered = sf.TCloseness(1, "ordered", alphabetical=not expected["sa_numeric"])
    assert achieved(ordered) == pytest.approx(expected["t_ordered"], rel=1e-12, abs=1e-15)
    assert achieved(sf.BasicBetaLikeness(1)) == pytest.approx(expected["basic_beta"], rel=1e-12, abs=1e-15)
    # The others measured in natural logarithms.
    in_bits = expected["delta_disclosure_ignoring_absent"] / math.log(2)
    assert achieved(sf.DeltaDisclosure(1)) == pytest.approx(in_bits, rel=1e-12, abs=1e-15)
    for level, c in expected["recursive_c_inf_by_l"].items():
        found = achieved(sf.RecursiveLDiversity(1, int(level)))
        assert found == (math.inf if c is None else pytest.approx(c, rel=1e-12))


@pytest.mark.golden
def test_an_entropy_that_is_exactly_a_whole_number_is_reported_as_one(engine: Engine) -> None:
    """Another library reports 2 and 1 where the definition gives exactly 3 and 2."""
    for name, whole in (("li_table2_salary", 3), ("StudentsMath_Score_k2", 2)):
        case = next(case for case in CASES if case["name"] == name)
        table = PublishedTable(engine.read(source_of(SHARED / case["csv"])), tuple(case["qi"]), (case["sa"],))
        verdict = sf.EntropyLDiversity(whole).check(table)
        assert verdict.holds
        assert verdict.achieved == f"l = {whole}"


@pytest.mark.parametrize("significance", KMAPS)
def test_estimated_k_map_asks_for_the_classes_that_a_peer_asks_for(significance: float) -> None:
    model = sf.KMap(
        10, "zero-truncated-poisson", population=100_000, sample=30_162, significance=significance
    )
    assert model.derived_k == KMAPS[significance]
