"""Which method for statistics keeps which promise, what it needs to know, and how a recipe spells it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import build, parameters_of, spell
from sfumato.dna.beacon import POLICIES, RandomisedResponse
from sfumato.dna.contract import StatisticsMethod, StatisticsModel
from sfumato.dna.methods.association import Association
from sfumato.dna.methods.beacon_answers import BeaconAnswers
from sfumato.dna.methods.dp_association import DpAssociation
from sfumato.dna.methods.dp_frequencies import DpFrequencies
from sfumato.dna.methods.dp_top_snps import DpTopSnps
from sfumato.dna.methods.frequencies import Frequencies
from sfumato.dna.methods.safe_snps import SafeSnps
from sfumato.dna.methods.statistics_registry import STATISTICS_METHODS
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.models.private import DifferentialPrivacy, auc_bound
from sfumato.dna.statistics.columns import shows_arms

NOISY = (DpFrequencies, DpAssociation, DpTopSnps, BeaconAnswers)
"""methods whose claim rests on secret noise"""
EXACT = (Frequencies, Association, SafeSnps)
"""methods that publish figures as they are"""
_KEPT_BY: dict[str, tuple[type[Any], ...]] = {MembershipBound.name: EXACT, DifferentialPrivacy.name: NOISY}
_POLICY = "policy"


def usual_method(models: Iterable[str]) -> str:
    """Return the method of a recipe that names none: what keeps its promises at the least loss."""
    return DpFrequencies.name if DifferentialPrivacy.name in models else SafeSnps.name


def method_of(spec: str | Mapping[str, Any], where: str = "method") -> StatisticsMethod:
    """Make a method from the spelling of recipes; the policy of a Beacon is spelt like a method itself.

    >>> method_of({"beacon-answers": {"policy": {"randomised-response": {"epsilon": 0.5}}}}).policy
    RandomisedResponse(epsilon=0.5, total=None)
    """
    given = {} if isinstance(spec, str) else spec.get(BeaconAnswers.name)
    if not isinstance(given, Mapping) or _POLICY not in given:
        found: StatisticsMethod = build(STATISTICS_METHODS, spec, "method", where)
        return found
    rest = {key: value for key, value in given.items() if key != _POLICY}
    made = build(STATISTICS_METHODS, {BeaconAnswers.name: rest}, "method", where)
    policy = given[_POLICY]
    name, parameters = policy, None
    if isinstance(policy, Mapping) and len(policy) == 1:
        ((name, parameters),) = policy.items()
    if not isinstance(name, str) or not isinstance(parameters, Mapping | None):
        raise BadInput(
            "a policy is a name with its parameters",
            where=where,
            remedy="write 'policy: {randomised-response: {epsilon: 0.01}}'",
        )
    if name not in POLICIES:
        raise BadInput(f"there is no policy '{name}'", where=where, remedy=nearest(name, POLICIES))
    if name != RandomisedResponse.name:
        raise BadInput(
            f"the policy {name} keeps no promise that could be checked",
            where=where,
            remedy=f"leave 'policy' out, or take {RandomisedResponse.name}",
        )
    built: StatisticsMethod = dataclasses.replace(
        made, policy=build(POLICIES, policy, "policy", f"{where}, policy")
    )
    return built


def method_told(method: StatisticsMethod) -> dict[str, dict[str, Any]]:
    """Spell a method so that ``method_of`` reads it again."""
    told: dict[str, Any] = dict(parameters_of(method))
    policy = getattr(method, _POLICY, None)
    return {method.name: {**told, _POLICY: spell(policy)} if policy is not None else told}


def is_noisy(method: StatisticsMethod) -> bool:
    """Say whether what a method claims rests on secret noise."""
    return isinstance(method, NOISY)


def needs_cases(method: StatisticsMethod) -> bool:
    """Say whether a method cannot do without knowing who is a case."""
    if isinstance(method, SafeSnps):
        return method.keep == "strongest" or shows_arms(method.columns)
    by_status = isinstance(method, DpFrequencies) and method.by_status
    return by_status or isinstance(method, Association | DpAssociation | DpTopSnps)


def uses_cases(method: StatisticsMethod) -> bool:
    """Say whether a method looks at who is a case."""
    return needs_cases(method) or (isinstance(method, SafeSnps) and not method.columns)


def refuse_not_kept(method: StatisticsMethod, models: Iterable[StatisticsModel]) -> None:
    """Refuse a method that cannot keep one of the promises, and name those that can."""
    for model in models:
        able = _KEPT_BY.get(model.name, ())
        if isinstance(method, able):
            continue
        listed = ", ".join(kind.name for kind in able)
        remedy = f"choose one of: {listed}"
        if isinstance(model, MembershipBound) and is_noisy(method):
            # Measured on the people, the bound would hold a noisy release back, which tells of them unpaid.
            remedy += (
                f"; or promise {DifferentialPrivacy.name} alone: with epsilon 1 no test of membership has an "
                f"AUC above {auc_bound(1):.3f}"
            )
        raise BadInput(f"{method.name} does not keep {model.name}", where="method", remedy=remedy)
