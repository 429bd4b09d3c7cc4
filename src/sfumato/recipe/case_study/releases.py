"""One release of the case study: made by a method under a policy, checked, and measured."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.codes.contract import Constraint, Problem, SetMethod, SetModel
from sfumato.codes.methods import (
    Aclip,
    AprioriAnonymisation,
    ClusteringBased,
    Coat,
    Pcta,
    RareCodes,
    Ugaclip,
)
from sfumato.codes.models import KmAnonymity, PrivacyConstraints
from sfumato.codes.policies import Feasibility, UtilityPolicy, extract_privacy_constraints, feasibility
from sfumato.codes.published import PublishedSets
from sfumato.codes.risk.full_sets import alike
from sfumato.codes.sets import CodeSets, Visits
from sfumato.codes.tree import CodeTree
from sfumato.codes.utility import Occurrences, QueryError, UtilityLoss, constraints_kept
from sfumato.codes.utility.workload import drawn_itemsets
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import Progress
from sfumato.hierarchy.icd import Icd

METHODS: dict[str, SetMethod] = {
    "rare codes": RareCodes(),
    "ACLIP": Aclip(),
    "COAT": Coat(),
    "UGACLIP": Ugaclip(),
    "CBA": ClusteringBased(),
    "PCTA": Pcta(),
    "k^m": AprioriAnonymisation(suppress=0.05),
}
"""the remedies in the order of the page; the last one needs a classification"""
KNOWN = 2
"""m of k^m-anonymity"""
QUERIES, FREQUENT, LARGEST = 1000, 0.1, 4
"""queries of a workload, the share of the people that makes an itemset frequent, and how large it may be"""


def warm_up() -> None:
    """Run every method on a few made-up records, so that no time counts how kernels are compiled."""
    sets = CodeSets.of([["493.00", "493.01", "401.1"], ["493.00", "401.1"], ["493.01", "401.9"], ["401.9"]])
    tree = CodeTree.of(Icd("icd9cm"), sets.domain)
    for method in METHODS.values():
        model = (
            KmAnonymity(2, KNOWN) if method.needs_hierarchy else PrivacyConstraints(2, [list(sets.domain)])
        )
        method.protect(Problem(sets, (model,), tree, utility=(("493.00", "493.01"), ("401.1", "401.9"))))


@dataclass(frozen=True)
class Workloads:
    """The counts that analysts ask for: what many people have, and pairs of codes that occur."""

    frequent: tuple[Constraint, ...]
    pairs: tuple[Constraint, ...]

    @classmethod
    def of(cls, sets: CodeSets, seed: int) -> Workloads:
        """Choose them once, so that all releases answer the same."""
        frequent = QueryError(queries=QUERIES, share=FREQUENT, largest=LARGEST, seed=seed).workload(sets)
        pairs: list[Constraint] = []
        if len(sets) and max(sets.starts[1:] - sets.starts[:-1]) >= 2:
            drawn = drawn_itemsets(sets, QUERIES, (2,), seed)
            pairs = [tuple(sets.domain[code] for code in pair) for pair in drawn]
        return cls(tuple(frequent), tuple(pairs))


@dataclass(frozen=True)
class Policy:
    """What adversaries may know, what may be generalised together, and what can be done about it."""

    k: int
    privacy: tuple[Constraint, ...]
    """none where nothing that may be known is rare"""
    utility: tuple[Constraint, ...]
    diseases: UtilityPolicy
    feasibility: Feasibility

    @classmethod
    def of(
        cls,
        sets: CodeSets,
        visits: Visits | None,
        diseases: UtilityPolicy,
        k: int,
        *,
        rest: bool = False,
    ) -> Policy:
        """Extract it; with ``rest`` codes of no disease may be generalised together."""
        privacy = extract_privacy_constraints(sets, k, visits=visits).constraints
        utility = diseases.constraints
        if rest:
            named = {code for constraint in utility for code in constraint}
            others = tuple(code for code in sets.domain if code not in named)
            utility = (*utility, others) if others else utility
        return cls(k, privacy, utility, diseases, feasibility(sets, privacy, k, utility))


@dataclass(frozen=True)
class Edition:
    """A release and what is left in it. Shares are of the people, codes or occurrences of the original."""

    kept: tuple[bool, ...]
    """for each disease (or diseases that share codes): whether its cases can be counted as before"""
    cases: tuple[int, ...]
    """for each of them, the people who surely have it, as the release tells"""
    satisfied: int
    """utility constraints of diseases across which nothing was merged or lost"""
    codes_lost: int
    """different codes that nothing in the release stands for"""
    occurrences_lost: float
    exact: float
    """occurrences that are shown as they were"""
    items: int
    """different items that records show"""
    unique: float
    """people whose record in the release looks like nobody else's"""
    frequent_error: float | None
    pair_error: float | None
    log2_loss: float | None
    seconds: float

    @property
    def counted(self) -> int:
        """How many diseases can be counted as before."""
        return sum(self.kept)


@dataclass(frozen=True)
class Bench:
    """Where releases are made: the data, the queries, the classification."""

    sets: CodeSets
    workloads: Workloads
    tree: CodeTree | None

    @property
    def untouched(self) -> PublishedSets:
        """The data as they are, as if they were a release."""
        return PublishedSets.as_it_is(self.sets)

    def edition(self, method: str, policy: Policy, progress: Progress) -> Edition | None:
        """Make and measure one release; None where the method keeps its promise with nothing."""
        asked = METHODS[method]
        progress.step(f"{method}, k = {policy.k}")
        model: SetModel
        if asked.needs_hierarchy:
            if self.tree is None:
                return None
            model = KmAnonymity(policy.k, KNOWN)
        elif not policy.privacy:
            return self.measured(self.untouched, policy.diseases, 0.0)
        else:
            model = PrivacyConstraints(policy.k, policy.privacy)
        begun = time.process_time()
        try:
            found = asked.protect(Problem(self.sets, (model,), self.tree, utility=policy.utility))
        except PromiseNotMet:
            return None
        seconds = time.process_time() - begun
        verdict = model.check(found.published)
        if not verdict.holds or not isinstance(found.published, PublishedSets):
            raise PromiseNotMet(f"the release of {method} does not keep its promise", where="case study")
        return self.measured(found.published, policy.diseases, seconds)

    def measured(self, published: PublishedSets, diseases: UtilityPolicy, seconds: float) -> Edition:
        """Say what is left in a release."""
        sets = self.sets
        judged = constraints_kept(sets, published, diseases.constraints)
        left = Occurrences().of(sets, published)
        loss = UtilityLoss().of(sets, published)
        numbers = {} if left is None else left.details
        total = max(sets.occurrences, 1)
        return Edition(
            kept=tuple(one.same_count for one in judged.constraints),
            cases=tuple(one.after for one in judged.constraints),
            satisfied=judged.satisfied,
            codes_lost=int(numbers.get("distinct codes", 0)) - int(numbers.get("distinct codes shown", 0)),
            occurrences_lost=int(numbers.get("suppressed", 0)) / total,
            exact=int(numbers.get("kept", 0)) / total,
            items=int((published.supports > 0).sum()),
            unique=float((alike(published.starts, published.shown) == 1).mean()),
            frequent_error=_error(sets, published, self.workloads.frequent),
            pair_error=_error(sets, published, self.workloads.pairs),
            log2_loss=None if loss is None else loss.value,
            seconds=seconds,
        )


def _error(sets: CodeSets, published: PublishedSets, asked: Sequence[Constraint]) -> float | None:
    """Return the average relative error of some queries; None where there are none."""
    if not asked:
        return None
    found = QueryError(given=tuple(asked)).of(sets, published)
    return None if found is None else found.value
