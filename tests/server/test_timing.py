"""Replies leave on a raster after their arrival."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from sfumato.server.timing import Raster


@given(st.floats(0, 1e6), st.floats(0, 10), st.sampled_from([0.001, 0.02, 0.5]))
def test_a_reply_leaves_at_the_first_whole_tick_at_which_it_is_ready(
    arrived: float, took: float, tick: float
) -> None:
    ready = arrived + took
    leaves = Raster(tick).leaves(arrived, ready)
    ticks = (leaves - arrived) / tick
    assert abs(ticks - round(ticks)) < 1e-3
    assert round(ticks) >= 1
    assert leaves >= ready - 1e-6
    assert round(ticks) == 1 or leaves - ready <= tick + 1e-6


def test_a_tick_of_zero_sends_at_once() -> None:
    assert Raster(0).leaves(1.0, 1.5) == 1.5


def test_holding_sleeps_for_the_rest_of_the_tick() -> None:
    slept = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    asyncio.run(Raster(0.02).hold(10.0, clock=lambda: 10.005, sleep=sleep))
    asyncio.run(Raster(0.02).hold(10.0, clock=lambda: 10.025, sleep=sleep))
    assert [round(seconds, 6) for seconds in slept] == [0.015, 0.015]
