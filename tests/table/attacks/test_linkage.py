"""Linkage with an identified file: the seeds' tables, honest scores, and what k-anonymity leaves of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.attack import AttackResult, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.linkage import Linkage
from sfumato.table.published import PublishedTable
from tests.oracles.linkage import agrees, chances, measured
from tests.table.attacks.files import people, release, table
from tests.table.lecture_tables import RACE_BIRTH_GENDER_ZIP

MICRODATA = [
    ("47677", 29, "F", "Ovarian Cancer"),
    ("47602", 22, "F", "Ovarian Cancer"),
    ("47678", 27, "M", "Prostate Cancer"),
    ("47905", 43, "M", "Flu"),
    ("47909", 52, "F", "Heart Disease"),
    ("47906", 47, "M", "Heart Disease"),
]
VOTERS = [
    ("Alice", "47677", 29, "F"),
    ("Bob", "47983", 65, "M"),
    ("Carol", "47677", 22, "F"),
    ("Dan", "47532", 23, "M"),
    ("Ellen", "46789", 43, "F"),
]
PLACES = {"zip": "zip", "age": "age", "sex": "sex"}


def microdata(duck: Engine) -> PublishedTable:
    names = ["zip", "age", "sex", "disease"]
    return release(duck, names, MICRODATA, quasi=names[:3], sensitive=("disease",))


def test_only_alice_of_the_voter_list_matches_the_microdata(duck: Engine) -> None:
    voters = people(duck, ["name", "zip", "age", "sex"], VOTERS, PLACES)
    result = Linkage().run(microdata(duck), Knowledge(voters), victims=True)
    assert result.victims == (Victim(1, 1.0, 1),)
    assert result.success == pytest.approx(1 / 5)
    assert (result.attempts, result.certain, result.highest) == (5, 1, 1.0)
    assert result.baseline == pytest.approx(1 / 6)
    assert result.details["unique matches"] == 1
    assert result.details["no match"] == 4
    assert result.scored is Scored.CLAIMED
    assert "nobody knows who of the file is in the release" in str(result)


def test_sue_carlson_is_found_by_a_date_that_is_written_differently(duck: Engine) -> None:
    rows = [
        ("09/27/64", "female", "02139"), ("09/30/64", "female", "02139"), ("04/18/64", "male", "02139"),
        ("04/15/64", "male", "02139"), ("03/13/63", "male", "02138"), ("03/18/63", "male", "02138"),
        ("09/13/64", "female", "02141"), ("09/07/64", "female", "02141"), ("05/14/61", "male", "02138"),
        ("05/08/61", "male", "02138"), ("09/15/61", "female", "02142"),
    ]  # fmt: skip
    hospital = release(duck, ["born", "sex", "zip"], rows)
    sue = people(duck, ["born", "sex", "zip"], [("9/15/61", "female", "02142")])
    result = Linkage().run(hospital, Knowledge(sue), victims=True)
    assert result.success == 1.0
    assert result.victims == (Victim(1, 1.0, 1),)
    assert "two-digit years of 'born'" in result.note


def test_andre_has_three_candidates_and_dan_none(duck: Engine) -> None:
    names = ["name", "birth", "gender", "zip", "race"]
    rows = [
        ("Andre", 1964, "m", "02135", "White"),
        ("Beth", 1964, "f", "55410", "Black"),
        ("Carol", 1964, "f", "90210", "White"),
        ("Dan", 1967, "m", "02174", "White"),
        ("Ellen", 1968, "f", "02237", "White"),
    ]
    target = PublishedTable(table(duck, RACE_BIRTH_GENDER_ZIP), ("race", "birth", "gender", "zip"))
    known = people(duck, names, rows, {name: name for name in ("birth", "gender", "zip", "race")})
    result = Linkage().run(target, Knowledge(known), victims=True)
    assert result.victims == (Victim(1, 1 / 3, 3),), "Andre, and nobody else"
    assert result.details["no match"] == 4
    assert result.certain == 0
    assert result.highest == pytest.approx(1 / 3)


def test_in_a_2_map_every_claim_is_a_coin(duck: Engine) -> None:
    names = ["age", "postcode", "sex"]
    target = release(duck, names, [(40, "NW10", "M"), (45, "NW15", "M")])
    population = [(40, "NW10", "M"), (40, "NW10", "M"), (45, "NW15", "M"), (45, "NW15", "M")]
    result = Linkage().run(target, Knowledge(people(duck, names, population)))
    assert result.success == 0.5
    assert result.details["unique matches"] == 4, "each has one candidate"
    assert result.certain == 0, "but shares it with somebody of the list"


def test_greg_is_compatible_with_all_four_rows_of_the_2_anonymous_table(duck: Engine) -> None:
    names = ["age", "postcode", "sex"]
    target = release(duck, names, [("4*", "NW1*", "M")] * 2 + [("*", "NW*", "*")] * 2)
    known = [(40, "NW10", "M"), (45, "NW15", "M"), (22, "NW30", "M"), (50, "NW25", "F")]
    result = Linkage().run(target, Knowledge(people(duck, names, known)), victims=True)
    assert {victim.row: victim.candidates for victim in result.victims} == {1: 4, 2: 4, 3: 2, 4: 2}
    assert result.victims[0].confidence == pytest.approx(1 / 3), "two of the four rows fit few others"


def test_suppressed_records_that_stay_do_not_hide_anybody(duck: Engine) -> None:
    names = ["age", "sex"]
    known = [(30, "f"), (30, "f"), (50, "m"), (70, "m")]
    original = release(duck, names, known)
    starred = release(duck, names, [("30", "f"), ("30", "f"), ("*", "*"), ("*", "*")])
    result = Linkage().run(starred, Knowledge(original=original))
    # A starred record is each one's with chance 1/4, one of the two others with chance 1/2.
    assert result.highest == pytest.approx(1 / 2)
    assert result.success == pytest.approx((2 * (1 / 2) / (3 / 2) + 2 * (1 / 4) / (1 / 2)) / 4)


def test_victims_are_told_only_if_asked_for(duck: Engine) -> None:
    voters = people(duck, ["name", "zip", "age", "sex"], VOTERS, PLACES)
    assert Linkage().run(microdata(duck), Knowledge(voters)).victims == ()


def linked(
    duck: Engine, original: pd.DataFrame, released: pd.DataFrame, quasi: tuple[str, ...], **more: Any
) -> AttackResult:
    """Attack with the original itself."""
    truth = PublishedTable(table(duck, original), quasi, **more)
    return Linkage().run(PublishedTable(table(duck, released), quasi), Knowledge(original=truth))


def test_without_protection_the_original_links_as_its_class_sizes_say(duck: Engine) -> None:
    data = pd.DataFrame({"age": [30, 30, 40, None], "sex": ["f", "f", "f", "m"]})
    result = linked(duck, data, data, ("age", "sex"))
    assert result.success == pytest.approx((2 * 0.5 + 1 + 1) / 4)
    assert (result.certain, result.scored) == (2, Scored.EXPECTED)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(20, 40), st.sampled_from("fm"), st.sampled_from("abcd")), min_size=6),
    st.integers(2, 3),
    st.sampled_from([sf.Mondrian(), sf.OptimalLattice(suppress=0.3)]),
)
def test_after_k_anonymity_nobody_is_found_more_often_than_once_in_k(
    duck: Engine, rows: list[tuple[int, str, str]], k: int, method: Any
) -> None:
    original = pd.DataFrame(rows, columns=["age", "sex", "place"])
    quasi = ("age", "sex", "place")
    hierarchies: dict[str, Any] = {"age": sf.Intervals([5, 10]), "sex": sf.Flat(), "place": sf.Flat()}
    protected = sf.protect(
        original, quasi=list(quasi), models=sf.KAnonymity(k), method=method, hierarchies=hierarchies
    )
    result = Linkage().run(
        PublishedTable(table(duck, protected.data), quasi),
        Knowledge(original=PublishedTable(table(duck, original), quasi), hierarchies=hierarchies),
    )
    assert Fraction(result.highest).limit_denominator(1000) <= Fraction(1, k)
    assert result.certain == 0
    records = [tuple(row) for row in protected.data.to_numpy(object).tolist()]
    expected = chances(records, rows, inside=True, anybody=False)
    assert result.success == pytest.approx(float(sum(expected) / len(rows)))


MEASURED_ROWS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["20", "21", "[20-21]", "*", None]), st.sampled_from("fm")),
    min_size=1,
    max_size=12,
)
MEASURED_PEOPLE = st.lists(
    st.tuples(st.integers(0, 7), st.sampled_from([20, 21, 22, None]), st.sampled_from("fm")),
    min_size=1,
    max_size=9,
)


@settings(max_examples=80, deadline=None)
@given(MEASURED_ROWS, MEASURED_PEOPLE, st.booleans())
def test_with_ids_on_both_sides_every_claim_is_compared_with_the_truth(
    duck: Engine, records: list[Any], known: list[Any], as_text: bool
) -> None:
    owners = [who for who, *_ in records]
    target = release(duck, ["id", "age", "sex"], records, quasi=["age", "sex"], person="id")
    listed = [(str(who) if as_text else who, age, sex) for who, age, sex in known]
    identified = people(duck, ["who", "age", "sex"], listed, person="who")
    if not {who for who, *_ in known} & set(owners):
        with pytest.raises(BadInput, match="nobody of the identified file is in the data"):
            Linkage().run(target, Knowledge(identified))
        return
    result = Linkage().run(target, Knowledge(identified), victims=True)
    right = measured([r[1:] for r in records], owners, [(row[0], row[1:]) for row in known])
    assert result.success == pytest.approx(float(right))
    assert result.scored is Scored.MEASURED
    assert result.attempts == len({who for who, *_ in known} & set(owners))
    told = {known[victim.row - 1][0] for victim in result.victims}
    assert all(who in owners for who in told)
    assert bool(told) == (result.success > 0)


@settings(max_examples=60, deadline=None)
@given(MEASURED_ROWS, MEASURED_PEOPLE)
def test_claims_about_a_list_count_those_of_the_list_who_fit_as_well(
    duck: Engine, records: list[Any], known: list[Any]
) -> None:
    target = release(duck, ["age", "sex"], [r[1:] for r in records])
    identified = people(duck, ["age", "sex"], [row[1:] for row in known])
    expected = chances([r[1:] for r in records], [row[1:] for row in known], inside=False)
    coded_alike = all(
        not (values := [row[j] for row in known if row[j] is not None])
        or any(agrees([r[j]], [value]) for r in records for value in values)
        for j in (1, 2)
    )
    if not any(expected) or not coded_alike:
        with pytest.raises(BadInput, match="agrees"):
            Linkage().run(target, Knowledge(identified))
        return
    assert Linkage().run(target, Knowledge(identified)).success == pytest.approx(
        float(sum(expected) / len(known))
    )


def test_unique_matches_of_changed_values_are_seen_to_be_wrong(duck: Engine) -> None:
    target = release(duck, ["id", "age"], [(1, 31), (2, 30)], quasi=["age"], person="id")
    identified = people(duck, ["id", "age"], [(1, 30), (2, 31), (3, 31)], person="id")
    result = Linkage().run(target, Knowledge(identified))
    assert (result.success, result.certain, result.attempts) == (0.0, 0, 2)
    assert result.details["unique matches"] == 3
    assert result.details["unique matches that are wrong"] == 3
    assert result.details["people of the file who are not in the data"] == 1


def test_people_whose_records_were_suppressed_are_attacked_in_vain(duck: Engine) -> None:
    original = release(duck, ["id", "age"], [(1, 30), (2, 31)], quasi=["age"], person="id")
    target = release(duck, ["id", "age"], [(1, 30)], quasi=["age"], person="id")
    result = Linkage().run(target, Knowledge(original=original))
    assert (result.success, result.attempts, result.certain) == (0.5, 2, 1)


def test_somebody_in_several_rows_of_the_file_counts_once_by_the_best_of_them(duck: Engine) -> None:
    target = release(duck, ["age"], [(30,), (31,), (31,)])
    identified = people(duck, ["who", "age"], [("x", 30), ("x", 31), ("y", 31)], person="who")
    result = Linkage().run(target, Knowledge(identified))
    assert result.attempts == 2
    assert result.success == pytest.approx((1 + 1 / 2) / 2)
    assert result.details["unique matches"] == 1


def test_somebody_in_several_records_counts_once_among_the_candidates(duck: Engine) -> None:
    # Two people in the class of age 30, three records.
    rows = [("x", "30"), ("x", "30"), ("y", "30"), ("x", "*"), ("z", "*")]
    target = release(duck, ["id", "age"], rows, quasi=["age"], person="id")
    identified = people(duck, ["age"], [(30,)])
    original = PublishedTable(identified.table, ("age",))
    result = Linkage().run(target, Knowledge(identified, original=original))
    assert result.success == 0.5, "as surely as there are two; not one in four"


def test_nobody_matching_is_an_error_and_not_a_risk_of_zero(duck: Engine) -> None:
    target = release(duck, ["age", "sex"], [(30, "f"), (31, "m")])
    with pytest.raises(BadInput, match="nobody of the identified file agrees with any record"):
        Linkage().run(target, Knowledge(people(duck, ["age", "sex"], [(30, "m"), (31, "f")])))


def test_changed_values_of_the_same_people_are_a_finding_with_a_note(duck: Engine) -> None:
    original = release(duck, ["income"], [(100,), (200,)])
    result = Linkage().run(release(duck, ["income"], [(101.5,), (199.2,)]), Knowledge(original=original))
    assert result.success == 0.0
    assert "fuzzy linkage may still find them" in str(result)


def test_people_of_whom_something_is_unknown_do_not_hide_those_who_are_known(duck: Engine) -> None:
    target = release(duck, ["age", "sex"], [(30, "f"), (40, "f")])
    listed = people(duck, ["age", "sex"], [(30, "f"), *[(None, "f")] * 8])
    result = Linkage().run(target, Knowledge(listed))
    assert result.certain == 1
    assert result.success == pytest.approx((1 + 8 * 0.5) / 9)


def test_what_is_unknown_or_not_understood_is_said(duck: Engine) -> None:
    target = release(duck, ["age", "place"], [("20", "North"), ("21", "a"), ("20", "b")])
    listed = people(duck, ["age", "place"], [(20, "a"), (None, "b")])
    result = Linkage().run(target, Knowledge(listed, original=PublishedTable(listed.table, ("age",))))
    assert "1 records have a label in 'place' that is nobody's in the file" in result.note
    unknown = Linkage(missing="anybody").run(target, Knowledge(listed))
    assert "1 person is in the file with an unknown value, which may be anything" in unknown.note


def test_bad_input_is_named(duck: Engine) -> None:
    target = release(duck, ["age"], [(30,)])
    lists = People(duck.read(Frame(pa.table({"age": pa.array([[30]])}))), {"age": "age"})
    with pytest.raises(BadInput, match="column 'age' of the identified file: its values are neither"):
        Linkage().run(target, Knowledge(lists))
    with pytest.raises(BadInput, match="linkage: no identified file is given"):
        Linkage().run(target, Knowledge())
    with pytest.raises(BadInput, match="no column in common"):
        People(target.table, {})
    with pytest.raises(BadInput, match="no common column 'sex'"):
        Linkage(columns=["sex"]).run(target, Knowledge(people(duck, ["age"], [(30,)])))
    with pytest.raises(BadInput, match="columns must name at least one"):
        Linkage(columns=())
    with pytest.raises(BadInput, match="anybody or value"):
        Linkage(missing="whatever")  # type: ignore[arg-type]
    empty = People(duck.read(Frame(pa.table({"age": pa.array([], pa.int64())}))), {"age": "age"})
    with pytest.raises(BadInput, match="the identified file has no rows"):
        Linkage().run(target, Knowledge(empty))
