"""Scales of plots: every number has a place, labels differ from each other, and none is cut off."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sfumato.report.dna_plots import Curve, manhattan, success_curves
from sfumato.report.growth import growth_plot
from sfumato.report.plots import WIDTH, Mark, Series, standing_bars
from sfumato.report.ru_map import HEIGHT, Marked, ru_map
from sfumato.report.scales import Axis, linear_axis, ratio_axis, tick_labels, width_of
from tests.oracles.svg_text import Text, texts_of, wide

few = settings(max_examples=40)
EXTREME = [0.0, 5e-324, 1e-310, 1e-300, 1e-9, 1 / 3, 0.9995, 1.0, 7.0, 12345.678, 1e300, 1.7e308]
numbers = st.floats(0, allow_nan=False, allow_infinity=False) | st.sampled_from(EXTREME)
lists = st.lists(numbers, max_size=8)
names = st.text(max_size=60) | st.sampled_from(["W" * 60, "k 5", "a" * 30])
marked = st.builds(Marked, names, names, st.integers(0, 13), numbers, numbers, st.booleans(), st.booleans())


def check_axis(axis: Axis, values: list[float], shares: bool) -> None:
    labels = tick_labels(axis.ticks, shares=shares)
    assert 2 <= len(labels) <= 8
    assert len(set(labels)) == len(labels)
    assert all(one < other for one, other in itertools.pairwise(axis.ticks))
    places = [axis.place(value) for value in values]
    assert all(0 <= place <= 1 for place in places)
    in_order = sorted(range(len(values)), key=values.__getitem__)
    assert [places[at] for at in in_order] == sorted(places)
    ends = [axis.place(tick) for tick in axis.ticks]
    assert ends == sorted(ends)
    assert (ends[0], ends[-1]) == (0, 1)


@given(lists)
@example([5e-324])
@example([5e-324, 1.0])
@example([1.7e308, 1e-300])
@example([1.7e308])
@example([0.4, 0.4])
def test_axes_are_labelled_once_each_and_place_every_value_in_order(values: list[float]) -> None:
    check_axis(linear_axis(values), values, shares=False)
    check_axis(ratio_axis(values), values, shares=True)


@given(lists.filter(bool))
def test_an_axis_reaches_beyond_all_values_that_can_be_told_from_nothing(values: list[float]) -> None:
    ordinary = [value for value in values if 1e-300 <= value <= 1e300]
    for axis in (linear_axis(ordinary), ratio_axis(ordinary)):
        assert not ordinary or axis.ticks[-1] >= max(ordinary) * (1 - 1e-9)
        assert not ordinary or axis.ticks[0] <= min(ordinary) * (1 + 1e-9)


@pytest.mark.parametrize("not_a_number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_has_a_place_all_the_same(not_a_number: float) -> None:
    assert 0 <= linear_axis([0.2, not_a_number]).place(not_a_number) <= 1
    assert 0 <= ratio_axis([0.2, 1e-6, not_a_number]).place(not_a_number) <= 1


@given(st.text(st.characters(codec="utf-8"), max_size=20))
@example("100%")
@example("WWWW")
def test_a_label_takes_no_more_room_than_is_reckoned_with(text: str) -> None:
    assert width_of(text) >= wide(text)


def check_texts(drawing: str, width: float, height: float) -> list[Text]:
    texts = texts_of(drawing)
    for text in texts:
        end = height if text.turned else width
        assert text.left >= -1, text
        assert text.right <= end + 1, text
        assert 0 < text.y <= (width if text.turned else height)
    return texts


@few
@given(st.lists(marked, min_size=1, max_size=30), st.none() | numbers, st.none() | numbers, names, names)
@example(
    [Marked("a", "k 2", 0, 1.0, 5e-324, True), Marked("b", "k 3", 0, 5e-324, 1.0, True)], None, None, "r", "l"
)
def test_no_text_of_the_map_is_cut_off_and_no_label_of_an_axis_covers_another(
    marks: list[Marked], risk: float | None, loss: float | None, up: str, along: str
) -> None:
    drawn = ru_map("map", "a map", marks, risk=up, loss=along, risk_at_most=risk, loss_at_most=loss)
    texts = check_texts(drawn, WIDTH, HEIGHT)
    floor = [text for text in texts if text.y == 362 and not text.turned]
    assert len(floor) >= 2
    for one, other in itertools.pairwise(sorted(floor, key=lambda text: text.left)):
        assert one.right < other.left
        assert one.said != other.said


@few
@given(st.integers(1, 60), st.integers(0, 60), st.sampled_from(["1", "1,000–1,999", "W" * 90]), names)
def test_no_text_of_standing_bars_is_cut_off(many: int, at: int, category: str, label: str) -> None:
    shares = [0.5] * many
    drawn = standing_bars(
        "b", "t", "d", [category] * many, [Series("s", shares)], axis=label, mark=Mark(min(at, many), label)
    )
    check_texts(drawn, WIDTH, 246)


@few
@given(st.lists(st.tuples(st.integers(1, 10**9), st.floats(0, 1)), min_size=1, max_size=12))
def test_no_text_of_curves_over_sites_is_cut_off(points: list[tuple[int, float]]) -> None:
    drawn = success_curves("c", "t", [Curve("homer", [(at, auc, None, None) for at, auc in sorted(points)])])
    check_texts(drawn, WIDTH, 300)


@few
@given(st.lists(st.floats(0, 324), min_size=1, max_size=12))
def test_no_text_of_a_genome_is_cut_off(heights: list[float]) -> None:
    check_texts(manhattan("m", "p", [("chr1", height) for height in heights]), WIDTH, 300)


@few
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_no_text_of_growth_is_cut_off_or_repeated(greatest: list[float]) -> None:
    drawn = growth_plot("g", "t", [(at + 1, 0.0, share / 2, share) for at, share in enumerate(greatest)])
    texts = check_texts(drawn, WIDTH, 262)
    labels = [text.said for text in texts if abs(text.right - 44) < 0.01]
    assert len(set(labels)) == len(labels) >= 2
