"""Where those who read data run, so that others do not notice for how long they do.

The timetable hides when a run ends, but a machine whose cores are all taken lets everybody else wait a
little, and many small waits could be added up by somebody who asks for quotes meanwhile. So the threads that
read data leave one core to the others, and give way to them where they meet.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Collection
from contextlib import suppress

LOWERED, LOWEST = 5, 19
"""how much lower than that of the others the priority is, and how low one can be"""


def shared_out(cores: Collection[int]) -> set[int]:
    """Return the cores of those who read data: all but the first, or the only one there is.

    >>> shared_out({0, 1, 2}), shared_out({4})
    ({1, 2}, {4})
    """
    return set(sorted(cores)[1:]) or set(cores)


def stand_aside() -> None:
    """Let this thread leave a core to the others and give way to them, where the system can do that."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            os.sched_setaffinity(thread, shared_out(os.sched_getaffinity(0)))
        with suppress(OSError):
            # Counted from where the service itself is: nobody who reads data may come before the others.
            os.setpriority(
                os.PRIO_PROCESS, thread, min(LOWEST, os.getpriority(os.PRIO_PROCESS, thread) + LOWERED)
            )
