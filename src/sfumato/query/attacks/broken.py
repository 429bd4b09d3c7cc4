"""Databases that are broken on purpose: what audits of questions and conversations must catch.

A GROUP BY that forgets to bound in how many groups a person counts; a mean that divides by the exact
count; a cache that answers the same question with fresh noise; a ledger that gives money back. Each was
found in a real system, or nearly made in this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import SfumatoError
from sfumato.dp.audit.auditor import Case, Claim
from sfumato.dp.audit.catalogue import SLOW
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.price import Price
from sfumato.query.attacks.audited import (
    OTHERS,
    PUBLIC,
    VICTIM,
    MemoryLedger,
    Rows,
    conversation,
    held_by,
)
from sfumato.query.ledger.contract import Asked, Charged
from sfumato.query.plan import NoisyNumbers, plan
from sfumato.query.sql import understand


class RenoisingLedger(MemoryLedger):
    """Knows that a question was paid, but not what was answered: it is run again, with fresh noise."""

    def store(self, answers: Sequence[tuple[int, str]]) -> list[str]:
        """Hand answers on without keeping them."""
        return [text for _, text in answers]


class RefundingLedger(MemoryLedger):
    """Gives the price back when it takes an answer to have failed: a negative count "cannot be"."""

    def store(self, answers: Sequence[tuple[int, str]]) -> list[str]:
        """Refund what looks odd, after it was told."""
        for spend, text in answers:
            if int(text) < 0:
                self.spent -= self.prices[spend].epsilon or 0
        return super().store(answers)


class UnmeteredLedger(MemoryLedger):
    """Prices every question and adds up none of them."""

    def _charge(self, one: Asked) -> Charged | SfumatoError:
        return Charged(1, True)

    def store(self, answers: Sequence[tuple[int, str]]) -> list[str]:
        """Hand answers on without keeping them."""
        return [text for _, text in answers]


def unbounded_groups(rows: Rows, runs: int) -> NDArray[np.int64]:
    """Count people per ward with the noise for one group each, on people who count in every group."""
    sql, price = "SELECT ward, COUNT(DISTINCT id) FROM visits GROUP BY ward", Price.pure(1)
    (measure,) = plan(understand(sql, PUBLIC), PUBLIC, price).measures
    loose = replace(PUBLIC, groups_per_person=4)
    (numbers,) = held_by(plan(understand(sql, loose), loose, price), rows, loose).numbers
    assert isinstance(measure, NoisyNumbers)
    assert measure.noise is not None
    assert numbers is not None
    return measure.noise.add(np.tile(numbers[0], max(runs, 1000))).reshape(-1, numbers.shape[1])[:runs]


def exactly_counted_mean(rows: Rows, runs: int) -> NDArray[np.float64]:
    """Divide a noisy sum by the exact number of rows."""
    total = sum(age for _, age, _, _ in rows)
    return DiscreteLaplace.of(1, 40).add(np.full(max(runs, 1000), total))[:runs] / len(rows)


_DATA = (OTHERS, (*OTHERS, *VICTIM))

BROKEN_CASES: tuple[Case, ...] = (
    Case(
        "database-unbounded-groups",
        "GROUP BY in which a person counts in every group",
        unbounded_groups,
        _DATA,
        Claim.of(1),
    ),
    Case(
        "database-exact-count",
        "AVG with noise on the sum and the exact count",
        exactly_counted_mean,
        _DATA,
        Claim.of(1),
    ),
    Case(
        "database-fresh-noise",
        "a cache that answers the same question with fresh noise",
        conversation(RenoisingLedger, ["a"] * 8, "1", "1"),
        (100, 101),
        Claim.of(1),
        samples=SLOW,
    ),
    Case(
        "database-refund",
        "a ledger that gives money back for answers that look odd",
        conversation(RefundingLedger, [f"{i}" for i in range(12)], "1", "1"),
        (-3, -2),
        Claim.of(1),
        samples=SLOW,
    ),
    Case(
        "database-without-ledger",
        "every question has its price, and nobody adds them up",
        conversation(UnmeteredLedger, [f"{i}" for i in range(8)], "1", "1"),
        (100, 101),
        Claim.of(1),
        samples=SLOW,
    ),
)

BROKEN: dict[str, Case] = {case.name: case for case in BROKEN_CASES}
"""broken databases by name"""
