"""Membership: a list of the population tells who is in, until δ-presence holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.membership import Membership
from sfumato.table.models.delta_presence import DeltaPresence
from sfumato.table.published import PublishedTable
from tests.oracles.inference_attacks import presence
from tests.table.attacks.tables import in_memory

COMBINATIONS = st.tuples(st.sampled_from(["20-29", "30-39"]), st.sampled_from("fm"))
AGES = {"20-29": 25, "30-39": 34}


def tables(
    released: list[tuple[str, str]], population: list[tuple[str, str]]
) -> tuple[PublishedTable, Knowledge]:
    """A release, and a list with exact ages."""
    target = PublishedTable(
        in_memory({"age": [age for age, _ in released], "sex": [sex for _, sex in released]}), ("age", "sex")
    )
    listed = in_memory(
        {"years": [AGES[age] for age, _ in population], "gender": [sex for _, sex in population]}
    )
    return target, Knowledge(population=People(listed, {"age": "years", "sex": "gender"}))


@st.composite
def samples(draw: st.DrawFn) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    population = draw(st.lists(COMBINATIONS, min_size=1, max_size=20))
    inside = draw(st.lists(st.booleans(), min_size=len(population), max_size=len(population)).filter(any))
    return [one for one, there in zip(population, inside, strict=True) if there], population


@settings(max_examples=60, deadline=None)
@given(samples())
def test_probabilities_are_the_shares_of_those_who_look_alike(
    sample: tuple[list[tuple[str, str]], list[tuple[str, str]]],
) -> None:
    released, population = sample
    chances = presence(released, population)
    result = Membership().run(*tables(released, population))
    assert result.attempts == len(population)
    assert result.highest == float(max(chances))
    assert result.details["least_probability"] == float(min(chances))
    assert result.certain == sum(chance == 1 for chance in chances)
    assert result.details["certainly_not_in"] == sum(chance == 0 for chance in chances)
    assert result.success == pytest.approx(sum(float(max(c, 1 - c)) for c in chances) / len(chances))
    rate = len(released) / len(population)
    assert result.baseline == pytest.approx(max(rate, 1 - rate))


@settings(max_examples=60, deadline=None)
@given(samples(), st.integers(0, 5), st.integers(1, 10))
def test_it_stays_within_the_bounds_exactly_where_delta_presence_holds(
    sample: tuple[list[tuple[str, str]], list[tuple[str, str]]], low: int, more: int
) -> None:
    released, population = sample
    least, most = low / 10, min(low + more, 10) / 10
    target, knowledge = tables(released, population)
    result = Membership().run(target, knowledge)
    alike = PublishedTable(
        in_memory({"age": [age for age, _ in population], "sex": [sex for _, sex in population]}),
        ("age", "sex"),
    )
    holds = DeltaPresence(least, most).check(replace(target, population=alike)).holds
    within = result.highest <= most and float(result.details["least_probability"]) >= least
    assert within is holds
    if holds and most < 1:
        assert result.certain == 0


def test_exact_records_of_a_sample_give_away_who_is_in() -> None:
    generator = np.random.default_rng(1)
    everybody = pa.table(
        {"id": np.arange(400), "age": generator.integers(0, 90, 400), "zip": np.arange(400) // 2}
    )
    inside = everybody.take(pa.array(np.sort(generator.permutation(400)[:100])))
    target = PublishedTable(in_memory(inside), ("age", "zip"), person="id")
    people = People(in_memory(everybody), {"age": "age", "zip": "zip"}, person="id")
    result = Membership().run(target, Knowledge(population=people), victims=True)
    assert result.scored is Scored.MEASURED
    assert result.threat is Threat.MEMBERSHIP
    assert result.success > 0.99
    assert result.baseline == 0.75
    assert result.certain > 95
    rows = {victim.row for victim in result.victims if victim.confidence == 1.0}
    assert rows <= {int(one) + 1 for one in inside.column("id").to_pylist()}
    assert len(rows) == result.certain


def test_a_release_that_says_nothing_gives_nobody_away() -> None:
    everybody = {"id": list(range(40)), "age": list(range(40))}
    target = PublishedTable(in_memory({"id": list(range(10)), "age": ["*"] * 10}), ("age",), person="id")
    people = People(in_memory(everybody), {"age": "age"}, person="id")
    result = Membership().run(target, Knowledge(population=people))
    assert result.success == result.baseline == 0.75
    assert result.certain == 0
    assert result.highest == 0.25
    assert result.details["certainly_not_in"] == 0


def test_overlapping_boxes_add_up_and_no_class_means_certainly_not_in() -> None:
    target = PublishedTable(in_memory({"age": ["[20-29]", "[25-34]"]}), ("age",))
    people = People(in_memory({"age": [22, 27, 33, 50]}), {"age": "age"})
    result = Membership().run(target, Knowledge(population=people))
    # 22 may be of the first box only, 27 of both, 33 of the second: one of two each.
    assert result.highest == 1.0
    assert result.details["certainly_not_in"] == 1
    assert result.certain == 0
    assert "overlap" in result.note


def test_the_measured_success_is_that_of_the_guesses() -> None:
    generator = np.random.default_rng(3)
    ages, inside = generator.integers(0, 6, 200), generator.random(200) < 0.4
    everybody = {"id": list(range(200)), "age": ages.tolist()}
    target = PublishedTable(
        in_memory({"id": np.flatnonzero(inside).tolist(), "age": ages[inside].tolist()}),
        ("age",),
        person="id",
    )
    people = People(in_memory(everybody), {"age": "age"}, person="id")
    found = Counter(ages[inside].tolist())
    right = sum(max(found[age], many - found[age]) for age, many in Counter(ages.tolist()).items())
    result = Membership().run(target, Knowledge(population=people))
    assert result.success == pytest.approx(right / 200)


def test_rows_without_a_person_are_nobody() -> None:
    records = pa.table({"id": [1, 2, None], "age": [1, 2, 3]})
    target = PublishedTable(in_memory(records), ("age",), person="id")
    listed = pa.table({"id": [1, 2, None, 4], "age": [1, 2, 3, 1]})
    people = People(in_memory(listed), {"age": "age"}, person="id")
    result = Membership().run(target, Knowledge(population=people))
    assert result.attempts == 3
    assert result.details["overall_rate"] == pytest.approx(2 / 3)


def test_a_list_that_is_too_short_is_said_to_be() -> None:
    target = PublishedTable(in_memory({"age": [1, 1, 2]}), ("age",))
    with pytest.raises(BadInput, match="not the population"):
        Membership().run(target, Knowledge(population=People(in_memory({"age": [1, 2]}), {"age": "age"})))
    some = Knowledge(population=People(in_memory({"age": [1, 2, 2, 2]}), {"age": "age"}))
    result = Membership().run(target, some)
    assert "does not hold everybody" in result.note
    assert result.certain == 0


def test_records_that_match_nobody_are_said_to() -> None:
    target = PublishedTable(in_memory({"age": [1, 2, 3], "sex": ["f", "f", "m"]}), ("age", "sex"))
    columns = {"age": "age", "sex": "sex"}
    some = People(in_memory({"age": [1, 1, 2, 3], "sex": ["f", "f", "m", "f"]}), columns)
    result = Membership().run(target, Knowledge(population=some))
    assert result.details["released_people_who_match_nobody"] == 2
    assert "match nobody" in result.note
    none = People(in_memory({"age": [1, 2, 3], "sex": ["m", "m", "f"]}), columns)
    with pytest.raises(BadInput, match="no record of the release"):
        Membership().run(target, Knowledge(population=none))


def test_somebody_with_several_records_is_one_person() -> None:
    records = {"id": [1, 1, 1, 2], "age": ["[0-9]", "[10-19]", "[20-29]", "[20-29]"]}
    target = PublishedTable(in_memory(records), ("age",), person="id")
    people = People(in_memory({"id": [1, 2, 3], "age": [5, 25, 27]}), {"age": "age"}, person="id")
    result = Membership().run(target, Knowledge(population=people))
    assert result.details["overall_rate"] == pytest.approx(2 / 3)
    assert result.baseline == pytest.approx(2 / 3)


def test_what_cannot_be_compared_is_refused() -> None:
    target = PublishedTable(in_memory({"id": [1], "age": [3]}), ("age",), person="id")
    with pytest.raises(BadInput, match="no list of the population"):
        Membership().run(target, Knowledge())
    other = People(in_memory({"id": [1], "height": [180]}), {"height": "height"}, person="id")
    with pytest.raises(BadInput, match="none of the quasi-identifiers"):
        Membership().run(target, Knowledge(population=other))
    strangers = People(in_memory({"id": [7, 8], "age": [3, 3]}), {"age": "age"}, person="id")
    with pytest.raises(BadInput, match="nobody of the release"):
        Membership().run(target, Knowledge(population=strangers))
