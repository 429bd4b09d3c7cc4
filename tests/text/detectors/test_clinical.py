"""The clinical allow-list: what it keeps, and where it must be silent."""

from __future__ import annotations

import pytest

from sfumato.text.kinds import Kind
from sfumato.text.languages.en.clinical import EnglishClinical
from sfumato.text.page import Page


def kept(text: str) -> list[str]:
    spans = list(EnglishClinical().find(Page(text)))
    assert all(span.kind is Kind.CLINICAL for span in spans)
    return [span.of(text) for span in spans]


@pytest.mark.parametrize(
    ("text", "clinical"),
    [
        ("Foley catheter", "Foley catheter"),
        ("Parkinson's disease", "Parkinson's disease"),
        ("Parkinson’s disease", "Parkinson’s disease"),
        ("a Jackson-Pratt drain", "Jackson-Pratt drain"),
        ("Non-Hodgkin's lymphoma", "Non-Hodgkin's lymphoma"),
        ("Wolff-Parkinson-White syndrome", "Wolff-Parkinson-White syndrome"),
        ("mild Schmorl nodes", "Schmorl nodes"),
        ("Ringer's lactate", "Ringer's lactate"),
        ("BP 128/74 today", "BP 128/74"),
        ("Pain 3/10 at rest", "3/10"),
        ("MRI of T12-L1 showed", "T12-L1"),
        ("disc at L4-5", "L4-5"),
        ("closed with 3-0 Vicryl", "3-0"),
        ("Percocet 5/325 for pain", "Percocet 5/325"),
        ("BUN/Cr 18/1.1", "18/1.1"),
        ("WBC 11.2,", "11.2"),
        ("EF 55-60%", "55-60%"),
        ("a 3.2 x 1.1 x 0.4 cm core", "3.2 x 1.1 x 0.4 cm"),
        ("an 18-gauge needle", "18-gauge"),
        ("Gleason 3+4 disease", "Gleason"),
        ("Pain 6/10 at rest, 8/10 with movement", "8/10"),
        ("Strength 4/5 on the right and 5/5 on the left", "5/5"),
        ("Epworth 11/24", "11/24"),
        ("paid $1,204.00 today", "$1,204.00"),
        ("CPT 99214-25, 93000", "93000"),
        ("a G3P2012 woman", "G3P2012"),
        ("Sodium 139 mmol/L  136-145", "136-145"),
        ("no Zorkmid sign there", "Zorkmid sign"),
    ],
)
def test_medicine_is_kept(text: str, clinical: str) -> None:
    assert clinical in kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Foley",
        "Dr Foley catheterised him",
        "Mr. Parkinson",
        "Sonia Parkinson, MD",
        "Foley, Margaret",
        "J. Murphy",
        "seen on 7/21/2013 and 2013-07-21",
        "MRN 128-74-11",
        "phone 555-0101",
        "Attending: Bell",
        "3399 Beck Greens",
        "5994 Clark Port Apt 69",
        "home with Heinz-Günter.",
        "Tdap 1969",
        "cx 5/18 pos",
        "MRI 2011: no change",
        "Kalevi Romberg called",
        "Robinson DC",
        "Stevens 95017",
        "pain since 4/10",
        "seen by Crohn Cancer Institute",
    ],
)
def test_people_dates_and_numbers_of_people_are_not_claimed(text: str) -> None:
    assert kept(text) == []
