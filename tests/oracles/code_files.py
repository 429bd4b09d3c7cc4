"""Sets of codes from rows, the slow and obvious way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Row = tuple[str | None, ...]


def by_person(rows: Iterable[tuple[str, str | None]]) -> list[tuple[str, set[str]]]:
    """Return the people in the order of their texts, without blanks around, each with the set of codes."""
    found: dict[str, set[str]] = {}
    for person, code in rows:
        held = found.setdefault(person.strip(), set())
        if code is not None and code.strip():
            held.add(code.strip())
    return sorted(found.items())


def by_visit(rows: Iterable[tuple[str, str | None, str | None]]) -> list[tuple[str, set[str]]]:
    """Return (person, codes) for every visit; rows of a person without a visit are one, after the others."""
    found: dict[tuple[str, bool, str], set[str]] = {}
    for person, visit, code in rows:
        unnamed = visit is None or not visit.strip()
        key = person.strip(), unnamed, "" if unnamed else str(visit).strip()
        held = found.setdefault(key, set())
        if code is not None and code.strip():
            held.add(code.strip())
    return [(key[0], held) for key, held in sorted(found.items())]


def cut_cells(cells: Sequence[str | None], separator: str) -> list[set[str]]:
    """Return the set of codes of every cell."""
    found = []
    for cell in cells:
        parts = (cell or "").split(None if separator == " " else separator)
        found.append({part.strip() for part in parts if part.strip()})
    return found
