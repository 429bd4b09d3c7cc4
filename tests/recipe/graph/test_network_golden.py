"""Real networks are released and verified from end to end."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

import sfumato as sf
from sfumato.graph.reading import open_network, read_network
from tests.recipe.graph.network_examples import released

pytestmark = pytest.mark.golden


def laid_here(shared: Path, folder: Path, name: str) -> str:
    """Unpack a network into a folder."""
    (folder / name).write_bytes(gzip.decompress((shared / "data" / "graph" / f"{name}.gz").read_bytes()))
    return name


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_karate_is_k_degree_anonymous_though_its_sums_are_odd(shared: Path, tmp_path: Path, k: int) -> None:
    made = released(tmp_path, laid_here(shared, tmp_path, "karate.edges"), models=f"k-degree: {{k: {k}}}")
    network = read_network(made.data, made.release / "nodes.csv")
    _, times = np.unique(network.degrees(), return_counts=True)
    assert times.min() >= k
    assert (made.evidence.read.nodes, made.evidence.read.edges) == (34, 78)
    assert {one.name: one.value for one in made.evidence.risk_before}["degree-unique"] == 6 / 34
    assert not sf.verify(made.release).refuted


def test_books_hide_among_equal_neighbourhoods_with_their_leaning(shared: Path, tmp_path: Path) -> None:
    pytest.importorskip("igraph")
    path = laid_here(shared, tmp_path, "polbooks.gml")
    titles = open_network(tmp_path / path).names.to_pylist()
    made = released(tmp_path, path, models="k-neighbourhood: {k: 2}", graph="label: value")
    assert made.evidence.network.labels == {"c": 49, "l": 43, "n": 13}
    before = {one.name: one.value for one in made.evidence.risk_before}
    after = {one.name: one.value for one in made.evidence.risk_after}
    assert before["h2-unique"] == 1
    assert before["neighbourhood-unique"] == 76 / 105
    assert after["neighbourhood-unique"] == 0
    text = made.data.read_text()
    assert not any(title in text for title in titles)
    assert not sf.verify(made.release).refuted
