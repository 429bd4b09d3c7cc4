"""Promises about sets, by the names that recipes use."""

from typing import Any

from sfumato.codes.models.cohort_closeness import CohortCloseness
from sfumato.codes.models.complete_k_anonymity import CompleteItemsetAnonymity, CompleteKAnonymity
from sfumato.codes.models.disassociated_anonymity import DisassociatedAnonymity
from sfumato.codes.models.hkp_coherence import HkpCoherence
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.models.lkc_privacy import LkcPrivacy
from sfumato.codes.models.privacy_constraints import PrivacyConstraints
from sfumato.codes.models.ps_rules import PsRules
from sfumato.codes.models.rho_uncertainty import RhoUncertainty

_ALL: tuple[type[Any], ...] = (
    KmAnonymity,
    DisassociatedAnonymity,
    CompleteItemsetAnonymity,
    CompleteKAnonymity,
    PrivacyConstraints,
    HkpCoherence,
    PsRules,
    LkcPrivacy,
    RhoUncertainty,
    CohortCloseness,
)
MODELS: dict[str, type[Any]] = {model.name: model for model in _ALL}
"""every model by the name that recipes use"""

__all__ = [
    "MODELS",
    "CohortCloseness",
    "CompleteItemsetAnonymity",
    "CompleteKAnonymity",
    "DisassociatedAnonymity",
    "HkpCoherence",
    "KmAnonymity",
    "LkcPrivacy",
    "PrivacyConstraints",
    "PsRules",
    "RhoUncertainty",
]
