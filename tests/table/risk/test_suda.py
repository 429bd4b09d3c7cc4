"""Special uniques against a search record by record, DIS–SUDA against its formula."""

from __future__ import annotations

import string
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.table.risk import minimal_uniques
from sfumato.table.risk.suda import Suda, by_record
from tests.oracles import suda as oracle
from tests.table.risk.test_subsets import cells_of, counted, tables

scorings = st.sampled_from(["elliot", "ihsn"])
Rows = list[tuple[Any, ...]]


def columns_of(rows: Rows) -> dict[str, list[Any]]:
    return {string.ascii_letters[j]: list(column) for j, column in enumerate(zip(*rows, strict=True))}


@given(tables, st.integers(1, 4), scorings)
@settings(deadline=None)
def test_scores_agree_with_looking_at_every_record_and_every_combination(
    rows: Rows, up_to: int, scoring: Any
) -> None:
    width = len(rows[0])
    size = min(up_to, width)
    found = oracle.minimal_uniques(rows, range(len(rows)), size)
    scores = oracle.scores(found, width, size, scoring)
    suda, cell = by_record(columns_of(rows), up_to=up_to, scoring=scoring)
    assert suda.scores[cell] == pytest.approx([float(score) for score in scores])
    for k in range(1, size + 1):
        assert suda.counts[k - 1, cell].tolist() == [sum(len(one) == k for one in each) for each in found]
    assert suda.scored == sum(bool(each) for each in found)
    total = sum(scores)
    for j in range(width):
        weights = [
            sum((oracle.weight(len(one), width, size, scoring) for one in each if j in one), Fraction(0))
            for each in found
        ]
        shares = [float(w / s) if s else 0.0 for w, s in zip(weights, scores, strict=True)]
        assert suda.shares[cell, j] == pytest.approx(shares)
        assert suda.contributions[j] == pytest.approx(float(100 * sum(weights) / total) if total else 0.0)
        by_value = {
            value: sum(w for w, row in zip(weights, rows, strict=True) if row[j] == value)
            for value in sorted({row[j] for row in rows})
        }
        wanted = [float(100 * part / sum(weights)) if sum(weights) else 0.0 for part in by_value.values()]
        assert suda.value_contributions[j] == pytest.approx(wanted)


@given(tables, scorings, st.sampled_from([0.01, 0.1, 0.5, 1.0]))
@settings(deadline=None)
def test_dis_and_dis_suda_agree_with_their_definitions(rows: Rows, scoring: Any, fraction: float) -> None:
    suda, cell = by_record(columns_of(rows), scoring=scoring, fraction=fraction)
    wanted = oracle.dis(rows, Fraction(str(fraction)))
    assert (suda.dis is None) == (wanted is None)
    if wanted is not None:
        assert suda.dis == pytest.approx(float(wanted))
    assert suda.dis_scores is not None
    assert suda.dis_scores[cell] == pytest.approx(oracle.dis_suda(rows, suda.scores[cell].tolist(), fraction))


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.tuples(*[st.sampled_from([None, "x", "y", "z"])] * width), min_size=1, max_size=12
        )
    ),
    st.sampled_from(["value", "ignored"]),
)
@settings(deadline=None)
def test_missing_is_a_value_or_takes_part_in_nothing(rows: Rows, missing: Any) -> None:
    width = len(rows[0])
    found = oracle.minimal_uniques(rows, range(len(rows)), width, ignore_missing=missing == "ignored")
    suda, cell = by_record(columns_of(rows), missing=missing)
    assert suda.scores[cell].tolist() == [float(s) for s in oracle.scores(found, width, width, "elliot")]


@given(tables, st.data())
@settings(deadline=None, max_examples=40)
def test_a_person_with_several_rows_is_one_person(duck: Engine, rows: Rows, data: st.DataObject) -> None:
    people = data.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    width = len(rows[0])
    cells = counted(duck, rows, people)
    suda = Suda.of(cells)
    assert suda.records == len(set(people))
    found = oracle.minimal_uniques(rows, people, width)
    scores = dict(zip(rows, oracle.scores(found, width, width, "elliot"), strict=True))
    for c in range(len(cells)):
        row = tuple(cells.domains[j].values[cells.codes[j, c]] for j in range(width))
        assert suda.scores[c] == float(scores[row])


@given(tables)
@settings(deadline=None)
def test_columns_of_very_many_values_are_scored_the_same(rows: Rows) -> None:
    few, many = cells_of(rows), cells_of(rows, 100_000, 33_333)
    assert Suda.of(few).scores.tolist() == Suda.of(many).scores.tolist()


def test_fewer_columns_score_more_and_looking_no_further_keeps_the_order() -> None:
    rows = [(i % 5, i % 7, i % 3, i // 4) for i in range(30)]
    everything = Suda.of(cells_of(rows, 10))
    first = Suda.of(cells_of(rows, 10), 2)
    only_pairs = everything.counts[2:].sum(axis=0) == 0
    assert only_pairs.any()
    # (4 − 3) is the one factor that a search up to 2 leaves out.
    assert first.scores[only_pairs].tolist() == everything.scores[only_pairs].tolist()
    assert first.counts.tolist() == everything.counts[:2].tolist()


def test_when_everybody_is_alone_by_one_column_nothing_more_is_minimal() -> None:
    suda, _ = by_record({"id": list(range(9)), "sex": list("fm") * 4 + ["f"], "job": ["a"] * 9})
    assert suda.counts.sum(axis=1).tolist() == [9, 0, 0]
    assert suda.contributions == (100.0, 0.0, 0.0)


def test_without_uniques_nothing_is_scored_and_dis_is_not_defined() -> None:
    suda, cell = by_record({"a": [1, 1, 2, 2], "b": [1, 1, 1, 1]})
    assert suda.scores[cell].tolist() == [0.0] * 4
    assert suda.dis is None
    assert str(suda) == "SUDA: 0 of 4 records are unique by up to 2 of 2 columns"


def test_without_pairs_it_says_that_dis_cannot_tell() -> None:
    suda, _ = by_record({"a": [1, 2], "b": [1, 1]})
    assert suda.dis == 1.0
    assert "takes every match as correct" in suda.said
    assert suda.said in str(suda)


def test_dis_suda_is_left_out_where_its_exponent_turns() -> None:
    rows = {f"c{j}": [0, 1, 1] for j in range(28)}
    suda, _ = by_record(rows, up_to=1)
    assert suda.dis_scores is None
    assert "not defined" in suda.said
    assert suda.scored == 1


def test_results_cannot_be_written() -> None:
    suda, _ = by_record({"a": [1, 2, 2]})
    for array in (suda.scores, suda.counts, suda.shares, suda.dis_scores, *suda.value_contributions):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fraction": 0.0}, "above 0"),
        ({"fraction": 1.5}, "above 0"),
        ({"fraction": float("nan")}, "above 0"),
        ({"scoring": "elliott"}, "did you mean 'elliot'"),
        ({"missing": "ignore"}, "did you mean 'ignored'"),
        ({"up_to": 0}, "whole number from 1"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        by_record({"a": [1, 2]}, **options)


def test_nobody_has_no_scores() -> None:
    for columns in ({}, {"a": []}):
        with pytest.raises(BadInput, match="nobody"):
            by_record(columns)


def test_a_search_that_would_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimal_uniques, "half_of_memory", lambda: 100)
    with pytest.raises(BadInput, match=r"GB of memory; look for those of up to 3 columns"):
        Suda.of(cells_of([tuple(np.arange(4)), (0, 0, 0, 0)]))
