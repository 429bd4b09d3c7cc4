"""What models refuse, and how they say it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.schema import Schema
from tests.oracles.models import HIERARCHY, publish

ABOUT_VALUES: list[Any] = [
    sf.DistinctLDiversity(2),
    sf.ProbabilisticLDiversity(2),
    sf.EntropyLDiversity(2),
    sf.RecursiveLDiversity(2, 2),
    sf.TCloseness(0.5),
    sf.AlphaKAnonymity(0.5, 2),
    sf.PSensitiveKAnonymity(2, 2),
    sf.BasicBetaLikeness(1),
    sf.EnhancedBetaLikeness(1),
    sf.DeltaDisclosure(1),
    sf.EpsilonMAnonymity(1, 2),
    sf.RangeDiversity(1),
    sf.PersonalisedPrivacy(0.5),
]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: sf.DistinctLDiversity(0), "l must be a whole number of at least 1"),
        (lambda: sf.DistinctLDiversity(2.5), "l must be a whole number"),
        (lambda: sf.ProbabilisticLDiversity(0.5), "l must be at least 1"),
        (lambda: sf.EntropyLDiversity(True), "l must be a number"),
        (lambda: sf.EntropyLDiversity(float("nan")), "l must be a number"),
        (lambda: sf.EntropyLDiversity("3"), "l must be a number"),
        (lambda: sf.RecursiveLDiversity(0, 2), "c must be above 0"),
        (lambda: sf.TCloseness(1.01), "t must lie between 0 and 1"),
        (lambda: sf.TCloseness(-0.01), "t must lie between 0 and 1"),
        (lambda: sf.TCloseness(0.5, "ordred"), "did you mean 'ordered'"),
        (lambda: sf.AlphaKAnonymity(0, 2), "alpha must be above 0"),
        (lambda: sf.AlphaKAnonymity(0.5, 2, "HIV"), "values must be a list of texts"),
        (lambda: sf.PSensitiveKAnonymity(3, 2), "p = 3 is more than k = 2"),
        (lambda: sf.BasicBetaLikeness(0), "beta must be above 0"),
        (lambda: sf.DeltaDisclosure(0), "delta must be above 0"),
        (lambda: sf.EpsilonMAnonymity(-1, 2), "epsilon must be at least 0"),
        (lambda: sf.RangeDiversity(-1), "least must be at least 0"),
        (lambda: sf.PersonalisedPrivacy(0), "p must be above 0"),
        (lambda: sf.DeltaPresence(0.5, 0.2), "min ≤ max"),
        (lambda: sf.AverageRisk(0), "at_most must be above 0"),
        (lambda: sf.SampleUniqueness(1.5), "share must lie between 0 and 1"),
        (lambda: sf.PopulationUniqueness(0.1, 0), "population must be a whole number"),
        (lambda: sf.PopulationUniqueness(0.1, 10, "pitmann"), "did you mean 'pitman'"),
        (lambda: sf.KMap(3, "poisson"), "population must be a whole number"),
        (lambda: sf.KMap(3, "poisson", population=5, sample=9), "cannot come from a population"),
        (lambda: sf.KMap(3, population=5), "sizes of population and sample are for estimates"),
        (lambda: sf.KAnonymity(3, "wild"), "did you mean 'wildcard'"),
        (lambda: sf.KAnonymity(3, up_to=0), "up_to must be a whole number"),
        (lambda: sf.TCloseness(0.5, column=""), "column must be the name"),
    ],
)
def test_parameters_are_checked_where_they_are_given(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(sf.BadInput) as refused:
        make()
    assert said in str(refused.value)


@pytest.mark.parametrize("model", ABOUT_VALUES, ids=lambda model: model.name)
def test_a_model_about_values_needs_a_sensitive_column(model: Any) -> None:
    with pytest.raises(sf.BadInput, match="no column is sensitive"):
        model.rules(Schema.of(["age"], quasi=["age"]))
    with pytest.raises(sf.BadInput, match="no column is sensitive"):
        model.check(publish(pd.DataFrame({"age": ["1"]}), ["age"]))


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("age", "is a quasi-identifier, and the model needs a sensitive column"),
        ("town", "column 'town' is not sensitive"),
        ("illl", "did you mean 'ill'"),
    ],
)
def test_a_column_that_is_not_sensitive_is_refused(column: str, said: str) -> None:
    model = sf.DistinctLDiversity(2, column=column)
    schema = Schema.of(["age", "town", "ill"], quasi=["age"], sensitive=["ill"])
    for ask in (
        lambda: model.rules(schema),
        lambda: model.check(
            publish(pd.DataFrame({"age": ["1"], "town": ["x"], "ill": ["y"]}), ["age"], ["ill"])
        ),
    ):
        with pytest.raises(sf.BadInput) as refused:
            ask()
        assert said in str(refused.value)


def test_a_sensitive_column_cannot_be_a_quasi_identifier_too() -> None:
    with pytest.raises(sf.BadInput, match="both"):
        sf.check(pd.DataFrame({"ill": ["a"]}), quasi="ill", sensitive="ill", models=sf.DistinctLDiversity(1))


TEXTS = pd.DataFrame({"age": ["1", "1"], "ill": ["flu", "HIV"]})


@pytest.mark.parametrize(
    "model",
    [
        sf.TCloseness(0.5, "ordered"),
        sf.TCloseness(0.5, "numeric"),
        sf.EpsilonMAnonymity(1, 2),
        sf.RangeDiversity(1),
    ],
    ids=str,
)
def test_texts_have_no_order_and_no_distance(model: Any) -> None:
    with pytest.raises(sf.BadInput, match="numbers or dates") as refused:
        model.check(publish(TEXTS, ["age"], ["ill"]))
    assert "flu" not in str(refused.value)


def test_texts_are_ordered_by_the_alphabet_when_that_is_meant() -> None:
    assert sf.TCloseness(0, "ordered", alphabetical=True).check(publish(TEXTS, ["age"], ["ill"])).holds


def test_missing_numbers_have_no_distance_but_a_place_in_the_order() -> None:
    data = publish(pd.DataFrame({"age": ["1", "1"], "ill": [1.0, None]}), ["age"], ["ill"])
    with pytest.raises(sf.BadInput, match="missing"):
        sf.TCloseness(0.5, "numeric").check(data)
    assert sf.TCloseness(0, "ordered").check(data).holds


def test_a_hierarchical_distance_needs_a_hierarchy() -> None:
    with pytest.raises(sf.BadInput, match="needs a hierarchy"):
        sf.TCloseness(0.5, "hierarchical").check(publish(TEXTS, ["age"], ["ill"]))


def guarded(node: str | None, **more: Any) -> Any:
    data = pd.DataFrame({"age": ["1", "1"], "ill": [0, 4], "hide": [node, None]})
    return publish(data, ["age"], ["ill"], **more)


def test_a_guarding_node_must_be_in_the_hierarchy_and_may_lie_above_nobody() -> None:
    model = sf.PersonalisedPrivacy(0.5)
    with pytest.raises(sf.BadInput, match="not in the hierarchy") as refused:
        model.check(guarded("lows", guard="hide", hierarchies={"ill": HIERARCHY}))
    assert "lows" not in str(refused.value)
    assert model.check(guarded("7", guard="hide", hierarchies={"ill": HIERARCHY})).holds
    assert model.check(guarded("low", guard="hide", hierarchies={"ill": HIERARCHY})).achieved == "p = 0.5"
    assert not model.check(guarded("any", guard="hide", hierarchies={"ill": HIERARCHY})).holds
    nothing = model.check(guarded(None, guard="hide", hierarchies={"ill": HIERARCHY}))
    assert nothing.achieved == "nothing is guarded"
    with pytest.raises(sf.BadInput, match="needs a hierarchy"):
        model.check(guarded("low", guard="hide"))
    with pytest.raises(sf.BadInput, match="want hidden"):
        model.check(guarded("low"))


def test_watched_values_belong_to_one_column() -> None:
    data = pd.DataFrame({"age": ["1"], "ill": ["a"], "pay": ["b"]})
    with pytest.raises(sf.BadInput, match="2 sensitive columns"):
        sf.AlphaKAnonymity(0.5, 1, ("a",)).check(publish(data, ["age"], ["ill", "pay"]))
    assert sf.AlphaKAnonymity(1, 1, ("a",), "ill").check(publish(data, ["age"], ["ill", "pay"])).holds


@pytest.mark.parametrize("model", [sf.KMap(2), sf.DeltaPresence(0, 0.5)], ids=str)
def test_comparing_with_the_population_needs_one(model: Any) -> None:
    with pytest.raises(sf.BadInput, match="none is given"):
        model.check(publish(TEXTS, ["age"]))
