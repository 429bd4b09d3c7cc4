"""What was de-identified before: tags and blanks of earlier systems are left as they are.

They are proposed as clinical content with full certainty, so that nothing inside is replaced again and
de-identifying twice gives the same text as once: ``**NAME[AAA]`` (DE-ID), ``[**2101-3-4**]`` (PhysioNet),
``NAME-K7…``, ``<NAME>``, ``[REDACTED]``, ``XXXX``, ``***``, ``____``. Only words that earlier systems print
count: a name in bold (``**SMITH**``) or in brackets is no tag, and codes inside a name's tag are one letter,
three of any sort, or the same one several times.
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

    def _all(self, form: re.Pattern[str], text: str) -> Iterator[Span]:
        for found in form.finditer(text):
            yield Span(*found.span(), Kind.CLINICAL, LABEL, 1.0, self.name)
