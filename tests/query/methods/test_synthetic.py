"""Synthetic people: what they keep, what they cost, and that nothing reaches them but noisy replies."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.methods.aim import AdaptiveMarginals
from sfumato.query.methods.contract import Attribute, Coded, DpSolution, Problem
from sfumato.query.methods.curator import Curator, DataCurator, NoisyCounts, budget_of, split
from sfumato.query.methods.diffgen import DiffGen, Score
from sfumato.query.methods.grouping import grouped
from sfumato.query.methods.independent import IndependentMarginals
from sfumato.query.methods.mst import SpanningTreeMarginals
from sfumato.query.methods.simplex import MOST_PEOPLE, nonnegative, people_to_draw, whole
from sfumato.query.utility.marginals import MarginalDistance
from tests.oracles.curators import Auditing, Recording, Replaying, random_people

ATTRIBUTES = (
    Attribute("ward", ("a", "b", "c")),
    Attribute("age", ("0", "1", "2", "3", "4"), (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)),
    Attribute("sex", ("f", "m")),
    Attribute("ill", ("no", "yes")),
)
METHODS: dict[str, Callable[[Curator], DpSolution]] = {
    "independent": IndependentMarginals().synthesise,
    "tree": SpanningTreeMarginals().synthesise,
    "adaptive": AdaptiveMarginals(rounds=0.75).synthesise,
    "diffgen": lambda curator: DiffGen(specialisations=3).generalise(curator, 3),
    "diffgen by gain": lambda curator: DiffGen(2, Score.INFORMATION_GAIN, spread=True).generalise(curator, 3),
}
PRICES = {
    "pure": Price.pure("0.7"),
    "approximate": Price.approximate(1, "1e-9"),
    "concentrated": Price.concentrated("0.031"),
}


def problem(
    price: Price, neighbours: Neighbours = Neighbours.ADD_REMOVE, *, people: int = 300, seed: int = 1
) -> Problem:
    data = random_people(np.random.default_rng(seed), ATTRIBUTES, people)
    return Problem(data, price, neighbours, target="ill")


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("price", PRICES)
@pytest.mark.parametrize("method", METHODS)
def test_steps_add_up_to_the_price_exactly(method: str, price: str, neighbours: Neighbours) -> None:
    asked = PRICES[price]
    made = METHODS[method](DataCurator(problem(asked, neighbours)))
    pure, budget = budget_of(asked)
    paid = [step.epsilon if pure else step.rho for _, step in made.steps]
    assert sum(Fraction(p) for p in paid if p is not None) == budget
    assert None not in paid
    if price == "approximate":
        assert (made.spent.epsilon, made.spent.delta) == (Decimal(1), Decimal("1e-9"))
        assert Fraction(made.spent.rho or 0) == budget
    else:
        assert made.spent == asked


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("price", ["pure", "approximate"])
@pytest.mark.parametrize("method", METHODS)
def test_what_is_published_follows_from_noisy_replies_alone(
    method: str, price: str, neighbours: Neighbours
) -> None:
    asked = problem(PRICES[price], neighbours)
    with_people = Recording(asked, seed=5)
    made = METHODS[method](with_people)
    without = METHODS[method](Replaying(asked, 5, with_people.replies))
    assert made.records is not None
    assert without.records is not None
    assert np.array_equal(made.records.codes, without.records.codes)
    assert made.records.attributes == without.records.attributes
    assert made.published == without.published
    assert made.expected_error == without.expected_error
    assert made.steps == without.steps
    for one, two in zip(made.tables, without.tables, strict=True):
        assert np.array_equal(one.counts, two.counts)
        assert one.error == two.error


def neighbours_of(data: Coded, neighbours: Neighbours, person: int, other: tuple[int, ...]) -> Coded:
    rest = np.delete(data.codes, person, axis=0)
    if neighbours is Neighbours.SUBSTITUTION:
        rest = np.vstack([rest, np.array([other], np.int32)])
    return Coded(data.attributes, rest)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=3, deadline=None)
@given(
    neighbours=st.sampled_from(list(Neighbours)),
    person=st.integers(0, 199),
    other=st.tuples(*(st.integers(0, a.size - 1) for a in ATTRIBUTES)),
    seed=st.integers(0, 10**6),
)
def test_no_run_betrays_a_person_by_more_than_epsilon(
    method: str, neighbours: Neighbours, person: int, other: tuple[int, ...], seed: int
) -> None:
    asked = problem(Price.pure(20), neighbours, people=200, seed=seed)
    auditor = Auditing(asked, neighbours_of(asked.data, neighbours, person, other))
    METHODS[method](auditor)
    assert abs(auditor.loss) <= 20 + 1e-9
    assert auditor.overspent <= 1 + 1e-9
    assert auditor.unsteady <= 1


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=3, deadline=None)
@given(
    neighbours=st.sampled_from(list(Neighbours)),
    person=st.integers(0, 199),
    other=st.tuples(*(st.integers(0, a.size - 1) for a in ATTRIBUTES)),
    seed=st.integers(0, 10**6),
)
def test_no_run_spends_more_than_rho(
    method: str, neighbours: Neighbours, person: int, other: tuple[int, ...], seed: int
) -> None:
    asked = problem(Price.concentrated(5), neighbours, people=200, seed=seed)
    auditor = Auditing(asked, neighbours_of(asked.data, neighbours, person, other))
    METHODS[method](auditor)
    assert auditor.rho <= 5 + 1e-9
    assert auditor.overspent <= 1 + 1e-9
    assert auditor.unsteady <= 1


def test_the_auditor_catches_a_curator_with_too_little_noise() -> None:
    # A person's four noisy counts lie on the same side with a chance of 0.45: then the loss is 6, not 3. That
    # forty people all escape has a chance below 1e-10.
    asked = problem(Price.pure(3), people=40)
    losses = []
    for person in range(40):
        broken = Auditing(
            asked, neighbours_of(asked.data, asked.neighbours, person, ()), noise_times=Fraction(1, 2)
        )
        IndependentMarginals().synthesise(broken)
        losses.append(abs(broken.loss))
    assert max(losses) > 3 + 1e-9


def test_the_auditor_catches_a_score_that_changes_by_more_than_it_says() -> None:
    asked = problem(Price.concentrated("0.5"), people=40)
    auditor = Auditing(asked, neighbours_of(asked.data, asked.neighbours, 0, ()))
    auditor.choose(lambda codes: 3 * np.bincount(codes[:, 0], minlength=3), 1, auditor.left, "choice")
    assert auditor.overspent > 1 + 1e-9
    assert auditor.unsteady > 1


def test_epsilon_of_a_tiny_release_is_the_price_and_no_less() -> None:
    """Every pair of noisy counts of one attribute, from two people or from one: e^ε exactly at the worst."""
    price, sex = Price.pure("0.5"), Attribute("sex", ("f", "m"))
    curator = DataCurator(Problem(Coded((sex,), np.zeros((2, 1), np.int32)), price))
    noisy = curator.count(lambda codes: codes[:, 0].astype(np.int64), 2, curator.left, "counts")
    assert noisy.deviation == pytest.approx(math.sqrt(DiscreteLaplace.of("0.5").variance))
    ratio = math.exp(-1 / float(DiscreteLaplace.of("0.5").scale))

    def likely(count: int, reply: int) -> float:
        return (1 - ratio) / (1 + ratio) * ratio ** abs(reply - count)

    worst = max(
        likely(2, f) * likely(0, m) / (likely(1, f) * likely(0, m))
        for f, m in itertools.product(range(-40, 41), repeat=2)
    )
    assert worst == pytest.approx(math.exp(0.5))


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("method", [SpanningTreeMarginals(), AdaptiveMarginals()])
def test_with_a_huge_budget_what_was_measured_is_reproduced(method: Any, neighbours: Neighbours) -> None:
    data = random_people(np.random.default_rng(2), ATTRIBUTES, 20_000)
    made = method.protect(Problem(data, Price.pure(900), neighbours))
    assert made.records is not None
    assert len(made.records.codes) == 20_000
    assert MarginalDistance(1).measure(data, made.records).value < 0.002
    assert MarginalDistance(2).measure(data, made.records).value < 0.02


def test_pairs_beat_independent_attributes_at_epsilon_one() -> None:
    # Of 20,000 people noise moves the distances by less than 0.02; they are 0.02 and 0.5 apart.
    data = random_people(np.random.default_rng(3), ATTRIBUTES, 20_000)
    found = {}
    for method in (IndependentMarginals(), SpanningTreeMarginals(), AdaptiveMarginals()):
        made = method.protect(Problem(data, Price.pure(1)))
        assert made.records is not None
        found[method.name] = MarginalDistance().measure(data, made.records).value
    independent = found.pop("independent-marginals")
    assert all(value < 0.5 * independent for value in found.values())


def test_the_number_of_people_is_noisy_unless_it_is_public() -> None:
    drawn = {
        len(IndependentMarginals().protect(problem(Price.pure("0.1"))).records.codes)  # type: ignore[union-attr]  # records are made
        for _ in range(12)
    }
    # Noise of scale 40 in each of twelve cells: twelve equal sums have a chance below 1e-12.
    assert len(drawn) > 1
    public = IndependentMarginals().protect(problem(Price.pure("0.1"), Neighbours.SUBSTITUTION))
    assert public.records is not None
    assert len(public.records.codes) == 300


@pytest.mark.parametrize("method", METHODS)
def test_nobody_and_hardly_any_budget_still_give_a_release(method: str) -> None:
    data = Coded(ATTRIBUTES, np.zeros((0, 4), np.int32))
    made = METHODS[method](DataCurator(Problem(data, Price.pure("0.001"), random=SeededRandom(4))))
    assert made.records is not None
    assert len(made.records.codes) >= 1


@pytest.mark.parametrize("method", [IndependentMarginals(), SpanningTreeMarginals(), AdaptiveMarginals()])
def test_a_single_attribute_gets_all_of_the_budget(method: Any) -> None:
    data = Coded(ATTRIBUTES[:1], np.zeros((50, 1), np.int32))
    made = method.protect(Problem(data, Price.pure(2)))
    assert [price for _, price in made.steps] == [Price.pure(2)]


def test_a_model_never_grows_past_its_cells() -> None:
    made = AdaptiveMarginals(cells=20, rounds=4).protect(problem(Price.pure(50), people=2000))
    assert int(made.published["cells"]) <= 20
    assert AdaptiveMarginals(cells=1).protect(problem(Price.pure(50))).published["pairs"] == ""


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=8), st.integers(1, 60))
def test_evened_out_counts_are_the_nearest_possible_ones(counts: list[int], total: int) -> None:
    found = nonnegative(counts, total)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(total)
    # Nearest on the simplex: what was taken off is the same wherever something is left, and more elsewhere.
    taken = np.array(counts) - found
    kept = found > 1e-9
    assert np.ptp(taken[kept]) < 1e-9
    assert np.all(taken[~kept] <= taken[kept].max() + 1e-9)


@given(st.lists(st.floats(0, 9), min_size=1, max_size=9), st.integers(0, 99))
def test_whole_counts_are_next_to_the_expected_ones(expected: list[float], seed: int) -> None:
    found = whole(np.array(expected), SeededRandom(seed))
    assert np.all(np.abs(found - np.array(expected)) < 1 + 1e-9)
    assert abs(found.sum() - sum(expected)) < 1 + 1e-9


def test_rare_values_are_grouped_and_frequent_ones_stand_alone() -> None:
    listed = Attribute("country", ("a", "b", "c", "d"))
    groups = grouped(listed, NoisyCounts(np.array([500, 2, 400, -3]), 10.0), 900)
    assert groups.group.tolist() == [1, 0, 2, 0]
    assert groups.counts.tolist() == [-1.0, 500.0, 400.0]
    gain = Attribute("gain", tuple("012345"), tuple(float(i) for i in range(7)))
    groups = grouped(gain, NoisyCounts(np.array([900, 1, 2, 40, 50, 3]), 10.0), 1000)
    assert groups.group.tolist() == [0, 1, 1, 1, 2, 2]


def test_a_share_of_nothing_is_refused_before_people_are_counted() -> None:
    with pytest.raises(BadInput, match="too small"):
        IndependentMarginals().protect(problem(Price.pure("1e-18")))
    assert sum(split(Fraction(1, 7), [1, 2, 3])) == Fraction(1, 7)


def test_absurd_numbers_of_people_are_not_drawn() -> None:
    assert people_to_draw(-5.0) == 1
    assert people_to_draw(1e15) == MOST_PEOPLE


@pytest.mark.parametrize(
    "make",
    [
        lambda: AdaptiveMarginals(alone=1.0),
        lambda: AdaptiveMarginals(choosing=0.0),
        lambda: AdaptiveMarginals(groups=0),
        lambda: SpanningTreeMarginals(rare=-1.0),
        lambda: AdaptiveMarginals(rounds=float("nan")),
        lambda: SpanningTreeMarginals(alone=0.6, choosing=0.4),
        lambda: IndependentMarginals().protect(Problem(Coded((), np.zeros((3, 0), np.int32)), Price.pure(1))),
        lambda: IndependentMarginals().protect(
            Problem(Coded(ATTRIBUTES[:1], np.array([[7]], np.int32)), Price.pure(1))
        ),
    ],
)
def test_what_makes_no_sense_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(BadInput):
        make()
