"""The Beacon attack: answers that were published, Beacons that are asked, refusals, flips, hidden alleles."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.dna.attacks import BeaconAttack, Population
from sfumato.dna.attacks.beacon_model import BeaconModel
from sfumato.dna.beacon.beacon import Beacon
from sfumato.dna.beacon.budget import QueryBudget
from sfumato.dna.beacon.policies import FlipRare, HideRare
from sfumato.dna.beacon.randomised import RandomisedResponse
from sfumato.dna.contract import Statistics
from sfumato.dna.sites import Sites
from sfumato.dna.source import InMemory
from tests.dna.attacks.people import Split, with_alleles_swapped
from tests.oracles.dna_attacks import beacon_no


@pytest.mark.golden
def test_the_evidence_of_answers_is_that_of_the_golden_case(shared: Path) -> None:
    case = json.loads((shared / "golden" / "dna.json").read_text(encoding="utf-8"))["beacon_lrt_known_freq"]
    no, yes = BeaconModel(case["N"], case["delta"]).evidence(np.array(case["f"]))
    told = np.where(np.array(case["answers"]) == 1, yes, no).sum()
    assert told == pytest.approx(case["Lambda"], abs=1e-9)


@given(
    st.integers(1, 12),
    st.floats(0.001, 0.6),
    st.floats(0.001, 0.5),
    st.sampled_from([0.0, 0.05, 0.3]),
    st.integers(1, 4),
)
def test_evidence_is_that_of_the_oracle_with_flips_and_hidden_alleles(
    people: int, frequency: float, error: float, flip: float, least: int
) -> None:
    no, yes = BeaconModel(people, error, flip, least).evidence(np.array([frequency]))
    outside, inside = (beacon_no(people, frequency, one, error, flip, least) for one in (False, True))
    if 1e-9 < outside < 1 - 1e-9 and 1e-9 < inside < 1 - 1e-9:
        assert float(no[0]) == pytest.approx(math.log(outside / inside), abs=1e-6)
        assert float(yes[0]) == pytest.approx(math.log((1 - outside) / (1 - inside)), abs=1e-6)


def rare(people: int = 100, sites: int = 3000, seed: int = 1) -> Split:
    """People with as many rare alleles as there are: the rarer the more."""
    chance = np.random.default_rng(seed)
    frequency = np.exp(chance.uniform(np.log(0.001), np.log(0.3), sites))
    drawn = chance.binomial(2, frequency[:, None], (sites, people + 150 + 200)).astype(np.int8)
    return Split.of(drawn, np.arange(people + 350), (people, 150, 200))


def test_rarest_first_tells_more_than_any_order_and_more_questions_tell_more() -> None:
    split = rare()
    found = {
        order: BeaconAttack(100, order).run(split.beacon(), split.knowledge()).details
        for order in ("rarest", "random")
    }
    for details in found.values():
        assert float(details["auc"]) >= float(details["auc after 10 questions"])
    assert float(found["rarest"]["auc after 10 questions"]) > 0.95
    assert float(found["random"]["auc after 10 questions"]) < 0.8
    assert float(found["random"]["auc"]) > 0.7


def test_hiding_alleles_of_one_person_does_not_stop_the_attack() -> None:
    split = rare()
    shown = BeaconAttack().run(split.beacon(), split.knowledge())
    hidden = BeaconAttack().run(split.beacon(least=2), split.knowledge())
    aware = BeaconAttack(least=2).run(split.beacon(least=2), split.knowledge())
    assert float(shown.details["auc"]) > 0.99
    assert 0.84 < float(hidden.details["auc"]) < float(shown.details["auc"])
    assert float(aware.details["auc"]) > 0.84


def test_nobody_is_found_in_a_beacon_that_says_yes_to_all() -> None:
    split = rare(sites=500)
    always = split.statistics(present=np.ones(500))
    found = BeaconAttack().run(always, split.knowledge()).details
    assert found["auc from"] < 0.5 < found["auc to"]


def test_flipped_answers_weaken_it_and_knowing_of_them_helps() -> None:
    split = rare()
    chance = np.random.default_rng(99)
    flipped = chance.random(3000) < 0.2
    answers = split.beacon().columns["present"]
    noisy = split.statistics(present=np.where(flipped, 1 - answers, answers))
    exact, unaware, aware = (
        float(attack.run(target, split.knowledge()).details["auc"])
        for attack, target in (
            (BeaconAttack(), split.beacon()),
            (BeaconAttack(), noisy),
            (BeaconAttack(flip=0.2), noisy),
        )
    )
    assert unaware < exact
    assert unaware < aware


@dataclass
class Live:
    """A Beacon that is asked, refuses after so many questions, and counts them."""

    sites: Sites
    present: Callable[[int, str], bool]
    budget: int = 10**9
    asked: list[tuple[str, int, str]] = field(default_factory=list)

    def ask(self, chromosome: str, position: int, allele: str) -> bool | None:
        if len(self.asked) >= self.budget:
            return None
        self.asked.append((chromosome, position, allele))
        return self.present(position - 1, allele)


def live(split: Split, budget: int = 10**9) -> Live:
    carried = {"A": (split.pool <= 1).any(axis=1), "G": (split.pool >= 1).any(axis=1)}
    return Live(split.sites, lambda site, allele: bool(carried[allele][site]), budget)


def test_a_beacon_that_is_asked_gives_what_its_published_answers_give() -> None:
    split = rare(sites=800)
    beacon = live(split)
    attack = BeaconAttack(20, people=100)
    asked = attack.run(beacon, split.knowledge()).details
    told = attack.run(split.beacon(), split.knowledge()).details
    assert asked == told
    assert len(set(beacon.asked)) == len(beacon.asked)


def test_it_does_not_matter_which_allele_a_file_of_people_calls_the_reference() -> None:
    split = rare(sites=400)
    known = split.knowledge()
    assert isinstance(known.members, InMemory)
    assert isinstance(known.outside, InMemory)
    turned = replace(
        known,
        members=with_alleles_swapped(known.members),
        outside=with_alleles_swapped(known.outside),
    )
    for target in (split.beacon(), live(split)):
        attack = BeaconAttack(20, people=100)
        assert attack.run(target, turned) == attack.run(target, known)


def test_of_a_common_allele_the_other_one_is_asked_for() -> None:
    split = rare(sites=400)
    turned = Split(
        split.sites, *(np.asarray(2 - part, np.int8) for part in (split.pool, split.outside, split.panel))
    )
    beacon = live(turned)
    found = BeaconAttack(20, people=100).run(beacon, turned.knowledge()).details
    assert {allele for _, _, allele in beacon.asked} == {"A"}
    assert found == BeaconAttack(20, people=100).run(live(split), split.knowledge()).details


def test_a_refusal_ends_the_questions_and_a_new_asker_begins_anew() -> None:
    split = rare(sites=800)
    one = live(split, budget=60)
    shared = BeaconAttack(50, people=100).run(one, split.knowledge()).details
    assert len(one.asked) == 60
    assert int(shared["refused"]) > 200
    whole = Beacon(split.source(split.pool), questions=5)
    fresh = BeaconAttack(50).run(whole, split.knowledge()).details
    assert (fresh["questions about a person"], fresh["refused"]) == (5, 250)
    assert "people without a known genotype" not in fresh
    with pytest.raises(BadInput, match="answered no question"):
        BeaconAttack(people=100).run(live(split, budget=0), split.knowledge())


def test_the_policies_of_a_beacon_that_promise_nothing_do_not_stop_it() -> None:
    split = rare(sites=1500)
    pool = split.source(split.pool)
    hiding = Beacon(pool, HideRare(2))
    flipping = Beacon(pool, FlipRare(2, 0.3), random=SeededRandom(1))
    told = BeaconAttack(50, people=100).run(split.beacon(least=2), split.knowledge()).details
    found = BeaconAttack(50).run(hiding.seat("somebody"), split.knowledge()).details
    assert found == told
    unaware = BeaconAttack(50).run(flipping.seat("somebody"), split.knowledge()).details
    aware = BeaconAttack(50, least=2, hidden=0.3).run(flipping.seat("somebody"), split.knowledge()).details
    assert float(aware["auc"]) > 0.85
    assert float(unaware["auc"]) > 0.85


def test_policies_that_promise_something_weaken_it() -> None:
    split = rare(sites=1500)
    pool = split.source(split.pool)
    everything = float(BeaconAttack(30).run(Beacon(pool), split.knowledge()).details["auc"])
    coin = RandomisedResponse("0.2")
    tossed = Beacon(pool, coin, random=SeededRandom(1))
    flipped = BeaconAttack(30, flip=coin.flip).run(tossed, split.knowledge()).details
    frequency = Population.of(split.source(split.panel)).frequency
    budgeted = BeaconAttack(30).run(Beacon(pool, QueryBudget(frequency)), split.knowledge()).details
    assert everything > 0.95
    assert float(flipped["auc"]) < 0.8
    assert float(budgeted["auc"]) < everything


def test_missing_genotypes_are_carried_by_nobody() -> None:
    split = rare(sites=300)
    missing = Split(split.sites, split.pool, np.full_like(split.outside, -1), split.panel)
    with pytest.raises(BadInput, match="too few people"):
        BeaconAttack().run(split.beacon(), missing.knowledge())


def test_what_cannot_be_asked_is_refused() -> None:
    split = rare(sites=50)
    with pytest.raises(BadInput, match="how many people"):
        BeaconAttack().run(live(split), split.knowledge())
    with pytest.raises(BadInput, match="no such order"):
        BeaconAttack(order="rare")
    with pytest.raises(BadInput, match="whole number"):
        BeaconAttack(queries=0)
    with pytest.raises(BadInput, match="below one half"):
        BeaconAttack(flip=0.5)
    unanswered = split.statistics(present=np.full(50, np.nan))
    with pytest.raises(BadInput, match="no site in common"):
        BeaconAttack().run(unanswered, split.knowledge())
    swapped = Sites(
        split.sites.chromosome,
        split.sites.position,
        split.sites.name,
        split.sites.alternate,
        split.sites.reference,
    )
    other = Statistics(swapped, {"present": np.ones(50)}, people=100)
    with pytest.raises(BadInput, match="no site in common"):
        BeaconAttack().run(other, split.knowledge())
    known = replace(split.knowledge(), reference=Population(np.full(50, np.nan), split.sites))
    with pytest.raises(BadInput, match="no site in common"):
        BeaconAttack().run(split.beacon(), known)
