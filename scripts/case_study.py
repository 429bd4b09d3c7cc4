"""Write the page ``docs/codes-case-study.md`` and its pictures anew from public clinical data.

    python scripts/case_study.py --data FOLDER [--out PAGE]

The folder holds ``MIMIC3demo_DIAGNOSES_ICD.csv.gz`` (MIMIC-III Clinical Database Demo, Open Database License)
and ``synthea_1k_conditions.csv.gz`` (conditions of people whom Synthea made up). Long numbers in the second
file were damaged by a spreadsheet, so that its descriptions are taken as codes; they have no classification.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sfumato.core.errors import SfumatoError
from sfumato.recipe.case_study import Source, read_diseases, study, write_case_study

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "codes-case-study.md"


def sources(folder: Path) -> tuple[Source, ...]:
    """Return the files to study."""
    return (
        Source(
            folder / "MIMIC3demo_DIAGNOSES_ICD.csv.gz",
            person="SUBJECT_ID",
            visit="HADM_ID",
            code="ICD9_CODE",
            system="icd9cm",
            title="MIMIC-III demo",
            about="Patients of intensive care units: the MIMIC-III Clinical Database Demo (Open Database "
            "License).",
        ),
        Source(
            folder / "synthea_1k_conditions.csv.gz",
            person="PATIENT",
            visit="ENCOUNTER",
            code="DESCRIPTION",
            diseases=read_diseases(HERE / "synthea_diseases.yaml"),
            title="Synthea",
            about="People whom the generator Synthea made up, with conditions by their descriptions. Its "
            "diseases are those of `scripts/synthea_diseases.yaml`.",
        ),
    )


def main() -> int:
    """Study the files and write the page; say what is missing."""
    parser = argparse.ArgumentParser(description="Write the case study of the docs anew.")
    parser.add_argument("--data", type=Path, required=True, help="the folder with the clinical data")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write")
    asked = parser.parse_args()
    missing = [one.data.name for one in sources(asked.data) if not one.data.is_file()]
    if missing:
        print(
            f"sfumato: the data of the case study are not there: expected {' and '.join(missing)} "
            f"in {asked.data}",
            file=sys.stderr,
        )
        return 2
    try:
        page, pictures = write_case_study([study(one) for one in sources(asked.data)], asked.out)
    except SfumatoError as problem:
        print(f"sfumato: {problem}", file=sys.stderr)
        return problem.exit_code
    for path in (page, *pictures):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
