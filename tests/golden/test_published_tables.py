"""k, class sizes and risk of twenty published tables, counted independently by others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
FILE = SHARED / "golden" / "table-metrics.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())["cases"] if FILE.exists() else []


@pytest.mark.golden
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_published_tables_have_the_k_and_the_risk_that_others_counted(case: dict[str, Any]) -> None:
    path, expected = SHARED / case["csv"], case["independent"]
    verdict = sf.check(path, quasi=case["qi"], models=sf.KAnonymity(expected["k"]))[0]
    assert verdict.holds
    assert verdict.achieved == f"k = {expected['k']}"
    assert not sf.check(path, quasi=case["qi"], models=sf.KAnonymity(expected["k"] + 1))[0].holds
    risk = sf.risk(path, quasi=case["qi"])
    assert risk.records == case["rows"]
    assert risk.classes.number == expected["classes"]
    assert risk.classes.largest == expected["max_class"]
    assert risk.uniques == expected["unique_records"]
    assert risk.highest_risk == pytest.approx(expected["lambda_prosecutor_max"], rel=1e-12)
    assert risk.average_risk == pytest.approx(expected["prosecutor_avg_records"], rel=1e-12)
