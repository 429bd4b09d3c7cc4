"""What every promise about networks has in common."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis
from sfumato.graph.contract import Demand, Model, Publishable, Statistics
from sfumato.graph.grouped import Grouped
from sfumato.graph.models import MODELS, DifferentialPrivacy, KGrouping
from sfumato.graph.network import Network

ATTACKS = {
    "degree",
    "vertex-refinement",
    "neighbourhood",
    "subgraph",
    "active",
    "coalition",
    "seed-and-propagate",
}
NO_LINKS = np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
NOBODY = Network.of_edges(0, np.zeros((0, 2), np.int64))
NO_GROUPS = Grouped(np.zeros(0, np.int64), np.zeros(0, np.int64), *NO_LINKS)
FIGURES = Statistics({"degree": np.zeros(1)}, "degree-sequence")
COUNTED = [name for name in MODELS if name != DifferentialPrivacy.name]


def made(name: str, k: int) -> Any:
    return MODELS[name](k)


def empty(name: str) -> Publishable:
    return NO_GROUPS if name == KGrouping.name else NOBODY


def people(name: str, number: int) -> Publishable:
    """Return so many people without edges, in groups of one where it must be groups."""
    if name == KGrouping.name:
        return Grouped(np.ones(number, np.int64), np.zeros(number, np.int64), *NO_LINKS)
    return Network.of_edges(number, np.zeros((0, 2), np.int64))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_keeps_the_contract_and_names_attacks_that_there_are(name: str) -> None:
    model: Model = made(name, 3)
    assert model.name == name
    assert model.basis in Basis
    assert model.protects_from
    assert set(model.stops) <= ATTACKS
    assert model.in_words()[:1].islower()
    assert not model.in_words().endswith(".")
    assert isinstance(model.demand(), Demand)
    with pytest.raises(FrozenInstanceError):
        setattr(model, fields(model)[0].name, 2)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("k", [0, -1, 1.0, 2.5, True, "2", None, 10**13])
def test_k_is_a_whole_number_of_at_least_one(name: str, k: Any) -> None:
    with pytest.raises(BadInput, match="k must be a whole number"):
        made(name, k)


@pytest.mark.parametrize("name", COUNTED)
def test_k_of_one_promises_nothing_and_stops_nobody(name: str) -> None:
    assert made(name, 1).stops == ()
    assert made(name, 1).check(people(name, 3)).holds


@pytest.mark.parametrize("name", COUNTED)
def test_the_demand_says_how_many_people(name: str) -> None:
    assert made(name, 7).demand().people == 7


@pytest.mark.parametrize("name", COUNTED)
def test_nobody_is_exposed_in_an_empty_release(name: str) -> None:
    verdict = made(name, 5).check(empty(name))
    assert verdict.holds
    assert verdict.achieved == "no nodes"


@pytest.mark.parametrize("name", [name for name in COUNTED if name != KGrouping.name])
def test_isolated_nodes_are_people_who_are_alike(name: str) -> None:
    assert made(name, 4).check(people(name, 4)).holds
    verdict = made(name, 5).check(people(name, 4))
    assert not verdict.holds
    assert verdict.violations == 1
    assert verdict.witness is not None
    assert verdict.witness.size == 4


@pytest.mark.parametrize("name", [name for name in COUNTED if name != KGrouping.name])
def test_one_isolated_node_beside_others_is_seen(name: str) -> None:
    pairs = Network.of_edges(5, np.array([[0, 1], [2, 3]]))
    verdict = made(name, 2).check(pairs)
    assert not verdict.holds
    assert verdict.witness is not None
    assert verdict.witness.rows == (5,)
    assert verdict.witness.size == 1


@pytest.mark.parametrize("name", [name for name in COUNTED if name != KGrouping.name])
def test_what_has_no_edges_of_its_own_is_refused(name: str) -> None:
    for published in (FIGURES, NO_GROUPS):
        with pytest.raises(BadInput, match="nodes and their edges"):
            made(name, 2).check(published)


@pytest.mark.parametrize("name", [name for name in COUNTED if name != KGrouping.name])
def test_labels_that_the_promise_leaves_out_are_noted(name: str) -> None:
    labelled = Network.of_edges(2, np.zeros((0, 2), int), np.array([0, 1], np.int32), ("nurse", "doctor"))
    verdict = made(name, 2).check(labelled)
    assert verdict.holds
    assert "labels" in verdict.note
    assert "nurse" not in str(verdict)


@pytest.mark.parametrize("name", COUNTED)
def test_checking_twice_says_the_same(name: str) -> None:
    published = people(name, 3)
    assert made(name, 4).check(published) == made(name, 4).check(published)
