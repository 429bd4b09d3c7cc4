"""Cuts by AA, DA, OA and VPA: always k^m-anonymous, truthful, and never better than the best of all cuts."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem, SetMethod, SetModel
from sfumato.codes.methods import METHODS
from sfumato.codes.methods.apriori import AprioriAnonymisation, DirectAnonymisation
from sfumato.codes.methods.apriori_optimal import OptimalCut
from sfumato.codes.methods.apriori_vertical import VerticalApriori
from sfumato.codes.models.complete_k_anonymity import CompleteItemsetAnonymity, CompleteKAnonymity
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import Silent
from sfumato.hierarchy import Balanced, Tree
from tests.codes.methods.small_sets import is_truthful, shown
from tests.oracles import codes as oracle
from tests.oracles import cuts as oracle_cuts

TREE = {"A": ["a1", "a2", "a3"], "BC": {"B": ["b1", "b2"], "C": ["c1", "c2"]}}
LEAVES = sorted(oracle_cuts.node_of(TREE))
GLOBAL: list[SetMethod] = [
    AprioriAnonymisation(),
    AprioriAnonymisation(orders=("tree",), trim=False),
    DirectAnonymisation(),
    DirectAnonymisation(orders=("dear", "rare"), trim=True),
    OptimalCut(),
    VerticalApriori(parts=3),
    VerticalApriori(parts=2, trim=False),
]
records_of_codes = st.lists(st.sets(st.sampled_from(LEAVES), max_size=6), min_size=1, max_size=14)
bounds = st.tuples(st.integers(1, 4), st.integers(1, 4))


def problem(records: list[set[str]], *models: SetModel, tree: Any = TREE, sensitive: Any = ()) -> Problem:
    """Records over a hierarchy that knows all leaves, whether they occur or not."""
    sets = CodeSets.of(records)
    above = CodeTree.of(Tree({"any": tree}), sets.domain) if sets.domain else None
    known = [code for code in sensitive if code in sets.domain]
    return Problem(sets, models, above, sets.sensitive(known) if sensitive else None)


def published_by(method: SetMethod, asked: Problem) -> PublishedSets:
    """What a method publishes; these methods publish sets."""
    published = method.protect(asked).published
    assert isinstance(published, PublishedSets)
    return published


def with_all_leaves(records: list[set[str]]) -> list[set[str]]:
    """Let every leaf occur, so that published items show all of their codes."""
    return [*records, set(LEAVES)]


@settings(max_examples=60, deadline=None)
@given(records_of_codes, bounds)
def test_what_is_published_is_k_m_anonymous_truthful_and_one_cut(
    records: list[set[str]], asked: tuple[int, int]
) -> None:
    k, m = asked
    records = with_all_leaves(records)
    for method in GLOBAL:
        if sum(map(bool, records)) < k:
            with pytest.raises(PromiseNotMet):
                method.protect(problem(records, KmAnonymity(k, m)))
            continue
        published = published_by(method, problem(records, KmAnonymity(k, m)))
        seen = shown(published)
        assert oracle_cuts.is_km(oracle.records_of(seen), k, m)
        assert all(number >= k for number in oracle.leaf_supports(oracle.records_of(seen), m).values())
        assert is_truthful(records, published, 0)
        nodes = {node for record in seen for node in record}
        assert all(one == other or not one & other for one in nodes for other in nodes)
        assert nodes <= set(oracle_cuts.nodes_of(TREE))
        assert KmAnonymity(k, m).check(published).holds


@settings(max_examples=40, deadline=None)
@given(records_of_codes, bounds)
def test_the_optimal_cut_is_the_best_of_all_and_no_other_method_is_better(
    records: list[set[str]], asked: tuple[int, int]
) -> None:
    k, m = asked
    records = with_all_leaves(records)
    best = oracle_cuts.best_ncp(records, TREE, k, m)
    if best is None:
        with pytest.raises(PromiseNotMet):
            OptimalCut().protect(problem(records, KmAnonymity(k, m)))
        return
    for method in GLOBAL:
        solution = method.protect(problem(records, KmAnonymity(k, m)))
        assert isinstance(solution.published, PublishedSets)
        cut = frozenset(item for record in shown(solution.published) for item in record)
        lost = oracle_cuts.ncp(records, cut)
        assert solution.details["NCP"] == pytest.approx(float(lost), abs=1e-12)
        assert lost == best if isinstance(method, OptimalCut) else lost >= best


@settings(max_examples=40, deadline=None)
@given(records_of_codes, st.integers(1, 4))
def test_itemsets_of_any_size_can_be_asked_for(records: list[set[str]], k: int) -> None:
    records = with_all_leaves(records)
    for method in GLOBAL:
        if sum(map(bool, records)) < k:
            continue
        seen = shown(published_by(method, problem(records, CompleteItemsetAnonymity(k))))
        assert oracle_cuts.is_km(oracle.records_of(seen), k, None)


@settings(max_examples=40, deadline=None)
@given(records_of_codes, bounds, st.sets(st.sampled_from(LEAVES), min_size=1, max_size=4))
def test_public_and_sensitive_codes_are_never_shown_as_one_item(
    records: list[set[str]], asked: tuple[int, int], sensitive: set[str]
) -> None:
    k, m = asked
    records = with_all_leaves(records)
    mixed = {node for node in oracle_cuts.nodes_of(TREE) if node & sensitive and node - sensitive}
    tops = [
        node
        for node in oracle_cuts.nodes_of(TREE)
        if node not in mixed
        and not any(node < other for other in oracle_cuts.nodes_of(TREE) if other not in mixed)
    ]
    possible = oracle_cuts.is_km(oracle_cuts.recoded(records, frozenset(tops)), k, m)
    for method in GLOBAL:
        asked_for = problem(records, KmAnonymity(k, m), sensitive=sorted(sensitive))
        if not possible:
            with pytest.raises(PromiseNotMet):
                method.protect(asked_for)
            continue
        seen = shown(published_by(method, asked_for))
        assert oracle_cuts.is_km(oracle.records_of(seen), k, m)
        assert not {node for record in seen for node in record} & mixed


@settings(max_examples=25, deadline=None)
@given(records_of_codes, st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_touch_the_promise_and_runs_repeat(
    records: list[set[str]], random: Any
) -> None:
    records = with_all_leaves(records)
    mixed = random.sample(records, len(records))
    k = 1 + sum(map(bool, records)) // 4
    for method in GLOBAL:
        first = shown(published_by(method, problem(records, KmAnonymity(k, 2))))
        assert shown(published_by(method, problem(records, KmAnonymity(k, 2)))) == first
        other = shown(published_by(method, problem(mixed, KmAnonymity(k, 2))))
        assert oracle_cuts.is_km(oracle.records_of(other), k, 2)


@pytest.mark.parametrize("method", GLOBAL, ids=str)
def test_data_that_keep_the_promise_stay_as_they_are(method: SetMethod) -> None:
    records = [{"a1", "b1"}] * 3 + [{"a1"}, set()]
    published = published_by(method, problem(records, KmAnonymity(3, 2)))
    assert [published.record(row) for row in range(5)] == [("a1", "b1")] * 3 + [("a1",), ()]


@pytest.mark.parametrize("method", GLOBAL, ids=str)
def test_records_without_any_code_stay_empty(method: SetMethod) -> None:
    published = published_by(method, problem([set(), set()], KmAnonymity(2, 2)))
    assert len(published) == 2
    assert not len(published.shown)


@pytest.mark.parametrize("method", GLOBAL, ids=str)
def test_k_beyond_the_records_with_codes_is_refused_with_what_would_work(method: SetMethod) -> None:
    with pytest.raises(PromiseNotMet, match="choose k of at most 2"):
        method.protect(problem([{"a1"}, {"b1"}, set()], KmAnonymity(3, 1)))


def test_sensitive_codes_that_cannot_be_joined_by_others_are_refused_with_a_reason() -> None:
    records = [{"a1", "c1"}, {"a1"}, {"a2"}, {"b1"}]
    with pytest.raises(PromiseNotMet, match="does not mix public and sensitive"):
        AprioriAnonymisation().protect(problem(records, KmAnonymity(2, 1), sensitive=["c1"]))


class PublicOnly(KmAnonymity):
    """A promise about public codes alone."""

    def question(self) -> Question:
        return Question(Family.UP_TO, self.k, self.m)


@pytest.mark.parametrize("method", GLOBAL, ids=str)
def test_where_no_code_counts_all_stay_as_they_are(method: SetMethod) -> None:
    records = [{"a1", "c1"}, {"a2"}]
    published = published_by(method, problem(records, PublicOnly(2, 2), sensitive=["a1", "a2", "c1"]))
    assert [published.record(row) for row in range(2)] == [("a1", "c1"), ("a2",)]


def test_sensitive_codes_that_the_promise_does_not_count_are_published_as_they_are() -> None:
    records = [{"a1", "c1"}, {"a2"}, {"a2", "b1"}, {"b1"}]
    published = published_by(AprioriAnonymisation(), problem(records, PublicOnly(2, 1), sensitive=["c1"]))
    assert [published.record(row) for row in range(4)] == [("c1", "A"), ("A",), ("b1", "A"), ("b1",)]


def test_several_promises_are_kept_together() -> None:
    records = [{"a1", "b1", "c1"}, {"a1", "b1"}, {"a2", "c1"}, {"a3"}, {"a1", "c1"}, {"b1"}]
    seen = shown(published_by(AprioriAnonymisation(), problem(records, KmAnonymity(4, 1), KmAnonymity(2, 3))))
    assert oracle_cuts.is_km(oracle.records_of(seen), 4, 1)
    assert oracle_cuts.is_km(oracle.records_of(seen), 2, 3)
    both = (KmAnonymity(5, 1), CompleteItemsetAnonymity(2))
    seen = shown(published_by(AprioriAnonymisation(), problem(records, *both)))
    assert oracle_cuts.is_km(oracle.records_of(seen), 5, 1)
    assert oracle_cuts.is_km(oracle.records_of(seen), 2, None)


def test_long_itemsets_are_lifted_step_by_step() -> None:
    random = np.random.default_rng(3)
    tree = {
        f"g{group}": {f"h{group}{i}": [f"{group}{i}{j}" for j in range(3)] for i in range(3)}
        for group in range(3)
    }
    leaves = sorted(oracle_cuts.node_of(tree))
    records = [set(random.choice(leaves, 9, replace=False).tolist()) for _ in range(30)]
    for model in (KmAnonymity(3, 6), CompleteItemsetAnonymity(3)):
        seen = shown(published_by(AprioriAnonymisation(), problem(records, model, tree=tree)))
        most = 6 if isinstance(model, KmAnonymity) else None
        assert oracle_cuts.is_km(oracle.records_of(seen), 3, most)


def test_trimming_never_costs_and_more_orders_never_cost() -> None:
    random = np.random.default_rng(8)
    sets = CodeSets.of([random.choice(60, random.integers(1, 6)).astype(str) for _ in range(400)])
    asked = Problem(sets, (KmAnonymity(4, 2),), CodeTree.of(Balanced(4), sets.domain))
    plain = AprioriAnonymisation(orders=("rare",), trim=False).protect(asked).details["NCP"]
    trimmed = AprioriAnonymisation(orders=("rare",)).protect(asked).details["NCP"]
    several = (
        AprioriAnonymisation(orders=("rare", "common", "cheap", "dear", "tree")).protect(asked).details["NCP"]
    )
    assert float(several) <= float(trimmed) <= float(plain)


def test_the_optimal_cut_gives_up_after_its_limit_and_says_what_to_do() -> None:
    random = np.random.default_rng(8)
    sets = CodeSets.of([random.choice(60, random.integers(1, 6)).astype(str) for _ in range(400)])
    asked = Problem(sets, (KmAnonymity(4, 2),), CodeTree.of(Balanced(4), sets.domain))
    with pytest.raises(BadInput, match=r"has 44,218 cuts and none of the 50 .* use the method 'apriori'"):
        OptimalCut(limit=50).protect(asked)


@pytest.mark.parametrize("name", ["apriori", "direct", "optimal-cut", "vertical-apriori"])
def test_what_they_enforce(name: str) -> None:
    method = METHODS[name]()
    assert method.enforces(KmAnonymity(5, 2).question())
    assert method.enforces(KmAnonymity(5, 2, "leaf").question())
    assert method.enforces(CompleteItemsetAnonymity(5).question())
    assert not method.enforces(CompleteKAnonymity(5).question())
    assert not method.enforces(Question(Family.UP_TO, 5, 2, confidence=Fraction(1, 2)))
    assert not method.enforces(Question(Family.LISTED, 5, listed=(("a",),)))


def test_a_model_that_is_not_enforced_and_a_missing_hierarchy_are_refused() -> None:
    sets = CodeSets.of([["a"], ["a"]])
    with pytest.raises(BadInput, match="apriori does not enforce complete-k-anonymity"):
        AprioriAnonymisation().protect(Problem(sets, (CompleteKAnonymity(2),)))
    with pytest.raises(BadInput, match="give the codes a hierarchy"):
        AprioriAnonymisation().protect(Problem(sets, (KmAnonymity(2, 2),)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: AprioriAnonymisation(orders=("raer",)),  # type: ignore[arg-type]  # wrong on purpose
        lambda: AprioriAnonymisation(orders=()),
        lambda: OptimalCut(limit=0),
        lambda: VerticalApriori(parts=0),
    ],
)
def test_wrong_parameters_are_refused(make: Any) -> None:
    with pytest.raises(BadInput):
        make()


def test_progress_is_reported() -> None:
    class Heard(Silent):
        steps: list[str] = []  # noqa: RUF012 - the class lives in one test

        def step(self, what: str) -> None:
            self.steps.append(what)

    heard = Heard()
    AprioriAnonymisation().protect(
        problem([{"a1"}, {"a2"}, {"b1"}, {"b1"}], KmAnonymity(2, 1)), progress=heard
    )
    assert any("rare" in step for step in heard.steps)


@pytest.mark.golden
@pytest.mark.parametrize("method", GLOBAL, ids=str)
def test_the_running_example_of_the_paper(method: SetMethod, shared: Path) -> None:
    case = _case(shared, "terrovitis-2-2")
    sets = CodeSets.of(case["original"])
    tree = CodeTree.of(Tree(case["hierarchy"]), sets.domain)
    solution = method.protect(Problem(sets, (KmAnonymity(**case["params"]),), tree))
    assert isinstance(solution.published, PublishedSets)
    assert shown(solution.published) == [set(record) for record in oracle.records_of(case["anonymised"])]
    assert solution.details["NCP"] == pytest.approx(case["expect"]["cut_A_b1_b2"]["NCP"])


@pytest.mark.golden
@pytest.mark.parametrize("method", GLOBAL, ids=str)
def test_the_slide_with_five_to_the_three(method: SetMethod, shared: Path) -> None:
    case = _case(shared, "km-5-3-abcdefgh")
    sets = CodeSets.of(case["original"])
    tree = CodeTree.of(Tree(case["hierarchy"]), sets.domain)
    solution = method.protect(Problem(sets, (KmAnonymity(**case["params"]),), tree))
    assert isinstance(solution.published, PublishedSets)
    assert shown(solution.published) == [set(record) for record in oracle.records_of(case["anonymised"])]
    assert solution.details["NCP"] == pytest.approx(case["expect"]["NCP"])


def _case(shared: Path, name: str) -> dict[str, Any]:
    cases = json.loads((shared / "golden" / "codes.json").read_text(encoding="utf-8"))
    cases = cases["cases"] if isinstance(cases, dict) else cases
    found: dict[str, Any] = next(case for case in cases if case["id"] == name)
    return found
