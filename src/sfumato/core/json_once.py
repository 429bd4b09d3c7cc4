"""JSON in which every key stands once.

Of two equal keys most programs believe the last, some the first (RFC 8259, section 4): what was checked or
logged on the way may then not be what is done. So they are refused.
"""

from __future__ import annotations

import json
import math
from typing import Any

_MOST_DIGITS = 300
"""a number of more digits is larger than any that a computer reckons with"""


class RepeatedKey(ValueError):
    """A key stands twice in one object."""


def each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of its pairs, for ``object_pairs_hook``; refuse a key that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RepeatedKey("a key stands twice")
    return found


def loads_once(text: str | bytes, *, finite: bool = False) -> Any:
    r"""Read JSON as ``json.loads`` does; a key that stands twice, however it is spelt, is a ``RepeatedKey``.

    With ``finite``, numbers that nothing can hold are refused, too: 1e999, NaN, whole ones of thousands of
    digits.

    >>> loads_once('{"a": {"b": 1}, "b": 2}')
    {'a': {'b': 1}, 'b': 2}
    >>> try:
    ...     loads_once('{"epsilon": 1, "\\u0065psilon": 2}')
    ... except RepeatedKey as problem:
    ...     print(problem)
    a key stands twice
    """
    number = _finite if finite else None
    return json.loads(
        text,
        object_pairs_hook=each_once,
        parse_float=number,
        parse_constant=number,
        parse_int=_whole if finite else None,
    )


def _finite(text: str) -> float:
    found = float(text)
    if not math.isfinite(found):
        raise ValueError("a number that nothing can hold")
    return found


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError("a number that cannot even be compared with others")
    return int(text)
