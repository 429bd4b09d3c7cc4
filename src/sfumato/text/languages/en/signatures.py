"""Initials where nothing but a person can stand, whatever else the same letters mean elsewhere.

"DM" is an illness and "NS" a fluid; but what signs out a patient at a certain hour, closes a note before its
date, or is 53 years old is somebody. These places are so narrow that the letters need not be looked at, but
for methods of examination ("confirmed by CT at 10:30") and labels of dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.folding import listed
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import Span

SIGNED = 0.96
"""above what an abbreviation of medicine claims"""
_TWO = r"[^\W\d_a-z]{2,3}"
_MONTH = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
_DATE = (
    r"(?:[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{2,4}|[0-9]{1,2}[ -]?(?:" + _MONTH + r")[a-zA-Z]{0,6}\.?"
    r"(?:[ ,-]{1,2}[0-9]{2,4})?|(?:"
    + _MONTH
    + r")[a-zA-Z]{0,6}\.? [0-9]{1,2}(?:st|nd|rd|th)?(?:,? [0-9]{2,4})?)"
)
_CLOSES = re.compile(rf"^[ \t]*(?P<v>{_TWO})[ ]{{1,3}}{_DATE}\s{{0,9}}\Z", re.MULTILINE)
_DICTATES = re.compile(
    rf"{_DATE}[ ]{{1,4}}(?P<v>{_TWO})[ ]?[/:][ ]?(?P<two>{_TWO}|[a-z]{{2,3}})[ \t]*\r?$", re.MULTILINE
)
_OF_AGE = re.compile(
    rf"(?:^|[.!?:][ \t]{{1,2}})(?P<v>{_TWO})(?= is an? [0-9]{{1,3}}[- ]?(?:y|m\.?o|month|week|day))",
    re.MULTILINE,
)
_BY = re.compile(
    r"(?:(?i:signed(?: out| off)?|started|stopped|ended|given|drawn|called|reported|checked|verified|"
    r"relieved|witnessed|administered|entered|transcribed|dictated|accompanied)|"
    rf"[0-9]{{1,2}}:[0-9]{{2}}(?: ?[ap]m)?|[0-9]{{4}}) by (?P<v>{_TWO})(?=[.,;)]?(?:\s|$))"
)
_NOBODY = listed("""
    ct mri mr us pcr ekg ecg eeg emg tte tee cxr xr ivf ng og ngt ogt pt ot st slp gi ent er ed or icu ems md
    rn np pa do ir iv po im sc hd sw cm rt lab ob gyn fax mom dad son the edd lmp dob dos doa dod due exp adm
    dis fu mi cva tia dvt pe cap date per seen on cc
""")
"""what does things or stands before dates without being somebody"""


@dataclass(frozen=True)
class Signatures:
    """Proposes initials by their place alone.

    >>> text = "Signed out by NS at 03:12.\\nDM 13 July 2018"
    >>> [span.of(text) for span in Signatures().find(Page(text))]
    ['DM', 'NS']
    """

    name: str = "en.signatures"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at the ends of lines, and behind words for what somebody did."""
        for form in (_CLOSES, _DICTATES, _OF_AGE, _BY):
            for found in form.finditer(page.text):
                if found["v"].lower() not in _NOBODY:
                    yield from (self._span(found, group) for group in form.groupindex)

    def _span(self, found: re.Match[str], group: str) -> Span:
        return Span(*found.span(group), Kind.NAME, "initials", SIGNED, self.name)
