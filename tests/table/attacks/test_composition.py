"""Composition: two releases that are safe alone tell values together, if they are about the same people."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.attack import AttackResult, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.table.attacks.composition import Composition
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.published import PublishedTable
from tests.oracles.linkage import composed
from tests.table.attacks.files import people, release, table

ILL = [f"illness {i}" for i in range(30)]
QUASI = ("age", "zip", "sex")


def test_alice_is_sick_with_what_both_hospitals_name(duck: Engine) -> None:
    names = ["age", "zip", "ill"]
    first = [("[20-29]", "130**", value) for value in ("AIDS", "heart disease", "flu")]
    second = [("<35", "1302*", value) for value in ("AIDS", "cancer", "tuberculosis", "gastritis")]
    target, other = (
        release(duck, names, rows, quasi=names[:2], sensitive=("ill",)) for rows in (first, second)
    )
    alice = people(duck, names[:2], [(28, "13024")])
    result = Composition().run(target, Knowledge(alice, others=(other,)), victims=True)
    assert (result.success, result.certain, result.scored) == (1.0, 1, Scored.CLAIMED)
    assert result.baseline == pytest.approx(1 / 3)
    assert result.victims == (Victim(1, 1.0),)
    assert result.details["values left on average"] == 1.0
    assert result.details["sure by one release alone"] == 0


RECORDS = st.lists(
    st.tuples(
        st.tuples(st.sampled_from(["20", "21", "[20-21]", "*"]), st.sampled_from(["f", "m", "*"])),
        st.sampled_from("xyz"),
    ),
    min_size=1,
    max_size=8,
)
TRUE = st.lists(
    st.tuples(st.tuples(st.integers(20, 22), st.sampled_from("fm")), st.sampled_from("xyzw")),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(RECORDS, st.lists(RECORDS, min_size=1, max_size=2), TRUE, st.booleans())
def test_claims_are_those_of_an_adversary_who_intersects_by_hand(
    duck: Engine, first: Any, more: Any, known: Any, ids: bool
) -> None:
    names = ["age", "sex", "ill"]
    target, *others = (
        release(
            duck, names, [(*labels, value) for labels, value in rows], quasi=names[:2], sensitive=("ill",)
        )
        for rows in (first, *more)
    )
    rows = [(*values, ill, i) for i, (values, ill) in enumerate(known)]
    original = release(duck, [*names, "id"], rows, quasi=names[:2], person="id" if ids else None)
    result = Composition().run(target, Knowledge(original=original, others=tuple(others)))
    success, alone, sure = composed([first, *more], known)
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(alone))
    assert result.certain == sure
    assert (result.attempts, result.scored) == (len(known), Scored.MEASURED)


def population(people: int, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "id": np.arange(people) + 10_000 * seed,
            "age": random.integers(20, 80, people),
            "zip": [f"{number:05}" for number in random.integers(10_000, 10_040, people)],
            "sex": random.choice(["f", "m"], people),
            "ill": random.choice(ILL, people),
        }
    )


def protected(data: pd.DataFrame, method: Any) -> pd.DataFrame:
    """Protect by 5-anonymity with three values in each class, and keep the ids to tell who was right."""
    found = sf.protect(
        data.drop(columns="id"),
        quasi=list(QUASI),
        sensitive="ill",
        models=[sf.KAnonymity(5), sf.DistinctLDiversity(3)],
        method=method,
        order="kept",
    )
    released: pd.DataFrame = found.data.assign(id=data["id"].to_numpy())
    return released


def compose(duck: Engine, original: pd.DataFrame, *released: pd.DataFrame, ids: bool = True) -> AttackResult:
    person = "id" if ids else None
    target, *others = (PublishedTable(table(duck, each), QUASI, ("ill",), person=person) for each in released)
    truth = PublishedTable(table(duck, original), QUASI, ("ill",), person=person)
    return Composition().run(target, Knowledge(original=truth, others=tuple(others)))


@pytest.fixture(scope="module")
def everybody() -> pd.DataFrame:
    return population(2200, 1)


@pytest.fixture(scope="module")
def first_hospital(everybody: pd.DataFrame) -> pd.DataFrame:
    return protected(everybody.iloc[:1200], sf.Mondrian())


def test_two_diverse_releases_of_overlapping_people_give_them_away(
    duck: Engine, everybody: pd.DataFrame, first_hospital: pd.DataFrame
) -> None:
    second = protected(everybody.iloc[1000:], sf.Mondrian())
    result = compose(duck, everybody, first_hospital, second)
    assert result.attempts == 200, "those who were in both hospitals"
    assert result.success > result.baseline + 0.3
    assert result.certain > 30
    assert result.details["sure by one release alone"] == 0


def test_a_release_about_other_people_adds_nothing(
    duck: Engine, everybody: pd.DataFrame, first_hospital: pd.DataFrame
) -> None:
    others = protected(population(1000, 2), sf.Mondrian())
    inside = everybody.iloc[:1200]
    result = compose(duck, inside, first_hospital, others, ids=False)
    assert result.advantage < 0.02
    assert "people who are not in all releases are attacked too" in str(result)
    with pytest.raises(BadInput, match="nobody of the identified file is in all releases"):
        compose(duck, inside, first_hospital, others)


def test_one_value_for_everybody_leaves_nothing_to_gain(duck: Engine, everybody: pd.DataFrame) -> None:
    equal = everybody.iloc[:100].assign(ill="flu")
    result = compose(duck, equal, equal, equal)
    assert (result.success, result.baseline, result.guessing) == (1.0, 1.0, 1.0)


def test_true_values_are_found_by_ids_where_the_file_does_not_hold_them(duck: Engine) -> None:
    rows = [("20", "x", 1), ("20", "y", 2), ("[20-21]", "x", 1), ("[20-21]", "z", 3)]
    names = ["age", "ill", "id"]
    target, other = (
        release(duck, names, some, quasi=["age"], sensitive=("ill",), person="id")
        for some in (rows[:2], rows[2:])
    )
    listed = people(duck, ["id", "age"], [("1", 20), ("2", 20)], person="id")
    result = Composition().run(target, Knowledge(listed, others=(other,)))
    assert (result.attempts, result.success, result.certain) == (1, 1.0, 1), "only person 1 is in both"
    assert result.scored is Scored.MEASURED


def test_bad_input_is_named(duck: Engine) -> None:
    target = release(duck, ["age", "ill"], [(20, "x")], quasi=["age"], sensitive=("ill",))
    known = people(duck, ["age"], [(20,)])
    with pytest.raises(BadInput, match="composition: no other release is given"):
        Composition().run(target, Knowledge(known))
    with pytest.raises(BadInput, match="release 2 has no column 'ill'"):
        Composition().run(target, Knowledge(known, others=(release(duck, ["age"], [(20,)]),)))
    foreign = release(duck, ["zip", "ill"], [("a", "x")], quasi=["zip"])
    with pytest.raises(BadInput, match="release 2 has no column in common with what is known about people"):
        Composition().run(target, Knowledge(known, others=(foreign,)))
