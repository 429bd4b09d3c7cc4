"""Numbers that can be dialled are found in every form; amounts and ranges are left."""

from __future__ import annotations

import pytest

from sfumato.text.languages.en.phones import Phones
from tests.text.patterns.marking import as_found, lines, spans

FOUND = """
Call {+1 485 935 3581} with questions.
reached at {587.637.3230} or {(615) 555-0142 x123}
Phone: {760-6027}  Fax: {232-890-5858}
Office {(615)555-0142}, toll free {1-800-555-0199}
Tel {+44 20 7946 0958}; from abroad {011 44 20 7946 0958}
{219-876-7122 x227} or {219-876-7122 ext. 2493}
Paged Dr Sama pgr {43180} re: hypotension
beeper #{4321}, pager number is {4-3210}
Cell: {6155550142}
call her on {555-0101}
H: {555-1234} W: {555-9999}
Daughter ({615 555 0142})
Tel. {020 7946 0958}
ext {4521}, or x{4522}
Phone | {(212) 555-0101} |
FAX {212.555.0101}
Mob: {07523 305248}
Contact parent at {0706 8110350}.
"""

LEFT = """
Call 911; call in 2 weeks; phone 3 times a day
100-2000 mg, 150-1000 mL, 120-1400 units
BP 128/74, WBC 11.2, Na 138, 3-0 Vicryl
text 5 words, contact 2 days, page 3 of 4
reached 98.6, called at 12:30, dial 0
Encounter of 7/21/2013, seen 2013-07-21
"""


@pytest.mark.parametrize("line", lines(FOUND))
def test_a_number_that_can_be_dialled_is_found(line: str) -> None:
    assert as_found(line, Phones()) == line


@pytest.mark.parametrize("line", lines(LEFT))
def test_other_numbers_are_left(line: str) -> None:
    assert as_found(line, Phones()) == line


@pytest.mark.parametrize(
    ("text", "label"), [("Fax: 232-890-5858", "fax"), ("pgr 43180", "pager"), ("Phone: 760-6027", "phone")]
)
def test_the_label_says_what_rings(text: str, label: str) -> None:
    assert [span.label for span in spans(text, Phones())] == [label]
