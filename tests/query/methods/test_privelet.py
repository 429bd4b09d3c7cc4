"""Privelet against matrices, by listing neighbours, by its own noise, and beside a plain noisy histogram."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.methods.axes import Axis, range_cost, sensitivity
from sfumato.query.methods.consistency import Tree
from sfumato.query.methods.contract import Attribute, NoisyTable, Problem
from sfumato.query.methods.haar import Haar
from sfumato.query.methods.privelet import Privelet
from sfumato.query.utility.range_queries import RangeQueries
from tests.oracles import wavelets


def number(name: str, size: int) -> Attribute:
    return Attribute(name, tuple(str(i) for i in range(size)), tuple(float(i) for i in range(size + 1)))


REGION = Attribute("region", ("a", "b", "c", "d", "e"), parents=((0, 1, 0, 1, 1), (0, 0, 0, 0, 0)))
SEX = Attribute("sex", ("f", "m"))
AXES = st.one_of(
    st.integers(1, 9).map(Haar),
    st.integers(1, 4).map(Tree.flat),
    st.just(Tree.of_hierarchy(REGION)),
    st.just(Tree.even(5, 2)),
)


def matrix_of(axis: Axis) -> np.ndarray:
    if isinstance(axis, Haar):
        return wavelets.haar_matrix(axis.size)
    assert isinstance(axis, Tree)
    return wavelets.tree_matrix([level.tolist() for level in axis.nodes])


def whole_matrix(axes: list[Axis]) -> np.ndarray:
    return functools.reduce(np.kron, (matrix_of(axis) for axis in axes))


@given(st.integers(1, 40), st.integers(0, 10**6))
def test_the_haar_transform_is_its_matrix_and_can_be_undone(size: int, seed: int) -> None:
    cells = np.random.default_rng(seed).integers(0, 10**6, size)
    found = Haar(size).forward(cells)
    assert found.tolist() == (wavelets.haar_matrix(size) @ cells).tolist()
    assert Haar(size).inverse(found.astype(float)).tolist() == cells.tolist()


@given(st.integers(0, 5), st.integers(0, 10**6))
def test_whole_coefficients_are_the_papers_times_their_weights(power: int, seed: int) -> None:
    cells = np.random.default_rng(seed).integers(0, 1000, 2**power)
    paper = wavelets.weighted_haar([Fraction(int(c)) for c in cells])
    assert Haar(2**power).forward(cells).tolist() == [weight * c for weight, c in paper]


@given(st.lists(AXES, min_size=1, max_size=3), st.sampled_from(Neighbours))
@settings(deadline=None)
def test_sensitivities_are_the_largest_over_all_people(axes: list[Axis], neighbours: Neighbours) -> None:
    columns = whole_matrix(axes).T
    if len(columns) > 130:
        columns = whole_matrix(axes[:1]).T
        axes = axes[:1]
    if neighbours is Neighbours.ADD_REMOVE:
        changes = columns
    else:
        changes = (columns[:, None, :] - columns[None, :, :]).reshape(-1, columns.shape[1])
    l1, l2_squared = int(np.abs(changes).sum(axis=1).max()), int((changes**2).sum(axis=1).max())
    assert sensitivity(axes, neighbours) == (max(l1, 1), max(l2_squared, 1))


def test_too_many_ways_to_count_out_are_bounded_from_above() -> None:
    axes: list[Axis] = [Haar(2**6)] * 8
    assert sensitivity(axes, Neighbours.SUBSTITUTION) == (2 * 7**8, 2 * 7**8)


@given(AXES, st.integers(0, 10**6))
def test_an_axis_is_estimated_by_least_squares(axis: Axis, seed: int) -> None:
    noisy = np.random.default_rng(seed).normal(5, 3, axis.coefficients)
    expected = wavelets.solve(matrix_of(axis), np.ones(axis.coefficients)) @ noisy
    assert axis.inverse(noisy) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(st.integers(1, 40), st.booleans())
def test_the_expected_errors_of_a_wavelet_are_those_of_its_covariance(size: int, known: bool) -> None:
    spread = wavelets.covariance(wavelets.haar_matrix(size), np.ones(size), known)
    descent = Haar(size).descent()
    runs = wavelets.ranges(size)
    for found, expected in (
        (descent.cells(), np.diag(spread).mean()),
        (descent.ranges(), np.einsum("rp,pq,rq->r", runs, spread, runs).mean()),
    ):
        assert (found.parts if known else found.both) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("levels", [3, 6, 8])
def test_no_range_is_worse_than_the_bound_of_the_paper(levels: int) -> None:
    # Xiao, Wang & Gehrke: variance ≤ (2 + log₂ m)(2 + 2 log₂ m)²/ε² for one person replaced, a fourth of it
    # for one more or less; ours has noise of variance 2 (1 + log₂ m)²/ε² in each coefficient.
    spread = wavelets.covariance(wavelets.haar_matrix(2**levels), np.ones(2**levels))
    running = np.pad(spread, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    low, high = np.triu_indices(2**levels + 1, 1)
    worst = (running[high, high] - 2 * running[low, high] + running[low, low]).max()
    assert worst * 2 * (1 + levels) ** 2 <= (2 + levels) * (2 + 2 * levels) ** 2 / 4


def test_small_and_unordered_domains_are_left_as_they_are() -> None:
    axes = Privelet().axes([number("age", 4), number("day", 5000), SEX, REGION], pure=True)
    assert isinstance(axes[0], Tree)
    assert isinstance(axes[1], Haar)
    assert axes[2].coefficients == 2
    assert [range_cost(axis, pure=True) for axis in axes] == [
        min(range_cost(Haar(4), pure=True), range_cost(Tree.flat(4), pure=True)),
        range_cost(Haar(5000), pure=True),
        range_cost(Tree.flat(2), pure=True),
        min(range_cost(Tree.of_hierarchy(REGION), pure=True), range_cost(Tree.flat(5), pure=True)),
    ]


PRICES = {
    "pure": Price.pure("0.7"),
    "approximate": Price.approximate(1, "1e-6"),
    "rho": Price.concentrated("0.1"),
}
METHODS = {
    "haar": (Privelet(wavelet=("age",)), (number("age", 5),)),
    "two": (Privelet(wavelet=("age", "pay")), (number("age", 3), number("pay", 4))),
    "nominal": (Privelet(wavelet=("region", "age")), (REGION, number("age", 2))),
    "mixed": (Privelet(("pay", "sex"), wavelet=("pay",)), (SEX, number("pay", 4))),
}


@pytest.mark.parametrize("price", PRICES.values(), ids=PRICES)
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(("method", "attributes"), METHODS.values(), ids=METHODS)
def test_no_neighbour_can_be_told_apart_by_more_than_the_price(
    method: Privelet, attributes: tuple[Attribute, ...], neighbours: Neighbours, price: Price
) -> None:
    largest, spent = _largest_loss(method, attributes, neighbours, price)
    assert largest <= spent
    if price is PRICES["pure"]:
        assert largest == Fraction("0.7")
    else:
        assert float(largest) == pytest.approx(float(spent), rel=1e-9)


def test_a_forgotten_coefficient_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Haar, "touched", property(lambda self: self.levels))
    largest, spent = _largest_loss(*METHODS["haar"], Neighbours.ADD_REMOVE, PRICES["pure"])
    assert largest == spent * Fraction(4, 3)


def _largest_loss(
    method: Privelet, attributes: tuple[Attribute, ...], neighbours: Neighbours, price: Price
) -> tuple[Fraction, Fraction]:
    pure = price.epsilon is not None and not price.delta
    # Sums over people: the change does not depend on the others, but the first may be anybody.
    largest = Fraction(0)
    firsts = [[0] * len(attributes), [a.size - 1 for a in attributes], [a.size // 2 for a in attributes]]
    for first in firsts:
        here = wavelets.coded(attributes, [first, [1] * len(attributes)])
        with wavelets.watching() as seen:
            solution = method.protect(Problem(here, price, neighbours))
        for there in wavelets.neighbours_of(here, neighbours):
            with wavelets.watching() as other:
                method.protect(Problem(there, price, neighbours))
            largest = max(largest, seen.loss(other) if pure else seen.rho(other))
    spent = solution.spent.epsilon if pure else solution.spent.rho
    assert spent is not None
    return largest, Fraction(spent)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(sorted(METHODS)), st.sampled_from(Neighbours), st.integers(0, 10**6))
def test_the_table_is_the_estimate_of_least_squares(name: str, neighbours: Neighbours, seed: int) -> None:
    method, attributes = METHODS[name]
    generator = np.random.default_rng(seed)
    people = [[int(generator.integers(a.size)) for a in attributes] for _ in range(30)]
    with wavelets.watching() as seen:
        solution = method.protect(Problem(wavelets.coded(attributes, people), Price.pure(1), neighbours))
    named = {a.name: a for a in attributes}
    chosen = [named[name] for name in method.attributes or named]
    matrix = whole_matrix(method.axes(chosen, pure=True))
    known = neighbours is Neighbours.SUBSTITUTION
    estimate = wavelets.solve(matrix, np.ones(len(matrix)), known)
    noisy = seen.noisy[0].ravel()
    expected = estimate @ (np.append(noisy, 30.0) if known else noisy)
    assert solution.tables[0].counts.ravel() == pytest.approx(expected, abs=1e-8)
    spread = wavelets.covariance(matrix, np.ones(len(matrix)), known)
    scale = float(seen.scales[0])
    assert solution.tables[0].error == pytest.approx(
        math.sqrt(np.diag(spread).mean() * 0.5 / math.sinh(0.5 / scale) ** 2), rel=1e-9
    )


def test_the_expected_error_of_ranges_of_several_attributes_is_exact() -> None:
    method, attributes = METHODS["two"]
    data = wavelets.coded(attributes, [[0, 0]])
    for neighbours in Neighbours:
        with wavelets.watching() as seen:
            solution = method.protect(Problem(data, Price.pure(1), neighbours))
        matrix = whole_matrix(method.axes(attributes, pure=True))
        spread = wavelets.covariance(matrix, np.ones(12), neighbours is Neighbours.SUBSTITUTION)
        runs = np.kron(wavelets.ranges(3), wavelets.ranges(4))
        variance = 0.5 / math.sinh(0.5 / float(seen.scales[0])) ** 2
        expected = math.sqrt(np.einsum("rp,pq,rq->r", runs, spread, runs).mean() * variance)
        assert solution.expected_error["ranges of age × pay"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(("method", "attributes"), METHODS.values(), ids=METHODS)
def test_all_that_is_published_follows_from_noisy_coefficients(
    method: Privelet, attributes: tuple[Attribute, ...], neighbours: Neighbours
) -> None:
    here = wavelets.coded(attributes, [[0] * len(attributes)] * 3)
    there = wavelets.coded(attributes, [[1] * len(attributes)] * 3)
    with wavelets.watching() as seen:
        one = method.protect(Problem(here, Price.pure(1), neighbours))
    with wavelets.watching(seen.noisy):
        two = method.protect(Problem(there, Price.pure(1), neighbours))
    assert (one.spent, one.steps, one.published, one.expected_error) == (
        two.spent,
        two.steps,
        two.published,
        two.expected_error,
    )
    assert one.tables[0].counts.tolist() == two.tables[0].counts.tolist()


@pytest.mark.parametrize("price", PRICES.values(), ids=PRICES)
def test_the_one_step_is_all_that_was_spent(price: Price) -> None:
    data = wavelets.coded((number("age", 20),), [[3]] * 10)
    solution = Privelet().protect(Problem(data, price))
    ((_, step),) = solution.steps
    assert step.rho == solution.spent.rho
    if price is PRICES["pure"]:
        assert solution.spent == step == price


@pytest.mark.parametrize(
    ("price", "neighbours"),
    [(Price.pure(1), Neighbours.ADD_REMOVE), (Price.concentrated("0.5"), Neighbours.SUBSTITUTION)],
    ids=["pure", "rho"],
)
def test_measured_errors_are_the_expected_ones(price: Price, neighbours: Neighbours) -> None:
    # As for hierarchical histograms: within 7 standard errors, which are less than 40 %.
    runs, attributes = 600, (number("age", 6), REGION)
    people = [[i % 6, i * i % 5] for i in range(100)]
    data = wavelets.coded(attributes, people)
    truth = np.zeros((6, 5))
    np.add.at(truth, (data.codes[:, 0], data.codes[:, 1]), 1)
    method = Privelet(wavelet=("age", "region"))
    found = np.empty(runs)
    for run in range(runs):
        solution = method.protect(Problem(data, price, neighbours))
        found[run] = ((solution.tables[0].counts - truth) ** 2).mean()
    expected = solution.expected_error["cells of age × region"] ** 2
    slack = 7 * found.std() / math.sqrt(runs)
    assert slack < 0.4 * expected
    assert abs(found.mean() - expected) < slack


def test_ranges_of_a_large_domain_are_far_more_precise_than_in_a_plain_histogram() -> None:
    # Expected mean squares differ by a factor of 16; a factor of 4 (in people, of 2) is asked for. The plain
    # histogram's, over 30 runs, is about a gamma variable of shape 37 (its relative variance in one run
    # is 0.8): it falls below a quarter of its mean less often than e^−23; the wavelet's varies far less.
    size = 32768
    data = wavelets.coded((number("age", size),), [[i * i % size] for i in range(5000)])
    measure = RangeQueries(queries=2000)
    found = {}
    for name, method in (("plain", Privelet(wavelet=())), ("wavelet", Privelet())):
        tables = [method.protect(Problem(data, Price.pure(1))).tables[0] for _ in range(30)]
        found[name] = math.sqrt(np.mean([measure.measure(data, table).value ** 2 for table in tables]))
    assert found["wavelet"] * 2 < found["plain"]


def test_ranges_are_measured_as_by_adding_up_cells() -> None:
    generator = np.random.default_rng(5)
    attributes = (number("age", 4), SEX, number("pay", 3))
    people = wavelets.coded(attributes, generator.integers(0, 2, (50, 3)).tolist())
    noisy = generator.normal(2, 3, (4, 2, 3))
    truth = np.zeros((4, 2, 3))
    np.add.at(truth, tuple(people.codes.T), 1)
    runs = np.kron(np.kron(wavelets.ranges(4), wavelets.ranges(2)), wavelets.ranges(3))
    errors = np.abs(runs @ (noisy - truth).ravel())
    found = RangeQueries(queries=60_000).measure(people, NoisyTable(("age", "sex", "pay"), noisy))
    # All 180 ranges are drawn again and again.
    assert found.details["largest"] == pytest.approx(errors.max())
    assert found.value == pytest.approx(math.sqrt((errors**2).mean()), rel=0.05)


def test_counts_can_be_made_nonnegative() -> None:
    data = wavelets.coded((number("age", 200),), [[7]] * 50)
    problem = Problem(data, Price.pure("0.05"))
    assert (Privelet().protect(problem).tables[0].counts < 0).any()
    assert (Privelet(nonnegative=True).protect(problem).tables[0].counts >= 0).all()


def test_one_position_and_nobody_are_no_trouble() -> None:
    for neighbours in Neighbours:
        for people in ([], [[0, 0]]):
            data = wavelets.coded((number("age", 1), Attribute("all", ("x",))), people)
            solution = Privelet(wavelet=("age",)).protect(Problem(data, Price.pure(1), neighbours))
            assert solution.tables[0].counts.shape == (1, 1)


def test_bad_parameters_are_refused() -> None:
    data = wavelets.coded((number("age", 4),), [[0]])
    with pytest.raises(BadInput, match="transform"):
        Privelet(wavelet=("ages",)).protect(Problem(data, Price.pure(1)))
    with pytest.raises(BadInput, match="no attribute"):
        Privelet(("ages",)).protect(Problem(data, Price.pure(1)))
    huge = wavelets.coded((number("age", 9000), number("day", 9000)), [[0, 0]])
    with pytest.raises(BadInput, match="81000000 cells"):
        Privelet().protect(Problem(huge, Price.pure(1)))
    with pytest.raises(BadInput, match="domains"):
        RangeQueries().measure(data, NoisyTable(("age",), np.zeros(5)))
    with pytest.raises(BadInput, match="queries"):
        RangeQueries(queries=0)
