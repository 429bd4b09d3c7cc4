"""Rounding, top and bottom coding, and samples."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.table.perturbation import Rounding, Sampling, TopBottomCoding
from sfumato.table.perturbation.sampling import shares_of


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-(10**9), 10**9), max_size=20), st.integers(1, 1000))
def test_rounding_goes_to_the_nearest_multiple_halves_upwards(values: list[int], base: int) -> None:
    table = pa.table({"x": pa.array(values, pa.int64())})
    after = Rounding(("x",), base=base).apply(table, None).records["x"]
    assert after.type == pa.int64()
    assert after.to_pylist() == [math.floor(Fraction(x, base) + Fraction(1, 2)) * base for x in values]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-(10**9), 10**9), max_size=20), st.integers(1, 1000))
def test_random_rounding_goes_to_a_neighbour_and_leaves_multiples(values: list[int], base: int) -> None:
    table = pa.table({"x": pa.array(values, pa.int64())})
    after = Rounding(("x",), base=base, random=True).apply(table, SecretRandom()).records["x"].to_pylist()
    for before, now in zip(values, after, strict=True):
        assert now % base == 0
        assert abs(now - before) < base


def test_random_rounding_goes_up_as_often_as_is_unbiased() -> None:
    class Ladder:
        secret = False

        def uniform(self, size: int) -> np.ndarray[Any, Any]:
            return np.arange(size) / size

    after = Rounding(("x",), base=8, random=True).apply(pa.table({"x": [11] * 8}), Ladder()).records  # type: ignore[arg-type]
    shown = after["x"].to_pylist()
    assert shown == [16] * 3 + [8] * 5
    assert sum(shown) == 8 * 11


def test_decimal_bases_give_decimal_numbers() -> None:
    after = Rounding(("x",), base=0.1).apply(pa.table({"x": [0.31, 0.34, 2.0]}), None).records
    assert after["x"].to_pylist() == [0.3, 0.3, 2.0]


def test_rounding_leaves_missing_values_and_counts_changes() -> None:
    done = Rounding(("x",), base=5).apply(pa.table({"x": [1, None, 5]}), None)
    assert done.records["x"].to_pylist() == [0, None, 5]
    assert done.details == {"changed_values": 1}


@pytest.mark.parametrize("base", [0, -1, float("inf"), float("nan"), True])
def test_a_base_is_a_positive_number(base: Any) -> None:
    with pytest.raises(sf.BadInput, match="base must be a positive number"):
        Rounding(("x",), base=base)


def test_numbers_too_large_to_be_exact_are_not_rounded() -> None:
    with pytest.raises(sf.BadInput, match="too large"):
        Rounding(("x",)).apply(pa.table({"x": [2**60]}), None)


def test_extremes_are_shown_as_the_bounds() -> None:
    table = pa.table({"x": [1, 5, None, 90, 120]})
    after = TopBottomCoding(("x",), top=89, bottom=3).apply(table, None)
    assert after.records["x"].to_pylist() == [3, 5, None, 89, 89]
    assert after.records["x"].type == pa.int64()
    assert after.details == {"changed_values": 3}
    labelled = TopBottomCoding(("x",), top=89, top_as="90 or more", bottom=3).apply(table, None)
    assert labelled.records["x"].to_pylist() == ["3", "5", None, "90 or more", "90 or more"]


def test_quantiles_are_values_of_the_column() -> None:
    table = pa.table({"x": list(range(1, 21))})
    after = TopBottomCoding(("x",), top_quantile=0.95, bottom_quantile=0.1).apply(table, None).records
    assert after["x"].to_pylist() == [2, 2, *range(3, 20), 19]


def test_coding_is_truthful_unless_another_number_is_shown() -> None:
    assert TopBottomCoding(("x",), top=9).truthful
    assert TopBottomCoding(("x",), top=9, top_as="9 or more").truthful
    assert not TopBottomCoding(("x",), top=9, top_as=12).truthful


@pytest.mark.golden
def test_top_coding_changes_what_sdcmicro_changes(shared: Path) -> None:
    cases = json.loads((shared / "golden" / "table-sdcmicro.json").read_text(encoding="utf-8"))["cases"]
    expected = cases["topBotCoding"]["value"]
    records = pyarrow.csv.read_csv(shared / "data" / "table" / "sdcmicro" / "testdata.csv")
    done = TopBottomCoding(("income",), top=5_000_000, top_as=4_500_000).apply(records, None)
    assert done.details["changed_values"] == expected["changed"]
    assert np.mean(done.records["income"].to_numpy()) == pytest.approx(expected["mean"], rel=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no bound is given"),
        ({"top": 5, "top_quantile": 0.9}, "both given"),
        ({"top_quantile": 1.0}, "top_quantile must lie between 0 and 1"),
        ({"top": 5, "bottom_as": 3}, "there is no bound for 'bottom_as'"),
    ],
)
def test_wrong_bounds_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        TopBottomCoding(("x",), **options)


def test_a_bottom_above_the_top_is_refused() -> None:
    with pytest.raises(sf.BadInput, match="the bottom lies above the top"):
        TopBottomCoding(("x",), top=3, bottom=5).apply(pa.table({"x": [4]}), None)


@settings(max_examples=60)
@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=8), st.sampled_from(["0.1", "0.25", "0.5", "0.9", "1"])
)
def test_shares_of_strata_are_exact(sizes: list[int], share: str) -> None:
    exact = Fraction(share)
    kept = shares_of(np.array(sizes), exact)
    assert sum(kept) == math.floor(exact * sum(sizes))
    assert all(abs(keep - exact * size) < 1 for keep, size in zip(kept, sizes, strict=True))
    assert all(0 <= keep <= size for keep, size in zip(kept, sizes, strict=True))


def test_a_sample_has_exactly_its_share_of_rows_in_their_order() -> None:
    table = pa.table({"x": list(range(999))})
    done = Sampling(share=0.1).apply(table, SecretRandom())
    rows = done.records["x"].to_pylist()
    assert len(rows) == 99
    assert rows == sorted(set(rows))
    assert done.details == {"persons_before": 999, "persons_kept": 99}


def test_strata_get_their_shares() -> None:
    table = pa.table({"s": ["a"] * 100 + ["b"] * 40 + ["c"] * 10})
    after = Sampling(share=0.5, strata=("s",)).apply(table, SecretRandom()).records
    assert Counter(after["s"].to_pylist()) == {"a": 50, "b": 20, "c": 5}


def test_all_rows_of_a_person_stay_or_go() -> None:
    table = pa.table({"p": [i // 3 for i in range(90)], "x": list(range(90))})
    after = Sampling(share=0.5, person="p").apply(table, SecretRandom()).records
    assert Counter(Counter(after["p"].to_pylist()).values()) == {3: 15}


def test_everybody_is_equally_likely_to_be_drawn() -> None:
    random, seen = SeededRandom(1), Counter[int]()
    for _ in range(2000):
        seen.update(
            Sampling(share=0.5).apply(pa.table({"x": list(range(4))}), random).records["x"].to_pylist()
        )
    assert all(abs(count - 1000) < 120 for count in seen.values())
    assert len(seen) == 4


def test_a_share_of_nobody_is_refused() -> None:
    with pytest.raises(sf.BadInput, match=r"a share of 0\.1 of 3 persons is nobody"):
        Sampling(share=0.1).apply(pa.table({"x": [1, 2, 3]}), SecretRandom())
    with pytest.raises(sf.BadInput, match="share must lie between 0 and 1"):
        Sampling(share=0.0)
