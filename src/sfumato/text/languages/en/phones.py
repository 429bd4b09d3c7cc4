"""Telephone, fax and pager numbers in English notes.

North American numbers by their form (3-3-4, with separators); seven digits (``555-0101``) by form and
context; anything longer after a plus sign; and whatever digits follow a word that announces them (``pgr
43180``, ``ext 12``). The library phonenumbers is not asked: it does not know bare ``555-0101``, rejects the
invented numbers that notes are full of, and is slower than all of this together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import begins_number, compiled, words_after, words_before
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE, SURE, Span

_EXTENSION = r"(?:[\s,;]{0,2}(?:x|ext\b\.?|extn\b\.?|extension)\s{0,2}[:#.]?\s{0,2}[0-9]{1,6}\b)?"
_AMERICAN = compiled(
    rf"(?:1[\s.-])?(?:\([0-9]{{3}}\)\s{{0,2}}[-.]?\s?|[0-9]{{3}}\s?[-./\u2013]\s?|[0-9]{{3}}\s)[0-9]{{3}}(?:\s?[-.\u2013]\s?|\s)[0-9]{{4}}(?![0-9]|[-/.][0-9]){_EXTENSION}"
)
_OPENED = compiled(
    rf"\((?:\+?1[\s.-])?[0-9]{{3}}\)\s{{0,2}}[-./]?\s?[0-9]{{3}}\s?[-.\u2013\s]?\s?[0-9]{{4}}(?![0-9]){_EXTENSION}"
)
_PLUS = compiled(rf"\+\s?[0-9]{{1,3}}(?:[\s.()/-]{{0,2}}[0-9]{{1,5}}){{2,7}}(?![0-9]){_EXTENSION}")
_ABROAD = compiled(
    rf"(?:011|00)[\s-]?[1-9][0-9]{{0,2}}(?:[\s.()-]{{1,2}}[0-9]{{1,5}}){{2,6}}(?![0-9]){_EXTENSION}"
)
_LOCAL = compiled(rf"[0-9]{{3}}[-\u2013][0-9]{{4}}(?![0-9a-z]|[-/.\u2013][0-9]|\s?%){_EXTENSION}")
_TRUNK = compiled(rf"0[0-9]{{2,4}}\s[0-9]{{6,8}}(?![0-9]|[-/.][0-9]){_EXTENSION}")
"""as in Britain: the code of a town, then the number"""
_ANY = r"(?:\+?\(?[0-9][0-9\s().\u2013/-]{2,22}[0-9]|[0-9]{3,15}|[0-9]-[0-9]{4})(?![0-9])"
_SAID = compiled(
    rf"""(?:(?:tele)?phones?|tel|ph|mob|cell(?:ular|phone)?|mobile|fax|facsimile|pagers?|pgr|pg|bpr|beepers?|bleep
    |hotline|voicemail|vm|callback|landline|paged|page(?=\s(?:me|us|him|her|at|number|x)\b|\s?\#|\s[0-9]{{4,6}}\b)
    |call|text|contact|reached|reach|dial)\b\.?
    (?:\s{{0,2}}(?:phone|number|numbers|no\b\.?|nos\b\.?|num\b\.?|\#|is|was|are|at|to|on|line|home|work|office|cell|mobile|me|us|him|her|them|directly|back|/|\(?[hcwom]\)))*
    \s{{0,3}}[:=\#|\t(]{{0,2}}\s{{0,3}}(?P<v>{_ANY}{_EXTENSION})"""
)
_PLACED = compiled(
    rf"(?:home|work|office|cell|mobile|direct|main|clinic|day|evening|night|h|w|c|o|m|p|f|t)\s?(?:\#|:|\(?phone\)?:?)\s{{0,3}}(?P<v>{_ANY}{_EXTENSION})"
)
_EXTENDED = compiled(r"(?:ext|extn|extension)\b\.?\s{0,2}[:#]?\s{0,2}(?P<v>[0-9]{2,6}|[0-9]-[0-9]{4})\b")
_SAYERS = listed(
    "telephone telephones phone phones tel ph mob cell cellular cellphone mobile fax facsimile pager pagers "
    "pgr pg bpr beeper beepers bleep hotline voicemail vm callback landline paged page call text contact "
    "reached reach dial"
)
_PLACES = listed("home work office cell mobile direct main clinic day evening night h w c o m p f t")
_SURE_SAYERS = listed(
    "telephone phone tel ph mob cell cellphone fax facsimile pager pgr beeper bleep bpr mobile page paged"
)
_UNITS = listed(
    "mg mcg ml cc units kcal calories calorie steps hours hrs mm cm kg g lbs days feet ft iu meq cells u l"
)


@dataclass(frozen=True)
class Phones:
    """Proposes numbers that can be dialled."""

    name: str = "en.phones"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at numbers, at plus signs and brackets before them, and at words that announce them."""
        text, starts = page.text, page.tokens.starts
        for place in page.numbers:
            yield from self._at_number(text, starts[place])
        for word in page.places.keys() & _SAYERS:
            for place in page.places[word]:
                yield from self._said(_SAID, text, starts[place], word)
        for word in page.places.keys() & _PLACES:
            for place in page.places[word]:
                yield from self._said(_PLACED, text, starts[place], word)
        for word in page.places.keys() & {"ext", "extn", "extension"}:
            for place in page.places[word]:
                found = _EXTENDED.match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span("v"), "phone", PROBABLE)
        for word in page.places:
            if word[0] == "x" and 5 <= len(word) <= 6 and word[1:].isdecimal():
                for place in page.places[word]:
                    yield self._span(starts[place] + 1, starts[place] + len(word), "phone", PROBABLE)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.PHONE, label, certainty, self.name)

    def _at_number(self, text: str, start: int) -> Iterator[Span]:
        before = text[start - 1] if start else ""
        if before == "(":
            found = _OPENED.match(text, start - 1)
            if found is not None:
                yield self._span(start - 1, found.end(), _label(text, start), LIKELY)
                return
        plus = start - 1 if before == "+" else start - 2 if text[max(0, start - 2) : start] == "+ " else None
        if plus is not None and plus >= 0:
            found = _PLUS.match(text, plus)
            if found is not None and 8 <= sum(letter.isdigit() for letter in found.group()) <= 20:
                yield self._span(plus, found.end(), _label(text, start), LIKELY)
                return
        if not begins_number(text, start):
            return
        found = _AMERICAN.match(text, start)
        if found is not None:
            joined = " " not in found.group()[:12] or words_before(text, start, 1)[:1] in (["at"], ["call"])
            yield self._span(start, found.end(), _label(text, start), LIKELY if joined else PROBABLE)
            return
        found = _ABROAD.match(text, start)
        if found is not None and 9 <= sum(letter.isdigit() for letter in found.group()) <= 17:
            yield self._span(start, found.end(), _label(text, start), PROBABLE)
            return
        found = _TRUNK.match(text, start)
        if found is not None:
            yield self._span(start, found.end(), _label(text, start), PROBABLE)
            return
        found = _LOCAL.match(text, start)
        if found is not None and not _UNITS.intersection(words_after(text, found.end(), 1)):
            yield self._span(start, found.end(), _label(text, start), PROBABLE)

    def _said(self, form: re.Pattern[str], text: str, start: int, word: str) -> Iterator[Span]:
        found = form.match(text, start)
        if found is None:
            return
        first, end = found.span("v")
        digits = sum(letter.isdigit() for letter in found["v"])
        sure = word in _SURE_SAYERS
        if digits < (4 if sure else 7) or digits > 20 or _UNITS.intersection(words_after(text, end, 1)):
            return
        if re.fullmatch(
            r"[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2,4}.*|(?:19|20)[0-9]{2}", found["v"], re.DOTALL
        ):
            return
        yield self._span(first, end, _label(text, first), SURE if sure and digits > 4 else PROBABLE)


def _label(text: str, start: int) -> str:
    words = words_before(text, start, 4)
    for word in words:
        if word in ("fax", "facsimile", "f"):
            return "fax"
        if word in ("pager", "pgr", "pg", "beeper", "bpr", "bleep", "paged", "page"):
            return "pager"
        if word in ("phone", "tel", "telephone", "cell", "mobile"):
            break
    return "phone"
