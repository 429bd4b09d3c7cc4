"""Perturbation on the way to a release: recipe, evidence, report, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.core.randomness import SeededRandom
from sfumato.engine import open_engine
from sfumato.recipe.api import job_for
from sfumato.recipe.outcome import carry_out
from sfumato.recipe.prepared import released
from sfumato.table.methods import Keep
from sfumato.table.perturbation import PERTURBATIONS, Microaggregation, Pram


def people(rows: int = 60) -> pd.DataFrame:
    draw = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "who": [f"p{i // 2}" for i in range(rows)],
            "age": draw.integers(18, 90, rows),
            "income": draw.integers(1000, 9000, rows),
            "ill": draw.choice(list("abc"), rows),
        }
    )


def protect(data: Any = None, **options: Any) -> sf.Release:
    chosen: dict[str, Any] = {
        "quasi": ["age", "income"],
        "sensitive": "ill",
        "models": [sf.KAnonymity(3)],
        "method": "keep",
        "identifier": "who",
        **options,
    }
    return sf.protect(people() if data is None else data, **chosen)


GROUPS = {"microaggregation": {"columns": ["age", "income"], "k": 3}}


def test_microaggregated_quasi_identifiers_are_k_anonymous_as_they_are() -> None:
    release = protect(perturb=GROUPS)
    assert release.verdicts[0].achieved == "k = 3"
    assert release.suppressed == 0
    assert release.data["age"].dtype == np.float64
    evidence = release.evidence
    assert not evidence.truthful
    assert [step.name for step in evidence.perturbation] == ["microaggregation"]
    assert evidence.perturbation[0].parameters["k"] == 3
    assert [column.treatment for column in evidence.columns] == [
        "left out",
        "perturbed by microaggregation",
        "perturbed by microaggregation",
        "released as it is",
    ]
    assert any("single values need not be true" in warning for warning in evidence.warnings)
    assert evidence.perturbation_details[0]["groups"] == 20
    assert evidence.risk_before.uniques == 60
    assert evidence.risk_after.uniques == 0


def test_k_counts_persons_where_a_column_names_them() -> None:
    release = protect(identifier=(), person="who", perturb=[Microaggregation(("age", "income"), k=3)])
    assert release.verdicts[0].note == "persons counted"
    assert release.evidence.classes.smallest >= 3


def test_without_perturbation_keep_says_what_breaks() -> None:
    with pytest.raises(
        sf.PromiseNotMet, match="60 classes break a promise; they hold 60 of 60 rows, and 0 may"
    ):
        protect()


def test_keep_leaves_out_few_classes_that_break_a_rule() -> None:
    data = pd.DataFrame({"age": [30] * 9 + [99], "ill": list("abcabcabca")})
    release = sf.protect(
        data, quasi="age", sensitive="ill", models=[sf.KAnonymity(3)], method=Keep(suppress=0.1), order="kept"
    )
    assert release.data["age"].tolist() == [30] * 9
    assert release.data["age"].dtype == np.int64
    assert release.suppressed == 1
    with pytest.raises(
        sf.PromiseNotMet, match="1 classes break a promise; they hold 1 of 10 rows, and 0 may"
    ):
        sf.protect(data, quasi="age", models=[sf.KAnonymity(3)], method=Keep(suppress=0.09))
    starred = sf.protect(
        pd.DataFrame({"age": [30] * 6 + [97, 98, 99]}),
        quasi="age",
        models=[sf.KAnonymity(3)],
        method=Keep(suppress=0.5),
        suppressed="star",
    )
    assert sorted(starred.data["age"]) == ["*"] * 3 + ["30"] * 6


def test_keep_checks_rules_about_sensitive_values() -> None:
    data = pd.DataFrame({"age": [30] * 4 + [40] * 4, "ill": list("abab") + list("aaaa")})
    ask: dict[str, Any] = {"quasi": "age", "sensitive": "ill", "models": [{"distinct-l-diversity": {"l": 2}}]}
    with pytest.raises(sf.PromiseNotMet, match="1 classes break a promise; they hold 4 of 8 rows"):
        sf.protect(data, **ask, method="keep")
    assert len(sf.protect(data, **ask, method={"keep": {"suppress": 0.5}}).data) == 4


def test_keep_refuses_a_hierarchy_that_hides_values() -> None:
    data = pd.DataFrame({"town": ["a", "a", "b", "b"]})
    hides = {"tree": {"*": {"north": ["a"]}}, "others": "root"}
    with pytest.raises(sf.BadInput, match="column 'town': its hierarchy hides values, and 'keep' publishes"):
        sf.protect(data, quasi="town", models=[sf.KAnonymity(2)], method="keep", hierarchies={"town": hides})


def test_a_share_to_suppress_lies_between_0_and_1() -> None:
    with pytest.raises(sf.BadInput, match="suppress must be a share between 0 and 1"):
        Keep(suppress=2.0)


def test_steps_run_in_their_order_and_other_methods_go_on_from_there() -> None:
    release = protect(
        perturb=[{"rounding": {"columns": ["income"], "base": 1000}}, {"rounding": {"columns": ["age"]}}],
        method="mondrian",
    )
    assert [step.columns for step in release.evidence.perturbation] == [["income"], ["age"]]
    treatment = release.evidence.columns[1].treatment
    assert treatment == "perturbed by rounding, then generalised in boxes"


def test_samples_are_accounted_for() -> None:
    release = protect(
        perturb=[{"sampling": {"share": 0.5}}, GROUPS], identifier=(), person="who", models=[sf.KAnonymity(3)]
    )
    assert len(release.data) == 30
    assert release.evidence.unsampled_records == 30
    assert (release.evidence.risk_before.records, release.evidence.risk_before.persons) == (60, 30)
    assert (release.evidence.risk_after.records, release.evidence.risk_after.persons) == (30, 15)


def test_coding_and_sampling_leave_a_release_truthful() -> None:
    release = protect(
        perturb=[{"sampling": {"share": 0.9}}, {"top-bottom-coding": {"columns": ["income"], "top": 5000}}],
        method="mondrian",
    )
    assert release.evidence.truthful
    assert not any("need not be true" in warning for warning in release.evidence.warnings)


def test_mechanisms_reach_the_checkers_and_the_evidence() -> None:
    engine = open_engine("duckdb")
    try:
        job = job_for(
            pa.table({"age": [30] * 6, "ill": list("aababb")}),
            engine,
            quasi="age",
            sensitive="ill",
            models=[sf.KAnonymity(3)],
            method="keep",
            perturb=Pram(("ill",), retain=0.5),
        )
        outcome = carry_out(job, engine)
        (mechanism,) = outcome.protected.published().mechanisms
        assert mechanism.column == "ill"
        assert outcome.in_house.mechanisms == (mechanism,)
    finally:
        engine.close()
    release = protect(perturb=[GROUPS, {"pram": {"columns": ["ill"], "retain": 0.5}}])
    (published,) = release.evidence.perturbation[1].mechanisms
    assert published.values == ["a", "b", "c"]
    assert published.matrix == [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]


RECIPE = """
sfumato: 1
resources:
  - path: people.csv
    schema:
      fields:
        - {name: who, role: person}
        - {name: age, role: quasi-identifier}
        - {name: income, role: quasi-identifier}
        - {name: ill, role: sensitive}
perturb:
  - sampling: {share: 0.8}
  - microaggregation: {columns: [age, income], k: 3}
  - pram: {columns: [ill], values: [a, b, c], matrix: [[1, 0, 0], [0.5, 0.5, 0], ["1/3", "1/3", "1/3"]]}
models:
  - k-anonymity: {k: 3}
method: keep
"""


def test_a_recipe_perturbs_and_its_release_verifies(tmp_path: Path) -> None:
    people().to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    released = sf.run(tmp_path / "recipe.yaml")
    public = json.loads((released.release / "evidence.json").read_text())
    steward = json.loads((released.steward / "evidence.json").read_text())
    assert [step["name"] for step in public["perturbation"]] == ["sampling", "microaggregation", "pram"]
    assert public["recipe"]["perturb"][0] == {"sampling": {"share": 0.8}}
    assert not public["truthful"]
    assert "perturbation_details" not in public
    assert "randomness" not in public
    assert len(steward["perturbation_details"]) == 3
    assert steward["input"]["rows"] == 60
    report, full = (folder / "report.html" for folder in (released.release, released.steward))
    assert "What was changed by chance or by rule" in report.read_text()
    assert "changed values" not in report.read_text()
    assert "changed values" in full.read_text()
    verification = sf.verify(released.release, original=tmp_path / "people.csv")
    assert not verification.refuted
    assert not any("are true" in finding.claim for finding in verification.findings)


def test_the_report_survives_hostile_names_and_missing_details(tmp_path: Path) -> None:
    data = people().rename(columns={"age": "<script>alert(1)</script>"})
    step = {"microaggregation": {"columns": ["<script>alert(1)</script>", "income"]}}
    release = protect(data, quasi=["<script>alert(1)</script>", "income"], perturb=step)
    text = release.report(tmp_path / "report.html").read_text()
    assert "<script>alert" not in text
    bare = sf.Release(
        release.data, release.verdicts, release.evidence.model_copy(update={"perturbation_details": []})
    )
    assert "microaggregation" in bare.report(tmp_path / "bare.html").read_text()


def test_what_was_drawn_from_a_seed_is_marked_and_never_published(tmp_path: Path) -> None:
    ask: dict[str, Any] = {"perturb": [GROUPS, {"pram": {"columns": ["ill"]}}], "order": "kept"}
    first, second = (protect(random=SeededRandom(5), **ask) for _ in range(2))
    pd.testing.assert_frame_equal(first.data, second.data)
    assert "seeded generator" in first.evidence.randomness
    assert any("do not publish" in warning for warning in first.evidence.warnings)
    assert "operating system" in protect(**ask).evidence.randomness
    engine = open_engine("duckdb")
    try:
        job = job_for(
            people(),
            engine,
            quasi=["age", "income"],
            models=[sf.KAnonymity(3)],
            identifier="who",
            method="keep",
            perturb=GROUPS,
            random=SeededRandom(5),
        )
    finally:
        engine.close()
    with pytest.raises(sf.BadInput, match="drew from a seeded generator"):
        released(job, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("perturb", "message"),
    [
        ({"nois": {"columns": ["age"]}}, "there is no perturbation 'nois'; did you mean 'noise'"),
        (
            {"noise": {"columns": ["who"]}},
            "column 'who': it is declared identifier and cannot be perturbed by noise",
        ),
        (
            {"noise": {"columns": ["aeg"]}},
            "there is no column 'aeg' to be perturbed by noise; did you mean 'age'",
        ),
        ({"noise": {"columns": ["ill"]}}, "column 'ill': 60 of 60 values are not numbers"),
        ({"noise": {}}, "noise needs the parameter 'columns'"),
        (
            {"noise": {"columns": ["age"], "alpah": 1}},
            "'alpah' is not a parameter of noise; did you mean 'alpha'",
        ),
        ({"sampling": {"columns": ["age"]}}, "'columns' is not a parameter of sampling"),
        ({"noise": {"columns": "age"}}, "'columns' of noise must be a list"),
        (
            {"value-swapping": {"columns": ["age"], "strata": ["il"]}},
            "there is no column 'il' for 'strata' of value-swapping; did you mean 'ill'",
        ),
        (5, "'perturbation' is a int"),
    ],
)
def test_mistakes_are_met_with_a_sentence(perturb: Any, message: str) -> None:
    with pytest.raises(sf.BadInput, match=message):
        protect(perturb=perturb)


def test_records_that_do_not_fit_into_memory_are_refused() -> None:
    many = pa.table({"age": list(range(300_000)), "ill": ["a"] * 300_000})
    with pytest.raises(sf.BadInput, match="perturbing needs all 300000 records in memory"):
        sf.protect(
            many,
            quasi="age",
            sensitive="ill",
            models=[sf.KAnonymity(3)],
            perturb=Microaggregation(("age",)),
            memory="32MB",
        )


def test_every_perturbation_is_registered_by_its_name() -> None:
    for name, kind in PERTURBATIONS.items():
        assert kind.name == name
