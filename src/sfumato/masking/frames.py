"""Masks for a frame, without a recipe: the same masks, kinds and consent, spelt as a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sfumato.core.schema import Schema
from sfumato.engine import open_engine
from sfumato.engine.contract import Order
from sfumato.engine.frames import like, to_arrow
from sfumato.engine.sources import Frame
from sfumato.masking.agreement import Agreement
from sfumato.masking.apply import mask_table
from sfumato.masking.binary import refuse_binary
from sfumato.masking.consent import Consent
from sfumato.masking.contract import Mask
from sfumato.masking.keys import KeySource
from sfumato.masking.plan import MaskingPlan, scope_of, settle
from sfumato.masking.policy import Policy, policy_named
from sfumato.masking.spec import Spec, mask_from_spec
from sfumato.masking.vault import Vault


def masking_plan(
    masks: Mapping[str, Mask | Spec] | None = None,
    *,
    kinds: Mapping[str, str] | None = None,
    policy: str | Policy | None = None,
    agreement: str | Path | Agreement | None = None,
    consent: tuple[str, Iterable[str]] | None = None,
    key: str | Path | KeySource | None = None,
    recipient: str = "",
    purpose: str = "",
    vault: Path | None = None,
) -> MaskingPlan:
    """Say what is done with identifiers, in the spelling of recipes.

    ``key`` is the name of an environment variable, or the path of a file; ``consent`` the column of the
    answers and those that mean yes.

    >>> masking_plan({"name": "pseudonym"}, kinds={"zip": "zip"}).masks
    {'name': VaultPseudonym(domain='')}
    """
    if isinstance(key, str):
        key = KeySource(variable=key)
    elif isinstance(key, Path):
        key = KeySource(file=key)
    agreed = Agreement.read(Path(agreement)) if isinstance(agreement, str | Path) else agreement
    return MaskingPlan(
        masks={
            name: mask_from_spec(given, f"column '{name}'") if isinstance(given, str | Mapping) else given
            for name, given in (masks or {}).items()
        },
        kinds=dict(kinds or {}),
        policy=policy_named(policy) if isinstance(policy, str) else policy,
        agreement=agreed,
        consent=None if consent is None else Consent(consent[0], tuple(consent[1])),
        key=key,
        scope=scope_of(recipient, purpose, agreed),
        vault=vault,
    )


def mask(
    data: Any,
    masks: Mapping[str, Mask | Spec],
    *,
    person: str | None = None,
    kinds: Mapping[str, str] | None = None,
    consent: tuple[str, Iterable[str]] | None = None,
    key: str | Path | KeySource | None = None,
    recipient: str = "",
    purpose: str = "",
    vault: Vault | None = None,
) -> Any:
    """Mask columns of a frame and return the same type of frame, in the same order.

    Columns without a mask stay as they are; this is no release, and nothing is promised of it. Random
    codes go on from ``vault`` and are added to it: keep it, or nobody can tell who is who. The other
    arguments are those of ``masking_plan``.

    >>> import pandas as pd
    >>> people = pd.DataFrame({"card": ["4111111111111111", "5500005555555559"], "age": [31, 45]})
    >>> mask(people, {"card": {"mask": {"keep_last": 4}}})["card"].tolist()
    ['********1111', '********5559']
    """
    plan = masking_plan(masks, kinds=kinds, consent=consent, key=key, recipient=recipient, purpose=purpose)
    arrow = to_arrow(data)
    schema, plan = settle(Schema.of(arrow.column_names, person=person), plan)
    engine = open_engine("duckdb")
    try:
        table = engine.read(Frame(arrow))
        kept = tuple(name for name in table.names if name == person or name in schema.released)
        refuse_binary(table, kept)
        masked = mask_table(table, schema, plan, vault)
        return like(data, engine.arrow(masked.table, order=Order.KEPT).select(list(kept)))
    finally:
        engine.close()
