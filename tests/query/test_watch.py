"""Watching: attacks show in the log, ordinary work does not, and no data are looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.query.attacks.averaging import spellings
from sfumato.query.attacks.contract import Person
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.sql import understand
from sfumato.query.watch.conditions import joint_share, looked_at
from sfumato.query.watch.scan import Alert, Refused, Severity, scan

PUBLIC = Metadata(
    "clinic",
    {
        "people": Table(
            "people",
            {
                "age": Column("age", Type.INTEGER, Fraction(0), Fraction(99)),
                "weight": Column("weight", Type.NUMBER, Fraction(0), Fraction(200), Fraction(1, 10)),
                "sex": Column("sex", Type.CATEGORY, values=("f", "m")),
                "zip": Column("zip", Type.CATEGORY),
                "ill": Column("ill", Type.BOOLEAN),
                "day": Column("day", Type.DATE, Fraction(0), Fraction(9999)),
            },
            person="id",
            rows_per_person=1,
            max_rows=10_000,
        )
    },
)
COUNT = "SELECT COUNT(*) FROM people"


@dataclass(frozen=True)
class Line:
    """A line of the log."""

    spend: int
    analyst: str
    data_set: str
    question: str


def log(*questions: str, analyst: str = "ann", first: int = 1) -> list[Line]:
    return [
        Line(spend, analyst, "clinic", understand(sql, PUBLIC).canonical)
        for spend, sql in enumerate(questions, first)
    ]


def patterns(alerts: list[Alert]) -> set[str]:
    return {alert.pattern for alert in alerts}


def test_a_tracker_shows() -> None:
    """All who are ill, and all of them but the woman of 34 who weighs 70.5 kg."""
    found = scan(
        log(f"{COUNT} WHERE ill", f"{COUNT} WHERE ill AND NOT (age = 34 AND sex = 'f' AND weight = 70.5)"),
        PUBLIC,
    )
    (alert,) = found
    assert alert.pattern == "differencing pairs"
    assert alert.severity is Severity.ALARM
    assert alert.spends == (1, 2)
    assert "one condition" in alert.message
    assert "34" not in str(alert)


def test_a_range_that_is_one_step_wider_shows() -> None:
    narrow = f"{COUNT} WHERE sex = 'f' AND weight <= 70.4 AND ill"
    wide = f"{COUNT} WHERE ill AND weight <= 70.5 AND sex = 'f'"
    (alert,) = scan(log(narrow, wide), PUBLIC)
    assert alert.pattern == "differencing pairs"
    assert alert.severity is Severity.WARNING


def test_a_list_with_one_value_more_shows() -> None:
    lists = [
        f"{COUNT} WHERE ill AND weight IN (70.1, 70.2)",
        f"{COUNT} WHERE ill AND weight IN (70.1, 70.2, 70.3)",
    ]
    assert "differencing pairs" in patterns(scan(log(*lists), PUBLIC))


def test_pairs_of_two_analysts_show() -> None:
    first = log(f"{COUNT} WHERE ill", analyst="ann")
    second = log(f"{COUNT} WHERE ill AND NOT (age = 34 AND weight = 70.5)", analyst="ben", first=2)
    (alert,) = scan([*first, *second], PUBLIC)
    assert alert.analyst == "ben"
    assert "together with another analyst" in alert.message


def test_ordinary_work_does_not_show() -> None:
    """A count, a few breakdowns, a mean, a histogram with wide bars."""
    questions = [
        COUNT,
        f"{COUNT} WHERE sex = 'f'",
        f"{COUNT} WHERE sex = 'm'",
        f"{COUNT} WHERE sex = 'f' AND ill",
        f"{COUNT} WHERE age >= 65",
        f"{COUNT} WHERE age >= 65 AND ill",
        "SELECT AVG(weight) FROM people WHERE sex = 'f'",
        "SELECT sex, COUNT(*) FROM people GROUP BY sex",
        *(f"{COUNT} WHERE age >= {low} AND age < {low + 10}" for low in range(0, 100, 10)),
    ]
    assert scan(log(*questions), PUBLIC) == []


def test_conditions_about_one_person_show() -> None:
    (alert,) = scan(log(f"{COUNT} WHERE age = 34 AND sex = 'f' AND zip = '1234' AND ill"), PUBLIC)
    assert alert.pattern == "one-person conditions"
    assert alert.severity is Severity.WARNING
    several = scan(
        log(*(f"{COUNT} WHERE age = {age} AND sex = 'f' AND weight = 70.5 AND ill" for age in (34, 35))),
        PUBLIC,
    )
    assert patterns(several) == {"one-person conditions"}
    assert several[0].severity is Severity.ALARM


def test_all_but_one_person_shows() -> None:
    """A condition that leaves out less than one person, expected, is about that person."""
    (alert,) = scan(log(f"{COUNT} WHERE NOT (age = 34 AND sex = 'f' AND weight = 70.5)"), PUBLIC)
    assert alert.pattern == "one-person conditions"


def test_larger_data_sets_need_finer_conditions() -> None:
    asked = log(f"{COUNT} WHERE age = 34 AND sex = 'f' AND zip = '1234'")
    table = replace(PUBLIC.tables["people"], max_rows=1_000_000)
    assert scan(asked, PUBLIC) != []
    assert scan(asked, replace(PUBLIC, tables={"people": table})) == []


def test_a_flood_of_near_identical_questions_shows() -> None:
    asked = log(*(f"{COUNT} WHERE age = {i} AND ill" for i in range(60)))
    found = scan(asked, PUBLIC)
    assert patterns(found) == {"flood of near-identical questions"}
    assert found[0].severity is Severity.NOTICE
    assert len(found[0].spends) == 60
    assert scan(asked[:49], PUBLIC) == []


def test_paying_again_for_the_same_question_shows() -> None:
    """Spellings of one question are one question; at another price, or by somebody else, it is paid again."""
    person = Person({"sex": "f"}, True)
    spelt = spellings("ill", person)
    asked = [
        line
        for number, analyst in enumerate(["ann", "ben", "cem", "dea", "eve"], 1)
        for line in log(f"{COUNT} WHERE {next(spelt)}", analyst=analyst, first=number)
    ]
    (alert,) = scan(asked, PUBLIC)
    assert alert.pattern == "the same question again"
    assert alert.spends == (1, 2, 3, 4, 5)
    assert "with 4 others" in alert.message


def test_many_refusals_show() -> None:
    refused = [Refused("ann", "clinic", "budget gone", 64), Refused("ben", "clinic", "budget gone", 63)]
    (alert,) = scan([], PUBLIC, refused)
    assert alert.analyst == "ann"
    assert "went on asking" in str(alert)


def test_without_metadata_sizes_are_not_known_and_that_is_said() -> None:
    asked = log(f"{COUNT} WHERE ill", f"{COUNT} WHERE ill AND age <> 34")
    (alert,) = scan(asked, {})
    assert alert.severity is Severity.NOTICE
    assert "unknown number of people" in alert.message
    pinned = log(f"{COUNT} WHERE age = 34 AND sex = 'f' AND zip = '1234'")
    assert patterns(scan(pinned, {})) == {"one-person conditions"}


def test_the_most_serious_comes_first() -> None:
    flood = log(*(f"{COUNT} WHERE age = {i} AND ill" for i in range(60)))
    tracker = log(f"{COUNT} WHERE ill AND NOT (age = 34 AND weight = 70.5)", f"{COUNT} WHERE ill", first=100)
    found = scan([*flood, *tracker], PUBLIC)
    assert [alert.severity for alert in found] == sorted((alert.severity for alert in found), reverse=True)
    assert found[0].pattern == "differencing pairs"


@pytest.mark.parametrize(
    "value", ["x WHERE y", "a' OF ('b", 'say "FROM"', "it''s GROUP BY z", "back\\slash", "— OF —"]
)
def test_words_within_values_cut_nothing(value: str) -> None:
    literal = "'" + value.replace("'", "''") + "'"
    looked = looked_at(understand(f"{COUNT} WHERE zip = {literal} AND ill", PUBLIC).canonical)
    assert looked is not None
    assert len(looked.conjuncts) == 2
    assert {conjunct.subject for conjunct in looked.conjuncts} == {'"zip"', '"ill"'}


def test_texts_that_are_no_questions_are_left_alone() -> None:
    lines = [
        Line(i, "ann", "clinic", text) for i, text in enumerate(["", "question 1", "SELECT", "SELECT x"])
    ]
    assert scan(lines, PUBLIC) == []


ages = st.integers(0, 99)


@settings(max_examples=30, deadline=None)
@given(ages, ages, st.lists(ages, min_size=1, max_size=5), st.booleans())
def test_shares_of_the_domain_are_those_of_counting(
    low: int, high: int, listed: list[int], negated: bool
) -> None:
    """Against going through all ages and sexes one by one."""
    some = ", ".join(map(str, listed))
    ranged = f"(age BETWEEN {low} AND {high})"
    picked = f"age {'NOT IN' if negated else 'IN'} ({some})"
    for condition, holds in (
        (ranged, lambda age, of: low <= age <= high),
        (picked, lambda age, of: (age in listed) != negated),
        (f"{picked} AND sex = 'f'", lambda age, of: (age in listed) != negated and of == "f"),
        (f"NOT ({ranged} AND sex = 'f')", lambda age, of: not (low <= age <= high and of == "f")),
    ):
        looked = looked_at(understand(f"{COUNT} WHERE {condition}", PUBLIC).canonical)
        assert looked is not None
        counted = sum(holds(age, of) for age in range(100) for of in ("f", "m"))
        assert joint_share(looked.conjuncts, PUBLIC) == Fraction(counted, 200), condition
