"""Greedy suppression for t-closeness of cohorts: nobody's group is far from everybody, on either side."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.methods import moles
from sfumato.codes.methods.greedy_suppression import GreedySuppression
from sfumato.codes.methods.moles import Closeness, Known, minimal_moles
from sfumato.codes.models.cohort_closeness import CohortCloseness
from sfumato.codes.models.hkp_coherence import HkpCoherence
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT
from tests.codes.methods.small_sets import is_truthful, problem_of, records_of_codes, shown
from tests.oracles.codes import confidences, distances, public, records_of, supports

SENSITIVE = ("a3", "b1")
TINY = Fraction(1, 10**30)

shares = st.sampled_from([0, 0.1, 0.25, Fraction(1, 3), 0.5, 0.75, 1]).map(lambda share: Fraction(str(share)))


def protect(problem: Problem) -> list[set[str]]:
    published = GreedySuppression().protect(problem).published
    assert isinstance(published, PublishedSets)
    return [{code for item in items for code in item} for items in shown(published)]


def told(
    records: list[set[str]],
    size: int,
    t: Fraction,
    k: int = 1,
    h: Fraction | None = None,
    sensitive: set[str] | None = None,
) -> set[frozenset[str]]:
    """Write down all public itemsets that break one of the bounds, and keep those without a smaller one."""
    marked = set(SENSITIVE) if sensitive is None else sensitive
    listed = records_of(records)
    broken = {b for b, number in supports(public(listed, marked), size).items() if number < k}
    broken |= {b for (b, _), far in distances(listed, marked, size).items() if far > t}
    if h is not None:
        broken |= {b for (b, _), sure in confidences(listed, marked, size).items() if sure > h}
    flat = {frozenset(code for item in itemset for code in item) for itemset in broken}
    return {mole for mole in flat if not any(other < mole for other in flat)}


def found_in(records: list[set[str]], question: Question) -> set[frozenset[str]]:
    problem = problem_of(records, sensitive=SENSITIVE)
    marked, sets = problem.marked, problem.sets
    known = Known.of(sets.starts, sets.codes, ~marked, marked)
    rows = minimal_moles(known, question, question.size or 1, SILENT).tolist()
    named = [frozenset(sets.domain[code] for code in row if code >= 0) for row in rows]
    assert len(named) == len(set(named))
    return set(named)


@given(records_of_codes, st.integers(1, 3), st.integers(1, 4), shares, st.none() | shares)
@settings(max_examples=200, deadline=None)
def test_minimal_moles_are_those_found_by_writing_all_cohorts_down(
    records: list[set[str]], k: int, p: int, t: Fraction, h: Fraction | None
) -> None:
    question = Question(Family.UP_TO, k, p, confidence=h, spread=t)
    assert found_in(records, question) == told(records, p, t, k, h)


@given(records_of_codes, st.integers(1, 4), st.integers(1, 4), shares)
@settings(max_examples=60, deadline=None)
def test_looking_at_a_few_cohorts_at_a_time_finds_the_same(
    records: list[set[str]], slots: int, p: int, t: Fraction
) -> None:
    question = Question(Family.UP_TO, 2, p, spread=t)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moles, "_SLICE", slots)
        assert found_in(records, question) == told(records, p, t, 2)


@given(records_of_codes, st.integers(1, 3), st.data())
@settings(max_examples=150, deadline=None)
def test_a_distance_of_exactly_t_is_kept_and_any_less_is_not(
    records: list[set[str]], p: int, data: st.DataObject
) -> None:
    far = distances(records_of(records), set(SENSITIVE), p)
    above = sorted({distance for distance in far.values() if distance})
    assume(above)
    t = data.draw(st.sampled_from(above))
    for bound in (t, t - TINY):
        question = Question(Family.UP_TO, size=p, spread=bound)
        assert found_in(records, question) == told(records, p, bound)
    assert not found_in(records, Question(Family.UP_TO, size=p, spread=above[-1]))
    assert found_in(records, Question(Family.UP_TO, size=p, spread=above[-1] - TINY))


@given(records_of_codes, st.integers(1, 3), shares.filter(bool))
@settings(max_examples=150, deadline=None)
def test_the_release_is_close_and_no_code_could_be_put_back(
    records: list[set[str]], p: int, t: Fraction
) -> None:
    model = CohortCloseness(t, p)
    problem = problem_of(records, model, sensitive=SENSITIVE)
    solution = GreedySuppression().protect(problem)
    assert isinstance(solution.published, PublishedSets)
    assert is_truthful(records, solution.published, int(solution.details["suppressed_occurrences"]))
    kept = protect(problem)
    assert not told(kept, p, t)
    if problem.marked.any():
        assert model.check(solution.published).holds
    codes = {code for record in kept for code in record}
    # Global suppression of public codes alone: the shares of sensitive codes in all records stay.
    assert kept == [record & (codes | set(SENSITIVE)) for record in records]
    for code in {code for record in records for code in record} - codes:
        assert told([record & (codes | {code}) for record in records], p, t)


@given(records_of_codes, st.integers(1, 3), st.integers(1, 3), shares.filter(bool), shares.filter(bool))
@settings(max_examples=150, deadline=None)
def test_closeness_and_coherence_are_kept_together(
    records: list[set[str]], k: int, p: int, t: Fraction, h: Fraction
) -> None:
    models = (HkpCoherence(h, k, 1), CohortCloseness(t, p))
    problem = problem_of(records, *models, sensitive=SENSITIVE)
    if len(records) < k:
        with pytest.raises(PromiseNotMet):
            protect(problem)
        return
    kept = protect(problem)
    assert not told(kept, p, t)
    assert not told(kept, 1, Fraction(1), k, h)
    codes = {code for record in kept for code in record}
    for code in {code for record in records for code in record} - codes:
        back = [record & (codes | {code}) for record in records]
        assert told(back, p, t) | told(back, 1, Fraction(1), k, h)
    published = GreedySuppression().protect(problem).published
    if problem.marked.any():
        assert all(model.check(published).holds for model in models)


def kept_of(records: list[set[str]], model: CohortCloseness) -> set[str]:
    sets = CodeSets.of(records)
    kept = protect(Problem(sets, (model,), sensitive=sets.sensitive(["s"])))
    return {code for record in kept for code in record}


@pytest.mark.parametrize(("t", "kept"), [(0.25, True), (0.2499, False), (Fraction(1, 4) - TINY, False)])
def test_more_often_than_everybody_counts(t: float | Fraction, kept: bool) -> None:
    """Three of four with a have s, and half of all."""
    records = [{"a", "s"}, {"a", "s"}, {"a", "s"}, {"a"}, {"s"}, set[str](), set[str](), set[str]()]
    assert ("a" in kept_of(records, CohortCloseness(t, 1))) is kept


@pytest.mark.parametrize(("t", "kept"), [(0.25, True), (0.2499, False), (Fraction(1, 4) - TINY, False)])
def test_less_often_than_everybody_counts(t: float | Fraction, kept: bool) -> None:
    """One of four with a has s, and half of all."""
    records = [{"a", "s"}, {"a"}, {"a"}, {"a"}, {"s"}, {"s"}, {"s"}, set[str]()]
    assert ("a" in kept_of(records, CohortCloseness(t, 1))) is kept


@pytest.mark.parametrize(("t", "kept"), [(0.5, True), (0.4999, False), (Fraction(1, 2) - TINY, False)])
def test_a_sensitive_code_that_nobody_of_a_cohort_has_counts(t: float | Fraction, kept: bool) -> None:
    records = [{"a"}, {"a"}, {"s"}, {"s"}]
    assert ("a" in kept_of(records, CohortCloseness(t, 1))) is kept


def test_pairs_are_broken_where_single_codes_are_close() -> None:
    """Of those with a, and of those with b, half have s as everybody: of those with both all have."""
    records = [{"a", "b", "s"}, {"a"}, {"b"}, {"s"}]
    assert kept_of(records, CohortCloseness(0.1, 1)) == {"a", "b", "s"}
    assert kept_of(records, CohortCloseness(0.1, 2)) in ({"a", "s"}, {"b", "s"})
    assert kept_of(records, CohortCloseness(0.5, 2)) == {"a", "b", "s"}


def test_with_a_bound_of_one_nothing_is_left_out_and_with_none_only_what_tells_nothing_stays() -> None:
    records = [{"a1", "a3"}, {"a1"}, {"b2", "a3"}, {"c1"}]
    assert found_in(records, Question(Family.UP_TO, size=3, spread=Fraction(1))) == set()
    none = Question(Family.UP_TO, size=3, spread=Fraction(0))
    assert found_in(records, none) == {frozenset({"b2"}), frozenset({"c1"})}
    nobody = [record - set(SENSITIVE) for record in records]
    assert found_in(nobody, none) == set()


def test_records_without_codes_count_among_everybody() -> None:
    """With three empty records a quarter of all have s, and all with a: without them everybody has."""
    assert kept_of([{"a", "s"}], CohortCloseness(0.1, 1)) == {"a", "s"}
    assert kept_of([{"a", "s"}, set(), set(), set()], CohortCloseness(0.74, 1)) == {"s"}
    assert kept_of([{"a", "s"}, set(), set(), set()], CohortCloseness(0.75, 1)) == {"a", "s"}


def test_bounds_stay_exact_where_products_leave_64_bits() -> None:
    sets = CodeSets.of([["a", "s"], ["a"], ["a"], []])
    marked = sets.sensitive(["s"])
    known = Known.of(sets.starts, sets.codes, ~marked, marked)
    half = Fraction(2**70 + 1, 2**71)
    assert Closeness.of(known, half).most.tolist() == [0, 2, 4, 6, 8]
    assert Closeness.of(known, half - Fraction(1, 2**70)).most.tolist() == [0, 1, 3, 5, 7]


def test_spread_of_cohorts_that_know_sensitive_codes_is_not_enforced() -> None:
    method = GreedySuppression()
    assert method.enforces(Question(Family.UP_TO, size=2, spread=Fraction(1, 2)))
    assert not method.enforces(Question(Family.UP_TO, size=2, spread=Fraction(1, 2), sensitive_known=True))
    assert not method.enforces(Question(Family.ANY, spread=Fraction(1, 2)))
