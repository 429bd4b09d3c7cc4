"""Log-linear risk: the fit against Poisson regression, the risks against sums over the population."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.risk import contingency
from sfumato.table.risk.contingency import FittedCells, proportional_fit
from sfumato.table.risk.log_linear import LogLinearRisk, _misfit
from tests.oracles import population as oracle

SHAPE = (3, 2, 2)
tables = st.lists(st.integers(1, 30), min_size=12, max_size=12).map(
    lambda counts: np.array(counts, np.float64).reshape(SHAPE)
)
models = st.sampled_from(
    [[(0,), (1,), (2,)], [(0, 1), (2,)], [(0, 1), (1, 2)], [(0, 1), (0, 2), (1, 2)], [(0, 1, 2)]]
)


def cells(table: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The codes and counts of the cells that have people."""
    places = np.flatnonzero(table.reshape(-1))
    return np.array(np.unravel_index(places, table.shape)), table.reshape(-1)[places].astype(np.int64)


@given(tables, models)
@settings(max_examples=40)
def test_the_fit_is_that_of_a_poisson_regression(
    table: NDArray[np.float64], margins: list[tuple[int, ...]]
) -> None:
    expected = oracle.poisson_regression(oracle.dummies(SHAPE, margins), table.reshape(-1))
    found = proportional_fit(table, margins, close=1e-11, persons=0.0)
    assert found is not None
    assert found.reshape(-1) == pytest.approx(expected, rel=1e-6)


@given(tables, models)
@settings(max_examples=40)
def test_independent_blocks_multiply_to_the_fit_of_the_whole_table(
    table: NDArray[np.float64], margins: list[tuple[int, ...]]
) -> None:
    codes, counts = cells(table.astype(np.int64))
    fitted = FittedCells.of(codes, counts, margins, "here")
    whole = proportional_fit(table, margins)
    everything = fitted.table()
    assert whole is not None
    assert everything is not None
    assert fitted.fitted == pytest.approx(whole.reshape(-1), rel=1e-2)
    assert everything[fitted.places] == pytest.approx(fitted.fitted)
    assert everything.sum() == pytest.approx(table.sum())
    within = {some for m in margins for k in range(4) for some in itertools.combinations(m, k)}
    assert fitted.parameters == sum(math.prod(SHAPE[j] - 1 for j in some) for some in within)


@given(tables, st.floats(0.2, 1.0))
@settings(max_examples=40)
def test_the_risk_of_a_unique_is_that_of_a_poisson_cell_that_was_sampled(
    table: NDArray[np.float64], fraction: float
) -> None:
    counts = table.astype(np.int64)
    counts[0, 0, 0] = counts[2, 1, 1] = 1
    codes, persons = cells(counts)
    risk = LogLinearRisk.of(codes, persons, fraction=fraction)
    alone = persons == 1
    each = [oracle.uniques_of_a_poisson_population(mu / fraction, fraction) for mu in risk.fitted[alone]]
    assert risk.population_uniques == pytest.approx(sum(one for one, _ in each), rel=1e-9)
    assert risk.correct_matches == pytest.approx(sum(two for _, two in each), rel=1e-9)
    assert risk.risks[alone] == pytest.approx([two for _, two in each], rel=1e-9)
    assert np.isnan(risk.risks[~alone]).all()
    assert risk.uniques == alone.sum()
    assert alone.sum() >= (risk.correct_matches or 0.0) >= (risk.population_uniques or 0.0)
    by_weights = LogLinearRisk.of(codes, persons, population=persons / fraction)
    assert by_weights.correct_matches == pytest.approx(risk.correct_matches)


def test_weights_of_their_own_give_every_unique_its_own_sampling_chance() -> None:
    codes, persons = [[0, 0, 1, 1], [0, 1, 0, 1]], [6, 1, 1, 8]
    risk = LogLinearRisk.of(codes, persons, population=[12.0, 1.0, 50.0, 20.0])
    expected = oracle.uniques_of_a_poisson_population(9 * 7 / 16 * 50, 1 / 50)[1]
    assert risk.risks[1:3].tolist() == pytest.approx([1.0, expected])
    assert risk.fraction == 16 / 83


def drawn(
    strength: float, fraction: float, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[int, ...]]:
    """A population whose columns interact in pairs, and how many of each cell are in the sample."""
    shape = (12, 10, 8, 6)
    random = np.random.default_rng(seed)
    chance = np.zeros(shape)
    for j, size in enumerate(shape):
        chance += np.log(random.dirichlet(np.full(size, 2.0))).reshape(
            [-1 if i == j else 1 for i in range(4)]
        )
    for a, b in itertools.combinations(range(4), 2):
        chance += random.normal(0, strength, [shape[i] if i in (a, b) else 1 for i in range(4)])
    rates = np.exp(chance) / np.exp(chance).sum() * 20_000
    people = random.poisson(rates)
    return people, random.binomial(people, fraction), shape


@pytest.mark.parametrize(("strength", "model"), [(0.0, "none"), (0.4, "pairs")])
def test_the_right_model_finds_the_uniques_of_a_population_that_was_really_sampled(
    strength: float, model: Any
) -> None:
    true, found, matches, expected = 0, 0.0, 0.0, 0.0
    for seed in range(8):
        people, sample, _ = drawn(strength, 0.2, seed)
        codes, persons = cells(sample)
        risk = LogLinearRisk.of(codes, persons, fraction=0.2, interactions=model)
        assert risk.population_uniques is not None
        assert risk.correct_matches is not None
        true += int(((sample == 1) & (people == 1)).sum())
        matches += float((1 / people[sample == 1]).sum())
        found += risk.population_uniques
        expected += risk.correct_matches
    # Some 1,700 uniques: two standard deviations are about 5 %; fitting the pairs takes a little more.
    assert found == pytest.approx(true, rel=0.08)
    assert expected == pytest.approx(matches, rel=0.05)


def test_a_model_that_is_too_simple_is_told_and_one_that_is_too_rich_too() -> None:
    codes, persons = cells(drawn(1.0, 0.1, 1)[1])
    simple = LogLinearRisk.of(codes, persons, fraction=0.1)
    assert simple.misfit_score is not None
    assert simple.misfit_score > 10
    assert simple.said == ("the model is too simple for these data, so the figures are probably too high",)
    codes, persons = cells(drawn(0.0, 0.02, 1)[1])
    rich = LogLinearRisk.of(codes, persons, fraction=0.02, interactions="pairs")
    assert rich.parameters == 407
    assert f"the model has 407 parameters for {persons.sum():,} persons" in rich.said[-1]
    assert "probably too low" in str(rich)
    right = LogLinearRisk.of(codes, persons, fraction=0.02)
    assert right.said == ()


def test_the_test_of_the_model_has_mean_zero_and_the_stated_spread_under_the_model() -> None:
    """With the true means in place of fitted ones, so that only the Poisson counts scatter."""
    random = np.random.default_rng(5)
    means = np.outer(random.gamma(2, 1, 40), random.gamma(2, 1, 40))
    means *= 600 / means.sum()
    scores = []
    for _ in range(400):
        counts = random.poisson(means)
        persons = cells(counts)[1]
        block = contingency.Block((0, 1), means.shape, np.flatnonzero(counts), means.reshape(-1))
        fitted = FittedCells((block,), 600, 80, means.reshape(-1)[block.places])
        score = _misfit(fitted, persons, np.full(len(persons), 0.1), 0.1)[1]
        assert score is not None
        scores.append(score)
    assert np.mean(scores) == pytest.approx(0, abs=4 / math.sqrt(400))
    assert np.std(scores) == pytest.approx(1, abs=0.15)


def test_a_fit_that_does_not_converge_is_not_known_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contingency, "MOST_CYCLES", 1)
    codes, persons = cells(drawn(0.4, 0.2, 2)[1])
    risk = LogLinearRisk.of(codes, persons, fraction=0.2, interactions="pairs")
    assert (risk.population_uniques, risk.correct_matches, risk.misfit) == (None, None, None)
    assert str(risk) == "log-linear risk: not known: the fit does not converge in 1 cycles"
    assert np.isnan(risk.risks).all()


def test_a_table_that_is_too_large_is_not_known_while_independence_needs_no_table() -> None:
    codes = np.array([np.arange(400), np.arange(400)[::-1], (np.arange(400) * 7) % 400])
    persons = np.ones(400, np.int64)
    pairs = LogLinearRisk.of(codes, persons, fraction=0.1, interactions="pairs")
    assert pairs.said == ("a table of 64,000,000 cells is too large to fit; the limit is 5,000,000",)
    alone = LogLinearRisk.of(codes, persons, fraction=0.1)
    assert alone.fitted == pytest.approx(np.full(400, 400**-2.0))
    assert alone.misfit is None
    some = LogLinearRisk.of(codes, persons, fraction=0.1, interactions=[(0, 1)])
    assert some.fitted == pytest.approx(np.full(400, 1 / 400))


def test_a_sample_without_uniques_has_none_in_the_population_and_names_its_threat() -> None:
    risk = LogLinearRisk.of([[0, 1]], [5, 7], fraction=0.5)
    assert (risk.uniques, risk.population_uniques, risk.correct_matches) == (0, 0.0, 0.0)
    assert risk.threat is Threat.IDENTITY
    assert risk.deviance == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("codes", "counts", "more", "message"),
    [
        ([[0]], [1], {}, "give the sampling fraction or the sums of weights"),
        (
            [[0]],
            [1],
            {"fraction": 0.1, "population": [3]},
            "give the sampling fraction or the sums of weights",
        ),
        ([[0]], [1], {"fraction": 0.0}, "lies above 0"),
        ([[0]], [1], {"fraction": 1.5}, "at most 1"),
        ([[0]], [2], {"population": [1.0]}, "1 cells stand for fewer people"),
        ([[0]], [2], {"population": [3.0, 4.0]}, "1 cells need as many sums of weights"),
        ([[0, 0]], [2, 1], {"fraction": 0.1}, "a combination of values comes twice"),
        ([[0, 1]], [2], {"fraction": 0.1}, "1 cells need a code in every column"),
        ([[]], [], {"fraction": 0.1}, "nobody whose risk could be measured"),
        ([[0]], [1], {"fraction": 0.1, "interactions": [(0, 1)]}, "interactions are of columns 0 to 0"),
        ([[0]], [1], {"fraction": 0.1, "interactions": "all"}, "there are no interactions 'all'"),
    ],
)
def test_what_makes_no_sense_is_refused(codes: Any, counts: Any, more: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        LogLinearRisk.of(codes, np.array(counts, np.int64), **more)
