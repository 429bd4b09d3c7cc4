"""Adversaries against notes: in the house with the truth at hand, and at the door without it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pandas as pd
import pytest

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.findings import Status
from sfumato.engine.contract import Order
from sfumato.recipe.load import load
from sfumato.recipe.prepared import prepared, released
from sfumato.recipe.text.attack import attack_text
from sfumato.recipe.text.attack_ask import asked_text_attacks
from sfumato.recipe.text.attacked import side_by_side
from sfumato.recipe.text.job import TextJob
from sfumato.recipe.text.outcome import carry_out_text
from sfumato.recipe.text.people import kinds_of_columns
from sfumato.recipe.verify import verify
from sfumato.text.attacks.clues import days_in
from sfumato.text.methods import Deidentify
from sfumato.text.models import DetectedIdentifiersRemoved, RecallAtLeast
from sfumato.text.stream.work import Work
from tests.recipe.text.examples import job_for, recipe_in, write_notes
from tests.recipe.text.test_release import KEYED

NAMES = ("Whitfield", "Eleanor", "Celik", "Ömer")


def test_every_release_with_known_columns_is_attacked_before_and_after(tmp_path: Path) -> None:
    made = released(job_for(tmp_path, known={"name": "NAME"}), tmp_path / "out")
    (linkage,) = made.evidence.attacks
    assert linkage.name == "text-linkage"
    assert linkage.before is not None
    assert linkage.after is not None
    assert linkage.before.success == 1.0
    assert linkage.after.success == pytest.approx(0.5)  # a guess between two people
    assert "attacks" not in json.loads((made.release / "evidence.json").read_text())
    report = (made.steward / "report.html").read_text()
    assert "What an adversary learns" in report
    assert "What an adversary learns" not in (made.release / "report.html").read_text()
    assert not [name for name in NAMES if name in report]


def test_moved_dates_are_attacked_by_the_days_that_columns_know(tmp_path: Path) -> None:
    job = job_for(
        tmp_path,
        known={"name": "NAME"},
        written="written",
        method=Deidentify("surrogates", "shifted-dates"),
        masking=KEYED,
    )
    made = released(job, tmp_path / "out")
    found = {one.name: one for one in made.evidence.attacks}
    assert set(found) == {"text-linkage", "date-offset"}
    offset = found["date-offset"].after
    assert offset is not None
    assert offset.success > offset.baseline


def test_a_bound_that_does_not_hold_publishes_nothing(tmp_path: Path) -> None:
    asked = asked_text_attacks([{"text-linkage": {"at-most": 0.1}}], tmp_path)
    job = job_for(tmp_path, known={"name": "NAME"}, attacks=asked)
    with pytest.raises(PromiseNotMet, match="at most 10 % is allowed"):
        released(job, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_recipe_names_attacks_and_the_file_that_an_adversary_holds(tmp_path: Path) -> None:
    (tmp_path / "voters.csv").write_text("patient_id,who\n1,Eleanor Whitfield\n2,Ömer Çelik\n3,Ann Bo\n")
    path = recipe_in(tmp_path)
    path.write_text(
        path.read_text() + "attacks:\n  - text-linkage: {with: voters.csv, map: {who: NAME}, at-most: 0.9}\n"
    )
    job = prepared(load(path), tmp_path)
    assert isinstance(job, TextJob)
    made = released(job, tmp_path / "out")
    (linkage,) = made.evidence.attacks
    assert linkage.before is not None
    assert linkage.before.success == 1.0
    assert linkage.held is True
    assert json.loads((made.release / "evidence.json").read_text())["recipe"]["attacks"] == [
        {"text-linkage": {"at-most": 0.9}}
    ]
    assert not verify(tmp_path / "out").refuted


def test_a_release_can_be_attacked_by_whoever_has_it(tmp_path: Path) -> None:
    released(job_for(tmp_path), tmp_path / "out")
    people = pd.DataFrame({"surname": ["Whitfield", "Çelik"], "admission_date": ["2003-01-17", "2004-02-02"]})
    report = attack_text(tmp_path / "out", with_=people)
    linkage = report["text-linkage"]
    assert linkage.scored is Scored.CLAIMED
    assert {one.attack for one in report.not_run} == {"rare-terms", "date-offset", "hidden-in-plain-sight"}
    assert "nobody can tell which are right" in str(report)


def test_notes_and_their_people_given_in_python_are_scored() -> None:
    people = pd.DataFrame({"id": [1, 2], "who": ["Ada Lovelace", "Ida Rhodes"]})
    told = {"person": "id", "persons": [1, 2], "columns": {"who": "NAME"}}
    report = attack_text(["Ms Lovelace", "Ida"], "text-linkage", with_=people, **told)
    assert (report[0].success, report[0].scored) == (1.0, Scored.MEASURED)
    with pytest.raises(BadInput, match="no column 'wo'"):
        attack_text(["a"], with_=people, columns={"wo": "NAME"})
    with pytest.raises(BadInput, match="it needs an identified file"):
        attack_text(["a"], "text-linkage")
    with pytest.raises(BadInput, match="no attack could be run"):
        attack_text(["a"])


def test_texts_from_elsewhere_are_read_by_their_columns() -> None:
    posts = pd.DataFrame({"text": ["fell off a trapeze", "fever"], "id": ["1", "2"]})
    report = attack_text(
        ["trapeze accident", "high fever", "cough"],
        {"rare-terms": {"rare": 0.5}},
        others=posts,
        person="id",
        persons=["1", "2", "3"],
    )
    assert report["rare-terms"].success == 1.0


def test_columns_are_guessed_by_their_names() -> None:
    names = ["patient_id", "LastName", "dob", "admission date", "Sex", "zip_code", "home-phone", "colour"]
    found = {one.column: f"{one.kind}/{one.label}" for one in kinds_of_columns(names, {}, "patient_id", "")}
    assert found == {
        "LastName": "NAME/patient",
        "dob": "DATE/birth",
        "admission date": "DATE/",
        "Sex": "SEX/",
        "zip_code": "LOCATION/",
        "home-phone": "PHONE/",
    }
    with pytest.raises(BadInput, match="no column is known"):
        kinds_of_columns(["colour"], {}, None, "")


def test_true_shifts_are_those_of_the_replacement_and_of_notes_with_moved_dates_alone(tmp_path: Path) -> None:
    method = Deidentify("tags", "shifted-dates")
    job = job_for(tmp_path, method=method, masking=KEYED, order=Order.KEPT, jobs=1)
    with tempfile.TemporaryDirectory() as folder:
        work = Work(Path(folder))
        outcome = carry_out_text(job, work)
        notes = side_by_side(job, outcome.parts, work.sorted)
    assert notes is not None
    for before, after, moved in zip(notes.before, notes.after, notes.offsets, strict=True):
        old, new = days_in(before), days_in(after)
        assert moved == ((new[0] - old[0]).days if old else None)
    assert sum(moved is not None for moved in notes.offsets) == 2


def test_notes_beside_one_pseudonym_are_read_together(tmp_path: Path) -> None:
    path = recipe_in(tmp_path, more=", known: {name: NAME}")
    told = path.read_text().replace("patient_id, role: person", "patient_id, role: person, mask: pseudonym")
    path.write_text(told + "masking: {keyFrom: NOTES_KEY, recipient: a, purpose: b}\n")
    job = prepared(load(path), tmp_path)
    assert isinstance(job, TextJob)
    made = released(job, tmp_path / "out")
    (linkage,) = made.evidence.attacks
    assert linkage.after is not None
    assert linkage.after.attempts == 2  # of three notes
    people = pd.DataFrame({"surname": ["Whitfield", "Çelik"]})
    assert attack_text(tmp_path / "out", with_=people)["text-linkage"].attempts == 2


def test_what_rules_find_in_the_written_release_is_asked_again_by_verify(tmp_path: Path) -> None:
    job = job_for(tmp_path, models=(DetectedIdentifiersRemoved(),))
    released(job, tmp_path / "out")
    (found,) = [one for one in verify(tmp_path / "out").findings if "detected" in one.claim]
    assert found.status is Status.CONFIRMED
    leaky = [("1", "Ada", "Mail A.B+lab@EXAMPLE.org", "", "A")]
    write_notes(tmp_path, leaky)
    with pytest.raises(PromiseNotMet, match="detected-identifiers-removed does not hold"):
        released(job_for(tmp_path, models=(DetectedIdentifiersRemoved(),)), tmp_path / "two")


def test_promises_that_nothing_could_show_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="none are given"):
        job_for(tmp_path, models=(RecallAtLeast(0.9),))
    with pytest.raises(BadInput, match="made up"):
        job_for(
            tmp_path, models=(DetectedIdentifiersRemoved(),), method=Deidentify("surrogates"), masking=KEYED
        )


def test_the_rules_of_a_promise_are_those_of_the_language_of_the_notes(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="reads 'es', and the notes are 'en'"):
        job_for(tmp_path, models=(DetectedIdentifiersRemoved(language="es"),))


def annotated(folder: Path, missed: int, notes: int = 100) -> Path:
    """Write annotated notes: the search of the example knows Whitfield and does not know Zorn."""
    lines = []
    for place in range(notes):
        name = "Zorn" if place < missed else "Whitfield"
        spans = [{"start": 3, "end": 3 + len(name), "type": "NAME"}]
        lines.append(json.dumps({"id": str(place), "text": f"Ms {name} is well", "spans": spans}))
    path = folder / "gold.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_recall_is_promised_by_annotated_notes_and_refused_before_anything_is_handled(tmp_path: Path) -> None:
    promise = (RecallAtLeast(0.9), RecallAtLeast(0.9, of="notes"))
    good = job_for(tmp_path, models=promise, annotated=annotated(tmp_path, 2))
    made = released(good, tmp_path / "out")
    assert [verdict.holds for verdict in made.verdicts] == [True, True]
    assert not verify(tmp_path / "out").refuted
    bad = job_for(tmp_path, models=promise, annotated=annotated(tmp_path, 8))
    with pytest.raises(PromiseNotMet, match="recall-at-least does not hold"):
        released(bad, tmp_path / "two")
    assert not (tmp_path / "two").exists()


def test_names_that_were_missed_in_annotated_notes_are_sought_among_the_made_up_ones(tmp_path: Path) -> None:
    job = job_for(
        tmp_path,
        annotated=annotated(tmp_path, 5),
        attacks=asked_text_attacks(["hidden-in-plain-sight"], tmp_path),
        method=Deidentify("surrogates"),
        masking=KEYED,
    )
    made = released(job, tmp_path / "out")
    (hidden,) = made.evidence.attacks
    assert hidden.after is not None
    assert hidden.after.attempts == 5


def test_the_steward_sees_whom_ages_and_dates_single_out_before_and_after(tmp_path: Path) -> None:
    made = released(job_for(tmp_path), tmp_path / "out")
    before, after = made.evidence.singled_out_before, made.evidence.singled_out_after
    assert before is not None
    assert after is not None
    assert (before.told["day"], after.told.get("day", 0), after.told["year"]) == (1, 0, 1)
    assert "Whom the rest singles out" in (made.steward / "report.html").read_text()
    assert "singled" not in (made.release / "evidence.json").read_text()


def test_what_was_lost_is_told_to_the_steward(tmp_path: Path) -> None:
    made = released(job_for(tmp_path, annotated=annotated(tmp_path, 2)), tmp_path / "out")
    lost = {one.name: one.value for one in made.evidence.utility}
    assert lost["outside-changed"] == 0.0
    assert lost["intervals-lost"] == 1.0
    assert lost["unreadable"] == 0.0
    assert 0 < lost["tokens-changed"] < 1
    assert lost["over-redacted"] == 0.0
