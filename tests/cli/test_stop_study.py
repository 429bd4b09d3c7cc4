"""Stops at random moments of every kind of work: what they end with, and what they leave."""

from __future__ import annotations

import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import sfumato
from tests.cli.stopping import Run, contents
from tests.recipe.codes.examples import ward as codes_ward
from tests.recipe.examples import HEADER, RECIPE

STOPS = 210
_PLAIN = "from sfumato.cli import main; main()"


def _table(folder: Path) -> None:
    people = (f"{i},N{i},{i % 90},{i % 9973:05d},ill{i % 7}" for i in range(10_000))
    (folder / "people.csv").write_text("\n".join([HEADER, *people]) + "\n")
    (folder / "recipe.yaml").write_text(RECIPE)


def _released(folder: Path) -> None:
    _table(folder)
    _done("protect", "recipe.yaml", folder=folder)


def _codes(folder: Path) -> None:
    codes_ward(folder)


def _notes(folder: Path) -> None:
    note = "Mrs Whitfield (MRN 4453{0}) was seen on 2003-01-17 by Dr Jane Smith and is well."
    rows = [f'{i % 40},"{note.format(i)}"' for i in range(400)]
    (folder / "notes.csv").write_text("\n".join(["patient_id,note", *rows]) + "\n")
    _done("init", "notes.csv", "--kind", "text", folder=folder)


def _network(folder: Path) -> None:
    _done("graph", "simulate", "--nodes", 300, "--edges", 900, "--out", "made.csv", folder=folder)
    _done("init", "made.csv", "--kind", "graph", folder=folder)


def _sequences(folder: Path) -> None:
    chance = random.Random(5)
    rows = (f">p{i}\n{''.join(chance.choice('ACGT') for _ in range(60))}\n" for i in range(60))
    (folder / "made.fasta").write_text("".join(rows))
    _done("init", "made.fasta", "--kind", "dna", folder=folder)


def _done(*arguments: object, folder: Path) -> None:
    done = sfumato(*arguments, folder=folder)
    assert done.returncode == 0, done.stderr


WORK: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "table": (_table, ["protect", "recipe.yaml"]),
    "replace": (_released, ["protect", "recipe.yaml", "--replace"]),
    "codes": (_codes, ["protect", "recipe.yaml"]),
    "notes": (_notes, ["protect", "recipe.yaml", "--jobs", "2"]),
    "network": (_network, ["protect", "recipe.yaml"]),
    "dna": (_sequences, ["protect", "recipe.yaml"]),
    "compare": (
        _table,
        ["compare", "recipe.yaml", "--method", "mondrian", "--vary", "k=2,5,9", "--no-cache"],
    ),
    "verify": (_released, ["verify", "release"]),
    "attack": (_released, ["attack", "release", "--original", "people.csv"]),
    "risk": (_table, ["risk", "people.csv", "--quasi", "age,zip"]),
}


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_stops_at_random_moments_end_with_130_and_leave_nothing(tmp_path: Path) -> None:
    chance = random.Random(19)
    lengths: dict[str, float] = {}
    for kind, (prepare, arguments) in WORK.items():
        folder = tmp_path / kind
        folder.mkdir()
        prepare(folder)
        before = _folders(folder)
        for _ in range(2):
            # The first run may compile kernels.
            run = Run(_PLAIN, arguments, folder)
            run.wait_for_handlers()
            begun = time.monotonic()
            ended = run.ended(limit=300)
            assert ended.code == 0, (kind, ended.err)
            lengths[kind] = time.monotonic() - begun
            _remove(folder, before)
    found: Counter[str] = Counter()
    slowest, odd = 0.0, []
    for place in range(STOPS):
        kind = list(WORK)[place % len(WORK)]
        folder = tmp_path / kind
        before = contents(folder)
        folders = _folders(folder)
        how = chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        when = chance.uniform(0, lengths[kind])
        run = Run(_PLAIN, WORK[kind][1], folder)
        run.wait_for_handlers()
        time.sleep(when)
        late = run.process.poll() is not None
        ended = run.stop(how)
        slowest = max(slowest, ended.seconds)
        if late or ended.code == 0:
            outcome = "had finished" if ended.code == 0 else f"failed {ended.code}"
        elif ended.code == 130:
            outcome = "130"
        else:
            outcome = f"other {ended.code}"
        found[outcome] += 1
        if ended.code == 130 and "already put in place" not in ended.err:
            left = {name for name in contents(folder) if not name.startswith(".sfumato-text")} - set(before)
            raw = list(folder.rglob("sorted.*")) + list(folder.rglob("staged.*"))
            if left or raw or any(contents(folder).get(name) != data for name, data in before.items()):
                found["left or changed"] += 1
                odd.append((kind, how.name, when, sorted(left), raw))
        if run.left():
            found["temporary files left"] += 1
            odd.append((kind, how.name, when, run.left()))
        if outcome not in ("130", "had finished"):
            odd.append((kind, how.name, when, outcome, ended.err[-300:]))
        _remove(folder, folders)
    print(f"\n{dict(found)}, slowest {slowest:.2f} s; seconds of a run: {lengths}")
    assert not odd, odd
    assert found["130"] + found["had finished"] == STOPS
    assert found["130"] > STOPS / 3
    assert slowest < 30


def _folders(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _remove(folder: Path, before: set[str]) -> None:
    for path in folder.iterdir():
        if path.name not in before and path.name != "temporary":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
