"""Runs several commands in one process under real limits of the operating system, and prints how they ended.

Starting an interpreter for each command would take longer than the commands. The plan is JSON on standard
input, the endings are JSON on standard output. ``drive`` starts it from a test.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_DROP = 24
"""the operation of prctl that takes a capability from all that this process will execute"""
_OVERRIDE, _READ_SEARCH = 1, 2
"""the capabilities by which root reads and writes whatever permissions say"""


@dataclass(frozen=True)
class Command:
    """What somebody types, and in which environment."""

    typed: Sequence[object]
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The last line of the errors."""
        return self.err.strip().splitlines()[-1] if self.err.strip() else ""


def drive(
    commands: Sequence[Command],
    *,
    around: Sequence[str] = (),
    file_bytes: int | None = None,
    files: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> list[Ended]:
    """Run commands as somebody whom permissions bind; ``around`` goes before the interpreter."""
    plan = {
        "commands": [
            {"typed": [str(part) for part in one.typed], "environment": dict(one.environment)}
            for one in commands
        ],
        "file_bytes": file_bytes,
        "files": files,
    }
    done = subprocess.run(
        [*around, sys.executable, "-m", "tests.system.driver", "--obey"],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env={**os.environ, **(environment or {})},
    )
    assert done.returncode == 0, done.stderr
    return [Ended(**one) for one in json.loads(done.stdout)]


def main() -> None:
    """Read the plan, set the limits, run the commands."""
    if "--obey" in sys.argv and os.geteuid() == 0:
        system = ctypes.CDLL(None, use_errno=True)
        if any(system.prctl(_DROP, capability, 0, 0, 0) for capability in (_OVERRIDE, _READ_SEARCH)):
            raise OSError(ctypes.get_errno(), "root cannot be made to obey permissions here")
        os.execv(sys.executable, [sys.executable, "-m", "tests.system.driver"])
    plan: dict[str, Any] = json.load(sys.stdin)
    import sfumato.cli.app  # noqa: F401  (what an interpreter reads for itself is read before the limits)

    if plan["file_bytes"] is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (plan["file_bytes"], plan["file_bytes"]))
    if plan["files"] is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (plan["files"], plan["files"]))
    json.dump([_ended(**command) for command in plan["commands"]], sys.stdout)


def _ended(typed: list[str], environment: dict[str, str]) -> dict[str, Any]:
    from sfumato.cli import main as sfumato

    out, err, code = io.StringIO(), io.StringIO(), 0
    sys.argv = ["sfumato", *typed]
    before = dict(os.environ)
    os.environ.update(environment)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            sfumato()
        except SystemExit as end:
            code = int(end.code or 0)
    os.environ.clear()
    os.environ.update(before)
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    main()
