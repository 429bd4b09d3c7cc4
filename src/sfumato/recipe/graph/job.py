"""A recipe over a network releases the network (other edges, or groups of nodes) or statistics of it.

What the recipe names decides: a method or a promise of the one cannot be mixed with those of the other. Where
a table about the nodes stands beside the network, promises that only tables know are about that table.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from sfumato.core.errors import BadInput, nearest
from sfumato.recipe.model import Named, Recipe, ResourcePart

if TYPE_CHECKING:
    from sfumato.recipe.graph.network_job import NetworkJob
    from sfumato.recipe.graph.statistics_job import GraphStatisticsJob

    GraphJob: TypeAlias = NetworkJob | GraphStatisticsJob

NETWORK, STATISTICS = "network", "statistics"
OF_STATISTICS = ("differential-privacy",)
"""promises about figures, not about nodes"""
STATISTICS_METHODS = ("dp-degree-sequence", "dp-degree-histogram", "dp-counts")

Placed = tuple[str, Named]
"""a promise as the recipe spells it, after the place where it does"""


def graph_job_of(recipe: Recipe, folder: Path) -> GraphJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    if about(recipe) == STATISTICS:
        from sfumato.recipe.graph.statistics_job import graph_statistics_job_of

        return graph_statistics_job_of(recipe, folder)
    from sfumato.recipe.graph.network_job import network_job_of

    return network_job_of(recipe, folder)


def network_part(recipe: Recipe) -> ResourcePart:
    """Return the resource that is the network."""
    return next(one for one in recipe.resources if one.kind == "graph")


def people_part(recipe: Recipe) -> ResourcePart | None:
    """Return the table about the nodes, where there is one."""
    return next((one for one in recipe.resources if one.kind == "table"), None)


def promises_of(recipe: Recipe) -> tuple[list[Placed], list[Placed]]:
    """Part the promises into those about the network and those about the table beside it.

    A name that both know (differential-privacy) is about the network.
    """
    from sfumato.graph.models import MODELS

    of_table: Mapping[str, Any] = {}
    if people_part(recipe) is not None:
        from sfumato.table.models import MODELS as TABLE_MODELS

        of_table = TABLE_MODELS
    ours: list[Placed] = []
    theirs: list[Placed] = []
    for number, spec in enumerate(recipe.models):
        name, where = name_of(spec), f"models[{number}]"
        if name in MODELS:
            ours.append((where, spec))
        elif name in of_table:
            theirs.append((where, spec))
        else:
            raise BadInput(
                f"there is no model '{name}' for a network",
                where=where,
                remedy=nearest(name, {**MODELS, **of_table}),
            )
    return ours, theirs


def name_of(spec: Named) -> str:
    """Return the name of something that a recipe spells."""
    return spec if isinstance(spec, str) else next(iter(spec), "")


def about(recipe: Recipe) -> str:
    """Say whether a recipe releases the network or statistics, by the names of its promises and method."""
    from sfumato.graph.methods import METHODS

    found: dict[str, str] = {}
    for _, spec in promises_of(recipe)[0]:
        name = name_of(spec)
        found.setdefault(STATISTICS if name in OF_STATISTICS else NETWORK, name)
    if "method" in recipe.model_fields_set:
        name = name_of(recipe.method)
        if name not in METHODS:
            raise BadInput(
                f"there is no method '{name}' for a network", where="method", remedy=nearest(name, METHODS)
            )
        found.setdefault(STATISTICS if name in STATISTICS_METHODS else NETWORK, name)
    if len(found) > 1:
        raise BadInput(
            f"'{found[NETWORK]}' is about nodes and their edges and '{found[STATISTICS]}' about statistics",
            where="method" if "method" in recipe.model_fields_set else "models",
            remedy="make two recipes, one of the network and one of statistics",
        )
    return next(iter(found), NETWORK)
