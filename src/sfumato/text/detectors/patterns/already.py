"""What was de-identified before: tags and blanks of earlier systems are left as they are.

They are proposed as clinical content with full certainty, so that nothing inside is replaced again and
de-identifying twice gives the same text as once: ``**NAME[AAA]`` (DE-ID), ``[**2101-3-4**]`` (PhysioNet),
``NAME-K7…``, ``<NAME>``, ``[REDACTED]``, ``XXXX``, ``***``, ``____``. Only words that earlier systems print
count: a name in bold (``**SMITH**``) or in brackets is no tag, and codes inside a name's tag are one letter,
three of any sort, or the same one several times.

Letters in their order stand in for somebody as well, where people removed names by hand: ``Dr. X``,
``Ms. ABC``, ``XYZ Hospital``. Other single letters behind a title may be somebody's initial, and so may Y and
Z, unless X is somebody in the same note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_uppercase

from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import Span

LABEL = "already"
PLACEHOLDER = "placeholder"
_WORD = (
    r"(?:PATIENT|PERSON|FIRST|LAST|FULL|DOCTOR|PHYSICIAN|PROVIDER|STAFF|HOSPITAL|FACILITY|INSTITUTION|ORGANI[SZ]ATION|"
    r"ORG|NAME|NAMES|INITIALS|DATE|DATES|DOB|AGE|LOCATION|ADDRESS|STREET|CITY|STATE|ZIP|ZIPCODE|COUNTY|COUNTRY|"
    r"PHONE|TELEPHONE|FAX|PAGER|EMAIL|URL|IP|SSN|MRN|ID|ID-NUM|IDNUM|NUMBER|ACCOUNT|DEVICE|LICEN[CS]E|USERNAME|"
    r"PROFESSION|CONTACT|PHI|PII|REDACTED|REMOVED|DELETED|DE-IDENTIFIED|DEIDENTIFIED|ANONYMI[SZ]ED|MASKED|HIDDEN|"
    r"BLANK|OTHER|RELATIVE|EMPLOYER|PLACE|ROOM|ACCESSION|SUPPRESSED|WITHHELD)"
)
_TAGGED = rf"{_WORD}(?:[ _-]{{1,2}}(?:{_WORD}|[0-9]{{1,6}}|[A-Z]\b)){{0,4}}(?::?\s?[0-9]{{1,6}})?"
_CODE = "(?:[A-Z]{3}[0-9]{0,6}|[A-Z]|" + "|".join(f"{letter}{{4,6}}" for letter in ascii_uppercase) + ")"
_STARRED = re.compile(
    r"\[\*\*[^\]\n*]{0,200}\*\*\]"
    rf"|\*\*NAMES?\[[^\w\]\n]{{0,2}}{_CODE}(?:[^\w\]]{{1,3}}{_CODE}\b){{0,6}}[^\w\]\n]{{0,2}}\]"
    r"|\*\*(?:DATE|DATES|DOB)\[[^\]\n]{0,60}\]|\*\*AGE\[(?:over 89|in [0-9]{1,2}0s|[0-9+-]{1,7})\]"
    rf"|\*\*(?!NAMES?\[){_WORD}(?![A-Za-z])(?:-[A-Z]{{2,12}}\b)?"
)
_CODED = re.compile(
    r"\b(?:NAME|DATE|AGE|LOCATION|PHONE|EMAIL|URL|IP-ADDRESS|SSN|ID-NUM|PROFESSION|SEX|OTHER|STREET|CITY|COUNTY"
    r"|STATE|COUNTRY|ZIP-CODE|INSTITUTION|ROOM)-(?=[A-Z]*(?:[2-7]|Q[A-TV-Z]|[B-DF-HJ-NP-TV-XZ]{4}))[A-Z2-7]{16,52}\b"
)
_BRACKETED = re.compile(
    rf"\[\[?\s?{_TAGGED}\s?\]?\]|<<?\s?/?{_TAGGED}\s?>?>|\{{\{{?\s?{_TAGGED}\s?\}}?\}}", re.IGNORECASE
)
_BLANKS = re.compile(
    r"_{3,}|\*{3,}(?:-\*{2,}){0,3}|[\u2588\u25a0]{2,}"
    r"|(?<![A-Za-z])[Xx]{3,}(?:[-/ .][Xx]{2,}){0,5}(?![A-Za-z])"
)
_TITLED = r"\b(?:Dr|Drs|Mr|Mrs|Ms|Miss|Prof|Doctor)\.?[ ]"
_PLACEHOLDERS = re.compile(
    rf"{_TITLED}(?P<who>X|XYZ|XXX?|ABCD?)\b(?![.]?[ ]?[A-Z][a-z]|['\u2019-][A-Z])"
    r"|\b(?P<where>(?:ABCD?|XYZ)(?:[ ](?:General|Medical|Memorial|Regional|Community|University)){0,2}"
    r"[ ](?:Hospital|Center|Centre|Clinic|Office))\b"
    r"|(?<![\w-])(?P<some>XYZ|ABCD|WXYZ)(?![\w-]|[ ][A-Z][a-z])"
)
_OTHERS = re.compile(rf"{_TITLED}(?P<who>[YZ])\b(?![.]?[ ]?[A-Z][a-z]|['\u2019-][A-Z])")


@dataclass(frozen=True)
class Already:
    """Proposes tags and blanks of earlier de-identification, as content that stays."""

    name: str = "already"

    def find(self, page: Page) -> Iterator[Span]:
        """Look where stars, brackets and runs of x or underscores stand."""
        text, places = page.text, page.places
        if "*" in places:
            yield from self._all(_STARRED, text)
        if "[" in places or "<" in places or "{" in places:
            yield from self._all(_BRACKETED, text)
        if "-" in places:
            yield from self._all(_CODED, text)
        if "_" in places or "***" in text or "xx" in text.lower() or "\u2588" in text or "\u25a0" in text:
            yield from self._all(_BLANKS, text)
        if not page.places.keys().isdisjoint(("x", "xx", "xxx", "xyz", "abc", "abcd", "wxyz")):
            yield from self._placeholders(text)

    def _placeholders(self, text: str) -> Iterator[Span]:
        found = [*_PLACEHOLDERS.finditer(text)]
        if any(one["who"] == "X" for one in found):
            found += _OTHERS.finditer(text)
        for one in found:
            yield Span(*one.span(one.lastgroup or 0), Kind.CLINICAL, PLACEHOLDER, 1.0, self.name)

    def _all(self, form: re.Pattern[str], text: str) -> Iterator[Span]:
        for found in form.finditer(text):
            yield Span(*found.span(), Kind.CLINICAL, LABEL, 1.0, self.name)
