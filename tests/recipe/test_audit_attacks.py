"""Doors of attacks must not say less than the attacks behind them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.attack import AttackResult
from sfumato.core.verdict import Threat
from sfumato.recipe.attack import attack
from sfumato.recipe.attack_ask import exceeded
from sfumato.table.attacks.linkage import Linkage


def people(number: int = 60) -> pd.DataFrame:
    chance = random.Random(2)
    rows = [
        (
            chance.choice([20, 21, 22, 23, 60]),
            chance.choice("mf"),
            chance.choice(["4761", "4790"]),
            chance.choice("abc"),
        )
        for _ in range(number)
    ]
    return pd.DataFrame(rows, columns=["age", "sex", "zip", "ill"])


def test_hidden_values_are_nobody_elses_when_a_release_is_attacked_from_outside() -> None:
    data = people()
    release = sf.protect(
        data,
        quasi=["age", "sex", "zip"],
        sensitive="ill",
        models=[sf.KAnonymity(3)],
        method=sf.LocalSuppression(),
    )
    assert release.data["age"].isna().any()
    in_house = next(one.after for one in release.attacks if one.name == "linkage")
    found = attack(release, "linkage", original=data)[0]
    assert in_house is not None
    assert found.success == pytest.approx(in_house.success)
    assert found.details["no match"] == 0


@pytest.mark.parametrize("share", [0.1, 0.2, 0.3, 0.7])
def test_a_share_that_is_the_bound_keeps_it_however_many_people_there_are(share: float) -> None:
    for number in (3, 7, 37, 101):
        found = AttackResult("linkage", Threat.IDENTITY, number, success=share, baseline=0.0, guessing=0.0)
        assert exceeded({"at-most": share}, found) == []
        assert exceeded({"advantage-at-most": share}, found) == []
        assert exceeded({"at-most": share - 0.01}, found)


def test_a_bound_that_nobody_would_look_at_is_refused() -> None:
    data = people()
    with pytest.raises(sf.BadInput, match="bound"):
        attack(data, {"homogeneity": {"at-most": 0}}, quasi=["age"], sensitive="ill")


def test_linkage_on_changed_values_says_that_nearly_equal_ones_were_not_looked_for() -> None:
    release = sf.protect(
        people(),
        quasi=["age", "sex"],
        sensitive="ill",
        models=[sf.KAnonymity(2)],
        method=sf.Mondrian(),
        perturb=[sf.Noise(("age",), alpha=0.3)],
        confirmed=["zip"],
    )
    after = next(one.after for one in release.attacks if one.name == "linkage")
    assert after is not None
    assert "'age' was changed by noise: fuzzy-linkage may find more" in after.note


def test_rows_that_do_not_say_whose_they_are_are_refused() -> None:
    data = people(8).assign(who=pd.Series(["1", None, None, "2", "3", "4", "5", None]))
    with pytest.raises(sf.BadInput, match="3 rows do not say whose they are"):
        attack(data, "homogeneity", quasi=["sex"], sensitive="ill", person="who")


def test_parameters_that_hold_values_are_counted_in_the_evidence_and_not_written() -> None:
    told = {"never": [{"column": "sex", "value": "m", "not": "zebra pox"}]}
    release = sf.protect(
        people(),
        quasi=["age", "sex"],
        sensitive="ill",
        models=[sf.KAnonymity(2)],
        method=sf.Mondrian(),
        attacks=[{"background-knowledge": told}, {"similarity": {"groups": {"zebras": ["a", "b"]}}}],
    )
    written = release.evidence.model_dump_json()
    assert "zebra" not in written
    listed = {one.name: one.parameters for one in release.attacks}
    assert listed["background-knowledge"]["never"] == "1 given"
    assert listed["similarity"]["groups"] == "1 given"


def test_people_who_are_surely_in_the_release_and_match_nothing_are_not_taken_for_safe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Linkage.run

    def reads_nothing(*given: Any, **more: Any) -> AttackResult:
        result = found(*given, **more)
        return replace(result, success=0.0, details={**result.details, "no match": 60})

    monkeypatch.setattr(Linkage, "run", reads_nothing)

    def released(**more: Any) -> Any:
        return sf.protect(
            people(),
            quasi=["age", "sex"],
            sensitive="ill",
            models=[sf.KAnonymity(2)],
            method=sf.Mondrian(),
            **more,
        )

    linkage = next(one for one in released().attacks if one.name == "linkage")
    assert linkage.after is None
    assert "60 people" in linkage.not_run
    with pytest.raises(sf.BadInput, match="60 people"):
        released(attacks=[{"linkage": {"at-most": 0.5}}])


def test_people_who_were_left_out_do_not_make_linkage_look_rarer() -> None:
    ages = [20, 20, 30, 30, *range(40, 46)]
    table = pd.DataFrame({"age": ages, "ill": ["a", "b"] * 5})
    release = sf.protect(
        table,
        quasi=["age"],
        sensitive="ill",
        models=[sf.KAnonymity(2)],
        method=sf.OptimalLattice(suppress=0.6),
        hierarchies={"age": {"flat": {}}},
    )
    assert release.suppressed == 6
    linked = next(one for one in release.attacks if one.name == "linkage")
    assert linked.after is not None
    assert (linked.after.success, linked.after.attempts) == (0.5, 4)
    again = sf.attack(release, "linkage", original=table)
    assert (again.results[0].success, again.results[0].attempts) == (0.5, 4)


def test_who_is_who_is_compared_where_labels_overlap() -> None:
    draw = np.random.default_rng(4)
    table = pd.DataFrame(
        {"id": range(200), "age": draw.integers(20, 60, 200), "zip": draw.integers(10, 30, 200)}
    )
    release = sf.protect(
        table, quasi=["age", "zip"], person="id", models=[sf.KAnonymity(3)], method=sf.KMember()
    )
    linked = next(one for one in release.attacks if one.name == "linkage")
    assert linked.after is not None
    assert linked.after.scored == "measured"


def test_changed_quasi_identifiers_are_attacked_by_fuzzy_linkage_unasked() -> None:
    draw = np.random.default_rng(5)
    table = pd.DataFrame(
        {
            "id": range(300),
            "income": draw.normal(50_000, 9_000, 300).round(2),
            "weight": draw.normal(70, 9, 300).round(3),
            "ill": draw.choice(list("ab"), 300),
        }
    )
    release = sf.protect(
        table,
        quasi=["income", "weight"],
        sensitive="ill",
        person="id",
        models=[sf.KAnonymity(1)],
        perturb=[sf.Noise(columns=("income", "weight"), alpha=0.001)],
        method=sf.Keep(),
    )
    found = {one.name: one for one in release.attacks}
    exact, fuzzy = found["linkage"].after, found["fuzzy-linkage"].after
    assert exact is not None
    assert fuzzy is not None
    assert exact.success < 0.1
    assert fuzzy.success > 0.5


@pytest.mark.parametrize("column", [None, "age"])
def test_posterior_is_run_on_what_was_randomised(column: str | None) -> None:
    draw = np.random.default_rng(6)
    table = pd.DataFrame(
        {"age": draw.choice([20, 30, 40], 90), "ill": draw.choice(list("ab"), 90), "paid": ["x", "y"] * 45}
    )
    release = sf.protect(
        table,
        quasi=["age"],
        sensitive=["ill", "paid"],
        models=[sf.KAnonymity(2)],
        perturb=[sf.RetentionReplacement("age", values=(20, 30, 40), keep=0.5)],
        method=sf.Keep(),
        attacks=[{"posterior": {} if column is None else {"column": column}}],
    )
    told = [one for one in release.attacks if one.name == "posterior"]
    assert [(one.column, one.not_run) for one in told] == [("age", "")]


@pytest.mark.parametrize("hidden", [False, True])
def test_sparse_matching_is_run_from_a_recipe_and_says_which_items_it_cannot_read(hidden: bool) -> None:
    draw = np.random.default_rng(7)
    rows = [
        {"user": user, "item": f"i{item}", "rating": int(draw.integers(1, 6)), "day": int(draw.integers(900))}
        for user in range(60)
        for item in draw.choice(40, 12, replace=False)
    ]
    release = sf.protect(
        pd.DataFrame(rows),
        quasi=["item"],
        sensitive="rating",
        models=[sf.KAnonymity(60 if hidden else 2)],
        method=sf.Mondrian(),
        attacks=[{"sparse-matching": {"date": "day"}}],
        confirmed=["user", "day"],
    )
    found = next(one for one in release.attacks if one.name == "sparse-matching").after
    assert found is not None
    assert found.scored == "measured"
    assert ("who can read what became of them may find more" in found.note) is hidden
    assert (found.success > 0.9) is not hidden
