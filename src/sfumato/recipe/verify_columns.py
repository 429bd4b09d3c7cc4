"""Verify what the evidence tells of columns that are no quasi-identifiers, from the released bytes."""

from __future__ import annotations

from typing import Any

from sfumato.__about__ import __version__
from sfumato.core.errors import SfumatoError
from sfumato.core.evidence import ColumnExposure, PublicEvidence
from sfumato.core.findings import Finding, Status, finding, many
from sfumato.core.named import build
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.verdict import Basis
from sfumato.recipe.known_columns import must_be_confirmed, often_single, sentences
from sfumato.table.models import MODELS
from sfumato.table.perturbation.synthetic import Synthetic
from sfumato.table.protect import PrivacyModel, rules_of
from sfumato.table.published import PublishedTable
from sfumato.table.risk.known_columns import candidates_asked, candidates_with

CLAIM = "people's candidates are as told when a column that is no quasi-identifier is known, too"
WARNED = "what such columns tell is warned of, and confirmed where it must be"


def told_columns(published: PublishedTable, evidence: PublicEvidence) -> list[Finding]:
    """Count the candidates again, and compare warnings with the figures."""
    shown = [c.name for c in evidence.columns if c.name in published.table.names]
    others = [name for name in shown if name not in published.quasi]
    if not others and not evidence.exposure:
        return []
    if not evidence.exposure and evidence.software.get("sfumato") != __version__:
        return [Finding(CLAIM, Status.NOT_CHECKED, "the version that made the release did not count them")]
    if [one.column for one in evidence.exposure] != others:
        return [Finding(CLAIM, Status.REFUTED, "other columns are told of than are released")]
    try:
        models = [
            build(MODELS, {told.model: dict(told.parameters)}, "model")
            for told in evidence.verdicts
            if told.model in MODELS
        ]
        covered, k = _promised(models, published, evidence)
    except SfumatoError:
        return [Finding(CLAIM, Status.REFUTED, "the promises of the evidence are not as they should be")]
    findings = [_counted(one, published, evidence, models, k) for one in evidence.exposure]
    return [_together(findings), _warned(evidence, covered)]


def _promised(
    models: list[PrivacyModel], published: PublishedTable, evidence: PublicEvidence
) -> tuple[set[str], int]:
    """Return the columns that promises are about, and how many candidates they give everybody."""
    schema = Schema(
        tuple(
            Field(c.name, Role(c.role), known=c.name in published.known)
            for c in evidence.columns
            if c.role in tuple(Role)
        )
    )
    rules = rules_of(models, schema)
    return {rule.column for rule in rules if rule.column is not None}, candidates_asked(rules)


def _counted(
    one: ColumnExposure, published: PublishedTable, evidence: PublicEvidence, models: list[Any], k: int
) -> Finding:
    """Count the candidates of one column again."""
    where = f"column '{one.column}'"
    role = next((c.role for c in evidence.columns if c.name == one.column), None)
    in_persons = any(c.role == Role.PERSON for c in evidence.columns)
    if (one.role, one.k) != (role, k) or one.confirmed != (one.column in _confirmed(evidence)):
        return Finding(where, Status.REFUTED, f"{where}: role, k or confirmation are others in the recipe")
    plain = one.role in (Role.INSENSITIVE, Role.WEIGHT) and not _made_up(evidence, one)
    if plain and one.role not in one.why:
        return Finding(where, Status.REFUTED, f"{where}: it is not told why it is warned of")
    if one.basis != Basis.RELEASE:
        if not in_persons:
            return Finding(where, Status.REFUTED, f"{where}: no column names persons, and they were counted")
        return Finding(where, Status.NOT_CHECKED, "the release does not say which rows are one person's")
    wildcards = any(getattr(model, "missing", None) == "wildcard" for model in models)
    return finding(
        where,
        counted_again(one, published, wildcards=wildcards),
        "counted",
        f"{where}: there are more or fewer of them",
    )


def counted_again(one: ColumnExposure, published: PublishedTable, *, wildcards: bool = False) -> bool:
    """Check whether the figures of a column are those that the released rows give."""
    found = candidates_with(published, one.column, one.k, wildcards=wildcards)
    table = published.table
    values = table.engine.groups(table, (one.column,)) if one.role == Role.SENSITIVE else None
    told = (one.people, one.fewer, one.added, one.singles)
    usual = values is not None and often_single(values)
    singles = None if values is None else values.singles
    return told == (found.people, found.fewer, found.added, singles) and (usual or not one.amounts)


def _confirmed(evidence: PublicEvidence) -> set[str]:
    """Read which columns the recipe confirms."""
    return {str(field["name"]) for field in _fields(evidence) if field.get("confirmed")}


def _made_up(evidence: PublicEvidence, one: ColumnExposure) -> bool:
    """Check whether a column may hold codes or made-up values, which nobody outside knows."""
    masked = any(field["name"] == one.column and field.get("mask") for field in _fields(evidence))
    drawn = (step.columns for step in evidence.perturbation if step.name == Synthetic.name)
    return masked or any(one.column in columns for columns in drawn)


def _fields(evidence: PublicEvidence) -> list[dict[str, Any]]:
    recipe: Any = evidence.recipe
    try:
        return [dict(field) for field in recipe["resources"][0]["schema"]["fields"] if "name" in field]
    except (KeyError, IndexError, TypeError, ValueError):
        return []


def _together(found: list[Finding]) -> Finding:
    """Make one finding of those of all columns: a refuted one counts, then one that could not be checked."""
    for status in (Status.REFUTED, Status.NOT_CHECKED):
        for one in found:
            if one.status is status:
                return Finding(CLAIM, status, one.detail)
    return Finding(CLAIM, Status.CONFIRMED, f"counted for {many(len(found), 'column')}")


def _warned(evidence: PublicEvidence, covered: set[str]) -> Finding:
    """Warnings follow from the figures, so that nobody can strike one out."""
    expected = sentences(evidence.exposure, covered)
    silent = set(expected) - set(evidence.warnings)
    unsure = [one.column for one in evidence.exposure if must_be_confirmed(one) and not one.confirmed]
    return finding(
        WARNED,
        not silent and not unsure,
        many(len(expected), "warning"),
        f"not confirmed: {', '.join(unsure)}" if unsure else "a warning is missing",
    )
