"""Edges that were added can be told from the others: what that is worth to an adversary is documented."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sfumato.graph.contract import Problem
from sfumato.graph.methods.degree import KDegreeMethod
from sfumato.graph.models import KDegree
from sfumato.graph.network import Network
from tests.graph.real import real_network


def found_by_triangles(before: Network, after: Network) -> tuple[float, float]:
    """Return the share of people of a degree of their own who are found, and that by a guess in the class.

    The adversary knows how many neighbours a person had, sees the class in which they are published, and
    takes those of it whose edges that close a triangle are nearest in number.
    """
    near = [set(after.neighbours_of(node).tolist()) for node in range(after.nodes)]
    closing = np.array([sum(1 for other in mine if mine & near[other]) for mine in near])
    known, shown = before.degrees(), after.degrees()
    hits, guesses = [], []
    for victim in np.flatnonzero(np.bincount(known)[known] == 1):
        like = np.flatnonzero(shown == shown[victim])
        far = np.abs(closing[like] - known[victim])
        nearest = like[far == far.min()]
        hits.append((victim in nearest) / len(nearest))
        guesses.append(1 / len(like))
    return float(np.mean(hits)), float(np.mean(guesses))


@pytest.mark.golden
@pytest.mark.parametrize(("k", "found", "guessed"), [(5, 0.48, 0.18), (10, 0.32, 0.09)])
def test_whoever_leaves_out_edges_that_close_no_triangle_finds_as_many_as_is_documented(
    shared: Path, k: int, found: float, guessed: float
) -> None:
    network = real_network(shared, "ca-GrQc.txt.gz")
    both = []
    for seed in range(4):
        published = KDegreeMethod(seed=seed).protect(Problem(network, (KDegree(k),))).published
        assert isinstance(published, Network)
        both.append(found_by_triangles(network, published))
    hit, guess = np.mean(both, axis=0)
    assert guess == pytest.approx(guessed, abs=0.01)
    assert guess <= 1 / k
    assert hit == pytest.approx(found, abs=0.05)
