"""Who lives in the town of Lindenmoor: age, sex, ZIP code, family, schooling, work.

All figures are weights or thousandths made up in the likeness of official statistics.
"""

from __future__ import annotations

import numpy as np

from sfumato.demo._dice import Dice, Ints

RESIDENTS = (58, 60, 62, 63, 66, 68, 70, 66, 64, 60, 63, 66, 64, 55, 44, 31, 20, 11, 5, 2)
"""the age pyramid: people in each band of five years, from 0–4 to 95–99"""
ADMISSIONS = (150, 30, 25, 45, 70, 85, 85, 75, 75, 85, 100, 125, 155, 195, 250, 320, 390, 440, 460, 470)
"""how often people of each band go to hospital"""
FEMALE_RESIDENTS = (488,) * 8 + (495,) * 4 + (510, 520, 535, 560, 600, 660, 710, 760)
FEMALE_PATIENTS = (
    480,
    470,
    490,
    560,
    640,
    660,
    640,
    580,
    520,
    490,
    480,
    470,
    465,
    470,
    490,
    520,
    560,
    610,
    670,
    720,
)

_QUARTERS = {
    "8170": {1: 1450, 2: 1210, 3: 980, 4: 760, 5: 610, 6: 450, 8: 300},
    "8171": {1: 720, 2: 540, 3: 410, 5: 260, 7: 120},
    "8172": {1: 480, 2: 330, 4: 210, 6: 90},
    "8180": {2: 240, 4: 170, 7: 110, 9: 60},
    "8181": {3: 140, 5: 85, 8: 35},
    "8183": {1: 95, 6: 50, 9: 20},
    "8184": {4: 12, 7: 8},
}
ZIP_WEIGHTS = {f"{start}{end}": weight for start, ends in _QUARTERS.items() for end, weight in ends.items()}
"""a town, its suburbs and its villages; no such ZIP codes are in use"""
ZIPS = tuple(ZIP_WEIGHTS)

MARITAL = ("single", "cohabiting", "married", "separated", "divorced", "widowed")
MARITAL_GROUPS = {
    "single": "never partnered",
    "cohabiting": "partnered",
    "married": "partnered",
    "separated": "formerly partnered",
    "divorced": "formerly partnered",
    "widowed": "formerly partnered",
}
_MARITAL_AGES = (18, 25, 35, 45, 55, 65, 75, 85)
_MARITAL_WOMEN = (
    *((1000, 0, 0, 0, 0, 0), (820, 130, 45, 3, 2, 0), (400, 240, 320, 20, 20, 0), (190, 140, 540, 35, 90, 5)),
    *((120, 80, 590, 35, 160, 15), (80, 45, 610, 25, 190, 50), (50, 25, 560, 15, 170, 180)),
    *((40, 10, 380, 8, 100, 462), (50, 3, 150, 2, 55, 740)),
)
_MARITAL_MEN = (
    *((1000, 0, 0, 0, 0, 0), (890, 85, 22, 2, 1, 0), (510, 230, 230, 15, 15, 0), (250, 150, 500, 30, 68, 2)),
    *((160, 90, 580, 35, 130, 5), (120, 55, 630, 25, 155, 15), (75, 35, 690, 15, 130, 55)),
    *((50, 20, 680, 8, 80, 162), (45, 8, 520, 2, 45, 380)),
)

EDUCATION = (
    *("none yet", "primary school", "lower secondary", "upper secondary", "vocational training"),
    *("bachelor", "master", "doctorate"),
)
EDUCATION_GROUPS = {
    **dict.fromkeys(EDUCATION[:3], "basic"),
    **dict.fromkeys(EDUCATION[3:5], "intermediate"),
    **dict.fromkeys(EDUCATION[5:], "higher"),
}
_EDUCATION_AGES = (11, 16, 19, 25, 40, 60, 75)
_EDUCATION_WEIGHTS = (
    *((1000, 0, 0, 0, 0, 0, 0, 0), (60, 940, 0, 0, 0, 0, 0, 0), (5, 195, 700, 90, 10, 0, 0, 0)),
    *((0, 20, 150, 470, 220, 135, 5, 0), (0, 25, 120, 180, 330, 200, 125, 20)),
    *(
        (0, 40, 170, 200, 360, 125, 90, 15),
        (0, 110, 240, 190, 330, 70, 50, 10),
        (0, 260, 290, 150, 240, 35, 20, 5),
    ),
)

_SECTORS = {
    ("in care or education", "not in work"): ("preschool child", "pupil", "student"),
    ("at home", "not in work"): ("homemaker", "job seeker", "retired"),
    ("outdoors and trades", "in work"): ("farmer", "builder", "electrician", "mechanic"),
    ("transport and services", "in work"): (
        *(
            "driver",
            "warehouse worker",
            "cleaner",
            "cook",
            "sales assistant",
            "hairdresser",
            "police officer",
        ),
    ),
    ("health and education", "in work"): ("care assistant", "nurse", "doctor", "teacher"),
    ("office and technology", "in work"): (
        *("office clerk", "accountant", "manager", "engineer", "software developer", "lawyer"),
    ),
}
OCCUPATION_GROUPS = {job: group for group, jobs in _SECTORS.items() for job in jobs}
OCCUPATIONS = tuple(OCCUPATION_GROUPS)
_JOBS_BASIC = (40, 90, 10, 45, 110, 130, 120, 75, 100, 20, 2, 80, 3, 0, 0, 25, 0, 6, 0, 0, 0)
_JOBS_INTERMEDIATE = (35, 75, 60, 65, 55, 50, 20, 40, 110, 40, 30, 65, 85, 0, 10, 160, 40, 35, 10, 15, 0)
_JOBS_HIGHER = (8, 2, 3, 2, 3, 2, 1, 3, 15, 2, 20, 5, 50, 60, 170, 70, 80, 150, 120, 110, 40)
_OCCUPATION_WEIGHTS = (
    (1, 0, 0, 0, 0, 0, *(0,) * 21),
    (0, 1, 0, 0, 0, 0, *(0,) * 21),
    (0, 0, 900, 30, 160, 0, *_JOBS_INTERMEDIATE),
    (0, 0, 5, 180, 190, 30, *_JOBS_BASIC),
    (0, 0, 10, 75, 60, 20, *_JOBS_INTERMEDIATE),
    (0, 0, 25, 40, 35, 10, *_JOBS_HIGHER),
    (0, 0, 0, 90, 40, 1100, *_JOBS_INTERMEDIATE),
    (0, 0, 0, 25, 0, 960, 4, *(0,) * 16, 4, 0, 0, 2),
)

SMOKER = ("no", "former", "yes")
_SMOKER_AGES = (15, 25, 45, 65, 80)
_SMOKER_WEIGHTS = (
    (1, 0, 0),
    (750, 50, 200),
    (600, 150, 250),
    (520, 260, 220),
    (560, 320, 120),
    (700, 260, 40),
)


def draw_ages(dice: Dice, label: str, weights: Ints, count: int) -> Ints:
    """Return ages in years, from weights for each band of five years."""
    band = dice.pick(f"{label}: age band", weights, count)
    return band * 5 + dice.below(f"{label}: age in band", 5, count)


def draw_sex(dice: Dice, label: str, share: tuple[int, ...], age: Ints) -> Ints:
    """Return 1 for women and 0 for men, from the share of women in each band of five years."""
    return dice.chance(f"{label}: sex", np.array(share)[age // 5], len(age)).astype(np.int64)


def draw_zips(dice: Dice, label: str, count: int) -> Ints:
    """Return positions in ZIPS."""
    return dice.pick(f"{label}: zip", list(ZIP_WEIGHTS.values()), count)


def draw_marital(dice: Dice, age: Ints, female: Ints) -> Ints:
    """Return positions in MARITAL, by age and sex."""
    group = _band(_MARITAL_AGES, age) + np.where(female == 1, 0, len(_MARITAL_WOMEN))
    return dice.pick_by("marital status", _MARITAL_WOMEN + _MARITAL_MEN, group)


def draw_education(dice: Dice, age: Ints) -> Ints:
    """Return positions in EDUCATION, by age."""
    return dice.pick_by("education", _EDUCATION_WEIGHTS, _band(_EDUCATION_AGES, age))


def draw_occupation(dice: Dice, age: Ints, education: Ints) -> Ints:
    """Return positions in OCCUPATIONS, by age and, from 25 to 61, by education."""
    schooling = np.searchsorted(np.array([3, 5]), education, side="right")
    group = np.select([age < 6, age < 18, age < 25, age < 62, age < 67], [0, 1, 2, 3 + schooling, 6], 7)
    return dice.pick_by("occupation", _OCCUPATION_WEIGHTS, group)


def draw_smoker(dice: Dice, age: Ints) -> Ints:
    """Return positions in SMOKER, by age."""
    return dice.pick_by("smoker", _SMOKER_WEIGHTS, _band(_SMOKER_AGES, age))


def _band(starts: tuple[int, ...], age: Ints) -> Ints:
    return np.searchsorted(np.array(starts), age, side="right").astype(np.int64)
