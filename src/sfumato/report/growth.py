"""How risk grows with knowledge, as a plot: for each number of known columns a range, and its mean.

C. C. Aggarwal, "On k-anonymity and the curse of dimensionality" (2005): the more is known of a person, the
fewer people look alike. A bar reaches from the combination of columns that gives the least away to the one
that gives the most; a dot marks the mean over all combinations of that size.
"""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.report.markup import Markup, element, table
from sfumato.report.plots import WIDTH, Series, _bar, _line, _sane, _svg, _text, figure
from sfumato.report.scales import linear_axis, tick_labels, width_of
from sfumato.report.words import percent

Step = tuple[int, float, float, float]
"""how many columns are known, then the least, the mean and the greatest share over all combinations"""

_LEFT, _RIGHT, _TOP, _FLOOR, _HEIGHT = 52.0, 8.0, 22.0, 216.0, 262.0
_LOWEST_TOP = 0.1
"""the axis reaches at least to 10 %: small risks are not to look large"""


def growth_plot(key: str, title: str, steps: Sequence[Step]) -> Markup:
    """Draw one bar and one dot for each step.

    ``key`` names the plot within its page, ``title`` is read aloud. Steps are tuples such as
    ``(2, 0.01, 0.05, 0.3)``: with two known columns between 1 % and 30 % of the people are unique, 5 % on
    average.

    >>> growth_plot("g", "Unique people", [(1, 0.0, 0.1, 0.2)]).count("<circle")
    1
    """
    up = linear_axis([_LOWEST_TOP, *(_sane(greatest) for _, _, _, greatest in steps)])
    slot = (WIDTH - _LEFT - _RIGHT) / max(len(steps), 1)
    wide = min(slot * 0.5, 34.0)
    drawn: list[Markup] = []

    def y(share: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * min(max(up.place(_sane(share)), 0.0), 1.0)

    for tick, label in zip(up.ticks, tick_labels(up.ticks, shares=True), strict=True):
        drawn.append(_text(_LEFT - 8, y(tick) + 4, label, "label end quiet"))
        drawn.append(_line(_LEFT - 4, y(tick), _LEFT, y(tick), "axis"))
    drawn += [_line(_LEFT, _TOP - 8, _LEFT, _FLOOR, "axis"), _line(_LEFT, _FLOOR, WIDTH, _FLOOR, "axis")]
    middles = [_LEFT + slot * (position + 0.5) for position in range(len(steps))]
    for middle, (_, least, _, greatest) in zip(middles, steps, strict=True):
        tall = max(y(least) - y(greatest), 1.0)
        drawn.append(_bar(middle - wide / 2, y(least) - tall, wide, tall, "before"))
    for left, right, (_, _, before, _), (_, _, after, _) in zip(
        middles, middles[1:], steps, steps[1:], strict=False
    ):
        drawn.append(_line(left, y(before), right, y(after), "axis"))
    every = max(1, -(-26 // max(int(slot), 1)))
    for position, (middle, (size, _, mean, greatest)) in enumerate(zip(middles, steps, strict=True)):
        drawn.append(
            element(
                "circle", cx=f"{middle:.1f}", cy=f"{y(mean):.1f}", r=min(4.5, wide / 2), class_="bar after"
            )
        )
        if slot >= width_of(percent(greatest)):
            drawn.append(_text(middle, y(greatest) - 6, percent(greatest), "value middle"))
        if position % every == 0:
            drawn.append(_text(middle, _FLOOR + 18, str(size), "label middle"))
    drawn.append(_text((WIDTH + _LEFT) / 2, _HEIGHT - 8, "columns that somebody knows", "label middle quiet"))
    spoken = "; ".join(
        f"{size} known: least {percent(least)}, mean {percent(mean)}, greatest {percent(greatest)}"
        for size, least, mean, greatest in steps
    )
    return _svg(key, title, spoken, _HEIGHT, drawn)


def growth_figure(
    steps: Sequence[Step],
    *,
    key: str = "growth",
    caption: str = "Share of unique people, by how many columns somebody knows",
) -> Markup:
    """Put the plot together with its key, its caption and its numbers; say so when there is nothing."""
    if not steps:
        return element("p", "No combinations of columns were measured.")
    numbers = table(
        caption,
        ["Columns known", "Least", "Mean", "Greatest"],
        [
            [str(size), percent(least), percent(mean), percent(greatest)]
            for size, least, mean, greatest in steps
        ],
        numbers=range(4),
    )
    shown = [
        Series("from the least to the most telling columns", (), "before"),
        Series("mean over all combinations", (), "after"),
    ]
    return figure(growth_plot(key, caption, steps), caption, shown, numbers)
