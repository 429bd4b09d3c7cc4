from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.table.methods import incognito
from sfumato.table.methods.datafly import Datafly
from sfumato.table.methods.incognito import Incognito
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.methods.suppression import AttributeSuppression
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
from sfumato.table.utility.class_size import AverageClassSize, Discernibility
from sfumato.table.utility.height import Height
from sfumato.table.utility.kl_divergence import KLDivergence
from sfumato.table.utility.loss import Loss
from tests.oracles import baselines, lattice
from tests.table.local.tables import histogram_of, persons_rule, plain_problem, shown_values

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
shares = st.sampled_from([0.0, 0.1, 0.3])


def problem_of(table: lattice.Table, k: int) -> Problem:
    cells, ladders = lattice.cells_of(table)
    return Problem(cells, ladders, persons_rule(k))


@QUICK
@given(lattice.tables(persons=True, most_rows=16), st.integers(1, 4), shares)
def test_datafly_climbs_where_the_paper_says(table: lattice.Table, k: int, suppress: float) -> None:
    limit = OptimalLattice(suppress).most_suppressed(len(table.records))
    levels = baselines.datafly(table, k, limit)
    if levels is None:
        with pytest.raises(PromiseNotMet):
            Datafly(suppress).search(problem_of(table, k))
        return
    solution = Datafly(suppress).search(problem_of(table, k))
    assert solution.levels == levels
    assert solution.suppressed_rows == len(lattice.look(table, levels, k).suppressed)


@QUICK
@given(lattice.tables(most_rows=16), st.integers(1, 4))
def test_datafly_drops_up_to_k_rows_when_nothing_else_is_said(table: lattice.Table, k: int) -> None:
    levels = baselines.datafly(table, k, k)
    assume(levels is not None)
    assert Datafly().search(problem_of(table, k)).levels == levels


@QUICK
@given(lattice.tables(most_rows=16), st.integers(1, 4), shares)
def test_datafly_is_never_better_than_the_optimal_lattice(
    table: lattice.Table, k: int, suppress: float
) -> None:
    problem = problem_of(table, k)
    for utility in (Loss(), Discernibility(), Height()):
        try:
            found = Datafly(suppress).search(problem, utility)
        except PromiseNotMet:
            return
        best = OptimalLattice(suppress).search(problem, utility)
        assert isinstance(found.score, float)
        assert isinstance(best.score, float)
        assert found.score >= best.score - 1e-9


@QUICK
@given(lattice.tables(persons=True, most_rows=14), st.integers(1, 4), shares)
def test_incognito_finds_all_minimal_nodes_and_the_best(
    table: lattice.Table, k: int, suppress: float
) -> None:
    problem = problem_of(table, k)
    limit = OptimalLattice(suppress).most_suppressed(len(table.records))
    allowed = baselines.anonymous_nodes(table, k, limit)
    if not allowed:
        with pytest.raises(PromiseNotMet):
            Incognito(suppress).search(problem, Loss())
        return
    for utility in (Loss(), Discernibility(), AverageClassSize(), KLDivergence()):
        found = Incognito(suppress).search(problem, utility)
        assert found.details["anonymous_nodes"] == len(allowed)
        assert found.details["minimal_nodes"] == len(baselines.minimal_nodes(table, k, limit))
        best = OptimalLattice(suppress).search(problem, utility)
        assert found.score == pytest.approx(best.score)


def test_incognito_passes_over_what_a_subset_already_fails() -> None:
    # Column 0 tells everybody apart until its top: no node with its lower levels is looked at again.
    records = tuple((i, i % 2) for i in range(4))
    path = tuple((code, 0) for code in range(4))
    both = tuple((code, 0) for code in range(2))
    table = lattice.Table(
        records,
        None,
        (path, both),
        (4, 2),
        (({0: 1, 1: 1, 2: 1, 3: 1}, {0: 4}), ({0: 1, 1: 1}, {0: 2})),
    )
    found = Incognito().search(problem_of(table, 2), Loss())
    assert found.levels == (1, 0)
    # Column 0: both levels; column 1: the lower, the upper follows; together: (1, 0), (1, 1) follows.
    assert found.details["checked_nodes"] == 4


def test_incognito_refuses_what_it_cannot_prune_by(monkeypatch: pytest.MonkeyPatch) -> None:
    records = ((0,), (0,), (0,), (0,))
    table = lattice.Table(records, None, (((0, 0),),), (1,), (({0: 1}, {0: 1}),))
    problem = problem_of(table, 2)
    ill = ["a", "b", "a", "b"]
    cells = replace(problem.cells, histograms=(histogram_of(records, Domain.of("ill", ill), ill),))
    odd = Rule(RuleKind.DISCLOSURE, (1, 1), False, "ill")
    with pytest.raises(BadInput, match="δ-disclosure"):
        Incognito().search(replace(problem, cells=cells, rules=(odd,)), Loss())
    entropy = Rule(RuleKind.ENTROPY, (2, 1), True, "ill")
    with pytest.raises(BadInput, match="may be suppressed"):
        Incognito(0.5).search(replace(problem, cells=cells, rules=(entropy,)), Loss())
    assert Incognito().search(replace(problem, cells=cells, rules=(entropy,)), Loss()).levels == (0,)
    monkeypatch.setattr(incognito, "LARGEST_LATTICE", 1)
    with pytest.raises(BadInput, match="2 nodes"):
        Incognito().search(problem, Loss())


def test_the_baselines_need_hierarchies() -> None:
    problem = plain_problem([("a",), ("a",)], 2)
    for method in (Datafly(), Incognito()):
        with pytest.raises(BadInput, match="needs a hierarchy"):
            method.search(problem, Loss())


def fewest_columns(records: list[tuple[str, ...]], k: int) -> int:
    """Try all choices of columns to hide."""
    width = len(records[0])
    fewest = width
    for choice in range(1 << width):
        shown = [tuple("*" if choice >> j & 1 else row[j] for j in range(width)) for row in records]
        if min(map(shown.count, shown)) >= k:
            fewest = min(fewest, choice.bit_count())
    return fewest


@QUICK
@given(
    st.lists(st.tuples(*[st.sampled_from("ab")] * 3), min_size=2, max_size=14),
    st.integers(1, 4),
)
def test_as_few_columns_are_hidden_as_will_do(records: list[tuple[str, ...]], k: int) -> None:
    assume(k <= len(records))
    solution = AttributeSuppression().search(plain_problem(records, k))
    assert solution.details["hidden_columns"] == fewest_columns(records, k)
    shown = shown_values(solution, records)
    assert min(map(shown.count, shown)) >= k
    for j in range(3):
        column = {row[j] for row in shown}
        assert column == {"*"} or column == {record[j] for record in records}
    assert solution.levels is None


def test_hidden_columns_are_named() -> None:
    records = [("a", str(i)) for i in range(4)]
    assert AttributeSuppression().search(plain_problem(records, 2)).details["hidden"] == "column 1"
