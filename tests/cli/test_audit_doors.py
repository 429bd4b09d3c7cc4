"""What a first user of the doors of risk and attacks stumbled over at the terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from sfumato.cli.places import refuse_release
from sfumato.cli.progress import TerminalProgress
from sfumato.cli.risk import show_risk
from sfumato.cli.story import run_story
from sfumato.core.errors import BadInput

PEOPLE = "age,sex\n30,f\n30,f\n31,m\n"


@pytest.fixture
def console() -> Console:
    return Console(file=io.StringIO(), width=80)


def printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_step_is_one_line_of_the_log_and_brackets_are_no_markup(console: Console) -> None:
    with TerminalProgress(console) as progress:
        progress.step("reading [red]voters.csv" + ", and then another file" * 4)
        progress.step("joining [/b]")
    lines = printed(console).splitlines()
    assert len(lines) == 2
    assert "[red]voters.csv" in lines[0]


def test_a_report_about_raw_data_is_never_written_into_a_release(tmp_path: Path, console: Console) -> None:
    data = tmp_path / "people.csv"
    data.write_text(PEOPLE)
    for name in ("release", "to share"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "evidence.json").write_text(json.dumps({"edition": "public"}))
        with pytest.raises(BadInput, match="must not lie in a release"):
            show_risk(data, ["age"], None, False, console, report=folder / "risk.html")
        assert not (folder / "risk.html").exists()


def test_the_stewards_folder_is_a_place_for_it(tmp_path: Path) -> None:
    (tmp_path / "evidence.json").write_text(json.dumps({"edition": "steward"}))
    refuse_release(tmp_path / "victims.csv", "who was hit", "--victims")


def test_a_folder_that_is_not_there_is_told_before_anything_is_computed(
    tmp_path: Path, console: Console
) -> None:
    with pytest.raises(BadInput, match="the report cannot be written there"):
        show_risk(tmp_path / "none.csv", ["age"], None, False, console, report=tmp_path / "no" / "risk.html")


def test_a_little_is_not_shown_as_nothing(tmp_path: Path, console: Console) -> None:
    data = tmp_path / "people.csv"
    data.write_text(PEOPLE)
    show_risk(data, ["age"], None, False, console, sampling_fraction=1e-9, up_to=0)
    (line,) = [line for line in printed(console).splitlines() if "expected to be found" in line]
    assert "< 0.1" in line


def test_a_story_is_not_told_where_a_folder_lies(tmp_path: Path, console: Console) -> None:
    with pytest.raises(BadInput, match="this is a folder"):
        run_story(tmp_path, 500, 7, True, console, console)
    assert not (tmp_path.parent / "pictures").exists()
