"""The window of a room: its names can be seen, and each is imported when it is first used (PEP 562, 2017).

So ``import sfumato`` and the windows of the rooms cost next to nothing, and nobody needs a part that is not
used. For type checkers a window imports its names under ``TYPE_CHECKING``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def window(
    room: str, homes: Mapping[str, str], names: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a module's ``__getattr__`` and ``__dir__``.

    ``homes`` gives for each module the names that it defines, with blanks between them; ``names`` are those
    that the room shows, its ``__all__``.

    >>> get, listed = window("sfumato.example", {"fractions": "Fraction"}, ["Fraction"])
    >>> get("Fraction")(1, 2), listed()
    (Fraction(1, 2), ['Fraction'])
    """
    home_of = {name: home for home, defined in homes.items() for name in defined.split()}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module '{room}' has no attribute '{name}'")
        return getattr(importlib.import_module(home_of[name]), name)

    def listed() -> list[str]:
        return sorted(names)

    return get, listed
