"""Carry a job over notes out: read, mask the columns, handle every record, ask the promises."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import sfumato.text
from sfumato.__about__ import __version__
from sfumato.core.errors import PromiseNotMet
from sfumato.core.fingerprint import chunks_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.sources import FILES, ParquetFile
from sfumato.masking import Vault, mask_table
from sfumato.masking.binary import refuse_binary
from sfumato.recipe.job import check_listed
from sfumato.recipe.text.attacked import Against, against_notes
from sfumato.recipe.text.beside import refuse_telling_columns
from sfumato.recipe.text.evaluated import Evaluated
from sfumato.recipe.text.job import TextJob
from sfumato.text.models.recall_at_least import RecallAtLeast
from sfumato.text.ontology.named import is_file
from sfumato.text.stream.batch import counts_in, samples_of
from sfumato.text.stream.handling import of_promise
from sfumato.text.stream.pool import Task, handle_all
from sfumato.text.stream.reading import Mended, NotesFolder, text_files
from sfumato.text.stream.staging import Staged, sort_into_batches, stage
from sfumato.text.stream.work import Work

MEMORY = "96MB"
"""of the engine, where the recipe gives no limit: what is longer goes to disk"""


@dataclass(frozen=True)
class TextOutcome:
    """What a job came to: finished batches in the folder of the work, and what was counted."""

    job: TextJob
    parts: tuple[Path, ...]
    counts: Counter[str]
    verdicts: tuple[Verdict, ...]
    samples: tuple[Mapping[str, Any], ...] = field(repr=False)
    """notes before and after: for the steward alone"""
    facts: Mapping[str, Any]
    vault: Vault = field(repr=False)
    seconds: Mapping[str, float]
    against: Against = field(default_factory=Against)
    work: Work | None = field(default=None, repr=False)
    """what may be taken up again while the release is not finished"""
    measured: Evaluated | None = field(default=None, repr=False)
    """what adversaries learn: for the steward alone"""


def identity_of(job: TextJob) -> dict[str, Any]:
    """Return what unfinished work is bound to: recipe, input, key and code."""
    from sfumato.masking.keys import derive

    key = b"" if job.masking.key is None else derive(job.masking.key.load(), ("sfumato", "unfinished-work"))
    model = job.finding.model_file
    return {
        "recipe": job.public_recipe(),
        "rest": [job.memory, job.batch, job.sample, str(job.finding.model), str(job.masking)],
        "sanitise": [repr(job.method.sanitise), *_ontology(job)],
        "input": _digest(input_bytes(job)) if _is_on_disk(job) else secrets.token_hex(16),
        "key": key.hex(),
        "model": "" if model is None else _digest(chunks_of(model)),
        "code": [__version__, _code()],
    }


def _ontology(job: TextJob) -> list[str]:
    """Return a fingerprint of the file of terms, where there is one."""
    name = str((job.method.sanitise or {}).get("ontology", ""))
    return [_digest(chunks_of(Path(name)))] if is_file(name) else []


def _is_on_disk(job: TextJob) -> bool:
    return isinstance(job.source, (*FILES, NotesFolder))


def input_bytes(job: TextJob) -> Iterator[bytes]:
    """Return what a fingerprint of the input is made of: the file, the files, or the rows."""
    source = job.source
    if isinstance(source, NotesFolder):
        for path in text_files(source.path):
            yield path.relative_to(source.path).as_posix().encode("utf-8", "surrogateescape") + b"\0"
            yield from chunks_of(path)
    elif isinstance(source, FILES):
        yield from chunks_of(source.path)
    else:
        with DuckEngine() as engine:
            for batch in engine.pieces(engine.read(source), 256):
                yield batch.serialize().to_pybytes()


def _digest(chunks: Iterator[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


@cache
def _code() -> str:
    """Return a fingerprint of the code and the lexicons that handle notes."""
    digest = hashlib.sha256()
    root = Path(sfumato.text.__file__).parent
    for path in sorted(root.rglob("*")):
        if path.suffix == ".py" or path.parent.name == "data":
            digest.update(path.relative_to(root).as_posix().encode() + b"\0")
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def carry_out_text(
    job: TextJob, work: Work, progress: Progress = SILENT, measured: Counter[str] | None = None
) -> TextOutcome:
    """Read, handle, and ask the promises; what was done by an earlier run is not done again.

    ``measured`` are the sums over annotated notes, for promises about recall.
    """
    started = time.perf_counter()
    if not work.lengths or not work.sorted.exists():
        _prepare(job, work, progress)
    read = time.perf_counter()
    progress.step(_said(work))
    task = Task(job.handling, job.layout, work.folder, tuple(work.state["sampled"]))
    handle_all(task, work, job.jobs, progress)
    handled = time.perf_counter()
    progress.step("asking the promises")
    parts = tuple(work.batch(number) for number in range(len(work.lengths)))
    counts: Counter[str] = Counter()
    samples: list[Mapping[str, Any]] = []
    for part in parts:
        counts.update(counts_in(part))
        samples += samples_of(part)
    verdicts = tuple(held(job, counts, measured or Counter()))
    seconds = {"read": round(read - started, 3), "protect": round(handled - read, 3)}
    against = against_notes(job, parts, work.sorted, progress)
    vault = Vault.read(work.vault) if work.vault.exists() else Vault()
    return TextOutcome(
        job, parts, counts, verdicts, tuple(samples), dict(work.state["facts"]), vault, seconds, against
    )


def _said(work: Work) -> str:
    done, all_ = len(work.finished()), len(work.lengths)
    going_on = f", going on after {done:,} of {all_:,} batches" if done else ""
    return f"finding and replacing{going_on}"


def _prepare(job: TextJob, work: Work, progress: Progress) -> None:
    """Read the notes, mask the columns beside them, and lay all of it out by person."""
    progress.step("reading")
    memory = job.memory or MEMORY
    with DuckEngine(memory, threads=2) as engine:
        staged = stage(
            job.source, job.layout, work.staged, engine, lambda names: check_listed(job.schema, names)
        )
        refuse_telling_columns(job, work.staged)
        progress.step("masking the columns beside the notes")
        table = engine.read(ParquetFile(work.staged))
        refuse_binary(table, job.schema.released)
        vault = _vault(job, work)
        masked = mask_table(table, job.schema, job.masking, vault)
        if len(masked.secrets.vault) and not work.vault.exists():
            # Codes are drawn once: a later run that reads the notes again must go on with them.
            # A crash must not leave half of them: a code that was lost would be drawn anew.
            unwritten = work.vault.with_suffix(".tmp")
            unwritten.unlink(missing_ok=True)
            masked.secrets.vault.write(unwritten)
            unwritten.rename(work.vault)
        progress.step("sorting by person")
        unfinished = work.sorted.with_suffix(".tmp")
        lengths = sort_into_batches(masked.table, job.layout, unfinished, engine, job.batch, staged)
    if work.lengths and work.lengths != lengths:
        raise PromiseNotMet(
            "the notes are not those that the work was begun with",
            remedy="nothing was published, run it again",
        )
    unfinished.rename(work.sorted)
    work.staged.unlink()
    work.remember(
        lengths=lengths,
        sampled=_sampled(staged.rows, job.sample),
        facts={
            **_facts(staged),
            "withheld_rows": masked.rows_withheld,
            "withheld_persons": masked.persons_withheld,
            "repairs": list(masked.repairs),
            "mended": list(masked.mended),
        },
    )


def _vault(job: TextJob, work: Work) -> Vault | None:
    return Vault.read(work.vault) if work.vault.exists() else None


def _facts(staged: Staged) -> dict[str, int]:
    mended: Mended = staged.mended
    return {
        "rows": staged.rows,
        "characters": staged.characters,
        "other_encoding": mended.other_encoding,
        "lone_surrogates": mended.lone_surrogates,
    }


def _sampled(rows: int, sample: int) -> list[int]:
    """Draw the notes that the steward looks at, evenly from all."""
    if sample >= rows:
        return list(range(rows))
    drawn: set[int] = set()
    while len(drawn) < sample:
        drawn.update(SecretRandom().integers(rows, sample - len(drawn)).tolist())
    return sorted(drawn)


def held(job: TextJob, counts: Counter[str], measured: Counter[str]) -> list[Verdict]:
    """Ask every promise about the sums; refuse to go on when one does not hold."""
    found = []
    for place, model in enumerate(job.models):
        sums = measured if isinstance(model, RecallAtLeast) else of_promise(counts, place)
        verdict = model.verdict(sums)
        if not verdict.holds:
            raise PromiseNotMet(
                str(verdict),
                remedy="look at what the policy keeps, lower the threshold, or leave columns out of 'known'",
            )
        found.append(verdict)
    return found
