"""An adversary who wants to know which texts another analyst sent, from how long the same texts take now.

Half of some texts are sent by somebody else before; then the adversary sends all of them once and guesses
from each reply's time. Which times mean *sent before* is learned from texts that a friend sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from statistics import fmean

from tests.server.timing_target import Line

TEXTS = 30
ENDPOINTS = ("/v1/quote", "/v1/try", "/v1/ask")


def text(random: Random, conditions: int = 100) -> str:
    """Return a long question that nobody asked before: the longer, the longer it takes to understand."""
    columns = ("age", "code", "age + code", "age - code", "2 * age")
    parts = (
        f"{random.choice(columns)} {random.choice(('<', '>', '<>'))} {random.randrange(10**5)}"
        for _ in range(conditions)
    )
    return f"SELECT COUNT(*) FROM people WHERE {' AND '.join(parts)}"


@dataclass(frozen=True)
class Threshold:
    """Seconds below which (``sign`` 1) or above which (−1) a text is held for sent before."""

    seconds: float
    sign: int

    def guess(self, took: float) -> bool:
        """Guess from the time of a reply."""
        return self.sign * took < self.sign * self.seconds

    def accuracy(self, took: Mapping[str, float], sent: set[str]) -> float:
        """Return the balanced accuracy: the mean of what is right among texts of either kind."""
        return fmean(
            fmean(self.guess(seconds) is truth for one, seconds in took.items() if (one in sent) is truth)
            for truth in (True, False)
        )


def learned(took: Mapping[str, float], sent: set[str]) -> Threshold:
    """Return the threshold that is best for texts of which it is known who sent them."""
    ordered = sorted(took.values())
    between = [(low + high) / 2 for low, high in pairwise(ordered)]
    return max(
        (Threshold(seconds, sign) for seconds in between for sign in (1, -1)),
        key=lambda threshold: threshold.accuracy(took, sent),
    )


def _times(line: Line, endpoint: str, texts: Sequence[str], epsilon: str) -> dict[str, float]:
    took = {}
    for sql in texts:
        reply = line.call("POST", endpoint, {"sql": sql, "epsilon": epsilon})
        assert reply.status == 200, reply.text
        took[sql] = reply.seconds
    return took


def texts_of_another(
    port: int, keys: Mapping[str, str], theirs: str, mine: str, epsilon: str, random: Random
) -> float:
    """Return the balanced accuracy of guesses what a stranger sent to one endpoint, seen by another."""
    suspect = Line(port, keys["suspect"])
    seen = []
    for other in ("friend", "stranger"):
        texts = [text(random) for _ in range(TEXTS)]
        sent = set(random.sample(texts, TEXTS // 2))
        line = Line(port, keys[other])
        _times(line, theirs, [sql for sql in texts if sql in sent], epsilon)
        seen.append((_times(suspect, mine, texts, epsilon), sent))
        line.close()
    suspect.close()
    return learned(*seen[0]).accuracy(*seen[1])
