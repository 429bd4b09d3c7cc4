"""What disassociation loses: counts that are hidden among terms, and itemsets that chance took apart.

M. Terrovitis, J. Liagouris, N. Mamoulis & S. Skiadopoulos, "Privacy preservation by disassociation" (2012)
compare the most frequent itemsets of the original with those of reconstructed data.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import ClassVar

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.possible_worlds import possible_original
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility.itemset_deviation import ItemsetDeviation
from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured


@dataclass(frozen=True)
class HiddenCounts:
    """The share of the occurrences of codes that no chunk counts: they are named as terms alone.

    >>> from sfumato.codes.disassociated import Chunk, Cluster
    >>> shown = Disassociated(("a", "b"), (Cluster(3, (Chunk.of([[0], [0], [0]]),), (1,)),))
    >>> HiddenCounts().of(CodeSets.of([["a", "b"], ["a"], ["a"]]), shown).value
    0.25
    """

    name: ClassVar[str] = "hidden-counts"
    title: ClassVar[str] = "codes without counts"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the codes of all records that are named, but not counted"

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Count them; None where the original has no codes or sets were not disassociated."""
        if not isinstance(published, Disassociated) or not original.occurrences:
            return None
        own = sum(len(chunk.codes) for leaf in published.leaves() for chunk in leaf.chunks)
        counted = published.occurrences
        return Measured(
            1 - counted / original.occurrences,
            {
                "occurrences": original.occurrences,
                "in record chunks": own,
                "in shared chunks": counted - own,
                "hidden": original.occurrences - counted,
            },
        )


@dataclass(frozen=True)
class LostAssociations:
    """The share of the K most frequent itemsets that are not among those of a possible original.

    The deviation tKd (see ``ItemsetDeviation``) between the original and data drawn from the chunks, as the
    mean over several draws.

    >>> from sfumato.codes.disassociated import Chunk, Cluster
    >>> shown = Disassociated(("a", "b"), (Cluster(3, (Chunk.of([[0, 1], [0, 1], [0]]),)),))
    >>> LostAssociations(top=3).of(CodeSets.of([["a", "b"], ["a", "b"], ["a"]]), shown).value
    0.0
    """

    top: int = 100
    largest: int = 3
    draws: int = 3
    seed: int = 0
    name: ClassVar[str] = "lost-associations"
    title: ClassVar[str] = "itemsets lost by disassociation (tKd)"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = (
        "the share of the most frequent itemsets that are lost in data drawn from the chunks"
    )

    def __post_init__(self) -> None:
        if min(self.top, self.largest, self.draws) < 1:
            raise BadInput("top, largest and draws must be at least 1", where=self.name)

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Draw and mine; None where the original has no codes or sets were not disassociated."""
        if not isinstance(published, Disassociated) or not original.occurrences:
            return None
        if len(original) != len(published):
            raise BadInput(
                f"the original has {len(original):,} records and the release {len(published):,}",
                remedy="compare the release with the data that it was made from",
            )
        measure = ItemsetDeviation(self.top, self.largest)
        found = []
        for draw in range(self.draws):
            world = PublishedSets.as_it_is(possible_original(published, self.seed + draw))
            one = measure.of(original, world)
            if one is None:
                return None
            found.append(one.value)
        spread = statistics.pstdev(found)
        return Measured(statistics.fmean(found), {"draws": self.draws, "standard deviation": spread})
