"""A run that is stopped half-way leaves nothing behind: no release, no raw data in temporary folders."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.recipe.examples import HEADER, RECIPE, files_in


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ward of 400,000 people: long enough to be interrupted."""
    place = tmp_path_factory.mktemp("ward")
    people = (f"{i},N{i},{i % 90},{i % 9973:05d},ill{i % 7}" for i in range(400_000))
    (place / "people.csv").write_text("\n".join([HEADER, *people]) + "\n")
    (place / "recipe.yaml").write_text(RECIPE)
    (place / "tmp").mkdir()
    return place


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("after", ["reading", "counting", "searching", "writing", "checking the release"])
def test_a_stopped_run_leaves_nothing_behind(folder: Path, how: signal.Signals, after: str) -> None:
    before = files_in(folder)
    command = [
        sys.executable,
        "-c",
        "from sfumato.cli import main; main()",
        "protect",
        str(folder / "recipe.yaml"),
    ]
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if after in line:
                break
        time.sleep(0.05)
        running.send_signal(how)
        last = running.stderr.read()
        code = running.wait(timeout=60)
    assert code == 130, last
    assert "sfumato: interrupted; nothing was published" in last
    assert files_in(folder) == before
    assert not list((folder / "tmp").iterdir())


def test_an_interrupt_that_a_library_swallowed_stops_the_next_step(folder: Path) -> None:
    code = (
        "import os, signal\n"
        "import sfumato.recipe.outcome as o\n"
        "read = o.check_listed\n"
        "def swallow(*a):\n"
        "    try: os.kill(os.getpid(), signal.SIGINT)\n"
        "    except BaseException: pass\n"
        "    return read(*a)\n"
        "o.check_listed = swallow\n"
        "from sfumato.cli import main\n"
        "main()"
    )
    before = files_in(folder)
    command = [sys.executable, "-c", code, "protect", str(folder / "recipe.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 130
    assert done.stderr.endswith("sfumato: interrupted; nothing was published\n")
    assert files_in(folder) == before
