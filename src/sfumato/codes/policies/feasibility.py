"""Can a pair of policies be satisfied, and what will it cost? Asked before the search starts.

Joining every code with all of its allowed partners is the most that generalisation can do (A. Gkoulalas-
Divanis and G. Loukides, PAIS 2011, and COAT, KAIS 2011): what is not protected then needs suppression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Constraint
from sfumato.codes.policies.partners import Partners
from sfumato.codes.policies.support import itemsets_over, supports
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.core.errors import BadInput


@dataclass(frozen=True)
class Feasibility:
    """What generalisation alone can do for each privacy constraint, by position in the policy (from 1).

    ``lost_codes`` counts the codes of the policy that fewer than k records hold even together with all of
    their partners, and that any method has to suppress. A constraint is ``infeasible`` when some of its codes
    must be suppressed. For constraints that some record holds all is exact. A constraint that nobody holds
    is judged by its parts as they are held now. Joining may let a few records hold more of it: where it
    would break if everything were joined that may be joined, it is ``doubtful``, and only the search shows
    whether less joining is enough or codes must be suppressed.
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
    doubtful: tuple[int, ...] = ()
    """that nobody holds, and that a few would hold if all codes were joined that may be"""

    @property
    def feasible(self) -> bool:
        """Whether generalisation alone is sure to satisfy the policy."""
        return not self.infeasible and not self.doubtful

    def __str__(self) -> str:
        lines = [
            f"{self.constraints} privacy constraints, k = {self.k}: {len(self.protected)} protected already, "
            f"{len(self.reachable)} by generalisation, {len(self.infeasible)} only by suppression",
        ]
        if self.infeasible:
            shown = ", ".join(map(str, self.infeasible[:10])) + (", …" if len(self.infeasible) > 10 else "")
            lines.append(f"constraints that need suppression: {shown}")
        if self.doubtful:
            lines.append(f"{len(self.doubtful)} constraints that nobody holds may need suppression, too")
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
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise BadInput("k must be a whole number of at least 1", where="feasibility", remedy="try k: 5")
    if utility is None:
        partners = Partners.anyone(len(sets.domain), sensitive)
    else:
        partners = Partners.under(sets.domain, utility, sensitive)
    # With everything joined that may be joined, a record holds the groups of its codes.
    groups = int(partners.group_of.max(initial=-1)) + 1
    widest = CodeSets.from_pairs(
        slots_of(sets.starts), partners.group_of[sets.codes], [f"{g:09}" for g in range(groups)], len(sets)
    )
    known = [sets.positions(constraint) for constraint in privacy]
    absent = [n for n, codes in enumerate(known) if len(codes) < len(set(privacy[n]))]
    if not strict:
        # Nobody holds a code that never occurs, so nobody holds the whole.
        left_out = set(absent)
        known = [() if n in left_out else codes for n, codes in enumerate(known)]
    nobody = set(np.flatnonzero(supports(sets, itemsets_over(sets.domain, known), 1) == 0).tolist())
    asked: list[tuple[int, tuple[int, ...]]] = []
    for number, codes in enumerate(known):
        if number not in nobody:
            asked.append((number, codes))
        elif strict:
            asked += [(number, part) for part in _largest_held(sets, codes)]
    now = supports(sets, itemsets_over(sets.domain, [part for _, part in asked]), k)
    joined = [sorted({int(partners.group_of[code]) for code in part}) for _, part in asked]
    then = supports(widest, itemsets_over(widest.domain, joined), k)
    groups_of = [sorted({int(partners.group_of[code]) for code in codes}) for codes in known]
    widest_held = supports(widest, itemsets_over(widest.domain, groups_of), k)
    rare = {number for (number, _), support in zip(asked, now.tolist(), strict=True) if support < k}
    hopeless = {number for (number, _), support in zip(asked, then.tolist(), strict=True) if support < k}
    lost = {
        code
        for codes in known
        if strict or len(codes) == 1
        for code in codes
        if sets.supports[code] and widest.supports[partners.group_of[code]] < k
    }
    doubtful = set()
    if rare:
        for number in nobody - hopeless:
            whole = 0 if number in absent else int(widest_held[number])
            if whole >= k or not (whole or strict):
                continue
            if whole or _has_rare_part(widest, [partners.group_of[code] for code in known[number]], k):
                doubtful.add(number)
    return Feasibility(
        k,
        len(privacy),
        tuple(n + 1 for n in range(len(privacy)) if n not in rare),
        tuple(n + 1 for n in sorted(rare - hopeless)),
        tuple(n + 1 for n in sorted(rare & hopeless)),
        len(lost),
        tuple(n + 1 for n in absent),
        partners.overlapping,
        tuple(n + 1 for n in sorted(doubtful)),
    )


def _has_rare_part(sets: CodeSets, codes: Sequence[int], k: int) -> bool:
    """Say whether fewer than k records hold one of the largest held parts of an itemset."""
    parts = _largest_held(sets, codes)
    return bool((supports(sets, itemsets_over(sets.domain, parts), k) < k).any())


def _largest_held(sets: CodeSets, codes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return what records hold of an itemset, without what lies in another such part."""
    slots = np.flatnonzero(np.isin(sets.codes, codes))
    held: dict[int, list[int]] = {}
    for record, code in zip(slots_of(sets.starts)[slots].tolist(), sets.codes[slots].tolist(), strict=True):
        held.setdefault(record, []).append(code)
    largest: list[frozenset[int]] = []
    for part in sorted({tuple(part) for part in held.values()}, key=lambda part: (-len(part), part)):
        if not any(other.issuperset(part) for other in largest):
            largest.append(frozenset(part))
    return [tuple(sorted(part)) for part in largest]
