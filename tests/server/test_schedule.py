"""The timetable: a function of arrivals and costs, whatever runs really take and whenever it is looked at."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from sfumato.server.schedule import Schedule, Turn
from tests.oracles.timetable import Asked, play, really

QUESTIONS = st.lists(
    st.builds(Asked, st.sampled_from(["ana", "ben", "cy"]), st.integers(0, 12), st.integers(1, 9)),
    min_size=1,
    max_size=14,
)
LANES, MOST, CHARGING = st.integers(1, 3), st.integers(1, 5), st.integers(0, 2)


def scheduled(
    questions: list[Asked], moments: list[float], lanes: int, most: int, charging: int
) -> dict[int, Turn[int]]:
    """Ask the timetable at some moments; questions are entered when they are ready, not before."""
    table = Schedule[int](lanes=lanes, most=most, charging=charging)
    found: dict[int, Turn[int]] = {}
    order = sorted(range(len(questions)), key=lambda i: (questions[i].ready, i))
    for moment in [*moments, float("inf")]:
        while order and questions[order[0]].ready <= moment:
            i = order.pop(0)
            table.enter(
                i, questions[i].analyst, ready=questions[i].ready, number=i, cost=float(questions[i].cost)
            )
        for turn in table.turns(moment):
            assert turn.job not in found
            found[turn.job] = turn
    return found


@given(QUESTIONS, st.lists(st.floats(0, 40), max_size=8).map(sorted), LANES, MOST, CHARGING)
def test_the_timetable_is_that_of_a_service_played_second_by_second(
    questions: list[Asked], moments: list[float], lanes: int, most: int, charging: int
) -> None:
    found = scheduled(questions, moments, lanes, most, charging)
    played = play(questions, lanes=lanes, most=most, charging=charging)
    assert {i: turn.charged for i, turn in found.items()} == played.charged
    assert {i: turn.starts for i, turn in found.items()} == played.starts
    assert {i: turn.ends for i, turn in found.items()} == played.ends


@given(QUESTIONS, LANES, MOST, CHARGING, st.data())
def test_runs_that_keep_to_their_cost_really_end_by_the_timetable(
    questions: list[Asked], lanes: int, most: int, charging: int, data: st.DataObject
) -> None:
    """Charges and replies are made from the timetable alone, so for these runs nothing real shows."""
    took = [data.draw(st.integers(0, one.cost)) for one in questions]
    played = play(questions, lanes=lanes, most=most, charging=charging)
    ended = really(questions, played, took, lanes=lanes, charging=charging)
    assert all(ended[i] <= played.ends[i] for i in range(len(questions)))


def test_a_run_beyond_its_cost_is_what_the_proof_does_not_cover() -> None:
    questions = [Asked("ana", 0, 2), Asked("ben", 0, 2)]
    played = play(questions, lanes=1, most=5)
    assert really(questions, played, [2, 2], lanes=1) == [2, 4]
    assert really(questions, played, [3, 2], lanes=1) == [3, 5]


def test_everybody_is_charged_once_before_anybody_is_charged_twice() -> None:
    table = Schedule[str](lanes=1, most=1)
    for number in range(5):
        table.enter(f"flood {number}", "flood", ready=0.0, number=number, cost=1.0)
    table.enter("quiet", "quiet", ready=0.5, number=5, cost=1.0)
    order = [turn.job for turn in table.turns(100.0)]
    assert order.index("quiet") == 2, "one runs, one was next in turn already"


def test_who_is_gone_is_neither_charged_nor_waited_for() -> None:
    table = Schedule[str](lanes=1, most=1)
    for number, name in enumerate(("ana", "gone", "ben")):
        table.enter(name, name, ready=0.0, number=number, cost=4.0)
    turns = table.turns(100.0, gone=lambda job: job == "gone")
    assert [(turn.job, turn.charged) for turn in turns] == [("ana", 0.0), ("ben", 4.0)]


def test_without_costs_a_place_is_free_when_somebody_says_so() -> None:
    table = Schedule[int](lanes=1, most=2)
    for number in range(4):
        table.enter(number, "ana", ready=float(number), number=number, cost=None)
    charged = [turn.job for turn in table.turns(float("inf"))]
    assert charged == [0, 1]
    table.end()
    assert [turn.job for turn in table.turns(float("inf"))] == [2]
    assert table.next_change() is None


def test_a_timetable_that_nobody_waits_in_has_nothing_to_come() -> None:
    table = Schedule[int](lanes=2, most=4)
    assert table.next_change() is None
    table.enter(1, "ana", ready=3.0, number=1, cost=1.0)
    assert table.next_change() == 3.0
    assert list(itertools.chain(table.turns(2.9))) == []
    assert [turn.ends for turn in table.turns(3.0)] == [4.0]
