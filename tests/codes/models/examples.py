"""One or more of every model, and what the oracle says about it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sfumato.codes.models import (
    CohortCloseness,
    CompleteItemsetAnonymity,
    CompleteKAnonymity,
    HkpCoherence,
    KmAnonymity,
    LkcPrivacy,
    PrivacyConstraints,
    PsRules,
    RhoUncertainty,
)
from tests.oracles import codes as oracle
from tests.oracles.codes import Record

POLICY = [["a", "b"], ["d"], ["a", "c", "e"]]
RULES = [(["a"], ["s"]), (["b", "d"], ["s", "t"])]
EXAMPLES: dict[str, list[Any]] = {
    "k-m-anonymity": [KmAnonymity(2, 1), KmAnonymity(2, 2), KmAnonymity(3, 9), KmAnonymity(2, 2, "leaf")],
    "complete-itemset-k-anonymity": [CompleteItemsetAnonymity(1), CompleteItemsetAnonymity(2)],
    "complete-k-anonymity": [CompleteKAnonymity(1), CompleteKAnonymity(2)],
    "privacy-constraints": [PrivacyConstraints(2, POLICY), PrivacyConstraints(3, POLICY, "plain")],
    "hkp-coherence": [HkpCoherence(0.5, 2, 2), HkpCoherence(Fraction(2, 3), 1, 3)],
    "ps-rules": [PsRules(2, 0.5, RULES), PsRules(1, Fraction(1, 3), RULES)],
    "lkc-privacy": [LkcPrivacy(2, 2, 0.5), LkcPrivacy(1, 1, Fraction(1, 3))],
    "rho-uncertainty": [RhoUncertainty(0.7), RhoUncertainty(0.5)],
    "cohort-t-closeness": [CohortCloseness(0.25, 1), CohortCloseness(Fraction(1, 3), 2)],
}
CHUNKS = {"disassociated-k-m-anonymity"}
"""models of releases that are no sets"""
NEED_SENSITIVE = {"hkp-coherence", "lkc-privacy", "rho-uncertainty", "cohort-t-closeness"}
ALL = [model for models in EXAMPLES.values() for model in models]


def holds(model: Any, records: list[Record], sensitive: set[str]) -> bool:
    """Ask the oracle whether a promise holds."""
    match model:
        case KmAnonymity(match="leaf"):
            counted = oracle.leaf_supports(records, model.m).values()
            return all(number >= model.k for number in counted)
        case KmAnonymity():
            return all(number >= model.k for number in oracle.supports(records, model.m).values())
        case CompleteItemsetAnonymity():
            return all(number >= model.k for number in oracle.supports(records).values())
        case CompleteKAnonymity():
            return all(number >= model.k for number in oracle.look_alikes(records))
        case PrivacyConstraints():
            strict = model.wording == "strict"
            return all(oracle.constraint_protected(records, one, model.k, strict) for one in POLICY)
        case PsRules():
            counted_rules = [oracle.rule(records, known, told) for known, told in RULES]
            return all(
                number >= model.k and Fraction(joint, number) <= Fraction(str(model.c))
                for number, joint in counted_rules
                if number
            )
        case HkpCoherence() | LkcPrivacy():
            size, bound = (model.p, model.h) if isinstance(model, HkpCoherence) else (model.l, model.c)
            held = oracle.supports(oracle.public(records, sensitive), size)
            sure = oracle.confidences(records, sensitive, size)
            return all(number >= model.k for number in held.values()) and all(
                value <= Fraction(str(bound)) for value in sure.values()
            )
        case RhoUncertainty():
            sure = oracle.confidences(records, sensitive, None, sensitive_known=True, empty=True)
            return all(value < Fraction(str(model.rho)) for value in sure.values())
        case CohortCloseness():
            far = oracle.distances(records, sensitive, model.p)
            return all(value <= Fraction(str(model.t)) for value in far.values())
    raise AssertionError(f"the oracle does not know {model}")
