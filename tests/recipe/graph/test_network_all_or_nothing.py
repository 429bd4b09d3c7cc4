"""A release of a network is all or nothing, and what does not hold is never published."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import SeededRandom
from sfumato.graph.contract import Demand, Problem, Solution
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods import KDegreeMethod, KGroupingMethod
from sfumato.graph.models import KDegree, KGrouping
from sfumato.graph.network import Network
from sfumato.graph.reading import of_pairs
from sfumato.recipe.graph import network_release
from sfumato.recipe.graph.api import protect_graph
from sfumato.recipe.graph.network_job import NetworkJob
from sfumato.recipe.graph.network_outcome import carry_out_network
from sfumato.recipe.graph.network_release import numbered
from sfumato.recipe.prepared import released
from sfumato.release import pipeline
from tests.recipe.graph.network_examples import EDGES

PAIRS = np.array(EDGES)


@dataclass(frozen=True)
class Spoilt:
    """Takes what a method found and spoils it."""

    how: Callable[[Solution], Solution]
    name: ClassVar[str] = "k-degree"
    truthful: ClassVar[bool] = False
    realise: ClassVar[str] = "supergraph"

    def enforces(self, demand: Demand) -> bool:
        return True

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        grouped = problem.models[0].demand().by == "group"
        method = KGroupingMethod(search=50) if grouped else KDegreeMethod()
        return self.how(method.protect(problem))


def network_of(found: Solution) -> Network:
    assert isinstance(found.published, Network)
    return found.published


def as_it_was(found: Solution) -> Solution:
    return dataclasses.replace(found, published=Network.of_edges(18, PAIRS))


def without_edges(found: Solution) -> Solution:
    return dataclasses.replace(found, published=Network.of_edges(18, np.zeros((0, 2), int)))


def renumbered(found: Solution) -> Solution:
    """Keeps the promise, and loses edges."""
    turned = np.roll(np.arange(18), 1)
    return dataclasses.replace(found, published=network_of(found).renumbered(turned))


def with_more_people(found: Solution) -> Solution:
    return dataclasses.replace(found, published=Network.of_edges(21, network_of(found).pairs()))


def as_groups(found: Solution) -> Solution:
    none = np.zeros((0, 2), np.int64)
    groups = Grouped(np.array([18]), np.array([31]), none, np.zeros(0, np.int64))
    return dataclasses.replace(found, published=groups)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (as_it_was, "k-degree does not hold"),
        (without_edges, "edges were lost"),
        (renumbered, "edges were lost"),
        (with_more_people, "nodes were lost or invented"),
        (as_groups, "something else"),
    ],
)
def test_what_a_method_gets_wrong_is_not_published(
    tmp_path: Path, how: Callable[[Solution], Solution], said: str
) -> None:
    job = NetworkJob(of_pairs(PAIRS), (KDegree(3),), Spoilt(how))
    with pytest.raises(PromiseNotMet, match=said):
        released(job, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("what", ["sizes", "inside", "between", "group"])
def test_a_count_that_is_not_true_is_not_published(tmp_path: Path, what: str) -> None:
    def wrong(found: Solution) -> Solution:
        if what == "group":
            assert found.group is not None
            return dataclasses.replace(found, group=np.roll(found.group, 1))
        grouped = found.published
        assert isinstance(grouped, Grouped)
        counts = getattr(grouped, what).copy()
        counts[counts.argmax()] += 1 if what == "sizes" else -1
        return dataclasses.replace(found, published=dataclasses.replace(grouped, **{what: counts}))

    job = NetworkJob(of_pairs(PAIRS), (KGrouping(4),), Spoilt(wrong))
    with pytest.raises(PromiseNotMet, match="not those of the network"):
        released(job, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_that_does_not_hold_what_was_found_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = network_release.write_published

    def spoil(published: Network, format_: str, folder: Path) -> Path:
        path = written(published, format_, folder)
        path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
        return path

    monkeypatch.setattr(network_release, "write_published", spoil)
    job = NetworkJob(of_pairs(PAIRS), (KDegree(3),), KDegreeMethod())
    with pytest.raises(PromiseNotMet, match="do not hold what was found"):
        released(job, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_that_is_broken_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "write_report", stop)
    job = NetworkJob(of_pairs(PAIRS), (KDegree(3),), KDegreeMethod())
    with pytest.raises(KeyboardInterrupt):
        released(job, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_numbers_that_could_be_drawn_again_are_refused(tmp_path: Path) -> None:
    job = NetworkJob(of_pairs(PAIRS), (KDegree(3),), KDegreeMethod(), random=SeededRandom(1))
    with pytest.raises(BadInput, match="seeded generator"):
        released(job, tmp_path / "out")


@st.composite
def networks(draw: st.DrawFn) -> Network:
    nodes = draw(st.integers(2, 12))
    possible = [(one, other) for other in range(nodes) for one in range(other)]
    edges = draw(st.lists(st.sampled_from(possible), unique=True, min_size=1))
    return Network.of_edges(nodes, np.array(edges))


@given(networks(), st.integers(1, 4), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_new_numbers_change_nothing_but_the_numbers(network: Network, k: int, seed: int) -> None:
    if k > network.nodes:
        k = network.nodes
    read = of_pairs(network.pairs())
    k = min(k, read.network.nodes)
    job = NetworkJob(read, (KDegree(k),), KDegreeMethod(), random=SeededRandom(seed))
    outcome = carry_out_network(job)
    new = numbered(outcome)
    assert isinstance(new.published, Network)
    assert isinstance(outcome.published, Network)
    assert sorted(new.node.tolist()) == list(range(read.network.nodes))
    moved = {frozenset(pair) for pair in new.node[outcome.published.pairs()].tolist()}
    assert moved == {frozenset(pair) for pair in new.published.pairs().tolist()}


def test_the_order_of_the_input_does_not_matter_but_for_chance() -> None:
    found = [
        protect_graph(pairs, models=KDegree(3), random=SeededRandom(7)).data.tolist()
        for pairs in (PAIRS, PAIRS[::-1].copy(), PAIRS[:, ::-1].copy())
    ]
    assert found[0] == found[1] == found[2]
