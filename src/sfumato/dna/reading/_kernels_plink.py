"""Genotypes of two bits, counted 32 at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def _ones(word: np.uint64) -> Any:
    """Count the bits that are set (the compiler makes one instruction of it)."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def count_packed(
    words: NDArray[np.uint64],
    groups: NDArray[np.uint64],
    sizes: NDArray[np.int64],
    found: NDArray[np.int64],
    first: int,
) -> None:
    """Count the genotypes of each group at each site.

    ``words`` is sites × words; of the two bits of a person the low one lies in the even place: 0 is twice
    allele 1, 1 missing, 2 one of each, 3 twice allele 2. ``groups`` has the even bits of its people set.
    ``found`` is groups × sites × 4: dosages 0, 1, 2 of allele 1, and missing; written from site ``first`` on.
    """
    for site in range(words.shape[0]):
        for group in range(groups.shape[0]):
            low = np.int64(0)
            high = np.int64(0)
            both = np.int64(0)
            for at in range(words.shape[1]):
                mask = groups[group, at]
                here = words[site, at] & mask
                above = (words[site, at] >> np.uint64(1)) & mask
                low += _ones(here)
                high += _ones(above)
                both += _ones(here & above)
            found[group, first + site, 0] = both
            found[group, first + site, 1] = high - both
            found[group, first + site, 2] = sizes[group] - low - high + both
            found[group, first + site, 3] = low - both
