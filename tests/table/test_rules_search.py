"""Searches under any rules on classes, against every node of small lattices, judged by definition."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.table.methods import optimal_lattice
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.rule import Rule
from sfumato.table.rule import RuleKind as Kind
from sfumato.table.solution import SUPPRESSED, Solution
from sfumato.table.utility.contract import Utility
from sfumato.table.utility.loss import Loss
from tests.oracles import lattice as nodes_oracle
from tests.oracles import rules as oracle
from tests.table.test_optimal_lattice import MEASURES, same

FEW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def refused(rules: tuple[Rule, ...], data: oracle.Watched) -> bool:
    """Whether a rule asks for more values than there are, or for values that do not occur."""
    return any(
        values_needed(rule) > len(set(data.sensitive))
        or not set(rule.values) <= {str(value) for value in data.sensitive}
        for rule in rules
    )


def values_needed(rule: Rule) -> Fraction:
    """Return how many different values every class has at least that satisfies a rule of diversity."""
    match rule.kind:
        case Kind.DISTINCT:
            return Fraction(rule.parameters[0])
        case Kind.RECURSIVE:
            return Fraction(rule.parameters[2])
        case Kind.ENTROPY:
            return oracle.fraction(rule)
        case Kind.MAX_SHARE if not rule.values:
            return 1 / oracle.fraction(rule)
    return Fraction(0)


def solved(
    data: oracle.Watched, rules: tuple[Rule, ...], suppress: float, utility: Utility
) -> Solution | None:
    """Search; None when a promise cannot be kept."""
    try:
        return OptimalLattice(suppress).search(oracle.problem_of(data, rules), utility)
    except PromiseNotMet:
        return None


def assert_best(
    found: Solution | None, data: oracle.Watched, rules: tuple[Rule, ...], suppress: float, utility: Utility
) -> None:
    """The score is the best of all nodes, and the classes are those of the node."""
    limit = int(Fraction(str(suppress)) * len(data.sensitive))
    nodes = oracle.look_everywhere(data, rules)
    ranked = nodes_oracle.best_nodes(data.table, nodes, limit, MEASURES[utility])
    k = max([1, *(rule.parameters[0] for rule in rules if rule.kind is Kind.MIN_PERSONS)])
    if not ranked or k > len(set(data.people)):
        assert found is None
        return
    assert found is not None
    assert found.levels is not None
    assert same(found.score, ranked[0][0])
    tied = [(suppressed, levels) for score, suppressed, levels in ranked if same(score, ranked[0][0])]
    assert (found.suppressed_rows, found.levels) in tied
    node, _ = oracle.look(data, found.levels, rules)
    for c, cell in enumerate(found.cells.codes.T.tolist()):
        row = tuple(data.table.paths[j][code][found.levels[j]] for j, code in enumerate(cell))
        assert (found.classes[c] == SUPPRESSED) == (row not in node.kept)
        if row in node.kept:
            assert tuple(found.boxes[:, found.classes[c]].tolist()) == row


@pytest.mark.parametrize("rules", [rules for some in oracle.ANY_RULE.values() for rules in some], ids=str)
@FEW
@given(data=st.data())
def test_the_best_of_all_nodes_is_found_under_any_rule(rules: tuple[Rule, ...], data: st.DataObject) -> None:
    watched = data.draw(oracle.watched())
    suppress = data.draw(st.sampled_from([0.0, 0.1, 0.3, 0.6, 1.0]))
    utility = data.draw(st.sampled_from(list(MEASURES)))
    if refused(rules, watched):
        with pytest.raises(BadInput):
            solved(watched, rules, suppress, utility)
        return
    found = solved(watched, rules, suppress, utility)
    assert_best(found, watched, rules, suppress, utility)


@settings(FEW, max_examples=80)
@given(data=st.data())
def test_branch_and_bound_finds_the_best_node_under_any_rule(data: st.DataObject) -> None:
    watched = data.draw(oracle.watched())
    rules = data.draw(st.sampled_from([rules for some in oracle.ANY_RULE.values() for rules in some]))
    suppress = data.draw(st.sampled_from([0.0, 0.3, 1.0]))
    utility = data.draw(st.sampled_from(list(MEASURES)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal_lattice, "LARGEST_LATTICE", 0)
        if refused(rules, watched):
            return
        found = solved(watched, rules, suppress, utility)
    assert_best(found, watched, rules, suppress, utility)


@settings(FEW, max_examples=60)
@given(data=st.data())
def test_persons_with_rows_in_several_classes_count_once_in_each(data: st.DataObject) -> None:
    watched = data.draw(oracle.watched(persons=True))
    rules = data.draw(
        st.sampled_from(
            [
                (Rule(Kind.MIN_PERSONS, (2,), True), Rule(Kind.DISTINCT, (2,), True, "value")),
                (Rule(Kind.MIN_PERSONS, (3,), True), Rule(Kind.RANGE, (2, 1), True, "value")),
                (Rule(Kind.MIN_PERSONS, (2,), True), Rule(Kind.MIN_POPULATION, (4,), True)),
            ]
        )
    )
    suppress = data.draw(st.sampled_from([0.0, 0.2, 1.0]))
    utility = data.draw(st.sampled_from(list(MEASURES)))
    if refused(rules, watched):
        return
    found = solved(watched, rules, suppress, utility)
    assert_best(found, watched, rules, suppress, utility)


def crowd(seed: int) -> oracle.Watched:
    """A table of correlated columns and a sensitive one, large enough that bounds decide the search."""
    generator = np.random.default_rng(seed)
    records, values = [], []
    for latent in generator.normal(size=150):
        noise = generator.normal(scale=0.7, size=4)
        records.append(tuple(int(np.clip(2 + latent + shift, 0, 3)) for shift in noise[:3]))
        values.append(oracle.NUMBERS[int(np.clip(2 + latent + noise[3], 0, 4))])
    paths = tuple(tuple((code, code // 2, 0) for code in range(4)) for _ in range(3))
    leaves = tuple(tuple(dict.fromkeys(range(n), 4 // n) for n in (4, 2, 1)) for _ in range(3))
    table = nodes_oracle.Table(tuple(records), None, paths, (4,) * 3, leaves)
    known = tuple(generator.choice(["low", "7", "any"], 150).tolist())
    return oracle.Watched(table, tuple(values), known, tuple(records) * 2, oracle.TREE)


@pytest.mark.parametrize("utility", list(MEASURES)[::6], ids=str)
@pytest.mark.parametrize("suppress", [0.0, 0.1, 0.4, 1.0])
@pytest.mark.parametrize("rules", [some[0] for some in oracle.ANY_RULE.values()], ids=str)
def test_larger_tables_have_their_best_node_found_under_any_rule(
    rules: tuple[Rule, ...], suppress: float, utility: Utility
) -> None:
    watched = crowd(1)
    found = solved(watched, rules, suppress, utility)
    assert_best(found, watched, rules, suppress, utility)


def halves(values: list[int], *, rooted: bool) -> oracle.Watched:
    """Records in two cells, the first half of the values in one; they meet at level 1 if ``rooted``."""
    count = len(values)
    records = tuple((int(2 * i >= count),) for i in range(count))
    paths = (((0, 0), (1, 0 if rooted else 1)),)
    top = {0: 2} if rooted else {0: 1, 1: 1}
    table = nodes_oracle.Table(records, None, paths, (2,), (({0: 1, 1: 1}, top),))
    return oracle.Watched(table, tuple(values), ("any",) * count, records, oracle.TREE)


def test_a_rule_that_the_whole_table_breaks_is_named_with_its_column() -> None:
    rules = (Rule(Kind.ENTROPY, (2, 1), True, "value"),)
    with pytest.raises(PromiseNotMet) as caught:
        OptimalLattice().search(oracle.problem_of(halves([0, 0, 0, 1], rooted=True), rules), Loss())
    assert str(caught.value) == (
        "column 'value': no generalisation keeps the promises with at most 0 of 4 rows suppressed "
        "(suppress = 0): even the whole table as one class breaks the entropy of l = 2 values; "
        "relax this model"
    )


def test_hierarchies_that_stop_short_are_named_when_one_class_would_do() -> None:
    rules = (Rule(Kind.DISTINCT, (2,), True, "value"),)
    with pytest.raises(PromiseNotMet, match=r"let the hierarchies end in '\*'"):
        OptimalLattice().search(oracle.problem_of(halves([0, 0, 1, 1], rooted=False), rules), Loss())
    found = OptimalLattice().search(oracle.problem_of(halves([0, 0, 1, 1], rooted=True), rules), Loss())
    assert found.levels == (1,)


def test_a_rule_that_is_not_monotone_may_hold_below_a_node_where_it_does_not() -> None:
    """Of four, two want 'low' guarded: in a class of their own nobody is below it, and so they are kept."""
    data = halves([0, 0, 4, 7], rooted=True)
    data = replace(data, known=("high", "high", "low", "low"))
    rules = (Rule(Kind.GUARDED, (1, 4), False, "value", ("known",)),)
    assert [node.levels for node in oracle.look_everywhere(data, rules) if not node.suppressed] == [(0,)]
    assert OptimalLattice().search(oracle.problem_of(data, rules), Loss()).levels == (0,)


def test_combinations_that_only_the_population_has_are_left_out_without_a_row() -> None:
    data = replace(halves([0, 1], rooted=False), population=((0,), (0,), (1,)))
    data = replace(data, table=replace(data.table, records=((0,), (0,))))
    found = OptimalLattice().search(oracle.problem_of(data, (Rule(Kind.MIN_POPULATION, (2,), True),)), Loss())
    assert found.classes.tolist() == [0, SUPPRESSED]
    assert found.suppressed_rows == 0


def test_somebody_known_to_be_absent_makes_a_node_invalid_even_when_all_may_be_suppressed() -> None:
    data = replace(halves([0, 1], rooted=True), population=((0,), (0,), (1,)))
    data = replace(data, table=replace(data.table, records=((0,), (0,))))
    rules = (Rule(Kind.PRESENCE, (1, 10, 1, 1), True),)
    assert OptimalLattice(1.0).search(oracle.problem_of(data, rules), Loss()).levels == (1,)
    data = replace(data, table=replace(data.table, paths=(((0, 0), (1, 1)),), leaves=(({0: 1, 1: 1},) * 2,)))
    with pytest.raises(PromiseNotMet):
        OptimalLattice(1.0).search(oracle.problem_of(data, rules), Loss())
