"""Chains of files: harmless one by one, and together they lead from names to codes and DNA."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.cli import main
from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.demo import Hospital, generate
from sfumato.record import Chain, Step, chain, chain_of
from sfumato.record import paths as ways_of
from tests.oracles import chains as oracle

STUDY = {"sex": ["Male", "Female"], "age": [78, 58], "icd": ["333.4", "759.83"], "dna": ["C…A", "A…T"]}
NAMED = {"name": ["John Doe", "Mary Ann"], "sex": ["Male", "Female"], "age": ["78", "58"]}


def test_the_lecture_table_leads_from_names_to_dna() -> None:
    found = chain(
        {
            "steps": [
                {"file": pa.table(NAMED), "learn": ["name", "sex", "age"]},
                {"file": pa.table(STUDY), "on": ["sex", "age"], "learn": ["icd", "dna"]},
            ],
            "inside": True,
        },
        victims=True,
    )
    (step,) = found.steps
    assert (step.followed, step.unique, step.lost, step.candidates) == (2, 2, 0, 1.0)
    assert (found.identity.success, found.identity.certain) == (1.0, 2)
    assert found.identity.baseline == 0.5
    assert {result.column: result.success for result in found.attributes} == {"icd": 1.0, "dna": 1.0}
    assert [victim.row for victim in found.identity.victims] == [1, 2]
    assert "John" not in str(found)
    assert "C…A" not in str(found)


VOTERS = pa.table(
    {
        "name": ["Sue", "Ann", "Bob", "Eve"],
        "born": ["9/15/61", "9/15/61", "1/30/50", "2/20/70"],
        "zip": ["02142", "02139", "02142", "02199"],
    }
)
SUMMARIES = pa.table(
    {"birth": ["09/15/61", "01/30/50"], "zip": ["02142", "02142"], "code": ["401.1", "333.4"]}
)
RESEARCH = pa.table({"icd": ["333.4", "401.1", "250.0"], "dna": ["CT…A", "AC…T", "GC…C"]})
TWO_STEPS: dict[str, Any] = {
    "steps": [
        {"file": VOTERS, "learn": ["name", "born", "zip"]},
        {"file": SUMMARIES, "on": {"birth": "born", "zip": "zip"}, "learn": ["code"]},
        {"file": RESEARCH, "on": {"icd": "code"}, "learn": ["dna"]},
    ]
}


def test_two_steps_lead_from_voters_over_summaries_to_dna() -> None:
    found = chain(TWO_STEPS)
    assert [(step.followed, step.unique, step.lost) for step in found.steps] == [(2, 2, 2), (2, 2, 0)]
    assert found.identity.scored is Scored.CLAIMED
    assert found.identity.attempts == 2
    assert (found.identity.success, found.identity.certain) == (1.0, 2)
    assert [result.threat for result in found.results] == [Threat.IDENTITY, Threat.ATTRIBUTE]
    assert found.attributes[0].column == "dna"


def test_records_seen_before_lead_to_dna_in_one_step() -> None:
    """Jim, Mary and Anne of the lecture: the whole set of codes of a record is what it is found by."""
    seen = {
        "name": ["Jim", "Mary", "Mary", "Anne", "Anne", "Anne"],
        "icd": ["333.4", "401.0", "401.1", "401.0", "401.2", "401.3"],
    }
    released = {
        "record": [1, 2, 2, 3, 3, 3],
        "icd": ["333.4", "401.1", "401.0", "401.3", "401.0", "401.2"],
        "dna": ["CT…A", "AC…T", "AC…T", "GC…C", "GC…C", "GC…C"],
    }
    found = chain(
        {
            "steps": [
                {"file": pa.table(seen), "record": "name", "learn": ["name", "icd"]},
                {"file": pa.table(released), "record": "record", "on": ["icd"], "learn": ["dna"]},
            ],
            "inside": True,
        }
    )
    assert (found.people, found.steps[0].records, found.steps[0].unique) == (3, 3, 3)
    assert found.identity.success == 1.0


def test_somebody_who_shares_all_with_others_is_claimed_no_more_than_they_are() -> None:
    voters = pa.table({"name": ["Ann", "Eve", "Zoe"], "zip": ["1", "1", "2"]})
    codes = pa.table({"zip": ["1", "2"], "code": ["a", "b"]})
    spec = {
        "steps": [
            {"file": voters, "learn": ["name", "zip"]},
            {"file": codes, "on": ["zip"], "learn": ["code"]},
        ]
    }
    found = chain(spec)
    assert found.identity.success == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)
    assert found.identity.certain == 1
    assert chain({**spec, "inside": True}).identity.success == 1.0


def test_the_truth_may_be_about_the_last_file_of_two_steps() -> None:
    key = pa.table({"who": ["Sue", "Bob"], "dna": ["AC…T", "CT…A"]})
    truth = {"file": key, "fact": "dna", "person": {"who": "name"}}
    found = chain({**TWO_STEPS, "truth": truth})
    assert [step.scored for step in found.steps] == [Scored.CLAIMED, Scored.MEASURED]
    assert (found.identity.attempts, found.identity.success, found.identity.certain) == (2, 1.0, 2)
    swapped = {**truth, "file": key.set_column(0, "who", pa.array(["Bob", "Sue"]))}
    wrong = chain({**TWO_STEPS, "truth": swapped}).identity
    assert (wrong.success, wrong.certain, wrong.details["sure and wrong"]) == (0.0, 0, 2)


def test_people_whose_own_record_is_in_no_later_file_are_not_found() -> None:
    key = pa.table({"name": ["Sue", "Bob"], "code": ["401.1", "333.4"]})
    other = pa.table({"icd": ["250.0", "401.1"], "dna": ["GC…C", "AC…T"]})
    steps = [*TWO_STEPS["steps"][:2], {"file": other, "on": {"icd": "code"}, "learn": ["dna"]}]
    truth = {"file": key, "fact": "code", "person": ["name"]}
    found = chain({"steps": steps, "truth": truth})
    assert [step.success for step in found.steps] == [1.0, 0.5]
    assert found.identity.success == 0.5


letters = st.sampled_from("abc")


@st.composite
def files(draw: st.DrawFn) -> tuple[list[oracle.Row], list[oracle.Row], list[oracle.Row]]:
    def rows(columns: str, least: int = 1, most: int = 6) -> list[oracle.Row]:
        return draw(
            st.lists(st.fixed_dictionaries(dict.fromkeys(columns, letters)), min_size=least, max_size=most)
        )

    return rows("xy"), rows("xu"), rows("uyv")


def framed(rows: list[oracle.Row]) -> pa.Table:
    return pa.table({name: [row[name] for row in rows] for name in rows[0]})


@settings(max_examples=60, deadline=None)
@given(files())
def test_what_is_believed_is_what_counting_by_hand_believes(
    given_files: tuple[list[oracle.Row], list[oracle.Row], list[oracle.Row]],
) -> None:
    people, first, second = given_files
    after = oracle.ways(people, [(first, {"x": "x"}, {"u": "u"}), (second, {"u": "u", "y": "y"}, {"v": "v"})])
    steps = [
        {"file": framed(people), "learn": ["x", "y"]},
        {"file": framed(first), "on": ["x"], "learn": ["u"]},
        {"file": framed(second), "on": ["u", "y"], "learn": ["v"]},
    ]
    if not any(after[1]):
        with pytest.raises(BadInput, match="nobody has a candidate"):
            chain({"steps": steps, "inside": True})
        return
    found = chain({"steps": steps, "inside": True})
    for step, believed in zip(found.steps, after, strict=True):
        records = [oracle.last_records(belief) for belief in believed]
        assert step.followed == sum(bool(some) for some in records)
        assert step.unique == sum(len(some) == 1 for some in records)
        assert step.success == pytest.approx(float(oracle.expected_success(believed)))
    hits, without = oracle.expected_values(after[1], [row["v"] for row in second])
    (values,) = found.attributes
    assert values.success == pytest.approx(float(hits))
    assert values.baseline == pytest.approx(float(without))


@settings(max_examples=40, deadline=None)
@given(files(), st.data())
def test_a_measured_success_is_what_counting_by_hand_finds(
    given_files: tuple[list[oracle.Row], list[oracle.Row], list[oracle.Row]], data: st.DataObject
) -> None:
    people, first, _ = given_files
    after = oracle.ways(people, [(first, {"x": "x"}, {})])
    assume(any(after[0]))
    owners = data.draw(st.permutations(range(len(first))))[: len(people)]
    own = dict(enumerate(owners))
    named = [{**row, "name": str(i)} for i, row in enumerate(people)]
    numbered = [{**row, "id": i} for i, row in enumerate(first)]
    key = pa.table({"who": [str(person) for person in own], "id": [str(record) for record in own.values()]})
    found = chain(
        {
            "steps": [
                {"file": framed(named), "learn": ["name", "x"]},
                {"file": framed(numbered), "on": ["x"], "learn": ["id"]},
            ],
            "truth": {"file": key, "fact": "id", "person": {"who": "name"}},
        }
    )
    assert found.identity.scored is Scored.MEASURED
    assert found.identity.attempts == len(own)
    assert found.identity.success == pytest.approx(float(oracle.measured_success(after[0], own)))


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Hospital:
    return generate(tmp_path_factory.mktemp("hospital"), patients=1500)


def spelt(released: Any = "patients.csv") -> dict[str, Any]:
    return {
        "steps": [
            {"file": "voters.csv", "learn": ["name", "birth_date", "sex", "zip"]},
            {"file": released, "on": ["birth_date", "sex", "zip"], "learn": ["patient_id"]},
            {
                "file": "diagnoses.csv",
                "on": ["patient_id"],
                "record": "patient_id",
                "learn": {"codes": "code"},
            },
            {"file": "snps.csv", "on": ["patient_id"], "learn": ["rs6025"]},
        ],
        "truth": {"file": "patients.csv", "fact": "patient_id", "person": ["name", "birth_date"]},
    }


def test_without_names_alone_most_patients_are_found_with_all_their_codes(hospital: Hospital) -> None:
    found = chain(spelt(), folder=hospital.folder)
    assert found.identity.scored is Scored.MEASURED
    assert found.identity.success > 0.95
    codes = found.attributes[0]
    assert codes.column == "codes"
    assert codes.success > 0.95
    assert codes.baseline < 0.1


@pytest.fixture(scope="module")
def ten_anonymous(hospital: Hospital) -> Any:
    patients = pl.read_csv(hospital.patients, infer_schema=False)
    return sf.protect(
        patients.select("patient_id", "birth_date", "sex", "zip"),
        quasi=["birth_date", "sex", "zip"],
        confirmed=["patient_id"],
        models=sf.KAnonymity(10),
        method=sf.Mondrian(),
    ).data


def test_k_anonymity_stops_the_chain_at_its_first_step(hospital: Hospital, ten_anonymous: Any) -> None:
    found = chain(spelt(ten_anonymous), folder=hospital.folder)
    assert found.identity.success <= 1 / 10
    assert found.identity.certain == 0
    assert all(step.success <= 1 / 10 and step.unique == 0 for step in found.steps)
    codes = found.attributes[0]
    assert codes.success < 0.2
    assert codes.certain == 0


def test_when_there_are_too_many_ways_a_sample_of_people_is_followed(
    hospital: Hospital, ten_anonymous: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody = chain(spelt(ten_anonymous), folder=hospital.folder)
    monkeypatch.setattr(ways_of, "MOST_PATHS", 20_000)
    some = chain(spelt(ten_anonymous), folder=hospital.folder)
    assert some.steps[0].sampled is not None
    assert some.identity.attempts < everybody.identity.attempts
    assert some.identity.success == pytest.approx(everybody.identity.success, abs=0.02)
    assert "a sample of" in str(some)


def test_the_terminal_shows_every_step_and_writes_victims_only_when_asked(
    hospital: Hospital,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = hospital.folder / "chain.yaml"
    path.write_text(
        """\
steps:
  - file: voters.csv
    learn: [name, birth_date, sex, zip]
  - file: patients.csv
    on: {birth_date: birth_date, sex: sex, zip: zip}
    learn: [patient_id]
  - {file: diagnoses.csv, on: [patient_id], record: patient_id, learn: {codes: code}}
truth: {file: patients.csv, fact: patient_id, person: [name, birth_date]}
"""
    )
    victims = tmp_path / "victims.csv"
    monkeypatch.setattr("sys.argv", ["sfumato", "chain", str(path), "--victims", str(victims)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert "patients.csv" in said
    assert "diagnoses.csv" in said
    lines = victims.read_text().splitlines()
    assert lines[0] == "row,confidence,candidates"
    assert len(lines) - 1 == chain(path).identity.certain > 500
    monkeypatch.setattr("sys.argv", ["sfumato", "chain", str(path), "--json"])
    with pytest.raises(SystemExit):
        main()
    plain = json.loads(capsys.readouterr().out)
    assert [step["file"] for step in plain["steps"]] == ["patients.csv", "diagnoses.csv"]
    assert plain["results"][0]["success"] > 0.95
    monkeypatch.setattr("sys.argv", ["sfumato", "chain", str(path), "--victims", str(victims)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "there is already a file" in capsys.readouterr().err


START = {"file": pa.table(NAMED), "learn": ["name", "sex", "age"]}
GO_ON = {"file": pa.table(STUDY), "on": ["sex", "age"], "learn": ["dna"]}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({}, "chain: the key 'steps' is missing"),
        ({"steps": [START]}, "at least two files"),
        ({"steps": "voters.csv"}, "must be a list of files"),
        ({"step": []}, "did you mean 'steps'"),
        ({"steps": [START, {**GO_ON, "learned": ["dna"]}]}, "step 2: 'learned' is not a key"),
        ({"steps": [START, {"learn": ["dna"], "on": ["sex"]}]}, "step 2: the key 'file' is missing"),
        ({"steps": [GO_ON, START]}, "the first file is joined on something"),
        ({"steps": [START, {**GO_ON, "on": []}]}, "it is joined on nothing"),
        ({"steps": [START, {**GO_ON, "on": ["icd"]}]}, "'icd' is not known by then"),
        ({"steps": [START, {**GO_ON, "learn": ["age"]}]}, "'age' is known already"),
        ({"steps": [START, {**GO_ON, "learn": ["gene"]}]}, "there is no column 'gene'"),
        ({"steps": [START, {**GO_ON, "on": 5}]}, "'on' must be names of columns"),
        ({"steps": [{**START, "learn": []}, GO_ON]}, "nothing is known of anybody"),
        ({"steps": [START, GO_ON], "inside": "yes"}, "neither true nor false"),
        ({"steps": [START, GO_ON], "truth": {"file": "x.csv"}}, "truth: the key 'fact' is missing"),
        (
            {"steps": [START, GO_ON], "truth": {"file": pa.table(NAMED), "fact": "sex", "person": ["name"]}},
            "no file of the chain tells 'sex'",
        ),
        (
            {
                "steps": [START, GO_ON],
                "truth": {"file": pa.table({"name": ["X"], "dna": ["y"]}), "fact": "dna", "person": ["name"]},
            },
            "nobody of the first file is in the chain",
        ),
        (
            {"steps": [START, {**GO_ON, "file": pa.table({**STUDY, "sex": ["1", "2"]})}]},
            "column 'sex'",
        ),
        (
            {"steps": [START, {**GO_ON, "file": pa.table({**STUDY, "age": [58, 78]})}]},
            "nobody has a candidate",
        ),
        ({"steps": [{**START, "file": "nowhere.csv"}, GO_ON]}, "there is no such file"),
    ],
)
def test_a_chain_that_cannot_be_is_explained(spec: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message) as raised:
        chain(spec, folder=tmp_path)
    assert "333.4" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"), [("steps: [", "this is not YAML"), ("voters", "no chain"), (None, "no such file")]
)
def test_a_file_that_is_no_chain_is_explained(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "chain.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadInput, match=message):
        chain(path)


def test_a_chain_is_the_same_in_python_and_in_yaml(tmp_path: Path) -> None:
    spec = {"steps": [{"file": "a.csv", "learn": "x"}, {"file": "b.csv", "on": "x", "learn": {"y": "z"}}]}
    made = Chain((Step(tmp_path / "a.csv", {"x": "x"}), Step(tmp_path / "b.csv", {"y": "z"}, {"x": "x"})))
    assert chain_of(spec, tmp_path) == made
