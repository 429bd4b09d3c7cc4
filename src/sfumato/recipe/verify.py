"""Verify a release: re-check every claim that its bytes allow, and say what the others would need."""

from __future__ import annotations

from pathlib import Path

from sfumato.core.evidence import PublicEvidence, VerdictEvidence
from sfumato.core.findings import Finding, Status, Verification, finding, many
from sfumato.core.named import build
from sfumato.core.progress import SILENT, Progress
from sfumato.core.registry import entries
from sfumato.core.schema import Role
from sfumato.core.verdict import Basis, Threat
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Table
from sfumato.engine.sources import MISSING, CsvFile, Source, source_of
from sfumato.hierarchy.ladder import ROOT
from sfumato.recipe.on_disk import ReleaseOnDisk, form_of, kind_of, release_folder
from sfumato.recipe.released_schema import ReleasedSchema
from sfumato.recipe.verify_columns import told_columns
from sfumato.recipe.verify_every import about_the_recipe, attacks, files, fingerprint, in_words, report_told
from sfumato.recipe.verify_recipe import known_to, masked_columns, masks_of, roles_of, told_steps
from sfumato.release.data_files import formulas_told
from sfumato.release.names import REPORT
from sfumato.table.methods.safepub import SafePub
from sfumato.table.models import MODELS
from sfumato.table.published import PublishedTable


def verify(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a release folder from its bytes; ``original`` lets more claims be checked."""
    folder = release_folder(release)
    kind = entries()[kind_of(folder)].kind(form_of(folder))
    found = kind.verify(release, original=original, progress=progress)
    first, *others = found.findings
    return Verification((first, formulas_told(folder), *others))


def verify_table(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check the release of a table."""
    on_disk = ReleaseOnDisk.read(release)
    evidence, schema, path = on_disk.evidence, on_disk.schema, on_disk.path
    progress.step("reading the release")
    findings = [
        fingerprint(path, evidence),
        files(path.parent, evidence),
        report_told(path.parent / REPORT, evidence),
    ]
    engine = open_engine("duckdb")
    try:
        published = on_disk.published(engine)
        table = published.table
        findings.append(_rows(engine, table, evidence))
        findings.append(_columns(table, evidence, schema))
        findings.extend(masked_columns(engine, table, evidence))
        findings.extend(labels_lifted(engine, table, schema))
        progress.step("checking the promises")
        findings.append(about_the_recipe(evidence))
        findings.extend(attacks(evidence))
        findings.extend(told_steps(evidence))
        findings.extend(blanked_stay(published))
        findings.append(_classes(published, evidence))
        promises = [found for claim in evidence.verdicts for found in _promise(claim, published, evidence)]
        findings.extend(promises)
        if not any(found.status is not Status.NOT_CHECKED for found in promises):
            findings.append(_without_a_check(evidence))
        findings.extend(told_columns(published, evidence))
        progress.step("comparing with the original")
        before = None
        if original is not None:
            before = engine.as_text(engine.read(_original(Path(original), evidence)))
            table = engine.as_text(table)
        findings.append(_suppressed(engine, table, evidence, before))
        findings.extend(_unchanged(engine, table, evidence, before))
    finally:
        engine.close()
    return Verification(tuple(findings))


def _rows(engine: Engine, table: Table, evidence: PublicEvidence) -> Finding:
    rows = engine.rows(table)
    return finding(
        f"the release has {many(evidence.data.rows, 'row')}",
        rows == evidence.data.rows,
        "counted",
        f"it has {rows:,}",
    )


def _columns(table: Table, evidence: PublicEvidence, schema: ReleasedSchema) -> Finding:
    """Identifiers must be gone, and schema and evidence must tell the same story."""
    masked = masks_of(evidence)
    hidden = {
        c.name
        for c in evidence.columns
        if c.role in (Role.PERSON, Role.IDENTIFIER, Role.GUARD) and c.name not in masked
    }
    shown = [c for c in evidence.columns if c.name not in hidden]
    agree = (
        table.names == tuple(field.name for field in schema.fields) == tuple(c.name for c in shown)
        and [str(field.role) for field in schema.fields] == [c.role for c in shown]
        and not hidden & set(table.names)
        and roles_of(evidence) == [(c.name, c.role) for c in evidence.columns]
        and known_to(evidence) == set(schema.known)
    )
    return finding(
        "the release has the columns and roles that its evidence names, and no identifier as it was",
        agree,
        many(len(table.names), "column"),
        "file, schema and evidence disagree",
    )


def blanked_stay(published: PublishedTable) -> list[Finding]:
    """Suppressed records that stay say nothing: models leave so many aside."""
    if not published.blanked:
        return []
    table, names = published.table, [*published.quasi, *published.sensitive]
    stars, found = len(published.quasi), 0
    for batch in table.engine.count(table, names):
        *shown, rows, _ = (column.to_pylist() for column in batch.columns)
        for *values, number in zip(*shown, rows, strict=True):
            if set(values[:stars]) == {ROOT} and set(values[stars:]) <= {None}:
                found += number
    return [
        finding(
            f"{many(published.blanked, 'suppressed record')} stay with everything blanked",
            found >= published.blanked,
            "counted",
            f"{found:,} say nothing",
        )
    ]


def _classes(published: PublishedTable, evidence: PublicEvidence) -> Finding:
    sizes, claimed = published.class_persons, evidence.classes
    found = (len(sizes), int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0, 0)
    classes = many(claimed.number, "class", "classes")
    return finding(
        f"there are {classes} of {claimed.smallest:,} to {claimed.largest:,} records",
        found == (claimed.number, claimed.smallest, claimed.largest),
        "counted",
        f"there are {found[0]:,} of {found[1]:,} to {found[2]:,}",
    )


def labels_lifted(engine: Engine, table: Table, schema: ReleasedSchema) -> list[Finding]:
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
        finding(
            "generalised columns show only labels of their hierarchies",
            not wrong,
            "every label is known",
            f"unknown labels in {', '.join(wrong)}",
        )
    ]


def _without_a_check(evidence: PublicEvidence) -> Finding:
    """Say that no promise was checked: there is none, or those that there are need more than a release."""
    claim = "the release keeps a promise"
    if any(verdict.model in MODELS for verdict in evidence.verdicts):
        return Finding(claim, Status.NOT_CHECKED, "only the steward can check what it promises")
    if evidence.policy is not None and evidence.recipe.get("models") == [] and not evidence.verdicts:
        return Finding(claim, Status.NOT_CHECKED, "none is made: a policy was applied, and nothing else")
    return Finding(claim, Status.REFUTED, "none could be checked")


_NOT_FROM_A_RELEASE = {
    Basis.POPULATION: "it compares with the population, which no release holds: the steward can check it",
    Basis.ORIGINAL: "it compares with the original: only the steward can check it",
    Basis.MECHANISM: "it rests on how the release was made, which data cannot show",
}


def _promise(claim: VerdictEvidence, published: PublishedTable, evidence: PublicEvidence) -> list[Finding]:
    words = in_words(claim)
    if claim.model not in MODELS:
        return [Finding(words, Status.NOT_CHECKED, "this version does not know the model")]
    model = build(MODELS, {claim.model: dict(claim.parameters)}, "model")
    threats = [str(t) for t in model.protects_from]
    open_ = [str(t) for t in Threat if t not in model.protects_from]
    told = (claim.protects_from, claim.does_not_protect_from, claim.meaning)
    if told != (threats, open_, model.in_words()):
        return [Finding(words, Status.REFUTED, "it means something else than the evidence says")]
    in_persons = any(column.role == Role.PERSON for column in evidence.columns)
    if claim.basis != model.basis and not (claim.basis == Basis.ORIGINAL and in_persons):
        return [Finding(words, Status.REFUTED, f"it is checked from the {model.basis}, not {claim.basis}")]
    if claim.basis == model.basis == Basis.MECHANISM and published.mechanisms:
        words = f"{words}, of the mechanism that is published"
        verdict = model.check(published)
        same = claim.required == verdict.required and (in_persons or claim.achieved == verdict.achieved)
        found = finding(words, verdict.holds and claim.holds and same, verdict.achieved, str(verdict))
        return [found, _in_persons(words)] if in_persons else [found]
    if model.basis in _NOT_FROM_A_RELEASE:
        return [Finding(words, Status.NOT_CHECKED, _NOT_FROM_A_RELEASE[model.basis])]
    verdict = model.check(published)
    if claim.basis != Basis.RELEASE:
        return [
            finding(f"{words}, counted in rows", verdict.holds, verdict.achieved, str(verdict)),
            _in_persons(words),
        ]
    found_again = (verdict.holds, verdict.required, verdict.achieved)
    same = (claim.holds, claim.required, claim.achieved) == found_again
    return [finding(words, verdict.holds and same, verdict.achieved, str(verdict))]


def _in_persons(words: str) -> Finding:
    return Finding(
        f"{words}, counted in persons",
        Status.NOT_CHECKED,
        "the release does not say which rows are one person's: only the steward can check it",
    )


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
        {
            field["name"]: field["type"]
            for field in told.get("schema", {}).get("fields", [])
            if "type" in field
        },
    )


def _suppressed(engine: Engine, table: Table, evidence: PublicEvidence, original: Table | None) -> Finding:
    claim = f"{many(evidence.suppressed_records, 'record')} suppressed"
    if evidence.method == SafePub.name:
        return Finding(claim, Status.NOT_CHECKED, "it is a sample: how many were left out is not told")
    if original is None:
        return Finding(claim, Status.NOT_CHECKED, "needs --original")
    rows = engine.rows(original)
    dropped = evidence.suppressed_records if evidence.suppressed_policy == "drop" else 0
    dropped += evidence.unsampled_records + evidence.withheld_records
    return finding(
        claim, engine.rows(table) + dropped == rows, f"of {rows:,}", f"the original has {rows:,} rows"
    )


def _unchanged(
    engine: Engine, table: Table, evidence: PublicEvidence, original: Table | None
) -> list[Finding]:
    """Columns that are not generalised hold values of the original, and none more often than it."""
    kept = [c.name for c in evidence.columns if c.treatment in ("released as it is", "unchanged")]
    perturbed = {name for step in evidence.perturbation for name in step.columns}
    generalised = [
        c
        for c in evidence.columns
        if c.role == Role.QUASI_IDENTIFIER and c.name not in kept and c.name not in perturbed
    ]
    findings = []
    if kept:
        claim = f"the values of {', '.join(kept)} are those of the original"
        if original is None:
            findings.append(Finding(claim, Status.NOT_CHECKED, "needs --original"))
        else:
            starred = evidence.suppressed_policy == "star"
            wrong = [name for name in kept if _invented(engine, original, table, name, starred=starred)]
            findings.append(
                finding(claim, not wrong, "none is new or more frequent", f"not so in {', '.join(wrong)}")
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
        found.update(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True))
    return found
