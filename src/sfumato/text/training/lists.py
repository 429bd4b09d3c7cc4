"""Lists of words and forms, read from ``data/lists.txt``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sfumato.text.training.grammar import blocks

_TIMES = re.compile(r"(\d+)\*(.*)")


@cache
def _all_lists() -> dict[str, tuple[str, ...]]:
    text = (Path(__file__).parent / "data" / "lists.txt").read_text(encoding="utf-8")
    return {name: _items(lines) for name, lines in blocks(text, "@")}


def _items(lines: list[str]) -> tuple[str, ...]:
    items: list[str] = []
    for item in "|".join(lines).split("|"):
        times = _TIMES.fullmatch(item)
        items += [times[2]] * int(times[1]) if times else [item]
    return tuple(items)


def listed(name: str) -> tuple[str, ...]:
    """Return a list by its name.

    >>> listed("tens")[:2]
    ('twenty', 'thirty')
    """
    return _all_lists()[name]
