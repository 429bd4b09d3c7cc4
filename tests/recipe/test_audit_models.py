"""Attempts to get a wrong promise out of models, methods and verification."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
import yaml

import sfumato as sf
from sfumato.table import exact
from sfumato.table.rule import Rule, RuleKind
from tests.recipe.examples import forge_report

QUASI = {"role": "quasi-identifier"}
SENSITIVE = {"role": "sensitive"}
ILL = {"tree": {"chest": ["cold", "flu"], "gut": ["gastritis", "ulcer"]}}


def release(folder: Path, data: pd.DataFrame, fields: dict[str, Any], models: list[Any], **more: Any) -> Path:
    """Carry a recipe out in a folder; the population, if any, is a frame."""
    data.to_csv(folder / "people.csv", index=False)
    if "population" in more:
        more["population"].to_csv(folder / "everybody.csv", index=False)
        more["population"] = "everybody.csv"
    schema = {"fields": [{"name": name, **parts} for name, parts in fields.items()]}
    recipe = {
        "sfumato": 1,
        "resources": [{"path": "people.csv", "schema": schema}],
        "models": models,
        "method": "keep",
        **more,
    }
    (folder / "recipe.yaml").write_text(yaml.safe_dump(recipe))
    return sf.run(folder / "recipe.yaml").release


def forge(release: Path, file: str, change: Callable[[Any], Any]) -> None:
    content = json.loads((release / file).read_text())
    change(content)
    (release / file).write_text(json.dumps(content))


def refuted(release: Path) -> list[str]:
    return [finding.claim for finding in sf.verify(release).refuted]


class TestClassesOfStars:
    def test_a_class_of_nothing_but_stars_keeps_its_missing_values(self) -> None:
        data = pd.DataFrame({"age": [1, 2, 3, 4], "ill": ["flu", None, "flu", None]})
        found = sf.protect(
            data,
            quasi=["age"],
            sensitive="ill",
            models=[sf.DistinctLDiversity(2)],
            method=sf.AttributeSuppression(),
        )
        assert found.verdicts[0].achieved == "l = 2"

    def test_missing_values_in_a_class_of_stars_have_a_share_like_others(self) -> None:
        data = pd.DataFrame({"age": ["*"] * 10, "ill": [None] * 8 + ["flu", "cold"]})
        (verdict,) = sf.check(data, quasi=["age"], sensitive="ill", models=[sf.ProbabilisticLDiversity(2)])
        assert (verdict.holds, verdict.achieved) == (False, "l = 1.25")

    def test_only_as_many_are_left_aside_as_were_blanked(self) -> None:
        data = pd.DataFrame({"age": ["*"] * 5, "ill": [None, None, None, "flu", "cold"]})
        asked: dict[str, Any] = {
            "quasi": ["age"],
            "sensitive": "ill",
            "models": [sf.ProbabilisticLDiversity(3)],
        }
        assert sf.check(data, blanked=2, **asked)[0].holds
        assert not sf.check(data, blanked=1, **asked)[0].holds

    @pytest.mark.parametrize(
        "model", [sf.TCloseness(0.3, "numeric"), sf.RangeDiversity(3), sf.EnhancedBetaLikeness(1)]
    )
    def test_blanked_records_do_not_make_numbers_missing(self, model: Any) -> None:
        data = pd.DataFrame({"zip": list("aaaabbbbcd"), "pay": [1, 2, 3, 4] * 2 + [9, 9]})
        found = sf.protect(
            data,
            quasi=["zip"],
            sensitive="pay",
            models=[model, sf.KAnonymity(2)],
            method=sf.Keep(suppress=0.3),
            suppressed="star",
        )
        assert found.suppressed == 2
        assert sorted(found.data["pay"].dropna()) == [1, 1, 2, 2, 3, 3, 4, 4]
        assert found.data["pay"].isna().sum() == 2


class TestValuesOutsideOfHierarchies:
    def test_a_root_with_a_name_is_never_said_of_them(self) -> None:
        data = pd.DataFrame({"from": ["Spain", "Italy", "Peru", "Chile"], "ill": ["a", "b", "a", "a"]})
        found = sf.protect(
            data,
            quasi=["from"],
            sensitive="ill",
            hierarchies={"from": {"tree": {"Europe": ["Spain", "Italy"]}, "others": "root"}},
            models=[sf.DistinctLDiversity(2)],
            method=sf.OptimalLattice(),
        )
        assert set(found.data["from"]) == {"*"}


class TestNumbersAndThresholds:
    @pytest.mark.parametrize(
        ("model", "achieved"),
        [
            (sf.EpsilonMAnonymity(1, 2), "m = 2"),
            (sf.RangeDiversity(60), "range = 60"),
            (sf.TCloseness(0, "numeric"), "t = 0"),
        ],
    )
    def test_dates_that_are_texts_are_dates_for_searches_too(self, model: Any, achieved: str) -> None:
        days = ["2020-01-01", "2020-01-02", "2020-02-01", "2020-03-01"]
        data = pd.DataFrame({"zip": ["a"] * 4, "day": days})
        found = sf.protect(
            data, quasi=["zip"], sensitive="day", models=[model], method=sf.Keep(), confirmed=["day"]
        )
        assert found.verdicts[0].achieved == achieved

    def test_a_disclosure_bound_of_many_digits_is_decided_at_once(self) -> None:
        # log2(4/3) is no fraction, and the bound is what was written: just below it.
        bound = math.log2(4 / 3)
        a, b = bound.as_integer_ratio()
        rule = Rule(RuleKind.DISCLOSURE, (a, b), False, "ill")
        assert not exact.satisfies(rule, {0: 1, 1: 1}, exact.Facts((3, 5)))
        assert exact.satisfies(
            Rule(RuleKind.DISCLOSURE, (a + 2, b), False, "ill"), {0: 1, 1: 1}, exact.Facts((3, 5))
        )

    @pytest.mark.parametrize(("wanted", "holds"), [((2, 1), False), ((19999999999, 10**10), True)])
    def test_the_entropy_of_millions_is_decided_at_once(self, wanted: tuple[int, int], holds: bool) -> None:
        rule = Rule(RuleKind.ENTROPY, wanted, True, "ill")
        counts = {0: 50_000_001, 1: 49_999_999}
        assert exact.satisfies(rule, counts, exact.Facts((1, 1))) is holds

    def test_an_entropy_of_exactly_four_values_holds_for_millions_of_uneven_ones(self) -> None:
        counts = {0: 4_000_000, **dict.fromkeys(range(1, 5), 1_000_000)}
        facts = exact.Facts((1,) * 5)
        assert exact.satisfies(Rule(RuleKind.ENTROPY, (4, 1), True, "ill"), counts, facts)
        assert not exact.satisfies(
            Rule(RuleKind.ENTROPY, (4 * 10**12 + 1, 10**12), True, "ill"), counts, facts
        )


class TestPopulations:
    DATA = pd.DataFrame({"age": ["a", "b", "b"]})
    EVERYBODY = pd.DataFrame({"age": ["a", "b", "b", "b", "b"]})

    def test_nobody_of_a_class_may_be_left_out_when_absence_is_bounded(self) -> None:
        asked: dict[str, Any] = {
            "quasi": ["age"],
            "population": self.EVERYBODY,
            "method": sf.Keep(suppress=0.5),
        }
        with pytest.raises(sf.PromiseNotMet, match="against the lower bound on presence"):
            sf.protect(self.DATA, models=[sf.DeltaPresence(0.1, 0.5)], **asked)
        found = sf.protect(self.DATA, models=[sf.DeltaPresence(0, 0.5)], **asked)
        assert found.verdicts[0].achieved == "shares from 0 to 0.5"

    @pytest.mark.parametrize("method", ["datafly", "incognito", "optimal-lattice"])
    def test_people_of_whom_nobody_is_present_are_generalised_too(self, method: str) -> None:
        data = pd.DataFrame({"age": ["b", "b"]})
        found = sf.protect(
            data, quasi=["age"], models=[sf.DeltaPresence(0.2, 1)], method=method, population=self.EVERYBODY
        )
        assert set(found.data["age"]) == {"*"}
        assert found.verdicts[0].achieved == "shares from 0.4 to 0.4"

    def test_people_of_whom_nobody_is_present_cannot_be_kept_as_they_are(self) -> None:
        data = pd.DataFrame({"age": ["b", "b"]})
        with pytest.raises(sf.PromiseNotMet, match="nobody is in the table"):
            sf.protect(
                data,
                quasi=["age"],
                models=[sf.DeltaPresence(0.2, 1)],
                method=sf.Keep(),
                population=self.EVERYBODY,
            )

    def test_records_of_nobody_in_the_population_are_refused(self) -> None:
        with pytest.raises(sf.BadInput, match="2 of 3 records match nobody of the population"):
            sf.protect(
                self.DATA,
                quasi=["age"],
                models=[sf.DeltaPresence(0, 1)],
                method=sf.Keep(),
                population=pd.DataFrame({"age": ["a", "a"]}),
            )

    def test_a_population_of_another_type_is_refused(self) -> None:
        data, everybody = pd.DataFrame({"age": [1, 2]}), pd.DataFrame({"age": ["1", "2"]})
        for method in (sf.Keep(), sf.OptimalLattice()):
            with pytest.raises(sf.BadInput, match=r"of type integer in the table and of type string"):
                sf.protect(data, quasi=["age"], models=[sf.KMap(1)], method=method, population=everybody)

    def test_people_with_several_rows_are_present_once(self, tmp_path: Path) -> None:
        data = pd.DataFrame({"who": [1, 1, 2, 3], "age": ["a", "a", "a", "b"]})
        made = release(
            tmp_path,
            data,
            {"who": {"role": "person"}, "age": QUASI},
            [{"delta-presence": {"min": 0, "max": 1}}, {"k-map": {"k": 1}}],
            population=pd.DataFrame({"age": ["a", "a", "b"]}),
        )
        assert refuted(made) == []


class TestOriginals:
    def test_records_are_compared_with_what_they_were_before_they_were_perturbed(self) -> None:
        data = pa.table({"age": [1, 2, 8, 9], "zip": ["a", "a", "b", "b"]})
        asked: dict[str, Any] = {
            "quasi": ["age", "zip"],
            "perturb": {"microaggregation": {"columns": ["age"], "k": 2}},
            "method": sf.Keep(),
        }
        assert sf.protect(data, models=[sf.KAnonymity(2)], **asked).verdicts[0].holds
        with pytest.raises(sf.PromiseNotMet, match="k-1-anonymisation does not hold"):
            sf.protect(data, models=[sf.KOneAnonymisation(2)], **asked)

    @pytest.mark.parametrize(
        "model", [sf.KOneAnonymisation(2), sf.OneKAnonymisation(2), sf.KKAnonymisation(2)]
    )
    def test_a_value_that_was_hidden_may_be_any_value(self, model: Any) -> None:
        data = pd.DataFrame({"age": [1, 2, 3, 3], "zip": ["a", "a", "b", "b"]})
        found = sf.protect(data, quasi=["age", "zip"], models=[model], method=sf.LocalSuppression())
        assert found.data["age"].isna().sum() == 2
        assert found.verdicts[0].holds

    def test_a_value_that_was_missing_is_not_any_value(self) -> None:
        data = pd.DataFrame({"age": [None, None, "3", "3"]})
        asked: dict[str, Any] = {"quasi": ["age"], "models": [sf.KOneAnonymisation(3)], "original": data}
        assert sf.check(data, **asked)[0].achieved == "k = 2"

    def test_what_people_want_hidden_is_not_ignored(self) -> None:
        data = pd.DataFrame({"zip": ["a", "a"], "ill": ["flu", "cold"], "hide": ["flu", None]})
        with pytest.raises(sf.BadInput, match="no model heeds it"):
            sf.protect(data, quasi=["zip"], sensitive="ill", guard="hide", models=[sf.KAnonymity(2)])


class TestForgedReleases:
    def test_what_an_adversary_knows_cannot_be_forgotten(self, tmp_path: Path) -> None:
        data = pd.DataFrame({"zip": ["a"] * 4, "flu": list("yynn"), "ill": list("uvuv")})
        made = release(
            tmp_path,
            data,
            {"zip": QUASI, "flu": {**SENSITIVE, "known": True}, "ill": SENSITIVE},
            [{"distinct-l-diversity": {"l": 2, "column": "ill"}}],
        )
        assert refuted(made) == []
        forge(made, "schema.json", lambda schema: schema["fields"][1].update(known=False))
        assert len(refuted(made)) == 1

    def test_records_that_say_something_were_not_blanked(self, tmp_path: Path) -> None:
        data = pd.DataFrame({"zip": list("aaaabc"), "ill": list("uvuvww")})
        made = release(
            tmp_path,
            data,
            {"zip": QUASI, "ill": SENSITIVE},
            [{"k-anonymity": {"k": 2}}, {"distinct-l-diversity": {"l": 2}}],
            method={"keep": {"suppress": 0.5}},
            output={"suppressed": "star"},
        )
        assert refuted(made) == []
        forge(made, "evidence.json", lambda evidence: evidence.update(suppressed_records=3))
        forge_report(made)
        assert refuted(made) == ["3 suppressed records stay with everything blanked"]

    def test_a_promise_about_the_population_alone_is_not_refuted(self, tmp_path: Path) -> None:
        data = pd.DataFrame({"age": ["a", "b"]})
        everybody = pd.DataFrame({"age": ["a", "a", "b", "b"]})
        made = release(tmp_path, data, {"age": QUASI}, [{"k-map": {"k": 2}}], population=everybody)
        assert refuted(made) == []
        forge(made, "evidence.json", lambda evidence: evidence["verdicts"][0].update(basis="release"))
        forge_report(made)
        assert len(refuted(made)) == 1


def test_a_hierarchy_of_sensitive_values_lists_none_that_only_suppressed_records_had(tmp_path: Path) -> None:
    data = pd.DataFrame(
        {"zip": list("aaaabbbbc"), "ill": ["cold", "flu", "gastritis", "ulcer"] * 2 + ["gout"]}
    )
    tree = {"tree": {**ILL["tree"], "joints": ["gout"]}}
    made = release(
        tmp_path,
        data,
        {"zip": QUASI, "ill": {**SENSITIVE, "hierarchy": tree}},
        [{"t-closeness": {"t": 0.3, "distance": "hierarchical"}}],
        method={"keep": {"suppress": 0.2}},
    )
    assert not [
        path.name for path in made.iterdir() if "gout" in path.read_text() or "joints" in path.read_text()
    ]
    assert refuted(made) == []
