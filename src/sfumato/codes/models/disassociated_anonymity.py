"""k^m-anonymity of disassociated sets: m codes of a person never tell their record from fewer than k.

M. Terrovitis, J. Liagouris, N. Mamoulis & S. Skiadopoulos, "Privacy preservation by disassociation" (2012).
The cover problem: S. Barakat, B. al Bouna, M. Nassar & C. Guyeux, "On the evaluation of the privacy breach in
disassociated set-valued datasets" (2016); N. Awad, B. al Bouna, J.-F. Couchot & L. Philippe, "Safe
disassociation of set-valued datasets" (2019).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from sfumato.codes.disassociated import Chunk, Cluster, Disassociated, JointCluster, leaves
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict, Witness

SubRecords = Sequence[tuple[int, ...]]
Held = Mapping[Chunk, tuple[int, int]]
"""for each chunk the size and the support of the itemset that the fewest sub-records hold"""


@dataclass(frozen=True)
class ChunkWitness(Witness):
    """Where a release of chunks breaks its promise: the number of the cluster, and what is wrong with it."""

    cluster: int = 0
    what: str = ""

    def __str__(self) -> str:
        return f"cluster {self.cluster}: {self.what}"


@dataclass(frozen=True)
class DisassociatedAnonymity:
    """Whoever knows at most m codes of a person has at least k sub-records to choose from.

    A release of chunks could have come from many originals, its *possible worlds*: each gives the sub-records
    of a chunk to different records of the cluster, those of a shared chunk to records of its clusters, and
    every term to at least one record. Nobody in them is without codes. Promised is, for every itemset I of
    at most m codes that a record of a cluster holds in some world:

    1. in some world at least k records of this cluster hold I;
    2. in every chunk with codes of I at least k sub-records may be those of a person of this cluster who
       holds I.

    This is checked by conditions on the release alone:

    - a cluster that shows any code has at least k records (people without codes are a cluster of their own,
      however few they are), and no code stands in two of its chunks;
    - every chunk is k^m-anonymous: no itemset of at most m codes is held by 1 to k − 1 sub-records;
    - in a cluster without terms, Σ sub-records of its record chunks ≥ records + k · (h − 1) with h = min(m,
      number of these chunks): with fewer, somebody would be left without codes if k records held I;
    - a shared chunk with a code that also stands in a chunk or among the terms of one of its clusters has
      equal sub-records alone. They cannot belong to that cluster, and elsewhere k must be left to choose.
      (The paper asks for k equal sub-records of every kind: too little when kinds compete for few records.)

    With ``safe`` also the *cover problem* is ruled out: a code that a chunk shows is absent from at least k
    records of the cluster, and does not stand in every sub-record of a chunk that has other codes, too; and a
    cluster that shows one term and no chunk of its own lies under a shared chunk of other codes, so that its
    records need not all hold the term. So no code is certain of a person who is only known to be among n
    records, or known by codes of other chunks. If all worlds are equally likely, the probability of a code of
    a record chunk is at most 1 − k/n; of a shared chunk it may be a little more, since worlds that leave
    somebody without codes do not count. Of terms none is bounded.

    Protects from finding out which sub-records are a person's. It is about what is *possible*, and does not
    say how likely it is. It does not protect those of whom more than m codes are known, nor codes that stand
    in all k sub-records that match. Terms have no counts, but whoever knows the method knows that most of
    them are held by fewer than k records of their cluster.

    >>> shown = Disassociated(("a", "b", "c"), (Cluster(3, (Chunk.of([[0, 1], [0, 1], [0]]),), (2,)),))
    >>> print(DisassociatedAnonymity(2, 2).check(shown))
    disassociated-k-m-anonymity holds: required k ≥ 2 for any 2 codes, achieved k = 2
    """

    k: int
    m: int
    safe: bool = False
    name: ClassVar[str] = "disassociated-k-m-anonymity"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for value, what, good in ((self.k, "k", 5), (self.m, "m", 2)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadInput(
                    f"{what} must be a whole number of at least 1",
                    where=self.name,
                    remedy=f"try {what}: {good}",
                )

    def in_words(self) -> str:
        """Say what is promised."""
        known = "any code" if self.m == 1 else f"any {self.m} codes"
        more = ", and no code of a cluster is certain" if self.safe else ""
        return f"{known} of a person may belong to at least {self.k} sub-records of each chunk{more}"

    def question(self) -> Question:
        """Itemsets of at most m codes need k records in some possible original."""
        return Question(Family.UP_TO, self.k, self.m, sensitive_known=True)

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Examine every cluster."""
        if not isinstance(published, Disassociated):
            raise BadInput(
                "this promise is about chunks, and the sets were not disassociated",
                where=self.name,
                remedy="ask for k-m-anonymity, or take the method disassociation",
            )
        held = {chunk: _fewest(chunk.sub_records(), self.k, self.m) for chunk in published.chunks()}
        witness: ChunkWitness | None = None
        broken = 0
        for number, part in enumerate(published.clusters, 1):
            faults = list(self._faults(part, held))
            broken += len(faults)
            if faults and witness is None:
                witness = ChunkWitness(("codes",), (), faults[0][1], number, faults[0][0])
        reached = [part.records for part in published.leaves() if part.held]
        reached += [support for _, support in held.values()]
        achieved = f"k = {min(reached)}" if reached else "no codes to know"
        if broken:
            achieved = "less in 1 place" if broken == 1 else f"less in {broken} places"
        return Verdict(
            self.name,
            broken == 0,
            required=f"k ≥ {self.k} for any {self.m} code{'s' * (self.m != 1)}" + ", safe" * self.safe,
            achieved=achieved,
            basis=self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=broken,
        )

    def _faults(
        self, part: Cluster | JointCluster, held: Held, above: tuple[Chunk, ...] = ()
    ) -> Iterator[tuple[str, int]]:
        """Go through what is wrong with a cluster: a sentence and a count.

        ``above`` are shared chunks whose sub-records its records may have.
        """
        if isinstance(part, Cluster):
            yield from self._cluster_faults(part, held)
            elsewhere = bool(part.chunks) or any(not chunk.held & part.held for chunk in above)
            lone = len(part.terms) == 1 and not elsewhere
            if self.safe and part.terms and (lone or part.records == 1):
                yield "a term must be held by everybody", part.records
            return
        for inner in part.parts:
            above_inner = (*part.shared, *(chunk for chunk in above if not chunk.held & part.told))
            yield from self._faults(inner, held, above_inner)
        if sum(len(chunk.held) for chunk in part.shared) != len(part.told):
            yield "a code stands in two shared chunks", 2
        below = frozenset().union(*(inner.held for inner in part.parts))
        for leaf in leaves(part):
            if part.shared and leaf.records < self.k:
                yield f"a member has {leaf.records} records", leaf.records
            if part.shared and not leaf.terms and not leaf.chunks:
                yield "the records of a member are told by shared chunks alone", leaf.records
        for chunk in part.shared:
            may = part.records
            if chunk.held & below:
                if len(set(chunk.sub_records())) > 1:
                    yield "a shared chunk shows codes that stand in chunks below, beside others", len(chunk)
                may = _eligible(part, chunk.held)
            if len(chunk) > may:
                yield "a shared chunk has more sub-records than there are records for them", may
            yield from self._chunk_faults(chunk, may, held)

    def _cluster_faults(self, part: Cluster, held: Held) -> Iterator[tuple[str, int]]:
        if part.held and part.records < self.k:
            yield f"it has {part.records} records", part.records
        if len(part.terms) + sum(len(chunk.held) for chunk in part.chunks) != len(part.held):
            yield "a code stands in two chunks", 2
        total = sum(len(chunk) for chunk in part.chunks)
        needed = part.records + self.k * (min(self.m, len(part.chunks)) - 1)
        if part.chunks and not part.terms and total < needed:
            yield f"without terms its chunks need {needed} sub-records and have {total}", total
        for chunk in part.chunks:
            if len(chunk) > part.records:
                yield "a chunk has more sub-records than there are records", part.records
            yield from self._chunk_faults(chunk, part.records, held)

    def _chunk_faults(self, chunk: Chunk, records: int, held: Held) -> Iterator[tuple[str, int]]:
        size, support = held[chunk]
        if support < self.k:
            what = f"{size} code{'s' * (size != 1)} of a chunk held by {support} of {len(chunk)} sub-records"
            yield what, support
        if self.safe:
            most = max(Counter(chunk.codes.tolist()).values(), default=0)
            if records - most < self.k:
                yield f"a code is absent from only {records - most} of {records} records", records - most
            if most == len(chunk) and len(chunk.held) > 1:
                yield "a code stands in every sub-record of a chunk", most


def _fewest(shown: SubRecords, k: int, m: int) -> tuple[int, int]:
    """Return the size and the support of the itemset of at most m codes that the fewest sub-records hold.

    Sizes are tried one after another, up to one at which fewer than k do: where long sub-records break the
    promise they mostly do so early.
    """
    distinct = Counter(shown)
    worst = (1, len(shown))
    for size in range(1, min(m, max(map(len, distinct), default=0)) + 1):
        held: Counter[tuple[int, ...]] = Counter()
        for one, times in distinct.items():
            for itemset in combinations(one, size):
                held[itemset] += times
        fewest = min(held.values())
        if fewest < worst[1]:
            worst = (size, fewest)
        if fewest < k:
            break
    return worst


def _eligible(part: JointCluster, codes: frozenset[int]) -> int:
    """Count the records that may have a sub-record of these codes: none of whose own chunks shows one."""
    total = 0
    for inner in part.parts:
        if not inner.held & codes:
            total += inner.records
        elif isinstance(inner, JointCluster) and not inner.told & codes:
            total += _eligible(inner, codes)
    return total
