"""The section about steps that changed single records before anything was counted."""

from __future__ import annotations

from sfumato.core.evidence import Parameter, PerturbationEvidence, PublicEvidence, StewardEvidence
from sfumato.report.markup import Child, Markup, element, table
from sfumato.report.sections import section
from sfumato.report.words import count, names, number, were


def steps(evidence: PublicEvidence) -> Markup | None:
    """List the steps with their parameters; what they did to the raw data is for the steward alone."""
    if not evidence.perturbation:
        return None
    steward = isinstance(evidence, StewardEvidence)
    rows = []
    for place, step in enumerate(evidence.perturbation):
        row: list[Child] = [
            step.name,
            names(step.columns) if step.columns else "–",
            _listed({**step.parameters, **step.published}),
            "yes" if step.truthful else "no",
        ]
        if isinstance(evidence, StewardEvidence):
            known = evidence.perturbation_details[place : place + 1]
            row.append(_listed(dict(known[0]) if known else {}))
        rows.append(tuple(row))
    heads = ["Step", "Columns", "Parameters", "Values still true"] + (["What it did"] if steward else [])
    return section(
        "perturbation",
        "What was changed by chance or by rule",
        element(
            "p",
            "Before anything was counted, single records were changed by these steps, in this order. ",
            "Analysts have to take them into account: tables and means can still be right where single ",
            "values are not.",
        ),
        table("Steps and their parameters", tuple(heads), rows),
        _randomised(evidence.perturbation),
        _sample(evidence),
        element("p", f"{evidence.randomness[:1].upper()}{evidence.randomness[1:]}.")
        if isinstance(evidence, StewardEvidence) and evidence.randomness
        else None,
    )


def _listed(told: dict[str, Parameter]) -> str:
    return ", ".join(f"{key.replace('_', ' ')}: {_written(value)}" for key, value in told.items()) or "–"


def _written(value: Parameter) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(_written(part) for part in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_written(part)}" for key, part in value.items())
    return number(value) if isinstance(value, int | float) else str(value)


def _randomised(steps: list[PerturbationEvidence]) -> Markup | None:
    columns = [mechanism.column for step in steps for mechanism in step.mechanisms]
    if not columns:
        return None
    return element(
        "p",
        "With which probability each value became which other is written in evidence.json, for ",
        names(list(dict.fromkeys(columns))),
        ".",
    )


def _sample(evidence: PublicEvidence) -> Markup | None:
    amount = evidence.unsampled_records
    if amount <= 0 or any(step.name == "synthetic" for step in evidence.perturbation):
        return None
    return element("p", f"{count(amount, 'record')} {were(amount)} not drawn into the sample.")
