"""The patients themselves: every column drawn once, kept as small integers until it is written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.demo import _illness, _people
from sfumato.demo._dice import Dice, Ints
from sfumato.demo._names import draw_names

FIRST_DAY = np.datetime64("2023-01-01")
DAYS = 731
EARLIEST = np.datetime64("1900-01-01")

Dates = NDArray[np.datetime64]


@dataclass(frozen=True)
class Patients:
    """One stay of each patient; most numbers are positions in the lists of the neighbour files."""

    number: Ints
    ssn: Ints
    record: Ints
    first_name: Ints
    surname: Ints
    birth: Dates
    age: Ints
    female: Ints
    zip: Ints
    marital: Ints
    education: Ints
    occupation: Ints
    smoker: Ints
    principal: Ints
    admission: Dates
    stay: Ints
    charges: Ints
    chronic: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.age)


def born(on: Dates, age: Ints, days_since_birthday: Ints) -> Dates:
    """Return the birth date of someone who is ``age`` years old on a day."""
    month = on.astype("datetime64[M]")
    start = month - 12 * age
    into = (on - month.astype("datetime64[D]")).astype(np.int64)
    length = ((start + 1).astype("datetime64[D]") - start.astype("datetime64[D]")).astype(np.int64)
    birthday: Dates = start.astype("datetime64[D]") + np.minimum(into, length - 1)
    return birthday - days_since_birthday


def age_on(day: Dates | np.datetime64, birth: Dates) -> Ints:
    """Return the completed years of age on a day."""
    month, birth_month = day.astype("datetime64[M]"), birth.astype("datetime64[M]")
    into = (day - month.astype("datetime64[D]")).astype(np.int64)
    birth_into = (birth - birth_month.astype("datetime64[D]")).astype(np.int64)
    months = (month - birth_month).astype(np.int64) - (into < birth_into)
    return np.asarray(months // 12, np.int64)


def year_of(dates: Dates) -> Ints:
    """Return the calendar years of dates."""
    return dates.astype("datetime64[Y]").astype(np.int64) + 1970


def draw_patients(dice: Dice, count: int) -> Patients:
    """Draw the patients: age first, then all that depends on it."""
    often = np.array(_people.RESIDENTS, np.int64) * np.array(_people.ADMISSIONS, np.int64)
    rough_age = _people.draw_ages(dice, "patients", often, count)
    female = _people.draw_sex(dice, "patients", _people.FEMALE_PATIENTS, rough_age)
    principal = _illness.draw_principal(dice, rough_age, female)
    admission = FIRST_DAY + _illness.draw_admission(dice, principal, FIRST_DAY, DAYS)
    birth = born(admission, rough_age, dice.below("patients: birthday", 365, count))
    age = age_on(admission, birth)
    first_name, surname = draw_names(dice, "patients", female, year_of(birth))
    education = _people.draw_education(dice, age)
    smoker = _people.draw_smoker(dice, age)
    stay = _illness.draw_stay(dice, principal, age)
    return Patients(
        number=np.arange(1, count + 1),
        ssn=dice.distinct("patients: ssn", 100 * 49 * 10_000, count),
        record=dice.distinct("patients: record", 10_000_000, count),
        first_name=first_name,
        surname=surname,
        birth=birth,
        age=age,
        female=female,
        zip=_people.draw_zips(dice, "patients", count),
        marital=_people.draw_marital(dice, age, female),
        education=education,
        occupation=_people.draw_occupation(dice, age, education),
        smoker=smoker,
        principal=principal,
        admission=admission,
        stay=stay,
        charges=_illness.draw_charges(dice, principal, stay),
        chronic=_illness.draw_chronic(dice, age, female, smoker == _people.SMOKER.index("yes")),
    )
