"""The commands over sets of codes, as a person would type them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import sfumato
from tests.recipe.codes.examples import RECIPE, files_in, ward


def test_protect_verify_and_replace(tmp_path: Path) -> None:
    ward(tmp_path)
    done = sfumato("protect", "recipe.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in ("k-m-anonymity", "holds", "different items", "risk", "ncp", "warning"):
        assert words in done.stdout
    again = sfumato("protect", "recipe.yaml", folder=tmp_path)
    assert again.returncode == 2
    assert "already a folder 'release'" in again.stderr
    assert sfumato("protect", "recipe.yaml", "--replace", folder=tmp_path).returncode == 0
    verified = sfumato("verify", "release", "--original", "visits.csv", folder=tmp_path)
    assert verified.returncode == 0, verified.stdout
    assert "0 refuted" in verified.stdout
    (tmp_path / "release" / "data.csv").write_text("codes\nA\n")
    assert sfumato("verify", "release", folder=tmp_path).returncode == 1


def test_a_dry_run_prints_the_plan_and_writes_nothing(tmp_path: Path) -> None:
    ward(tmp_path)
    before = files_in(tmp_path)
    planned = sfumato("protect", "recipe.yaml", "--dry-run", folder=tmp_path)
    assert planned.returncode == 0
    assert "15 people" in planned.stdout
    assert "Nothing was written." in planned.stdout
    assert files_in(tmp_path) == before


def test_exit_codes_tell_bad_input_from_a_promise_not_met(tmp_path: Path) -> None:
    ward(tmp_path, RECIPE.replace("k: 3", "k: 100"))
    unmet = sfumato("protect", "recipe.yaml", folder=tmp_path)
    assert unmet.returncode == 1
    ward(tmp_path, RECIPE.replace("kind: codes", "kind: sets"))
    wrong = sfumato("protect", "recipe.yaml", folder=tmp_path)
    assert wrong.returncode == 2
    for said in (unmet.stderr, wrong.stderr):
        last = said.strip().splitlines()[-1]
        assert last.startswith("sfumato: ")
        assert not {"a1", "s1", "Ada", "p00"} & set(last.replace(",", " ").split())
    assert files_in(tmp_path) == {"recipe.yaml", "visits.csv"}


def test_schemas_are_printed() -> None:
    assert json.loads(sfumato("schema", "codes-evidence").stdout)["title"] == "CodesEvidence"


@pytest.mark.parametrize("after", ["reading", "searching", "checking the release"])
def test_a_stopped_run_leaves_nothing_behind(after: str, tmp_path: Path) -> None:
    """The interrupt comes with the step itself, so that no run is too quick to be stopped."""
    ward(tmp_path)
    (tmp_path / "tmp").mkdir()
    code = (
        "import os, signal, sfumato.cli.progress as p\n"
        "step = p.TerminalProgress.step\n"
        "def stopped(self, what):\n"
        "    step(self, what)\n"
        f"    if what.startswith({after!r}): os.kill(os.getpid(), signal.{signal.SIGINT.name})\n"
        "p.TerminalProgress.step = stopped\n"
        "from sfumato.cli import main; main()"
    )
    before = files_in(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code, "protect", str(tmp_path / "recipe.yaml")],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
    )
    assert done.returncode == 130, done.stderr
    assert done.stderr.endswith("sfumato: interrupted; nothing was published\n")
    assert files_in(tmp_path) == before
    assert not list((tmp_path / "tmp").iterdir())


def test_attack_prints_what_adversaries_who_know_codes_learn(tmp_path: Path) -> None:
    ward(tmp_path)
    assert sfumato("protect", "recipe.yaml", folder=tmp_path).returncode == 0
    found = sfumato("attack", "release", "--original", "visits.csv", "--victims", "hit.csv", folder=tmp_path)
    assert found.returncode == 0, found.stderr
    for words in ("known-codes", "whole-set", "visit", "sensitive-code", "Victims: hit.csv"):
        assert words in found.stdout
    assert (tmp_path / "hit.csv").read_text().startswith("attack,column,row,confidence,candidates\n")
    (tmp_path / "emr.csv").write_text("id,icd\nann,a1\nann,b1\n")
    linked = sfumato(
        *("attack", "release", "--with", "emr.csv", "--map", "code=icd", "--person", "id", "--json"),
        folder=tmp_path,
    )
    assert linked.returncode == 0, linked.stderr
    assert [one["attack"] for one in json.loads(linked.stdout)["attacks"]] == ["linked-codes"]
    bounded = sfumato(
        *("attack", "release", "--original", "visits.csv", "--attack", "known-codes: {m: 9}"),
        *("--at-most", "0.01"),
        folder=tmp_path,
    )
    assert bounded.returncode == 1
    refused = sfumato("attack", "release", "--with", "emr.csv", "--quasi", "zip", folder=tmp_path)
    assert refused.returncode == 2
    assert "--quasi is for tables" in refused.stderr
