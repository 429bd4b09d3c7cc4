"""What a killed run leaves is cleared by the next one; what another run is making is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.release.folders import all_or_nothing

_MAKES = """
import os, sys, time
from pathlib import Path
from sfumato.release.folders import all_or_nothing
with all_or_nothing(Path(sys.argv[1])) as folders:
    (folders.steward / "evidence.json").write_text("raw")
    print("writing", flush=True)
    time.sleep(600)
"""


def stages(target: Path) -> list[str]:
    return sorted(path.name for path in target.glob(".sfumato-*"))


@pytest.fixture
def at_work(tmp_path: Path) -> subprocess.Popen[str]:
    run = subprocess.Popen([sys.executable, "-c", _MAKES, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "writing\n"
    return run


def test_what_a_killed_run_left_is_cleared(tmp_path: Path, at_work: subprocess.Popen[str]) -> None:
    os.kill(at_work.pid, signal.SIGKILL)
    at_work.wait(60)
    assert len(stages(tmp_path)) == 1
    with all_or_nothing(tmp_path):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["release", "steward"]


def test_what_another_run_is_making_is_left_alone(tmp_path: Path, at_work: subprocess.Popen[str]) -> None:
    before = stages(tmp_path)
    try:
        with all_or_nothing(tmp_path):
            assert len(stages(tmp_path)) == 2
        assert stages(tmp_path) == before
        assert (tmp_path / before[0] / "steward" / "evidence.json").read_text() == "raw"
    finally:
        at_work.kill()
        at_work.wait(60)


def test_an_older_release_that_was_moved_aside_is_somebodys_only_copy(tmp_path: Path) -> None:
    aside = tmp_path / ".sfumato-0123456789ab" / "old" / "release"
    aside.mkdir(parents=True)
    with all_or_nothing(tmp_path):
        pass
    assert aside.exists()


def test_a_stage_is_for_its_owner_alone(tmp_path: Path) -> None:
    with all_or_nothing(tmp_path) as folders:
        assert folders.release.parent.stat().st_mode & 0o077 == 0
