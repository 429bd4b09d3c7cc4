"""Recipes about codes: what they may say, and what is refused with the place and a remedy."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from jsonschema.protocols import Validator

from sfumato.core.errors import BadInput
from sfumato.hierarchy.spec import from_spec
from sfumato.recipe.api import run
from sfumato.recipe.load import parse
from sfumato.recipe.prepared import planned, prepared
from sfumato.recipe.schemas import schema_named
from sfumato.recipe.verify import verify
from tests.recipe.codes.examples import PEOPLE, RECIPE, TREE, files_in, ward, with_models


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("role: codes", "role: sensitive", "its role is sensitive|is about codes"),
        ("role: identifier", "role: quasi-identifier", "its role is quasi-identifier"),
        ("kind: codes", "kind: code", "did you mean 'codes'"),
        ("kind: codes", "kind: table", "for sets of codes"),
        ("sensitive: [s1, s2]", "sensitive: [s1, 401.10]", "write codes in quotes"),
        ("sensitive: [s1, s2]", "sensitive: [zz]", "1 of 1 sensitive codes never occur"),
        ("sensitive: [s1, s2]", "sensetive: [s1]", "did you mean 'sensitive'"),
        ("sensitive: [s1, s2]", "known: true", "is about columns of tables"),
        ("sensitive: [s1, s2]", "separator: ';'", "visits are known only in the layout long"),
        ("kind: codes", "kind: codes\n    layout: baskets", "visits are known only in the layout long"),
        (f"hierarchy: {TREE}, ", "", "apriori generalises along a hierarchy, and there is none"),
        (f"hierarchy: {TREE}", "unknown: root", "about codes outside the hierarchy|along a hierarchy"),
        (f"hierarchy: {TREE}", "hierarchy: {tree: {any: [a1, a2]}}", "codes are not in the hierarchy"),
        (f"hierarchy: {TREE}", "hierarchy: icd9", "there is no hierarchy"),
        (f"hierarchy: {TREE}", "hierarchy: icd9cm, unknown: suppress", "it knows none of the codes"),
        (f"hierarchy: {TREE}", "hierarchy: {intervals: {widths: [5]}}", "codes are texts"),
        ("name: visit, role: visit", "name: visits, role: visit", "that the data do not have"),
        ("name: name, role: identifier", "name: name, role: identifier, mask: hash", "columns of tables"),
        ("{name: name, role: identifier}", "{name: name, role: person}", "more than one column has the role"),
        ("k: 3, m: 2", "k: 3", "k-m-anonymity needs the parameter 'm'"),
        ("k: 3, m: 2", "k: 0, m: 2", "k"),
        ("k-m-anonymity", "k-n-anonymity", "did you mean 'k-m-anonymity'"),
        ("k-m-anonymity: {k: 3, m: 2}", "k-anonymity: {k: 3}", "there is no model 'k-anonymity'"),
        ("method: apriori", "method: mondrian", "there is no method 'mondrian'"),
        ("method: apriori", "method: {apriori: {ordres: [rare]}}", "did you mean 'orders'"),
        ("method: apriori", "utility: loss", "'utility' is for tables"),
        ("method: apriori", "perturb: [rounding]", "'perturb' is for tables"),
        ("method: apriori", "output: {suppressed: star}", "'suppressed' is for tables"),
        ("method: apriori", "output: {format: jsonl, layout: cells}", "cannot hold the layout 'cells'"),
        ("method: apriori", "risk: {suda: true}", "'suda' is for tables"),
        ("method: apriori", "risk: {up-to: 0}", "knows at least one code"),
        ("method: apriori", "engine: spark", "duckdb"),
        ("method: apriori", "attacks: [linkage]", "there is no attack 'linkage'"),
        ("method: apriori", "population: nowhere.csv", "there is no such file"),
        ("method: apriori", "measures: [npc]", "did you mean 'ncp'"),
        ("method: apriori", "measures: [ncp, ncp]", "there twice"),
        ("method: apriori", "utility-constraints: {a: b}", "constraints are lists of codes"),
        ("method: apriori", "utility-constraints: nowhere.txt", "there is no such file"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in RECIPE
    path = ward(tmp_path, RECIPE.replace(old, new))
    before = files_in(tmp_path)
    with pytest.raises(BadInput, match=said):
        run(path)
    assert files_in(tmp_path) == before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("role: codes", "role: sensitive", "'hierarchy' is about codes"),
        (f", hierarchy: {TREE}, sensitive: [s1, s2]", "", "no column has the role codes"),
    ],
)
def test_codes_must_be_told(old: str, new: str, said: str) -> None:
    text = RECIPE.replace("role: codes", "role: identifier") if not new else RECIPE
    with pytest.raises(BadInput, match=said):
        prepared(parse(text.replace(old, new)), Path())


def test_a_method_that_does_not_enforce_a_model_names_those_that_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refusal:
        run(ward(tmp_path, with_models("complete-k-anonymity: {k: 3}", method="apriori")))
    assert "apriori does not enforce complete-k-anonymity" in str(refusal.value)
    assert "partition" in refusal.value.remedy
    assert "disassociation" not in refusal.value.remedy


def test_without_a_method_the_best_is_taken_that_can_keep_the_promise(tmp_path: Path) -> None:
    made = run(ward(tmp_path, with_models("k-m-anonymity: {k: 3, m: 2}")))
    assert made.evidence.method in {"local-specialisation", "partition", "local-apriori", "apriori"}
    spelt = made.evidence.recipe["method"]
    assert isinstance(spelt, dict)
    assert [*spelt] == [made.evidence.method]
    assert not verify(made.release).refuted
    made = run(ward(tmp_path, with_models("complete-k-anonymity: {k: 3}")), replace=True)
    assert made.evidence.method == "partition"
    with pytest.raises(BadInput, match="best-of does not enforce lkc-privacy"):
        run(ward(tmp_path, with_models("lkc-privacy: {l: 1, k: 3, c: 0.5}")), replace=True)


def test_a_disassociated_release_is_written_as_json_lines_alone(tmp_path: Path) -> None:
    recipe = with_models("disassociated-k-m-anonymity: {k: 3, m: 2}", method="disassociation")
    with pytest.raises(BadInput, match="which are written as jsonl and not as parquet"):
        run(ward(tmp_path, f"{recipe}output: {{format: parquet}}\n"))
    assert not (tmp_path / "release").exists()


OTHER_LAYOUTS = {
    "cells.csv": ("codes\n" + "\n".join(f'"{codes}"' for codes in PEOPLE) + "\n", "codes", ""),
    "semicolons.csv": (
        "who,codes\n" + "\n".join(f"{n},{codes.replace(' ', ';')}" for n, codes in enumerate(PEOPLE)) + "\n",
        "codes",
        "layout: cells, ",
    ),
    "lists.jsonl": (
        "".join(json.dumps({"codes": codes.split()}) + "\n" for codes in PEOPLE),
        "codes",
        "",
    ),
    "baskets.dat": ("".join(f"{codes}\n" for codes in PEOPLE), "basket", ""),
}


@pytest.mark.parametrize("name", OTHER_LAYOUTS)
def test_every_layout_of_the_input_is_understood(name: str, tmp_path: Path) -> None:
    text, column, layout = OTHER_LAYOUTS[name]
    (tmp_path / name).write_text(text)
    who = "{name: who, role: person}, " if text.startswith("who") else ""
    fields = f"[{who}{{name: {column}, role: codes, hierarchy: {TREE}}}]"
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        f"sfumato: 1\nresources: [{{path: {name}, kind: codes, {layout}schema: {{fields: {fields}}}}}]\n"
        "models: [k-m-anonymity: {k: 3, m: 2}]\n"
    )
    made = run(recipe)
    assert made.evidence.original.records == len(PEOPLE)
    assert made.evidence.original.occurrences == sum(len(codes.split()) for codes in PEOPLE)
    assert made.data.suffix == Path(name).suffix
    assert any("count as several people" in warning for warning in made.evidence.warnings) != bool(who)


def test_a_diagnosis_without_its_dot_is_read_by_its_system(tmp_path: Path) -> None:
    rows = [f"{n},{code}" for n in range(12) for code in (("4011", "25000") if n % 2 else ("4019", "25000"))]
    (tmp_path / "visits.csv").write_text("\n".join(["who,code", *rows]) + "\n")
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "sfumato: 1\nresources: [{path: visits.csv, kind: codes, schema: {fields: "
        "[{name: who, role: person}, {name: code, role: codes, system: icd9cm, hierarchy: icd9cm}]}}]\n"
        "models: [k-m-anonymity: {k: 10, m: 2}]\n"
    )
    made = run(recipe)
    items = {item["label"]: item for item in json.loads((made.release / "schema.json").read_text())["items"]}
    assert items.keys() == {"250.00", "401"}
    assert {"401.0", "401.1", "401.9"} <= set(items["401"]["codes"])
    from sfumato.recipe.verify import verify

    found = {one.claim: str(one.status) for one in verify(made.release).findings}
    assert found["1 generalised item stands for the codes of the hierarchy"] == "confirmed"
    assert from_spec("icd9cm", Path())


@pytest.mark.parametrize("unknown", ["root", "suppress"])
def test_codes_that_the_hierarchy_does_not_know_are_treated_as_asked(unknown: str, tmp_path: Path) -> None:
    recipe = RECIPE.replace("sensitive: [s1, s2]", f"sensitive: [s1, s2], unknown: {unknown}")
    made = run(ward(tmp_path, recipe, [*PEOPLE, "x1 a1", "x1 a1", "x1 a1"]))
    shown = (made.release / "data.csv").read_text()
    assert ("x1" in shown) == (unknown == "root")
    assert made.evidence.recipe["resources"][0]["schema"]["fields"][3]["unknown"] == unknown
    left_out = [note for note in made.evidence.notes if "does not know left out" in note]
    assert bool(left_out) == (unknown == "suppress")


def test_risk_is_measured_against_a_population_where_there_is_one(tmp_path: Path) -> None:
    path = ward(tmp_path, f"{RECIPE}population: everybody.csv\n")
    everybody = ["patient,code"] + [f"q{n},{code}" for n in range(4) for p in PEOPLE for code in p.split()]
    (tmp_path / "everybody.csv").write_text("\n".join(everybody) + "\n")
    made = run(path)
    found = next(one for one in made.evidence.risk_before if one.name == "held-set-below-k")
    assert "in the list of the population" in found.meaning
    assert made.evidence.recipe["population"] == "kept by the steward"
    (tmp_path / "everybody.csv").write_text("patient,diagnosis\n1,a1\n")
    with pytest.raises(BadInput, match="the population has no column 'code'"):
        run(path, replace=True)


def test_a_plan_says_what_would_be_done_and_writes_nothing(tmp_path: Path) -> None:
    model = "privacy-constraints: {k: 3, constraints: {extract: {from: visits}}}"
    recipe = with_models(model, method="cba") + "utility-constraints: [[a1, a2]]\n"
    path = ward(tmp_path, recipe)
    before = files_in(tmp_path)
    plan = str(planned(prepared(parse(recipe), path.parent), tmp_path))
    assert files_in(tmp_path) == before
    assert "15 people, up to 4 codes each" in plan
    assert "privacy constraints were extracted from what visits show" in plan
    assert "only by suppression" in plan
    assert "privacy-constraints (k 3, constraints kept by the steward, wording strict)" in plan
    assert "left out          name" in plan


@pytest.fixture(scope="module")
def recipes() -> Validator:
    return jsonschema.Draft202012Validator(schema_named("recipe"))


@pytest.mark.parametrize(
    "recipe",
    [
        RECIPE,
        with_models("privacy-constraints: {k: 3, constraints: policy.txt}", method="cba"),
        with_models("privacy-constraints: {k: 3, constraints: {extract: {from: visits}}}", method="coat")
        + "utility-constraints: [[a1, a2]]\nmeasures: [query-error, ncp]\n",
        with_models("ps-rules: {k: 2, c: 0.5, rules: [[[a1], [s1]]]}"),
    ],
)
def test_the_published_schema_accepts_recipes_about_codes(recipe: str, recipes: Validator) -> None:
    recipes.validate(yaml.safe_load(recipe))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kind: codes", "kind: sets"),
        ("{k: 3, m: 2}", "{k: 3, n: 2}"),
        ("method: apriori", "method: aprori"),
        ("method: apriori", "utility-constraints: [a1]"),
    ],
)
def test_the_published_schema_refuses_what_recipes_cannot_say(old: str, new: str, recipes: Validator) -> None:
    with pytest.raises(jsonschema.ValidationError):
        recipes.validate(yaml.safe_load(RECIPE.replace(old, new)))


def test_what_a_release_holds_fits_the_published_schemas(tmp_path: Path) -> None:
    made = run(ward(tmp_path))
    for path, name in (
        (made.release / "evidence.json", "codes-evidence"),
        (made.steward / "evidence.json", "steward-codes-evidence"),
        (made.release / "schema.json", "release-codes-schema"),
    ):
        jsonschema.validate(json.loads(path.read_text()), schema_named(name))
