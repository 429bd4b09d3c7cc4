"""Identifiers: masks, codes, keyed pseudonyms, surrogates, date shift, policies.

Names are loaded when they are first used: who replaces names in one text needs no engine for tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.window import window

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
    "sfumato.masking.agreement": "Agreement",
    "sfumato.masking.apply": "Masked mask_population mask_table",
    "sfumato.masking.consent": "Consent",
    "sfumato.masking.contract": "Mask Scope Secrets",
    "sfumato.masking.frames": "mask masking_plan",
    "sfumato.masking.keys": "KeySource",
    "sfumato.masking.plan": "MaskingPlan policy_lines settle",
    "sfumato.masking.policy": "Policy policy_named",
    "sfumato.masking.spec": "MASKS mask_from_spec mask_to_spec",
    "sfumato.masking.vault": "Vault",
}

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

__getattr__, __dir__ = window(__name__, _HOMES, __all__)
