"""Verify released notes: what their bytes show, and what nobody can check from them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from sfumato.__about__ import __version__
from sfumato.core.errors import BadInput, SfumatoError, SystemFault
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_text import TextEvidence
from sfumato.core.findings import Finding, Status, Verification, finding, many
from sfumato.core.named import build
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.core.verdict import Basis, Threat
from sfumato.masking.spec import Spec
from sfumato.recipe.text.found_again import found_again
from sfumato.recipe.text.on_disk import TextOnDisk, columns_in, released_pieces, remarks_in
from sfumato.recipe.text.released_schema import ReleasedText
from sfumato.recipe.text.verify_told import (
    figures,
    invents,
    masked_values,
    told_of_the_recipe,
)
from sfumato.recipe.text.warned import NOT_PROMISED, warnings_of
from sfumato.recipe.verify_every import about_the_recipe, attacks, files, fingerprint, in_words, report_told
from sfumato.release.names import REPORT
from sfumato.text.kinds import Kind
from sfumato.text.models import MODELS
from sfumato.text.models.contract import Handled, TextModel
from sfumato.text.note import Record
from sfumato.text.replace.settled import PLACE_TAGS, TAG_NAMES

_HIDDEN = (Role.PERSON, Role.IDENTIFIER)
_TAGS = "tags"
_TAG = re.compile(rf"\*\*(?:{'|'.join(sorted({*TAG_NAMES.values(), *PLACE_TAGS.values()}, reverse=True))})")
_OPEN = re.compile(r"\*\*(?:NAME|DATE|AGE)\[")
_CLOSED = re.compile(r"\*\*(?:NAME|DATE|AGE)\[[^\[\]]{1,300}\]")
_KEPT = ("kept", "already replaced")
"""what was found and left standing: no tag is there for it"""


def verify_text(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with released notes from its bytes."""
    on_disk = TextOnDisk.read(release)
    evidence, schema, path = on_disk.evidence, on_disk.schema, on_disk.path
    progress.step("reading the release")
    findings = [
        fingerprint(path, evidence),
        files(path.parent, evidence),
        _columns(path, evidence, schema),
        _agree(evidence, schema),
        about_the_recipe(evidence),
        told_of_the_recipe(evidence, _masks(evidence)),
        report_told(path.parent / REPORT, evidence),
        *attacks(evidence),
        *figures(evidence),
        *masked_values(path, _masks(evidence)),
    ]
    findings += _counted(path, evidence, schema)
    if remarks_in(path):
        findings.append(Finding("the file holds its rows and nothing else", Status.REFUTED, "it has remarks"))
    progress.step("searching the release again")
    findings += _again(path, evidence)
    progress.step("checking the promises")
    findings.append(_words(evidence))
    findings += [_promise(told, path, evidence.text_column) for told in evidence.verdicts]
    findings += _beyond(evidence, original)
    return Verification(tuple(findings))


def _columns(path: Path, evidence: TextEvidence, schema: ReleasedText) -> Finding:
    """Identifiers must be gone, and file, schema and evidence must tell the same story."""
    claim = "the release has the columns and roles that its evidence names, and no identifier as it was"
    try:
        names = columns_in(path)
    except (BadInput, ValueError):
        return Finding(claim, Status.REFUTED, "the file could not be read")
    masked = _masked(evidence)
    shown = [
        (column.name, column.role)
        for column in evidence.columns
        if column.role not in _HIDDEN or column.name in masked
    ]
    told = [(field.name, str(field.role)) for field in schema.fields]
    agree = (
        list(names) == [name for name, _ in told]
        and told == shown
        and [column.name for column in evidence.columns if column.role == Role.TEXT] == [evidence.text_column]
        and _roles(evidence) == [(column.name, column.role) for column in evidence.columns]
    )
    return finding(claim, agree, many(len(names), "column"), "file, schema and evidence disagree")


def _fields(evidence: TextEvidence) -> list[dict[str, Any]]:
    """Return what the published recipe tells of columns; nothing where it tells it wrongly."""
    recipe: Any = evidence.recipe
    try:
        return [dict(one) for one in recipe["resources"][0]["schema"]["fields"]]
    except (KeyError, IndexError, TypeError, ValueError):
        return []


def _masks(evidence: TextEvidence) -> dict[str, Spec]:
    """Return the masks of the published recipe."""
    told = {str(field.get("name")): field["mask"] for field in _fields(evidence) if "mask" in field}
    return {name: dict(mask) if isinstance(mask, dict) else str(mask) for name, mask in told.items()}


def _masked(evidence: TextEvidence) -> set[str]:
    return set(_masks(evidence))


def _roles(evidence: TextEvidence) -> list[tuple[str, str]]:
    return [(str(field.get("name")), str(field.get("role"))) for field in _fields(evidence)]


def _told(evidence: TextEvidence) -> dict[str, Any]:
    recipe: Any = evidence.recipe
    try:
        return {
            "text": dict(recipe["resources"][0]["text"]),
            "method": dict(recipe["method"]),
            "output": dict(recipe["output"]),
        }
    except (KeyError, IndexError, TypeError, ValueError):
        return {"text": {}, "method": {}, "output": {}}


def _agree(evidence: TextEvidence, schema: ReleasedText) -> Finding:
    told = _told(evidence)
    searched = evidence.searched
    options = next(iter(told["method"].values()), None) or {}
    replaced = options.get("replace", _TAGS) if isinstance(options, dict) else ""
    named = [replaced] if isinstance(replaced, str) else list(replaced) if isinstance(replaced, dict) else []
    name = named[0] if named else ""
    agree = (
        schema.file == evidence.data.file == f"data.{told['output'].get('format')}"
        and told["output"].get("order") == evidence.order
        and list(told["method"]) == [evidence.method]
        and name == evidence.replacement
        and told["text"].get("language") == searched.language
        and told["text"].get("model") == searched.model
        and told["text"].get("threshold") == searched.threshold
        and told["text"].get("known", {}) == searched.known
        and told["text"].get("written") == searched.written
        and evidence.not_promised == NOT_PROMISED
    )
    return finding(
        "file, schema, evidence and recipe tell of the same release", agree, "they agree", "they disagree"
    )


def _counted(path: Path, evidence: TextEvidence, schema: ReleasedText) -> list[Finding]:
    """Count rows, notes and characters; of tags, those that stand in the notes."""
    rows = notes = empty = characters = tags = broken = 0
    column = schema.text
    try:
        for piece in released_pieces(path):
            rows += piece.num_rows
            for text in piece.column(column).to_pylist():
                # A CSV file has one spelling for a missing text and an empty one.
                if text is None:
                    continue
                notes += 1
                empty += not text.strip()
                characters += len(text)
                if evidence.replacement == _TAGS and "**" in text:
                    tags += sum(1 for _ in _TAG.finditer(text))
                    broken += _broken(text)
    except SystemFault:
        raise
    except (SfumatoError, KeyError, ValueError):
        return [Finding("the notes can be read", Status.REFUTED, "the file is not what it should be")]
    written = evidence.data.file.partition(".")[2]
    counted = (notes, empty) if written in ("parquet", "jsonl") else (notes - empty,)
    claimed = (
        (evidence.notes, evidence.empty)
        if written in ("parquet", "jsonl")
        else (evidence.notes - evidence.empty,)
    )
    found = [
        finding(
            f"the release has {many(evidence.data.rows, 'row')} and {many(evidence.characters, 'character')}",
            (rows, characters) == (evidence.data.rows, evidence.characters) and counted == claimed,
            "counted",
            f"it has {rows:,} and {characters:,}",
        )
    ]
    if evidence.replacement == _TAGS:
        expected = sum(
            # A sensitive term that was said less precisely has no tag.
            one.number
            for one in evidence.replaced
            if one.how not in _KEPT and one.kind != Kind.OTHER
        )
        found.append(
            finding(
                f"{many(expected, 'tag')} or more stand in the notes, all of them well-formed",
                tags >= expected and not broken,
                f"{tags:,} counted",
                f"{tags:,} counted, {broken:,} are broken",
            )
        )
    return found


def _broken(text: str) -> int:
    """Count tags that open a bracket which is not closed again soon; a name may go over a line end."""
    return len(_OPEN.findall(text)) - len(_CLOSED.findall(text))


def _again(path: Path, evidence: TextEvidence) -> list[Finding]:
    """Search the plainest identifiers once more, and compare with what the evidence says."""
    if evidence.found_again is None and not invents(evidence):
        return [Finding("patterns find nothing in the notes", Status.REFUTED, "the evidence does not tell")]
    if evidence.found_again is None:
        return [
            Finding(
                "patterns find nothing in the notes",
                Status.NOT_CHECKED,
                "made-up values stand in them, which patterns find as what they imitate",
            )
        ]
    told = evidence.found_again
    try:
        found = found_again(path, evidence.text_column, evidence.searched.language)
    except SystemFault:
        raise
    except (SfumatoError, KeyError):
        return [Finding("the notes can be searched again", Status.REFUTED, "they could not be read")]
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in told.kinds.items()) or "nothing"
    now = ", ".join(f"{number:,} {kind}" for kind, number in found.kinds.items()) or "nothing"
    fewer = not Counter(found.kinds) - Counter(told.kinds)
    claim = f"patterns find {kinds} in the first {many(told.characters, 'character')} of the notes"
    no = f"they find {now} in {many(found.characters, 'character')}"
    if not fewer and evidence.software.get("sfumato") != __version__:
        return [Finding(claim, Status.NOT_CHECKED, f"this version searches otherwise: {no}")]
    return [finding(claim, fewer and found.characters == told.characters, "searched again", no)]


def _words(evidence: TextEvidence) -> Finding:
    """Nobody may strike a warning out that follows from what everybody can read."""
    masked = _masked(evidence)
    try:
        roles = [(column.name, Role(column.role), column.name in masked) for column in evidence.columns]
    except ValueError:
        roles = []
    options = next(iter(_told(evidence)["method"].values()), None) or {}
    shifted = isinstance(options, dict) and options.get("policy") == "shifted-dates"
    expected = warnings_of(
        roles=roles,
        measured=evidence.measured,
        promised=bool(evidence.verdicts),
        shifted=shifted,
        invents=invents(evidence),
        order=evidence.order,
    )
    return finding(
        "the evidence tells what the promises leave open",
        set(expected) <= set(evidence.warnings),
        many(len(evidence.warnings), "warning"),
        "a warning is missing",
    )


def _promise(told: VerdictEvidence, path: Path, column: str) -> Finding:
    words = in_words(told)
    if told.model not in MODELS:
        return Finding(words, Status.NOT_CHECKED, "this version does not know the model")
    try:
        model = build(MODELS, {told.model: dict(told.parameters)}, "model")
    except SystemFault:
        raise
    except SfumatoError as problem:
        return Finding(words, Status.REFUTED, f"it cannot be understood: {problem.what}")
    threats = [str(threat) for threat in model.protects_from]
    open_ = [str(threat) for threat in Threat if threat not in model.protects_from]
    expected = (threats, open_, model.in_words(), str(model.basis))
    if expected != (told.protects_from, told.does_not_protect_from, told.meaning, told.basis):
        return Finding(words, Status.REFUTED, "it means something else than the evidence says")
    if not told.holds:
        return Finding(words, Status.REFUTED, "the evidence itself says that it does not hold")
    if model.basis is Basis.RELEASE:
        return _asked_again(model, words, path, column)
    return Finding(words, Status.NOT_CHECKED, "it compares with the original: only the steward can check it")


def _asked_again(model: TextModel, words: str, path: Path, column: str) -> Finding:
    """Ask a promise that needs nothing but the released notes."""
    counts: Counter[str] = Counter()
    try:
        for piece in released_pieces(path):
            for text in piece.column(column).to_pylist():
                if text is not None:
                    counts += model.counted(Handled(Record.of(text), (text,), ((),)))
    except SystemFault:
        raise
    except (SfumatoError, KeyError, ValueError):
        return Finding(words, Status.REFUTED, "the notes could not be read")
    verdict = model.verdict(counts)
    return finding(words, verdict.holds, verdict.achieved, verdict.achieved)


def _beyond(evidence: TextEvidence, original: str | Path | None) -> list[Finding]:
    """Name what no released byte can show."""
    found = [
        Finding(
            "everything that points at somebody was found",
            Status.NOT_CHECKED,
            "nobody can check it from the notes: see what was measured on annotated ones"
            if evidence.measured is not None
            else "nothing was measured: annotate notes of the house and run 'sfumato text evaluate'",
        )
    ]
    if evidence.measured is not None:
        found.append(
            Finding(
                "recall and precision are as they were measured",
                Status.NOT_CHECKED,
                "the annotated notes stay with the steward",
            )
        )
    if original is not None:
        found.append(
            Finding(
                "the text beside what was replaced is that of the original",
                Status.NOT_CHECKED,
                "which note became which is not told: only the steward can compare them",
            )
        )
    return found
