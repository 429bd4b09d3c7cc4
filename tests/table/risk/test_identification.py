"""λ1, λ2 and λ3, and how a table and a list of the population are brought together."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine, Table
from sfumato.engine.sources import Frame
from sfumato.table.risk.against import Against, against, common_columns
from sfumato.table.risk.identification import IdentificationUniqueness
from tests.oracles import against as oracle

combinations = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=25)


def table(engine: Engine, **columns: list[Any]) -> Table:
    return engine.read(Frame(pa.table(columns)))


def of(engine: Engine, file: list[tuple[int, int]], everybody: list[tuple[int, int]]) -> Against:
    """Count both in an engine."""
    sides = [table(engine, a=[a for a, _ in side], b=[b for _, b in side]) for side in (file, everybody)]
    return against(sides[0], sides[1], ["a", "b"])


def test_the_worked_example_of_fourteen_records_and_forty_voters(duck: Engine) -> None:
    """Nine of the fourteen are alone, two of them also in the list, where six are."""
    file = [f"unique {i}" for i in range(9)] + ["pair"] * 2 + ["three"] * 3
    others = [f"unique {i}" for i in range(2, 9) for _ in range(3)] + ["pair"] * 6 + ["three"] * 7
    voters = ["unique 0", "unique 1"] + [f"not in the file {i}" for i in range(4)] + others
    assert (len(file), len(voters)) == (14, 40)
    found = IdentificationUniqueness.of(against(table(duck, q=file), table(duck, q=voters), ["q"]))
    assert (found.sample_uniques, found.both, found.population_uniques) == (9, 2, 6)
    assert (found.lambda_1, found.lambda_2) == (Fraction(2, 9), Fraction(2, 14))
    assert found.lambda_3 == Fraction(6, 40)
    assert "λ1 = 22.2 %" in str(found)
    assert "λ2 = 14.3 %" in str(found)
    assert "λ3 = 15.0 %" in str(found)


def test_two_uniques_in_a_thousand_records_make_the_first_measure_one_and_the_second_small() -> None:
    found = IdentificationUniqueness.of(Against.of([1, 1, 998], [1, 1, 5000]))
    assert found.lambda_1 == 1
    assert found.lambda_2 == Fraction("0.002")


def test_without_uniques_in_the_file_the_first_measure_is_not_defined() -> None:
    found = IdentificationUniqueness.of(Against.of([2, 3], [4, 4]))
    assert found.lambda_1 is None
    assert found.lambda_2 == 0
    assert "not defined" in str(found)


@given(combinations, combinations)
def test_the_measures_agree_with_counting_person_by_person(
    duck: Engine, file: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    everybody = [*file, *others]
    found = IdentificationUniqueness.of(of(duck, file, everybody))
    assert (found.lambda_1, found.lambda_2, found.lambda_3) == oracle.lambdas(file, everybody)


@given(combinations)
def test_against_itself_all_uniques_are_population_uniques(duck: Engine, file: list[tuple[int, int]]) -> None:
    found = IdentificationUniqueness.of(of(duck, file, file))
    assert found.lambda_1 in (None, 1)
    assert found.lambda_2 == found.lambda_3


def test_whole_numbers_and_texts_of_numbers_are_the_same_values(duck: Engine) -> None:
    found = against(table(duck, age=[30, 31]), table(duck, age=["30", "31", "31"]), ["age"])
    assert not found.said
    assert IdentificationUniqueness.of(found).lambda_1 == Fraction(1, 2)


def test_leading_zeros_that_one_side_lost_are_found_and_told(duck: Engine) -> None:
    found = against(table(duck, zip=["02135", "12000"]), table(duck, zip=[2135, 12000, 12000]), ["zip"])
    assert found.said == ("'zip' was compared as numbers: it is written differently in both",)
    assert IdentificationUniqueness.of(found).both == 1


def test_dates_and_moments_at_midnight_are_the_same_days(duck: Engine) -> None:
    days, moments = [dt.date(1961, 9, 15)], [dt.datetime(1961, 9, 15), dt.datetime(1961, 9, 16)]
    found = against(table(duck, born=days), table(duck, born=moments), ["born"])
    assert found.said == ("'born' was compared as dates: it is written differently in both",)
    assert IdentificationUniqueness.of(found).lambda_1 == 1


def test_dates_of_a_voter_list_that_are_spelt_in_another_way_are_the_same_days(duck: Engine) -> None:
    hospital, voters = ["09/15/1961", "03/20/1940"], ["9/15/61", "9/15/61", "3/20/40"]
    found = against(table(duck, born=hospital), table(duck, born=voters), ["born"])
    assert "'born' was compared as dates: they are spelt differently" in found.said
    assert IdentificationUniqueness.of(found).lambda_1 == Fraction(1, 2)


def test_dates_that_may_be_meant_either_way_are_an_error_and_not_guessed(duck: Engine) -> None:
    with pytest.raises(BadInput, match="column 'born': no date of it shows whether day or month comes first"):
        against(table(duck, born=["02/03/1961"]), table(duck, born=[dt.date(1961, 3, 2)]), ["born"])


def test_case_and_blanks_do_not_part_people(duck: Engine) -> None:
    found = against(table(duck, sex=["F", "M"]), table(duck, sex=["f ", "m", "m"]), ["sex"])
    assert "without case" in found.said[0]
    assert found.unmatched == 0


def test_a_reading_that_would_merge_different_values_is_not_taken(duck: Engine) -> None:
    found = against(table(duck, code=["1", "01", "a"]), table(duck, code=[1, 2]), ["code"])
    assert not found.said
    assert found.unmatched == 2


def test_a_missing_value_is_a_value_of_its_own(duck: Engine) -> None:
    found = against(table(duck, age=[30, None]), table(duck, age=[None, 30, 30]), ["age"])
    assert IdentificationUniqueness.of(found).both == 1


def test_columns_are_found_by_their_names_without_case_and_underscores() -> None:
    assert common_columns(["birth_date", "zip"], ["Birth Date", "ZIP", "name"]) == {
        "birth_date": "Birth Date",
        "zip": "ZIP",
    }
    assert common_columns(["zip", "age"], ["ZIP", "Zip", "age"]) == {"age": "age"}


def test_quasi_identifiers_that_the_list_lacks_are_left_out_and_told(duck: Engine) -> None:
    found = against(table(duck, age=[30, 30], sex=["f", "m"]), table(duck, age=[30, 30, 40]), ["age", "sex"])
    assert found.said == ("the population has no 'sex': it was compared without",)
    assert sorted(found.sample.tolist()) == [0, 2]


def test_people_whom_nobody_on_the_list_looks_like_are_told(duck: Engine) -> None:
    found = against(table(duck, age=[30, 99]), table(duck, age=[30, 31]), ["age"])
    assert found.unmatched == 1
    assert "1 of 2 persons matches nobody of the population" in found.sentences()[0]


def test_persons_with_several_rows_count_once(duck: Engine) -> None:
    rows = table(duck, id=[1, 1, 2], age=[30, 31, 31])
    found = against(rows, table(duck, age=[30, 31]), ["age"], person="id", persons=2)
    assert (sorted(found.sample.tolist()), found.persons) == ([1, 2], 2)
    assert IdentificationUniqueness.of(found).lambda_2 == Fraction(1, 2)


def test_a_list_without_common_columns_is_refused(duck: Engine) -> None:
    with pytest.raises(BadInput, match="none of the quasi-identifiers as a column; name its columns"):
        against(table(duck, age=[30]), table(duck, name=["Ada"]), ["age"])


def test_a_column_without_common_values_is_refused_and_shows_none(duck: Engine) -> None:
    with pytest.raises(BadInput, match="column 'sex': none of its 2 different values") as refused:
        against(table(duck, sex=["female", "male"]), table(duck, sex=["w", "x", "y"]), ["sex"])
    assert "female" not in str(refused.value)


def test_a_list_that_nobody_is_on_is_refused_instead_of_called_safe(duck: Engine) -> None:
    with pytest.raises(BadInput, match="nobody of the table is found in the population"):
        against(table(duck, a=[1, 2], b=[1, 2]), table(duck, a=[1, 2], b=[2, 1]), ["a", "b"])


def test_an_empty_list_is_refused(duck: Engine) -> None:
    empty = duck.read(Frame(pa.table({"age": pa.array([], pa.int64())})))
    with pytest.raises(BadInput, match="the population has no rows"):
        against(table(duck, age=[30]), empty, ["age"])


@pytest.mark.parametrize(
    ("sample", "population", "why"),
    [
        ([1], [1, 2], "every class has persons"),
        ([0, 1], [0, 1], "every class has persons"),
        ([0], [1], "no persons in the table"),
        ([1], [0], "no persons in the population"),
        ([-1], [1], "whole numbers from 0"),
        ([1.5], [1.5], "whole numbers from 0"),
    ],
)
def test_counts_that_cannot_be_are_refused(sample: Any, population: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        Against.of(sample, population)
