"""A job over a network: everything that is needed to release it with other edges, or as groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import build, measures_named, spell
from sfumato.core.randomness import Random, SecretRandom
from sfumato.graph.contract import Demand, Method, Model
from sfumato.graph.methods import METHODS
from sfumato.graph.models import MODELS
from sfumato.graph.reading.columns import kind_of
from sfumato.graph.utility import MEASURES, GraphMeasure
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.graph.job import STATISTICS_METHODS, network_part, promises_of
from sfumato.recipe.graph.keys import refuse_other_keys
from sfumato.recipe.graph.network_attack_ask import asked_network_attacks
from sfumato.recipe.graph.network_reading import NetworkData
from sfumato.recipe.model import GraphPart, Recipe

if TYPE_CHECKING:
    from sfumato.recipe.graph.people_job import PeopleJob

FORMATS = ("csv", "csv.gz", "parquet", "txt", "gml", "graphml")
"""in which a network can be written"""
OF_GROUPS = ("csv", "parquet")
"""in which groups can be"""
NETWORK, GROUPING = "network", "grouping"
TOLD_OPTIONS = ("loops", "repeated", "directed", "weights", "label")
"""how a network was read, as everybody may know; names of other columns and attributes are the steward's"""
_PREFERRED = ("k-degree", "k-neighbourhood", "k-grouping")
"""methods that are taken unasked, where one keeps all that is promised"""
_LIKE = {".parquet": "parquet", ".txt": "txt", ".edges": "txt", ".gml": "gml", ".graphml": "graphml"}


@dataclass(frozen=True)
class NetworkJob:
    """A network to be released."""

    kind: ClassVar[str] = "graph"
    data: NetworkData = field(repr=False)
    models: tuple[Model, ...]
    method: Method
    options: GraphPart = field(default_factory=GraphPart)
    delimiter: str | None = None
    people: PeopleJob | None = None
    """a table about the nodes, protected and released beside their edges"""
    measures: tuple[GraphMeasure, ...] = ()
    attacks: tuple[AskedAttack, ...] = ()
    title: str = "Untitled release"
    format: str | None = None
    """the format of the input, as far as it can hold what is released, when None"""
    random: Random = field(default_factory=SecretRandom)
    """where new numbers of nodes come from"""

    def __post_init__(self) -> None:
        if not self.models:
            raise BadInput(
                "nothing would be promised about the network",
                where="models",
                remedy=f"name one of: {', '.join(name for name in MODELS if name != 'differential-privacy')}",
            )
        known = OF_GROUPS if self.form == GROUPING else FORMATS
        if self.format is not None and self.format not in known:
            raise BadInput(
                f"a {self.form} is not written as {self.format}",
                where="output",
                remedy=nearest(self.format, known),
            )
        check_enforced(self.method, self.models)
        self._check_labels()
        if self.form == GROUPING and self.people is not None:
            raise BadInput(
                "groups have no nodes that a table could be about",
                where="resources",
                remedy="release the table by itself, or the network with k-degree or k-neighbourhood",
            )

    @property
    def form(self) -> str:
        """Whether nodes and edges are released, or groups."""
        return GROUPING if any(model.demand().by == "group" for model in self.models) else NETWORK

    @property
    def written(self) -> str:
        """In which format the release is written."""
        if self.format is not None:
            return self.format
        if not isinstance(self.data, Path):
            return "csv"
        kind = kind_of(self.data)
        like = _LIKE.get(kind, "csv")
        if kind == ".csv" and self.data.suffix.lower() == ".gz" and self.form == NETWORK:
            like = "csv.gz"
        return like if like in (OF_GROUPS if self.form == GROUPING else FORMATS) else "csv"

    @property
    def labelled(self) -> bool:
        """Whether labels are published beside the edges."""
        return self.options.label is not None

    def _check_labels(self) -> None:
        if self.form == GROUPING and self.labelled:
            raise BadInput(
                "groups are published without labels", where="graph, label", remedy="leave 'label' out"
            )
        if any(model.demand().labelled for model in self.models) and not self.labelled:
            raise BadInput(
                "a promise speaks of labels, and none are published",
                where="graph",
                remedy="say which attribute they are: 'graph: {label: …}', or leave 'labelled' out",
            )
        if (
            self.people is not None
            and self.people.label_hierarchy is not None
            and not any(model.demand().labelled for model in self.models)
        ):
            raise BadInput(
                "the label has a hierarchy, and no promise is about labels: they would be shown as they are",
                where=f"column '{self.people.label}'",
                remedy="promise k-neighbourhood with 'labelled: true', or leave the hierarchy out",
            )

    def public_recipe(self) -> dict[str, object]:
        """Describe the job for everybody: no path, no name of a file, nothing taken from the data."""
        options = self.options
        told = {
            key: getattr(options, key)
            for key in TOLD_OPTIONS
            if key in options.model_fields_set and getattr(options, key) is not None
        }
        resources: list[dict[str, Any]] = [{"name": "network", "kind": "graph", "graph": told}]
        models = [spell(model) for model in self.models]
        if self.people is not None:
            resources.append(self.people.public())
            models += [spell(model) for model in self.people.models]
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": resources,
            "models": models,
            "method": spell(self.method),
            **({"attacks": bounded} if (bounded := [a.public() for a in self.attacks if a.bounds]) else {}),
            "output": {"format": self.written},
        }


def check_enforced(method: Method, models: Iterable[Model]) -> None:
    """Refuse a method that cannot keep one of the promises, and name those that can."""
    models = tuple(models)
    for model in models:
        if not method.enforces(model.demand()):
            able = [name for name in METHODS if _keeps(name, [one.demand() for one in models])]
            listed = f"choose one of: {', '.join(able)}" if able else "no method does so far"
            if len(models) > 1 and not able:
                listed = "no method keeps all of these promises: make a release for each"
            raise BadInput(f"{method.name} does not enforce {model.name}", where="method", remedy=listed)


def _keeps(name: str, demands: Iterable[Demand]) -> bool:
    """Say whether a method as it comes by itself answers all demands."""
    if name in STATISTICS_METHODS:
        return False
    method = METHODS[name]()
    return all(method.enforces(demand) for demand in demands)


def usual_method(models: Iterable[Model]) -> str:
    """Return the method that keeps all promises; where none does, the one that keeps the first."""
    demands = [model.demand() for model in models]
    for wanted in (demands, demands[:1]):
        for name in _PREFERRED:
            if name in METHODS and _keeps(name, wanted):
                return name
    listed = ", ".join(dict.fromkeys(model.name for model in models))
    raise BadInput(
        f"no method keeps {listed} so far: it can only be checked",
        where="models",
        remedy="promise k-degree, k-neighbourhood or k-grouping",
    )


def network_measures(given: Any) -> tuple[GraphMeasure, ...]:
    """Take measures as they are, or make them from the spelling of recipes."""
    return measures_named(MEASURES, given, "of")


def network_job_of(recipe: Recipe, folder: Path) -> NetworkJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    refuse_other_keys(recipe)
    resource = network_part(recipe)
    if resource.path is None:
        raise BadInput(f"the resource '{resource.name}' needs 'path'", remedy="say where the network lies")
    ours, _ = promises_of(recipe)
    models: tuple[Model, ...] = tuple(build(MODELS, spec, "model", where) for where, spec in ours)
    method: Mapping[str, Any] | str = recipe.method
    if "method" not in recipe.model_fields_set:
        method = usual_method(models) if models else "k-degree"
    return NetworkJob(
        data=folder / resource.path,
        models=models,
        method=build(METHODS, method, "method", "method"),
        options=resource.graph or GraphPart(),
        delimiter=resource.delimiter,
        people=_people(recipe, folder),
        measures=network_measures(recipe.measures),
        attacks=asked_network_attacks(recipe.attacks, folder),
        title=recipe.title,
        format=recipe.output.format,
    )


def _people(recipe: Recipe, folder: Path) -> PeopleJob | None:
    if len(recipe.resources) == 1:
        options = network_part(recipe).graph
        if options is not None and options.people_method is not None:
            raise BadInput(
                "'people-method' is for a table about the nodes, and none stands beside the network",
                where="graph",
                remedy="leave it out, or add the table to 'resources'",
            )
        return None
    from sfumato.recipe.graph.people_job import people_job_of

    return people_job_of(recipe, folder)
