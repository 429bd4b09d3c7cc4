"""Tables in English notes: the head of a column says what stands under it.

``Patient | MRN | Provider`` over ``Holt, Ann | 80-44 | Kumar``: rows are lines cut at bars, tabs or spaces.
A line is a head when one of its cells is a known label and none holds a figure or a colon; the lines after it
with as many cells are its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.kinds import Kind
from sfumato.text.languages.en.field_labels import PLACES, STRONG_NAMES
from sfumato.text.languages.en.number_labels import STRONG as NUMBERS
from sfumato.text.languages.en.person_values import persons_in
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE, Span

_LINE = re.compile(r"[^\n]+")
_CELL = re.compile(r"[^|\t ]+(?: [^|\t ]+)*")
_BARRED = re.compile(r"[^|]+")
_LABELS = STRONG_NAMES.keys() | PLACES.keys() | NUMBERS.keys() | {"ssn", "social security number"}
_VISITED = frozenset(("site", "location", "where", "place"))
"""heads that announce a place only beside people: the site of a visit, not of a lesion"""
_FEW = 2
Cell = tuple[int, int]


@dataclass(frozen=True)
class Tables:
    """Proposes the cells of a column whose head announces a person, a place or a number."""

    name: str = "en.tables"

    def find(self, page: Page) -> Iterator[Span]:
        """Read line by line: a head opens a table, a line with another number of cells closes it."""
        text = page.text
        if "|" not in page.places and "\t" not in text and "  " not in text:
            return
        heads: list[str] = []
        for line in _LINE.finditer(text):
            cells = _cells(text, *line.span())
            if len(cells) < _FEW:
                heads = []
                continue
            shown = [text[start:end].lower().strip(" #.:") for start, end in cells]
            if _is_head(text, line, shown):
                heads = shown
            elif len(cells) == len(heads):
                for head, (start, end) in zip(heads, cells, strict=True):
                    yield from self._cell(text, {*heads}, head, start, end)
            elif set(line.group()) - set("|-+= \t:"):
                heads = []

    def _cell(self, text: str, heads: set[str], head: str, start: int, end: int) -> Iterator[Span]:
        value = text[start:end]
        if head in STRONG_NAMES:
            for person in persons_in(text, start, lower=True, family_first=True):
                if person.end <= end:
                    label = "initials" if person.initials else STRONG_NAMES[head]
                    yield Span(person.start, person.end, Kind.NAME, label, PROBABLE, self.name)
        elif head in PLACES or (head in _VISITED and not heads.isdisjoint(STRONG_NAMES)):
            if any(letter.isalpha() for letter in value):
                yield Span(start, end, Kind.LOCATION, PLACES.get(head, "hospital"), PROBABLE, self.name)
        elif head in _LABELS and any(letter.isdigit() for letter in value) and " " not in value:
            kind, label = (Kind.ID, NUMBERS[head]) if head in NUMBERS else (Kind.SSN, "")
            yield Span(start, end, kind, label, LIKELY, self.name)


def _cells(text: str, start: int, end: int) -> list[Cell]:
    if "|" not in text[start:end]:
        return [cell.span() for cell in _CELL.finditer(text, start, end)]
    found = []
    for cell in _BARRED.finditer(text, start, end):
        first, last = cell.span()
        while first < last and text[first] in " \t\r":
            first += 1
        while last > first and text[last - 1] in " \t\r":
            last -= 1
        if first < last:
            found.append((first, last))
    return found


def _is_head(text: str, line: re.Match[str], shown: list[str]) -> bool:
    known = sum(cell in _LABELS for cell in shown)
    plain = not any(letter.isdigit() or letter == ":" for letter in line.group())
    return plain and known > 0 and (len(shown) > _FEW or known == len(shown))
