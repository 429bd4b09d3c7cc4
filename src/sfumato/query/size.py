"""How large an answer can become, from metadata alone, and the limits that are checked before it is paid.

A question with a price of almost nothing could otherwise have millions of cells: they are computed, stored in
the ledger for ever, and sent. Two numbers bound it: *cells*, that is groups × statistics, and *bytes* of the
answer's text together with the canonical question that the ledger keeps beside it. No answer is longer than

    bytes ≤ question + envelope + Σ keys + groups · Σ (widest value + widest error bar + punctuation).

Public groups are counted exactly. Where groups are not public, those that are told are cut off at both
limits, in the order of their keys: which groups were selected is already noisy, so cutting costs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sfumato.core.errors import BadInput
from sfumato.query.answer import Answer, AnswerLimits
from sfumato.query.answer_text import text_of
from sfumato.query.plan import NoisePlan, NoisyChoice, NoisyNumbers
from sfumato.query.question import Key, Statistic
from sfumato.query.statistics import units

WIDEST_FLOAT = len("-2.2250738585072014e-308")
"""no finite number of 64 bits is written longer (David Gay's shortest form has at most 17 digits)"""
WIDEST_DATE = len('"2024-01-31"')
LARGEST_NOISY = 2**63
"""noisy numbers have 64 bits"""
_MISSING = len("null")
_REFERENCE = "0" * 16
CUT = (
    "there are more groups than an answer may have; those that are there are the first in order of their keys"
)
_LONGEST_NOTE = " " * 200
"""stands for every note that an answer can have: each is shorter"""


def limited(planned: NoisePlan, limits: AnswerLimits, window: str = "") -> NoisePlan:
    """Refuse a plan whose answer could be too large; return it with the room that selected groups have."""
    statistics = len(planned.measures)
    cells = statistics * (1 if planned.cells is None else planned.cells)
    if cells > limits.cells:
        groups = "1 group" if planned.cells in (None, 1) else f"{planned.cells:,} groups"
        raise BadInput(
            f"the answer could have {cells:,} cells ({groups} × {_many(statistics)}), and at most "
            f"{limits.cells:,} are allowed",
            where="question",
            remedy="group by fewer columns or coarser values, or ask for fewer statistics at a time",
        )
    fixed = _fixed(planned, window)
    most = fixed if planned.cells is None else fixed + _public_rows(planned, planned.cells)
    if most > limits.bytes:
        raise BadInput(
            f"question and answer could take {most:,} bytes, and at most {limits.bytes:,} are allowed",
            where="question",
            remedy="group by fewer columns or coarser values, or write the question shorter",
        )
    if planned.cells is not None:
        return planned
    groups_told = min(planned.max_groups, limits.cells // statistics)
    return replace(planned, max_groups=groups_told, room=limits.bytes - fixed)


def most_bytes(planned: NoisePlan, window: str = "") -> int:
    """Return a bound on the bytes of the question and of its answer, whatever the data are.

    Of groups that are not public it holds what is there without any of them.
    """
    rows = 0 if planned.cells is None else _public_rows(planned, planned.cells)
    return _fixed(planned, window) + rows


def fitting(planned: NoisePlan, groups: Iterable[Sequence[str | int | bool | None]]) -> int:
    """Return how many of the selected groups may be told: no more than the plan allows, and has room for."""
    width, taken, used = row_width(planned), 0, 0
    for group in groups:
        used += width + sum(_written([value]) for value in group)
        if taken == planned.max_groups or (planned.room is not None and used > planned.room):
            break
        taken += 1
    return taken


def row_width(planned: NoisePlan) -> int:
    """Return the most bytes of one group without the values of its keys, all brackets and commas counted."""
    keys, statistics = len(planned.question.keys), len(planned.measures)
    punctuation = (keys + statistics + 2) + (statistics + 2)
    return punctuation + sum(_value_width(each) + _error_width(each) for each in planned.measures)


def _public_rows(planned: NoisePlan, cells: int) -> int:
    of_keys = sum(cells // _count(key) * _key_width(key) for key in planned.question.keys if _count(key))
    return of_keys + cells * row_width(planned)


def _fixed(planned: NoisePlan, window: str) -> int:
    """Return the bytes of the question and of an answer without groups."""
    question = planned.question
    names = (*(key.name for key in question.keys), *(measure.name for measure in question.measures))
    empty = Answer(
        names, (), (), planned.price, _REFERENCE, question.data_set, window, dummy=False, note=_LONGEST_NOTE
    )
    return _bytes(text_of(empty)) + _bytes(question.canonical)


def _value_width(planned: NoisyNumbers | NoisyChoice) -> int:
    measure = planned.measure
    if isinstance(planned, NoisyChoice):
        assert measure.expression is not None
        if measure.date:
            return WIDEST_DATE
        last = planned.candidates.lower + (planned.candidates.count - 1) * planned.candidates.step
        ends = [measure.expression.grid * end for end in (planned.candidates.lower, last)]
        whole = max(len(str(int(end))) + 1 for end in ends)
        return whole if measure.expression.grid.denominator == 1 else max(whole, WIDEST_FLOAT)
    if planned.noise is None:
        assert measure.expression is not None
        return max(WIDEST_FLOAT, len(str(int(units(measure.expression)[0] * measure.expression.grid))) + 1)
    if measure.statistic in (Statistic.MEAN, Statistic.VARIANCE):
        return WIDEST_FLOAT
    unit = planned.numbers.divisor * (1 if measure.expression is None else measure.expression.grid)
    return len(str(-LARGEST_NOISY * unit)) if unit.denominator == 1 else WIDEST_FLOAT


def _error_width(planned: NoisyNumbers | NoisyChoice) -> int:
    return _MISSING if isinstance(planned, NoisyChoice) else WIDEST_FLOAT


def _count(key: Key) -> int:
    return len(key.values or ()) + key.missing


def _key_width(key: Key) -> int:
    """Return the bytes of all public values of a key together, each once."""
    return _written(key.values or ()) + (_MISSING if key.missing else 0)


def _written(values: Sequence[str | int | bool | None]) -> int:
    """Return the bytes of values as JSON, without what stands between them."""
    text = json.dumps(list(values), ensure_ascii=False, separators=(",", ":"))
    return _bytes(text) - 2 - max(0, len(values) - 1)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _many(statistics: int) -> str:
    return "1 statistic" if statistics == 1 else f"{statistics} statistics"


__all__ = ["CUT", "fitting", "limited", "most_bytes", "row_width"]
