"""The slides on policies, as worked out in the golden cases: methods reach what the slides show."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from sfumato.codes.contract import Problem
from sfumato.codes.methods.aclip import Aclip
from sfumato.codes.methods.clustering_based import ClusteringBased
from sfumato.codes.methods.constraint_based import Coat
from sfumato.codes.methods.pcta import Pcta
from sfumato.codes.methods.ugaclip import Ugaclip
from sfumato.codes.models.privacy_constraints import PrivacyConstraints
from sfumato.codes.policies import GWAS_DISEASES, extract_utility_constraints
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility.information_loss import log2_loss

pytestmark = pytest.mark.golden
METHODS: list[Any] = [Coat(), Ugaclip(), ClusteringBased(), Aclip(), Pcta()]


def case_of(shared: Path, name: str) -> dict[str, Any]:
    cases = json.loads((shared / "golden" / "codes.json").read_text(encoding="utf-8"))["cases"]
    found: dict[str, Any] = next(case for case in cases if case["id"] == name)
    return found


def problem_of(case: dict[str, Any], utility: list[list[str]] | None = None) -> Problem:
    params = case["params"]
    wanted = utility or params.get("utility_constraints", [])
    return Problem(
        CodeSets.of(case["original"]),
        (PrivacyConstraints(params["k"], params["privacy_constraints"]),),
        utility=tuple(map(tuple, wanted)),
    )


def loss(published: object) -> float:
    """Add up UL over the items."""
    assert isinstance(published, PublishedSets)
    sizes, supports = published.items.sizes.tolist(), published.supports.tolist()
    codes, records = published.items.total, len(published)
    return sum(2 ** log2_loss(n, s, codes, records) for n, s in zip(sizes, supports, strict=True))


def as_published(case: dict[str, Any]) -> PublishedSets:
    return PublishedSets.of(case["anonymised"], domain=CodeSets.of(case["original"]).domain)


def records_of(published: object) -> list[tuple[str, ...]]:
    assert isinstance(published, PublishedSets)
    return [published.record(r) for r in range(len(published))]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_two_constraints_over_eight_letters_are_protected_with_less_loss_than_the_slide(
    method: Any, shared: Path
) -> None:
    case = case_of(shared, "policy-abc-defgh")
    problem = problem_of(case, case["params"]["privacy_constraints"])
    model = problem.models[0]
    assert not model.check(PublishedSets.as_it_is(problem.sets)).holds
    assert model.check(as_published(case)).holds
    published = method.protect(problem).published
    assert model.check(published).holds
    if method.name != "coat":
        assert loss(published) <= loss(as_published(case))


@pytest.mark.parametrize("method", [Ugaclip(), Coat(), ClusteringBased()], ids=lambda method: method.name)
def test_401_2_and_401_4_become_one_item_as_on_the_slide(method: Any, shared: Path) -> None:
    case = case_of(shared, "policy-401.2-401.4")
    published = method.protect(problem_of(case, [["401.2", "401.4"]])).published
    assert records_of(published) == records_of(as_published(case))
    assert loss(published) == pytest.approx(case["expect"]["UL_M5"])


@pytest.mark.parametrize("method", [Aclip(), Pcta()], ids=lambda method: method.name)
def test_without_a_utility_policy_nothing_is_lost_but_precision(method: Any, shared: Path) -> None:
    problem = problem_of(case_of(shared, "policy-401.2-401.4"))
    solution = method.protect(problem)
    assert problem.models[0].check(solution.published).holds
    assert solution.details["codes_suppressed"] == 0


def test_ugaclip_walks_the_slide(shared: Path) -> None:
    case = case_of(shared, "ugaclip-296")
    solution = Ugaclip().protect(problem_of(case))
    assert records_of(solution.published) == records_of(as_published(case))
    assert loss(solution.published) == pytest.approx(case["expect"]["UL_M6"])
    assert solution.details["codes_suppressed"] == 0


def test_the_slide_of_cba_as_printed_does_not_keep_its_promise(shared: Path) -> None:
    case = case_of(shared, "cba-296-literal")
    verdict = problem_of(case).models[0].check(as_published(case))
    assert not verdict.holds
    assert verdict.witness is not None
    assert verdict.witness.size == case["expect"]["anonymised"]["support"]


def test_cba_protects_the_slide_and_loses_no_more_than_its_corrected_result(shared: Path) -> None:
    case = case_of(shared, "cba-296-corrected")
    problem = problem_of(case)
    assert problem.models[0].check(as_published(case)).holds
    assert loss(as_published(case)) == pytest.approx(case["expect"]["UL_M6"])
    published = ClusteringBased().protect(problem).published
    assert problem.models[0].check(published).holds
    assert loss(published) <= case["expect"]["UL_M6"]


def test_the_set_based_model_of_the_slide_comes_out_of_its_constraints(shared: Path) -> None:
    case = case_of(shared, "set-based-493-296")
    pairs = [["493.00", "493.01"], ["296.01", "296.02"]]
    problem = Problem(
        CodeSets.of(case["original"]), (PrivacyConstraints(2, pairs),), utility=tuple(map(tuple, pairs))
    )
    for method in METHODS[:3]:
        published = method.protect(problem).published
        assert records_of(published) == records_of(as_published(case)), method.name
        assert loss(published) == pytest.approx(case["expect"]["UL_M4"])


def test_every_disease_under_study_has_codes_in_the_icd_and_none_is_shared(shared: Path) -> None:
    path = shared / "data" / "codes" / "icd" / "icd9cm_2015_hierarchy.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        leaves = [line.split(";")[0] for line in file][1:]
    sets = CodeSets.of([leaves])
    assert len(GWAS_DISEASES) == 18
    for disease, names in GWAS_DISEASES.items():
        for name in names:
            assert extract_utility_constraints(sets, {disease: name}).constraints, (disease, name)
    policy = extract_utility_constraints(sets, GWAS_DISEASES, overlaps="refuse")
    assert len(policy) == 18
    assert policy.merged == 0
