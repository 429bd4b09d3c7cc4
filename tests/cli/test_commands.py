"""The commands as a person would type them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import as_a_process, sfumato
from tests.recipe.examples import RECIPE, files_in, ward

COMMANDS = ("demo", "init", "risk", "protect", "compare", "verify", "reveal", "schema")


def test_help_lists_every_command() -> None:
    shown = as_a_process("--help")
    assert shown.returncode == 0
    for command in COMMANDS:
        assert command in shown.stdout


def test_help_of_every_command_answers() -> None:
    for command in COMMANDS:
        assert sfumato(command, "--help").returncode == 0


def test_version() -> None:
    from sfumato import __version__

    assert as_a_process("--version").stdout == f"sfumato {__version__}\n"


def test_protect_verify_and_replace(tmp_path: Path) -> None:
    ward(tmp_path)
    done = as_a_process("protect", "recipe.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "k-anonymity" in done.stdout
    assert "holds" in done.stdout
    again = sfumato("protect", "recipe.yaml", folder=tmp_path)
    assert again.returncode == 2
    assert "already a folder 'release'" in again.stderr
    assert sfumato("protect", "recipe.yaml", "--replace", folder=tmp_path).returncode == 0
    verified = sfumato("verify", "release", "--original", "people.csv", folder=tmp_path)
    assert verified.returncode == 0
    assert "0 refuted" in verified.stdout
    (tmp_path / "release" / "data.csv").write_text("age,zip,ill\n1,2,3\n")
    assert sfumato("verify", "release", folder=tmp_path).returncode == 1


def test_a_dry_run_prints_the_plan_and_writes_nothing(tmp_path: Path) -> None:
    ward(tmp_path)
    before = files_in(tmp_path)
    planned = sfumato("protect", "recipe.yaml", "--dry-run", folder=tmp_path)
    assert planned.returncode == 0, planned.stderr
    for word in (
        "7 (7 persons)",
        "k-anonymity (k 2)",
        "optimal-lattice",
        "memory",
        "time",
        "Nothing was written",
    ):
        assert word in planned.stdout
    assert files_in(tmp_path) == before


def test_risk_in_words_and_in_json(tmp_path: Path) -> None:
    ward(tmp_path)
    words = sfumato("risk", "people.csv", "--quasi", "age, zip", folder=tmp_path)
    assert "7 (100.0 %)" in words.stdout
    found = json.loads(sfumato("risk", "people.csv", "--quasi", "zip", "--json", folder=tmp_path).stdout)
    assert found["uniques"] == 7


def test_schemas_are_printed() -> None:
    assert json.loads(sfumato("schema", "recipe").stdout)["title"] == "Sfumato recipe"
    wrong = sfumato("schema", "recip")
    assert wrong.returncode == 2
    assert "did you mean 'recipe'" in wrong.stderr


def test_the_demo_goes_all_the_way(tmp_path: Path) -> None:
    shown = sfumato("demo", "--patients", 400, "--out", tmp_path / "demo")
    assert shown.returncode == 0, shown.stderr
    assert "0 refuted" in shown.stdout
    assert (tmp_path / "demo" / "steward" / "report.html").exists()
    assert sfumato("demo", "--patients", 400, "--out", tmp_path / "demo").returncode == 2


def check_failure(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """One sentence on standard error, the right exit code, no traceback."""
    assert done.returncode == code, done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.lstrip()[:1].isdigit()]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("sfumato: ")
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in lines[0], lines[0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["people.csv", "the file is empty"]),
        (b"id,name,age,zip,ill\n", ["no rows"]),
        (b"id,name,age,age,ill\n1,2,3,4,5\n", ["'age' is there twice", "columns 3 and 4"]),
        (b"id,name,age,,ill\n1,2,3,4,5\n", ["column 4 has no name"]),
        (b"id,name,age,ill\n1,2,3,4\n", ["a column 'zip' that the data do not have"]),
        (b"id,name,age,zip,ill\n1,Ada,31,02135,flu\n2,Bo,33\n", ["line 3", "3 values", "header has 5"]),
        (b"id,name,age,zip,ill\n1,Ada,31,02135,fl\xff\n", ["line 2", "not utf-8"]),
        (b'id,name,age,zip,ill\n1,Ada,31,02135,"flu\n', ["never closed"]),
        (b"id,name,age,zip,ill\n1,Ada,old,02135,flu\n2,Bo,33,02135,flu\n", ["column 'age'", "row 1"]),
    ],
)
def test_bad_data_give_one_sentence_and_write_nothing(
    tmp_path: Path, content: bytes, words: list[str]
) -> None:
    ward(tmp_path)
    (tmp_path / "people.csv").write_bytes(content)
    before = files_in(tmp_path)
    done = sfumato("protect", "recipe.yaml", folder=tmp_path)
    check_failure(done, 2, *words)
    assert files_in(tmp_path) == before
    for secret in ("Ada", "old", "flu"):
        assert secret not in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("k: 2", "k: 8", 1, ["k = 8 is more than the 7 persons", "at most 7"]),
        ("models:", "modles:", 2, ["line 12", "did you mean 'models'"]),
        ("people.csv", "nobody.csv", 2, ["nobody.csv", "there is no such file"]),
        ("{mask: {}}", "{csv: missing.csv}", 2, ["column 'zip'", "missing.csv"]),
        ("{mask: {}}", "{csv: gap.csv}", 2, ["column 'zip'", "not in the hierarchy"]),
        ("{mask: {}}", "{csv: ragged.csv}", 2, ["column 'zip'", "line 2"]),
        ("{mask: {}}", "{tree: {a: [b], b: [a]}}", 2, ["column 'zip'"]),
    ],
)
def test_bad_recipes_give_one_sentence_and_write_nothing(
    tmp_path: Path, old: str, new: str, code: int, words: list[str]
) -> None:
    assert old in RECIPE
    ward(tmp_path, RECIPE.replace(old, new, 1))
    (tmp_path / "gap.csv").write_text("02131;0213*;*\n02132;0213*;*\n")
    (tmp_path / "ragged.csv").write_text("02131;0213*;*\n02132;*\n")
    before = files_in(tmp_path)
    check_failure(sfumato("protect", "recipe.yaml", folder=tmp_path), code, *words)
    assert files_in(tmp_path) == before


def test_mixed_types_are_refused_when_a_type_is_declared(tmp_path: Path) -> None:
    ward(tmp_path, RECIPE.replace("{name: age, role", "{name: age, type: integer, role", 1))
    with (tmp_path / "people.csv").open("a") as file:
        file.write("8,Hal,n/a,02131,flu\n")
    done = sfumato("protect", "recipe.yaml", folder=tmp_path)
    check_failure(done, 2, "column 'age'", "1 value is not of the type integer", "row 8")


def test_a_column_that_is_missing_everywhere_is_one_value(tmp_path: Path) -> None:
    people = [f"{i},N{i},,02131,flu" for i in range(6)]
    done = sfumato("protect", ward(tmp_path, RECIPE, people))
    assert done.returncode == 0, done.stderr


def test_an_output_that_is_a_file_is_refused(tmp_path: Path) -> None:
    recipe = ward(tmp_path)
    done = as_a_process("protect", recipe, "--out", tmp_path / "people.csv")
    check_failure(done, 2, "this is a file")


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    recipe = ward(tmp_path)
    done = sfumato("protect", recipe, "--out", tmp_path / "people.csv" / "below")
    check_failure(done, 2, "cannot be written")


def test_a_wrong_option_is_a_usage_error(tmp_path: Path) -> None:
    assert sfumato("protect", "--frobnicate").returncode == 2


def test_an_unforeseen_error_shows_no_data_and_no_traceback(tmp_path: Path) -> None:
    ward(tmp_path)
    code = (
        "import sfumato.recipe.release as r\n"
        "def fail(*a, **k): raise ValueError('secret of Ada')\n"
        "r.carry_out = fail\n"
        "from sfumato.cli import main\n"
        "main()"
    )
    command = [sys.executable, "-c", code, "protect", str(tmp_path / "recipe.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    check_failure(done, 2, "ValueError", "nothing was published")
    assert "Ada" not in done.stderr
    assert not (tmp_path / "release").exists()
