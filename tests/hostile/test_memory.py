"""Small recipes that would become large: the whole command stays small, and says why."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.kinds import fresh
from tests.hostile.test_plain_yaml import ALIASES, MERGES
from tests.recipe.examples import RECIPE

MOST_MEGABYTES = 300
HOSTILE = {
    "aliases": ALIASES,
    "merge keys": MERGES,
    "a list of a megabyte": "[" + "1," * 499_000 + "]",
    "columns of a megabyte": RECIPE.replace(
        "fields:\n", "fields:\n" + "".join(f"        - {{name: c{at}}}\n" for at in range(30_000))
    ),
    "models of a megabyte": RECIPE.replace("models:\n", "models:\n" + "  - k-anonymity: {k: 2}\n" * 22_000),
    "a title of a megabyte": RECIPE.replace("A small ward", "x" * 990_000).replace("{k: 2}", "{k: 9}"),
    "rows without end": RECIPE + "perturb:\n  - synthetic: {columns: [age, zip, ill], rows: 1000000000}\n",
    "k without end": RECIPE.replace("{k: 2}", "{k: 1000000000000000000}"),
}


_SMALL = """
import os, sys
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(child, 0)
open(sys.argv[1], "w").write(f"{os.waitstatus_to_exitcode(status)} {used.ru_maxrss}")
"""
"""starts the command: a process inherits the peak of the one that starts it, and that of tests is large"""


def _peak(folder: Path, *arguments: object) -> tuple[int, float, str]:
    """Run a command in a process of its own; return its code, its largest memory in MB, and its errors."""
    told = folder / "told"
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", *map(str, arguments)]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _SMALL, told, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert told.exists(), done.stderr
    code, kilobytes = map(int, told.read_text().split())
    return code, kilobytes / 1024, done.stderr


@pytest.mark.parametrize(
    "name", [*list(HOSTILE)[:2], *(pytest.param(name, marks=pytest.mark.slow) for name in list(HOSTILE)[2:])]
)
def test_a_recipe_below_a_megabyte_needs_less_than_300_megabytes(name: str, tmp_path: Path) -> None:
    recipe = fresh("table", tmp_path)
    recipe.write_text(HOSTILE[name])
    assert recipe.stat().st_size < 1 << 20
    code, megabytes, errors = _peak(tmp_path, "protect", recipe, "--out", tmp_path / "out")
    assert code in (1, 2), errors
    assert "something went wrong" not in errors
    assert "Traceback" not in errors
    assert megabytes < MOST_MEGABYTES
    assert not (tmp_path / "out").exists()
