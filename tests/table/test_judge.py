"""The judge of rules against their definitions, at thresholds, and its bounds against all ways to divide."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.table import judge as judging
from sfumato.table.judge import Judge
from sfumato.table.rule import Rule
from sfumato.table.rule import RuleKind as Kind
from tests.oracles import lattice
from tests.oracles import rules as oracle
from tests.table.test_rules_search import refused

ALL_RULES = [rules for some in oracle.ANY_RULE.values() for rules in some]
FEW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def one_class(values: list[int], base: list[int] | None = None) -> oracle.Watched:
    """A table of one column: cell 0 holds ``values``; the rest of ``base`` lies in cell 1."""
    rest = list((Counter(base or values) - Counter(values)).elements())
    records = tuple([(0,)] * len(values) + [(1,)] * len(rest))
    table = lattice.Table(records, None, (((0,), (1,)),), (2,), (({0: 1, 1: 1},),))
    count = len(records)
    return oracle.Watched(table, (*values, *rest), ("any",) * count, records, oracle.TREE)


def judged(values: list[int], rule: Rule, base: list[int] | None = None) -> bool:
    """Say whether the judge finds that a class of these values satisfies a rule."""
    judge = Judge.of(oracle.problem_of(one_class(values, base), (rule,)))
    owner = np.where(np.arange(len(judge.cells)) == 0, 0, -1)
    return bool(judge.satisfied(owner, 1)[0])


def rule_of(kind: Kind, *parameters: int) -> Rule:
    return Rule(kind, parameters, True, "value")


@pytest.mark.parametrize("keys", [0, judging.MOST_KEYS], ids=["as entries", "as a matrix"])
@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
@FEW
@given(data=st.data())
def test_classes_of_any_partition_are_judged_by_definition(
    keys: int, rules: tuple[Rule, ...], data: st.DataObject
) -> None:
    watched = data.draw(oracle.watched())
    if refused(rules, watched):
        return
    problem = oracle.problem_of(watched, rules)
    cells = [tuple(cell) for cell in problem.cells.codes.T.tolist()]
    number = data.draw(st.integers(1, 4))
    some = st.integers(-1, number - 1)
    owner = data.draw(st.lists(some, min_size=len(cells), max_size=len(cells)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "MOST_KEYS", keys)
        judge = Judge.of(problem)
        satisfied = judge.satisfied(np.array(owner), number)
    class_of = dict(zip(cells, owner, strict=True))
    rows = list(zip(watched.table.records, watched.people, watched.known, watched.sensitive, strict=True))
    for c in range(number):
        members = tuple((p, known, value) for record, p, known, value in rows if class_of[record] == c)
        matching = sum(class_of[record] == c for record in watched.population if record in class_of)
        group = oracle.Class(members, matching)
        assert satisfied[c] == all(oracle.holds(rule, group, watched) for rule in rules)


def most_kept(rule: Rule, data: oracle.Watched, pairs: Counter[tuple[str, int]]) -> int:
    """Return how many can stay at most when a class is divided in any way and broken parts are left out."""
    kinds = list(pairs)
    fits = set()
    for counts in itertools.product(*[range(pairs[kind] + 1) for kind in kinds]):
        members = [
            (i, *kind)
            for i, kind in enumerate(k for k, n in zip(kinds, counts, strict=True) for _ in range(n))
        ]
        if members and oracle.holds(rule, oracle.Class(tuple(members), 0), data):
            fits.add(counts)
    unions = {tuple([0] * len(kinds))}
    frontier = list(unions)
    while frontier:
        start = frontier.pop()
        for part in fits:
            union = tuple(a + b for a, b in zip(start, part, strict=True))
            if union not in unions and all(n <= pairs[k] for n, k in zip(union, kinds, strict=True)):
                unions.add(union)
                frontier.append(union)
    return max(sum(union) for union in unions)


@pytest.mark.parametrize("rules", [rules for rules in ALL_RULES if rules[0].column], ids=str)
@FEW
@given(data=st.data())
def test_no_way_to_divide_a_class_keeps_more_than_the_bound_says(
    rules: tuple[Rule, ...], data: st.DataObject
) -> None:
    rule = rules[0]
    watched = data.draw(oracle.watched(most_rows=12))
    if refused((rule,), watched):
        return
    judge = Judge.of(oracle.problem_of(watched, (rule,)))
    inside = data.draw(st.lists(st.booleans(), min_size=len(judge.cells), max_size=len(judge.cells)))
    owner = np.where(inside, 0, -1)
    cells = [tuple(cell) for cell in judge.cells.codes.T.tolist()]
    chosen = {cell for cell, taken in zip(cells, inside, strict=True) if taken}
    rows = zip(watched.table.records, watched.known, watched.sensitive, strict=True)
    shared = bool(rule.known)
    pairs = Counter((known if shared else "", value) for record, known, value in rows if record in chosen)
    if not 0 < sum(pairs.values()) <= 8:
        return
    gone = int(judge.findings(judge.classes(owner, 1)).gone[0])
    total = sum(pairs.values())
    assert gone <= total - most_kept(rule, watched, pairs)
    if rule.kind in (Kind.DISTINCT, Kind.RANGE) and not shared:
        assert gone in (0, total)


@FEW
@given(values=st.lists(st.sampled_from(oracle.NUMBERS), min_size=2, max_size=8), data=st.data())
def test_no_class_of_fewer_rows_than_needed_satisfies(values: list[int], data: st.DataObject) -> None:
    rule = data.draw(
        st.sampled_from([rules[0] for rules in ALL_RULES if rules[0].column and not rules[0].known])
    )
    watched = one_class(values)
    if refused((rule,), watched):
        return
    judge = Judge.of(oracle.problem_of(watched, (rule,)))
    for size in range(1, min(judge.least_rows, 5)):
        for some in itertools.combinations_with_replacement(sorted(set(values)), size):
            members = tuple((i, "any", value) for i, value in enumerate(some))
            assert not oracle.holds(rule, oracle.Class(members, 0), watched)


def test_an_entropy_that_is_exactly_three_is_three() -> None:
    for each in (1, 2, 5, 7, 1000):
        values = [0] * each + [1] * each + [2] * each
        base = [*values, 4]
        assert judged(values, rule_of(Kind.ENTROPY, 3, 1), base)
        assert not judged(values, rule_of(Kind.ENTROPY, 3_000_001, 1_000_000), base)
    # 4, 2, 2 of 8 have an entropy of 1.5 bits, which is that of √8 equally frequent values
    values = [0] * 4 + [1] * 2 + [2] * 2
    assert judged(values, rule_of(Kind.ENTROPY, 28284271, 10**7))
    assert not judged(values, rule_of(Kind.ENTROPY, 28284272, 10**7))


def test_counts_of_eight_and_two_need_c_above_four() -> None:
    values = [0] * 8 + [1] * 2
    assert not judged(values, rule_of(Kind.RECURSIVE, 4, 1, 2))
    assert judged(values, rule_of(Kind.RECURSIVE, 401, 100, 2))
    values = [0] * 8 + [1, 2]
    assert not judged(values, rule_of(Kind.RECURSIVE, 8, 1, 3))
    assert judged(values, rule_of(Kind.RECURSIVE, 801, 100, 3))


@pytest.mark.parametrize("kind", [Kind.CLOSE_EQUAL, Kind.CLOSE_ORDERED, Kind.CLOSE_HIERARCHICAL])
def test_a_distance_of_exactly_t_is_close(kind: Kind) -> None:
    """Half of the table is 0 and half is 1; a class of all 0 is at ½ (or at ¼ in the hierarchy)."""
    top = 4 if kind is Kind.CLOSE_HIERARCHICAL else 2
    base = [0] * 3 + [1] * 3
    assert judged([0, 0], rule_of(kind, 1, top, 1), base)
    assert not judged([0, 0], rule_of(kind, 10**6 - 1, top * 10**6, 1), base)


def test_shares_at_their_bound_hold() -> None:
    assert judged([0, 1, 0, 1], rule_of(Kind.MAX_SHARE, 1, 2))
    assert not judged([0, 1, 0], rule_of(Kind.MAX_SHARE, 1, 2))
    base = [0] * 2 + [1] * 4
    assert judged([0, 0, 1], rule_of(Kind.LIKENESS, 1, 1), base)
    assert not judged([0, 0, 1], rule_of(Kind.LIKENESS, 99, 100), base)
    assert not judged([0, 0, 1], Rule(Kind.DISCLOSURE, (1, 1), False, "value"), base)
    assert judged([0, 0, 1], Rule(Kind.DISCLOSURE, (101, 100), False, "value"), base)


def test_fractions_of_many_digits_are_decided_exactly() -> None:
    third = 333_333_333_333_333_333
    values = [0, 1, 2] * 3
    assert not judged(values, rule_of(Kind.MAX_SHARE, third, 10**18), [*values, 4])
    assert judged(values, rule_of(Kind.MAX_SHARE, third + 1, 10**18), [*values, 4])


def test_the_bounds_are_as_high_as_they_can_be_where_it_is_easy_to_see() -> None:
    def gone(values: list[int], rule: Rule, base: list[int] | None = None) -> int:
        judge = Judge.of(oracle.problem_of(one_class(values, base), (rule,)))
        owner = np.where(np.arange(len(judge.cells)) == 0, 0, -1)
        return int(judge.findings(judge.classes(owner, 1)).gone[0])

    assert gone([0] * 9 + [1], rule_of(Kind.ENTROPY, 2, 1)) == 8
    assert gone([0] * 9 + [1], rule_of(Kind.MAX_SHARE, 1, 2)) == 8
    assert gone([0] * 9 + [1] * 2, rule_of(Kind.RECURSIVE, 2, 1, 2)) == 5
    assert gone([0] * 9 + [1], rule_of(Kind.DISTINCT, 3, 1), [0] * 9 + [1, 2]) == 10
    even = [0] * 10 + [1] * 10
    assert gone([0] * 8 + [1] * 2, rule_of(Kind.CLOSE_EQUAL, 1, 10), even) == 5
    assert gone([0] * 8 + [1] * 2, rule_of(Kind.CLOSE_ORDERED, 1, 10), even) == 5
    assert gone([0] * 8 + [1] * 2, rule_of(Kind.CLOSE_HIERARCHICAL, 1, 20), even) == 5
