"""Disassociation: its chunks keep the promise, lose no code and count exactly."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.disassociated import Cluster, Disassociated, JointCluster
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.models.disassociated_anonymity import DisassociatedAnonymity
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput, PromiseNotMet
from tests.oracles.possible_worlds import broken_promises, originals, size_of

Records = list[list[str]]


def some_records(codes: str, most: int, fewest: int = 4) -> st.SearchStrategy[Records]:
    one = st.lists(st.sampled_from(codes), max_size=len(codes), unique=True)
    return st.lists(one, min_size=fewest, max_size=most)


def disassociate(
    records: Records,
    k: int,
    m: int,
    method: Disassociation,
    utility: tuple[tuple[str, ...], ...] = (),
    *,
    safe: bool = False,
) -> Disassociated:
    models = (DisassociatedAnonymity(k, m, safe),)
    found = method.protect(Problem(CodeSets.of(records), models, utility=utility)).published
    assert isinstance(found, Disassociated)
    return found


@settings(max_examples=200, deadline=None)
@given(some_records("abcdefgh", 60, 12), st.integers(1, 4), st.integers(1, 4), st.booleans(), st.booleans())
def test_the_promise_holds_and_no_code_is_lost(
    records: Records, k: int, m: int, safe: bool, refine: bool
) -> None:
    assume(sum(map(bool, records)) >= k)
    try:
        shown = disassociate(records, k, m, Disassociation(max(8, 2 * k), refine, safe), safe=safe)
    except PromiseNotMet:
        assert safe
        assert len({code for record in records for code in record}) == 1 or k == 1
        return
    verdict = DisassociatedAnonymity(k, m, safe).check(shown)
    assert verdict.holds, str(verdict)
    assert len(shown) == len(records)
    truth = Counter(code for record in records for code in record)
    named = Counter(shown.domain[code] for leaf in shown.leaves() for code in leaf.terms)
    for code, support in zip(shown.domain, shown.supports.tolist(), strict=True):
        if code in named:
            assert support + named[code] <= truth[code]
        else:
            assert support == truth[code]


@settings(max_examples=60, deadline=None)
@given(some_records("abcd", 8), st.booleans(), st.booleans())
def test_the_original_is_a_possible_world_and_all_worlds_keep_the_promise(
    records: Records, safe: bool, refine: bool
) -> None:
    assume(sum(map(bool, records)) != 1)
    shown = disassociate(records, 2, 2, Disassociation(4, refine, safe))
    lines = shown.to_lines()
    assume(all(size_of(line) <= 4000 for line in lines))
    found: set[tuple[tuple[str, ...], ...]] = {()}
    for line in lines:
        if "clusters" in line or json.loads(line)["chunks"] or json.loads(line)["terms"]:
            assert broken_promises(line, 2, 2) == []
        found = {tuple(sorted((*some, *more))) for some in found for more in originals(line)}
        assume(len(found) <= 50_000)
    assert tuple(sorted(tuple(sorted(record)) for record in records)) in found


@settings(max_examples=40, deadline=None)
@given(some_records("abcdef", 30, 8))
def test_the_same_data_are_disassociated_the_same_way(records: Records) -> None:
    assume(sum(map(bool, records)) >= 2)
    method = Disassociation(8)
    turned = [list(reversed(record)) for record in records]
    assert disassociate(records, 2, 2, method).to_lines() == disassociate(turned, 2, 2, method).to_lines()


def test_rare_codes_of_neighbours_meet_in_a_shared_chunk() -> None:
    left = [["a", "b", "x"], ["a", "b", "x"], ["a", "b"], ["a", "b"]]
    right = [["c", "d", "x"], ["c", "d", "x"], ["c", "d"], ["c", "d"]]
    shown = disassociate(left + right, 3, 2, Disassociation(4, safe=False))
    (joint,) = shown.clusters
    assert isinstance(joint, JointCluster)
    assert [leaf.records for leaf in shown.leaves()] == [4, 4]
    assert [[shown.domain[c] for c in one] for chunk in joint.shared for one in chunk.sub_records()] == [
        ["x"]
    ] * 4
    plain = disassociate(left + right, 3, 2, Disassociation(4, refine=False, safe=False))
    assert all(isinstance(part, Cluster) and len(part.terms) == 1 for part in plain.clusters)


def test_safe_clusters_are_made_of_groups_that_are_not_alike() -> None:
    records = [["a", "b"]] * 6 + [["c", "d"]] * 6
    unsafe = disassociate(records, 3, 2, Disassociation(6, safe=False))
    assert not DisassociatedAnonymity(3, 2, safe=True).check(unsafe).holds
    safe = disassociate(records, 3, 2, Disassociation(12))
    (cluster,) = safe.clusters
    assert isinstance(cluster, Cluster)
    assert cluster.records == 12
    assert safe.occurrences == 24


def test_a_code_that_everybody_holds_is_a_term_in_safe_releases() -> None:
    shown = disassociate([["a", "b"], ["a", "b"], ["a", "c"], ["a", "c"]], 2, 2, Disassociation(4))
    (cluster,) = shown.clusters
    assert isinstance(cluster, Cluster)
    assert [shown.domain[code] for code in cluster.terms] == ["a"]


def test_codes_of_a_constraint_share_chunks_with_each_other_alone() -> None:
    records = [["a", "b", "c", "d"]] * 5 + [["e"]] * 5
    utility = (("a", "c"), ("b", "d"))
    shown = disassociate(records, 2, 2, Disassociation(10, safe=False), utility)
    held = {tuple(shown.domain[code] for code in sorted(chunk.held)) for chunk in shown.chunks()}
    assert held == {("a", "c"), ("b", "d"), ("e",)}


def test_empty_records_are_counted_and_empty_data_are_safe() -> None:
    shown = disassociate([[], [], []], 5, 2, Disassociation())
    assert len(shown) == 3
    assert len(disassociate([], 5, 2, Disassociation())) == 0
    mixed = disassociate([[]] * 3 + [["a"]] * 5, 2, 2, Disassociation(8))
    assert DisassociatedAnonymity(2, 2).check(mixed).holds
    assert sorted(part.records for part in mixed.clusters if not part.held) == [3]


def test_m_may_be_larger_than_any_record() -> None:
    records = [["a", "b"]] * 4 + [["c"]] * 4
    assert (
        disassociate(records, 2, 50, Disassociation(8)).to_lines()
        == disassociate(records, 2, 2, Disassociation(8)).to_lines()
    )


def test_figures_say_where_occurrences_stand() -> None:
    sets = CodeSets.of([["a", "b"]] * 4 + [["c", "d"]] * 4 + [["e"], ["a"]])
    found = Disassociation(10).protect(Problem(sets, (DisassociatedAnonymity(2, 2),)))
    figures = dict(found.details)
    assert figures["occurrences"] == 18
    assert sum(int(figures[f"occurrences_in_{place}_chunks"]) for place in ("record", "shared", "term")) == 18


def test_too_few_records_are_refused() -> None:
    with pytest.raises(PromiseNotMet, match="2 records hold any code, and k is 3"):
        disassociate([["a"], ["a"]], 3, 2, Disassociation())


def test_other_promises_are_refused() -> None:
    problem = Problem(CodeSets.of([["a"]] * 4), (KmAnonymity(2, 2),))
    with pytest.raises(BadInput, match="one model alone"):
        Disassociation().protect(problem)
    with pytest.raises(BadInput, match="one model alone"):
        Disassociation().protect(Problem(problem.sets, ()))


def test_a_model_that_asks_for_the_guard_gets_it() -> None:
    problem = Problem(CodeSets.of([["a"]] * 4), (DisassociatedAnonymity(2, 2, safe=True),))
    with pytest.raises(BadInput, match="guard"):
        Disassociation(safe=False).protect(problem)


def test_clusters_smaller_than_k_allows_are_refused() -> None:
    with pytest.raises(BadInput, match="too small for k = 5"):
        disassociate([["a"]] * 20, 5, 2, Disassociation(9))
    with pytest.raises(BadInput, match="whole number"):
        Disassociation(0)


def test_constraints_that_overlap_are_refused() -> None:
    with pytest.raises(BadInput, match="constraint 2 shares codes"):
        disassociate([["a", "b"]] * 4, 2, 2, Disassociation(), (("a", "b"), ("b",)))


def test_it_reads_itemsets_of_a_bounded_size() -> None:
    assert Disassociation().enforces(DisassociatedAnonymity(2, 2).question())


def test_larger_random_data_hold_for_several_k_and_m() -> None:
    random = np.random.default_rng(5)
    weights = 1 / np.arange(1, 61)
    records = [
        [
            str(code)
            for code in random.choice(60, random.integers(1, 9), replace=False, p=weights / weights.sum())
        ]
        for _ in range(1500)
    ]
    for k, m in ((2, 3), (5, 2), (10, 4)):
        shown = disassociate(records, k, m, Disassociation())
        assert DisassociatedAnonymity(k, m, safe=True).check(shown).holds
        assert shown.occurrences > 0.9 * sum(len(record) for record in records)


@pytest.mark.golden
def test_the_example_of_the_paper_on_health_records_comes_out_as_printed(shared: Path) -> None:
    cases = json.loads((shared / "golden" / "codes.json").read_text(encoding="utf-8"))
    cases = cases["cases"] if isinstance(cases, dict) else cases
    told = next(case for case in cases if case["id"] == "disassociation-jbi2014")
    utility = tuple(tuple(codes) for codes in told["utility_constraints"].values())
    found = disassociate(told["original"], 3, 2, Disassociation(5, safe=False), utility)
    first, second = told["output"]["clusters"]
    line = {
        "clusters": [
            {"records": 5, "chunks": first["record_chunks"], "terms": first["item_chunk"][0]},
            {"records": 5, "chunks": [second["record_chunks"]], "terms": second["item_chunk"][0]},
        ],
        "shared": [first["shared_chunks"] + second["shared_chunks"]],
    }
    assert found.to_lines() == Disassociated.from_lines([json.dumps(line)]).to_lines()
