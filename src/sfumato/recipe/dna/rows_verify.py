"""Verify released rows: re-check every claim that their bytes allow, and say what the others would need."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.core.describe import means_what_it_says, verdict_told
from sfumato.core.errors import BadInput, SfumatoError, SystemFault
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_dna import DnaEvidence
from sfumato.core.findings import Finding, Status, Verification, finding, many, written_again
from sfumato.core.named import build
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.core.system import raise_system_fault
from sfumato.core.verdict import Basis
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import RowModel
from sfumato.dna.models import ROW_MODELS
from sfumato.recipe.dna.on_disk import RowsOnDisk
from sfumato.recipe.dna.rows_evidence import STRIPPED_OF_ROWS
from sfumato.recipe.dna.rows_file import Content, is_canonical
from sfumato.recipe.dna.rows_schema import ReleasedRows, letters_of
from sfumato.recipe.dna.rows_shape import POSITIONS, TEXT
from sfumato.recipe.dna.rows_shown import shown_by
from sfumato.recipe.dna.rows_warned import warnings_of
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE
from sfumato.recipe.verify_every import (
    about_the_recipe,
    as_released,
    attacks,
    files,
    fingerprint,
    report_told,
)
from sfumato.release.names import REPORT, SCHEMA

_NO_POPULATION = "it compares with the population, which no release holds: the steward can check it"
_OF_PERSONS = "{} as rows; which rows are one person's only the steward knows"
_HIDDEN = (Role.PERSON, Role.IDENTIFIER)


def verify_rows(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with released rows from its bytes."""
    on_disk = RowsOnDisk.read(release)
    evidence, schema, path = on_disk.evidence, on_disk.schema, on_disk.path
    progress.step("reading the release")
    findings = [
        fingerprint(path, evidence),
        _meaning(path, evidence, schema),
        files(path.parent, evidence, schema.shape.more_files),
        report_told(path.parent / REPORT, evidence),
        _agree(evidence, schema),
        _letters(schema),
        about_the_recipe(evidence),
        *attacks(evidence),
    ]
    try:
        content = on_disk.content()
    except SystemFault:
        raise
    except SfumatoError as problem:
        claim = "the file holds the rows that its schema declares"
        return Verification((*findings, Finding(claim, Status.REFUTED, problem.what)))
    findings += _counted(content.rows, evidence)
    findings.append(_nothing_else(path, schema, content))
    findings.append(_warned(evidence, schema, content.rows))
    progress.step("checking the promises")
    findings += [_promise(claim, content.rows, evidence) for claim in evidence.verdicts]
    if not evidence.verdicts:
        findings.append(Finding("the release keeps a promise", Status.REFUTED, "there is none"))
    findings.append(_truth(evidence))
    if original is not None:
        findings.append(
            Finding(
                "every row is that of somebody in the original",
                Status.NOT_CHECKED,
                "the original does not say which row became which: only the steward can compare",
            )
        )
    return Verification(tuple(findings))


def _meaning(path: Path, evidence: DnaEvidence, schema: ReleasedRows) -> Finding:
    """The schema, and the files that belong to the released one, must be those that were released."""
    return finding(
        "what the rows stand for is as it was released",
        as_released(path.with_name(SCHEMA), evidence.schema_sha256, schema.more, schema.shape.more_files),
        "the fingerprint of the schema is the same",
        "a fingerprint is another: the schema, or a file beside the data, was changed",
    )


def _agree(evidence: DnaEvidence, schema: ReleasedRows) -> Finding:
    """File, schema, evidence and recipe must tell the same story."""
    told, method = _output(evidence), evidence.recipe.get("method")
    listed = _fields(evidence)
    in_table = schema.layout in (TEXT, POSITIONS)
    shown = [(one.name, str(one.role)) for one in schema.fields]
    released = [pair for pair in listed if pair[1] not in _HIDDEN]
    if listed and in_table:
        # Texts of an alignment may lie in a column for each position: then only what is beside stays.
        beside = [pair for pair in released if pair[1] != Role.SEQUENCE]
        columns = shown == released or (
            schema.layout == POSITIONS and [pair for pair in shown if pair[1] != Role.SEQUENCE] == beside
        )
    else:
        columns = {role for _, role in shown} == ({str(Role.SEQUENCE)} if in_table else set())
    agree = (
        schema.file == evidence.data.file == f"data.{told.get('format')}"
        and told.get("order") == evidence.order
        and isinstance(method, dict)
        and list(method) == [evidence.method]
        and schema.form == evidence.form
        and (schema.layout == schema.shape.format) != in_table
        and (evidence.rows is not None and (evidence.rows.positions is None) != schema.aligned)
        and columns
        and evidence.figures is None
        and evidence.stripped in STRIPPED_OF_ROWS
    )
    return finding(
        "file, schema, evidence and recipe tell of the same release",
        agree,
        f"{evidence.form}, laid out as {schema.layout}",
        "they disagree",
    )


def _output(evidence: DnaEvidence) -> dict[str, Any]:
    output = evidence.recipe.get("output")
    return output if isinstance(output, dict) else {}


def _resource(evidence: DnaEvidence) -> dict[str, Any]:
    recipe: Any = evidence.recipe
    try:
        return dict(recipe["resources"][0])
    except (KeyError, IndexError, TypeError, ValueError):
        return {}


def _fields(evidence: DnaEvidence) -> list[tuple[str, str]]:
    """Return the columns of the published recipe with their roles; nothing where it tells them wrongly."""
    try:
        return [(str(one["name"]), str(one["role"])) for one in _resource(evidence)["schema"]["fields"]]
    except (KeyError, TypeError):
        return []


def _letters(schema: ReleasedRows) -> Finding:
    """Nobody may say that R is an A."""
    named = [*schema.alleles] == (schema.sequences if schema.alleles else [])
    pairs = all(len(pair) == 2 and pair[0] != pair[1] for pair in schema.alleles.values())
    return finding(
        "letters stand for what they always stand for",
        schema.letters == letters_of(schema.lattice) and named and pairs,
        many(len(schema.letters), "value"),
        "the schema gives them another meaning",
    )


def _counted(rows: Aligned | Unaligned, evidence: DnaEvidence) -> list[Finding]:
    """Count again what the file shows."""
    found, told = shown_by(rows), evidence.rows
    number = 0 if told is None else told.rows
    return [
        finding(
            f"{many(number, 'row')} in groups of {0 if told is None else told.smallest:,} or more that look "
            "alike",
            found == told,
            "counted",
            f"{found.rows:,} in groups of {found.smallest:,} or more, or their cells are others",
        ),
        finding(
            f"the file has {many(evidence.data.rows, 'row')}",
            len(rows) == evidence.data.rows,
            "counted",
            f"it has {len(rows):,}",
        ),
    ]


def _nothing_else(path: Path, schema: ReleasedRows, content: Content) -> Finding:
    """A checker that passes over a header or a column would confirm what others read otherwise."""
    claim = "the file holds its rows and nothing else"
    try:
        same = is_canonical(path, schema, content)
    except (SfumatoError, OSError, EOFError, zlib.error, pa.ArrowException) as problem:
        raise_system_fault(problem)
        return Finding(claim, Status.REFUTED, "it could not be read again")
    return written_again(claim, same)


def _persons(evidence: DnaEvidence) -> bool:
    """Say whether the published recipe names a person of each row."""
    options = _resource(evidence).get("dna")
    named = isinstance(options, dict) and "person" in options
    return named or any(role == Role.PERSON for _, role in _fields(evidence))


def _warned(evidence: DnaEvidence, schema: ReleasedRows, rows: Aligned | Unaligned) -> Finding:
    """Who was counted and what the promises leave open must be told: both follow from what is public."""
    claim = "the evidence tells what the promises leave open"
    try:
        models = [_model_of(one) for one in evidence.verdicts if one.model in ROW_MODELS]
    except BadInput:
        return Finding(claim, Status.REFUTED, "a promise is not as it should be")
    person = _persons(evidence)
    expected = warnings_of(
        models,
        person=person,
        aligned=isinstance(rows, Aligned),
        beside=_beside(schema),
        sensitive=[one.name for one in schema.fields if one.role is Role.SENSITIVE],
        order=evidence.order,
    )
    return finding(
        claim,
        set(expected) <= set(evidence.warnings)
        and evidence.people == (PERSONS_COUNTED if person else ROWS_AS_PEOPLE),
        many(len(evidence.warnings), "warning"),
        "a warning is missing, or who was counted is told otherwise than the recipe does",
    )


def _beside(schema: ReleasedRows) -> tuple[str, ...]:
    of = {role: [one.name for one in schema.fields if one.role is role] for role in Role}
    return (*of[Role.SENSITIVE], *of[Role.INSENSITIVE])


def _model_of(claim: VerdictEvidence) -> RowModel:
    model: RowModel = build(ROW_MODELS, {claim.model: dict(claim.parameters)}, "model")
    return model


def _promise(claim: VerdictEvidence, rows: Aligned | Unaligned, evidence: DnaEvidence) -> Finding:
    spelt = ", ".join(
        f"{key} = {f'{len(value):,} given' if isinstance(value, list) else value}"
        for key, value in claim.parameters.items()
    )
    words = f"{claim.model} with {spelt}" if spelt else claim.model
    if claim.model not in ROW_MODELS:
        return Finding(words, Status.NOT_CHECKED, "this version does not know the model")
    try:
        model = _model_of(claim)
        if not means_what_it_says(claim, model):
            return Finding(words, Status.REFUTED, "it means something else than the evidence says")
        if not claim.holds:
            return Finding(words, Status.REFUTED, "the evidence says that it does not hold")
        if model.basis is Basis.POPULATION:
            return Finding(words, Status.NOT_CHECKED, _NO_POPULATION)
        verdict = model.check(rows)
    except SystemFault:
        raise
    except SfumatoError as problem:
        return Finding(words, Status.REFUTED, f"it cannot be checked: {problem.what}")
    several = _persons(evidence) and claim.basis == str(Basis.ORIGINAL)
    if several and verdict.holds:
        # People are at most as many as their rows: rows that are too few refute, enough do not confirm.
        return Finding(words, Status.NOT_CHECKED, _OF_PERSONS.format(verdict.achieved))
    same = claim == verdict_told(model, verdict, claim.parameters)
    return finding(words, verdict.holds and same, verdict.achieved, str(verdict))


def _truth(evidence: DnaEvidence) -> Finding:
    """Which row was whose is not told, so nobody else can compare them."""
    claim = "every cell holds what stood there"
    if not evidence.truthful:
        return Finding(claim, Status.REFUTED, "the evidence says that it is not so")
    return Finding(claim, Status.NOT_CHECKED, "needs the house, where it was compared before the release")
