"""Ways to look at a victim without looking at answers.

Each strategy takes one look and returns what was seen, as numbers with names.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import fmean, median

from tests.server.guessing import Look
from tests.server.timing_analyst import (
    CHEAP,
    COUNT,
    FAN,
    LONG,
    MANY_CONDITIONS,
    MOST_MEASURES,
    NUMBERS,
    QUANTILES,
    SLOTS,
    SPACING,
    TICK,
    WINDOWS,
    WORKERS,
    Adversary,
    answered,
)
from tests.server.timing_target import Line, Reply, Victim, readable, receive_all


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
        answered(reply)
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


def _many_quantiles(adversary: Adversary, number: int) -> Reply:
    """Quote so many quantiles, of people chosen by conditions that no question had before in this order."""
    conditions = " AND ".join(
        f"{adversary.random.choice(NUMBERS)} {adversary.random.choice(('<', '>', '<>'))} 7" for _ in range(12)
    )
    quantiles = ", ".join(f"QUANTILE(age, 0.{place}) AS q{place}" for place in range(10, 10 + number))
    body = adversary.body(f"SELECT {quantiles} FROM people WHERE {conditions}")
    return adversary.friend.call("POST", "/v1/quote", body)


def _edge(adversary: Adversary) -> int:
    """Return how many quantiles can be quoted until the reply leaves a class of ticks later."""
    last = 0.0
    for number in range(1, MOST_MEASURES + 1):
        ticks = median(round(_many_quantiles(adversary, number).seconds / TICK) for _ in range(5))
        if last and ticks > last:
            return number - 1
        last = ticks
    return MOST_MEASURES


def quotes_at_an_edge(adversary: Adversary, victim: Victim) -> Look:
    """Quotes meanwhile that are just understood in time: a little more to do, and they leave later."""
    if not adversary.edge:
        adversary.edge = _edge(adversary)
    return _probed(adversary, victim, lambda: _many_quantiles(adversary, adversary.edge))


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
        line.send("POST", "/v1/quote", adversary.body(f"{CHEAP} WHERE {LONG}"))
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
    again = answered(first.call("POST", "/v1/ask", body))
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
    "quotes at an edge meanwhile": (quotes_at_an_edge, WORKERS),
    "data sets meanwhile": (probe_of_data_sets, WORKERS),
    "sixty pages meanwhile": (fan_of_pages, WORKERS),
    "reply under pressure": (reply_under_pressure, 1),
    "free places of mine meanwhile": (probe_of_slots, SLOTS),
    "a question behind": (question_behind, WORKERS),
    "a question after hanging up": (question_after_hanging_up, WORKERS),
    "the same question twice": (same_question_twice, 1),
}
"""with how many questions about the victim one look takes"""
