"""What a first user, a statistician and a privacy auditor stumbled over in the measures of risk."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.attack import AttackResult
from sfumato.core.verdict import Threat
from sfumato.recipe.attack import AttackReport
from tests.recipe.examples import RECIPE, ward

PEOPLE = pd.DataFrame({"age": [30, 30, 31, 40], "sex": list("fmfm")})
QUASI = ["age", "sex"]

# One person has several visits, also while living elsewhere.
VISITS = pd.DataFrame(
    {
        "who": [1, 1, 2, 2],
        "age": [30, 30, 30, 30],
        "home": ["a", "b", "a", "b"],
        "weight": [9.0, 9.0, 5.0, 5.0],
    }
)


def test_somebody_with_two_households_is_still_one_of_two_people() -> None:
    found = sf.risk(VISITS, quasi="age", person="who", household="home", up_to=0)
    # Each is found with 1/2, a household of both with 1 − 1/4.
    assert found.figure("household-highest").value == pytest.approx(3 / 4)


def test_weights_of_several_rows_count_once_for_a_person() -> None:
    visits = sf.risk(VISITS, quasi="age", person="who", weight="weight", household="home", up_to=0)
    people = sf.risk(VISITS[::2], quasi="age", person="who", weight="weight", up_to=0)
    for name in ("individual-expected", "individual-highest", "population-uniqueness"):
        assert visits.figure(name).value == people.figure(name).value


def test_several_weights_of_one_person_are_refused() -> None:
    wrong = VISITS.assign(weight=[9.0, 12.0, 5.0, 5.0])
    with pytest.raises(
        sf.BadInput, match="column 'weight': some people have several weights, 1 more than one"
    ):
        sf.risk(wrong, quasi="age", person="who", weight="weight", up_to=0)


def test_a_sample_is_not_taken_for_the_population_because_people_are_in_several_classes() -> None:
    everywhere = pd.DataFrame({"age": range(12), "who": [1, 2, 3, 4] * 3})
    found = sf.risk(everywhere, quasi="age", person="who", population_size=8, up_to=0)
    assert "whole population" not in found.figure("population-uniqueness").said
    uniques = found.figure("log-linear-uniques").value
    assert uniques is not None
    assert uniques <= 4  # there are no more people


def test_rows_that_do_not_say_whose_they_are_are_refused_as_in_protect() -> None:
    some: list[list[Any]] = [[1, None, None, 2], [None] * 4]
    for who in some:
        with pytest.raises(sf.BadInput, match=r"column 'who': \d of 4 rows do not say whose they are"):
            sf.risk(PEOPLE.assign(who=who), quasi=QUASI, person="who")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"sampling_fraction": 1e-320}, "come from more than 1,000,000,000,000"),
        ({"population_size": 10**400}, "a whole number from 1 to 1,000,000,000,000"),
        ({"weight": "much"}, "column 'much': 4 persons stand for more than 1,000,000,000,000"),
        ({"weight": "some", "sampling_fraction": 0.1}, "the sampling fraction and weights are both given"),
        ({"threshold": "0.2"}, "the risk threshold must lie between 0 and 1"),
        ({"threshold": None}, "the risk threshold must lie between 0 and 1"),
        ({"quasi": None}, "columns are not given"),
        ({"quasi": ["age", "age"]}, "the column 'age' is named twice"),
    ],
)
def test_what_nobody_can_mean_is_told_in_a_sentence(asked: dict[str, Any], words: str) -> None:
    table = PEOPLE.assign(much=1e308, some=2.0)
    with pytest.raises(sf.BadInput, match=words):
        sf.risk(table, **{"quasi": QUASI, "up_to": 0, **asked})


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    whole: dict[str, Any] = {"population_size": np.int64(100), "up_to": np.int64(1)}
    plain: dict[str, Any] = {"population_size": 100, "up_to": 1}
    assert sf.risk(PEOPLE, quasi=QUASI, **whole) == sf.risk(PEOPLE, quasi=QUASI, **plain)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_column_without_any_value_is_one_value(frame: Callable[[Any], Any]) -> None:
    found = sf.risk(frame({"age": [30, 30, 31], "job": [None, None, None]}), quasi=["age", "job"])
    assert (found.uniques, found.classes.number) == (1, 2)


def test_a_column_without_any_value_can_be_protected_and_attacked_too(tmp_path: Path) -> None:
    data = pa.table({"age": [30, 30, 31, 31], "job": pa.nulls(4), "who": list("abcd"), "ill": pa.nulls(4)})
    pq.write_table(data, tmp_path / "people.parquet")
    roles: dict[str, Any] = {"quasi": ["age", "job"], "sensitive": "ill", "person": "who"}
    assert sf.protect(data, **roles, models=sf.KAnonymity(2)).data.num_rows == 4
    for target in (data, tmp_path / "people.parquet"):
        found = sf.attack(target, **roles, with_=data, original=data, population=data)
        assert found["linkage"].success == 0.5


def test_people_who_are_listed_twice_are_pointed_out() -> None:
    voters = pd.DataFrame({"name": list("AABC"), "age": [30, 30, 30, 31], "sex": list("ffmf")})
    found = sf.risk(PEOPLE, quasi=QUASI, population=voters, up_to=0)
    assert any("1 row repeats another in every column of the population" in told for told in found.said)
    # Where a list names nobody, people who look alike are no reason for doubt.
    unnamed = sf.risk(PEOPLE, quasi=QUASI, population=voters[QUASI], up_to=0)
    assert not any("repeat" in told for told in unnamed.said)
    # Where it says who is who, they are counted once.
    known = sf.risk(PEOPLE.assign(name=list("AXYZ")), quasi=QUASI, person="name", population=voters, up_to=0)
    assert not any("repeat" in told for told in known.said)
    assert known.figure("lambda-3").value == 1.0


def test_special_uniques_are_looked_for_when_a_recipe_asks_for_them_alone(tmp_path: Path) -> None:
    sf.run(ward(tmp_path, RECIPE + "risk: {suda: true}\n"))
    evidence = json.loads((tmp_path / "steward" / "evidence.json").read_text())
    for when in ("risk_before", "risk_after"):
        assert "suda-uniques" in {figure["name"] for figure in evidence[when]["figures"]}


def test_who_is_alone_has_no_secret_even_with_several_values() -> None:
    visits = pd.DataFrame({"who": [1, 1, 2, 2], "age": [30, 30, 40, 40], "ill": ["a", "b", "c", "a"]})
    found = sf.risk(visits, quasi="age", person="who", sensitive="ill", up_to=0)
    assert found.figure("value-sure").value == 1.0
    assert found.figure("value-guessed").value == 1.0
    without = found.figure("value-without").value
    assert without is not None
    assert 0 < without < 1  # both have 'a', and each has something of their own


def test_a_value_that_all_of_a_class_have_is_sure_whatever_else_they_have() -> None:
    visits = pd.DataFrame({"who": [1, 1, 2, 3], "age": [30, 30, 30, 40], "ill": ["a", "b", "a", "c"]})
    found = sf.risk(visits, quasi="age", person="who", sensitive="ill", up_to=0)
    assert found.figure("value-sure").value == 1.0
    assert found.figure("value-guessed").meaning == "a blind guess: 66.7 %"


def test_a_path_without_a_file_is_told_so_whatever_its_name(tmp_path: Path) -> None:
    with pytest.raises(sf.BadInput, match="there is no such file"):
        sf.risk(tmp_path / "nowhere", quasi=QUASI)
    with pytest.raises(sf.BadInput, match="this is a folder, not a file"):
        sf.risk(tmp_path, quasi=QUASI)


def test_a_release_whose_data_were_swapped_or_whose_evidence_counts_below_nothing_is_told(
    tmp_path: Path,
) -> None:
    sf.run(ward(tmp_path))
    evidence = tmp_path / "release" / "evidence.json"
    honest = evidence.read_text()
    told = json.loads(honest)
    evidence.write_text(json.dumps(told | {"suppressed_records": -5}))
    with pytest.raises(sf.BadInput, match="'suppressed_records' is not as it should be"):
        sf.verify(tmp_path / "release")
    evidence.write_text(honest)
    (tmp_path / "release" / "data.csv").write_text("a,b\n1,2\n")
    with pytest.raises(sf.BadInput, match="the data have no column 'age', which the schema names"):
        sf.verify(tmp_path / "release")


def test_generalised_values_are_not_taken_for_people_who_are_on_no_list() -> None:
    released = pd.DataFrame({"age": ["[30-31]", "[30-31]", "40"], "zip": ["021**", "02*", "*"]})
    listed = pd.DataFrame({"age": ["30", "31", "40"], "zip": ["02131", "02132", "02133"]})
    with pytest.raises(sf.BadInput, match="column 'age': 1 of its 2 values stand for several"):
        sf.risk(released, quasi=["age"], population=listed)
    with pytest.raises(sf.BadInput, match="column 'zip': 2 of its 3 values stand for several"):
        sf.risk(released, quasi=["zip"], population=listed)
    # Where the list says it in the same words, they can be compared.
    assert sf.risk(released, quasi=["age"], population=released).figure("lambda-1").value == 1.0


RELEASED = pd.DataFrame({"age": [30, 31, 32, 33], "ill": list("abcd")})


def test_people_who_are_listed_twice_are_pointed_out_beside_an_attack() -> None:
    listed = pd.DataFrame({"name": list("AAABCD"), "age": [30, 30, 30, 31, 32, 33]})
    found = sf.attack(RELEASED, "linkage", with_=listed, quasi="age", sensitive="ill")
    assert any(note.startswith("2 rows of it repeat another in every column") for note in found.notes)
    once = sf.attack(RELEASED, "linkage", with_=listed.drop_duplicates(), quasi="age", sensitive="ill")
    assert not any("repeat" in note for note in once.notes)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"person": "agee"}, "there is no column 'agee' to say who is who; did you mean 'age'?"),
        ({"quasi": 5}, "column names are a int"),
        ({"hierarchies": 5}, "the hierarchies are a int"),
        ({"attacks": {"linkage": 5}}, "the parameters of linkage have no names"),
        ({"attacks": {"homogeneity": {"atmost": 0.1}}}, "'atmost' is not a key of homogeneity; did you mean"),
    ],
)
def test_slips_of_the_pen_are_told_before_anything_is_attacked(given: dict[str, Any], words: str) -> None:
    with pytest.raises(sf.BadInput, match=re.escape(words)):
        sf.attack(RELEASED, **{"quasi": "age", "sensitive": "ill", **given})


def test_a_table_without_records_and_reasons_for_nothing_are_told_in_few_words() -> None:
    with pytest.raises(sf.BadInput, match="there are no records to attack"):
        sf.attack(RELEASED[:0], quasi="age", sensitive="ill")
    with pytest.raises(sf.BadInput) as problem:
        sf.attack(RELEASED, quasi="age")
    assert str(problem.value).count("it needs a sensitive column in the release") == 1


def test_a_note_names_its_column_where_columns_differ() -> None:
    told = [
        ("range", "pay", "far"),
        ("range", "days", "near"),
        ("one", "pay", "same"),
        ("one", "days", "same"),
    ]
    results = [
        AttackResult(attack, Threat.ATTRIBUTE, 8, 0.5, 0.5, 0.5, column=column, note=note)
        for attack, column, note in told
    ]
    assert AttackReport(tuple(results)).said == ["range on 'pay': far", "range on 'days': near", "one: same"]


@pytest.mark.parametrize("given", ["", " []", " 0.2"])
def test_a_part_of_a_recipe_without_keys_is_told_in_the_words_of_recipes(tmp_path: Path, given: str) -> None:
    recipe = ward(tmp_path, RECIPE + f"risk:{given}\n")
    with pytest.raises(
        sf.BadInput, match="risk must have keys with values; known are: population-size, sampling"
    ):
        sf.run(recipe)
