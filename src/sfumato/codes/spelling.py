"""How published items are written so that they can be read again, whatever letters the codes hold.

An *element* of a list is a code or a label as it is, or a set: ``(401.2,401.4)``. Codes that would be taken
for something else stand in quotes as JSON writes them: ``"(a,b)"`` is one code, ``("a,b",c)`` a set of two.
A *cell* holds elements with a blank between them; there, what has a blank or another sign of the spelling
in it stands in quotes, too: ``295 "viral sinusitis" (401.2,401.4)``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.codes.published import Items

_WORD = r'(?:"(?:[^"\\]|\\.)*"|[^\s",()]+)'
_TOKEN = re.compile(rf"(?:{_WORD}|\({_WORD}(?:,{_WORD})*\))(?=\s|$)")
_PLAIN = re.compile(r'[^\s",()]+')
_INSIDE = re.compile(_WORD)
_SET = re.compile(rf"\({_WORD}(?:,{_WORD})*\)")


class Misspelt(ValueError):
    """A text that no item is spelt like."""


@dataclass(frozen=True)
class Spelt:
    """What an element says: one label, or the codes of a set."""

    label: str
    codes: tuple[str, ...] | None = None
    """the codes of a set; None for a label or a code"""


def word(text: str) -> str:
    """Spell a code or label for a cell or the inside of a set.

    >>> word("401.1"), word("a b"), word("")
    ('401.1', '"a b"', '""')
    """
    if _PLAIN.fullmatch(text) and text.isprintable():
        return text
    return _quoted(text)


def unword(text: str) -> str:
    """Read what ``word`` spelt."""
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise Misspelt from None


def elements(items: Items) -> tuple[str, ...]:
    """Spell each item for a list or a column of its own.

    >>> from sfumato.codes.published import Items
    >>> elements(Items.of_groups(["(a,b)", "a", "b c"], [[0], [1, 2], [2]]))
    ('"(a,b)"', '(a,"b c")', 'b c')
    """
    return tuple(_as_set(items, item) or spell([label]) for item, label in enumerate(items.labels))


def spell(codes: Sequence[str]) -> str:
    """Spell a set of codes as an element; no two sets are spelt alike.

    >>> spell(["401.2"]), spell(["(401.2)"]), spell(["401.2", "401.4"])
    ('401.2', '"(401.2)"', '(401.2,401.4)')
    """
    if len(codes) > 1:
        return f"({','.join(word(code) for code in codes)})"
    awkward = _looks_like_set(codes[0]) or codes[0].startswith('"') or not codes[0]
    return _quoted(codes[0]) if awkward else codes[0]


def words(items: Items) -> tuple[str, ...]:
    """Spell each item for a cell.

    >>> from sfumato.codes.published import Items
    >>> words(Items.of_groups(["a", "b c"], [[0], [0, 1], [1]]))
    ('a', '(a,"b c")', '"b c"')
    """
    return tuple(_as_set(items, item) or word(label) for item, label in enumerate(items.labels))


def read_element(text: str) -> Spelt:
    """Read an element of a list; raises ``Misspelt``.

    >>> read_element("b c"), read_element('(a,"b c")').codes
    (Spelt(label='b c', codes=None), ('a', 'b c'))
    """
    if text.startswith('"'):
        return Spelt(unword(text))
    if not _looks_like_set(text):
        return Spelt(text)
    if not _SET.fullmatch(text):
        raise Misspelt
    codes = tuple(unword(match) for match in _INSIDE.findall(text[1:-1]))
    return Spelt(spell(sorted(codes)) if len(codes) > 1 else codes[0], codes)


def read_word(text: str) -> Spelt:
    """Read an element of a cell, which is spelt more strictly; raises ``Misspelt``."""
    if not _TOKEN.fullmatch(text):
        raise Misspelt
    return read_element(text)


def cut(cell: str) -> list[str]:
    """Cut a cell into its elements; raises ``Misspelt``.

    >>> cut('295 "viral sinusitis" (401.2,401.4)')
    ['295', '"viral sinusitis"', '(401.2,401.4)']
    """
    found, place = [], 0
    while place < len(cell):
        if cell[place].isspace():
            place += 1
            continue
        match = _TOKEN.match(cell, place)
        if match is None:
            raise Misspelt
        found.append(match[0])
        place = match.end()
    return found


def _as_set(items: Items, item: int) -> str | None:
    """Spell an item as the set of its codes, if that is what it is."""
    return spell(sorted(items.domain[code] for code in items.under(item))) if items.sets[item] else None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _looks_like_set(text: str) -> bool:
    return text.startswith("(") and text.endswith(")")
