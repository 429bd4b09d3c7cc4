"""Utility of the tutorial's nine-row table, and of boundary cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sfumato.core.domain import Domain
from sfumato.table.cells import Cells
from sfumato.table.solution import SUPPRESSED, Generalised, Solution
from sfumato.table.utility import measures

# Age and postcode intervals of the tutorial's four groups, of 2, 2, 2 and 3 records.
GROUPS = [((20, 30), (0, 10), 2), ((30, 40), (26, 75), 2), ((50, 60), (0, 45), 2), ((60, 90), (50, 95), 3)]


def nine_rows(*, suppress_last: bool = False, only: int | None = None) -> Solution:
    """One cell for each group; ages span 20 to 90, postcodes CF0 to CF95."""
    chosen = GROUPS if only is None else [GROUPS[only]]
    codes = np.tile(np.arange(len(chosen), dtype=np.int32), (2, 1))
    rows = np.array([size for _, _, size in chosen], np.int64)
    names = tuple(f"g{i}" for i in range(len(chosen)))
    domains = (Domain.of("age", names), Domain.of("postcode", names))
    columns = []
    for name, axis, span in (("age", 0, 70.0), ("postcode", 1, 95.0)):
        extent = np.array([group[axis][1] - group[axis][0] for group in chosen], np.float64)  # type: ignore[index]
        unknown = np.full(len(chosen), np.nan)
        columns.append(Generalised(name, names, extent + 1, int(span) + 1, extent, span, unknown, 0))
    classes = np.arange(len(chosen), dtype=np.int32)
    if suppress_last:
        classes[-1] = SUPPRESSED
    return Solution(Cells(domains, codes, rows, rows), classes, codes.copy(), tuple(columns))


def test_discernibility_of_the_nine_rows_is_21() -> None:
    assert measures.discernibility(nine_rows()) == 21


def test_discernibility_with_the_last_group_suppressed_is_39() -> None:
    assert measures.discernibility(nine_rows(suppress_last=True)) == 2 * 2 * 3 + 9 * 3


@pytest.mark.parametrize(("group", "ncp"), [(0, 0.496), (1, 1.317), (2, 1.233)])
def test_the_first_three_groups_have_the_same_discernibility_and_different_penalties(
    group: int, ncp: float
) -> None:
    alone = nine_rows(only=group)
    assert measures.discernibility(alone) == 4
    assert measures.normalised_certainty_penalty(alone) == pytest.approx(ncp, abs=5e-4)


def test_certainty_penalties_of_the_nine_rows() -> None:
    assert measures.normalised_certainty_penalty(nine_rows()) == pytest.approx(5.7534, abs=5e-5)
    assert measures.global_certainty_penalty(nine_rows()) == pytest.approx(0.3196, abs=5e-5)


def test_average_class_size_is_offered_for_the_smallest_group_and_for_k() -> None:
    assert measures.average_class_size_of_smallest(nine_rows()) == 1.125
    assert measures.average_class_size(nine_rows(), 2) == 1.125
    assert measures.average_class_size(nine_rows(), 1) == 2.25


def test_everything_suppressed_loses_everything() -> None:
    whole = nine_rows()
    lost = Solution(whole.cells, np.full(4, SUPPRESSED, np.int32), whole.boxes, whole.columns)
    assert measures.global_certainty_penalty(lost) == 1.0
    assert measures.loss_metric(lost) == 1.0
    assert measures.discernibility(lost) == 81
    assert measures.average_class_size_of_smallest(lost) is None


def flat(level: int) -> Solution:
    """Four rows of a column a, a, b, c: as they are (level 0) or hidden (level 1)."""
    rows = np.array([2, 1, 1], np.int64)
    cells = Cells((Domain.of("x", "abc"),), np.arange(3, dtype=np.int32)[None, :].copy(), rows, rows)
    labels = ("a", "b", "c") if level == 0 else ("*",)
    leaves = np.ones(3) if level == 0 else np.array([3.0])
    no_axis = np.full(len(labels), np.nan)
    column = Generalised("x", labels, leaves, 3, no_axis, math.nan, np.full(len(labels), float(level)), 1)
    classes = np.arange(3, dtype=np.int32) if level == 0 else np.zeros(3, np.int32)
    return Solution(
        cells, classes, np.arange(len(labels), dtype=np.int32)[None, :], (column,), levels=(level,)
    )


def test_an_unchanged_column_loses_nothing() -> None:
    for measure in measures.MEASURES:
        if measure.name not in ("discernibility", "class-size-smallest"):
            assert measure.of(flat(0)) == 0, measure.name


def test_a_hidden_column_loses_all_by_every_measure() -> None:
    hidden = flat(1)
    assert measures.global_certainty_penalty(hidden) == 1
    assert measures.loss_metric(hidden) == 1
    assert measures.precision_loss(hidden) == 1
    assert measures.height(hidden) == 1
    # Two rows of probability 1/2 cost a bit each, two of 1/4 cost two bits each.
    assert measures.non_uniform_entropy(hidden) == pytest.approx(2 * 1 + 2 * 2)


def test_precision_and_height_do_not_apply_to_boxes() -> None:
    assert measures.precision_loss(nine_rows()) is None
    assert measures.height(nine_rows()) is None
