"""DiffGen: generalised records for classification, chosen and counted under differential privacy.

N. Mohammed, R. Chen, B. C. M. Fung & P. S. Yu, "Differentially private data release for data mining" (KDD
2011). Every attribute begins as one value, *; h times a value is replaced by its children in a public
hierarchy, chosen for what it tells about the class; what remains is a table of counts, to which noise is
added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.query.methods.contract import Coded, DpSolution, NoisyTable, Problem
from sfumato.query.methods.curator import Codes, Curator, DataCurator, Scores, part_of
from sfumato.query.methods.simplex import nonnegative, people_to_draw, whole
from sfumato.query.methods.taxonomy import Cut

Children = tuple[tuple[int, ...], ...]
_FINE = 1 << 20
"""information gain is scored in millionths of a bit"""


class Score(StrEnum):
    """How much a specialisation tells about the class."""

    MAX = "max"
    """Σ over children of the people in their most frequent class; one person changes it by 1"""
    INFORMATION_GAIN = "information-gain"
    """H(class) − H(class | child), which one person may change by log₂ of the number of classes"""


@dataclass(frozen=True)
class DiffGen:
    """Records whose values are as general as it takes, with the class kept: a table to train on.

    With n numeric attributes and h ``specialisations``, ε′ = ε / 2(n + 2h). Each choice of a specialisation
    and each choice of where to split a number costs ε′ (the two halves of an interval are about different
    people: both are split for one ε′), and the counts of the leaves get the rest, at least ε/2: noise of
    scale at most 2/ε. Choices that were not needed are added to the counts.

    Hierarchies (``Attribute.parents``), edges and classes are public. Every leaf is counted, empty ones too:
    ``cells`` bounds how many there may be, and a specialisation that would make more is not offered.
    Negative counts are evened out against the others (see ``simplex``), which needs no data.

    Protects membership, identity and attributes at the price that is paid. What the class has to do with two
    attributes together is kept only where both were specialised. With ``spread`` the records have the values
    of the original domains, drawn evenly from what a generalised value stands for.
    """

    specialisations: int = 10
    score: Score = Score.MAX
    cells: int = 20_000
    spread: bool = False
    name: ClassVar[str] = "diffgen"

    def __post_init__(self) -> None:
        if self.specialisations < 1 or self.cells < 2:
            raise BadInput(
                "specialisations must be at least 1 and cells at least 2", where=self.name, remedy="try 10"
            )
        if self.score not in list(Score):
            raise BadInput(
                f"there is no score '{self.score}'", where=self.name, remedy=nearest(self.score, Score)
            )

    def share_of_a_choice(self, budget: Fraction, numbers: int) -> Fraction:
        """Return ε′ = ε / 2(n + 2h).

        >>> DiffGen(specialisations=4).share_of_a_choice(Fraction(1), numbers=5)
        Fraction(1, 26)
        """
        return budget / (2 * (numbers + 2 * self.specialisations))

    def protect(self, problem: Problem) -> DpSolution:
        """Spend the price on specialisations and on counts."""
        names = [attribute.name for attribute in problem.data.attributes]
        if problem.target not in names:
            raise BadInput(
                "the class attribute is not among the attributes",
                where=self.name,
                remedy="name it as the target" if problem.target is None else nearest(problem.target, names),
            )
        return self.generalise(DataCurator(problem), names.index(problem.target), problem.progress or SILENT)

    def generalise(self, curator: Curator, target: int, progress: Progress = SILENT) -> DpSolution:
        """Specialise by what the curator chooses, and count the leaves."""
        predictors = [a for a in range(len(curator.attributes)) if a != target]
        numbers = [a for a in predictors if curator.attributes[a].edges is not None]
        share = part_of(self.share_of_a_choice(curator.budget, len(numbers)), Fraction(1))
        cuts = {a: Cut.top(curator.attributes[a]) for a in predictors}
        rules = _Rules(curator, target, self.score, share)
        progress.step("specialising")
        for a in numbers:
            cuts[a] = rules.split(cuts[a], a, range(1))
        for done in range(self.specialisations):
            candidates = self._candidates(cuts, curator.attributes[target].size)
            if not candidates:
                break
            a, number = candidates[rules.choose(candidates, cuts)]
            fresh = set(cuts[a].nodes[number].children)
            cuts[a] = cuts[a].specialised(number)
            if cuts[a].ordered:
                cuts[a] = rules.split(
                    cuts[a], a, [i for i, n in enumerate(cuts[a].nodes) if n.positions in fresh]
                )
            progress.update((done + 1) / self.specialisations)
        progress.step("counting leaves")
        return self._counted(curator, cuts, target)

    def _candidates(self, cuts: dict[int, Cut], classes: int) -> list[tuple[int, int]]:
        """Return the values that can be specialised without too many leaves."""
        leaves = classes * math.prod(len(cut.nodes) for cut in cuts.values())
        return [
            (a, number)
            for a, cut in cuts.items()
            for number, node in enumerate(cut.nodes)
            if node.children
            and leaves // len(cut.nodes) * (len(cut.nodes) - 1 + len(node.children)) <= self.cells
        ]

    def _counted(self, curator: Curator, cuts: dict[int, Cut], target: int) -> DpSolution:
        attributes = curator.attributes
        maps = [
            cuts[a].node_of if a in cuts else np.arange(attributes[a].size, dtype=np.int64)
            for a in range(len(attributes))
        ]
        general = tuple(cuts[a].generalised() if a in cuts else attributes[a] for a in range(len(attributes)))
        shape = tuple(attribute.size for attribute in general)

        def cells(codes: Codes) -> NDArray[np.int64]:
            columns = [maps[a][codes[:, a]] for a in range(len(attributes))]
            return np.ravel_multi_index(columns, shape).astype(np.int64)

        noisy = curator.count(cells, math.prod(shape), curator.left, "counts of the leaves")
        total = curator.people if curator.people is not None else int(noisy.counts.sum())
        people = people_to_draw(total, curator.most_people)
        counts = whole(nonnegative(noisy.counts, people), curator.random)
        leaf = np.repeat(np.arange(counts.size), counts)
        leaf = leaf[curator.random.permutation(len(leaf))]
        records = np.column_stack(np.unravel_index(leaf, shape)).astype(np.int32)
        if self.spread:
            records = _spread(records, cuts, curator)
        records.setflags(write=False)
        spent, steps = curator.spent()
        return DpSolution(
            spent=spent,
            records=Coded(attributes if self.spread else general, records),
            tables=(
                NoisyTable(
                    tuple(a.name for a in general),
                    noisy.counts.reshape(shape).astype(np.float64),
                    noisy.deviation,
                ),
            ),
            expected_error={"leaves": noisy.deviation},
            steps=steps,
            published={"people": len(records), "leaves": counts.size, "class": attributes[target].name},
        )


@dataclass(frozen=True)
class _Rules:
    """Choices of specialisations and splits, each for the same share."""

    curator: Curator
    target: int
    score: Score
    share: Fraction

    @property
    def _classes(self) -> int:
        return self.curator.attributes[self.target].size

    @property
    def _sensitivity(self) -> int:
        return 1 if self.score is Score.MAX else _most_gain(self._classes)

    def choose(self, candidates: Sequence[tuple[int, int]], cuts: dict[int, Cut]) -> int:
        """Choose what to specialise."""

        def scores(codes: Codes) -> NDArray[np.int64]:
            tables = {a: self._table(codes, a) for a in {a for a, _ in candidates}}
            return np.array(
                [self._scored(tables[a], cuts[a].nodes[n].children) for a, n in candidates], np.int64
            )

        return self.curator.choose(scores, self._sensitivity, self.share, "choice of a specialisation")

    def split(self, cut: Cut, a: int, numbers: Sequence[int]) -> Cut:
        """Choose where intervals of a number are cut, if they are longer than one."""
        wide = [number for number in numbers if len(cut.nodes[number].positions) > 1]
        if not wide:
            return cut
        part_of_position = np.full(cut.attribute.size, -1, np.int64)
        for i, number in enumerate(wide):
            part_of_position[list(cut.nodes[number].positions)] = i
        options = [cut.splits(number) for number in wide]
        scorers: list[Scores] = [self._scorer(a, ways) for ways in options]
        name = cut.attribute.name
        chosen = self.curator.choose_apart(
            lambda codes: part_of_position[codes[:, a]],
            scorers,
            self._sensitivity,
            self.share,
            f"split of {name}",
        )
        for number, ways, which in zip(wide, options, chosen, strict=True):
            cut = cut.with_split(number, ways[which])
        return cut

    def _scorer(self, a: int, ways: Sequence[Children]) -> Callable[[Codes], NDArray[np.int64]]:
        def scores(codes: Codes) -> NDArray[np.int64]:
            table = self._table(codes, a)
            return np.array([self._scored(table, children) for children in ways], np.int64)

        return scores

    def _table(self, codes: Codes, a: int) -> NDArray[np.int64]:
        """Count people by position and class."""
        cells = codes[:, a].astype(np.int64) * self._classes + codes[:, self.target]
        size = self.curator.attributes[a].size
        return np.bincount(cells, minlength=size * self._classes).reshape(size, self._classes)

    def _scored(self, table: NDArray[np.int64], children: Children) -> int:
        of_child = np.array([table[list(child)].sum(axis=0) for child in children])
        if self.score is Score.MAX:
            return int(of_child.max(axis=1).sum())
        return _gain(of_child)


def _gain(counts: NDArray[np.int64]) -> int:
    """Return the information gain in millionths of a bit, between 0 and what it can be at most.

    The bounds are what the sensitivity rests on: whatever rounding does, no score leaves them.
    """
    people = int(counts.sum())
    if people == 0:
        return 0
    inside = sum(_entropy(child) * int(child.sum()) for child in counts) / people
    gain = _entropy(counts.sum(axis=0)) - inside
    return min(max(math.floor(gain * _FINE), 0), _most_gain(counts.shape[1]))


def _most_gain(classes: int) -> int:
    return max(1, math.ceil(math.log2(classes) * _FINE))


def _entropy(counts: NDArray[np.int64]) -> float:
    positive = counts[counts > 0]
    shares = positive / positive.sum() if positive.size else np.ones(1)
    return float(-(shares * np.log2(shares)).sum())


def _spread(records: NDArray[np.int32], cuts: dict[int, Cut], curator: Curator) -> NDArray[np.int32]:
    """Draw, for each generalised value, one of the positions that it stands for."""
    drawn = records.copy()
    for a, cut in cuts.items():
        sizes = np.array([len(node.positions) for node in cut.nodes])
        starts = np.cumsum(sizes) - sizes
        positions = np.concatenate([np.array(node.positions) for node in cut.nodes])
        node = records[:, a]
        offset = np.floor(curator.random.uniform(len(records)) * sizes[node]).astype(np.int64)
        drawn[:, a] = positions[starts[node] + offset]
    return drawn
