"""Cover: codes of a disassociated cluster that nearly everybody in it has.

S. Barakat, B. al Bouna, M. Nassar and C. Guyeux, "On the evaluation of the privacy breach in disassociated
set-valued datasets" (2016); N. Awad, B. al Bouna, J.-F. Couchot and L. Philippe, "Safe disassociation of
set-valued datasets" (2019).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.codes.attacks.contract import Knowledge, Target, records_of
from sfumato.codes.disassociated import Chunk, Cluster, Disassociated, JointCluster
from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat


@dataclass(frozen=True)
class CoverProblem:
    """Knowing only in which cluster a person is, claim the code that most of its records have.

    Disassociation hides which sub-records belong together, not how many of the n records of a cluster have a
    code x of one of its chunks: s(x) of them, so that the adversary is s(x) / n sure of it. Somebody's codes
    that stand in one cluster alone tell the cluster. When s(x) = n, x *covers* the cluster, is certain of
    everybody in it, and joins the codes of other chunks to it. A code of a chunk that several clusters share
    is claimed of all their records together.

    Success is expected, with a person of each cluster as likely as any: Σ max s(x) / N. The baseline is to
    know no cluster: the code that most sub-records of the release hold, which is also the blind guess.

    Safe disassociation bounds the confidence by 1 − k / n in every cluster; without it nothing does.

    >>> shown = Disassociated(("a", "b"), (Cluster(3, (Chunk.of([[0], [0], [0]]),), (1,)),))
    >>> found = CoverProblem().run(shown, Knowledge())
    >>> found.certain, found.highest
    (3, 1.0)
    """

    name: ClassVar[str] = "cover"
    title: ClassVar[str] = "knows in which cluster a person is and claims what nearly all of it have"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset()

    def run(
        self, target: Target, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Claim one code of everybody in each cluster."""
        if not isinstance(target, Disassociated):
            raise BadInput(
                "it is about clusters of chunks, and the sets were not disassociated",
                where=self.name,
                remedy="attack whole records with known-codes or sensitive-code",
            )
        records = records_of(target, self.name)
        found = [
            (cluster, joint, many) for part in target.clusters for cluster, joint, many in _claims(part, ())
        ]
        expected = sum(cluster * joint / many for cluster, joint, many in found)
        worst = max(found, key=lambda one: (one[1] / one[2], -one[2]))
        blind = int(target.supports.max(initial=0)) / records
        return AttackResult(
            self.name,
            self.threat,
            records,
            min(expected / records, 1.0),
            min(blind, 1.0),
            min(blind, 1.0),
            certain=sum(cluster for cluster, joint, many in found if joint == many),
            highest=worst[1] / worst[2],
            scored=Scored.EXPECTED,
            details={
                "records of the surest claim": worst[2],
                "of them with what is claimed": worst[1],
                "clusters": len(found),
            },
        )


def _claims(
    part: Cluster | JointCluster, around: tuple[tuple[int, int], ...]
) -> Iterator[tuple[int, int, int]]:
    """Yield for every plain cluster its records, and the surest claim: so many of so many records."""
    if isinstance(part, JointCluster):
        shared = tuple((_most(chunk), part.records) for chunk in part.shared)
        for inner in part.parts:
            yield from _claims(inner, (*around, *shared))
        return
    claims = [(0, part.records), *((_most(chunk), part.records) for chunk in part.chunks), *around]
    joint, many = max(claims, key=lambda one: one[0] / one[1])
    yield part.records, joint, many


def _most(chunk: Chunk) -> int:
    """Return how many sub-records hold the code that most of them hold."""
    return int(np.bincount(chunk.codes).max(initial=0))
