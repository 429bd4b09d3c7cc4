"""Every model stops the attack that it names: the attack succeeds on a table, and not on the same protected.

What "stops" means is an equation for each pair: the figure of the attack that the promise bounds, and its
bound. A model that is registered without an attack, or without a claim here, fails.
"""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

import sfumato as sf
from sfumato.core.attack import AttackResult, Scored
from sfumato.table.attacks import ATTACKS, Homogeneity, Linkage, Membership, Posterior, Similarity, Skewness
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from tests.docs.pages import page
from tests.table.attacks.stopping import (
    Claim,
    Situation,
    by_candidates,
    clinic,
    highest,
    identified,
    neighbours,
    of_detail,
    on_the_street,
    opened,
    protected,
    randomised,
    success,
    sure,
)
from tests.table.test_common import EXAMPLES

AGE = ("age", "town")
BAND = ("band", "town")
ROUNDING = 1e-12
SAFE = sf.SafePub(1.0, 1e-3, {"age": 2, "house": 2})


def guarded(result: AttackResult, _: Situation) -> float:
    """Return the share of people of whom is learned what they want hidden; rows are those of the clinic."""
    guards = clinic()["guard"]
    assert len(result.victims) == round(result.success * result.attempts)
    return sum(guards[victim.row - 1] is not None for victim in result.victims) / result.attempts


def watched(*values: str) -> Any:
    """Return the share of people of whom one of these values is learned."""

    def figure(result: AttackResult, _: Situation) -> float:
        ill = clinic()["ill"]
        assert len(result.victims) == round(result.success * result.attempts)
        return sum(ill[victim.row - 1] in values for victim in result.victims) / result.attempts

    return figure


def by_linkage(model: Any, limit: float, equation: str, figure: Any = highest, **how: Any) -> Claim:
    """Claim something about who is found by age and town."""
    sensitive = ("ill",) if "homogeneity" in model.stops else ()
    listed, victims = (bool(how.pop(name, False)) for name in ("listed", "victims"))
    attack = how.pop("attack", Linkage())
    return Claim(
        model,
        attack,
        figure,
        limit,
        equation,
        lambda: opened(AGE, sensitive, listed=listed),
        lambda asked: protected(asked, AGE, sensitive, listed=listed, **how),
        victims,
    )


def by_values(
    model: Any, attack: Any, figure: Any, limit: float, equation: str, column: str = "ill", **more: Any
) -> Claim:
    """Claim something about what is learned in bands of age and towns, where nobody is alone."""
    return Claim(
        model,
        attack,
        figure,
        limit,
        equation,
        lambda: opened(BAND, (column,)),
        lambda asked: protected(asked, BAND, (column,)),
        **more,
    )


def by_posterior(model: Any, attack: Posterior, figure: str, limit: float, equation: str) -> Claim:
    """Claim something about beliefs in randomised illnesses; as much is kept as the promise allows."""
    return Claim(
        model,
        attack,
        of_detail(figure),
        limit,
        equation,
        lambda: randomised(keep=0.9),
        lambda asked: randomised(gamma=float(asked.gamma)),
    )


HIERARCHICAL = sf.TCloseness(0.2, "hierarchical")
CLAIMS: list[Claim] = [
    by_linkage(sf.KAnonymity(5), 1 / 5, "n_i ≥ k, so that everybody is found with 1/k at most"),
    by_linkage(sf.KAnonymity(5, up_to=1), 1 / 5, "n_i ≥ k on any column", attack=Linkage(columns=["age"])),
    by_linkage(
        sf.KMap(4),
        1 / 4,
        "k of the population fit, so that a claim is right with 1/k at most",
        listed=True,
        population=neighbours(),
    ),
    by_linkage(sf.KOneAnonymisation(4), 1 / 4, "k of a list fit every record", listed=True),
    by_linkage(sf.KKAnonymisation(4), 1 / 4, "k of a list fit every record", listed=True),
    *(
        by_linkage(model, 1 / 4, "n_i ≥ k records fit, so that nobody is sure", by_candidates, victims=True)
        for model in (sf.OneKAnonymisation(4), sf.KKAnonymisation(4))
    ),
    by_linkage(sf.PSensitiveKAnonymity(2, 4), 1 / 4, "n_i ≥ k"),
    by_linkage(sf.AlphaKAnonymity(0.5, 4), 1 / 4, "n_i ≥ k"),
    by_linkage(sf.AverageRisk(0.2), 0.2, "mean 1/n_i ≤ at_most", success),
    by_linkage(sf.SampleUniqueness(0.1), 0.1, "|{ i : n_i = 1 }| / n ≤ share", sure),
    by_linkage(
        sf.PopulationUniqueness(0.05, 288, "zayatz"),
        0.05,
        "|{ i : one record fits, and nobody else of the list }| / N ≤ share, by an estimate",
        sure,
        listed=True,
    ),
    Claim(
        sf.DifferentialPrivacy(SAFE.epsilon, SAFE.delta),
        Linkage(),
        highest,
        1 / SAFE.parameters.k,
        "n_i ≥ k, the least class of the mechanism",
        on_the_street,
        lambda _: on_the_street(SAFE),
    ),
    Claim(
        sf.DifferentialPrivacy(SAFE.epsilon, SAFE.delta),
        Membership(),
        highest,
        1 - math.exp(-SAFE.epsilon) * (1 - float(SAFE.parameters.beta)),
        "f_c / F_c ≤ 1 − e^−ε (1 − β), but for a chance of δ",
        on_the_street,
        lambda _: on_the_street(SAFE),
    ),
    by_values(sf.DistinctLDiversity(2), Homogeneity(), success, 0, "l ≥ 2 values, so that nobody is sure"),
    by_values(sf.ProbabilisticLDiversity(2), Homogeneity(), highest, 1 / 2, "f_v / |E| ≤ 1/l"),
    by_values(
        sf.EntropyLDiversity(2), Homogeneity(), success, 0, "entropy ≥ ln l > 0, so that nobody is sure"
    ),
    by_values(
        sf.RecursiveLDiversity(2, 2),
        Homogeneity(),
        highest,
        2 / 3,
        "r_1 < c (n − r_1), so that r_1/n < c/(c+1)",
    ),
    by_values(sf.AlphaKAnonymity(0.5, 4), Homogeneity(), highest, 1 / 2, "f_v / |E| ≤ α"),
    by_values(
        sf.AlphaKAnonymity(0.5, 4, ("ulcer", "flu")),
        Homogeneity(),
        watched("ulcer", "flu"),
        0,
        "f_v / |E| ≤ α < 1 for watched values",
        victims=True,
    ),
    by_values(
        sf.PSensitiveKAnonymity(2, 4), Homogeneity(), success, 0, "p ≥ 2 values, so that nobody is sure"
    ),
    by_values(
        sf.TCloseness(0.2),
        Skewness(),
        success,
        0,
        "q_v − p_v ≤ t < confidence · (1 − 1/factor): nobody is hit",
    ),
    by_values(
        sf.TCloseness(0.1), Skewness(1.5, 0), success, 0.1 * 1.5 / 0.5, "Σ q_v of hit values ≤ t · f/(f − 1)"
    ),
    by_values(
        HIERARCHICAL, Similarity(), success, 0, "EMD ≥ (1 − P(G)) (h + 1)/H = 1 − P(G) > t: nobody is hit"
    ),
    *(
        by_values(
            sf.TCloseness(0.15, distance),
            Similarity(),
            success,
            0,
            "EMD ≥ Σ_v p_v d(v, A) > t for every range A that could be claimed: nobody is hit",
            "pay",
        )
        for distance in ("ordered", "numeric")
    ),
    by_values(sf.BasicBetaLikeness(0.5), Skewness(1.6), success, 0, "q_v / p_v ≤ 1 + β < factor"),
    by_values(
        sf.EnhancedBetaLikeness(0.9),
        Skewness(),
        of_detail("largest_factor"),
        1.9,
        "q_v / p_v ≤ 1 + min(β, −ln p_v)",
    ),
    by_values(sf.DeltaDisclosure(0.9), Skewness(), of_detail("largest_factor"), 2**0.9, "q_v / p_v < 2^δ"),
    by_values(
        sf.EpsilonMAnonymity(20, 2),
        Similarity(width=20, confidence=0.6),
        success,
        0,
        "a range of width ≤ ε holds at most |E| / m",
        "pay",
    ),
    by_values(
        sf.RangeDiversity(100),
        Similarity(width=99),
        success,
        0,
        "max − min ≥ least > width, at confidence 1",
        "pay",
    ),
    by_values(
        sf.PersonalisedPrivacy(0.6),
        Similarity(confidence=0.7),
        guarded,
        0,
        "of a node that somebody guards the class has a share ≤ p < confidence",
        victims=True,
    ),
    Claim(
        sf.DeltaPresence(0.1, 0.5),
        Membership(),
        highest,
        0.5,
        "min ≤ f_c / F_c ≤ max",
        lambda: opened(AGE, listed=True),
        lambda asked: protected(asked, AGE, listed=True, population=neighbours()),
    ),
    Claim(
        sf.DeltaPresence(0.1, 0.5),
        Membership(),
        lambda result, _: 1 - float(result.details["least_probability"]),
        0.9,
        "min ≤ f_c / F_c",
        lambda: opened(AGE, listed=True),
        lambda asked: protected(asked, AGE, listed=True, population=neighbours()),
    ),
    by_posterior(
        sf.RhoPrivacy(0.2, 0.5),
        Posterior(rho1=0.2, rho2=0.5),
        "the_same_for_the_worst_prior",
        0.5,
        "Pr[Q] ≤ ρ1 becomes Pr[Q | y] ≤ ρ2, for every prior",
    ),
    by_posterior(
        sf.DeltaGrowth(0.2),
        Posterior(delta=0.2),
        "growth_above_delta_for_some_prior",
        0,
        "Pr[Q | y] − Pr[Q] ≤ Δ, for every prior",
    ),
    by_posterior(
        sf.GammaAmplification(4),
        Posterior(rho1=0.2),
        "the_same_for_the_worst_prior",
        4 * 0.2 / (1 + 3 * 0.2),
        "odds grow γ times at most: ρ becomes γρ / (1 + (γ − 1)ρ) at most, for every prior",
    ),
]
every_claim = pytest.mark.parametrize("claim", CLAIMS, ids=str)


@every_claim
def test_the_attack_succeeds_without_the_promise_and_stays_within_its_bound_under_it(claim: Claim) -> None:
    before, after = claim.before(), claim.after(claim.model)
    assert not claim.model.check(before.target).holds
    assert claim.learned(before) > claim.limit, "there is nothing that would have to be stopped"
    assert claim.learned(after) <= claim.limit + ROUNDING
    assert not after.target.quasi or len(after.target.class_persons) > 1, "nothing is left of the table"


CHANGE_NO_CLASSES = {"keep", "safepub"}
"""methods that make no classes of k by themselves: one leaves records as they are, one takes a sample"""


@pytest.mark.parametrize("method", sorted({*METHODS} - CHANGE_NO_CLASSES))
def test_whatever_method_keeps_a_promise_the_attack_is_stopped(method: str) -> None:
    parameters = {"target": "ill"} if method == "workload-mondrian" else {}
    model = sf.PSensitiveKAnonymity(2, 4)
    situation = identified(model, {method: parameters})
    linked = Linkage().run(situation.target, situation.knowledge)
    assert linked.scored is Scored.MEASURED
    assert linked.attempts == len(clinic())
    assert linked.highest <= 1 / model.k
    assert Homogeneity().run(situation.target, situation.knowledge).success == 0


def test_every_model_names_attacks_that_exist() -> None:
    for name, models in EXAMPLES.items():
        named = {attack for model in models for attack in model.stops}
        assert named, f"{name} names no attack that it stops"
        assert named <= {*ATTACKS}, f"{name} names an attack that does not exist"


def test_every_attack_that_a_model_names_is_shown_to_be_stopped() -> None:
    def of(model: Any, attack: str) -> tuple[str, ...]:
        return model.name, getattr(model, "distance", ""), attack

    shown = {of(claim.model, claim.attack.name) for claim in CLAIMS}
    named = {of(model, attack) for models in EXAMPLES.values() for model in models for attack in model.stops}
    assert named == shown
    assert {name for name, *_ in shown} == {*MODELS}


@every_claim
def test_a_claim_is_about_an_attack_that_the_model_names(claim: Claim) -> None:
    assert claim.attack.name in claim.model.stops
    assert type(claim.attack) is ATTACKS[claim.attack.name]


def test_the_section_of_every_model_says_what_it_stops() -> None:
    text = page("docs/models.md")
    for name, models in EXAMPLES.items():
        said = re.search(r"^Stops (.+?)\n\n", text.section(name), re.MULTILINE | re.DOTALL)
        assert said, f"the section of {name} does not say what it stops"
        linked = set(re.findall(r"\(attacks\.md#([a-z-]+)\)", said[1]))
        assert linked == {attack for model in models for attack in model.stops}, name
