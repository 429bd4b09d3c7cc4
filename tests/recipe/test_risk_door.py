"""The door of risk: one call for all measures, and the same figures in the evidence of a release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.evidence import RiskEvidence, StewardEvidence
from sfumato.core.verdict import Threat
from sfumato.recipe.risk_ask import RiskQuestions
from sfumato.table.risk.individual import IndividualRisk
from tests.recipe.examples import RECIPE, ward

PEOPLE = pd.DataFrame(
    {
        "id": range(10),
        "age": [30, 30, 31, 31, 40, 41, 42, 42, 42, 42],
        "sex": list("ffmmfmffmm"),
        "ill": list("aaabbccccd"),
        "home": [1, 1, 2, 2, 3, 3, None, None, 4, 4],
        "stands_for": [2, 2, 3, 3, 10, 10, 4, 4, 5, 5],
    }
)
EVERYBODY = pd.DataFrame(
    {
        "age": [30, 30, 30, 31, 31, 40, 41, 41, 42, 42, 42, 42, 42, 50],
        "sex": list("fffmmfmmffmmmf"),
    }
)
QUASI = ["age", "sex"]


def figures(found: RiskEvidence) -> dict[str, float | None]:
    return {one.name: one.value for one in found.figures}


def test_without_anything_else_the_prosecutors_values_stand_for_all() -> None:
    found = sf.risk(PEOPLE, quasi=QUASI)
    assert found.highest_risk == found.figure("journalist-highest").value
    assert found.average_risk == found.figure("marketer").value
    assert "no population was given" in found.figure("marketer").said
    assert {one.threat for one in found.figures} == {"identity"}


def test_a_population_adds_linking_and_membership() -> None:
    found = sf.risk(PEOPLE, quasi=QUASI, person="id", population=EVERYBODY)
    values = figures(found)
    # Classes of the table and of the population: (30 f) 2/3, (31 m) 2/2, (40 f) 1/1, (41 m) 1/2,
    # (42 f) 2/2, (42 m) 2/3, (50 f) 0/1.
    assert values["lambda-1"] == 1 / 2
    assert values["lambda-2"] == 1 / 10
    assert values["lambda-3"] == 2 / 14
    assert values["journalist-highest"] == 1.0
    assert values["marketer"] == pytest.approx((2 / 3 + 1 + 1 + 1 / 2 + 1 + 2 / 3) / 10)
    assert values["membership-least"] == 0.0
    assert values["membership-greatest"] == 1.0
    assert values["membership-mean"] == 10 / 14
    assert values["membership-surely"] == 5
    assert found.figure("membership-mean").threat == str(Threat.MEMBERSHIP)
    assert found.people == "distinct persons were counted"


def test_sensitive_columns_add_what_can_be_told_of_their_values() -> None:
    found = sf.risk(PEOPLE, quasi=QUASI, sensitive=["ill"])
    assert found.figure("value-sure").value == 0.6
    assert found.figure("value-sure").threat == "attribute"
    assert found.figure("value-without").threat == "inference"
    assert found.figure("value-guessed", "ill").value == 0.8


def test_a_sampling_fraction_and_the_size_that_it_means_say_the_same() -> None:
    by_share = sf.risk(PEOPLE, quasi=QUASI, sampling_fraction=0.1, up_to=0)
    by_size = sf.risk(PEOPLE, quasi=QUASI, population_size=100, up_to=0)
    assert by_share.figures == by_size.figures
    expected = IndividualRisk.of([2, 2, 1, 1, 2, 2], np.array([20, 20, 10, 10, 20, 20.0]))
    assert by_share.figure("individual-expected").value == pytest.approx(expected.expected)
    assert {"population-uniqueness", "log-linear-uniques", "log-linear-matches"} <= {*figures(by_share)}


def test_weights_say_for_whom_each_row_stands() -> None:
    found = sf.risk(PEOPLE, quasi=QUASI, weight="stands_for", up_to=0)
    expected = IndividualRisk.of([2, 2, 1, 1, 2, 2], np.array([4, 6, 10, 10, 8, 10.0]))
    assert found.figure("individual-expected").value == pytest.approx(expected.expected)
    assert found.figure("individual-highest").value == pytest.approx(expected.highest)
    assert [one.name for one in found.figures].count("individual-expected") == 1


def test_weights_may_be_written_as_text() -> None:
    text = PEOPLE.assign(stands_for=PEOPLE["stands_for"].astype(str))
    numbers = sf.risk(PEOPLE, quasi=QUASI, weight="stands_for", up_to=0)
    assert sf.risk(text, quasi=QUASI, weight="stands_for", up_to=0) == numbers


def test_a_household_is_as_exposed_as_all_its_members_together() -> None:
    found = sf.risk(PEOPLE, quasi=QUASI, household="home", up_to=0)
    # Prosecutor risks: halves, but 1 for (40 f) and (41 m), who live together; two live with nobody.
    expected = 2 * (3 / 4) + 2 * (3 / 4) + 2 * 1 + 1 / 2 + 1 / 2 + 2 * (3 / 4)
    assert found.figure("household-expected").value == pytest.approx(expected)
    assert "6 households" in found.figure("household-expected").meaning


def test_columns_and_combinations_that_identify_are_told() -> None:
    found = sf.risk(PEOPLE, quasi=QUASI, suda=True, sampling_fraction=0.1)
    assert [one.name for one in found.attributes] == ["age", "sex"]
    assert found.attributes[0].distinct == 5
    assert found.attributes[0].unique_share == 0.2
    assert [step.columns for step in found.growth] == [1, 2]
    assert found.growth[-1].greatest == found.unique_share
    assert found.attributes[0].contribution is not None
    assert found.figure("suda-uniques").value == 0.2
    assert found.identifying == []


def test_combinations_are_left_out_when_asked() -> None:
    assert not sf.risk(PEOPLE, quasi=QUASI, up_to=0).attributes


def test_growth_ends_with_all_columns_also_when_fewer_are_combined() -> None:
    found = sf.risk(PEOPLE, quasi=["age", "sex", "ill"], up_to=1)
    assert [step.columns for step in found.growth] == [1, 3]


def test_many_columns_are_combined_in_smaller_numbers() -> None:
    asked = RiskQuestions()
    assert [asked.columns_to_combine(number) for number in (1, 12, 13, 40, 41, 500)] == [3, 3, 2, 2, 1, 1]
    assert RiskQuestions(up_to=5).columns_to_combine(30) == 5


def test_the_threshold_is_that_of_every_measure() -> None:
    low = sf.risk(PEOPLE, quasi=QUASI, population=EVERYBODY, threshold=0.4)
    assert low.threshold == 0.4
    assert low.records_at_risk == 1.0
    assert low.figure("journalist-at-risk").value == 0.6


def test_a_figure_that_is_not_there_is_named_with_the_nearest() -> None:
    with pytest.raises(sf.BadInput, match="did you mean 'marketer'"):
        sf.risk(PEOPLE, quasi=QUASI).figure("marketeer")


def test_lambda_1_is_unknown_and_not_zero_where_nobody_is_alone() -> None:
    table = pd.DataFrame({"age": [1, 1, 2, 2]})
    found = sf.risk(table, quasi="age", population=table)
    assert found.figure("lambda-1").value is None
    assert "nobody is alone" in found.figure("lambda-1").said


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"population": pd.DataFrame({"name": ["Ada"]})}, "none of the quasi-identifiers as a column"),
        ({"population": EVERYBODY.assign(sex="x")}, "column 'sex': none of its 2 different values"),
        ({"population": EVERYBODY[:0]}, "the population has no rows"),
        ({"sampling_fraction": 0}, "above 0 and at most 1"),
        ({"sampling_fraction": 1.5}, "above 0 and at most 1"),
        ({"population_size": 9}, "10 persons cannot come from a population of 9"),
        ({"population_size": 0}, "whole number from 1"),
        ({"population_size": 20, "sampling_fraction": 0.5}, "both given"),
        ({"weight": "wait"}, "no column 'wait'"),
        ({"weight": "ill"}, "column 'ill': 10 rows have no number above 0"),
        ({"household": "hom"}, "no column 'hom' to say who lives together; did you mean 'home'"),
        ({"up_to": -1}, "whole number from 0"),
        ({"threshold": 2}, "between 0 and 1"),
        ({"sensitive": "age"}, "both quasi-identifier and sensitive"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(asked: dict[str, Any], why: str) -> None:
    with pytest.raises(sf.BadInput, match=why):
        sf.risk(PEOPLE, quasi=QUASI, **asked)


def test_weights_below_one_are_refused() -> None:
    with pytest.raises(sf.BadInput, match="column 'part': 10 persons stand for 5 of the population"):
        sf.risk(PEOPLE.assign(part=0.5), quasi=QUASI, weight="part")


def test_a_release_tells_its_risk_against_the_population_before_and_after() -> None:
    release = sf.protect(
        PEOPLE[["age", "sex"]],
        quasi=QUASI,
        models=[sf.KMap(3)],
        method=sf.OptimalLattice(suppress=0.0),
        hierarchies={"age": sf.Intervals([10, 20]), "sex": "flat"},
        population=EVERYBODY,
        risk={"threshold": 0.3, "up-to": 2},
    )
    before, after = release.evidence.risk_before, release.evidence.risk_after
    assert before.figure("lambda-2").value == 1 / 10
    assert after.figure("lambda-2").value == 0.0
    highest = after.figure("journalist-highest").value
    assert highest is not None
    assert highest <= 1 / 3
    assert before.threshold == after.threshold == 0.3
    assert [one.name for one in before.attributes] == ["age", "sex"]
    assert after.growth[0].greatest <= before.growth[0].greatest
    assert release.evidence.risk_before.quasi == QUASI


def test_a_release_estimates_for_the_same_population_before_and_after() -> None:
    release = sf.protect(
        PEOPLE[["age", "sex"]],
        quasi=QUASI,
        models=[sf.KAnonymity(2)],
        method=sf.Mondrian(),
        risk={"sampling-fraction": 0.1},
    )
    before, after = release.evidence.risk_before, release.evidence.risk_after
    assert before.figure("population-uniqueness").value is not None
    assert after.figure("population-uniqueness").value == 0.0
    assert after.figure("individual-highest").value < before.figure("individual-highest").value  # type: ignore[operator]
    assert not before.attributes


def test_a_recipe_says_how_risk_is_measured(tmp_path: Path) -> None:
    part = "risk: {threshold: 0.5, sampling-fraction: 0.01, up-to: 2, suda: true}\n"
    made = sf.run(ward(tmp_path, RECIPE + part), out=tmp_path / "out")
    evidence = StewardEvidence.model_validate_json((made.steward / "evidence.json").read_text())
    assert evidence.risk_before.threshold == 0.5
    assert evidence.risk_before.figure("suda-uniques").value == 1.0
    assert evidence.risk_before.figure("population-uniqueness").threat == "identity"
    public = json.loads((made.release / "evidence.json").read_text())
    assert "risk" not in public["recipe"]
    assert "risk_before" not in public


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("risk: {threshold: 2}\n", "risk.threshold"),
        ("risk: {sampling-fraction: 0}\n", "risk.sampling-fraction"),
        ("risk: {sampling_fractoin: 0.1}\n", "sampling"),
        ("risk: {up-to: -1}\n", "risk.up-to"),
        ("risk: {population-size: 100, sampling-fraction: 0.1}\n", "both given"),
    ],
)
def test_a_recipe_that_asks_what_cannot_be_is_refused(tmp_path: Path, part: str, why: str) -> None:
    with pytest.raises(sf.BadInput, match=why):
        sf.run(ward(tmp_path, RECIPE + part), out=tmp_path / "out")
    with pytest.raises(sf.BadInput, match="'threshold' is not understood"):
        sf.protect(PEOPLE, quasi=QUASI, models=[sf.KAnonymity(2)], risk={"threshold": "high"})


def test_risk_before_is_about_values_as_they_were_before_masks(tmp_path: Path) -> None:
    """The year alone is released; the list of the population holds whole dates."""
    born = ["1950-01-01", "1950-02-02", "1960-03-03", "1960-03-03", "1970-05-05"]
    pd.DataFrame({"born": born}).to_csv(tmp_path / "people.csv", index=False)
    pd.DataFrame({"born": [*born, "1970-06-06"]}).to_csv(tmp_path / "everybody.csv", index=False)
    (tmp_path / "recipe.yaml").write_text(
        """\
sfumato: 1
resources:
  - path: people.csv
    schema:
      fields: [{name: born, role: quasi-identifier, mask: year, hierarchy: flat}]
population: everybody.csv
models: [{k-map: {k: 2}}]
method: {optimal-lattice: {suppress: 0}}
"""
    )
    made = sf.run(tmp_path / "recipe.yaml", out=tmp_path / "out")
    evidence = StewardEvidence.model_validate_json((made.steward / "evidence.json").read_text())
    before, after = evidence.risk_before, evidence.risk_after
    assert before.uniques == 3
    assert before.figure("lambda-1").value == 1.0
    assert before.figure("membership-surely").value == 5
    assert after.figure("journalist-highest").value == 0.5
    assert after.figure("membership-surely").value == 4


def test_people_with_several_rows_count_once_against_the_population() -> None:
    visits = pd.DataFrame({"id": [1, 1, 2, 3], "age": [30, 30, 30, 31]})
    everybody = pd.DataFrame({"age": [30, 30, 31, 31]})
    release = sf.protect(
        visits,
        person="id",
        quasi="age",
        models=[sf.KMap(2)],
        method=sf.OptimalLattice(suppress=0.0),
        hierarchies={"age": sf.Intervals([10])},
        population=everybody,
    )
    for found in (release.evidence.risk_before, release.evidence.risk_after):
        assert found.persons == 3
        assert found.figure("membership-mean").value == 3 / 4
    assert release.evidence.risk_before.figure("lambda-1").value == 0.0


def test_it_prints_by_the_kind_of_disclosure() -> None:
    said = str(sf.risk(PEOPLE, quasi=QUASI, sensitive="ill", population=EVERYBODY))
    assert said.startswith("10 persons in 6 classes: 2 unique (20.0 %)")
    kinds = [line for line in said.splitlines() if line in {*map(str, Threat)}]
    assert kinds == ["identity", "membership", "attribute", "inference"]


def test_a_population_is_compared_with_also_when_no_model_asks_for_it() -> None:
    everybody = pd.DataFrame({"age": [30, 30, 30, 31, 31, 32] * 4})
    some = pd.DataFrame({"age": [30, 30, 31, 31], "ill": list("abab")})
    release = sf.protect(
        some, quasi=["age"], sensitive="ill", models=[sf.KAnonymity(2)], population=everybody
    )
    named = {figure.name for figure in release.evidence.risk_after.figures}
    assert any("journalist" in name for name in named)
