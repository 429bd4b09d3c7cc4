"""Every kind of release in bad surroundings: one clear sentence, exit code 2, nothing left, no value told."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import mounting
from tests.system.driver import Command, Ended, drive
from tests.system.kinds import KINDS, write_kinds

SPILLS = sorted(set(KINDS) - {"text"})
"""kinds whose check needs no temporary file"""
EARLIER = {"release/data.csv": "an earlier release\n", "steward/fingerprint.key": "key\n"}


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder; a folder that is not there holds nothing."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def with_an_earlier_release(folder: Path) -> Path:
    for name, text in EARLIER.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    return folder


def values_of(folder: Path) -> set[str]:
    """List what stands in the data of a job and is long enough not to stand anywhere by chance."""
    texts = [path.read_text() for path in folder.iterdir() if path.suffix in (".csv", ".vcf", ".fasta")]
    lines = [line for text in texts for line in text.splitlines()[1:] if not line.startswith("##")]
    return {value for line in lines for value in re.split(r"[\s,;]+", line) if len(value) > 5}


def check(ended: Ended, said: str, folder: Path) -> None:
    assert ended.code == 2, ended.err
    assert "Traceback" not in ended.err
    assert "went wrong" not in ended.err
    assert ended.sentence.startswith(("sfumato: ", "Error: "))
    assert said in ended.sentence
    assert not {value for value in values_of(folder) if value in ended.sentence.replace(str(folder), "")}


class Trials:
    """All kinds in many surroundings, in one process that permissions bind."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.jobs = place / "jobs"
        self.jobs.mkdir()
        self.recipes = write_kinds(self.jobs)
        self.locked = place / "locked"
        self.locked.mkdir()
        hidden = write_kinds(self.locked)
        (place / "file").write_text("no folder")
        for name in ("sealed", "sealed-tmp"):
            (place / name).mkdir(0o500)
        for recipe in hidden.values():
            for path in recipe.parent.iterdir():
                if path != recipe and path.suffix != ".yaml":
                    path.chmod(0)
        self.asked: dict[tuple[str, str], Command] = {}
        for kind, recipe in self.recipes.items():
            protect = ("protect", recipe, "--out")
            release = place / "good" / kind / "release"
            self.asked |= {
                ("good", kind): Command((*protect, place / "good" / kind)),
                ("TMPDIR is not there", kind): self._temporary(protect, "nowhere", kind),
                ("TMPDIR is a file", kind): self._temporary(protect, "file", kind),
                ("TMPDIR is sealed", kind): self._temporary(protect, "sealed-tmp", kind),
                ("verify", kind): Command(("verify", release), {"TMPDIR": str(place / "nowhere")}),
                ("input", kind): Command(("protect", hidden[kind], "--out", place / "input" / kind)),
                ("sealed target", kind): Command((*protect, place / "sealed" / kind)),
                ("target below a file", kind): Command((*protect, place / "file" / kind)),
                ("target is a file", kind): Command((*protect, place / "file")),
                ("name too long", kind): Command((*protect, place / ("x" * 300))),
            }
        ends = drive(list(self.asked.values()))
        self.ended = dict(zip(self.asked, ends, strict=True))

    def _temporary(self, protect: tuple[object, ...], folder: str, kind: str) -> Command:
        return Command((*protect, self.place / "temporary" / kind), {"TMPDIR": str(self.place / folder)})


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Trials:
    return Trials(tmp_path_factory.mktemp("surroundings"))


SAID = {
    "TMPDIR is not there": "the folder for temporary files is not there",
    "TMPDIR is a file": "the folder for temporary files is not a folder",
    "TMPDIR is sealed": "the folder for temporary files cannot be used: it may not be read or written",
    "input": "may not be read",
    "sealed target": "the folder cannot be written: it may not be read or written",
    "target below a file": "the folder cannot be written: a part of the path is a file",
    "target is a file": "this is a file",
    "name too long": "the path is too long",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("surroundings", SAID)
def test_bad_surroundings_are_one_clear_sentence(trials: Trials, surroundings: str, kind: str) -> None:
    check(trials.ended[surroundings, kind], SAID[surroundings], trials.jobs / kind)
    for name in ("nowhere", "temporary", "input"):
        assert not (trials.place / name).exists()
    assert not list((trials.place / "sealed").iterdir())
    assert not list((trials.place / "sealed-tmp").iterdir())


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_jobs_succeed_in_good_surroundings(trials: Trials, kind: str) -> None:
    assert trials.ended["good", kind].code == 0, trials.ended["good", kind].err
    assert (trials.place / "good" / kind / "release" / "evidence.json").is_file()


@pytest.mark.parametrize("kind", SPILLS)
def test_a_release_is_not_refuted_by_the_surroundings(trials: Trials, kind: str) -> None:
    check(trials.ended["verify", kind], SAID["TMPDIR is not there"], trials.jobs / kind)


def full_disks(
    kinds: list[str], place: Path, around: Callable[[Path], list[str]], file_bytes: int | None
) -> None:
    jobs, out = place / "jobs", place / "out"
    jobs.mkdir()
    out.mkdir()
    recipes = write_kinds(jobs)
    for kind in kinds:
        if file_bytes is not None:
            with_an_earlier_release(out / kind)
    before = contents(out)
    commands = [Command(("protect", recipes[kind], "--out", out / kind, "--replace")) for kind in kinds]
    said = "the disk is full" if file_bytes is None else "a file would become larger than the system allows"
    for kind, ended in zip(kinds, drive(commands, around=around(out), file_bytes=file_bytes), strict=True):
        check(ended, said, jobs / kind)
    # Finished batches of notes stay for the next run: nothing in them is raw.
    left = {name: held for name, held in contents(out).items() if not name.startswith("text/.sfumato-text/")}
    assert left == before
    assert not list(out.glob("*/.sfumato-text/*.raw.*"))
    assert not [path for path in out.rglob(".sfumato-*") if path.name != ".sfumato-text"]


@pytest.mark.mounts
@pytest.mark.parametrize("kilobytes", [pytest.param(8, marks=pytest.mark.slow), 40])
def test_a_disk_that_is_really_full(tmp_path: Path, kilobytes: int) -> None:
    """Forty kilobytes suffice for the data and not for the reports of all kinds."""
    full_disks(list(KINDS), tmp_path, lambda out: mounting(f"size={kilobytes}k", out), None)


def test_files_that_may_not_grow_leave_the_earlier_release(tmp_path: Path) -> None:
    """Kinds that compile little: what is compiled cannot be kept under such a limit."""
    full_disks(["table", "text", "dna-statistics", "query"], tmp_path, lambda _: [], 3000)


@pytest.mark.slow
@pytest.mark.parametrize("bytes_", [600, 3000, 12000])
def test_files_that_may_not_grow_leave_the_earlier_release_of_every_kind(tmp_path: Path, bytes_: int) -> None:
    full_disks(list(KINDS), tmp_path, lambda _: [], bytes_)


@pytest.mark.mounts
def test_a_full_temporary_folder_does_not_refute_a_network(tmp_path: Path) -> None:
    """What the check wrote again did not fit, and was taken for a release that is not what it claims."""
    recipe = write_kinds(tmp_path)["graph"]
    (tmp_path / "tmp").mkdir()
    (ended,) = drive(
        [Command(("protect", recipe, "--out", tmp_path / "out"))],
        around=mounting("size=4k", tmp_path / "tmp"),
        environment={"TMPDIR": str(tmp_path / "tmp")},
    )
    check(ended, "the disk is full", recipe.parent)
    assert str(tmp_path / "tmp") in ended.sentence
    assert not (tmp_path / "out").exists()


@pytest.mark.mounts
def test_a_read_only_disk(tmp_path: Path) -> None:
    recipes = write_kinds(tmp_path)
    (tmp_path / "out").mkdir()
    commands = [
        Command(("protect", recipe, "--out", tmp_path / "out" / kind)) for kind, recipe in recipes.items()
    ]
    for (kind, recipe), ended in zip(
        recipes.items(), drive(commands, around=mounting("ro", tmp_path / "out")), strict=True
    ):
        check(ended, "the disk is read-only", recipe.parent)
        assert str(tmp_path / "out" / kind) in ended.sentence


def test_too_many_open_files_are_said_so(tmp_path: Path) -> None:
    """With room for one open file nothing can be done, and every kind says why."""
    recipes = write_kinds(tmp_path)
    commands = [Command(("protect", recipe, "--out", tmp_path / "out")) for recipe in recipes.values()]
    for recipe, ended in zip(recipes.values(), drive(commands, files=4), strict=True):
        check(ended, "too many files are open", recipe.parent)
    # Deleting a folder needs open files, too: an empty one may stay.
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file() and path.stat().st_size]


def test_single_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    recipe = KINDS["table"](tmp_path)
    data = tmp_path / "people.csv"
    (tmp_path / "risk.html").write_text("an earlier page")
    asked = {
        "recipe.yaml": ("init", data, "--out", tmp_path / "new.yaml"),
        "risk.html": ("risk", data, "--quasi", "age,zip", "--report", tmp_path / "risk.html", "--replace"),
        "genotypes": ("dna", "simulate", "--people", 20, "--sites", 2000, "--out", tmp_path / "made.vcf"),
        "compare": ("compare", recipe, "--vary", "k=2", "--no-cache", "--out", tmp_path / "compare"),
    }
    before = contents(tmp_path)
    *limited, nowhere = drive(
        [
            *(Command(one) for one in asked.values()),
            Command(asked["compare"], {"TMPDIR": str(tmp_path / "nowhere")}),
        ],
        file_bytes=300,
    )
    for ended in limited:
        check(ended, "a file would become larger than the system allows", tmp_path)
    check(nowhere, SAID["TMPDIR is not there"], tmp_path)
    assert contents(tmp_path) == before
    assert os.listdir(tmp_path).count("compare") == 0
