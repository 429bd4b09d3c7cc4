"""The synthetic hospital: reproducible, consistent in itself, and shaped like a real one."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from sfumato.codes.icd import recognise
from sfumato.core.errors import BadInput
from sfumato.demo._dice import Dice
from sfumato.demo._files import SNPS
from sfumato.demo.hospital import Hospital, generate

Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Hospital:
    return generate(tmp_path_factory.mktemp("hospital"), patients=4000)


@pytest.fixture(scope="module")
def patients(hospital: Hospital) -> Rows:
    return read(hospital.patients)


def read(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fingerprints(hospital: Hospital) -> dict[str, str]:
    files = sorted((path for path in hospital.folder.rglob("*") if path.is_file()), key=Path.as_posix)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def full_years(birth: dt.date, on: dt.date) -> int:
    return on.year - birth.year - ((on.month, on.day) < (birth.month, birth.day))


def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not(tmp_path: Path) -> None:
    first, again, other = (
        fingerprints(generate(tmp_path / name, 80, seed)) for name, seed in (("a", 3), ("b", 3), ("c", 4))
    )
    assert first == again
    assert all(first[name] != other[name] for name in first if name.startswith(("patients", "notes", "snps")))


def test_the_bytes_are_the_same_on_every_platform(tmp_path: Path) -> None:
    whole = hashlib.sha256("".join(fingerprints(generate(tmp_path, 200, 7)).values()).encode())
    assert whole.hexdigest()[:16] == "853d7b7dd3baf3f3"


def test_every_file_is_what_a_csv_writer_would_write(hospital: Hospital) -> None:
    tables = (hospital.patients, hospital.diagnoses, hospital.notes, hospital.snps, hospital.voters)
    for path in (*tables, *hospital.hierarchies.values()):
        delimiter = ";" if path in hospital.hierarchies.values() else ","
        text = path.read_bytes().decode()
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        assert {len(row) for row in rows} == {len(rows[0])}
        again = io.StringIO(newline="")
        csv.writer(again, delimiter=delimiter, lineterminator="\n").writerows(rows)
        assert again.getvalue() == text


def test_every_patient_has_numbers_of_their_own(patients: Rows) -> None:
    for column in ("patient_id", "ssn", "record_number"):
        assert len({row[column] for row in patients}) == len(patients) == 4000
    # Areas from 900 on with groups below 50 are neither social security nor taxpayer numbers.
    assert all(row["ssn"][0] == "9" and 1 <= int(row["ssn"][4:6]) <= 49 for row in patients)


def test_ages_follow_from_the_dates(patients: Rows) -> None:
    for row in patients:
        assert full_years(day(row["birth_date"]), day(row["admission_date"])) == int(row["age"])
    assert min(int(row["age"]) for row in patients) == 0
    assert 90 < max(int(row["age"]) for row in patients) < 100


def test_what_a_patient_has_fits_their_age_and_sex(patients: Rows) -> None:
    women_only = {"C50.9", "C56", "O80", "O82"}
    men_only = {"C61", "N40"}
    for row in patients:
        age, code = int(row["age"]), row["diagnosis_code"]
        assert row["sex"] == "F" or code not in women_only
        assert row["sex"] == "M" or code not in men_only
        assert 14 <= age <= 45 or code not in {"O80", "O82"}
        assert age == 0 or code != "P07.3"
        assert age >= 17 or row["marital_status"] in ("single", "")
        assert age >= 17 or row["occupation"] in ("preschool child", "pupil", "")
    mean_age = {
        code: np.mean([int(row["age"]) for row in patients if row["diagnosis_code"] == code])
        for code in ("I50.9", "S72.0", "K35.8", "J45.9")
    }
    assert min(mean_age["I50.9"], mean_age["S72.0"]) > 60 > 40 > max(mean_age["K35.8"], mean_age["J45.9"])


def test_zip_codes_are_skewed_and_longer_stays_cost_more(patients: Rows) -> None:
    sizes = Counter(row["zip"] for row in patients if row["zip"]).most_common()
    assert len(sizes) > 20
    assert sizes[0][1] > 20 * sizes[-1][1]
    stays = np.array([(int(row["length_of_stay"]), int(row["charges"])) for row in patients])
    assert stays.min() >= 1
    assert np.corrcoef(stays.T)[0, 1] > 0.7


def test_a_few_values_are_missing(patients: Rows) -> None:
    missing = Counter(column for row in patients for column, value in row.items() if value == "")
    assert set(missing) == {"zip", "marital_status", "education", "occupation", "smoker"}
    assert all(0 < count < 0.08 * len(patients) for count in missing.values())


def test_diagnoses_start_with_the_principal_one_and_name_each_once(
    hospital: Hospital, patients: Rows
) -> None:
    codes: dict[str, list[str]] = defaultdict(list)
    for row in read(hospital.diagnoses):
        codes[row["patient_id"]].append(row["code"])
    assert list(codes) == [row["patient_id"] for row in patients]
    for row in patients:
        found = codes[row["patient_id"]]
        assert found[0] == row["diagnosis_code"]
        assert len(set(found)) == len(found)
    old = [len(codes[row["patient_id"]]) for row in patients if int(row["age"]) >= 65]
    young = [len(codes[row["patient_id"]]) for row in patients if int(row["age"]) < 30]
    assert np.mean(old) > np.mean(young) + 1


def test_notes_give_away_the_surname_and_the_record_number(hospital: Hospital, patients: Rows) -> None:
    for row, note in zip(patients, read(hospital.notes), strict=True):
        assert note["patient_id"] == row["patient_id"]
        assert row["name"].split()[1] in note["note"]
        assert row["record_number"] in note["note"]
        assert row["birth_date"] in note["note"] or row["admission_date"] in note["note"]


def test_genotypes_are_in_hardy_weinberg_proportions(hospital: Hospital) -> None:
    rows = read(hospital.snps)
    for name, (common, rare, often) in SNPS.items():
        counts = Counter(row[name] for row in rows if row[name])
        total, q = sum(counts.values()), often / 1000
        expected = {common * 2: (1 - q) ** 2, common + rare: 2 * q * (1 - q), rare * 2: q * q}
        assert set(counts) <= set(expected)
        chi_square = sum((counts[g] - total * p) ** 2 / (total * p) for g, p in expected.items())
        # 0.9999 of the chi-square distribution with two degrees of freedom
        assert chi_square < 18.4


def test_voters_are_adults_and_many_patients_are_among_them(hospital: Hospital, patients: Rows) -> None:
    voters = read(hospital.voters)
    assert all(full_years(day(row["birth_date"]), dt.date(2024, 11, 5)) >= 18 for row in voters)
    assert [row["name"].split()[1] for row in voters] == sorted(row["name"].split()[1] for row in voters)
    listed = {(row["name"], row["birth_date"], row["sex"]) for row in voters}
    adults = [row for row in patients if full_years(day(row["birth_date"]), dt.date(2024, 11, 5)) >= 18]
    found = [row for row in adults if (row["name"], row["birth_date"], row["sex"]) in listed]
    assert 0.6 < len(found) / len(adults) < 0.75
    assert len(voters) > 2 * len(found)


def test_linking_voters_with_patients_finds_people_by_birth_date_sex_and_zip(
    hospital: Hospital, patients: Rows
) -> None:
    def key(row: dict[str, str]) -> tuple[str, str, str]:
        return row["birth_date"], row["sex"], row["zip"]

    voters = read(hospital.voters)
    alone = Counter(map(key, voters))
    name_of = {key(row): row["name"] for row in voters if alone[key(row)] == 1}
    claimed = [(row["name"], name_of[key(row)]) for row in patients if key(row) in name_of]
    right = sum(truth == claim for truth, claim in claimed)
    assert len(claimed) > 2000
    assert 0.95 < right / len(claimed) < 1


def test_hierarchies_cover_every_value_and_end_in_a_star(hospital: Hospital, patients: Rows) -> None:
    columns = {name: {row[name] for row in patients} - {""} for name in patients[0]}
    columns["diagnosis_code"] |= {row["code"] for row in read(hospital.diagnoses)}
    assert {"marital_status", "education", "occupation", "diagnosis_code"} <= set(hospital.hierarchies)
    for name, path in hospital.hierarchies.items():
        lines = [line.split(";") for line in path.read_text(encoding="utf-8").splitlines()]
        assert columns[name] <= {line[0] for line in lines}
        assert len({line[0] for line in lines}) == len(lines)
        assert {line[-1] for line in lines} == {"*"}
        assert len({len(line) for line in lines}) == 1
        for level in range(len(lines[0]) - 1):
            parents = {line[level]: line[level + 1] for line in lines}
            assert all(parents[line[level]] == line[level + 1] for line in lines)


def test_the_readme_says_that_nobody_here_exists(hospital: Hospital) -> None:
    text = hospital.readme.read_text(encoding="utf-8")
    assert "synthetic" in text
    assert "4,000 patients" in text


def test_one_patient_makes_a_hospital(tmp_path: Path) -> None:
    assert len(read(generate(tmp_path, 1).patients)) == 1


@pytest.mark.parametrize(("patients", "seed"), [(0, 1), (-5, 1), (6_000_000, 1), (10, -1)])
def test_impossible_hospitals_are_refused_and_nothing_is_written(
    tmp_path: Path, patients: int, seed: int
) -> None:
    with pytest.raises(BadInput):
        generate(tmp_path / "hospital", patients, seed)
    assert not (tmp_path / "hospital").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BadInput, match="the hospital cannot be written: a part of the path is a file"):
        generate(tmp_path / "file", 5)


def test_dice_pick_as_often_as_the_weights_say() -> None:
    groups = np.repeat([0, 1], 20_000)
    picked = Dice(1).pick_by("x", [[1, 0, 3], [2, 2, 0]], groups)
    first, second = np.bincount(picked[:20_000], minlength=3), np.bincount(picked[20_000:], minlength=3)
    # five standard deviations of a binomial share of 20,000
    assert np.abs(first / 20_000 - [0.25, 0, 0.75]).max() < 0.018
    assert np.abs(second / 20_000 - [0.5, 0.5, 0]).max() < 0.018
    assert (first[1], second[2]) == (0, 0)


def test_dice_give_different_numbers_without_repeating() -> None:
    numbers = Dice(1).distinct("x", 1000, 1000)
    assert sorted(numbers.tolist()) == list(range(1000))


def test_every_code_is_known_to_the_classification_that_init_proposes(hospital: Hospital) -> None:
    codes = {row["code"] for row in read(hospital.diagnoses)}
    assert len(codes) > 40
    assert not recognise(sorted(codes), "icd10cm").unknown
