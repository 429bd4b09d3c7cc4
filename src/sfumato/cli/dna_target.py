"""What an attack on DNA is aimed at, and what the adversary knows of people, at the same positions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sfumato.cli.dna_read import Reading
from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.attacks.contract import Population, places
from sfumato.dna.contract import Statistics
from sfumato.dna.reading import Content, Rows, content_of, open_genotypes, read_statistics
from sfumato.dna.reading.statistics import SITE_COLUMNS
from sfumato.dna.reading.tables import names_of
from sfumato.dna.sites import Sites
from sfumato.dna.source import GenotypeSource
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, SIZE
from sfumato.recipe.dna.on_disk import RowsOnDisk
from sfumato.recipe.dna.statistics_verify import StatisticsOnDisk
from sfumato.recipe.on_disk import kind_of, load_part, release_folder
from sfumato.release.names import EVIDENCE

FREQUENCY = "frequency"


@dataclass(frozen=True, eq=False)
class RowsTarget:
    """Rows that are attacked, and where their genotypes lie if that is told."""

    rows: Aligned | Unaligned = field(repr=False)
    sites: Sites | None = field(default=None, repr=False)
    alleles: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    """of a release whose people were spelt by letters: what 0 and 1 stand for at each position"""


def target_of(path: Path, reading: Reading, counted_over: int | None) -> Statistics | RowsTarget:
    """Read a release of DNA, a file of statistics, or a file of rows."""
    if path.is_dir():
        found = _of_release(path)
    elif content_of(path) is Content.TABLE and set(SITE_COLUMNS) <= set(names_of(path)):
        found = read_statistics(path)
    else:
        read = reading.rows(path)
        _refuse_letters(read, path)
        found = RowsTarget(read.data, read.sites)
    if counted_over is None:
        return found
    if isinstance(found, RowsTarget):
        raise BadInput("rows are their people", where="--counted-over", remedy="leave it out")
    if found.people not in (None, counted_over):
        raise BadInput(
            f"the release says that it was counted over {found.people:,} people",
            where="--counted-over",
            remedy="leave it out",
        )
    return dataclasses.replace(found, people=counted_over)


def _of_release(path: Path) -> Statistics | RowsTarget:
    from sfumato.core.evidence_dna import DnaEvidence

    folder = release_folder(path)
    if kind_of(folder) != "dna":
        raise BadInput("this is no release of DNA", where=str(path), remedy="use 'sfumato attack'")
    if load_part(folder / EVIDENCE, DnaEvidence).form == "statistics":
        release = StatisticsOnDisk.read(folder)
        told = release.evidence.figures
        found = read_statistics(release.path)
        return found if told is None else dataclasses.replace(found, people=told.people, cases=told.cases)
    on_disk = RowsOnDisk.read(folder)
    content = on_disk.content()
    alleles = {name: (pair[0], pair[1]) for name, pair in on_disk.schema.alleles.items()}
    return RowsTarget(content.rows, content.sites, alleles)


def genotypes_of(path: Path, option: str) -> GenotypeSource:
    """Open genotypes of people; say by which option they came."""
    try:
        return open_genotypes(path)
    except BadInput as problem:
        problem.where = f"{option}, {problem.where}" if problem.where else option
        raise


def population_of(path: Path) -> Population | GenotypeSource:
    """Read frequencies of a population from a table of sites, or open genotypes to count them."""
    if content_of(path) is not Content.TABLE:
        return genotypes_of(path, "--reference")
    found = read_statistics(path)
    if FREQUENCY not in found.columns:
        raise BadInput(f"there is no column '{FREQUENCY}'", where=f"--reference, {path}", remedy="name it so")
    frequency = found.columns[FREQUENCY]
    wrong = np.flatnonzero((frequency < 0) | (frequency > 1))
    if len(wrong):
        raise BadInput(
            "a frequency is not between 0 and 1",
            where=f"--reference, {path}, row {int(wrong[0]) + 1:,}",
            remedy="mend it, or leave the site out",
        )
    return Population(frequency, found.sites)


def known_rows(path: Path, option: str, target: RowsTarget, reading: Reading) -> Aligned:
    """Read what is known of people and put it at the positions of the target; elsewhere nothing is known.

    Genotypes are found by chromosome, position and alleles where both files tell them, all else by the names
    of positions.
    """
    rows = target.rows
    if isinstance(rows, Unaligned):
        raise BadInput(
            "the released sequences have lost their common positions",
            where=option,
            remedy="attack the rows as they were before gaps were removed",
        )
    read, known = dataclasses.replace(reading, alleles=target.alleles).alignment(path)
    if not target.alleles.keys() & set(known.positions):
        _refuse_letters(read, path)
    if known.lattice.name != rows.lattice.name:
        raise BadInput(
            f"{path.name} holds {known.lattice.name} and the target {rows.lattice.name}",
            where=option,
            remedy="give both alike, for VCF with --cells",
        )
    if read.sites is not None and target.sites is not None:
        found = places(target.sites, read.sites)
        place, swapped = found.place, found.swapped
    else:
        if not _named(known) and known.width != rows.width:
            raise BadInput(
                f"{path.name} has {known.width:,} positions without names and the target {rows.width:,}",
                where=option,
                remedy="give sequences that are aligned as those of the target, or a table with positions",
            )
        at = {name: column for column, name in enumerate(known.positions)}
        place = np.array([at.get(name, -1) for name in rows.positions], np.int64)
        swapped = np.zeros(len(place), np.bool_)
    if not (place >= 0).any():
        raise BadInput(
            "what is known and what is attacked have no position in common",
            where=option,
            remedy="call positions as the target does",
        )
    cells = np.full((len(known), rows.width), rows.lattice.top, np.uint8)
    there = place >= 0
    cells[:, there] = known.cells[:, place[there]]
    cells[:, swapped] = _exchanged()[cells[:, swapped]]
    return Aligned(cells, rows.lattice, rows.positions, known.persons)


def _named(known: Aligned) -> bool:
    """Say whether positions have names of their own rather than numbers in a row."""
    return known.positions != tuple(str(at + 1) for at in range(known.width))


def _exchanged() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Return every set of genotypes with reference and alternate allele exchanged.

    >>> _exchanged()[[HOM_REF, HET, HOM_ALT, HOM_REF | HET]].tolist()
    [4, 2, 1, 6]
    """
    sets = np.arange(SIZE, dtype=np.uint8)
    found = sets & HET | np.where(sets & HOM_REF, HOM_ALT, 0) | np.where(sets & HOM_ALT, HOM_REF, 0)
    return found.astype(np.uint8)


def _refuse_letters(read: Rows, path: Path) -> None:
    """Genotypes in letters do not say which allele is the reference: two files may mean different things."""
    if read.alleles:
        raise BadInput(
            "genotypes that are spelt by letters cannot be compared with those of another file",
            where=str(path),
            remedy="write them as 0/0, 0/1 and 1/1, or as VCF",
        )
