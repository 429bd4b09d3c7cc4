"""What a recipe over a network must not say: keys of other kinds of data would be passed over in silence."""

from __future__ import annotations

from sfumato.core.errors import BadInput
from sfumato.recipe.graph.job import network_part
from sfumato.recipe.model import Recipe

_ELSEWHERE = {
    "perturb": "tables",
    "utility": "tables",
    "utility_constraints": "codes",
    "policy": "tables",
    "agreement": "tables",
    "consent": "tables",
    "masking": "tables",
    "tiers": "tables",
    "compare": "tables",
    "memory": "tables",
    "risk": "tables",
    "population": "tables",
}
_OUTPUT = {"suppressed": "tables", "expert_determination": "tables", "layout": "codes", "order": "tables"}
_RESOURCE = {"layout": "codes", "sql": "tables", "encoding": "tables", "missing_values": "tables"}


def refuse_other_keys(recipe: Recipe) -> None:
    """Refuse what a network does not have."""
    network = network_part(recipe)
    for keys, said, where in (
        (_ELSEWHERE, recipe.model_fields_set, ""),
        (_OUTPUT, recipe.output.model_fields_set, "output"),
        (_RESOURCE, network.model_fields_set, f"the resource '{network.name}'"),
    ):
        for key, kind in keys.items():
            if key in said:
                told = key.replace("_", "-")
                raise BadInput(
                    f"'{told}' is for {kind}, and this is a network",
                    where=where or told,
                    remedy="leave it out",
                )
    if network.table_schema.fields:
        raise BadInput(
            "a network has no columns to declare",
            where=f"the resource '{network.name}'",
            remedy="leave 'schema' out; name the ends of an edge under 'graph: {source: …, target: …}'",
        )
    if recipe.engine != "duckdb":
        raise BadInput("networks are read by duckdb alone", where="engine", remedy="write 'engine: duckdb'")
