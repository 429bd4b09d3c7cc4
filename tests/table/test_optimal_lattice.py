from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.methods import optimal_lattice
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import SUPPRESSED, Problem, Solution
from sfumato.table.utility.class_size import AverageClassSize, Discernibility
from sfumato.table.utility.contract import Utility
from sfumato.table.utility.entropy import NonUniformEntropy, NormalisedEntropy
from sfumato.table.utility.entropy_loss import EntropyBasedLoss
from sfumato.table.utility.height import Height
from sfumato.table.utility.kl_divergence import KLDivergence
from sfumato.table.utility.loss import Loss
from sfumato.table.utility.precision import Precision
from tests.oracles import lattice as oracle

MEASURES = {
    Loss(): lambda t, n: oracle.aggregate("geometric mean", oracle.losses(t, n, 0.5)),
    Loss("arithmetic mean"): lambda t, n: oracle.aggregate("arithmetic mean", oracle.losses(t, n, 0.5)),
    Loss("sum", 0.25): lambda t, n: oracle.aggregate("sum", oracle.losses(t, n, 0.25)),
    Loss("max"): lambda t, n: oracle.aggregate("max", oracle.losses(t, n, 0.5)),
    Loss("rank"): lambda t, n: oracle.aggregate("rank", oracle.losses(t, n, 0.5)),
    Loss(gs_factor=0.0): lambda t, n: oracle.aggregate("geometric mean", oracle.losses(t, n, 0.0)),
    Loss(gs_factor=0.75): lambda t, n: oracle.aggregate("geometric mean", oracle.losses(t, n, 0.75)),
    Discernibility(): lambda t, n: oracle.discernibility(t, n, False),
    Discernibility(monotone=True): lambda t, n: oracle.discernibility(t, n, True),
    AverageClassSize(): oracle.average_class_size,
    Precision(): lambda t, n: oracle.precision(t, n, False),
    Precision(monotone=True): lambda t, n: oracle.precision(t, n, True),
    Height(): lambda t, n: float(sum(n.levels)),
    NonUniformEntropy(): lambda t, n: sum(oracle.entropies(t, n, True)),
    NonUniformEntropy(monotone=True): lambda t, n: sum(oracle.entropies(t, n, False)),
    NormalisedEntropy(): oracle.normalised_entropies,
    EntropyBasedLoss(): oracle.entropy_based_loss,
    KLDivergence(): oracle.kl_divergence,
}
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def problem_of(table: oracle.Table, k: int) -> Problem:
    cells, ladders = oracle.cells_of(table)
    return Problem(cells, ladders, (Rule(RuleKind.MIN_PERSONS, (k,), True),))


def same(score: float | tuple[float, ...] | None, expected: float | tuple[float, ...]) -> bool:
    assert score is not None
    return bool(np.allclose(score, expected, rtol=1e-9, atol=1e-9))


def assert_optimal(
    found: Solution, table: oracle.Table, nodes: list[oracle.Node], limit: int, utility: Utility
) -> None:
    """The score is the best of all nodes; ties go to fewer suppressed rows, then to lower levels."""
    ranked = oracle.best_nodes(table, nodes, limit, MEASURES[utility])
    best = ranked[0][0]
    tied = sorted((suppressed, levels) for score, suppressed, levels in ranked if same(score, best))
    assert found.optimal
    assert same(found.score, best)
    assert found.bound == found.score
    assert (found.suppressed_rows, found.levels) in tied
    exact = all(score == best for score, _, levels in ranked if same(score, best))
    if exact and isinstance(utility, (Discernibility, Height)):
        assert (found.suppressed_rows, found.levels) == tied[0]


def assert_faithful(found: Solution, table: oracle.Table, k: int) -> None:
    """Classes, boxes and suppressed cells are those of the node."""
    assert found.levels is not None
    node = oracle.look(table, found.levels, k)
    tuples = sorted(set(table.records))
    shown = {}
    for c, record in enumerate(tuples):
        row = tuple(table.paths[j][code][found.levels[j]] for j, code in enumerate(record))
        assert (found.classes[c] == SUPPRESSED) == (row not in node.kept)
        if row in node.kept:
            shown[row] = found.classes[c]
            assert tuple(found.boxes[:, found.classes[c]].tolist()) == row
    assert sorted(shown.values()) == list(range(len(node.kept)))
    assert found.suppressed_rows == len(node.suppressed)
    for j, column in enumerate(found.columns):
        level = found.levels[j]
        assert column.leaves.tolist() == [table.leaves[j][level][g] for g in sorted(table.leaves[j][level])]


@pytest.mark.parametrize("utility", MEASURES, ids=str)
@QUICK
@given(data=st.data())
def test_the_search_finds_the_best_of_all_nodes(utility: Utility, data: st.DataObject) -> None:
    table = data.draw(oracle.tables(persons=data.draw(st.booleans())))
    k = data.draw(st.integers(1, 5))
    suppress = data.draw(st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0]))
    limit = int(Fraction(str(suppress)) * len(table.records))
    nodes = oracle.look_everywhere(table, k)
    if not oracle.best_nodes(table, nodes, limit, MEASURES[utility]) or k > _persons(table):
        with pytest.raises(PromiseNotMet):
            OptimalLattice(suppress).search(problem_of(table, k), utility)
        return
    found = OptimalLattice(suppress).search(problem_of(table, k), utility)
    assert_optimal(found, table, nodes, limit, utility)
    assert_faithful(found, table, k)


@pytest.mark.parametrize("utility", MEASURES, ids=str)
@settings(QUICK, max_examples=15)
@given(data=st.data())
def test_branch_and_bound_finds_the_same_optimum(utility: Utility, data: st.DataObject) -> None:
    table = data.draw(oracle.tables(persons=data.draw(st.booleans())))
    k = data.draw(st.integers(1, min(4, _persons(table))))
    suppress = data.draw(st.sampled_from([0.2, 0.5, 1.0]))
    limit = int(Fraction(str(suppress)) * len(table.records))
    nodes = oracle.look_everywhere(table, k)
    if not oracle.best_nodes(table, nodes, limit, MEASURES[utility]):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal_lattice, "LARGEST_LATTICE", 0)
        found = OptimalLattice(suppress).search(problem_of(table, k), utility)
    assert_optimal(found, table, nodes, limit, utility)


def crowd(seed: int) -> oracle.Table:
    """A table of correlated columns, large enough that bounds and climbs decide the search."""
    generator = np.random.default_rng(seed)
    person = generator.normal(size=150)
    records = []
    for latent in person:
        noise = generator.normal(scale=0.7, size=4)
        records.append(tuple(int(np.clip(4 + 2 * (latent + shift), 0, 7)) for shift in noise))
    paths = tuple(tuple((code, code // 2, code // 4, 0) for code in range(8)) for _ in range(4))
    leaves = tuple(tuple(dict.fromkeys(range(n), 8 // n) for n in (8, 4, 2, 1)) for _ in range(4))
    return oracle.Table(tuple(records), None, paths, (8,) * 4, leaves)


@cache
def crowd_and_its_nodes(seed: int, k: int) -> tuple[oracle.Table, list[oracle.Node]]:
    return crowd(seed), oracle.look_everywhere(crowd(seed), k)


@pytest.mark.parametrize("utility", MEASURES, ids=str)
@pytest.mark.parametrize(("seed", "k", "suppress"), [(1, 3, 0.1), (2, 5, 0.3), (3, 4, 1.0), (4, 2, 0.0)])
def test_larger_tables_have_their_optimum_found(utility: Utility, seed: int, k: int, suppress: float) -> None:
    table, nodes = crowd_and_its_nodes(seed, k)
    found = OptimalLattice(suppress).search(problem_of(table, k), utility)
    assert_optimal(found, table, nodes, int(Fraction(str(suppress)) * 150), utility)


def _persons(table: oracle.Table) -> int:
    return len(table.records) if table.people is None else len(set(table.people))


def ladder(name: str, *levels: list[int]) -> Ladder:
    """Build a ladder from the group of every value, level by level."""
    values = len(levels[0])
    labels, leaves = [], []
    for level in levels:
        count = max(level) + 1
        labels.append(tuple(f"{name}{g}" for g in range(count)))
        leaves.append(np.array([level.count(g) for g in range(count)], np.float64))
    return Ladder(name, np.array(levels, np.int32), tuple(labels), tuple(leaves), values)


def problem(columns: list[Ladder], tuples: list[tuple[int, ...]], rows: list[int], k: int) -> Problem:
    """Build a problem in which every row is a person."""
    domains = tuple(
        Domain(
            column.name,
            tuple(range(column.rungs.shape[1])),
            Scale.NUMBER,
            np.arange(column.rungs.shape[1], dtype=float),
        )
        for column in columns
    )
    counts = np.array(rows, np.int64)
    cells = Cells(domains, np.array(tuples, np.int32).T.copy(), counts, counts)
    return Problem(cells, tuple(columns), (Rule(RuleKind.MIN_PERSONS, (k,), True),))


def halves(k: int, rows: list[int]) -> Problem:
    """One column of four values, which pair up at level 1 and are all one at level 2."""
    column = ladder("age", [0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0])
    return problem([column], [(0,), (1,), (2,), (3,)], rows, k)


def test_a_suppression_limit_of_seven_percent_of_a_hundred_rows_is_seven_rows() -> None:
    assert OptimalLattice(0.07).most_suppressed(100) == 7
    assert OptimalLattice(0.29).most_suppressed(100) == 29
    assert OptimalLattice(0.05).most_suppressed(30162) == 1508


def test_suppression_exactly_at_the_limit_is_allowed_and_one_row_more_is_not() -> None:
    case = halves(3, [1, 1, 9, 9])
    assert OptimalLattice(0.1).search(case, Height()).levels == (0,)
    assert OptimalLattice(0.099).search(case, Height()).levels == (2,)


def test_a_table_that_is_already_anonymous_is_left_alone() -> None:
    found = OptimalLattice().search(halves(2, [2, 2, 2, 2]), Loss())
    assert found.levels == (0,)
    assert found.score == 0.0
    assert found.columns[0].extent.tolist() == [0.0] * 4
    assert found.columns[0].span == 3.0


def test_single_rows_that_pair_up_are_generalised_one_level() -> None:
    found = OptimalLattice().search(halves(2, [1, 1, 1, 1]), Loss())
    assert found.levels == (1,)
    assert found.classes.tolist() == [0, 0, 1, 1]
    assert found.boxes.tolist() == [[0, 1]]
    assert found.columns[0].labels == ("age0", "age1")
    assert found.columns[0].extent.tolist() == [1.0, 1.0]
    assert found.details["lattice_nodes"] == 3


def test_of_equal_scores_the_one_that_suppresses_fewer_rows_wins() -> None:
    first = ladder("a", [0, 1], [0, 0])
    second = ladder("b", [0, 1], [0, 0])
    case = problem([first, second], [(0, 0), (0, 1), (1, 0)], [2, 1, 4], 2)
    found = OptimalLattice(0.2).search(case, Height())
    assert found.levels == (0, 0)
    assert found.suppressed_rows == 1
    tighter = OptimalLattice(0.1).search(case, Height())
    assert (tighter.levels, tighter.suppressed_rows) == ((0, 1), 0)


def test_columns_without_a_step_to_climb_are_searched_too() -> None:
    flat = ladder("sex", [0, 1])
    case = problem([flat], [(0,), (1,)], [3, 4], 3)
    assert OptimalLattice().search(case, Loss()).levels == (0,)


def test_the_same_problem_has_the_same_answer_every_time() -> None:
    case = halves(2, [1, 2, 1, 3])
    answers = [OptimalLattice(0.2).search(case, Loss()) for _ in range(3)]
    assert len({answer.levels for answer in answers}) == 1
    assert len({answer.details["checked_nodes"] for answer in answers}) == 1


def test_a_column_without_a_hierarchy_is_refused_by_name() -> None:
    case = halves(2, [1, 1, 1, 1])
    bare = Problem(case.cells, (None,), case.rules)
    with pytest.raises(BadInput, match=r"column 'age': .* needs a hierarchy"):
        OptimalLattice().search(bare, Loss())


def test_k_larger_than_the_table_is_refused_with_the_largest_possible_k() -> None:
    with pytest.raises(
        PromiseNotMet, match="k = 9 is larger than the number of persons, 8; k can be at most 8"
    ):
        OptimalLattice(1.0).search(halves(9, [2, 2, 2, 2]), Loss())


def test_an_impossible_k_names_the_largest_k_and_the_suppression_that_would_work() -> None:
    column = ladder("sex", [0, 1], [0, 1])
    case = problem([column], [(0,), (1,)], [3, 17], 5)
    with pytest.raises(PromiseNotMet) as caught:
        OptimalLattice(0.1).search(case, Loss())
    assert "3 of 20 rows in classes of fewer than 5 persons, and 2 may be suppressed" in str(caught.value)
    assert "k ≤ 3 would work, or suppress ≥ 0.15" in str(caught.value)
    assert OptimalLattice(0.15).search(case, Loss()).suppressed_rows == 3
    assert (
        OptimalLattice(0.1).search(problem([column], [(0,), (1,)], [3, 17], 3), Loss()).suppressed_rows == 0
    )


@pytest.mark.parametrize(
    "wrong", [{"suppress": -0.1}, {"suppress": 1.1}, {"time_limit": 0.0}, {"suppress": float("nan")}]
)
def test_parameters_outside_their_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        OptimalLattice(**wrong)


def test_an_unknown_aggregate_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(BadInput, match="did you mean 'geometric mean'"):
        Loss("geometric means")


def wide_problem(k: int) -> Problem:
    """Seven columns of 1,024 values need 70 bits: more than one word."""
    generator = np.random.default_rng(7)
    columns, codes = [], []
    for j in range(7):
        values = list(range(1024))
        columns.append(ladder(f"c{j}", values, [value // 32 for value in values], [0] * 1024))
        codes.append(np.concatenate([generator.integers(0, 1024, 300), [1023, 0]]))
    tuples = sorted({tuple(int(code) for code in row) for row in zip(*codes, strict=True)})
    return problem(columns, tuples, [1 + sum(row) % 3 for row in tuples], k)


def test_keys_of_more_than_one_word_give_the_classes_that_tuples_give() -> None:
    case = wide_problem(4)
    found = OptimalLattice(0.9).search(case, Discernibility())
    assert found.levels is not None
    shown = [
        tuple(
            int(column.rungs[level][code])
            for column, level, code in zip(case.ladders, found.levels, cell, strict=True)
        )
        for cell in case.cells.codes.T
    ]
    size: dict[tuple[int, ...], int] = {}
    for row, rows in zip(shown, case.cells.rows.tolist(), strict=True):
        size[row] = size.get(row, 0) + rows
    for c, row in enumerate(shown):
        assert (found.classes[c] == SUPPRESSED) == (size[row] < 4)
    total = case.cells.total_rows
    lost = sum(rows for rows in size.values() if rows < 4)
    assert found.score == sum(rows**2 for rows in size.values() if rows >= 4) + total * lost


def test_the_time_limit_leaves_a_proven_bound() -> None:
    found = OptimalLattice(0.9, time_limit=1e-6).search(wide_problem(4), Loss())
    assert not found.optimal
    assert isinstance(found.bound, float)
    assert isinstance(found.score, float)
    best = OptimalLattice(0.9).search(wide_problem(4), Loss())
    assert isinstance(best.score, float)
    assert best.optimal
    assert found.bound <= best.score <= found.score
