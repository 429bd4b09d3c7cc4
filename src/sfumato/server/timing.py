"""When replies leave: on a fixed raster, at moments that no data decide.

How long a question ran depends on the data, so that its reply may not leave when it is ready. It leaves at
*arrival + k · tick*, where k is 1, 2, 4, 8 … (a *class*), the first one at or after the question's end in the
timetable (``schedule``), which is made from arrivals and costs alone. Timing of this kind is outside the
definition of differential privacy (Haeberlen, Pierce & Narayan 2011); here it is closed by construction, for
as long as no run takes longer than its cost. One that does is answered in a later class, and the log of the
owner says that it happened. A short delay from a secret source is added on top: what the machine itself lets
through, such as the moment at which a thread wakes, is then lost in it.

Everything else that is asked for leaves at whole ticks as well.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

SHARE = 0.2
"""of the time to the reply: the longest delay from the secret source. For all but answers it is a tick at the
least: pages and quotes cost nothing, so that many can be asked for and their times averaged."""
PREPARING, LETTER = 0.002, 0.00003
"""seconds that understanding a question takes, twice over, and more for each letter"""
_CLOSE = 1e-9
"""a moment that was computed in two ways is the same one"""


@dataclass(frozen=True)
class Raster:
    """Ticks after arrival.

    >>> raster = Raster(0.02)
    >>> [round(raster.leaves(arrived=100.0, ends=100.0 + took) - 100.0, 6) for took in (0.003, 0.045, 0.09)]
    [0.02, 0.08, 0.16]
    >>> round(raster.leaves(arrived=100.0, ends=100.045, classes=False) - 100.0, 6)
    0.06
    """

    tick: float = 0.02
    """seconds; 0 sends at once"""

    def leaves(self, arrived: float, ends: float, *, classes: bool = True) -> float:
        """Return the moment at which a reply leaves: after a class of ticks, or after any number of them."""
        if not self.tick:
            return ends
        ticks = max(1, math.ceil((ends - arrived) / self.tick - _CLOSE))
        return arrived + (1 << (ticks - 1).bit_length() if classes else ticks) * self.tick

    def ready(self, arrived: float, letters: int, prepared: float, more: float = 0.0) -> float:
        """Return from when a question of so many letters counts as understood, which it was at ``prepared``.

        This is decided by its length and by what its price takes (``more``), in quarters of a tick that
        double; later than that only when the machine was later.
        """
        if not self.tick:
            return prepared
        wanted = max(PREPARING + LETTER * letters + more, prepared - arrived) / (self.tick / 4)
        return arrived + (1 << (max(1, math.ceil(wanted - _CLOSE)) - 1).bit_length()) * self.tick / 4


@dataclass
class Reply:
    """A reply on its way: when its request arrived, and when it ends in the timetable.

    What has to last until it has left (``until_left``) ends then, however the request ends.
    """

    arrived: float
    ends: float = -math.inf
    classes: bool = False
    answer: bool = False
    until_left: ExitStack = field(default_factory=ExitStack)

    async def leave(
        self,
        raster: Raster,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[], float] = lambda: secrets.randbits(53) / 2**53,
    ) -> None:
        """Wait until the reply may leave."""
        if not raster.tick:
            return
        moment = raster.leaves(self.arrived, max(self.ends, clock()), classes=self.classes)
        longest = SHARE * (moment - self.arrived)
        moment += draw() * (longest if self.answer else max(raster.tick, longest))
        await sleep(max(0.0, moment - clock()))


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
    def reply_to(self, analyst: str) -> Iterator[int]:
        """Remember when a question came, until its reply leaves; yield that moment."""
        begun = self._begun.setdefault(analyst, [])
        moment = self.clock()
        begun.append(moment)
        try:
            yield moment
        finally:
            begun.remove(moment)
            if not begun:
                del self._begun[analyst]

    def since(self, analyst: str) -> int | None:
        """Return when the oldest question came to which an analyst has no reply yet; None without one."""
        return min(self._begun.get(analyst, ()), default=None)
