"""Numbers and codes that identify are found by label, by form and by check digit; clinical ones are left."""

from __future__ import annotations

import pytest

from sfumato.text.kinds import Kind
from sfumato.text.languages.en.numbers import Numbers
from tests.text.patterns.marking import as_found, lines, spans

FOUND = """
MRN: {359-71-46}
MRN {8044469}, MRN# {36210288}, mrn is {556677}
see {MRN438784} for more
Medical Record No. {12 34 56}
Medical record number: {A-10-442}
MRN | {445566} | Unit
ID:⏎  {12345}
Patient ID: {A12345B}
SSN: {411-16-8757}
SSN {990-43-7654} as registered
ssn {411168757}; SSN ending in {1234}; last four {1234}
SSN xxx-xx-{1234}
soc sec # {411 16 8757}
nodes ({SH-62-15830}) and {S72-6063}, {ME81073895}
accession {S13-22114}
Insurance ID: {CEU198768573}
Acct: {7260303760}, account number {12345}
policy # {AB-1234}, Group No: {5512}, Member ID {W1234}
Case #: {S-1234}; Specimen No. {22-114}
DEA {BB1388568}, NPI {1234567893}
lot {12A45}, serial no. {XK-22-9}
passport {123456789}, DL# {D1234567}
Medicare {1EG4-TE5-MK73}
encounter {100234}, Claim {77-1234-A}
Visit Number: {8891}, order #{4521}
license plate {7ABC123}, VIN {1M8GDM9AXKP042788}
bracelet {30418827} was checked
Job ID: {88123}
certificate no {55-1234} of live birth
ref no. {2019/442}
Accession No.: {21:CH0012345R}
CT# {99812} compared
MR# {00-44-21-8}
MR No. = {GSR-499-28579-778050}
Case 4, #{HT23309-12448}; biopsy {G-3412-7753347}; sample ({90:C18668})
Request {V0T5GA8H}, Hospital #: {397115 1}
Previous cases: {CY-2005-52317}
Visa ending {1383}; card ending in {4421}; acct last 4 {9911}
his car, tag {QHG 5546}, left; plate # {7XYZ-123}
HIC {9UU7-ZX7-MK72}; EDIPI {1493504377}; INCIDENT # {CLM-2022-628405}
"""

LEFT = """
platelets 234000, 150,000 copies, WBC 11.2, RBC count 4500000
2018-2019, 1500-2000 kcal, 1000-1500 mL, 400-600 mg
CPT 99213, ICD E11.9, C34.90, G2P1, LOINC 2345-7, SNOMED 73211009
HLA-B27, COVID-19, BRCA1, CD20, T12-L1, C5-C6, SARS-CoV-2, HPV 16
PLAN: 1. continue. 2. follow
Group 2, case 3, stage 4, specimen 2, slide 3, block A1, order 5 labs
member since 2015; policy of 2010; claims 3 falls; visit in 2 weeks
ID consult 2 days ago; serial exams q4h; serial troponins 0.04
Chart reviewed 2013; patient is 45; lab 140; Labs: 140
BP 128/74, 5/325 mg, 3/10, 18/1.1, INR 2.3, EF 55-60%
Encounter date: 1/2/2013; visit 2/3/13
dispense #60, refill #3, POD #3
Visit 20:59-16:33; Na138/K4; ABCDEFGH; 12/24/48 h; COVID19; 20MG/5ML; C34.90/E11.65
the shift 2300-0700; skin tag 3 mm; growth plate 2 cm; dental plate is new
3-0 Vicryl, 2-0 silk, 14 Fr, 18 gauge, 500 mL, 20/40
"""


@pytest.mark.parametrize("line", lines(FOUND))
def test_an_identifier_is_found(line: str) -> None:
    assert as_found(line, Numbers()) == line


@pytest.mark.parametrize("line", lines(LEFT))
def test_a_clinical_number_is_left(line: str) -> None:
    assert as_found(line, Numbers()) == line


@pytest.mark.parametrize(
    ("text", "kind", "label"),
    [
        ("MRN: 8044469", Kind.ID, "mrn"),
        ("Acct: 7260303760", Kind.ID, "account"),
        ("policy # AB-1234", Kind.ID, "plan"),
        ("DEA BB1388568", Kind.ID, "licence"),
        ("serial no. XK-22-9", Kind.ID, "device"),
        ("license plate 7ABC123", Kind.ID, "vehicle"),
        ("accession S13-22114", Kind.ID, "accession"),
        ("passport 123456789", Kind.ID, "national"),
        ("SSN: 411-16-8757", Kind.SSN, ""),
    ],
)
def test_the_label_says_what_is_numbered(text: str, kind: Kind, label: str) -> None:
    assert [(span.kind, span.label) for span in spans(text, Numbers())] == [(kind, label)]


def test_a_number_that_no_area_has_is_less_certain_to_be_a_social_security_number() -> None:
    fits, fits_not = (spans(text, Numbers())[0].certainty for text in ("411-16-8757", "990-43-7654"))
    assert fits > fits_not
