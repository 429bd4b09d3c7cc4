"""To other libraries and back; without them, a sentence that says what to install."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from sfumato.core.errors import MissingPart
from sfumato.graph.network import Network
from sfumato.graph.reading import of_pairs
from sfumato.graph.writing import to_igraph, to_networkx, to_scipy
from tests.graph.writing.made import networks, same


@pytest.mark.parametrize("convert", [to_networkx, to_igraph])
@given(network=networks())
def test_graphs_of_other_libraries_are_equal(convert: Callable[[Network], Any], network: Network) -> None:
    read = of_pairs(convert(network), edgeless="keep", labels=None if network.labels is None else "value")
    assert same(read.network, network)


@given(networks())
def test_a_matrix_is_equal_and_symmetric(network: Network) -> None:
    matrix = to_scipy(network)
    assert (matrix != matrix.T).nnz == 0
    bare = Network(network.offsets, network.neighbours)
    assert same(of_pairs(matrix, edgeless="keep").network, bare)


@pytest.mark.parametrize(
    ("module", "convert"), [("networkx", to_networkx), ("igraph", to_igraph), ("scipy.sparse", to_scipy)]
)
def test_a_library_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, module: str, convert: Callable[[Network], Any]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        MissingPart, match=rf"{module.split('.')[0]} is not installed; pip install 'sfumato\["
    ):
        convert(Network.of_edges(2, np.array([[0, 1]])))
