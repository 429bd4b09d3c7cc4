"""Identifiers: masks, codes, keyed pseudonyms, surrogates, date shift, policies.

Names are loaded when they are first used: who replaces names in one text needs no engine for tables.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.masking.agreement import Agreement
    from sfumato.masking.apply import Masked, mask_population, mask_table
    from sfumato.masking.consent import Consent
    from sfumato.masking.contract import Mask, Scope, Secrets
    from sfumato.masking.frames import mask, masking_plan
    from sfumato.masking.keys import KeySource
    from sfumato.masking.plan import MaskingPlan, policy_lines, settle
    from sfumato.masking.policy import Policy, policy_named
    from sfumato.masking.spec import MASKS, mask_from_spec, mask_to_spec
    from sfumato.masking.vault import Vault

_HOMES = {
    "agreement": "Agreement",
    "apply": "Masked mask_population mask_table",
    "consent": "Consent",
    "contract": "Mask Scope Secrets",
    "frames": "mask masking_plan",
    "keys": "KeySource",
    "plan": "MaskingPlan policy_lines settle",
    "policy": "Policy policy_named",
    "spec": "MASKS mask_from_spec mask_to_spec",
    "vault": "Vault",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "MASKS",
    "Agreement",
    "Consent",
    "KeySource",
    "Mask",
    "Masked",
    "MaskingPlan",
    "Policy",
    "Scope",
    "Secrets",
    "Vault",
    "mask",
    "mask_from_spec",
    "mask_population",
    "mask_table",
    "mask_to_spec",
    "masking_plan",
    "policy_lines",
    "policy_named",
    "settle",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sfumato.masking' has no attribute '{name}'")
    return getattr(importlib.import_module(f"sfumato.masking.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
