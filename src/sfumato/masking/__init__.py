"""Identifiers: masks, codes, keyed pseudonyms, surrogates, date shift, policies."""

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
