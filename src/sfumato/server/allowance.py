"""What an analyst may ask at all: not for next to nothing, and not without end.

Noise at a tiny price is so large that an answer says nothing, and yet the question has run: whatever a run
lets through besides its answer could be had for it, thousands of times. So a price has a lower bound, and a
day a number of questions. Both are decided from the offer and from what the same analyst asked before.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dp.exact import exact
from sfumato.dp.price import Price
from sfumato.server.problems import TooMany

DAY = 86_400


@dataclass
class Allowance:
    """The least price of a question, and the most questions of a day (in UTC) for each analyst.

    Questions, quotes and trials count. ``charged`` returns how many questions of an analyst the ledger has
    since a moment (in seconds since 1970), so that a service that starts again does not begin at none.

    >>> allowance = Allowance(least_epsilon=Fraction(1, 1000), per_day=2, clock=lambda: 5.0)
    >>> allowance.check(Price.pure("0.001"))
    >>> [allowance.count("ana"), allowance.count("ana")]
    [None, None]
    """

    least_epsilon: Fraction
    per_day: int
    charged: Callable[[str, int], int] = lambda analyst, since: 0
    clock: Callable[[], float] = time.time
    _day: int = -1
    _asked: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def check(self, price: Price) -> None:
        """Refuse a price that is too small: ε below the least one, or ρ below ε²/2 of it."""
        if price.epsilon is not None and exact(price.epsilon) < self.least_epsilon:
            raise BadInput(
                f"a question costs at least epsilon = {float(self.least_epsilon):g} here",
                where="epsilon",
                remedy="offer more",
            )
        least_rho = self.least_epsilon**2 / 2
        if price.epsilon is None and price.rho is not None and exact(price.rho) < least_rho:
            raise BadInput(
                f"a question costs at least rho = {float(least_rho):g} here",
                where="rho",
                remedy="offer more",
            )

    def count(self, analyst: str) -> None:
        """Count a question of an analyst, or refuse it since there were enough today."""
        with self._lock:
            day = int(self.clock()) // DAY
            if day != self._day:
                self._day = day
                self._asked.clear()
            if analyst not in self._asked:
                self._asked[analyst] = self.charged(analyst, day * DAY)
            if self._asked[analyst] >= self.per_day:
                raise TooMany(
                    f"you have asked {self.per_day:,} questions today, as many as a day has here",
                    remedy="come again tomorrow (UTC)",
                )
            self._asked[analyst] += 1
