"""The value of a field is what its label says, as far as it looks the part."""

from __future__ import annotations

import pytest

from sfumato.text.kinds import Kind
from sfumato.text.languages.en.fields import Fields
from tests.text.patterns.marking import as_found, lines, spans

FOUND = """
PHYSICIAN: {Jane Trần}, M.D.⏎PATIENT: {Parkitna, Michael P}.⏎MRN: 359
Name: {STEELE, SHIVANSH E}   DOB: 1/8/1937   SSN: 411-16-8757
PATHOLOGIST: {Rachel Hand}, MD   Electronically signed 2020-09-07
Dictated by {Jane Trần}, M.D. on 8/4/2022
Seen by {EW} and {M. Clark} in triage
Dear Dr. {Bilgin}:
Dear {Gabrielle},
cc: {Gabrielle Bilgin}
RE: {SMITH, JOHN}
Attending: {van der Berg, Willem} | PCP: {O'Neil}
Attending Physician | Dr. {A. Kumar} | Unit
Attending   {Maria Lopez Garcia}
Next of kin: {Carol Whitfield} (daughter) 555-0101
name: {ramiro bui}
Patient Name: {Garcia Lopez, Maria}
Employer: {Wagner Ltd}
Employer: {Roman, Wood and Bauer}
Facility: {Mercy General Hospital}   Unit: 4W
Address: {3897 Megan Land}, {Ovid} NY {14521}
City: {Omaha}
Electronically signed by: {SMITH, JOHN A} MD 7/21
Signed: {K. Brown}, RN
{DR}/{jt}
{JT}:{mb}
drawn by {EW}, RN
Initials: {J.T}.
Cardiologist: Dr. {Smith} and Dr. {Jones}
Surgeon: {Ahmed Al-Hashimi}, MD, FACS; Assistant: {Li Wei}
Patient: {John Smith} is here
Provider: {Johnson} MD
Name:	{Đặng Thị Hoa}	DOB
PCP: {May Chen}, DO
PCP {Kovalenko} (Paris). Last seen
Your nurses were {Thandiwe} and {Gonzalo}.
The surgeon was Dr. {Ahmed Kumar}; all well
Client: {Reza el-Haddad}
Transcribed: {BS}   6/10
Call back if worse.⏎-{XF}⏎
Signed off - {ON}
Username: {jsmith4}; Login: {kbrown}.
While you were in our care in the ward your nurses were {Ann} and {Nancy⏎Venkataraman}.
"""

LEFT = """
Mother: alive and well. Father: HTN, DM
Patient: Denies pain. Provider: Will follow up
RE: Follow-up Visit
To: Emergency Department
Nurse: notified. Contact: 555-1234
Seen by PT. Reviewed by RN. Followed by GI and ID.
Referred by: self. Employer: none. Address: unknown
The patient is stable and the physician agrees
name brand drugs; by mouth; given by nurse; drawn by venipuncture
The nurse was aware and the physician is here; Na - K; BP was OK
I:E ratio 1:2; A/P: stable; N/V; w/o
"""


@pytest.mark.parametrize("line", lines(FOUND))
def test_the_value_of_a_field_is_found(line: str) -> None:
    assert as_found(line, Fields()) == line


@pytest.mark.parametrize("line", lines(LEFT))
def test_a_value_that_does_not_look_the_part_is_left(line: str) -> None:
    assert as_found(line, Fields()) == line


@pytest.mark.parametrize(
    ("text", "kind", "label"),
    [
        ("Patient: Ann Holt", Kind.NAME, "patient"),
        ("Surgeon: Ann Holt", Kind.NAME, "doctor"),
        ("Next of kin: Ann Holt", Kind.NAME, "relative"),
        ("Seen by EW", Kind.NAME, "initials"),
        ("Employer: Holt Ltd", Kind.LOCATION, "organisation"),
        ("Hospital: Mercy West", Kind.LOCATION, "hospital"),
    ],
)
def test_the_label_of_the_field_says_who_or_what_it_is(text: str, kind: Kind, label: str) -> None:
    assert [(span.kind, span.label) for span in spans(text, Fields())] == [(kind, label)]


def test_a_name_written_with_combining_accents_is_found_whole() -> None:
    text = "Patient: Jose\u0301 Ma\u0301rquez\nMRN"
    assert [span.of(text) for span in spans(text, Fields())] == ["Jose\u0301 Ma\u0301rquez"]
