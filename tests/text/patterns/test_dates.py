"""Dates are found in all spellings, and what only looks like one is left."""

from __future__ import annotations

import pytest

from sfumato.text.languages.en.dates import Dates
from tests.text.patterns.marking import as_found, lines, spans

FOUND = """
Admitted {22 July 2022}, discharged {July 29th, 2022}.
Seen {22-Jul-2013} and again {2013-07-21}.
Collected {7/21/13} and {07.20.2010}
European order {21.07.2013} is read too
Last visit {07 / 21 / 2013} as scanned
date: {20130721}
She fell on {7/21} and called
He fell on {7-21} at home
Stent {Jul '13}, biopsy {August 2022}
Moved here in the {summer of 2019}
Quit smoking in {2015}
Diabetic since {1998}, {2004} CABG in {2010}
on the {3rd of May} and again {May 3rd}
Clinic {Mon} {3/4} and {Thursday}
Ate well on {Christmas Day 2020}
Inpatient {7/21}-{7/24/2013}
Hospitalised {Jan 17-20, 2003}
Inpatient from {7/21/13} to {7/24/13}
Drawn {7/21/13} {14:30} and {7/22/2013} at {2:15 PM}
Timestamp {2013-07-21T10:30:00Z}
Returns on the {14th}.
Born {July⏎22, 1934} in the country
ADMITTED: {JUL 22 2013}
admitted {jul 22 2013}, left {28 april 2013}
{7/21}: afebrile, walking
{7/21} 0800 vitals stable
NURSING NOTE {5/28}
D: {7/21} T: {7/22}
Class of '{98}
DOB {03/25/18}
LMP {6/3}
ECG of {11/16} reviewed
the week of {7/21}, {7/23} and {7/25}
colonoscopy {3/2011}, EGD {11-2012}
Started in {March}, worse since {September}
Appendectomy {1998}. Hypertension ({2004}).
A smoker in the {1980s}
Signed {Sept. 3, 2012}.
DOB: {01 08 1937}
CT a/p {3/12} showed; f/u {6/1}; d/c {8/9}
the {4th day of March, 2019}; {2019 March 4}; {2013-Jul-21}
Hgb 10.4 ({9/12}), 11.2 ({9/14})
Given {21JUL2013}, {21-Jul-13}, {Jul2013}
Presented {12 Oct 21} with fever
{2013/07/21} and {2013-7-1}
It began in early {May} of this year
Next appointment {Monday}, {March 4th, 2013}
biopsy (S85-6764, {7/7}).
She fell {1/9}; tripped {5/29}; a stroke, {fall 2012}
Medic 12  {Sep. 17, 2016}
DOB:{7/15/1923} (Age
D.O.B.:  {2/26/74}, F/U {4/7/14}, Date: {12/21/98} Time: none
Yang,{9/9/2014},{10/10/2014},77398
Interventional pain {25-Apr-18}
"""

LEFT = """
BP 128/74, pain 3/10, Percocet 5/325 mg
BUN/Cr 18/1.1, INR 2.3, EF 55-60%
Strength 5/5 throughout, reflexes 2/4, 2/6 systolic murmur
Pain 7/10 at worst, rated 10/10 on arrival
She rates her current pain as 4/10 and improving
Visual acuity 20/40, 20/25; NPH 10/20 units
3-0 Vicryl, 2-0 silk, 14 Fr, 18-gauge
MRI of T12-L1, C5-C6, L4-5
1-2 weeks, 24/7, 7-10 days, 5-10 mg, 3-4 times
at 12:30, q12h, q4-6h, x3, 1/2 tab, 3/4 of the dose
G2P1, GCS 15, ICD E11.9, CPT 99213, stage 3/4
She may 3 times daily; they march 2 miles; had a fall 2 weeks ago
Patient may ambulate; Dec 20% from baseline
O2 sat 98 on room air; Sat 95%
on the 5th metatarsal, the 12th rib, 10th percentile
vitamin D 2000 IU, 2015 mL output, 1990 mg
day 2/7 of antibiotics, 12/24 h, 3/15 lymph nodes, I/O 12/8, 2/2 DVT
MMSE 28/30, MoCA 22/30, Apgars 8/9
sizes 3.2 x 1.1 x 0.4 cm; 1.5.2 of the manual
Spring water, fall risk, summer camp, will march on
13/45/2000 and 2/30/2003 are no days
phone 615-555-0142 and 555-0101
MRN 359-71-46, SSN 411-16-8757
"""


@pytest.mark.parametrize("line", lines(FOUND))
def test_a_date_is_found_as_it_was_written(line: str) -> None:
    assert as_found(line, Dates()) == line


@pytest.mark.parametrize("line", lines(LEFT))
def test_what_only_looks_like_a_date_is_left(line: str) -> None:
    assert as_found(line, Dates()) == line


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("on July 22, 2013", "full"),
        ("on 7/21", "partial"),
        ("in August 2022", "partial"),
        ("in 2015", "year"),
        ("on Monday", "weekday"),
        ("at Thanksgiving", "holiday"),
    ],
)
def test_a_label_says_how_much_of_a_date_there_is(text: str, label: str) -> None:
    assert [span.label for span in spans(text, Dates())] == [label]


def test_the_time_beside_a_date_is_a_span_of_its_own() -> None:
    found = spans("7/21/13 at 14:30", Dates())
    assert [(span.start, span.end, span.label) for span in found] == [(0, 7, "full"), (11, 16, "time")]
