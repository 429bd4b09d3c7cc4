"""``sfumato attack`` as a person would type it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sfumato.cli.app import app
from sfumato.core.errors import BadInput, SfumatoError
from tests.cli.commands import sfumato

TABLE = """\
zip,age,ill
476**,2*,flu
476**,2*,flu
476**,2*,flu
479**,4*,cold
479**,4*,flu
479**,4*,ache
"""
ROLES = ("--quasi", "zip,age", "--sensitive", "ill")
HOMOGENEITY = ("--attack", "homogeneity")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "shown.csv"
    path.write_text(TABLE)
    return path


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "160"}).invoke(app, ["attack", *map(str, arguments)])


def refused(*arguments: object) -> SfumatoError:
    problem = run(*arguments).exception
    assert isinstance(problem, SfumatoError)
    return problem


def test_the_table_names_attack_threat_and_figures(table: Path) -> None:
    shown = run(table, *ROLES, *HOMOGENEITY)
    assert shown.exit_code == 0, shown.exception
    assert "attribute: a sensitive value of a person" in shown.stdout
    (line,) = [line for line in shown.stdout.splitlines() if line.startswith("homogeneity")]
    assert line.split() == ["homogeneity", "ill", "6", "50.0", "%", "50.0", "%", "66.7", "%", "3"]
    assert "without the target" in shown.stdout


def test_all_attacks_are_run_when_none_is_named_and_the_others_are_listed(table: Path) -> None:
    shown = run(table, *ROLES)
    assert shown.exit_code == 0, shown.exception
    assert "homogeneity" in shown.stdout
    assert "linkage was not run: it needs an identified file" in shown.stdout


def test_a_bound_that_is_exceeded_leaves_with_one(table: Path) -> None:
    above = run(table, *ROLES, *HOMOGENEITY, "--at-most", "0.4")
    assert above.exit_code == 1
    assert "homogeneity on 'ill' succeeds more often than the 40 % that are allowed" in above.stdout
    assert run(table, *ROLES, *HOMOGENEITY, "--at-most", "0.5").exit_code == 0


def test_json_holds_every_figure_and_no_victim(table: Path, tmp_path: Path) -> None:
    shown = run(table, *ROLES, *HOMOGENEITY, "--json", "--at-most", "0.4", "--victims", tmp_path / "v.csv")
    assert shown.exit_code == 1
    (found,) = json.loads(shown.stdout)["attacks"]
    assert (found["attack"], found["threat"], found["success"], found["exceeded"]) == (
        "homogeneity",
        "attribute",
        0.5,
        True,
    )
    assert "victims" not in found


def test_victims_are_rows_and_confidences_in_a_file_of_their_own(table: Path, tmp_path: Path) -> None:
    path = tmp_path / "victims.csv"
    shown = run(table, *ROLES, *HOMOGENEITY, "--victims", path)
    assert "3 rows; keep it in the house" in shown.stdout.replace("\n", " ")
    with path.open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["attack", "column", "row", "confidence", "candidates"]
    assert [(row[0], row[2], row[3]) for row in rows[1:]] == [("homogeneity", str(i), "1") for i in (1, 2, 3)]
    assert "flu" not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    assert "there is already a file" in str(refused(table, *ROLES, *HOMOGENEITY, "--victims", path))


def test_victims_never_lie_in_a_release(table: Path, tmp_path: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    for place in (folder / "v.csv", folder / "deeper" / "v.csv"):
        problem = refused(table, *ROLES, *HOMOGENEITY, "--victims", place)
        assert "who was hit must not lie in a release" in str(problem)
    assert not list(folder.iterdir())


def test_roles_are_guessed_and_said_when_nobody_names_them(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    rows = [f"0213{i % 4},{30 + i % 7},{'flu' if i % 2 else 'cold'}" for i in range(40)]
    path.write_text("\n".join(["zip,age,diagnosis", *rows]) + "\n")
    shown = run(path, *HOMOGENEITY)
    assert shown.exit_code == 0, shown.exception
    assert "Quasi-identifiers (guessed; choose with --quasi): zip, age" in shown.stdout
    assert "Sensitive (guessed; choose with --sensitive): diagnosis" in shown.stdout


def test_an_attack_with_parameters_is_spelt_as_in_a_recipe(table: Path) -> None:
    shown = run(table, *ROLES, "--attack", "skewness: {factor: 3}", "--json")
    (found,) = json.loads(shown.stdout)["attacks"]
    assert "at least 3 times as likely" in found["note"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--attack", "homogenity"), "there is no attack 'homogenity'; did you mean 'homogeneity'?"),
        (("--attack", "[1"), "--attack cannot be '[1'"),
        (("--map", "zip"), "--map cannot be 'zip'; write the column of the release, '=', the column"),
        (("--at-most", "10"), "--at-most must be a share between 0 and 1; write 0.1 for 10 %"),
        (("--with", "nobody.csv"), "nobody.csv: there is no such file"),
        (("--with", "people.xls"), "people.xls: the kind of file is not known"),
        (("--other", "nothing.csv"), "nothing.csv: there is no such file"),
    ],
)
def test_bad_input_is_said_in_a_sentence(table: Path, arguments: tuple[str, ...], said: str) -> None:
    problem = refused(table, *ROLES, *arguments)
    assert said in str(problem)
    assert isinstance(problem, BadInput)


def test_a_file_with_nothing_in_common_is_told_what_both_have(table: Path, tmp_path: Path) -> None:
    voters = tmp_path / "voters.csv"
    voters.write_text("name,postcode\nAda,47677\n")
    problem = str(refused(table, *ROLES, "--with", voters))
    assert "it has no column in common with the release" in problem
    assert "the release has zip, age, the file name, postcode" in problem
    mapped = run(table, *ROLES, "--with", voters, "--map", "zip=postcode", *HOMOGENEITY)
    assert mapped.exit_code == 0, mapped.exception


def test_the_command_answers_and_fails_as_a_process(table: Path) -> None:
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "attack", str(table)]
    done = subprocess.run(
        [*command, *ROLES, *HOMOGENEITY, "--at-most", "0"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1
    assert "homogeneity" in done.stdout
    wrong = sfumato("attack", table, "--quasi", "zap")
    assert wrong.returncode == 2
    assert wrong.stderr.splitlines()[-1].startswith("sfumato: there is no column 'zap'")
