"""Verify a release: re-check every claim that its bytes allow, and say what the others would need."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.core.evidence import EVIDENCE_VERSION, PublicEvidence, VerdictEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.core.verdict import Basis
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Table
from sfumato.engine.sources import MISSING, CsvFile, ParquetFile, Source, source_of
from sfumato.recipe.fingerprint import sha256_of
from sfumato.recipe.named import build
from sfumato.recipe.release import EVIDENCE, SCHEMA
from sfumato.recipe.released_schema import ReleasedSchema
from sfumato.table.models import MODELS
from sfumato.table.published import PublishedTable

M = TypeVar("M", bound=BaseModel)


class Status(StrEnum):
    """What became of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class Finding:
    """A claim, whether it is borne out, and why."""

    claim: str
    status: Status
    detail: str

    def __str__(self) -> str:
        return f"{self.status}: {self.claim} ({self.detail})"


@dataclass(frozen=True)
class Verification:
    """All findings about one release."""

    findings: tuple[Finding, ...]

    @property
    def refuted(self) -> tuple[Finding, ...]:
        """The claims that do not hold."""
        return tuple(finding for finding in self.findings if finding.status is Status.REFUTED)


def verify(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a release folder from its bytes; ``original`` lets more claims be checked."""
    release = Path(release)
    if not release.is_dir():
        raise BadInput("this is no folder", where=str(release), remedy="give the folder of a release")
    if (release / "release").is_dir():
        release = release / "release"
    evidence = _load(release / EVIDENCE, PublicEvidence)
    schema = _load(release / SCHEMA, ReleasedSchema)
    if evidence.version > EVIDENCE_VERSION:
        raise BadInput(
            f"the evidence has version {evidence.version}", where=str(release), remedy="use a newer Sfumato"
        )
    path = release / Path(evidence.data.file).name
    if not path.exists():
        raise BadInput("the released data are not there", where=str(path), remedy="get the whole release")
    progress.step("reading the release")
    findings = [_fingerprint(path, evidence)]
    engine = open_engine("duckdb")
    try:
        source: Source = (
            ParquetFile(path)
            if path.suffix == ".parquet"
            else CsvFile(path, ",", missing=tuple(schema.missing_values), quoted_missing=False)
        )
        table = engine.read(source)
        findings.append(_rows(engine, table, evidence))
        findings.append(_columns(table, evidence, schema))
        findings.extend(_labels(engine, table, schema))
        progress.step("checking the promises")
        published = PublishedTable(table, schema.quasi, schema.sensitive)
        findings.append(_about_the_recipe(evidence))
        for claim in evidence.verdicts:
            findings.extend(_promise(claim, published))
        progress.step("comparing with the original")
        before = None if original is None else engine.read(_original(Path(original), evidence))
        findings.append(_suppressed(engine, table, evidence, before))
        findings.extend(_unchanged(engine, table, evidence, before))
    finally:
        engine.close()
    return Verification(tuple(findings))


def _load(path: Path, kind: type[M]) -> M:
    try:
        return kind.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise BadInput(
            "the file is not there", where=str(path), remedy="give the folder of a release"
        ) from None
    except (NotADirectoryError, UnicodeDecodeError, json.JSONDecodeError):
        raise BadInput("this is not JSON", where=str(path), remedy="get the release again") from None
    except ValidationError as problem:
        if path.name == EVIDENCE and '"edition": "steward"' in path.read_text(encoding="utf-8"):
            raise BadInput(
                "this is the steward's folder", where=str(path.parent), remedy="give the folder 'release'"
            ) from None
        place = ".".join(str(step) for step in problem.errors()[0]["loc"])
        raise BadInput(
            f"'{place}' is not as it should be", where=str(path), remedy="get the release again"
        ) from None


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _finding(claim: str, holds: bool, yes: str, no: str) -> Finding:
    return Finding(claim, Status.CONFIRMED if holds else Status.REFUTED, yes if holds else no)


def _fingerprint(path: Path, evidence: PublicEvidence) -> Finding:
    return _finding(
        "the data are those that were released",
        sha256_of(path) == evidence.data.sha256,
        "the fingerprint is the same",
        "the fingerprint is another: the file was changed",
    )


def _rows(engine: Engine, table: Table, evidence: PublicEvidence) -> Finding:
    rows = engine.rows(table)
    return _finding(
        f"the release has {_many(evidence.data.rows, 'row')}",
        rows == evidence.data.rows,
        "counted",
        f"it has {rows:,}",
    )


def _columns(table: Table, evidence: PublicEvidence, schema: ReleasedSchema) -> Finding:
    """Identifiers must be gone, and schema and evidence must tell the same story."""
    hidden = {c.name for c in evidence.columns if c.role in (Role.PERSON, Role.IDENTIFIER)}
    shown = [c for c in evidence.columns if c.name not in hidden]
    agree = (
        table.names == tuple(field.name for field in schema.fields) == tuple(c.name for c in shown)
        and [str(field.role) for field in schema.fields] == [c.role for c in shown]
        and not hidden & set(table.names)
    )
    return _finding(
        "the release has the columns and roles that its evidence names, and no identifier",
        agree,
        _many(len(table.names), "column"),
        "file, schema and evidence disagree",
    )


def _labels(engine: Engine, table: Table, schema: ReleasedSchema) -> list[Finding]:
    """A column that was lifted to a level shows only labels of its hierarchy at that level."""
    wrong = []
    lifted = [field for field in schema.fields if field.hierarchy is not None and field.hierarchy.level]
    if not lifted:
        return []
    for field in lifted:
        assert field.hierarchy is not None
        known = {path[0] for path in field.hierarchy.paths} | {"*"}
        found = {
            value for batch in engine.count(table, [field.name]) for value in batch.column(0).to_pylist()
        }
        if not found <= known:
            wrong.append(field.name)
    return [
        _finding(
            "generalised columns show only labels of their hierarchies",
            not wrong,
            "every label is known",
            f"unknown labels in {', '.join(wrong)}",
        )
    ]


def _about_the_recipe(evidence: PublicEvidence) -> Finding:
    """Nobody may promise one thing and check another."""
    checked = [{claim.model: claim.parameters} for claim in evidence.verdicts]
    return _finding(
        "the verdicts are about the promises of the recipe",
        evidence.recipe.get("models") == checked,
        _many(len(checked), "promise"),
        "recipe and verdicts disagree",
    )


def _promise(claim: VerdictEvidence, published: PublishedTable) -> list[Finding]:
    spelt = ", ".join(f"{key} = {value}" for key, value in claim.parameters.items())
    words = f"{claim.model} with {spelt}" if spelt else claim.model
    if claim.model not in MODELS:
        return [Finding(words, Status.NOT_CHECKED, "this version does not know the model")]
    model = build(MODELS, {claim.model: dict(claim.parameters)}, "model")
    verdict = model.check(published)
    if claim.basis == Basis.POPULATION:
        return [Finding(words, Status.NOT_CHECKED, "needs the population")]
    if claim.basis != Basis.RELEASE:
        return [
            _finding(f"{words}, counted in rows", verdict.holds, verdict.achieved, str(verdict)),
            Finding(
                f"{words}, counted in persons",
                Status.NOT_CHECKED,
                "the release does not say which rows are one person's: only the steward can check it",
            ),
        ]
    same = verdict.holds == claim.holds and verdict.achieved == claim.achieved
    return [_finding(words, verdict.holds and same, verdict.achieved, str(verdict))]


def _original(path: Path, evidence: PublicEvidence) -> Source:
    """Read the original the way the recipe did."""
    source = source_of(path)
    if not isinstance(source, CsvFile):
        return source
    resources = evidence.recipe.get("resources")
    told = resources[0] if isinstance(resources, list) and resources else {}
    return CsvFile(
        path,
        told.get("delimiter"),
        told.get("encoding", "utf-8"),
        tuple(told.get("missingValues", MISSING)),
    )


def _suppressed(engine: Engine, table: Table, evidence: PublicEvidence, original: Table | None) -> Finding:
    claim = f"{_many(evidence.suppressed_records, 'record')} suppressed"
    if original is None:
        return Finding(claim, Status.NOT_CHECKED, "needs --original")
    rows = engine.rows(original)
    dropped = evidence.suppressed_records if evidence.suppressed_policy == "drop" else 0
    return _finding(
        claim, engine.rows(table) + dropped == rows, f"of {rows:,}", f"the original has {rows:,} rows"
    )


def _unchanged(
    engine: Engine, table: Table, evidence: PublicEvidence, original: Table | None
) -> list[Finding]:
    """Columns that are not generalised hold values of the original, and none more often than it."""
    kept = [c.name for c in evidence.columns if c.treatment in ("released as it is", "unchanged")]
    generalised = [c for c in evidence.columns if c.role == Role.QUASI_IDENTIFIER and c.name not in kept]
    findings = []
    if kept:
        claim = f"the values of {', '.join(kept)} are those of the original"
        if original is None:
            findings.append(Finding(claim, Status.NOT_CHECKED, "needs --original"))
        else:
            starred = evidence.suppressed_policy == "star"
            wrong = [name for name in kept if _invented(engine, original, table, name, starred=starred)]
            findings.append(
                _finding(claim, not wrong, "none is new or more frequent", f"not so in {', '.join(wrong)}")
            )
    if generalised:
        claim = f"the generalised values of {', '.join(c.name for c in generalised)} are true"
        findings.append(Finding(claim, Status.NOT_CHECKED, "needs the steward's recipe and hierarchies"))
    return findings


def _invented(engine: Engine, original: Table, released: Table, column: str, *, starred: bool) -> bool:
    before = _frequencies(engine, original, column)
    return any(
        number > before.get(value, 0)
        for value, number in _frequencies(engine, released, column).items()
        if not (starred and value in ("*", None))
    )


def _frequencies(engine: Engine, table: Table, column: str) -> dict[object, int]:
    found: dict[object, int] = {}
    for batch in engine.count(table, [column]):
        found.update(zip(map(_text, batch.column(0).to_pylist()), batch.column(1).to_pylist(), strict=True))
    return found


def _text(value: object) -> str | None:
    return None if value is None else as_text(value)
