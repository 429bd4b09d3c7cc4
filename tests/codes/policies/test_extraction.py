"""Policies that are extracted from data and from definitions of diseases."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato.codes.policies.privacy as privacy_module
from sfumato.codes.policies import extract_privacy_constraints, extract_utility_constraints, merge_overlapping
from sfumato.codes.sets import CodeSets, Visits
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Tree

CODES = "abcdef"
records = st.lists(st.sets(st.sampled_from(CODES), max_size=5), min_size=1, max_size=10)


def by_hand(
    people: list[set[str]], known: list[set[str]], k: int, size: int | None, codes: set[str]
) -> set[frozenset[str]]:
    """Write down everything that may be known, count it in every record, keep the largest rare ones."""
    rare = set()
    for one in known:
        inside = one & codes
        length = len(inside) if size is None else min(size, len(inside))
        for chosen in combinations(sorted(inside), length):
            if chosen and sum(set(chosen) <= person for person in people) < k:
                rare.add(frozenset(chosen))
    return {one for one in rare if not any(one < other for other in rare)}


@given(
    records,
    st.integers(2, 4),
    st.one_of(st.none(), st.integers(1, 3)),
    st.sets(st.sampled_from(CODES), min_size=1),
)
@settings(max_examples=150, deadline=None)
def test_constraints_from_histories_are_those_found_by_hand(
    people: list[set[str]], k: int, size: int | None, codes: set[str]
) -> None:
    sets = CodeSets.of(people)
    if not codes & set(sets.domain):
        return
    found = extract_privacy_constraints(sets, k, codes=sorted(codes), size=size).constraints
    assert set(map(frozenset, found)) == by_hand(people, people, k, size, codes)
    assert list(found) == sorted(found)


@given(
    st.lists(
        st.lists(st.sets(st.sampled_from(CODES), max_size=3), min_size=1, max_size=3), min_size=1, max_size=6
    )
)
@settings(max_examples=80, deadline=None)
def test_a_visit_is_counted_in_whole_histories(people: list[list[set[str]]]) -> None:
    histories = [set().union(*visits) for visits in people]
    sets = CodeSets.of(histories)
    flat = [(owner, visit) for owner, visits in enumerate(people) for visit in visits]
    pairs = [(v, code) for v, (_, visit) in enumerate(flat) for code in sorted(visit)]
    by_visit = CodeSets.from_pairs(
        np.array([v for v, _ in pairs], np.int64),
        np.array([sets.domain.index(code) for _, code in pairs], np.int64),
        sets.domain,
        len(flat),
    )
    visits = Visits(by_visit, np.array([owner for owner, _ in flat], np.int64))
    found = extract_privacy_constraints(sets, 2, visits=visits).constraints
    assert set(map(frozenset, found)) == by_hand(histories, [visit for _, visit in flat], 2, None, set(CODES))


def test_the_print_of_an_extracted_policy_shows_no_code() -> None:
    policy = extract_privacy_constraints(CodeSets.of([["secret", "a"], ["a"]]), 2)
    assert "secret" not in repr(policy)
    assert (len(policy), policy.looked_at, policy.rare) == (1, 2, 1)


def test_choices_that_would_not_end_are_refused_before_they_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(privacy_module, "MOST_ITEMSETS", 9)
    sets = CodeSets.of([list("abcde")])
    with pytest.raises(BadInput, match="10 choices of 2 codes, more than 9"):
        extract_privacy_constraints(sets, 2, size=2)
    assert len(extract_privacy_constraints(sets, 2, size=4)) == 5


def test_wrong_parameters_of_extraction_are_refused() -> None:
    sets = CodeSets.of([["a"], ["b"]])
    with pytest.raises(BadInput, match="k must be"):
        extract_privacy_constraints(sets, 1)
    with pytest.raises(BadInput, match="size must be"):
        extract_privacy_constraints(sets, 2, size=0)
    with pytest.raises(BadInput, match="none of the identifying codes"):
        extract_privacy_constraints(sets, 2, codes=["zzz"])
    with pytest.raises(BadInput, match="do not have the same codes"):
        extract_privacy_constraints(sets, 2, visits=Visits(CodeSets.of([["a"]]), np.array([0])))


def test_many_codes_of_a_large_domain_are_told_apart() -> None:
    # Seven codes of 1,000 do not fit into one number: rows are compared instead.
    names = [f"{i:04}" for i in range(1000)]
    sets = CodeSets.of([names[:8], names[992:], names[:7], names])
    with pytest.raises(BadInput, match="choices"):
        extract_privacy_constraints(sets, 3, size=7)
    few = CodeSets(sets.domain, sets.starts[:4], sets.codes[: sets.starts[3]])
    assert len(extract_privacy_constraints(few, 2, size=7)) == 7 + 8


def test_diseases_are_categories_nodes_prefixes_or_lists() -> None:
    sets = CodeSets.of([["493", "493.00", "4931", "296.01", "296.10", "401.1"]])
    hierarchy = Tree({"all": {"pressure": ["401.1"], "other": ["493", "493.00", "4931", "296.01", "296.10"]}})
    policy = extract_utility_constraints(
        sets,
        {"asthma": "493", "mania": "296.0", "high pressure": "pressure", "gone": ["001", "002"]},
        hierarchy=hierarchy,
    )
    assert policy.constraints == (("493", "493.00"), ("296.01",), ("401.1",))
    assert policy.names == (("asthma",), ("mania",), ("high pressure",))
    assert policy.absent == ("gone",)


def test_diseases_that_share_codes_are_merged_and_counted_or_refused() -> None:
    sets = CodeSets.of([["296.01", "296.10", "295"]])
    diseases = {"mood": "296", "mania": "296.0", "schizophrenia": "295"}
    policy = extract_utility_constraints(sets, diseases)
    assert policy.constraints == (("296.01", "296.10"), ("295",))
    assert policy.names == (("mood", "mania"), ("schizophrenia",))
    assert policy.merged == 2
    with pytest.raises(BadInput, match="2 diseases share codes"):
        extract_utility_constraints(sets, diseases, overlaps="refuse")
    with pytest.raises(BadInput, match="no way 'split'"):
        extract_utility_constraints(sets, diseases, overlaps="split")  # type: ignore[arg-type]


@given(
    st.lists(
        st.sets(st.sampled_from(CODES), min_size=1, max_size=3).map(lambda codes: tuple(sorted(codes))),
        max_size=5,
    )
)
def test_merged_constraints_are_disjoint_and_hold_the_same_codes(constraints: list[tuple[str, ...]]) -> None:
    merged, members = merge_overlapping(constraints)
    listed = [code for constraint in merged for code in constraint]
    assert len(listed) == len(set(listed))
    assert set(listed) == {code for constraint in constraints for code in constraint}
    assert sorted(member for group in members for member in group) == list(range(len(constraints)))
    for constraint, group in zip(merged, members, strict=True):
        assert set(constraint) == {code for member in group for code in constraints[member]}
