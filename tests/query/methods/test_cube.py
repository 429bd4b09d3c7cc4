"""Data cubes against least squares over whole tables, by trying all choices, and by listing neighbours."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.methods import METHODS
from sfumato.query.methods.contract import Attribute, DpSolution, Problem
from sfumato.query.methods.cube import Aim, DataCube
from sfumato.query.methods.cuboids import Cuboid, Lattice, agreeing, cuboids_up_to
from tests.oracles import wavelets

NAMES = ("age", "sex", "region", "ill")


def domains(*sizes: int) -> tuple[Attribute, ...]:
    return tuple(Attribute(n, tuple(str(i) for i in range(s))) for n, s in zip(NAMES, sizes, strict=False))


@st.composite
def measured_cubes(draw: st.DrawFn) -> tuple[Lattice, dict[Cuboid, np.ndarray], dict[Cuboid, float]]:
    sizes = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    lattice = Lattice(
        sizes, tuple(cuboids_up_to(draw(st.integers(1, len(sizes))), len(sizes))), draw(st.booleans())
    )
    candidates = cuboids_up_to(len(sizes), len(sizes))
    measured = {*draw(st.sets(st.sampled_from(candidates))), *lattice.published}
    if draw(st.booleans()):
        measured = {candidates[-1]}
    generator = np.random.default_rng(draw(st.integers(0, 10**6)))
    noisy = {c: generator.normal(10, 4, [sizes[a] for a in c]) for c in sorted(measured)}
    return lattice, noisy, {c: draw(st.sampled_from([0.5, 1.0, 3.0])) for c in noisy}


@settings(deadline=None)
@given(measured_cubes())
def test_tables_are_the_estimate_of_least_squares_and_have_its_errors(case: tuple) -> None:
    lattice, noisy, variance = case
    matrix = np.vstack([wavelets.marginal_matrix(lattice.sizes, c) for c in noisy])
    variances = np.concatenate([np.full(table.size, variance[c]) for c, table in noisy.items()])
    values = np.concatenate([table.ravel() for table in noisy.values()])
    known = lattice.known_total
    joint = wavelets.solve(matrix, variances, known) @ (np.append(values, 77.0) if known else values)
    spread = wavelets.covariance(matrix, variances, known)
    found = agreeing(lattice, noisy, variance, 77.0 if known else None)
    precision = np.sum([lattice.precision(c) / variance[c] for c in noisy], axis=0)
    assert list(found) == list(lattice.published)
    for (cuboid, table), expected in zip(found.items(), lattice.variances(precision), strict=True):
        add_up = wavelets.marginal_matrix(lattice.sizes, cuboid)
        assert table.ravel() == pytest.approx(add_up @ joint, abs=1e-7)
        assert np.diag(add_up @ spread @ add_up.T) == pytest.approx(np.full(table.size, expected), abs=1e-7)


def cost(lattice: Lattice, measured: tuple[Cuboid, ...], cube: DataCube, pure: bool) -> float:
    variances = lattice.variances(np.sum([lattice.precision(c) for c in measured], axis=0))
    return float(variances.max() if cube.aim is Aim.WORST else variances.mean()) * len(measured) ** (1 + pure)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.sampled_from([2, 3, 5, 10, 40]), min_size=1, max_size=3),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(Aim),
)
def test_of_few_attributes_the_best_choice_is_found(sizes: list[int], k: int, pure: bool, aim: Aim) -> None:
    cube = DataCube(k, aim=aim)
    lattice, choice = cube.plan(sizes, pure=pure)
    candidates = cuboids_up_to(len(sizes), len(sizes))
    choices = (c for r in range(1, len(candidates) + 1) for c in itertools.combinations(candidates, r))
    assert cost(lattice, choice.measured, cube, pure) == pytest.approx(
        min(cost(lattice, c, cube, pure) for c in choices)
    )


@pytest.mark.parametrize("sizes", [[4] * 8, [74, 9, 16, 7, 15, 6, 5, 2, 42], [2, 2, 2, 2, 100, 3]])
@pytest.mark.parametrize("pure", [True, False])
@pytest.mark.parametrize("aim", Aim)
def test_of_many_attributes_the_choice_is_no_worse_than_the_obvious_ones(
    sizes: list[int], pure: bool, aim: Aim
) -> None:
    cube = DataCube(2, aim=aim)
    lattice, choice = cube.plan(sizes, pure=pure)
    found = cost(lattice, choice.measured, cube, pure)
    largest = tuple(c for c in lattice.published if len(c) == 2)
    for obvious in (lattice.published, largest, (tuple(range(len(sizes))),)):
        assert found <= cost(lattice, obvious, cube, pure) * (1 + 1e-9)


def test_an_aim_may_be_spelt() -> None:
    _, named = DataCube(2, aim=Aim.WORST).plan([10, 10, 10])
    _, spelt = DataCube(2, aim="worst").plan([10, 10, 10])  # type: ignore[arg-type]  # as in a call
    _, total = DataCube(2).plan([10, 10, 10])
    assert named.measured == spelt.measured != total.measured


def test_many_small_attributes_are_measured_by_larger_cuboids() -> None:
    lattice, choice = DataCube(2).plan([4] * 12)
    pairs = tuple(c for c in lattice.published if len(c) == 2)
    assert max(len(c) for c in choice.measured) > 2
    assert cost(lattice, choice.measured, DataCube(2), True) < 0.7 * cost(lattice, pairs, DataCube(2), True)


PRICES = {
    "pure": Price.pure("0.7"),
    "approximate": Price.approximate(1, "1e-6"),
    "rho": Price.concentrated("0.1"),
}


@pytest.mark.parametrize("price", PRICES.values(), ids=PRICES)
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("cube", [DataCube(1), DataCube(2, aim=Aim.WORST), DataCube(2, ("region", "age"))])
def test_no_neighbour_can_be_told_apart_by_more_than_the_price(
    cube: DataCube, neighbours: Neighbours, price: Price
) -> None:
    here = wavelets.coded(domains(3, 2, 3), [[0, 0, 0], [1, 1, 1]])
    with wavelets.watching() as seen:
        solution = cube.protect(Problem(here, price, neighbours))
    pure, largest = price is PRICES["pure"], Fraction(0)
    for there in wavelets.neighbours_of(here, neighbours):
        with wavelets.watching() as other:
            cube.protect(Problem(there, price, neighbours))
        largest = max(largest, seen.loss(other) if pure else seen.rho(other))
    spent = solution.spent.epsilon if pure else solution.spent.rho
    assert spent is not None
    assert largest <= Fraction(spent)
    if pure:
        assert largest == Fraction("0.7")
    else:
        assert float(largest) == pytest.approx(float(spent), rel=1e-9)


def protected(neighbours: Neighbours = Neighbours.ADD_REMOVE, price: Price = PRICES["pure"]) -> DpSolution:
    people = [[i % 5, i % 2, i * i % 4] for i in range(200)]
    return DataCube(2).protect(Problem(wavelets.coded(domains(5, 2, 4), people), price, neighbours))


@pytest.mark.parametrize("neighbours", Neighbours)
def test_every_sum_agrees(neighbours: Neighbours) -> None:
    tables = {table.attributes: table.counts for table in protected(neighbours).tables}
    assert len(tables) == 6
    for names, counts in tables.items():
        for axis in range(len(names)):
            if len(names) == 2:
                assert counts.sum(axis=axis) == pytest.approx(tables[(names[1 - axis],)])
        assert counts.sum() == pytest.approx(tables[("age",)].sum())
        if neighbours is Neighbours.SUBSTITUTION:
            assert counts.sum() == pytest.approx(200)


@pytest.mark.parametrize("neighbours", Neighbours)
def test_all_that_is_published_follows_from_noisy_counts(neighbours: Neighbours) -> None:
    attributes = domains(3, 2, 4)
    here, there = (wavelets.coded(attributes, [[p] * 3] * 4) for p in (0, 1))
    with wavelets.watching() as seen:
        one = DataCube(2).protect(Problem(here, Price.pure(1), neighbours))
    with wavelets.watching(seen.noisy):
        two = DataCube(2).protect(Problem(there, Price.pure(1), neighbours))
    assert (one.spent, one.steps, one.published) == (two.spent, two.steps, two.published)
    assert one.expected_error == two.expected_error
    for a, b in zip(one.tables, two.tables, strict=True):
        assert a.counts.tolist() == b.counts.tolist()


@pytest.mark.parametrize("price", PRICES.values(), ids=PRICES)
def test_steps_add_up_to_what_was_spent_exactly(price: Price) -> None:
    solution = protected(price=price)
    if price is PRICES["pure"]:
        assert solution.spent == price
        assert sum((step.epsilon or Decimal(0) for _, step in solution.steps), Decimal(0)) == price.epsilon
    else:
        assert sum((step.rho or Decimal(0) for _, step in solution.steps), Decimal(0)) == solution.spent.rho


@pytest.mark.parametrize(
    ("price", "neighbours"),
    [(Price.pure(1), Neighbours.ADD_REMOVE), (Price.concentrated("0.5"), Neighbours.SUBSTITUTION)],
    ids=["pure", "rho"],
)
def test_measured_errors_are_the_expected_ones(price: Price, neighbours: Neighbours) -> None:
    # As for hierarchical histograms: within 7 standard errors, which are less than 40 %.
    runs, attributes = 500, domains(4, 3, 5)
    data = wavelets.coded(attributes, [[i % 4, i % 3, i * i % 5] for i in range(90)])
    counted = np.zeros((4, 3, 5))
    np.add.at(counted, tuple(data.codes.T), 1)
    solutions = [DataCube(2).protect(Problem(data, price, neighbours)) for _ in range(runs)]
    for i, first in enumerate(solutions[0].tables):
        away = tuple(a for a, name in enumerate(NAMES[:3]) if name not in first.attributes)
        truth = counted.sum(axis=away)
        found = np.array([((s.tables[i].counts - truth) ** 2).mean() for s in solutions])
        expected = solutions[0].expected_error[" × ".join(first.attributes)] ** 2
        assert first.error == pytest.approx(math.sqrt(expected))
        slack = 7 * found.std() / math.sqrt(runs)
        assert slack < 0.4 * expected
        assert abs(found.mean() - expected) < slack


def test_nobody_can_be_counted_too() -> None:
    solution = DataCube(1).protect(Problem(wavelets.coded(domains(3, 2), []), Price.pure(1)))
    assert [table.counts.shape for table in solution.tables] == [(3,), (2,)]


def test_bad_parameters_are_refused() -> None:
    data = wavelets.coded(domains(50, 50), [[0, 0]])
    with pytest.raises(BadInput, match="dimensions"):
        DataCube(0)
    with pytest.raises(BadInput, match="aim"):
        DataCube(aim="best")  # type: ignore[arg-type]  # what a recipe may say
    with pytest.raises(BadInput, match="2500 cells"):
        DataCube(2, cells=1000).protect(Problem(data, Price.pure(1)))
    with pytest.raises(BadInput, match="cuboids"):
        DataCube(3).plan([2] * 30)
    with pytest.raises(BadInput, match="no attribute"):
        DataCube(1, ("agee",)).protect(Problem(data, Price.pure(1)))


def test_methods_of_histograms_are_found_by_their_names() -> None:
    for name in ("hierarchical-histogram", "privelet", "data-cube"):
        assert METHODS[name].name == name
