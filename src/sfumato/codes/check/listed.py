"""Itemsets that a policy lists by their codes: matched through the items above them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.check._kernels_count import by_item
from sfumato.codes.check._kernels_listed import matching
from sfumato.codes.check.findings import Answer
from sfumato.codes.check.known import FIRST_ROWS
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import ItemsetWitness, Question
from sfumato.codes.sets import read_only, slots_of


class Matcher:
    """Finds the records that may hold given codes, from codes to items and from items to records."""

    def __init__(self, published: PublishedSets) -> None:
        items = published.items
        self.published = published
        self._place = {code: position for position, code in enumerate(items.domain)}
        _, above_begins, _, above = by_item(items.starts, items.codes, len(items.domain))
        _, begins, _, owners = by_item(published.starts, published.shown, len(items))
        self._above_begins = read_only(above_begins, np.int64)
        self._above = read_only(above, np.int32)
        self._begins = read_only(begins, np.int64)
        self._owners = read_only(owners, np.int32)
        self._mark = np.zeros(len(published), np.int64)
        self._stamp = 1

    def positions(self, codes: Iterable[str]) -> tuple[int, ...] | None:
        """Return where codes stand in the domain, or nothing when one of them is not there."""
        found = {self._place.get(code, -1) for code in codes}
        return None if -1 in found else tuple(sorted(found))

    def rows(self, positions: tuple[int, ...]) -> NDArray[np.int64]:
        """Return the records, counted from 0, that show an item above every one of these codes."""
        codes = read_only(np.array(positions, np.int64), np.int64)
        found = matching(
            codes,
            self._above_begins,
            self._above,
            self._begins,
            self._owners,
            self._mark,
            self._stamp,
        )
        self._stamp += len(codes) + 2
        return np.sort(found)

    def parts(self, codes: Iterable[str]) -> list[tuple[tuple[int, ...], int]]:
        """Return the largest parts of an itemset that records may hold, each with how many hold it."""
        known = sorted({self._place[code] for code in codes if code in self._place})
        rows = [self.rows((position,)) for position in known]
        touched = np.unique(np.concatenate([*rows, np.empty(0, np.int64)]))
        held = np.zeros((len(touched), len(known)), np.bool_)
        for column, holders in enumerate(rows):
            held[np.searchsorted(touched, holders), column] = True
        packed = np.ascontiguousarray(np.packbits(held, axis=1))
        _, first, weights = np.unique(
            packed.view(np.dtype((np.void, packed.shape[1]))).ravel() if len(known) else touched,
            return_index=True,
            return_counts=True,
        )
        kinds = held[first]
        found = []
        for kind in kinds:
            also = ~(kind & ~kinds).any(axis=1)
            part = tuple(position for position, inside in zip(known, kind, strict=True) if inside)
            found.append((part, int(weights[also].sum())))
        return found


def listed(published: PublishedSets, question: Question) -> Answer:
    """Look at every itemset that is listed: its support, what it tells, and its parts if nobody holds it."""
    matcher = Matcher(published)
    broken = 0
    held: list[tuple[int, tuple[int, ...]]] = []
    sure: list[tuple[Fraction, int, int, tuple[int, ...]]] = []
    for number, codes in enumerate(question.listed):
        positions = matcher.positions(codes)
        rows = matcher.rows(positions) if positions is not None else np.empty(0, np.int64)
        breaks = False
        if len(rows) and positions is not None:
            held.append((len(rows), positions))
            breaks = len(rows) < question.support
            if question.confidence is not None:
                told = question.told[number] if question.told else None
                joint = _joint(matcher, positions, rows, told)
                share = Fraction(joint, len(rows))
                sure.append((share, joint, len(rows), positions))
                breaks |= share >= question.confidence if question.below else share > question.confidence
        elif question.all_or_subsets:
            for part, support in matcher.parts(codes):
                held.append((support, part))
                breaks |= support < question.support
        broken += breaks
    witness = None
    fewest = min(held, default=None)
    surest = max(sure, key=lambda entry: entry[0], default=None)
    if fewest is not None and (fewest[0] < question.support or surest is None):
        witness = _witness(matcher, fewest[1], fewest[0], None)
    elif surest is not None:
        witness = _witness(matcher, surest[3], surest[2], surest[1])
    return Answer(
        broken == 0,
        True,
        len(question.listed),
        broken,
        fewest[0] if fewest is not None else None,
        surest[0] if surest is not None else None,
        witness=witness,
    )


def _joint(
    matcher: Matcher, known: tuple[int, ...], rows: NDArray[np.int64], told: tuple[str, ...] | None
) -> int:
    """Count the holders of an itemset who also hold what is told, or the commonest sensitive item."""
    if told is not None:
        positions = matcher.positions([*told])
        return len(matcher.rows(tuple(sorted({*known, *positions})))) if positions is not None else 0
    published = matcher.published
    inside = np.zeros(len(published), np.bool_)
    inside[rows] = True
    shown = published.shown[inside[slots_of(published.starts)]]
    counts = np.bincount(shown[published.items.sensitive[shown]], minlength=len(published.items))
    for item in np.flatnonzero(counts).tolist():
        if set(published.items.under(item)) <= set(known):
            counts[item] = 0
    return int(counts.max(initial=0))


def _witness(matcher: Matcher, codes: tuple[int, ...], size: int, joint: int | None) -> ItemsetWitness:
    rows = matcher.rows(codes)[:FIRST_ROWS] + 1
    return ItemsetWitness(("codes",), tuple(rows.tolist()), size, codes, joint)
