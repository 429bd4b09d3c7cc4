"""Numbers that carry their own proof: payment cards, IBAN, vehicle numbers, unique device identifiers.

An account number is known by its country and length, too: a digit may be mistyped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.detectors.patterns.checks import iban, luhn, vehicle_number
from sfumato.text.detectors.patterns.machinery import begins_number
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, SURE, Span

_CARD = re.compile(r"[3-6][0-9]{3}(?P<s>[ -]?)[0-9]{4,6}(?P=s)[0-9]{4,5}(?:(?P=s)[0-9]{1,7})?(?![0-9])")
_DEVICE = re.compile(
    r"\(01\)\s?[0-9]{14}(?:\s?\((?:1[0-7]|2[01]|24[01]|30|8005)\)\s?[A-Za-z0-9./-]{1,20}){0,6}"
)
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])")
IBAN_LENGTHS = {
    "AD": 24, "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20,
    "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26, "IT": 27,
    "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25,
    "RO": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26,
}  # fmt: skip
"""letters and digits of an account number, by country (ISO 13616)"""
_LONG = 17


@dataclass(frozen=True)
class Accounts:
    """Proposes numbers whose check digits fit."""

    name: str = "accounts"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at long numbers and codes."""
        text, starts = page.text, page.tokens.starts
        words = page.tokens.words
        for place in page.numbers:
            start = starts[place]
            if len(words[place]) >= 4 and begins_number(text, start):
                found = _CARD.match(text, start)
                if found is not None:
                    digits = re.sub(r"\D", "", found.group())
                    if 13 <= len(digits) <= 19 and luhn(digits):
                        yield Span(start, found.end(), Kind.ID, "card", LIKELY, self.name)
        for place, word in enumerate(words):
            if len(word) == _LONG and vehicle_number(word):
                yield Span(starts[place], starts[place] + _LONG, Kind.ID, "vehicle", SURE, self.name)
            elif word[:2].isupper() and word[2:4].isdecimal() and word[:2].isalpha():
                found = _IBAN.match(text, starts[place])
                if found is not None:
                    yield from self._iban(text, found)
        if "(01)" in text:
            for found in _DEVICE.finditer(text):
                yield Span(*found.span(), Kind.ID, "device", SURE, self.name)

    def _iban(self, text: str, found: re.Match[str]) -> Iterator[Span]:
        """Propose what is as long as accounts of its country, though a digit may be wrong.

        Of other countries, propose the longest beginning that fits: what follows may be the next word.
        """
        start, end = found.span()
        place, left = start, IBAN_LENGTHS.get(text[start : start + 2], 0)
        while left and place < end:
            left -= text[place] != " "
            place += 1
        if place > start and not left and not text[place : place + 1].isalnum():
            # A shorter beginning may fit by chance: one in 97 does.
            fits = iban(text[start:place].replace(" ", ""))
            yield Span(start, place, Kind.ID, "iban", SURE if fits else LIKELY, self.name)
            return
        while end - start >= 15:
            if iban(text[start:end].replace(" ", "")):
                yield Span(start, end, Kind.ID, "iban", SURE, self.name)
                return
            end = text.rfind(" ", start, end)
