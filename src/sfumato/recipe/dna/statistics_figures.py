"""What figures of sites must be among each other, whoever counted them: checked from the release alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.contract import Statistics, StatisticsMethod
from sfumato.dna.methods.association_scores import UNITS
from sfumato.dna.methods.dp_association import DpAssociation
from sfumato.dna.methods.dp_frequencies import DpFrequencies
from sfumato.dna.sites import Sites
from sfumato.dna.statistics.tails import log10_p_value, p_value
from sfumato.dna.writing.names import public_names
from sfumato.recipe.dna.statistics_schema import ReleasedFigures

_CLOSE = 1e-9
"""relative: other machines have other logarithms"""
Columns = Mapping[str, NDArray[np.float64]]


def in_order(sites: Sites) -> bool:
    """Say whether each chromosome stands together, its positions rise, and no site stands twice.

    >>> from sfumato.dna.sites import numbered
    >>> in_order(numbered(3)), in_order(numbered(3).some(np.array([1, 0])))
    (True, False)
    """
    names = sites.chromosome.tolist()
    same = np.array([one == other for one, other in itertools.pairwise(names)], np.bool_)
    blocks = len(same) + 1 - int(same.sum()) if names else 0
    falling = same & (np.diff(sites.position) < 0)
    keys = set(
        zip(
            names,
            sites.position.tolist(),
            sites.reference.tolist(),
            sites.alternate.tolist(),
            strict=True,
        )
    )
    return blocks == len(set(names)) and not falling.any() and len(keys) == len(sites)


def named_publicly(sites: Sites) -> bool:
    """Say whether sites have accession numbers or their position for a name, and positions count from 1."""
    return public_names(sites) == sites.name.tolist() and bool((sites.position >= 1).all())


def outside(statistics: Statistics, declared: list[ReleasedFigures]) -> list[str]:
    """Return the columns with a figure that is missing or lies outside of what is declared."""
    wrong = []
    for told in declared:
        column = statistics.columns[told.name]
        known = column[~np.isnan(column)]
        slack = _CLOSE * max(1.0, abs(told.most or 0.0))
        sound = np.isfinite(known).all() and (told.missing or len(known) == len(column))
        sound = sound and (told.least is None or bool((known >= told.least).all()))
        sound = sound and (told.most is None or bool((known <= told.most + slack).all()))
        if not sound:
            wrong.append(told.name)
    return wrong


def disagreeing(
    statistics: Statistics, method: StatisticsMethod, people: int | None, cases: int | None
) -> list[str]:
    """Name what does not follow from what it follows from."""
    columns = statistics.columns
    checks = (
        *_tests(columns, str(getattr(method, "test", "allelic"))),
        *_shares(columns),
        *_noisy(columns, method, people, cases),
    )
    return [what for what, sound in checks if not sound]


def _tests(columns: Columns, test: str) -> Iterator[tuple[str, bool]]:
    """p follows from χ²; the genotypic test has the degrees of freedom of the genotypes that occur."""
    chi2 = columns.get("chi2")
    degrees = (0, 1, 2) if str(test) == "genotypic" else (0, 1)
    if chi2 is not None:
        known = np.where(np.isnan(chi2) | (chi2 < 0), 0.0, chi2)
        missing = np.isnan(chi2)
        for name, tail in (("p", p_value), ("log10_p", log10_p_value)):
            if name in columns:
                expected = [np.where(missing, np.nan, tail(known, many)) for many in degrees]
                # Without degrees of freedom there is nothing to test, and χ² is 0.
                yield f"{name} and chi2", _one_of(columns[name], expected, known)
    if "p" in columns and "log10_p" in columns:
        p, logs = columns["p"], columns["log10_p"]
        told = p > 0
        yield "log10_p and p", _same(np.log10(p[told]), logs[told]) and bool((logs[p == 0] < -300).all())


def _one_of(
    told: NDArray[np.float64], expected: list[NDArray[np.float64]], chi2: NDArray[np.float64]
) -> bool:
    found = np.zeros(len(told), np.bool_)
    for many, one in enumerate(expected):
        found |= _alike(told, one) & ((many > 0) | (chi2 == 0))
    return bool(found.all())


def _shares(columns: Columns) -> Iterator[tuple[str, bool]]:
    frequency = columns.get("frequency")
    if frequency is None:
        return
    if "minor_frequency" in columns:
        rarer = np.minimum(frequency, 1 - frequency)
        yield "minor_frequency and frequency", _same(columns["minor_frequency"], rarer)
    arms = [columns[name] for name in ("case_frequency", "control_frequency") if name in columns]
    if len(arms) == 2:
        between = (frequency >= np.fmin(*arms) - _CLOSE) & (frequency <= np.fmax(*arms) + _CLOSE)
        yield "frequency and those of cases and controls", bool((between | np.isnan(frequency)).all())
    if "heterozygosity" in columns:
        # People with two different alleles carry one of each, so both alleles are at least half as frequent.
        most = 2 * np.minimum(frequency, 1 - frequency) + _CLOSE
        fits = (columns["heterozygosity"] <= most) | np.isnan(frequency)
        yield "heterozygosity and frequency", bool(fits.all())


def _noisy(
    columns: Columns, method: StatisticsMethod, people: int | None, cases: int | None
) -> Iterator[tuple[str, bool]]:
    """Noise is drawn in whole numbers: of alleles, or of the least unit of χ²."""
    if isinstance(method, DpFrequencies):
        controls = None if people is None or cases is None else people - cases
        for prefix, size in (("", people), ("case_", cases), ("control_", controls)):
            share = columns.get(f"{prefix}frequency")
            if share is None or size is None:
                continue
            called = columns.get(f"{prefix}called", np.full(len(share), float(size)))
            alleles = 2 * called * share
            whole = (called == np.rint(called)) & (called <= size)
            near = np.abs(alleles - np.rint(alleles)) <= 1e-6 * np.maximum(1, called)
            yield f"{prefix}frequency and the people behind it", bool((whole & near).all())
    if isinstance(method, DpAssociation) and "chi2" in columns:
        units = columns["chi2"] * UNITS
        yield "chi2 and its least unit", bool((units == np.rint(units)).all())
    if "rank" in columns:
        places = np.sort(columns["rank"])
        yield "ranks", bool(np.array_equal(places, np.arange(1, len(places) + 1)))
    if "present" in columns:
        yield "answers", bool(np.isin(columns["present"], (0.0, 1.0)).all())


def _same(these: NDArray[np.float64], those: NDArray[np.float64]) -> bool:
    return bool(_alike(these, those).all())


def _alike(these: NDArray[np.float64], those: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.isclose(these, those, rtol=_CLOSE, atol=1e-300, equal_nan=True), np.bool_)
