"""Chains over sets of codes: part of a history, one visit or a general label is enough to find somebody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.record import ChainResult, chain
from tests.oracles import chains as oracle

MARY = {
    "name": ["Jim", "Mary", "Mary", "Anne", "Anne", "Anne"],
    "icd": ["333.4", "401.0", "401.1", "401.0", "401.2", "401.3"],
}


def rows_of(sets: dict[Any, set[str]], record: str, **more: dict[Any, Any]) -> pa.Table:
    """Lay sets out with one row for each item; who has none has one row without."""
    listed = [(who, item) for who, items in sets.items() for item in sorted(items) or [None]]
    told = {name: [values[who] for who, _ in listed] for name, values in more.items()}
    columns = {record: [who for who, _ in listed], "icd": [item for _, item in listed], **told}
    return pa.table(
        columns, schema=pa.schema([(n, pa.int64() if n == "n" else pa.string()) for n in columns])
    )


def linked(known: pa.Table, released: pa.Table, **more: Any) -> ChainResult:
    return chain(
        {
            "steps": [
                {"file": known, "record": "name", "learn": ["name", "icd"]},
                {"file": released, "record": "record", "on": ["icd"], "learn": ["record", "dna"], **more},
            ],
            "truth": {
                "file": pa.table({"name": ["Jim", "Mary", "Anne"], "record": ["1", "2", "3"]}),
                "fact": "record",
                "person": ["name"],
            },
        }
    )


DNA = {"1": "CT…A", "2": "AC…T", "3": "GC…C"}


def test_mary_is_found_although_her_research_record_has_more_codes() -> None:
    """The lecture: she is known by 401.0 and 401.1, and in the research data stand 303 and 295 besides."""
    released = {"1": {"333.4"}, "2": {"401.0", "401.1", "303", "295"}, "3": {"401.0", "401.2", "401.3"}}
    found = linked(pa.table(MARY), rows_of(released, "record", dna=DNA))
    assert (found.identity.success, found.identity.certain) == (1.0, 3)
    assert {result.column: result.success for result in found.attributes} == {"dna": 1.0}
    whole = linked(pa.table(MARY), rows_of(released, "record", dna=DNA), match="whole")
    assert whole.identity.success == pytest.approx(2 / 3), "compared as wholes she is lost"
    assert any("contains 100.0 %, within 66.7 %, whole 66.7 %" in note for note in found.notes)


def test_general_labels_hide_nobody_who_is_alone_under_them() -> None:
    released = {"1": {"333*"}, "2": {"(401.0,401.1)", "295"}, "3": {"401.0", "{401.2, 401.3}"}}
    found = linked(pa.table(MARY), rows_of(released, "record", dna=DNA))
    assert found.identity.success == 1.0


def test_labels_of_a_hierarchy_are_read() -> None:
    released = {"1": {"nerves"}, "2": {"pressure", "295"}, "3": {"295"}}
    leaves = sorted(set(MARY["icd"]))
    tree = {"tree": {"nerves": ["333.4"], "pressure": [code for code in leaves if code.startswith("401")]}}
    found = linked(pa.table(MARY), rows_of(released, "record", dna=DNA), hierarchies={"icd": tree})
    assert found.steps[0].followed == 3
    assert found.identity.success == pytest.approx(2 / 3), "Anne's record no longer has her codes"
    blind = linked(pa.table(MARY), rows_of({"1": {"333.4"}, "2": {"401"}, "3": {"295"}}, "record", dna=DNA))
    assert blind.identity.success == pytest.approx(1 / 3), "401 is no 401.0: labels are words, not numbers"


def test_a_visit_is_found_among_histories_and_a_history_by_its_visits() -> None:
    histories = {"1": {"a", "b", "c"}, "2": {"b", "d"}, "3": {"a", "d", "e"}}
    names = {"1": "Jim", "2": "Mary", "3": "Anne"}
    visits = {"Jim": {"b", "c"}, "Mary": {"b", "d"}, "Anne": {"e"}}
    one = linked(rows_of(visits, "name"), rows_of(histories, "record", dna=DNA))
    assert one.identity.success == 1.0
    known = {names[record]: items for record, items in histories.items()}
    seen = {record: visits[name] for record, name in names.items()}
    other = linked(rows_of(known, "name"), rows_of(seen, "record", dna=DNA))
    assert other.identity.success == 1.0
    assert any("'within'" in note for note in other.notes)


def test_a_way_that_is_wanted_is_taken_alone_and_others_are_named() -> None:
    released = {"1": {"333.4"}, "2": {"401.0"}, "3": {"401.2"}}
    found = linked(pa.table(MARY), rows_of(released, "record", dna=DNA), match="contains")
    assert found.identity.success == pytest.approx(1 / 3)
    assert found.notes == ()
    with pytest.raises(BadInput, match="'match' must say how sets are compared; write one of contains"):
        linked(pa.table(MARY), rows_of(released, "record", dna=DNA), match="subset")


items = st.sets(st.sampled_from(["a1", "a2", "b1"]), max_size=3)
labels = st.sets(st.sampled_from(["a1", "a2", "b1", "(a1,b1)", "a*", "*", "zz"]), max_size=3)
COVERS = {
    **{item: {item} for item in ("a1", "a2", "b1", "zz")},
    "(a1,b1)": {"a1", "b1"},
    "a*": {"a1", "a2"},
    "*": {"a1", "a2", "b1"},
}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("xy"), items), min_size=1, max_size=5),
    st.lists(st.tuples(st.sampled_from("xy"), labels), min_size=1, max_size=6),
    st.sampled_from(["contains", "within", "whole"]),
    st.data(),
)
def test_candidates_by_sets_are_those_of_the_definition(
    people: list[tuple[str, set[str]]], records: list[tuple[str, set[str]]], match: str, data: Any
) -> None:
    assume(any(len(some) > 1 for _, some in (*people, *records)))
    own = data.draw(st.lists(st.integers(0, len(records) - 1), min_size=len(people), max_size=len(people)))
    spec = {
        "steps": [
            {
                "file": rows_of(
                    {f"p{i}": some for i, (_, some) in enumerate(people)},
                    "name",
                    ward={f"p{i}": ward for i, (ward, _) in enumerate(people)},
                ),
                "record": "name",
                "learn": ["name", "icd", "ward"],
            },
            {
                "file": rows_of(
                    {f"r{i}": some for i, (_, some) in enumerate(records)},
                    "record",
                    ward={f"r{i}": ward for i, (ward, _) in enumerate(records)},
                ),
                "record": "record",
                "on": ["icd", "ward"],
                "learn": ["record"],
                "match": match,
            },
        ],
        "truth": {
            "file": pa.table(
                {"name": [f"p{i}" for i in range(len(people))], "record": [f"r{i}" for i in own]}
            ),
            "fact": "record",
            "person": ["name"],
        },
    }
    expected = oracle.success_by_sets(
        [(ward, some, place) for (ward, some), place in zip(people, own, strict=True)],
        records,
        match,
        COVERS,
    )
    if not any(
        ward == other and oracle.agrees(match, some, shown, COVERS)
        for ward, some in people
        for other, shown in records
    ):
        with pytest.raises(BadInput, match=r"nobody has a candidate|nothing that the identified file holds"):
            chain(spec)
        return
    assert chain(spec).identity.success == pytest.approx(float(expected))


def test_a_value_of_a_later_file_does_better_than_the_pseudonym_that_it_is_joined_on() -> None:
    """k-anonymity of the first file ends at 1/k only for somebody who knows nothing of the later one."""
    patients = pa.table({"age": ["[20-29]"] * 4, "pseudonym": list("1234")})
    codes = pa.table({"pseudonym": list("11223344"), "icd": ["a", "z", "a", "b", "a", "c", "a", "d"]})
    who = {"name": ["Ann", "Ben", "Cem", "Dan"], "age": ["20", "21", "22", "23"]}
    truth = {
        "file": pa.table({"name": who["name"], "pseudonym": list("1234")}),
        "fact": "pseudonym",
        "person": ["name"],
    }

    def success(code: list[str]) -> tuple[float, float]:
        known = {"file": pa.table({**who, "told": code}), "learn": ["name", "age", "told"]}
        first = {"file": patients, "on": ["age"], "learn": ["pseudonym"]}
        then = {
            "file": codes,
            "record": "pseudonym",
            "on": {"pseudonym": "pseudonym", "icd": "told"},
            "learn": {"all": "icd"},
        }
        found = chain({"steps": [known, first, then], "truth": truth})
        return found.steps[0].success, found.identity.success

    assert success(["a"] * 4) == (0.25, 0.25)
    assert success(["z", "b", "c", "d"]) == (0.25, 1.0)


@pytest.mark.golden
def test_patients_and_conditions_under_one_pseudonym_are_measured_at_their_true_risk(shared: Path) -> None:
    folder = shared / "data" / "codes" / "clinical"
    conditions = pl.read_csv(folder / "synthea_1k_conditions.csv.gz", infer_schema=False)
    codes: dict[str, set[str]] = {}
    for who, code in conditions.select("PATIENT", "CODE").iter_rows():
        codes.setdefault(who, set()).add(code)
    patients = (
        pl.read_csv(folder / "synthea_1k_patients.csv.gz", infer_schema=False)
        .filter(pl.col("Id").is_in(list(codes)))
        .with_columns(year=pl.col("BIRTHDATE").str.slice(0, 4))
        .select("Id", "year", "GENDER")
    )
    people = patients.rows()
    conditions = conditions.filter(pl.col("PATIENT").is_in(patients["Id"].to_list()))
    often: dict[str, int] = {}
    for who, _, _ in people:
        for code in codes[who]:
            often[code] = often.get(code, 0) + 1
    pick = {
        "rarest": lambda some: min(some, key=lambda code: (often[code], code)),
        "commonest": lambda some: max(some, key=lambda code: (often[code], code)),
    }
    measured = {}
    for how, choose in pick.items():
        told = [choose(codes[who]) for who, _, _ in people]
        found = chain(
            {
                "steps": [
                    {
                        "file": patients.with_columns(told=pl.Series(told)),
                        "learn": {"who": "Id", "year": "year", "GENDER": "GENDER", "told": "told"},
                    },
                    {"file": patients, "on": ["year", "GENDER"], "learn": {"pseudonym": "Id"}},
                    {
                        "file": conditions,
                        "record": "PATIENT",
                        "on": {"PATIENT": "pseudonym", "CODE": "told"},
                        "learn": {"codes": "CODE"},
                    },
                ],
                "truth": {
                    "file": patients.select("Id", pseudonym="Id"),
                    "fact": "pseudonym",
                    "person": {"Id": "who"},
                },
            }
        )
        expected = oracle.success_by_sets(
            [
                ((year, sex), {code}, place)
                for place, ((_, year, sex), code) in enumerate(zip(people, told, strict=True))
            ],
            [((year, sex), codes[who]) for who, year, sex in people],
            "contains",
            {code: {code} for code in often},
        )
        assert found.identity.attempts == len(people) > 1000
        assert found.identity.success == pytest.approx(float(expected), abs=1e-9)
        measured[how] = found.identity.success
        alone = found.steps[0].success
    assert 0.14 < alone < 0.19
    assert measured["rarest"] > 0.7 > 0.35 > measured["commonest"] > alone
