"""An analyst who knows codes, a friend, and the questions that they ask about one person.

What is asked is made to run as long as can be when that person is ill, and hardly at all otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from random import Random

from tests.server.timing_target import Line, Reply, Victim

TICK = 0.02
WORKERS = 2
SLOTS = 16
FAN, SPACING = 60, 0.002
"""pages that are asked for meanwhile, and the seconds between two of them"""
CROWD = 12
"""long texts of somebody else meanwhile, all of which must be understood"""
LOOK_WITHIN = 4.0
"""seconds: a strategy whose looks take longer is given up"""
MOST_MEASURES = 20
"""of one question"""
WINDOWS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""seconds after a question was sent within which others are looked at"""
LOUD_WITHIN = 1.0
"""seconds: a question that is answered later takes too much of an adversary's day"""
_JOINED = "FROM people JOIN visits USING (id) WHERE code = {code} AND ill"
_CONDITIONS = " AND ".join(f"cost <> {number}" for number in range(1000))
NUMBERS = ("age", "code", "age + code", "age - code", "2 * age")
LONG = " AND ".join(f"age <> {number}" for number in range(1000, 1400))
_QUANTILES = ", ".join(f"QUANTILE(cost, 0.{number}) AS q{number}" for number in range(10, 82, 6))
COUNT = f"SELECT COUNT(*) {_JOINED}"
MANY_CONDITIONS = f"{COUNT} AND {_CONDITIONS}"
QUANTILES = f"SELECT {_QUANTILES} {_JOINED}"
LOUD = (COUNT, f"SELECT QUANTILE(cost, 0.5), QUANTILE(cost, 0.9) AS high {_JOINED}", QUANTILES)
"""the loudest last: what makes the most difference"""
CHEAP = "SELECT COUNT(*) FROM people"


class Adversary:
    """An analyst and a friend, with connections that are kept open."""

    def __init__(self, port: int, keys: Mapping[str, str]) -> None:
        self.own = [Line(port, keys["suspect"]) for _ in range(SLOTS)]
        self.probe = Line(port, keys["suspect"])
        self.friend = Line(port, keys["friend"])
        self.fan = [Line(port, keys["friend"]) for _ in range(FAN)]
        self.crowd = [Line(port, keys["stranger"]) for _ in range(CROWD)]
        self.random = Random(port)
        self.edge = 0
        self.questions = 0
        """about victims, so far"""
        self._offers = 0
        self._seen = 0
        self.least = self._least_epsilon()
        self.loud = self._loudest()

    def _least_epsilon(self) -> Decimal:
        """Find out how little a question may cost: quotes are free."""
        for exponent in range(9, 0, -1):
            offered = Decimal(1).scaleb(-exponent)
            if self.friend.call("POST", "/v1/quote", {"sql": CHEAP, "epsilon": str(offered)}).status == 200:
                return offered
        raise AssertionError("no price is accepted")

    def _loudest(self) -> str:
        """Return the loudest question whose reply does not take too long."""
        chosen = LOUD[0]
        for sql in LOUD:
            if self.ask(self.friend, sql.format(code=0)).seconds > LOUD_WITHIN:
                break
            chosen = sql
        return chosen

    def body(self, sql: str, victim: Victim | None = None) -> dict[str, str]:
        """Return a question at a price that nobody offered before, so that it is new to the ledger."""
        self._offers += 1
        self.questions += victim is not None
        text = sql if victim is None else sql.format(code=victim.code)
        return {"sql": text, "epsilon": f"{self.least * (1 + Decimal(self._offers).scaleb(-7)):f}"}

    def ask(self, line: Line, sql: str, victim: Victim | None = None) -> Reply:
        """Ask, and wait."""
        return answered(line.call("POST", "/v1/ask", self.body(sql, victim)))

    def send(self, line: Line, sql: str, victim: Victim | None = None) -> None:
        """Ask, and do not wait."""
        line.send("POST", "/v1/ask", self.body(sql, victim))

    def new_moments(self) -> list[float]:
        """Return when my questions since the last call were charged, as far as the service tells."""
        moments: list[float] = []
        while True:
            page = self.probe.call("GET", f"/v1/answers?after={self._seen}&limit=1000").json
            if not page:
                return moments
            self._seen = page[-1]["number"]
            told = (one.get("when") for one in page)
            moments += [datetime.fromisoformat(when).timestamp() for when in told if when is not None]

    def close(self) -> None:
        """Hang up everywhere."""
        for line in (*self.own, *self.fan, *self.crowd, self.probe, self.friend):
            line.close()


def answered(reply: Reply) -> Reply:
    if reply.status != 200:
        raise AssertionError(f"refused with {reply.status}: {reply.text[:300]}")
    return reply
