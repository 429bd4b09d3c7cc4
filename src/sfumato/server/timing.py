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
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


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
