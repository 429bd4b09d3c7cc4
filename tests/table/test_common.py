"""What every model must do, whatever it promises. A new model is tested by being registered."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.verdict import Basis, Threat
from sfumato.table.models import MODELS
from sfumato.table.rule import RuleKind

EXAMPLES: dict[str, list[Any]] = {"k-anonymity": [sf.KAnonymity(1), sf.KAnonymity(2), sf.KAnonymity(4)]}
ALL = [model for models in EXAMPLES.values() for model in models]
rows = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), min_size=1, max_size=14)
every_model = pytest.mark.parametrize("model", ALL, ids=str)


def frame(listed: list[tuple[str, str]]) -> pd.DataFrame:
    return pd.DataFrame(listed, columns=["quasi", "ill"])


def check(model: Any, data: pd.DataFrame) -> sf.Verdict:
    return sf.check(data, quasi=["quasi"], sensitive="ill", models=model)[0]


def test_every_registered_model_is_tested_here() -> None:
    assert set(EXAMPLES) == set(MODELS)
    for name, models in EXAMPLES.items():
        assert all(model.name == name for model in models)


@every_model
def test_models_say_what_they_protect_from_and_where_they_come_from(model: Any) -> None:
    assert isinstance(model.basis, Basis)
    assert model.protects_from
    assert all(isinstance(threat, Threat) for threat in model.protects_from)
    paper = inspect.getmodule(type(model)).__doc__  # type: ignore[union-attr]
    assert paper is not None
    assert re.search(r"\((19|20)\d\d\)", paper), "the paper belongs into the first lines of the file"


@every_model
@settings(max_examples=20)
@given(rows)
def test_a_check_is_pure_and_its_witness_real(model: Any, listed: list[tuple[str, str]]) -> None:
    data = frame(listed)
    before = data.copy()
    verdict = check(model, data)
    pd.testing.assert_frame_equal(data, before)
    assert check(model, data) == verdict
    assert verdict.holds is (verdict.witness is None)
    assert verdict.holds is (verdict.violations == 0)
    if verdict.witness is not None:
        members = {listed[row - 1][0] for row in verdict.witness.rows}
        assert len(members) == 1
        assert Counter(quasi for quasi, _ in listed)[members.pop()] == verdict.witness.size


def satisfied(model: Any, members: list[str]) -> bool:
    """What the rule says of one class, read by hand."""
    rule = model.rule()
    assert rule.kind is RuleKind.MIN_PERSONS
    return len(members) >= rule.parameters[0]


@every_model
@settings(max_examples=20)
@given(rows)
def test_both_faces_of_a_model_agree(model: Any, listed: list[tuple[str, str]]) -> None:
    classes: dict[str, list[str]] = {}
    for quasi, ill in listed:
        classes.setdefault(quasi, []).append(ill)
    broken = sum(not satisfied(model, members) for members in classes.values())
    assert check(model, frame(listed)).violations == broken


@every_model
@settings(max_examples=20)
@given(rows)
def test_merging_classes_keeps_a_promise_that_says_it_is_monotone(
    model: Any, listed: list[tuple[str, str]]
) -> None:
    if model.rule().monotone and check(model, frame(listed)).holds:
        merged = [("b" if quasi == "a" else quasi, ill) for quasi, ill in listed]
        assert check(model, frame(merged)).holds
