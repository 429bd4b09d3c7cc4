"""Every step, model and method whose promise rests on a mechanism is written about, with its parameters."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, get_args

import pytest

from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.perturbation.synthetic import By
from tests.docs.pages import page

THINGS: list[tuple[dict[str, Any], str, str]] = [
    (PERTURBATIONS, "retention-replacement", "randomisation"),
    (PERTURBATIONS, "matrix-randomisation", "randomisation"),
    (PERTURBATIONS, "small-domain-randomisation", "randomisation"),
    (PERTURBATIONS, "synthetic", "synthetic"),
    (MODELS, "rho-privacy", "randomisation"),
    (MODELS, "delta-growth", "randomisation"),
    (MODELS, "gamma-amplification", "randomisation"),
    (MODELS, "differential-privacy", "randomisation"),
    (METHODS, "safepub", "randomisation"),
]


@pytest.mark.parametrize(("registry", "name", "where"), THINGS, ids=[name for _, name, _ in THINGS])
def test_it_has_a_section_with_its_parameters(registry: dict[str, Any], name: str, where: str) -> None:
    said = set(re.findall(r"`([^`\n]+)`", page(f"docs/{where}.md").section(name)))
    assert registry[name].__name__ in said
    assert {field.name for field in dataclasses.fields(registry[name])} <= said


def test_the_ways_to_synthesise_are_named() -> None:
    assert {*get_args(By)} <= page("docs/synthetic.md").code_spans
