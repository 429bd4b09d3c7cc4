"""Candidates: the published nodes that agree with what an adversary knows of a person.

M. Hay, G. Miklau, D. Jensen, D. Towsley and P. Weis, "Resisting structural re-identification in anonymized
social networks", PVLDB 1(1), 2008: an adversary asks a structural question about a target x and keeps
cand(x) = {published y : answer(y) = answer(x)}. Who then picks one is right with chance 1 / |cand(x)| where
the person's own node is among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Scored, Victim
from sfumato.core.errors import BadInput, nearest
from sfumato.core.verdict import Threat
from sfumato.graph.attacks.contract import Knowledge, original_of
from sfumato.graph.contract import Figure, Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network

Knows = Literal["published", "original"]
"""``published``: the answer as it is in what was published, the worst case that models promise against;
``original``: the true answer, which the published network may no longer give"""

FEW = (2, 5, 10)
"""the sizes of candidate sets below which people are counted"""

GROUPED = "members of a group cannot be told apart: the adversary is taken to know the group, no more"


@dataclass(frozen=True, eq=False)
class Candidates:
    """For each person of the original: how many candidates there are, and whether one of them is right."""

    sizes: NDArray[np.int64] = field(repr=False)
    own: NDArray[np.bool_] = field(repr=False)

    def right(self) -> NDArray[np.int64]:
        """Return the sizes, 0 where a pick cannot be right."""
        return np.where(self.own, self.sizes, 0)


def check_knows(knows: str, where: str) -> None:
    """Refuse what is not one of the two."""
    if knows not in ("published", "original"):
        raise BadInput(
            "nobody knows what the adversary knows",
            where=f"{where}, knows",
            remedy=nearest(knows, ("published", "original")),
        )


def check_whole(given: object, least: int, where: str) -> None:
    """Refuse what is not a whole number from ``least``."""
    if isinstance(given, bool) or not isinstance(given, int) or given < least:
        raise BadInput(f"this is a whole number from {least}", where=where)


def people_behind(target: Publishable, knowledge: Knowledge, where: str) -> NDArray[np.int64]:
    """Return the published node or group of each person; refuse what has no nodes, or nobody's."""
    if not isinstance(target, Network | Grouped):
        raise BadInput(
            "this adversary looks for nodes, and statistics have none",
            where=where,
            remedy="attack a network or a grouping",
        )
    _, node = original_of(knowledge, where)
    places = target.nodes if isinstance(target, Network) else len(target.sizes)
    if len(node) and (node.max() >= places or node.min() < -1):
        raise AssertionError("the truth leads to nodes that were not published")
    if isinstance(target, Network) and (np.bincount(node[node >= 0]) > 1).any():
        raise AssertionError("the truth gives two people one node")
    if not (node >= 0).any():
        raise BadInput(
            "nobody of the original is in what was published",
            where=where,
            remedy="give the network that it was made from",
        )
    return node


def mean_chance(right: NDArray[np.int64]) -> Fraction:
    """Return the mean of 1 / candidates over all people, 0 for those with none.

    >>> mean_chance(np.array([2, 2, 0, 1]))
    Fraction(1, 2)
    """
    sizes, times = np.unique(right[right > 0], return_counts=True)
    pairs = zip(sizes.tolist(), times.tolist(), strict=True)
    return sum((Fraction(many, size) for size, many in pairs), Fraction(0)) / max(len(right), 1)


def identity_result(
    attack: str,
    found: Candidates,
    nodes: int,
    *,
    details: Mapping[str, Figure] | None = None,
    note: str = "",
    victims: bool = False,
    people: NDArray[np.int64] | None = None,
) -> AttackResult:
    """Score an adversary who picks one of the candidates; the baseline is to pick any node at all.

    ``people`` are the nodes of the original that were attacked, if not all of them.
    """
    right = found.right()
    hit = right > 0
    figures: dict[str, Figure] = {}
    if hit.any():
        figures["median candidates"] = float(np.median(right[hit]))
        figures["fewest candidates"] = int(right[hit].min())
    for few in FEW:
        share = int(np.count_nonzero(hit & (right < few))) / len(right)
        figures[f"share of people with fewer than {few} candidates"] = share
    figures["people whose own node does not agree"] = int(np.count_nonzero(~hit))
    figures["people for whom a wrong node is the only candidate"] = int(
        np.count_nonzero(~found.own & (found.sizes == 1))
    )
    return AttackResult(
        attack,
        Threat.IDENTITY,
        len(right),
        float(mean_chance(right)),
        1 / nodes,
        1 / nodes,
        certain=int(np.count_nonzero(right == 1)),
        highest=1 / int(right[hit].min()) if hit.any() else 0.0,
        scored=Scored.MEASURED,
        details={**figures, **(details or {})},
        note=note,
        victims=_most_exposed(right, people) if victims else (),
    )


def _most_exposed(right: NDArray[np.int64], people: NDArray[np.int64] | None) -> tuple[Victim, ...]:
    hit = np.flatnonzero(right)
    order = hit[np.lexsort((hit, right[hit]))][:MOST_VICTIMS]
    rows = order if people is None else people[order]
    told = zip(rows.tolist(), right[order].tolist(), strict=True)
    return tuple(Victim(row + 1, 1 / many, many) for row, many in told)
