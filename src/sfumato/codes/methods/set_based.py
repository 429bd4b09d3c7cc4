"""What COAT, ACLIP, UGACLIP, CBA and PCTA share: itemsets to protect, one after the other.

A listed itemset p is protected when at least k records hold it, or when none does and every part of p is held
by k records or by none (the strict wording); in the plain wording the parts are not asked about. Strictly, p
is protected exactly when each of its largest parts that some record holds is held by k records. So a p that
is held is driven to k, and a p that nobody holds is replaced by these parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods._kernels_clusters import refresh
from sfumato.codes.methods.clusters import Clusters
from sfumato.codes.methods.whole_constraints import known_constraints, spared_codes, whole
from sfumato.codes.policies.partners import Partners
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import Progress

Weights = Literal["equal", "tree"]
"""how far apart codes of an item are: all alike, or by the leaves under the node above them all"""


@dataclass(frozen=True)
class Target:
    """An itemset, as codes, that ``bound`` records must hold."""

    codes: tuple[int, ...]
    bound: int
    strict: bool


Step = Callable[[Clusters, Target], None]
"""protects one itemset that too few records hold"""


def lists_itemsets(question: Question) -> bool:
    """Say whether a question lists itemsets and bounds nothing but their support."""
    return (
        question.family is Family.LISTED
        and not question.told
        and question.confidence is None
        and question.spread is None
    )


@dataclass(frozen=True)
class SetBased:
    """What methods that join codes into sets under a policy have in common.

    With ``weights: tree`` codes that lie far apart in the hierarchy lose more when they are joined.
    """

    weights: Weights = "equal"
    name: ClassVar[str]

    def __post_init__(self) -> None:
        if self.weights not in get_args(Weights):
            raise BadInput(
                f"there are no weights '{self.weights}'",
                where=self.name,
                remedy=nearest(str(self.weights), get_args(Weights)),
            )

    @property
    def needs_hierarchy(self) -> bool:
        """Only for weights from a tree."""
        return self.weights == "tree"

    def enforces(self, question: Question) -> bool:
        """It protects itemsets that a policy lists."""
        return lists_itemsets(question)


def targets_of(problem: Problem, name: str) -> list[Target]:
    """Read the itemsets that the models list; what holds a code that never occurs is cut down or left out."""
    place = {code: position for position, code in enumerate(problem.sets.domain)}
    bounds: dict[tuple[tuple[int, ...], bool], int] = {}
    for model in problem.models:
        question = model.question()
        if not lists_itemsets(question):
            raise BadInput(
                f"{name} protects the itemsets of a policy and cannot keep {model.name}",
                where="method",
                remedy="use the model privacy-constraints, or another method",
            )
        for listed in question.listed:
            known = tuple(sorted({place[code] for code in listed if code in place}))
            absent = any(code not in place for code in listed)
            if known and (question.all_or_subsets or not absent):
                key = (known, question.all_or_subsets)
                bounds[key] = max(bounds.get(key, 0), question.support)
    return [Target(codes, bound, strict) for (codes, strict), bound in sorted(bounds.items())]


class Targets:
    """Itemsets with how many records hold them now, counted up to their bounds."""

    def __init__(self, targets: Sequence[Target], clusters: Clusters) -> None:
        self.targets = list(targets)
        self._clusters = clusters
        lengths = [len(target.codes) for target in self.targets]
        self._starts = np.zeros(len(lengths) + 1, np.int64)
        np.cumsum(lengths, out=self._starts[1:])
        self._codes = np.array([code for target in self.targets for code in target.codes], np.int64)
        self.bounds = np.array([target.bound for target in self.targets], np.int64)
        self._strict = np.array([target.strict for target in self.targets], np.bool_)
        self._room = np.zeros(max(lengths, default=1), np.int64)
        self.supports = np.zeros(len(lengths), np.int64)
        clusters.changed[:] = True
        self.look()

    def look(self) -> None:
        """Count again what has changed."""
        clusters = self._clusters
        refresh(
            clusters.bits,
            clusters.item_of,
            self._starts,
            self._codes,
            self.bounds,
            self._strict,
            clusters.changed,
            self.supports,
            self._room,
        )
        clusters.changed[:] = False

    @property
    def codes(self) -> int:
        """How many different codes there are."""
        return len(self._clusters.item_of)

    @property
    def unheld(self) -> int:
        """How many itemsets nobody holds now."""
        return int((self.supports == 0).sum())

    def open(self) -> NDArray[np.int64]:
        """Return the itemsets that some records hold, but too few."""
        return np.flatnonzero((self.supports > 0) & (self.supports < self.bounds))

    def hopeless(self) -> list[Target]:
        """Return open itemsets that too few records would hold even if every item took in its group."""
        left = self._clusters.item_of >= 0
        reaches = self._reaches(left, np.ones(len(left), np.bool_))
        waiting = self.open()
        return [self.targets[number] for number in waiting[reaches[waiting] < self.bounds[waiting]].tolist()]

    def _reaches(self, left: NDArray[np.bool_], asked: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Count who would hold what is left of each itemset if every item took in its group.

        Itemsets without a code that is asked about count as protected.
        """
        clusters = self._clusters
        reaches = self.bounds.copy()
        refresh(
            clusters.bits,
            np.where(left, clusters.reach_row, -1),
            self._starts,
            self._codes,
            self.bounds,
            self._strict,
            asked,
            reaches,
            self._room,
        )
        return reaches

    def can_keep(self, left: NDArray[np.bool_], asked: NDArray[np.bool_], cautious: bool) -> bool:
        """Say whether joining can protect all itemsets with a code that is asked about, if these are left.

        Joining only helps what somebody holds. What nobody holds yet may come to be held by too few: if
        ``cautious``, that must not happen even when all is joined that may be.
        """
        reaches = self._reaches(left, asked)
        short = (reaches < self.bounds) & ((reaches > 0) | self._strict)
        if not cautious:
            short &= self.supports > 0
        return not any(
            reaches[number] > 0 or self._has_rare_part(self.targets[number], left)
            for number in np.flatnonzero(short).tolist()
        )

    def meeting(self, constraints: Sequence[NDArray[np.int64]]) -> set[tuple[int, int]]:
        """Return the pairs of utility constraints of which an itemset has codes."""
        standing: dict[int, set[int]] = {}
        for number, codes in enumerate(constraints):
            for code in codes.tolist():
                standing.setdefault(code, set()).add(number)
        return {
            pair
            for target in self.targets
            for pair in combinations(
                sorted(set().union(*(standing.get(code, ()) for code in target.codes))), 2
            )
        }

    def _has_rare_part(self, target: Target, left: NDArray[np.bool_]) -> bool:
        """Say whether a held part of what is left of an itemset is held by too few, when all is joined."""
        clusters = self._clusters
        rows = np.where(left, clusters.reach_row, -1)
        return any(
            clusters.reach(part, target.bound) < target.bound
            for part in largest_held_parts(clusters.bits, rows, target.codes)
        )

    def rare_parts(self) -> list[Target]:
        """Return the largest held parts, held by too few, of strict itemsets that nobody holds."""
        found: dict[tuple[int, ...], Target] = {}
        for number in np.flatnonzero((self.supports == 0) & self._strict).tolist():
            target = self.targets[number]
            for part in largest_held_parts(self._clusters.bits, self._clusters.item_of, target.codes):
                if self._clusters.held_by(self._clusters.items(part), target.bound) < target.bound:
                    known = found.get(part)
                    bound = max(target.bound, known.bound if known else 0)
                    found[part] = Target(part, bound, True)
        return [found[part] for part in sorted(found)]


def largest_held_parts(
    bits: NDArray[np.uint64], row_of: NDArray[np.int64], codes: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return the parts of an itemset that some record holds and that lie in no other such part.

    Row ``row_of[c]`` of ``bits`` marks who holds code c; nobody does where it is negative.
    """
    kept = [code for code in codes if row_of[code] >= 0]
    if not kept:
        return []
    rows = bits[row_of[kept]]
    somebody = np.flatnonzero(np.bitwise_or.reduce(rows, axis=0))
    words = np.ascontiguousarray(rows[:, somebody]).view(np.uint8)
    holds = np.unpackbits(words, axis=1, bitorder="little").astype(np.bool_)
    patterns = np.unique(holds[:, holds.any(axis=0)], axis=1).T
    by_length = sorted(patterns.tolist(), key=lambda pattern: (-sum(pattern), pattern))
    largest: list[frozenset[int]] = []
    for pattern in by_length:
        part = frozenset(code for code, inside in zip(kept, pattern, strict=True) if inside)
        if not any(part <= other for other in largest):
            largest.append(part)
    return sorted(tuple(sorted(part)) for part in largest)


def most_held_first(targets: Targets, step: Step, clusters: Clusters, progress: Progress) -> None:
    """Protect the itemset that most records hold, look again, and so on (COAT, ACLIP, UGACLIP)."""
    while len(waiting := targets.open()):
        progress.update(1 - len(waiting) / len(targets.targets), f"{len(waiting)} itemsets to protect")
        step(clusters, targets.targets[waiting[np.argmax(targets.supports[waiting])]])
        targets.look()


def in_fixed_order(targets: Targets, step: Step, clusters: Clusters, progress: Progress) -> None:
    """Protect itemsets by falling support as it was before the first of them (CBA, PCTA)."""
    waiting = targets.open()
    for done, number in enumerate(waiting[np.argsort(-targets.supports[waiting], kind="stable")].tolist()):
        progress.update(done / len(waiting))
        target = targets.targets[number]
        items = clusters.items(target.codes)
        suppressed = any(clusters.item_of[code] < 0 for code in target.codes)
        if (
            items
            and (target.strict or not suppressed)
            and clusters.held_by(items, target.bound) < target.bound
        ):
            step(clusters, target)
    targets.look()


Order = Callable[[Targets, Step, Clusters, Progress], None]


def protect_listed(
    problem: Problem,
    partners: Partners,
    step: Step,
    order: Order,
    dearness: Dearness | None = None,
    *,
    weights: str,
    name: str,
    progress: Progress,
) -> Solution:
    """Run a search until every listed itemset is protected.

    With ``dearness`` codes that cannot be saved are suppressed before codes are joined. If a utility
    constraint loses codes by that, the search is run again with other codes spared, and of all results the
    one is taken that keeps most utility constraints whole, then the one that suppresses least.
    """
    if weights == "tree" and problem.tree is None:
        raise BadInput(
            "weights from a tree need a hierarchy", where=name, remedy="give one, or use equal weights"
        )
    wanted = targets_of(problem, name)
    progress.step("joining codes")
    tree = problem.tree if weights == "tree" else None

    def searched(spared: NDArray[np.bool_] | None = None) -> Clusters:
        clusters = Clusters(problem.sets, partners, tree, spared)
        protect_all(Targets(wanted, clusters), step, order, dearness, clusters, progress)
        return clusters

    untouched = Targets(wanted, Clusters(problem.sets, partners))
    constraints = known_constraints(problem, partners)
    found = [searched()]
    if dearness is not None and whole(found[0], constraints) < len(constraints):
        for spared in spared_codes(untouched, constraints):
            # Another way may meet a bound above the number of records that the first one did not meet.
            with suppress(PromiseNotMet):
                found.append(searched(spared))
    clusters = min(found, key=lambda one: (-whole(one, constraints), one.occurrences_suppressed))
    sizes = clusters.size[np.unique(clusters.item_of[clusters.item_of >= 0])]
    return Solution(
        clusters.published(problem.sensitive),
        {
            "itemsets": len(wanted),
            "unprotected_before": len(untouched.open()),
            "items": len(sizes),
            "codes_generalised": int(sizes[sizes > 1].sum()),
            "largest_item": int(sizes.max(initial=0)),
            "codes_suppressed": clusters.suppressed,
            "occurrences_suppressed": clusters.occurrences_suppressed,
            "overlapping_utility_constraints": partners.overlapping,
        },
    )


def protect_all(
    targets: Targets,
    step: Step,
    order: Order,
    dearness: Dearness | None,
    clusters: Clusters,
    progress: Progress,
) -> None:
    """Join and suppress until no itemset is held by too few."""
    refuse_more_than_records(clusters.sets, targets)
    while True:
        if dearness is not None:
            suppress_first(targets, clusters, dearness)
        order(targets, step, clusters, progress)
        rare = targets.rare_parts()
        if not rare and not len(targets.open()):
            break
        # Joining may let records hold what nobody held before: such itemsets come in again.
        targets = Targets([*targets.targets, *rare], clusters)
        refuse_more_than_records(clusters.sets, targets)


def refuse_more_than_records(sets: CodeSets, targets: Targets) -> None:
    """Refuse a k that not even all records together reach."""
    waiting = targets.open()
    if len(waiting) and int(targets.bounds[waiting].max()) > len(sets):
        raise PromiseNotMet(
            f"there are {len(sets)} records and {int(targets.bounds[waiting].max())} must hold each itemset",
            where="privacy constraints",
            remedy="choose a smaller k",
        )


Dearness = Callable[[Clusters, int, int], tuple[float, ...]]
"""how dear an item is that stands in so many itemsets which need suppression; the least dear goes first"""


def suppress_first(targets: Targets, clusters: Clusters, dearness: Dearness) -> None:
    """Suppress codes until every open itemset could be protected by joining alone.

    Joining all that may be joined is the most that joining can do. So it is known before the first join what
    must go: single codes are suppressed then, not the items that they would have become.
    """
    targets.look()
    while hopeless := targets.hopeless():
        standing = Counter(item for target in hopeless for item in clusters.items(target.codes))
        doomed = {
            item
            for target in hopeless
            if target.strict
            for item in clusters.items(target.codes)
            if clusters.reach([item], target.bound) < target.bound
        }
        for item in sorted(doomed):
            clusters.suppress(item)
        if not doomed:
            for target in hopeless:
                suppress_what_must_go(
                    clusters,
                    target,
                    lambda item: dearness(clusters, item, standing[item]),  # noqa: B023 - used at once
                )
        targets.look()


def suppress_what_must_go(
    clusters: Clusters, target: Target, dearness: Callable[[int], tuple[float, ...]]
) -> list[int]:
    """Suppress items of one itemset until joining can do the rest; return the items that are left.

    Of the items whose loss alone is enough, the least dear one goes. An itemset that is not strict is
    protected as soon as one of its codes is suppressed: nothing is left of it then. Spared codes go last.
    """
    items = sorted(clusters.items(target.codes), key=lambda item: (clusters.spared[item], dearness(item)))
    if not target.strict and any(clusters.item_of[code] < 0 for code in target.codes):
        return []
    while items and clusters.reach(items, target.bound) < target.bound:
        lost = _first_to_go(clusters, items, target)
        clusters.suppress(lost)
        items.remove(lost)
        if not target.strict:
            return []
    return items


def _first_to_go(clusters: Clusters, items: Sequence[int], target: Target) -> int:
    if not target.strict:
        return items[0]
    for item in items:
        if clusters.reach([item], target.bound) < target.bound:
            return item
    free = [item for item in items if not clusters.spared[item]] or items
    left = [clusters.reach([other for other in items if other != item], target.bound) for item in free]
    return free[int(np.argmax(left))]
