"""Being told to stop: Ctrl-C, a request to end, a terminal that is gone.

An interrupt may vanish inside a library that catches everything. So it is also written down, and every
step of the work looks whether it was asked for.
"""

from __future__ import annotations

import signal
from types import FrameType

SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


class Stop:
    """Remembers that somebody asked to stop."""

    def __init__(self) -> None:
        self.asked = False

    def listen(self) -> None:
        """Meet all signals alike: temporary files hold raw data and must go."""
        for number in SIGNALS:
            signal.signal(number, self._note)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Stop now if it was asked for."""
        if self.asked:
            raise KeyboardInterrupt


STOP = Stop()
