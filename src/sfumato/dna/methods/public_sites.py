"""Which sites, and which people: what methods with noise take from outside the data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Study

STATUS_KEPT = "one person replaced by another of the same status"
"""the neighbours of studies whose numbers of cases and controls are public"""
MOST_PEOPLE = 2**25
"""up to so many people products of counts are whole numbers that a float holds"""


def chosen_sites(study: Study, sites: tuple[int, ...] | None, name: str) -> NDArray[np.int64]:
    """Return the numbers of the sites to publish, all of them unless some were named."""
    there = len(study.pool.sites)
    if study.pool.people < 1:
        raise BadInput("there are no people in the pool", where=name, remedy="give genotypes of people")
    kept = np.arange(there, dtype=np.int64) if sites is None else np.array(sites, np.int64)
    if not len(kept):
        raise BadInput("there are no sites to publish", where=name, remedy="name some")
    if kept.min() < 0 or kept.max() >= there:
        raise BadInput(f"a site's number is not one of 0 to {there - 1}", where=name, remedy="count from 0")
    if len(np.unique(kept)) != len(kept):
        raise BadInput("a site is named twice", where=name, remedy="name each site once")
    return kept


def marked_cases(study: Study, name: str) -> NDArray[np.bool_]:
    """Return who is a case, or refuse a study in which that is not said of everybody."""
    if study.cases is None:
        raise BadInput("who is a case is not known", where=name, remedy="give the cases of the study")
    if len(study.cases) != study.pool.people:
        raise BadInput(
            f"there are {len(study.cases)} marks of cases for {study.pool.people} people", where=name
        )
    cases = np.asarray(study.cases, bool)
    if cases.all() or not cases.any():
        raise BadInput(
            "there are not both cases and controls",
            where=name,
            remedy="mark some people as cases, and not all",
        )
    return cases


def imputed(
    study: Study, missing: int, name: str, *, progress: Progress = SILENT
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return sites × 3 genotype counts of cases and of controls; a missing genotype is the dosage given.

    So every site has the same number of cases and of controls, whoever lacks a genotype: a table that lost
    people would have another sensitivity.
    """
    cases = marked_cases(study, name)
    if len(cases) > MOST_PEOPLE:
        raise BadInput(f"there are more than {MOST_PEOPLE} people", where=name, remedy="split the study")
    counts = study.pool.counts([cases, ~cases], progress=progress)
    full = np.ascontiguousarray(counts[:, :, :3], np.int64)
    full[:, :, missing] += counts[:, :, 3]
    return np.ascontiguousarray(full[0]), np.ascontiguousarray(full[1])


def check_missing(missing: int, name: str) -> None:
    """Refuse what is not a dosage."""
    if isinstance(missing, bool) or missing not in (0, 1, 2):
        raise BadInput("a missing genotype is taken as dosage 0, 1 or 2", where=name, remedy="try 0")
