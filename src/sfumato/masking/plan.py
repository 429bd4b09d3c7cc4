"""What is done with identifiers, decided before the data are read: masks, policy, consent, keys."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from sfumato.core.errors import BadInput, nearest
from sfumato.core.schema import Field, Role, Schema
from sfumato.masking.agreement import Agreement
from sfumato.masking.consent import Consent
from sfumato.masking.contract import Mask, Scope
from sfumato.masking.keys import KeySource
from sfumato.masking.partial import Remove
from sfumato.masking.policy import NOT_IDENTIFYING, Policy, policy_named
from sfumato.masking.reduce import Age90, BirthYear, Year, Zip3
from sfumato.masking.shift import DateShift

REDUCTIONS = (Year, BirthYear, Age90, Zip3)
"""masks that leave something true, which others may know"""


@dataclass(frozen=True)
class MaskingPlan:
    """Masks and kinds by column, and what they need."""

    masks: Mapping[str, Mask] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    policy: Policy | None = None
    agreement: Agreement | None = None
    consent: Consent | None = None
    key: KeySource | None = None
    scope: Scope = field(default_factory=Scope)
    vault: Path | None = None

    def __post_init__(self) -> None:
        if self.policy is not None and self.policy.agreement and self.agreement is None:
            raise BadInput(
                f"the policy '{self.policy.name}' requires a data use agreement",
                remedy="name its file with 'agreement' in the recipe: recipient, purpose, expires",
            )
        if self.agreement is not None:
            self.agreement.refuse_expired("the agreement")

    @property
    def invents(self) -> bool:
        """Whether some released values are made up."""
        return any(mask.invents for mask in self.masks.values())


def scope_of(recipient: str | None, purpose: str | None, agreement: Agreement | None) -> Scope:
    """Return for whom and for what a release is made: as the agreement says, where there is one."""
    if agreement is None:
        return Scope(recipient or "", purpose or "")
    for what, given, agreed in (
        ("recipient", recipient, agreement.recipient),
        ("purpose", purpose, agreement.purpose),
    ):
        if given and given != agreed:
            raise BadInput(
                f"the {what} is not the one of the agreement",
                where="masking",
                remedy=f"leave '{what}' out, or name the agreement with this {what}",
            )
    return Scope(agreement.recipient, agreement.purpose)


def settle(schema: Schema, plan: MaskingPlan) -> tuple[Schema, MaskingPlan]:
    """Apply the policy and the consent to columns: what is masked, what is left out, what is released."""
    _check_names(schema, plan)
    fields, masks = [], {}
    released = frozenset(schema.released)
    for column in schema.fields:
        settled, mask = _settle(column, schema, plan, hidden=column.name not in released)
        fields.append(settled)
        if mask is not None:
            masks[column.name] = mask
    return Schema(tuple(fields)), replace(plan, masks=masks)


def _check_names(schema: Schema, plan: MaskingPlan) -> None:
    for name in {*plan.masks, *plan.kinds} - {*schema.columns}:
        schema.field(name)
    if plan.consent is not None:
        schema.field(plan.consent.column)
    if plan.policy is None and plan.kinds:
        known = {
            *policy_named("safe-harbor").masks,
            *policy_named("limited-data-set").masks,
            *NOT_IDENTIFYING,
        }
        for name, kind in plan.kinds.items():
            if kind not in known:
                raise BadInput(
                    f"there is no kind '{kind}'", where=f"column '{name}'", remedy=nearest(kind, known)
                )


def _settle(column: Field, schema: Schema, plan: MaskingPlan, *, hidden: bool) -> tuple[Field, Mask | None]:
    """Return a column as it will be released, and its mask."""
    where = f"column '{column.name}'"
    chosen = plan.masks.get(column.name)
    mask = chosen
    is_answer = plan.consent is not None and plan.consent.column == column.name
    if plan.policy is not None and not is_answer:
        mask = plan.policy.mask_for(column.name, plan.kinds.get(column.name), chosen)
    if is_answer or isinstance(mask, Remove) or (hidden and chosen is None):
        left_out = column.role if hidden else Role.IDENTIFIER
        return replace(column, role=left_out, known=column.known and hidden, masked=False), None
    if mask is None:
        return column, None
    if column.role in (Role.WEIGHT, Role.GUARD):
        raise BadInput(
            f"it has the role {column.role}, which has no masked form",
            where=where,
            remedy="take the mask away",
        )
    if hidden and isinstance(mask, (*REDUCTIONS, DateShift)):
        raise BadInput(
            f"'{mask.name}' leaves something that others may know",
            where=where,
            remedy="give it the role quasi-identifier",
        )
    if column.role is Role.PERSON and not mask.keeps_apart:
        raise BadInput(
            f"'{mask.name}' does not keep people apart, so that they could not be counted",
            where=where,
            remedy="use a pseudonym, or no mask to leave the column out",
        )
    if isinstance(mask, DateShift) and schema.person is None:
        raise BadInput(
            "dates are shifted by person, and no column names the person",
            where=where,
            remedy="give one column the role 'person'",
        )
    if column.role is Role.QUASI_IDENTIFIER and isinstance(mask, Year | BirthYear | Age90):
        # A hierarchy can go on from a number, not from words.
        mask = dataclasses.replace(mask, written="number")
    return replace(column, masked=True), mask


@dataclass(frozen=True)
class PolicyLine:
    """One identifier of a policy, the columns that hold it, and what was done with each."""

    key: str
    title: str
    columns: Mapping[str, str]


def policy_lines(plan: MaskingPlan, schema: Schema) -> list[PolicyLine]:
    """List for every identifier of the policy what was found and done; ``schema`` is the settled one."""
    if plan.policy is None:
        return []
    lines = []
    for identifier in plan.policy.identifiers:
        found = [name for name, kind in plan.kinds.items() if kind in identifier.kinds]
        done = {
            name: plan.masks[name].describe() if name in plan.masks else _unmasked(schema, name)
            for name in found
        }
        lines.append(PolicyLine(identifier.key, identifier.title, done))
    return lines


def _unmasked(schema: Schema, name: str) -> str:
    return "released as it is" if name in schema.released else "left out"
