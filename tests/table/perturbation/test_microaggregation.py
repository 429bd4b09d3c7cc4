"""Microaggregation: the oracles, the published figures, and what it is for: k people who look alike."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.table.perturbation import Microaggregation
from sfumato.table.perturbation import microaggregation_groups as ways
from sfumato.table.perturbation._kernels_microaggregation import ABSOLUTE, CATEGORY, SQUARED
from tests.oracles import microaggregation as oracle

numbers = st.integers(-9, 9)
KINDS = {"squared": SQUARED, "number": ABSOLUTE, "category": CATEGORY}


def space(
    points: list[list[int]], owners: list[int] | None = None, kinds: list[str] | None = None
) -> ways.Space:
    told = kinds or ["squared"] * len(points[0])
    owner = np.unique(owners or range(len(points)), return_inverse=True)[1].astype(np.int64)
    return ways.Space(np.array(points, np.float64), np.array([KINDS[kind] for kind in told], np.int64), owner)


def as_sets(group: np.ndarray[Any, Any]) -> set[frozenset[int]]:
    members: dict[int, list[int]] = {}
    for record, number in enumerate(group.tolist()):
        members.setdefault(number, []).append(record)
    return {frozenset(listed) for listed in members.values()}


@st.composite
def tables(draw: st.DrawFn, most: int = 90) -> tuple[list[list[int]], int]:
    k = draw(st.integers(1, 5))
    width = draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(numbers, min_size=width, max_size=width), min_size=k, max_size=most))
    return rows, k


@settings(max_examples=60, deadline=None)
@given(tables())
def test_mdav_does_what_the_paper_tells(table: tuple[list[list[int]], int]) -> None:
    points, k = table
    expected = oracle.mdav(points, range(len(points)), k, ["number"] * len(points[0]))
    assert as_sets(ways.mdav(space(points), k)) == {frozenset(group) for group in expected}


@settings(max_examples=40, deadline=None)
@given(tables(60), st.randoms(use_true_random=False))
def test_mdav_counts_persons_where_they_have_several_rows(table: Any, random: Any) -> None:
    points, k = table
    owners = [random.randrange(max(1, len(points) // 2)) for _ in points]
    if len(set(owners)) < k:
        return
    expected = oracle.mdav(points, owners, k, ["number"] * len(points[0]))
    found = as_sets(ways.mdav(space(points, owners), k))
    assert found == {frozenset(group) for group in expected}
    assert min(len({owners[i] for i in group}) for group in found) >= k


@settings(max_examples=40, deadline=None)
@given(tables(60), st.sampled_from([0.0, 0.2, 1.1, 3.0]))
def test_v_mdav_does_what_the_paper_tells(table: Any, gamma: float) -> None:
    points, k = table
    expected = oracle.v_mdav(points, k, gamma, ["number"] * len(points[0]))
    assert as_sets(ways.v_mdav(space(points), k, gamma)) == {frozenset(group) for group in expected}


@settings(max_examples=40, deadline=None)
@given(tables(60), st.data())
def test_gower_distances_mix_numbers_and_categories(table: Any, data: Any) -> None:
    points, k = table
    kinds = [data.draw(st.sampled_from(["number", "category"])) for _ in points[0]]
    # Categories are coded from 0.
    points = [[abs(x) if kind == "category" else x for x, kind in zip(p, kinds, strict=True)] for p in points]
    expected = oracle.mdav(points, range(len(points)), k, kinds, oracle.gower(kinds))
    assert as_sets(ways.mdav(space(points, None, kinds), k)) == {frozenset(group) for group in expected}
    expected = oracle.v_mdav(points, k, 0.5, kinds, oracle.gower(kinds))
    found = ways.v_mdav(space(points, None, kinds), k, 0.5)
    assert as_sets(found) == {frozenset(group) for group in expected}


@settings(max_examples=40, deadline=None)
@given(st.lists(numbers, min_size=1, max_size=8), st.integers(1, 4))
def test_no_partition_of_one_axis_is_better_than_the_optimal_one(values: list[int], k: int) -> None:
    if len(values) < k:
        return
    points = [[value] for value in values]
    group = ways.optimal(np.array(values, np.float64), np.arange(len(values)), k)
    found = [sorted(part) for part in as_sets(group)]
    assert min(len(part) for part in found) >= k
    assert oracle.deviations(points, found) == oracle.least_deviations(points, k)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, st.integers(0, 3)), min_size=1, max_size=9), st.integers(1, 3))
def test_with_several_rows_of_a_person_no_ranges_are_better(rows: list[tuple[int, int]], k: int) -> None:
    values, owners = [value for value, _ in rows], [owner for _, owner in rows]
    if len(set(owners)) < k:
        return
    group = ways.optimal(np.array(values, np.float64), np.array(owners), k)
    found = [sorted(part) for part in as_sets(group)]
    assert min(len({owners[i] for i in part}) for part in found) >= k
    points = [[value] for value in values]
    assert oracle.deviations(points, found) == oracle.least_of_ranges(values, owners, k)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=3, max_size=8), st.integers(2, 3))
def test_mdav_is_never_better_than_the_best_partition(points: list[list[int]], k: int) -> None:
    found = [sorted(part) for part in as_sets(ways.mdav(space(points), k))]
    assert oracle.deviations(points, found) >= oracle.least_deviations(points, k)


@settings(max_examples=30, deadline=None)
@given(tables(), st.integers(0, 12), st.sampled_from([None, 0.3]))
def test_blocks_keep_k_in_every_group(table: Any, more: int, gamma: float | None) -> None:
    points, k = table
    group = ways.in_blocks(space(points), k, 2 * k + more, gamma)
    assert np.bincount(group).min() >= k
    assert (np.bincount(group) > 0).all()


def read(shared: Path, name: str) -> pa.Table:
    return pyarrow.csv.read_csv(shared / "data" / "table" / "sdcmicro" / f"{name}.csv")


def figures(shared: Path) -> dict[str, Any]:
    text = (shared / "golden" / "table-sdcmicro.json").read_text(encoding="utf-8")
    return dict(json.loads(text)["cases"])


PUBLISHED = {
    "mdav_SSE_Tarragona_g3": 16.932588,
    "mdav_SSE_Tarragona_g5": 22.461860,
    "mdav_SSE_Tarragona_g10": 33.192885,
    "mdav_SSE_CASCrefmicrodata_g3": 5.692186,
    "mdav_SSE_CASCrefmicrodata_g5": 9.088435,
    "mdav_SSE_EIA_g3": 0.591934,
    "mdav_SSE_EIA_g10": 3.269892,
    "mdav_EIA11_UTILITYID_g3": 0.482939,
    "mdav_EIA11_UTILITYID_g5": 1.666675,
    "mdav_EIA11_UTILITYID_g10": 3.839670,
    "mdav_EIA11_MONTH_g5": 2.166096,
    "mdav_EIA11_MONTH_g10": 4.406193,
}


def share_lost(records: pa.Table, columns: list[str], k: int) -> float:
    """Return SSE / SST in per cent, from the values before and after, standardised."""
    after = Microaggregation(tuple(columns), k=k).apply(records).records
    lost = 0.0
    for name in columns:
        x, y = (np.asarray(table[name].to_numpy(), np.float64) for table in (records, after))
        lost += float(((x - y) ** 2).sum() / ((x - x.mean()) ** 2).sum())
    return 100 * lost / len(columns)


@pytest.mark.golden
@pytest.mark.parametrize("case", PUBLISHED)
def test_the_loss_of_mdav_is_the_published_one(shared: Path, case: str) -> None:
    told = figures(shared)[case]
    value = told["value"]["IL_percent"] if isinstance(told["value"], dict) else told["value"]
    records = read(shared, told["params"].get("data", "EIA"))
    found = share_lost(records, told["params"]["vars"], told["params"]["aggr"])
    assert found == pytest.approx(value, rel=1e-9)
    assert found == pytest.approx(PUBLISHED[case], abs=1e-6)


@pytest.mark.golden
def test_the_census_at_k_10_is_the_published_one(shared: Path) -> None:
    columns = figures(shared)["mdav_SSE_CASCrefmicrodata_g3"]["params"]["vars"]
    assert share_lost(read(shared, "CASCrefmicrodata"), columns, 10) == pytest.approx(14.1559, abs=1e-4)


@pytest.mark.golden
def test_the_records_are_those_that_sdcmicro_published(shared: Path) -> None:
    path = shared / "data" / "table" / "sdcmicro" / "microagg_mdav_Tarragona_g3.csv"
    with path.open(encoding="utf-8") as file:
        header, *expected = csv.reader(file)
    records = read(shared, "Tarragona")
    after = Microaggregation(tuple(header), k=3).apply(records).records.select(header)
    # Twins may change places: both tools are right about which values go with which.
    before = zip(*(records[name].to_pylist() for name in header), strict=True)
    found = zip(*(after[name].to_pylist() for name in header), strict=True)
    mine = sorted((*b, *a) for b, a in zip(before, found, strict=True))
    before = zip(*(records[name].to_pylist() for name in header), strict=True)
    theirs = sorted((*b, *map(float, a)) for b, a in zip(before, expected, strict=True))
    np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-8)


def test_groups_show_means_medians_or_the_most_frequent_value() -> None:
    table = pa.table({"x": [1, 1, 7, 20, 20, 50]})
    for aggregate, expected in (("mean", [3.0, 30.0]), ("median", [1.0, 20.0]), ("mode", [1, 20])):
        step = Microaggregation(("x",), k=3, method="optimal", aggregate=aggregate)  # type: ignore[arg-type]
        shown = step.apply(table).records["x"].to_pylist()
        assert [shown[0], shown[-1]] == expected
        assert len(set(shown)) == 2


def test_texts_are_categories_and_numbers_as_texts_are_numbers() -> None:
    table = pa.table({"age": ["20", "22", "60", "62"], "job": ["nurse", "nurse", "cook", "cook"]})
    after = Microaggregation(("age", "job"), k=2).apply(table).records
    assert after["age"].to_pylist() == [21.0, 21.0, 61.0, 61.0]
    assert after["job"].to_pylist() == ["nurse", "nurse", "cook", "cook"]
    coded = Microaggregation(("age", "job"), k=2, categories=("age",)).apply(table).records
    assert coded["age"].to_pylist() == ["20", "20", "60", "60"]


def test_dates_are_aggregated_to_days() -> None:
    import datetime as dt

    days = [dt.date(2024, 1, 1), dt.date(2024, 1, 3), dt.date(2024, 6, 1), dt.date(2024, 6, 3)]
    after = Microaggregation(("day",), k=2).apply(pa.table({"day": days})).records
    assert after["day"].to_pylist() == [dt.date(2024, 1, 2)] * 2 + [dt.date(2024, 6, 2)] * 2


def test_dates_as_texts_become_dates_and_codes_with_leading_zeros_are_no_amounts() -> None:
    import datetime as dt

    table = pa.table({"day": ["2024-01-01", "2024-01-03"], "zip": ["02135", "02139"]})
    after = Microaggregation(("day",), k=2).apply(table).records
    assert after["day"].to_pylist() == [dt.date(2024, 1, 2)] * 2
    mixed = pa.table({"zip": ["02135", "12345", "12345"]})
    with pytest.raises(sf.BadInput, match="1 of 3 values are not numbers"):
        Microaggregation(("zip",), k=2).apply(mixed)
    shown = Microaggregation(("zip",), k=3, categories=("zip",)).apply(mixed).records
    assert shown["zip"].to_pylist() == ["12345"] * 3


def test_strata_are_never_mixed() -> None:
    table = pa.table({"x": [1, 9, 2, 8], "sex": ["f", "m", "f", "m"]})
    after = Microaggregation(("x",), k=2, strata=("sex",)).apply(table).records
    assert after["x"].to_pylist() == [1.5, 8.5, 1.5, 8.5]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(numbers, numbers, st.sampled_from("ab")), min_size=4, max_size=40))
def test_all_quasi_identifiers_together_are_k_anonymous(rows: list[tuple[int, int, str]]) -> None:
    table = pa.table(
        {name: list(column) for name, column in zip("xyz", zip(*rows, strict=True), strict=True)}
    )
    for method in ("mdav", "v-mdav"):
        after = Microaggregation(tuple("xyz"), k=4, method=method).apply(table).records  # type: ignore[arg-type]
        assert min(Counter(zip(*after.to_pydict().values(), strict=True)).values()) >= 4


def test_the_steward_is_told_what_was_lost() -> None:
    done = Microaggregation(("x",), k=2, standardise=False).apply(pa.table({"x": [1.0, 3.0, 7.0, 9.0]}))
    assert done.details == {
        "changed_values": 4,
        "groups": 2,
        "smallest_group": 2,
        "largest_group": 2,
        "lost_variance": 0.1,
    }
    assert not done.published


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": ()}, "no column is named"),
        ({"columns": ("x", "x")}, "named twice"),
        ({"columns": ("x",), "k": 0}, "k must be a whole number"),
        ({"columns": ("x",), "method": "mdv"}, "there is no method 'mdv'; did you mean 'mdav'"),
        ({"columns": ("x",), "aggregate": "sum"}, "there is no aggregate"),
        ({"columns": ("x",), "gamma": -1.0}, "gamma must not be negative"),
        ({"columns": ("x",), "k": 3, "block": 5}, "a block needs at least 2k records"),
        ({"columns": ("x",), "categories": ("y",)}, "not among the columns"),
        ({"columns": ("x",), "strata": ("x",)}, "cannot be a stratum"),
    ],
)
def test_wrong_parameters_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        Microaggregation(**options)


@pytest.mark.parametrize(
    ("table", "options", "error", "message"),
    [
        ({"x": [1, 2]}, {"k": 3}, sf.PromiseNotMet, "the table has 2 persons, and every group needs k = 3"),
        ({"x": [1, 2, 3], "s": [1, 1, 2]}, {"k": 2, "strata": ("s",)}, sf.PromiseNotMet, "a stratum has 1"),
        ({"x": [1, None, 3]}, {"k": 2}, sf.BadInput, r"1 of 3 values are missing \(first in row 2\)"),
        ({"x": ["a", "b"]}, {"k": 2, "method": "optimal"}, sf.BadInput, "2 of 2 values are not numbers"),
        ({"x": [1.0, float("inf")]}, {"k": 2}, sf.BadInput, "1 values are infinite"),
        ({"x": ["1", "unknown"]}, {"k": 2}, sf.BadInput, r"1 of 2 values are not numbers \(first in row 2\)"),
        ({"x": [1.0, float("nan")]}, {"k": 2}, sf.BadInput, r"1 of 2 values are missing \(first in row 2\)"),
        ({"x": [1.0, 1e200]}, {"k": 2}, sf.BadInput, "too large for squared distances"),
        ({"y": [1, 2]}, {"k": 2}, sf.BadInput, "there is no column 'x'"),
        ({"x": [1, 1], "p": [7, 7]}, {"k": 2, "person": "p"}, sf.PromiseNotMet, "the table has 1 persons"),
    ],
)
def test_tables_that_cannot_be_grouped_are_refused(
    table: dict[str, Any], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Microaggregation(("x",), **options).apply(pa.table(table))
