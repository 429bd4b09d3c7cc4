from __future__ import annotations

import dataclasses
import datetime as dt
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.table.methods import _kernels_mondrian, _kernels_mondrian_boxes
from sfumato.table.methods.mondrian import Mondrian, home_persons
from sfumato.table.solution import Solution
from tests.oracles import mondrian as oracle
from tests.table.mondrian_tables import (
    Record,
    boxes_of,
    cells_of,
    labels_of,
    paths_of,
    problem_of,
    published,
    tables,
)

METHODS = [
    Mondrian(strict, output, choose)
    for strict in (True, False)
    for output in ("tight", "region", "hierarchy")
    for choose in ("widest", "least loss")
]
PROPERTY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

LECTURE = [(20, "M"), (23, "F"), (25, "M"), (27, "F"), (28, "F"), (29, "F")]


def search(records: list[Record], k: int, method: Mondrian = Mondrian()) -> Solution:  # noqa: B008
    return method.search(problem_of(records, k))


def test_the_lecture_table_gives_two_groups_of_three() -> None:
    solution = search(LECTURE, 2)
    assert boxes_of(solution, LECTURE) == [LECTURE[:3], LECTURE[3:]]
    assert published(solution, LECTURE) == [("[20-25]", "{F, M}")] * 3 + [("[27-29]", "F")] * 3


def test_the_regions_of_the_lecture_table_are_those_of_the_slide() -> None:
    solution = search(LECTURE, 2, Mondrian(output="region"))
    assert published(solution, LECTURE) == [("[20-26]", "{F, M}")] * 3 + [("[27-29]", "{F, M}")] * 3


def test_least_loss_finds_the_better_groups_of_the_lecture() -> None:
    solution = search(LECTURE, 2, Mondrian(choose="least loss"))
    assert set(published(solution, LECTURE)) == {("[20-25]", "M"), ("[23-27]", "F"), ("[28-29]", "F")}


def test_both_halves_need_k() -> None:
    records = [(1,), (1,), (1,), (2,)]
    assert set(published(search(records, 2), records)) == {("[1-2]",)}


def test_unordered_values_are_parted_in_any_way_that_keeps_k() -> None:
    records = [("A",)] * 4 + [("B",)] * 3 + [("C",)] * 2 + [("D",)]
    assert set(published(search(records, 5), records)) == {("{A, D}",), ("{B, C}",)}


def test_common_values_come_out_alone() -> None:
    records = [("A",)] * 2 + [("B",)] * 9 + [("C",)] * 2
    assert set(published(search(records, 3), records)) == {("B",), ("{A, C}",)}


def test_missing_is_set_apart_when_k_persons_allow_it() -> None:
    records = [(1,), (2,), (9,), (None,), (None,)]
    assert set(published(search(records, 2), records)) == {("[1-9]",), (None,)}


def test_missing_stands_behind_the_largest_value_when_they_do_not() -> None:
    records = [(1,), (2,), (9,), (None,)]
    solution = search(records, 2)
    assert set(published(solution, records)) == {("[1-2]",), ("[9] or missing",)}
    column = solution.columns[0]
    mixed = column.labels.index("[9] or missing")
    assert (column.leaves[mixed], column.extent[mixed], column.span) == (2, 8, 8)


def test_a_set_names_missing() -> None:
    records = [("A",), ("B",), (None,)]
    assert set(published(search(records, 3), records)) == {("{A, B} or missing",)}


def test_dates_and_negative_numbers_are_readable() -> None:
    records = [(dt.date(2020, 1, 1), -5), (dt.date(2020, 6, 30), -1)]
    assert set(published(search(records, 2), records)) == {("[2020-01-01 - 2020-06-30]", "[-5 - -1]")}


def test_regions_of_days_end_the_day_before_and_fractions_are_half_open() -> None:
    days = [(dt.date(2020, 1, 1),), (dt.date(2020, 1, 2),), (dt.date(2020, 3, 1),), (dt.date(2020, 3, 9),)]
    solution = search(days, 2, Mondrian(output="region"))
    assert set(published(solution, days)) == {("[2020-01-01 - 2020-02-29]",), ("[2020-03-01 - 2020-03-09]",)}
    halves = [(0.5,), (1.0,), (2.5,), (3.0,)]
    solution = search(halves, 2, Mondrian(output="region"))
    assert set(published(solution, halves)) == {("[0.5-2.5)",), ("[2.5-3]",)}


def test_a_value_that_looks_like_a_label_is_published_as_a_set_of_one() -> None:
    records = [("{A, B}",), ("[1-2]",), ("*",), ("A",)]
    assert set(published(search(records, 1), records)) == {(r"{\{A\, B\}}",), ("{[1-2]}",), ("{*}",), ("A",)}


def test_hierarchy_output_publishes_lowest_common_nodes() -> None:
    records = [("p",), ("q",), ("r",), ("t",)]
    solution = search(records, 2, Mondrian(output="hierarchy"))
    assert published(solution, records) == [("left",), ("left",), ("right",), ("right",)]
    column = solution.columns[0]
    assert column.height == 2
    assert column.size == 5
    assert list(column.levels) == [1, 1]
    assert sorted(column.leaves) == [2, 3]


def test_hierarchy_output_says_nothing_at_the_root() -> None:
    records = [("p",), ("t",)]
    assert set(published(search(records, 2, Mondrian(output="hierarchy")), records)) == {("*",)}


def test_columns_that_keep_their_values_show_them() -> None:
    records = [("A", 1), ("A", 2), ("A", 3)]
    solution = search(records, 3)
    assert [column.labels for column in solution.columns] == [("A",), ("[1-3]",)]


def test_as_many_persons_as_k_make_one_box() -> None:
    solution = search(LECTURE, 6)
    assert solution.boxes.shape == (2, 1)
    assert solution.details == {"boxes": 1, "splits": 0}


def test_a_k_above_the_number_of_persons_is_refused() -> None:
    with pytest.raises(PromiseNotMet, match="needs 7 persons and the data have 6"):
        search(LECTURE, 7)


def test_a_table_without_quasi_identifiers_is_refused() -> None:
    with pytest.raises(BadInput, match="needs a quasi-identifier"):
        search([(), ()], 2)


def test_unknown_options_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(BadInput, match="did you mean 'region'"):
        Mondrian(output="regions")  # type: ignore[arg-type]


def test_a_person_in_several_cells_counts_in_one() -> None:
    cells = cells_of([(1,), (2,), (2,), (3,)], [7, 7, 8, 7])
    assert list(cells.persons) == [1, 2, 1]
    assert list(home_persons(cells)) == [1, 1, 0]


@pytest.mark.parametrize("method", METHODS, ids=str)
@PROPERTY
@given(data=st.data())
def test_every_box_has_k_persons_and_a_truthful_label(method: Mondrian, data: st.DataObject) -> None:
    records = data.draw(tables)
    people = data.draw(st.none() | st.lists(st.integers(0, 12), min_size=len(records), max_size=len(records)))
    who = people or list(range(len(records)))
    k = data.draw(st.integers(1, max(1, len(set(who)))))
    solution = method.search(problem_of(records, k, people))
    persons: dict[tuple[str | None, ...], set[int]] = {}
    for record, person, labels in zip(records, who, published(solution, records), strict=True):
        persons.setdefault(labels, set()).add(person)
        for domain, value, label in zip(solution.cells.domains, record, labels, strict=True):
            paths = paths_of(domain)
            if method.output == "hierarchy" and paths is not None:
                assert label in paths[value]
            else:
                assert oracle.covers(label, value)
    assert min(map(len, persons.values())) >= k
    assert len(persons) == solution.boxes.shape[1]


@pytest.mark.parametrize("method", [m for m in METHODS if m.strict], ids=str)
@PROPERTY
@given(records=tables, k=st.integers(1, 6))
def test_no_box_of_a_strict_partition_can_be_cut_further(
    method: Mondrian, records: list[Record], k: int
) -> None:
    solution = search(records, min(k, len(records)), method)
    domains = solution.cells.domains
    paths = [paths_of(domain) if method.output == "hierarchy" else None for domain in domains]
    ordered = [oracle.is_ordered(domain.values) for domain in domains]
    boxes = boxes_of(solution, records)
    assert sorted(map(str, records)) == sorted(str(record) for box in boxes for record in box)
    merged = solution.details["splits"] != len(boxes) - 1
    if not merged:
        assert not any(oracle.can_be_cut(box, k, ordered, paths) for box in boxes)


@pytest.mark.parametrize("choose", ["widest", "least loss"])
@PROPERTY
@given(records=tables, k=st.integers(1, 6))
def test_strict_regions_tile_the_domain(choose: str, records: list[Record], k: int) -> None:
    method = Mondrian(output="region", choose=choose)  # type: ignore[arg-type]
    solution = search(records, min(k, len(records)), method)
    boxes = [labels_of(solution, box) for box in range(solution.boxes.shape[1])]
    for point in product(*(domain.values for domain in solution.cells.domains)):
        inside = [box for box in boxes if all(map(oracle.covers, box, point))]
        assert len(inside) == 1


@PROPERTY
@given(records=tables, k=st.integers(1, 6))
def test_a_record_fits_only_one_box_of_a_strict_partition(records: list[Record], k: int) -> None:
    solution = search(records, min(k, len(records)))
    boxes = [labels_of(solution, box) for box in range(solution.boxes.shape[1])]
    for record in records:
        assert sum(all(map(oracle.covers, box, record)) for box in boxes) == 1


@pytest.mark.parametrize("choose", ["widest", "least loss"])
@PROPERTY
@given(records=tables, k=st.integers(1, 6))
def test_relaxed_boxes_lose_no_more_than_strict_ones(choose: str, records: list[Record], k: int) -> None:
    k = min(k, len(records))
    loss = []
    for strict in (True, False):
        solution = search(records, k, Mondrian(strict, choose=choose))  # type: ignore[arg-type]
        rows = np.bincount(solution.classes, solution.cells.rows)
        loss.append(
            sum((column.leaves[solution.boxes[j]] * rows).sum() for j, column in enumerate(solution.columns))
        )
    assert loss[1] <= loss[0]


def test_relaxed_divides_the_cells_that_tie_at_the_median() -> None:
    records = [(1, 1, 1)] * 3 + [(2, 1, 1), (1, 2, 1), (1, 1, 2)]
    assert boxes_of(search(records, 3), records) == [records]
    relaxed = search(records, 3, Mondrian(strict=False))
    assert boxes_of(relaxed, records) == [records[:3], records[3:]]
    assert published(relaxed, records) == [("1", "1", "1")] * 3 + [("[1-2]", "[1-2]", "[1-2]")] * 3


@pytest.mark.parametrize("method", METHODS, ids=str)
@PROPERTY
@given(records=tables, k=st.integers(1, 6))
def test_the_same_cells_give_the_same_boxes(method: Mondrian, records: list[Record], k: int) -> None:
    k = min(k, len(records))
    one, other = search(records, k, method), search(records, k, method)
    assert np.array_equal(one.classes, other.classes)
    assert np.array_equal(one.boxes, other.boxes)
    assert one.columns == other.columns


@PROPERTY
@given(records=tables, k=st.integers(1, 6), method=st.sampled_from(METHODS))
def test_widths_of_labels_are_those_of_the_values(records: list[Record], k: int, method: Mondrian) -> None:
    tight = dataclasses.replace(method, output="tight")
    solution = search(records, min(k, len(records)), tight)
    for j, column in enumerate(solution.columns):
        for box, members in enumerate(boxes_of(solution, records)):
            values = {record[j] for record in members}
            shown = solution.boxes[j, box]
            if np.isnan(column.span):
                assert column.leaves[shown] == len(values)
                assert np.isnan(column.extent[shown])
            elif None not in values:
                low, high = min(values), max(values)
                gap = high - low
                assert column.extent[shown] == (gap.days if isinstance(gap, dt.timedelta) else gap)
            else:
                assert column.extent[shown] == (0 if values == {None} else column.span)


def test_every_kernel_is_compiled_for_one_signature() -> None:
    for method in METHODS:
        search([*LECTURE, (20, "M"), (None, "F")], 2, method)
        search([("p",), ("q",), ("r",), ("t",)], 2, method)
        method.search(problem_of([(1,), (2,), (2,), (3,)], 1, [7, 7, 8, 7]))
    entries = {"partition", "describe_boxes", "trace_ranges", "trace_sets"}
    for module in (_kernels_mondrian, _kernels_mondrian_boxes):
        kernels = [found for found in vars(module).values() if hasattr(found, "signatures")]
        for kernel in kernels:
            name = kernel.py_func.__name__
            # Kernels that are only called by others are compiled into these, as often as they must be.
            assert name not in entries or len(kernel.signatures) == 1, name
        entries -= {kernel.py_func.__name__ for kernel in kernels}
    assert not entries
