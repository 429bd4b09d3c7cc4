"""Diseases that are read off a known gene, and when they begin: what an adversary finds in any textbook.

The table of B. Malin and L. Sweeney, "Determining the identifiability of DNA database entries", AMIA 2000, as
the tutorial on medical data sharing gives it, with codes of ICD-9-CM. Age of onset in Huntington's disease:
D. R. Langbehn and others, "A new model for prediction of the age of onset and penetrance for Huntington's
disease based on CAG length", Clinical Genetics 65, 2004.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

DEATH = "imminent degeneration and death"
TREATABLE = "treatment available"


@dataclass(frozen=True)
class Disease:
    """A disease, the genes any of which gives it away, and how its codes begin."""

    name: str
    genes: tuple[str, ...]
    codes: tuple[str, ...]
    course: str


DISEASES = (
    Disease("Huntington's chorea", ("HD",), ("333.4",), DEATH),
    Disease("sickle cell anaemia", ("HBB",), ("282.6",), DEATH),
    Disease("fragile X", ("FMR1",), ("759.83",), DEATH),
    Disease("Refsum's disease", ("HLA",), ("356.3",), DEATH),
    Disease("phenylketonuria", ("PAH",), ("270.1",), TREATABLE),
    Disease("methaemoglobinaemia", ("HBB", "HBA1", "DIA1"), ("289.7",), TREATABLE),
    Disease("galactosaemia", ("GALT",), ("271.1",), TREATABLE),
    Disease("amyotrophic lateral sclerosis", ("SOD1",), ("335.20",), DEATH),
    Disease("Friedreich's ataxia", ("Frataxin",), ("334.0",), DEATH),
)
"""the table of the tutorial; a gene may stand for more than one disease"""


def diseases_of_genes(genes: frozenset[str], known: tuple[Disease, ...] = DISEASES) -> frozenset[str]:
    """Return the diseases that changes in these genes may mean.

    >>> sorted(diseases_of_genes(frozenset({"HBB"})))
    ['methaemoglobinaemia', 'sickle cell anaemia']
    """
    return frozenset(one.name for one in known if genes & set(one.genes))


def diseases_of_codes(codes: frozenset[str], known: tuple[Disease, ...] = DISEASES) -> frozenset[str]:
    """Return the diseases of the table that some codes name, with or without their dot.

    >>> sorted(diseases_of_codes(frozenset({"282.62", "401.9"})))
    ['sickle cell anaemia']
    """
    plain = [_plain(code) for code in codes]
    return frozenset(
        one.name
        for one in known
        if any(code.startswith(_plain(start)) for code in plain for start in one.codes)
    )


def _plain(code: str) -> str:
    return code.strip().replace(".", "").upper()


@dataclass(frozen=True)
class Onset:
    """Age of onset from the length of a repeated piece of a gene.

    mean = base + e^(scale − slope · repeats), variance = spread + e^(spread_scale − spread_slope · repeats).
    The figures of Langbehn (2004) for CAG repeats in the gene of Huntington's disease are the defaults; they
    were fitted to 41–56 repeats and are not used below 36 or above 60.

    >>> round(Onset().mean(42)), round(Onset().mean(50))
    (52, 31)
    """

    base: float = 21.54
    scale: float = 9.556
    slope: float = 0.1460
    spread: float = 35.55
    spread_scale: float = 17.72
    spread_slope: float = 0.327
    least: int = 36
    most: int = 60

    def mean(self, repeats: int) -> float:
        """The age at which half of those with so many repeats have become ill."""
        return self.base + math.exp(self.scale - self.slope * repeats)

    def fits(self, repeats: int, age: float, deviations: float = 2.0) -> bool:
        """Say whether an age of onset is likely for so many repeats; outside the range everything is."""
        if not self.least <= repeats <= self.most:
            return True
        variance = self.spread + math.exp(self.spread_scale - self.spread_slope * repeats)
        return abs(age - self.mean(repeats)) <= deviations * math.sqrt(variance)
