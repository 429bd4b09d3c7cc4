"""A hierarchy for values that have none: neighbours in their order, in groups of about equal size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy.build import Level, assemble, present_values, root_level
from sfumato.hierarchy.ladder import Ladder


@dataclass(frozen=True)
class Balanced:
    """At most ``fan_out`` neighbours share a group, at most ``fan_out`` of these the next, and so on.

    Values stand in the order of their numbers when all of them are numbers, else of their texts. The groups
    of a level are as even as can be: a small rest at the end would have to be generalised to the root as
    soon as it is rare. A group is labelled by its first and last value. The leaves are the values of the
    column. It says nothing about what the values mean: take it where neighbours are alike, or where any
    grouping will do.

    >>> ladder = Balanced(fan_out=2).ladder(Domain.of("item", ["9", "10", "17", "20", "33"]))
    >>> ladder.labels[1:]
    (('[9-10]', '[17-20]', '33'), ('[9-20]', '33'), ('*',))
    """

    fan_out: int = 5

    def __post_init__(self) -> None:
        if type(self.fan_out) is not int or self.fan_out < 2:
            raise BadInput("fan_out must be a whole number of at least 2", where="balanced")

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the groups over the values of a column."""
        present = present_values(domain)
        texts = [text for text in domain.texts if text is not None]
        # A domain of texts may be sorted as text; this sorts by number where all are numbers.
        placed: tuple[str, ...] = Domain.of(domain.name, texts).values
        rank = {text: place for place, text in enumerate(placed)}
        at = np.array([rank[text] for text in texts], np.int64)
        labels: dict[tuple[int, int], str] = {}
        levels: list[Level] = []
        bounds = np.arange(len(placed) + 1)
        while len(bounds) > self.fan_out + 1:
            bounds = bounds[_even(len(bounds) - 1, math.ceil((len(bounds) - 1) / self.fan_out))]
            groups = list(pairwise(bounds.tolist()))
            labels |= {group: _label(placed, *group) for group in groups}
            levels.append(
                Level(
                    np.searchsorted(bounds, at, side="right") - 1,
                    [labels[group] for group in groups],
                    np.diff(bounds).astype(np.float64),
                )
            )
        _refuse_doubles(labels, placed, domain.name)
        return assemble(domain, [*levels, root_level(present, len(placed))], len(placed))


def _even(number: int, groups: int) -> NDArray[np.int64]:
    """Return where groups of neighbours begin and end, the larger ones first."""
    least, larger = divmod(number, groups)
    return np.concatenate([[0], np.cumsum([least + 1] * larger + [least] * (groups - larger))])


def _label(placed: tuple[str, ...], low: int, high: int) -> str:
    return placed[low] if high - low == 1 else f"[{placed[low]}-{placed[high - 1]}]"


def _refuse_doubles(labels: dict[tuple[int, int], str], values: tuple[str, ...], column: str) -> None:
    """Refuse labels that could be read in two ways."""
    wide = [label for (low, high), label in labels.items() if high - low > 1]
    if len({*wide, *values}) < len(wide) + len(values):
        raise BadInput(
            "values with brackets or dashes would give two groups the same label",
            where=f"column '{column}', balanced",
            remedy="write the hierarchy as a tree or a file",
        )
