"""``sfumato risk`` as a person would type it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sfumato.cli import main

PATIENTS = """\
id,age,sex,ill,home,stands_for
1,30,f,flu,1,2
2,30,f,flu,1,2
3,31,m,flu,2,3
4,31,m,cold,2,3
5,40,f,cold,3,10
6,41,m,rare,3,10
"""
VOTERS = """\
name,Age,sex
Ada,30,f
Bea,30,f
Cy,31,m
Dan,31,m
Eve,40,f
Flo,40,f
Gus,41,m
Hal,77,m
"""


@dataclass(frozen=True)
class Done:
    """How a command ended and what it said."""

    returncode: int
    stdout: str
    stderr: str


Risk = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "patients.csv").write_text(PATIENTS)
    (tmp_path / "voters.csv").write_text(VOTERS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def risk(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Risk:
    """Run ``sfumato risk patients.csv`` in this process."""

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["sfumato", "risk", "patients.csv", *arguments])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run


def test_the_terminal_groups_figures_by_what_is_learned(risk: Risk) -> None:
    done = risk(
        *("--quasi", "age,sex", "--person", "id", "--sensitive", "ill"),
        *("--population", "voters.csv", "--sampling-fraction", "0.5", "--suda", "--household", "home"),
    )
    assert done.returncode == 0, done.stderr
    kinds = [done.stdout.index(word) for word in ("identity:", "attribute:", "membership:", "inference:")]
    assert kinds == sorted(kinds)
    lines = {" ".join(line.split()) for line in done.stdout.splitlines()}
    assert "λ1 50.0 % of the uniques, unique in the list" in lines
    assert "λ2 16.7 % of the people, unique in both" in lines
    assert "λ3 25.0 % of the list, unique in it" in lines
    assert "alone with these columns 2 (33.3 %) in this file" in lines
    assert any(line.startswith("found with their household") for line in lines)
    assert any(line.startswith("special uniques (SUDA)") for line in lines)
    assert "which columns identify" in done.stdout
    for value in ("flu", "rare", "Ada"):
        assert value not in done.stdout + done.stderr


def test_without_a_population_it_is_said_that_the_prosecutor_stands_for_the_others(risk: Risk) -> None:
    done = risk("--quasi", "age,sex")
    assert "Journalist and marketer risk: at most as above" in done.stdout
    assert "6 rows, taken as persons" in done.stdout
    assert "membership:" not in done.stdout


def test_json_holds_every_figure_and_nothing_else_is_printed(risk: Risk) -> None:
    done = risk(
        *("--quasi", "age,sex", "--weight", "stands_for", "--up-to", "1", "--json", "--threshold", "0.4"),
    )
    found = json.loads(done.stdout)
    assert found["threshold"] == 0.4
    names = [one["name"] for one in found["figures"]]
    assert {"individual-expected", "population-uniqueness", "log-linear-matches"} <= {*names}
    assert len(names) == len({*names})
    assert [one["columns"] for one in found["growth"]] == [1, 2]


def test_the_report_is_one_page_that_needs_nothing_else(risk: Risk, folder: Path) -> None:
    done = risk("--quasi", "age,sex", "--report", "risk.html")
    assert "Report: risk.html" in done.stdout
    page = (folder / "risk.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "Risk of patients.csv" in page
    assert "http://" not in page
    assert "https://" not in page


def test_a_report_that_is_there_is_replaced_only_when_asked(risk: Risk, folder: Path) -> None:
    (folder / "risk.html").write_text("mine")
    refused = risk("--quasi", "age,sex", "--report", "risk.html")
    assert refused.returncode == 2
    assert "risk.html: there is already a report" in refused.stderr
    assert (folder / "risk.html").read_text() == "mine"
    assert risk("--quasi", "age,sex", "--report", "risk.html", "--replace").returncode == 0
    assert "Risk of patients.csv" in (folder / "risk.html").read_text()


def test_columns_with_a_part_of_their_own_are_not_guessed_to_be_quasi_identifiers(risk: Risk) -> None:
    done = risk("--sensitive", "ill", "--weight", "stands_for")
    assert done.returncode == 0, done.stderr
    guessed = done.stdout.splitlines()[0]
    assert "stands_for" not in guessed
    assert "ill" not in guessed.split(": ")[1].split(", ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--population", "nobody.csv"), ("nobody.csv: there is no such file",)),
        (("--population", "names.csv"), ("none of the quasi-identifiers", "'age', 'sex'")),
        (("--population", "strangers.csv"), ("column 'sex'", "none of its 2 different values")),
        (("--population", "crossed.csv"), ("nobody of the table is found in the population",)),
        (("--sampling-fraction", "2"), ("the sampling fraction must be above 0",)),
        (("--population-size", "3"), ("6 persons cannot come from a population of 3",)),
        (("--weight", "ill"), ("column 'ill'", "6 rows have no number above 0")),
        (("--report", "."), ("this is a folder",)),
        (("--report", "no/such/folder/risk.html"), ("the report cannot be written there",)),
    ],
)
def test_what_cannot_be_is_one_sentence_and_never_no_risk(
    risk: Risk, folder: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    (folder / "names.csv").write_text("name\nAda\n")
    (folder / "strangers.csv").write_text("age,sex\n30,x\n")
    (folder / "crossed.csv").write_text("age,sex\n30,m\n31,f\n")
    done = risk("--quasi", "age,sex", *arguments)
    assert done.returncode == 2
    (sentence,) = [line for line in done.stderr.splitlines() if not line.lstrip()[:1].isdigit()]
    assert sentence.startswith("sfumato: ")
    for word in words:
        assert word in sentence
    assert "%" not in done.stdout
