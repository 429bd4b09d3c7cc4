"""The sensitive tables of the lectures and of the tutorial, with the values that they print."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.table.models.distances import LineDistance, ordered_gaps
from tests.oracles.models import publish
from tests.table import lecture_tables as lecture
from tests.table.lecture_tables import table

THREE_DIVERSE = table(
    "zip age salary disease",
    "476**|2*|20|Gastric Ulcer",
    "476**|2*|30|Gastritis",
    "476**|2*|40|Stomach Cancer",
    "4790*|≥40|50|Gastritis",
    "4790*|≥40|100|Flu",
    "4790*|≥40|70|Bronchitis",
    "476**|3*|60|Bronchitis",
    "476**|3*|80|Pneumonia",
    "476**|3*|90|Stomach Cancer",
)
SHINGLES = table(
    "race zip disease",
    *(f"Caucas|787XX|{ill}" for ill in ("Flu", "Shingles", "Acne", "Flu", "Acne", "Flu")),
    *(f"Asian/AfrAm|78XXX|{ill}" for ill in ("Flu", "Flu", "Acne", "Shingles", "Acne", "Flu")),
)
T_CLOSE = table(
    "race zip hiv disease",
    "Caucas|787XX|HIV+|Flu",
    "Asian/AfrAm|787XX|HIV-|Flu",
    "Asian/AfrAm|787XX|HIV+|Shingles",
    "Caucas|787XX|HIV-|Acne",
    "Caucas|787XX|HIV-|Shingles",
    "Caucas|787XX|HIV-|Acne",
)
TEN_RECORDS = table("zip disease", *("1|HIV",) * 8, "1|pneumonia", "1|bronchitis")
SIX_RECORDS = table("age disease", *("1|HIV",) * 4, "1|Flu", "1|Cancer")
GREG_AND_OTHERS = table("age postcode sex", "40|NW10|M", "40|NW10|M", "45|NW15|M", "45|NW15|M")
TWO_MAPPED = table("age postcode sex", "40|NW10|M", "45|NW15|M")


def achieved(model: Any, data: pd.DataFrame, quasi: str, column: str) -> float:
    return float(model.measured(publish(data, quasi.split(), [column]))[column])


@pytest.mark.parametrize(
    ("data", "quasi", "column", "different"),
    [
        (lecture.ONE_CLASS_OF_FIVE, "sex age zip", "diagnosis", 2),
        (lecture.SEX_AGE_DIAGNOSIS, "sex age", "diagnosis", 1),
        (lecture.RACE_BIRTH_GENDER_ZIP, "race birth gender zip", "problem", 1),
        (THREE_DIVERSE, "zip age", "disease", 3),
        (SHINGLES, "race zip", "disease", 3),
        (TEN_RECORDS, "zip", "disease", 3),
        (SIX_RECORDS, "age", "disease", 3),
    ],
)
def test_the_lecture_tables_have_the_distinct_l_of_the_lecture(
    data: pd.DataFrame, quasi: str, column: str, different: int
) -> None:
    assert achieved(sf.DistinctLDiversity(1), data, quasi, column) == different


@pytest.mark.parametrize(
    ("data", "quasi", "effective"),
    [(TEN_RECORDS, "zip", 1.895), (SHINGLES, "race zip", 2.749), (SIX_RECORDS, "age", 2.381)],
)
def test_entropies_of_the_lecture_tables(data: pd.DataFrame, quasi: str, effective: float) -> None:
    assert achieved(sf.EntropyLDiversity(1), data, quasi, "disease") == pytest.approx(effective, abs=5e-4)


def test_the_chance_of_the_frequent_disease() -> None:
    assert achieved(sf.AlphaKAnonymity(1, 1), TEN_RECORDS, "zip", "disease") == 0.8
    assert achieved(sf.AlphaKAnonymity(1, 1), SIX_RECORDS, "age", "disease") == pytest.approx(2 / 3)


def test_recursive_diversity_of_eight_and_two_needs_c_above_four() -> None:
    """Another library sorts the wrong way round and reports 1."""
    published = publish(TEN_RECORDS, ["zip"], ["disease"])
    for level, c in ((2, 4), (3, 8)):
        assert not sf.RecursiveLDiversity(c, level).check(published).holds, "it must be less, not equal"
        assert sf.RecursiveLDiversity(c + 0.001, level).check(published).holds
        assert sf.RecursiveLDiversity(c, level).check(published).achieved == f"every c > {c} at l = {level}"
    assert sf.RecursiveLDiversity(100, 4).check(published).achieved == "no c at l = 4"


@pytest.mark.parametrize(("positive", "t"), [(49, 0.97), (1, 0.01), (25, 0.49)])
def test_skewness_a_class_of_positive_people_is_far_from_a_table_with_one_in_a_hundred(
    positive: int, t: float
) -> None:
    rows = [("class", "+")] * positive + [("class", "-")] * (50 - positive)
    # Elsewhere so many more that one in a hundred is positive, in classes that are close to that.
    rows += [("rest", "+")] * (50 - positive) + [("rest", "-")] * (4950 - (50 - positive))
    data = pd.DataFrame(rows, columns=["class", "hiv"])
    assert achieved(sf.TCloseness(1), data, "class", "hiv") == pytest.approx(t)


def test_skewness_does_not_show_in_l() -> None:
    few, many = (
        pd.DataFrame({"class": ["E"] * 50, "hiv": ["+"] * positive + ["-"] * (50 - positive)})
        for positive in (1, 49)
    )
    model = sf.EntropyLDiversity(1)
    assert achieved(model, few, "class", "hiv") == achieved(model, many, "class", "hiv")


def test_salaries_of_the_3_diverse_table_are_as_far_as_the_paper_says() -> None:
    published = publish(THREE_DIVERSE, ["zip", "age"], ["salary"])
    values = published.values_of("salary")
    distance = LineDistance(values.base, ordered_gaps(values.domain))
    found = sorted(round(float(distance.of(values.counts(part))), 3) for part in range(len(values)))
    assert found == [0.167, 0.236, 0.375]
    assert sf.TCloseness(0.375, "ordered").check(published).holds
    verdict = sf.TCloseness(0.374, "ordered").check(published)
    assert not verdict.holds
    assert verdict.achieved == "t = 0.375"
    assert verdict.witness is not None
    assert verdict.witness.rows == (1, 2, 3), "Bob's class, whose salaries are all low"


def test_the_twelve_rows_are_six_anonymous_and_zero_close() -> None:
    assert achieved(sf.TCloseness(0), SHINGLES, "race zip", "disease") == 0
    assert sf.PSensitiveKAnonymity(3, 6).check(publish(SHINGLES, ["race", "zip"], ["disease"])).holds


def test_caucasian_with_flu_is_one_row() -> None:
    quasi = ["race", "zip"]
    unaware = publish(T_CLOSE, quasi, ["hiv", "disease"])
    assert sf.DistinctLDiversity(2, column="hiv").check(unaware).holds
    aware = publish(T_CLOSE, quasi, ["hiv", "disease"], known=("disease",))
    verdict = sf.DistinctLDiversity(2, column="hiv").check(aware)
    assert not verdict.holds
    assert verdict.achieved == "l = 1"
    assert verdict.violations == 2, "both classes have somebody whose disease gives them away"


def test_two_mapped_data_are_not_two_anonymous() -> None:
    everybody = publish(GREG_AND_OTHERS, ["age", "postcode", "sex"])
    published = publish(TWO_MAPPED, ["age", "postcode", "sex"], population=everybody)
    assert sf.KAnonymity(2).check(published).achieved == "k = 1"
    assert sf.KMap(2).check(published).holds
    assert not sf.KMap(3).check(published).holds
