"""What somebody meets who uses DNA for the first time: letters, attacks that fit, reports that are true."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.core.findings import Status
from tests.cli.commands import Run, runner
from tests.recipe.dna.rows_examples import (
    LETTER_FIELDS,
    edit_json,
    fasta,
    forge,
    letters,
    refuted,
    released,
    vcf,
)
from tests.recipe.dna.statistics_examples import ARMS, BOUND, PURE, study

PATIENTS = """patient_id,rs1,rs2,rs3
P1,AG,CC,TT
P2,AA,CT,TT
P3,AG,CT,
P4,GG,CC,TT
P4,GG,CC,TT
"""
TABLE = """
    schema:
      fields:
        - {name: patient_id, role: person}
        - {name: rs1, role: sequence}
        - {name: rs2, role: sequence}
        - {name: rs3, role: sequence}
"""
REPORT_TOLD = "the report is that of the evidence"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(tmp_path, monkeypatch, capsys)


def test_risk_of_a_table_in_letters_needs_no_option_and_counts_people(run: Run, tmp_path: Path) -> None:
    letters(tmp_path, PATIENTS)
    done = run("dna", "risk", "snps.csv", "--k", "2", "--json")
    assert (done.code, json.loads(done.out)["people"]) == (0, 4)
    assert "--person" not in run("dna", "risk", "snps.csv", "--k", "2").out


def test_a_column_that_is_no_dna_is_named_with_the_option_that_helps(run: Run, tmp_path: Path) -> None:
    letters(tmp_path, "visit,rs1\n17,AG\n18,AA\n")
    done = run("dna", "risk", "snps.csv")
    assert done.code == 2
    assert "'visit'" in done.sentence
    assert "--positions" in done.sentence
    assert run("dna", "risk", "snps.csv", "--positions", "rs1", "--k", "2").code == 0


def test_a_release_of_letters_is_attacked_with_its_original(run: Run, tmp_path: Path) -> None:
    letters(tmp_path, PATIENTS)
    released(tmp_path, "snps.csv", fields=TABLE)
    done = run("dna", "attack", "release", "--original", "snps.csv", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["attacks"][0]["success"] <= 0.5


@pytest.mark.parametrize("options", [(), ("--positions", "rs1,rs2")])
def test_letters_that_are_known_of_one_person_mean_what_they_mean_in_the_release(
    run: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Alone, GG would be read as 0/0, and somebody else's row would fit."""
    letters(tmp_path, "patient_id,rs1,rs2\nP1,AA,CC\nP2,AA,CC\nP3,AA,CC\nP4,GG,TT\nP5,GG,TT\n")
    fields = TABLE.replace("        - {name: rs3, role: sequence}\n", "")
    released(tmp_path, "snps.csv", fields=fields)
    (tmp_path / "known.csv").write_text("patient_id,rs1,rs2\nx,GG,TT\n")
    done = run("dna", "attack", "release", "--with", "known.csv", "--json", *options)
    assert done.code == 0, done.err
    assert json.loads(done.out)["attacks"][0]["success"] == pytest.approx(1 / 2)


def test_an_alignment_is_asked_for_as_in_a_recipe(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.fasta").write_text(">a\nACGTACGT\n>b\nACGTCGT\n")
    done = run("dna", "align", "two.fasta", "--out", "out.fasta", "--aligner", "built-in")
    assert done.code == 0, done.err


def test_one_sequence_is_too_few_and_nobody_is_told_to_ask_for_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.fasta").write_text(">a\nACGTACGT\n")
    assert "1 sequence of 8 bases" in run("init", "one.fasta").words
    done = run("protect", "recipe.yaml")
    assert done.code == 1
    assert "there is 1" in done.sentence
    assert "at most" not in done.sentence


@pytest.mark.parametrize(
    ("method", "model"), [("safe-snps", BOUND), ("{dp-frequencies: {by_status: true}}", PURE)]
)
def test_an_attack_without_a_column_reads_the_frequencies_that_are_released(
    method: str, model: str, tmp_path: Path
) -> None:
    made = sf.run(study(tmp_path, method=method, model=model, dna=ARMS, more="attacks: [homer]\n"))
    (homer,) = [one for one in made.evidence.attacks if one.name == "homer"]
    assert homer.after is not None
    assert homer.parameters["column"] == "case_frequency"


@pytest.mark.parametrize("make", [fasta, vcf])
def test_a_report_that_says_something_else_is_refuted(make: Callable[[Path], str], tmp_path: Path) -> None:
    release = released(tmp_path, make(tmp_path)).release
    report = release / "report.html"
    report.write_text(report.read_text().replace("was checked and holds", "was certified"))
    assert refuted(release) == REPORT_TOLD
    report.unlink()
    assert {one.claim: one.status for one in sf.verify(release).findings}[REPORT_TOLD] is Status.NOT_CHECKED


def test_a_report_of_statistics_that_says_something_else_is_refuted(tmp_path: Path) -> None:
    release = sf.run(study(tmp_path)).release
    report = release / "report.html"
    report.write_text(report.read_text().replace("Warning", "Remark"))
    assert refuted(release) == REPORT_TOLD


def test_what_was_stripped_cannot_be_embellished(tmp_path: Path) -> None:
    release = released(tmp_path, letters(tmp_path), fields=LETTER_FIELDS).release
    edit_json(release / "evidence.json", lambda found: found.update(stripped=["everything that identifies"]))
    forge(release)
    assert refuted(release) == "file, schema, evidence and recipe tell of the same release"


def test_a_site_that_the_recipe_names_cannot_be_left_out(tmp_path: Path) -> None:
    method = "{dp-frequencies: {sites: [0, 1, 2]}}"
    release = sf.run(study(tmp_path, method=method, model=PURE, dna="{}")).release
    lines = (release / "data.csv").read_text().splitlines()
    (release / "data.csv").write_text("\n".join(lines[:-1]) + "\n")

    def fewer(found: dict[str, dict[str, int]]) -> None:
        found["data"]["rows"] = found["figures"]["sites"] = 2

    edit_json(release / "evidence.json", fewer)
    forge(release)
    assert refuted(release) == "3 sites were chosen"
