"""The longest answer that a question can have, written out: every group, all numbers at their widest."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

from sfumato.query.question import Question, Statistic

WIDEST_FLOAT = -2.2250738585072014e-308


def longest_answer(question: Question, window: str, price: dict[str, str | None], note: str) -> int:
    """Return the bytes of question and answer together, from a text that is written out in full."""
    values = [
        [*(key.values or ()), *([None] if key.missing else [])]
        for key in question.keys
        if key.values is not None
    ]
    widest: list[object] = []
    errors: list[object] = []
    for measure in question.measures:
        grid = Fraction(1) if measure.expression is None else measure.expression.grid
        if measure.statistic is Statistic.QUANTILE:
            assert measure.expression is not None
            ends = [measure.expression.lower, measure.expression.upper]
            whole = "9" * max(len(str(int(end))) for end in ends)
            number = WIDEST_FLOAT if grid.denominator > 1 else -int(whole)
            widest.append("0000-00-00" if measure.date else number)
            errors.append(None)
            continue
        counted = measure.statistic in (Statistic.COUNT, Statistic.PERSONS, Statistic.SUM)
        widest.append(int(-(2**63) * grid) if counted and grid.denominator == 1 else WIDEST_FLOAT)
        errors.append(WIDEST_FLOAT)
    rows = [[*group, *widest] for group in itertools.product(*values)]
    answer = {
        "columns": [*(key.name for key in question.keys), *(measure.name for measure in question.measures)],
        "rows": rows,
        "errors": [errors for _ in rows],
        "price": price,
        "reference": "f" * 16,
        "data_set": question.data_set,
        "window": window,
        "dummy": False,
        "note": note,
    }
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode()) + len(question.canonical.encode())
