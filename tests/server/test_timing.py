"""Replies leave on a raster after their arrival, in classes of ticks, at moments that no data decide."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.server.timing import SHARE, Raster, Reply

TICKS = st.sampled_from([0.001, 0.02, 0.5])


@given(st.floats(0, 1e6), st.floats(0, 10), TICKS, st.booleans())
def test_a_reply_leaves_at_the_first_class_at_which_it_has_ended(
    arrived: float, took: float, tick: float, classes: bool
) -> None:
    leaves = Raster(tick).leaves(arrived, arrived + took, classes=classes)
    ticks = (leaves - arrived) / tick
    assert abs(ticks - round(ticks)) < 1e-3
    allowed = [2**power for power in range(20)] if classes else range(1, 20_000)
    assert round(ticks) == next(number for number in allowed if number * tick >= took - 1e-6)


@pytest.mark.parametrize(
    ("took", "ticks"), [(0, 1), (0.02, 1), (0.0201, 2), (0.04, 2), (0.0401, 4), (0.08, 4), (0.0801, 8)]
)
def test_classes_on_both_sides_of_their_bounds(took: float, ticks: int) -> None:
    assert Raster(0.02).leaves(50.0, 50.0 + took) == pytest.approx(50.0 + ticks * 0.02)


def test_a_tick_of_zero_sends_at_once() -> None:
    assert Raster(0).leaves(1.0, 1.5) == 1.5
    assert Raster(0).ready(1.0, 1000, 1.1) == 1.1


@given(st.integers(0, 3000), st.floats(0, 1))
def test_when_a_question_is_ready_follows_from_its_length_as_long_as_the_machine_keeps_up(
    letters: int, share: float
) -> None:
    raster = Raster(0.02)
    bound = raster.ready(10.0, letters, 10.0)
    assert raster.ready(10.0, letters, 10.0 + share * (bound - 10.0)) == pytest.approx(bound)
    assert raster.ready(10.0, letters, bound + 1e-6) == pytest.approx(10.0 + 2 * (bound - 10.0))


def left_after(reply: Reply, now: float, drawn: float) -> float:
    slept = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    asyncio.run(reply.leave(Raster(0.02), clock=lambda: now, sleep=sleep, draw=lambda: drawn))
    return round(now + slept[0] - reply.arrived, 6)


def test_a_reply_waits_for_its_end_in_the_timetable_and_not_for_what_was_real() -> None:
    for really in (10.001, 10.03, 10.0799):
        reply = Reply(10.0, ends=10.07, classes=True)
        assert left_after(reply, really, 0.0) == 0.08
    assert left_after(Reply(10.0, ends=10.07, classes=True), 10.081, 0.0) == 0.16, "late: the next class"


def test_the_secret_delay_is_a_share_of_the_class_and_a_tick_at_the_least_for_what_costs_nothing() -> None:
    answer = Reply(10.0, ends=10.01, classes=True, answer=True)
    assert left_after(answer, 10.0, 0.5) == round(0.02 * (1 + SHARE / 2), 6)
    assert left_after(Reply(10.0, ends=10.01), 10.0, 0.5) == 0.03
    assert left_after(Reply(10.0, ends=10.3, classes=True), 10.0, 0.5) == round(0.32 * (1 + SHARE / 2), 6)


def test_what_lasts_until_a_reply_has_left_ends_then() -> None:
    ended = []
    reply = Reply(10.0)
    reply.until_left.callback(lambda: ended.append("now"))
    with reply.until_left:
        assert not ended
    assert ended == ["now"]
