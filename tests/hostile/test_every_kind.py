"""Hostile files in place of good ones, in every kind: one sentence, code 2, nothing left, no waiting."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from tests.cli.commands import Run, runner
from tests.hostile.inputs import PACKED, PLACES, TEXTS
from tests.hostile.kinds import KINDS, fresh

_SECONDS = 30


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Commands in this process; one that waits is woken and fails."""

    def wake(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError("the command waits for something that never comes")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(_SECONDS)
    yield runner(tmp_path, monkeypatch, capsys)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _refused(run: Run, folder: Path, recipe: Path, *named: str) -> str:
    """Run a recipe that must be refused; return the sentence."""
    before = {path.name for path in folder.iterdir()}
    done = run("protect", recipe, "--out", folder / "out")
    assert done.code == 2, done.err
    assert "something went wrong" not in done.err
    assert "Traceback" not in done.err
    assert {path.name for path in folder.iterdir()} == before
    assert any(name in done.sentence for name in named), done.sentence
    return done.sentence


FILES = [
    pytest.param(kind, file, id=f"{kind}, {file}")
    for kind, small in KINDS.items()
    for file in (*small.files, *(["recipe.yaml"] if kind in ("table", "graph people") else []))
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("kind", "file"), FILES)
def test_what_is_no_file_is_refused_at_once(
    kind: str, file: str, place: str, run: Run, tmp_path: Path
) -> None:
    recipe = fresh(kind, tmp_path)
    path = tmp_path / file
    good = path.read_bytes()
    path.unlink()
    PLACES[place](path, good)
    _refused(run, tmp_path, recipe, file, path.stem, f"there is no {path.suffix} file")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("kind", "file"), [one for one in FILES if not str(one.values[1]).endswith((".bed", ".yaml"))]
)
def test_a_nul_byte_is_refused_with_its_file(
    kind: str, file: str, text: str, run: Run, tmp_path: Path
) -> None:
    recipe = fresh(kind, tmp_path)
    path = tmp_path / file
    TEXTS[text](path, path.read_bytes())
    _refused(run, tmp_path, recipe, file)


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("table", "people.csv"),
        ("codes", "visits.csv"),
        ("records", "codes.csv"),
        ("query", "patients.csv"),
        ("text", "notes.csv"),
        ("dna columns", "snps.csv"),
        ("dna calls", "data.vcf"),
        ("dna rows", "data.fasta"),
        ("dna statistics", "study.vcf"),
        ("graph", "friends.csv"),
        ("graph statistics", "friends.gml"),
    ],
)
def test_packed_data_that_do_not_fit_their_checksum_are_refused(
    kind: str, file: str, packed: str, run: Run, tmp_path: Path
) -> None:
    recipe = fresh(kind, tmp_path)
    path = tmp_path / file
    (tmp_path / f"{file}.gz").write_bytes(PACKED[packed](path.read_bytes()))
    path.unlink()
    for config in (recipe, tmp_path / "database.yaml"):
        if config.exists():
            config.write_text(config.read_text().replace(file, f"{file}.gz"))
    sentence = _refused(run, tmp_path, recipe, f"{file}.gz")
    assert "cut short or damaged" in sentence
