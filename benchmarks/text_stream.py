"""Many notes: characters a second from the file to the release, and the memory of each process.

    python -m benchmarks.text_stream [MEGABYTES]

Notes are made up (``sfumato.text.training``) and repeated with other people until the file is as long as
asked (20 MB unless given; 1000 for the whole bar). Once with the search by rules alone, once with the model.
Each release is made by a process of its own, so that neither making up the notes nor the release before it
counts as memory of the parent. The bars: 400 MB a process however long the file is, and 50,000 characters a
second and core with the model, 100,000 without. Speed is counted in CPU seconds of all processes, so that it
does not depend on the cores.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from benchmarks.result import HERE, Result, children_cpu, table

_NOTES = 2000


def write_notes(path: Path, megabytes: float) -> int:
    """Write notes of people in turns; return the characters."""
    from sfumato.text.training import generated_notes

    notes = [note.text for note in generated_notes(_NOTES, seed=5)]
    characters = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["patient", "note"])
        number = 0
        while file.tell() < megabytes * 1e6:
            note = notes[number % len(notes)]
            writer.writerow([f"p{number % 1009}-{number // 10_000}", note])
            characters += len(note)
            number += 1
    return characters


class _Watched:
    """Looks every tenth of a second how much memory each child holds; keeps the most."""

    def __init__(self) -> None:
        self.most = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> _Watched:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.1):
            for process in Path("/proc").glob("[0-9]*/stat"):
                try:
                    told = process.read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(told[1]) == os.getpid():
                    self.most = max(self.most, int(told[21]) * resource.getpagesize() / 1e6)


def release(path: Path, model: str, target: Path) -> dict[str, float]:
    """Release the notes in two processes; return CPU seconds, and the memory of a worker and the parent."""
    # Workers import this file again: what only the parent needs is imported here, as the terminal does it.
    from sfumato.core.schema import Field, Role, Schema
    from sfumato.engine.sources import CsvFile
    from sfumato.recipe.prepared import released
    from sfumato.recipe.text.job import TextJob
    from sfumato.text.finders import LanguageFinding

    schema = Schema((Field("patient", Role.PERSON), Field("note", Role.TEXT)))
    job = TextJob(CsvFile(path), schema, LanguageFinding(model=model), jobs=2)
    with _Watched() as watched:
        released(job, target)
    own = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "seconds": own.ru_utime + own.ru_stime + children_cpu(),
        "worker": watched.most,
        "parent": own.ru_maxrss / 1e3,
    }


def run(megabytes: float = 20) -> list[Result]:
    """Release the notes in both ways."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notes.csv"
        characters = write_notes(path, megabytes)
        for model, bar in (("none", 100_000), ("shipped", 50_000)):
            done = subprocess.run(
                [sys.executable, "-m", "benchmarks.text_stream", str(path), model, str(Path(folder) / model)],
                check=True,
                capture_output=True,
                text=True,
                cwd=HERE.parent,
            )
            told = json.loads(done.stdout)
            what = "rules alone" if model == "none" else "with the learned model"
            note = f"{characters / told['seconds']:,.0f} characters a CPU second, with loading"
            work = f"{megabytes:g} MB, {what}"
            spent = 1e6 * told["seconds"] / characters
            found += [
                Result(f"{work}: a million characters", spent, "s CPU", 1e6 / bar, note=note),
                Result(f"{work}: memory of a worker", told["worker"], "MB", 400),
                Result(f"{work}: memory of the parent", told["parent"], "MB", 400),
            ]
    return found


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(json.dumps(release(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))))
    else:
        print(table("Many notes", run(float(sys.argv[1]) if len(sys.argv) > 1 else 20)))
