"""What a recipe over DNA must not say: keys of other kinds of data would be passed over in silence."""

from __future__ import annotations

from sfumato.core.errors import BadInput
from sfumato.recipe.model import FieldPart, Recipe

_OF_TABLES = (
    "perturb",
    "utility",
    "utility_constraints",
    "policy",
    "agreement",
    "consent",
    "masking",
    "tiers",
    "compare",
    "memory",
    "risk",
)
_OUTPUT = {"suppressed": "tables", "expert_determination": "tables", "layout": "codes"}
_RESOURCE = {"layout": "codes", "sql": "tables"}
_OF_COLUMNS = (
    "type",
    "hierarchy",
    "kind",
    "mask",
    "known",
    "system",
    "separator",
    "sensitive",
    "unknown",
)


def refuse_other_keys(recipe: Recipe) -> None:
    """Refuse what DNA does not have."""
    for key in _OF_TABLES:
        if key in recipe.model_fields_set:
            raise _refusal(key, "tables", key.replace("_", "-"))
    for key, kind in _OUTPUT.items():
        if key in recipe.output.model_fields_set:
            raise _refusal(key, kind, "output")
    for key, kind in _RESOURCE.items():
        if key in recipe.resource.model_fields_set:
            raise _refusal(key, kind, f"the resource '{recipe.resource.name}'")
    if recipe.engine != "duckdb":
        raise BadInput("DNA is read by duckdb alone", where="engine", remedy="write 'engine: duckdb'")


def refuse_keys_of_columns(fields: list[FieldPart]) -> None:
    """Refuse what is said of a column of a table and has no meaning beside sequences."""
    for part in fields:
        for key in _OF_COLUMNS:
            if key in part.model_fields_set:
                raise _refusal(key, "tables, codes or notes", f"column '{part.name}'")


def _refusal(key: str, kind: str, where: str) -> BadInput:
    told = key.replace("_", "-")
    return BadInput(f"'{told}' is for {kind}, and this is DNA", where=where, remedy="leave it out")
