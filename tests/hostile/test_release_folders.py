"""Releases of strangers: whatever lies in the folder, `verify` answers with a sentence or with findings."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sfumato.recipe.load import load
from sfumato.recipe.prepared import prepared, released
from tests.cli.commands import Run, runner
from tests.hostile.inputs import PLACES
from tests.hostile.kinds import fresh
from tests.hostile.test_every_kind import run as waking_run

run = waking_run
KINDS = ("table", "codes", "query", "text", "dna rows", "graph people")
RAW = (
    "1e999999999",
    "9" * 4000,
    "9" * 30,
    "[" * 5000 + "]" * 5000,
    "NaN",
    "-Infinity",
    "1e308",
    "5e-324",
    "-1",
)
PLAIN = ("", "\0", "../../../etc/passwd", None, [], {}, [[]], {"a": []}, True, 10**18, "x" * 20_000)
_MARK = "hostile value"


@pytest.fixture(scope="module", params=KINDS)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good release of each kind."""
    return _released(str(request.param), tmp_path_factory.mktemp("kind"))


@pytest.fixture(scope="module")
def a_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _released("table", tmp_path_factory.mktemp("table"))


def _released(kind: str, folder: Path) -> Path:
    recipe = fresh(kind, folder)
    return released(prepared(load(recipe), folder), folder / "out").release


def _places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """List where something stands in JSON; of a list only the first."""
    if place:
        yield place
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    )
    for key, part in inner:
        yield from _places(part, (*place, key))


def _with(data: Any, place: tuple[str | int, ...], value: Any, raw: bool) -> str:
    changed = copy.deepcopy(data)
    holder = changed
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = _MARK if raw else value
    text = json.dumps(changed)
    return text.replace(json.dumps(_MARK), value) if raw else text


def _tried(run: Run, release: Path, number: int, seed: int) -> None:
    """Put hostile values into places of evidence and schema, and verify each."""
    chance = random.Random(seed)
    for name in ("evidence.json", "schema.json"):
        path = release / name
        good = path.read_text()
        data = json.loads(good)
        places = list(_places(data))
        try:
            for place in chance.sample(places, min(number, len(places))):
                raw = chance.random() < 0.5
                value = chance.choice(RAW if raw else PLAIN)
                path.write_text(_with(data, place, value, raw))
                done = run("verify", release)
                where = f"{name} {place} = {str(value)[:30]}"
                assert done.code in (0, 1, 2), where
                assert "something went wrong" not in done.err, f"{where}: {done.sentence}"
        finally:
            path.write_text(good)


def test_hostile_values_in_evidence_and_schema_are_answered(release: Path, run: Run) -> None:
    _tried(run, release, 8, 1)


@pytest.mark.slow
def test_many_hostile_values_in_evidence_and_schema_are_answered(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _tried(runner(tmp_path, monkeypatch, capsys), release, 400, 2)


@pytest.mark.parametrize("place", [name for name in PLACES if name != "nowhere"])
@pytest.mark.parametrize("file", ["evidence.json", "schema.json", "data.csv", "report.html", "more.csv"])
@pytest.mark.parametrize("command", ["verify", "attack"])
def test_what_is_no_file_in_a_release_is_answered_at_once(
    command: str, file: str, place: str, run: Run, tmp_path: Path, a_table: Path
) -> None:
    shutil.copytree(a_table, tmp_path / "out" / "release")
    path = tmp_path / "out" / "release" / file
    path.unlink(missing_ok=True)
    PLACES[place](path, b"")
    done = run(command, tmp_path / "out")
    assert "something went wrong" not in done.err
    if command == "verify" or file in ("evidence.json", "schema.json", "data.csv"):
        refuted = file in ("report.html", "more.csv")
        assert done.code == (1 if refuted else 2), done.err
        assert refuted or file in done.sentence


def test_a_report_that_never_ends_is_not_read_to_its_end(run: Run, tmp_path: Path, a_table: Path) -> None:
    shutil.copytree(a_table, tmp_path / "out" / "release")
    with (tmp_path / "out" / "release" / "report.html").open("r+b") as file:
        file.truncate(1 << 40)
    done = run("verify", tmp_path / "out")
    assert done.code == 1
    assert "it says something else" in done.words
    shutil.rmtree(tmp_path / "out")
