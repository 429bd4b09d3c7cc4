"""Beacons: what they answer, what they remember, and what they refuse."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SeededRandom
from sfumato.dna.beacon import (
    POLICIES,
    Beacon,
    FlipRare,
    HideRare,
    Open,
    Policy,
    QueryBudget,
    RandomisedResponse,
)
from sfumato.dna.contract import Study
from sfumato.dna.methods.beacon_answers import BeaconAnswers
from sfumato.dna.models.private import DifferentialPrivacy, auc_bound
from sfumato.dna.sites import Sites, numbered
from sfumato.dna.source import InMemory

FIVE = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 1, 0], [2, 2, 2, 2], [-1, -1, 0, -1]], np.int8)


def source(dosages: NDArray[np.int8] = FIVE) -> InMemory:
    return InMemory(dosages.astype(np.int8), numbered(len(dosages)))


def truth(beacon: Beacon, allele: str = "G", asker: str = "ann") -> list[bool | None]:
    return [beacon.ask(asker, "1", at, allele) for at in range(1, len(beacon.source.sites) + 1)]


class TestAnswers:
    def test_an_open_beacon_says_whether_anybody_carries_the_allele(self) -> None:
        beacon = Beacon(source())
        assert truth(beacon) == [False, True, True, True, False]
        assert truth(beacon, "A") == [True, True, True, False, True]

    def test_alleles_and_chromosomes_are_found_however_they_are_written(self) -> None:
        beacon = Beacon(source())
        assert beacon.ask("ann", "chr1", 2, "g") is True

    def test_what_is_not_at_a_site_is_carried_by_nobody(self) -> None:
        beacon = Beacon(source(), RandomisedResponse(1))
        for place in (("1", 99, "G"), ("2", 1, "G"), ("1", 1, "T")):
            assert beacon.ask("ann", *place) is False
        assert beacon.spent == {}

    def test_the_reference_allele_at_a_place_of_two_alternates_is_what_is_left(self) -> None:
        """The first person has both alternates, the second one of them."""
        one = numbered(1).some(np.array([0, 0]))
        letters = np.array(["G", "T"], np.object_)
        sites = Sites(one.chromosome, one.position, one.name, one.reference, letters)
        both = Beacon(InMemory(np.array([[1], [1]], np.int8), sites))
        assert both.ask("ann", "1", 1, "A") is False
        left = Beacon(InMemory(np.array([[1, 1], [1, 0]], np.int8), sites))
        assert left.ask("ann", "1", 1, "A") is True

    def test_two_sites_with_the_same_alleles_are_refused(self) -> None:
        one = numbered(2).some(np.array([0, 0]))
        with pytest.raises(BadInput, match="site 2"):
            Beacon(InMemory(np.zeros((2, 3), np.int8), one))

    def test_a_small_beacon_is_refused(self) -> None:
        with pytest.raises(PromiseNotMet, match="4 people, fewer than 50"):
            Beacon(source(), least_people=50)
        with pytest.raises(PromiseNotMet):
            Beacon(source(np.zeros((2, 0), np.int8)))


class TestMemory:
    @pytest.mark.parametrize("policy", [RandomisedResponse(1), FlipRare(3)])
    def test_asking_again_gets_the_same_answer_whoever_asks(self, policy: Policy) -> None:
        dosages = np.zeros((200, 5), np.int8)
        dosages[:, 0] = 1
        beacon = Beacon(source(dosages), policy)
        first = truth(beacon)
        assert {True, False} == set(first)
        assert truth(beacon) == truth(beacon, asker="bob") == first

    def test_answers_are_drawn_anew_for_another_beacon(self) -> None:
        dosages = np.ones((200, 5), np.int8)
        one, other = (truth(Beacon(source(dosages), RandomisedResponse(1))) for _ in "ab")
        assert one != other

    def test_each_asker_may_ask_so_many_different_questions(self) -> None:
        beacon = Beacon(source(), questions=2)
        assert truth(beacon) == [False, True, None, None, None]
        assert truth(beacon) == [False, True, None, None, None]
        assert truth(beacon, asker="bob") == [False, True, None, None, None]

    def test_the_log_says_who_asked_what_and_not_what_was_said(self) -> None:
        beacon = Beacon(source(), questions=1)
        for _ in "ab":
            beacon.ask("ann", "1", 2, "G")
        beacon.ask("ann", "1", 3, "G")
        assert [(e.number, e.asker, e.position, e.outcome) for e in beacon.log] == [
            (1, "ann", 2, "answered"),
            (2, "ann", 2, "again"),
            (3, "ann", 3, "refused"),
        ]
        assert "True" not in repr(beacon.log)
        assert "dosages" not in repr(beacon)

    @pytest.mark.parametrize("asker", ["", "*"])
    def test_an_asker_has_a_name_of_their_own(self, asker: str) -> None:
        with pytest.raises(BadInput):
            Beacon(source()).ask(asker, "1", 1, "G")

    @pytest.mark.parametrize(
        "policy",
        [
            Open(),
            RandomisedResponse(1, total=3),
            QueryBudget(np.full(5, 0.1), level=0.3),
            QueryBudget(np.full(5, 0.1), level=0.3, together=True),
        ],
    )
    def test_budgets_and_answers_survive_a_restart(self, policy: Policy) -> None:
        before = Beacon(source(), policy)
        said = truth(before)[:3]
        kept = json.loads(json.dumps(before.exported()))
        after = Beacon(source(), policy, state=kept)
        assert truth(after)[:3] == said
        assert after.exported() == before.exported()
        assert after.spent == before.spent

    def test_the_state_of_another_beacon_is_refused(self) -> None:
        kept = Beacon(source(), RandomisedResponse(1)).exported()
        with pytest.raises(BadInput, match="another"):
            Beacon(source(), RandomisedResponse(2), state=kept)
        with pytest.raises(BadInput, match="cannot be read"):
            Beacon(source(), RandomisedResponse(1), state={**kept, "told": [[1]]})


class TestPolicies:
    def test_every_policy_is_registered_by_its_name(self) -> None:
        assert set(POLICIES) == {"open", "hide-rare", "flip-rare", "query-budget", "randomised-response"}

    def test_rare_alleles_are_hidden(self) -> None:
        assert truth(Beacon(source(), HideRare(2))) == [False, False, True, True, False]
        assert truth(Beacon(source(), HideRare(3))) == [False, False, False, True, False]

    def test_only_rare_alleles_are_flipped_and_as_often_as_is_said(self) -> None:
        """Hoeffding: 4,000 coins are off by more than 0.055 with probability below 1e-9."""
        dosages = np.zeros((8000, 6), np.int8)
        dosages[:4000, 0] = 1
        dosages[4000:, :3] = 1
        told = truth(Beacon(source(dosages), FlipRare(2, "0.3")))
        assert np.mean([answer is False for answer in told[:4000]]) == pytest.approx(0.3, abs=0.055)
        assert all(told[4000:])
        assert not any(truth(Beacon(source(np.zeros((50, 6), np.int8)), FlipRare(2, "0.3"))))

    @pytest.mark.parametrize("epsilon", ["0.5", "2"])
    @pytest.mark.parametrize("carried", [0, 1])
    def test_randomised_answers_are_wrong_as_often_as_is_said(self, epsilon: str, carried: int) -> None:
        dosages = np.full((4000, 3), carried, np.int8)
        policy = RandomisedResponse(epsilon)
        told = truth(Beacon(source(dosages), policy, random=SeededRandom(3)))
        wrong = 1 / (1 + math.exp(float(epsilon)))
        assert policy.flip == pytest.approx(wrong, rel=1e-12)
        assert np.mean([answer != bool(carried) for answer in told]) == pytest.approx(wrong, abs=0.055)

    def test_every_different_question_costs_epsilon_until_there_is_no_more(self) -> None:
        beacon = Beacon(source(), RandomisedResponse("0.1", total="0.3"))
        assert [answer is None for answer in truth(beacon)] == [False, False, False, True, True]
        assert beacon.spent == {"epsilon": 0.3}
        truth(beacon, asker="bob")
        assert beacon.spent == {"epsilon": 0.3}

    def test_parameters_are_checked_when_a_policy_is_made(self) -> None:
        wrong: list[tuple[type, tuple[object, ...]]] = [
            (HideRare, (1,)),
            (HideRare, (True,)),
            (FlipRare, (2, 0)),
            (FlipRare, (2, 1)),
            (RandomisedResponse, (0,)),
            (RandomisedResponse, (1, "0.5")),
            (QueryBudget, (np.array([1.5]),)),
            (QueryBudget, (np.array([np.nan]),)),
            (QueryBudget, (np.array([0.5]), 0)),
        ]
        for policy, parameters in wrong:
            with pytest.raises(BadInput):
                policy(*parameters)
        with pytest.raises(BadInput, match="2 frequencies for 5 sites"):
            Beacon(source(), QueryBudget(np.array([0.1, 0.2])))


class TestBudgets:
    def test_the_cost_is_what_a_yes_adds_to_the_likelihood_ratio(self) -> None:
        for frequency, people in ((0.001, 100), (0.2, 3), (1e-12, 10), (0.9, 500)):
            policy = QueryBudget(np.array([frequency]))
            yes = 1 - (1 - Fraction(str(frequency))) ** (2 * people)
            expected = math.log(yes.denominator) - math.log(yes.numerator)
            assert policy.cost(0, False, people) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert QueryBudget(np.array([0.0])).cost(0, False, 5) == math.inf
        assert QueryBudget(np.array([0.0])).cost(0, True, 5) == 0

    def test_somebody_whose_budget_is_used_up_no_longer_counts(self) -> None:
        """One carrier of ten alleles that cost 0.643 each: a budget of ln 8 lasts for three of them."""
        dosages = np.zeros((10, 2), np.int8)
        dosages[:, 0] = 1
        policy = QueryBudget(np.full(10, 0.15), level="0.125")
        each = policy.cost(0, False, 2)
        lasting = math.floor(policy.budget / each)
        beacon = Beacon(source(dosages), policy)
        assert truth(beacon) == [True] * lasting + [False] * (10 - lasting)
        assert 0 < lasting < 10
        assert truth(beacon) == [True] * lasting + [False] * (10 - lasting)
        assert truth(beacon, asker="bob") == [True] * lasting + [False] * (10 - lasting)

    def test_askers_who_share_a_budget_cannot_spend_it_twice(self) -> None:
        dosages = np.zeros((10, 2), np.int8)
        dosages[:, 0] = 1
        beacon = Beacon(source(dosages), QueryBudget(np.full(10, 0.15), level="0.125", together=True))
        mine = [beacon.ask("ann", "1", at, "G") for at in range(1, 6)]
        theirs = [beacon.ask("bob", "1", at, "G") for at in range(6, 11)]
        assert any(mine)
        assert not any(theirs)

    def test_others_who_can_pay_still_answer(self) -> None:
        dosages = np.array([[1, 0], [1, 0], [1, 0], [1, 1]], np.int8)
        beacon = Beacon(source(dosages), QueryBudget(np.full(4, 0.1), level="0.1"))
        assert truth(beacon)[-1] is True

    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 10**6), st.floats(0.02, 0.9), st.booleans())
    def test_no_product_of_yeses_that_rest_on_a_person_falls_below_the_level(
        self, seed: int, level: float, together: bool
    ) -> None:
        random = np.random.default_rng(seed)
        frequencies = random.uniform(0, 0.2, 30)
        dosages = random.binomial(2, 0.15, (30, 6)).astype(np.int8)
        policy = QueryBudget(frequencies, level=level, together=together)
        beacon = Beacon(source(dosages), policy)
        for at in random.permutation(30):
            beacon.ask("ann", "1", int(at) + 1, "G")
        accounts = beacon.exported()["accounts"]
        spent = accounts["*" if together else "ann"]["spent"]
        assert all(math.exp(-value) >= level for value in spent.values())
        for person in range(6):
            alone = {
                site for site in range(30) if dosages[site, person] and dosages[site].astype(bool).sum() == 1
            }
            yes = [site for site in alone if beacon.ask("ann", "1", site + 1, "G")]
            assert math.prod(1 - (1 - frequencies[site]) ** 12 for site in yes) >= level * (1 - 1e-9)


def log_ratio(
    answers: NDArray[np.float64], frequency: NDArray[np.float64], people: int
) -> NDArray[np.float64]:
    """Shringarpure and Bustamante's evidence for being inside, by site."""
    none, fewer = (1 - frequency) ** (2 * people), 1e-3 * (1 - frequency) ** (2 * people - 2)
    return np.where(answers > 0.5, np.log(1 - fewer) - np.log(1 - none), np.log(fewer) - np.log(none))


def attacked(policy: Policy, *, seeds: int = 4, people: int = 60, questions: int = 30) -> float:
    """The area under the curve of rarest first, over members and outsiders of some Beacons."""
    areas = []
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        frequency = random.beta(0.4, 8, 3000).clip(0.0005, 0.5)
        drawn = random.binomial(2, frequency[:, None], (3000, 2 * people)).astype(np.int8)
        if isinstance(policy, QueryBudget):
            policy = QueryBudget(frequency, level=policy.level, together=policy.together)
        beacon = Beacon(InMemory(drawn[:, :people], numbered(3000)), policy, random=SeededRandom(seed))
        scores = []
        for person in range(2 * people):
            mine = np.flatnonzero(drawn[:, person])
            mine = mine[np.argsort(frequency[mine], kind="stable")][:questions]
            told = [beacon.ask(f"asker {person}", "1", int(site) + 1, "G") for site in mine]
            answers = np.array([0.0 if answer is None else float(answer) for answer in told])
            scores.append(log_ratio(answers, frequency[mine], people).sum())
        inside, outside = np.array(scores[:people]), np.array(scores[people:])
        areas.append((inside[:, None] > outside).mean() + (inside[:, None] == outside).mean() / 2)
    return float(np.mean(areas))


def stopping_in_time(level: float, *, seeds: int = 5, people: int = 60) -> tuple[NDArray[np.float64], ...]:
    """The evidence of somebody who knows of budgets and asks only what a member can still pay for."""
    scores: list[list[float]] = [[], []]
    for seed in range(seeds):
        random = np.random.default_rng(100 + seed)
        frequency = random.beta(0.4, 8, 3000).clip(0.0005, 0.5)
        drawn = random.binomial(2, frequency[:, None], (3000, 2 * people)).astype(np.int8)
        policy = QueryBudget(frequency, level=level)
        beacon = Beacon(InMemory(drawn[:, :people], numbered(3000)), policy)
        for person in range(2 * people):
            mine = np.flatnonzero(drawn[:, person])
            mine = mine[np.argsort(frequency[mine], kind="stable")][:30]
            left, evidence = policy.budget, 0.0
            for site in mine.tolist():
                price = policy.cost(site, False, people)
                if price <= left:
                    yes = beacon.ask(f"asker {person}", "1", site + 1, "G")
                    evidence += log_ratio(np.array([float(bool(yes))]), frequency[[site]], people)[0]
                    left -= price if yes else 0
            scores[person >= people].append(evidence)
    return tuple(np.array(group) for group in scores)


class TestAttack:
    def test_hiding_rare_alleles_measurably_fails(self) -> None:
        assert attacked(Open()) > 0.99
        assert attacked(HideRare(2)) > 0.85

    def test_randomised_response_stays_below_its_bound_on_people_who_are_not_inside(self) -> None:
        """30 questions at 1/30 each cost 1 for one person; all 3,000 sites would cost 100."""
        found = attacked(RandomisedResponse(Fraction(1, 30)))
        assert found <= auc_bound(1)
        assert found < 0.6

    def test_a_budget_for_every_person_helps_where_hiding_does_not(self) -> None:
        budget = QueryBudget(np.zeros(3000), level="0.5")
        assert attacked(budget) < attacked(HideRare(2))

    @pytest.mark.parametrize(("level", "weak"), [(0.5, True), (0.05, False)])
    def test_an_asker_who_stops_in_time_has_the_power_that_is_said_and_no_more(
        self, level: float, weak: bool
    ) -> None:
        """A level of .5 allows a power of .1 at 5 % false positives; one of .05 allows every power."""
        inside, outside = stopping_in_time(level)
        threshold = np.quantile(outside, 0.95, method="higher")
        false_positives, power = (outside > threshold).mean(), (inside > threshold).mean()
        # 300 people each: three standard errors of a share of .1 are .052.
        assert power <= max(false_positives, 0.05) / level + 0.052
        assert (power < 0.2) == weak


class TestPublication:
    def test_answers_are_a_column_and_refusals_are_no_numbers(self) -> None:
        made = Beacon(source(), questions=2).published()
        assert made.statistics.columns["present"][:2].tolist() == [0, 1]
        assert np.isnan(made.statistics.columns["present"][2:]).all()
        assert made.statistics.people == 4
        assert made.spent == {}

    def test_a_promise_is_divided_among_the_sites(self) -> None:
        study = Study(source())
        promise = DifferentialPrivacy(1)
        made = BeaconAnswers().publish(study, (promise,))
        assert made.spent == {"epsilon": 1.0}
        assert promise.check(made, study).holds
        seeded = BeaconAnswers().publish(study, (promise,), random=SeededRandom(1))
        assert not promise.check(seeded, study).holds

    def test_a_policy_that_keeps_no_promise_is_refused_beside_one(self) -> None:
        study = Study(source())
        for policy in (Open(), HideRare(2), RandomisedResponse(1)):
            with pytest.raises(PromiseNotMet):
                BeaconAnswers(policy).publish(study, (DifferentialPrivacy(1),))
        with pytest.raises(BadInput):
            BeaconAnswers().publish(study, ())

    def test_a_seat_is_the_beacon_of_one_asker(self) -> None:
        beacon = Beacon(source(), questions=1)
        seat = beacon.seat("ann")
        assert (seat.people, seat.ask("1", 2, "G"), seat.ask("1", 3, "G")) == (4, True, None)
        assert beacon.seat("bob").ask("1", 3, "G") is True
