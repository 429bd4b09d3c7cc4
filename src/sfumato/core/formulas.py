"""The warning of cells that a spreadsheet would run; ``engine/formulas.py`` counts them."""

from __future__ import annotations

from collections.abc import Mapping

_MOST_NAMED = 10
"""columns that are named in one sentence"""


def formulas_in_words(formulas: Mapping[str, int] | None) -> str | None:
    """Return the warning of cells that a spreadsheet would run, where there are any.

    >>> formulas_in_words({"note": 3})
    '3 cells of note begin as formulas do, and a spreadsheet may run them: import the file as text'
    """
    if not formulas:
        return None
    number = sum(formulas.values())
    names = ", ".join([*formulas][:_MOST_NAMED]) + (", …" if len(formulas) > _MOST_NAMED else "")
    return (
        f"{number:,} {'cell' if number == 1 else 'cells'} of {names} {'begins' if number == 1 else 'begin'} "
        f"as formulas do, and a spreadsheet may run {'it' if number == 1 else 'them'}: "
        "import the file as text"
    )
