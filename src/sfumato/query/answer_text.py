"""Answers as JSON text, and back without a change: what the ledger stores is what everybody gets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price
from sfumato.query.answer import Answer


def text_of(answer: Answer) -> str:
    """Write an answer; the same answer is always the same text.

    >>> answer_of(text_of(Answer(("n",), ((3,),), ((2.0,),), Price.pure(1)))).rows
    ((3,),)
    """
    held = {
        "columns": answer.columns,
        "rows": answer.rows,
        "errors": answer.errors,
        "price": {
            "epsilon": _text(answer.price.epsilon),
            "delta": _text(answer.price.delta),
            "rho": _text(answer.price.rho),
            "rho_delta": _text(answer.price.rho_delta),
        },
        "reference": answer.reference,
        "data_set": answer.data_set,
        "window": answer.window,
        "dummy": answer.dummy,
        "note": answer.note,
    }
    return json.dumps(held, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def answer_of(text: str) -> Answer:
    """Read an answer as it was written."""
    try:
        held = json.loads(text)
        price = held["price"]
        return Answer(
            tuple(held["columns"]),
            tuple(tuple(row) for row in held["rows"]),
            tuple(tuple(row) for row in held["errors"]),
            Price(
                _decimal(price["epsilon"]),
                Decimal(price["delta"]),
                _decimal(price["rho"]),
                Decimal(price["rho_delta"]),
            ),
            held["reference"],
            held["data_set"],
            held["window"],
            held["dummy"],
            held["note"],
        )
    except (ValueError, KeyError, TypeError, ArithmeticError):
        raise BadInput("this is not an answer of Sfumato", remedy="ask again") from None


def with_columns(text: str, columns: Sequence[str]) -> str:
    """Return the text of an answer with other names for its columns, all else as it was.

    >>> with_columns(text_of(Answer(("n",), ((3,),), ((2.0,),), Price.pure(1))), ["people"])[:21]
    '{"columns":["people"]'
    """
    wanted = json.dumps(list(columns), ensure_ascii=False, separators=(",", ":"))
    if text.startswith(f'{{"columns":{wanted},'):
        return text
    return text_of(replace(answer_of(text), columns=tuple(columns)))


def _text(number: Decimal | None) -> str | None:
    return None if number is None else str(number)


def _decimal(text: Any) -> Decimal | None:
    return None if text is None else Decimal(text)
