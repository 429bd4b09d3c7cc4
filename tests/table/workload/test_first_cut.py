"""The first cut of small tables against all allowed cuts, tried one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.table.methods.workload_mondrian import WorkloadMondrian
from tests.oracles import workload as oracle
from tests.oracles.workload import Measure
from tests.table.mondrian_tables import Record
from tests.table.workload.workload_tables import TARGET, FirstCut, first_cut, problem_with

SOME = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NUMBERS = st.none() | st.integers(-2, 5)
NAMES = st.none() | st.sampled_from("ABCDE")
NOTHING = 1e-6

Cut = tuple[list[int], list[int]]


def tables(columns: Sequence[st.SearchStrategy[Any]], target: st.SearchStrategy[Any]) -> Any:
    return st.lists(st.tuples(st.tuples(*columns), target), min_size=2, max_size=24)


def allowed(cut: Cut, target: Sequence[Any], k: int, distinct: int) -> bool:
    """Whether both halves have k records and so many different targets."""
    return all(len(half) >= k and len({target[i] for i in half}) >= distinct for half in cut)


def best(cuts: Iterator[Cut], measure: Measure, target: Sequence[Any], k: int, distinct: int) -> float:
    """Return the largest gain of an allowed cut; 0 when there is none."""
    gains = (oracle.gain(measure, *cut) for cut in cuts if allowed(cut, target, k, distinct))
    return max([0.0, *gains])


def along_axes(records: Sequence[Record]) -> Iterator[Cut]:
    for j in range(len(records[0])):
        values = [record[j] for record in records]
        yield from (oracle.parted(values, left) for left in oracle.thresholds(values))


def check_allowed(
    found: FirstCut, records: Sequence[Record], target: Sequence[Any], k: int, distinct: int
) -> None:
    """Both halves satisfy the rules, and no value of the cut column is on both sides."""
    assert allowed((found.left, found.right), target, k, distinct)
    sides = [{records[i][found.column] for i in half} for half in (found.left, found.right)]
    assert not sides[0] & sides[1]


@pytest.mark.parametrize("task", ["classification", "regression"])
@SOME
@given(
    rows=tables([NUMBERS, st.integers(0, 3)], st.none() | st.sampled_from([0, 1, 7])),
    k=st.integers(1, 4),
    distinct=st.integers(1, 2),
)
def test_the_first_cut_gains_most_of_all_that_the_rules_allow(
    task: Any, rows: list[tuple[Record, Any]], k: int, distinct: int
) -> None:
    records, target = [r for r, _ in rows], [t for _, t in rows]
    if task == "regression" and not set(target) - {None}:
        return
    distinct = min(distinct, len(set(target)))
    measure = oracle.mixed_classes(target) if task == "classification" else oracle.spread(target)
    most = best(along_axes(records), measure, target, k, distinct)
    found = first_cut(WorkloadMondrian(TARGET, task), problem_with(records, target, k, distinct), records)
    if found is None:
        assert not any(allowed(cut, target, k, distinct) for cut in along_axes(records))
        return
    check_allowed(found, records, target, k, distinct)
    assert found.gained == (most > NOTHING)
    if found.gained:
        assert oracle.gain(measure, found.left, found.right) == pytest.approx(most, abs=1e-8)


@pytest.mark.parametrize("task", ["classification", "regression"])
@SOME
@given(rows=tables([NAMES, NAMES], st.sampled_from([0, 1])))
def test_of_two_classes_and_of_numbers_the_best_division_of_a_set_is_found(
    task: Any, rows: list[tuple[Record, Any]]
) -> None:
    records, target = [r for r, _ in rows], [t for _, t in rows]
    if task == "regression":
        target = [value * 3 + place % 4 for place, value in enumerate(target)]
    measure = oracle.mixed_classes(target) if task == "classification" else oracle.spread(target)
    cuts = (
        oracle.parted(values, left)
        for values in zip(*records, strict=True)
        for left in oracle.divisions(values)
    )
    most = best(cuts, measure, target, 1, 1)
    found = first_cut(WorkloadMondrian(TARGET, task), problem_with(records, target, 1), records)
    if found is None:
        assert len(set(records)) == 1
        return
    assert found.gained == (most > NOTHING)
    if found.gained:
        assert oracle.gain(measure, found.left, found.right) == pytest.approx(most, abs=1e-8)


@SOME
@given(rows=tables([NAMES, NAMES], st.sampled_from("xyz")), k=st.integers(1, 4), distinct=st.integers(1, 2))
def test_sets_are_cut_at_least_as_well_as_along_the_share_of_the_largest_class(
    rows: list[tuple[Record, Any]], k: int, distinct: int
) -> None:
    records, target = [r for r, _ in rows], [t for _, t in rows]
    distinct = min(distinct, len(set(target)))
    counts = Counter(target)
    largest = min(counts, key=lambda value: (-counts[value], value))
    measure = oracle.mixed_classes(target)

    def share(own: list[int]) -> float:
        return float(sum(target[i] == largest for i in own) / len(own))

    cuts = [
        oracle.parted(values, left)
        for values in zip(*records, strict=True)
        for left in oracle.by_score(values, share)
    ]
    least = best(iter(cuts), measure, target, k, distinct)
    found = first_cut(WorkloadMondrian(TARGET), problem_with(records, target, k, distinct), records)
    if found is None:
        assert least == 0.0
        return
    check_allowed(found, records, target, k, distinct)
    assert oracle.gain(measure, found.left, found.right) >= least - 1e-8


Condition = tuple[str, set[Any]]
"""as text, and the values that satisfy it"""
CONDITIONS: list[list[Condition]] = [
    [
        ("age between 0 and 2", {0, 1, 2}),
        ("age > 3", {4, 5}),
        ("age <> 1", {*range(-2, 6)} - {1}),
        ("age is null", {None}),
    ],
    [
        ("town = 'A'", {"A"}),
        ("town in ('B', 'C')", {"B", "C"}),
        ("town <> 'D'", {"A", "B", "C", "E"}),
    ],
]
QUERY = st.tuples(*[st.none() | st.sampled_from(some) for some in CONDITIONS]).filter(any)


@SOME
@given(
    records=st.lists(st.tuples(NUMBERS, NAMES), min_size=2, max_size=24).filter(
        lambda rows: any(age is not None for age, _ in rows)
    ),
    queries=st.lists(QUERY, min_size=1, max_size=3),
    k=st.integers(1, 4),
)
def test_cuts_for_queries_run_along_the_edge_of_a_region_that_gains_most(
    records: list[Record], queries: list[tuple[Condition | None, ...]], k: int
) -> None:
    texts = tuple(" and ".join(part[0] for part in query if part) for query in queries)
    members = [
        {
            i
            for i, record in enumerate(records)
            if all(part is None or record[j] in part[1] for j, part in enumerate(query))
        }
        for query in queries
    ]
    live = [query for query, own in zip(queries, members, strict=True) if 0 < len(own) < len(records)]
    cuts = []
    for j, ordered in ((0, True), (1, False)):
        values = [record[j] for record in records]
        wanted = [part[1] for query in live if (part := query[j])]
        cuts += [oracle.parted(values, left) for left in oracle.edges(values, wanted, ordered=ordered)]
    target = [0] * len(records)
    measure = oracle.mixed_regions(members)
    most = best(iter(cuts), measure, target, k, 1)
    problem = problem_with(records, target, k)
    domains = tuple(
        replace(domain, name=name)
        for name, domain in zip(("age", "town"), problem.cells.domains, strict=True)
    )
    problem = replace(problem, cells=replace(problem.cells, domains=domains))
    found = first_cut(WorkloadMondrian(task="queries", queries=texts), problem, records)
    if found is None:
        assert most == 0.0
        return
    assert found.gained == (most > NOTHING)
    if found.gained:
        cut = (found.left, found.right)
        assert cut in cuts or cut[::-1] in cuts
        assert oracle.gain(measure, *cut) == pytest.approx(most, abs=1e-8)


def test_classes_that_only_two_columns_together_tell_are_still_parted() -> None:
    """No single cut gains; the one that loses least is made, and then both halves gain."""
    records = [(x, y) for x in (0, 1) for y in (0, 1) for _ in range(3)]
    target = ["odd" if x != y else "even" for x, y in records]
    problem = problem_with(records, target, 3)
    found = first_cut(WorkloadMondrian(TARGET), problem, records)
    assert found is not None
    assert not found.gained
    solution = WorkloadMondrian(TARGET).search(problem)
    assert solution.boxes.shape[1] == 4
    assert solution.details["steered"] == 2


def test_a_box_is_cut_where_the_classes_part_and_not_at_the_median() -> None:
    records = [(age,) for age in range(12)]
    target = ["ill"] * 3 + ["well"] * 9
    solution = WorkloadMondrian(TARGET).search(problem_with(records, target, 3))
    assert "[0-2]" in {solution.columns[0].labels[box] for box in solution.boxes[0]}


def test_a_hierarchy_is_cut_between_the_children_of_the_common_node() -> None:
    records: list[Record] = [(leaf,) for leaf in "pqrst" for _ in range(2)]
    target = [leaf in "qs" for (leaf,) in records]
    found = first_cut(WorkloadMondrian(TARGET, output="hierarchy"), problem_with(records, target, 2), records)
    assert found is not None
    assert {frozenset(records[i][0] for i in half) for half in (found.left, found.right)} == {
        frozenset("pq"),
        frozenset("rst"),
    }


def test_means_that_differ_by_rounding_alone_are_no_gain() -> None:
    """Each age has the same targets; their sums are near 0 and not 0."""
    records: list[Record] = [(age,) for age in range(4) for _ in range(3)]
    target = [0.1, 0.2, 0.7] * 2 + [0.7, 0.2, 0.1] * 2
    found = first_cut(WorkloadMondrian(TARGET, "regression"), problem_with(records, target, 3), records)
    assert found is not None
    assert not found.gained
