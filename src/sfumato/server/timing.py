"""When replies leave: on a fixed raster, so that time tells a class and no more.

How long a question ran depends on the data. A reply therefore leaves at *arrival + k · tick* for the
smallest whole k ≥ 1 at which it is ready: a stored answer, a fresh one and a refusal that are all ready
within the first tick cannot be told apart by time. What takes longer takes further whole ticks, and then
the number of ticks is visible. It still depends on the load, on the size of the tables (public up to
``max_rows``) and on the question; a tick longer than the slowest question closes the rest. Timing of this
kind is outside the definition of differential privacy (Haeberlen, Pierce & Narayan 2011).
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Raster:
    """Ticks after arrival.

    >>> round(Raster(0.02).leaves(arrived=100.0, ready=100.003) - 100.0, 6)
    0.02
    >>> round(Raster(0.02).leaves(arrived=100.0, ready=100.045) - 100.0, 6)
    0.06
    """

    tick: float = 0.02
    """seconds; 0 sends at once"""

    def leaves(self, arrived: float, ready: float) -> float:
        """Return the moment at which a reply leaves."""
        if not self.tick:
            return ready
        return arrived + max(1, math.ceil((ready - arrived) / self.tick)) * self.tick

    async def hold(
        self,
        arrived: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Wait until a reply that is ready now may leave."""
        now = clock()
        await sleep(max(0.0, self.leaves(arrived, now) - now))


@dataclass(frozen=True)
class Unheard:
    """Replies that have not left. Until they do, nothing else may tell that they are ready.

    Whoever lists past answers again and again while a question runs would see to the millisecond when its
    answer was stored, and the raster would be of no use. ``clock`` is that of the ledger.

    >>> unheard = Unheard(clock=lambda: 7)
    >>> with unheard.reply_to("ana"):
    ...     unheard.since("ana"), unheard.since("ben")
    (7, None)
    >>> unheard.since("ana") is None
    True
    """

    clock: Callable[[], int]
    _begun: dict[str, list[int]] = field(default_factory=dict)

    @contextmanager
    def reply_to(self, analyst: str) -> Iterator[None]:
        """Remember when a question came, until its reply leaves."""
        begun = self._begun.setdefault(analyst, [])
        moment = self.clock()
        begun.append(moment)
        try:
            yield
        finally:
            begun.remove(moment)
            if not begun:
                del self._begun[analyst]

    def since(self, analyst: str) -> int | None:
        """Return when the oldest question came to which an analyst has no reply yet; None without one."""
        return min(self._begun.get(analyst, ()), default=None)
