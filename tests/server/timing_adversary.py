"""An adversary who asks about one person and looks at everything but the answer.

Each strategy is a function that takes one look at a victim and returns what was seen, as numbers with names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from random import Random
from statistics import fmean, median

from tests.server.guessing import Guess, Look, Seen, best_guess, cross_fitted
from tests.server.timing_target import Line, Reply, Victim, readable, receive_all

TICK = 0.02
WORKERS = 2
SLOTS = 16
FAN, SPACING = 60, 0.002
"""pages that are asked for meanwhile, and the seconds between two of them"""
CROWD = 12
"""long texts of somebody else meanwhile, all of which must be understood"""
LOOK_WITHIN = 4.0
"""seconds: a strategy whose looks take longer is given up"""
WINDOWS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""seconds after a question was sent within which others are looked at"""
LOUD_WITHIN = 1.0
"""seconds: a question that is answered later takes too much of an adversary's day"""
_JOINED = "FROM people JOIN visits USING (id) WHERE code = {code} AND ill"
_CONDITIONS = " AND ".join(f"cost <> {number}" for number in range(1000))
_LONG = " AND ".join(f"age <> {number}" for number in range(1000, 1400))
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
        return _answered(line.call("POST", "/v1/ask", self.body(sql, victim)))

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


def _answered(reply: Reply) -> Reply:
    if reply.status != 200:
        raise AssertionError(f"refused with {reply.status}: {reply.text[:300]}")
    return reply


def _timed(reply: Reply, name: str = "reply") -> Look:
    return {name: reply.seconds, f"{name}, ticks": float(round(reply.seconds / TICK))}


def reply_of_a_count(adversary: Adversary, victim: Victim) -> Look:
    """How long the reply takes."""
    return _timed(adversary.ask(adversary.own[0], COUNT, victim))


def reply_with_many_conditions(adversary: Adversary, victim: Victim) -> Look:
    """The same with a condition that takes long for every row of the visits, if they are read at all."""
    return _timed(adversary.ask(adversary.own[0], MANY_CONDITIONS, victim))


def reply_of_quantiles(adversary: Adversary, victim: Victim) -> Look:
    """The same with twelve quantiles, each of which is a run of its own."""
    return _timed(adversary.ask(adversary.own[0], QUANTILES, victim))


def moments_of_charges(adversary: Adversary, victim: Victim) -> Look:
    """When questions that come behind were charged: when a worker was free again."""
    adversary.new_moments()
    lines = adversary.own[: WORKERS + 2]
    for line in lines[:WORKERS]:
        adversary.send(line, adversary.loud, victim)
    # Until all workers run: what comes then is prepared when one of them is free, and charged at once.
    time.sleep(TICK)
    for line in lines[WORKERS:]:
        adversary.send(line, CHEAP)
    for reply in receive_all(lines):
        _answered(reply)
    moments = sorted(adversary.new_moments())
    if len(moments) < len(lines):
        return {}
    return {f"charge {place}": moment - moments[0] for place, moment in enumerate(moments) if place}


def _probed(adversary: Adversary, victim: Victim, call: Callable[[], Reply]) -> Look:
    """Take looks at something else, as long as questions about a victim are under way (and not for ever)."""
    asked = adversary.own[:WORKERS]
    for one in asked:
        adversary.send(one, adversary.loud, victim)
    begun = time.perf_counter()
    replies: list[Reply] = []
    ends: list[float] = []
    while not replies or (not any(one.ready for one in asked) and ends[-1] < WINDOWS[-1]):
        replies.append(call())
        ends.append(time.perf_counter() - begun)
    receive_all(asked)
    taken = [reply.seconds for reply in replies]
    bodies = [reply.text for reply in replies]
    changes = [end for end, text, last in zip(ends[1:], bodies[1:], bodies, strict=False) if text != last]
    seen = {
        "first": taken[0],
        "longest": max(taken),
        "mean": fmean(taken),
        "number": float(len(taken)),
        "refused": float(sum(reply.status == 503 for reply in replies)),
        "last change": changes[-1] if changes else 0.0,
    }
    for window in WINDOWS:
        within = [one for one, end in zip(taken, ends, strict=True) if end <= window]
        name = f"within {1000 * window:.0f} ms"
        seen[f"number {name}"] = float(len(within))
        seen[f"longest {name}"] = max(within, default=0.0)
    return seen


def probe_by_myself(adversary: Adversary, victim: Victim) -> Look:
    """Cheap questions of the same analyst meanwhile."""
    return _probed(adversary, victim, lambda: adversary.ask(adversary.probe, CHEAP))


def probe_by_a_friend(adversary: Adversary, victim: Victim) -> Look:
    """Cheap questions of another analyst meanwhile."""
    return _probed(adversary, victim, lambda: adversary.ask(adversary.friend, CHEAP))


def probe_of_budgets(adversary: Adversary, victim: Victim) -> Look:
    """What budgets say meanwhile, and how fast: a third question waits until it can be charged."""
    third = adversary.own[WORKERS]
    asked = False

    def look() -> Reply:
        nonlocal asked
        if not asked:
            time.sleep(TICK)
            adversary.send(third, CHEAP)
            asked = True
        return adversary.friend.call("GET", "/v1/budgets")

    seen = _probed(adversary, victim, look)
    third.receive()
    return seen


def probe_of_quotes(adversary: Adversary, victim: Victim) -> Look:
    """Quotes meanwhile, each with a text that was never sent before."""
    return _probed(
        adversary,
        victim,
        lambda: adversary.friend.call("POST", "/v1/quote", adversary.body(CHEAP)),
    )


def probe_of_data_sets(adversary: Adversary, victim: Victim) -> Look:
    """A reply that needs neither a worker nor the ledger: what is left is how busy the machine is."""
    return _probed(adversary, victim, lambda: adversary.friend.call("GET", "/v1/data-sets"))


def fan_of_pages(adversary: Adversary, victim: Victim) -> Look:
    """How much later than usual pages leave that were asked for one after the other meanwhile.

    They need neither a worker nor the ledger: what is left is how busy the machine and the interpreter are.
    """
    for line in adversary.fan:
        line.open()
    asked = adversary.own[:WORKERS]
    for one in asked:
        adversary.send(one, adversary.loud, victim)
    begun = time.perf_counter()
    replies: dict[Line, Reply] = {}
    waiting: list[Line] = []
    for place, line in enumerate(adversary.fan):
        while (left := begun + place * SPACING - time.perf_counter()) > 0:
            for one in readable(waiting, left):
                waiting.remove(one)
                replies[one] = one.receive()
        line.send("GET", "/v1/data-sets")
        waiting.append(line)
    replies |= dict(zip(waiting, receive_all(waiting), strict=True))
    taken = [replies[line].seconds for line in adversary.fan]
    receive_all(asked)
    seen = {"mean": fmean(taken), "longest": max(taken), "least": min(taken), "median": median(taken)}
    for first in range(0, FAN, FAN // 6):
        some = taken[first : first + FAN // 6]
        seen |= {f"mean from {first}": fmean(some), f"least from {first}": min(some)}
    return seen


def reply_under_pressure(adversary: Adversary, victim: Victim) -> Look:
    """How long the reply takes while others keep the machine busy: what runs longer may run too long."""
    for line in adversary.crowd:
        line.send("POST", "/v1/quote", adversary.body(f"{CHEAP} WHERE {_LONG}"))
    for line in adversary.fan[: FAN // 4]:
        line.send("POST", "/v1/try", adversary.body(QUANTILES.format(code=1)))
    time.sleep(TICK)
    reply = adversary.ask(adversary.own[0], adversary.loud, victim)
    after = adversary.ask(adversary.own[1], CHEAP)
    receive_all(adversary.crowd)
    receive_all(adversary.fan[: FAN // 4])
    return _timed(reply) | _timed(after, "after")


def probe_of_slots(adversary: Adversary, victim: Victim) -> Look:
    """How long I am told that too many of my questions are under way."""
    for line in adversary.own:
        adversary.send(line, adversary.loud, victim)
    begun = time.perf_counter()
    refused = 0
    freed = 0.0
    while not adversary.own[0].ready:
        if adversary.probe.call("POST", "/v1/quote", adversary.body(CHEAP)).status == 503:
            refused += 1
            freed = time.perf_counter() - begun
    replies = receive_all(adversary.own)
    taken = [reply.seconds for reply in replies]
    ticks = sum(round(seconds / TICK) for seconds in taken)
    return {
        "freed": freed,
        "refused": float(refused),
        "first reply": min(taken),
        "last reply": max(taken),
        "all replies": sum(taken),
        "all replies, ticks": float(ticks),
    }


def question_behind(adversary: Adversary, victim: Victim) -> Look:
    """How long a cheap question takes that waits behind the others, and one that comes after their end."""
    asked = adversary.own[:WORKERS]
    for line in asked:
        adversary.send(line, adversary.loud, victim)
    time.sleep(TICK)
    behind = adversary.ask(adversary.friend, CHEAP)
    receive_all(asked)
    return _timed(behind, "behind") | _timed(adversary.ask(adversary.friend, CHEAP), "after")


def question_after_hanging_up(adversary: Adversary, victim: Victim) -> Look:
    """How long a cheap question takes when those before it were sent and given up at once."""
    for line in adversary.own[:WORKERS]:
        adversary.send(line, adversary.loud, victim)
    time.sleep(TICK)
    for line in adversary.own[:WORKERS]:
        line.close()
    return _timed(adversary.ask(adversary.probe, CHEAP)) | _timed(
        adversary.ask(adversary.probe, CHEAP), "next"
    )


def same_question_twice(adversary: Adversary, victim: Victim) -> Look:
    """How long the same question takes while it is under way, and when it was answered."""
    first, second = adversary.own[:2]
    body = adversary.body(adversary.loud, victim)
    first.send("POST", "/v1/ask", body)
    time.sleep(TICK / 4)
    second.send("POST", "/v1/ask", body)
    replies = receive_all([first, second])
    again = _answered(first.call("POST", "/v1/ask", body))
    return _timed(replies[0], "first") | _timed(replies[1], "second") | _timed(again, "again")


Strategy = Callable[[Adversary, Victim], Look]
STRATEGIES: dict[str, tuple[Strategy, int]] = {
    "reply of a count": (reply_of_a_count, 1),
    "reply with a thousand conditions": (reply_with_many_conditions, 1),
    "reply of twelve quantiles": (reply_of_quantiles, 1),
    "moments of charges": (moments_of_charges, WORKERS),
    "cheap questions of my own meanwhile": (probe_by_myself, WORKERS),
    "cheap questions of a friend meanwhile": (probe_by_a_friend, WORKERS),
    "budgets meanwhile": (probe_of_budgets, WORKERS),
    "quotes meanwhile": (probe_of_quotes, WORKERS),
    "data sets meanwhile": (probe_of_data_sets, WORKERS),
    "sixty pages meanwhile": (fan_of_pages, WORKERS),
    "reply under pressure": (reply_under_pressure, 1),
    "free places of mine meanwhile": (probe_of_slots, SLOTS),
    "a question behind": (question_behind, WORKERS),
    "a question after hanging up": (question_after_hanging_up, WORKERS),
    "the same question twice": (same_question_twice, 1),
}
"""with how many questions about the victim one look takes"""


def look_at(
    adversary: Adversary, strategy: Strategy, victims: Sequence[Victim], rounds: int, random: Random
) -> Seen:
    """Look at all victims several times; in a new order each round, so that a busy minute hits all."""
    seen: Seen = {victim: [] for victim in victims}
    for _ in range(rounds):
        for victim in random.sample(list(victims), len(victims)):
            seen[victim].append(strategy(adversary, victim))
    return seen


@dataclass
class Outcome:
    """What an adversary achieved with one seed."""

    by_strategy: dict[str, float] = field(default_factory=dict)
    """AUC among the training victims, cross-fitted"""
    too_slow: list[str] = field(default_factory=list)
    """strategies that were given up after one look"""
    chosen: str = ""
    guess: Guess | None = None
    auc: float = 0.5
    """of the strategy and the guess that were best in training, on the other victims"""
    questions: int = 0


def attack(
    adversary: Adversary,
    training: Sequence[Victim],
    victims: Sequence[Victim],
    questions: int,
    random: Random,
    strategies: Mapping[str, tuple[Strategy, int]] = STRATEGIES,
) -> Outcome:
    """Try every strategy on training victims with half of the questions; attack with the best one."""
    outcome = Outcome()
    guesses: dict[str, tuple[float, Guess]] = {}
    of_each = questions // 2 // len(strategies) // len(training)
    for name, (strategy, takes) in strategies.items():
        begun = time.perf_counter()
        strategy(adversary, training[0])
        if time.perf_counter() - begun > LOOK_WITHIN:
            outcome.too_slow.append(name)
            continue
        seen = look_at(adversary, strategy, training, max(1, of_each // takes), random)
        outcome.by_strategy[name] = cross_fitted(seen, random)
        guesses[name] = (outcome.by_strategy[name], best_guess(seen))
    outcome.chosen = max(guesses, key=lambda name: guesses[name][0])
    strategy, takes = strategies[outcome.chosen]
    rounds = max(1, (questions - adversary.questions) // (takes * len(victims)))
    seen = look_at(adversary, strategy, victims, rounds, random)
    outcome.guess = guesses[outcome.chosen][1]
    outcome.auc = outcome.guess.auc(seen)
    outcome.questions = adversary.questions
    return outcome
