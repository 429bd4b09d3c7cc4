"""Runs several commands in one process under real limits of the operating system, and prints how they ended.

Starting an interpreter for each command would take longer than the commands. The plan is JSON on standard
input, the endings are JSON on standard output.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import io
import json
import os
import resource
import signal
import sys
from typing import Any

_DROP = 24
"""the operation of prctl that takes a capability from all that this process will execute"""
_OVERRIDE, _READ_SEARCH = 1, 2
"""the capabilities by which root reads and writes whatever permissions say"""


def main() -> None:
    """Read the plan, set the limits, run the commands."""
    if "--without-privileges" in sys.argv and os.geteuid() == 0:
        system = ctypes.CDLL(None, use_errno=True)
        if any(system.prctl(_DROP, capability, 0, 0, 0) for capability in (_OVERRIDE, _READ_SEARCH)):
            raise OSError(ctypes.get_errno(), "root cannot be made to obey permissions here")
        os.execv(sys.executable, [sys.executable, "-m", "tests.system.driver"])
    plan: dict[str, Any] = json.load(sys.stdin)
    for module in plan.get("load", ()):
        # What an interpreter reads for itself is read before files are limited.
        importlib.import_module(module)
    if plan.get("file_bytes") is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (plan["file_bytes"], plan["file_bytes"]))
    if plan.get("files") is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (plan["files"], plan["files"]))
    json.dump([_ended(command) for command in plan["commands"]], sys.stdout)


def _ended(command: list[str]) -> dict[str, Any]:
    from sfumato.cli import main as sfumato

    out, err, code = io.StringIO(), io.StringIO(), 0
    sys.argv = ["sfumato", *command]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            sfumato()
        except SystemExit as end:
            code = int(end.code or 0)
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    main()
