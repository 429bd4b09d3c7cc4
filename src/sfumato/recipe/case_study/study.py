"""The case study itself: exposure as released, then remedy after remedy, for several k and adversaries.

The questions are those of G. Loukides, J. C. Denny & B. Malin (JAMIA 2010) and of G. Loukides,
A. Gkoulalas-Divanis & B. Malin (PNAS 2010), who asked them of the records of one hospital.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.codes.policies import UtilityPolicy, extract_utility_constraints
from sfumato.codes.reading import ReadCodes
from sfumato.codes.risk import CodesRisk, coarsened, exposure
from sfumato.codes.sets import CodeSets, Visits
from sfumato.codes.tree import CodeTree, Unknown
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.case_study.releases import METHODS, Bench, Edition, Policy, Workloads, warm_up
from sfumato.recipe.case_study.source import Source

K, SWEEP, SEED = 5, (2, 5, 10), 0
WITH_POLICY = tuple(name for name, method in METHODS.items() if not method.needs_hierarchy)
"""methods that read policies"""
GUIDED = ("COAT", "UGACLIP", "CBA")
"""those of them that follow a utility policy"""


@dataclass(frozen=True)
class Variant:
    """The same remedies against another adversary or with another utility policy."""

    history: bool
    """the adversary knows whole histories, not one visit"""
    rest: bool
    """codes of no disease may be generalised together"""
    policy: Policy
    editions: Mapping[str, Edition | None]


@dataclass(frozen=True)
class Study:
    """All figures of one file. Counts and shares alone: no code, no person."""

    source: Source
    read: ReadCodes
    k: int
    as_released: CodesRisk
    shorter: CodesRisk | None
    """by categories (three digits), where codes have them"""
    categories: int
    diseases: UtilityPolicy
    asked_diseases: int
    raw: Edition
    """the data as they are, measured like a release"""
    by_k: Mapping[int, tuple[Policy, Mapping[str, Edition | None]]]
    variants: tuple[Variant, ...]
    workloads: Workloads

    @property
    def people(self) -> int:
        """How many people there are."""
        return len(self.read.sets)

    @property
    def codes(self) -> int:
        """How many different codes they have."""
        return len(self.read.sets.domain)

    @property
    def visits(self) -> int | None:
        """How many visits they made, where that is known."""
        return None if self.read.visits is None else len(self.read.visits.sets)

    @property
    def unique(self) -> float:
        """The share of people who are unique by all of their codes."""
        return self.as_released.alike_unique / self.people

    @property
    def unique_shorter(self) -> bool | None:
        """Whether more than half are unique by categories, too; None where codes have none."""
        return None if self.shorter is None else self.shorter.alike_unique > self.people / 2

    @property
    def share_left_out(self) -> float:
        """The share of all codes that go when the rarest are left out."""
        rare = self.editions["rare codes"]
        return 1.0 if rare is None else rare.codes_lost / self.codes

    def keeps_most(self, method: str) -> bool:
        """Say whether more than half of the diseases can be counted after a method."""
        one = self.editions[method]
        return one is not None and 2 * one.counted > len(self.diseases)

    @property
    def rare_diseases(self) -> int:
        """How many diseases fewer than k people have: no release that keeps the promise can count them."""
        return sum(cases < self.k for cases in self.raw.cases)

    @property
    def policy(self) -> Policy:
        """The policies of the main part."""
        return self.by_k[self.k][0]

    @property
    def editions(self) -> Mapping[str, Edition | None]:
        """The releases of the main part, by method."""
        return self.by_k[self.k][1]

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that could be run at all."""
        return tuple(METHODS) if self.source.hierarchy is not None else WITH_POLICY


def study(
    source: Source,
    *,
    k: int = K,
    sweep: Sequence[int] = SWEEP,
    seed: int = SEED,
    progress: Progress = SILENT,
) -> Study:
    """Measure a file, release it in all ways, and measure what is left.

    Args:
        source: the file and how to read it
        k: what the tables of the page ask for
        sweep: other values of k to compare with; those above the number of people are left out
        seed: chooses the queries
        progress: where steps are told
    """
    progress.step("reading")
    read = source.read()
    sets, visits = read.sets, read.visits
    if k < 2 or min(sweep, default=k) < 2:
        raise BadInput("k must be a whole number of at least 2", where="case study", remedy="try 5")
    if not sets.occurrences:
        raise BadInput("nobody has a code", where=str(source.data), remedy="check the column of the codes")
    if len(sets) < k:
        raise BadInput(
            f"there are {len(sets):,} people, fewer than k",
            where=str(source.data),
            remedy="choose a smaller k",
        )
    diseases = extract_utility_constraints(sets, source.counted)
    if not diseases.constraints:
        raise BadInput(
            f"none of the {len(source.counted):,} diseases occurs in the data",
            where="diseases",
            remedy="check how the codes are written, or give other diseases",
        )
    progress.step("how exposed people are")
    as_released = exposure(sets, k=k, visits=visits, seed=seed)
    shorter, categories = None, 0
    if source.hierarchy is not None:
        cut = coarsened(sets, source.shorter)
        categories = len(cut.domain)
        by_visit = None if visits is None else Visits(coarsened(visits.sets, source.shorter), visits.owner)
        shorter = exposure(cut, k=k, visits=by_visit, seed=seed)
    tree = None
    if source.hierarchy is not None:
        tree = CodeTree.of(source.hierarchy, sets.domain, unknown=Unknown.ROOT)
    bench = Bench(sets, Workloads.of(sets, seed), tree)
    warm_up()
    by_k = {}
    for each in sorted({k, *(other for other in sweep if other <= len(sets))}):
        policy = Policy.of(sets, visits, diseases, each)
        by_k[each] = policy, {name: bench.edition(name, policy, progress) for name in METHODS}
    return Study(
        source,
        read,
        k,
        as_released,
        shorter,
        categories,
        diseases,
        len(source.counted),
        bench.measured(bench.untouched, diseases, 0.0),
        by_k,
        _variants(bench, sets, visits, diseases, by_k[k][1], k, progress),
        bench.workloads,
    )


def _variants(
    bench: Bench,
    sets: CodeSets,
    visits: Visits | None,
    diseases: UtilityPolicy,
    main: Mapping[str, Edition | None],
    k: int,
    progress: Progress,
) -> tuple[Variant, ...]:
    """Run the remedies again: with a wider utility policy, and against who knows whole histories."""

    def other(seen: Visits | None, rest: bool, known: Mapping[str, Edition | None]) -> Variant:
        policy = Policy.of(sets, seen, diseases, k, rest=rest)
        editions = {
            # Whoever ignores the utility policy makes the same release under another one.
            name: known[name] if name in known else bench.edition(name, policy, progress)
            for name in WITH_POLICY
        }
        return Variant(seen is None, rest, policy, editions)

    def unguided(editions: Mapping[str, Edition | None]) -> dict[str, Edition | None]:
        return {name: one for name, one in editions.items() if name not in GUIDED}

    wider = other(visits, True, unguided(main))
    if visits is None:
        return (wider,)
    history = other(None, False, {})
    return wider, history, other(None, True, unguided(history.editions))
