"""The whole way on diagnoses of a hospital, with the codes as they were written there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato as sf

RECIPE = """\
sfumato: 1
title: Diagnoses of a hospital
resources:
  - path: {path}
    kind: codes
    schema:
      fields:
        - {{name: ROW_ID, role: identifier}}
        - {{name: SUBJECT_ID, role: person}}
        - {{name: HADM_ID, role: visit}}
        - {{name: SEQ_NUM, role: identifier}}
        - {{name: ICD9_CODE, role: codes, system: icd9cm, hierarchy: icd9cm}}
models: [k-m-anonymity: {{k: 5, m: 2}}]
method: partition
"""


@pytest.mark.golden
def test_diagnoses_of_a_hospital_go_the_whole_way(shared: Path, tmp_path: Path) -> None:
    data = shared / "data/codes/clinical/MIMIC3demo_DIAGNOSES_ICD.csv.gz"
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(RECIPE.format(path=data))
    made = sf.run(recipe)
    found = {one.claim: str(one.status) for one in sf.verify(made.release, original=data).findings}
    assert "refuted" not in found.values()
    nodes = next(
        claim for claim in found if "generalised items stand for the codes of the hierarchy" in claim
    )
    assert found[nodes] == "confirmed"
    assert made.evidence.original.records == 100
    assert made.evidence.original.visits == 129
    unique = {one.name: one.value for one in made.evidence.risk_before}["unique-set"]
    assert unique == 1.0
    assert {one.name: one.value for one in made.evidence.risk_after}["worst-2-below-k"] == 0.0
    listed = json.loads((made.release / "schema.json").read_text())["items"]
    raw = (made.steward / "evidence.json").read_text()
    occurring = made.evidence.original.codes
    assert sum(len(item["codes"]) for item in listed) > occurring
    assert "SUBJECT" not in (made.release / "report.html").read_text().replace("SUBJECT_ID", "")
    assert "10006" not in raw
