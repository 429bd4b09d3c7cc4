"""The Python door to networks gives back what it was given, protected."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods import KDegreeMethod
from sfumato.graph.models import KDegree, KGrouping
from sfumato.graph.network import Network
from sfumato.graph.reading import of_pairs
from sfumato.recipe.graph.api import protect_graph
from tests.recipe.graph.network_examples import EDGES, NAMES, csv

PAIRS = np.array(EDGES)
K3 = {"k-degree": {"k": 3}}


def smallest(pairs: Any) -> int:
    """Return how often the rarest degree occurs; all people have edges here."""
    ends = Counter(end for pair in pairs for end in pair)
    return min(Counter(ends.values()).values())


def test_an_array_comes_back_as_an_array() -> None:
    release = protect_graph(PAIRS, models=K3)
    assert release.data.dtype.kind == "i"
    assert smallest(release.data.tolist()) >= 3
    assert release.verdicts[0].holds


def test_a_path_comes_back_as_a_network(tmp_path: Path) -> None:
    release = protect_graph(tmp_path / csv(tmp_path), models=K3)
    assert isinstance(release.data, Network)
    assert smallest(release.data.pairs().tolist()) >= 3
    assert release.names.to_pylist() == sorted(NAMES)


def test_a_network_comes_back_as_a_network() -> None:
    network = Network.of_edges(len(NAMES), PAIRS)
    release = protect_graph(network, models=KDegree(3), method=KDegreeMethod(realise="swap"))
    assert isinstance(release.data, Network)
    assert release.evidence.method == "k-degree"


def test_a_frame_comes_back_as_a_frame_of_numbers() -> None:
    names = [(NAMES[one], NAMES[other]) for one, other in EDGES]
    release = protect_graph(pd.DataFrame(names, columns=["who", "whom"]), models=K3)
    assert isinstance(release.data, pd.DataFrame)
    assert list(release.data.columns) == ["source", "target"]
    assert smallest(release.data.itertuples(index=False)) >= 3
    table = protect_graph(pa.table({"a": [n[0] for n in names], "b": [n[1] for n in names]}), models=K3)
    assert isinstance(table.data, pa.Table)


def test_graphs_of_other_libraries_come_back_as_such() -> None:
    networkx, igraph = pytest.importorskip("networkx"), pytest.importorskip("igraph")
    sparse = pytest.importorskip("scipy.sparse")
    friends = networkx.Graph([(NAMES[one], NAMES[other]) for one, other in EDGES])
    friends.add_node("gus.grissom")
    release = protect_graph(friends, models=K3)
    assert isinstance(release.data, networkx.Graph)
    assert set(release.data) == set(range(len(NAMES) + 1))
    assert min(Counter(degree for _, degree in release.data.degree()).values()) >= 3
    found = protect_graph(igraph.Graph(edges=EDGES), models=K3).data
    assert isinstance(found, igraph.Graph)
    assert min(Counter(found.degree()).values()) >= 3
    matrix = np.zeros((len(NAMES), len(NAMES)), int)
    matrix[PAIRS[:, 0], PAIRS[:, 1]] = matrix[PAIRS[:, 1], PAIRS[:, 0]] = 1
    assert sparse.issparse(protect_graph(sparse.csr_array(matrix), models=K3).data)


def test_groups_come_back_as_groups() -> None:
    release = protect_graph(PAIRS, models=KGrouping(3), method={"k-grouping": {"search": 50}})
    assert isinstance(release.data, Grouped)
    assert np.array_equal(np.bincount(release.node), release.data.sizes)


def test_the_house_knows_who_is_who() -> None:
    read = of_pairs(PAIRS)
    release = protect_graph(read, models=K3)
    assert isinstance(release.published, Network)
    for one, other in read.network.pairs().tolist():
        assert release.published.connected(int(release.node[one]), int(release.node[other]))


def test_a_report_is_written_for_either_audience(tmp_path: Path) -> None:
    release = protect_graph(PAIRS, models=K3, title="Friends")
    public = release.report(tmp_path / "public.html", public=True).read_text()
    assert "Friends" in public
    assert "steward" not in public.lower().split("<main>")[0]
    assert len(release.report(tmp_path / "steward.html").read_text()) > len(public)
    assert release.utility["edges-changed"] > 0


def test_options_are_those_of_recipes() -> None:
    looped = np.vstack([PAIRS, [[3, 3]]])
    with pytest.raises(BadInput, match="itself"):
        protect_graph(looped, models=K3)
    assert protect_graph(looped, models=K3, loops="drop").evidence.read.left_out == {"loops": 1}
    with pytest.raises(BadInput, match="'weighted' is not understood"):
        protect_graph(PAIRS, models=K3, weighted=True)


@pytest.mark.parametrize("models", [[], "k-degree", {"k-degree": {"k": "three"}}, KDegree])
def test_what_is_no_promise_is_refused(models: Any) -> None:
    with pytest.raises(BadInput):
        protect_graph(PAIRS, models=models)


def test_what_cannot_hold_is_not_returned() -> None:
    with pytest.raises(PromiseNotMet):
        protect_graph(PAIRS, models=KDegree(100))
    with pytest.raises(PromiseNotMet, match="degree succeeds"):
        protect_graph(PAIRS, models=K3, attacks=[{"degree": {"at-most": 0.01}}])
