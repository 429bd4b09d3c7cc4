"""Whatever a user can type is written about. A new command, option, key or name fails here until it is."""

from __future__ import annotations

import dataclasses
import inspect
import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
import typer.main
from pydantic import BaseModel

import sfumato
import sfumato.dna
import sfumato.graph
import sfumato.text
from sfumato.cli.app import app
from sfumato.codes.attacks import ATTACKS as SET_ATTACKS
from sfumato.codes.methods import METHODS as SET_METHODS
from sfumato.codes.models import MODELS as SET_MODELS
from sfumato.codes.risk import exposure
from sfumato.codes.sets import CodeSets, Visits
from sfumato.codes.utility import SET_MEASURES
from sfumato.core.attack import Scored
from sfumato.core.evidence import PublicEvidence, StewardEvidence, TierEvidence
from sfumato.core.evidence_codes import CodesEvidence, StewardCodesEvidence
from sfumato.core.evidence_dna import DnaEvidence, StewardDnaEvidence
from sfumato.core.evidence_graph import GraphEvidence, StewardGraphEvidence
from sfumato.core.evidence_query import QueryEvidence, StewardQueryEvidence
from sfumato.core.evidence_text import StewardTextEvidence, TextEvidence
from sfumato.core.findings import Status
from sfumato.core.schema import Role
from sfumato.core.verdict import Basis, Threat
from sfumato.dna.attacks import ATTACKS as DNA_ATTACKS
from sfumato.dna.beacon import POLICIES
from sfumato.dna.methods import ROW_METHODS
from sfumato.dna.methods.statistics_registry import STATISTICS_METHODS
from sfumato.dna.models import ROW_MODELS
from sfumato.dna.models.statistics import STATISTICS_MODELS
from sfumato.dna.utility import MEASURES as ROW_MEASURES
from sfumato.dna.utility.statistics import STATISTICS_MEASURES
from sfumato.engine import ENGINES
from sfumato.engine.contract import Engine, Order, Suppressed
from sfumato.graph.attacks import ATTACKS as GRAPH_ATTACKS
from sfumato.graph.methods import METHODS as GRAPH_METHODS
from sfumato.graph.models import MODELS as GRAPH_MODELS
from sfumato.graph.utility import MEASURES as GRAPH_MEASURES
from sfumato.hierarchy import Cuts, Dates, Intervals, Mask, spec
from sfumato.hierarchy.dates import UNITS
from sfumato.masking import MASKS, policy_named
from sfumato.query.attacks import ATTACKS as QUERY_ATTACKS
from sfumato.query.methods import METHODS as QUERY_METHODS
from sfumato.query.models import MODELS as QUERY_MODELS
from sfumato.recipe.attack_ask import BOUNDS, HELD
from sfumato.recipe.codes.job import check_enforced
from sfumato.recipe.codes.released_schema import ReleasedCodes
from sfumato.recipe.dna.rows_attack_ask import ROW_ATTACKS
from sfumato.recipe.dna.rows_schema import ReleasedRows
from sfumato.recipe.dna.statistics_attack_ask import STATISTICS_ATTACKS
from sfumato.recipe.dna.statistics_schema import ReleasedStatistics
from sfumato.recipe.graph.network_schema import ReleasedNetwork
from sfumato.recipe.graph.statistics_schema import ReleasedGraphStatistics
from sfumato.recipe.model import DEFAULT_METHOD, Recipe
from sfumato.recipe.query.released_schema import ReleasedQuery
from sfumato.recipe.released_schema import ReleasedSchema
from sfumato.recipe.schemas import SCHEMAS, schema_named
from sfumato.recipe.text.released_schema import ReleasedText
from sfumato.record.relational_codes.registry import RECORD_METHODS, RECORD_MODELS
from sfumato.table.attacks import ATTACKS
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.utility import UTILITIES
from sfumato.table.utility.measures import MEASURES
from sfumato.table.utility.tasks import TASKS
from sfumato.text.attacks import ATTACKS as TEXT_ATTACKS
from sfumato.text.methods import METHODS as TEXT_METHODS
from sfumato.text.models import MODELS as TEXT_MODELS
from sfumato.text.replace import REPLACEMENTS
from tests.codes.models.examples import EXAMPLES
from tests.docs.pages import PAGES, ROOT, Page, page

COMMANDS: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def spans(text: str) -> set[str]:
    """Return what stands between backticks."""
    return set(re.findall(r"`([^`\n]+)`", text))


def leaves(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Return a command, or those of a group and of the groups inside it, with all of its words."""
    if not hasattr(command, "commands"):
        yield name, command
    for inner, part in getattr(command, "commands", {}).items():
        yield from leaves(f"{name} {inner}", part)


def test_every_command_and_option_is_in_the_reference_of_commands() -> None:
    for group, whole in COMMANDS.items():
        said = spans(page("docs/cli.md").section(f"sfumato {group}"))
        for name, command in leaves(group, whole):
            assert any(span.startswith(f"sfumato {name}") for span in said) or name == group, name
            for parameter in command.params:
                if parameter.param_type_name == "argument":
                    assert parameter.name.upper() in said, f"{name} {parameter.name}"
                for option in parameter.opts if parameter.param_type_name == "option" else []:
                    assert option in said, f"{name} {option}"
    assert "--version" in page("docs/cli.md").code_spans


def test_commands_inside_groups_were_looked_at() -> None:
    """Were groups not walked through, the test above would pass by looking at none of their options."""
    found = {name for group, whole in COMMANDS.items() for name, _ in leaves(group, whole)}
    assert {"demo", "query ask", "query budget set", "audit mechanism"} <= found


def test_every_command_is_in_the_readme() -> None:
    readme = page("README.md")
    for name in COMMANDS:
        assert any(span.startswith(f"sfumato {name}") for span in readme.code_spans) or any(
            f"$ sfumato {name}" in block.text for block in readme.blocks
        ), name


def test_the_readme_counts_right_what_it_covers() -> None:
    covers = page("README.md").section("What it covers")
    counted = {"promises": MODELS, "methods": METHODS, "perturbation": PERTURBATIONS, "attacks": ATTACKS}
    counted |= {"promises about codes": SET_MODELS, "methods for codes": SET_METHODS}
    counted |= {"loss and risk of codes": SET_MEASURES, "attacks on codes": SET_ATTACKS}
    counted |= {"releases without interaction": QUERY_METHODS, "attacks on the database": QUERY_ATTACKS}
    counted |= {"replacements": REPLACEMENTS, "promises about notes": TEXT_MODELS}
    counted |= {"attacks on notes": TEXT_ATTACKS}
    counted |= {"promises about DNA": {**ROW_MODELS, **STATISTICS_MODELS}}
    counted |= {"methods for DNA": {**ROW_METHODS, **STATISTICS_METHODS}, "attacks on DNA": DNA_ATTACKS}
    counted |= {"promises about networks": GRAPH_MODELS, "methods for networks": GRAPH_METHODS}
    counted |= {"loss of networks": GRAPH_MEASURES, "attacks on networks": GRAPH_ATTACKS}
    for word, registry in counted.items():
        assert re.search(rf"^\| \*\*{word}\*\* \| {len(registry)}\b", covers, re.MULTILINE), word
    assert f"{len(MEASURES) + 1} measures of every release, {len(TASKS)} of tasks" in covers


def parts_of(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Return a pydantic model and those inside it."""
    yield model
    for field in model.model_fields.values():
        inside = [field.annotation, *get_args(field.annotation)]
        inside += [deeper for part in inside for deeper in get_args(part)]
        for part in inside:
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from parts_of(part)


def keys_of(model: type[BaseModel]) -> set[str]:
    """Return all keys of a pydantic model and of those inside it, as they are written in files."""
    return {field.alias or name for part in parts_of(model) for name, field in part.model_fields.items()}


def test_every_key_of_a_recipe_is_in_the_reference_of_recipes() -> None:
    assert keys_of(Recipe) <= page("docs/recipe.md").code_spans


def test_every_value_that_a_recipe_lets_choose_from_is_in_its_reference() -> None:
    said = page("docs/recipe.md").code_spans
    choices = {value for enum in (Role, Order, Suppressed) for value in map(str, enum)} | {*ENGINES}
    for part in parts_of(Recipe):
        for field in part.model_fields.values():
            for option in get_args(field.annotation):
                choices |= {word for word in (option, *get_args(option)) if isinstance(word, str)}
    assert {"datetime", "parquet"} <= choices
    assert choices <= said


REGISTRIES = {
    "models": (MODELS, "docs/models.md"),
    "methods": (METHODS, "docs/methods.md"),
    "perturbations": (PERTURBATIONS, "docs/perturbation.md"),
    "attacks": (ATTACKS, "docs/attacks.md"),
    "utilities": (UTILITIES, "docs/utility.md"),
    "tasks": (TASKS, "docs/utility.md"),
    "models of codes": (SET_MODELS, "docs/codes-models.md"),
    "methods for codes": (SET_METHODS, "docs/codes-methods.md"),
    "measures of codes": (SET_MEASURES, "docs/codes-utility-and-risk.md"),
    "attacks on codes": (SET_ATTACKS, "docs/codes-attacks.md"),
    "models under differential privacy": (QUERY_MODELS, "docs/recipe-query.md"),
    "methods under differential privacy": (QUERY_METHODS, "docs/dp-release.md"),
    "attacks on the database": (QUERY_ATTACKS, "docs/query-attacks.md"),
    "models of notes": (TEXT_MODELS, "docs/recipe-text.md"),
    "methods for notes": (TEXT_METHODS, "docs/recipe-text.md"),
    "attacks on notes": (TEXT_ATTACKS, "docs/text-risk-and-attacks.md"),
    "models of rows": (ROW_MODELS, "docs/dna-methods.md"),
    "methods for rows": (ROW_METHODS, "docs/dna-methods.md"),
    "measures of rows": (ROW_MEASURES, "docs/dna-methods.md"),
    "models of statistics": (STATISTICS_MODELS, "docs/dna-statistics.md"),
    "methods for statistics": (STATISTICS_METHODS, "docs/dna-statistics.md"),
    "measures of statistics": (STATISTICS_MEASURES, "docs/dna-statistics.md"),
    "policies of a Beacon": (POLICIES, "docs/dna-statistics.md"),
    "attacks on DNA": (DNA_ATTACKS, "docs/dna-attacks.md"),
    "models of networks": (GRAPH_MODELS, "docs/graph-models.md"),
    "methods for networks": (GRAPH_METHODS, "docs/graph-methods.md"),
    "measures of networks": (GRAPH_MEASURES, "docs/graph-methods.md"),
    "attacks on networks": (GRAPH_ATTACKS, "docs/graph-attacks.md"),
}
OVERVIEWS = [
    "methods",
    "perturbations",
    "attacks",
    "models of codes",
    "methods for codes",
    "measures of codes",
    "attacks on codes",
    "methods under differential privacy",
    "attacks on the database",
    "models of rows",
    "methods for rows",
    "measures of rows",
    "models of statistics",
    "methods for statistics",
    "measures of statistics",
    "policies of a Beacon",
    "attacks on DNA",
    "models of networks",
    "methods for networks",
    "measures of networks",
    "attacks on networks",
]


def home_of(name: str, overview: Page) -> Page:
    """Return the page that holds the section of a part: the one that its overview links to."""
    linked = re.search(rf"\]\(([\w-]+\.md)?#{re.escape(name)}\)", overview.text)
    return page(f"docs/{linked[1]}") if linked and linked[1] else overview


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_part_that_a_recipe_names_has_a_section_with_its_parameters(kind: str) -> None:
    registry, overview = REGISTRIES[kind]
    for name, part in registry.items():
        section = spans(home_of(name, page(overview)).section(name))
        assert part.__name__ in section, name
        for field in dataclasses.fields(part):
            assert not field.init or field.name in section, f"{name}: {field.name}"


@pytest.mark.parametrize("kind", OVERVIEWS)
def test_the_overview_of_a_registry_links_to_every_part(kind: str) -> None:
    registry, overview = REGISTRIES[kind]
    for name in registry:
        assert re.search(rf"^\|.*\[`{name}`\]\([\w.-]*#{name}\)", page(overview).text, re.MULTILINE), name


def choices_of(hint: Any) -> set[str]:
    """Return the texts that a parameter lets choose from."""
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {str(member) for member in hint}
    if get_origin(hint) is Literal:
        return {choice for choice in get_args(hint) if isinstance(choice, str)}
    return set().union(*map(choices_of, get_args(hint)))


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_value_that_a_parameter_lets_choose_from_is_written_about(kind: str) -> None:
    registry, overview = REGISTRIES[kind]
    for name, part in registry.items():
        said = home_of(name, page(overview)).code_spans
        parameters = {field.name for field in dataclasses.fields(part) if field.init}
        for parameter, hint in get_type_hints(part).items():
            for choice in choices_of(hint) if parameter in parameters else ():
                assert {choice, f"{parameter}: {choice}"} & said, f"{name}: {parameter}: {choice}"


def test_the_choices_that_were_looked_for_are_there() -> None:
    """Were the hints read in another way, the test above would pass by finding nothing."""
    assert choices_of(get_type_hints(METHODS["mondrian"])["output"]) == {"tight", "region", "hierarchy"}
    assert "geometric mean" in choices_of(get_type_hints(UTILITIES["loss"])["aggregate"])


def keeps(method: Any, model: Any) -> bool:
    """Say whether a recipe may ask this method for this promise."""
    try:
        check_enforced(method, [model])
    except sfumato.BadInput:
        return False
    return True


@pytest.mark.parametrize("name", SET_MODELS)
def test_a_model_of_codes_says_who_keeps_it_what_it_protects_from_and_what_it_stops(name: str) -> None:
    model = (EXAMPLES | {"disassociated-k-m-anonymity": [sfumato.DisassociatedAnonymity(2, 2)]})[name][0]
    section = page("docs/codes-models.md").section(name)
    kept = re.search(r"^Kept by (.*?)\.\n\n", section, re.MULTILINE | re.DOTALL)
    said = re.findall(r"codes-methods\.md#([\w-]+)", kept[1]) if kept else ()
    assert {*said} == {method for method, kind in SET_METHODS.items() if keeps(kind(), model)}
    assert {str(threat) for threat in model.protects_from} <= spans(section)
    if model.basis is not Basis.RELEASE:
        assert str(model.basis) in spans(section)
    for attack in model.stops:
        assert f"(codes-attacks.md#{attack})" in section, attack


def test_every_figure_of_the_risk_of_codes_is_written_about() -> None:
    sets = CodeSets.of([["a", "b"], ["a"], ["b", "s"]])
    visits = Visits(sets, np.arange(3))
    risk = exposure(sets, k=2, m=2, visits=visits, sensitive=["s"], coarser={"one": lambda code: "c"})
    names = {re.sub(r"^(coarser)-1-.*|-\d+-", r"\1-m-", figure.name) for figure in risk.figures()}
    said = spans(page("docs/codes-utility-and-risk.md").section("Risk"))
    assert "worst-m-unique" in names
    assert {"coarser-m-…" if name == "coarser-m-" else name for name in names} <= said
    assert {*inspect.signature(exposure).parameters} - {"sets", "progress"} <= said


def test_every_mask_is_in_the_table_of_masks_with_its_parameters() -> None:
    section = page("docs/masking.md").section("Masks")
    for name, part in MASKS.items():
        assert re.search(rf"^\| `{name}` \|", section, re.MULTILINE), name
        for field in dataclasses.fields(part):
            assert field.name in spans(section), f"{name}: {field.name}"


def test_every_policy_and_every_kind_of_column_is_written_about() -> None:
    said = page("docs/masking.md").code_spans
    policies = {path.stem for path in (ROOT / "src/sfumato/masking/policies").glob("*.yaml")}
    assert "safe-harbor" in policies
    assert {f"policy: {name}" for name in policies} <= said
    for name in policies:
        assert {*policy_named(name).masks} <= said, name


def test_every_key_of_an_attack_and_every_way_of_scoring_is_written_about() -> None:
    assert {*BOUNDS, *HELD} <= spans(page("docs/recipe.md").section("attacks"))
    said = spans(page("docs/attacks.md").section("How to read a result"))
    assert {str(scored) for scored in Scored} <= said
    figures = {field.name for field in dataclasses.fields(sfumato.AttackResult)}
    shown = {"attempts", "success", "baseline", "guessing", "certain", "highest", "scored"}
    assert shown <= figures
    assert {*shown, "advantage"} <= said


def test_every_measure_is_written_about() -> None:
    assert {measure.name for measure in MEASURES} | {"class-size-k"} <= page("docs/utility.md").code_spans


def test_every_spelling_of_a_hierarchy_is_written_about() -> None:
    said = page("docs/hierarchies.md").code_spans
    assert {*spec._KINDS, "others", "delimiter", *UNITS} <= said
    for kind in (Intervals, Cuts, Mask, Dates):
        for field in dataclasses.fields(kind):
            assert field.name in said, f"{kind.__name__}: {field.name}"


def test_every_role_threat_and_basis_is_explained() -> None:
    assert {str(role) for role in Role} <= page("docs/concepts.md").code_spans
    words: list[type[StrEnum]] = [Threat, Basis]
    assert {str(word) for enum in words for word in enum} <= page("docs/models.md").code_spans


def test_every_field_of_evidence_and_schema_is_explained() -> None:
    said = page("docs/release.md").code_spans
    documents: list[type[BaseModel]] = [PublicEvidence, StewardEvidence, ReleasedSchema, TierEvidence]
    documents += [CodesEvidence, StewardCodesEvidence, ReleasedCodes]
    documents += [QueryEvidence, StewardQueryEvidence, ReleasedQuery]
    documents += [TextEvidence, StewardTextEvidence, ReleasedText]
    documents += [DnaEvidence, StewardDnaEvidence, ReleasedRows, ReleasedStatistics]
    documents += [GraphEvidence, StewardGraphEvidence, ReleasedNetwork, ReleasedGraphStatistics]
    assert set().union(*map(keys_of, documents)) <= said
    assert {str(status) for status in Status} <= said


def test_the_schema_of_recipes_lists_everything_that_recipes_call_by_name() -> None:
    schema = schema_named("recipe")
    at = schema["properties"]
    listed: dict[str, tuple[Any, list[tuple[str, Any]]]] = {
        "models": (
            at["models"]["items"],
            [
                *MODELS.items(),
                *SET_MODELS.items(),
                *RECORD_MODELS.items(),
                *QUERY_MODELS.items(),
                *TEXT_MODELS.items(),
                *ROW_MODELS.items(),
                *STATISTICS_MODELS.items(),
                *GRAPH_MODELS.items(),
            ],
        ),
        "method": (
            at["method"],
            [
                *METHODS.items(),
                *SET_METHODS.items(),
                *RECORD_METHODS.items(),
                *QUERY_METHODS.items(),
                *TEXT_METHODS.items(),
                *ROW_METHODS.items(),
                *STATISTICS_METHODS.items(),
                *GRAPH_METHODS.items(),
            ],
        ),
        "perturb": (at["perturb"]["items"], [*PERTURBATIONS.items()]),
        "utility": (at["utility"], [*UTILITIES.items()]),
        "measures": (
            at["measures"]["items"],
            [
                *TASKS.items(),
                *SET_MEASURES.items(),
                *ROW_MEASURES.items(),
                *STATISTICS_MEASURES.items(),
                *GRAPH_MEASURES.items(),
            ],
        ),
        "attacks": (
            at["attacks"]["items"],
            [
                *ATTACKS.items(),
                *SET_ATTACKS.items(),
                *ROW_ATTACKS.items(),
                *STATISTICS_ATTACKS.items(),
                *GRAPH_ATTACKS.items(),
            ],
        ),
        "mask": (schema["$defs"]["FieldPart"]["properties"]["mask"], [*MASKS.items()]),
    }
    besides = {"attacks": {*BOUNDS, *HELD}}
    for key, (place, registry) in listed.items():
        names, *spelt = (choice for choice in place["anyOf"] if choice["type"] != "null")
        assert names["enum"] == [*dict.fromkeys(name for name, _ in registry)], key
        for (name, part), choice in zip(registry, spelt, strict=True):
            parameters = {*choice["properties"][name]["properties"]}
            own = {field.name for field in dataclasses.fields(part) if field.init}
            # A hierarchy over codes, or an ontology, is an object: no file can spell it.
            assert (own - {"tree", "ontology"}) | besides.get(key, set()) == parameters, name


def test_every_published_schema_is_named() -> None:
    assert {*SCHEMAS} <= page("docs/cli.md").code_spans


def test_every_engine_and_every_part_of_the_engines_contract_is_named() -> None:
    assert {*ENGINES} <= page("docs/engines.md").code_spans
    contract = [name for name in vars(Engine) if not name.startswith("_") and callable(vars(Engine)[name])]
    assert {"read", "count", "recode", "write"} <= {*contract} <= page("docs/architecture.md").code_spans


def test_every_environment_variable_is_explained() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    variables = set(re.findall(r"\bSFUMATO_[A-Z]+\b", sources))
    assert "SFUMATO_KEY" in variables
    assert variables <= page("docs/cli.md").code_spans


def test_every_room_of_the_house_is_in_the_architecture() -> None:
    rooms = {path.parent.name for path in (ROOT / "src" / "sfumato").glob("*/__init__.py")}
    assert "table" in rooms
    assert {f"{room}/" for room in rooms} <= page("docs/architecture.md").code_spans


def test_files_that_texts_name_are_there() -> None:
    texts = [page("docs/architecture.md"), page("CONTRIBUTING.md")]
    named = {span for text in texts for span in text.code_spans if re.fullmatch(r"[\w/]+/\w+\.py", span)}
    assert {"table/start.py", "engine/contract.py"} <= named
    for name in named:
        assert any((place / name).exists() for place in (ROOT, ROOT / "src" / "sfumato")), name


def test_the_method_that_is_taken_when_none_is_named_is_the_one_that_is_written_about() -> None:
    ((name, parameters),) = DEFAULT_METHOD.items()
    spelt = ", ".join(f"{key}: {value}" for key, value in (parameters or {}).items())
    assert f"`{name}: {{{spelt}}}`" in page("docs/recipe.md").section("At the top")
    called = ", ".join(f"{key}={value}" for key, value in (parameters or {}).items())
    assert f"`{METHODS[name].__name__}({called})`" in page("docs/python.md").section("protect")


def test_contributing_names_every_target_marker_and_extra() -> None:
    said = page("CONTRIBUTING.md").code_spans
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {f"make {target}" for target in targets if target != "help"} <= said
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    markers = {marker.split(":")[0] for marker in project["tool"]["pytest"]["ini_options"]["markers"]}
    assert markers <= said
    everywhere = set().union(*(text.code_spans for text in PAGES))
    assert {f"sfumato[{extra}]" for extra in project["project"]["optional-dependencies"]} <= everywhere


def test_the_changelog_speaks_of_this_version() -> None:
    assert sfumato.__version__ in page("CHANGELOG.md").text
