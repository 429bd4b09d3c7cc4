"""A job over statistics of a network: everything that is needed to release them, as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import build, measures_named, spell
from sfumato.core.randomness import Random, SecretRandom
from sfumato.graph.models import MODELS, DifferentialPrivacy
from sfumato.graph.utility import MEASURES, GraphMeasure
from sfumato.recipe.graph.job import network_part, people_part, promises_of
from sfumato.recipe.graph.keys import refuse_other_keys
from sfumato.recipe.graph.network_reading import NetworkData
from sfumato.recipe.graph.statistics_methods import (
    StatisticsMethod,
    measured_by,
    method_of,
    refuse_not_kept,
)
from sfumato.recipe.graph.statistics_price import check_prices
from sfumato.recipe.model import GraphPart, Recipe

if TYPE_CHECKING:
    from sfumato.recipe.graph.people_job import PeopleJob

FORMATS = ("csv", "csv.gz", "parquet")
ORDER = "that of the figures, which says nothing of nodes"
OPTIONS = ("loops", "repeated", "directed", "weights")
"""what a recipe may say of reading, told to everybody"""


@dataclass(frozen=True)
class GraphStatisticsJob:
    """A network of which figures with noise are to be released."""

    kind: ClassVar[str] = "graph"
    form: ClassVar[str] = "statistics"
    data: NetworkData = field(repr=False)
    models: tuple[DifferentialPrivacy, ...]
    method: StatisticsMethod
    options: GraphPart = field(default_factory=GraphPart)
    delimiter: str | None = None
    people: PeopleJob | None = None
    """a table with a row for each person, for those without edges: nothing of it is released"""
    measures: tuple[GraphMeasure, ...] = ()
    title: str = "Untitled release"
    format: str = "csv"
    random: Random = field(default_factory=SecretRandom)
    """where noise comes from"""

    def __post_init__(self) -> None:
        if not self.models:
            raise BadInput(
                "nothing would be promised about the statistics",
                where="models",
                remedy="promise differential-privacy: {epsilon: 1}",
            )
        if self.format not in FORMATS:
            raise BadInput(
                f"statistics are not written as {self.format}",
                where="output",
                remedy=nearest(self.format, FORMATS),
            )
        if self.people is not None and self.people.job is not None:
            raise BadInput(
                "beside statistics nothing of the table about people is released",
                where="resources",
                remedy="give its other columns the role identifier, or release the table by itself",
            )
        check_prices(self.method, self.models)
        refuse_not_kept(self.method, self.models)
        for key in ("label", "people_method"):
            if key in self.options.model_fields_set:
                told = key.replace("_", "-")
                raise BadInput(f"'{told}' is for released networks", where="graph", remedy="leave it out")
        self._check_measures()

    def _check_measures(self) -> None:
        """Refused is what could say nothing, before anything is spent."""
        known = measured_by(self.method)
        for measure in self.measures:
            if measure.name not in known:
                raise BadInput(
                    "the measure says nothing about what this method publishes",
                    where=f"measures, {measure.name}",
                    remedy=nearest(measure.name, known) if known else "leave it out",
                )

    def public_recipe(self) -> dict[str, object]:
        """Describe the job for everybody: no path, no name of a file, nothing taken from the data."""
        told: dict[str, Any] = {
            key: getattr(self.options, key) for key in OPTIONS if key in self.options.model_fields_set
        }
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [{"name": "network", "kind": "graph", "graph": told}],
            "models": [spell(model) for model in self.models],
            "method": spell(self.method),
            "output": {"format": self.format},
        }


def graph_statistics_job_of(recipe: Recipe, folder: Path) -> GraphStatisticsJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    refuse_other_keys(recipe)
    if recipe.attacks:
        raise BadInput(
            "attacks are made on released networks and groups, and statistics are neither",
            where="attacks",
            remedy="leave them out: differential-privacy bounds every attack",
        )
    resource = network_part(recipe)
    if resource.path is None:
        raise BadInput(f"the resource '{resource.name}' needs 'path'", remedy="say where the network lies")
    models: tuple[DifferentialPrivacy, ...] = tuple(
        build(MODELS, spec, "model", where) for where, spec in promises_of(recipe)[0]
    )
    named = "method" in recipe.model_fields_set
    return GraphStatisticsJob(
        data=folder / resource.path,
        models=models,
        method=method_of(recipe.method if named else None, models),
        options=resource.graph or GraphPart(),
        delimiter=resource.delimiter,
        measures=measures_named(MEASURES, recipe.measures, "of"),
        people=_people(recipe, folder),
        title=recipe.title,
        format=recipe.output.format or FORMATS[0],
    )


def _people(recipe: Recipe, folder: Path) -> PeopleJob | None:
    """Take the table that tells who takes part, those without edges too; nothing of it is released."""
    if people_part(recipe) is None:
        return None
    from sfumato.recipe.graph.people_job import people_job_of

    return people_job_of(recipe, folder)
