"""Every perturbation and every parameter of it is written about."""

from __future__ import annotations

import dataclasses
import re
from typing import get_args

import pytest

from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.perturbation.microaggregation import Aggregate, Way
from sfumato.table.perturbation.noise import Restore
from tests.docs.pages import page

OWN = ["microaggregation", "noise", "rank-swapping", "value-swapping", "record-swapping", "pram", "rounding"]
OWN += ["top-bottom-coding", "sampling"]


@pytest.mark.parametrize("name", OWN)
def test_it_has_a_section_with_its_parameters(name: str) -> None:
    said = set(re.findall(r"`([^`\n]+)`", page("docs/perturbation.md").section(name)))
    assert PERTURBATIONS[name].__name__ in said
    assert {field.name for field in dataclasses.fields(PERTURBATIONS[name])} <= said


def test_all_choices_are_named() -> None:
    said = page("docs/perturbation.md").code_spans
    assert {*get_args(Way), *get_args(Aggregate), *get_args(Restore)} <= said
