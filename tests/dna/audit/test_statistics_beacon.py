"""Beacons under attack: budgets that are drained, questions spelt anew, memories that are forged."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.beacon import Beacon, FlipRare, HideRare, Open, Policy, QueryBudget, RandomisedResponse
from sfumato.dna.contract import Study
from sfumato.dna.methods.beacon_answers import BeaconAnswers
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.sites import Sites, numbered
from sfumato.dna.source import InMemory


def source(dosages: NDArray[np.integer[Any]]) -> InMemory:
    return InMemory(dosages.astype(np.int8), numbered(len(dosages)))


def yeses_after_draining(level: float, seed: int, people: int = 20) -> tuple[list[int], list[int]]:
    """Ask first for what a person does not carry, until nobody else can pay, then for their five rarest
    alleles: how many yeses there are, of members and of others."""
    random = np.random.default_rng(seed)
    frequency = random.beta(0.4, 8, 400).clip(0.0005, 0.5)
    drawn = random.binomial(2, frequency[:, None], (400, 2 * people)).astype(np.int8)
    beacon = Beacon(source(drawn[:, :people]), QueryBudget(frequency, level=level))
    rarest = np.argsort(frequency)
    found: tuple[list[int], list[int]] = ([], [])
    for person in range(2 * people):
        seat, mine = beacon.seat(f"asker {person}"), drawn[:, person] > 0
        for site in rarest[~mine[rarest]]:
            seat.ask("1", int(site) + 1, "G")
        told = [seat.ask("1", int(site) + 1, "G") for site in rarest[mine[rarest]][:5]]
        found[person >= people].append(sum(map(bool, told)))
    return found


def test_a_budget_holds_against_somebody_who_drains_everybody_else_first() -> None:
    """A level of .5 allows a power of 2α. 120 people each: three standard errors of .1 are .083."""
    inside, outside = [], []
    for seed in range(6):
        mine, others = yeses_after_draining(0.5, seed)
        inside += mine
        outside += others
    members, strangers = np.array(inside), np.array(outside)
    for least in range(1, 6):
        false_positives, power = (strangers >= least).mean(), (members >= least).mean()
        assert power <= 2 * max(false_positives, 0.05) + 0.083


def test_what_a_person_pays_rises_as_others_are_used_up() -> None:
    """Each of the first ten uses up somebody; the last is left alone with a yes that would name them."""
    dosages = np.zeros((60, 10), np.int8)
    for site in range(54):
        dosages[site, site % 9] = 1
    dosages[54:, 9] = 1
    policy = QueryBudget(np.full(60, 0.05), level="0.5")
    beacon = Beacon(source(dosages), policy)
    alone = Beacon(source(dosages), policy)
    for site in range(54):
        beacon.ask("ann", "1", site + 1, "G")
    drained = [beacon.ask("ann", "1", site + 1, "G") for site in range(54, 60)]
    at_once = [alone.ask("ann", "1", site + 1, "G") for site in range(54, 60)]
    assert drained.count(True) < at_once.count(True)


SPELLINGS: list[tuple[Any, Any, Any]] = [
    ("1", 3, "G"),
    ("chr1", 3, "g"),
    ("CHR1", 3, "G"),
    ("Chr1", np.int64(3), " g "),
    (" chr1", 3.0, "G"),
    (1, "3", "G"),
]


@pytest.mark.parametrize("policy", [RandomisedResponse("0.01"), FlipRare(5, "0.5")])
def test_a_question_spelt_anew_is_not_tossed_for_again(policy: Policy) -> None:
    for _ in range(12):
        dosages = np.zeros((5, 8), np.int8)
        dosages[:, 0] = 1
        beacon = Beacon(source(dosages), policy)
        told = [beacon.ask(f"asker {at}", *how) for at, how in enumerate(SPELLINGS * 2)]
        assert len(set(told)) == 1
        assert len(beacon.exported()["told"]) == 1


def test_the_mitochondrion_has_one_name() -> None:
    one = numbered(1)
    sites = Sites(np.array(["chrM"], np.object_), one.position, one.name, one.reference, one.alternate)
    beacon = Beacon(InMemory(np.array([[0, 1]], np.int8), sites))
    assert [beacon.ask("ann", name, 1, "G") for name in ("M", "MT", "chrM", "chrMT", "mt")] == [True] * 5


@pytest.mark.parametrize(
    "question", [("", 1, "G"), ("1", "x", "G"), ("1", -1, "G"), ("1", 1.5, "G"), ("1", float("nan"), "G")]
)
def test_what_is_no_question_is_refused_and_not_logged(question: tuple[Any, Any, Any]) -> None:
    beacon = Beacon(source(np.ones((2, 3), np.int8)))
    with pytest.raises(BadInput, match="a question is"):
        beacon.ask("ann", *question)
    assert beacon.log == []


class TestMemory:
    dosages = np.random.default_rng(1).binomial(2, 0.1, (30, 20)).astype(np.int8)

    def used(self, policy: Policy) -> dict[str, Any]:
        beacon = Beacon(source(self.dosages), policy)
        for site in range(1, 21):
            beacon.ask("ann", "1", site, "G")
        return beacon.exported()

    def test_a_state_is_not_taken_up_by_other_people(self) -> None:
        """As many people, another cohort: the budget of each would be somebody else's."""
        policy = QueryBudget(np.full(30, 0.1))
        with pytest.raises(BadInput, match="another Beacon"):
            Beacon(source(self.dosages[:, ::-1].copy()), policy, state=self.used(policy))

    def test_a_state_is_not_taken_up_at_other_prices(self) -> None:
        state = self.used(QueryBudget(np.full(30, 0.1)))
        with pytest.raises(BadInput, match="another policy"):
            Beacon(source(self.dosages), QueryBudget(np.full(30, 0.3)), state=state)

    def test_a_state_is_not_taken_up_at_other_sites(self) -> None:
        state = self.used(Open())
        sites = numbered(31).some(np.arange(1, 31))
        with pytest.raises(BadInput, match="another Beacon"):
            Beacon(InMemory(self.dosages, sites), Open(), state=state)

    @pytest.mark.parametrize("forged", [-1.0, float("nan"), float("inf"), "much"])
    def test_a_forged_budget_is_refused(self, forged: object) -> None:
        policy = QueryBudget(np.full(30, 0.1))
        state = copy.deepcopy(self.used(policy))
        state["accounts"]["ann"]["spent"]["0"] = forged
        with pytest.raises(BadInput, match="cannot be read"):
            Beacon(source(self.dosages), policy, state=state)

    @pytest.mark.parametrize("person", ["-1", "20"])
    def test_nobody_who_is_not_there_has_a_budget(self, person: str) -> None:
        policy = QueryBudget(np.full(30, 0.1))
        state = copy.deepcopy(self.used(policy))
        state["accounts"]["ann"]["spent"][person] = 0.1
        with pytest.raises(BadInput, match="cannot be read"):
            Beacon(source(self.dosages), policy, state=state)

    def test_answers_that_were_given_were_counted(self) -> None:
        """Whoever sets the count back would ask ten more questions at the price of none."""
        policy = RandomisedResponse("0.1", total=2)
        state = copy.deepcopy(self.used(policy))
        state["accounts"]["*"]["answered"] = 10
        with pytest.raises(BadInput, match="cannot be read"):
            Beacon(source(self.dosages), policy, state=state)

    def test_answers_that_are_remembered_are_yes_or_no(self) -> None:
        state = copy.deepcopy(self.used(RandomisedResponse(1)))
        state["told"][0][-1] = "false"
        with pytest.raises(BadInput, match="cannot be read"):
            Beacon(source(self.dosages), RandomisedResponse(1), state=state)


@pytest.mark.parametrize("policy", [Open(), HideRare(2)])
def test_answers_are_not_published_beside_a_promise_that_nobody_can_check(policy: Policy) -> None:
    random = np.random.default_rng(2)
    pool, panel = (source(random.binomial(2, 0.3, (20, people))) for people in (50, 100))
    with pytest.raises(BadInput, match="is not measured"):
        BeaconAnswers(policy).publish(Study(pool, None, panel), (MembershipBound(auc=0.6),))
