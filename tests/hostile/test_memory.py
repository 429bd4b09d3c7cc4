"""Small recipes that would become large: the whole command stays small, and says why."""

from __future__ import annotations

import os
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


def _peak(folder: Path, *arguments: object) -> tuple[int, float, str]:
    """Run a command in a process of its own; return its code, its largest memory in MB, and its errors."""
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", *map(str, arguments)]
    with (folder / "errors").open("w+") as errors, (folder / "said").open("w") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, used.ru_maxrss / 1024, errors.read()


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
