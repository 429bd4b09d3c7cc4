"""The JSON Schemas that Sfumato publishes. The copies in ``schemas/`` are made from here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from sfumato.core.errors import BadInput, nearest
from sfumato.core.evidence import PublicEvidence, StewardEvidence
from sfumato.masking import MASKS
from sfumato.recipe.attack_ask import BOUNDS
from sfumato.recipe.model import DEFAULT_METHOD, Recipe
from sfumato.recipe.released_schema import ReleasedSchema
from sfumato.table.attacks import ATTACKS
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.utility import UTILITIES
from sfumato.table.utility.tasks import TASKS


def recipe_schema() -> dict[str, Any]:
    """Return the schema of recipes, with everything that they call by name and its parameters."""
    schema = Recipe.model_json_schema(by_alias=True)
    schema["title"] = "Sfumato recipe"
    properties = schema["properties"]
    definitions = schema["$defs"]
    properties["models"]["items"] = _named(MODELS, definitions)
    properties["method"] = {**_named(METHODS, definitions), "default": DEFAULT_METHOD}
    properties["perturb"]["items"] = _named(PERTURBATIONS, definitions)
    properties["utility"] = {**_named(UTILITIES, definitions), "default": "loss"}
    properties["measures"]["items"] = _named(TASKS, definitions)
    properties["attacks"]["items"] = _with_bounds(_named(ATTACKS, definitions))
    mask = definitions["FieldPart"]["properties"]["mask"]
    mask["anyOf"] = [*_named(MASKS, definitions)["anyOf"], {"type": "null"}]
    return schema


def _named(registry: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Accept a name, or a name with its parameters."""
    choices: list[dict[str, Any]] = [{"type": "string", "enum": list(registry)}]
    for name, kind in registry.items():
        parameters = TypeAdapter(kind).json_schema()
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
}


def schema_named(name: str) -> dict[str, Any]:
    """Return one of the published schemas."""
    if name not in SCHEMAS:
        raise BadInput(f"there is no schema '{name}'", remedy=nearest(name, SCHEMAS))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **SCHEMAS[name]()}
