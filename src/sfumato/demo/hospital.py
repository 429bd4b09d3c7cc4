"""A synthetic hospital: tables, codes, notes and genotypes about people who do not exist.

The same seed gives the same bytes everywhere. The files hang together the way those of a real hospital
do, and a voter list of the same town is there to attack them with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.system import could_not
from sfumato.demo import _files
from sfumato.demo._dice import Dice
from sfumato.demo._stays import draw_patients

MOST_PATIENTS = 5_000_000
"""beyond this, record numbers of seven digits begin to run out"""

_BLOCK = 20_000
"""lines that are written at once"""

_README = """\
# The hospital of Lindenmoor

Everything here is **synthetic**: drawn by `sfumato demo` from made-up frequencies ({patients:,} patients,
seed {seed}). Town, ZIP codes, people, numbers and notes are invented; any likeness is chance. The codes are
those of ICD-10 and the SNP names are public, but nothing here says how often they occur.

| file | one row is | columns |
|---|---|---|
| `patients.csv` | a patient, with one stay | identifiers, demographics, stay, principal diagnosis, charges |
| `diagnoses.csv` | a diagnosis of a patient, the principal one first | `patient_id`, `code` |
| `notes.csv` | a discharge note | `patient_id`, `note` |
| `snps.csv` | the genotypes of a patient | `patient_id`, one column for each SNP |
| `voters.csv` | a registered voter: many of the patients, and others | `name`, `birth_date`, `sex`, `zip` |
| `hierarchies/*.csv` | a value, then the same less and less precisely, to `*` | no header; separated by `;` |

Empty fields are missing values.
"""


@dataclass(frozen=True)
class Hospital:
    """Where the files of a synthetic hospital are."""

    folder: Path
    patients: Path
    diagnoses: Path
    notes: Path
    snps: Path
    voters: Path
    hierarchies: Mapping[str, Path]
    """by column of ``patients.csv``"""
    readme: Path


def generate(folder: Path, patients: int = 5000, seed: int = 7) -> Hospital:
    """Write a synthetic hospital into a folder, which is made when it is not there.

    Args:
        folder: where to write; files of an earlier hospital in it are written over
        patients: how many patients, 1 to 5 million
        seed: a whole number from 0 on; the same one gives the same files, byte for byte

    Example: ``generate(Path("demo")).patients`` is the path of ``demo/patients.csv``.
    """
    if not 1 <= patients <= MOST_PATIENTS:
        raise BadInput(f"a hospital of {patients:,} patients", remedy=f"ask for 1 to {MOST_PATIENTS:,}")
    if seed < 0:
        raise BadInput("the seed is negative", remedy="give a whole number from 0 on")
    folder = Path(folder)
    try:
        return _write(folder, patients, seed)
    except OSError as error:
        raise could_not(
            error,
            "the hospital cannot be written",
            where=f"folder '{folder}'",
            remedy="choose a folder that can be written to",
        ) from error


def _write(folder: Path, count: int, seed: int) -> Hospital:
    dice = Dice(seed)
    people = draw_patients(dice, count)
    (folder / "hierarchies").mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.csv" for name in ("patients", "diagnoses", "notes", "snps", "voters")}
    _write_csv(paths["patients"], *_files.patients_file(dice, people))
    _write_csv(paths["diagnoses"], *_files.diagnoses_file(people))
    _write_csv(paths["notes"], *_files.notes_file(dice, people))
    _write_csv(paths["snps"], *_files.snps_file(dice, people))
    _write_csv(paths["voters"], *_files.voters_file(dice, people))
    hierarchies = {}
    for column, rows in _files.hierarchy_rows().items():
        hierarchies[column] = folder / "hierarchies" / f"{column}.csv"
        _write_csv(hierarchies[column], None, rows, delimiter=";")
    readme = folder / "README.md"
    readme.write_bytes(_README.format(patients=count, seed=seed).encode())
    return Hospital(folder=folder, hierarchies=hierarchies, readme=readme, **paths)


def _write_csv(
    path: Path, header: tuple[str, ...] | None, rows: Iterable[tuple[str, ...]], delimiter: str = ","
) -> None:
    lines = map(delimiter.join, chain([header] if header else [], rows))
    with path.open("wb") as file:
        while block := list(islice(lines, _BLOCK)):
            file.write(("\n".join(block) + "\n").encode())
