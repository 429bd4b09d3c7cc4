"""Hierarchical histograms against matrices, by listing neighbours, and by their own noise."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.methods.consistency import Tree
from sfumato.query.methods.contract import Attribute, Problem
from sfumato.query.methods.curator import DataCurator
from sfumato.query.methods.hierarchical_histogram import HierarchicalHistogram, best_tree
from sfumato.query.methods.range_error import Descent
from tests.oracles import wavelets


def domain(size: int, parents: tuple[tuple[int, ...], ...] = (), name: str = "age") -> Attribute:
    return Attribute(name, tuple(str(i) for i in range(size)), parents=parents)


@st.composite
def hierarchies(draw: st.DrawFn) -> Attribute:
    """A random hierarchy: every level groups the groups of the one below, in no order; the last is one."""
    size = draw(st.integers(1, 9))
    levels, groups = [], list(range(size))
    for _ in range(draw(st.integers(0, 2))):
        above = draw(st.lists(st.integers(0, 3), min_size=9, max_size=9))
        groups = [above[g] for g in groups]
        levels.append(tuple(groups))
    return domain(size, (*levels, (0,) * size))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    if draw(st.booleans()):
        return Tree.of_hierarchy(draw(hierarchies()))
    return Tree.even(draw(st.integers(1, 20)), draw(st.integers(2, 5)))


def matrix_of(tree: Tree) -> np.ndarray:
    return wavelets.tree_matrix([level.tolist() for level in tree.nodes])


@st.composite
def measured_trees(draw: st.DrawFn) -> tuple[Tree, list[float], np.ndarray]:
    tree = draw(trees())
    variances = draw(st.lists(st.sampled_from([0.5, 1.0, 7.0]), min_size=tree.levels, max_size=tree.levels))
    generator = np.random.default_rng(draw(st.integers(0, 10**6)))
    return tree, variances, generator.normal(10, 5, tree.coefficients)


def each_node(tree: Tree, variances: list[float]) -> np.ndarray:
    return np.repeat(variances, [len(level) for level in tree.parents])


@given(hierarchies())
def test_a_tree_has_the_groups_of_the_hierarchy_once_each(attribute: Attribute) -> None:
    def partition(level: object) -> frozenset[frozenset[int]]:
        groups: dict[int, set[int]] = {}
        for position, group in enumerate(level):  # type: ignore[arg-type]  # a row of group numbers
            groups.setdefault(int(group), set()).add(position)
        return frozenset(frozenset(g) for g in groups.values())

    tree = Tree.of_hierarchy(attribute)
    wanted = {partition(level) for level in [range(attribute.size), *attribute.parents]}
    if attribute.size > 1:
        wanted -= {partition([0] * attribute.size)}
    assert [partition(level) for level in tree.nodes] == sorted(wanted, key=len)


@given(st.integers(1, 200), st.integers(2, 20))
def test_an_even_tree_has_at_most_so_many_children_and_no_empty_node(size: int, branching: int) -> None:
    tree = Tree.even(size, branching)
    assert len(tree.parents[0]) <= branching
    for above, level in zip([None, *tree.parents], tree.parents, strict=False):
        children = np.bincount(level)
        assert children.min() >= 1
        assert children.max() <= branching
        assert above is None or len(children) == len(above)


@given(trees(), st.integers(0, 10**6))
def test_every_node_is_counted_exactly(tree: Tree, seed: int) -> None:
    cells = np.random.default_rng(seed).integers(0, 1000, tree.size)
    assert tree.forward(cells).tolist() == (matrix_of(tree) @ cells).tolist()


@settings(deadline=None)
@given(measured_trees(), st.booleans())
def test_two_passes_give_the_estimate_of_least_squares(case: tuple, known: bool) -> None:
    tree, variances, noisy = case
    levels = np.split(noisy, np.cumsum([len(level) for level in tree.parents])[:-1])
    found = tree.estimate(levels, variances, 100.0 if known else None)
    oracle = wavelets.solve(matrix_of(tree), each_node(tree, variances), known)
    expected = oracle @ np.append(noisy, 100.0) if known else oracle @ noisy
    assert found == pytest.approx(expected, abs=1e-8)


@settings(deadline=None)
@given(measured_trees(), st.booleans())
def test_the_expected_errors_are_those_of_the_covariance(case: tuple, known: bool) -> None:
    tree, variances, _ = case
    descent = tree.descent(variances)
    spread = wavelets.covariance(matrix_of(tree), each_node(tree, variances), known)
    in_order = spread[np.ix_(tree.order, tree.order)]
    runs = wavelets.ranges(tree.size)
    weights = np.random.default_rng(tree.size).normal(size=tree.size)
    for found, expected in (
        (descent.cells(), np.diag(spread).mean()),
        (descent.ranges(), np.mean([run @ in_order @ run for run in runs])),
        (descent.of(weights), weights @ in_order @ weights),
    ):
        assert (found.parts if known else found.both) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_part_of_the_ends_of_ranges_is_enough_in_a_large_domain() -> None:
    descent: Descent = Tree.even(16**3, 16).descent()
    assert descent.ranges(256).both == pytest.approx(descent.ranges().both, rel=0.01)


@pytest.mark.parametrize("size", [5, 40, 300, 2000])
@pytest.mark.parametrize("pure", [True, False])
def test_the_best_tree_is_at_least_as_good_as_any_branching(size: int, pure: bool) -> None:
    def cost(tree: Tree) -> float:
        return tree.descent().ranges().both * tree.levels ** (2 if pure else 1)

    best = cost(best_tree(size, pure=pure))
    assert best <= cost(Tree.flat(size))
    assert best <= 1.02 * min(cost(Tree.even(size, b)) for b in range(2, 40))


def test_large_domains_want_about_sixteen_children_as_qardaji_and_others_found() -> None:
    tree = best_tree(65536, pure=True)
    assert [len(level) for level in tree.parents] == [16, 256, 4096, 65536]


PRICES = {
    "pure": Price.pure("0.7"),
    "approximate": Price.approximate(1, "1e-6"),
    "rho": Price.concentrated("0.1"),
}
METHODS = {
    "order": (HierarchicalHistogram(branching=2), (domain(5),)),
    "hierarchy": (HierarchicalHistogram(), (domain(4, ((0, 1, 0, 1), (0, 0, 0, 0))),)),
    "two": (HierarchicalHistogram(("sex", "age"), branching=2), (domain(3), domain(2, name="sex"))),
}


@pytest.mark.parametrize("price", PRICES.values(), ids=PRICES)
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(("method", "attributes"), METHODS.values(), ids=METHODS)
def test_no_neighbour_can_be_told_apart_by_more_than_the_price(
    method: HierarchicalHistogram, attributes: tuple[Attribute, ...], neighbours: Neighbours, price: Price
) -> None:
    here = wavelets.coded(attributes, [[0] * len(attributes), [1] * len(attributes)])
    with wavelets.watching() as seen:
        solution = method.protect(Problem(here, price, neighbours))
    largest = Fraction(0)
    for there in wavelets.neighbours_of(here, neighbours):
        with wavelets.watching() as other:
            method.protect(Problem(there, price, neighbours))
        largest = max(largest, seen.loss(other) if not price.delta and price.epsilon else seen.rho(other))
    spent = solution.spent.epsilon if price.epsilon and not price.delta else solution.spent.rho
    assert spent is not None
    assert largest <= Fraction(spent)
    if price is PRICES["pure"]:
        assert largest == Fraction("0.7")
    else:
        assert float(largest) == pytest.approx(float(spent), rel=1e-9)


def test_half_the_noise_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DataCurator, "_mechanism", lambda self, share: DiscreteLaplace.of(2 * share))
    here, there = wavelets.coded((domain(4),), [[0], [1]]), wavelets.coded((domain(4),), [[0], [1], [3]])
    method = HierarchicalHistogram(branching=2)
    with wavelets.watching() as seen:
        method.protect(Problem(here, Price.pure(1)))
    with wavelets.watching() as other:
        method.protect(Problem(there, Price.pure(1)))
    assert seen.loss(other) == 2


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(("method", "attributes"), METHODS.values(), ids=METHODS)
def test_all_that_is_published_follows_from_noisy_counts(
    method: HierarchicalHistogram, attributes: tuple[Attribute, ...], neighbours: Neighbours
) -> None:
    here = wavelets.coded(attributes, [[0] * len(attributes)] * 3)
    there = wavelets.coded(attributes, [[1] * len(attributes)] * 3)
    with wavelets.watching() as seen:
        one = method.protect(Problem(here, Price.pure(1), neighbours))
    with wavelets.watching(seen.noisy):
        two = method.protect(Problem(there, Price.pure(1), neighbours))
    assert (one.spent, one.steps, one.published) == (two.spent, two.steps, two.published)
    assert one.expected_error == two.expected_error
    for a, b in zip(one.tables, two.tables, strict=True):
        assert a.counts.tolist() == b.counts.tolist()


@pytest.mark.parametrize("price", PRICES.values(), ids=PRICES)
def test_steps_add_up_to_what_was_spent_exactly(price: Price) -> None:
    data = wavelets.coded((domain(100), domain(7, name="sex")), [[3, 1]] * 10)
    solution = HierarchicalHistogram(branching=3).protect(Problem(data, price))
    rhos = [step.rho for _, step in solution.steps if step.rho is not None]
    if price is PRICES["pure"]:
        assert solution.spent == price
        assert sum(step.epsilon or Decimal(0) for _, step in solution.steps) == price.epsilon
    else:
        assert sum(rhos) == solution.spent.rho
    assert len(solution.steps) == Tree.even(100, 3).levels + Tree.even(7, 3).levels


@pytest.mark.parametrize(
    ("price", "neighbours"),
    [(Price.pure(1), Neighbours.ADD_REMOVE), (Price.concentrated("0.5"), Neighbours.SUBSTITUTION)],
    ids=["pure", "rho"],
)
def test_measured_errors_are_the_expected_ones(price: Price, neighbours: Neighbours) -> None:
    # The mean over runs of squared errors lies within 7 of its standard errors: a false alarm once in 4·10¹¹
    # for a normal law, and less than once in 10⁷ with the skewness of exponential variables (by Edgeworth's
    # expansion of Student's t). 7 of them are less than 40 %: a wrong level, share or factor of 2 is seen.
    size, runs = 27, 500
    data = wavelets.coded((domain(size),), [[i * i % size] for i in range(100)])
    truth = np.bincount(data.codes[:, 0], minlength=size)
    method = HierarchicalHistogram(branching=3)
    every = wavelets.ranges(size)
    cells, spans = np.empty(runs), np.empty(runs)
    for run in range(runs):
        solution = method.protect(Problem(data, price, neighbours))
        error = solution.tables[0].counts - truth
        cells[run], spans[run] = (error**2).mean(), ((every @ error) ** 2).mean()
    for what, found in (("cells", cells), ("ranges", spans)):
        expected = solution.expected_error[f"{what} of age"] ** 2
        slack = 7 * found.std() / math.sqrt(runs)
        assert slack < 0.4 * expected
        assert abs(found.mean() - expected) < slack


def test_a_public_total_is_kept_and_everything_agrees() -> None:
    data = wavelets.coded((domain(50),), [[i % 50] for i in range(321)])
    counts = (
        HierarchicalHistogram()
        .protect(Problem(data, Price.pure("0.1"), Neighbours.SUBSTITUTION))
        .tables[0]
        .counts
    )
    assert counts.sum() == pytest.approx(321)


def test_counts_can_be_made_nonnegative() -> None:
    data = wavelets.coded((domain(200),), [[7]] * 50)
    problem = Problem(data, Price.pure("0.05"))
    assert (HierarchicalHistogram().protect(problem).tables[0].counts < 0).any()
    assert (HierarchicalHistogram(nonnegative=True).protect(problem).tables[0].counts >= 0).all()


def test_nobody_can_be_counted_too() -> None:
    counts = (
        HierarchicalHistogram()
        .protect(Problem(wavelets.coded((domain(9),), []), Price.pure(1)))
        .tables[0]
        .counts
    )
    assert counts.shape == (9,)


def test_bad_parameters_are_refused() -> None:
    data = wavelets.coded((domain(4),), [[0]])
    with pytest.raises(BadInput, match="branching"):
        HierarchicalHistogram(branching=1)
    with pytest.raises(BadInput, match="age"):
        HierarchicalHistogram(("ages",)).protect(Problem(data, Price.pure(1)))
    with pytest.raises(BadInput, match="once"):
        HierarchicalHistogram(("age", "age")).protect(Problem(data, Price.pure(1)))
    torn = domain(4, ((0, 0, 1, 1), (0, 1, 1, 1)))
    with pytest.raises(BadInput, match="hierarchy"):
        HierarchicalHistogram().protect(Problem(wavelets.coded((torn,), [[0]]), Price.pure(1)))
