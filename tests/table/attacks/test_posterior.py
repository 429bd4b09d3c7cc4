"""The probabilistic adversary: it breaks what promises do not cover, and nothing that they do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.core.verdict import Threat
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.inference.properties import fullest
from sfumato.table.attacks.posterior import NOTHING_UNLIKELY, Posterior
from sfumato.table.models.delta_growth import DeltaGrowth
from sfumato.table.models.gamma_amplification import GammaAmplification
from sfumato.table.models.rho_privacy import RhoPrivacy
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.perturbation.randomisation import RetentionReplacement
from sfumato.table.published import PublishedTable
from tests.oracles.inference_attacks import property_beliefs
from tests.table.attacks.tables import in_memory

VALUES = ("a", "b", "c")
NOTHING = Knowledge()


def shown(*mechanisms: Mechanism, values: tuple[str, ...] = VALUES) -> PublishedTable:
    return PublishedTable(in_memory({"ill": list(values)}), (), ("ill",), mechanisms=mechanisms)


def kept(share: float, values: tuple[str, ...] = VALUES) -> Mechanism:
    return RetentionReplacement("ill", values, keep=share).mechanism(values)


@st.composite
def mechanisms(draw: st.DrawFn) -> Mechanism:
    rows = []
    for _ in VALUES:
        weights = draw(st.lists(st.integers(1, 6), min_size=3, max_size=3))
        rows.append(tuple(Fraction(weight, sum(weights)) for weight in weights))
    return Mechanism("ill", VALUES, tuple(rows))


PRIORS = st.tuples(*(st.integers(0, 6) for _ in VALUES)).filter(any)


def test_an_even_prior_and_a_coin_that_keeps_nine_of_ten_give_nine_tenths() -> None:
    coin = Mechanism(
        "ill",
        ("a", "b"),
        ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10))),
    )
    target = PublishedTable(in_memory({"ill": ["a", "a", "b"]}), (), ("ill",), mechanisms=(coin,))
    result = Posterior(prior="uniform", rho1=0.5, rho2=0.8, delta=0.4).run(target, NOTHING)
    assert (result.highest, result.success, result.baseline) == (0.9, 0.9, 0.5)
    assert result.details["greatest_growth"] == 0.4
    assert result.details["greatest_belief_in_something_unlikely"] == 0.9
    assert result.details["breach"] == "yes"
    assert result.details["people_with_a_breach"] == 3
    assert result.details["growth_above_delta"] == "no"
    assert result.details["growth_above_delta_for_some_prior"] == "yes"
    assert result.threat is Threat.INFERENCE
    assert result.scored is Scored.CLAIMED


@settings(max_examples=60, deadline=None)
@given(mechanisms(), PRIORS, st.integers(1, 8), st.integers(1, 8))
def test_it_passes_a_bound_for_some_prior_exactly_where_the_promise_does_not_hold(
    mechanism: Mechanism, prior: tuple[int, ...], one: int, more: int
) -> None:
    rho1, rho2, delta = one / 20, (one + more) / 20, more / 20
    target = shown(mechanism)
    given_prior: dict[str | None, float] = dict(zip(VALUES, prior, strict=True))
    found = Posterior(prior=given_prior, rho1=rho1, rho2=rho2, delta=delta).run(target, NOTHING).details
    rho, growth = RhoPrivacy(rho1, rho2).check(target), DeltaGrowth(delta).check(target)
    assert found["breach_for_some_prior"] == ("no" if rho.holds else "yes")
    assert found["growth_above_delta_for_some_prior"] == ("no" if growth.holds else "yes")
    assert not (rho.holds and found["breach"] == "yes")
    assert not (growth.holds and found["growth_above_delta"] == "yes")
    if GammaAmplification(RhoPrivacy(rho1, rho2).gamma).check(target).holds:
        assert found["breach"] == "no"


@settings(max_examples=60, deadline=None)
@given(mechanisms(), PRIORS, st.integers(1, 20), st.integers(1, 20), st.sampled_from([None, 1, 2]))
def test_properties_are_those_of_the_enumeration(
    mechanism: Mechanism, prior: tuple[int, ...], bound: int, believed: int, size: int | None
) -> None:
    exact = [Fraction(weight, sum(prior)) for weight in prior]
    attack = Posterior(
        prior=dict(zip(VALUES, prior, strict=True)), rho1=bound / 21, believed=believed / 20, size=size
    )
    found = attack.run(shown(mechanism), NOTHING).details
    beliefs = [pair for v in range(3) for pair in property_beliefs(mechanism.matrix, exact, v, size)]
    limit = Fraction(str(bound / 21))
    highest = max(after for before, after in beliefs if before <= limit)
    told = found["greatest_belief_in_something_unlikely"]
    assert told == (float(highest) if highest else NOTHING_UNLIKELY)
    assert found["greatest_growth"] == float(
        max(after - before for before, after in beliefs if before <= Fraction(believed, 20))
    )
    assert "properties" not in found


def people(size: int, seed: int) -> pa.Table:
    generator = np.random.default_rng(seed)
    ill = generator.choice(VALUES, size, p=[0.6, 0.3, 0.1])
    return pa.table({"id": np.arange(size), "ill": ill})


def attacked(share: float, size: int = 2000) -> AttackResult:
    """Randomise, publish, and attack, with ids that tell who was right."""
    original = people(size, seed=4)
    step = RetentionReplacement("ill", VALUES, keep=share)
    perturbed = step.apply(original, SeededRandom(1))
    order = np.random.default_rng(2).permutation(size)
    target = PublishedTable(
        in_memory(perturbed.records.take(order)), (), ("ill",), person="id", mechanisms=perturbed.mechanisms
    )
    truth = PublishedTable(in_memory(original), (), ("ill",), person="id")
    return Posterior().run(target, Knowledge(original=truth))


def test_it_is_right_about_most_people_when_most_values_are_kept() -> None:
    result = attacked(0.9)
    assert result.scored is Scored.MEASURED
    assert result.attempts == 2000
    assert result.success > 0.9
    assert 0.55 < result.baseline < 0.65
    assert result.advantage > 0.3


def test_it_is_no_better_than_guessing_when_nothing_is_kept() -> None:
    result = attacked(0.0)
    # Nothing can be estimated: all values count alike, before and after.
    assert abs(result.success - 1 / 3) < 0.03
    assert abs(result.advantage) < 0.03
    assert result.details["greatest_growth"] == 0.0
    assert "no trace" in result.note


def test_it_learns_nothing_when_so_little_is_kept_that_the_frequent_value_stays_likeliest() -> None:
    result = attacked(0.15, size=20_000)
    assert abs(result.advantage) < 0.02
    assert result.success == pytest.approx(result.guessing, abs=0.02)


def answered(times: int, share: float) -> tuple[PublishedTable, Knowledge]:
    """Everybody answers several times, each answer randomised anew."""
    original = people(400, seed=6)
    rows = original.take(pa.array(np.repeat(np.arange(400), times)))
    perturbed = RetentionReplacement("ill", VALUES, keep=share).apply(rows, SeededRandom(7))
    target = PublishedTable(
        in_memory(perturbed.records), (), ("ill",), person="id", mechanisms=perturbed.mechanisms
    )
    return target, Knowledge(original=PublishedTable(in_memory(original), (), person="id"))


def test_answers_that_are_randomised_anew_each_time_average_out() -> None:
    target, knowledge = answered(12, 0.3)
    apart = Posterior(rho1=0.3, rho2=0.7).run(target, knowledge)
    together = Posterior(rho1=0.3, rho2=0.7, together=True).run(target, knowledge, victims=True)
    assert together.attempts == 400
    assert apart.success < 0.7
    assert together.success > 0.9
    assert apart.details["breach"] == "no"
    assert together.details["breach"] == "yes"
    # The promise counts rows of a person, and so does not hold.
    assert not RhoPrivacy(0.3, 0.7).check(target).holds
    assert "same value" in together.note
    assert all(1 <= victim.row <= 4800 for victim in together.victims)


@settings(max_examples=25, deadline=None)
@given(mechanisms(), PRIORS, st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_several_answers_are_read_as_one_answer_of_their_product(
    mechanism: Mechanism, prior: tuple[int, ...], answers: list[int]
) -> None:
    rows = {"id": [1] * len(answers), "ill": [VALUES[code] for code in answers]}
    target = PublishedTable(in_memory(rows), (), ("ill",), person="id", mechanisms=(mechanism,))
    weights: dict[str | None, float] = dict(zip(VALUES, prior, strict=True))
    result = Posterior(prior=weights, together=True).run(target, NOTHING)
    joint = [Fraction(weight) for weight in prior]
    for code in answers:
        joint = [belief * mechanism.matrix[u][code] for u, belief in enumerate(joint)]
    assert result.highest == float(max(joint) / sum(joint))
    assert result.attempts == 1


def test_rows_of_nobody_cannot_be_put_together() -> None:
    with pytest.raises(BadInput, match="of one person"):
        Posterior(together=True).run(shown(kept(0.5)), NOTHING)


def test_a_person_of_the_original_with_several_values_is_not_attacked() -> None:
    mechanism = kept(0.5)
    target = PublishedTable(
        in_memory({"id": [1, 2], "ill": ["a", "b"]}), (), ("ill",), person="id", mechanisms=(mechanism,)
    )
    truth = PublishedTable(in_memory({"id": [1, 2, 2], "ill": ["a", "b", "c"]}), (), person="id")
    result = Posterior().run(target, Knowledge(original=truth))
    assert result.attempts == 1
    assert result.success == 1.0


def test_an_original_of_other_people_is_refused() -> None:
    mechanism = kept(0.5)
    target = PublishedTable(
        in_memory({"id": [1], "ill": ["a"]}), (), ("ill",), person="id", mechanisms=(mechanism,)
    )
    truth = PublishedTable(in_memory({"id": [7], "ill": ["a"]}), (), person="id")
    with pytest.raises(BadInput, match="nobody of the release"):
        Posterior().run(target, Knowledge(original=truth))


def test_a_value_that_no_other_can_become_is_certain() -> None:
    half = Fraction(1, 2)
    mechanism = Mechanism("ill", ("a", "b"), ((half, half), (Fraction(0), Fraction(1))))
    target = PublishedTable(in_memory({"ill": ["a", "a", "b"]}), (), ("ill",), mechanisms=(mechanism,))
    result = Posterior(prior="uniform").run(target, NOTHING, victims=True)
    assert result.certain == 2
    assert result.highest == 1.0
    assert [(victim.row, victim.confidence) for victim in result.victims[:2]] == [(1, 1.0), (2, 1.0)]
    assert result.victims[2].row == 3


def test_rows_of_sub_tables_are_read_by_their_own_matrix() -> None:
    half, whole, none = Fraction(1, 2), Fraction(1), Fraction(0)
    mechanisms = (
        Mechanism("ill", ("a", "b"), ((whole, none), (none, whole)), where=("sex", "f")),
        Mechanism("ill", ("a", "b"), ((half, half), (half, half)), where=("sex", "m")),
    )
    table = {"sex": ["f", "f", "m", "m"], "ill": ["a", "b", "a", "b"]}
    target = PublishedTable(in_memory(table), ("sex",), ("ill",), mechanisms=mechanisms)
    result = Posterior(prior="uniform").run(target, NOTHING)
    assert result.certain == 2
    assert result.success == 0.75
    hidden = PublishedTable(in_memory({"ill": ["a", "b"]}), (), ("ill",), mechanisms=mechanisms)
    with pytest.raises(BadInput, match="does not show"):
        Posterior().run(hidden, NOTHING)


def test_steps_one_after_the_other_are_multiplied() -> None:
    once, twice = kept(0.5), (kept(0.5), kept(0.5))
    grown = [Posterior(prior="uniform").run(shown(*steps), NOTHING).highest for steps in ((once,), twice)]
    assert grown[0] == pytest.approx(2 / 3)
    assert grown[1] == pytest.approx(1 / 4 + 3 / 4 / 3)


def test_blanked_rows_are_counted_and_not_attacked(duck: Engine) -> None:
    records = pa.table({"ill": ["a", "b", None]})
    target = PublishedTable(duck.read(Frame(records)), (), ("ill",), mechanisms=(kept(0.5),))
    result = Posterior().run(target, NOTHING)
    assert result.attempts == 2
    assert result.details["rows_not_attacked"] == 1


def test_a_prior_that_rules_out_what_is_shown_says_so() -> None:
    whole, none = Fraction(1), Fraction(0)
    mechanism = Mechanism("ill", ("a", "b"), ((whole, none), (none, whole)))
    target = PublishedTable(in_memory({"ill": ["a"]}), (), ("ill",), mechanisms=(mechanism,))
    with pytest.raises(BadInput, match="rules out everything"):
        Posterior(prior={"b": 1}).run(target, NOTHING)


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: Posterior(prior="even"),
        lambda: Posterior(prior={}),
        lambda: Posterior(prior={"a": -1}),
        lambda: Posterior(rho1=0.5, rho2=0.4),
        lambda: Posterior(rho2=0.4),
        lambda: Posterior(delta=1.5),
        lambda: Posterior(size=0),
        lambda: Posterior("pay").run(shown(kept(0.5)), NOTHING),
        lambda: Posterior().run(shown(), NOTHING),
        lambda: Posterior(prior={"stranger": 1}).run(shown(kept(0.5)), NOTHING),
        lambda: Posterior().run(shown(kept(0.5), values=("a", "d")), NOTHING),
        lambda: Posterior().run(shown(kept(0.5, ("a", "b", "c")), kept(0.5, ("b", "a", "c"))), NOTHING),
    ],
)
def test_what_makes_no_sense_is_refused_without_a_value_in_the_message(mistake: Any) -> None:
    with pytest.raises(BadInput) as problem:
        mistake()
    assert "stranger" not in str(problem.value)
    assert problem.value.remedy


@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 9)), min_size=1, max_size=7),
    st.integers(0, 30),
    st.sampled_from([None, 1, 2, 3]),
)
def test_the_fullest_choice_is_that_of_all_choices(
    pairs: list[tuple[int, int]], room: int, most: int | None
) -> None:
    pairs.sort(key=lambda pair: Fraction(*pair), reverse=True)
    choices = (
        [[]]
        if not pairs
        else [[pair for i, pair in enumerate(pairs) if chosen >> i & 1] for chosen in range(2 ** len(pairs))]
    )
    fitting = [
        sum(value for value, _ in choice)
        for choice in choices
        if sum(weight for _, weight in choice) <= room and (most is None or len(choice) <= most)
    ]
    assert fullest(pairs, room, most) == (max(fitting), True)


def test_a_search_that_gives_up_says_that_it_proved_nothing() -> None:
    pairs = [(2 * weight, weight) for weight in (1009, 1013, 1019, 1021, 1031, 1033, 1039)]
    assert fullest(pairs, 3500, steps=2)[1] is False
