"""Distinction and separation against pairs of rows compared one by one."""

from __future__ import annotations

import string
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.table.cells import Cells
from sfumato.table.risk.attributes import AttributeRisk, AttributeRisks
from sfumato.table.risk.walk import MOST_ROWS
from tests.oracles import subsets as oracle
from tests.table.risk.test_subsets import cells_of, counted, tables


@given(tables, st.integers(1, 4))
@settings(deadline=None)
def test_they_agree_with_comparing_every_pair_of_rows(rows: list[tuple[int, ...]], up_to: int) -> None:
    found = AttributeRisks.of(cells_of(rows), up_to).attributes
    wanted = list(oracle.subsets(len(rows[0]), min(up_to, len(rows[0]))))
    assert [risk.columns for risk in found] == [
        tuple(string.ascii_letters[j] for j in chosen) for chosen in wanted
    ]
    for risk, chosen in zip(found, wanted, strict=True):
        expected = oracle.measured(rows, list(range(len(rows))), chosen, Fraction(1))
        assert risk.distinction == float(expected.distinction)
        assert risk.separation == (None if expected.separation is None else float(expected.separation))


def test_a_key_separates_all_and_a_constant_nothing() -> None:
    key, constant = AttributeRisks.of(cells_of([(0, 0), (1, 0), (2, 0)])).attributes
    assert (key.distinction, key.separation) == (1.0, 1.0)
    assert (constant.distinction, constant.separation) == (1 / 3, 0.0)
    assert str(key) == "a: 3 combinations in 3 rows, 100.0 % of pairs differ"


def test_rows_are_compared_also_where_people_have_several(duck: Engine) -> None:
    (risk,) = AttributeRisks.of(counted(duck, [(0,), (0,), (1,)], [1, 1, 2])).attributes
    assert (risk.rows, risk.combinations, risk.agreeing_pairs) == (3, 2, 1)
    assert risk.separation == 2 / 3


def test_those_that_separate_most_are_ranked_first() -> None:
    risks = AttributeRisks.of(cells_of([(0, 0), (0, 1), (1, 2), (1, 3)]), 2)
    assert [risk.columns for risk in risks.ranked] == [("b",), ("a", "b"), ("a",)]
    assert str(risks).splitlines()[1] == "b                   4     100.00 %    100.00 %"


def test_pairs_of_billions_of_rows_are_counted_exactly() -> None:
    rows = np.array([2 * 10**9, 10**9 - 1], np.int64)
    cells = Cells((Domain("a", (0, 1), Scale.CATEGORY),), np.array([[0, 1]], np.int32), rows, rows)
    (risk,) = AttributeRisks.of(cells).attributes
    assert risk.agreeing_pairs == sum(n * (n - 1) // 2 for n in rows.tolist())
    more = np.array([MOST_ROWS, 1], np.int64)
    with pytest.raises(BadInput, match="so many rows"):
        AttributeRisks.of(Cells(cells.domains, cells.codes, more, more))


def test_a_single_row_has_no_pairs() -> None:
    assert AttributeRisk(("a",), 1, 1, 0).separation is None
    assert "no pairs" in str(AttributeRisk(("a",), 1, 1, 0))
