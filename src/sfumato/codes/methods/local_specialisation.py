"""Local specialisation: begin with the root everywhere, and say more where k records still share it.

Top-down local recoding as in Y. He & J. Naughton, "Anonymization of set-valued data via top-down, local
generalization" (PVLDB 2009), for the promise of M. Terrovitis, N. Mamoulis & P. Kalnis, "Privacy-preserving
anonymization of set-valued data" (PVLDB 2008): not whole records must look alike, but every choice of at
most m of their items.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.asked import most_support, questions_of
from sfumato.codes.published import SUPPRESSED, Items, PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress

MOST_ITEMSETS = 2_000_000
"""choices of at most m items of one record, over all records, that are counted at most"""

_Itemset = tuple[int, ...]


@dataclass(frozen=True)
class LocalSpecialisation:
    """k^m-anonymity by local recoding: an occurrence is shown as finely as the choices around it allow.

    Every occurrence of a code begins as the root of the hierarchy. A *step* takes a node v and a node c below
    it, and shows c instead of v in as many records that have a code under c as possible. Afterwards every
    choice of at most m items that a record shows is shown by at least k records again: records whose choice
    would be rarer stay out of the step, and so do as many as it takes to leave k (or none) behind with v.
    Steps are tried in the order of what they may take off

        NCP = Σ over generalised occurrences of |leaves under the shown node| / |I|,  over all occurrences,

    until none succeeds. The same code may be shown as itself in one record and as a node in another; a
    record may show a node beside one below it, for another of its codes.

    Sensitive codes count like all others and are never shown together with public ones: where the root stands
    for both, occurrences begin as left out, and some may stay so. Fewer than k records with codes show
    nothing. It protects from what k^m-anonymity protects from, and no more: ``partition`` makes whole
    records alike, and loses more.

    >>> from sfumato.codes.models.k_m_anonymity import KmAnonymity
    >>> from sfumato.hierarchy import Tree
    >>> sets = CodeSets.of([["a1", "b1"], ["a1"], ["a2", "b1"], ["a2"], ["a2", "b2"]])
    >>> tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), sets.domain)
    >>> published = LocalSpecialisation().protect(Problem(sets, (KmAnonymity(2, 2),), tree)).published
    >>> [published.record(row) for row in range(5)]
    [('any',), ('any',), ('a2', 'B'), ('a2',), ('a2', 'B')]
    """

    name: ClassVar[str] = "local-specialisation"
    needs_hierarchy: ClassVar[bool] = True

    def enforces(self, question: Question) -> bool:
        """Whether a question bounds the support of all itemsets up to a size, and nothing else."""
        return question.family is Family.UP_TO and question.confidence is None and question.spread is None

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Specialise until no step is left that keeps the promise."""
        sets, tree = problem.sets, problem.tree
        questions = questions_of(problem, self)
        k = most_support(problem, questions)
        if not sets.occurrences:
            return Solution(PublishedSets.as_it_is(sets, problem.sensitive))
        if tree is None:
            raise BadInput(
                f"{self.name} generalises along a hierarchy and none is given",
                remedy="give the codes a hierarchy",
            )
        m = max(question.size or 1 for question in questions)
        _refuse_too_many(sets, m, self.name)
        search = _Search(sets, tree, problem.marked, k, m)
        progress.step("specialising nodes while every choice stays common")
        steps = search.run(progress)
        used = sorted({node for node in search.at if node != SUPPRESSED})
        item_of = {node: item for item, node in enumerate(used)} | {SUPPRESSED: SUPPRESSED}
        items = Items.of_nodes(sets.domain, tree, used, sensitive=problem.sensitive)
        return Solution(
            PublishedSets.by_slot(sets, items, np.array([item_of[node] for node in search.at], np.int64)),
            {"steps": steps, "suppressed_occurrences": search.at.count(SUPPRESSED)},
        )


def _refuse_too_many(sets: CodeSets, m: int, method: str) -> None:
    """Refuse records whose choices of m items are too many to count one by one."""
    lengths, records = np.unique(np.diff(sets.starts), return_counts=True)
    total = sum(
        number * sum(comb(length, size) for size in range(1, min(m, length) + 1))
        for length, number in zip(lengths.tolist(), records.tolist(), strict=True)
    )
    if total > MOST_ITEMSETS:
        raise PromiseNotMet(
            f"the records have {total:,} choices of up to {m} codes, more than {MOST_ITEMSETS:,}",
            where=method,
            remedy="lower m, or use apriori or partition",
        )


def _with(item: int, others: Iterable[int], m: int) -> Iterator[_Itemset]:
    """Go through the itemsets of at most m items that hold one item and some of the others."""
    given = tuple(others)
    for size in range(min(m - 1, len(given)) + 1):
        for chosen in combinations(given, size):
            yield tuple(sorted((item, *chosen)))


class _Search:
    """Where every occurrence stands, and how many records show each choice of at most m items.

    ``at[slot]`` is the node that an occurrence shows; ``shown[record]`` counts the occurrences of a record by
    the node that they show. What is left out is no item: nobody sees it.
    """

    def __init__(self, sets: CodeSets, tree: CodeTree, sensitive: NDArray[np.bool_], k: int, m: int) -> None:
        self._k, self._m = k, m
        self._owner: list[int] = slots_of(sets.starts).tolist()
        mixed = _mixed(tree, sensitive)
        holders = int(np.count_nonzero(np.diff(sets.starts)))
        start = tree.root if holders >= k and tree.root not in mixed else SUPPRESSED
        self.at = [start] * sets.occurrences
        self._below = _ways_down(sets, tree, mixed)
        self._cost = (tree.size / max(tree.total, 1)).tolist()
        self._cost[: tree.leaves] = [0.0] * tree.leaves
        self._shown: list[Counter[int]] = [Counter() for _ in range(len(sets))]
        self._support: Counter[_Itemset] = Counter()
        for slot, record in enumerate(self._owner):
            self._shown[record][self.at[slot]] += 1
        if start != SUPPRESSED:
            self._support[start,] = holders

    def _costs(self, node: int) -> float:
        return 1.0 if node == SUPPRESSED else self._cost[node]

    def run(self, progress: Progress) -> int:
        """Take steps until a round takes none; return how many there were."""
        steps, rounds = 0, 0
        while True:
            slots = self._ways()
            worth = {
                way: len(found) * (self._costs(way[0]) - self._costs(way[1])) for way, found in slots.items()
            }
            order = sorted(worth, key=lambda way: (-worth[way], way))
            before = steps
            for done, (high, low) in enumerate(order):
                waiting = [slot for slot in slots[high, low] if self.at[slot] == high]
                steps += bool(waiting) and self._step(high, low, waiting)
                if done % 100 == 0:
                    progress.update(done / len(order), f"round {rounds + 1}, {steps} steps")
            rounds += 1
            if steps == before:
                return steps

    def _ways(self) -> dict[tuple[int, int], list[int]]:
        """Return the occurrences that could show a node instead of the one they do, by both."""
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for slot, node in enumerate(self.at):
            for low in self._below[slot]:
                if low == node:
                    break
                found[node, low].append(slot)
        return found

    def _step(self, high: int, low: int, slots: list[int]) -> bool:
        """Show ``low`` instead of ``high`` in as many records as the promise allows; return if in any."""
        moved: dict[int, int] = Counter(self._owner[slot] for slot in slots)
        chosen = set(moved)
        while chosen:
            change = self._change(high, low, moved, chosen)
            stay = self._too_rare(change)
            if not stay:
                break
            chosen -= stay
        else:
            return False
        for itemset, records in change.gained.items():
            self._support[itemset] += len(records)
        for itemset, records in change.lost.items():
            self._support[itemset] -= len(records)
        for record in chosen:
            shown = self._shown[record]
            shown[high] -= moved[record]
            if not shown[high]:
                del shown[high]
            shown[low] += moved[record]
        for slot in slots:
            if self._owner[slot] in chosen:
                self.at[slot] = low
        return True

    def _change(self, high: int, low: int, moved: dict[int, int], chosen: set[int]) -> _Change:
        """Return which records would show which itemsets more and no more."""
        change = _Change()
        for record in sorted(chosen):
            shown = self._shown[record]
            others = [node for node in shown if node not in (high, low, SUPPRESSED)]
            leaves = shown[high] == moved[record]
            seen = high != SUPPRESSED
            if low not in shown:
                beside = [*others, high] if seen and not leaves else others
                for itemset in _with(low, beside, self._m):
                    change.gained[itemset].append(record)
            if leaves and seen:
                beside = [*others, low] if low in shown else others
                for itemset in _with(high, beside, self._m):
                    change.lost[itemset].append(record)
        return change

    def _too_rare(self, change: _Change) -> set[int]:
        """Return records that must stay as they are, so that no itemset is held by 1 to k − 1 records."""
        stay: set[int] = set()
        for itemset in change.gained.keys() | change.lost.keys():
            gained, lost = change.gained.get(itemset, []), change.lost.get(itemset, [])
            after = self._support[itemset] + len(gained) - len(lost)
            if not 0 < after < self._k:
                continue
            # What nobody has shown so far cannot be begun by so few; else too many would leave it.
            stay.update(gained if not self._support[itemset] else lost[: self._k - after])
        return stay


@dataclass
class _Change:
    """The records that gain and lose each itemset by one step."""

    gained: dict[_Itemset, list[int]] = field(default_factory=lambda: defaultdict(list))
    lost: dict[_Itemset, list[int]] = field(default_factory=lambda: defaultdict(list))


def _mixed(tree: CodeTree, sensitive: NDArray[np.bool_]) -> set[int]:
    """Return the nodes over public and sensitive codes: no release may show them."""
    found = set()
    for node in range(len(tree)):
        inside = sensitive[tree.order[tree.first[node] : tree.end[node]]]
        if inside.any() and not inside.all():
            found.add(node)
    return found


def _ways_down(sets: CodeSets, tree: CodeTree, mixed: set[int]) -> list[list[int]]:
    """Return for each occurrence the nodes that may stand for it, its code first and the highest last."""
    of_code = []
    for code in range(tree.leaves):
        node, way = code, []
        while node >= 0:
            if node not in mixed:
                way.append(node)
            node = int(tree.parent[node])
        of_code.append(way)
    return [of_code[code] for code in sets.codes.tolist()]
