"""Which codes may be generalised together under a utility policy.

A. Gkoulalas-Divanis and G. Loukides, "PCTA" (2011) and G. Loukides, A. Gkoulalas-Divanis and B. Malin,
"COAT: constraint-based anonymization of transactions" (KAIS 2011): a utility constraint u is satisfied when
every published item lies inside u or outside of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Constraint
from sfumato.codes.sets import read_only


@dataclass(frozen=True)
class Partners:
    """Groups of codes: two codes may become one item exactly when they lie in the same group.

    Codes lie in one group when they stand in the same utility constraints, so that no item can cross any of
    them even where constraints overlap, and when both are sensitive or both are not. A code that no
    constraint names is alone in its group: it stays as it is or is suppressed.

    >>> partners = Partners.under(("a", "b", "c", "d"), [("a", "b"), ("b", "c")])
    >>> partners.group_of.tolist(), partners.overlapping
    ([0, 1, 2, 3], 2)
    """

    group_of: NDArray[np.int64] = field(repr=False)
    named: NDArray[np.bool_] = field(repr=False)
    """codes that stand in some utility constraint"""
    overlapping: int = 0
    """how many utility constraints share a code with another one"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "group_of", read_only(self.group_of, np.int64))
        object.__setattr__(self, "named", read_only(self.named, np.bool_))

    @classmethod
    def under(
        cls,
        domain: Sequence[str],
        utility: Sequence[Constraint],
        sensitive: NDArray[np.bool_] | None = None,
    ) -> Partners:
        """Read a utility policy; codes that never occur say nothing."""
        place = {code: position for position, code in enumerate(domain)}
        standing: list[list[int]] = [[] for _ in domain]
        overlap: set[int] = set()
        for number, constraint in enumerate(utility):
            for code in sorted({place[code] for code in constraint if code in place}):
                standing[code].append(number)
        for inside in standing:
            if len(inside) > 1:
                overlap.update(inside)
        keys = [
            (tuple(inside), bool(sensitive is not None and sensitive[code]), -1 if inside else code)
            for code, inside in enumerate(standing)
        ]
        number_of = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        return cls(
            np.array([number_of[key] for key in keys], np.int64),
            np.array([bool(inside) for inside in standing], np.bool_),
            len(overlap),
        )

    @classmethod
    def anyone(cls, codes: int, sensitive: NDArray[np.bool_] | None = None) -> Partners:
        """Let every code join every other one, public and sensitive ones apart."""
        marked = np.zeros(codes, np.bool_) if sensitive is None else sensitive
        return cls(marked.astype(np.int64), np.zeros(codes, np.bool_))

    def groups(self) -> list[NDArray[np.int64]]:
        """Return the codes of every group, ascending."""
        order = np.argsort(self.group_of, kind="stable")
        if not len(order):
            return []
        number = int(self.group_of.max()) + 1
        return np.split(order, np.searchsorted(self.group_of[order], np.arange(1, number)))
