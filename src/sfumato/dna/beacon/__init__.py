"""Beacons: whether anybody carries an allele, under a policy."""

from __future__ import annotations

from typing import Any

from sfumato.dna.beacon.beacon import Beacon, Seat
from sfumato.dna.beacon.budget import QueryBudget
from sfumato.dna.beacon.contract import Policy
from sfumato.dna.beacon.policies import FlipRare, HideRare, Open
from sfumato.dna.beacon.randomised import RandomisedResponse

POLICIES: dict[str, type[Any]] = {
    policy.name: policy for policy in (Open, HideRare, FlipRare, QueryBudget, RandomisedResponse)
}
"""every policy, by the name that recipes use"""

__all__ = [
    "POLICIES",
    "Beacon",
    "FlipRare",
    "HideRare",
    "Open",
    "Policy",
    "QueryBudget",
    "RandomisedResponse",
    "Seat",
]
