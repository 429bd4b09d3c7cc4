"""What generalisation alone can do for a policy, asked before the search."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.methods.clustering_based import ClusteringBased
from sfumato.codes.models.privacy_constraints import PrivacyConstraints
from sfumato.codes.policies import Partners, feasibility
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput
from tests.oracles.codes import constraint_protected

CODES = ("a", "b", "c", "d", "e")
records = st.lists(st.sets(st.sampled_from(CODES), max_size=4), min_size=2, max_size=9)
constraints = st.lists(
    st.sets(st.sampled_from(CODES), min_size=1, max_size=3).map(tuple), min_size=1, max_size=4
)
disjoint = st.sampled_from([(), (("a", "b"),), (("a", "b", "c"), ("d", "e")), (CODES,)])


def merged(listed: list[set[str]], utility: tuple[tuple[str, ...], ...]) -> list[frozenset[frozenset[str]]]:
    """Show every code as its whole utility constraint."""
    group = {code: frozenset(next((u for u in utility if code in u), (code,))) for code in CODES}
    return [frozenset(group[code] for code in record) for record in listed]


@given(records, constraints, disjoint, st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_constraints_that_are_held_are_judged_by_joining_everything(
    listed: list[set[str]],
    privacy: list[tuple[str, ...]],
    utility: tuple[tuple[str, ...], ...],
    k: int,
) -> None:
    report = feasibility(CodeSets.of(listed), privacy, k, utility)
    assert sorted((*report.protected, *report.reachable, *report.infeasible)) == list(
        range(1, len(privacy) + 1)
    )
    plain = [frozenset(frozenset([code]) for code in record) for record in listed]
    widest = merged(listed, utility)
    for number, constraint in enumerate(privacy, 1):
        assert (number in report.protected) == constraint_protected(plain, constraint, k, strict=True)
        if any(set(constraint) <= record for record in listed) and number not in report.protected:
            assert (number in report.reachable) == constraint_protected(widest, constraint, k, strict=True)


@given(records, constraints, disjoint, st.integers(2, 4))
@settings(max_examples=80, deadline=None)
def test_a_feasible_policy_over_itemsets_that_exist_needs_no_suppression_and_lost_codes_are_lost(
    listed: list[set[str]],
    privacy: list[tuple[str, ...]],
    utility: tuple[tuple[str, ...], ...],
    k: int,
) -> None:
    sets = CodeSets.of(listed)
    if k > len(sets):
        return
    report = feasibility(sets, privacy, k, utility)
    solution = ClusteringBased().protect(Problem(sets, (PrivacyConstraints(k, privacy),), utility=utility))
    suppressed = int(solution.details["codes_suppressed"])
    assert suppressed >= report.lost_codes
    if all(any(set(constraint) <= record for record in listed) for constraint in privacy):
        assert (suppressed == 0) == report.feasible
    assert isinstance(solution.published, PublishedSets)


def test_the_report_gives_counts_and_positions_and_no_codes() -> None:
    sets = CodeSets.of([["rare", "x"], ["x"], ["y"], ["y"]])
    report = feasibility(sets, [("x",), ("rare", "x"), ("y", "never")], 2, [("x", "y"), ("y", "x", "never")])
    assert (report.protected, report.infeasible, report.absent) == ((1, 3), (2,), (3,))
    assert (report.lost_codes, report.overlapping, report.feasible) == (1, 2, False)
    assert str(report).splitlines() == [
        "3 privacy constraints, k = 2: 2 protected already, 0 by generalisation, 1 only by suppression",
        "constraints that need suppression: 2",
        "1 codes must be suppressed under any method",
        "1 constraints name codes that never occur",
        "2 utility constraints share codes with another one",
    ]


def test_without_a_utility_policy_any_code_may_help() -> None:
    sets = CodeSets.of([["a"], ["b"], ["c"]])
    assert feasibility(sets, [("a",)], 3).reachable == (1,)
    assert feasibility(sets, [("a",)], 3, []).infeasible == (1,)
    assert feasibility(sets, [("a",)], 3, sensitive=sets.sensitive(["c"])).infeasible == (1,)


def test_in_the_plain_wording_a_constraint_with_an_unknown_code_is_satisfied() -> None:
    sets = CodeSets.of([["a"], ["b"]])
    assert feasibility(sets, [("a", "never")], 2, []).infeasible == (1,)
    assert feasibility(sets, [("a", "never")], 2, [], strict=False).protected == (1,)


def test_a_k_below_one_is_refused() -> None:
    with pytest.raises(BadInput, match="whole number of at least 1"):
        feasibility(CodeSets.of([["a"]]), [("a",)], 0)


def test_codes_may_join_where_they_stand_in_the_same_constraints_and_are_equally_sensitive() -> None:
    sets = CodeSets.of([CODES])
    partners = Partners.under(sets.domain, [("a", "b", "c", "e"), ("c", "d")], sets.sensitive(["b"]))
    assert [group.tolist() for group in partners.groups()] == [[0, 4], [1], [2], [3]]
    assert Partners.under(sets.domain, [("a", "b")]).named.tolist() == [True, True, False, False, False]
    assert [group.tolist() for group in Partners.anyone(5, sets.sensitive(["b"])).groups()] == [
        [0, 2, 3, 4],
        [1],
    ]
    assert Partners.under((), []).groups() == []
