"""A recipe over DNA is about rows (sequences or genotypes of people) or about statistics of sites.

What the recipe names decides: a method or a promise of the one cannot be mixed with those of the other.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput, nearest
from sfumato.recipe.model import Named, Recipe

if TYPE_CHECKING:
    from sfumato.recipe.dna.rows_job import RowsJob
    from sfumato.recipe.dna.statistics_job import StatisticsJob

    DnaJob = RowsJob | StatisticsJob

ROWS, STATISTICS = "rows", "statistics"


def dna_job_of(recipe: Recipe, folder: Path) -> DnaJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    if about(recipe) == STATISTICS:
        from sfumato.recipe.dna.statistics_job import statistics_job_of

        return statistics_job_of(recipe, folder)
    from sfumato.recipe.dna.rows_job import rows_job_of

    return rows_job_of(recipe, folder)


def about(recipe: Recipe) -> str:
    """Say whether a recipe is about rows or about statistics, by the names of its promises and its method."""
    from sfumato.dna.methods import ROW_METHODS
    from sfumato.dna.methods.statistics_registry import STATISTICS_METHODS
    from sfumato.dna.models import ROW_MODELS
    from sfumato.dna.models.statistics import STATISTICS_MODELS

    found: dict[str, str] = {}
    listed: list[tuple[str, Named, dict[str, Any], dict[str, Any]]] = [
        (f"models[{number}]", spec, ROW_MODELS, STATISTICS_MODELS)
        for number, spec in enumerate(recipe.models)
    ]
    if "method" in recipe.model_fields_set:
        listed.append(("method", recipe.method, ROW_METHODS, STATISTICS_METHODS))
    for where, spec, of_rows, of_statistics in listed:
        name = spec if isinstance(spec, str) else next(iter(spec), "")
        what = where.partition("[")[0].removesuffix("s")
        if name not in of_rows and name not in of_statistics:
            raise BadInput(
                f"there is no {what} '{name}' for DNA",
                where=where,
                remedy=nearest(name, {**of_rows, **of_statistics}),
            )
        found.setdefault(ROWS if name in of_rows else STATISTICS, name)
    if len(found) > 1:
        raise BadInput(
            f"'{found[ROWS]}' is about rows of people and '{found[STATISTICS]}' about statistics of sites",
            where="method" if "method" in recipe.model_fields_set else "models",
            remedy="make two recipes, one of rows and one of statistics",
        )
    return next(iter(found), ROWS)
