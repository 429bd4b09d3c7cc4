"""Made-up numbers and addresses of the net: same form, other digits, from ranges that belong to nobody.

Digits become digits and letters letters, drawn with the key from the digits and letters alone, so that
``359-71-46`` and ``3597146`` agree. No run of four digits or more of the old one is left in the new one.
Telephone numbers are 555-01xx (reserved for fiction in North America), social security numbers begin with 9
(never issued), machines are addressed in the ranges for documentation (RFC 5737, RFC 3849, RFC 7042), mail
and pages at example.org (RFC 2606).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sfumato.text.dates import listed
from sfumato.text.detectors.spelling import folded
from sfumato.text.kinds import Kind
from sfumato.text.replace.keyed import Draws

_WORD = re.compile(r"[^\W\d_]+")
_PHONE_WORDS = listed(
    "x ext extension tel telephone phone ph cell mobile fax home work office pager pgr beeper"
)
_SSN_WORDS = listed("ssn ss no")
_RUN = re.compile(r"\d+")
_EXTENSION = re.compile(r"(?i)(?<!\s)\s*(?:x|ext\.?|extension)\s*\.?\s*\d{1,6}\s*$")
_MAC = re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}")
_URL = re.compile(r"(?i)^((?:https?|s?ftp)://)?(www\.)?([^/?#]*)([/?#].*)?$", re.DOTALL)
_DOCUMENTATION = ("192.0.2", "198.51.100", "203.0.113")
_MOST_TRIES = 64
_LOWER, _UPPER = "abcdefghjkmnpqrstuvwxyz", "ABCDEFGHJKMNPQRSTUVWXYZ"


def number(kind: Kind, old: str, draws: Draws) -> str:
    """Return a made-up value for a number, code or address of the net."""
    makers: dict[Kind, Callable[[str, Draws, str], str]] = {
        Kind.PHONE: _phone, Kind.SSN: _ssn, Kind.IP: _ip, Kind.URL: _url,
    }  # fmt: skip
    make = makers.get(kind, in_form_of)
    for attempt in range(_MOST_TRIES):
        new = make(old, draws, f"{kind.value} {attempt}")
        if is_other(old, new) and is_other(_joined(old), _joined(new)):
            return new
    return "0" * 3 if _RUN.search(old) else "xxx"


def is_other(old: str, new: str) -> bool:
    """Say whether nothing of a number is left: not itself, and no run of four digits or more of it.

    >>> is_other("30418827", "30418828"), is_other("(615) 555-0142", "(212) 555-0142")
    (True, False)
    """
    left = {run for run in _RUN.findall(old) if len(run) >= 4}
    return old.casefold() != new.casefold() and not any(run in new for run in left)


def _joined(text: str) -> str:
    """Return letters and digits alone: what 359-71-46 and 3597146 have in common."""
    return "".join(letter for letter in folded(text) if letter.isalnum())


def in_form_of(old: str, draws: Draws, use: str) -> str:
    """Draw digits for digits and letters for letters; the rest stays."""
    drawn = iter(draws.stream(len(old), use, _joined(old)))
    written: list[str] = []
    leading = True
    for letter in old:
        if not letter.isalnum():
            written.append(letter)
            continue
        byte = next(drawn)
        if letter.isdigit():
            written.append(str(1 + byte % 9 if leading and letter != "0" else byte % 10))
            leading = False
        else:
            letters = _UPPER if letter.isupper() else _LOWER
            written.append(letters[byte % len(letters)])
    return "".join(written)


def _phone(old: str, draws: Draws, use: str) -> str:
    """Draw a number that rings nowhere, in the form of the old one; extensions and short numbers anew."""
    if not _has_only(old, _PHONE_WORDS):
        return in_form_of(old, draws, use)
    extension = _EXTENSION.search(old)
    body, rest = (old[: extension.start()], extension.group()) if extension else (old, "")
    digits = [letter for letter in body if letter.isdigit()]
    national = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    new: list[str] | None = None
    if len(national) in (7, 10):
        drawn = draws.stream(4, use, "".join(national))
        area = f"{2 + drawn[0] % 8}{drawn[1] % 10}{2 + drawn[2] % 8}" if len(national) == 10 else ""
        new = [*digits[: len(digits) - len(national)], *area, *f"55501{drawn[3] % 100:02d}"]
    written = in_form_of(body, draws, use) if new is None else _filled(body, new)
    drawn_rest = iter(in_form_of("".join(_RUN.findall(rest)), draws, use + " extension"))
    return written + "".join(next(drawn_rest) if letter.isdigit() else letter for letter in rest)


def _ssn(old: str, draws: Draws, use: str) -> str:
    """Draw a number whose first digits (9xx, then 01 to 49) are neither issued nor used for taxes."""
    digits = [letter for letter in old if letter.isdigit()]
    if len(digits) != 9 or not _has_only(old, _SSN_WORDS):
        return in_form_of(old, draws, use)
    drawn = draws.stream(9, use, "".join(digits))
    group = f"{1 + drawn[2] % 49:02d}"
    new = ["9", str(drawn[0] % 10), str(drawn[1] % 10), *group, *(str(byte % 10) for byte in drawn[3:7])]
    return _filled(old, new)


def _has_only(text: str, words: frozenset[str]) -> bool:
    """Say whether all words of a text are among these, so that they may stay."""
    return all(word.lower() in words for word in _WORD.findall(text))


def _filled(old: str, digits: list[str]) -> str:
    """Put digits in the places of digits."""
    new = iter(digits)
    return "".join(next(new) if letter.isdigit() else letter for letter in old)


def _ip(old: str, draws: Draws, use: str) -> str:
    drawn = draws.stream(8, use, old.casefold())
    mac = _MAC.search(old)
    if mac is not None:
        between = mac.group()[2]
        return between.join(["00", "00", "5E", "00", "53", f"{drawn[0]:02X}"])
    if ":" in old:
        return f"2001:db8::{drawn[0] << 8 | drawn[1]:x}:{drawn[2] << 8 | drawn[3]:x}"
    return f"{_DOCUMENTATION[drawn[0] % 3]}.{1 + drawn[1] % 254}"


def _url(old: str, draws: Draws, use: str) -> str:
    cut = _URL.match(old)
    assert cut is not None  # every part may be empty
    scheme, www, _, path = cut.groups()
    written = f"{scheme or ''}{www or ''}example.org"
    shown = "".join(_LOWER[byte % len(_LOWER)] for byte in draws.stream(8, use, old.casefold()))
    return (
        f"{written}/{shown}"
        if path and len(path) > 1
        else (written if scheme or www else f"{shown}.example.org")
    )
