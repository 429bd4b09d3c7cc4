"""LRA: every run has a cut of its own, and together they keep the promise."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.methods import METHODS
from sfumato.codes.methods.apriori import AprioriAnonymisation
from sfumato.codes.methods.apriori_local import LocalApriori, gray_order
from sfumato.codes.models.complete_k_anonymity import CompleteItemsetAnonymity
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.hierarchy import Balanced, Tree
from tests.codes.methods.small_sets import is_truthful, shown
from tests.codes.methods.test_apriori import LEAVES, TREE, problem, published_by
from tests.oracles import codes as oracle
from tests.oracles import cuts as oracle_cuts

records_of_codes = st.lists(st.sets(st.sampled_from(LEAVES), max_size=6), min_size=1, max_size=24)


@settings(max_examples=80, deadline=None)
@given(
    records_of_codes, st.integers(1, 4), st.integers(1, 3), st.integers(1, 12), st.booleans(), st.booleans()
)
def test_what_is_published_is_k_m_anonymous_by_items_and_by_codes(
    records: list[set[str]], k: int, m: int, run: int, trim: bool, apart: bool
) -> None:
    records = [*records, set(LEAVES)]
    method = LocalApriori(records=run, trim=trim, singles_apart=apart)
    if sum(map(bool, records)) < k:
        with pytest.raises(PromiseNotMet):
            method.protect(problem(records, KmAnonymity(k, m)))
        return
    published = published_by(method, problem(records, KmAnonymity(k, m)))
    seen = shown(published)
    assert oracle_cuts.is_km(oracle.records_of(seen), k, m)
    assert all(number >= k for number in oracle.leaf_supports(oracle.records_of(seen), m).values())
    assert is_truthful(records, published, 0)
    assert {node for record in seen for node in record} <= set(oracle_cuts.nodes_of(TREE))
    assert KmAnonymity(k, m).check(published).holds


@settings(max_examples=30, deadline=None)
@given(records_of_codes, st.integers(1, 4), st.integers(1, 8))
def test_itemsets_of_any_size_can_be_asked_for(records: list[set[str]], k: int, run: int) -> None:
    records = [*records, *([set(LEAVES)] * k)]
    seen = shown(published_by(LocalApriori(records=run), problem(records, CompleteItemsetAnonymity(k))))
    assert oracle_cuts.is_km(oracle.records_of(seen), k, None)


@given(st.integers(1, 7))
def test_gray_order_lets_neighbours_differ_in_one_code_when_every_set_is_there(codes: int) -> None:
    names = [f"c{code}" for code in range(codes)]
    records = [{names[i] for i in range(codes) if number >> i & 1} for number in range(2**codes)]
    order = gray_order(CodeSets.of(records), np.arange(codes)).tolist()
    assert sorted(order) == list(range(2**codes))
    for one, other in pairwise(order):
        assert len(records[one] ^ records[other]) == 1


def test_people_with_one_code_keep_it_when_pairs_of_others_are_rare() -> None:
    alone = [{code} for code in ("a1", "a2", "a3") for _ in range(5)]
    pairs = [{"a1", "b1"}, {"a2", "b1"}, {"a3", "b1"}, {"a1", "b1"}]
    asked = problem(alone + pairs, KmAnonymity(4, 2))
    local = LocalApriori().protect(asked)
    assert local.details["runs"] == 2
    assert isinstance(local.published, PublishedSets)
    assert [local.published.record(row) for row in range(15)] == [tuple(record) for record in alone]
    assert [local.published.record(row) for row in range(15, 19)] == [("b1", "A")] * 4
    one_cut = AprioriAnonymisation().protect(asked)
    assert float(local.details["NCP"]) < float(one_cut.details["NCP"])
    assert LocalApriori(singles_apart=False).protect(asked).details["NCP"] == one_cut.details["NCP"]


def test_runs_that_cannot_keep_the_promise_for_themselves_become_one() -> None:
    # Two runs of four: one of them has a single sensitive code, which nothing public may hide.
    records = [{"a1", "a2"}] * 4 + [{"a1", "a2", "c1"}, {"b1", "b2"}, {"b1", "b2", "c1"}, {"b1", "b2"}]
    asked = problem(records, KmAnonymity(2, 1), sensitive=["c1"])
    solution = LocalApriori(records=4).protect(asked)
    assert solution.details["runs"] == 1
    assert isinstance(solution.published, PublishedSets)
    assert oracle_cuts.is_km(oracle.records_of(shown(solution.published)), 2, 1)


def test_fewer_records_than_a_run_are_one_run() -> None:
    random = np.random.default_rng(8)
    sets = CodeSets.of([random.choice(60, random.integers(1, 6)).astype(str) for _ in range(400)])
    asked = Problem(sets, (KmAnonymity(4, 2),), CodeTree.of(Balanced(4), sets.domain))
    local, one_cut = (
        LocalApriori(250, singles_apart=False).protect(asked),
        AprioriAnonymisation().protect(asked),
    )
    assert local.details["runs"] == 1
    assert local.details["NCP"] == one_cut.details["NCP"]


def test_sensitive_codes_that_cannot_be_joined_by_others_are_refused() -> None:
    records = [{"a1", "c1"}, {"a1"}, {"a2"}, {"b1"}]
    with pytest.raises(PromiseNotMet, match="does not mix public and sensitive"):
        LocalApriori(records=2).protect(problem(records, KmAnonymity(2, 1), sensitive=["c1"]))


def test_records_without_codes_stay_empty() -> None:
    asked = Problem(CodeSets.of([[], []]), (KmAnonymity(2, 1),), None)
    assert not len(published_by(LocalApriori(), asked).shown)
    some = Problem(
        CodeSets.of([[], ["a"], ["a"], []]),
        (KmAnonymity(2, 1),),
        CodeTree.of(Tree({"any": ["a", "b"]}), ("a",)),
    )
    assert np.diff(published_by(LocalApriori(records=1), some).starts).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("wrong", [{"records": 0}, {"records": 1.5}, {"orders": ("nearest",)}])
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    with pytest.raises(BadInput):
        METHODS["local-apriori"](**wrong)
