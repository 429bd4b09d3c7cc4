"""Figures to hold a risk against: illustrations from the literature, never verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sfumato.core.errors import BadInput


@dataclass(frozen=True)
class Illustration:
    """A bound that somebody computed under assumptions of their own.

    >>> SAFE_HARBOR.beside(0.2)
    'for illustration only: 13.6 times the 1/68 (1.5 %) that is told of the HIPAA Safe Harbor rule'
    """

    of: str
    bound: Fraction
    assumes: str
    """what it rests on, in one sentence without its full stop"""

    def beside(self, risk: float | Fraction) -> str:
        """Put a risk beside the bound, without judging it."""
        if not 0 <= risk <= 1:
            raise BadInput("a risk lies between 0 and 1", remedy="give a share")
        times = float(Fraction(risk) / self.bound)
        told = f"{self.bound} ({100 * float(self.bound):.1f} %) that is told of {self.of}"
        compared = f"{times:.3g} times the {told}" if risk > self.bound else f"not above the {told}"
        return f"for illustration only: {compared}"


SAFE_HARBOR = Illustration(
    of="the HIPAA Safe Harbor rule",
    bound=Fraction(1, 68),
    assumes="in a geographic unit of 20,000 people, 1.7 % are men of 85 and older; by a single year of age, "
    "sex and unit that leaves about 68 of 340 people. Other people, units and knowledge give other figures, "
    "and whether a release follows the rule is decided by what was removed, not by this number",
)
"""Pr[person is in the data | release] ≤ 1/68, an illustration of what the rule leaves to chance"""
