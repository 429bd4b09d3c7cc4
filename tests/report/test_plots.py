"""Bars are as long as the numbers say."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.evidence import ClassesEvidence
from sfumato.report import render
from sfumato.report.groups import sizes_figure
from sfumato.report.plots import WIDTH, Mark, Series, lying_bars, standing_bars
from tests.oracles.html_document import Node, read
from tests.report.examples import AFTER, classes, public, steward

shares = st.floats(min_value=0, max_value=1)
odd_shares = st.floats(allow_nan=True, allow_infinity=True)


def bars(node: Node, tone: str) -> list[Node]:
    return node.all("rect", tone)


def size(node: Node, side: str) -> float:
    return float(node.attributes[side] or "")


@settings(deadline=None)
@given(values=st.lists(st.floats(min_value=0.01, max_value=1), min_size=1, max_size=12))
def test_standing_bars_are_as_tall_as_their_shares(values: list[float]) -> None:
    labels = [str(i) for i in range(len(values))]
    drawn = bars(read(standing_bars("p", "t", "d", labels, [Series("s", values)], axis="x")), "after")
    tallest = max(size(bar, "height") for bar in drawn)
    for bar, value in zip(drawn, values, strict=True):
        # One pixel is the least that is drawn, and numbers are written to a tenth.
        assert size(bar, "height") == pytest.approx(max(tallest * value / max(values), 1), abs=0.11)


@settings(deadline=None)
@given(values=st.lists(st.floats(min_value=0.01, max_value=1), min_size=1, max_size=12))
def test_lying_bars_are_as_long_as_their_shares_of_the_track(values: list[float]) -> None:
    labels = [str(i) for i in range(len(values))]
    root = read(lying_bars("p", "t", "d", labels, [Series("s", values)]))
    track = size(root.all("rect", "track")[0], "width")
    for bar, value in zip(bars(root, "after"), values, strict=True):
        assert size(bar, "width") == pytest.approx(track * value, abs=0.06)


@settings(deadline=None)
@given(
    before=st.lists(odd_shares, min_size=0, max_size=40),
    data=st.data(),
)
def test_nothing_is_drawn_outside_the_picture_whatever_the_numbers(
    before: list[float], data: st.DataObject
) -> None:
    after = data.draw(st.lists(odd_shares, min_size=len(before), max_size=len(before)))
    labels = ["x" * 50 for _ in before]
    series = [Series("before", before, "before"), Series("after", after)]
    for plot in (
        standing_bars("p", "t", "d", labels, series, axis="x", mark=Mark(0, "k")),
        lying_bars("p", "t", "d", labels, series),
    ):
        (svg,) = read(plot).all("svg")
        _, _, width, height = map(float, (svg.attributes["viewbox"] or "").split())
        assert width == WIDTH
        for rect in svg.all("rect"):
            assert size(rect, "width") >= 0
            assert size(rect, "height") >= 0
            assert 0 <= size(rect, "x") <= size(rect, "x") + size(rect, "width") <= width + 0.2
            assert 0 <= size(rect, "y") <= size(rect, "y") + size(rect, "height") <= height + 0.2


@given(labels=st.lists(st.text(alphabet="0123456789–", min_size=1, max_size=14), min_size=1, max_size=40))
@settings(deadline=None)
def test_labels_under_standing_bars_do_not_run_into_each_other(labels: list[str]) -> None:
    plot = standing_bars("p", "t", "d", labels, [Series("s", [0.5] * len(labels))], axis="")
    shown = [text for text in read(plot).all("text", "label") if text.text]
    assert shown[0].text == labels[0]
    for left, right in itertools.pairwise(shown):
        apart = size(right, "x") - size(left, "x")
        # A digit is about half as wide as it is tall; on a phone the text is 13 units tall.
        assert apart >= 7.5 * (len(left.text) + len(right.text)) / 2


def test_a_loss_that_was_not_measured_has_no_bar_and_says_so() -> None:
    root = read(lying_bars("p", "t", "d", ["a", "b"], [Series("s", [math.nan, 0.5])]))
    assert len(bars(root, "after")) == 1
    assert [text.text for text in root.all("text", "value")] == ["not known", "50%"]


def test_the_public_plot_shows_one_series_and_the_steward_s_two() -> None:
    (one,) = read(render(public())).section("groups").all("svg")
    assert not bars(one, "before")
    assert len(bars(one, "after")) == len({7, 13, 37, 83, 211})
    (two,) = read(render(steward())).section("groups").all("svg")
    assert len(bars(two, "before")) == 7
    assert len(bars(two, "after")) == 5


def test_the_table_behind_the_plot_counts_every_record_once() -> None:
    (table,) = read(render(public())).section("groups").all("table")
    records = [row.all("td")[1].text for row in table.all("tr")[1:]]
    assert sum(int(count.replace(",", "")) for count in records) == sum(s * n for s, n in AFTER.items())


@pytest.mark.parametrize(("k", "marked"), [(5, True), (20, True), (7, False), (1, False), (None, False)])
def test_the_promise_is_marked_only_where_a_bin_begins(k: int | None, marked: bool) -> None:
    plot = read(sizes_figure([("in this release", classes(AFTER))], k, "records"))
    lines = plot.all("line", "mark")
    assert bool(lines) is marked
    if marked:
        position = [1, 2, 5, 10, 20, 50, 100].index(k or 0)
        assert size(lines[0], "x1") == pytest.approx(WIDTH / 7 * position, abs=0.06)


def test_bins_that_differ_before_and_after_are_laid_side_by_side() -> None:
    left = classes({1: 10})
    other = left.bins[0].model_copy(update={"low": 3, "high": 3})
    right = ClassesEvidence(number=2, smallest=3, largest=3, mean=3.0, bins=[other])
    rows = read(sizes_figure([("before", left), ("after", right)], None, "records")).all("tr")[1:]
    assert [row.all("th")[0].text for row in rows] == ["1", "2–4", "3"]
    assert [[cell.text for cell in row.all("td")][2::3] for row in rows] == [
        ["100%", "0%"],
        ["0%", "0%"],
        ["0%", "100%"],
    ]


def test_a_release_without_groups_says_so_instead_of_drawing_nothing() -> None:
    assert "no groups to show" in sizes_figure([("in this release", classes({}))], 5, "records")
