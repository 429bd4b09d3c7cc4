"""Uniqueness against an identification file: λ1, λ2 and λ3.

F. K. Dankar, K. El Emam, A. Neisa & T. Roffey, "Estimating the re-identification risk of clinical data
sets", BMC Medical Informatics and Decision Making 12:66 (2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.core.verdict import Threat
from sfumato.table.risk.against import Against


@dataclass(frozen=True)
class IdentificationUniqueness:
    """How many who are alone in a disclosed file are also alone in a list of the population.

    With f_i persons of the file and F_i of the list in class i, n in the file and N in the list:

    - λ1 = Σ I(f_i = 1, F_i = 1) / Σ I(f_i = 1), of those who are alone in the file;
    - λ2 = Σ I(f_i = 1, F_i = 1) / n, of everybody in the file: the risk of the file as a whole;
    - λ3 = Σ I(F_i = 1) / N, of everybody in the list.

    λ1 alone misleads: two uniques in a thousand records, both alone in the list, make λ1 = 1 and λ2 = 0.002.
    Without anybody alone in the file it is not defined, and None. The measures see matches by the exact
    values of these columns alone: who shares them with one other person counts as safe here, although one
    guess in two is right.

    >>> found = IdentificationUniqueness.of(Against.of([1, 1, 3, 0], [1, 4, 3, 1]))
    >>> found.lambda_1, found.lambda_2, found.lambda_3
    (Fraction(1, 2), Fraction(1, 5), Fraction(2, 9))
    >>> print(found)
    1 of 2 uniques is unique in the population (λ1 = 50.0 %), of 5 persons (λ2 = 20.0 %); λ3 = 22.2 % of 9
    """

    both: int
    """alone in the file and in the list"""
    sample_uniques: int
    population_uniques: int
    persons: int
    population: int
    threat: ClassVar[Threat] = Threat.IDENTITY

    @classmethod
    def of(cls, against: Against) -> IdentificationUniqueness:
        """Count who is alone where."""
        alone, alone_there = against.sample == 1, against.population == 1
        return cls(
            min(int((alone & alone_there).sum()), against.persons),
            min(int(alone.sum()), against.persons),
            int(alone_there.sum()),
            against.persons,
            against.total_population,
        )

    @property
    def lambda_1(self) -> Fraction | None:
        """Of those who are alone in the file, the share who are alone in the list; None without any."""
        return Fraction(self.both, self.sample_uniques) if self.sample_uniques else None

    @property
    def lambda_2(self) -> Fraction:
        """Of everybody in the file, the share who are alone in both."""
        return Fraction(self.both, self.persons)

    @property
    def lambda_3(self) -> Fraction:
        """Of everybody in the list, the share who are alone in it."""
        return Fraction(self.population_uniques, self.population)

    def __str__(self) -> str:
        first = "nobody is unique in the file (λ1 is not defined)"
        if self.lambda_1 is not None:
            verb = "is" if self.both == 1 else "are"
            first = (
                f"{self.both:,} of {self.sample_uniques:,} uniques {verb} unique in the population "
                f"(λ1 = {_percent(self.lambda_1)})"
            )
        return (
            f"{first}, of {self.persons:,} persons (λ2 = {_percent(self.lambda_2)}); "
            f"λ3 = {_percent(self.lambda_3)} of {self.population:,}"
        )


def _percent(share: Fraction) -> str:
    return f"{100 * float(share):.1f} %"
