"""Known value: one sensitive value leads to the record, and to the other values in it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given

from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.attacks.known_value import KnownValue
from sfumato.table.published import PublishedTable
from tests.oracles.class_attacks import Row
from tests.oracles.models import publish
from tests.table.attacks.class_tables import NOTHING, published, rows_of_values
from tests.table.lecture_tables import table

T_CLOSE = table(
    "race zip hiv disease",
    "Caucas|787XX|HIV+|Flu",
    "Asian/AfrAm|787XX|HIV-|Flu",
    "Asian/AfrAm|787XX|HIV+|Shingles",
    "Caucas|787XX|HIV-|Acne",
    "Caucas|787XX|HIV-|Shingles",
    "Caucas|787XX|HIV-|Acne",
)


def test_the_caucasian_who_had_flu_is_one_row_and_positive() -> None:
    target = publish(T_CLOSE, ["race", "zip"], ["hiv", "disease"])
    result = KnownValue("disease").run(target, NOTHING)
    assert result.certain == 4, "all but the two Caucasians with acne"
    assert result.success == pytest.approx(5 / 6)
    assert result.details["by_quasi_identifiers_alone"] == pytest.approx(2 / 6)
    assert result.details["sure_of_hiv"] == 6, "those with acne are both negative"
    assert result.baseline == pytest.approx(1 / 6)


def test_it_fails_where_all_of_a_class_share_the_known_value() -> None:
    result = KnownValue().run(published([("a", 1)] * 4 + [("b", 2)] * 4), NOTHING)
    assert result.success == result.details["by_quasi_identifiers_alone"] == 2 / 8
    assert result.certain == 0


@given(rows_of_values)
def test_one_of_those_who_share_class_and_value_is_picked(rows: list[Row]) -> None:
    alike = Counter(rows)
    result = KnownValue().run(published(rows), NOTHING)
    assert result.success == pytest.approx(float(sum(Fraction(1, alike[row]) for row in rows) / len(rows)))
    assert result.certain == sum(alike[row] == 1 for row in rows)
    assert result.highest == 1 / min(alike.values())


def test_victims_are_the_rows_that_were_found(duck: Engine) -> None:
    data = pd.DataFrame({"zip": ["1", "1", "1"], "ill": ["x", "y", "x"]})
    target = PublishedTable(duck.read(Frame(data)), ("zip",), ("ill",))
    assert [victim.row for victim in KnownValue().run(target, NOTHING, victims=True).victims] == [2]
