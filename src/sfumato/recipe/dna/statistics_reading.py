"""Read what statistics are about: genotypes, whose they are, who is ill, and people outside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.fingerprint import chunks_of
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Study
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.reading import (
    Phenotype,
    PlinkSource,
    SomePeople,
    content_of,
    open_genotypes,
    read_people,
    samples_of,
)
from sfumato.dna.sites import Sites
from sfumato.dna.source import GenotypeSource
from sfumato.dna.statistics.held_out import FINGERPRINT, check_same_sites, members_of
from sfumato.dna.statistics.selected import dosages_of
from sfumato.recipe.dna.statistics_job import Genotypes, StatisticsJob

_MEMORY = "memory"
_SPREADS, _CLOSED = 6, 0.8
"""from where on two samples are one person's, in standard deviations and as a share (``nearly_alike``)"""


@dataclass(frozen=True)
class ReadStudy:
    """A study as it was read, one sample of each person; names of samples go nowhere."""

    study: Study = field(repr=False)
    origin: str
    samples: int
    left_out: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_study(job: StatisticsJob, progress: Progress = SILENT) -> ReadStudy:
    """Open the genotypes, join them with what is known about the people, and refuse what cannot be told."""
    progress.step("reading")
    source = _opened(job, job.data)
    _refuse_twice(source.sites)
    people, left_out, notes = _people(job, source)
    reference = None if job.reference is None else _opened(job, job.reference)
    pool = SomePeople(source, people.which) if not people.which.all() else source
    if not pool.people:
        raise BadInput("there is nobody to count", where="data", remedy="give genotypes of people")
    study = Study(pool, people.cases, reference)
    if reference is not None:
        check_same_sites(pool.sites, reference.sites, "dna, reference")
        if any(isinstance(model, MembershipBound) for model in job.models):
            progress.step("comparing the reference with the data")
            _refuse_members(study, _same_names(source, people.which, reference))
    origin = content_of(job.data).value if isinstance(job.data, Path) else _MEMORY
    return ReadStudy(study, origin, source.people, left_out, notes)


def input_bytes(job: StatisticsJob) -> Iterator[bytes]:
    """Return what the fingerprint is made of: the files, or else the genotypes."""
    if isinstance(job.data, Path):
        for path in paths_of(job.data):
            yield from chunks_of(path)
        return
    for block in job.data.blocks():
        yield block.dosages.tobytes()


def paths_of(data: Genotypes | None) -> tuple[Path, ...]:
    """Return the files that genotypes lie in: of PLINK three."""
    if not isinstance(data, Path):
        return ()
    beside = (data.with_suffix(suffix) for suffix in (".bim", ".fam") if data.suffix == ".bed")
    return (data, *(path for path in beside if path.is_file()))


@dataclass(frozen=True)
class _Told:
    """Which samples are counted, and of those who is a case."""

    which: NDArray[np.bool_]
    cases: NDArray[np.bool_] | None


def _opened(job: StatisticsJob, data: Genotypes) -> GenotypeSource:
    if not isinstance(data, Path):
        return data
    return open_genotypes(data, multiallelic=job.options.multiallelic)


def _people(job: StatisticsJob, source: GenotypeSource) -> tuple[_Told, dict[str, int], tuple[str, ...]]:
    """Take one sample of each person, of whom it is known whether they are a case where that is asked."""
    notes: list[str] = []
    persons: NDArray[np.int64] = np.arange(source.people, dtype=np.int64)
    phenotype: Phenotype | None = None
    if job.people is not None:
        persons, phenotype = _joined(job, source, notes)
    if job.persons is not None:
        if len(job.persons) != source.people:
            raise BadInput(
                f"{len(job.persons):,} samples have a person, and there are {source.people:,}",
                where="persons",
                remedy="say of each sample whose it is",
            )
        persons = np.asarray(job.persons, np.int64)
    if job.cases is not None:
        if len(job.cases) != source.people:
            raise BadInput(
                f"of {len(job.cases):,} samples it is told who is a case, and there are {source.people:,}",
                where="cases",
                remedy="say it of each sample",
            )
        phenotype = Phenotype(np.asarray(job.cases, np.bool_).astype(np.int8))
    if phenotype is None and job.needs_cases and isinstance(source, PlinkSource):
        phenotype = source.family.phenotype
        notes.append("who is a case was read from the .fam file")
    if phenotype is None and job.needs_cases:
        raise BadInput(
            f"{job.method.name} compares cases with controls, and who is which is not known",
            where="dna",
            remedy="name a file 'people' and its column 'phenotype'",
        )
    first = np.zeros(source.people, np.bool_)
    first[np.unique(persons, return_index=True)[1]] = True
    left_out = {"further samples of the same person": int(np.count_nonzero(~first))}
    cases = None
    which = first
    if phenotype is not None:
        _refuse_two_states(persons, phenotype.states)
        which = first & phenotype.known
        left_out["people of whom it is not known whether they are cases"] = int(
            np.count_nonzero(first & ~phenotype.known)
        )
        cases = phenotype.states[which] == 1
        if cases.all() or not cases.any():
            raise BadInput(
                "there are not both cases and controls",
                where="dna, phenotype",
                remedy="say with 'cases' which values mean a case, or leave 'phenotype' out",
            )
    return _Told(which, cases), {what: number for what, number in left_out.items() if number}, tuple(notes)


def _joined(
    job: StatisticsJob, source: GenotypeSource, notes: list[str]
) -> tuple[NDArray[np.int64], Phenotype | None]:
    options = job.options
    ways = options.cases if "cases" in options.model_fields_set else [None]
    found = [
        read_people(
            job.people,
            samples_of(source),
            sample=options.sample,
            person=options.person,
            phenotype=options.phenotype,
            case=case,
        )
        for case in ways
    ]
    if found[0].unmatched:
        notes.append(f"{found[0].unmatched:,} lines of the file of people have no sample in the data")
    states = [one.phenotype.states for one in found if one.phenotype is not None]
    # A case by any of the values that mean one.
    return found[0].persons, Phenotype(np.max(np.stack(states), axis=0)) if states else None


def _refuse_two_states(persons: NDArray[np.int64], states: NDArray[np.int8]) -> None:
    """Refuse people whose samples disagree about whether they are cases."""
    known, number_of = np.unique(persons, return_inverse=True)
    told = np.zeros((len(known), 3), np.bool_)
    told[number_of, states.astype(np.int64) + 1] = True
    number = int(np.count_nonzero(told.sum(axis=1) > 1))
    if number:
        raise BadInput(
            f"the samples of {number:,} people disagree about whether they are cases",
            where="dna, phenotype",
            remedy="mend the file of people",
        )


def _refuse_twice(sites: Sites) -> None:
    """A site that stands twice would be told twice."""
    if not len(sites):
        raise BadInput("there are no sites", where="data", remedy="give a file with genotypes of sites")
    keys = zip(
        sites.chromosome.tolist(),
        sites.position.tolist(),
        sites.reference.tolist(),
        sites.alternate.tolist(),
        strict=True,
    )
    twice = len(sites) - len(set(keys))
    if twice:
        raise BadInput(
            f"{twice:,} of {len(sites):,} sites stand there twice, with the same alleles",
            where="data",
            remedy="join them, or leave one of each out",
        )


def _refuse_members(study: Study, same: NDArray[np.int64]) -> None:
    """Members who are taken for people outside would make a bound look kept.

    ``same`` are pairs of numbers, of the pool and of the reference, whose samples have the same name. Names
    may be alike by chance (1, 2, 3, …), so their genotypes are compared, too: those of one person who was
    read twice differ here and there.
    """
    assert study.reference is not None
    where = "dna, reference"
    alike = int(np.count_nonzero(members_of(study.pool, study.reference, where)))
    if alike:
        raise BadInput(
            f"{alike:,} people of the reference have exactly the genotypes of somebody in the data",
            where=where,
            remedy="leave them out of the reference: the promise is measured on people outside",
        )
    if not len(same):
        return
    which = np.arange(min(FINGERPRINT, len(study.pool.sites)), dtype=np.int64)
    pool, reference = dosages_of(study.pool, which), dosages_of(study.reference, which)
    again = int(np.count_nonzero(nearly_alike(pool, reference, same)))
    if again:
        raise BadInput(
            f"{again:,} samples of the reference have the name of a sample of the data, and nearly its "
            "genotypes",
            where=where,
            remedy="leave them out of the reference: the promise is measured on people outside",
        )


def nearly_alike(
    pool: NDArray[np.int8], reference: NDArray[np.int8], pairs: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Say which pairs of people (sites × people each) agree far more often than by chance.

    Strangers agree at a site with chance Σ share². Said of a pair that closes four fifths of what lies
    between that and agreeing everywhere, and that chance would hardly reach.

    >>> rows = np.random.default_rng(1).integers(0, 3, (200, 6)).astype(np.int8)
    >>> again = rows.copy()
    >>> again[:9] = 0
    >>> nearly_alike(rows, again, np.array([[0, 0], [1, 2]]))
    array([ True, False])
    """
    shares = np.stack([(pool == value).mean(axis=1) for value in (0, 1, 2)])
    chance = (shares**2).sum(axis=0)
    found = np.zeros(len(pairs), np.bool_)
    for number, (one, other) in enumerate(pairs.tolist()):
        known = (pool[:, one] >= 0) & (reference[:, other] >= 0)
        expected, spread = chance[known].sum(), np.sqrt((chance[known] * (1 - chance[known])).sum())
        agreed = np.count_nonzero(pool[known, one] == reference[known, other])
        surely = agreed > expected + _SPREADS * spread
        found[number] = surely and agreed - expected > _CLOSED * (np.count_nonzero(known) - expected)
    return found


def _same_names(
    source: GenotypeSource, which: NDArray[np.bool_], reference: GenotypeSource
) -> NDArray[np.int64]:
    """Return pairs of numbers of people of the pool and of the reference whose samples have one name."""
    counted = np.flatnonzero(which).tolist()
    names = samples_of(source)
    number_of = {names[at]: number for number, at in enumerate(counted)} if names else {}
    found = [(number_of[name], at) for at, name in enumerate(samples_of(reference)) if name in number_of]
    return np.array(found, np.int64).reshape(len(found), 2)
