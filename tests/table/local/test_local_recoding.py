from __future__ import annotations

import inspect
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.judge import Judge
from sfumato.table.methods import local_recoding_moves, local_recoding_rest, local_recoding_sweep
from sfumato.table.methods.local_recoding import LocalRecoding
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.methods.local_recoding_moves import move
from sfumato.table.methods.local_recoding_rest import reopen
from sfumato.table.methods.local_recoding_split import split
from sfumato.table.methods.local_recoding_sweep import nodes_of, sweep
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
from sfumato.table.utility.class_size import Discernibility
from sfumato.table.utility.loss import Loss
from sfumato.table.utility.measures import loss_metric
from sfumato.table.utility.separable import Aggregate
from tests.oracles import lattice, local_recoding
from tests.table.local.tables import histogram_of, persons_rule

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
shares = st.sampled_from([0.0, 0.1, 0.3, 1.0])


@QUICK
@given(lattice.tables(), st.integers(1, 5), shares)
def test_every_class_has_k_persons_and_every_label_is_true(
    table: lattice.Table, k: int, suppress: float
) -> None:
    cells, ladders = lattice.cells_of(table)
    problem = Problem(cells, ladders, persons_rule(k))
    try:
        solution = LocalRecoding(suppress).search(problem, Loss())
    except PromiseNotMet:
        with pytest.raises(PromiseNotMet):
            OptimalLattice(suppress).search(problem, Loss())
        return
    shown = local_recoding.shown_records(table, solution)
    assert all(count >= k for count in local_recoding.persons_of_classes(table, shown))
    assert sum(row is None for row in shown) <= OptimalLattice(suppress).most_suppressed(len(table.records))
    for record, row in zip(table.records, shown, strict=True):
        assert row is None or local_recoding.is_on_the_path(table, record, row)


@QUICK
@given(lattice.tables(), st.integers(1, 5), shares)
def test_it_is_never_worse_than_the_optimal_node(table: lattice.Table, k: int, suppress: float) -> None:
    cells, ladders = lattice.cells_of(table)
    problem = Problem(cells, ladders, persons_rule(k))
    for utility in (Loss(Aggregate.ARITHMETIC_MEAN), Discernibility()):
        try:
            whole = OptimalLattice(suppress).search(problem, utility)
        except PromiseNotMet:
            return
        solution = LocalRecoding(suppress).search(problem, utility)
        lost = local_recoding.loss_metric(table, local_recoding.shown_records(table, solution))
        before = local_recoding.loss_metric(table, local_recoding.shown_records(table, whole))
        assert lost <= before + 1e-12
        assert solution.details["loss"] == pytest.approx(lost)
        assert solution.details["loss_of_whole_columns"] == pytest.approx(before)


@QUICK
@given(lattice.tables(persons=True), st.integers(1, 4))
def test_persons_are_counted_once_in_a_class(table: lattice.Table, k: int) -> None:
    cells, ladders = lattice.cells_of(table)
    try:
        solution = LocalRecoding(0.3).search(Problem(cells, ladders, persons_rule(k)), Loss())
    except PromiseNotMet:
        return
    shown = local_recoding.shown_records(table, solution)
    assert all(count >= k for count in local_recoding.persons_of_classes(table, shown))


@QUICK
@given(lattice.tables(), st.integers(1, 5))
def test_two_runs_agree(table: lattice.Table, k: int) -> None:
    cells, ladders = lattice.cells_of(table)
    problem = Problem(cells, ladders, persons_rule(k))
    try:
        one, two = (LocalRecoding().search(problem, Loss()) for _ in range(2))
    except PromiseNotMet:
        return
    assert np.array_equal(one.classes, two.classes)
    assert np.array_equal(one.boxes, two.boxes)


RULES = [
    Rule(RuleKind.DISTINCT, (2,), True, "ill"),
    Rule(RuleKind.ENTROPY, (3, 2), True, "ill"),
    Rule(RuleKind.CLOSE_EQUAL, (1, 4), True, "ill"),
    Rule(RuleKind.MAX_SHARE, (2, 3), True, "ill"),
    Rule(RuleKind.DISCLOSURE, (1, 1), False, "ill"),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=lattice.tables(), data=st.data(), suppress=shares)
def test_rules_about_sensitive_values_are_kept(
    rule: Rule, table: lattice.Table, data: st.DataObject, suppress: float
) -> None:
    cells, ladders = lattice.cells_of(table)
    ill = data.draw(
        st.lists(st.sampled_from("abc"), min_size=len(table.records), max_size=len(table.records))
    )
    assume(len(set(ill)) > 1)
    cells = replace(cells, histograms=(histogram_of(table.records, Domain.of("ill", ill), ill),))
    problem = Problem(cells, ladders, (*persons_rule(2), rule))
    try:
        whole = OptimalLattice(suppress).search(problem, Loss(Aggregate.ARITHMETIC_MEAN))
    except PromiseNotMet:
        return
    solution = LocalRecoding(suppress).search(problem, Loss(Aggregate.ARITHMETIC_MEAN))
    assert Judge.of(problem).satisfied(solution.classes, solution.boxes.shape[1]).all()
    assert loss_metric(solution) <= loss_metric(whole) + 1e-12
    assert solution.suppressed_rows <= OptimalLattice(suppress).most_suppressed(len(table.records))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=lattice.tables(), data=st.data(), limit=st.integers(0, 3))
def test_classes_are_reopened_until_the_rest_keeps_the_rules(
    rule: Rule, table: lattice.Table, data: st.DataObject, limit: int
) -> None:
    cells, ladders = lattice.cells_of(table)
    ill = data.draw(
        st.lists(st.sampled_from("abc"), min_size=len(table.records), max_size=len(table.records))
    )
    assume(len(set(ill)) > 1)
    cells = replace(cells, histograms=(histogram_of(table.records, Domain.of("ill", ill), ill),))
    layout, judge = Layout.of(cells, ladders), Judge.of(Problem(cells, ladders, (rule,)))
    swept = sweep(layout, judge, SILENT)
    classes = reopen(layout, judge, swept, limit)
    if classes is None:
        # Not even the most general labels alone are enough.
        top = np.array([ladder.rungs[-1][cells.codes[j]] for j, ladder in enumerate(ladders)])
        _, root = np.unique(top, axis=1, return_inverse=True)
        kept = judge.satisfied(root.reshape(-1), int(root.max()) + 1)
        assert cells.rows[~kept[root.reshape(-1)]].sum() > limit
        return
    assert judge.satisfied(classes, int(classes.max()) + 1).all()
    assert cells.rows[classes < 0].sum() <= limit


def test_of_many_cells_that_are_left_none_asks_around(monkeypatch: pytest.MonkeyPatch) -> None:
    # Values 0 and 1 stand alone with one illness each; only everybody together is diverse enough.
    records = ((0,), (0,), (1,), (1,), (2,), (2,))
    ill = ["a", "a", "b", "b", "a", "b"]
    path = ((0, 0), (1, 0), (2, 0))
    table = lattice.Table(records, None, (path,), (3,), (({0: 1, 1: 1, 2: 1}, {0: 3}),))
    cells, ladders = lattice.cells_of(table)
    cells = replace(cells, histograms=(histogram_of(records, Domain.of("ill", ill), ill),))
    problem = Problem(cells, ladders, (Rule(RuleKind.MAX_SHARE, (1, 2), True, "ill"),))
    monkeypatch.setattr(local_recoding_rest, "MOST_CELLS", 0)
    solution = LocalRecoding().search(problem, Loss())
    shown = local_recoding.shown_records(table, solution)
    assert shown == [("1:0",)] * 4 + [("0:2",)] * 2


def test_classes_that_show_the_same_and_break_a_rule_together_are_not_published() -> None:
    # The label x stands for one value and for a group. Alone {b} and {a × 5, c × 5} are close enough to the
    # whole table, which is a quarter a, half b, a quarter c; together b would be too rare among them.
    records = (("x",),) + (("y",),) * 5 + (("z",),) * 5 + (("w",),) * 9
    ill = ["b"] + ["a"] * 5 + ["c"] * 5 + ["b"] * 9
    domain = Domain.of("code", [record[0] for record in records])
    assert domain.values == ("w", "x", "y", "z")
    rows = np.array([9, 1, 5, 5], np.int64)
    cells = Cells((domain,), np.array([[0, 1, 2, 3]], np.int32), rows, rows)
    cells = replace(cells, histograms=(histogram_of(records, Domain.of("ill", ill), ill),))
    ladder = Ladder(
        "code",
        np.array([[0, 1, 2, 3], [0, 1, 1, 1], [0, 0, 0, 0]], np.int32),
        (("w", "x", "y", "z"), ("w", "x"), ("*",)),
        (np.ones(4), np.array([1.0, 3.0]), np.array([4.0])),
        4,
    )
    problem = Problem(cells, (ladder,), (Rule(RuleKind.DISCLOSURE, (2, 1), False, "ill"),))
    swept = sweep(Layout.of(cells, (ladder,)), Judge.of(problem), SILENT)
    assert swept.number == 3
    solution = LocalRecoding().search(problem, Loss())
    assert solution.columns[0].labels[solution.boxes[0, solution.classes[0]]] == "*"
    assert Judge.of(problem).satisfied(solution.classes, solution.boxes.shape[1]).all()


@QUICK
@given(lattice.tables(), st.integers(1, 5))
def test_divided_classes_stay_inside_their_class_and_keep_the_rules(table: lattice.Table, k: int) -> None:
    cells, ladders = lattice.cells_of(table)
    problem = Problem(cells, ladders, persons_rule(k))
    try:
        whole = OptimalLattice().search(problem, Loss())
    except PromiseNotMet:
        return
    layout, judge = Layout.of(cells, ladders), Judge.of(problem)
    before = np.array(whole.classes)
    parts, number = split(layout, judge, before, whole.boxes.shape[1])
    assert judge.satisfied(parts, number).all()
    assert all(len(set(before[parts == i].tolist())) == 1 for i in range(number))
    lost = layout.loss(parts, layout.close(parts, number))
    assert lost <= layout.loss(before, layout.close(before, whole.boxes.shape[1])) + 1e-12


@QUICK
@given(lattice.tables(most_rows=8))
def test_the_nodes_lead_from_the_bottom_to_the_top_and_none_twice(table: lattice.Table) -> None:
    cells, ladders = lattice.cells_of(table)
    nodes = nodes_of(Layout.of(cells, ladders))
    listed = [tuple(levels) for levels in nodes.tolist()]
    assert set(listed) == set(table.nodes())
    assert len(listed) == len(set(listed))
    losses = [
        sum(
            local_recoding.loss_metric(
                table,
                [
                    tuple(
                        f"{level}:{path[level]}"
                        for level, path in zip(
                            levels, [table.paths[j][record[j]] for j in range(len(levels))], strict=True
                        )
                    )
                ],
            )
            for record in table.records
        )
        for levels in listed
    ]
    # A record alone is a table of one row, so each loss is a mean over columns.
    assert losses == sorted(losses) or np.allclose(losses, sorted(losses))


def test_of_many_nodes_those_near_the_front_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    records = tuple((a, b) for a in range(4) for b in range(4) for _ in range(1 + a * b))
    path = tuple((code, code // 2, 0) for code in range(4))
    leaves = ({0: 1, 1: 1, 2: 1, 3: 1}, {0: 2, 1: 2}, {0: 4})
    table = lattice.Table(records, None, (path, path), (4, 4), (leaves, leaves))
    layout = Layout.of(*lattice.cells_of(table))
    everywhere = {tuple(levels) for levels in nodes_of(layout).tolist()}
    monkeypatch.setattr(local_recoding_sweep, "MOST_NODES", 4)
    monkeypatch.setattr(local_recoding_sweep, "FEWEST_NODES", 4)
    few = [tuple(levels) for levels in nodes_of(layout).tolist()]
    assert len(few) == 4
    assert set(few) < everywhere
    assert few[0] == (0, 0)
    assert few[-1] == (2, 2)


def test_a_record_that_stands_alone_is_generalised_and_the_others_are_not() -> None:
    # Six people in two exact classes, and one whose neighbour in the hierarchy is value 1.
    records = ((0,), (0,), (0,), (1,), (1,), (1,), (2,))
    path = ((0, 0, 0), (1, 1, 0), (2, 1, 0), (3, 0, 0))
    leaves = ({0: 1, 1: 1, 2: 1, 3: 1}, {0: 2, 1: 2}, {0: 4})
    table = lattice.Table(records, None, (path,), (4,), (leaves,))
    cells, ladders = lattice.cells_of(table)
    solution = LocalRecoding().search(Problem(cells, ladders, persons_rule(3)), Loss())
    shown = local_recoding.shown_records(table, solution)
    assert shown[:3] == [("0:0",)] * 3
    assert shown[3:] == [("1:1",)] * 4


def test_the_parameters_are_those_of_the_optimal_lattice() -> None:
    for wrong in ({"suppress": 1.5}, {"time_limit": 0.0}):
        with pytest.raises(BadInput):
            LocalRecoding(**wrong)
    assert list(inspect.signature(LocalRecoding).parameters) == ["suppress", "time_limit"]


def test_a_dear_class_dissolves_where_all_lose_less_by_it() -> None:
    # {25 F, 25 F}, {26 F} and {58 M, 58 M} with k = 2: the one left over must not drag others to the top.
    paths = (((0, 0, 0), (1, 0, 0), (2, 1, 0)), ((0, 0), (1, 0)))
    leaves = (({0: 1, 1: 1, 2: 1}, {0: 2, 1: 1}, {0: 3}), ({0: 1, 1: 1}, {0: 2}))
    records = ((0, 0), (0, 0), (1, 0), (2, 1), (2, 1))
    table = lattice.Table(records, None, paths, (3, 2), leaves)
    cells, ladders = lattice.cells_of(table)
    layout, judge = Layout.of(cells, ladders), Judge.of(Problem(cells, ladders, persons_rule(2)))
    # The dearest way to begin: the second record with the third, so that both say nothing.
    dear = np.array([0, 1, 1], np.int32)
    moved = move(layout, judge, dear, 2)
    assert moved[0] == moved[1]
    assert moved[2] != moved[1]
    assert layout.loss(moved, layout.close(moved, 2)) < layout.loss(dear, layout.close(dear, 2))


def test_with_too_many_classes_nothing_is_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = (((0, 0), (1, 0)),)
    table = lattice.Table(((0,), (1,)), None, paths, (2,), (({0: 1, 1: 1}, {0: 2}),))
    cells, ladders = lattice.cells_of(table)
    layout, judge = Layout.of(cells, ladders), Judge.of(Problem(cells, ladders, persons_rule(1)))
    together = np.array([0, 0], np.int32)
    monkeypatch.setattr(local_recoding_moves, "BUDGET", 1)
    assert move(layout, judge, together, 1) is together
