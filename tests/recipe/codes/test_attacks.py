"""Adversaries against releases of sets: in recipes, in Python, and what a bound refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.recipe.api import run
from sfumato.recipe.codes import attacked
from tests.recipe.codes.examples import PEOPLE, RECIPE, files_in, ward, with_models

CHUNKS = with_models("disassociated-k-m-anonymity: {k: 2, m: 2}", method="disassociation").replace(
    ", sensitive: [s1, s2]", ""
)


def attacks_of(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "steward" / "evidence.json").read_text())["attacks"]
    return {one["name"]: one for one in found}


def test_every_release_is_attacked_with_as_many_codes_as_it_promises(tmp_path: Path) -> None:
    run(ward(tmp_path))
    found = attacks_of(tmp_path)
    assert found.keys() == {"known-codes", "sensitive-code"}
    known = found["known-codes"]
    assert known["parameters"]["m"] == 2
    assert known["after"]["highest"] <= 1 / 3 < known["before"]["highest"] == 1.0
    assert (known["before"]["scored"], known["after"]["scored"]) == ("measured", "measured")
    report = (tmp_path / "steward" / "report.html").read_text()
    assert "What an adversary learns" in report
    assert "known-codes" in report
    assert "attacks" not in json.loads((tmp_path / "release" / "evidence.json").read_text())
    assert "known-codes" not in (tmp_path / "release" / "report.html").read_text()


def test_a_release_of_chunks_is_attacked_for_sub_records_and_covers(tmp_path: Path) -> None:
    run(ward(tmp_path, CHUNKS))
    found = attacks_of(tmp_path)
    assert found.keys() == {"known-codes", "cover"}
    assert found["known-codes"]["after"]["highest"] <= 0.5
    assert found["cover"]["before"] is None


def test_adversaries_that_a_recipe_names_are_run_with_what_they_hold(tmp_path: Path) -> None:
    spelt = (
        "attacks: [{known-codes: {m: 3, choose: random}}, visit, whole-set, {linked-codes: {with: emr.csv}}]"
    )
    path = ward(tmp_path, f"{RECIPE}{spelt}\n")
    (tmp_path / "emr.csv").write_text("patient,code\np00,a1\np00,s1\np04,a2\nx,a1\n")
    run(path)
    found = attacks_of(tmp_path)
    assert found["known-codes"]["parameters"]["choose"] == "random"
    assert found["linked-codes"]["knows"] == "an identified file"
    assert found["linked-codes"]["before"]["attempts"] == 2
    assert found["linked-codes"]["before"]["highest"] > found["linked-codes"]["after"]["highest"]
    assert {"visit", "whole-set", "sensitive-code"} <= found.keys()


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("{known-codes: {m: 3, at-most: 0.1}}", "known-codes succeeds for .* at most 10 % is allowed"),
        ("{whole-set: {sure-at-most: 0}}", "whole-set is sure of .* at most 0 % is allowed"),
    ],
)
def test_a_bound_that_does_not_hold_publishes_nothing(attack: str, said: str, tmp_path: Path) -> None:
    path = ward(tmp_path, f"{RECIPE}attacks: [{attack}]\n")
    before = files_in(tmp_path)
    with pytest.raises(PromiseNotMet, match=said):
        run(path)
    assert files_in(tmp_path) == before


def test_bounds_that_hold_are_public_and_figures_are_not(tmp_path: Path) -> None:
    run(ward(tmp_path, f"{RECIPE}attacks: [{{known-codes: {{m: 2, at-most: 0.34}}}}]\n"))
    assert attacks_of(tmp_path)["known-codes"]["held"] is True
    public = json.loads((tmp_path / "release" / "evidence.json").read_text())
    assert public["recipe"]["attacks"] == [{"known-codes": {"at-most": 0.34}}]
    assert "certain" not in json.dumps(public)


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("known-cods", "did you mean 'known-codes'"),
        ("{known-codes: {n: 2}}", "known-codes"),
        ("{known-codes: {m: 0}}", "m must be a whole number"),
        ("{known-codes: {at_mots: 0.2}}", "did you mean 'at-most'"),
        ("{known-codes: {with: visits.csv}}", "holds no file"),
        ("{linked-codes: {others: visits.csv}}", "'others' is for tables"),
        ("linked-codes", "needs an identified file"),
        ("{linked-codes: {with: nowhere.csv}}", "nowhere.csv"),
        ("cover", "not disassociated"),
    ],
)
def test_an_attack_that_cannot_be_run_is_refused(attack: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=said):
        run(ward(tmp_path, f"{RECIPE}attacks: [{attack}]\n"))


def test_where_choices_are_too_many_codes_are_known_by_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attacked, "MOST_WORK", 10)
    run(ward(tmp_path))
    found = attacks_of(tmp_path)
    assert {one["parameters"]["choose"] for one in found.values()} == {"random"}


def test_a_large_release_is_attacked_only_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attacked, "MOST_OCCURRENCES", 10)
    run(ward(tmp_path, f"{RECIPE}attacks: [whole-set]\n"))
    found = attacks_of(tmp_path)
    assert found["whole-set"]["after"] is not None
    assert found["known-codes"]["after"] is None
    assert "name it under 'attacks'" in found["known-codes"]["not_run"]


def frame() -> pd.DataFrame:
    rows = [(f"p{i:02}", code) for i, codes in enumerate(PEOPLE) for code in codes.split() or [""]]
    return pd.DataFrame(rows, columns=["who", "code"])


def test_a_release_in_memory_is_attacked_with_its_original() -> None:
    tree = sf.Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"], "S": ["s1", "s2"], "C": ["c1"]}})
    release = sf.protect_codes(
        frame(),
        person="who",
        code="code",
        hierarchy=tree,
        models=sf.KmAnonymity(3, 2),
        attacks=[sf.KnownCodes(1), {"whole-set": {"at-most": 1}}],
    )
    assert {one.name for one in release.evidence.attacks} == {"known-codes", "whole-set"}
    found = sf.attack_codes(release, original=frame(), code="code", person="who")
    assert found["known-codes"].scored is Scored.MEASURED
    assert found["known-codes"].highest <= 1 / 3
    assert {one.attack for one in found.not_run} == {"visit", "linked-codes", "sensitive-code"}
    linked = sf.attack_codes(
        release, "linked-codes", original=frame(), with_=frame().head(4), code="code", person="who"
    )
    assert linked[0].scored is Scored.MEASURED


def test_a_folder_is_attacked_with_the_columns_of_its_recipe(tmp_path: Path) -> None:
    run(ward(tmp_path))
    found = sf.attack_codes(tmp_path, original=tmp_path / "visits.csv", victims=True)
    assert {result.attack for result in found} == {"known-codes", "whole-set", "visit", "sensitive-code"}
    assert found["known-codes"].scored is Scored.EXPECTED
    assert found["known-codes"].highest <= 1 / 3
    assert found["known-codes"].victims
    assert any("which record is whose" in said for said in found.said)
    other = frame().rename(columns={"code": "icd", "who": "id"})
    file = tmp_path / "emr.csv"
    other.dropna().to_csv(file, index=False)
    linked = sf.attack_codes(tmp_path, with_=file, columns={"code": "icd"}, person="id")
    assert [result.attack for result in linked] == ["linked-codes"]
    assert linked[0].scored is Scored.CLAIMED


def test_chunks_in_a_folder_are_attacked(tmp_path: Path) -> None:
    run(ward(tmp_path, CHUNKS))
    found = sf.attack_codes(tmp_path, original=tmp_path / "visits.csv")
    assert {result.attack for result in found} == {"known-codes", "cover"}


def test_records_that_somebody_else_published_are_attacked() -> None:
    shown = [["a", "s"], ["a", "s"], ["b"]]
    found = sf.attack_codes(shown, sf.SensitiveCode(1), original=shown, sensitive=["s"])
    assert found["sensitive-code"].certain == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "no attack could be run"),
        ({"attacks": "linkage", "original": [["a"]]}, "there is no attack 'linkage'"),
        ({"attacks": {"known-codes": {"at-most": 0.1}}, "original": [["a"]]}, "is a bound"),
        ({"attacks": "known-codes"}, "needs the original"),
        ({"original": pd.DataFrame({"x": ["a"]})}, "which column holds the codes"),
        ({"original": pd.DataFrame({"x": ["a"]}), "code": "y"}, "there is no column 'y'"),
        ({"original": []}, "nobody to attack"),
    ],
)
def test_what_cannot_be_attacked_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        sf.attack_codes([["a"], ["b"]], **given)
