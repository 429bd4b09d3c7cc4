"""Real files of codes at the doors: what is recognised, and how exposed people are."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.recipe.codes.init import CodesProposal
from sfumato.recipe.init import Proposal, propose_either

pytestmark = pytest.mark.golden
CLINICAL = ("data", "codes", "clinical")


@pytest.mark.parametrize(
    ("name", "people", "codes", "person", "visit", "column", "system"),
    [
        ("MIMIC3demo_DIAGNOSES_ICD", 100, 581, "SUBJECT_ID", "HADM_ID", "ICD9_CODE", "icd9cm"),
        ("MIMIC3demo_PROCEDURES_ICD", 88, 164, "SUBJECT_ID", "HADM_ID", "ICD9_CODE", None),
        ("synthea_1k_conditions", 1152, 129, "PATIENT", "ENCOUNTER", "DESCRIPTION", None),
        ("synthea_small_conditions", 117, 180, "PATIENT", "ENCOUNTER", "CODE", None),
    ],
)
def test_clinical_files_of_codes_are_recognised(
    shared: Path, name: str, people: int, codes: int, person: str, visit: str, column: str, system: str | None
) -> None:
    found = propose_either(shared.joinpath(*CLINICAL, f"{name}.csv.gz"))
    assert isinstance(found, CodesProposal)
    assert (found.people, found.read.counts.distinct) == (people, codes)
    assert (found.guess.person, found.guess.visit, found.guess.codes) == (person, visit, (column,))
    assert (found.system, found.unknown) == (system, 0)


@pytest.mark.parametrize("name", ["MIMIC3demo_PATIENTS", "synthea_1k_patients", "MIMIC3_D_ICD_DIAGNOSES"])
def test_tables_about_people_or_codes_stay_tables(shared: Path, name: str) -> None:
    assert isinstance(propose_either(shared.joinpath(*CLINICAL, f"{name}.csv.gz")), Proposal)


def test_diagnoses_single_everybody_out_and_three_digits_do_not_help(shared: Path) -> None:
    found = sf.codes_risk(
        shared.joinpath(*CLINICAL, "MIMIC3demo_DIAGNOSES_ICD.csv.gz"),
        code="ICD9_CODE",
        person="SUBJECT_ID",
        visit="HADM_ID",
        system="icd9cm",
        up_to=2,
    )
    assert (found.records, found.codes, found.visits) == (100, 581, 129)
    assert found.figure("unique-set").value == 1
    assert found.figure("visit-unique").value == 1
    assert found.coarser[0].unique == 1
    assert [step.worst_unique for step in found.steps] == [0.9, 1.0]
