"""JSON in which every key stands once.

Of two equal keys most programs believe the last, some the first (RFC 8259, section 4): what was checked or
logged on the way may then not be what is done. So they are refused.
"""

from __future__ import annotations

import json
from typing import Any


class RepeatedKey(ValueError):
    """A key stands twice in one object."""


def each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of its pairs, for ``object_pairs_hook``; refuse a key that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RepeatedKey("a key stands twice")
    return found


def loads_once(text: str | bytes) -> Any:
    r"""Read JSON as ``json.loads`` does; a key that stands twice, however it is spelt, is a ``RepeatedKey``.

    >>> loads_once('{"a": {"b": 1}, "b": 2}')
    {'a': {'b': 1}, 'b': 2}
    >>> try:
    ...     loads_once('{"epsilon": 1, "\\u0065psilon": 2}')
    ... except RepeatedKey as problem:
    ...     print(problem)
    a key stands twice
    """
    return json.loads(text, object_pairs_hook=each_once)
