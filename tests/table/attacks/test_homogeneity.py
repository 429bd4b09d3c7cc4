"""Homogeneity: one value in a class is learned of everybody in it."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given

import sfumato as sf
from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.attacks.homogeneity import Homogeneity
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.published import PublishedTable
from tests.oracles.class_attacks import Row, one_value, with_and_without
from tests.oracles.models import publish
from tests.table import lecture_tables as lecture
from tests.table.attacks.class_tables import HEART_DISEASE, NOTHING, published, rows_of_values


def attacked(data: pd.DataFrame, quasi: str, column: str) -> AttackResult:
    return Homogeneity().run(publish(data, quasi.split(), [column]), NOTHING)


def test_bob_has_heart_disease_for_sure() -> None:
    result = attacked(HEART_DISEASE, "zip age", "disease")
    assert result.certain == 3
    assert result.success == pytest.approx(3 / 9)
    assert result.highest == 1.0
    assert result.guessing == pytest.approx(5 / 9), "heart disease for everybody"


@pytest.mark.parametrize(
    ("data", "quasi", "column", "learned"),
    [
        (lecture.RACE_BIRTH_GENDER_ZIP, "race birth gender zip", "problem", 4),
        (lecture.SEX_AGE_DIAGNOSIS, "sex age", "diagnosis", 2),
        (lecture.ONE_CLASS_OF_FIVE, "sex age zip", "diagnosis", 0),
    ],
)
def test_the_lecture_tables_give_away_whom_the_lecture_names(
    data: pd.DataFrame, quasi: str, column: str, learned: int
) -> None:
    assert attacked(data, quasi, column).certain == learned


@given(rows_of_values)
def test_everybody_is_attacked_as_the_oracle_does_it(rows: list[Row]) -> None:
    result = Homogeneity().run(published(rows), NOTHING)
    success, baseline = with_and_without(rows, one_value)
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))
    assert result.certain == success * len(rows)


@given(rows_of_values)
def test_it_fails_after_two_different_values_in_every_class(rows: list[Row]) -> None:
    target = published(rows)
    if sf.DistinctLDiversity(2).check(target).holds:
        assert Homogeneity().run(target, NOTHING).success == 0
    else:
        assert Homogeneity().run(target, NOTHING).success > 0


def test_a_class_of_many_says_the_same_without_any_one_of_them() -> None:
    together = Homogeneity().run(published([("a", 1)] * 5 + [("b", 1), ("b", 2)]), NOTHING)
    assert together.success == together.baseline == pytest.approx(5 / 7)
    alone = Homogeneity().run(published([("a", 1), ("b", 1), ("b", 2)]), NOTHING)
    assert alone.advantage == pytest.approx(1 / 3), "it takes their own record to learn it"


def test_what_is_known_besides_divides_a_class() -> None:
    data = pd.DataFrame({"zip": ["1"] * 4, "flu": ["y", "y", "n", "n"], "hiv": ["+", "+", "+", "-"]})
    unaware = publish(data, ["zip"], ["flu", "hiv"])
    assert Homogeneity("hiv").run(unaware, NOTHING).certain == 0
    aware = publish(data, ["zip"], ["flu", "hiv"], known=("flu",))
    assert Homogeneity("hiv").run(aware, NOTHING).certain == 2


def test_blanked_records_are_not_attacked_and_counted() -> None:
    rows = [("*", None)] * 3 + [("a", 1), ("a", 2)]
    result = Homogeneity().run(published(rows, blanked=3), NOTHING)
    assert (result.attempts, result.certain) == (2, 0)
    assert result.details["not_attacked"] == 3


def test_blanked_records_are_not_attacked_where_something_is_known_besides() -> None:
    data = pd.DataFrame(
        {
            "zip": ["*", "*", "a", "a", "*"],
            "flu": [None, None, "y", "n", "y"],
            "hiv": [None, None, "+", "-", "+"],
        }
    )
    target = publish(data, ["zip"], ["flu", "hiv"], known=("flu",), blanked=2)
    result = Homogeneity("hiv").run(target, NOTHING)
    assert (result.attempts, result.certain) == (3, 3)


def test_victims_are_rows_of_the_release_and_only_when_asked_for(duck: Engine) -> None:
    data = pd.DataFrame({"zip": ["1", "2", "1", "2", "3"], "ill": ["x", "y", "x", "z", None]})
    target = PublishedTable(duck.read(Frame(data)), ("zip",), ("ill",))
    assert Homogeneity().run(target, NOTHING).victims == ()
    found = Homogeneity().run(target, NOTHING, victims=True).victims
    assert [(victim.row, victim.confidence) for victim in found] == [(1, 1.0), (3, 1.0), (5, 1.0)]


def test_victims_without_a_value_are_found_among_numbers(duck: Engine) -> None:
    data = pd.DataFrame({"zip": ["1", "2", "2"], "ill": pd.array([None, 4, 5], "Int64")})
    target = PublishedTable(duck.read(Frame(data)), ("zip",), ("ill",))
    found = Homogeneity().run(target, NOTHING, victims=True)
    assert [victim.row for victim in found.victims] == [1]
    assert found.details["of_whom_no_value_is_given"] == 1


def test_without_quasi_identifiers_there_are_no_classes() -> None:
    with pytest.raises(BadInput, match="no column is a quasi-identifier"):
        Homogeneity().run(publish(pd.DataFrame({"ill": ["x"]}), [], ["ill"]), NOTHING)


def test_randomised_values_are_said_to_be_so() -> None:
    noise = Mechanism("ill", ("0", "1"), ())
    result = Homogeneity().run(published([("a", 0)], mechanisms=(noise,)), NOTHING)
    assert "randomised" in result.note


def test_nobody_to_attack_is_no_success_of_zero() -> None:
    with pytest.raises(BadInput, match="no records to attack"):
        Homogeneity().run(published([]), NOTHING)


def test_two_sensitive_columns_must_be_told_apart() -> None:
    data = pd.DataFrame({"zip": ["1"], "a": ["x"], "b": ["y"]})
    with pytest.raises(BadInput, match="'a', 'b'"):
        Homogeneity().run(publish(data, ["zip"], ["a", "b"]), NOTHING)
    with pytest.raises(BadInput, match="quasi-identifier"):
        Homogeneity("zip").run(publish(data, ["zip"], ["a", "b"]), NOTHING)


def test_somebody_with_several_records_is_one_person() -> None:
    data = pd.DataFrame({"zip": list("1112"), "who": list("AABC"), "ill": list("xxxy")})
    in_house = publish(data, ["zip"], ["ill"], person="who")
    assert Homogeneity().run(in_house, NOTHING).attempts == 3
    several = publish(data.assign(ill=list("xyxy")), ["zip"], ["ill"], person="who")
    result = Homogeneity().run(several, NOTHING)
    assert (result.attempts, result.certain) == (4, 3), "everybody of the first class has x"
    assert "several values" in result.note
