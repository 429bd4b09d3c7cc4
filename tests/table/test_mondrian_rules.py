"""Mondrian under any rules: every class satisfies them by definition, and cuts are made where they can be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import PromiseNotMet
from sfumato.table.methods.mondrian import Mondrian
from sfumato.table.rule import Rule
from sfumato.table.rule import RuleKind as Kind
from sfumato.table.solution import SUPPRESSED, Problem, Solution
from tests.oracles import lattice
from tests.oracles import rules as oracle
from tests.oracles.mondrian import covers
from tests.table.test_mondrian import METHODS
from tests.table.test_rules_search import refused

SOME = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def problem_of(data: oracle.Watched, rules: tuple[Rule, ...], ordered: bool, laddered: bool) -> Problem:
    """Count a table; its columns are numbers or categories, with a hierarchy or without."""
    problem = oracle.problem_of(data, rules)
    if ordered:
        domains = tuple(Domain.of(domain.name, range(len(domain))) for domain in problem.cells.domains)
        problem = replace(problem, cells=replace(problem.cells, domains=domains))
    return problem if laddered else replace(problem, ladders=(None,) * len(problem.ladders))


def assert_kept(found: Solution, data: oracle.Watched, rules: tuple[Rule, ...]) -> None:
    """Every class holds by definition, nothing is suppressed, and labels cover what is in their class."""
    class_of = {
        tuple(cell): int(c) for cell, c in zip(found.cells.codes.T.tolist(), found.classes, strict=True)
    }
    assert SUPPRESSED not in class_of.values()
    rows = list(zip(data.table.records, data.people, data.known, data.sensitive, strict=True))
    for c in range(found.boxes.shape[1]):
        members = tuple(
            (person, known, value) for record, person, known, value in rows if class_of[record] == c
        )
        assert members
        matching = sum(class_of.get(record) == c for record in data.population)
        for rule in rules:
            assert oracle.holds(rule, oracle.Class(members, matching), data), rule
    shown = [column.labels for column in found.columns]
    boxes = {tuple(box) for box in found.boxes.T.tolist()}
    assert len(boxes) == found.boxes.shape[1]
    for cell, c in class_of.items():
        for j, domain in enumerate(found.cells.domains):
            if np.isnan(found.columns[j].levels).all():
                assert covers(shown[j][found.boxes[j, c]], domain.values[cell[j]])


@pytest.mark.parametrize("method", METHODS, ids=str)
@SOME
@given(data=st.data())
def test_every_class_satisfies_all_rules(method: Mondrian, data: st.DataObject) -> None:
    watched = data.draw(oracle.watched(most_rows=40))
    rules = data.draw(st.sampled_from([rules for some in oracle.ANY_RULE.values() for rules in some]))
    if refused(rules, watched):
        return
    problem = problem_of(watched, rules, data.draw(st.booleans()), data.draw(st.booleans()))
    whole = oracle.Class(
        tuple(zip(watched.people, watched.known, watched.sensitive, strict=True)), len(watched.population)
    )
    if not all(oracle.holds(rule, whole, watched) for rule in rules):
        with pytest.raises(PromiseNotMet):
            method.search(problem)
        return
    assert_kept(method.search(problem), watched, rules)


@SOME
@given(data=st.data())
def test_persons_with_rows_in_several_boxes_count_once_in_each(data: st.DataObject) -> None:
    watched = data.draw(oracle.watched(persons=True, most_rows=30))
    rules = (
        Rule(Kind.MIN_PERSONS, (2,), True),
        Rule(Kind.DISTINCT, (2,), True, "value"),
        Rule(Kind.PRESENCE, (0, 1, 3, 4), True),
    )
    if refused(rules, watched):
        return
    try:
        found = Mondrian(strict=data.draw(st.booleans())).search(problem_of(watched, rules, True, False))
    except PromiseNotMet:
        return
    assert_kept(found, watched, rules)


def along_a_line(values: list[int]) -> oracle.Watched:
    """Records 0, 1, 2, … along one axis with these sensitive values."""
    count = len(values)
    paths = tuple((code,) for code in range(count))
    table = lattice.Table(
        tuple((code,) for code in range(count)),
        None,
        (paths,),
        (count,),
        ((dict.fromkeys(range(count), 1),),),
    )
    return oracle.Watched(table, tuple(values), ("any",) * count, table.records, oracle.TREE)


def sizes(found: Solution) -> list[int]:
    return [int(size) for size in np.bincount(found.classes)]


DIVERSE = (Rule(Kind.DISTINCT, (2,), True, "value"),)


def test_a_diverse_line_is_cut_down_to_pairs() -> None:
    found = Mondrian().search(problem_of(along_a_line([0, 1, 0, 1, 0, 1, 0, 1]), DIVERSE, True, False))
    assert found.classes.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_where_the_median_cut_breaks_a_rule_the_next_is_tried() -> None:
    line = along_a_line([0, 1, 0, 0, 0, 0, 0, 0])
    assert sizes(Mondrian().search(problem_of(line, DIVERSE, True, False))) == [8]
    line = along_a_line([0, 1, 0, 1, 1, 1, 1, 1])
    found = Mondrian().search(problem_of(line, DIVERSE, True, False))
    assert found.classes.tolist() == [0, 0, 1, 1, 1, 1, 1, 1]


def test_a_table_that_breaks_a_rule_as_a_whole_is_refused_by_column() -> None:
    line = along_a_line([0, 0, 0, 0, 1])
    rule = Rule(Kind.ENTROPY, (2, 1), True, "value")
    with pytest.raises(
        PromiseNotMet, match=r"column 'value': even all records as one class break the entropy"
    ):
        Mondrian().search(problem_of(line, (rule,), True, False))


def test_a_box_covers_the_population_that_it_counts() -> None:
    data = replace(along_a_line([0, 1, 0, 1]), population=tuple((code,) for code in (0, 1, 1, 2, 3, 3)))
    rules = (Rule(Kind.MIN_POPULATION, (3,), True),)
    found = Mondrian().search(problem_of(data, rules, True, False))
    assert found.classes.tolist() == [0, 0, 1, 1]
    assert [found.columns[0].labels[box] for box in found.boxes[0]] == ["[0-1]", "[2-3]"]


def test_classes_that_show_the_same_satisfy_a_rule_that_is_not_monotone_together() -> None:
    """Values below one node part in two boxes, which both show the node: they are one class."""
    paths = tuple((code, 0) for code in range(4))
    leaves = (dict.fromkeys(range(4), 1), {0: 4})
    table = lattice.Table(
        tuple((code,) for code in (0, 0, 1, 1, 2, 2, 3, 3)), None, (paths,), (4,), (leaves,)
    )
    data = oracle.Watched(table, (0, 7, 0, 7, 1, 7, 2, 7), ("7",) * 8, table.records, oracle.TREE)
    rules = (Rule(Kind.NEIGHBOURHOOD, (1, 1, 2, 0), False, "value"),)
    found = Mondrian(output="hierarchy").search(problem_of(data, rules, False, True))
    assert_kept(found, data, rules)
