"""How exposed people are by their codes, against asking every record about every set of codes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.published import PublishedSets
from sfumato.codes.risk import exposure, release_exposure
from sfumato.codes.sets import CodeSets, Visits
from sfumato.core.errors import BadInput
from tests.codes.utility.releases import (
    any_pairs,
    filled_records,
    published_of,
    records,
    sets_of,
    truthful_pairs,
)
from tests.oracles import codes_risk as oracle


def _checked_subsets(risk, originals, population, counted, k):
    for subset in risk.subsets:
        least = [oracle.least_up_to(person, subset.known, originals, population) for person in counted]
        assert subset.unique == sum(support == 1 for support in least)
        assert subset.below == sum(support is not None and support < k for support in least)


@settings(deadline=None)
@given(records, st.integers(2, 4), st.integers(1, 4))
def test_exposure_within_the_file_is_that_of_a_full_count(originals, k, m):
    risk = exposure(sets_of(originals), k=k, m=m)
    assert risk.people == len(originals)
    times = Counter(originals)
    assert risk.alike_unique == sum(times[person] == 1 for person in originals)
    assert risk.alike_below == sum(times[person] < k for person in originals)
    held = [oracle.held_by(person, originals) for person in originals]
    assert risk.held_unique == held.count(1)
    assert risk.held_below == sum(number < k for number in held)
    _checked_subsets(risk, originals, None, originals, k)
    for subset in risk.subsets:
        for below, found in ((2, "unique"), (k, "below")):
            share = oracle.random_share(subset.known, below, originals, None)
            if share is None:
                assert subset.random is None
            else:
                assert getattr(subset.random, found) == pytest.approx(float(share))
                assert subset.random.error is None


@settings(deadline=None)
@given(records, st.integers(1, 4))
def test_smallest_identifying_sets_are_those_of_a_full_search(originals, m):
    smallest = exposure(sets_of(originals), k=2, m=m).smallest
    sizes = [oracle.smallest_unique(person, originals) for person in originals]
    # Somebody alone in the file is known without any code: the oracle asks for at least one.
    alone = sum(not person for person in originals) if len(originals) == 1 else 0
    assert smallest.by_size == tuple(sizes.count(size) for size in range(1, m + 1))
    assert smallest.more == sum(size is not None and size > m for size in sizes) + alone
    assert smallest.never == sizes.count(None) - alone


@settings(deadline=None)
@given(filled_records, filled_records, st.integers(2, 4), st.integers(1, 3))
def test_exposure_in_a_population_counts_the_larger_of_file_and_list(originals, population, k, m):
    listed = frozenset().union(*population)
    counted = [person for person in originals if person & listed]
    if not counted:
        with pytest.raises(BadInput, match="no code in common"):
            exposure(sets_of(originals), k=k, m=m, population=sets_of(population))
        return
    risk = exposure(sets_of(originals), k=k, m=m, population=sets_of(population))
    assert risk.searched == "population"
    assert risk.people == len(counted)
    assert risk.unmatched == len(originals) - len(counted)
    held = [oracle.found_in(person, originals, population) for person in counted]
    assert risk.held_unique == held.count(1)
    assert risk.held_below == sum(0 < number < k for number in held)
    times, theirs = Counter(originals), Counter(population)
    same = [max(times[person], theirs[person]) if theirs[person] else 0 for person in counted]
    assert risk.alike_unique == same.count(1)
    assert risk.alike_below == sum(0 < number < k for number in same)
    assert (risk.held_found, risk.alike_found) == (sum(map(bool, held)), sum(map(bool, same)))
    figures = {figure.name: figure for figure in risk.figures()}
    assert (figures["unique-set"].value is None) == (not any(same))
    if any(held):
        share = held.count(1) / sum(map(bool, held))
        assert figures["held-set-unique"].value == pytest.approx(share)
    _checked_subsets(risk, originals, population, counted, k)
    for subset in risk.subsets:
        shares = []
        for person in counted:
            some = oracle.subsets(person, subset.known)
            if some:
                rare = sum(oracle.found_in(one, originals, population) == 1 for one in some)
                shares.append(rare / len(some))
        if shares:
            assert subset.random.unique == pytest.approx(sum(shares) / len(shares))


@settings(deadline=None)
@given(filled_records, st.integers(2, 3))
def test_the_file_as_its_own_population_is_the_file(originals, k):
    sets = sets_of(originals)
    filled = sets_of([person for person in originals if person])
    within, among = exposure(filled, k=k, m=2), exposure(filled, k=k, m=2, population=filled)
    assert within.subsets == among.subsets
    assert within.held_unique == among.held_unique
    assert exposure(sets, k=k, m=2).subsets[0].unique == within.subsets[0].unique


@settings(max_examples=60, deadline=None)
@given(truthful_pairs(), st.integers(2, 4), st.integers(1, 3))
def test_exposure_in_a_release_by_codes_is_a_leaf_match(pair, k, m):
    originals, release = pair
    risk = release_exposure(sets_of(originals), published_of(release), k=k, m=m, draws=10)
    rows = range(len(originals))
    for subset in risk.subsets:
        least = [oracle.leaf_least(row, subset.known, originals, release) for row in rows]
        assert subset.unique == least.count(1)
        assert subset.below == sum(support is not None and support < k for support in least)
    times = Counter(release)
    assert risk.alike_unique == sum(times[shown] == 1 for shown in release)
    longest = max(len(person) for person in originals)
    full = [oracle.leaf_least(row, longest, originals, release) for row in rows]
    nothing = sum(support is None for support in full)
    assert risk.held_unique == full.count(1) + (nothing if len(originals) == 1 else 0)


@settings(deadline=None)
@given(any_pairs(), st.integers(2, 4))
def test_exposure_in_a_release_by_items_takes_items_as_codes(pair, k):
    originals, release = pair
    risk = release_exposure(sets_of(originals), published_of(release), k=k, m=2, match="items")
    named = [frozenset("+".join(sorted(item)) for item in shown) for shown in release]
    _checked_subsets(risk, named, None, named, k)


@settings(max_examples=25, deadline=None)
@given(truthful_pairs(), st.integers(0, 3))
def test_drawn_codes_estimate_the_random_match_in_a_release(pair, seed):
    originals, release = pair
    risk = release_exposure(sets_of(originals), published_of(release), k=2, m=1, seed=seed, draws=2000)
    shares = []
    for person, shown in zip(originals, release, strict=True):
        found = [
            oracle.matching_records(frozenset([code]), release)
            if any(code in item for item in shown)
            else len(release)
            for code in person
        ]
        if found:
            shares.append(found.count(1) / len(found))
    truth = sum(shares) / len(shares)
    assert abs(risk.subsets[0].random.unique - truth) <= 6 * (risk.subsets[0].random.error or 0) + 1e-9


@settings(max_examples=25, deadline=None)
@given(truthful_pairs())
def test_wide_releases_are_drawn_and_say_so(pair):
    originals, release = pair
    sets, published = sets_of(originals), published_of(release)
    exact = release_exposure(sets, published, k=2, m=2, draws=1000)
    drawn = release_exposure(sets, published, k=2, m=2, draws=1000, most_slots=-1)
    assert drawn.held_unique is None
    assert drawn.smallest is None
    assert drawn.alike_unique == exact.alike_unique
    assert [subset.unique for subset in drawn.subsets] == [None, None]
    assert any("too many sets" in said for said in drawn.said)
    for one, other in zip(exact.subsets, drawn.subsets, strict=True):
        if one.random is None:
            assert other.random is None
        else:
            spread = 6 * ((one.random.error or 0) + other.random.error) + 1e-9
            assert abs(one.random.unique - other.random.unique) <= spread


def test_too_many_sets_are_drawn_and_never_reported_as_safe():
    sets = CodeSets.of([["a", "b", "c"], ["a", "b", "d"], ["c", "d"]])
    exact, drawn = exposure(sets, k=2, m=2), exposure(sets, k=2, m=2, most_sets=0)
    for one, other in zip(exact.subsets, drawn.subsets, strict=True):
        assert other.unique is None
        assert abs(one.random.unique - other.random.unique) < 6 * other.random.error + 1e-9
    assert drawn.smallest is None
    figures = {figure.name: figure for figure in drawn.figures()}
    assert figures["worst-2-unique"].value is None
    assert "too many" in figures["worst-2-unique"].said
    assert "not known" in str(drawn)


@pytest.mark.parametrize("seed", range(4))
def test_larger_files_are_counted_as_small_ones(seed):
    """Enough people that prefixes of codes are followed before records are compared."""
    random = np.random.default_rng(seed)
    people, others = (
        [frozenset(code for code in "abcdefghij" if random.random() < 0.6) for _ in range(70)] for _ in "12"
    )
    for population in (None, others):
        listed = None if population is None else sets_of(population)
        risk = exposure(sets_of(people), k=4, m=3, population=listed)
        counted = [person for person in people if population is None or person]
        held = [oracle.found_in(person, people, population) for person in counted]
        assert (risk.held_unique, risk.held_below) == (held.count(1), sum(0 < number < 4 for number in held))
        _checked_subsets(risk, people, population, counted, 4)


def test_exposure_is_the_same_for_every_order_of_the_records():
    rows = [["a", "b"], ["b", "c"], ["a", "b", "c"], ["d"]]
    assert exposure(CodeSets.of(rows)) == exposure(CodeSets.of(rows[::-1]))


@settings(deadline=None)
@given(filled_records, st.integers(2, 3))
def test_a_visit_is_looked_for_in_whole_histories(histories, k):
    halves = [sorted(person)[: (len(person) + 1) // 2] for person in histories]
    rests = [sorted(person)[len(person) // 2 :] for person in histories]
    visits = Visits(CodeSets.of(halves + rests), np.concatenate([np.arange(len(histories))] * 2))
    found = exposure(sets_of(histories), k=k, m=1, visits=visits).visits
    each = [
        (owner, frozenset(codes)) for half in (halves, rests) for owner, codes in enumerate(half) if codes
    ]
    supports = [oracle.held_by(codes, histories) for _, codes in each]
    assert found.visits == len(each)
    assert found.unique == supports.count(1)
    assert found.below == sum(support < k for support in supports)
    owners = {owner for (owner, _), support in zip(each, supports, strict=True) if support == 1}
    assert found.people_unique == len(owners)
    assert found.people == len({owner for owner, _ in each})


def test_coarser_codes_are_measured_beside_the_others():
    sets = CodeSets.of([["401.0"], ["401.1"], ["295.1"]])
    risk = exposure(sets, k=2, m=1, coarser={"three digits": lambda code: code[:3]})
    name, coarse = risk.coarser[0]
    assert (name, risk.alike_unique, coarse.alike_unique) == ("three digits", 3, 1)
    assert "three digits: 33.3 % unique" in str(risk)
    figures = {figure.name: figure for figure in risk.figures()}
    assert figures["coarser-1-unique-set"].value == pytest.approx(1 / 3)


def test_long_records_are_counted_without_writing_out_their_sets():
    long = [f"{number:03d}" for number in range(400)]
    risk = exposure(CodeSets.of([long, long[:2], long[1:3]]), k=2, m=3)
    assert risk.subsets[2].unique == 1
    assert risk.subsets[2].random.unique == 1.0


def test_nobody_and_bad_parameters_are_refused():
    with pytest.raises(BadInput, match="nobody"):
        exposure(CodeSets.of([]))
    sets = CodeSets.of([["a"]])
    for wrong in ({"k": 1}, {"m": 0}, {"k": True}):
        with pytest.raises(BadInput):
            exposure(sets, **wrong)
    with pytest.raises(BadInput, match="nobody in it"):
        exposure(sets, population=CodeSets.of([]))
    with pytest.raises(BadInput, match="by codes or by items"):
        release_exposure(sets, PublishedSets.as_it_is(sets), match="nodes")
    with pytest.raises(BadInput, match="too many sets"):
        exposure(CodeSets.of([[str(number) for number in range(300)]]), m=20, most_sets=10**40)


def test_no_code_is_printed():
    sets = CodeSets.of([["secret-1", "secret-2"], ["secret-1"]])
    risk = exposure(sets, k=2, m=2, sensitive=["secret-2"], coarser={"short": lambda code: code[:8]})
    told = [str(risk), *(str(figure) for figure in risk.figures()), repr(risk)]
    assert not any("secret" in text for text in told)
