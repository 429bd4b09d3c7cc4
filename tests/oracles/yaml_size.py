"""How large YAML becomes once everything that is repeated is written out: spelt out, slowly, to a limit."""

from __future__ import annotations

from typing import Any


def written_out(data: Any, limit: int = 200_000) -> tuple[int, int]:
    """Return how many values there are, keys counted, and how deep they lie; stop counting at the limit."""
    waiting, number, deepest = [(data, 1)], 0, 0
    while waiting and number <= limit:
        value, depth = waiting.pop()
        number, deepest = number + 1, max(deepest, depth)
        if isinstance(value, dict):
            for key, inner in value.items():
                waiting += [(key, depth + 1), (inner, depth + 1)]
        elif isinstance(value, list):
            waiting += [(inner, depth + 1) for inner in value]
    return number, deepest
