"""Rows and promises for property tests of methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from hypothesis import strategies as st

from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import Demand
from sfumato.hierarchy.iupac import genotypes, iupac


@dataclass(frozen=True)
class Asks:
    """A promise that is nothing but its demand."""

    asked: Demand
    name: ClassVar[str] = "asks"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = ()

    def in_words(self) -> str:
        return "what is asked"

    def demand(self) -> Demand:
        return self.asked

    def check(self, published: Aligned | Unaligned, *, population: Aligned | None = None) -> Verdict:
        raise NotImplementedError("tests check with the oracle")


@st.composite
def alignments(draw: st.DrawFn, least: int = 2, most: int = 9, widest: int = 6) -> Aligned:
    """Small rows of bases (with ambiguous ones and gaps) or of genotypes, some people with several rows."""
    lattice = draw(st.sampled_from([iupac(), genotypes()]))
    plain = [1, 2, 4, 8] if lattice.gap is not None else [1, 2, 4]
    masks = draw(st.sampled_from([plain[:2], plain, sorted(lattice.masks.values())]))
    n, width = draw(st.integers(least, most)), draw(st.integers(1, widest))
    cells = draw(st.lists(st.sampled_from(masks), min_size=n * width, max_size=n * width))
    several = draw(st.booleans())
    people = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)) if several else None
    return Aligned(
        np.array(cells, np.uint8).reshape(n, width),
        lattice,
        persons=None if people is None else np.array(people, np.int64),
    )


@st.composite
def demands(draw: st.DrawFn, rows: Aligned, *, some: bool = True, alike: bool = False) -> Demand:
    """Something that can be promised of these rows."""
    people = draw(st.integers(1, min(4, len(set(rows.owners.tolist())))))
    columns = st.lists(st.integers(0, rows.width - 1), min_size=1, max_size=rows.width, unique=True)
    positions = draw(st.none() | columns.map(tuple))
    at_a_time = draw(st.none() | st.integers(1, 3)) if some else None
    within = draw(st.integers(1, rows.width)) if alike else 1
    return Demand(people, positions, within, at_a_time=at_a_time)
