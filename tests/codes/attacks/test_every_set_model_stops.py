"""Every model of sets stops the attacks that it names: on what a fitting method made, their bound holds.

What "stops" means is an equation for each pair: the greatest confidence about anybody, as a fraction, and the
bound that the model promises. A model that names an attack without an equation here fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.codes.attacks import ATTACKS, CoverProblem, KnownCodes, SensitiveCode, WholeSet
from sfumato.codes.contract import Problem, SetMethod, SetModel
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.methods import METHODS
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.models import (
    MODELS,
    CohortCloseness,
    CompleteItemsetAnonymity,
    CompleteKAnonymity,
    DisassociatedAnonymity,
    HkpCoherence,
    KmAnonymity,
    LkcPrivacy,
    RhoUncertainty,
)
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput, PromiseNotMet
from tests.codes.attacks.releases import in_house, raw
from tests.codes.methods.small_sets import problem_of, records_of_codes

SENSITIVE = ("a3", "b1")
ANY = 9
"""more codes than anybody has"""


def picked(result: AttackResult) -> Fraction:
    """Return the greatest chance that a pick is right, from the counts behind it."""
    fewest = int(result.details["fewest candidates"])
    found = Fraction(1, fewest) if fewest else Fraction(0)
    assert result.highest == float(found)
    return found


def claimed(result: AttackResult) -> Fraction:
    """Return the greatest confidence in a claim, from the counts behind it."""
    joint, agree = (
        int(result.details[name])
        for name in ("of them with what is claimed", "records that agree with the surest claim")
    )
    found = Fraction(joint, agree)
    assert result.highest == float(found)
    return found


def at_most_one_in_k(model: Any, found: Fraction, _: PublishedSets) -> bool:
    return found <= Fraction(1, model.k)


def commonest(published: PublishedSets) -> Fraction:
    """Return the greatest share of records that show one sensitive item: who knows nothing is as sure."""
    most = int(published.supports[published.items.sensitive].max(initial=0))
    return Fraction(most, len(published))


def at_most_the_confidence(model: Any, found: Fraction, published: PublishedSets) -> bool:
    # The promise begins with one known code: what the release tells of everybody it does not bound.
    promised: Fraction = model.question().confidence
    return found <= max(promised, commonest(published))


def less_than_rho(model: Any, found: Fraction, _: PublishedSets) -> bool:
    rho: Fraction = model.confidence
    return found < rho


def at_most_t_above_its_share(model: Any, found: Fraction, published: PublishedSets) -> bool:
    t: Fraction = model.spread
    return found <= commonest(published) + t


@dataclass(frozen=True)
class Stopped:
    """A pair of a model and an attack that it stops, the methods that make it, and the bound."""

    model: SetModel
    attack: Any
    figure: Callable[[AttackResult], Fraction]
    bound: Callable[[Any, Fraction, PublishedSets], bool]
    methods: tuple[str, ...] = field(default=())
    """without any, the original is taken where the promise happens to hold"""
    sensitive: tuple[str, ...] = ()


_ITEMSETS = ("apriori", "direct", "local-apriori", "vertical-apriori", "partition")
STOPPED = [
    Stopped(KmAnonymity(2, 2), KnownCodes(2), picked, at_most_one_in_k, (*_ITEMSETS, "greedy-suppression")),
    Stopped(KmAnonymity(3, 1, "leaf"), KnownCodes(1), picked, at_most_one_in_k, ("apriori",)),
    Stopped(CompleteItemsetAnonymity(2), KnownCodes(ANY), picked, at_most_one_in_k, _ITEMSETS),
    Stopped(CompleteKAnonymity(2), KnownCodes(ANY), picked, at_most_one_in_k, ("partition", "rare-codes")),
    Stopped(CompleteKAnonymity(3), WholeSet(), picked, at_most_one_in_k, ("partition", "rare-codes")),
    Stopped(
        HkpCoherence(0.5, 2, 2),
        KnownCodes(2, public=True),
        picked,
        at_most_one_in_k,
        ("greedy-suppression",),
        SENSITIVE,
    ),
    Stopped(
        HkpCoherence(0.5, 2, 2),
        SensitiveCode(2),
        claimed,
        at_most_the_confidence,
        ("greedy-suppression",),
        SENSITIVE,
    ),
    Stopped(
        LkcPrivacy(2, 3, Fraction(1, 3)),
        KnownCodes(2, public=True),
        picked,
        at_most_one_in_k,
        ("greedy-suppression",),
        SENSITIVE,
    ),
    Stopped(
        LkcPrivacy(2, 3, Fraction(1, 3)),
        SensitiveCode(2),
        claimed,
        at_most_the_confidence,
        ("greedy-suppression",),
        SENSITIVE,
    ),
    Stopped(
        RhoUncertainty(0.5),
        SensitiveCode(ANY, public=False),
        claimed,
        less_than_rho,
        ("suppress-control", "top-down-control"),
        SENSITIVE,
    ),
    Stopped(
        CohortCloseness(0.4, 2),
        SensitiveCode(2),
        claimed,
        at_most_t_above_its_share,
        ("greedy-suppression",),
        SENSITIVE,
    ),
]


def test_every_attack_that_a_model_names_has_an_equation() -> None:
    named = {(name, attack) for name, model in MODELS.items() for attack in model.stops}
    shown = {(one.model.name, one.attack.name) for one in STOPPED}
    assert named <= shown | {("disassociated-k-m-anonymity", "known-codes")}
    assert {attack for _, attack in named} <= ATTACKS.keys()


def released(one: Stopped, method: SetMethod | None, records: list[set[str]]) -> PublishedSets | None:
    """Protect records; None where that cannot be done, and nothing is promised."""
    if method is None:
        published = raw(records, one.sensitive)
        holds = published.items.sensitive.any() and one.model.check(published).holds
        return published if holds else None
    problem = problem_of(records, one.model, sensitive=one.sensitive)
    if problem.tree is None or (one.sensitive and not problem.marked.any()):
        return None
    try:
        found = method.protect(problem).published
    except (PromiseNotMet, BadInput):
        return None
    assert isinstance(found, PublishedSets)
    return found


@pytest.mark.parametrize(
    ("one", "method"),
    [(one, name) for one in STOPPED for name in (one.methods or (None,))],
    ids=lambda part: part if isinstance(part, str) else getattr(getattr(part, "model", None), "name", "-"),
)
@given(records_of_codes)
@settings(max_examples=25, deadline=None)
def test_the_confidence_about_anybody_stays_within_the_bound(
    one: Stopped, method: str | None, records: list[set[str]]
) -> None:
    published = released(one, None if method is None else METHODS[method](), records)
    assume(published is not None)
    assert published is not None
    result = one.attack.run(published, in_house(records))
    assert one.bound(one.model, one.figure(result), published)
    # Who does not know the order of the house learns no more.
    outside = one.attack.run(published, type(in_house(records))(CodeSets.of(records)))
    assert one.bound(one.model, one.figure(outside), published)


@pytest.mark.parametrize("one", STOPPED, ids=lambda one: f"{one.model.name}-{one.attack.name}")
def test_without_protection_the_bound_is_broken(one: Stopped) -> None:
    records = [{"a1", "a3"}, {"a1", "b2", "a3"}, {"c1", "b1"}, {"b2"}, {"a2", "c1"}, {"a2", "b2"}]
    published = raw(records, one.sensitive)
    assert not one.bound(one.model, one.figure(one.attack.run(published, in_house(records))), published)


chunky = st.lists(st.sets(st.sampled_from("abcdefg"), min_size=1, max_size=5), min_size=6, max_size=30)


@given(chunky, st.integers(2, 3), st.integers(1, 3), st.booleans(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_chunks_leave_k_sub_records_to_choose_from_and_safe_ones_make_no_code_certain(
    records: list[set[str]], k: int, m: int, refine: bool, safe: bool
) -> None:
    sets = CodeSets.of(records)
    method = Disassociation(max(8, 2 * k), refine, safe)
    try:
        found = method.protect(Problem(sets, (DisassociatedAnonymity(k, m, safe),))).published
    except PromiseNotMet:
        assume(False)
    assert isinstance(found, Disassociated)
    assert picked(KnownCodes(m).run(found, in_house(records))) <= Fraction(1, k)
    if safe:
        sure = CoverProblem().run(found, in_house(records))
        of, joint = (
            int(sure.details[name])
            for name in ("records of the surest claim", "of them with what is claimed")
        )
        assert Fraction(joint, of) <= 1 - Fraction(k, of)
        assert sure.certain == 0
