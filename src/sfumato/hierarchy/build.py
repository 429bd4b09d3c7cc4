"""From groups and labels to a ladder: numbering, missing values, validation. Used by all builders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT, Ladder, UncoveredValues
from sfumato.hierarchy.validate import validate


@dataclass(frozen=True)
class Level:
    """One level over the codes of a column: group ``groups[code]`` has ``labels[g]`` and ``leaves[g]``.

    Groups may be numbered as the builder likes, and some may hold none of the codes.
    """

    groups: NDArray[np.int64]
    labels: Sequence[str | None]
    leaves: NDArray[np.float64]


class UnreadableValues(UncoveredValues):
    """Values that are not what the hierarchy speaks of (numbers, dates, codes of some length)."""

    def __init__(self, column: str, codes: tuple[int, ...], one: str, many: str) -> None:
        super().__init__(column, codes)
        self.what = f"1 value is not {one}" if len(codes) == 1 else f"{len(codes)} values are not {many}"
        self.remedy = "mend them, choose another hierarchy, or set 'others: root' to publish them as '*'"


def root_level(values: int, size: int) -> Level:
    """Return the level at which nothing is said: one group ``*`` with all leaves."""
    return Level(np.zeros(values, np.int64), (ROOT,), np.array([size], np.float64))


def present_values(domain: Domain) -> int:
    """Return how many values of a column are not missing."""
    if not domain.values:
        raise BadInput("the column has no values", where=f"column '{domain.name}'")
    return len(domain) - domain.has_missing


def assemble(domain: Domain, levels: Sequence[Level], size: int) -> Ladder:
    """Put the values themselves below the levels, number the groups, add missing, and validate.

    Groups are numbered in the order in which the values of the column reach them. Groups that no
    value reaches are left out; their leaves still count in ``size``.

    Missing: when the levels do not speak of it (one code fewer than the column has), it is a group
    of its own, labelled None, and adds one leaf. It joins the others only where the hierarchy has
    nothing but a root: at the top, and below it as long as the single label is ``*``.
    """
    missing_apart = bool(levels) and len(levels[0].groups) < len(domain)
    roots = _levels_that_are_root(levels)
    stacked = [_values_themselves(domain)]
    for number, level in enumerate(levels):
        stacked.append(_with_missing(level, joins=roots[number]) if missing_apart else level)
    numbered = [_number(level) for level in stacked]
    rungs = np.ascontiguousarray([groups for groups, _, _ in numbered], np.int32)
    rungs.flags.writeable = False
    for _, _, leaves in numbered:
        leaves.flags.writeable = False
    return validate(
        Ladder(
            domain.name,
            rungs,
            tuple(labels for _, labels, _ in numbered),
            tuple(leaves for _, _, leaves in numbered),
            size + missing_apart,
        )
    )


def _values_themselves(domain: Domain) -> Level:
    """Return level 0. Values that are written alike (1 and "1") are one group: so they are published."""
    texts = domain.texts
    if len(set(texts)) == len(texts):
        return Level(np.arange(len(texts), dtype=np.int64), texts, np.ones(len(texts)))
    code_of = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    groups = np.array([code_of[text] for text in texts], np.int64)
    return Level(groups, tuple(code_of), np.ones(len(code_of)))


def _levels_that_are_root(levels: Sequence[Level]) -> list[bool]:
    """Say for each level whether it and all above it say nothing: any other label would say something
    of those whose value is missing.
    """
    answer = [False] * len(levels)
    for number in reversed(range(len(levels))):
        above = number == len(levels) - 1 or answer[number + 1]
        answer[number] = levels[number].labels == (ROOT,) and above
    return answer


def _with_missing(level: Level, *, joins: bool) -> Level:
    if joins:
        return Level(np.append(level.groups, 0), level.labels, level.leaves + 1)
    return Level(
        np.append(level.groups, len(level.labels)),
        (*level.labels, None),
        np.append(level.leaves, 1.0),
    )


def _number(level: Level) -> tuple[NDArray[np.int64], tuple[str | None, ...], NDArray[np.float64]]:
    """Number the groups that are reached 0, 1, … by first appearance."""
    groups, labels = level.groups, level.labels
    first = np.full(len(labels), len(groups), np.int64)
    # Assigned backwards, so that the first code of each group is the one that stays.
    first[groups[::-1]] = np.arange(len(groups))[::-1]
    reached = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(groups))]
    rank = np.empty(len(labels), np.int64)
    rank[reached] = np.arange(len(reached))
    return rank[groups], tuple(labels[group] for group in reached.tolist()), level.leaves[reached]
