"""The utility measure (UM): the certainty penalty with every group counted once."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.table.solution import SUPPRESSED, Solution
from sfumato.table.utility import measures
from tests.table.test_measures import flat, nine_rows


def test_the_utility_measure_of_the_nine_rows_averages_over_their_four_groups() -> None:
    ages, postcodes = (10, 10, 10, 30), (10, 49, 45, 45)
    groups = [(age / 70 + code / 95) / 2 for age, code in zip(ages, postcodes, strict=True)]
    assert measures.utility_measure(nine_rows()) == pytest.approx(sum(groups) / 4)


def test_groups_count_once_however_large_they_are() -> None:
    # The last group has three records of nine: it weighs a quarter here and a third in the GCP.
    um, gcp = measures.utility_measure(nine_rows()), measures.global_certainty_penalty(nine_rows())
    assert um < gcp


def test_suppressed_records_are_one_group_that_says_nothing() -> None:
    kept = [(10 / 70 + code / 95) / 2 for code in (10, 49, 45)]
    assert measures.utility_measure(nine_rows(suppress_last=True)) == pytest.approx((sum(kept) + 1) / 4)
    whole = nine_rows()
    lost = Solution(whole.cells, np.full(4, SUPPRESSED, np.int32), whole.boxes, whole.columns)
    assert measures.utility_measure(lost) == 1.0


def test_unchanged_is_0_and_hidden_is_1() -> None:
    assert measures.utility_measure(flat(0)) == 0
    assert measures.utility_measure(flat(1)) == 1
