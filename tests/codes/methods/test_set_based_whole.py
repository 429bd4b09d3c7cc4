"""UGACLIP and CBA keep as many utility constraints whole as can be kept."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.contract import Problem
from sfumato.codes.methods.aclip import Aclip
from sfumato.codes.methods.clustering_based import ClusteringBased, cluster_cheaply, least_dear
from sfumato.codes.methods.clusters import Clusters
from sfumato.codes.methods.pcta import Pcta
from sfumato.codes.methods.set_based import (
    Targets,
    in_fixed_order,
    most_held_first,
    protect_all,
    targets_of,
)
from sfumato.codes.methods.ugaclip import Ugaclip, fewest_reached, generalise_the_rarest
from sfumato.codes.methods.whole_constraints import known_constraints, largest_family, spared_codes
from sfumato.codes.models.privacy_constraints import PrivacyConstraints
from sfumato.codes.policies import GWAS_DISEASES, extract_privacy_constraints, extract_utility_constraints
from sfumato.codes.policies.partners import Partners
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.core.progress import SILENT
from tests.codes.methods.small_sets import CODES, shown
from tests.codes.methods.test_set_based import items_of, privacy, records, utility
from tests.oracles.codes import constraint_protected

sparing_method = pytest.mark.parametrize("method", [Ugaclip(), ClusteringBased()], ids=lambda one: one.name)
SEARCHES: list[Any] = [
    (generalise_the_rarest, most_held_first, fewest_reached),
    (cluster_cheaply, in_fixed_order, least_dear),
]
disjoint = st.lists(st.sampled_from(range(4)), min_size=len(CODES), max_size=len(CODES)).map(
    lambda places: [
        tuple(code for code, place in zip(CODES, places, strict=True) if place == number)
        for number in range(3)
    ]
)


def whole_in(published: object, listed: Sequence[set[str]], policy: Sequence[tuple[str, ...]]) -> int:
    """Count the constraints that occur and lose nothing, by what is shown."""
    assert isinstance(published, PublishedSets)
    items = items_of(published)
    occurring = {code for record in listed for code in record}
    kept = {code for item in items for code in item}
    wanted = {frozenset(u) & occurring for u in policy} - {frozenset()}
    return sum(u <= kept and all(item <= u or not item & u for item in items) for u in wanted)


def most_that_can_be_whole(
    listed: Sequence[set[str]], asked: Sequence[tuple[str, ...]], policy: Sequence[tuple[str, ...]], k: int
) -> int:
    """Try all families of disjoint constraints: one item for each, nothing else shown."""
    occurring = {code for record in listed for code in record}
    wanted = sorted({frozenset(u) & occurring for u in policy} - {frozenset()}, key=sorted)
    met = [{n for n, u in enumerate(wanted) if u & record} for record in map(set, listed)]
    known = {frozenset(n for n, u in enumerate(wanted) if u & set(p)) for p in asked}
    for size in range(len(wanted), 0, -1):
        for family in map(set, combinations(range(len(wanted)), size)):
            parts = {frozenset(p & family) for p in known} - {frozenset()}
            if all(sum(part <= record for record in met) >= k for part in parts):
                return size
    return 0


@given(st.integers(0, 7), st.sets(st.sets(st.integers(0, 6), min_size=1, max_size=3).map(frozenset)))
@settings(max_examples=150, deadline=None)
def test_a_largest_family_that_fits_is_found(members: int, forbidden: set[frozenset[int]]) -> None:
    def allowed(family: set[int]) -> bool:
        return not any(one <= family for one in forbidden)

    found = largest_family(
        members, lambda some, one: allowed({*some, one}), combinations(range(members), 2), looks=10_000
    )
    assert found == sorted(set(found))
    assert allowed(set(found))
    best = max(
        size
        for size in range(members + 1)
        for family in combinations(range(members), size)
        if allowed(set(family))
    )
    assert len(found) == best


def test_a_search_that_may_not_look_long_still_finds_a_family_that_fits() -> None:
    def fits(some: Sequence[int], one: int) -> bool:
        return all(abs(one - other) > 1 for other in some)

    pairs = [(one, one + 1) for one in range(299)]
    for looks in (0, 10, 1000):
        found = largest_family(300, fits, pairs, looks=looks)
        assert all(after - before > 1 for before, after in pairwise(found))
        assert len(found) >= 150


@pytest.mark.parametrize("search", SEARCHES, ids=["ugaclip", "cba"])
@given(
    records,
    privacy,
    utility,
    st.integers(2, 4),
    st.sampled_from(["strict", "plain"]),
    st.sets(st.sampled_from(CODES), max_size=2),
)
@settings(max_examples=150, deadline=None)
def test_what_is_spared_with_caution_is_kept_and_its_cases_are_counted_as_before(
    search: Any,
    listed: list[set[str]],
    constraints: list[tuple[str, ...]],
    policy: list[tuple[str, ...]],
    k: int,
    wording: Any,
    sensitive: set[str],
) -> None:
    step, order, dearness = search
    sets = CodeSets.of(listed)
    marked = np.array([code in sensitive for code in sets.domain], np.bool_)
    model = PrivacyConstraints(k, constraints, wording)
    problem = Problem(sets, (model,), sensitive=marked, utility=tuple(policy))
    partners = Partners.under(sets.domain, problem.utility, marked)
    wanted = targets_of(problem, "test")
    known = known_constraints(problem, partners)
    spared = spared_codes(Targets(wanted, Clusters(sets, partners)), known)[-1]
    clusters = Clusters(sets, partners, None, spared)
    protect_all(Targets(wanted, clusters), step, order, dearness, clusters, SILENT)
    assert (clusters.item_of[spared] >= 0).all()
    published = clusters.published(marked)
    seen = [frozenset(items) for items in shown(published)]
    assert all(constraint_protected(seen, one, k, wording == "strict") for one in constraints)
    for u in ({sets.domain[code] for code in codes} for codes in known if spared[codes].all()):
        before = sum(bool(record & u) for record in listed)
        assert before == sum(any(item & u for item in record) for record in shown(published))


@sparing_method
@given(records, disjoint, st.integers(2, 4), st.sampled_from([None, 2, 3]))
@settings(max_examples=120, deadline=None)
def test_as_many_constraints_are_kept_whole_as_can_be(
    method: Any, listed: list[set[str]], policy: list[tuple[str, ...]], k: int, size: int | None
) -> None:
    sets = CodeSets.of(listed)
    asked = extract_privacy_constraints(sets, k, size=size).constraints
    if not asked:
        return
    problem = Problem(sets, (PrivacyConstraints(k, asked),), utility=tuple(u for u in policy if u))
    published = method.protect(problem).published
    assert problem.models[0].check(published).holds
    assert whole_in(published, listed, policy) == most_that_can_be_whole(listed, asked, policy, k)


@sparing_method
def test_one_disease_is_given_up_rather_than_something_of_each(method: Any) -> None:
    # a with b and a with c stand together in one record each; without the disease of a all others stay.
    alone = [["a1"], ["a1"], ["a2"], ["b1"], ["b1"], ["b2"], ["c1"], ["c1"], ["c2"]]
    sets = CodeSets.of([["a1", "b1"], ["a2", "c1"], *alone])
    model = PrivacyConstraints(2, [["a1", "b1"], ["a2", "c1"]])
    problem = Problem(sets, (model,), utility=(("a1", "a2"), ("b1", "b2"), ("c1", "c2")))
    published = method.protect(problem).published
    assert sorted(map(sorted, items_of(published))) == [["b1"], ["b2"], ["c1"], ["c2"]]


@pytest.mark.parametrize("method", [Aclip(), Pcta()], ids=lambda one: one.name)
@given(records, privacy, utility)
@settings(max_examples=30, deadline=None)
def test_methods_without_a_utility_policy_do_not_look_at_one(
    method: Any, listed: list[set[str]], constraints: list[tuple[str, ...]], policy: list[tuple[str, ...]]
) -> None:
    models = (PrivacyConstraints(3, constraints),)
    sets = CodeSets.of(listed)
    with_it = method.protect(Problem(sets, models, utility=tuple(policy)))
    without = method.protect(Problem(sets, models))
    assert shown(with_it.published) == shown(without.published)
    assert with_it.details == without.details


@pytest.mark.golden
@pytest.mark.parametrize(("k", "diseases"), [(2, 4), (5, 3), (10, 2)])
@pytest.mark.parametrize("whole_history", [False, True], ids=["visits", "histories"])
@sparing_method
def test_patients_of_intensive_care_keep_as_many_diseases_as_can_be_kept(
    method: Any, whole_history: bool, k: int, diseases: int, shared: Path
) -> None:
    path = shared / "data" / "codes" / "clinical" / "MIMIC3demo_DIAGNOSES_ICD.csv.gz"
    people: dict[str, set[str]] = {}
    stays: dict[tuple[str, str], set[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row = {name.lower(): value for name, value in row.items()}
            raw = row["icd9_code"]
            digits = 4 if raw.startswith("E") else 3
            code = f"{raw[:digits]}.{raw[digits:]}".rstrip(".")
            people.setdefault(row["subject_id"], set()).add(code)
            stays.setdefault((row["subject_id"], row["hadm_id"]), set()).add(code)
    listed = list(people.values())
    sets = CodeSets.of(listed)
    policy = extract_utility_constraints(sets, GWAS_DISEASES).constraints
    known = listed if whole_history else list(stays.values())
    asked = [tuple(sorted(codes)) for codes in known if sum(codes <= person for person in listed) < k]
    problem = Problem(sets, (PrivacyConstraints(k, asked),), utility=policy)
    published = method.protect(problem).published
    assert problem.models[0].check(published).holds
    kept = whole_in(published, listed, policy)
    assert kept == most_that_can_be_whole(listed, asked, policy, k) == diseases
