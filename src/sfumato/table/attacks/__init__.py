"""Attacks on tables: adversaries that are really run."""

from typing import Any

from sfumato.table.attacks.aggregates import Aggregates
from sfumato.table.attacks.attribute_inference import AttributeInference
from sfumato.table.attacks.background_knowledge import BackgroundKnowledge
from sfumato.table.attacks.composition import Composition
from sfumato.table.attacks.corruption import Corruption
from sfumato.table.attacks.fuzzy_linkage import FuzzyLinkage
from sfumato.table.attacks.homogeneity import Homogeneity
from sfumato.table.attacks.known_value import KnownValue
from sfumato.table.attacks.linkage import Linkage
from sfumato.table.attacks.membership import Membership
from sfumato.table.attacks.membership_by_distance import MembershipByDistance
from sfumato.table.attacks.minimality import Minimality
from sfumato.table.attacks.posterior import Posterior
from sfumato.table.attacks.search_logs import SearchLogs
from sfumato.table.attacks.similarity import Similarity
from sfumato.table.attacks.skewness import Skewness
from sfumato.table.attacks.sparse_matching import SparseMatching

_ALL: tuple[Any, ...] = (
    Linkage,
    FuzzyLinkage,
    Composition,
    Homogeneity,
    Skewness,
    Similarity,
    Corruption,
    KnownValue,
    SparseMatching,
    SearchLogs,
    BackgroundKnowledge,
    Aggregates,
    AttributeInference,
    Posterior,
    Minimality,
    Membership,
    MembershipByDistance,
)
ATTACKS: dict[str, type[Any]] = {attack.name: attack for attack in _ALL}
"""every attack by the name that recipes use"""

__all__ = [
    "ATTACKS",
    "Aggregates",
    "AttributeInference",
    "BackgroundKnowledge",
    "Composition",
    "Corruption",
    "FuzzyLinkage",
    "Homogeneity",
    "KnownValue",
    "Linkage",
    "Membership",
    "MembershipByDistance",
    "Minimality",
    "Posterior",
    "SearchLogs",
    "Similarity",
    "Skewness",
    "SparseMatching",
]
