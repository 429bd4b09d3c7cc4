"""Skewness: what is far more frequent in a class than everywhere is believed of its people."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.attacks.skewness import Skewness
from sfumato.table.published import PublishedTable
from tests.oracles.class_attacks import Row, far_likelier, with_and_without
from tests.table.attacks.class_tables import NOTHING, published, rows_of_values

FACTORS = st.sampled_from([1.5, 2, 3])
CONFIDENCES = st.sampled_from([0, 0.25, 0.5, 0.6])


def hiv(positive: int) -> PublishedTable:
    """One class of 50, of a table in which one in a hundred is positive."""
    rows = [("class", "+")] * positive + [("class", "-")] * (50 - positive)
    return published(rows + [("rest", "+")] * (50 - positive) + [("rest", "-")] * (4900 + positive))


def test_a_class_of_positive_people_tells_much_although_few_are_positive() -> None:
    result = Skewness().run(hiv(49), NOTHING)
    assert result.success == pytest.approx(49 / 5000), "of the others nothing rare is learned"
    assert result.highest == 0.98
    assert result.details["largest_factor"] == pytest.approx(98)
    assert result.guessing == 0


def test_half_of_a_class_is_enough_and_one_of_fifty_is_not() -> None:
    assert Skewness().run(hiv(25), NOTHING).success == pytest.approx(25 / 5000)
    assert Skewness().run(hiv(1), NOTHING).success == 0
    assert Skewness(confidence=0.51).run(hiv(25), NOTHING).success == 0


def test_two_classes_that_are_equally_diverse_are_told_apart() -> None:
    """Entropy and distinct l-diversity see no difference between 49 + 1 and 1 + 49."""
    model = sf.EntropyLDiversity(1, column="ill")
    few, many = (published([("E", "+")] * positive + [("E", "-")] * (50 - positive)) for positive in (1, 49))
    assert model.measured(few) == model.measured(many)
    assert Skewness().run(hiv(49), NOTHING).success > Skewness().run(hiv(1), NOTHING).success


def test_the_threshold_itself_counts() -> None:
    rows = [("a", 1)] * 2 + [("a", 2)] * 2 + [("b", 2)] * 4
    assert Skewness(factor=2).run(published(rows), NOTHING).certain == 0
    assert Skewness(factor=2).run(published(rows), NOTHING).success == pytest.approx(2 / 8)
    assert Skewness(factor=2.0001).run(published(rows), NOTHING).success == 0


@given(rows_of_values, FACTORS, CONFIDENCES)
def test_everybody_is_attacked_as_the_oracle_does_it(rows: list[Row], factor: float, least: float) -> None:
    result = Skewness(factor, least).run(published(rows), NOTHING)
    success, baseline = with_and_without(rows, far_likelier(Fraction(str(factor)), Fraction(str(least))))
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))


@given(rows_of_values, FACTORS, CONFIDENCES)
def test_a_close_table_bounds_it_as_promised(rows: list[Row], factor: float, least: float) -> None:
    target = published(rows)
    t = sf.TCloseness(1).measured(target)["ill"]
    success = Skewness(factor, least).run(target, NOTHING).success
    f, c = Fraction(str(factor)), Fraction(str(least))
    assert success <= float(t * f / (f - 1)) + 1e-12
    if t < c * (1 - 1 / f):
        assert success == 0


@given(rows_of_values, FACTORS)
def test_beta_likeness_below_the_factor_ends_it(rows: list[Row], factor: float) -> None:
    target = published(rows)
    if sf.BasicBetaLikeness(1).measured(target)["ill"] < Fraction(str(factor)) - 1:
        assert Skewness(factor, confidence=0).run(target, NOTHING).success == 0


def test_victims_come_with_what_the_adversary_believes(duck: Engine) -> None:
    data = pd.DataFrame({"zip": ["1", "1", "1", *["2"] * 7], "ill": ["x", "x", "y", *["y"] * 7]})
    target = PublishedTable(duck.read(Frame(data)), ("zip",), ("ill",))
    found = Skewness().run(target, NOTHING, victims=True).victims
    assert [(victim.row, round(victim.confidence, 3)) for victim in found] == [(1, 0.667), (2, 0.667)]


@pytest.mark.parametrize("bad", [{"factor": 1}, {"factor": "x"}, {"confidence": 1.1}, {"column": ""}])
def test_parameters_that_say_nothing_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Skewness(**bad)  # type: ignore[arg-type]
