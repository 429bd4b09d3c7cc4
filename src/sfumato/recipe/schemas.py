"""The JSON Schemas that Sfumato publishes. The copies in ``schemas/`` are made from here."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, get_type_hints

from pydantic import TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError

from sfumato.codes.attacks import ATTACKS as SET_ATTACKS
from sfumato.codes.methods import METHODS as SET_METHODS
from sfumato.codes.models import MODELS as SET_MODELS
from sfumato.codes.utility import SET_MEASURES
from sfumato.core.errors import BadInput, nearest
from sfumato.core.evidence import PublicEvidence, StewardEvidence
from sfumato.core.evidence_codes import CodesEvidence, StewardCodesEvidence
from sfumato.core.evidence_dna import DnaEvidence, StewardDnaEvidence
from sfumato.core.evidence_graph import GraphEvidence, StewardGraphEvidence
from sfumato.core.evidence_query import QueryEvidence, StewardQueryEvidence
from sfumato.core.evidence_text import StewardTextEvidence, TextEvidence
from sfumato.dna.beacon import RandomisedResponse
from sfumato.dna.methods import ROW_METHODS
from sfumato.dna.methods.beacon_answers import BeaconAnswers
from sfumato.dna.methods.statistics_registry import STATISTICS_METHODS
from sfumato.dna.models import ROW_MODELS
from sfumato.dna.models.statistics import STATISTICS_MODELS
from sfumato.dna.utility import MEASURES as ROW_MEASURES
from sfumato.dna.utility.statistics import STATISTICS_MEASURES
from sfumato.graph.attacks import ATTACKS as GRAPH_ATTACKS
from sfumato.graph.methods import METHODS as GRAPH_METHODS
from sfumato.graph.models import MODELS as GRAPH_MODELS
from sfumato.graph.utility import MEASURES as GRAPH_MEASURES
from sfumato.masking import MASKS
from sfumato.query.methods import METHODS as QUERY_METHODS
from sfumato.query.models import MODELS as QUERY_MODELS
from sfumato.query.spelling import database_schema
from sfumato.recipe.attack_ask import BOUNDS
from sfumato.recipe.codes.asked import CONSTRAINTS, EXTRACT
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
from sfumato.recipe.text.released_schema import ReleasedText
from sfumato.record.relational_codes.registry import RECORD_METHODS, RECORD_MODELS
from sfumato.table.attacks import ATTACKS
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.utility import UTILITIES
from sfumato.table.utility.tasks import TASKS
from sfumato.text.methods import METHODS as TEXT_METHODS
from sfumato.text.models import MODELS as TEXT_MODELS


def recipe_schema() -> dict[str, Any]:
    """Return the schema of recipes, with everything that they call by name and its parameters."""
    schema = Recipe.model_json_schema(by_alias=True)
    schema["title"] = "Sfumato recipe"
    properties = schema["properties"]
    definitions = schema["$defs"]
    models = _all(
        SET_MODELS, RECORD_MODELS, QUERY_MODELS, TEXT_MODELS, ROW_MODELS, STATISTICS_MODELS, GRAPH_MODELS
    )
    methods = _all(
        SET_METHODS,
        RECORD_METHODS,
        QUERY_METHODS,
        TEXT_METHODS,
        ROW_METHODS,
        STATISTICS_METHODS,
        GRAPH_METHODS,
    )
    measures = _all(SET_MEASURES, ROW_MEASURES, STATISTICS_MEASURES, GRAPH_MEASURES)
    attacks = _all(SET_ATTACKS, ROW_ATTACKS, STATISTICS_ATTACKS, GRAPH_ATTACKS)
    properties["models"]["items"] = _with_policies(_named(MODELS, definitions, models))
    named = _with_answers(_named(METHODS, definitions, methods), definitions)
    properties["method"] = {**named, "default": DEFAULT_METHOD}
    properties["perturb"]["items"] = _named(PERTURBATIONS, definitions)
    properties["utility"] = {**_named(UTILITIES, definitions), "default": "loss"}
    properties["measures"]["items"] = _named(TASKS, definitions, measures)
    properties["utility-constraints"] = {
        "anyOf": _policy(),
        "description": properties["utility-constraints"]["description"],
        "default": [],
    }
    properties["attacks"]["items"] = _with_bounds(_named(ATTACKS, definitions, attacks))
    mask = definitions["FieldPart"]["properties"]["mask"]
    mask["anyOf"] = [*_named(MASKS, definitions)["anyOf"], {"type": "null"}]
    _without_a_schema(definitions["ResourcePart"])
    return schema


def _all(*registries: dict[str, Any]) -> list[tuple[str, Any]]:
    return [pair for registry in registries for pair in registry.items()]


def _without_a_schema(resource: dict[str, Any]) -> None:
    """Let resources of the kind query have a database in place of a schema, and files of DNA and networks
    none of both."""
    of_query, without = (
        {"properties": {"kind": {"enum": kinds}}, "required": ["kind"]}
        for kinds in (["query"], ["dna", "graph"])
    )
    resource["properties"]["database"]["anyOf"].insert(0, {"type": "string", "description": "the file alone"})
    resource["required"] = [key for key in resource["required"] if key != "schema"]
    resource["if"] = of_query
    resource["then"] = {"required": ["database"], "properties": {"schema": False}}
    resource["else"] = {
        "properties": {"database": False},
        "if": without,
        "then": {},
        "else": {"required": ["schema"]},
    }


def _named(
    registry: dict[str, Any], definitions: dict[str, Any], of_others: Iterable[tuple[str, Any]] = ()
) -> dict[str, Any]:
    """Accept a name, or a name with its parameters; of tables, and of other kinds where there are any."""
    pairs = [*registry.items(), *of_others]
    names = list(dict.fromkeys(name for name, _ in pairs))
    choices: list[dict[str, Any]] = [{"type": "string", "enum": names}]
    for name, kind in pairs:
        parameters = _parameters(kind)
        definitions.update(parameters.pop("$defs", {}))
        parameters["additionalProperties"] = False
        choices.append(
            {
                "type": "object",
                "properties": {name: parameters},
                "required": [name],
                "additionalProperties": False,
            }
        )
    return {"anyOf": choices}


def _parameters(kind: type[Any]) -> dict[str, Any]:
    """Describe the parameters of a part; those that no file can spell, such as a hierarchy, are left out."""
    try:
        return TypeAdapter(kind).json_schema()
    except PydanticSchemaGenerationError:
        hints, found = get_type_hints(kind), {}
        for field in dataclasses.fields(kind):
            with suppress(PydanticSchemaGenerationError):
                found[field.name] = TypeAdapter(hints[field.name]).json_schema()
        return {"properties": found, "title": kind.__name__, "type": "object"}


def _policy() -> list[dict[str, Any]]:
    """Accept constraints as lists of codes, as a file, or to be extracted from the data."""
    codes = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    return [
        {"type": "array", "items": codes},
        {"type": "string", "description": "a file with one constraint on each line"},
        {
            "type": "object",
            "properties": {EXTRACT: {"type": ["object", "null"]}},
            "required": [EXTRACT],
            "additionalProperties": False,
        },
    ]


def _with_policies(named: dict[str, Any]) -> dict[str, Any]:
    """Let constraints of a model be a file, or extracted."""
    for choice in named["anyOf"][1:]:
        for parameters in choice["properties"].values():
            if CONSTRAINTS in parameters.get("properties", {}):
                parameters["properties"][CONSTRAINTS] = {"anyOf": _policy()}
    return named


def _with_answers(named: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Let the policy of a Beacon's answers be spelt: the one that keeps a promise."""
    for choice in named["anyOf"][1:]:
        for name, parameters in choice["properties"].items():
            if name == BeaconAnswers.name:
                policies = _named({RandomisedResponse.name: RandomisedResponse}, definitions)
                parameters["properties"]["policy"] = {"anyOf": [*policies["anyOf"], {"type": "null"}]}
    return named


def _with_bounds(named: dict[str, Any]) -> dict[str, Any]:
    """Let every attack have what it may hold and its bounds beside its own parameters."""
    share = {"type": "number", "minimum": 0, "maximum": 1}
    file = {"anyOf": [{"type": "string"}, {"type": "object"}]}
    held = {
        "with": {**file, "description": "an identified file; everybody in the original when missing"},
        "map": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "from columns of the release to columns of that file, where names differ",
        },
        "others": {
            "anyOf": [{"type": "string"}, {"type": "array", "items": file}],
            "description": "other releases about some of the same people",
        },
    }
    for choice in named["anyOf"][1:]:
        for parameters in choice["properties"].values():
            parameters.setdefault("properties", {}).update({**dict.fromkeys(BOUNDS, share), **held})
    return named


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "recipe": recipe_schema,
    "evidence": PublicEvidence.model_json_schema,
    "steward-evidence": StewardEvidence.model_json_schema,
    "release-schema": ReleasedSchema.model_json_schema,
    "codes-evidence": CodesEvidence.model_json_schema,
    "steward-codes-evidence": StewardCodesEvidence.model_json_schema,
    "release-codes-schema": ReleasedCodes.model_json_schema,
    "query-evidence": QueryEvidence.model_json_schema,
    "steward-query-evidence": StewardQueryEvidence.model_json_schema,
    "release-query-schema": ReleasedQuery.model_json_schema,
    "text-evidence": TextEvidence.model_json_schema,
    "steward-text-evidence": StewardTextEvidence.model_json_schema,
    "release-text-schema": ReleasedText.model_json_schema,
    "dna-evidence": DnaEvidence.model_json_schema,
    "steward-dna-evidence": StewardDnaEvidence.model_json_schema,
    "release-rows-schema": ReleasedRows.model_json_schema,
    "release-statistics-schema": ReleasedStatistics.model_json_schema,
    "graph-evidence": GraphEvidence.model_json_schema,
    "steward-graph-evidence": StewardGraphEvidence.model_json_schema,
    "release-network-schema": ReleasedNetwork.model_json_schema,
    "release-graph-statistics-schema": ReleasedGraphStatistics.model_json_schema,
    "database": database_schema,
}


def schema_named(name: str) -> dict[str, Any]:
    """Return one of the published schemas."""
    if name not in SCHEMAS:
        raise BadInput(f"there is no schema '{name}'", remedy=nearest(name, SCHEMAS))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **SCHEMAS[name]()}
