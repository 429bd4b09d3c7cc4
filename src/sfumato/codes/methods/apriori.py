"""Apriori and direct anonymisation: one cut of the hierarchy for all records, so that k^m-anonymity holds.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Privacy-preserving anonymization of set-valued data", PVLDB 2008.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args

from sfumato.codes.contract import Problem, SetMethod, Solution
from sfumato.codes.methods.apriori_asked import Asked, bounds_support_alone, unchanged
from sfumato.codes.methods.apriori_search import Order, Search, Stuck
from sfumato.codes.methods.apriori_suppression import (
    Walk,
    allowed,
    cheapest,
    checked_share,
    share_that_suffices,
)
from sfumato.codes.question import Question
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress


def checked_orders(orders: Sequence[str] | str, method: str) -> tuple[Order, ...]:
    """Return processing orders as a tuple; refuse names that do not exist."""
    known = get_args(Order)
    if not isinstance(orders, Iterable):
        raise BadInput(
            "orders must be a list of names", where=method, remedy=f"known are: {', '.join(known)}"
        )
    given = (orders,) if isinstance(orders, str) else tuple(orders)
    for name in given:
        if name not in known:
            raise BadInput(f"there is no order '{name}'", where=method, remedy=nearest(str(name), known))
    if not given:
        raise BadInput("at least one order is needed", where=method, remedy=f"known are: {', '.join(known)}")
    return given  # type: ignore[return-value]  # every name was looked up


@dataclass(frozen=True)
class AprioriAnonymisation:
    """AA: mend single items first, then pairs of what is then shown, then triples, up to m items.

    A *cut* shows every code as itself or as a node above it, the same in all records and never a node
    beside one below it. Of the ways to lift a rare itemset {i₁, …, iⱼ}, 0 < sup < k, along the hierarchy the
    one is taken that reaches sup ≥ k and adds least to

        NCP = Σ over generalised occurrences of |leaves under the shown node| / |I|,  over all occurrences.

    Sizes are mended until a pass over all records finds nothing rare; that alone makes k^m-anonymity hold.
    What was lifted early is often covered by a later lift, and the outcome depends on what comes first. So
    every order of ``orders`` is tried, and ``trim`` splits nodes again, the dearest first, while nothing
    becomes rare; the cut with the least NCP is kept. Orders: ``rare`` or ``common`` nodes first, those first
    whose parent is ``cheap`` or ``dear`` to show, or as they stand in the ``tree``.

    One rare branch is enough to show everything as the root. Up to a share ``suppress`` of all occurrences of
    codes may be left out instead: a node of a rare itemset goes from all records where that adds less to NCP,
    a suppressed occurrence counting 1, and comes back where it can. The cut without any suppression is
    among those that are compared, so NCP is never worse for it.

    Sensitive codes are generalised like all others where the promise counts them, never together with public
    ones. Records without codes stay empty. It protects from what k^m-anonymity protects from, and not from
    learning a code that all candidates share.

    >>> from sfumato.codes.models.k_m_anonymity import KmAnonymity
    >>> from sfumato.codes.sets import CodeSets
    >>> from sfumato.codes.tree import CodeTree
    >>> from sfumato.hierarchy import Tree
    >>> sets = CodeSets.of([["a1", "b1", "b2"], ["a2", "b1"], ["a2", "b1", "b2"], ["a1", "a2", "b2"]])
    >>> tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), sets.domain)
    >>> solution = AprioriAnonymisation().protect(Problem(sets, (KmAnonymity(2, 2),), tree))
    >>> [solution.published.record(row) for row in range(4)]
    [('b1', 'b2', 'A'), ('b1', 'A'), ('b1', 'b2', 'A'), ('b2', 'A')]
    >>> round(solution.details["NCP"], 3)
    0.227
    """

    orders: Sequence[Order] | Order = ("rare", "common", "cheap")
    trim: bool = True
    suppress: float = 0.0
    name: ClassVar[str] = "apriori"
    needs_hierarchy: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", checked_orders(self.orders, self.name))
        checked_share(self.suppress, self.name)

    def enforces(self, question: Question) -> bool:
        """Say whether a question bounds the support of all itemsets up to a size, or of any."""
        return bounds_support_alone(question)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find a good cut with each order and keep the cheapest."""
        return protect_by(
            self,
            Search.apriori,
            checked_orders(self.orders, self.name),
            self.trim,
            self.suppress,
            problem,
            progress,
        )


@dataclass(frozen=True)
class DirectAnonymisation:
    """DA: mend itemsets of all sizes up to m in one walk.

    What ``AprioriAnonymisation`` does size by size is done here at once: an itemset is mended when the walk
    comes to it, before longer ones that begin with it. It meets many more rare itemsets and is a baseline.

    >>> DirectAnonymisation()
    DirectAnonymisation(orders=('common',), trim=False, suppress=0.0)
    """

    orders: Sequence[Order] | Order = ("common",)
    trim: bool = False
    suppress: float = 0.0
    name: ClassVar[str] = "direct"
    needs_hierarchy: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", checked_orders(self.orders, self.name))
        checked_share(self.suppress, self.name)

    def enforces(self, question: Question) -> bool:
        """Say whether a question bounds the support of all itemsets up to a size, or of any."""
        return bounds_support_alone(question)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find a good cut with each order and keep the cheapest."""
        return protect_by(
            self,
            Search.direct,
            checked_orders(self.orders, self.name),
            self.trim,
            self.suppress,
            problem,
            progress,
        )


def protect_by(
    method: SetMethod,
    walk: Walk,
    orders: Sequence[Order],
    trim: bool,
    suppress: float,
    problem: Problem,
    progress: Progress,
) -> Solution:
    """Search with each order and publish the cheapest cut."""
    asked = Asked.of(problem, method)
    if asked is None:
        return unchanged(problem)
    progress.step("lay the codes over the hierarchy")
    search = asked.search(progress=progress)
    most = allowed(suppress, problem.sets.occurrences)
    start = search.ground.leaf_cut()
    try:
        cut, order = cheapest(search, walk, start, orders, trim, progress, most)
    except Stuck:
        raise asked.stuck(
            share_that_suffices(search, walk, start, orders, problem.sets.occurrences)
        ) from None
    return asked.solution(search, cut, order=order)
