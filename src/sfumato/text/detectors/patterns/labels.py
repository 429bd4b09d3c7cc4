"""Labels that announce something, found by their first word: one expression for all that begin with it.

Hundreds of labels are known and a note holds a few, so an expression is compiled when its word is first seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping


def any_label(labels: Iterable[str]) -> str:
    """Return an expression for any of these labels, the longest first, white space and quotes as they come.

    >>> any_label(["id", "id no"])
    'id\\\\s{0,2}no|id'
    """
    return "|".join(
        re.escape(label).replace(r"\ ", r"\s{0,2}").replace("'", "['\u2019]?")
        for label in sorted(labels, key=len, reverse=True)
    )


class LabelForms:
    """The expressions of a table of labels, by their first word in lower case."""

    def __init__(self, labels: Mapping[str, str], form: Callable[[tuple[str, ...]], re.Pattern[str]]) -> None:
        groups: dict[str, list[str]] = {}
        for label in labels:
            groups.setdefault(re.split(r"[^a-z0-9]", label)[0], []).append(label)
        self._groups = {first: tuple(group) for first, group in groups.items()}
        self._form = form
        self._made: dict[str, re.Pattern[str]] = {}
        self.words = frozenset(groups)

    def of(self, word: str) -> re.Pattern[str]:
        """Return the expression for all labels that begin with a word."""
        made = self._made.get(word)
        if made is None:
            made = self._made[word] = self._form(self._groups[word])
        return made
