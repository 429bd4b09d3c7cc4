"""How exposed people are by their codes: the charts of the seed's case study, for any data set.

G. Loukides, J. C. Denny & B. Malin, "The disclosure of diagnosis codes can breach research participants'
privacy" (JAMIA, 2010), found 96 % of a cohort unique by its diagnosis codes, and still 95 % at three digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.published import PublishedSets
from sfumato.codes.risk.coarser import coarsened
from sfumato.codes.risk.figures import figures_of
from sfumato.codes.risk.full_sets import VisitExposure, alike, alike_among, visit_exposure
from sfumato.codes.risk.matching import MOST_SLOTS, Matching, written_out_slots
from sfumato.codes.risk.sensitive_codes import (
    SensitiveExposure,
    TooManySets,
    told_by_release,
    told_in_file,
)
from sfumato.codes.risk.subset_exposure import (
    DRAWS,
    MOST_SETS,
    SubsetExposure,
    Walked,
    drawn_from_release,
    walk,
)
from sfumato.codes.sets import CodeSets, Visits
from sfumato.core.attack import in_per_cent
from sfumato.core.errors import BadInput
from sfumato.core.evidence import RiskFigure
from sfumato.core.progress import SILENT, Progress

Coarser = Mapping[str, str] | Callable[[str], str]
"""what each code becomes when it is said less precisely"""
Searched = Literal["file", "population", "release by codes", "release as shown"]
"""where an adversary looks for a person"""
_MOST = 10**12
"""more people than anybody has"""
_TOO_MANY_TOLD = "there are too many sets of public codes to say which sensitive codes follow from them"
_TOO_WIDE_TOLD = "the items are too wide to say which sensitive codes follow from public ones"


@dataclass(frozen=True)
class Smallest:
    """How many codes suffice to single a person out: people by the size of their smallest unique set."""

    by_size: tuple[int, ...]
    """entry i: one set of i + 1 codes is theirs alone, none of fewer is"""
    more: int
    """only a larger set is, up to all of their codes"""
    never: int
    """all of their codes together are held by others, too"""

    def __str__(self) -> str:
        told = [f"{number:,} by {size + 1}" for size, number in enumerate(self.by_size)]
        return (
            f"codes that single a person out: {', '.join(told)}, {self.more:,} by more, {self.never:,} never"
        )


@dataclass(frozen=True)
class CodesRisk:
    """How exposed people are by their codes. Prints as a short table; holds counts of people, no codes.

    ``alike_*``: nobody else, or fewer than k, show exactly the same set; ``held_*``: hold all of it. Of a
    population list, these count only people whose whole set somebody there has (``alike_found``,
    ``held_found``): of the others it says nothing. ``searched`` says where the adversary looks. ``unmatched``
    people have no code in common with anybody of a list; they are not among ``people``.
    """

    people: int
    k: int
    searched: Searched
    alike_found: int
    alike_unique: int
    alike_below: int
    held_found: int | None
    held_unique: int | None
    held_below: int | None
    subsets: tuple[SubsetExposure, ...]
    smallest: Smallest | None
    visits: VisitExposure | None = None
    sensitive: SensitiveExposure | None = None
    coarser: tuple[tuple[str, CodesRisk], ...] = ()
    unmatched: int = 0
    said: tuple[str, ...] = ()

    def __str__(self) -> str:
        def share(number: int | None, found: int | None) -> str:
            return in_per_cent(number / found) if number is not None and found else "not known"

        lines = [
            f"{self.people:,} people, looked for in the {self.searched}; k = {self.k}",
            f"  whole set: {share(self.alike_unique, self.alike_found)} unique, "
            f"{share(self.alike_below, self.alike_found)} below k; "
            f"held by nobody else {share(self.held_unique, self.held_found)}, "
            f"by fewer than k {share(self.held_below, self.held_found)}",
            *(f"  {subset}" for subset in self.subsets),
        ]
        lines += [f"  {part}" for part in (self.smallest, self.visits, self.sensitive) if part is not None]
        for name, risk in self.coarser:
            lines.append(f"  {name}: {share(risk.alike_unique, risk.alike_found)} unique by the whole set")
            lines += [f"    {subset}" for subset in risk.subsets]
        if self.held_found is not None and self.held_found < self.people:
            lines.append(f"  the whole set of {self.people - self.held_found:,} people nobody there holds")
        if self.unmatched:
            lines.append(f"  {self.unmatched:,} people have no code that anybody of the population has")
        return "\n".join([*lines, *(f"  ({said})" for said in self.said)])

    def figures(self) -> list[RiskFigure]:
        """Return the measures for the steward's evidence, each with the threat that it is about."""
        return figures_of(self)


def exposure(
    sets: CodeSets,
    *,
    k: int = 5,
    m: int = 3,
    visits: Visits | None = None,
    population: CodeSets | None = None,
    sensitive: Iterable[str] = (),
    threshold: float | Fraction = Fraction(1, 2),
    coarser: Mapping[str, Coarser] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    most_sets: int = MOST_SETS,
    progress: Progress = SILENT,
) -> CodesRisk:
    """Measure how exposed the people of a file are, by all of their codes and by up to ``m`` of them.

    Within the file, the adversary knows that the person is in it (prosecutor). With a ``population`` (one set
    for each person of a list, over its own codes) codes are looked for there (journalist): max(f, F) people
    hold a set that f of the file and F of the list hold. ``coarser`` maps, by name, say codes less precisely
    and measure again. For ``sensitive`` codes: who can be told to have one, from up to ``m`` public codes.

    >>> risk = exposure(CodeSets.of([["333.4"], ["401.0", "401.1"], ["401.0", "401.2"]]), k=2, m=2)
    >>> print(risk)
    3 people, looked for in the file; k = 2
      whole set: 100.0 % unique, 100.0 % below k; held by nobody else 100.0 %, by fewer than k 100.0 %
      1 code: at worst 100.0 % unique, 100.0 % below k; at random 66.7 % unique, 66.7 % below k
      2 codes: at worst 100.0 % unique, 100.0 % below k; at random 100.0 % unique, 100.0 % below k
      codes that single a person out: 3 by 1, 0 by 2, 0 by more, 0 never
    """

    def again(way: Coarser) -> CodesRisk:
        return exposure(
            coarsened(sets, way),
            k=k,
            m=m,
            population=None if population is None else coarsened(population, way),
            seed=seed,
            draws=draws,
            most_sets=most_sets,
            progress=progress,
        )

    _checked(len(sets), k, m)
    matching = Matching.within(sets) if population is None else _in_population(sets, population)
    progress.step("whole sets")
    same = alike(sets.starts, sets.codes) if population is None else alike_among(sets, population)
    counted = np.ones(len(sets), np.bool_) if population is None else matching.found_at_all()
    if not counted.any():
        raise BadInput("no code of the file is held by anybody of the population", where="population")
    walked = walk(matching, counted, k, m, seed=seed, draws=draws, most_sets=most_sets, progress=progress)
    marked = sets.sensitive(sensitive)
    told, said = None, list[str]()
    if marked.any():
        try:
            told = told_in_file(sets, marked, m, threshold, progress, most_sets=most_sets)
        except TooManySets:
            said.append(_TOO_MANY_TOLD)
    if population is not None and len(population) < len(sets):
        said.append("the list holds fewer people than the file: it cannot be all of the population")
    return _risk(
        walked,
        counted,
        same,
        matching.held(k),
        k,
        searched="file" if population is None else "population",
        visits=None if visits is None else visit_exposure(sets, visits, k),
        sensitive=told,
        coarser=tuple((name, again(way)) for name, way in (coarser or {}).items()),
        said=tuple(said),
    )


def release_exposure(
    original: CodeSets,
    published: PublishedSets,
    *,
    k: int = 5,
    m: int = 3,
    match: Literal["codes", "items"] = "codes",
    threshold: float | Fraction = Fraction(1, 2),
    seed: int = 0,
    draws: int = DRAWS,
    most_sets: int = MOST_SETS,
    most_slots: int = MOST_SLOTS,
    progress: Progress = SILENT,
) -> CodesRisk:
    """Measure how exposed the same people are in a release, in the order of the original.

    By ``codes``: the adversary knows codes as the person has them, and looks for records that show, for each
    of them, an item that covers it (codes that the person's own record does not cover are no help, and
    whoever has none left is found by nobody). By ``items``: knows items as the record shows them. Sensitive
    items of the release are measured by codes. A release whose records stand for more than ``most_slots``
    codes (wide items in many records) is measured by drawn sets alone, and says so.

    >>> original = CodeSets.of([["401.2", "401.3"], ["401.4", "401.3"]])
    >>> published = PublishedSets.of([[["401.2", "401.4"], "401.3"], [["401.2", "401.4"], "401.3"]])
    >>> risk = release_exposure(original, published, k=2, m=2)
    >>> risk.alike_unique, [subset.below for subset in risk.subsets]
    (0, [0, 0])
    """
    _checked(len(original), k, m)
    if match not in ("codes", "items"):
        raise BadInput("a release is matched by codes or by items", remedy="say codes")
    by: Searched = "release by codes" if match == "codes" else "release as shown"
    counted = np.ones(len(original), np.bool_)
    same = alike(published.starts, published.shown)
    if match == "codes" and written_out_slots(published) > most_slots:
        wide = drawn_from_release(original, published, k, m, seed=seed, draws=draws)
        unsaid = (_TOO_WIDE_TOLD,) if published.items.sensitive.any() else ()
        return _risk(wide, counted, same, None, k, searched=by, said=unsaid)
    matching = Matching.leaves(original, published) if match == "codes" else Matching.shown(published)
    told, said = None, list[str]()
    if published.items.sensitive.any():
        if written_out_slots(published) > most_slots:
            said.append(_TOO_WIDE_TOLD)
        else:
            try:
                told = told_by_release(original, published, m, threshold, progress, most_sets=most_sets)
            except TooManySets:
                said.append(_TOO_MANY_TOLD)
    return _risk(
        walk(matching, counted, k, m, seed=seed, draws=draws, most_sets=most_sets, progress=progress),
        counted,
        same,
        matching.held(k),
        k,
        searched=by,
        sensitive=told,
        said=tuple(said),
    )


def _checked(people: int, k: int, m: int) -> None:
    if not people:
        raise BadInput("there is nobody in the data", remedy="give at least one record")
    if isinstance(k, bool) or not isinstance(k, int) or not 2 <= k <= _MOST:
        raise BadInput(f"k must be a whole number from 2 to {_MOST}", remedy="for example 5")
    if isinstance(m, bool) or not isinstance(m, int) or m < 1:
        raise BadInput("m must be a whole number from 1", remedy="for example 3")


def _in_population(sets: CodeSets, population: CodeSets) -> Matching:
    if not len(population):
        raise BadInput(
            "the population has nobody in it", where="population", remedy="give at least one record"
        )
    if not set(sets.domain) & set(population.domain):
        raise BadInput(
            "the file and the population have no code in common",
            where="population",
            remedy="check that both write codes in the same way",
        )
    return Matching.among(sets, population)


def _risk(
    walked: Walked,
    counted: NDArray[np.bool_],
    same: NDArray[np.int64],
    held: NDArray[np.int64] | None,
    k: int,
    *,
    searched: Searched,
    visits: VisitExposure | None = None,
    sensitive: SensitiveExposure | None = None,
    coarser: tuple[tuple[str, CodesRisk], ...] = (),
    said: tuple[str, ...] = (),
) -> CodesRisk:
    def people(support: NDArray[np.int64], below: int) -> int:
        return int((counted & (support > 0) & (support < below)).sum())

    return CodesRisk(
        people=int(counted.sum()),
        k=k,
        searched=searched,
        alike_found=int((counted & (same > 0)).sum()),
        alike_unique=people(same, 2),
        alike_below=people(same, k),
        held_found=None if held is None else int((counted & (held > 0)).sum()),
        held_unique=None if held is None else people(held, 2),
        held_below=None if held is None else people(held, k),
        subsets=walked.exposures,
        smallest=_smallest(walked, counted, held),
        visits=visits,
        sensitive=sensitive,
        coarser=coarser,
        unmatched=int((~counted).sum()),
        said=said + _left_open(walked),
    )


def _left_open(walked: Walked) -> tuple[str, ...]:
    sizes = [str(exposure.known) for exposure in walked.exposures if exposure.unique is None]
    if not sizes:
        return ()
    return (f"there are too many sets of {', '.join(sizes)} codes to look at all: these were drawn",)


def _smallest(walked: Walked, counted: NDArray[np.bool_], held: NDArray[np.int64] | None) -> Smallest | None:
    """Sort people by the fewest codes that are theirs alone; None where not all sets were looked at."""
    if held is None:
        return None
    found = counted.copy()
    by_size = []
    for least in walked.least:
        if least is None:
            return None
        alone = found & (least == 1)
        by_size.append(int(alone.sum()))
        found &= ~alone
    more = found & (held == 1)
    return Smallest(tuple(by_size), int(more.sum()), int((found & ~more).sum()))
