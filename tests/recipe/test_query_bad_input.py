"""What is wrong with a recipe of the kind query is said before a row is read, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.randomness import SecretRandom
from sfumato.query.metadata import Metadata
from sfumato.recipe.query.api import protect_query
from tests.recipe.query_examples import USE, hospital, recipe_text


def refused(folder: Path, recipe: str, database: tuple[str, str] | None = None) -> str:
    path = hospital(folder, recipe, patients=30)
    if database is not None:
        text = (folder / "database.yaml").read_text()
        assert database[0] in text
        (folder / "database.yaml").write_text(text.replace(*database))
    with pytest.raises(SfumatoError) as told:
        sf.run(path)
    assert not (folder / "release").exists()
    assert not list(folder.glob(".sfumato-*"))
    return str(told.value)


def promising(spelt: str) -> str:
    return recipe_text(models=f"  - {spelt}")


MODELS = {
    "differential-privacy: {epsilon: .nan}": "finite",
    "differential-privacy: {epsilon: .inf}": "finite",
    "differential-privacy: {epsilon: 1e999999999}": "finite",
    "differential-privacy: {epsilon: 0}": "more than 0",
    "differential-privacy: {epsilon: -1}": "more than 0",
    "differential-privacy: {epsilon: yes}": "must be a number",
    "differential-privacy: {epsilon: [1]}": "must be a number",
    "differential-privacy: {}": "needs the parameter 'epsilon'",
    "differential-privacy": "needs the parameter 'epsilon'",
    "differential-privacy: {epsilon: 1, delta: 1e-4}": "too large for the declared size",
    "differential-privacy: {epsilon: 1, delta: 9e-6}": "more than the 1e-06 that the database allows",
    "differential-privacy: {epsilon: 1, delta: 1}": "less than 1",
    "differential-privacy: {epsilon: 1, delta: -1}": "at least 0",
    "differential-privacy: {epsilon: 1, k: 5}": "'k' is not a parameter",
    "differential-identifiability: {rho: 0.01, m: 10}": "more than 1/m",
    "k-anonymity: {k: 5}": "there is no model 'k-anonymity'",
    "k-m-anonymity: {k: 5, m: 2}": "there is no model 'k-m-anonymity'",
}


@pytest.mark.parametrize("model", MODELS)
def test_a_promise_that_cannot_be_made_is_refused(model: str, tmp_path: Path) -> None:
    assert MODELS[model] in refused(tmp_path, promising(model))


METHODS = {
    "mondrian": "there is no method 'mondrian'",
    "independent-marginal": "did you mean 'independent-marginals'?",
    "{adaptive-marginals: {alone: 2}}": "between 0 and 1",
    "{adaptive-marginals: {seed: 1}}": "'seed' is not a parameter",
}


@pytest.mark.parametrize("method", METHODS)
def test_a_method_that_there_is_not_is_refused(method: str, tmp_path: Path) -> None:
    assert METHODS[method] in refused(tmp_path, recipe_text(method))


DATABASES = {
    "elsewhere.yaml": "there is no such file",
    "{file: database.yaml, table: doctors}": "there is no table 'doctors'",
    "{file: database.yaml, columns: [agee]}": "did you mean 'age'?",
    "{file: database.yaml, columns: [patient_id]}": "there is no column 'patient_id' to release",
    "{file: database.yaml, target: age, columns: [sex]}": "there is no column 'age' to release",
    "{file: database.yaml, edges: {sex: [1, 2]}}": "only numbers and dates have edges",
    "{file: database.yaml, edges: {age: [0, 500]}}": "beyond the declared bounds",
    "{file: database.yaml, edges: {age: [20, 10]}}": "edges must ascend",
    "{file: database.yaml, edges: {age: [2020-01-01, 2021-01-01]}}": "the column holds none",
    "{file: database.yaml, edges: {admission_date: [1, 2]}}": "an edge is not a date",
    "{file: database.yaml, edges: {age: [a, b]}}": "not a finite number",
    "{file: database.yaml, hierarchies: {age: flat}}": "only categories have a hierarchy",
    "{file: database.yaml, hierarchies: {sex: {tree: {any: [F]}}}}": "sex",
    "{file: database.yaml, tables: 1}": "'tables' is not a key",
    "{table: patients}": "resources[0].database needs the key 'file'",
    "[database.yaml]": "resources[0].database must have keys with values",
}


@pytest.mark.parametrize("use", DATABASES)
def test_a_database_that_is_used_wrongly_is_refused(use: str, tmp_path: Path) -> None:
    assert DATABASES[use] in refused(tmp_path, recipe_text(database=use))


DECLARED = {
    ("age: {type: integer, lower: 0, upper: 119}", "age: {type: integer}"): "the column has no bounds",
    ("sex: {type: category, values: [F, M]}", "sex: {type: category}"): "the values are not public",
    ("person: patient_id", "person: nobody"): "the column 'nobody' is not in the data",
    ("max_rows: 100000", "max_rows: 10"): "more rows than the declared 10",
    ("age: {", "years: {"): "there is no column 'age' to release",
    ("smoker: {type: category", "smokes: {type: category"): "there is no column 'smoker' to release",
}


@pytest.mark.parametrize("change", DECLARED, ids=[new for _, new in DECLARED])
def test_a_declaration_that_does_not_do_is_refused(change: tuple[str, str], tmp_path: Path) -> None:
    assert DECLARED[change] in refused(tmp_path, recipe_text(), change)


KEYS = {
    "perturb: [{noise: {columns: [age]}}]\n": "'perturb' is not for the kind query",
    "utility: loss\n": "'utility' is not for the kind query",
    "utility-constraints: [[a]]\n": "'utility-constraints' is not for the kind query",
    "policy: safe-harbor\n": "'policy' is not for the kind query",
    "consent: {column: age, keep: [a]}\n": "'consent' is not for the kind query",
    "attacks: [linkage]\n": "'attacks' is not for the kind query",
    "population: all.csv\n": "'population' is not for the kind query",
    "memory: 2GB\n": "'memory' is not for the kind query",
    "engine: spark\n": "made by duckdb alone",
    "output: {order: kept}\n": "no order that could be kept",
    "output: {layout: long}\n": "'layout' is not for the kind query",
    "output: {format: jsonl}\n": "not written as jsonl",
}


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_another_kind_is_refused(key: str, tmp_path: Path) -> None:
    assert KEYS[key] in refused(tmp_path, recipe_text() + key)


def test_a_missing_path_is_taken_from_the_database_and_a_missing_file_is_refused(tmp_path: Path) -> None:
    recipe = recipe_text().replace("    path: patients.csv\n", "")
    assert sf.run(hospital(tmp_path, recipe, patients=30), out=tmp_path / "out").data.exists()
    said = refused(tmp_path, recipe_text().replace("path: patients.csv", "path: nowhere.csv"))
    assert "there is no such file" in said


def test_a_resource_without_a_database_is_refused(tmp_path: Path) -> None:
    assert "needs a 'database'" in refused(tmp_path, recipe_text().replace(f"    database: {USE}\n", ""))


def test_a_schema_beside_a_database_is_refused(tmp_path: Path) -> None:
    recipe = recipe_text().replace("models:", "    schema: {fields: [{name: age}]}\nmodels:", 1)
    assert "'schema' is not for the kind query" in refused(tmp_path, recipe)


@pytest.mark.parametrize("kind", ["table", "codes"])
def test_a_database_of_another_kind_is_refused(kind: str, tmp_path: Path) -> None:
    recipe = recipe_text().replace("kind: query", f"kind: {kind}")
    assert "'database' is for the kind query" in refused(tmp_path, recipe)


def test_a_table_still_needs_its_schema(tmp_path: Path) -> None:
    recipe = "sfumato: 1\nresources: [{path: patients.csv}]\nmodels: [{k-anonymity: {k: 2}}]\n"
    assert "needs the key 'schema'" in refused(tmp_path, recipe)


def test_the_input_may_not_lie_where_the_release_goes(tmp_path: Path) -> None:
    hospital(tmp_path, patients=30)
    (tmp_path / "release").mkdir()
    (tmp_path / "patients.csv").rename(tmp_path / "release" / "data.csv")
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(recipe_text().replace("path: patients.csv", "path: release/data.csv"))
    with pytest.raises(BadInput, match="lie in the folder 'release'"):
        sf.run(recipe, replace=True)


def test_python_refuses_what_promises_nothing(tmp_path: Path) -> None:
    hospital(tmp_path, patients=30)
    data, database = tmp_path / "patients.csv", tmp_path / "database.yaml"
    with pytest.raises(BadInput, match="nothing is promised"):
        protect_query(data, database=database)
    with pytest.raises(BadInput, match="delta is given without epsilon"):
        protect_query(data, database=database, delta=1e-9)
    with pytest.raises(BadInput, match="no file and no metadata"):
        protect_query(data, database=5, epsilon=1)  # type: ignore[arg-type]  # what a user may do
    with pytest.raises(BadInput, match="'method' is a"):
        protect_query(data, database=database, epsilon=1, method=SecretRandom())  # type: ignore[arg-type]  # the same
    with pytest.raises(BadInput, match="several tables"):
        protect_query(data, database=Metadata("two", {"a": None, "b": None}), epsilon=1)  # type: ignore[dict-item]  # not looked at


def test_a_release_of_this_kind_is_not_taken_for_a_table(tmp_path: Path) -> None:
    made = sf.run(hospital(tmp_path, patients=30))
    with pytest.raises(BadInput, match="made under differential privacy"):
        sf.attack(made.release, "linkage", with_=tmp_path / "patients.csv")


def test_messages_hold_no_value_of_the_data(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text(
        "patient_id,age,sex,smoker,charges\nSECRET1,SECRET2,SECRET3,SECRET4,SECRET5\n,\n"
    )
    hospital(tmp_path, recipe_text("{data-cube: {}}"))
    with pytest.raises(SfumatoError) as told:
        sf.run(tmp_path / "recipe.yaml")
    assert "SECRET" not in str(told.value)
