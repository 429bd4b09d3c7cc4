"""What analysts estimate from randomised data."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.perturbation.estimator import (
    estimate_counts,
    inverse_of,
    mechanism_as_text,
    mechanism_from_text,
)
from sfumato.table.perturbation.randomisation import MatrixRandomisation, RetentionReplacement
from tests.oracles.randomisation import exact_inverse

ILLS = ("flu", "HIV", "cancer")
MATRIX = ((0.6, 0.3, 0.1), (0.2, 0.7, 0.1), (0.25, 0.25, 0.5))


def own(column: str = "ill") -> Mechanism:
    step = MatrixRandomisation(column, ILLS, MATRIX)
    return step.apply(pa.table({column: ["flu"]}), SeededRandom(1)).mechanisms[0]


def test_the_inverse_is_that_of_exact_elimination() -> None:
    for mechanism in (own(), RetentionReplacement("ill", ILLS, rho1=0.1, rho2=0.5).mechanism(ILLS)):
        expected = np.array([[float(x) for x in row] for row in exact_inverse(mechanism.matrix)])
        np.testing.assert_allclose(inverse_of(mechanism), expected, rtol=1e-12, atol=1e-12)


def test_the_estimator_of_retention_is_the_one_of_the_paper() -> None:
    """ĉ_v = (o_v − n(1 − p)/m) / p."""
    step = RetentionReplacement("ill", ILLS, keep=0.4)
    data = pa.table({"ill": ["flu"] * 50 + ["HIV"] * 30 + ["cancer"] * 20})
    estimated = estimate_counts(data, step.mechanism(ILLS))
    expected = (np.array([50, 30, 20]) - 100 * 0.6 / 3) / 0.4
    np.testing.assert_allclose(estimated.counts, expected, atol=1e-12)
    assert estimated.count("flu") == pytest.approx(expected[0])


@settings(max_examples=25)
@given(st.lists(st.integers(0, 40), min_size=3, max_size=3))
def test_estimates_from_expected_counts_are_the_original_counts(original: list[int]) -> None:
    """Whole expected counts (by enlarging the table) are inverted without any error."""
    mechanism = own()
    scale = 20
    expected = [sum(scale * c * mechanism.matrix[u][v] for u, c in enumerate(original)) for v in range(3)]
    assert all(count.denominator == 1 for count in map(Fraction, expected))
    data = pa.table(
        {
            "ill": pa.array(
                [ill for ill, c in zip(ILLS, expected, strict=True) for _ in range(int(c))], pa.string()
            )
        }
    )
    np.testing.assert_allclose(estimate_counts(data, mechanism).counts, scale * np.array(original), atol=1e-8)


def study(rounds: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    rows = 1500
    ill = np.array(ILLS)[rng.choice(3, rows, p=[0.6, 0.3, 0.1])]
    pay = np.where(rng.random(rows) < np.where(ill == "flu", 0.8, 0.3), "low", "high")
    ward = np.where(rng.random(rows) < 0.5, "A", "B")
    records = pa.table({"ill": ill, "pay": pay, "ward": ward})
    keys = [("A", "B"), ILLS, ("low", "high")]
    truth = np.array(
        [[[((ward == w) & (ill == i) & (pay == p)).sum() for p in keys[2]] for i in keys[1]] for w in keys[0]]
    )
    random = SeededRandom(11)
    steps = (MatrixRandomisation("ill", ILLS, MATRIX), RetentionReplacement("pay", ("low", "high"), keep=0.6))
    found, variances = [], []
    for _ in range(rounds):
        perturbed, mechanisms = records, list[Mechanism]()
        for step in steps:
            outcome = step.apply(perturbed, random)
            perturbed, mechanisms = outcome.records, [*mechanisms, *outcome.mechanisms]
        estimated = estimate_counts(perturbed, mechanisms, ["ward", "ill", "pay"])
        assert estimated.counts.sum() == pytest.approx(rows)
        found.append(estimated.counts)
        variances.append(estimated.variances)
    return truth, np.array(found), np.array(variances)


def test_joint_estimates_are_unbiased_and_their_variances_honest() -> None:
    rounds = 400
    truth, found, variances = study(rounds)
    spread = found.std(axis=0, ddof=1)
    assert (np.abs(found.mean(axis=0) - truth) < 5 * spread / rounds**0.5).all()
    # The variance of a sample variance of nearly normal numbers is 2 σ⁴ / (n − 1).
    ratio = variances.mean(axis=0) / spread**2
    assert (np.abs(ratio - 1) < 5 * (2 / rounds) ** 0.5).all()


def test_estimates_can_be_read_as_a_table_from_any_frame() -> None:
    estimated = estimate_counts(pd.DataFrame({"ill": ["flu", "HIV"], "x": [1, 1]}), own(), ["ill", "x"])
    assert estimated.table().column_names == ["ill", "x", "count", "standard_error"]
    assert estimated.table().column("ill").to_pylist() == list(ILLS)
    assert (estimated.standard_errors >= 0).all()


def test_a_column_that_was_randomised_twice_is_inverted_twice() -> None:
    first, second = own(), RetentionReplacement("ill", ILLS, keep=0.5).mechanism(ILLS)
    data = pa.table({"ill": ["flu"] * 5 + ["HIV"] * 3 + ["cancer"]})
    observed = np.array([5, 3, 1])
    expected = observed @ inverse_of(second) @ inverse_of(first)
    np.testing.assert_allclose(estimate_counts(data, [first, second]).counts, expected)


def test_what_cannot_be_estimated_is_refused() -> None:
    data = pa.table({"ill": ["flu"]})
    forgets = RetentionReplacement("ill", ILLS, keep=0).mechanism(ILLS)
    with pytest.raises(BadInput, match="no trace"):
        estimate_counts(data, forgets)
    with pytest.raises(BadInput, match="no column to count"):
        estimate_counts(data, [])
    with pytest.raises(BadInput, match="did you mean 'ill'"):
        estimate_counts(data, own("il"))
    with pytest.raises(BadInput, match="does not know") as caught:
        estimate_counts(pa.table({"ill": ["secret"]}), own())
    assert "secret" not in str(caught.value)
    other = RetentionReplacement("ill", ("flu", "HIV"), keep=0.5).mechanism(("flu", "HIV"))
    with pytest.raises(BadInput, match="twice"):
        estimate_counts(data, [own(), other])


def test_a_mechanism_travels_as_text_without_loss() -> None:
    mechanism = RetentionReplacement("ill", (*ILLS, None), delta=0.15).mechanism((*ILLS, None))
    assert mechanism_from_text(json.loads(json.dumps(mechanism_as_text(mechanism)))) == mechanism


@pytest.mark.parametrize(
    "matrix", [[["1"]], [["1", "0"], ["1"]], [["1", "0"], ["2", "-1"]], [["1", "0"], ["0", "0.5"]]]
)
def test_a_text_that_is_no_mechanism_is_refused(matrix: list[list[str]]) -> None:
    with pytest.raises(BadInput, match="no distribution"):
        mechanism_from_text({"column": "ill", "values": ["a", "b"], "matrix": matrix})
