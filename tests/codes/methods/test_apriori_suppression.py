"""Leaving codes out inside AA, DA, LRA and VPA: within the limit, never a loss, and the promise holds."""

from __future__ import annotations

import csv
import gzip
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem, SetMethod
from sfumato.codes.icd import recognise
from sfumato.codes.methods.apriori import AprioriAnonymisation, DirectAnonymisation
from sfumato.codes.methods.apriori_local import LocalApriori
from sfumato.codes.methods.apriori_vertical import VerticalApriori
from sfumato.codes.models.complete_k_anonymity import CompleteItemsetAnonymity
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.codes.utility.certainty_penalty import CertaintyPenalty
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.hierarchy import Balanced
from sfumato.hierarchy.icd import Icd
from tests.codes.methods.small_sets import is_truthful, shown
from tests.codes.methods.test_apriori import (
    LEAVES,
    TREE,
    PublicOnly,
    problem,
    published_by,
    with_all_leaves,
)
from tests.oracles import codes as oracle
from tests.oracles import cuts as oracle_cuts

records_of_codes = st.lists(st.sets(st.sampled_from(LEAVES), max_size=6), min_size=3, max_size=14)
bounds = st.tuples(st.integers(1, 4), st.integers(1, 4))
shares = st.sampled_from([0.01, 0.05, 0.1, 0.25, 0.5, 1.0])
ONE_RARE_BRANCH = [{"a1"}, {"a1"}, {"a2"}, {"a2"}, {"a1", "a2"}, {"a1"}, {"a2", "b1"}, {"a1"}, {"a2"}]
"""eleven occurrences; nobody else has a code of the branch of b1"""


def methods(share: float) -> list[SetMethod]:
    """Return every method that can leave codes out, with and without splitting nodes again."""
    return [
        AprioriAnonymisation(suppress=share),
        AprioriAnonymisation(orders=("tree",), trim=False, suppress=share),
        DirectAnonymisation(suppress=share),
        DirectAnonymisation(orders=("dear",), trim=True, suppress=share),
        VerticalApriori(parts=3, suppress=share),
        LocalApriori(records=5, suppress=share),
    ]


def left_out(records: list[set[str]], published: PublishedSets) -> int:
    """Count the occurrences that no item of their record covers."""
    seen = shown(published)
    return sum(
        not any(code in item for item in items)
        for record, items in zip(records, seen, strict=True)
        for code in record
    )


def loss(records: list[set[str]], published: PublishedSets) -> Fraction:
    """Return NCP the slow way: the smallest item that covers an occurrence, 1 where there is none."""
    lost = Fraction(0)
    for record, items in zip(records, shown(published), strict=True):
        for code in record:
            sizes = [len(item) for item in items if code in item]
            lost += Fraction(min(sizes), len(LEAVES)) * (min(sizes) > 1) if sizes else 1
    return lost / max(sum(map(len, records)), 1)


@settings(max_examples=80, deadline=None)
@given(records_of_codes, bounds, shares)
def test_what_is_published_is_k_m_anonymous_truthful_and_within_the_limit(
    records: list[set[str]], asked: tuple[int, int], share: float
) -> None:
    k, m = asked
    records = with_all_leaves(records)
    if sum(map(bool, records)) < k:
        return
    for method in methods(share):
        solution = method.protect(problem(records, KmAnonymity(k, m)))
        published = solution.published
        assert isinstance(published, PublishedSets)
        seen = shown(published)
        assert oracle_cuts.is_km(oracle.records_of(seen), k, m)
        assert all(number >= k for number in oracle.leaf_supports(oracle.records_of(seen), m).values())
        gone = left_out(records, published)
        assert gone <= Fraction(str(share)) * sum(map(len, records))
        assert gone == solution.details.get("occurrences suppressed", 0)
        assert is_truthful(records, published, gone)
        assert solution.details["NCP"] == pytest.approx(float(loss(records, published)), abs=1e-12)
        assert {node for record in seen for node in record} <= set(oracle_cuts.nodes_of(TREE))


@settings(max_examples=60, deadline=None)
@given(records_of_codes, bounds, shares)
def test_a_code_is_left_out_of_all_records_or_of_none_and_runs_repeat(
    records: list[set[str]], asked: tuple[int, int], share: float
) -> None:
    k, m = asked
    records = with_all_leaves(records)
    if sum(map(bool, records)) < k:
        return
    for method in methods(share)[:-1]:
        seen = shown(published_by(method, problem(records, KmAnonymity(k, m))))
        nodes = {node for record in seen for node in record}
        assert all(one == other or not one & other for one in nodes for other in nodes)
        for record, items in zip(records, seen, strict=True):
            assert items == {node for node in nodes if node & record}
        assert shown(published_by(method, problem(records, KmAnonymity(k, m)))) == seen


@settings(max_examples=60, deadline=None)
@given(records_of_codes, bounds, shares)
def test_nothing_is_lost_by_allowing_it(
    records: list[set[str]], asked: tuple[int, int], share: float
) -> None:
    k, m = asked
    records = with_all_leaves(records)
    if sum(map(bool, records)) < k:
        return
    for with_it, without in zip(methods(share)[:-1], methods(0.0)[:-1], strict=True):
        allowed = published_by(with_it, problem(records, KmAnonymity(k, m)))
        plain = published_by(without, problem(records, KmAnonymity(k, m)))
        assert loss(records, allowed) <= loss(records, plain)
        assert left_out(records, plain) == 0


@settings(max_examples=60, deadline=None)
@given(records_of_codes, st.integers(1, 4), st.integers(1, 5), shares)
def test_itemsets_of_any_size_and_several_promises_hold(
    records: list[set[str]], k: int, single: int, share: float
) -> None:
    records = with_all_leaves(records)
    if sum(map(bool, records)) < max(k, single):
        return
    for method in methods(share):
        asked = problem(records, CompleteItemsetAnonymity(k), KmAnonymity(single, 1))
        published = published_by(method, asked)
        seen = oracle.records_of(shown(published))
        assert oracle_cuts.is_km(seen, k, None)
        assert oracle_cuts.is_km(seen, single, 1)
        assert left_out(records, published) <= Fraction(str(share)) * sum(map(len, records))


@settings(max_examples=60, deadline=None)
@given(records_of_codes, bounds, st.sets(st.sampled_from(LEAVES), min_size=1, max_size=4))
def test_the_share_that_an_error_names_suffices(
    records: list[set[str]], asked: tuple[int, int], sensitive: set[str]
) -> None:
    k, m = asked
    records = with_all_leaves(records)
    if sum(map(bool, records)) < k:
        return
    asked_for = problem(records, KmAnonymity(k, m), sensitive=sorted(sensitive))
    for make in (AprioriAnonymisation, DirectAnonymisation, VerticalApriori, LocalApriori):
        try:
            make().protect(asked_for)
        except PromiseNotMet as error:
            named = re.search(r"suppress: ([\d.]+)'", str(error))
            if named is None:
                continue
            published = published_by(make(suppress=float(named[1])), asked_for)
            assert oracle_cuts.is_km(oracle.records_of(shown(published)), k, m)
            assert 0 < left_out(records, published) <= Fraction(named[1]) * sum(map(len, records))


@pytest.mark.parametrize("method", methods(0.1)[:-1], ids=str)
def test_one_rare_code_goes_instead_of_everything(method: SetMethod) -> None:
    published = published_by(method, problem(ONE_RARE_BRANCH, KmAnonymity(2, 1)))
    assert [set(published.record(row)) for row in range(9)] == [record - {"b1"} for record in ONE_RARE_BRANCH]


def test_the_limit_is_exact_on_both_sides() -> None:
    asked = problem(ONE_RARE_BRANCH[:-1], KmAnonymity(2, 1))
    assert asked.sets.occurrences == 10
    for share, gone in ((0.0999, 0), (0.1, 1)):
        solution = AprioriAnonymisation(suppress=share).protect(asked)
        assert solution.details.get("occurrences suppressed", 0) == gone


def test_a_share_means_the_decimal_that_it_is_written_as() -> None:
    # 0.29 * 100 is 28.999999999999996 as floats; 29 occurrences may go.
    records = [{"a1"}] * 71 + [{"b1"}] * 29
    asked = problem(records, KmAnonymity(30, 1), sensitive=["b1"])
    solution = AprioriAnonymisation(suppress=0.29).protect(asked)
    assert solution.details["occurrences suppressed"] == 29
    with pytest.raises(PromiseNotMet, match=r"suppress: 0\.29'"):
        AprioriAnonymisation(suppress=0.28).protect(asked)


def test_sensitive_codes_that_cannot_be_joined_are_left_out_when_that_is_allowed() -> None:
    records = [{"a1", "c1"}, {"a1"}, {"a2"}, {"a2"}]
    asked = problem(records, KmAnonymity(2, 1), sensitive=["c1"])
    with pytest.raises(PromiseNotMet, match=r"suppress: 0\.2'"):
        AprioriAnonymisation().protect(asked)
    published = published_by(AprioriAnonymisation(suppress=0.2), asked)
    assert [published.record(row) for row in range(4)] == [("a1",), ("a1",), ("a2",), ("a2",)]


def test_codes_that_the_promise_does_not_count_are_never_left_out() -> None:
    records = [{"a1", "c1"}, {"a1"}, {"a1"}, {"b1"}, {"a1"}]
    published = published_by(
        AprioriAnonymisation(suppress=0.2), problem(records, PublicOnly(2, 1), sensitive=["c1"])
    )
    assert [published.record(row) for row in range(5)] == [("a1", "c1"), ("a1",), ("a1",), (), ("a1",)]


def test_data_that_keep_the_promise_stay_as_they_are() -> None:
    records = [{"a1", "b1"}] * 3 + [{"a1"}, set()]
    for method in methods(1.0):
        published = published_by(method, problem(records, KmAnonymity(3, 2)))
        assert [published.record(row) for row in range(5)] == [("a1", "b1")] * 3 + [("a1",), ()]


def test_what_a_release_loses_is_what_the_measure_says() -> None:
    random = np.random.default_rng(8)
    weight = 1 / np.arange(1, 61) ** 1.5
    sets = CodeSets.of(
        [random.choice(60, random.integers(1, 6), p=weight / weight.sum()).astype(str) for _ in range(400)]
    )
    asked = Problem(sets, (KmAnonymity(6, 2),), CodeTree.of(Balanced(4), sets.domain))
    losses = []
    for share in (0.0, 0.02, 0.2):
        solution = AprioriAnonymisation(suppress=share).protect(asked)
        measured = CertaintyPenalty().of(sets, solution.published)
        assert measured is not None
        assert solution.details["NCP"] == pytest.approx(measured.value)
        assert KmAnonymity(6, 2).check(solution.published).holds
        losses.append(measured.value)
    assert losses[2] < losses[0]
    assert losses[1] <= losses[0]


@pytest.mark.golden
def test_chapters_of_diagnoses_survive_when_one_code_in_fifty_may_go(shared: Path) -> None:
    held: dict[str, set[str]] = {}
    file = shared / "data" / "codes" / "clinical" / "MIMIC3demo_DIAGNOSES_ICD.csv.gz"
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            held.setdefault(row["SUBJECT_ID"], set()).add(row["ICD9_CODE"])
    texts = sorted({code for codes in held.values() for code in codes if code})
    written = dict(zip(texts, recognise(texts, "icd9cm").codes, strict=True))
    sets = CodeSets.of([[written[code] for code in codes if code] for codes in held.values()])
    asked = Problem(sets, (KmAnonymity(5, 2),), CodeTree.of(Icd("icd9cm"), sets.domain, unknown="root"))
    assert AprioriAnonymisation().protect(asked).details["NCP"] == 1
    solution = AprioriAnonymisation(suppress=0.02).protect(asked)
    assert KmAnonymity(5, 2).check(solution.published).holds
    assert float(solution.details["NCP"]) < 0.07
    assert int(solution.details["occurrences suppressed"]) <= sets.occurrences * 2 // 100


@pytest.mark.parametrize("share", [-0.1, 1.1, True, float("nan"), "much", None])
@pytest.mark.parametrize("make", [AprioriAnonymisation, DirectAnonymisation, LocalApriori, VerticalApriori])
def test_what_is_no_share_is_refused(make: Any, share: Any) -> None:
    with pytest.raises(BadInput, match="share between 0 and 1"):
        make(suppress=share)
