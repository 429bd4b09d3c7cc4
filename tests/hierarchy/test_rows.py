import datetime as dt
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.hierarchy import (
    Dates,
    HierarchyTable,
    Intervals,
    Ladder,
    Mask,
    RootForOthers,
    infer,
    ladder_csv,
    ladder_rows,
)
from tests.oracles.hierarchy import published


def read_back(ladder: Ladder, level: int, domain: Domain) -> Ladder:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ladder.csv"
        path.write_text(ladder_csv(ladder, level), encoding="utf-8", newline="")
        return HierarchyTable.read(path, ";").ladder(domain)


hierarchies_and_values = st.one_of(
    st.tuples(st.just(Intervals((5, 10))), st.lists(st.integers(-50, 50), min_size=1)),
    st.tuples(st.just(Dates()), st.lists(st.dates(dt.date(1990, 1, 1), dt.date(2020, 1, 1)), min_size=1)),
    st.tuples(st.just(Mask(pad="right")), st.lists(st.text('ab;,"\n é', min_size=1), min_size=1)),
)


@given(hierarchies_and_values, st.booleans())
def test_a_ladder_written_as_csv_is_read_back_the_same(given_: tuple[Any, list[Any]], missing: bool) -> None:
    hierarchy, values = given_
    domain = Domain.of("x", [*values, None] if missing else values)
    ladder = hierarchy.ladder(domain)
    again = read_back(ladder, 0, domain)
    assert np.array_equal(again.rungs, ladder.rungs)
    assert again.labels == ladder.labels


@given(st.lists(st.text("abc", min_size=1, max_size=4), min_size=1), st.booleans())
def test_counts_come_back_too_when_the_ladder_holds_all_leaves(values: list[str], missing: bool) -> None:
    domain = Domain.of("x", [*values, None] if missing else values)
    ladder = infer(domain).ladder(domain)
    again = HierarchyTable.of(ladder_rows(ladder)).ladder(domain)
    assert again.size == ladder.size
    assert [leaves.tolist() for leaves in again.leaves] == [leaves.tolist() for leaves in ladder.leaves]


def test_rows_from_the_published_level_tell_no_value_below_it() -> None:
    ladder = Intervals((5, 10)).ladder(Domain.of("age", [21, 23, 38, None]))
    rows = ladder_rows(ladder, level=1)
    assert rows == [("20-24", "20-29", "*"), ("35-39", "30-39", "*"), ("", "", "*")]
    shown = Domain.of("age", ["20-24", "35-39", None])
    assert HierarchyTable.of(rows).ladder(shown).labels == ladder.labels[1:]


def test_others_are_one_row() -> None:
    domain = Domain.of("age", ["21", "zebra", "zulu"])
    ladder = RootForOthers(Intervals(5)).ladder(domain)
    assert sorted(ladder_rows(ladder)) == [("*", "*", "*"), ("21", "20-24", "*")]
    assert published(ladder, domain)["zulu"] == ("*", "*", "*")
