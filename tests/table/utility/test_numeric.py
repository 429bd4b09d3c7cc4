"""Numeric data: distances, moments, and the figures of another implementation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput
from sfumato.table.utility.numeric import (
    Moments,
    distance_of_correlations,
    distance_of_covariances,
    distance_of_eigenvalues,
    distance_of_means,
    standardised_distance,
)
from sfumato.table.utility.records import Records
from tests.oracles.mdav import microaggregated

PLANE = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0], [4.0, 4.0]])


def test_nothing_changed_means_no_distance() -> None:
    for distance in (
        standardised_distance,
        distance_of_means,
        distance_of_covariances,
        distance_of_correlations,
        distance_of_eigenvalues,
    ):
        assert distance(PLANE, PLANE) == 0


def test_a_shift_moves_means_and_values_but_no_covariance() -> None:
    moved = PLANE + np.array([0.0, 1.0])
    spread = PLANE.std(0, ddof=1)
    assert distance_of_means(PLANE, moved) == pytest.approx(1 / spread[1] / 2)
    assert standardised_distance(PLANE, moved) == pytest.approx(4 / (np.sqrt(2) * spread[1]))
    assert distance_of_covariances(PLANE, moved) == pytest.approx(0)
    assert distance_of_eigenvalues(PLANE, moved) == pytest.approx(0)


def test_a_turned_column_turns_its_correlation() -> None:
    turned = PLANE * np.array([1.0, -1.0])
    r = np.corrcoef(PLANE.T)[0, 1]
    assert distance_of_correlations(PLANE, turned) == pytest.approx(2 * r)
    assert distance_of_covariances(PLANE, turned) == pytest.approx(2 * r / 3)
    assert distance_of_eigenvalues(PLANE, turned) == pytest.approx(0)


def test_a_single_or_constant_column_does_no_harm() -> None:
    line = PLANE[:, :1]
    assert distance_of_correlations(line, line + 1) == 0
    constant = np.ones((4, 2))
    assert distance_of_eigenvalues(constant, constant) == 0
    assert distance_of_means(constant, constant + 1) == 1


def test_labels_enter_by_their_middle_and_missing_numbers_stay_out() -> None:
    original = pa.table({"age": [20, 22, 24, None], "word": list("abcd")})
    released = pa.table({"age": ["20-24", "20-24", "24", None], "word": list("abcd")})
    found = Moments().measure(Records(original, released, rows=np.arange(4)))
    assert found.details["means"] == pytest.approx((22 + 2 / 3 - 22) / 2)
    assert found.details["il1s"] == pytest.approx(2 / (np.sqrt(2) * 2))
    assert "il1s" not in Moments().measure(Records(original, released)).details


def test_columns_that_are_no_numbers_are_refused() -> None:
    words = pa.table({"word": list("abcd")})
    with pytest.raises(BadInput, match="no column holds numbers"):
        Moments().measure(Records(words, words))
    with pytest.raises(BadInput, match="column 'word': its values are no numbers"):
        Moments(columns=("word",)).measure(Records(words, words))


@pytest.mark.golden
def test_il1s_and_eigenvalues_of_microaggregated_test_data_are_those_of_sdcmicro(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "table-sdcmicro.json").read_text())["cases"]
    case = golden["dUtility_mdav3_testdata"]
    data = pd.read_csv(shared / "data" / "table" / "sdcmicro" / "testdata.csv")
    numbers = data[case["params"]["variables"]].to_numpy(np.float64)
    masked = microaggregated(numbers, case["params"]["aggr"])
    assert standardised_distance(numbers, masked) == pytest.approx(case["value"]["IL1s"], rel=1e-9)
    assert distance_of_eigenvalues(numbers, masked) == pytest.approx(case["value"]["eigen"], rel=1e-6)
