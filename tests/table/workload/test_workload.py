"""Workload-aware Mondrian from a frame to a release: promises, outputs, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import PromiseNotMet, SfumatoError
from sfumato.core.named import build, spell
from sfumato.table.methods import METHODS, Mondrian
from sfumato.table.methods.workload_mondrian import WorkloadMondrian
from sfumato.table.rule import Rule, RuleKind
from tests.oracles import rules as oracle
from tests.table.mondrian_tables import published
from tests.table.test_mondrian_rules import assert_kept, problem_of
from tests.table.test_rules_search import refused
from tests.table.workload.workload_tables import TARGET, problem_with

SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
COUNTED = Rule(RuleKind.DISTINCT, (1,), True, "value")
"""makes the values of the target be counted; it holds always"""
FOR_PERSONS = (
    Rule(RuleKind.MIN_PERSONS, (2,), True),
    Rule(RuleKind.DISTINCT, (2,), True, "value"),
    Rule(RuleKind.PRESENCE, (0, 1, 3, 4), True),
)
"""what is asked where somebody has rows in several cells"""


@pytest.mark.parametrize("task", ["classification", "regression", "queries"])
@SOME
@given(data=st.data())
def test_every_class_satisfies_all_rules(task: Any, data: st.DataObject) -> None:
    persons = data.draw(st.booleans())
    watched = data.draw(oracle.watched(persons=persons, most_rows=40))
    some = [rules for several in oracle.ANY_RULE.values() for rules in several]
    rules = FOR_PERSONS if persons else data.draw(st.sampled_from(some))
    if refused(rules, watched):
        return
    problem = problem_of(watched, (*rules, COUNTED), data.draw(st.booleans()), data.draw(st.booleans()))
    problem = replace(problem, rules=rules)
    output: Any = data.draw(st.sampled_from(["tight", "region", "hierarchy"]))
    if task == "queries":
        first = problem.cells.domains[0]
        queries = tuple(f"\"{first.name}\" = '{text}'" for text in first.texts[:2])
        method = WorkloadMondrian(task=task, queries=queries, output=output)
    else:
        method = WorkloadMondrian("value", task, output=output)
    whole = oracle.Class(
        tuple(zip(watched.people, watched.known, watched.sensitive, strict=True)), len(watched.population)
    )
    if not all(oracle.holds(rule, whole, watched) for rule in rules):
        with pytest.raises(PromiseNotMet):
            method.search(problem)
        return
    assert_kept(method.search(problem), watched, rules)


def patients(size: int = 200) -> pd.DataFrame:
    """Make people of whom the old in town c are mostly ill, and the income grows with age."""
    draws = np.random.default_rng(3)
    age, town = draws.integers(20, 80, size), draws.choice(list("abcd"), size)
    risk = 0.1 + 0.7 * ((age > 60) & (town == "c"))
    return pd.DataFrame(
        {
            "name": [f"person {i}" for i in range(size)],
            "age": age,
            "town": town,
            "ill": np.where(draws.random(size) < risk, "yes", "no"),
            "income": (1000 * (age // 10) + draws.integers(0, 900, size)).astype(float),
        }
    )


ASK: dict[str, Any] = {
    "quasi": ["age", "town"],
    "sensitive": ["ill"],
    "identifier": ["name"],
    "confirmed": ["income"],
    "models": [sf.KAnonymity(10)],
    "order": "kept",
}
QUERIES = ("age between 30 and 45 and town in ('a', 'b')", "town = 'c' and age > 60")
METHODS_TO_TRY = [
    WorkloadMondrian("ill"),
    WorkloadMondrian("income", "regression"),
    WorkloadMondrian(task="queries", queries=QUERIES),
]
every_task = pytest.mark.parametrize("method", METHODS_TO_TRY, ids=lambda method: method.task)


@every_task
def test_releases_are_k_anonymous_whole_and_always_the_same(method: WorkloadMondrian) -> None:
    data = patients()
    first, second = (sf.protect(data, **ASK, method=method) for _ in range(2))
    pd.testing.assert_frame_equal(first.data, second.data)
    assert first.verdicts[0].holds
    assert len(first.data) == len(data)
    assert first.data.groupby(["age", "town"]).size().min() >= 10
    assert list(first.data["ill"]) == list(data["ill"])


@every_task
def test_the_order_of_the_rows_does_not_matter(method: WorkloadMondrian) -> None:
    data = patients()
    mixed = data.sample(frac=1.0, random_state=1)
    first = sf.protect(data, **ASK, method=method).data
    second = sf.protect(mixed, **ASK, method=method).data
    second.index = mixed.index
    pd.testing.assert_frame_equal(first, second.sort_index())


def minorities(released: pd.DataFrame) -> int:
    """Count those who are not of the most frequent class of their group."""
    counts = released.groupby(["age", "town", "ill"]).size()
    return len(released) - int(counts.groupby(["age", "town"]).max().sum())


def spread(released: pd.DataFrame) -> float:
    """Add up the squares around the mean of each group."""
    return float(
        released.groupby(["age", "town"])["income"].apply(lambda own: ((own - own.mean()) ** 2).sum()).sum()
    )


def test_each_task_is_served_better_than_by_plain_mondrian() -> None:
    data = patients(1000)
    plain = sf.protect(data, **ASK, method=Mondrian(choose="least loss")).data
    for_classes, for_numbers, _ = (sf.protect(data, **ASK, method=m).data for m in METHODS_TO_TRY)
    assert minorities(for_classes) < minorities(plain)
    assert spread(for_numbers) < spread(plain)


def test_groups_that_lie_inside_or_outside_a_region_answer_the_query_exactly() -> None:
    data = patients(1000)
    released = sf.protect(data, **ASK, method=WorkloadMondrian(task="queries", queries=QUERIES)).data
    inside = (data["age"].between(30, 45) & data["town"].isin(["a", "b"])).to_numpy()
    mixed = pd.Series(inside).groupby([released["age"], released["town"]]).nunique()
    assert (mixed == 1).all()


def test_a_sensitive_target_beside_l_diversity_stays_diverse() -> None:
    ask = {**ASK, "models": [sf.KAnonymity(10), sf.DistinctLDiversity(2)]}
    release = sf.protect(patients(1000), **ask, method=WorkloadMondrian("ill"))
    assert all(verdict.holds for verdict in release.verdicts)
    assert release.data.groupby(["age", "town"])["ill"].nunique().min() >= 2


def test_regions_reach_from_cut_to_cut() -> None:
    records = [(age,) for age in (0, 1, 2, 10, 11, 12)]
    problem = problem_with(records, list("xxxyyy"), 3)
    found = published(WorkloadMondrian(TARGET, output="region").search(problem), records)
    assert found == [("[0-9]",)] * 3 + [("[10-12]",)] * 3


def test_who_has_no_number_counts_nowhere_in_regression() -> None:
    records = [(age,) for age in range(8)]
    target = [None, None, None, None, 1, 1, 9, 9]
    found = WorkloadMondrian(TARGET, "regression").search(problem_with(records, target, 2))
    assert len(set(found.classes[[4, 6]])) == 2


def test_a_target_that_is_the_same_for_all_leaves_plain_mondrian() -> None:
    records = [(age, sex) for age in range(10) for sex in "mf"]
    problem = problem_with(records, ["same"] * 20, 4)
    plain = Mondrian(choose="least loss").search(problem)
    for task in ("classification", "regression"):
        target = ["same"] * 20 if task == "classification" else [5] * 20
        found = WorkloadMondrian(TARGET, task).search(problem_with(records, target, 4))
        assert found.details["steered"] == 0
        assert published(found, records) == published(plain, records)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "takes a target"),
        ({"target": "ill", "queries": ("age > 3",)}, "takes a target and no queries"),
        ({"task": "queries"}, "takes a list of queries"),
        ({"task": "queries", "target": "ill", "queries": ("age > 3",)}, "no target"),
        ({"task": "queries", "queries": "age > 3"}, "must be a list"),
        ({"target": "ill", "task": "clustering"}, "knows no task"),
        ({"target": "ill", "output": "loose"}, "knows no output"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        WorkloadMondrian(**parameters)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (WorkloadMondrian("il"), r"a column 'il', which is not in the data.*'ill'"),
        (WorkloadMondrian("name"), r"column 'name': .* declared identifier"),
        (WorkloadMondrian("age"), r"column 'age': .* declared quasi-identifier"),
        (WorkloadMondrian("income"), r"column 'income': it has \d+ different values, too many"),
        (WorkloadMondrian("ill", "regression"), r"column 'ill': .* neither numbers nor dates"),
        (WorkloadMondrian(task="queries", queries=("age > 3", "ill = 'yes'")), r"queries\[1\].*column 'ill'"),
        (WorkloadMondrian(task="queries", queries=("age >",)), r"queries\[0\]: the query is not SQL"),
        (
            WorkloadMondrian(task="queries", queries=("age > 'old'",)),
            r"column 'age': .* compared with something",
        ),
    ],
)
def test_targets_and_queries_that_do_not_fit_are_refused(method: WorkloadMondrian, message: str) -> None:
    with pytest.raises(sf.BadInput, match=message) as problem:
        sf.protect(patients(), **ASK, method=method)
    assert "person " not in str(problem.value)


def test_fewer_persons_than_k_are_refused() -> None:
    with pytest.raises(SfumatoError, match="20"):
        sf.protect(patients(15), **{**ASK, "models": [sf.KAnonymity(20)]}, method=WorkloadMondrian("ill"))


@every_task
def test_recipes_spell_it_as_python_does(method: WorkloadMondrian) -> None:
    assert build(METHODS, spell(method), "method") == method
    data = patients()
    spelt = sf.protect(data, **ASK, method=spell(method)).data
    pd.testing.assert_frame_equal(spelt, sf.protect(data, **ASK, method=method).data)
