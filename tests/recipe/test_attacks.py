"""Attacks in a recipe: bounds that refuse a release, and what is told to whom."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.evidence import PublicEvidence, StewardEvidence
from sfumato.core.findings import Status
from sfumato.core.verdict import Threat
from sfumato.recipe import attacked
from sfumato.recipe.attack_ask import exceeded, share_exactly
from tests.recipe.adversaries import adversaries
from tests.recipe.examples import RECIPE, files_in, forge_report, ward

__all__ = ["adversaries"]

PEOPLE = pd.DataFrame(
    {
        "age": [31, 33, 34, 32, 61, 64, 62, 66],
        "ill": ["flu", "cold", "flu", "cold", "flu", "cold", "flu", "cold"],
        "paid": [1, 2, 3, 4, 5, 6, 7, 8],
    }
)


def protect(**more: Any) -> sf.Release:
    told: dict[str, Any] = {"quasi": "age", "sensitive": ["ill", "paid"], "models": sf.KAnonymity(2)}
    return sf.protect(PEOPLE, **(told | {"method": sf.Mondrian()} | more))


def result(success: float, baseline: float = 0.0, certain: int = 0, attempts: int = 100) -> AttackResult:
    return AttackResult("peek", Threat.ATTRIBUTE, attempts, success, baseline, 0.0, certain=certain)


@given(st.integers(1, 500), st.data())
def test_a_bound_is_exceeded_exactly_when_the_count_behind_the_share_is_above_it(
    people: int, data: st.DataObject
) -> None:
    hit = data.draw(st.integers(0, people))
    anyway = data.draw(st.integers(0, hit))
    bound = data.draw(st.integers(0, 1000)) / 1000
    limit = Fraction(str(bound))
    found = result(hit / people, anyway / people, hit, people)
    bounds = {"at-most": bound, "advantage-at-most": bound, "sure-at-most": bound}
    expected = {
        "at-most": Fraction(hit, people) > limit,
        "advantage-at-most": Fraction(hit - anyway, people) > limit,
        "sure-at-most": Fraction(hit, people) > limit,
    }
    assert {one.key for one in exceeded(bounds, found)} == {key for key, broken in expected.items() if broken}


def test_a_difference_of_shares_at_its_bound_is_kept() -> None:
    assert 0.2 - 0.15 > 0.05
    assert not exceeded({"advantage-at-most": 0.05}, result(0.2, 0.15))


def test_a_share_that_is_no_count_is_the_decimal_that_it_is_written_as() -> None:
    assert share_exactly(0.1234567, 100) == Fraction("0.1234567")
    assert not exceeded({"at-most": 0.1}, result(0.1, attempts=15))
    assert exceeded({"at-most": 0.1}, result(0.1000001, attempts=15))


@pytest.mark.usefixtures("adversaries")
def test_attacks_that_keep_their_bounds_are_in_the_evidence_of_the_steward(tmp_path: Path) -> None:
    recipe = ward(
        tmp_path, RECIPE + "attacks:\n  - alone: {at-most: 0}\n  - peek: {percent: 20, at-most: 0.2}\n"
    )
    released = sf.run(recipe)
    alone, peek = released.evidence.attacks
    assert alone.before is not None
    assert alone.after is not None
    assert (alone.before.success, alone.after.success) == (1.0, 0.0)
    assert (alone.bounds, alone.held) == ({"at-most": 0}, True)
    assert (peek.column, peek.parameters, peek.held) == ("ill", {"percent": 20}, True)
    kept = StewardEvidence.model_validate_json((released.steward / "evidence.json").read_text())
    assert kept.attacks == released.evidence.attacks
    assert "attack" in kept.seconds


@pytest.mark.usefixtures("adversaries")
def test_the_public_learns_which_attacks_were_bounded_and_no_figure(tmp_path: Path) -> None:
    text = RECIPE + "attacks:\n  - peek: {percent: 13, at-most: 0.2}\n  - alone\n"
    released = sf.run(ward(tmp_path, text))
    public = PublicEvidence.model_validate_json((released.release / "evidence.json").read_text())
    assert public.recipe["attacks"] == [{"peek": {"at-most": 0.2}}]
    told = json.loads((released.release / "evidence.json").read_text())
    assert "attacks" not in told
    for name in ("evidence.json", "schema.json", "report.html"):
        text = (released.release / name).read_text()
        assert "0.13" not in text
        assert "13%" not in text
    assert "13%" in (released.steward / "report.html").read_text()
    assert "What an adversary learns" not in (released.release / "report.html").read_text()
    assert "What an adversary learns" in (released.steward / "report.html").read_text()


@pytest.mark.usefixtures("adversaries")
def test_an_attack_that_succeeds_too_often_refuses_the_release(tmp_path: Path) -> None:
    recipe = ward(tmp_path, RECIPE + "attacks:\n  - peek: {percent: 21, at-most: 0.2}\n")
    before = files_in(tmp_path)
    with pytest.raises(PromiseNotMet) as refused:
        sf.run(recipe)
    assert str(refused.value).startswith(
        "attacks: peek on 'ill' succeeds for 21.0 % of 100 people, and at most 20 % is allowed; nothing was "
        "published; promise more about the sensitive column"
    )
    assert files_in(tmp_path) == before


@pytest.mark.usefixtures("adversaries")
@pytest.mark.parametrize(
    ("bound", "said"),
    [
        (
            {"advantage-at-most": 0.1},
            "succeeds for 12.0 % more of 100 people than it would without their data",
        ),
        ({"sure-at-most": 0.1}, "is sure of 12.0 % of 100 people"),
        ({"at_most": 0.1}, "succeeds for 12.0 % of 100 people"),
    ],
)
def test_every_bound_is_told_in_its_own_words(bound: dict[str, float], said: str) -> None:
    with pytest.raises(PromiseNotMet, match=said):
        protect(attacks={"peek": {"percent": 12, **bound}})


@pytest.mark.usefixtures("adversaries")
def test_an_attack_that_names_no_column_is_bounded_on_every_sensitive_column() -> None:
    release = protect(attacks=[{"peek": {"percent": 5, "at-most": 0.05}}])
    assert [one.column for one in release.attacks if one.name == "peek"] == ["ill", "paid"]
    one = protect(attacks=[{"peek": {"column": "paid"}}])
    assert [found.column for found in one.attacks if found.name == "peek"] == ["paid"]


@pytest.mark.usefixtures("adversaries")
@pytest.mark.parametrize(
    ("attacks", "said"),
    [
        ("peak", r"attacks\[0\]: there is no attack 'peak'; did you mean 'peek'\?"),
        ({"peek": {"per-cent": 1}}, "'per-cent' is not a parameter of peek"),
        ({"peek": {"at-most": 2}}, r"attacks\[0\]: 'at-most' must be a share between 0 and 1; write 0.1 for"),
        ({"peek": {"at-most": True}}, "'at-most' must be a share"),
        ({"peek": {"at-most": float("nan")}}, "'at-most' must be a share"),
        ({"peek": {"column": "age"}}, r"attacks\[0\], peek: 'age' is not sensitive"),
        ({"peek": {"column": "il"}}, "there is no column 'il'; did you mean 'ill'"),
        ({"alone": {"map": {"age": "a"}}}, "'map' speaks of a file that is not there; add 'with: FILE'"),
        ({"alone": {"with": pd.DataFrame({"x": [1]})}}, "no column in common with the release"),
        (
            {"alone": {"with": pd.DataFrame({"x": [1]}), "map": {"age": "y"}}},
            "attack alone, 'with': there is no column 'y'; known are: x",
        ),
        (
            {"alone": {"with": pd.DataFrame({"x": [1]}), "map": {"agg": "x"}}},
            "'map' speaks of a column 'agg'",
        ),
        ([{"peek": {}, "alone": {}}], "an attack is one name with its parameters"),
        (42, "an attack is a int"),
        ({"peek": {"trouble": True}}, "peek: it cannot see; switch on the light"),
    ],
)
def test_what_cannot_be_run_is_said_in_a_sentence(attacks: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        protect(attacks=attacks)


@pytest.mark.usefixtures("adversaries")
def test_an_attack_on_sensitive_values_needs_a_sensitive_column() -> None:
    with pytest.raises(BadInput, match="the attack needs a sensitive column in the release"):
        sf.protect(PEOPLE[["age"]], quasi="age", models=sf.KAnonymity(2), attacks="peek")


@pytest.mark.usefixtures("adversaries")
def test_an_identified_file_is_joined_by_names_that_mean_the_same() -> None:
    voters = pd.DataFrame({"AGE": [31, 32], "name": ["Ada", "Di"]})
    release = protect(attacks={"alone": {"with": voters}})
    assert release.attacks[0].knows == attacked.KNOWS_A_FILE
    mapped = protect(
        attacks={"alone": {"with": voters.rename(columns={"AGE": "years"}), "map": {"age": "years"}}}
    )
    assert mapped.attacks[0].after == release.attacks[0].after


@pytest.mark.usefixtures("adversaries")
def test_every_release_is_attacked_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attacked, "BY_DEFAULT", ("alone", "peek"))
    found = protect().attacks
    assert [(one.name, one.column) for one in found] == [("alone", None), ("peek", "ill"), ("peek", "paid")]
    assert all(one.held is None and not one.not_run for one in found)


@pytest.mark.usefixtures("adversaries")
def test_a_large_table_is_not_attacked_unasked_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attacked, "BY_DEFAULT", ("alone", "peek"))
    monkeypatch.setattr(attacked, "MOST_ROWS", 7)
    monkeypatch.setattr(attacked, "MOST_CELLS", 6)
    linked, *_ = found = protect().attacks
    assert all((one.before, one.after) == (None, None) for one in found)
    assert linked.not_run == "the table has more than 7 rows: name it under 'attacks' to run it"
    assert found[1].not_run == "the table has more than 6 rows: name it under 'attacks' to run it"
    asked, *_ = protect(attacks="alone").attacks
    assert asked.after is not None
    monkeypatch.setattr(attacked, "MOST_ROWS", 8)
    assert "more than 6 different combinations" in protect().attacks[0].not_run


def test_a_classifier_is_not_trained_unasked_on_a_column_of_many_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(attacked, "MOST_WEIGHED", 8 * 7)
    told = {one.column: one.not_run for one in protect().attacks if one.name == "attribute-inference"}
    said = "it would weigh 8 values for every record: name it under 'attacks' to run it"
    assert told == {"ill": "", "paid": said}
    asked = protect(attacks={"attribute-inference": {"column": "paid"}}).attacks
    assert not any(one.not_run for one in asked if one.name == "attribute-inference")


@pytest.mark.usefixtures("adversaries")
def test_an_unasked_attack_that_fails_is_listed_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.recipe.adversaries import Peek

    monkeypatch.setattr(attacked, "BY_DEFAULT", ("peek",))
    monkeypatch.setattr(Peek, "run", lambda *_, **__: (_ for _ in ()).throw(BadInput("it is dark")))
    assert [(one.not_run, one.after) for one in protect().attacks] == [("it is dark", None)] * 2


@pytest.mark.usefixtures("adversaries")
def test_verify_says_that_bounds_of_attacks_cannot_be_checked_from_the_release(tmp_path: Path) -> None:
    released = sf.run(ward(tmp_path, RECIPE + "attacks:\n  - peek: {at-most: 0.2, column: ill}\n"))
    found = sf.verify(released.release)
    assert not found.refuted
    claims = [one for one in found.findings if "attack" in one.claim]
    assert [(one.claim, one.status) for one in claims] == [
        ("the attack peek keeps its bound (column ill, at-most 0.2)", Status.NOT_CHECKED)
    ]


@pytest.mark.usefixtures("adversaries")
def test_a_method_that_promises_of_chance_is_not_bound_by_attacks() -> None:
    method = sf.SafePub(epsilon=1.0, delta=1e-3, levels={"age": 1})
    told = {"models": sf.DifferentialPrivacy(1.0, 1e-3), "method": method}
    with pytest.raises(BadInput, match="whether safepub may publish would depend on attacks"):
        protect(
            attacks={"peek": {"at-most": 0.5}}, hierarchies={"age": {"intervals": {"widths": [50]}}}, **told
        )


@pytest.mark.usefixtures("adversaries")
@pytest.mark.parametrize("told", ["x", 3, [1], ["peek"], [{"peek": 5}], [{"peek": None}], {"peek": {}}])
def test_strange_words_about_attacks_in_evidence_do_not_break_verification(tmp_path: Path, told: Any) -> None:
    released = sf.run(ward(tmp_path))
    path = released.release / "evidence.json"
    evidence = json.loads(path.read_text())
    evidence["recipe"]["attacks"] = told
    path.write_text(json.dumps(evidence))
    forge_report(released.release)
    assert not sf.verify(released.release).refuted
