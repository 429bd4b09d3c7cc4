"""``sfumato compare`` as a person would type it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sfumato.cli import main
from tests.cli.commands import sfumato
from tests.recipe.examples import HEADER, RECIPE, files_in, ward

COMMAND = [sys.executable, "-c", "from sfumato.cli import main; main()", "compare"]


def compare(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return sfumato("compare", "recipe.yaml", *arguments, folder=folder, columns=120)


def test_a_comparison_prints_a_table_and_writes_the_map(tmp_path: Path) -> None:
    ward(tmp_path)
    done = compare(
        tmp_path, "--method", "mondrian", "--method", "optimal-lattice: {suppress: 0.2}", "--vary", "k=2,9"
    )
    assert done.returncode == 0, done.stderr
    assert "mondrian, k 2" in done.stdout
    assert "optimal-lattice, k 2" in done.stdout
    # k = 9 of 7 persons: a row, not a crash.
    assert done.stdout.count("9") >= 2
    assert "✗" in done.stdout
    assert files_in(tmp_path / "compare") == {"compare.html", "compare.csv", "compare.json"}
    assert "comparing 4 configurations" in done.stderr
    again = compare(tmp_path)
    assert again.returncode == 2
    assert "it is there already" in again.stderr
    cached = compare(
        tmp_path,
        "--method",
        "mondrian",
        "--vary",
        "k=2",
        "--replace",
        "--risk",
        "average",
        "--risk-at-most",
        "0.5",
    )
    assert cached.returncode == 0, cached.stderr
    assert "1 known from before" in cached.stderr
    assert "mondrian, k 2: average risk" in cached.stdout
    evidence = json.loads((tmp_path / "compare" / "compare.json").read_text())
    assert evidence["answer"]["met"] is True
    assert list(evidence["risks"]) == ["average"]


def test_bounds_that_cannot_be_kept_end_with_1_and_still_show_the_map(tmp_path: Path) -> None:
    ward(tmp_path)
    done = compare(
        tmp_path, "--method", "mondrian", "--vary", "k=2", "--risk-at-most", "0.01", "--loss-at-most", "0.9",
        "--out", tmp_path / "map", "--no-cache", "--workers", "1",
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "No configuration keeps highest risk ≤ 0.01" in done.stdout
    assert "Nearest: mondrian, k 2" in done.stdout.replace("\n", " ")
    assert (tmp_path / "map" / "compare.html").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--method", "mondrain"], "did you mean 'mondrian'?"),
        (["--method", "[1]"], "--method is no name"),
        (["--vary", "k"], "--vary is not understood"),
        (["--vary", "k=two"], "not of its type"),
        (["--risk", "worst"], "there is no risk 'worst'"),
        (["--risk-at-most", "-1"], "must be a number of at least 0"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    tmp_path: Path,
    arguments: list[str],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recipe = ward(tmp_path)
    before = files_in(tmp_path)
    monkeypatch.setattr(sys, "argv", ["sfumato", "compare", str(recipe), *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err
    assert files_in(tmp_path) == before


def test_an_interrupted_comparison_leaves_nothing_behind(tmp_path: Path) -> None:
    people = (f"{i},N{i},{i % 90},{i % 9973:05d},ill{i % 7}" for i in range(200_000))
    (tmp_path / "people.csv").write_text("\n".join([HEADER, *people]) + "\n")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    (tmp_path / "tmp").mkdir()
    before = files_in(tmp_path)
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    with subprocess.Popen(
        [*COMMAND, str(tmp_path / "recipe.yaml"), "--no-cache"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if "comparing" in line:
                break
        time.sleep(3)
        workers = _children(running.pid)
        running.send_signal(signal.SIGINT)
        last = running.stderr.read()
        code = running.wait(timeout=60)
    assert code == 130, last
    assert "sfumato: interrupted; nothing was published" in last
    assert files_in(tmp_path) == before
    assert not list((tmp_path / "tmp").iterdir())
    assert workers
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


def _children(pid: int) -> list[int]:
    """List the processes that a process started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        if parent == pid:
            found.append(int(status.parent.name))
    return found
