"""What a cell may be: the single values that a set of a lattice holds.

The join of a base and a gap is written N, so N may also be a gap: a set holds a value when joining the two
gives the set again.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.iupac import SIZE, Lattice


def values_of(lattice: Lattice) -> tuple[int, ...]:
    """Return the single values of a lattice: the bases and the gap, or the three genotypes.

    >>> from sfumato.hierarchy.iupac import genotypes, iupac
    >>> values_of(iupac()), values_of(genotypes())
    ((1, 2, 4, 8, 16), (1, 2, 4))
    """
    return tuple(sorted(mask for mask in lattice.masks.values() if mask.bit_count() == 1))


def held_values(lattice: Lattice) -> NDArray[np.uint8]:
    """Return for each set (a mask) the bits of the single values that it holds; 0 where a mask is no set.

    >>> from sfumato.hierarchy.iupac import ANY, A, G, iupac
    >>> held = held_values(iupac())
    >>> int(held[A | G]) == A | G, int(held[ANY])
    (True, 31)
    """
    return _table(lattice)


@cache
def _table(lattice: Lattice) -> NDArray[np.uint8]:
    held = np.zeros(SIZE, np.uint8)
    for mask in lattice.masks.values():
        for value in values_of(lattice):
            if lattice.closed[mask | value] == mask:
                held[mask] |= value
    held.setflags(write=False)
    return held
