"""Greedy suppression: no mole is left, sensitive codes stay, what remains is exact."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.methods.greedy_suppression import GreedySuppression
from sfumato.codes.methods.moles import Known, codes_that_break, limits, minimal_moles
from sfumato.codes.models.hkp_coherence import HkpCoherence
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.models.lkc_privacy import LkcPrivacy
from sfumato.codes.models.rho_uncertainty import RhoUncertainty
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT
from tests.codes.methods.small_sets import is_truthful, problem_of, records_of_codes, shown
from tests.oracles.codes import confidences, public, records_of, supports

shares = st.sampled_from([0.2, 0.34, 0.5, 0.75, 1])


def protect(problem: Problem) -> list[set[str]]:
    published = GreedySuppression().protect(problem).published
    assert isinstance(published, PublishedSets)
    return [{code for item in items for code in item} for items in shown(published)]


def moles(records: list[set[str]], sensitive: set[str], k: int, p: int, h: Fraction) -> set[frozenset[str]]:
    """Write down all public itemsets that tell too much, and keep those without a smaller one inside."""
    listed = records_of(records)
    few = {b for b, number in supports(public(listed, sensitive), p).items() if number < k}
    told = {b for (b, _), value in confidences(listed, sensitive, p).items() if value > h}
    flat = {frozenset(code for item in itemset for code in item) for itemset in few | told}
    return {mole for mole in flat if not any(other < mole for other in flat)}


@given(records_of_codes, st.integers(1, 4), st.integers(1, 4), shares)
@settings(max_examples=150, deadline=None)
def test_minimal_moles_are_those_found_by_writing_all_itemsets_down(
    records: list[set[str]], k: int, p: int, h: float
) -> None:
    sensitive = {"a3", "b1"}
    problem = problem_of(records, sensitive=("a3", "b1"))
    marked = problem.marked
    known = Known.of(problem.sets.starts, problem.sets.codes, ~marked, marked)
    question = Question(Family.UP_TO, k, p, confidence=Fraction(str(h)))
    found = minimal_moles(known, question, p, SILENT)
    named = [frozenset(problem.sets.domain[code] for code in row if code >= 0) for row in found.tolist()]
    assert len(named) == len(set(named))
    assert set(named) == moles(records, sensitive, k, p, Fraction(str(h)))


@given(records_of_codes, st.integers(1, 4), st.integers(1, 4), shares)
@settings(max_examples=150, deadline=None)
def test_the_release_is_coherent_and_keeps_what_is_sensitive(
    records: list[set[str]], k: int, p: int, h: float
) -> None:
    sensitive = {"a3", "b1"}
    problem = problem_of(records, HkpCoherence(h, k, p), LkcPrivacy(p, k, h), sensitive=("a3", "b1"))
    if len(records) < k:
        with pytest.raises(PromiseNotMet):
            protect(problem)
        return
    solution = GreedySuppression().protect(problem)
    assert isinstance(solution.published, PublishedSets)
    assert is_truthful(records, solution.published, int(solution.details["suppressed_occurrences"]))
    kept = protect(problem)
    assert [record & sensitive for record in kept] == [record & sensitive for record in records]
    assert not moles(kept, sensitive, k, p, Fraction(str(h)))
    # Global suppression: a code is in all of its records or in none.
    codes = {code for record in kept for code in record}
    assert kept == [record & codes for record in records]


@given(records_of_codes, st.integers(2, 4), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_no_code_could_be_put_back(records: list[set[str]], k: int, p: int) -> None:
    if len(records) < k:
        return
    kept = protect(problem_of(records, KmAnonymity(k, p)))
    codes = {code for record in kept for code in record}
    assert not moles(kept, set(), k, p, Fraction(1))
    for code in {code for record in records for code in record} - codes:
        back = [record & (codes | {code}) for record in records]
        assert moles(back, set(), k, p, Fraction(1))


@given(st.lists(st.sets(st.integers(0, 5), min_size=1, max_size=3), max_size=12), st.data())
@settings(max_examples=80, deadline=None)
def test_chosen_codes_break_every_row_and_each_is_needed(rows: list[set[int]], data: st.DataObject) -> None:
    loss = np.array(data.draw(st.lists(st.integers(1, 9), min_size=6, max_size=6)))
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=6, max_size=6)))
    filled = np.array([[*sorted(row), *[-1] * (3 - len(row))] for row in rows], np.int32).reshape(-1, 3)
    chosen, hopeless = codes_that_break(filled, loss, allowed)
    picked = set(chosen.tolist())
    able = [row for row in rows if any(allowed[code] for code in row)]
    assert hopeless == len(rows) - len(able)
    assert all(allowed[code] for code in picked)
    assert all(row & picked for row in able)
    assert all(any(not row & (picked - {code}) for row in able) for code in picked)


def test_bounds_are_exact_on_both_sides() -> None:
    records = [{"a", "s"}, {"a"}, {"a"}, {"a"}, {"a"}]
    sets = CodeSets.of(records)
    for h, kept in ((0.2, True), (0.19, False), (Fraction(1, 5), True)):
        problem = Problem(sets, (HkpCoherence(h, 5, 1),), sensitive=sets.sensitive(["s"]))
        assert any("a" in record for record in protect(problem)) is kept
    assert any("a" in record for record in protect(Problem(sets, (KmAnonymity(5, 1),)))) is True


def test_limits_stay_exact_where_products_leave_64_bits() -> None:
    share = Fraction(2**70 + 1, 2**71)
    wide = Question(Family.UP_TO, 1, 1, confidence=share)
    assert limits(wide, 4).tolist() == [-1, 0, 1, 1, 2]
    strict = Question(Family.UP_TO, 1, 1, confidence=Fraction(1, 2), below=True)
    assert limits(strict, 5).tolist() == [-1, 0, 0, 1, 1, 2]


def test_sensitive_codes_that_find_people_by_themselves_cannot_be_helped() -> None:
    problem = problem_of([{"a1", "b1"}, {"a1"}, {"a1"}], KmAnonymity(2, 1), sensitive=("b1",))
    with pytest.raises(PromiseNotMet, match="1 itemsets of sensitive codes"):
        GreedySuppression().protect(problem)


def test_it_refuses_what_it_cannot_enforce() -> None:
    with pytest.raises(BadInput, match="does not enforce rho-uncertainty"):
        GreedySuppression().protect(problem_of([{"a1"}], RhoUncertainty(0.1), sensitive=("a1",)))


def test_itemsets_of_many_codes_are_found_in_long_records() -> None:
    generator = np.random.default_rng(5)
    names = [f"{code:02d}" for code in range(25)]
    records = [set(generator.choice(names, 12, replace=False)) for _ in range(60)]
    kept = protect(Problem(CodeSets.of(records), (KmAnonymity(3, 4),)))
    for size in range(1, 5):
        for chosen in combinations(sorted({code for record in kept for code in record}), size):
            number = sum(set(chosen) <= record for record in kept)
            assert number == 0 or number >= 3


@pytest.mark.golden
def test_the_lecture_table_loses_three_codes(shared: Path) -> None:
    cases = json.loads((shared / "golden" / "codes.json").read_text(encoding="utf-8"))["cases"]
    case = next(case for case in cases if case["id"] == "hkp-2-2-2")
    wanted = case["expect"]["global_suppression"]
    sets = CodeSets.of(case["original"])
    given_ = case["params"]
    model = HkpCoherence(given_["max_confidence"], given_["k"], given_["p"])
    problem = Problem(sets, (model,), sensitive=sets.sensitive(given_["private"]))
    solution = GreedySuppression().protect(problem)
    assert protect(problem) == [set(record) for record in wanted["output"]]
    assert solution.details["suppressed_codes"] == len(wanted["suppressed_items"])
    assert solution.details["suppressed_occurrences"] == wanted["suppressed_occurrences"]
    assert model.check(solution.published).holds
