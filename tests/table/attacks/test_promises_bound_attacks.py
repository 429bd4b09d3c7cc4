"""On any table: where a promise holds, the attack that it stops stays within the promise's bound.

Checkers and attacks share no code. Where the bound is the promise itself, the attack passes it exactly where
the promise does not hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.table.attacks import Homogeneity, Linkage, Membership, Similarity, Skewness
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.models.differential_privacy import delta_of
from sfumato.table.published import PublishedTable
from tests.oracles.models import HIERARCHY, publish, table_of
from tests.table.attacks.class_tables import NOTHING, published

Row = tuple[str, int]
HALF, ROUNDING = Fraction(1, 2), 1e-12
SIZES = (2, 3, 4)
SHARES = (0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75)

rows = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([0, 1, 2, 4, 7])), min_size=2, max_size=14)
"""a class and a sensitive number each"""
people = st.lists(
    st.tuples(
        st.sampled_from(["a1", "a2", "b1"]), st.sampled_from("fm"), st.integers(0, 2), st.integers(0, 1)
    ),
    min_size=2,
    max_size=10,
)
"""what somebody is, and how far each of the two is generalised, record by record"""


def shown(code: str, sex: str, up: int, hidden: int) -> tuple[str, str]:
    """Generalise one record."""
    return (code, code[0] + "*", "*")[up], "*" if hidden else sex


@settings(deadline=None)
@given(people)
def test_promises_about_identity_bound_linkage_record_by_record(
    records: list[tuple[str, str, int, int]],
) -> None:
    names = ["code", "sex"]
    original = table_of(pd.DataFrame([record[:2] for record in records], columns=names))
    released = pd.DataFrame([shown(*record) for record in records], columns=names)
    target = publish(released, names, original=original)
    known = Knowledge(original=PublishedTable(original, tuple(names)))
    found = Linkage().run(target, known, victims=True)
    listed = Knowledge(people=People(original, {name: name for name in names}))
    claimed = Linkage().run(target, listed)
    fewest = min(victim.candidates for victim in found.victims)
    assert len(found.victims) == len(records)
    by_one = max(Linkage(columns=[name]).run(target, known).highest for name in names)
    for k in SIZES:
        assert sf.OneKAnonymisation(k).check(target).holds is (fewest >= k)
        assert fewest < k or found.certain == claimed.certain == 0
        if sf.KOneAnonymisation(k).check(target).holds:
            assert claimed.highest <= 1 / k
        if sf.KKAnonymisation(k).check(target).holds:
            assert fewest >= k
            assert claimed.highest <= 1 / k
        if sf.KAnonymity(k).check(target).holds:
            assert max(found.highest, claimed.highest) <= 1 / k
        if sf.KAnonymity(k, up_to=1).check(target).holds:
            assert by_one <= 1 / k
    for share in SHARES:
        if sf.SampleUniqueness(share).check(target).holds:
            assert Fraction(found.certain, found.attempts) <= Fraction(str(share))


@settings(deadline=None)
@given(rows)
def test_promises_about_identity_hold_exactly_where_linkage_stays_within_them(listed: list[Row]) -> None:
    target = published(listed)
    found = Linkage().run(target, Knowledge(original=PublishedTable(target.table, ("quasi",))))
    for k in SIZES:
        within = found.highest <= 1 / k
        assert sf.KAnonymity(k).check(target).holds is within
        assert not sf.PSensitiveKAnonymity(2, k).check(target).holds or within
        assert sf.AlphaKAnonymity(1, k).check(target).holds is within
    for share in SHARES:
        sure = Fraction(found.certain, found.attempts)
        assert sf.SampleUniqueness(share).check(target).holds is (sure <= Fraction(str(share)))
        if share:
            assert sf.AverageRisk(share).check(target).holds is (found.success <= share + ROUNDING)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=2, max_size=16).filter(
        lambda everybody: any(inside for _, inside in everybody)
    )
)
def test_promises_that_know_the_population_bound_linkage_and_membership(
    everybody: list[tuple[str, bool]],
) -> None:
    population = publish(pd.DataFrame({"quasi": [name for name, _ in everybody]}), ["quasi"])
    inside = pd.DataFrame({"quasi": [name for name, inside in everybody if inside]})
    target = publish(inside, ["quasi"], population=population)
    listed = People(population.table, {"quasi": "quasi"})
    linked = Linkage().run(target, Knowledge(people=listed))
    present = Membership().run(target, Knowledge(population=listed))
    for k in SIZES:
        assert sf.KMap(k).check(target).holds is (linked.highest <= 1 / k)
    for low in SHARES:
        for high in (share for share in SHARES if share >= max(low, 0.1)):
            within = low <= present.details["least_probability"] and present.highest <= high  # type: ignore[operator]
            assert sf.DeltaPresence(low, high).check(target).holds is within


@given(rows)
def test_promises_of_diversity_bound_homogeneity(listed: list[Row]) -> None:
    target = published(listed)
    found = Homogeneity().run(target, NOTHING)
    nobody = found.success == found.certain == 0
    assert sf.DistinctLDiversity(2).check(target).holds is nobody
    assert sf.EntropyLDiversity(1.0001).check(target).holds is nobody
    assert sf.RecursiveLDiversity(100, 2).check(target).holds is nobody
    for k in SIZES:
        assert not sf.PSensitiveKAnonymity(2, k).check(target).holds or nobody
        assert not sf.DistinctLDiversity(k).check(target).holds or nobody
        assert not sf.EntropyLDiversity(k).check(target).holds or nobody
        assert sf.ProbabilisticLDiversity(k).check(target).holds is (found.highest <= 1 / k)
    for share in (0.3, 0.5, 0.6, 0.75, 1):
        assert sf.AlphaKAnonymity(share, 1).check(target).holds is (found.highest <= share)
    for c in (0.5, 1, 2, 3):
        for values in (2, 3):
            if sf.RecursiveLDiversity(c, values).check(target).holds:
                assert nobody
                assert found.highest < c / (c + 1) + ROUNDING
    assert not sf.RecursiveLDiversity(1, 1).check(target).holds or nobody


@given(rows, st.sampled_from([1.25, 1.5, 2, 3]))
def test_promises_of_likeness_bound_skewness(listed: list[Row], factor: float) -> None:
    target = published(listed)
    any_belief = Skewness(factor, 0).run(target, NOTHING)
    base = Skewness(factor).run(target, NOTHING)
    for beta in (0.2, 0.5, 0.9, 1, 2.5):
        for model in (sf.BasicBetaLikeness(beta), sf.EnhancedBetaLikeness(beta)):
            if model.check(target).holds:
                assert any_belief.details["largest_factor"] <= 1 + beta + ROUNDING  # type: ignore[operator]
                assert factor <= 1 + beta or any_belief.success == 0
    for delta in (0.3, 0.5, 1, 1.5):
        if sf.DeltaDisclosure(delta).check(target).holds:
            assert factor < 2**delta or any_belief.success == 0
    for t in (0.1, 0.2, 0.3, 0.5):
        if sf.TCloseness(t).check(target).holds:
            assert base.success <= any_belief.success <= t * factor / (factor - 1) + ROUNDING
            assert t >= 0.5 * (1 - 1 / factor) or base.success == 0


def least_shares_moved(numbers: Sequence[int], alike: Sequence[set[int]], far: Any, common: Fraction) -> Any:
    """Return the least Σ_v p_v d(v, A) over all sets A of alike values that not nearly everybody has."""
    everybody = len(numbers)
    return min(
        (
            sum(min(far(value, other) for other in some) for value in numbers) / Fraction(everybody)
            for some in alike
            if some and sum(value in some for value in numbers) <= common * everybody
        ),
        default=None,
    )


DISTANCES: dict[str, Any] = {
    "equal": lambda values: lambda x, y: Fraction(x != y),
    "ordered": lambda values: (
        lambda x, y: Fraction(abs(values.index(x) - values.index(y)), max(len(values) - 1, 1))
    ),
    "numeric": lambda values: lambda x, y: Fraction(abs(x - y), max(values[-1] - values[0], 1)),
    "hierarchical": lambda values: (
        lambda x, y: Fraction(0) if x == y else Fraction(1 + ((x <= 2) != (y <= 2)), 2)
    ),
}
"""from all values of a table, in order, how far two of them are apart"""


@pytest.mark.parametrize("distance", DISTANCES)
@given(rows, st.sampled_from([1, 2, 3]))
def test_closeness_bounds_similarity_by_how_far_people_would_have_to_be_moved(
    distance: Any, listed: list[Row], width: int
) -> None:
    numbers = [value for _, value in listed]
    values = sorted(set(numbers))
    by_group = distance == "hierarchical"
    if (len({value <= 2 for value in values}) == 1) if by_group else values[-1] - values[0] <= width:
        return
    target = published(listed, hierarchies={"ill": HIERARCHY})
    alike = (
        [{0, 1, 2}, {4, 7}]
        if by_group
        else [{value for value in values if low <= value <= low + width} for low in values]
    )
    # What is claimed goes from the least to the greatest value of the class in the range: any part of it.
    parts = [{v for v in some if low <= v <= high} for some in alike for low in some for high in some]
    far = DISTANCES[distance](values)
    attack = Similarity() if by_group else Similarity(width=width)
    needed = least_shares_moved(numbers, parts, far, Fraction(3, 5))
    found = attack.run(target, NOTHING).success
    if needed is None or sf.TCloseness(1, distance).measured(target)["ill"] < needed:
        assert found == 0


@pytest.mark.parametrize("distance", DISTANCES)
@given(rows, st.sampled_from([1.5, 2, 3]))
def test_closeness_bounds_skewness_as_far_as_neighbouring_values_are_apart(
    distance: Any, listed: list[Row], factor: float
) -> None:
    values = sorted({value for _, value in listed})
    if len(values) == 1:
        return
    target = published(listed, hierarchies={"ill": HIERARCHY})
    far = DISTANCES[distance](values)
    gap = min(far(x, y) for x in values for y in values if x != y)
    t = sf.TCloseness(1, distance).measured(target)["ill"] / gap
    f = Fraction(str(factor))
    assert Skewness(factor, 0).run(target, NOTHING).success <= float(t * f / (f - 1)) + ROUNDING
    assert t >= HALF * (1 - 1 / f) or Skewness(factor).run(target, NOTHING).success == 0


@given(rows, st.sampled_from([1, 2, 3]), st.sampled_from([0.51, 0.7, 1.0]))
def test_promises_about_numbers_bound_similarity(listed: list[Row], width: int, least: float) -> None:
    numbers = [value for _, value in listed]
    if max(numbers) - min(numbers) <= width:
        return
    target = published(listed)
    found = Similarity(width=width, confidence=least, common=1).run(target, NOTHING)
    for m in SIZES:
        if sf.EpsilonMAnonymity(width, m).check(target).holds:
            assert found.success == 0
            assert found.highest <= 1 / m
    if least == 1:
        assert sf.RangeDiversity(width + 0.5).check(target).holds is (
            Similarity(width=width, common=1).run(target, NOTHING).success == 0
        )


@given(rows, st.sampled_from([1, 2]))
def test_relative_widths_bound_similarity_of_ranges_that_are_narrow_beside_their_numbers(
    listed: list[Row], least: int
) -> None:
    moved = [(name, value + least) for name, value in listed]
    if max(value for _, value in listed) - min(value for _, value in listed) <= least:
        return
    target = published(moved)
    if sf.EpsilonMAnonymity(1, 2, relative=True).check(target).holds:
        assert Similarity(width=least, confidence=0.51, common=1).run(target, NOTHING).success == 0


@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.sampled_from([0, 1, 2, 4, 7]), st.sampled_from([None, "low", "high"])
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([0.51, 0.6, 0.75, 1.0]),
)
def test_personalised_privacy_keeps_what_is_guarded_from_similarity(
    listed: list[tuple[str, int, str | None]], least: float
) -> None:
    if len({value <= 2 for _, value, _ in listed}) == 1:
        return
    data = pd.DataFrame(listed, columns=["quasi", "ill", "hide"]).astype(object)
    target = publish(data, ["quasi"], ["ill"], guard="hide", hierarchies={"ill": HIERARCHY})
    found = Similarity(confidence=least, common=1).run(target, NOTHING, victims=True)
    told = [listed[victim.row - 1] for victim in found.victims]
    learned = [hide for _, value, hide in told if hide == ("low" if value <= 2 else "high")]
    for p in (0.5, 0.6, 0.7, 0.9):
        if p < least and sf.PersonalisedPrivacy(p).check(target).holds:
            assert not learned


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.01), (1.0, 0.001), (2.0, 0.0001)])
def test_a_sample_passes_the_bound_on_membership_with_a_chance_of_delta_at_most(
    epsilon: float, delta: float
) -> None:
    made = sf.SafePub(epsilon, delta, {"age": 1}).mechanism
    beta, limit = float(made.beta), 1 - math.exp(-epsilon) * (1 - float(made.beta))
    worst = 0.0
    for size in range(made.k, 8 * made.k):
        # Of all in a class, so many are in the sample; fewer than k are left out, and betray nobody.
        many = range(max(made.k, math.floor(limit * size) + 1), size + 1)
        worst = max(worst, sum(math.comb(size, f) * beta**f * (1 - beta) ** (size - f) for f in many))
    assert 0 < worst <= delta_of(made.k, made.epsilon, made.beta) <= delta
