"""Inference by a classifier: patterns are found where there are some, whoever took part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput, MissingPart
from sfumato.core.randomness import SeededRandom
from sfumato.core.verdict import Threat
from sfumato.table.attacks.attribute_inference import AttributeInference
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.perturbation.randomisation import RetentionReplacement
from sfumato.table.published import PublishedTable
from tests.oracles.inference_attacks import naive_bayes_attack
from tests.table.attacks.tables import in_memory

NOTHING = Knowledge()
PEOPLE = st.lists(
    st.tuples(st.tuples(st.sampled_from("xyz"), st.sampled_from("uv")), st.sampled_from("abc")),
    min_size=1,
    max_size=25,
)


def released(people: Sequence[tuple[tuple[str, ...], str]]) -> PublishedTable:
    columns = {f"q{j}": [known[j] for known, _ in people] for j in range(len(people[0][0]))}
    table = in_memory({**columns, "ill": [value for _, value in people]})
    return PublishedTable(table, tuple(columns), ("ill",))


def smokers(size: int, seed: int, *, shuffled: bool = False) -> pa.Table:
    """Smoking goes with cancer, age a little, and the rest is chance."""
    generator = np.random.default_rng(seed)
    smokes = generator.random(size) < 0.4
    old = generator.random(size) < 0.5
    ill = generator.random(size) < np.where(smokes, 0.8, 0.05) + 0.1 * old
    if shuffled:
        ill = generator.permutation(ill)
    return pa.table(
        {
            "id": np.arange(size),
            "smokes": np.where(smokes, "yes", "no"),
            "age": np.where(old, "[50-99]", "[0-49]"),
            "ill": np.where(ill, "cancer", "none"),
        }
    )


def published(records: pa.Table) -> PublishedTable:
    return PublishedTable(in_memory(records), ("smokes", "age"), ("ill",), person="id")


@settings(max_examples=40, deadline=None)
@given(PEOPLE, st.sampled_from([0.5, 1.0, 2.0]))
def test_naive_bayes_and_its_leave_one_out_are_those_of_retraining_for_everybody(
    people: list[tuple[tuple[str, ...], str]], smoothing: float
) -> None:
    result = AttributeInference(smoothing=smoothing).run(released(people), NOTHING)
    success, baseline, guessing = naive_bayes_attack(people, smoothing)
    assert result.attempts == len(people)
    assert result.success == pytest.approx(success)
    assert result.baseline == pytest.approx(baseline)
    assert result.guessing == pytest.approx(guessing)


def test_it_learns_that_smoking_goes_with_cancer_whether_the_smoker_took_part_or_not() -> None:
    result = AttributeInference().run(published(smokers(20_000, seed=1)), NOTHING)
    assert result.success > result.guessing + 0.15
    assert abs(result.advantage) < 1e-3
    assert result.threat is Threat.INFERENCE
    assert result.column == "ill"


def test_on_shuffled_data_it_is_no_better_than_guessing() -> None:
    result = AttributeInference().run(published(smokers(20_000, seed=1, shuffled=True)), NOTHING)
    assert result.success == pytest.approx(result.guessing, abs=0.01)
    assert result.baseline == pytest.approx(result.guessing, abs=0.01)


def test_few_people_with_labels_of_their_own_are_learned_by_heart() -> None:
    people = [((f"street {i}", f"job {i}"), "abc"[i % 3]) for i in range(30)]
    result = AttributeInference().run(released(people), NOTHING)
    assert result.success == 1.0
    assert result.baseline < 0.4


@pytest.mark.parametrize("model", ["forest", "logistic"])
def test_models_of_scikit_learn_find_the_same_pattern(model: Any) -> None:
    result = AttributeInference(model=model).run(published(smokers(2000, seed=2)), NOTHING)
    naive = AttributeInference().run(published(smokers(2000, seed=2)), NOTHING)
    assert result.success > result.guessing + 0.15
    assert abs(result.advantage) < 0.01
    assert result.success == pytest.approx(naive.success, abs=0.01)
    assert result.details["model"] == model


@pytest.mark.parametrize("model", ["forest", "logistic"])
def test_models_of_scikit_learn_fail_on_shuffled_data_when_they_have_not_seen_the_person(model: Any) -> None:
    result = AttributeInference(model=model).run(published(smokers(2000, seed=2, shuffled=True)), NOTHING)
    assert result.success == pytest.approx(result.guessing, abs=0.02)
    assert result.baseline <= result.guessing + 0.02


def test_a_forest_sees_what_naive_bayes_cannot() -> None:
    people = [((str(a), str(b)), str(a ^ b)) for a in (0, 1) for b in (0, 1)] * 250
    assert AttributeInference(model="forest").run(released(people), NOTHING).baseline == 1.0
    assert AttributeInference().run(released(people), NOTHING).success == 0.5


def test_without_scikit_learn_only_naive_bayes_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    genuine = importlib.import_module

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return genuine(name, *rest)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(MissingPart, match="scikit-learn"):
        AttributeInference(model="forest").run(published(smokers(50, seed=2)), NOTHING)
    assert AttributeInference().run(published(smokers(50, seed=2)), NOTHING).attempts == 50


def test_randomised_values_are_compared_with_the_truth_where_it_is_known() -> None:
    original = smokers(20_000, seed=5)
    step = RetentionReplacement("ill", ("cancer", "none"), keep=0.3)
    perturbed = step.apply(original, SeededRandom(3))
    target = replace(published(perturbed.records), mechanisms=perturbed.mechanisms)
    blind = AttributeInference().run(target, NOTHING)
    assert blind.scored is Scored.EXPECTED
    assert "randomised" in blind.note
    result = AttributeInference().run(target, Knowledge(original=published(original)))
    assert result.scored is Scored.MEASURED
    assert result.attempts == 20_000
    assert "randomised" not in result.note
    # The pattern survives the noise, and says more of people than their released values do.
    assert result.success > 0.85 > blind.success


def test_true_values_of_an_untouched_column_give_the_same_figures() -> None:
    records = smokers(500, seed=6)
    alone = AttributeInference().run(published(records), NOTHING)
    checked = AttributeInference().run(published(records), Knowledge(original=published(records)))
    assert (checked.success, checked.baseline, checked.guessing) == pytest.approx(
        (alone.success, alone.baseline, alone.guessing)
    )
    assert checked.certain == alone.certain


def test_it_counts_those_of_whom_it_is_sure_and_right() -> None:
    people = [(("x",), "a")] * 60 + [(("y",), "b")] * 40
    result = AttributeInference(confidence=0.9).run(released(people), NOTHING, victims=True)
    assert result.certain == 100
    assert result.details["confident"] == 100
    assert len(result.victims) == 100
    assert {victim.row for victim in result.victims} == set(range(1, 101))
    assert all(victim.confidence >= 0.9 for victim in result.victims)
    assert AttributeInference(confidence=1).run(released(people), NOTHING).certain == 0


def test_a_sensitive_column_that_is_known_is_learned_from() -> None:
    table = {"age": ["x"] * 40, "drug": ["insulin", "other"] * 20, "ill": ["diabetes", "flu"] * 20}
    target = PublishedTable(in_memory(table), ("age",), ("drug", "ill"))
    assert AttributeInference("ill").run(target, NOTHING).baseline < 0.6
    assert AttributeInference("ill").run(replace(target, known=("drug",)), NOTHING).baseline == 1.0


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: AttributeInference(model="bayes"),  # type: ignore[arg-type]
        lambda: AttributeInference(confidence=0.4),
        lambda: AttributeInference(smoothing=0),
        lambda: AttributeInference(folds=1),
        lambda: AttributeInference("pay").run(released([(("x",), "a")]), NOTHING),
        lambda: AttributeInference().run(PublishedTable(in_memory({"ill": ["a"]}), (), ("ill",)), NOTHING),
    ],
)
def test_what_makes_no_sense_is_refused(mistake: Any) -> None:
    with pytest.raises(BadInput) as problem:
        mistake()
    assert problem.value.remedy
