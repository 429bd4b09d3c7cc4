"""What all attacks on DNA share: what the adversary holds, what the house knows, and which sites are common.

What comes out is the same for every kind of data: see ``core/attack.py``. Nobody is named: people are columns
of genotypes or rows of an alignment.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Statistics
from sfumato.dna.sites import Sites
from sfumato.dna.source import GenotypeSource

if TYPE_CHECKING:
    from sfumato.dna.attacks.genotype_phenotype import Patients


@dataclass(frozen=True, eq=False)
class Population:
    """Frequencies of the alternate allele in the population that people come from, from a catalogue."""

    frequency: NDArray[np.float64] = field(repr=False)
    sites: Sites = field(repr=False)
    people: int | None = None
    """over how many people they were counted, where that is known"""

    def __post_init__(self) -> None:
        if len(self.frequency) != len(self.sites):
            raise AssertionError("a population has a frequency for each site")

    @classmethod
    def of(cls, panel: GenotypeSource, *, progress: Progress = SILENT) -> Population:
        """Count the frequencies of some people; a site where all are missing has none (NaN).

        >>> from sfumato.dna.sites import numbered
        >>> from sfumato.dna.source import InMemory
        >>> Population.of(InMemory(np.array([[0, 1, 2, -1]], np.int8), numbered(1))).frequency
        array([0.5])
        """
        everybody = np.ones(panel.people, np.bool_)
        counts = panel.counts([everybody], progress=progress)[0].astype(np.float64)
        known = counts[:, :3].sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            frequency = (counts[:, 1] + 2 * counts[:, 2]) / (2 * known)
        return cls(frequency, panel.sites, panel.people)


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What the adversary holds, and what the house knows to tell who was right.

    The adversary has genotypes of people and wants to know who of them is in the data. The house knows:
    ``members`` are, ``outside`` are not. People outside come from the same population, are nobody's
    relatives, and are **not among those that ``reference`` was counted over**: thresholds are set on them,
    and people whom the reference knows look unlike members even when they are strangers.
    """

    members: GenotypeSource | None = None
    outside: GenotypeSource | None = None
    reference: Population | GenotypeSource | None = None
    cases: NDArray[np.bool_] | None = field(default=None, repr=False)
    """who of the members is ill; the others are controls"""
    original: Aligned | None = None
    """rows before they were protected: what may be known of people"""
    kept: NDArray[np.int64] | None = field(default=None, repr=False)
    """of which row of the original each published row was made"""
    people: Aligned | None = None
    """genotypes of people whom the adversary knows by name and who need not be in the release"""
    relatives: NDArray[np.int64] | None = field(default=None, repr=False)
    """for each of ``people`` the published row (from 0) of a relative, −1 for nobody"""
    patients: Patients | None = None


class Attack(Protocol):
    """An adversary. A frozen dataclass whose fields are its parameters, checked when it is made."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def title(self) -> str:
        """What the adversary does, in a few words."""

    @property
    def threat(self) -> Threat:
        """What is learned when it succeeds."""

    @property
    def needs(self) -> frozenset[Need]:
        """What must be at hand."""

    def run(
        self, target: Any, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Attack a release; with ``victims`` also say which rows were hit."""


def check_share(value: float, what: str, where: str) -> None:
    """Refuse what is no share strictly between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise BadInput(f"'{what}' must lie between 0 and 1", where=where, remedy="try 0.05")


def check_count(value: int, what: str, where: str, least: int = 1) -> None:
    """Refuse what is no whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadInput(f"'{what}' must be a whole number of at least {least}", where=where)


def people_to_attack(knowledge: Knowledge, where: str) -> tuple[GenotypeSource, GenotypeSource]:
    """Return members and people outside; refuse to attack or to compare with nobody.

    People outside who have exactly the genotypes of a member, at enough sites to tell people apart, are left
    out (``left_out`` counts them): measured on members every attack looks as if it failed. Where most of them
    do, or the reference is the members themselves, it is refused.
    """
    members, outside = knowledge.members, knowledge.outside
    if members is None or not members.people:
        raise BadInput(
            "there is nobody to attack", where=where, remedy="give genotypes of people in the data"
        )
    if outside is None or outside.people < 2:
        raise BadInput(
            "there are no two people outside the data to set thresholds on",
            where=where,
            remedy="give genotypes of people of the same population who are not in the data",
        )
    if members in (outside, knowledge.reference):
        raise BadInput(
            "the people outside, or those of the reference, are the members themselves",
            where=where,
            remedy="give genotypes of people of the same population who are not in the data",
        )
    return members, _strangers(members, outside, where)


def _strangers(members: GenotypeSource, outside: GenotypeSource, where: str) -> GenotypeSource:
    """Leave out people who are members, where both are known at the same sites."""
    if not _same_sites(members.sites, outside.sites):
        return outside
    # Readers of files bring Arrow, which attacks do not need before they are run.
    from sfumato.dna.reading.some_people import SomePeople
    from sfumato.dna.statistics.held_out import members_of

    alike = members_of(members, outside, where)
    return SomePeople(outside, ~alike) if alike.any() else outside


def left_out(knowledge: Knowledge, outside: GenotypeSource) -> dict[str, int]:
    """Return the figure of an attack that tells how many people outside were members."""
    many = 0 if knowledge.outside is None else knowledge.outside.people - outside.people
    return {"members among the people outside, left out": many} if many else {}


def population_of(knowledge: Knowledge, where: str, progress: Progress = SILENT) -> Population:
    """Return the frequencies of the population; refuse to go without."""
    reference = knowledge.reference
    if reference is None:
        raise BadInput(
            "the attack needs frequencies of the population",
            where=where,
            remedy="give a reference: frequencies of a catalogue, or genotypes of people outside the data",
        )
    return reference if isinstance(reference, Population) else Population.of(reference, progress=progress)


def published_column(target: Statistics, column: str, where: str) -> NDArray[np.float64]:
    """Return a published column of figures; refuse one that is not there."""
    if column not in target.columns:
        raise BadInput(
            f"no column '{column}' is published", where=where, remedy=nearest(column, target.columns)
        )
    return np.asarray(target.columns[column], np.float64)


@dataclass(frozen=True, eq=False)
class Places:
    """Where the sites of one file lie in another: ``place[j]`` of site j, −1 for nowhere.

    ``swapped[j]`` says that reference and alternate allele have changed places.
    """

    place: NDArray[np.int64] = field(repr=False)
    swapped: NDArray[np.bool_] = field(repr=False)


def places(mine: Sites, theirs: Sites) -> Places:
    """Find each of my sites among theirs: same chromosome, position and the same two alleles.

    Both are taken to be of one strand: A/C is not found among T/G, and A/T beside T/A has changed places.

    >>> from sfumato.dna.sites import numbered
    >>> places(numbered(3), numbered(2)).place.tolist()
    [0, 1, -1]
    """
    count = len(mine)
    if _same_sites(mine, theirs):
        return Places(np.arange(count, dtype=np.int64), np.zeros(count, np.bool_))
    known = {key: place for place, key in enumerate(_keys(theirs))}
    found = np.full(count, -1, np.int64)
    swapped = np.zeros(count, np.bool_)
    for at, (chromosome, position, reference, alternate) in enumerate(_keys(mine)):
        place = known.get((chromosome, position, reference, alternate), -1)
        if place < 0:
            place = known.get((chromosome, position, alternate, reference), -1)
            swapped[at] = place >= 0
        found[at] = place
    return Places(found, swapped)


def _same_sites(mine: Sites, theirs: Sites) -> bool:
    return mine is theirs or (
        len(mine) == len(theirs)
        and np.array_equal(mine.position, theirs.position)
        and np.array_equal(mine.chromosome, theirs.chromosome)
        and np.array_equal(mine.reference, theirs.reference)
        and np.array_equal(mine.alternate, theirs.alternate)
    )


def _keys(sites: Sites) -> list[tuple[str, int, str, str]]:
    return list(
        zip(
            sites.chromosome.tolist(),
            sites.position.tolist(),
            sites.reference.tolist(),
            sites.alternate.tolist(),
            strict=True,
        )
    )


def frequencies_at(sites: Sites, population: Population) -> NDArray[np.float64]:
    """Return the population's frequencies at some sites, NaN where it has none."""
    found = places(sites, population.sites)
    frequency = np.full(len(sites), np.nan)
    there = found.place >= 0
    frequency[there] = population.frequency[found.place[there]]
    return np.where(found.swapped, 1 - frequency, frequency)


def common_sites(usable: NDArray[np.bool_], where: str) -> int:
    """Return how many sites an adversary can use; refuse to attack without any."""
    count = int(np.count_nonzero(usable))
    if not count:
        raise BadInput(
            "what is published and what the adversary knows have no site in common",
            where=where,
            remedy="check that chromosomes, positions and alleles are written alike",
        )
    return count
