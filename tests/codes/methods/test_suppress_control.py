"""SuppressControl and TDControl: no sensitive code can be inferred from others, and nothing is invented."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.methods.suppress_control import SuppressControl
from sfumato.codes.methods.top_down_control import TopDownControl
from sfumato.codes.models.complete_k_anonymity import CompleteItemsetAnonymity
from sfumato.codes.models.rho_uncertainty import RhoUncertainty
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.hierarchy import Tree
from tests.codes.methods.small_sets import is_truthful, problem_of, records_of_codes, shown
from tests.oracles.codes import Record, confidences, records_of

SENSITIVE = ("a3", "b1")
rhos = st.sampled_from([0.2, 0.34, 0.5, 0.51, 0.75, 1])
weights = st.sampled_from([1, 50])


def reached(records: list[Record], sensitive: set[str]) -> Fraction:
    """Write every rule down and return the largest confidence."""
    found = confidences(records, sensitive, None, sensitive_known=True, empty=True)
    return max(found.values(), default=Fraction(0))


def published_of(method: SuppressControl | TopDownControl, problem: Problem) -> PublishedSets:
    published = method.protect(problem).published
    assert isinstance(published, PublishedSets)
    return published


@given(records_of_codes, rhos, weights)
@settings(max_examples=120, deadline=None)
def test_no_rule_of_any_size_reaches_rho_after_suppression(
    records: list[set[str]], rho: float, weight: int
) -> None:
    model = RhoUncertainty(rho)
    problem = problem_of(records, model, sensitive=SENSITIVE)
    solution = SuppressControl(weight).protect(problem)
    published = solution.published
    assert isinstance(published, PublishedSets)
    assert reached([frozenset(items) for items in shown(published)], set(SENSITIVE)) < Fraction(str(rho))
    assert is_truthful(records, published, int(solution.details["suppressed_occurrences"]))
    if problem.marked.any():
        assert model.check(published).holds


@given(records_of_codes, rhos, weights)
@settings(max_examples=80, deadline=None)
def test_never_more_is_lost_than_by_leaving_out_all_sensitive_codes(
    records: list[set[str]], rho: float, weight: int
) -> None:
    problem = problem_of(records, RhoUncertainty(rho), sensitive=SENSITIVE)
    seen = shown(published_of(SuppressControl(weight), problem))
    kept = {code for items in seen for item in items for code in item}
    worth = {code: weight if code in SENSITIVE else 1 for record in records for code in record}
    lost = sum(worth[code] for record in records for code in record - kept)
    assert lost <= sum(weight for record in records for code in record & set(SENSITIVE))


@given(records_of_codes, rhos)
@settings(max_examples=80, deadline=None)
def test_no_suppressed_code_could_be_shown(records: list[set[str]], rho: float) -> None:
    problem = problem_of(records, RhoUncertainty(rho), sensitive=SENSITIVE)
    kept = {
        code for items in shown(published_of(SuppressControl(), problem)) for item in items for code in item
    }
    for code in {code for record in records for code in record} - kept:
        back = records_of([record & (kept | {code}) for record in records])
        assert reached(back, set(SENSITIVE)) >= Fraction(str(rho))


@given(records_of_codes, rhos, weights)
@settings(max_examples=120, deadline=None)
def test_no_rule_of_any_size_reaches_rho_after_drilling_down(
    records: list[set[str]], rho: float, weight: int
) -> None:
    model = RhoUncertainty(rho)
    problem = problem_of(records, model, sensitive=SENSITIVE)
    if problem.tree is None:
        return
    solution = TopDownControl(weight).protect(problem)
    published = solution.published
    assert isinstance(published, PublishedSets)
    assert reached([frozenset(items) for items in shown(published)], set(SENSITIVE)) < Fraction(str(rho))
    assert is_truthful(records, published, int(solution.details["suppressed_occurrences"]))
    if problem.marked.any():
        assert model.check(published).holds
    items = {item for record in shown(published) for item in record}
    assert all(not one & other for one in items for other in items if one != other)
    assert all(len(item) == 1 for item in items if item & set(SENSITIVE))


def random_problem(rho: float) -> Problem:
    generator = np.random.default_rng(11)
    names = [f"{code:02d}" for code in range(30)]
    records = [set(generator.choice(names, generator.integers(1, 8))) for _ in range(400)]
    sets = CodeSets.of(records)
    groups = {f"g{g}": [c for c in sets.domain if int(c) // 6 == g] for g in range(5)}
    tree = CodeTree.of(Tree({"*": groups}), sets.domain)
    return Problem(sets, (RhoUncertainty(rho),), tree, sets.sensitive(["00", "07", "29"]))


@pytest.mark.parametrize("method", [SuppressControl(1000), TopDownControl(1000)])
def test_long_rules_are_broken_in_a_table_of_hundreds(method: SuppressControl | TopDownControl) -> None:
    problem = random_problem(0.4)
    published = published_of(method, problem)
    seen = [frozenset(items) for items in shown(published)]
    assert reached(seen, {"00", "07", "29"}) < Fraction(2, 5)
    assert published.supports[published.items.sensitive].any()
    again = published_of(method, problem)
    assert published.shown.tolist() == again.shown.tolist()
    assert published.items.labels == again.items.labels


def test_generalising_keeps_more_than_suppressing() -> None:
    problem = random_problem(0.4)
    lost = [
        int(method.protect(problem).details["suppressed_occurrences"])
        for method in (SuppressControl(1000), TopDownControl(1000))
    ]
    assert lost[1] < lost[0]


def test_the_bound_is_strict() -> None:
    sets = CodeSets.of([["a", "s"], ["a"], ["b"], ["b"]])
    marked = sets.sensitive(["s"])
    for rho, kept in ((0.5, False), (0.51, True)):
        published = published_of(SuppressControl(), Problem(sets, (RhoUncertainty(rho),), sensitive=marked))
        assert (published.record(0) == ("a", "s")) is kept


def test_a_sensitive_code_that_too_many_have_goes() -> None:
    sets = CodeSets.of([["s"], ["s"], ["a"]])
    problem = Problem(sets, (RhoUncertainty(0.6),), sensitive=sets.sensitive(["s"]))
    assert SuppressControl(10**6).protect(problem).details["suppressed_sensitive_codes"] == 1


def test_a_search_that_is_too_long_says_that_it_could_not_settle_it() -> None:
    problem = random_problem(0.9)
    with pytest.raises(PromiseNotMet, match="could not be settled"):
        SuppressControl(10**6, budget=1).protect(problem)


def test_what_they_enforce_and_refuse() -> None:
    for method in (SuppressControl(), TopDownControl()):
        assert method.enforces(RhoUncertainty(0.5).question())
        assert not method.enforces(CompleteItemsetAnonymity(2).question())
        assert not method.enforces(Question(Family.UP_TO, size=2, confidence=Fraction(1, 2)))
    with pytest.raises(BadInput, match="budget"):
        SuppressControl(budget=0)
    with pytest.raises(BadInput, match="weight"):
        TopDownControl(sensitive_weight=0)
    with pytest.raises(BadInput, match="hierarchy"):
        TopDownControl().protect(problem_of([{"a1"}], RhoUncertainty(0.5), sensitive=("a1",), tree=False))
