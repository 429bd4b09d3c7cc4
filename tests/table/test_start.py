"""When cells do not fit into memory, the search starts higher, and everything still holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.memory import in_bytes
from sfumato.table import start as start_module
from tests.oracles.k_anonymity import smallest_class
from tests.oracles.labels import covers


@pytest.fixture
def people() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    n = 3000
    return pd.DataFrame(
        {
            "age": rng.integers(0, 90, n),
            "zip": [f"{z:05d}" for z in rng.integers(0, 400, n)],
            "sex": rng.choice(["F", "M"], n),
            "row": [str(i) for i in range(n)],
        }
    )


def protect(people: pd.DataFrame, **options: Any) -> sf.Release:
    return sf.protect(
        people,
        quasi=["age", "zip", "sex"],
        sensitive="row",
        models=[sf.KAnonymity(3)],
        hierarchies={
            "age": {"intervals": {"widths": [5, 10, 20], "origin": 0}},
            "zip": {"mask": {}},
            "sex": "flat",
        },
        order="kept",
        **options,
    )


def test_a_table_that_does_not_fit_is_searched_from_the_lowest_levels_that_do(
    people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    roomy = protect(people, method=sf.OptimalLattice(suppress=0.05))
    monkeypatch.setattr(start_module, "BYTES_PER_CELL", 1 << 20)
    tight = protect(people, method=sf.OptimalLattice(suppress=0.05), memory="1.2GB")
    assert any("started above the values" in warning for warning in tight.evidence.warnings)
    assert not any("started above the values" in warning for warning in roomy.evidence.warnings)
    records = tight.data.to_dict("records")
    assert smallest_class(records, ["age", "zip", "sex"]) >= 3
    originals = people.set_index("row")
    for record in records:
        assert covers(record["age"], originals.loc[record["row"], "age"])
        assert originals.loc[record["row"], "zip"].startswith(record["zip"].rstrip("*"))
    # What was lost is counted from the values, not from where the search started.
    assert tight.utility["height"] == sum(tight.evidence.search.levels.values())
    if tight.evidence.search.levels == roomy.evidence.search.levels:
        assert tight.utility["precision"] == pytest.approx(roomy.utility["precision"])
    assert "entropy" not in tight.utility
    # The same risk before, and a score that is what the same levels cost from the bottom.
    assert tight.evidence.risk_before == roomy.evidence.risk_before
    assert tight.evidence.search.score >= roomy.evidence.search.score - 1e-12
    levels = tight.evidence.search.levels
    assert levels is not None
    assert roomy.evidence.search.levels is not None
    if levels == roomy.evidence.search.levels:
        assert tight.evidence.search.score == pytest.approx(roomy.evidence.search.score)
        pd.testing.assert_frame_equal(tight.data, roomy.data)
    shown = {c.name: c for c in tight.evidence.columns}
    assert shown["zip"].height == 5
    assert shown["age"].level == levels["age"]


def test_boxes_cannot_start_higher(people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_module, "BYTES_PER_CELL", 1 << 20)
    with pytest.raises(sf.BadInput, match="do not fit into memory; raise 'memory'"):
        protect(people, method=sf.Mondrian(), memory="1.2GB")


@pytest.mark.parametrize(
    ("text", "size"), [("65536KB", 64 << 20), ("2 gb", 2 << 30), ("1.5GiB", 3 << 29), ("100m", 100 << 20)]
)
def test_memory_limits_are_read(text: str, size: int) -> None:
    assert in_bytes(text) == size


@pytest.mark.parametrize("text", ["", "2", "GB", "-1GB", "two GB"])
def test_other_memory_limits_are_refused(text: str) -> None:
    with pytest.raises(sf.BadInput, match="not understood"):
        in_bytes(text)
