"""Verify a release under differential privacy: what its bytes show, and what nobody can check afterwards."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from sfumato.core.describe import verdict_told
from sfumato.core.errors import SfumatoError
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_query import QueryEvidence
from sfumato.core.findings import Finding, Status, Verification, finding, many
from sfumato.core.fingerprint import sha256_of
from sfumato.core.named import build, parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.dp.group_privacy import NOT_PROMISED
from sfumato.engine.duckdb import DuckEngine
from sfumato.query.models import MODELS
from sfumato.query.models.contract import Spending
from sfumato.recipe.query.evidence import households_told, meaning_told, spending_in
from sfumato.recipe.query.on_disk import QueryOnDisk
from sfumato.recipe.query.released_schema import ReleasedColumn, ReleasedQuery
from sfumato.recipe.query.verify_file import counts, fingerprint_of, records
from sfumato.recipe.query.warned import OF_THE_SYSTEM, warnings_of
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE
from sfumato.recipe.verify_every import about_the_recipe, in_words, report_told
from sfumato.release.names import EVIDENCE, REPORT, SCHEMA


def verify_query(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with a release under differential privacy from its bytes."""
    on_disk = QueryOnDisk.read(release)
    evidence, schema, folder = on_disk.evidence, on_disk.schema, on_disk.folder
    progress.step("reading the release")
    findings = [
        fingerprint_of(folder, evidence.data, "the data"),
        *(fingerprint_of(folder, table.data, f"the {table.data.file}") for table in evidence.tables),
        _schema_as_released(folder, evidence),
        _files(folder, evidence),
        report_told(folder / REPORT, evidence),
        _agree(evidence, schema),
        about_the_recipe(evidence),
    ]
    with DuckEngine() as engine:
        if schema.file is not None:
            findings += records(engine, folder, evidence.data, schema.fields)
        for told, declared in zip(evidence.tables, schema.tables, strict=False):
            findings += counts(engine, folder, told.data, declared)
    progress.step("checking the promises")
    findings += _promises(evidence)
    findings += _beyond(evidence, original)
    return Verification(tuple(findings))


def _schema_as_released(folder: Path, evidence: QueryEvidence) -> Finding:
    return finding(
        "the public domains are as they were released",
        sha256_of(folder / SCHEMA) == evidence.schema_sha256,
        "the fingerprint of the schema is the same",
        "the fingerprint is another: the schema was changed",
    )


def _files(folder: Path, evidence: QueryEvidence) -> Finding:
    known = {EVIDENCE, SCHEMA, REPORT, evidence.data.file, *(table.data.file for table in evidence.tables)}
    others = [path.name for path in folder.iterdir() if path.name not in known]
    return finding(
        "the folder holds the release and nothing else",
        not others,
        many(len(known), "file"),
        f"{many(len(others), 'file')} more",
    )


def _agree(evidence: QueryEvidence, schema: ReleasedQuery) -> Finding:
    """Files, schema, evidence and recipe must tell the same story."""
    output, method, use = _told(evidence)
    names = [domain.name for domain in evidence.domains]
    form = {(True, True): "records and tables", (True, False): "records", (False, True): "tables"}
    first = schema.file or (schema.tables[0].file if schema.tables else None)
    files = [*([schema.file] if schema.file else []), *(table.file for table in schema.tables)]
    format_ = output.get("format")
    agree = (
        evidence.form == form.get((schema.file is not None, bool(schema.tables)))
        and first == evidence.data.file
        and all(name.partition(".")[2] == format_ for name in files)
        and schema.file in (None, f"data.{format_}")
        and [table.file for table in schema.tables] == [table.data.file for table in evidence.tables]
        and (schema.file is not None or evidence.data == evidence.tables[0].data)
        and list(method) == [evidence.method]
        and use.get("columns") == names
        and len(set(names)) == len(names)
        and (schema.file is None or [column.name for column in schema.fields] == names)
        and output.get("order") == evidence.order
        and not evidence.truthful
        and all(_same_table(evidence, schema, number) for number in range(len(schema.tables)))
        and all(_same_domain(evidence, column) for column in schema.fields)
    )
    return finding(
        "files, schema, evidence and recipe tell of the same release",
        agree,
        evidence.form,
        "they disagree",
    )


def _told(evidence: QueryEvidence) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return what the recipe tells of output, method and database; nothing where it tells it wrongly."""
    recipe: Any = evidence.recipe
    try:
        return dict(recipe["output"]), dict(recipe["method"]), dict(recipe["resources"][0]["database"])
    except (KeyError, IndexError, TypeError, ValueError):
        return {}, {}, {}


def _same_table(evidence: QueryEvidence, schema: ReleasedQuery, number: int) -> bool:
    told, declared = evidence.tables[number], schema.tables[number]
    sizes = {domain.name: domain.positions for domain in evidence.domains}
    axes = declared.axes
    return (
        told.columns == [axis.name for axis in axes]
        and told.cells == math.prod(len(axis.labels) for axis in axes) == told.data.rows
        and all(len(set(axis.labels)) == len(axis.labels) for axis in axes)
        # Generalised values are fewer than those that they stand for, never more.
        and all(len(axis.labels) <= sizes.get(axis.name, 0) for axis in axes)
    )


def _same_domain(evidence: QueryEvidence, column: ReleasedColumn) -> bool:
    """A domain has as many positions as the evidence says: values and missing, or bins of steps."""
    (domain,) = (one for one in evidence.domains if one.name == column.name)
    if column.type == "label":
        return len(column.values or ()) + column.missing <= domain.positions
    if column.type != domain.type or not column.missing:
        return False
    if column.type == "category":
        return len(set(column.values or ())) == len(column.values or ()) == domain.positions - 1
    if column.type == "boolean":
        return domain.positions == 3 and column.values is None
    if column.first is None or column.last is None:
        return False
    return domain.positions - 1 <= column.last - column.first + 1


def _promises(evidence: QueryEvidence) -> list[Finding]:
    """Add up what was spent, exactly, and see that the words follow from it."""
    claim = "the steps add up to what was spent"
    try:
        spending = spending_in(evidence)
        adds_up = spending.adds_up
    except (SfumatoError, ValueError, ArithmeticError):
        return [Finding(claim, Status.REFUTED, "a price is not as it should be")]
    found = [
        finding(claim, adds_up, f"{many(len(spending.steps), 'step')}, {spending.spent}", "they do not"),
        _words(evidence, spending),
    ]
    promises = [_promise(told, spending) for told in evidence.verdicts]
    if not promises:
        promises = [Finding("the release keeps a promise", Status.REFUTED, "it makes none")]
    return [*found, *promises]


def _promise(told: VerdictEvidence, spending: Spending) -> Finding:
    words = f"{in_words(told)}, of the steps that are published"
    if told.model not in MODELS:
        return Finding(words, Status.REFUTED, "there is no such promise for this kind of release")
    try:
        model = build(MODELS, {told.model: dict(told.parameters)}, "model")
        verdict = model.check(spending)
        same = told == verdict_told(model, verdict, parameters_of(model))
    except (SfumatoError, ArithmeticError) as problem:
        what = problem.what if isinstance(problem, SfumatoError) else "a price is not as it should be"
        return Finding(words, Status.REFUTED, f"it cannot be checked: {what}")
    return finding(words, verdict.holds and same, verdict.achieved, str(verdict))


def _words(evidence: QueryEvidence, spending: Spending) -> Finding:
    """What ε means, for one and for households, and what is warned of, follows from the price."""
    person = evidence.people == PERSONS_COUNTED
    try:
        expected = list(
            warnings_of(
                spending.spent,
                spending.neighbours,
                person=person,
                records=evidence.form != "tables",
                secret=True,
            )
        )
        same = (
            evidence.meaning == meaning_told(spending.spent, spending.neighbours)
            and evidence.households == households_told(spending.spent)
            and evidence.not_promised == NOT_PROMISED
            and set(expected) <= set(evidence.warnings)
            and evidence.people in (PERSONS_COUNTED, ROWS_AS_PEOPLE)
        )
    except (SfumatoError, ArithmeticError):
        same = False
    return finding(
        "what the price means, and what it leaves open, is told as it follows from the price",
        same,
        many(len(evidence.warnings), "warning"),
        "it is told otherwise, or a warning is missing",
    )


def _beyond(evidence: QueryEvidence, original: str | Path | None) -> list[Finding]:
    """Name what no released byte can show."""
    found = []
    if evidence.randomness == OF_THE_SYSTEM:
        found.append(
            Finding(
                "every count got its noise, drawn in secret, and one row of each person was counted",
                Status.NOT_CHECKED,
                "it rests on how the release was made: nobody can check it afterwards",
            )
        )
    else:
        found.append(
            Finding(
                "noise was drawn in secret", Status.REFUTED, "it came from a seeded generator, or elsewhere"
            )
        )
    found.append(
        Finding(
            "bounds, lists and bins were declared, and not looked up in the data",
            Status.NOT_CHECKED,
            "compare the fingerprint in the evidence with that of the file that declares them",
        )
    )
    if original is not None:
        found.append(
            Finding(
                "the release was made of this original",
                Status.NOT_CHECKED,
                "that it can hardly be told from one of a neighbour is what it promises",
            )
        )
    return found
