"""The head of a column says what its cells are."""

from __future__ import annotations

import pytest

from sfumato.text.languages.en.tables import Tables
from tests.text.patterns.marking import as_found

FOUND = [
    "Patient | MRN | Provider\n{Holt, Ann} | {80-44} | {Kumar}\n{Li Wei} | {81-45} | Dr. {Berg}",
    "Visit | Provider | Facility\n7/21 | {A. Kumar} | {Mercy West}\n---|---|---\n7/22 | {Ng} | {Mercy East}",
    "Visit | Provider | Site\n7/21 | {Black} | {Mercy West}",
    "Name\tSSN\tSex\n{ann holt}\t{411-16-8757}\tF",
    "Name        MRN       Age\n{Ann Holt}    {804-4}     44\n\nPlan  continue  as before",
    "| Nurse | Account |\n| {Ann Holt} | {A-4} |",
]
LEFT = [
    "Test | Result | Unit\nNa | 138 | mmol\nK | 4.1 | mmol",
    "WBC   11.2\nHgb   10.4",
    "Provider  Kumar",
    "Lesion | Site | Size\nA | Left arm | 3 mm",
]


@pytest.mark.parametrize("table", [*FOUND, *LEFT])
def test_cells_under_a_telling_head_are_found_and_no_others(table: str) -> None:
    assert as_found(table, Tables()) == table
