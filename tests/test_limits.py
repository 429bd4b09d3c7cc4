"""No test waits for ever: each has a limit, and whatever waits for another process says how long."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
_RUNS = {"run", "check_output", "check_call", "call"}
_MAY_WAIT = re.compile(r"subprocess\.|\.(wait|join)\(\)|\.communicate\(")
_HANGS = """
import ctypes

def test_that_sleeps_in_a_lock():
    lock = ctypes.create_string_buffer(64)
    library = ctypes.{library}(None)
    library.pthread_mutex_lock(lock)
    library.pthread_mutex_lock(lock)
"""


@pytest.mark.parametrize(
    ("library", "limit"), [("CDLL", "timeout"), ("PyDLL", "faulthandler_timeout")], ids=["free", "held"]
)
def test_a_test_that_hangs_in_c_is_ended(tmp_path: Path, library: str, limit: str) -> None:
    """Also when it holds the interpreter; the settings are those of this repository."""
    (tmp_path / "test_hangs.py").write_text(_HANGS.format(library=library))
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    options = ["-n0", "-o", f"{limit}=1", "-o", "addopts=", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=100, cwd=tmp_path)
    assert done.returncode not in (0, 5)
    assert "in test_that_sleeps_in_a_lock" in done.stdout + done.stderr


def _without_limit(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield calls that wait for a process, a thread or a barrier as long as it takes."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
        limited = any(keyword.arg in ("timeout", None) for keyword in node.keywords)
        match node.func.attr:
            case name if owner == "subprocess" and name in _RUNS:
                waits = not limited
            case "communicate":
                waits = not limited and len(node.args) < 2
            case "wait" | "join":
                waits = not node.args and not limited
            case _:
                waits = False
        if waits:
            yield node


def _awaited(tree: ast.AST) -> set[ast.AST]:
    """What an event loop waits for: it stands under the limit of the test alone."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Await)}


def _barriers_with_limit(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            called = ast.unparse(node.value.func)
            if called.endswith("Barrier") and any(
                keyword.arg == "timeout" for keyword in node.value.keywords
            ):
                found |= {ast.unparse(target) for target in node.targets}
    return found


def test_whatever_waits_for_another_process_or_thread_has_a_limit() -> None:
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text()
        if not _MAY_WAIT.search(text):
            continue
        tree = ast.parse(text)
        fine = _barriers_with_limit(tree)
        for call in set(_without_limit(tree)) - _awaited(tree):
            assert isinstance(call.func, ast.Attribute)
            if ast.unparse(call.func.value) not in fine:
                found.append(f"{path.relative_to(ROOT)}:{call.lineno} {ast.unparse(call)[:60]}")
    assert not found


def test_the_search_for_waiting_calls_finds_them() -> None:
    waits = ["subprocess.run(a)", "p.wait()", "p.communicate()", "t.join()"]
    limited = ["subprocess.run(a, timeout=1)", "p.wait(3)", "p.communicate(timeout=2)", "','.join(x)"]
    told = "\n".join([*waits, *limited])
    assert [call.lineno for call in _without_limit(ast.parse(told))] == [1, 2, 3, 4]
