"""Outliers that a printed range ends at."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.core.domain import Domain
from sfumato.table.risk.printed_outliers import _ends_at, far_out


def outliers(counts: dict[str | None, int], k: int = 5) -> list[str]:
    domain = Domain.of("income", counts)
    persons = np.array([counts[value] for value in domain.values], np.int64)
    return [str(domain.values[code]) for code in far_out(domain, persons, k)]


EVEN = {str(value): 3 for value in range(0, 5000, 100)}


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({}, []),
        ({"9999999": 1}, ["9999999"]),
        ({"-9999999": 1, "9999999": 2}, ["-9999999", "9999999"]),
        ({"9999999": 4}, ["9999999"]),
        # Five people with one value are a crowd of k.
        ({"9999999": 5}, []),
        ({"5600": 1}, []),
        ({None: 9, "9999999": 1}, ["9999999"]),
    ],
)
def test_few_people_far_away_are_outliers(more: dict[str | None, int], found: list[str]) -> None:
    assert outliers({**EVEN, **more}) == found


def test_where_most_people_share_a_value_the_others_must_lie_further_than_all_apart() -> None:
    assert outliers({"0": 300, "1": 40, "2": 20, "3": 5, "4": 1}) == []
    assert outliers({"0": 300, "1": 40, "2": 20, "3": 5, "40": 1}) == ["40"]
    assert outliers({"0": 300, "9": 1}) == ["9"]


def test_dates_may_lie_far_away_and_codes_and_words_do_not() -> None:
    days = {f"2024-03-{day:02}": 4 for day in range(1, 29)}
    assert outliers({**days, "1900-01-01": 1}) == ["1900-01-01"]
    assert outliers({**{f"0{value}": 4 for value in range(100, 150)}, "09999999": 1}) == []
    assert outliers({"flu": 300, "kuru": 1}) == []


@pytest.mark.parametrize(
    ("label", "text", "ends"),
    [
        ("[4834-9999999]", "9999999", True),
        ("[-5-30]", "-5", True),
        ("[0.5, 9.25]", "9.25", True),
        ("[2024-01-01 - 2099-12-31]", "2099-12-31", True),
        ("[4834-9999999] or missing", "9999999", True),
        ("[4834-99999990]", "9999999", False),
        ("[4834-9999999.5]", "9999999", False),
        ("9999999", "9999999", False),
        ("*", "9999999", False),
        (None, "9999999", False),
    ],
)
def test_a_range_prints_a_value_when_it_ends_there(label: str | None, text: str, ends: bool) -> None:
    assert _ends_at(label, text) is ends
