"""The risk of every combination of columns against dictionaries, and what is made of it."""

from __future__ import annotations

import string
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.cells import Cells
from sfumato.table.count import count
from sfumato.table.risk import ClassSizes, ProsecutorRisk, Uniques
from sfumato.table.risk.subsets import SubsetRisks
from sfumato.table.risk.walk import MOST_SUBSETS, number_of_subsets
from tests.oracles import risk as people_oracle
from tests.oracles import subsets as oracle

values = st.integers(0, 3)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[values] * width), min_size=1, max_size=14)
)
thresholds = st.fractions(0, 1, max_denominator=12)


def cells_of(rows: list[tuple[int, ...]], domain: int = 4, spread: int = 1) -> Cells:
    """Lay rows out as cells; codes are ``spread`` apart in a domain of ``domain`` values."""
    width = len(rows[0])
    distinct, counts = np.unique(np.array(rows, np.int32).T, axis=1, return_counts=True)
    domains = tuple(
        Domain(string.ascii_letters[j], tuple(range(domain)), Scale.CATEGORY) for j in range(width)
    )
    total = counts.astype(np.int64)
    return Cells(domains, np.ascontiguousarray(distinct * spread, np.int32), total, total)


def counted(duck: Engine, rows: list[tuple[int, ...]], people: list[int]) -> Cells:
    columns: dict[str, Any] = {
        string.ascii_letters[j]: column for j, column in enumerate(zip(*rows, strict=True))
    }
    table = duck.read(Frame(pa.table({**columns, "who": people})))
    return count(table, list(columns), person="who").cells


def compare(found: SubsetRisks, rows: list[tuple[int, ...]], people: list[int], limit: Fraction) -> None:
    everybody = len(set(people))
    wanted = list(oracle.subsets(len(rows[0]), found.up_to))
    assert [risk.columns for risk in found.subsets] == [
        tuple(string.ascii_letters[j] for j in chosen) for chosen in wanted
    ]
    for risk, chosen in zip(found.subsets, wanted, strict=True):
        expected = oracle.measured(rows, people, chosen, limit)
        assert (risk.classes, risk.smallest, risk.uniques, risk.above) == (
            expected.classes,
            expected.smallest,
            expected.uniques,
            expected.above,
        )
        assert risk.unique_share == expected.uniques / everybody
        assert risk.share_above == expected.above / everybody
        assert risk.average == pytest.approx(float(expected.average), abs=1e-15)
        assert risk.distinction == float(expected.distinction)
        assert risk.separation == (None if expected.separation is None else float(expected.separation))


@given(tables, st.integers(1, 4), thresholds)
@settings(deadline=None)
def test_every_combination_is_measured_as_dictionaries_measure_it(
    rows: list[tuple[int, ...]], up_to: int, limit: Fraction
) -> None:
    found = SubsetRisks.of(cells_of(rows), up_to, limit)
    assert found.persons == len(rows)
    assert not found.upper_bounds
    compare(found, rows, list(range(len(rows))), limit)


@given(tables, st.integers(1, 4))
@settings(deadline=None)
def test_columns_of_very_many_values_are_measured_the_same(rows: list[tuple[int, ...]], up_to: int) -> None:
    # Four columns of 100,000 values: more possible combinations than 64 bits can number.
    found = SubsetRisks.of(cells_of(rows, 100_000, 33_333), up_to)
    compare(found, rows, list(range(len(rows))), Fraction(1, 5))


@given(tables, st.data())
@settings(deadline=None, max_examples=40)
def test_people_with_several_rows_are_counted_once_in_each_class(
    duck: Engine, rows: list[tuple[int, ...]], data: st.DataObject
) -> None:
    people = data.draw(st.lists(st.integers(0, 5), min_size=len(rows), max_size=len(rows)))
    found = SubsetRisks.of(counted(duck, rows, people), 3, Fraction(1, 3))
    assert found.persons == len(set(people))
    compare(found, rows, people, Fraction(1, 3))
    for risk in found.subsets:
        chosen = [string.ascii_letters.index(name) for name in risk.columns]
        classes = sorted({tuple(row[j] for j in chosen) for row in rows})
        pairs = [
            (person, classes.index(tuple(row[j] for j in chosen)))
            for row, person in zip(rows, people, strict=True)
        ]
        chances = people_oracle.chances(pairs)
        assert 1 >= risk.unique_share >= float(people_oracle.share_unique(chances))
        assert 1 >= risk.average >= float(people_oracle.average(chances)) - 1e-15
        if not found.upper_bounds:
            assert risk.unique_share == float(people_oracle.share_unique(chances))


@given(tables, st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(87, 100), Fraction(1)]))
@settings(deadline=None)
def test_the_smallest_identifying_sets_are_those_of_which_no_part_identifies(
    rows: list[tuple[int, ...]], share: Fraction
) -> None:
    found = SubsetRisks.of(cells_of(rows), 3).identifying(share)
    wanted = oracle.smallest_identifying(rows, list(range(len(rows))), min(3, len(rows[0])), share)
    assert {tuple(string.ascii_letters.index(name) for name in risk.columns) for risk in found} == wanted
    order = [(len(risk.columns), -risk.uniques) for risk in found]
    assert order == sorted(order)


@given(tables)
@settings(deadline=None)
def test_growth_tells_the_least_the_mean_and_the_greatest_of_every_size(rows: list[tuple[int, ...]]) -> None:
    found = SubsetRisks.of(cells_of(rows), 3)
    for step in found.growth:
        shares = [
            Fraction(oracle.measured(rows, list(range(len(rows))), chosen, Fraction(1)).uniques, len(rows))
            for chosen in oracle.subsets(len(rows[0]), 3)
            if len(chosen) == step.size
        ]
        averages = [risk.average for risk in found.subsets if len(risk.columns) == step.size]
        assert step.subsets == len(shares)
        assert step.least_unique == float(min(shares))
        assert step.greatest_unique == float(max(shares))
        assert step.mean_unique == pytest.approx(float(sum(shares) / len(shares)), abs=1e-12)
        assert step.least_average == min(averages)
        assert step.mean_average == pytest.approx(sum(averages) / len(averages))
        assert step.greatest_average == max(averages)
    for less, more in zip(found.growth, found.growth[1:], strict=False):
        assert less.mean_unique <= more.mean_unique + 1e-12
        assert less.greatest_unique <= more.greatest_unique


@given(tables, thresholds)
@settings(deadline=None)
def test_all_columns_together_have_the_risk_that_the_other_measures_say(
    rows: list[tuple[int, ...]], limit: Fraction
) -> None:
    cells = cells_of(rows)
    together = SubsetRisks.of(cells, 1, limit).together
    risk = ProsecutorRisk.of(cells.persons, threshold=limit)
    assert together.uniques == Uniques.of(cells.persons).count
    assert (together.average, together.above) == (risk.average, risk.above)
    sizes = ClassSizes.of(cells.persons)
    assert (together.classes, together.smallest) == (sizes.number, sizes.smallest)


def test_birth_sex_and_zip_identify_together_what_none_of_them_does_alone() -> None:
    rows = [(birth, zip_, sex) for birth in range(3) for zip_ in range(3) for sex in range(2)]
    found = SubsetRisks.of(cells_of(rows), 3)
    assert [step.greatest_unique for step in found.growth] == [0.0, 0.0, 1.0]
    assert [risk.columns for risk in found.identifying(0.87)] == [("a", "b", "c")]
    assert found.threat is Threat.IDENTITY


def test_most_people_of_a_zip_code_are_alone_with_their_birth_date_and_sex() -> None:
    # About 8,130 people live in a ZIP code; of 80 · 365 · 2 possible cells each is shared with chance 13 %.
    random = np.random.default_rng(87)
    zips, number = 20, 20 * 8_130
    zip_, day, sex = (random.integers(0, size, number) for size in (zips, 80 * 365, 2))
    columns = {"zip": zip_, "zip3": zip_ // 10, "birth": day, "year": day // 365, "sex": sex}
    codes, counts = np.unique(np.array(list(columns.values()), np.int32), axis=1, return_counts=True)
    domains = tuple(
        Domain(name, tuple(range(int(column.max()) + 1)), Scale.CATEGORY) for name, column in columns.items()
    )
    persons = counts.astype(np.int64)
    risks = SubsetRisks.of(Cells(domains, np.ascontiguousarray(codes), persons, persons), 3)
    share = {risk.columns: risk.unique_share for risk in risks.subsets}
    assert share["zip", "birth", "sex"] == pytest.approx(0.87, abs=0.01)
    assert share["zip3", "year", "sex"] == 0
    assert [risk.columns for risk in risks.identifying(0.85)] == [("zip", "birth", "sex")]
    assert max(share[name,] for name in columns) < 0.03


def test_a_share_that_is_exactly_reached_identifies() -> None:
    rows = [(i,) for i in range(87)] + [(87 + i // 2,) for i in range(13)]
    rows[-1] = rows[-2]
    found = SubsetRisks.of(cells_of(rows, 100))
    assert found.subsets[0].uniques == 87
    assert len(found.identifying(0.87)) == 1
    assert found.identifying(0.8700001) == ()


def test_cells_that_only_the_population_has_make_no_class() -> None:
    domains = (Domain("a", (0, 1, 2), Scale.CATEGORY),)
    rows = np.array([2, 0, 1], np.int64)
    cells = Cells(domains, np.array([[0, 1, 2]], np.int32), rows, rows, population=np.array([9, 9, 9]))
    (risk,) = SubsetRisks.of(cells).subsets
    assert (risk.classes, risk.uniques, risk.smallest) == (2, 1, 1)


def test_people_with_several_rows_are_counted_once_beside_a_population_too(duck: Engine) -> None:
    # The first cell is the population's alone, so all others move up by one place.
    people = duck.read(Frame(pa.table({"a": [1, 2, 2], "b": [5, 5, 6], "who": [7, 7, 8]})))
    everybody = duck.read(Frame(pa.table({"a": [0, 1, 2], "b": [5, 5, 5]})))
    cells = count(people, ["a", "b"], person="who", population=everybody).cells
    risks = {risk.columns: risk for risk in SubsetRisks.of(cells, 2).subsets}
    assert (risks["b",].classes, risks["b",].uniques) == (2, 2)
    assert (risks["a",].smallest, risks["a",].uniques) == (1, 1)
    assert risks["a", "b"].classes == 3


def test_a_single_row_has_no_pairs_to_separate() -> None:
    (risk,) = SubsetRisks.of(cells_of([(0,)])).subsets
    assert risk.separation is None
    assert risk.unique_share == 1.0


def test_it_prints_as_a_table_of_the_riskiest_combinations() -> None:
    rows = [(i, i % 2, 0, i % 3) for i in range(4)]
    printed = str(SubsetRisks.of(cells_of(rows), 2)).splitlines()
    assert printed[0] == "10 combinations of up to 2 columns, 4 persons"
    assert printed[1] == "columns  smallest  uniques   unique  average   above 20 %"
    assert printed[2] == "a               1        4  100.0 %  100.0 %      100.0 %"
    assert "more" not in printed[-1]
    many = str(SubsetRisks.of(cells_of(rows), 3)).splitlines()
    assert many[-1] == "and 4 more"


@pytest.mark.parametrize("up_to", [0, -1, 1.5, True, "3"])
def test_a_size_that_is_no_whole_number_from_one_is_refused(up_to: Any) -> None:
    with pytest.raises(BadInput, match="whole number from 1"):
        SubsetRisks.of(cells_of([(0,)]), up_to)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), True])
def test_a_share_outside_zero_to_one_is_refused(share: float) -> None:
    with pytest.raises(BadInput, match="between 0 and 1"):
        SubsetRisks.of(cells_of([(0,)]), 1, share)
    with pytest.raises(BadInput, match="between 0 and 1"):
        SubsetRisks.of(cells_of([(0,)])).identifying(share)


def test_too_many_combinations_are_refused_with_a_size_that_works() -> None:
    rows = [tuple(range(40))]
    with pytest.raises(BadInput, match=r"102,090 combinations of up to 4; combine up to 3 columns"):
        SubsetRisks.of(cells_of(rows, 40), 4)
    assert number_of_subsets(40, 3) <= MOST_SUBSETS
    assert len(SubsetRisks.of(cells_of(rows, 40), 2).subsets) == 820


def test_a_table_without_people_has_no_risk_to_report() -> None:
    empty = np.zeros(0, np.int64)
    cells = Cells((Domain("a", (0,), Scale.CATEGORY),), np.zeros((1, 0), np.int32), empty, empty)
    with pytest.raises(BadInput, match="nobody"):
        SubsetRisks.of(cells)
