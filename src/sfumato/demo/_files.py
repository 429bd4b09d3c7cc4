"""Each file of the hospital as a header and rows of text, as they are written between separators.

No value but the notes holds a separator, a quote or a line end; so only they need quotes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.demo import _illness, _people
from sfumato.demo._dice import Dice, Ints
from sfumato.demo._names import FIRST_NAMES, SURNAMES, draw_names
from sfumato.demo._stays import EARLIEST, Dates, Patients, age_on, born, year_of

File = tuple[tuple[str, ...], Iterator[tuple[str, ...]]]
"""the header, and the rows"""

ELECTION = np.datetime64("2024-11-05")
SNPS = {
    "rs429358": ("T", "C", 150),
    "rs1801133": ("G", "A", 330),
    "rs6025": ("C", "T", 30),
    "rs4680": ("G", "A", 480),
    "rs1799971": ("A", "G", 140),
    "rs9939609": ("T", "A", 410),
    "rs7903146": ("C", "T", 290),
    "rs1800562": ("G", "A", 50),
}
"""common allele, rarer allele, and the frequency of the rarer one in thousandths"""

_SEX = ("M", "F")
_MONTHS = "January February March April May June July August September October November December"
_HISTORY = (
    "No known allergies.",
    "Allergic to penicillin.",
    "Lives alone; a neighbour helps.",
    "Family history of heart disease.",
    "Takes medication regularly.",
    "Seen here before for the same complaint.",
)
_COURSE = (
    "Discharged home in good condition",
    "Discharged home with outpatient follow-up",
    "Transferred to rehabilitation",
    "Discharged at own request",
)


def patients_file(dice: Dice, people: Patients) -> File:
    """Return the table of patients, with a few missing values."""
    header = (
        *("patient_id", "name", "ssn", "record_number", "birth_date", "age", "sex", "zip", "marital_status"),
        *("education", "occupation", "smoker", "admission_date", "length_of_stay"),
        *("diagnosis_code", "diagnosis", "charges"),
    )
    principal = people.principal
    columns = (
        _patient_ids(people),
        _names(people.first_name, people.surname),
        [f"9{n // 490_000:02d}-{n // 10_000 % 49 + 1:02d}-{n % 10_000:04d}" for n in people.ssn.tolist()],
        _record_numbers(people),
        _dates(people.birth),
        _numbers(people.age),
        _texts(_SEX, people.female),
        _texts(_people.ZIPS, people.zip, dice.chance("missing: zip", 4, len(people))),
        _texts(_people.MARITAL, people.marital, dice.chance("missing: marital", 15, len(people))),
        _texts(_people.EDUCATION, people.education, dice.chance("missing: education", 30, len(people))),
        _texts(_people.OCCUPATIONS, people.occupation, dice.chance("missing: occupation", 20, len(people))),
        _texts(_people.SMOKER, people.smoker, dice.chance("missing: smoker", 60, len(people))),
        _dates(people.admission),
        _numbers(people.stay),
        _texts(_illness.CODES, principal),
        _texts([illness.title for illness in _illness.PRINCIPAL], principal),
        _numbers(people.charges),
    )
    return header, zip(*columns, strict=True)


def diagnoses_file(people: Patients) -> File:
    """Return all diagnoses, one in a row: the principal one first, then the chronic ones."""
    codes = (*_illness.CODES, *_illness.CHRONIC)
    other = np.array([[code != chronic for chronic in _illness.CHRONIC] for code in _illness.CODES])
    having = np.column_stack([np.ones(len(people), np.bool_), people.chronic & other[people.principal]])
    patient, column = np.nonzero(having)
    code = np.where(column == 0, people.principal[patient], len(_illness.CODES) - 1 + column)
    return ("patient_id", "code"), zip(
        _texts(_patient_ids(people), patient), _texts(codes, code), strict=True
    )


def notes_file(dice: Dice, people: Patients) -> File:
    """Return a short clinical note for each patient, with names, dates and record numbers in it."""
    count = len(people)
    discharge = people.admission + people.stay
    rows = zip(
        dice.below("notes: wording", 3, count).tolist(),
        _patient_ids(people),
        _texts(FIRST_NAMES, people.first_name),
        _texts(SURNAMES, people.surname),
        _record_numbers(people),
        people.age.tolist(),
        people.female.tolist(),
        _dates(people.birth),
        _dates(people.admission),
        _dates(discharge, "spelt"),
        _texts([_in_a_sentence(illness.title) for illness in _illness.PRINCIPAL], people.principal),
        _texts(_HISTORY, dice.below("notes: history", len(_HISTORY), count)),
        _texts(_COURSE, dice.below("notes: course", len(_COURSE), count)),
        _texts(SURNAMES, dice.below("notes: doctor", 40, count) * 13),
        strict=True,
    )
    return ("patient_id", "note"), (_note(*row) for row in rows)


def snps_file(dice: Dice, people: Patients) -> File:
    """Return genotypes in Hardy–Weinberg proportions: p², 2pq, q² for allele frequencies p and q."""
    columns = [_patient_ids(people)]
    for name, (common, rare, often) in SNPS.items():
        usual = 1000 - often
        genotype = dice.pick(name, (usual * usual, 2 * usual * often, often * often), len(people))
        missing = dice.chance(f"missing: {name}", 8, len(people))
        columns.append(_texts((common + common, common + rare, rare + rare), genotype, missing))
    return ("patient_id", *SNPS), zip(*columns, strict=True)


def voters_file(dice: Dice, people: Patients) -> File:
    """Return the voter list, by name: adult patients of whom most are registered, and other residents.

    Two people of every hundred have moved within the town since they were in hospital.
    """
    adult = age_on(ELECTION, people.birth) >= 18
    known = np.flatnonzero(adult & dice.chance("voters: registered", 680, len(people)))
    count = 2 * len(people)
    age = _people.draw_ages(dice, "voters", np.array(_people.RESIDENTS, np.int64), count)
    birth = born(np.full(count, ELECTION), age, dice.below("voters: birthday", 365, count))
    female = _people.draw_sex(dice, "voters", _people.FEMALE_RESIDENTS, age)
    first, surname = draw_names(dice, "voters", female, year_of(birth))
    home = _people.draw_zips(dice, "voters", count)
    others = np.flatnonzero(age_on(ELECTION, birth) >= 18)

    moved = dice.chance("voters: moved", 20, len(people))
    patient_home = np.where(moved, _people.draw_zips(dice, "voters: moved", len(people)), people.zip)
    first = np.concatenate([people.first_name[known], first[others]])
    surname = np.concatenate([people.surname[known], surname[others]])
    birth = np.concatenate([people.birth[known], birth[others]])
    female = np.concatenate([people.female[known], female[others]])
    home = np.concatenate([patient_home[known], home[others]])
    order = np.lexsort((home, female, birth, np.argsort(np.argsort(np.array(FIRST_NAMES)))[first], surname))
    return ("name", "birth_date", "sex", "zip"), zip(
        _names(first[order], surname[order]),
        _dates(birth[order]),
        _texts(_SEX, female[order]),
        _texts(_people.ZIPS, home[order]),
        strict=True,
    )


def hierarchy_rows() -> dict[str, list[tuple[str, ...]]]:
    """Return for each column with a hierarchy its lines: the value first, then less and less precise."""
    illnesses = {illness.code: (illness.title, illness.block) for illness in _illness.PRINCIPAL}
    for code, (title, block, _) in _illness.CHRONIC.items():
        illnesses.setdefault(code, (title, block))
    return {
        "marital_status": [(value, group, "*") for value, group in _people.MARITAL_GROUPS.items()],
        "education": [(value, group, "*") for value, group in _people.EDUCATION_GROUPS.items()],
        "occupation": [(value, *groups, "*") for value, groups in _people.OCCUPATION_GROUPS.items()],
        "diagnosis_code": [
            (code, block, _illness.CHAPTERS[code[0]], "*") for code, (_, block) in sorted(illnesses.items())
        ],
        "diagnosis": [
            (illness.title, illness.block, _illness.CHAPTERS[illness.code[0]], "*")
            for illness in _illness.PRINCIPAL
        ],
    }


def _note(
    wording: int,
    patient: str,
    first: str,
    surname: str,
    record: str,
    age: int,
    female: int,
    birth: str,
    admitted: str,
    discharged: str,
    illness: str,
    history: str,
    course: str,
    doctor: str,
) -> tuple[str, str]:
    title, pronoun = ("Mrs", "She") if female else ("Mr", "He")
    if age < 18:
        title = "Child"
    if wording == 0:
        note = (
            f"{title} {surname}, {age} years, was admitted on {admitted} with {illness}. {history} "
            f"{course} on {discharged}. Record {record}. Dr {doctor}"
        )
    elif wording == 1:
        note = (
            f"Pt. {first} {surname} (record {record}, DOB {birth}): {illness}. {history} "
            f"{pronoun} did well. {course}, {discharged}. Signed: Dr {doctor}"
        )
    else:
        note = (
            f"Dear colleague, we report on {first} {surname}, born {birth}, seen since {admitted}. "
            f"Diagnosis: {illness}. {history} {course} on {discharged}. Our number: {record}. "
            f"Yours, Dr {doctor}"
        )
    return patient, f'"{note}"'


def _in_a_sentence(title: str) -> str:
    return title if title[:2].isupper() else title[0].lower() + title[1:]


def _texts(values: Sequence[str], positions: Ints, missing: NDArray[np.bool_] | None = None) -> list[str]:
    """Look up texts by position; missing ones are empty."""
    known = np.array([*values, ""], object)
    place = positions if missing is None else np.where(missing, len(values), positions)
    texts: list[str] = known[place].tolist()
    return texts


def _numbers(numbers: Ints) -> list[str]:
    return list(map(str, numbers.tolist()))


def _dates(dates: Dates, style: str = "iso") -> list[str]:
    days = (dates - EARLIEST).astype(np.int64)
    known = np.unique(days)
    written = np.datetime_as_string(EARLIEST + known).tolist()
    if style == "spelt":
        months = _MONTHS.split()
        written = [f"{int(day[8:])} {months[int(day[5:7]) - 1]} {day[:4]}" for day in written]
    return _texts(written, np.searchsorted(known, days))


def _names(first: Ints, surname: Ints) -> list[str]:
    pairs = zip(_texts(FIRST_NAMES, first), _texts(SURNAMES, surname), strict=True)
    return [f"{given} {family}" for given, family in pairs]


def _patient_ids(people: Patients) -> list[str]:
    return [f"P{number:07d}" for number in people.number.tolist()]


def _record_numbers(people: Patients) -> list[str]:
    return [f"MR{number:07d}" for number in people.record.tolist()]
