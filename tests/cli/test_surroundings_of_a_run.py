"""A run among other programs: what started it, and what clears up around it."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from sfumato.cli import guarded
from sfumato.cli.guard import NOTHING
from tests.cli.stopping import Run
from tests.recipe.examples import ward
from tests.server.test_kills import write_town

_UNDER_NOHUP = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nfrom sfumato.cli import main\n"
_HANGS_UP = """
import os, signal
import sfumato.cli.progress as progress
step = progress.TerminalProgress.step
def stepped(self, what):
    step(self, what)
    os.kill(os.getpid(), signal.SIGHUP)
progress.TerminalProgress.step = stepped
"""


def test_a_run_under_nohup_goes_on_when_the_terminal_is_gone(tmp_path: Path) -> None:
    ward(tmp_path)
    run = Run(f"{_UNDER_NOHUP}{_HANGS_UP}main()\n", ["protect", "recipe.yaml"], tmp_path)
    ended = run.ended()
    assert ended.code == 0, ended
    assert run.left() == []


def test_a_service_under_nohup_goes_on_when_the_terminal_is_gone(tmp_path: Path) -> None:
    run = Run(f"{_UNDER_NOHUP}main()\n", ["serve", write_town(tmp_path), "--port", "0"], tmp_path)
    address = run.wait_for("Listening on ")
    for _ in range(2):
        run.process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        with urllib.request.urlopen(address, timeout=30) as page:
            assert page.status == 200
    assert run.stop(signal.SIGTERM).code == 0


def test_the_folder_for_temporary_files_is_held_while_a_run_lives(tmp_path: Path) -> None:
    """Whatever clears old temporary files asks for this lock first (tmpfiles.d(5), "Age")."""
    ward(tmp_path)
    patch = (
        "import time\n"
        "import sfumato.cli.progress as progress\n"
        "progress.TerminalProgress.step = lambda *_: (print('WAITS', flush=True), time.sleep(600))\n"
    )
    run = Run(f"{patch}from sfumato.cli import main\nmain()\n", ["protect", "recipe.yaml"], tmp_path)
    run.wait_for("WAITS")
    (folder,) = run.temporary.iterdir()
    opened = os.open(folder, os.O_RDONLY)
    try:
        with pytest.raises(BlockingIOError):
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(opened)
    assert run.stop(signal.SIGTERM).code == 130
    assert run.left() == []


def test_a_guard_begins_also_where_old_copies_of_modules_lie_beside_sfumato(tmp_path: Path) -> None:
    (tmp_path / "sfumato").symlink_to(Path(guarded.__file__).parents[1])
    for module in ("dataclasses", "enum", "fnmatch", "typing"):
        (tmp_path / f"{module}.py").write_text("raise ImportError('for an older Python')\n")
    imports = guarded._PROGRAM.rpartition(";")[0]
    begun = [sys.executable, "-I", "-S", "-c", imports, str(tmp_path)]
    done = subprocess.run(begun, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_where_nothing_lists_processes_a_stop_is_still_one_line(tmp_path: Path) -> None:
    ward(tmp_path)
    patch = (
        "import os, signal\n"
        "os.environ['PATH'] = '/nowhere'\n"
        "isdir = os.path.isdir\n"
        "os.path.isdir = lambda path: path != '/proc/self' and isdir(path)\n"
        "import sfumato.cli.progress as progress\n"
        "progress.TerminalProgress.step = lambda *_: os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    run = Run(f"{patch}from sfumato.cli import main\nmain()\n", ["protect", "recipe.yaml"], tmp_path)
    ended = run.ended()
    assert ended.code == 130, ended
    assert ended.err == f"sfumato: {NOTHING}\n"


def test_a_page_may_be_written_to_standard_output(tmp_path: Path) -> None:
    ward(tmp_path)
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "risk", "people.csv"]
    asked = [*command, "--quasi", "age", "--report", "/dev/stdout", "--replace"]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "</html>" in done.stdout
