"""The Python door to networks: the same job as a recipe, spelt as a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import ValidationError

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.core.evidence_graph import GraphEvidence, StewardGraphEvidence
from sfumato.core.fingerprint import input_fingerprint
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.engine.frames import like
from sfumato.graph.attacks import ATTACKS
from sfumato.graph.contract import Method, Model
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods import METHODS
from sfumato.graph.models import MODELS
from sfumato.graph.network import Network
from sfumato.graph.reading import Read, of_pairs
from sfumato.graph.reading.memory import library_of
from sfumato.graph.reading.policy import ERROR, NOBODY
from sfumato.graph.writing import edges_table, to_igraph, to_networkx, to_scipy
from sfumato.recipe.arguments import built
from sfumato.recipe.attack_ask import asked_attacks
from sfumato.recipe.graph.network_attack_ask import checked_network_attacks, network_file
from sfumato.recipe.graph.network_evidence import gather_network
from sfumato.recipe.graph.network_job import NetworkJob, network_measures, usual_method
from sfumato.recipe.graph.network_outcome import carry_out_network, held
from sfumato.recipe.graph.network_reading import NetworkData, input_bytes
from sfumato.recipe.graph.network_release import numbered, rows_in
from sfumato.recipe.model import GraphPart
from sfumato.report import save as save_report

Spelt = str | Mapping[str, Any]
Models = Model | Spelt | Sequence[Model | Spelt]


@dataclass(frozen=True)
class GraphRelease:
    """A released network in memory: the data, the verdicts, what was lost, and a report on request."""

    data: Any = field(repr=False)
    """like what came in: a graph of the same library, a frame or an array of pairs (numbers from 1), a
    ``Network`` (for files too); of groups always a ``Grouped``"""
    verdicts: tuple[Verdict, ...]
    evidence: StewardGraphEvidence = field(repr=False)
    public: GraphEvidence = field(repr=False)
    """the evidence that may go out with the data"""
    published: Network | Grouped = field(repr=False)
    """what is released, as arrays: numbers are new, from 0"""
    node: NDArray[np.int64] = field(repr=False)
    """the published node, or group, of each node of the original: for the house alone"""
    names: pa.StringArray = field(repr=False)
    """what the original calls its nodes, in the order of ``node``: for the house alone"""

    @property
    def utility(self) -> dict[str, float | list[float]]:
        """What was lost, by measure: lower is better."""
        return {measure.name: measure.value for measure in self.evidence.utility}

    def report(self, path: str | Path, *, public: bool = False) -> Path:
        """Write the report, for the steward or for the public."""
        return save_report(self.public if public else self.evidence, path)


def protect_graph(
    data: Any,
    *,
    models: Models,
    method: Method | Spelt | None = None,
    measures: Any = (),
    attacks: Any = (),
    title: str = "Untitled release",
    random: Random | None = None,
    progress: Progress = SILENT,
    **options: Any,
) -> GraphRelease:
    """Protect a network of people and return a release in memory.

    ``data`` is a path (CSV, TSV, text, Parquet, GML, GraphML), a networkx or igraph graph, a sparse matrix
    of scipy, a frame or an array of pairs, or a ``Network``. ``options`` are those of a recipe under
    ``graph``: source, target, loops, repeated, directed, weights, label. Models and methods are objects, or
    the spelling of recipes; the method is the one that keeps the promise unless given.

    >>> star = np.array([[1, 2], [1, 3], [1, 4]])
    >>> release = protect_graph(star, models={"k-degree": {"k": 2}})
    >>> print(release.verdicts[0])
    k-degree holds: required k ≥ 2, achieved k = 2
    >>> release.data.shape, sorted(np.bincount(release.data.ravel())[1:].tolist())
    ((5, 2), [2, 2, 3, 3])
    """
    asked = _models(models)
    for model in asked:
        if model.demand().by == "noise":
            raise BadInput(
                f"{model.name} is about figures, and the network itself would be released",
                where="models",
                remedy="use protect_graph_statistics",
            )
    part = options_of(options)
    job = NetworkJob(
        data=data_of(data, part),
        models=asked,
        method=built(METHODS, usual_method(asked) if method is None else method, "method", "protect"),
        options=part,
        measures=network_measures(measures),
        attacks=checked_network_attacks(
            asked_attacks(attacks, lambda one: network_file(one, Path()), registry=ATTACKS), "attacks"
        ),
        title=title,
        random=SecretRandom() if random is None else random,
    )
    return _in_memory(job, data, progress)


def _in_memory(job: NetworkJob, data: Any, progress: Progress) -> GraphRelease:
    """Carry a job out, check it and gather its evidence; nothing is written."""
    outcome = carry_out_network(job, progress)
    new = numbered(outcome)
    gathered = gather_network(
        outcome,
        new.published,
        tuple(held(model, new.published) for model in job.models),
        ev.DataEvidence(file="in memory", sha256="", rows=rows_in(new.published), bytes=0),
        "",
        input_fingerprint(input_bytes(job.data), outcome.read.network.edges, None),
        progress=progress,
    )
    return GraphRelease(
        _like(data, new.published),
        gathered.verdicts,
        gathered.steward,
        gathered.public,
        new.published,
        new.node,
        outcome.read.names,
    )


def _like(data: Any, published: Network | Grouped) -> Any:
    """Return a network as the kind of thing that came in; numbers mean nothing, and nobody's name is told."""
    if isinstance(published, Grouped) or isinstance(data, str | Path | Network | Read):
        return published
    if isinstance(data, np.ndarray):
        return published.pairs() + 1
    convert = {"networkx": to_networkx, "igraph": to_igraph, "scipy": to_scipy}.get(library_of(data))
    return like(data, edges_table(published)) if convert is None else convert(published)


def data_of(data: Any, part: GraphPart, *, edgeless: str = ERROR) -> NetworkData:
    """Take what was given as a file or as a network in memory."""
    if isinstance(data, str | Path):
        return Path(data)
    if isinstance(data, Read):
        return data
    if isinstance(data, Network):
        if not data.nodes and edgeless != NOBODY:
            raise BadInput("the network has no nodes", remedy="give one that does")
        names = pa.array([str(number) for number in range(1, data.nodes + 1)], pa.string())
        return Read(data, names, listed=True)
    columns = None if part.source is None or part.target is None else [part.source, part.target]
    return of_pairs(
        data,
        columns=columns,
        loops=part.loops,
        repeated=part.repeated,
        directed=part.directed,
        weights=part.weights,
        edgeless=edgeless,
    )


def options_of(given: Mapping[str, Any]) -> GraphPart:
    """Read what is said of reading a network, as a recipe says it under ``graph``."""
    try:
        if "people_method" in given:
            raise BadInput("'people_method' is for recipes with a table", remedy="leave it out")
        return GraphPart.model_validate(dict(given))
    except ValidationError as problem:
        key = ".".join(str(part) for part in problem.errors()[0]["loc"])
        raise BadInput(
            f"'{key}' is not understood", where="options", remedy="see the keys of 'graph' in docs/graph.md"
        ) from None


def _models(models: Models) -> tuple[Model, ...]:
    listed = list(models) if isinstance(models, list | tuple) else [models]
    if not listed:
        raise BadInput("no model was given", remedy="say what to promise, such as KDegree(5)")
    return tuple(built(MODELS, model, "model", "demand") for model in listed)
