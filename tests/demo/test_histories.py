"""Made-up histories of diagnoses: reproducible, and codes that ICD-9-CM knows."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from pathlib import Path

import pytest

from sfumato.codes.icd import recognise
from sfumato.codes.policies import GWAS_DISEASES, extract_utility_constraints
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput
from sfumato.demo import generate_histories
from sfumato.demo._histories import LASTING, PASSING


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not(tmp_path: Path) -> None:
    first, again, other = (
        generate_histories(tmp_path / f"{name}.csv", 50, seed).read_bytes()
        for name, seed in (("a", 3), ("b", 3), ("c", 4))
    )
    assert first == again != other


def test_the_bytes_are_the_same_on_every_platform(tmp_path: Path) -> None:
    written = generate_histories(tmp_path / "histories.csv", 200, 7).read_bytes()
    assert hashlib.sha256(written).hexdigest()[:16] == "d477751ddafbdf94"


def test_every_code_is_known_to_the_classification() -> None:
    codes = [*PASSING, *(code for _, some in LASTING for code in some)]
    assert len(set(codes)) == len(codes)
    assert recognise(codes, "icd9cm").unknown == ()


def test_every_disease_of_genome_wide_studies_occurs() -> None:
    codes = recognise([code for _, some in LASTING for code in some], "icd9cm").codes
    found = extract_utility_constraints(CodeSets.of([codes]), GWAS_DISEASES)
    assert found.absent == ()
    assert len(found) == len(GWAS_DISEASES)


def test_everybody_has_a_history_and_every_visit_one_owner(tmp_path: Path) -> None:
    written = rows(generate_histories(tmp_path / "histories.csv", 300))
    assert len({row["patient"] for row in written}) == 300
    owners = {(row["visit"], row["patient"]) for row in written}
    assert len(owners) == len({visit for visit, _ in owners})
    assert max(Counter((row["visit"], row["icd9_code"]) for row in written).values()) == 1


def test_nobody_is_too_few(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="at least one patient"):
        generate_histories(tmp_path / "histories.csv", 0)
