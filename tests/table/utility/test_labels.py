"""What labels stand for, and which part of them satisfies a condition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import sfumato
from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.engine.frames import to_arrow
from sfumato.hierarchy import Cuts, Dates, HierarchyTable, Intervals, Mask, Tree
from sfumato.table.utility.labels import LabelReader, Members, Span
from sfumato.table.utility.predicates import Ranges


def reader(*values: Any, hierarchy: Any = None) -> LabelReader:
    return LabelReader(Domain.of("x", values), hierarchy)


WHOLE = reader(0, 7, 99)
BROKEN = reader(0.5, 7.25, 9.75)
DAYS = reader("2023-12-31", "2024-02-29")
CODES = reader("47677", "47602", "47905", "CF1", "CF9", "a, b", None)


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("34", 34, 35),
        (34, 34, 35),
        ("20-24", 20, 25),
        ("[21-30]", 21, 31),
        ("[21 - 30]", 21, 31),
        ("-5 to -1", -5, 0),
        ("[20, 30)", 20, 30),
        ("[20, 30[", 20, 30),
        ("<20", 0, 20),
        ("90+", 90, 100),
        ("476**", 47600, 47700),
        ("*", 0, 100),
    ],
)
def test_intervals_of_whole_numbers(label: Any, low: float, high: float) -> None:
    assert WHOLE.read(label) == Span(low, high)


def test_the_middle_of_20_to_24_is_22() -> None:
    span = WHOLE.read("20-24")
    assert isinstance(span, Span)
    assert span.middle - 0.5 == 22


def test_an_axis_without_steps_has_single_values_and_open_ends() -> None:
    assert BROKEN.read("7.25") == Span(7.25, math.nextafter(7.25, math.inf))
    assert BROKEN.read("[0.5, 1)") == Span(0.5, 1.0)
    assert BROKEN.read("7.25").share(Ranges.of("<=", 7.25, whole=False)) == 1.0
    assert BROKEN.read("7.25").share(Ranges.of("<", 7.25, whole=False)) == 0.0


@pytest.mark.parametrize(
    ("label", "first", "days"),
    [
        ("2024-02-29", "2024-02-29", 1),
        ("2024-02", "2024-02-01", 29),
        ("2023-Q4", "2023-10-01", 92),
        ("2024", "2024-01-01", 366),
        ("2020-2029", "2020-01-01", 3653),
        ("[2024-01-01 - 2024-01-31]", "2024-01-01", 31),
    ],
)
def test_units_of_time(label: str, first: str, days: int) -> None:
    span = DAYS.read(label)
    assert isinstance(span, Span)
    assert span.high - span.low == days
    assert span.low == pd.Timestamp(first).toordinal()


@pytest.mark.parametrize(
    ("label", "values", "size"),
    [
        ("47677", {"47677"}, 1),
        ("476**", {"47677", "47602"}, 2),
        ("{47677, CF9}", {"47677", "CF9"}, 2),
        (r"{a\, b, CF1}", {"a, b", "CF1"}, 2),
        ("{47677, unheard of}", {"47677"}, 2),
        ("CF[1-10]", {"CF1", "CF9"}, 10),
        ("CF[1-8] or missing", {"CF1", None}, 9),
        ("*", {"47677", "47602", "47905", "CF1", "CF9", "a, b", None}, 7),
        (None, {None}, 1),
    ],
)
def test_sets_of_values(label: Any, values: set[str | None], size: int) -> None:
    found = CODES.read(label)
    assert isinstance(found, Members)
    assert {CODES.domain.values[code] for code in found.codes} == values
    assert found.size == size


def test_missing_is_one_more_value_beside_an_interval() -> None:
    with_missing = reader(1, 2, 3, 4, None)
    span = with_missing.read("[1-3] or missing")
    assert span.share(Ranges((), missing=True)) == pytest.approx(1 / 4)
    assert span.share(Ranges.of("=", 2, whole=True)) == pytest.approx(1 / 4)
    assert with_missing.read("*").share(Ranges((), missing=True)) == pytest.approx(1 / 5)
    assert with_missing.read(None).share(Ranges((), missing=True)) == 1.0


def test_a_hierarchy_explains_labels_that_do_not_explain_themselves() -> None:
    animals = HierarchyTable.of([["cat", "pet"], ["dog", "pet"], ["cow", "farm"], ["hen", "farm"]])
    known = reader("cat", "cow", hierarchy=animals)
    found = known.read("pet")
    assert isinstance(found, Members)
    assert ([known.domain.values[code] for code in found.codes], found.size) == (["cat"], 2.0)
    with pytest.raises(BadInput, match="column 'x': a released label is not understood; give the hierarchy"):
        reader("cat", "cow").read("pet")


def test_a_label_that_cannot_be_read_is_never_quoted() -> None:
    with pytest.raises(BadInput) as caught:
        WHOLE.read("secret value")
    assert "secret" not in str(caught.value)


HIERARCHIES = [
    Intervals((5, 10), bottom=20, top=90),
    Intervals((0.5, 2)),
    Cuts([[10, 50], [50]]),
]


@pytest.mark.parametrize("hierarchy", HIERARCHIES, ids=repr)
def test_every_label_of_an_interval_hierarchy_covers_the_numbers_under_it(hierarchy: Any) -> None:
    domain = Domain.of("x", list(range(0, 100, 7)))
    ladder = hierarchy.ladder(domain)
    alone = LabelReader(domain)
    for level in range(ladder.height + 1):
        for code, value in enumerate(domain.values):
            span = alone.read(ladder.labels[level][ladder.rungs[level, code]])
            assert span.share(Ranges.of("=", value, whole=True)) > 0, (level, value)


def test_every_label_of_dates_masks_and_trees_covers_its_values() -> None:
    days = Domain.of("d", ["2019-05-01", "2020-02-29", "2031-12-31"])
    zips = Domain.of("z", ["02131", "02139", "99999"])
    tree = Tree({"any": {"sea": ["fish"], "land": ["cat", "dog"]}})
    animals = Domain.of("a", ["fish", "cat", "dog"])
    cases = [(Dates(), days, None), (Mask(), zips, None), (tree, animals, tree)]
    for hierarchy, domain, told in cases:
        ladder = hierarchy.ladder(domain)
        known = LabelReader(domain, told)
        for level in range(ladder.height + 1):
            for code in range(len(domain)):
                cover = known.read(ladder.labels[level][ladder.rungs[level, code]])
                if isinstance(cover, Members):
                    assert code in cover.codes
                else:
                    assert domain.positions is not None
                    assert cover.low <= domain.positions[code] < cover.high


@pytest.mark.parametrize("output", ["tight", "region"])
@pytest.mark.parametrize("strict", [True, False])
def test_every_label_that_mondrian_writes_can_be_read(output: Any, strict: bool) -> None:
    random = np.random.default_rng(5)
    people = pd.DataFrame(
        {
            "whole": random.integers(-20, 40, 80),
            "broken": random.normal(size=80).round(2),
            "day": pd.date_range("2020-01-01", periods=80).strftime("%Y-%m-%d"),
            "word": random.choice(["a", "b, c", "{d}", "*", None], 80),
            "gap": random.choice([1.0, 2.0, 5.0, None], 80),
        }
    )
    shown = sfumato.protect(
        people,
        quasi=list(people.columns),
        models=sfumato.KAnonymity(4),
        method=sfumato.Mondrian(output=output, strict=strict),
        order="kept",
    ).data
    original, released = to_arrow(people), to_arrow(shown)
    for name in people.columns:
        known = LabelReader.of(name, original.column(name))
        covers, which = known.covers(released.column(name))
        values = original.column(name).to_pylist()
        for row, value in enumerate(values):
            cover = covers[which[row]]
            if isinstance(cover, Members):
                assert known.domain.values.index(value) in cover.codes
            elif value is None:
                assert cover.missing > 0
            else:
                assert known.domain.positions is not None
                place = known.domain.positions[known.domain.values.index(value)]
                assert cover.low <= place < cover.high


def test_a_dictionary_column_is_read_like_any_other() -> None:
    column = pa.chunked_array([pa.array(["a", "b", None, "a"]).dictionary_encode()])
    covers, which = LabelReader.of("x", column).covers(column)
    assert len(covers) == 3
    assert which[0] == which[3]
