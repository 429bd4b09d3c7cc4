"""Releases under attack: what each promise stops and what it leaves, seen through the doors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.evidence import AttackEvidence, AttackFigures
from sfumato.recipe.attack import attack
from tests.recipe.examples import RECIPE, files_in, ward

# Everybody of an age bracket of ten years shares an illness; the brackets are of ten people each.
HOMOGENEOUS = pd.DataFrame(
    {
        "age": [20 + i % 10 + 10 * (i // 10) for i in range(60)],
        "ill": [f"ill {i // 10}" for i in range(60)],
    }
)
BRACKETS = {"age": {"intervals": {"widths": [10], "origin": 0}}}


def protect(people: pd.DataFrame = HOMOGENEOUS, **more: Any) -> sf.Release:
    told: dict[str, Any] = {
        "quasi": "age",
        "sensitive": "ill",
        "models": sf.KAnonymity(10),
        "hierarchies": BRACKETS,
        "method": sf.OptimalLattice(suppress=0.0),
    }
    return sf.protect(people, **(told | more))


def found(release: sf.Release, name: str) -> AttackEvidence:
    return next(one for one in release.attacks if one.name == name)


def sides(release: sf.Release, name: str) -> tuple[AttackFigures, AttackFigures]:
    one = found(release, name)
    assert one.before is not None
    assert one.after is not None
    return one.before, one.after


def test_names_removed_everybody_is_found_and_after_k_anonymity_one_in_k() -> None:
    before, after = sides(protect(), "linkage")
    assert (before.success, before.certain) == (1.0, 60)
    assert (after.success, after.certain) == (0.1, 0)


def test_a_success_of_exactly_the_bound_is_allowed() -> None:
    protect(attacks={"linkage": {"at-most": 0.1}})
    with pytest.raises(sf.PromiseNotMet, match=r"linkage succeeds for 10\.0 % of 60 people"):
        protect(attacks={"linkage": {"at-most": 0.0999}})


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(20, 60), min_size=8, max_size=40), st.integers(2, 4))
def test_linkage_finds_at_most_one_in_k_on_average_whatever_the_table(ages: list[int], k: int) -> None:
    people = pd.DataFrame({"age": ages, "ill": ["a", "b"] * (len(ages) // 2) + ["a"] * (len(ages) % 2)})
    release = protect(people, models=sf.KAnonymity(k), method=sf.Mondrian(), hierarchies=None)
    _, after = sides(release, "linkage")
    assert after.success <= 1 / k + 1e-12
    assert after.highest <= 1 / k + 1e-12


def test_k_anonymity_leaves_homogeneity_and_l_diversity_ends_it() -> None:
    _, alike = sides(protect(), "homogeneity")
    assert (alike.success, alike.certain) == (1.0, 60)
    diverse = protect(models=[sf.KAnonymity(10), sf.DistinctLDiversity(2)])
    assert sides(diverse, "homogeneity")[1].success == 0.0


def test_a_bound_on_homogeneity_refuses_what_k_anonymity_would_publish(tmp_path: Path) -> None:
    alike = [line.replace("cold", "flu") for line in ["1,A,31,02131,flu", "2,B,33,02132,cold"]]
    recipe = ward(tmp_path, RECIPE + "attacks:\n  - homogeneity: {at-most: 0}\n", alike)
    before = files_in(tmp_path)
    with pytest.raises(sf.PromiseNotMet, match=r"homogeneity on 'ill' succeeds for 100\.0 % of 2 people"):
        sf.run(recipe)
    assert files_in(tmp_path) == before


def test_the_steward_is_warned_of_minimality_and_the_public_is_not() -> None:
    diverse = protect(models=[sf.KAnonymity(10), sf.DistinctLDiversity(2)])
    assert diverse.public is not None
    warned = [line for line in diverse.evidence.warnings if "minimality" in line]
    assert len(warned) == 1
    assert not [line for line in diverse.public.warnings if "minimality" in line]
    assert not [line for line in protect().evidence.warnings if "minimality" in line]


def test_a_list_of_voters_finds_people_before_and_not_after(tmp_path: Path) -> None:
    voters = pd.DataFrame({"name": [f"voter {i}" for i in range(20)], "Age": range(20, 40)})
    voters.to_csv(tmp_path / "voters.csv", index=False)
    release = protect(attacks={"linkage": {"with": tmp_path / "voters.csv"}})
    before, after = sides(release, "linkage")
    assert (before.attempts, before.certain, before.scored) == (20, 20, "claimed")
    assert (after.success, after.certain) == (0.1, 0)


def test_hierarchies_of_a_release_let_its_labels_be_read_later() -> None:
    tree = {
        "age": {"tree": {"young": [str(a) for a in range(20, 50)], "old": [str(a) for a in range(50, 80)]}}
    }
    people = HOMOGENEOUS.astype({"age": str})
    release = protect(people, hierarchies=tree)
    assert set(release.data["age"]) == {"young", "old"}
    assert attack(release, "linkage", original=people)["linkage"].success == pytest.approx(1 / 30)
    with pytest.raises(sf.BadInput, match="give the hierarchy of the column"):
        attack(release.data, "linkage", quasi="age", sensitive="ill", with_=people)


def test_reduced_quasi_identifiers_are_no_hiding_place() -> None:
    people = HOMOGENEOUS.assign(zip=[f"0213{i % 2}" for i in range(60)])
    plan = sf.masking_plan(masks={"zip": "zip3"}, kinds={"zip": "zip"})
    release = protect(people, quasi=["age", "zip"], masking=plan, method=sf.Mondrian(), hierarchies=None)
    _, after = sides(release, "linkage")
    assert 0 < after.success <= 0.1


def test_people_with_several_rows_are_counted_once() -> None:
    people = pd.concat([HOMOGENEOUS.assign(id=range(60))] * 2)
    release = protect(people, person="id")
    before, after = sides(release, "linkage")
    assert (before.attempts, after.attempts) == (60, 60)
    assert after.success <= 0.1


def test_values_that_a_step_changed_are_said_to_be_no_longer_true() -> None:
    people = HOMOGENEOUS.assign(pay=range(60))
    steps = [{"microaggregation": {"columns": ["pay"], "k": 10}}]
    release = protect(people, sensitive=["ill", "pay"], perturb=steps)
    (one,) = [a for a in release.attacks if (a.name, a.column) == ("homogeneity", "pay")]
    assert one.after is not None
    assert (
        "values were changed by microaggregation: claims are right about what was released" in one.after.note
    )


def test_a_configuration_that_an_attack_refuses_fails_in_a_comparison(tmp_path: Path) -> None:
    recipe = ward(tmp_path, RECIPE + "attacks:\n  - linkage: {at-most: 0.1}\n")
    compared = sf.compare(recipe, methods=["mondrian"], vary={"k": [2]}, workers=1, cache=False)
    (one,) = compared.evidence.configurations
    assert "linkage succeeds for" in one.failed


def test_the_original_of_a_release_folder_tells_who_is_found(tmp_path: Path) -> None:
    recipe = ward(tmp_path)
    released = sf.run(recipe)
    told = attack(released.release, "linkage", original=tmp_path / "people.csv", hierarchies=recipe)
    in_house = next(one for one in released.evidence.attacks if one.name == "linkage")
    assert in_house.after is not None
    assert told["linkage"].success == pytest.approx(in_house.after.success)
