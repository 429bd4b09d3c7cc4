"""Partition: every class has k records, nothing is invented, and the paper's examples come out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.methods.partition import Partition
from sfumato.codes.models.complete_k_anonymity import CompleteItemsetAnonymity, CompleteKAnonymity
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.hierarchy import Tree
from tests.codes.methods.small_sets import is_truthful, problem_of, records_of_codes, shown


def protect(problem: Problem, *, overlapping: bool = True) -> PublishedSets:
    published = Partition(overlapping).protect(problem).published
    assert isinstance(published, PublishedSets)
    return published


def class_sizes(published: PublishedSets) -> list[int]:
    return list(Counter(frozenset(items) for items in shown(published)).values())


@given(records_of_codes, st.integers(1, 5), st.booleans())
@settings(max_examples=150, deadline=None)
def test_every_record_looks_like_k_minus_one_others(
    records: list[set[str]], k: int, overlapping: bool
) -> None:
    model = CompleteKAnonymity(k)
    problem = problem_of(records, model)
    if len(records) < k:
        with pytest.raises(PromiseNotMet):
            Partition(overlapping).protect(problem)
        return
    solution = Partition(overlapping).protect(problem)
    published = solution.published
    assert isinstance(published, PublishedSets)
    assert min(class_sizes(published)) >= k
    assert model.check(published).holds
    assert is_truthful(records, published, int(solution.details.get("suppressed_occurrences", 0)))


@given(records_of_codes, st.integers(2, 4))
@settings(max_examples=80, deadline=None)
def test_without_empty_and_sensitive_codes_nothing_is_left_out(records: list[set[str]], k: int) -> None:
    filled = [record or {"c1"} for record in records]
    if len(filled) >= k:
        solution = Partition().protect(problem_of(filled, CompleteKAnonymity(k)))
        assert solution.details["suppressed_occurrences"] == solution.details["blanked_records"] == 0


@given(records_of_codes, st.integers(2, 4), st.booleans())
@settings(max_examples=100, deadline=None)
def test_no_item_holds_public_and_sensitive_codes(records: list[set[str]], k: int, overlapping: bool) -> None:
    if len(records) < k or not any(records):
        return
    problem = problem_of(records, CompleteKAnonymity(k), sensitive=("a3", "b1"))
    solution = Partition(overlapping).protect(problem)
    published = solution.published
    assert isinstance(published, PublishedSets)
    for items in shown(published):
        assert all(item <= {"a3", "b1"} or not item & {"a3", "b1"} for item in items)
    assert min(class_sizes(published)) >= k
    assert is_truthful(records, published, int(solution.details["suppressed_occurrences"]))


@given(records_of_codes, st.integers(1, 4))
@settings(max_examples=50, deadline=None)
def test_without_overlapping_no_item_lies_under_another(records: list[set[str]], k: int) -> None:
    if len(records) >= k and any(records):
        for items in shown(protect(problem_of(records, CompleteKAnonymity(k)), overlapping=False)):
            assert all(not one & other for one in items for other in items if one != other)


def test_one_child_beside_its_node_keeps_more_than_all_or_nothing() -> None:
    records = [{"a1", "a2"}, {"a1", "a3"}]
    problem = problem_of(records, CompleteKAnonymity(2))
    # The tree knows only codes that occur; "A" is the root of these three.
    alike = {frozenset({"a1"}), frozenset({"a1", "a2", "a3"})}
    assert shown(protect(problem)) == [alike, alike]
    assert shown(protect(problem, overlapping=False)) == [{frozenset({"a1", "a2", "a3"})}] * 2


def test_records_that_are_alike_already_stay_as_they_are() -> None:
    records = [{"a1", "b2"}] * 3 + [{"c1"}] * 4
    published = protect(problem_of(records, CompleteKAnonymity(3)))
    assert [{code for item in items for code in item} for items in shown(published)] == records
    assert all(len(item) == 1 for items in shown(published) for item in items)


def test_a_lonely_empty_record_is_joined_by_the_shortest_records() -> None:
    solution = Partition().protect(
        problem_of([set(), {"a1", "a2"}, {"a1"}, {"a1", "a2"}], CompleteKAnonymity(2))
    )
    assert isinstance(solution.published, PublishedSets)
    assert [len(items) for items in shown(solution.published)] == [0, 2, 0, 2]
    assert solution.details["blanked_records"] == 1
    assert solution.details["partitions"] == 2


def test_records_are_blank_when_too_few_others_remain() -> None:
    published = protect(problem_of([set(), {"a1"}, {"a2"}], CompleteKAnonymity(2)))
    assert shown(published) == [set()] * 3


def test_the_largest_k_of_several_models_counts() -> None:
    records = [{"a1"}, {"a1"}, {"a2"}, {"a2"}, {"a2"}]
    published = protect(problem_of(records, CompleteKAnonymity(2), CompleteItemsetAnonymity(3)))
    assert min(class_sizes(published)) >= 3


def test_it_needs_a_hierarchy_and_a_promise() -> None:
    with pytest.raises(BadInput, match="hierarchy"):
        Partition().protect(problem_of([{"a1"}], CompleteKAnonymity(1), tree=False))
    with pytest.raises(BadInput, match="no promise"):
        Partition().protect(problem_of([{"a1"}]))


def test_it_enforces_bounds_on_support_alone() -> None:
    from fractions import Fraction

    assert Partition().enforces(Question(Family.RECORD, 3))
    assert Partition().enforces(Question(Family.LISTED, 3, listed=(("a",),)))
    assert not Partition().enforces(Question(Family.UP_TO, 3, size=2, confidence=Fraction(1, 2)))


def test_the_result_is_the_same_in_every_run() -> None:
    generator = np.random.default_rng(3)
    names = [f"{code:02d}" for code in range(40)]
    records = [set(generator.choice(names, generator.integers(1, 8))) for _ in range(300)]
    sets = CodeSets.of(records)
    groups = {f"g{g}": [c for c in sets.domain if int(c) // 8 == g] for g in range(5)}
    tree = CodeTree.of(Tree({"*": groups}), sets.domain)
    runs = [protect(Problem(sets, (CompleteKAnonymity(4),), tree)) for _ in range(2)]
    assert runs[0].shown.tolist() == runs[1].shown.tolist()
    assert min(class_sizes(runs[0])) >= 4
    assert len(class_sizes(runs[0])) > 10


@pytest.mark.golden
@pytest.mark.parametrize("overlapping", [True, False])
def test_the_examples_of_the_paper_come_out(shared: Path, overlapping: bool) -> None:
    cases = json.loads((shared / "golden" / "codes.json").read_text(encoding="utf-8"))["cases"]
    by_name = {case["id"]: case for case in cases}
    for case, hierarchy, expected in (
        (by_name["he-naughton-ex2-partition"], None, "partition_output"),
        (
            by_name["he-naughton-ex1"],
            {"ALL": {"Alcohol": ["Beer", "Wine"], "Health": ["Diapers", "PT"]}},
            "anonymised",
        ),
    ):
        sets = CodeSets.of(case["original"])
        tree = CodeTree.of(Tree(hierarchy or case["hierarchy"]), sets.domain)
        problem = Problem(sets, (CompleteKAnonymity(case["params"]["k"]),), tree)
        wanted = [
            {frozenset([item] if isinstance(item, str) else item) for item in record}
            for record in case[expected]
        ]
        assert shown(protect(problem, overlapping=overlapping)) == wanted
