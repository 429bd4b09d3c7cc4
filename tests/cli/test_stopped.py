"""A stop that was asked for ends the run, in every step and whatever a library does."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
import time
import urllib.request
from pathlib import Path

import pytest

from sfumato.cli.guard import IN_PLACE, NOTHING
from tests.cli.commands import sfumato
from tests.cli.stopping import AT_STEP, FREE, HELD, IN_CALL, Run, contents, hanging, hanging_script
from tests.recipe.examples import ward
from tests.server.test_kills import write_town

WRITE = IN_CALL.format(module="sfumato.engine.duckdb", name="DuckEngine.write")
_PLAIN = "from sfumato.cli import main; main()"


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A folder with a release."""
    ward(tmp_path)
    assert sfumato("protect", "recipe.yaml", folder=tmp_path).returncode == 0
    return tmp_path


@pytest.mark.parametrize(
    ("patch", "library", "how"),
    [
        (IN_CALL.format(module="sfumato.engine.duckdb", name="DuckEngine.read"), HELD, signal.SIGHUP),
        (AT_STEP.format(step="searching"), HELD, signal.SIGINT),
        (WRITE, FREE, signal.SIGTERM),
    ],
    ids=["reading", "searching", "writing"],
)
def test_a_release_that_hangs_is_ended_and_leaves_nothing(
    tmp_path: Path, patch: str, library: str, how: signal.Signals
) -> None:
    ward(tmp_path)
    before = contents(tmp_path)
    run = hanging(patch, ["protect", "recipe.yaml", "--out", "new"], tmp_path, library)
    assert run.left()
    ended = run.stop(how)
    assert ended.code == 130, ended
    assert ended.seconds > 2, "it has ended by itself, and did not hang"
    assert ended.err.endswith(f"sfumato: {NOTHING}\n")
    assert contents(tmp_path) == before
    assert run.left() == []


@pytest.mark.parametrize(
    "arguments",
    [["verify", "release"], ["attack", "release", "--original", "people.csv"]],
    ids=lambda each: each[0],
)
def test_other_commands_that_hang_are_ended_too(released: Path, arguments: list[str]) -> None:
    before = contents(released)
    run = hanging(AT_STEP.format(step=""), arguments, released, HELD)
    ended = run.stop(signal.SIGTERM, signal.SIGTERM)
    assert ended.code == 130, ended
    assert contents(released) == before
    assert run.left() == []


def test_a_second_signal_is_not_waited_for(released: Path) -> None:
    before = contents(released)
    run = hanging(WRITE, ["protect", "recipe.yaml", "--replace"], released, HELD)
    begun = time.monotonic()
    ended = run.stop(signal.SIGINT, signal.SIGINT)
    assert ended.code == 130, ended
    assert time.monotonic() - begun < 3, "the patience with a single signal is 3.5 seconds"
    assert contents(released) == before
    assert run.left() == []


def test_a_storm_of_signals_is_one_stop(released: Path) -> None:
    before = contents(released)
    run = Run(_PLAIN, ["protect", "recipe.yaml", "--replace"], released)
    run.wait_for_handlers()
    storm = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP] * 60
    ended = run.stop(*storm, pause=0.002)
    assert ended.code == 130, ended
    assert ended.err.count("sfumato:") == 1
    assert "Traceback" not in ended.err
    assert contents(released) == before
    assert run.left() == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_the_first_moment_is_a_stop(tmp_path: Path, how: signal.Signals) -> None:
    run = Run(_PLAIN, ["protect", "recipe.yaml"], tmp_path)
    run.wait_for_handlers()
    ended = run.stop(how)
    assert ended.code == 130, ended
    assert ended.err == f"sfumato: {NOTHING}\n"
    assert run.left() == []


def test_a_signal_while_the_interpreter_ends_changes_nothing(tmp_path: Path) -> None:
    """Python takes its handlers away before it deletes what modules hold."""
    script = (
        "import os, time\n"
        "class Slow:\n"
        "    def __del__(self, write=os.write, sleep=time.sleep):\n"
        "        write(1, b'ENDS\\n')\n"
        "        sleep(1)\n"
        "import builtins; builtins.kept = Slow()\n"
        f"{_PLAIN}"
    )
    run = Run(script, ["--version"], tmp_path)
    run.wait_for("ENDS")
    assert run.stop(signal.SIGTERM, signal.SIGINT, signal.SIGHUP, pause=0.1).code == 0
    assert run.left() == []


def test_a_release_that_is_in_place_is_not_said_to_be_unpublished(released: Path) -> None:
    """The signal comes when all is done but the summary."""
    patch = (
        "import sfumato.report.terminal as terminal\n"
        "terminal.summary = lambda *_: os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    run = Run(f"import os, signal\n{patch}{_PLAIN}", ["protect", "recipe.yaml", "--out", "new"], released)
    ended = run.ended()
    assert ended.code == 130, ended
    assert ended.err.endswith(f"sfumato: {IN_PLACE}\n")
    assert sfumato("verify", "new", folder=released).returncode == 0


_BETWEEN = """
import sfumato.core.leftovers as leftovers
do = leftovers.Move.do
seen = []
def moved(self):
    seen.append(self)
    if len(seen) == {move}: {act}
    do(self)
leftovers.Move.do = moved
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_hangs_between_two_renames_leaves_the_earlier_release(
    released: Path, how: signal.Signals
) -> None:
    """The steward's folder is the new one already, what is to be shared still the old one."""
    before = contents(released)
    patch = _BETWEEN.format(move=2, act="hang()")
    run = hanging(patch, ["protect", "recipe.yaml", "--replace"], released)
    assert contents(released) != before
    ended = run.stop(how)
    assert ended.code == (130 if how is signal.SIGTERM else -signal.SIGKILL), ended
    assert contents(released) == before
    assert run.left() == []


@pytest.mark.parametrize("move", [1, 2])
def test_a_signal_at_the_rename_is_before_or_after_and_never_half(released: Path, move: int) -> None:
    before = contents(released)
    patch = _BETWEEN.format(move=move, act="os.kill(os.getpid(), signal.SIGINT)")
    run = Run(f"import os, signal\n{patch}{_PLAIN}", ["protect", "recipe.yaml", "--replace"], released)
    ended = run.ended()
    assert ended.code == 130, ended
    assert ended.err.endswith(f"sfumato: {NOTHING}\n")
    assert contents(released) == before
    assert run.left() == []


def test_programs_that_a_run_has_started_end_with_it(tmp_path: Path) -> None:
    """Also those of another session, and what they have started in turn."""
    ward(tmp_path)
    patch = (
        "import subprocess\n"
        "child = subprocess.Popen(['sh', '-c', 'sleep 987 & wait'], start_new_session=True)\n"
        "print(child.pid, flush=True)\n" + WRITE
    )
    run = hanging(patch, ["protect", "recipe.yaml"], tmp_path)
    started = _children(run.process.pid)
    assert len(started) >= 2
    assert run.stop(signal.SIGTERM).code == 130
    time.sleep(0.5)
    assert not [pid for pid in started if _runs(pid)]


def test_a_program_that_nobody_knows_of_ends_with_a_run_that_ends_itself(tmp_path: Path) -> None:
    """Such as a Java that was still starting when the signal came; and no library logs what it met."""
    ward(tmp_path)
    patch = (
        "import logging, os, signal, subprocess\n"
        "import sfumato.cli.progress as progress\n"
        "def starting(self, what):\n"
        "    child = subprocess.Popen(['sleep', '987'], start_new_session=True)\n"
        "    print('STARTED', child.pid, flush=True)\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "    except KeyboardInterrupt:\n"
        "        logging.exception('interrupted over Ada')\n"
        "        raise\n"
        "progress.TerminalProgress.step = starting\n"
    )
    run = Run(f"{patch}{_PLAIN}", ["protect", "recipe.yaml"], tmp_path)
    child = int(run.wait_for("STARTED "))
    ended = run.ended()
    assert ended.code == 130, ended
    assert ended.err == f"sfumato: {NOTHING}\n"
    assert not _runs(child)


def _children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, timeout=30)
    parents = dict(map(int, line.split()) for line in listed.stdout.splitlines())
    return [child for child, parent in parents.items() if pid in (parent, parents.get(parent))]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_whoever_uses_the_library_keeps_his_own_signals() -> None:
    code = (
        "import os, signal, sys, pandas\n"
        "before = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]\n"
        "import sfumato\n"
        "frame = pandas.DataFrame({'age': [1, 1, 2, 2], 'ill': list('abab')})\n"
        "sfumato.protect(frame, quasi=['age'], sensitive=['ill'], models=sfumato.KAnonymity(2))\n"
        "sys.argv = ['sfumato', '--version']\n"
        "call = 'from sfumato.cli import main\\ntry: main()\\nexcept SystemExit: pass'\n"
        "exec(call, {'__name__': 'a module that calls the command line'})\n"
        "after = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]\n"
        "assert before == after, after\n"
        "assert signal.set_wakeup_fd(-1) == -1\n"
        "print(open(f'/proc/self/task/{os.getpid()}/children').read().split())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr


def test_a_worker_of_a_comparison_that_does_not_listen_is_ended(tmp_path: Path) -> None:
    ward(tmp_path)
    before = contents(tmp_path)
    deaf = (
        "import os, signal, sys, tempfile, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "tempfile.mkdtemp(prefix='raw-'); time.sleep(600)"
    )
    script = f"import sfumato.recipe.compare_run as run\nrun._WORK = {deaf!r}\n{_PLAIN}"
    run = Run(script, ["compare", "recipe.yaml", "--workers", "2", "--no-cache"], tmp_path)
    until = time.monotonic() + 30
    while len(list(run.temporary.glob("*/raw-*"))) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    workers = _children(run.process.pid)
    ended = run.stop(signal.SIGTERM)
    assert ended.code == 130, ended
    assert contents(tmp_path) == before
    assert run.left() == []
    assert len(workers) >= 2
    assert not [pid for pid in workers if _runs(pid)]


@pytest.mark.parametrize("times", [1, 2])
def test_a_service_that_hangs_while_it_closes_is_ended(tmp_path: Path, times: int) -> None:
    """Requests under way have their time; here half a second instead of half a minute."""
    town = write_town(tmp_path)
    patch = (
        "import sfumato.server.running as running\n"
        f"running.LEAVE_WITHIN = {0.5 if times == 1 else 30}\n"
        + IN_CALL.format(module="sfumato.server.house", name="House.close")
    )
    run = Run(hanging_script(patch), ["serve", town, "--port", "0"], tmp_path)
    with urllib.request.urlopen(run.wait_for("Listening on "), timeout=30) as page:
        assert page.status == 200
    ended = run.stop(*[signal.SIGTERM] * times, pause=1)
    assert "HANGS" in ended.out
    assert ended.code == 130, ended
    assert run.left() == []


def test_a_terminal_is_left_as_it_was(tmp_path: Path) -> None:
    """The spinner hides the cursor; a run that hangs cannot show it again."""
    ward(tmp_path)
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    patch = (
        "import termios\n"
        "def silent(*given, **named):\n"
        "    attributes = termios.tcgetattr(2)\n"
        "    attributes[3] &= ~termios.ECHO\n"
        "    termios.tcsetattr(2, termios.TCSANOW, attributes)\n"
        "    hang()\n"
        "import sfumato.engine.duckdb as module\n"
        "module.DuckEngine.write = silent\n"
    )
    run = hanging(patch, ["protect", "recipe.yaml"], tmp_path, HELD, stderr=theirs)
    assert termios.tcgetattr(theirs) != before
    ended = run.stop(signal.SIGINT, signal.SIGINT)
    assert ended.code == 130
    assert termios.tcgetattr(theirs) == before
    said = os.read(ours, 1 << 16)
    assert said.rindex(b"\x1b[?25h") > said.rindex(b"\x1b[?25l")
    assert said.endswith(f"sfumato: {NOTHING}\r\n".encode())
    os.close(ours)
    os.close(theirs)


def test_a_run_whose_guard_was_killed_still_stops(tmp_path: Path) -> None:
    """Signals are then all there is, and each of them counts."""
    ward(tmp_path)
    patch = (
        "import os, signal, time\n"
        "import sfumato.cli.progress as progress\n"
        "from sfumato.cli.stop import STOP\n"
        "def stubborn(self, what):\n"
        "    os.kill(STOP._guard._process, signal.SIGKILL)\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        time.sleep(0.2)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(600)\n"
        "progress.TerminalProgress.step = stubborn\n"
    )
    run = Run(f"{patch}{_PLAIN}", ["protect", "recipe.yaml"], tmp_path)
    ended = run.ended()
    assert ended.code == 130, ended
    assert run.left() == []


def test_an_error_that_a_signal_has_brought_about_is_a_stop(tmp_path: Path) -> None:
    """A signal to the whole group ends workers before their parent has seen it."""
    ward(tmp_path)
    patch = (
        "import os, signal\n"
        "import sfumato.cli.progress as progress\n"
        "from sfumato.core.errors import BadInput\n"
        "def broken(self, what):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGHUP)\n"
        "    except KeyboardInterrupt:\n"
        "        raise BadInput('a worker is gone') from None\n"
        "progress.TerminalProgress.step = broken\n"
    )
    run = Run(f"{patch}{_PLAIN}", ["protect", "recipe.yaml"], tmp_path)
    ended = run.ended()
    assert ended.code == 130, ended
    assert ended.err == f"sfumato: {NOTHING}\n"
