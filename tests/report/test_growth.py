"""The plot of growth draws the numbers that it is given, and only inside the picture."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.report.growth import Step, growth_figure, growth_plot
from sfumato.report.plots import WIDTH
from tests.oracles.html_document import Node, read

shares = st.lists(st.floats(0, 1), min_size=3, max_size=3).map(sorted)
growths = st.lists(shares, min_size=1, max_size=12).map(
    lambda found: [(size, low, mean, high) for size, (low, mean, high) in enumerate(found, 1)]
)
odd_steps = st.lists(st.tuples(st.integers(-5, 10**6), *[st.floats()] * 3), max_size=30)


def number(node: Node, name: str) -> float:
    return float(node.attributes[name] or "")


def scale(root: Node) -> tuple[float, float]:
    """Read from the axis where 0 lies and how tall the whole of 1 would be."""
    ticks = {
        float(text.text.removesuffix("%")) / 100: number(text, "y") - 4
        for text in root.all("text", "quiet")[:-1]
    }
    return ticks[0.0], (ticks[0.0] - ticks[max(ticks)]) / max(ticks)


@settings(deadline=None)
@given(growths)
def test_bars_reach_from_the_least_to_the_greatest_and_dots_mark_the_mean(steps: list[Step]) -> None:
    root = read(growth_plot("g", "t", steps))
    floor, whole = scale(root)
    bars, dots = root.all("rect", "before"), root.all("circle", "after")
    for bar, dot, (_, least, mean, greatest) in zip(bars, dots, steps, strict=True):
        # One unit is the least that is drawn, and numbers are written to a tenth.
        assert floor - number(bar, "y") - number(bar, "height") == pytest.approx(whole * least, abs=0.2)
        assert number(bar, "height") == pytest.approx(max(whole * (greatest - least), 1), abs=0.2)
        assert floor - number(dot, "cy") == pytest.approx(whole * mean, abs=0.2)


@settings(deadline=None)
@given(odd_steps)
def test_nothing_is_drawn_outside_the_picture_whatever_the_numbers(steps: list[Step]) -> None:
    (svg,) = read(growth_plot("g", "t", steps)).all("svg")
    _, _, width, height = map(float, (svg.attributes["viewbox"] or "").split())
    assert width == WIDTH
    for bar in svg.all("rect"):
        assert 0 <= number(bar, "x") <= number(bar, "x") + number(bar, "width") <= width
        assert 0 <= number(bar, "y") <= number(bar, "y") + number(bar, "height") <= height
    for dot in svg.all("circle"):
        assert 0 <= number(dot, "cx") <= width
        assert 0 <= number(dot, "cy") <= height


def test_small_risks_do_not_look_large() -> None:
    (small,) = read(growth_plot("g", "t", [(1, 0.0, 0.0, 0.001)])).all("rect", "before")
    (large,) = read(growth_plot("g", "t", [(1, 0.0, 0.0, 1.0)])).all("rect", "before")
    assert number(small, "height") < 0.02 * number(large, "height")


def test_the_plot_can_be_read_without_seeing_it() -> None:
    root = read(growth_figure([(1, 0.0, 0.1, 0.25), (2, 0.2, 0.5, 1.0)]))
    (said,) = root.all("desc")
    assert said.text == (
        "1 known: least 0%, mean 10%, greatest 25%; 2 known: least 20%, mean 50%, greatest 100%"
    )
    rows = [[cell.text for cell in row.all("td")] for row in root.all("tr")[1:]]
    assert rows == [["0%", "10%", "25%"], ["20%", "50%", "100%"]]


def test_a_share_that_is_not_known_is_not_drawn_as_a_number() -> None:
    root = read(growth_figure([(1, math.nan, math.nan, math.nan)]))
    assert "not known" in root.all("desc")[0].text


def test_without_combinations_it_says_so() -> None:
    assert "No combinations" in growth_figure([])
