"""Verify released sets: re-check every claim that their bytes allow, and say what the others would need."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.models import MODELS
from sfumato.codes.published import PublishedSets, is_label_of
from sfumato.core.describe import verdict_told
from sfumato.core.errors import BadInput
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_codes import CodesEvidence
from sfumato.core.findings import Finding, Status, Verification, finding, many
from sfumato.core.fingerprint import sha256_of
from sfumato.core.named import build
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.core.verdict import Basis, Threat
from sfumato.hierarchy import ROOT, from_spec
from sfumato.recipe.codes.asked import HIDDEN, IN_HOUSE, KEPT
from sfumato.recipe.codes.on_disk import CodesOnDisk
from sfumato.recipe.codes.released_schema import ReleasedCodes, codes_below
from sfumato.recipe.codes.shown import shown_by
from sfumato.recipe.codes.verify_file import nothing_else
from sfumato.recipe.codes.verify_original import against_original, told_fields, told_of_codes, told_quasi
from sfumato.recipe.codes.warned import made_of_data, says_little, warnings_of
from sfumato.recipe.records.warned import warnings_of_records
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE
from sfumato.recipe.verify_every import about_the_recipe, attacks, files, fingerprint, in_words, report_told
from sfumato.record.relational_codes.published import PublishedRecords
from sfumato.record.relational_codes.registry import RECORD_MODELS
from sfumato.release.names import REPORT, SCHEMA

_PUBLIC_HIERARCHIES = ("icd9cm", "icd10cm")
_NOT_FROM_A_RELEASE = {
    Basis.POPULATION: "it compares with the population, which no release holds: the steward can check it",
    Basis.ORIGINAL: "it rests on what the steward keeps: only the steward can check it",
    Basis.MECHANISM: "it rests on how the release was made, which data cannot show",
}


def verify_codes(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with released sets from its bytes."""
    on_disk = CodesOnDisk.read(release)
    evidence, schema, path = on_disk.evidence, on_disk.schema, on_disk.path
    progress.step("reading the release")
    findings = [
        fingerprint(path, evidence),
        _meaning(path.parent / SCHEMA, evidence),
        files(path.parent, evidence),
        report_told(path.parent / REPORT, evidence),
        _agree(evidence, schema),
        about_the_recipe(evidence),
        *attacks(evidence),
    ]
    declared = _declared(schema, evidence)
    findings.append(declared)
    published, records, kinds = None, None, MODELS
    if declared.status is Status.CONFIRMED:
        findings += _listed(schema, evidence)
        try:
            if schema.quasi:
                records, kinds = on_disk.records(), RECORD_MODELS
            published = on_disk.published() if records is None else records.sets
        except BadInput as problem:
            findings.append(
                Finding("the file shows the items that its schema declares", Status.REFUTED, problem.what)
            )
    if published is None:
        claim = "the release keeps its promises"
        return Verification((*findings, Finding(claim, Status.REFUTED, "they could not be checked")))
    findings += _shown(published, evidence, schema)
    shown = published if records is None else records
    findings.append(nothing_else(path, schema, shown))
    little = set(says_little(shown_by(published, schema.root)))
    findings.append(
        _warned(evidence, schema, little) if records is None else _warned_of_records(evidence, little)
    )
    progress.step("checking the promises")
    promises = [_promise(claim, shown, kinds) for claim in evidence.verdicts]
    findings += promises
    if not any(found.status is not Status.NOT_CHECKED for found in promises):
        findings.append(_without_a_check(evidence, kinds))
    findings.append(_truth(evidence, original))
    if original is not None and records is not None:
        claim = "there is one record for every person of the original"
        findings.append(Finding(claim, Status.NOT_CHECKED, "needs both files: only the steward can compare"))
    elif original is not None:
        progress.step("comparing with the original")
        findings += against_original(Path(original), published, evidence)
    return Verification(tuple(findings))


def _meaning(path: Path, evidence: CodesEvidence) -> Finding:
    return finding(
        "what items stand for is as it was released",
        sha256_of(path) == evidence.schema_sha256,
        "the fingerprint of the schema is the same",
        "the fingerprint is another: the schema was changed",
    )


def _agree(evidence: CodesEvidence, schema: ReleasedCodes) -> Finding:
    """File, schema, evidence and recipe must tell the same story."""
    output, method = evidence.recipe.get("output"), evidence.recipe.get("method")
    told = output if isinstance(output, dict) else {}
    chunks = evidence.form == "disassociated"
    agree = (
        (schema.file, schema.layout, schema.form) == (evidence.data.file, evidence.layout, evidence.form)
        and chunks == (schema.layout == "chunks")
        and not (chunks and schema.items)
        and not (schema.sensitive and schema.sensitive_left_out)
        and (chunks or (told.get("layout"), f"data.{told.get('format')}") == (schema.layout, schema.file))
        and isinstance(method, dict)
        and list(method) == [evidence.method]
        and told.get("order") == evidence.order
        and told_of_codes(evidence).get("sensitive", []) == schema.sensitive
        and schema.quasi == evidence.quasi == told_quasi(evidence)
    )
    return finding(
        "file, schema, evidence and recipe tell of the same release",
        agree,
        f"{evidence.form}, laid out as {evidence.layout}",
        "they disagree",
    )


def _declared(schema: ReleasedCodes, evidence: CodesEvidence) -> Finding:
    """Items must be what their labels say: a code itself, a printed set its codes, none twice."""
    plain = "hierarchy" not in told_of_codes(evidence)
    marked = set(schema.sensitive)
    labels = [item.label for item in schema.items]
    wrong = len(labels) - len(set(labels))
    for item in schema.items:
        codes = set(item.codes)
        wrong += (
            len(codes) < len(item.codes)
            or bool(codes and len(codes) != item.size)
            or (item.size == 1) != (codes == {item.label})
            or (plain and not is_label_of(item.label, item.codes))
            or (not codes <= marked if item.sensitive else not codes.isdisjoint(marked))
        )
    # The root is the widest item; one that is called like it is.
    widest = max((item.size for item in schema.items), default=0)
    told = schema.root if evidence.shown.at_root is not None else None
    wrong += sum(
        (item.label == told and item.size < widest) or (item.label == ROOT and item.size > 1 and told != ROOT)
        for item in schema.items
        if evidence.shown.at_root is not None
    )
    return finding(
        "every declared item is what its label says",
        not wrong,
        many(len(labels), "item"),
        f"{many(wrong, 'item')} cannot be so",
    )


def _listed(schema: ReleasedCodes, evidence: CodesEvidence) -> list[Finding]:
    """Nodes of a hierarchy that everybody knows must stand for its codes."""
    word = told_of_codes(evidence).get("hierarchy")
    nodes = [item for item in schema.items if item.size > 1 and not is_label_of(item.label, item.codes)]
    if word is None or not nodes:
        return []
    amount = many(len(nodes), "generalised item stands", "generalised items stand")
    claim = f"{amount} for the codes of the hierarchy"
    if word not in _PUBLIC_HIERARCHIES:
        return [Finding(claim, Status.NOT_CHECKED, "needs the steward's hierarchy")]
    known = codes_below(from_spec(word, Path()), [item.label for item in nodes])
    wrong = [
        item
        for item in nodes
        if (known[item.label] != sorted(item.codes) if item.codes else not known[item.label])
    ]
    unlisted = [item for item in nodes if not item.codes]
    if unlisted and not wrong:
        return [Finding(claim, Status.NOT_CHECKED, f"{many(len(unlisted), 'item')} do not list their codes")]
    return [finding(claim, not wrong, f"as in {word}", f"{many(len(wrong), 'item')} have other codes")]


def _shown(
    published: PublishedSets | Disassociated, evidence: CodesEvidence, schema: ReleasedCodes
) -> list[Finding]:
    """Count again what the file shows."""
    found, told = shown_by(published, schema.root), evidence.shown
    if told.at_root is None and schema.root is None:
        # Releases of earlier versions do not say how many of their items are the root.
        found = found.model_copy(update={"at_root": None})
    findings = [
        finding(
            f"{many(told.records, 'record')} show {many(told.items, 'different item')}",
            found == told,
            "counted",
            f"{found.records:,} show {found.items:,}, or they are spread otherwise",
        )
    ]
    if isinstance(published, Disassociated):
        rows = len(published.clusters)
    else:
        rows = len(published.shown) if schema.layout == "long" else len(published)
        findings.append(
            finding(
                "the schema declares the items that are shown, and no other",
                found.items == len(schema.items),
                many(found.items, "item"),
                f"{len(schema.items):,} are declared and {found.items:,} shown",
            )
        )
    findings.append(
        finding(
            f"the file has {many(evidence.data.rows, 'row')}",
            rows == evidence.data.rows,
            "counted",
            f"it has {rows:,}",
        )
    )
    return findings


def _promise(
    claim: VerdictEvidence,
    published: PublishedSets | Disassociated | PublishedRecords,
    kinds: Mapping[str, type[Any]],
) -> Finding:
    words = in_words(claim)
    if claim.model not in kinds:
        return Finding(words, Status.NOT_CHECKED, "this version does not know the model")
    hidden = set(HIDDEN) & set(claim.parameters)
    try:
        model = _model_of(claim, kinds)
        if not _means_what_it_says(claim, model, in_house=bool(hidden)):
            return Finding(words, Status.REFUTED, "it means something else than the evidence says")
        if hidden or model.basis in _NOT_FROM_A_RELEASE:
            if not claim.holds:
                return Finding(words, Status.REFUTED, "the evidence says that it does not hold")
            reason = _NOT_FROM_A_RELEASE.get(model.basis, _NOT_FROM_A_RELEASE[Basis.ORIGINAL])
            return Finding(words, Status.NOT_CHECKED, reason)
        verdict = model.check(published)
    except BadInput as problem:
        return Finding(words, Status.REFUTED, f"it cannot be checked: {problem.what}")
    same = claim == verdict_told(model, verdict, claim.parameters)
    return finding(words, verdict.holds and same, verdict.achieved, str(verdict))


def _model_of(claim: VerdictEvidence, kinds: Mapping[str, type[Any]]) -> Any:
    """Build the model that a claim names; what the steward keeps is stood in for, and nothing else is."""
    parameters: dict[str, Any] = dict(claim.parameters)
    for key in set(HIDDEN) & set(parameters):
        if parameters[key] != KEPT:
            raise BadInput("what only the steward knows is told")
        parameters[key] = _STANDING_IN[key]
    return build(kinds, {claim.model: parameters}, "model")


_STANDING_IN = dict(zip(HIDDEN, ((("a",),), ((("a",), ("b",)),)), strict=True))
"""constraints and rules with which a model can be built where those of the steward are not known"""


def _means_what_it_says(claim: VerdictEvidence, model: Any, *, in_house: bool) -> bool:
    """Compare the words of a claim with those of its model; of policies everybody reads the same."""
    threats = [str(threat) for threat in model.protects_from]
    open_ = [str(threat) for threat in Threat if threat not in model.protects_from]
    told = (claim.basis, claim.protects_from, claim.does_not_protect_from) == (
        str(model.basis),
        threats,
        open_,
    )
    if in_house:
        return told and all(getattr(claim, key) == said for key, said in IN_HOUSE.items())
    return told and claim.meaning == model.in_words()


def _warned(evidence: CodesEvidence, schema: ReleasedCodes, little: set[str]) -> Finding:
    """Who was counted and what the promises leave open must be told: both follow from the recipe."""
    claim = "the evidence tells what the promises leave open"
    person = any(field["role"] == Role.PERSON for field in told_fields(evidence))
    try:
        models = [_model_of(one, MODELS) for one in evidence.verdicts if one.model in MODELS]
    except BadInput:
        return Finding(claim, Status.REFUTED, "a promise is not as it should be")
    expected = warnings_of(
        models,
        evidence.layout,
        sensitive=bool(schema.sensitive) or schema.sensitive_left_out,
        person=person,
        made_of_data=made_of_data(told_of_codes(evidence).get("hierarchy")),
    )
    silent = ({*expected} | little) - set(evidence.warnings)
    counted = PERSONS_COUNTED if person else ROWS_AS_PEOPLE
    return finding(
        claim,
        not silent and evidence.people == counted,
        many(len(evidence.warnings), "warning"),
        "a warning is missing, or who was counted is told otherwise than the recipe does",
    )


def _warned_of_records(evidence: CodesEvidence, little: set[str]) -> Finding:
    """The same of a table and codes: there is one promise, and people were counted."""
    claim = "the evidence tells what the promises leave open"
    try:
        models = [_model_of(one, RECORD_MODELS) for one in evidence.verdicts if one.model in RECORD_MODELS]
    except BadInput:
        return Finding(claim, Status.REFUTED, "a promise is not as it should be")
    hierarchy = told_of_codes(evidence).get("hierarchy")
    expected = {said for model in models for said in warnings_of_records(model, hierarchy)} | little
    return finding(
        claim,
        expected <= set(evidence.warnings) and evidence.people == PERSONS_COUNTED,
        many(len(evidence.warnings), "warning"),
        "a warning is missing, or who was counted is told otherwise than the recipe does",
    )


def _without_a_check(evidence: CodesEvidence, kinds: Mapping[str, type[Any]]) -> Finding:
    """Say that no promise was checked: there is none, or those that there are need more than a release."""
    claim = "the release keeps a promise"
    if any(verdict.model in kinds for verdict in evidence.verdicts):
        return Finding(claim, Status.NOT_CHECKED, "only the steward can check what it promises")
    return Finding(claim, Status.REFUTED, "none could be checked")


def _truth(evidence: CodesEvidence, original: str | Path | None) -> Finding:
    """Which record was whose is not told, so nobody else can compare them."""
    claim = "every item that a record shows covers a code of its person"
    if not evidence.truthful:
        return Finding(claim, Status.REFUTED, "the evidence says that it is not so")
    given = (
        "the original does not say which record became which" if original is not None else "needs the house"
    )
    return Finding(claim, Status.NOT_CHECKED, f"{given}: the steward's evidence holds what was found")
