"""Can a pair of policies be satisfied, and what will it cost? Asked before the search starts.

Joining every code with all of its allowed partners is the most that generalisation can do (A. Gkoulalas-
Divanis and G. Loukides, PAIS 2011, and COAT, KAIS 2011): what is not protected then needs suppression.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Constraint
from sfumato.codes.policies.partners import Partners
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.core.errors import BadInput


@dataclass(frozen=True)
class Feasibility:
    """What generalisation alone can do for each privacy constraint, by position in the policy (from 1).

    ``lost_codes`` counts the codes of the policy that fewer than k records hold even together with all of
    their partners, and that any method has to suppress. A constraint is ``infeasible`` when some of its codes
    must be suppressed. For constraints that some record holds both are exact; a constraint that nobody
    holds is judged by its parts as they are held now, and joining may let records hold more of it.
    """

    k: int
    constraints: int
    protected: tuple[int, ...]
    """satisfied as the data are"""
    reachable: tuple[int, ...]
    """can be satisfied by generalisation alone"""
    infeasible: tuple[int, ...]
    """can only be satisfied by suppression"""
    lost_codes: int
    absent: tuple[int, ...]
    """name codes that never occur"""
    overlapping: int
    """utility constraints that share codes with another one"""

    @property
    def feasible(self) -> bool:
        """Whether generalisation alone can satisfy the policy."""
        return not self.infeasible

    def __str__(self) -> str:
        lines = [
            f"{self.constraints} privacy constraints, k = {self.k}: {len(self.protected)} protected already, "
            f"{len(self.reachable)} by generalisation, {len(self.infeasible)} only by suppression",
        ]
        if self.infeasible:
            shown = ", ".join(map(str, self.infeasible[:10])) + (", …" if len(self.infeasible) > 10 else "")
            lines.append(f"constraints that need suppression: {shown}")
        if self.lost_codes:
            lines.append(f"{self.lost_codes} codes must be suppressed under any method")
        if self.absent:
            lines.append(f"{len(self.absent)} constraints name codes that never occur")
        if self.overlapping:
            lines.append(f"{self.overlapping} utility constraints share codes with another one")
        return "\n".join(lines)


def feasibility(
    sets: CodeSets,
    privacy: Sequence[Constraint],
    k: int,
    utility: Sequence[Constraint] | None = None,
    *,
    sensitive: NDArray[np.bool_] | None = None,
    strict: bool = True,
) -> Feasibility:
    """Say which privacy constraints can be satisfied under a utility policy (None: any code may join any).

    >>> sets = CodeSets.of([["a", "b"], ["a"], ["b", "c"], ["d"]])
    >>> print(feasibility(sets, [("a",), ("c",), ("d",)], 2, [("b", "c")]))
    3 privacy constraints, k = 2: 1 protected already, 1 by generalisation, 1 only by suppression
    constraints that need suppression: 3
    1 codes must be suppressed under any method
    """
    if k < 1:
        raise BadInput("k must be at least 1", where="feasibility", remedy="try k: 5")
    if utility is None:
        partners = Partners.anyone(len(sets.domain), sensitive)
    else:
        partners = Partners.under(sets.domain, utility, sensitive)
    records, order = slots_of(sets.starts), np.argsort(sets.codes, kind="stable")
    holders = np.split(records[order], np.cumsum(sets.supports)[:-1]) if len(sets.domain) else []
    groups = partners.groups()
    reached: dict[int, NDArray[np.int64]] = {}

    def group_holders(code: int) -> NDArray[np.int64]:
        group = int(partners.group_of[code])
        if group not in reached:
            reached[group] = np.unique(np.concatenate([holders[member] for member in groups[group]]))
        return reached[group]

    protected, reachable, infeasible, absent = [], [], [], []
    lost: set[int] = set()
    for number, constraint in enumerate(privacy, 1):
        codes = sets.positions(constraint)
        if len(codes) < len(set(constraint)):
            absent.append(number)
            if not strict:
                protected.append(number)
                continue
        parts = list(_held_parts(holders, codes)) if strict else [codes]
        supports = [len(_common([holders[code] for code in part])) for part in parts]
        if all(support >= k or support == 0 for support in supports):
            protected.append(number)
        elif all(len(_common([group_holders(code) for code in part])) >= k for part in parts):
            reachable.append(number)
        else:
            infeasible.append(number)
        if strict or len(codes) == 1:
            lost.update(code for code in codes if len(holders[code]) and len(group_holders(code)) < k)
    return Feasibility(
        k,
        len(privacy),
        tuple(protected),
        tuple(reachable),
        tuple(infeasible),
        len(lost),
        tuple(absent),
        partners.overlapping,
    )


def _common(lists: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return the records that stand in all of some sorted lists."""
    shortest, *others = sorted(lists, key=len)
    for other in others:
        shortest = shortest[np.isin(shortest, other, assume_unique=True)]
    return shortest


def _held_parts(holders: Sequence[NDArray[np.int64]], codes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Give the itemset when some record holds it, else what records hold of it, the largest first."""
    if not codes:
        return
    if len(_common([holders[code] for code in codes])):
        yield tuple(codes)
        return
    held: dict[int, set[int]] = {}
    for code in codes:
        for record in holders[code].tolist():
            held.setdefault(record, set()).add(code)
    largest: list[frozenset[int]] = []
    for part in sorted(
        {frozenset(part) for part in held.values()}, key=lambda part: (-len(part), sorted(part))
    ):
        if not any(part <= other for other in largest):
            largest.append(part)
            yield tuple(sorted(part))
