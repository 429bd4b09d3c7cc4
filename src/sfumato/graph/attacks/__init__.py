"""Attacks on networks: adversaries who know something of people's edges, really run.

Kernels, and igraph where it is needed, are loaded when an attack is first run.
"""

from typing import Any

from sfumato.graph.attacks.active import ActiveAttack
from sfumato.graph.attacks.active_plant import Planted, accounts_needed, plant
from sfumato.graph.attacks.active_recover import Recovered, recover
from sfumato.graph.attacks.by_class import candidate_sizes
from sfumato.graph.attacks.candidates import Candidates
from sfumato.graph.attacks.coalition import Coalition
from sfumato.graph.attacks.contract import Attack, Knowledge
from sfumato.graph.attacks.degree import Degree
from sfumato.graph.attacks.neighbourhood import Neighbourhood
from sfumato.graph.attacks.propagate import Matching, propagate
from sfumato.graph.attacks.propagate_attack import SeedAndPropagate
from sfumato.graph.attacks.refinement import VertexRefinement
from sfumato.graph.attacks.subgraph import Subgraph

_ALL: tuple[type[Any], ...] = (
    Degree,
    VertexRefinement,
    Neighbourhood,
    Subgraph,
    Coalition,
    ActiveAttack,
    SeedAndPropagate,
)
ATTACKS: dict[str, type[Any]] = {attack.name: attack for attack in _ALL}
"""every attack on networks by the name that recipes use"""

__all__ = [
    "ATTACKS",
    "ActiveAttack",
    "Attack",
    "Candidates",
    "Coalition",
    "Degree",
    "Knowledge",
    "Matching",
    "Neighbourhood",
    "Planted",
    "Recovered",
    "SeedAndPropagate",
    "Subgraph",
    "VertexRefinement",
    "accounts_needed",
    "candidate_sizes",
    "plant",
    "propagate",
    "recover",
]
