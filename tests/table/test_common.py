"""What every model must do, whatever it promises. A new model is tested by being registered."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as m
from sfumato.core.named import build, spell
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.models import MODELS
from sfumato.table.models.sensitive import SensitiveModel
from tests.oracles.models import NODES, NUMBERS, Row, broken, published, schema

EXAMPLES: dict[str, list[Any]] = {
    "k-anonymity": [m.KAnonymity(1), m.KAnonymity(2), m.KAnonymity(4)],
    "k-map": [m.KMap(3), m.KMap(4, "poisson", population=20, sample=10, significance=0.2)],
    "k-1-anonymisation": [m.KOneAnonymisation(3)],
    "1-k-anonymisation": [m.OneKAnonymisation(3)],
    "k-k-anonymisation": [m.KKAnonymisation(2)],
    "distinct-l-diversity": [m.DistinctLDiversity(1), m.DistinctLDiversity(3)],
    "probabilistic-l-diversity": [m.ProbabilisticLDiversity(2), m.ProbabilisticLDiversity(1.5)],
    "entropy-l-diversity": [m.EntropyLDiversity(2), m.EntropyLDiversity(1.75)],
    "recursive-l-diversity": [m.RecursiveLDiversity(2, 2), m.RecursiveLDiversity(1.5, 1)],
    "t-closeness": [
        m.TCloseness(0.5),
        m.TCloseness(0.25, "ordered"),
        m.TCloseness(0.25, "numeric"),
        m.TCloseness(0.25, "hierarchical"),
    ],
    "alpha-k-anonymity": [m.AlphaKAnonymity(0.5, 2), m.AlphaKAnonymity(0.4, 1, ("0", "4"))],
    "p-sensitive-k-anonymity": [m.PSensitiveKAnonymity(2, 3)],
    "basic-beta-likeness": [m.BasicBetaLikeness(1), m.BasicBetaLikeness(0.5)],
    "enhanced-beta-likeness": [m.EnhancedBetaLikeness(1)],
    "delta-disclosure": [m.DeltaDisclosure(1), m.DeltaDisclosure(0.5)],
    "epsilon-m-anonymity": [m.EpsilonMAnonymity(1, 2), m.EpsilonMAnonymity(0.5, 2, relative=True)],
    "range-diversity": [m.RangeDiversity(4), m.RangeDiversity(0)],
    "personalised-privacy": [m.PersonalisedPrivacy(0.5)],
    "delta-presence": [m.DeltaPresence(0, 0.5), m.DeltaPresence(0.25, 0.75)],
    "average-risk": [m.AverageRisk(0.4)],
    "sample-uniqueness": [m.SampleUniqueness(0.2), m.SampleUniqueness(0)],
    "population-uniqueness": [m.PopulationUniqueness(0.1, 100, "zayatz")],
    "differential-privacy": [m.DifferentialPrivacy(1, 1e-6)],
    "rho-privacy": [m.RhoPrivacy(0.1, 0.5)],
    "delta-growth": [m.DeltaGrowth(0.2), m.DeltaGrowth(0.1, 0.3)],
    "gamma-amplification": [m.GammaAmplification(9)],
}
SUFFICIENT = {
    "average-risk",
    "sample-uniqueness",
    "population-uniqueness",
    "k-1-anonymisation",
    "1-k-anonymisation",
    "k-k-anonymisation",
}
"""promises about the whole table: what they ask of a class is more than they need"""
ALL = [model for models in EXAMPLES.values() for model in models]
row = st.tuples(st.sampled_from("abc"), st.sampled_from(NUMBERS), st.sampled_from(NODES))
rows = st.lists(row, min_size=1, max_size=14)
others = st.lists(st.sampled_from("abcd"), max_size=10)
every_model = pytest.mark.parametrize("model", ALL, ids=str)
about_classes = pytest.mark.parametrize("model", [x for x in ALL if x.basis is not Basis.MECHANISM], ids=str)
about_values = pytest.mark.parametrize("model", [x for x in ALL if isinstance(x, SensitiveModel)], ids=str)


def check(model: Any, listed: list[Row], population: list[str] | None = None) -> Verdict:
    found: Verdict = model.check(published(listed, population or []))
    return found


def test_every_registered_model_is_tested_here() -> None:
    assert set(EXAMPLES) == set(MODELS)
    for name, models in EXAMPLES.items():
        assert all(model.name == name for model in models)
        assert all(type(model) is MODELS[name] for model in models)


@every_model
def test_models_say_what_they_protect_from_and_where_they_come_from(model: Any) -> None:
    assert isinstance(model.basis, Basis)
    assert model.protects_from
    assert all(isinstance(threat, Threat) for threat in model.protects_from)
    paper = inspect.getmodule(type(model)).__doc__  # type: ignore[union-attr]
    assert paper is not None
    assert re.search(r"\((19|20)\d\d\)", paper), "the paper belongs into the first lines of the file"
    said = inspect.getdoc(type(model)) or ""
    assert "Protects " in said
    assert re.search(r"\bdoes\s+not\b|\bare\s+not\s+looked\s+at\b|\bis\s+not\s+protected\b", said)


@every_model
def test_models_say_in_words_what_they_promise(model: Any) -> None:
    words = model.in_words()
    assert words
    assert words[0].islower()
    assert not words.endswith(".")
    assert "\n" not in words


@every_model
def test_models_can_be_spelt_in_a_recipe_and_read_back(model: Any) -> None:
    assert build(MODELS, spell(model), "model") == model


@about_classes
@settings(max_examples=15)
@given(rows, others)
def test_a_check_is_pure_and_its_witness_real(model: Any, listed: list[Row], population: list[str]) -> None:
    before = list(listed)
    verdict = check(model, listed, population)
    assert listed == before
    assert check(model, listed, population) == verdict
    assert verdict.model == model.name
    assert verdict.holds is (verdict.witness is None)
    assert verdict.holds is (verdict.violations == 0)
    if verdict.witness is not None and verdict.witness.rows:
        members = {listed[number - 1][0] for number in verdict.witness.rows}
        assert len(members) == 1
        name = members.pop()
        assert Counter(quasi for quasi, _, _ in listed)[name] == verdict.witness.size
        if model.name not in SUFFICIENT:
            assert name in broken(model.rules(schema()), listed, population)


@about_classes
@settings(max_examples=15)
@given(rows, others)
def test_both_faces_of_a_model_agree(model: Any, listed: list[Row], population: list[str]) -> None:
    bad = broken(model.rules(schema()), listed, population)
    verdict = check(model, listed, population)
    if model.name in SUFFICIENT:
        assert verdict.holds or bad
    else:
        assert verdict.violations == len(bad)


@pytest.mark.parametrize("model", [x for x in ALL if x.basis is Basis.MECHANISM], ids=str)
def test_promises_of_a_mechanism_ask_nothing_of_classes_and_do_not_hold_without_one(model: Any) -> None:
    assert all(rule.parameters == (1,) for rule in model.rules(schema()))
    verdict = check(model, [("a", 1, "low")] * 5)
    assert not verdict.holds
    assert verdict.witness is not None
    assert str(verdict.witness)


@about_values
@settings(max_examples=10)
@given(rows)
def test_both_faces_agree_when_an_adversary_knows_more(model: Any, listed: list[Row]) -> None:
    one = replace(model, column="ill")
    rules = one.rules(schema(known=True))
    assert all(rule.known == ("shared",) for rule in rules if rule.column is not None)
    assert one.check(published(listed, known=True)).violations == len(broken(rules, listed))


@about_classes
@settings(max_examples=15)
@given(rows, others)
def test_merging_classes_keeps_a_promise_that_says_it_is_monotone(
    model: Any, listed: list[Row], population: list[str]
) -> None:
    monotone = all(rule.monotone for rule in model.rules(schema()))
    if monotone and model.name not in SUFFICIENT and check(model, listed, population).holds:
        merged = [("b" if quasi == "a" else quasi, *rest) for quasi, *rest in listed]
        together = ["b" if quasi == "a" else quasi for quasi in population]
        assert check(model, merged, together).holds  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("model", "listed"),
    [
        # One in four has a 0, as in the first class; in the second nobody; together half as many.
        (m.DeltaDisclosure(1), [*zip("aaaabbbbcccc", (0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1), strict=True)]),
        # 1 and 7 lie apart in one class; both are close to the 4 of the other.
        (m.EpsilonMAnonymity(3, 2), [("a", 1), ("a", 7), ("b", 4), ("b", 0)]),
    ],
    ids=str,
)
def test_promises_that_merging_can_break_say_so(model: Any, listed: list[tuple[str, int]]) -> None:
    assert not any(rule.monotone for rule in model.rules(schema()))
    data = [(quasi, ill, "7") for quasi, ill in listed if quasi != "c"]
    rest = [(quasi, ill, "7") for quasi, ill in listed if quasi == "c"]
    merged = [("a", ill, shared) for _, ill, shared in data]
    before = {name for name in broken(model.rules(schema()), data + rest) if name != "c"}
    after = {name for name in broken(model.rules(schema()), merged + rest) if name != "c"}
    assert not before
    assert after


def test_a_guard_that_only_one_of_two_classes_has_breaks_when_they_merge() -> None:
    model = m.PersonalisedPrivacy(0.5)
    apart = [("a", 7, "low"), ("a", 4, "low"), ("b", 0, "7"), ("b", 1, "7"), ("b", 2, "7")]
    together = [("a", ill, guard) for _, ill, guard in apart]
    assert check(model, apart).holds  # type: ignore[arg-type]
    assert not check(model, together).holds  # type: ignore[arg-type]


THRESHOLDS: list[tuple[Any, str, bool]] = [
    (m.ProbabilisticLDiversity(1), "l", True),
    (m.EntropyLDiversity(1), "l", True),
    (m.TCloseness(1), "t", False),
    (m.TCloseness(1, "ordered"), "t", False),
    (m.TCloseness(1, "numeric"), "t", False),
    (m.TCloseness(1, "hierarchical"), "t", False),
    (m.AlphaKAnonymity(1, 1), "alpha", False),
    (m.BasicBetaLikeness(99), "beta", False),
    (m.RangeDiversity(0), "least", True),
]
TINY = Fraction(1, 10**15)


@pytest.mark.parametrize(("model", "parameter", "more_is_better"), THRESHOLDS, ids=str)
@settings(max_examples=20)
@given(listed=rows)
def test_what_is_achieved_can_be_promised_and_not_a_hair_more(
    model: Any, parameter: str, more_is_better: bool, listed: list[Row]
) -> None:
    table = published(listed)
    value = model.measured(table)["ill"]
    if parameter == "l" and isinstance(model, m.ProbabilisticLDiversity):
        value = 1 / value
    if not isinstance(value, Fraction):
        return
    step = TINY if more_is_better else -TINY
    if value > 0:
        assert replace(model, **{parameter: value}).check(table).holds
        assert value + step <= 0 or not replace(model, **{parameter: value + step}).check(table).holds


STRICT = (m.RecursiveLDiversity, m.DeltaDisclosure)
"""models that may fail at the very bound that they print"""


@about_values
@settings(max_examples=10)
@given(rows)
def test_what_breaks_a_promise_is_not_written_like_the_bound(model: Any, listed: list[Row]) -> None:
    verdict = check(model, listed)
    if not verdict.holds and not isinstance(model, STRICT):
        asked = re.findall(r"[\d.]+", verdict.required)
        assert asked != re.findall(r"[\d.]+", verdict.achieved)


@about_classes
def test_an_empty_table_breaks_no_promise_and_says_so(model: Any) -> None:
    table = published([])
    if table.population is not None and getattr(model, "min", 0):
        return
    verdict = model.check(table)
    assert verdict.holds
    assert verdict.achieved == "no records"


def test_checkers_share_no_code_with_searches() -> None:
    searching = {"exact", "judge", "rule_tables", "rule_needs", "search", "start", "cells", "solution"}
    folder = Path(inspect.getfile(m.KAnonymity)).parent
    files = [*folder.glob("*.py"), folder.parent / "published.py", folder.parent / "wildcards.py"]
    assert len(files) > 30
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sfumato.table."):
                name = (node.module or "").removeprefix("sfumato.table.").split(".")[0]
                assert name not in searching, f"{file.name} imports {name}"
                assert not name.startswith(("methods", "_kernels")), f"{file.name} imports {name}"
