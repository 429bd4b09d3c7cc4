"""The Python door to releases of notes: the same job as a recipe, spelt as a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.core.evidence_text import StewardTextEvidence, TextEvidence
from sfumato.core.fingerprint import input_fingerprint
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.temporary import temporary_folder
from sfumato.core.verdict import Verdict
from sfumato.engine.contract import Order
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.frames import like
from sfumato.engine.sources import FILES, CsvFile, Frame, JsonLines, Source, SqlTable, source_of
from sfumato.masking import KeySource, Vault, masking_plan, settle
from sfumato.masking.contract import Mask
from sfumato.masking.spec import Spec
from sfumato.recipe.arguments import built, choice
from sfumato.recipe.text.evaluated import evaluated
from sfumato.recipe.text.evidence import gather_text
from sfumato.recipe.text.job import TextJob
from sfumato.recipe.text.outcome import carry_out_text, input_bytes
from sfumato.recipe.text.release import check_secrets, written
from sfumato.report import save as save_report
from sfumato.text.finders import SHIPPED, LanguageFinding
from sfumato.text.methods import Deidentify
from sfumato.text.methods.deidentify import Options
from sfumato.text.models import MODELS
from sfumato.text.models.contract import TextModel
from sfumato.text.span import THRESHOLD
from sfumato.text.stream.decoding import writable
from sfumato.text.stream.reading import NotesFolder, rows_of
from sfumato.text.stream.work import Work

Spelt = str | Mapping[str, Any]
Models = TextModel | Spelt | Sequence[TextModel | Spelt]


@dataclass(frozen=True)
class TextRelease:
    """Released notes in memory: the data, the verdicts, what was found, and a report on request."""

    data: Any = field(repr=False)
    """a frame like the one that came in, or records; its rows shuffled"""
    verdicts: tuple[Verdict, ...]
    evidence: StewardTextEvidence = field(repr=False)
    public: TextEvidence = field(repr=False)
    """the evidence that may go out with the data"""
    vault: Vault = field(repr=False)
    """random codes of masked columns: keep it, or nobody can tell who is who"""

    @property
    def found(self) -> dict[str, int]:
        """How many things were found, by kind."""
        counts: dict[str, int] = {}
        for one in self.public.replaced:
            counts[one.kind] = counts.get(one.kind, 0) + one.number
        return counts

    def report(self, path: str | Path, *, public: bool = False) -> Path:
        """Write the report, for the steward or for the public."""
        return save_report(self.public if public else self.evidence, path)


def protect_text(
    data: Any,
    *,
    text: str,
    person: str | None = None,
    identifier: Sequence[str] = (),
    quasi: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    known: Mapping[str, str] | None = None,
    written: str | None = None,
    replace: str | dict[str, Options | None] = "tags",
    policy: str = "safe-harbor",
    days: int = 365,
    models: Models = (),
    language: str = "en",
    model: str = SHIPPED,
    threshold: float = THRESHOLD,
    masks: Mapping[str, Mask | Spec] | None = None,
    key: str | Path | KeySource | None = None,
    recipient: str = "",
    purpose: str = "",
    annotated: str | Path | None = None,
    jobs: int = 1,
    order: str = "shuffled",
    title: str = "Untitled release",
    progress: Progress = SILENT,
) -> TextRelease:
    """De-identify notes in a frame, a list of records, or a file, and return a release in memory.

    ``text`` is the column of notes, ``person`` the one that says whose they are; neither it nor columns of
    ``identifier`` are released, unless ``masks`` say how. ``known`` columns are searched for in the notes of
    their person (``{"name": "NAME"}``). All other columns are released as they are. With more than one of
    ``jobs`` the calling script must be importable (``if __name__ == "__main__"``).

    >>> import pandas as pd, sfumato as sf
    >>> notes = pd.DataFrame({"who": ["1"], "note": ["Mail to ada@example.org."], "ward": ["A"]})
    >>> release = sf.protect_text(notes, text="note", person="who", model="none")
    >>> release.data["note"][0], list(release.data.columns), release.found
    ('Mail to **EMAIL.', ['note', 'ward'], {'EMAIL': 1})
    """
    source, records = _source(data)
    schema = Schema.of(
        _names(source),
        identifier=list(identifier),
        person=person,
        quasi=list(quasi),
        sensitive=list(sensitive),
    )
    beside = Schema(tuple(column for column in schema.fields if schema.field(text) is not column))
    plan = masking_plan(masks, key=key, recipient=recipient, purpose=purpose)
    settled, plan = settle(beside, plan)
    by_name = {column.name: column for column in settled.fields}
    job = TextJob(
        source=source,
        schema=Schema(tuple(by_name.get(c.name, Field(c.name, Role.TEXT)) for c in schema.fields)),
        finding=LanguageFinding(language, model, threshold),
        method=Deidentify(replace, policy, days),
        models=_models(models),
        known=_known(known),
        written=written,
        annotated=None if annotated is None else Path(annotated),
        masking=plan,
        title=title,
        order=choice(Order, order, "order"),
        jobs=jobs,
        sample=0,
    )
    framed = not records and not isinstance(data, (str, Path, SqlTable, Frame, NotesFolder, *FILES))
    return _in_memory(job, data if framed else None, records, progress)


def _known(known: Any) -> dict[str, str]:
    """Take what known columns hold; a list of their names does not say it."""
    if known is None or isinstance(known, Mapping):
        return dict(known or {})
    raise BadInput(
        "'known' does not say what its columns hold",
        where="known",
        remedy='write a mapping from columns to kinds, such as known={"name": "NAME", "phone": "PHONE"}',
    )


def _in_memory(job: TextJob, frame: Any, records: bool, progress: Progress) -> TextRelease:
    """Carry a job out in a temporary folder; nothing of it stays."""
    check_secrets(job)
    measured = evaluated(job, progress)
    with temporary_folder() as folder:
        sums = None if measured is None else measured.sums
        outcome = carry_out_text(job, Work(folder), progress, sums)
        released = pa.concat_tables([bucket.combine_chunks() for bucket in written(outcome)])
    data = ev.DataEvidence(file="in memory", sha256="", rows=released.num_rows, bytes=0)
    fingerprint = input_fingerprint(input_bytes(job), outcome.facts["rows"], None)
    gathered = gather_text(outcome, data, fingerprint, measured, None)
    shown: Any = released.to_pylist() if records else released
    if frame is not None:
        shown = like(frame, released)
    return TextRelease(shown, gathered.verdicts, gathered.steward, gathered.public, outcome.vault)


def _source(data: Any) -> tuple[Source | NotesFolder, bool]:
    """Take a source as it is, or make one of a path, a frame, or a list of records."""
    if isinstance(data, (SqlTable, Frame, NotesFolder, *FILES)):
        return data, False
    if isinstance(data, str | Path):
        return (NotesFolder(Path(data)) if Path(data).is_dir() else source_of(data)), False
    if isinstance(data, list | tuple):
        return Frame(_table(data)), True
    return Frame(data), False


def _table(records: Sequence[Any]) -> pa.Table:
    if not records or not all(isinstance(record, Mapping) for record in records):
        raise BadInput("records are mappings from columns to values", remedy='give [{"note": "…"}]')
    clean = [
        {name: writable(value)[0] if isinstance(value, str) else value for name, value in record.items()}
        for record in records
    ]
    try:
        return pa.Table.from_pylist(clean)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise BadInput(
            "a column mixes values of several types", where="the records", remedy="give texts"
        ) from None


def _names(source: Source | NotesFolder) -> tuple[str, ...]:
    if isinstance(source, CsvFile | JsonLines | NotesFolder):
        with rows_of(source) as rows:
            return rows.names
    with DuckEngine() as engine:
        return engine.read(source).names


def _models(models: Models) -> tuple[TextModel, ...]:
    listed = list(models) if isinstance(models, list | tuple) else [models]
    return tuple(built(MODELS, model, "model", "counted") for model in listed)
