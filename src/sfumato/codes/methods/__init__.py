"""Ways to protect sets, by the names that recipes use."""

from __future__ import annotations

from typing import Any

from sfumato.codes.methods.aclip import Aclip
from sfumato.codes.methods.apriori import AprioriAnonymisation, DirectAnonymisation
from sfumato.codes.methods.apriori_local import LocalApriori
from sfumato.codes.methods.apriori_optimal import OptimalCut
from sfumato.codes.methods.apriori_vertical import VerticalApriori
from sfumato.codes.methods.best_of import BestOf
from sfumato.codes.methods.clustering_based import ClusteringBased
from sfumato.codes.methods.constraint_based import Coat
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.methods.greedy_suppression import GreedySuppression
from sfumato.codes.methods.local_specialisation import LocalSpecialisation
from sfumato.codes.methods.partition import Partition
from sfumato.codes.methods.pcta import Pcta
from sfumato.codes.methods.rare_codes import RareCodes
from sfumato.codes.methods.rule_based import RuleBased
from sfumato.codes.methods.suppress_control import SuppressControl
from sfumato.codes.methods.top_down_control import TopDownControl
from sfumato.codes.methods.ugaclip import Ugaclip

_ALL: tuple[type[Any], ...] = (
    BestOf,
    LocalSpecialisation,
    AprioriAnonymisation,
    DirectAnonymisation,
    OptimalCut,
    LocalApriori,
    VerticalApriori,
    Disassociation,
    Coat,
    Aclip,
    Ugaclip,
    ClusteringBased,
    Pcta,
    GreedySuppression,
    Partition,
    RareCodes,
    RuleBased,
    SuppressControl,
    TopDownControl,
)

METHODS: dict[str, type[Any]] = {method.name: method for method in _ALL}
"""every method, by the name that recipes use"""

__all__ = [
    "METHODS",
    "Aclip",
    "AprioriAnonymisation",
    "BestOf",
    "ClusteringBased",
    "Coat",
    "DirectAnonymisation",
    "Disassociation",
    "GreedySuppression",
    "LocalApriori",
    "LocalSpecialisation",
    "OptimalCut",
    "Partition",
    "Pcta",
    "RareCodes",
    "RuleBased",
    "SuppressControl",
    "TopDownControl",
    "Ugaclip",
    "VerticalApriori",
]
