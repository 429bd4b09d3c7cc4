"""The seed's slides and the papers' examples: utility figures, truthfulness; profiles of real data sets."""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato.codes.published import PublishedSets
from sfumato.codes.risk import exposure, three_digits
from sfumato.codes.risk.matching import Matching
from sfumato.codes.sets import CodeSets, Visits
from sfumato.codes.utility import CertaintyPenalty, QueryError, UtilityLoss, constraints_kept, truthful
from sfumato.codes.utility.query_error import Reading, counted

pytestmark = pytest.mark.golden


@pytest.fixture(scope="module")
def cases(shared: Path) -> dict[str, dict[str, Any]]:
    listed = json.loads((shared / "golden" / "codes.json").read_text())["cases"]
    return {case["id"]: case for case in listed}


def pair(case: dict[str, Any], released: str = "anonymised") -> tuple[CodeSets, PublishedSets]:
    original = CodeSets.of(case["original"])
    return original, PublishedSets.of(case[released], domain=original.domain)


@pytest.mark.parametrize(
    "name", ["complete-k-2", "km-4-2", "km-5-3-abcdefgh", "policy-401.2-401.4", "he-naughton-ex1"]
)
def test_ncp_of_worked_examples(cases, name):
    original, published = pair(cases[name])
    assert CertaintyPenalty().of(original, published).value == pytest.approx(cases[name]["expect"]["NCP"])
    assert truthful(original, published).holds


@pytest.mark.parametrize(
    ("released", "expected"),
    [("partition_output", "partition"), ("global_2_2", "global_2_2"), ("global_2", "global_2")],
)
def test_ncp_of_the_partition_example(cases, released, expected):
    case = cases["he-naughton-ex2-partition"]
    original, published = pair(case, released)
    assert CertaintyPenalty().of(original, published).value == pytest.approx(case["expect"][expected]["NCP"])


def test_ncp_of_the_best_cut_of_terrovitis(cases):
    case = cases["terrovitis-2-2"]
    found = CertaintyPenalty().of(*pair(case))
    assert found.value == pytest.approx(case["expect"]["cut_A_b1_b2"]["NCP"])


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("policy-401.2-401.4", "UL_M5"),
        ("ugaclip-296", "UL_M6"),
        ("cba-296-corrected", "UL_M6"),
        ("set-based-493-296", "UL_M4"),
    ],
)
def test_utility_loss_of_the_slides(cases, name, figure):
    found = UtilityLoss().of(*pair(cases[name]))
    assert found.details["loss"] == pytest.approx(cases[name]["expect"][figure])


def test_utility_loss_of_generalised_items_alone(cases):
    case = cases["policy-401.2-401.4"]
    found = UtilityLoss(generalised_only=True).of(*pair(case))
    assert found.details["loss"] == pytest.approx(case["expect"]["UL_M5_only_generalised"])


@pytest.mark.parametrize("name", ["ugaclip-296", "cba-296-corrected", "cba-296-literal"])
def test_case_counts_of_utility_constraints(cases, name):
    case = cases[name]
    (expected,) = case["expect"]["anonymised"]["utility"].values()
    (kept,) = constraints_kept(*pair(case), case["params"]["utility_constraints"]).constraints
    assert (kept.crossing == 0) == expected["no_item_crosses_constraint"]
    assert kept.before == expected["orig_records_with_any"]
    assert kept.after == kept.possible == expected["anon_records_with_any"]
    assert kept.same_count == expected["preserved"]


def test_the_printed_cba_slide_is_not_truthful(cases):
    case = cases["cba-296-literal"]
    found = truthful(*pair(case))
    assert not found.holds
    assert found.rows == tuple(row + 1 for row, _ in case["expect"]["anonymised"]["untruthful_items"])


def test_the_corrected_slides_are_truthful(cases):
    for name in ("ugaclip-296", "cba-296-corrected", "set-based-493-296", "terrovitis-2-2", "avgre-401.2"):
        assert truthful(*pair(cases[name])).holds, name


def test_relative_error_of_the_slide(cases):
    case = cases["avgre-401.2"]
    original, published = pair(case)
    query = tuple(case["params"]["query"])
    expect = case["expect"]
    assert counted(PublishedSets.as_it_is(original), [query])[0][0] == expect["actual"]
    full, _ = counted(published, [query])
    assert full[0] == pytest.approx(expect["full_estimate_incl_node_401"])
    uniform, _ = counted(published, [query], Reading.UNIFORM)
    assert uniform[0] == pytest.approx(expect["uniform_1_over_n_estimate"])
    found = QueryError(given=(query,)).of(original, published)
    assert found.value == pytest.approx(expect["full_RE"])
    # The slide leaves the node of the last record out of the estimate.
    literal = published.record(3)[1:] if published.record(3)[0].startswith("(") else published.record(3)
    slide = PublishedSets.of([*case["anonymised"][:3], list(literal)], domain=original.domain)
    assert counted(slide, [query])[0][0] == pytest.approx(expect["slide_estimate"])
    assert QueryError(given=(query,)).of(original, slide).value == pytest.approx(expect["slide_RE"])
    assert truthful(original, published).suppressed == 2


def test_identity_disclosure_of_mary(cases):
    case = cases["identity-disclosure-mary"]
    risk = exposure(CodeSets.of(case["original"]), k=2, m=1)
    assert risk.alike_unique == case["expect"]["rows_unique_on_full_record"]
    # 401.1 of the second person is hers alone, as one code of each of the others is.
    assert risk.smallest.by_size == (3,)


def baskets(shared: Path, name: str) -> CodeSets:
    with gzip.open(shared / "data" / "codes" / "bench" / f"{name}.dat.gz", "rt") as lines:
        return CodeSets.of(line.split() for line in lines if line.strip())


def diagnoses(shared: Path) -> tuple[CodeSets, Visits]:
    path = shared / "data" / "codes" / "clinical" / "MIMIC3demo_DIAGNOSES_ICD.csv.gz"
    people: dict[str, set[str]] = defaultdict(set)
    visits: dict[tuple[str, str], set[str]] = defaultdict(set)
    with gzip.open(path, "rt") as lines:
        for row in csv.DictReader(lines):
            if row["ICD9_CODE"]:
                people[row["SUBJECT_ID"]].add(row["ICD9_CODE"])
                visits[row["SUBJECT_ID"], row["HADM_ID"]].add(row["ICD9_CODE"])
    place = {person: position for position, person in enumerate(people)}
    owners = np.array([place[person] for person, _ in visits])
    return CodeSets.of(people.values()), Visits(CodeSets.of(visits.values()), owners)


def conditions(shared: Path) -> CodeSets:
    path = shared / "data" / "codes" / "clinical" / "synthea_1k_conditions.csv.gz"
    people: dict[str, set[str]] = defaultdict(set)
    with gzip.open(path, "rt") as lines:
        for row in csv.DictReader(lines):
            people[row["PATIENT"]].add(row["DESCRIPTION"])
    return CodeSets.of(people.values())


def in_per_cent(share: float) -> float:
    return round(100 * share, 1)


@pytest.mark.parametrize(
    ("name", "whole", "worst_pair", "random_unique", "random_below"),
    [
        ("synthea", 85.2, 31.2, 3.7, 12.3),
        ("BMS-WebView-1", 26.8, 2.2, 1.0, 4.8),
        ("BMS-WebView-2", 57.2, 23.8, 10.2, 26.5),
        ("retail", 93.6, 78.8, 28.9, 48.4),
    ],
)
def test_profiles_of_public_data_sets(shared, name, whole, worst_pair, random_unique, random_below):
    """Whole sets and worst pairs as in the fact sheet; its random pairs were drawn, these are all of them."""
    sets = conditions(shared) if name == "synthea" else baskets(shared, name)
    risk = exposure(sets, k=5, m=2)
    pairs = risk.subsets[1]
    exactly_two = int((Matching.within(sets).subsets(2, 5).least == 1).sum())
    assert in_per_cent(risk.alike_unique / risk.people) == whole
    assert in_per_cent(exactly_two / risk.people) == worst_pair
    # Somebody with a single code, and a rare one, is found by up to two codes, too.
    assert exactly_two <= pairs.unique <= 1.001 * exactly_two
    assert in_per_cent(pairs.random.unique) == random_unique
    assert in_per_cent(pairs.random.below) == random_below


def test_everybody_of_the_mimic_demo_is_unique_and_three_digits_do_not_help(shared):
    sets, visits = diagnoses(shared)
    risk = exposure(sets, k=5, m=3, visits=visits, coarser={"three digits": three_digits})
    assert risk.people == 100
    assert risk.alike_unique == 100
    assert [subset.unique for subset in risk.subsets[1:]] == [100, 100]
    assert risk.subsets[1].random.unique == pytest.approx(0.64, abs=0.05)
    assert risk.subsets[1].random.below == pytest.approx(0.94, abs=0.05)
    coarse = risk.coarser[0][1]
    assert coarse.alike_unique == 100
    assert coarse.subsets[1].unique == 98
    assert coarse.subsets[1].random.unique == pytest.approx(0.37, abs=0.05)
    assert coarse.subsets[1].random.below == pytest.approx(0.70, abs=0.05)
    assert risk.visits.visits == 129
    assert risk.visits.unique >= 127
