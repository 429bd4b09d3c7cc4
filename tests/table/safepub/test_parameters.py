"""From (ε, δ) to samples and class sizes, against published figures and against the definition itself."""

from __future__ import annotations

import csv
import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from sfumato.table.methods.safepub_parameters import SampleParameters
from sfumato.table.models.differential_privacy import delta_of, spends_at_most
from tests.oracles.sampled_records import spent


@pytest.mark.golden
def test_k_and_beta_are_those_of_the_authors_implementation(shared: Path) -> None:
    with (shared / "golden" / "dp_parameters.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    assert len(rows) > 40
    for row in rows:
        found = SampleParameters.for_promise(float(row["epsilon"]), float(row["delta"]))
        assert found.k == int(row["k"]), row
        # Theirs is the lower end of an interval, ours the exact value rounded down to 53 bits.
        assert 0 <= float(found.beta) - float(row["beta"]) <= 3 * 2**-53


@pytest.mark.golden
def test_k_and_beta_of_the_cases_on_adult(shared: Path) -> None:
    cases = json.loads((shared / "golden" / "table-arx.json").read_text(encoding="utf-8"))["cases"]
    chosen = [case for case in cases if "eddp" in case["id"]]
    assert len(chosen) == 6
    for case in chosen:
        model = case["privacy_models"][0]
        found = SampleParameters.for_promise(model["epsilon"], model["delta"])
        assert found.k == case["result"]["dp_k"]
        assert float(found.beta) == pytest.approx(case["result"]["dp_beta"], abs=1e-15)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.01), (0.5, 0.005), (2.0, 0.02), (0.2, 0.01)])
def test_no_event_is_more_likely_than_promised(epsilon: float, delta: float) -> None:
    found = SampleParameters.for_promise(epsilon, delta)
    # A shorter β keeps the fractions of the oracle small; it takes fewer records and is as safe.
    beta = Fraction(math.floor(found.beta * 1000), 1000)
    growth = Fraction(math.floor(math.exp(epsilon) * 10**9), 10**9)
    assert 0 < spent(found.k, beta, growth, 70) <= Fraction(str(delta))


def test_the_bound_is_not_far_from_what_is_spent() -> None:
    """Smaller classes than the parameters allow do break the promise: the calibration is no guess."""
    beta, growth = Fraction(632, 1000), Fraction(2718281828, 10**9)
    for k in (4, 6, 9):
        exact, bound = spent(k, beta, growth, 60), delta_of(k, Fraction(1), beta)
        assert exact <= bound <= 6 * exact


@pytest.mark.parametrize("epsilon", [0.1, 0.7, 1.0986122886681098, 3])
def test_delta_never_rises_with_k(epsilon: float) -> None:
    beta = SampleParameters.for_promise(epsilon, 0.1).beta
    found = [delta_of(k, Fraction(str(epsilon)), beta) for k in range(1, 60)]
    assert found == sorted(found, reverse=True)


def test_the_sample_is_as_large_as_epsilon_allows_and_not_larger() -> None:
    beta = SampleParameters.for_promise(1.0, 1e-3).beta
    assert spends_at_most(beta, Fraction(1))
    assert not spends_at_most(beta + Fraction(1, 2**53), Fraction(1))
    assert delta_of(10**6, Fraction(1), beta + Fraction(1, 2**53)) == 1


def test_nothing_is_spent_where_nothing_is_taken() -> None:
    assert delta_of(1, Fraction(1), Fraction(0)) == 0
