"""LRA: similar records are put side by side and every run of them is generalised for itself.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data",
The VLDB Journal 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.apriori import checked_orders
from sfumato.codes.methods.apriori_asked import Asked, bounds_support_alone, unchanged
from sfumato.codes.methods.apriori_ground import publish
from sfumato.codes.methods.apriori_search import Order, Search, Stuck
from sfumato.codes.methods.apriori_suppression import allowed, cheapest, checked_share, share_that_suffices
from sfumato.codes.published import SUPPRESSED
from sfumato.codes.question import Question
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress

_COMPARED = 16
"""so many codes of each record decide about its place"""


@dataclass(frozen=True)
class _Run:
    """Tells what is done in a run as notes to the work on all runs."""

    outer: Progress
    done: float

    def step(self, what: str) -> None:
        """Say what is being done, without beginning a step."""
        self.outer.update(self.done, what)

    def update(self, done: float, note: str = "") -> None:
        """Say what is being done; how much of a run is done is not known."""
        self.outer.update(self.done, note)


@dataclass(frozen=True)
class LocalApriori:
    """Records in Gray order are cut into runs of at least ``records`` records, each with a cut of its own.

    Supports add up, so records that are k^m-anonymous in every run are so together, by items as they are
    shown and by the codes under them. A code may be shown as it is in one run and as a node in another.
    With ``singles_apart`` people with one code are a run of their own: no pair of theirs can be rare, so
    they keep most codes as they are. Beyond that runs help where people fall into groups with codes of their
    own. Where everybody may have any code, each run holds too few records of every itemset, and the more
    runs there are the more is lost; a run needs less memory than all records do. Where some run cannot keep
    the promise, all records become one. Orders, ``trim`` and ``suppress`` are those of
    ``AprioriAnonymisation``; every run may leave out this share of its own codes.

    Gray order: neighbours differ in few codes. Read as a bit for every code, in the hierarchy's order, the
    records ascend in the reflected binary code (F. Gray, 1953); the first 16 codes of a record decide.

    >>> LocalApriori(records=1000, orders=("rare",))
    LocalApriori(records=1000, singles_apart=True, orders=('rare',), trim=True, suppress=0.0)
    """

    records: int = 100_000
    singles_apart: bool = True
    orders: Sequence[Order] | Order = ("rare", "common", "cheap")
    trim: bool = True
    suppress: float = 0.0
    name: ClassVar[str] = "local-apriori"
    needs_hierarchy: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", checked_orders(self.orders, self.name))
        checked_share(self.suppress, self.name)
        if type(self.records) is not int or self.records < 1:
            raise BadInput("records must be a whole number of at least 1", where=self.name)

    def enforces(self, question: Question) -> bool:
        """Say whether a question bounds the support of all itemsets up to a size, or of any."""
        return bounds_support_alone(question)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Order the records and generalise run after run."""
        asked = Asked.of(problem, self)
        if asked is None:
            return unchanged(problem)
        progress.step("put similar records side by side")
        tree = asked.tree
        place = np.empty(tree.leaves, np.int64)
        place[tree.order] = np.arange(tree.leaves)
        rows = gray_order(problem.sets, place)
        rows = rows[asked.held[rows] > 0]
        progress.step("generalise run after run")
        runs = self._runs(rows, asked)
        try:
            shown, loss = self._run_after_run(asked, runs, progress)
        except Stuck:
            try:
                shown, loss = self._run_after_run(asked, runs := [rows], progress)
            except Stuck:
                raise self._stuck(asked) from None
        published = publish(problem, tree, shown)
        ncp = loss / (tree.total * max(int(asked.held.sum()), 1))
        details = {"items shown": len(published.items), "runs": len(runs), "NCP": ncp}
        if gone := int((shown == SUPPRESSED).sum()):
            details["occurrences suppressed"] = gone
        return Solution(published, details)

    def _stuck(self, asked: Asked) -> PromiseNotMet:
        search = asked.search()
        occurrences = asked.problem.sets.occurrences
        start = search.ground.leaf_cut()
        return asked.stuck(
            share_that_suffices(
                search, Search.apriori, start, checked_orders(self.orders, self.name), occurrences
            )
        )

    def _runs(self, rows: NDArray[np.int64], asked: Asked) -> list[NDArray[np.int64]]:
        """Cut records into runs; each has enough of them for itself."""
        alone = asked.held[rows] == 1
        apart = self.singles_apart and min(alone.sum(), (~alone).sum()) >= asked.k
        parts = [rows[alone], rows[~alone]] if apart else [rows]
        number = max(len(parts[-1]) // max(self.records, asked.k), 1)
        return [run for run in (*parts[:-1], *np.array_split(parts[-1], number)) if len(run)]

    def _run_after_run(
        self, asked: Asked, runs: Sequence[NDArray[np.int64]], progress: Progress
    ) -> tuple[NDArray[np.int64], int]:
        """Return for every occurrence of a code the node that is shown, and what all runs lose."""
        sets = asked.problem.sets
        shown = sets.codes.astype(np.int64)
        loss = 0
        for number, run in enumerate(runs):
            inside = _Run(progress, number / len(runs))
            search = asked.search(sets.take(run), inside)
            start = search.ground.leaf_cut()
            mine = _slots(sets, run)
            most = allowed(self.suppress, len(mine))
            cut, _ = cheapest(
                search, Search.apriori, start, checked_orders(self.orders, self.name), self.trim, inside, most
            )
            shown[mine] = search.ground.by_code(cut)[sets.codes[mine]]
            loss += search.ground.loss(cut)
            progress.update((number + 1) / len(runs), f"{number + 1} of {len(runs)} runs")
        return shown, loss


def gray_order(sets: CodeSets, place: NDArray[np.int64]) -> NDArray[np.int64]:
    """Order records as bit strings, a bit for every code at its place, by the reflected binary code.

    Such a string stands for the number whose bits are the parities of its prefixes. With its codes at
    p₁ < p₂ < …, these are 0 up to p₁, 1 up to p₂, 0 up to p₃ and so on: the later p₁ comes the smaller the
    number, the later p₂ the larger.

    >>> sets = CodeSets.of([["b"], ["a", "b"], ["a"], [], ["b", "c"], ["c"], ["a", "b", "c"], ["a", "c"]])
    >>> [" ".join(sets.record(row)) for row in gray_order(sets, np.arange(3)).tolist()]
    ['', 'c', 'b c', 'b', 'a b', 'a b c', 'a c', 'a']
    """
    owner = slots_of(sets.starts)
    places = place[sets.codes]
    places = places[np.lexsort((places, owner))]
    depth = np.arange(len(places)) - sets.starts[owner]
    keys = np.full((_COMPARED, len(sets)), len(sets.domain), np.int64)
    compared = depth < _COMPARED
    keys[depth[compared], owner[compared]] = places[compared]
    keys[::2] *= -1
    return np.lexsort(keys[::-1])


def _slots(sets: CodeSets, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where the codes of some records stand."""
    lengths = np.diff(sets.starts)[rows]
    before = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    return np.repeat(sets.starts[rows] - before, lengths) + np.arange(lengths.sum())
