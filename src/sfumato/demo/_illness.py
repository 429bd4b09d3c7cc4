"""Why people are in hospital: diagnoses of ICD-10 by age and sex, other illnesses, stays, charges.

Codes, titles, blocks and chapters are those of the International Classification of Diseases (WHO);
how often they occur is made up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.demo._dice import Dice, Ints

AGE_STARTS = (1, 5, 15, 30, 45, 65, 80)
"""the age bands of this file: 0, 1–4, 5–14, 15–29, 30–44, 45–64, 65–79, 80 and older"""


class Illness(NamedTuple):
    """A diagnosis: how often it is the reason for a stay in each age band, and what the stay is like."""

    code: str
    title: str
    block: str
    weights: tuple[int, ...]
    days: int
    charge: int
    """per day"""
    sex: str = ""
    """F or M when only women or men have it"""
    winter: bool = False


PRINCIPAL = (
    Illness("A09", "Infectious gastroenteritis", "A00–A09", (80, 120, 70, 20, 12, 12, 20, 30), 3, 620),
    Illness("A41.9", "Sepsis", "A30–A49", (30, 10, 5, 6, 9, 25, 50, 75), 9, 1750),
    Illness("B20", "HIV disease", "B20–B24", (0, 0, 0, 4, 10, 8, 2, 0), 7, 1150),
    Illness("C18.9", "Malignant neoplasm of colon", "C15–C26", (0, 0, 0, 1, 7, 30, 42, 28), 10, 1500),
    Illness("C34.9", "Malignant neoplasm of lung", "C30–C39", (0, 0, 0, 0, 4, 36, 42, 16), 8, 1550),
    Illness("C50.9", "Malignant neoplasm of breast", "C50–C50", (0, 0, 0, 1, 22, 60, 38, 18), 4, 1700, "F"),
    Illness("C56", "Malignant neoplasm of ovary", "C51–C58", (0, 0, 0, 1, 5, 13, 11, 5), 7, 1600, "F"),
    Illness("C61", "Malignant neoplasm of prostate", "C60–C63", (0, 0, 0, 0, 1, 38, 62, 24), 5, 1550, "M"),
    Illness("D50.9", "Iron deficiency anaemia", "D50–D53", (2, 5, 3, 6, 9, 10, 16, 24), 3, 640),
    Illness("E10.9", "Type 1 diabetes mellitus", "E10–E14", (0, 12, 28, 14, 8, 5, 2, 1), 5, 760),
    Illness("E11.9", "Type 2 diabetes mellitus", "E10–E14", (0, 0, 0, 2, 12, 36, 42, 28), 6, 720),
    Illness("E86", "Volume depletion", "E70–E90", (30, 25, 8, 3, 3, 6, 18, 48), 3, 560),
    Illness("F10.2", "Alcohol dependence", "F10–F19", (0, 0, 0, 26, 48, 52, 12, 2), 11, 480),
    Illness("F20.0", "Paranoid schizophrenia", "F20–F29", (0, 0, 1, 26, 26, 16, 4, 1), 24, 450),
    Illness("F32.2", "Severe depressive episode", "F30–F39", (0, 0, 6, 32, 34, 34, 16, 8), 22, 440),
    Illness("G35", "Multiple sclerosis", "G35–G37", (0, 0, 0, 10, 14, 8, 2, 0), 6, 1050),
    Illness("G40.9", "Epilepsy", "G40–G47", (20, 34, 26, 16, 12, 14, 14, 14), 4, 800),
    Illness("I10", "Essential hypertension", "I10–I15", (0, 0, 0, 3, 12, 28, 34, 36), 4, 620),
    Illness("I20.0", "Unstable angina", "I20–I25", (0, 0, 0, 0, 8, 46, 48, 30), 4, 1350),
    Illness("I21.9", "Acute myocardial infarction", "I20–I25", (0, 0, 0, 1, 16, 66, 66, 58), 7, 2050),
    Illness("I48.9", "Atrial fibrillation", "I30–I52", (0, 0, 0, 2, 7, 36, 62, 56), 4, 1100),
    Illness("I50.9", "Heart failure", "I30–I52", (2, 0, 0, 1, 5, 36, 88, 155), 9, 980),
    Illness("I63.9", "Cerebral infarction", "I60–I69", (1, 0, 1, 2, 9, 42, 74, 90), 10, 1450),
    Illness("J10.1", "Influenza", "J09–J18", (24, 28, 14, 6, 5, 9, 18, 28), 4, 700, winter=True),
    Illness("J18.9", "Pneumonia", "J09–J18", (46, 64, 24, 8, 12, 32, 64, 108), 8, 860, winter=True),
    Illness("J20.9", "Acute bronchitis", "J20–J22", (130, 84, 14, 4, 5, 9, 16, 22), 3, 590, winter=True),
    Illness("J44.1", "Chronic obstructive pulmonary disease", "J40–J47", (0, 0, 0, 0, 5, 42, 62, 40), 8, 820),
    Illness("J45.9", "Asthma", "J40–J47", (6, 38, 34, 12, 9, 9, 7, 5), 3, 680),
    Illness("K35.8", "Acute appendicitis", "K35–K38", (0, 12, 86, 52, 24, 14, 7, 3), 3, 1500),
    Illness("K40.9", "Inguinal hernia", "K40–K46", (14, 16, 10, 12, 20, 42, 38, 18), 2, 1400),
    Illness("K80.2", "Gallstones", "K80–K87", (0, 0, 2, 24, 42, 48, 40, 28), 4, 1350),
    Illness("M16.9", "Arthrosis of hip", "M15–M19", (0, 0, 0, 1, 9, 62, 84, 34), 9, 1450),
    Illness("M54.5", "Low back pain", "M50–M54", (0, 0, 2, 18, 40, 52, 32, 18), 5, 590),
    Illness("N20.0", "Kidney stone", "N20–N23", (0, 1, 3, 22, 38, 42, 22, 9), 3, 1050),
    Illness("N39.0", "Urinary tract infection", "N30–N39", (34, 26, 14, 16, 12, 16, 34, 68), 5, 610),
    Illness("N40", "Hyperplasia of prostate", "N40–N51", (0, 0, 0, 0, 1, 34, 62, 30), 5, 1150, "M"),
    Illness("O80", "Single spontaneous delivery", "O80–O84", (0, 0, 0, 520, 560, 0, 0, 0), 3, 1050, "F"),
    Illness("O82", "Delivery by caesarean section", "O80–O84", (0, 0, 0, 150, 230, 0, 0, 0), 5, 1500, "F"),
    Illness("P07.3", "Preterm infant", "P05–P08", (520, 0, 0, 0, 0, 0, 0, 0), 21, 1900),
    Illness("S06.0", "Concussion", "S00–S09", (40, 84, 96, 46, 22, 20, 26, 44), 2, 720),
    Illness("S72.0", "Fracture of neck of femur", "S70–S79", (0, 0, 1, 2, 3, 14, 54, 165), 14, 1300),
    Illness("S82.8", "Fracture of lower leg", "S80–S89", (0, 14, 42, 38, 34, 34, 22, 18), 6, 1250),
    Illness("T78.4", "Allergic reaction", "T66–T78", (14, 26, 18, 9, 7, 6, 4, 3), 2, 640),
)
CODES = tuple(illness.code for illness in PRINCIPAL)

TOBACCO = "F17.2"
CHRONIC = {
    "D64.9": ("Anaemia", "D60–D64", (10, 8, 5, 20, 30, 50, 110, 190)),
    "E11.9": ("Type 2 diabetes mellitus", "E10–E14", (0, 0, 0, 5, 40, 150, 250, 230)),
    "E66.9": ("Obesity", "E65–E68", (0, 5, 30, 60, 100, 140, 110, 50)),
    "E78.5": ("Hyperlipidaemia", "E70–E90", (0, 0, 0, 10, 70, 250, 340, 270)),
    TOBACCO: ("Tobacco dependence", "F10–F19", (0, 0, 0, 620, 650, 640, 560, 400)),
    "F32.9": ("Depressive episode", "F30–F39", (0, 0, 5, 50, 70, 85, 70, 75)),
    "G30.9": ("Alzheimer disease", "G30–G32", (0, 0, 0, 0, 0, 4, 40, 150)),
    "I10": ("Essential hypertension", "I10–I15", (0, 0, 1, 15, 110, 400, 630, 710)),
    "I48.9": ("Atrial fibrillation", "I30–I52", (0, 0, 0, 2, 8, 50, 160, 270)),
    "I50.9": ("Heart failure", "I30–I52", (2, 0, 0, 1, 6, 45, 130, 280)),
    "J44.9": ("Chronic obstructive pulmonary disease", "J40–J47", (0, 0, 0, 1, 12, 80, 130, 110)),
    "J45.9": ("Asthma", "J40–J47", (3, 50, 70, 60, 50, 45, 40, 30)),
    "K21.9": ("Reflux disease", "K20–K31", (15, 5, 4, 25, 60, 110, 140, 130)),
    "M81.0": ("Osteoporosis", "M80–M85", (0, 0, 0, 0, 3, 40, 110, 190)),
    "N18.9": ("Chronic kidney disease", "N17–N19", (1, 1, 1, 3, 12, 50, 150, 290)),
}
"""title, block and frequency (in thousandths of the patients of each age band; of smokers for tobacco)"""

CHAPTERS = {
    **dict.fromkeys("AB", "Infectious diseases"),
    **dict.fromkeys("C", "Neoplasms"),
    **dict.fromkeys("D", "Blood and immune mechanism"),
    **dict.fromkeys("E", "Endocrine and metabolic diseases"),
    **dict.fromkeys("F", "Mental disorders"),
    **dict.fromkeys("G", "Nervous system"),
    **dict.fromkeys("I", "Circulatory system"),
    **dict.fromkeys("J", "Respiratory system"),
    **dict.fromkeys("K", "Digestive system"),
    **dict.fromkeys("M", "Musculoskeletal system"),
    **dict.fromkeys("N", "Genitourinary system"),
    **dict.fromkeys("O", "Pregnancy and childbirth"),
    **dict.fromkeys("P", "Perinatal conditions"),
    **dict.fromkeys("ST", "Injuries and other external causes"),
}
"""by the first letter, which decides the chapter for all codes of this file"""

_STAY = (30, 45, 55, 65, 70, 80, 90, 95, 100, 105, 110, 120, 130, 145, 160, 180, 210, 260, 340, 520)
"""twenty equally likely lengths of stay in percent of the typical one: many short, a few very long"""
_MONTHS = (108, 106, 104, 100, 98, 96, 92, 90, 97, 101, 103, 105)
_WINTER_MONTHS = (260, 240, 160, 80, 40, 25, 20, 20, 35, 70, 110, 180)
_WEEKDAYS = (120, 116, 112, 110, 104, 70, 68)


def age_band(age: Ints) -> Ints:
    """Return the age band of this file, 0 to 7."""
    return np.searchsorted(np.array(AGE_STARTS), age, side="right").astype(np.int64)


def draw_principal(dice: Dice, age: Ints, female: Ints) -> Ints:
    """Return positions in PRINCIPAL, by age and sex."""
    weights = np.array([illness.weights for illness in PRINCIPAL], np.int64).T
    men_only = np.array([illness.sex == "M" for illness in PRINCIPAL])
    women_only = np.array([illness.sex == "F" for illness in PRINCIPAL])
    table = np.concatenate([np.where(women_only, 0, weights), np.where(men_only, 0, weights)])
    return dice.pick_by("principal diagnosis", table, age_band(age) + len(weights) * female)


def draw_admission(dice: Dice, principal: Ints, first: np.datetime64, days: int) -> Ints:
    """Return days after ``first``: fewer at weekends, more respiratory infections in winter."""
    dates = first + np.arange(days)
    month = dates.astype("datetime64[M]").astype(np.int64) % 12
    weekday = (dates.astype(np.int64) + 3) % 7
    usual = np.array([_MONTHS, _WINTER_MONTHS], np.int64)[:, month] * np.array(_WEEKDAYS, np.int64)[weekday]
    winter = np.array([illness.winter for illness in PRINCIPAL], np.int64)
    return dice.pick_by("admission", usual, winter[principal])


def draw_stay(dice: Dice, principal: Ints, age: Ints) -> Ints:
    """Return days in hospital, at least one; older people stay a little longer."""
    typical = np.array([illness.days for illness in PRINCIPAL], np.int64)[principal]
    percent = np.array(_STAY, np.int64)[dice.below("stay", len(_STAY), len(age))]
    days = (typical * percent * (100 + np.maximum(age - 50, 0)) + 5000) // 10_000
    return np.asarray(np.maximum(1, days), np.int64)


def draw_charges(dice: Dice, principal: Ints, stay: Ints) -> Ints:
    """Return charges in whole dollars, rounded to tens: a fee, and a rate for each day."""
    daily = np.array([illness.charge for illness in PRINCIPAL], np.int64)[principal]
    percent = 80 + dice.below("charges: rate", 41, len(stay))
    return np.asarray((daily * (2 + stay) * percent // 100 + 5) // 10 * 10, np.int64)


def draw_chronic(dice: Dice, age: Ints, female: Ints, smokes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which of CHRONIC each patient has as well: one row for each patient."""
    band = age_band(age)
    having = np.zeros((len(age), len(CHRONIC)), np.bool_)
    for column, (code, (_, _, often)) in enumerate(CHRONIC.items()):
        rate = np.array(often, np.int64)[band]
        if code == TOBACCO:
            rate = np.where(smokes, rate, 0)
        elif code == "M81.0":
            rate = np.where(female == 1, rate * 3 // 2, rate // 3)
        having[:, column] = dice.chance(f"chronic: {code}", rate, len(age))
    return having
