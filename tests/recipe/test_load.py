"""A recipe with a mistake is met with the line, the mistake and the remedy."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
import yaml

import sfumato as sf
from sfumato.recipe.init import recipe_text, write_recipe
from sfumato.recipe.job import job_of
from sfumato.recipe.load import load, parse
from sfumato.recipe.schemas import schema_named
from tests.recipe.examples import RECIPE, ward


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("models:", "model:", r"line 12: 'model' is not a key of the recipe; did you mean 'models'\?"),
        (
            "role: person",
            "rol: person",
            r"line 7: 'rol' is not a key of resources\[0\].schema.fields\[0\]; did you mean 'role'",
        ),
        (
            "role: sensitive",
            "role: senstive",
            r"line 11: 'role' has a value that it cannot have; did you mean 'sensitive'",
        ),
        ("sfumato: 1", "sfumato: 2", r"line 1: 'sfumato' has a value that it cannot have"),
        ("title: A small ward", "title: [", r"line \d+: this is not YAML"),
        (
            "  - path: people.csv\n",
            "  - paht: people.csv\n",
            r"line 4: 'paht' is not a key of resources\[0\]; did you mean 'path'",
        ),
        ("models:\n  - k-anonymity: {k: 2}\n", "", r"the recipe needs the key 'models'"),
        ("title: A small ward", "title: A\ntitle: B", r"line 3: the key 'title' is there twice"),
    ],
)
def test_mistakes_are_named_with_their_line(old: str, new: str, message: str) -> None:
    assert old in RECIPE
    with pytest.raises(sf.BadInput, match=message):
        parse(RECIPE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("k-anonymity", "k-anonimity", r"there is no model 'k-anonimity'; did you mean 'k-anonymity'\?"),
        ("{k: 2}", "{l: 2}", r"'l' is not a parameter of k-anonymity"),
        ("{k: 2}", "{}", r"k-anonymity needs the parameter 'k'"),
        ("{k: 2}", "{k: two}", r"models\[0\]: 'k' of k-anonymity must be a whole number"),
        (
            "optimal-lattice",
            "optimal-latice",
            r"there is no method 'optimal-latice'; did you mean 'optimal-lattice'",
        ),
        ("suppress: 0.2", "suppress: 2", r"suppress must be a share between 0 and 1"),
        ("intervals: {widths", "intervals: {width_s", r"column 'age'.*widths"),
        ("path: people.csv", "path: people.xlsx", r"the kind of file is not known"),
    ],
)
def test_wrong_names_and_parameters_are_met_with_what_exists(old: str, new: str, message: str) -> None:
    assert old in RECIPE
    with pytest.raises(sf.BadInput, match=message):
        job_of(parse(RECIPE.replace(old, new, 1)), Path())


def test_an_empty_recipe_and_a_missing_one_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(sf.BadInput, match="the recipe is empty"):
        parse("")
    with pytest.raises(sf.BadInput, match="there is no such recipe"):
        load(tmp_path / "none.yaml")
    with pytest.raises(sf.BadInput, match="this is a folder"):
        load(tmp_path)


def test_a_column_that_the_recipe_does_not_mention_stops_the_run(tmp_path: Path) -> None:
    without = "\n".join(line for line in RECIPE.splitlines() if "name: ill" not in line)
    with pytest.raises(sf.BadInput, match="the recipe does not mention 'ill'"):
        sf.run(ward(tmp_path, without))


def test_a_column_that_the_data_do_not_have_is_met_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(sf.BadInput, match=r"a column 'il' that the data do not have; did you mean 'ill'"):
        sf.run(ward(tmp_path, RECIPE.replace("name: ill", "name: il")))


def test_the_recipe_follows_its_published_schema() -> None:
    jsonschema.validate(yaml.safe_load(RECIPE), schema_named("recipe"))
    for wrong in ("k: two", "k: 2, l: 3"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(yaml.safe_load(RECIPE.replace("k: 2", wrong)), schema_named("recipe"))


def test_the_public_recipe_can_be_read_as_a_recipe_again(tmp_path: Path) -> None:
    job = job_of(load(ward(tmp_path)), tmp_path)
    public = job.public_recipe()
    public["resources"][0]["path"] = "people.csv"  # type: ignore[index]
    again = job_of(parse(yaml.safe_dump(public)), tmp_path)
    assert (again.models, again.method, again.utility) == (job.models, job.method, job.utility)
    assert again.schema == job.schema
    assert again.hierarchies == job.hierarchies


def test_an_address_of_a_database_comes_from_the_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = RECIPE.replace("  - path: people.csv\n", "  - sql: {uriFrom: WARD_DB, table: people}\n")
    monkeypatch.delenv("WARD_DB", raising=False)
    with pytest.raises(sf.BadInput, match="environment variable 'WARD_DB' is not set"):
        job_of(parse(recipe), Path())
    monkeypatch.setenv("WARD_DB", "sqlite:///secret-path.db")
    job = job_of(parse(recipe), Path())
    assert "secret-path" not in f"{job} {job.public_recipe()}"


def test_what_init_writes_can_be_read_and_run(tmp_path: Path) -> None:
    ward(tmp_path)
    rows = [
        "p_id,age,sex,zip,diagnosis",
        *(f"p{i},{20 + i % 40},{'FM'[i % 2]},0213{i % 5},d{i % 3}" for i in range(200)),
    ]
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n")
    path, proposal = write_recipe(tmp_path / "people.csv", tmp_path / "guessed.yaml")
    assert proposal.schema.person == "p_id"
    assert proposal.schema.sensitive == ("diagnosis",)
    released = sf.run(path)
    assert released.verdicts[0].holds
    with pytest.raises(sf.BadInput, match="there is already a recipe"):
        write_recipe(tmp_path / "people.csv", tmp_path / "guessed.yaml")


def test_init_survives_odd_column_names(tmp_path: Path) -> None:
    names = ["a: b", "#c", "- d", "yes", "1", "é ü", "q'", "null", "x,y"]
    header = ",".join(f'"{name}"' for name in names)
    rows = "\n".join(",".join(str((i * j) % 3) for j in range(len(names))) for i in range(5))
    (tmp_path / "odd.csv").write_text(f"{header}\n{rows}\n")
    _, proposal = write_recipe(tmp_path / "odd.csv", tmp_path / "odd.yaml")
    fields = parse(recipe_text(proposal, tmp_path, 2)).resource.table_schema.fields
    assert [field.name for field in fields] == names


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("optimal-lattice: {suppress: '5%'}", "'suppress' of optimal-lattice must be a number"),
        ("optimal-lattice: {suppress: true}", "'suppress' of optimal-lattice must be a number"),
        ("optimal-lattice: {time_limit: soon}", "'time_limit' of optimal-lattice must be a number"),
        ("mondrian: {strict: maybe}", "'strict' of mondrian must be true or false"),
        (
            "mondrian: {output: thight}",
            "'output' of mondrian has a value that it cannot have; did you mean 'tight'",
        ),
        ("[mondrian]", "line 14: method must be a name, or a name with its parameters"),
    ],
)
def test_parameters_have_types(method: str, message: str) -> None:
    recipe = RECIPE.replace(
        "\n  optimal-lattice: {suppress: 0.2}", f" {method}" if method[0] == "[" else f"\n  {method}"
    )
    with pytest.raises(sf.BadInput, match=message):
        job_of(parse(recipe), Path())


def test_a_bad_memory_limit_is_refused_before_anything_is_read() -> None:
    with pytest.raises(sf.BadInput, match="the memory limit is not understood"):
        job_of(parse(RECIPE + "memory: lots\n"), Path())


def test_a_hierarchy_on_a_column_that_is_not_generalised_is_refused() -> None:
    recipe = RECIPE.replace("role: sensitive", "role: sensitive, hierarchy: flat")
    with pytest.raises(sf.BadInput, match="column 'ill': it has a hierarchy and is sensitive"):
        job_of(parse(recipe), Path())


def test_utilities_with_parameters_follow_the_published_schema() -> None:
    recipe = yaml.safe_load(RECIPE + "utility: {loss: {aggregate: max}}\n")
    jsonschema.validate(recipe, schema_named("recipe"))
    recipe["utility"]["loss"]["aggregate"] = "median"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(recipe, schema_named("recipe"))
