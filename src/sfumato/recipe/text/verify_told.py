"""Verify the words and numbers of evidence about notes that follow from the recipe and from each other."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from sfumato.core.errors import SfumatoError, SystemFault
from sfumato.core.evidence_text import MeasuredEvidence, ResidualEvidence, TextEvidence
from sfumato.core.findings import Finding, Status, finding, many
from sfumato.core.named import build
from sfumato.core.schema import Role
from sfumato.masking.forms import have_form_of
from sfumato.masking.spec import Spec, mask_from_spec
from sfumato.recipe.text.evaluated import FROM_THEM, OF_SUCH_NOTES
from sfumato.recipe.text.evidence import people_told, treatment_told
from sfumato.recipe.text.on_disk import released_pieces
from sfumato.text.evaluate.intervals import wilson
from sfumato.text.methods import METHODS
from sfumato.text.methods.deidentify import Deidentify


def method_told(evidence: TextEvidence) -> Deidentify | None:
    """Build the method that the published recipe names, but for its terms; None where that cannot be."""
    recipe: Any = evidence.recipe
    try:
        options = dict(recipe["method"][evidence.method])
        # Which terms are sensitive is the steward's; how identifiers are replaced does not hang on it.
        options.pop("sanitise", None)
        made = build(METHODS, {evidence.method: options}, "method")
    except (SfumatoError, KeyError, TypeError, ValueError, AttributeError):
        return None
    return made if isinstance(made, Deidentify) else None


def invents(evidence: TextEvidence) -> bool:
    """Say whether made-up values stand in the notes, by the recipe."""
    method = method_told(evidence)
    return method is not None and method.replacement(evidence.searched.language).invents


def told_of_the_recipe(evidence: TextEvidence, masks: dict[str, Spec]) -> Finding:
    """What was done, with whom as people, and whether values are true, must be what the recipe asks for."""
    claim = "the evidence tells what the recipe does to notes and columns"
    method = method_told(evidence)
    try:
        made = {name: mask_from_spec(mask) for name, mask in masks.items()}
        if method is None:
            return Finding(claim, Status.REFUTED, "the method of the recipe is not as it should be")
        replacement = method.replacement(evidence.searched.language)
    except (SfumatoError, TypeError, AttributeError, ValueError):
        return Finding(claim, Status.REFUTED, "a mask or the method of the recipe is not as it should be")
    hidden = (Role.PERSON, Role.IDENTIFIER)
    treatments = [
        treatment_told(column.role == Role.TEXT, made.get(column.name), column.role not in hidden)
        for column in evidence.columns
    ]
    named = any(column.role == Role.PERSON for column in evidence.columns)
    true = not replacement.invents and not any(mask.invents for mask in made.values())
    agree = (
        evidence.transformations.startswith(replacement.describe())
        and evidence.people == people_told(named=named)
        and evidence.truthful == true
        and [column.treatment for column in evidence.columns] == treatments
    )
    return finding(claim, agree, "they agree", "recipe and evidence disagree")


def masked_values(path: Path, masks: dict[str, Spec]) -> list[Finding]:
    """A masked column shows codes or covers, where these can be told from values."""
    findings = []
    for name, mask in masks.items():
        claim = f"the values of {name} are masked"
        try:
            values = (value for piece in released_pieces(path) for value in piece.column(name).to_pylist())
            # A CSV file has one spelling for a missing value and an empty one.
            masked = have_form_of(mask, (value or None for value in values))
        except SystemFault:
            raise
        except (SfumatoError, KeyError, ValueError):
            findings.append(Finding(claim, Status.REFUTED, "the column could not be read"))
            continue
        if masked is None:
            findings.append(Finding(claim, Status.NOT_CHECKED, "they look like true ones"))
        else:
            findings.append(finding(claim, masked, "every value has that form", "some have another form"))
    return findings


def figures(evidence: TextEvidence) -> list[Finding]:
    """What may still stand in the notes must follow from what was measured."""
    told, left = evidence.measured, evidence.residual
    if told is None and left is None:
        return []
    agree = told is not None and left is not None and _follows(told, left, evidence.notes)
    return [
        finding(
            "what may still stand in the notes follows from what was measured",
            agree,
            many(told.notes if told else 0, "annotated note"),
            "the numbers do not follow from each other",
        )
    ]


def _follows(told: MeasuredEvidence, left: ResidualEvidence, notes: int) -> bool:
    if not (0 <= told.leak_free <= told.notes and told.notes > 0 and told.tokens > 0):
        return False
    if not (0 <= told.recall_at_least <= told.recall <= 1 and 0 <= told.precision <= 1):
        return False
    leaking = notes * (1 - told.leak_free / told.notes)
    most = notes * (1 - wilson(told.leak_free, told.notes)[0])
    tokens = told.tokens / told.notes * notes
    return (
        told.said == [OF_SUCH_NOTES, FROM_THEM]
        # Where no token was missed no note leaks, and the other way round.
        and (told.recall == 1) == (told.leak_free == told.notes)
        and sum(kind.tokens for kind in told.kinds) == told.tokens
        and math.isclose(left.notes_expected, leaking, rel_tol=1e-9, abs_tol=1e-9)
        and math.isclose(left.notes_at_most, most, rel_tol=1e-9, abs_tol=1e-9)
        and math.isclose(left.expected, tokens * (1 - told.recall), rel_tol=1e-9, abs_tol=1e-9)
        # The interval has two sides, so that its lower end lies below the bound.
        and left.at_most >= tokens * (1 - told.recall_at_least) * (1 - 1e-9)
    )
