"""Policies: which codes an adversary may know together, and which may be generalised together."""

from sfumato.codes.policies.constraints import (
    Expanded,
    expand,
    format_constraints,
    parse_constraints,
    read_constraints,
    write_constraints,
)
from sfumato.codes.policies.diseases import GWAS_DISEASES
from sfumato.codes.policies.feasibility import Feasibility, feasibility
from sfumato.codes.policies.partners import Partners
from sfumato.codes.policies.privacy import PrivacyPolicy, extract_privacy_constraints
from sfumato.codes.policies.utility import UtilityPolicy, extract_utility_constraints, merge_overlapping

__all__ = [
    "GWAS_DISEASES",
    "Expanded",
    "Feasibility",
    "Partners",
    "PrivacyPolicy",
    "UtilityPolicy",
    "expand",
    "extract_privacy_constraints",
    "extract_utility_constraints",
    "feasibility",
    "format_constraints",
    "merge_overlapping",
    "parse_constraints",
    "read_constraints",
    "write_constraints",
]
