"""From dosages and called alleles to the sets that cells are (``hierarchy/iupac``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.memory import half_of_memory
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading.rows import Rows
from sfumato.dna.sites import Sites
from sfumato.dna.source import MISSING, GenotypeSource
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, UNKNOWN, genotypes

_OF_DOSAGE = np.array([HOM_REF, HET, HOM_ALT, UNKNOWN], np.uint8)


def sets_of_dosages(dosages: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Return the set of each dosage; a missing one is the set of all three genotypes.

    >>> sets_of_dosages(np.array([0, 1, 2, -1], np.int8)).tolist()
    [1, 2, 4, 7]
    """
    return _OF_DOSAGE[dosages]


def dosages_of_sets(cells: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return the dosage of each set that is exact; −1 for all others."""
    table = np.full(UNKNOWN + 1, MISSING, np.int8)
    table[[HOM_REF, HET, HOM_ALT]] = (0, 1, 2)
    return table[cells]


def sites_of(kept: Sequence[tuple[str, int, str, str, str]]) -> Sites:
    """Return sites from their chromosome, position, name, reference and alternate allele."""
    chromosome, position, name, reference, alternate = zip(*kept, strict=True)
    return Sites(
        np.array(chromosome, np.object_),
        np.array(position, np.int64),
        np.array(name, np.object_),
        np.array(reference, np.object_),
        np.array(alternate, np.object_),
    )


def positions_of(sites: Sites) -> tuple[str, ...]:
    """Name columns chromosome:position."""
    return tuple(f"{a}:{b}" for a, b in zip(sites.chromosome, sites.position.tolist(), strict=True))


def room_for(people: int, sites: int) -> NDArray[np.uint8]:
    """Return an empty matrix of people × sites, or say that there is no room for it."""
    if people * sites > half_of_memory():
        raise BadInput(
            f"{people:,} people at {sites:,} sites take more than half of the memory",
            remedy="read some of the sites, or count them block by block (open_genotypes)",
        )
    return np.empty((people, sites), np.uint8)


def rows_of_source(source: GenotypeSource, samples: tuple[str, ...], counted: Mapping[str, int]) -> Rows:
    """Bring all genotypes of a source into memory: one row for each person, one column for each site."""
    cells = room_for(source.people, len(source.sites))
    for block in source.blocks():
        cells[:, block.first : block.first + len(block.dosages)] = sets_of_dosages(block.dosages).T
    data = Aligned(cells, genotypes(), positions_of(source.sites))
    return Rows(data, samples, source.sites, counted)
