"""The material of the attacks story: patients without names, a voter list, and who of it was a patient."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from sfumato.core.temporary import temporary_folder
from sfumato.demo import Hospital, generate

PERSON = "patient_id"
"""for the house alone: it tells who was right"""
NAMED = ("birth_date", "sex", "zip", "length_of_stay")
"""what somebody may know of a patient, as the hospital has it"""
QUASI = ("birth_year", "sex", "zip", "length_of_stay")
"""the same as it is released: the year of birth is enough for the analysts"""
SENSITIVE = ("illness", "charges")
_THOUSAND = 1000


@dataclass(frozen=True)
class Town:
    """The patients and the voters of one synthetic town."""

    patients: pa.Table = field(repr=False)
    """one row each: the person, what may be known, and the two sensitive columns"""
    voters: pa.Table = field(repr=False)
    """whom the adversary knows by name; the person column is the patient's where the voter was one"""
    voters_who_were_patients: int

    @property
    def illnesses(self) -> int:
        """How many kinds of illness there are."""
        return len(self.patients.column("illness").unique())

    @property
    def amounts(self) -> int:
        """How many different charges there are."""
        return len(self.patients.column("charges").unique())

    @property
    def narrow(self) -> int:
        """A quarter of the range of the charges, in whole thousands: what counts as a narrow range."""
        ends = pc.min_max(self.patients.column("charges")).as_py()
        return int(ends["max"] - ends["min"]) // 4

    def most_frequent(self, column: str) -> float:
        """Return the share of the most frequent value of a column."""
        counts = Counter(self.patients.column(column).to_pylist())
        return max(counts.values()) / counts.total()


def town(patients: int, seed: int) -> Town:
    """Make a hospital up, and prepare its files for the story."""
    with temporary_folder() as folder:
        hospital = generate(folder, patients=patients, seed=seed)
        people, voters = _read(hospital.patients), _read(hospital.voters)
        chapters = _chapters(hospital)
    ids = dict(zip(_who(people), people.column(PERSON).to_pylist(), strict=True))
    # Two patients of one name who were born on the same day cannot be told apart: neither is looked for.
    twice = {who for who, times in Counter(_who(people)).items() if times > 1}
    listed = Counter(_who(voters))
    found = [
        ids[who] if who in ids and who not in twice and listed[who] == 1 else f"voter {row}"
        for row, who in enumerate(_who(voters))
    ]
    named = people.select([PERSON, *NAMED])
    return Town(
        named.append_column("birth_year", pc.year(people.column("birth_date")))
        .append_column("illness", pa.array([chapters[d] for d in people.column("diagnosis").to_pylist()]))
        .append_column("charges", pc.divide(people.column("charges"), _THOUSAND)),
        pa.table(
            {
                PERSON: found,
                "birth_date": voters.column("birth_date"),
                "birth_year": pc.year(voters.column("birth_date")),
                "sex": voters.column("sex"),
                "zip": voters.column("zip"),
            }
        ),
        sum(1 for one in found if not one.startswith("voter ")),
    )


def _read(path: Path) -> pa.Table:
    """Read a file of the hospital: ZIP codes are texts, empty fields are missing."""
    options = pa_csv.ConvertOptions(column_types={"zip": pa.string()}, strings_can_be_null=True)
    return pa_csv.read_csv(path, convert_options=options)


def _who(table: pa.Table) -> list[tuple[Any, ...]]:
    """Say who a row is about: nobody moves away from their name, birth date and sex."""
    return list(zip(*(table.column(name).to_pylist() for name in ("name", "birth_date", "sex")), strict=True))


def _chapters(hospital: Hospital) -> Mapping[str, str]:
    """Return the chapter of ICD-10 that every diagnosis belongs to."""
    with hospital.hierarchies["diagnosis"].open(encoding="utf-8", newline="") as file:
        return {row[0]: row[2] for row in csv.reader(file, delimiter=";")}
