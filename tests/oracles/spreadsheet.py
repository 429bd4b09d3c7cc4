"""Which cells a spreadsheet would run, said once more in the plainest words."""

from __future__ import annotations

import unicodedata


def would_run(cell: str) -> bool:
    """A sign or something that is dropped comes first, an operand somewhere behind, and it is no number."""
    if not cell or cell[0] not in "=+-@\t\r＝＋－＠":
        return False
    if not any(letter.isalnum() or letter == "_" for letter in cell[1:]):
        return False
    return cell[0] in "\t\r" or not _is_number(cell)


def _is_number(cell: str) -> bool:
    rest = unicodedata.normalize("NFKC", cell[0]) + cell[1:]
    if rest[0] not in "+-":
        return False
    rest = rest[1:]
    if rest.endswith("%"):
        rest = rest[:-1]
    # One blank may stand before the sign of per cent, and white space of any kind behind a number.
    rest = rest[:-1] if rest[-1:].isspace() else rest
    mantissa, sign, exponent = rest.partition("e") if "e" in rest else rest.partition("E")
    if sign:
        exponent = exponent[1:] if exponent[:1] in ("+", "-") else exponent
        if not exponent.isdigit():
            return False
    if mantissa[:1] == ".":
        return mantissa[1:].isdigit()
    return mantissa[:1].isdigit() and all(
        letter.isdigit() or letter in ".,' \u00a0\u202f" for letter in mantissa
    )
