"""Those who read data leave a core to the others."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sfumato.server.aside import LOWERED, shared_out, stand_aside


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a thread choose its cores")
def test_a_thread_that_stands_aside_leaves_one_core_and_its_process_has_all() -> None:
    before = os.sched_getaffinity(0)
    of_all = os.getpriority(os.PRIO_PROCESS, 0)

    def look() -> tuple[set[int], int]:
        return os.sched_getaffinity(0), os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    with ThreadPoolExecutor(1, initializer=stand_aside) as pool:
        cores, priority = pool.submit(look).result()
    assert cores == shared_out(before)
    assert priority == min(19, of_all + LOWERED), "lower than the others, wherever they are"
    assert os.sched_getaffinity(0) == before


def test_the_only_core_is_shared() -> None:
    assert shared_out({7}) == {7}
    assert shared_out({7, 3}) == {7}
