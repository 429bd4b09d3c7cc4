"""(ε, δ)-differential privacy of a release that was made with noise.

C. Dwork, F. McSherry, K. Nissim & A. Smith, "Calibrating noise to sensitivity in private data analysis"
(2006); with δ: C. Dwork, K. Kenthapadi, F. McSherry, I. Mironov & M. Naor, "Our data, ourselves" (2006);
added up as ρ: M. Bun & T. Steinke (2016), turned into ε by C. Canonne, G. Kamath & T. Steinke (2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.dp.conversions import rho_to_epsilon
from sfumato.dp.exact import as_decimal
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.models.contract import NO_WITNESS, DoesNotAddUp, Spending, TooMuch

LARGEST_EPSILON = 1000
"""beyond, e^ε is a number without meaning, and nothing is promised"""


@dataclass(frozen=True)
class DpPromise:
    """What is released is nearly as likely with any one person as without.

    For all data sets D, D′ that are neighbours, and all sets S of releases:

        Pr[M(D) ∈ S] ≤ e^ε · Pr[M(D′) ∈ S] + δ.

    It is kept by the mechanism: bounds and lists come from metadata, one row of each person counts, and every
    number that leaves the house has noise. The check adds up what the steps cost, exactly: Σε where there is
    no δ, else Σρ, turned into ε at the promised δ. That the noise was drawn, in secret, nobody can check
    afterwards from what was released.

    Protects from learning that somebody took part, and whatever would follow from it. It does not cover what
    is true of people whether or not they take part, nor several releases together: their ε and δ add up.

    >>> spending = Spending(Neighbours.ADD_REMOVE, Price.pure(1), (("counts", Price.pure(1)),))
    >>> print(DpPromise(1).check(spending))
    differential-privacy holds: required ε ≤ 1, achieved ε = 1 in 1 step (for one person more or less)
    """

    epsilon: float | str
    delta: float | str = 0.0
    name: ClassVar[str] = "differential-privacy"
    basis: ClassVar[Basis] = Basis.MECHANISM
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE, Threat.MEMBERSHIP)

    def __post_init__(self) -> None:
        if as_decimal(self.epsilon, where=f"epsilon of {self.name}") > LARGEST_EPSILON:
            raise BadInput(
                f"epsilon is more than {LARGEST_EPSILON}: nothing would be promised",
                where=self.name,
                remedy="try 1",
            )
        self.price(Neighbours.ADD_REMOVE)

    def in_words(self) -> str:
        """Say what is promised."""
        price = self.price(Neighbours.ADD_REMOVE)
        beside = f", plus {price.delta:g}" if price.delta else ""
        return (
            f"nothing that is released is more than e^{price.epsilon} times as likely with any one person as "
            f"without{beside}"
        )

    def price(self, neighbours: Neighbours) -> Price:
        """Return ε, with its δ if there is one; the same for both kinds of neighbours."""
        if as_decimal(self.delta, where=f"delta of {self.name}"):
            return Price.approximate(self.epsilon, self.delta)
        return Price.pure(self.epsilon)

    def check(self, published: Spending) -> Verdict:
        """Add the steps up, turn them into ε at the promised δ, and compare."""
        promised, total = self.price(published.neighbours), published.total
        assert promised.epsilon is not None
        reached: Decimal | None = None
        if total is not None and published.pure:
            reached = total.epsilon
        elif total is not None and total.rho is not None and promised.delta:
            reached = rho_to_epsilon(total.rho, promised.delta)
        witness: Witness | None = None
        if not published.adds_up:
            witness = DoesNotAddUp(*NO_WITNESS)
        elif reached is None or reached > promised.epsilon or published.spent.delta > promised.delta:
            witness = TooMuch(*NO_WITNESS)
        return self._verdict(published, promised, reached, witness)

    def _verdict(
        self, published: Spending, promised: Price, reached: Decimal | None, witness: Witness | None
    ) -> Verdict:
        number = len(published.steps)
        steps = f"in {number} step{'' if number == 1 else 's'}"
        delta = "" if published.pure else f", δ = {promised.delta:g}"
        return Verdict(
            self.name,
            witness is None,
            required=f"ε ≤ {promised.epsilon}" + (f", δ ≤ {promised.delta:g}" if promised.delta else ""),
            achieved=f"no ε {steps}" if reached is None else f"ε = {shown(reached)}{delta} {steps}",
            basis=self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=0 if witness is None else 1,
            note=f"for {published.neighbours.in_words}" if witness is None else "",
        )


def shown(epsilon: Decimal) -> str:
    """Write an ε with at most six decimal places, rounded up; the comparison is exact.

    >>> shown(Decimal("0.999999999999999999")), shown(Decimal("0.25"))
    ('1', '0.25')
    """
    rounded = epsilon.quantize(Decimal("0.000001"), rounding=ROUND_CEILING)
    return format(rounded.normalize(), "f") if rounded == rounded.to_integral() else f"{rounded}".rstrip("0")
