"""Promises about all classes together, and about the input, against what ARX 3.9.2 reached.

ARX leaves out the smallest classes first; of equal ones those for which its measure charges most, or where it
charges nothing for single rows the first of the file. ARX rounds losses down to ten decimals.
"""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest

from sfumato.table.cells import Cells
from sfumato.table.left_out import LeftOut
from sfumato.table.methods.lattice.chosen import ChoosingGrouper
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem, Solution
from sfumato.table.utility.contract import Utility
from sfumato.table.utility.entropy import NonUniformEntropy
from sfumato.table.utility.loss import Loss
from sfumato.table.whole_rule import WholeKind, WholeRule
from tests.oracles.arx_models import problem_of
from tests.oracles.arx_tables import case_of

pytestmark = pytest.mark.golden

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
USA = 317_238_626


def case(name: str) -> dict[str, Any]:
    path = SHARED / "golden" / "table-arx.json"
    if not path.is_file():
        pytest.skip("the golden cases are not there")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    found: dict[str, Any] = next(one for one in cases if one["id"] == name)
    return found


def nine(*, in_order_of_the_file: bool = False) -> Problem:
    """Adult with nine quasi-identifiers; cells as they are counted, or as they first come in the file."""
    told = case("adult9_sampleuniq0.01_s0.05")
    cells, ladders = case_of(SHARED, told)
    if in_order_of_the_file:
        with gzip.open(SHARED / told["dataset"]) as file:
            table = pa_csv.read_csv(
                file,
                parse_options=pa_csv.ParseOptions(delimiter=";"),
                convert_options=pa_csv.ConvertOptions(
                    include_columns=list(cells.names),
                    column_types={name: pa.string() for name in cells.names},
                    strings_can_be_null=False,
                ),
            )
        code_of = [{value: code for code, value in enumerate(domain.values)} for domain in cells.domains]
        columns = [
            [codes[value] for value in table[name].to_pylist()]
            for codes, name in zip(code_of, cells.names, strict=True)
        ]
        seen: dict[tuple[int, ...], int] = {}
        for row, combination in enumerate(zip(*columns, strict=True)):
            seen.setdefault(combination, row)
        order = np.argsort([seen[tuple(cell)] for cell in cells.codes.T.tolist()])
        rows = np.array(cells.rows[order])
        cells = Cells(cells.domains, np.ascontiguousarray(cells.codes[:, order]), rows, rows)
    return Problem(cells, ladders, ())


def solve(problem: Problem, rule: WholeRule, limit: float, utility: Utility) -> Solution:
    return OptimalLattice(limit).search(Problem(problem.cells, problem.ladders, (), whole=(rule,)), utility)


def average(share: Fraction) -> WholeRule:
    return WholeRule(WholeKind.AVERAGE, share)


def estimated(estimator: Any) -> WholeRule:
    return WholeRule(WholeKind.UNIQUE_IN_POPULATION, Fraction(1, 10_000), USA, estimator)


ALONE = WholeRule(WholeKind.UNIQUE, Fraction(1, 100))


def test_sample_uniqueness_is_the_recorded_optimum() -> None:
    told = case("adult9_sampleuniq0.01_s0.05")["result"]
    found = solve(nine(), ALONE, 0.05, Loss())
    assert found.score == pytest.approx(float(told["score"]), abs=1e-9)
    assert found.levels == tuple(told["levels"].values())
    assert found.suppressed_rows == told["output"]["suppressed"]
    assert found.boxes.shape[1] == told["output"]["classes"]


@pytest.mark.parametrize(
    ("rule", "limit", "expected"),
    [
        pytest.param(average(Fraction(1, 20)), 0.05, 0.168, id="average risk"),
        pytest.param(ALONE, 0.04, 0.1607, id="sample uniqueness"),
        pytest.param(estimated("zayatz"), 0.04, 0.1608, id="population uniqueness, Zayatz"),
    ],
)
def test_the_loss_is_the_one_that_was_reported(rule: WholeRule, limit: float, expected: float) -> None:
    digits = len(str(expected)) - 2
    found = solve(nine(), rule, limit, Loss())
    assert isinstance(found.score, float)
    assert isinstance(found.bound, float)
    assert round(found.score, digits) == expected
    assert found.bound <= found.score


def test_the_entropy_is_the_one_that_was_reported_when_classes_go_in_the_order_of_the_file() -> None:
    problem = nine(in_order_of_the_file=True)
    found = solve(problem, average(Fraction(1, 100)), 0.04, NonUniformEntropy())
    assert isinstance(found.score, float)
    assert round(found.score) == 314_638


@pytest.mark.slow
@pytest.mark.parametrize("estimator", ["dankar", "pitman"])
def test_the_entropy_under_pitmans_model_is_the_one_that_was_reported(estimator: str) -> None:
    found = solve(nine(in_order_of_the_file=True), estimated(estimator), 0.05, NonUniformEntropy())
    assert isinstance(found.score, float)
    assert round(found.score) == 144_298


def test_pitmans_model_is_kept_at_the_recorded_node_by_as_many_rows_and_elsewhere_for_less() -> None:
    """By the estimate here a node is allowed, too, that loses less than the recorded one."""
    told = case("adult9_popuniq_pitman0.0001_usa_s0.05")["result"]
    problem, rule = nine(), estimated("pitman")
    asked = Problem(problem.cells, problem.ladders, (), whole=(rule,))
    limit, ladders = 1508, tuple(ladder for ladder in problem.ladders if ladder is not None)
    scorer = Loss().prepare(problem.cells, ladders)
    grouper = ChoosingGrouper(LeftOut(asked, limit), ladders, limit, scorer)
    survey = grouper.survey(grouper.group(np.array(list(told["levels"].values()))), 1)
    assert survey.suppressed == told["output"]["suppressed"]
    found = solve(problem, rule, 0.05, Loss())
    assert isinstance(found.score, float)
    assert found.score < float(told["score"])


def beta(number: int, *, as_released: bool) -> Problem:
    rule = Rule(RuleKind.LIKENESS, (number, 1), True, "occupation", as_released=as_released)
    return problem_of(SHARED, case("adult8_basic_beta1_s0.05"), (rule,))


@pytest.mark.parametrize(("number", "limit", "expected"), [(3, 0.5, 0.349), (5, 0.4, 0.234)])
def test_likeness_to_the_input_is_what_was_reported(number: int, limit: float, expected: float) -> None:
    found = OptimalLattice(limit).search(beta(number, as_released=False), Loss())
    assert isinstance(found.score, float)
    assert round(found.score, 3) == expected
    assert found.optimal


def test_likeness_to_the_release_never_costs_more_under_a_higher_limit() -> None:
    """Repeated against the last release, the search went from .478 at 0.1 to .651 at 0.5, and refused 0.3."""
    scores = []
    for limit in (0.1, 0.5):
        found = OptimalLattice(limit).search(beta(3, as_released=True), Loss())
        assert isinstance(found.score, float)
        assert isinstance(found.bound, float)
        assert found.bound <= found.score
        scores.append(found.score)
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] <= 0.478
