"""A ledger that is slow and obvious: lists of what happened, summed up anew for every question.

It shares nothing with the real one: money is a Fraction, sums are taken over all earlier spends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from sfumato.query.ledger.contract import Asked

Place = tuple[str, str, str, str]
"""data set, window, scope, name"""


@dataclass
class Paid:
    number: int
    asked: Asked
    group: str
    answer: str | None = None


@dataclass
class SlowLedger:
    limits: dict[Place, tuple[str, Fraction, Fraction]] = field(default_factory=dict)
    paid: list[Paid] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)
    suspended: set[str] = field(default_factory=set)
    stopped: set[str] = field(default_factory=set)
    complete: dict[tuple[str, str], bool] = field(default_factory=dict)
    """(data set, window) to which people were admitted: whether before anybody paid there"""

    def places(self, asked: Asked, group: str) -> list[Place]:
        found = [(asked.data_set, asked.window, "data set", asked.data_set)]
        if group:
            found.append((asked.data_set, asked.window, "group", group))
        return [*found, (asked.data_set, asked.window, "analyst", asked.analyst)]

    def spent(self, place: Place) -> tuple[Fraction, Fraction]:
        """Add up all that was paid from a budget, in its own money."""
        total = total_delta = Fraction(0)
        for paid in self.paid:
            if place in self.places(paid.asked, paid.group):
                money, delta = self.cost(place, paid.asked)
                total += money
                total_delta += delta
        return total, total_delta

    def cost(self, place: Place, asked: Asked) -> tuple[Fraction, Fraction]:
        price = asked.price
        zcdp = self.limits[place][0] == "zcdp"
        money = price.rho if zcdp else price.epsilon
        if money is None:
            raise ValueError("this money is not taken here")
        return Fraction(money), Fraction(price.rho_delta if zcdp else price.delta)

    def admit(self, data_set: str, window: str) -> None:
        paid_here = any((p.asked.data_set, p.asked.window) == (data_set, window) for p in self.paid)
        self.complete.setdefault((data_set, window), not paid_here)

    def charge(self, asked: Asked) -> tuple[str, Paid | None]:
        """Return what happens: 'paid', 'earlier' or the name of the error."""
        if asked.data_set in self.stopped or asked.analyst in self.suspended:
            return "Suspended", None
        group = asked.group or self.groups.get(asked.analyst, "")
        if group != self.groups.get(asked.analyst, group):
            return "BadInput", None
        for paid in self.paid:
            old = paid.asked
            same = (old.analyst, old.data_set, old.window, old.version, old.question, old.price)
            if same == (
                asked.analyst, asked.data_set, asked.window, asked.version, asked.question, asked.price
            ):  # fmt: skip
                return "earlier", paid
        paid_in = {paid.asked.window for paid in self.paid if paid.asked.data_set == asked.data_set}
        windows = {asked.window, *paid_in}
        if len(windows) > 1 and not all(self.complete.get((asked.data_set, one)) for one in windows):
            return "BudgetGone", None
        for place in self.places(asked, group):
            if place not in self.limits:
                return "BudgetGone", None
            _, limit, delta_limit = self.limits[place]
            try:
                money, delta = self.cost(place, asked)
            except ValueError:
                return "BadInput", None
            total, total_delta = self.spent(place)
            if total + money > limit or total_delta + delta > delta_limit:
                return "BudgetGone", None
        self.paid.append(Paid(len(self.paid), asked, group))
        return "paid", self.paid[-1]
