"""Which records may be whose: labels of every kind, values of every spelling, both ways to find them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.hierarchy import Dates, Hierarchy, Intervals, Tree
from sfumato.table.attacks.matching.candidates import Candidates, candidates
from sfumato.table.attacks.matching.coerce import same_terms
from sfumato.table.attacks.matching.compatible import compatible
from tests.oracles.linkage import agrees, candidate_records
from tests.table.attacks.files import people, release

AGES = ["20", "21", "22", "23", "[20-21]", "[21-23]", "[20-23]", "{20, 22}", "{21, 23} or missing", "*", None]
SEXES = ["f", "m", "{f, m}", "{f, x}", "*", None]
PLACES = ["a", "b", "c", "{a, b}", "*", "d"]
RECORDS = st.lists(
    st.tuples(st.sampled_from(AGES), st.sampled_from(SEXES), st.sampled_from(PLACES)), min_size=1, max_size=14
)
KNOWN = st.lists(
    st.tuples(
        st.sampled_from([20, 21, 22, 23, 30, None]),
        st.sampled_from(["f", "m", "x", None]),
        st.sampled_from(["a", "b", "c", "e"]),
    ),
    min_size=1,
    max_size=10,
)
NAMES = ("age", "sex", "place")
SUE = dt.date(1961, 9, 15)


def found_by(
    duck: Engine, records: list[Any], known: list[Any], names: tuple[str, ...] = NAMES, **more: Any
) -> Candidates:
    return candidates(release(duck, names, records), people(duck, names, known), same_people=True, **more)


def combination_of(found: Candidates) -> dict[tuple[Any, ...], int]:
    return {tuple(row.values())[: len(found.columns)]: i for i, row in enumerate(found.known.to_pylist())}


@settings(max_examples=150, deadline=None)
@given(RECORDS, KNOWN, st.booleans())
def test_candidates_are_those_that_a_reader_of_the_labels_would_find(
    duck: Engine, records: list[Any], known: list[Any], anybody: bool
) -> None:
    found = found_by(duck, records, known, missing="anybody" if anybody else "value")
    place = combination_of(found)
    starts, classes = found.listed
    shown = [tuple(row.values())[:3] for row in found.release.classes.to_pylist()]
    for someone in set(known):
        i = place[someone]
        expected = candidate_records(records, someone, anybody=anybody)
        assert found.records[i] == len(expected)
        assert {shown[c] for c in classes[starts[i] : starts[i + 1]]} == {tuple(records[r]) for r in expected}
        assert found.number_of_classes[i] == starts[i + 1] - starts[i]
    for c, labels in enumerate(shown):
        fit = [someone for someone in known if agrees(labels, someone, anybody=anybody)]
        assert found.reached[c] == len(fit)
        assert found.fitting[c] == max(1, sum(not anybody or None not in someone for someone in fit))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from("fm"), st.sampled_from("abc")), min_size=1),
    st.lists(st.tuples(st.integers(0, 6), st.sampled_from("fm"), st.sampled_from("abd")), min_size=1),
)
def test_the_join_of_exact_data_finds_what_the_walk_finds(
    duck: Engine, records: list[Any], known: list[Any]
) -> None:
    joined = found_by(duck, records, known)
    assert joined.only is not None
    walked = Candidates(
        joined.columns,
        joined.file_columns,
        joined.release,
        joined.known,
        joined.compatible,
        joined.codes,
        joined.labels,
        None,
    )
    assert joined.records.tolist() == walked.records.tolist()
    assert joined.reached.tolist() == walked.reached.tolist()
    assert joined.least_fitting.tolist() == walked.least_fitting.tolist()
    assert joined.narrow_records.tolist() == walked.narrow_records.tolist()
    assert joined.narrow_persons.tolist() == walked.narrow_persons.tolist()
    assert joined.shares.tolist() == pytest.approx(walked.shares.tolist())
    assert joined.largest.tolist() == walked.largest.tolist()
    assert [part.tolist() for part in joined.listed] == [part.tolist() for part in walked.listed]
    pairs = [(i, c) for i in range(len(joined)) for c in range(len(joined.class_rows))]
    combinations, classes = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    assert joined.agree(combinations, classes).tolist() == [joined.only[i] == c for i, c in pairs]


def covered(
    values: list[Any], labels: list[Any], hierarchy: Hierarchy | None = None, **more: Any
) -> list[list[Any]]:
    """Return the known values that each label may stand for."""
    column = compatible("it", values, labels, hierarchy, **more)
    found = []
    for label in range(len(labels)):
        agree = column.test(np.full(len(values), label), column.codes) & (column.codes >= 0)
        found.append([value for value, says in zip(values, agree, strict=True) if says])
    return found


@pytest.mark.parametrize(
    ("values", "labels", "expected"),
    [
        ([29, 30], ["29", "30.0"], [[29], [30]]),
        (["29", "30"], [29, 30.0], [["29"], ["30"]]),
        (["02142", "02139"], [2142, 2139], [["02142"], ["02139"]]),
        ([2142, 2139, 2151], ["0214*", "021**", "02151"], [[2142], [2142, 2139, 2151], [2151]]),
        ([29.5, 30.0], ["29.5", "29-30", "[29, 30)"], [[29.5], [29.5, 30.0], [29.5]]),
        (["NW10", "NW25", "SW1"], ["NW1*", "NW*", "SW1"], [["NW10"], ["NW10", "NW25"], ["SW1"]]),
        (["NW1", "NW25", "SW1"], ["NW*", "N***", "*W1"], [["NW1"], ["NW25"], ["NW1", "SW1"]]),
        (["F", "M"], ["f ", "m"], [["F"], ["M"]]),
        ([SUE], ["1961", "1961-Q3", "1961-10", "1960-1969", "1961-09-15"], [[SUE], [SUE], [], [SUE], [SUE]]),
        ([30, 40, "none"], ["[25-35]", "40", "none", "*"], [[30], [40], ["none"], [30, 40, "none"]]),
        ([1, 2, 3, 4], ["<3", "3+", "{1, 4}"], [[1, 2], [3, 4], [1, 4]]),
        (["a, b", "c"], [r"{a\, b, c}"], [["a, b", "c"]]),
        ([True, False], ["true", "false"], [[True], [False]]),
        ([29.3], [29], [[]]),
        ([29, 30], [29.3], [[]]),
    ],
)  # fmt: skip
def test_labels_are_read_over_what_the_adversary_knows(
    values: list[Any], labels: list[Any], expected: list[list[Any]]
) -> None:
    assert covered(values, labels) == expected


def test_a_hierarchy_is_read_over_the_values_that_it_knows() -> None:
    tree = Tree({"*": {"north": ["a", "b"], "south": ["c"]}})
    column = compatible("place", ["a", "c", "z"], ["north", "south", "z", "*"], tree)
    assert covered(["a", "c", "z"], ["north", "south", "z", "*"], tree) == [
        ["a"],
        ["c"],
        ["z"],
        ["a", "c", "z"],
    ]
    assert column.notes == ("1 known values of 'place' are not in its hierarchy",)
    assert covered([17, 23, 95], ["15-19", "90+"], Intervals(5, top=90)) == [[17], [95]]
    assert covered(["1961-09-15"], ["1961-Q3", "1961"], Dates()) == [["1961-09-15"]] * 2


def test_scattered_values_of_a_group_leave_out_those_between() -> None:
    tree = Tree({"*": {"odd": [1, 3], "even": [2, 4]}})
    assert covered([1, 2, 3, 4], ["odd", "even"], tree) == [[1, 3], [2, 4]]


def test_a_hierarchy_of_another_coding_lets_labels_speak_for_themselves() -> None:
    assert covered([17, 23], ["[15-19]", "23"], Tree({"*": {"young": ["x"]}})) == [[17], [23]]


def test_a_hidden_value_may_be_anybodys_even_where_missing_is_a_value() -> None:
    alone = covered(["a"], [None, "a"], missing_is_a_value=True)
    hidden = covered(["a"], [None, "a"], missing_is_a_value=True, hiding=True)
    assert (alone, hidden) == ([[], ["a"]], [["a"], ["a"]])


@pytest.mark.parametrize(
    ("spelt", "day"),
    [
        ("9/15/61", (1961, 9, 15)),
        ("09/15/1961", (1961, 9, 15)),
        ("15.9.1961", (1961, 9, 15)),
        ("15 Sep 1961", (1961, 9, 15)),
        ("September 15, 1961", (1961, 9, 15)),
        ("1961/9/15", (1961, 9, 15)),
        ("1961-09-15 00:00:00", (1961, 9, 15)),
    ],
)
def test_a_date_is_the_same_however_it_is_written(spelt: str, day: tuple[int, int, int]) -> None:
    assert same_terms("born", [spelt], ["1990-01-31"]).values == [dt.date(*day)]
    assert covered([spelt], ["1961-09-15", "1961", "1990-01-31"]) == [[spelt], [spelt], []]


def test_the_order_of_day_and_month_is_shown_by_the_column_or_asked_for() -> None:
    assert same_terms("born", ["3/4/1961", "3/14/1961"], ["1961-03-04"]).values[0] == dt.date(1961, 3, 4)
    assert same_terms("born", ["3/4/1961", "14/3/1961"], ["1961-04-03"]).values[0] == dt.date(1961, 4, 3)
    with pytest.raises(BadInput, match="no date of it shows whether day or month comes first"):
        same_terms("born", ["3/4/1961"], ["1961-03-04"])
    with pytest.raises(BadInput, match="some of its dates begin with the day and some with the month"):
        same_terms("born", ["3/14/1961", "14/3/1961"], ["1961-03-04"])
    assert same_terms("born", ["3/4/1961"], ["1961-03-04"], day_first=True).values == [dt.date(1961, 4, 3)]


def test_a_column_that_does_not_show_its_order_follows_the_other_side_and_says_so() -> None:
    terms = same_terms("born", ["3/4/61"], ["13/5/61", "03/04/61"])
    assert terms.values == [dt.date(1961, 4, 3)] == terms.labels[1:]
    assert "day and month of 'born' are taken in the same order on both sides" in terms.notes


def test_two_digit_years_end_with_the_latest_full_year() -> None:
    terms = same_terms("born", ["31.12.61", "31.12.05"], ["1961", "1970-1979", "2004-02-29"])
    assert terms.values == [dt.date(1961, 12, 31), dt.date(1905, 12, 31)]
    assert terms.notes == ("two-digit years of 'born' are taken from 1905 to 2004",)


def test_what_is_no_date_stays_as_it_is() -> None:
    assert same_terms("code", ["a/b", "1/2/3"], ["1/2/3"]).values == ["a/b", "1/2/3"]
    assert same_terms("born", ["2/30/1961", "2/20/1961"], []).values == ["2/30/1961", dt.date(1961, 2, 20)]


def test_differently_coded_columns_are_an_error_that_names_them(duck: Engine) -> None:
    with pytest.raises(
        BadInput, match="column 'sex': nothing that the identified file holds in 'gender' agrees"
    ):
        candidates(
            release(duck, ["sex", "age"], [("f", 30), ("m", 40)]),
            people(duck, ["gender", "age"], [("1", 30)], {"sex": "gender", "age": "age"}),
        )


def test_columns_that_the_release_does_not_have_are_named(duck: Engine) -> None:
    with pytest.raises(BadInput, match="the release has no column 'agee'; did you mean 'age'"):
        candidates(release(duck, ["age"], [(30,)]), people(duck, ["age"], [(30,)], {"agee": "age"}))


def test_common_columns_may_be_some_of_the_quasi_identifiers(duck: Engine) -> None:
    found = candidates(
        release(duck, NAMES, [(30, "f", "a"), (30, "f", "b"), (40, "f", "b")]),
        people(duck, ["years", "sex"], [(30, "f")], {"age": "years", "sex": "sex"}),
    )
    assert found.records.tolist() == [2]
    assert found.release.quasi == ("age", "sex")
