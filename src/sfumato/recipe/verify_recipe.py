"""Verify what the evidence tells of masks and steps, by the recipe that it publishes."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.core.evidence import PerturbationEvidence, PublicEvidence
from sfumato.core.findings import Finding, Status, finding, many
from sfumato.core.named import build, parameters_of
from sfumato.core.schema import Role
from sfumato.core.verdict import Basis
from sfumato.engine.contract import Engine, Table
from sfumato.masking.forms import have_form_of
from sfumato.masking.spec import Spec, mask_from_spec
from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.perturbation.contract import Perturbation
from sfumato.table.perturbation.estimator import mechanism_from_text
from sfumato.table.perturbation.randomisation import MatrixRandomisation, RetentionReplacement
from sfumato.table.perturbation.randomisation_small_domain import SmallDomainRandomisation
from sfumato.table.perturbation.traces import refuse_traces


def masks_of(evidence: PublicEvidence) -> dict[str, Spec]:
    """Read which persons and identifiers the recipe releases, and by which masks."""
    return _masks(evidence, (Role.PERSON, Role.IDENTIFIER))


def _masks(evidence: PublicEvidence, roles: Container[str]) -> dict[str, Spec]:
    recipe: Any = evidence.recipe
    found: dict[str, Spec] = {}
    try:
        for field in recipe["resources"][0]["schema"]["fields"]:
            if field["role"] in roles and field.get("mask"):
                mask = field["mask"]
                found[str(field["name"])] = dict(mask) if isinstance(mask, dict) else str(mask)
    except (KeyError, IndexError, TypeError):
        return {}
    return found


def masked_columns(engine: Engine, table: Table, evidence: PublicEvidence) -> list[Finding]:
    """A masked identifier shows codes or covers, where these can be told from values."""
    findings = []
    for name, mask in masks_of(evidence).items():
        if name not in table.names:
            continue
        claim = f"the values of {name} are masked ({_spelt(mask)})"
        values = (v for batch in engine.count(table, [name]) for v in batch.column(0).to_pylist())
        masked = have_form_of(mask, values)
        if masked is None:
            findings.append(Finding(claim, Status.NOT_CHECKED, "a made-up value looks like a true one"))
        else:
            findings.append(finding(claim, masked, "every value has that form", "some have another form"))
    return findings


def _spelt(mask: Spec) -> str:
    """Spell a mask in words: ``mask, keep last 4``."""
    if isinstance(mask, str):
        return mask
    parts = [str(next(iter(mask), ""))]
    for given in mask.values():
        listed = given.items() if isinstance(given, dict) else ()
        parts += [f"{str(key).replace('_', ' ')} {value}" for key, value in listed]
    return ", ".join(parts)


def roles_of(evidence: PublicEvidence) -> list[tuple[str, str]] | None:
    """Read the roles that the recipe gave."""
    recipe: Any = evidence.recipe
    try:
        fields = recipe["resources"][0]["schema"]["fields"]
        return [(field["name"], field["role"]) for field in fields]
    except (KeyError, IndexError, TypeError):
        return None


def known_to(evidence: PublicEvidence) -> set[str]:
    """Read which sensitive columns the recipe says that an adversary may know."""
    recipe: Any = evidence.recipe
    try:
        fields = recipe["resources"][0]["schema"]["fields"]
        return {str(field["name"]) for field in fields if field.get("known")}
    except (KeyError, IndexError, TypeError):
        return set()


def told_steps(evidence: PublicEvidence) -> list[Finding]:
    """What the recipe asks to be changed by chance or rule is told, and so is that values are not true."""
    claim = "the evidence tells of every step that changed records, and whether values are still true"
    recipe: Any = evidence.recipe
    asked = recipe.get("perturb", [])
    masks = _masks(evidence, tuple(Role))
    if not asked and not evidence.perturbation and not masks:
        return []
    told = [(s.name, s.columns, s.parameters, s.truthful) for s in evidence.perturbation]
    try:
        steps = [build(PERTURBATIONS, step, "perturbation") for step in asked]
        agree = told == [
            (
                s.name,
                list(s.columns),
                {k: v for k, v in parameters_of(s).items() if k != "columns"},
                s.truthful,
            )
            for s in steps
        ]
        if any(claim_.basis == Basis.MECHANISM for claim_ in evidence.verdicts):
            refuse_traces(steps)
        pairs = zip(steps, evidence.perturbation, strict=True) if agree else ()
        agree = agree and all(_made_by(step, told_of) for step, told_of in pairs)
        invented = any(mask_from_spec(mask).invents for mask in masks.values())
    except (BadInput, TypeError, AttributeError, ValueError, ZeroDivisionError):
        return [Finding(claim, Status.REFUTED, "a step or mask of the recipe is not as it should be")]
    true = not invented and all(step.truthful for step in steps)
    agree = agree and evidence.truthful == true
    return [finding(claim, agree, many(len(told), "step"), "recipe and evidence disagree")]


def _made_by(step: Perturbation, told: PerturbationEvidence) -> bool:
    """Say whether the published matrices are those that a step of the recipe draws from."""
    for spelt in told.mechanisms:
        found = mechanism_from_text(spelt.model_dump())
        if found.column not in step.columns or found.from_data != bool(getattr(step, "invariant", False)):
            return False
        if isinstance(step, RetentionReplacement) and found != step.mechanism(found.values):
            return False
        if isinstance(step, SmallDomainRandomisation) and found not in step.mechanisms():
            return False
        if isinstance(step, MatrixRandomisation) and found != step.mechanism:
            return False
    return True
