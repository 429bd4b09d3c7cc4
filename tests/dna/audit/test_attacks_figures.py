"""Figures of attacks that were wrong, or that nobody could have computed."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.attacks import (
    Answer,
    BeaconAttack,
    CaseOrControl,
    GenotypePhenotype,
    Homer,
    Kinship,
    Knowledge,
    LikelihoodRatio,
    Patients,
    Population,
    ReleasedDna,
    SequenceLinkage,
    knowledge_of,
    recovered,
)
from sfumato.dna.attacks.kinship import king
from sfumato.dna.contract import Statistics, Study
from sfumato.dna.simulate import independent, phenotype, simulated
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory
from sfumato.hierarchy.iupac import genotypes
from tests.dna.attacks.people import Split, unlinked

MASKS = np.array([1, 2, 4], np.uint8)


def beacon_of_rare_alleles(carriers: int, people: int) -> tuple[Statistics, Knowledge]:
    """Everybody inside who carries something carries an allele of their own; outside the same."""
    inside = np.zeros((carriers, people), np.int8)
    outside = np.zeros((carriers, people), np.int8)
    inside[: carriers // 2, : carriers // 2] = np.eye(carriers // 2)
    outside[carriers // 2 :, : carriers // 2] = np.eye(carriers // 2)
    sites = numbered(carriers)
    answers = Statistics(sites, {"present": inside.any(axis=1).astype(float)}, people=people)
    frequency = Population(np.full(carriers, 0.01), sites)
    return answers, Knowledge(InMemory(inside, sites), InMemory(outside, sites), frequency)


def test_somebody_who_carries_nothing_to_ask_for_is_one_of_whom_the_beacon_tells_nothing() -> None:
    answers, known = beacon_of_rare_alleles(10, 50)
    found = BeaconAttack().run(answers, known)
    # Five of 50 members are above, five of 50 strangers below, and all others are the same.
    above = (5 * 50 + 45 * (45 / 2 + 5)) / 2500
    assert found.attempts == 100
    assert found.details["auc"] == pytest.approx(above)
    assert "people without a known genotype" not in found.details


def test_only_people_without_genotypes_are_left_out_of_a_beacon_attack() -> None:
    answers, known = beacon_of_rare_alleles(10, 50)
    assert isinstance(known.members, InMemory)
    dosages = known.members.dosages.copy()
    dosages[:, 40:] = -1
    found = BeaconAttack().run(answers, replace(known, members=InMemory(dosages, known.members.sites)))
    assert found.attempts == 90
    assert found.details["people without a known genotype"] == 10


class Stingy:
    """A Beacon that answers a few questions altogether."""

    people = 50

    def __init__(self, budget: int) -> None:
        self.left = budget

    def ask(self, chromosome: str, position: int, allele: str) -> bool | None:
        self.left -= 1
        return True if self.left >= 0 else None


def test_people_whose_questions_were_refused_are_not_left_out_of_the_area() -> None:
    split = unlinked(60, (30, 30, 20), 3, (0.05, 0.2))
    found = BeaconAttack(5, people=50).run(Stingy(3), split.knowledge())
    assert found.attempts == 60
    assert 0.4 < float(found.details["auc"]) < 0.6


@pytest.mark.parametrize("rows", [7, 101])
def test_rows_that_are_the_same_are_equally_likely_a_relatives(rows: int) -> None:
    """Sums in floating point differ by the place of a column: ties broke, and a row of k seemed found."""
    chance = np.random.default_rng(rows)
    alike = np.repeat(MASKS[chance.binomial(2, 0.3, (1, 701))], rows, axis=0)
    people = Aligned(MASKS[chance.binomial(2, 0.3, (50, 701))], genotypes())
    relatives = np.concatenate([np.arange(48) % rows, [-1, -1]])
    found = Kinship().run(Aligned(alike, genotypes()), Knowledge(people=people, relatives=relatives))
    assert found.details["relative's row found"] == pytest.approx(1 / rows)


def test_kinship_of_people_without_genotypes_is_refused_without_a_warning() -> None:
    chance = np.random.default_rng(1)
    people = MASKS[chance.binomial(2, 0.3, (4, 100))]
    people[2:] = 7
    known = Knowledge(people=Aligned(people, genotypes()), relatives=np.array([0, 1, -1, -1]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(BadInput, match="too few people"):
            Kinship("king").run(Aligned(people[:2], genotypes()), known)


def test_kinship_in_a_pedigree_is_what_it_should_be() -> None:
    chance = np.random.default_rng(5)
    frequency = chance.uniform(0.1, 0.9, 40_000)

    def founder() -> NDArray[np.bool_]:
        return np.asarray(chance.random((2, len(frequency))) < frequency)

    def child(*parents: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.stack([np.where(chance.random(len(frequency)) < 0.5, *one) for one in parents])

    def kinship(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
        return float(king(MASKS[one.sum(axis=0)][None], MASKS[other.sum(axis=0)][None])[0, 0])

    mother, father, another = founder(), founder(), founder()
    first, second, half = child(mother, father), child(mother, father), child(mother, another)
    assert kinship(mother, mother) == 0.5
    assert kinship(mother, first) == pytest.approx(0.25, abs=0.015)
    assert kinship(first, second) == pytest.approx(0.25, abs=0.015)
    assert kinship(first, half) == pytest.approx(0.125, abs=0.015)
    assert kinship(father, another) == pytest.approx(0, abs=0.015)


def test_two_released_rows_of_one_person_are_one_candidate_also_without_knowing_of_whom_rows_were_made() -> (
    None
):
    shown = Aligned(aligned("AATTA", "AATTA", "CCCCC").cells, persons=np.array([4, 4, 9]))
    found = SequenceLinkage(2).run(shown, Knowledge(original=aligned("AATTA", "CCCCC")))
    assert (found.success, found.certain, found.baseline) == (1.0, 2, 0.5)


SAME: list[Any] = [Homer(), LikelihoodRatio(), BeaconAttack(people=40)]


@pytest.mark.parametrize("attack", SAME)
def test_members_are_no_strangers_and_nothing_is_measured_on_them(attack: Any) -> None:
    """Every attack seemed to learn nothing where the people outside were the members."""
    split = unlinked(300, (40, 40, 40), 1, (0.1, 0.5))
    target = split.statistics(
        frequency=split.pool.mean(axis=1) / 2, present=(split.pool > 0).any(axis=1).astype(float)
    )
    known = split.knowledge()
    for outside in (known.members, split.source(split.pool), split.source(split.pool[:, 5:35])):
        with pytest.raises(BadInput, match=r"genotypes of a member|are the members"):
            attack.run(target, replace(known, outside=outside))
    with pytest.raises(BadInput, match="are the members"):
        attack.run(target, replace(known, reference=known.members))


def test_a_few_members_among_the_strangers_are_left_out_and_counted() -> None:
    split = unlinked(500, (40, 60, 60), 2)
    mixed = Split(
        split.sites, split.pool, np.concatenate([split.pool[:, :20], split.outside], axis=1), split.panel
    )
    for attack in (LikelihoodRatio(), Homer()):
        right = attack.run(split.statistics(), split.knowledge())
        found = attack.run(split.statistics(), mixed.knowledge())
        assert found.details["auc"] == right.details["auc"]
        assert found.details["members among the people outside, left out"] == 20
        assert "members among the people outside, left out" not in right.details


def test_the_three_answers_are_measured_on_strangers_too() -> None:
    split = unlinked(500, (40, 60, 10), 2)
    ill = np.arange(40) < 20
    columns = {
        "case_frequency": split.pool[:, ill].mean(axis=1) / 2,
        "control_frequency": split.pool[:, ~ill].mean(axis=1) / 2,
    }
    known = replace(split.knowledge(), cases=ill)
    with pytest.raises(BadInput, match="are the members"):
        CaseOrControl().run(split.statistics(**columns), replace(known, outside=known.members))


@pytest.mark.parametrize("attack", [Homer(), LikelihoodRatio()])
def test_frequencies_of_the_pool_itself_are_no_population(attack: Any) -> None:
    split = unlinked(300, (40, 40, 40), 1)
    published = split.statistics()
    itself = Population(published.columns["frequency"], split.sites, 40)
    with pytest.raises(BadInput, match="the very same"):
        attack.run(published, replace(split.knowledge(), reference=itself))


def test_a_few_sites_may_have_the_same_frequency_by_chance() -> None:
    split = unlinked(5, (40, 40, 40), 1)
    published = split.statistics()
    itself = Population(published.columns["frequency"], split.sites, 40)
    found = LikelihoodRatio().run(published, replace(split.knowledge(), reference=itself))
    assert found.details["auc"] == 0.5


def test_members_in_the_panel_of_a_study_are_not_taken_for_strangers() -> None:
    pool = independent(people=40, sites=200, seed=1)
    panel = independent(people=100, sites=200, seed=2)
    mixed = InMemory(np.concatenate([pool.dosages[:, :30], panel.dosages], axis=1), pool.sites)
    known = knowledge_of(Study(pool, reference=mixed))
    assert known.outside is not None
    members = {pool.dosages[:, at].tobytes() for at in range(40)}
    for source in (known.outside, known.reference):
        assert source is not None
        assert not isinstance(source, Population)
        strangers = np.concatenate([block.dosages for block in source.blocks()])
        assert not members & {strangers[:, at].tobytes() for at in range(strangers.shape[1])}


@pytest.mark.parametrize("figure", [float("nan"), float("inf"), -0.1, 1.5])
def test_a_figure_that_is_no_r2_is_refused(figure: float) -> None:
    with pytest.raises(BadInput, match="between 0 and 1"):
        recovered(20, [6, 8], {(0, 1): figure})


def test_codes_without_a_dot_name_the_same_diseases() -> None:
    released = ReleasedDna((frozenset({"HD"}), frozenset({"FMR1"}), frozenset()))
    for codes in (("333.4", "282.62"), ("3334", "28262"), (" 333.4 ", "282.62")):
        patients = Patients({}, (frozenset(codes[:1]), frozenset(codes[1:])), rows=np.array([0, -1]))
        found = GenotypePhenotype().run(released, Knowledge(patients=patients))
        assert (found.success, found.certain) == (0.5, 1)


def test_not_a_number_is_not_known_and_parts_nobody() -> None:
    nan: Any = float("nan")
    released = ReleasedDna((frozenset({"HD"}),), {"age": ("40",)}, repeats=(45,))
    patients = Patients({"age": (nan,)}, onset=(nan,))
    assert GenotypePhenotype().run(released, Knowledge(patients=patients)).success == 1


@pytest.mark.parametrize(
    "made",
    [
        lambda: simulated(people=5, length=float("nan")),
        lambda: simulated(people=5, length=float("inf")),
        lambda: simulated(people=5, seed=-1),
        lambda: independent(people=5, sites=3, seed=-1),
        lambda: phenotype(independent(people=5, sites=3), share=float("nan")),
        lambda: phenotype(independent(people=5, sites=3), odds_ratio=float("nan")),
    ],
)
def test_populations_that_cannot_be_are_refused(made: Any) -> None:
    with pytest.raises(BadInput):
        made()


def test_three_answers_that_could_not_be_given_are_not_given_as_equally_likely() -> None:
    split = unlinked(500, (40, 60, 10), 2)
    ill = np.arange(40) < 20
    columns = {
        "case_frequency": split.pool[:, ill].mean(axis=1) / 2,
        "control_frequency": split.pool[:, ~ill].mean(axis=1) / 2,
    }
    target, attack = split.statistics(**columns), CaseOrControl()
    few = split.source(split.outside[:, :38])
    with pytest.raises(BadInput, match="with 38 people outside nobody could be called"):
        attack.answers(target, split.source(split.pool), few)
    enough = split.source(split.outside[:, :39])
    assert Answer.CASE in attack.answers(target, split.source(split.pool), enough)
    known = replace(split.knowledge(), cases=ill)
    assert "too few" in attack.run(target, replace(known, outside=few)).note
    assert not attack.run(target, replace(known, outside=enough)).note
