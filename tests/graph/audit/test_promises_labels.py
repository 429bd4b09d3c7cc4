"""Labels that are published beside edges: what the hierarchy hides is not shown, by any way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.graph.contract import Problem
from sfumato.graph.methods.neighbourhood import KNeighbourhoodMethod
from sfumato.graph.models import KNeighbourhood
from sfumato.graph.network import Network
from sfumato.hierarchy.ladder import Ladder
from tests.recipe.graph.people_examples import released

WORDS = ("nurse", "doctor", "bishop")
HIDES_BISHOPS = Ladder(
    "work",
    np.array([[0, 1, 2], [0, 0, 1], [0, 0, 0]], np.int32),
    (("nurse", "doctor", "*"), ("health", "*"), ("*",)),
    (np.array([1.0, 1.0, 2.0]), np.array([2.0, 2.0]), np.array([2.0])),
    2,
)
"""a bishop is outside the hierarchy, and is to be published as * even at its lowest level"""


def labelled(labels: list[int]) -> Network:
    nodes = len(labels)
    ring = [(at, (at + 1) % nodes) for at in range(nodes)]
    return Network.of_edges(nodes, np.array(ring), np.array(labels, np.int32), WORDS)


def words_of(network: Network) -> list[str]:
    assert network.labels is not None
    return [network.words[label] for label in network.labels]


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("labels", [[2, 2, 2, 2, 2, 2], [0, 1, 2, 0, 1, 2], [2, 0, 0, 0, 0, 0]])
def test_a_word_that_the_hierarchy_hides_is_never_published(labels: list[int], k: int) -> None:
    network = labelled(labels)
    problem = Problem(network, (KNeighbourhood(k, labelled=True),), HIDES_BISHOPS)
    found = KNeighbourhoodMethod().protect(problem)
    assert isinstance(found.published, Network)
    shown = words_of(found.published)
    assert "bishop" not in found.published.words
    assert all(word == "*" for word, label in zip(shown, labels, strict=True) if label == 2)
    assert problem.models[0].check(found.published).holds
    before = [WORDS[label] for label in labels]
    changed = sum(word != was for word, was in zip(shown, before, strict=True))
    assert found.details["labels generalised"] == changed >= labels.count(2)


def test_words_that_were_generalised_away_do_not_travel_with_the_network() -> None:
    tree = Ladder(
        "work",
        np.array([[0, 1, 2], [0, 0, 0]], np.int32),
        (WORDS, ("*",)),
        (np.ones(3), np.array([3.0])),
        3,
    )
    network = labelled([0, 0, 0, 0, 0, 2])
    problem = Problem(network, (KNeighbourhood(3, labelled=True),), tree)
    published = KNeighbourhoodMethod().protect(problem).published
    assert isinstance(published, Network)
    assert "bishop" not in published.words
    assert set(filter(None, published.words)) == set(words_of(published))


JOBS = "{tree: {'*': {kitchen: [cook, baker], clinic: [nurse]}}, others: root}"
"""midwives are outside the hierarchy"""


def test_a_recipe_publishes_words_outside_the_hierarchy_as_nothing(tmp_path: Path) -> None:
    released(
        tmp_path,
        graph="label: job",
        fields={"job": f"role: insensitive, hierarchy: {JOBS}"},
        models="k-neighbourhood: {k: 2, labelled: true} + k-anonymity: {k: 2}",
    )
    assert "midwife" not in (tmp_path / "release" / "nodes.csv").read_text()
    assert not sf.verify(tmp_path).refuted


def test_a_hierarchy_of_labels_that_nothing_climbs_is_refused(tmp_path: Path) -> None:
    """Who writes one wants labels generalised; without a promise about labels they would be shown as is."""
    with pytest.raises(BadInput, match="no promise is about labels"):
        released(tmp_path, graph="label: job", fields={"job": f"role: insensitive, hierarchy: {JOBS}"})
    assert not (tmp_path / "release").exists()
