"""Background knowledge: what somebody cannot have is crossed out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.attacks.background_knowledge import BackgroundKnowledge
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.homogeneity import Homogeneity
from sfumato.table.published import PublishedTable
from tests.oracles.class_attacks import (
    Record,
    Row,
    crossing_out,
    most_frequent,
    never_together,
    with_and_without,
)
from tests.oracles.models import publish, table_of
from tests.table.attacks.class_tables import HEART_DISEASE, NOTHING, published, rows_of_values
from tests.table.lecture_tables import table

MICRODATA = table(
    "zip age sex disease",
    "47677|29|F|Ovarian Cancer",
    "47602|22|F|Ovarian Cancer",
    "47678|27|M|Prostate Cancer",
    "47905|43|M|Flu",
    "47909|52|F|Heart Disease",
    "47906|47|M|Heart Disease",
)
GENERALISED = MICRODATA.assign(zip=["476**"] * 3 + ["4790*"] * 3, age=["2*"] * 3 + ["[43,52]"] * 3, sex="*")
QUASI = ["zip", "age", "sex"]
ANATOMY = [
    {"column": "sex", "value": "F", "not": "Prostate Cancer"},
    {"column": "sex", "value": "M", "not": "Ovarian Cancer"},
]


def identified(columns: str, *rows: str) -> People:
    data = table(columns, *rows)
    return People(table_of(data), {name: name for name in data.columns})


def test_alice_is_a_woman_and_has_ovarian_cancer() -> None:
    alice = identified("zip age sex", "47677|29|F")
    release = publish(GENERALISED, QUASI, ["disease"])
    unaware = BackgroundKnowledge().run(release, Knowledge(people=alice))
    assert (unaware.certain, unaware.success) == (0, pytest.approx(2 / 3))
    result = BackgroundKnowledge(never=ANATOMY).run(release, Knowledge(people=alice))
    assert (result.certain, result.success) == (1, 1.0)
    assert result.scored is Scored.EXPECTED


def test_carl_has_cancer_with_two_chances_in_three() -> None:
    carl = identified("zip age", "47673|36")
    release = publish(HEART_DISEASE, ["zip", "age"], ["disease"])
    result = BackgroundKnowledge().run(release, Knowledge(people=carl))
    assert (result.certain, result.success) == (0, pytest.approx(2 / 3))
    low_risk = [{"column": "zip", "value": "47673", "not": "Heart Disease"}]
    assert BackgroundKnowledge(never=low_risk).run(release, Knowledge(people=carl)).certain == 1


def test_with_the_original_it_is_measured_who_is_right() -> None:
    release = publish(GENERALISED, QUASI, ["disease"])
    original = publish(MICRODATA, QUASI, ["disease"])
    result = BackgroundKnowledge(never=ANATOMY).run(release, Knowledge(original=original))
    assert result.scored is Scored.MEASURED
    assert result.certain == 3, "the first three; a woman or a man may have flu or heart disease"
    assert result.success == pytest.approx(5 / 6)
    assert Homogeneity().run(release, NOTHING).success == 0, "the class is 2-diverse"


def test_rules_are_mined_where_many_would_be_expected_and_nobody_is() -> None:
    sick = [("m", "prostate")] * 20 + [("f", "ovarian")] * 20 + [("m", "flu")] * 20 + [("f", "flu")] * 20
    data = pd.DataFrame(sick, columns=["sex", "ill"])
    release, original = publish(data.assign(sex="*"), ["sex"], ["ill"]), publish(data, ["sex"], ["ill"])
    result = BackgroundKnowledge().run(release, Knowledge(original=original))
    assert result.details["rules"] == 2
    assert result.success == pytest.approx(0.5), "two diseases are left, as frequent as each other"
    assert (
        BackgroundKnowledge(expected=10.01).run(release, Knowledge(original=original)).details["rules"] == 0
    )
    unaware = BackgroundKnowledge(mine=False).run(release, Knowledge(original=original))
    assert unaware.success == pytest.approx(0.5), "flu for everybody"
    assert unaware.details["values_crossed_out"] == 0


def test_it_fails_where_nothing_goes_with_anything() -> None:
    rows = [(sex, ill) for sex in "mf" for ill in "abcd" for _ in range(10)]
    data = pd.DataFrame(rows, columns=["sex", "ill"])
    release, original = publish(data.assign(sex="*"), ["sex"], ["ill"]), publish(data, ["sex"], ["ill"])
    result = BackgroundKnowledge(expected=1).run(release, Knowledge(original=original))
    assert result.certain == 0
    assert result.success == result.guessing == 0.25
    assert result.baseline == 0, "one of four equally frequent values is outnumbered without them"


@given(rows_of_values)
def test_of_the_release_alone_the_most_frequent_value_of_a_class_is_claimed(rows: list[Row]) -> None:
    result = BackgroundKnowledge().run(published(rows), NOTHING)
    success, baseline = with_and_without(rows, most_frequent)
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))


@given(rows_of_values, st.sampled_from("abc"), st.sampled_from([0, 1, 2, 7]))
def test_a_fact_about_a_label_crosses_a_value_out_of_its_class(
    rows: list[Row], name: str, value: int
) -> None:
    facts = [{"column": "quasi", "value": name, "not": value}]
    result = BackgroundKnowledge(never=facts).run(published(rows), NOTHING)
    kept = {c: {v for d, v in rows if d == c} - ({value} if c == name else set()) for c, _ in rows}
    assert result.certain == sum(len(kept[c]) == 1 for c, _ in rows)


records = st.lists(
    st.tuples(
        st.sampled_from(["a1", "a2", "b1"]),
        st.sampled_from("mf"),
        st.integers(0, 2),
        st.sampled_from(["u", "v", "w"]),
    ).map(lambda r: (r[0], r[1], (r[0], r[0][0] + "*", "*")[r[2]], r[3])),
    min_size=1,
    max_size=12,
)
"""some records show their code, others its first letter or nothing: classes overlap"""


@given(records, st.sampled_from([0.5, 1, 2]))
def test_people_of_overlapping_classes_are_attacked_as_the_oracle_does_it(
    found: list[Record], expected: float
) -> None:
    data = pd.DataFrame(found, columns=["code", "sex", "label", "ill"])
    release = publish(data.assign(code=data["label"], sex="*"), ["code", "sex"], ["ill"])
    original = publish(data, ["code", "sex"], ["ill"])
    result = BackgroundKnowledge(expected=expected).run(release, Knowledge(original=original))
    never = never_together(found, Fraction(str(expected)))
    success, baseline, sure = crossing_out(found, never)
    assert result.details["rules"] == len(never)
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))
    assert result.certain == sure


@given(records, st.sampled_from("mf"), st.sampled_from(["u", "v", "w"]))
def test_facts_that_are_wrong_about_somebody_lead_astray(found: list[Record], sex: str, value: str) -> None:
    data = pd.DataFrame(found, columns=["code", "sex", "label", "ill"])
    release = publish(data.assign(code=data["label"], sex="*"), ["code", "sex"], ["ill"])
    attack = BackgroundKnowledge(never=[{"column": "sex", "value": sex, "not": value}], mine=False)
    result = attack.run(release, Knowledge(original=publish(data, ["code", "sex"], ["ill"])))
    success, baseline, _ = crossing_out(found, {(1, sex, value)})
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))


def test_it_works_on_data_that_are_diverse(duck: Engine) -> None:
    """l-diversity ends homogeneity; who knows anatomy still learns."""
    rows = [
        (age, sex, ill)
        for age in range(20, 40)
        for sex, ills in (("m", ["prostate", "flu"]), ("f", ["ovarian", "flu"]))
        for ill in ills
    ] * 3
    data = pd.DataFrame(rows, columns=["age", "sex", "ill"])
    release = sf.protect(
        data, quasi=["age", "sex"], sensitive="ill", models=[sf.KAnonymity(5), sf.DistinctLDiversity(3)]
    ).data
    target = PublishedTable(duck.read(Frame(release)), ("age", "sex"), ("ill",))
    original = PublishedTable(duck.read(Frame(data)), ("age", "sex"), ("ill",))
    assert Homogeneity().run(target, NOTHING).success == 0
    facts: list[Any] = [
        {"column": "sex", "value": sex, "not": ill}
        for sex, ills in (("m", ["ovarian", "flu"]), ("f", ["prostate", "flu"]))
        for ill in ills
    ]
    result = BackgroundKnowledge(never=facts).run(target, Knowledge(original=original), victims=True)
    assert result.certain == result.attempts
    assert result.success == 0.5, "half of them have flu, against the adversary's belief"
    assert len(result.victims) == len(data)
    mined = BackgroundKnowledge().run(target, Knowledge(original=original))
    assert mined.details["rules"] == 2


def test_people_who_cannot_be_in_the_release_are_counted_and_not_attacked() -> None:
    people = identified("zip age sex", "47677|29|F", "99999|29|F")
    release = publish(GENERALISED, QUASI, ["disease"])
    result = BackgroundKnowledge().run(release, Knowledge(people=people))
    assert result.attempts == 1
    assert result.details["not_attacked"] == 1


@pytest.mark.parametrize(
    ("bad", "match"),
    [
        ({"never": {"column": "sex"}}, "list of facts"),
        ({"never": [{"column": "sex", "value": "m"}]}, "what it excludes"),
        ({"expected": 0}, "above 0"),
        ({"mine": 1}, "true or false"),
    ],
)
def test_nonsense_is_refused(bad: dict[str, Any], match: str) -> None:
    with pytest.raises(BadInput, match=match):
        BackgroundKnowledge(**bad)


def test_facts_about_what_nobody_knows_are_refused() -> None:
    release = publish(GENERALISED, QUASI, ["disease"])
    with pytest.raises(BadInput, match="does not know"):
        BackgroundKnowledge(never=[{"column": "race", "value": "x", "not": "Flu"}]).run(release, NOTHING)


def test_nobody_in_the_release_is_no_success_of_zero() -> None:
    stranger = identified("zip age sex", "47677|99|F")
    release = publish(GENERALISED, QUASI, ["disease"])
    with pytest.raises(BadInput):
        BackgroundKnowledge().run(release, Knowledge(people=stranger))
