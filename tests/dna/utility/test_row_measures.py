"""Measures of what rows have lost say what their definitions say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.utility import (
    MEASURES,
    CellsChanged,
    FrequencyError,
    HitsLost,
    LatticeLoss,
    LinkageError,
    RankingError,
)
from sfumato.dna.utility.association import chi_squares, p_values
from sfumato.dna.utility.ranks import kendall, ranks, spearman
from sfumato.dna.utility.weights import common_alleles
from sfumato.hierarchy.iupac import genotypes, iupac
from tests.oracles import dna_utility as oracle

LETTERS = "ACGTRYBN-"
every_measure = pytest.mark.parametrize("measure", [kind() for kind in MEASURES.values()], ids=str)


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[list[str], list[str], list[int]]:
    """An original, a release of some of its rows (whatever it says of them), and which rows these are."""
    width = draw(st.integers(1, 5))
    row = st.text(alphabet=LETTERS, min_size=width, max_size=width)
    original = draw(st.lists(row, min_size=2, max_size=8))
    kept = draw(st.lists(st.integers(0, len(original) - 1), unique=True, min_size=1))
    published = [draw(st.one_of(st.just(original[at]), row)) for at in kept]
    return original, published, kept


def compared(measure: Any, tables: tuple[list[str], list[str], list[int]], **more: Any) -> Measured | None:
    original, published, kept = tables
    found: Measured | None = measure.of(
        aligned(*original), aligned(*published), kept=np.array(kept, np.int64), **more
    )
    return found


def same(found: Measured | None, expected: float | None) -> None:
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert math.isclose(found.value, expected, abs_tol=1e-12)


@given(two_tables())
@settings(max_examples=80, deadline=None)
def test_lattice_loss_adds_up_levels(tables: tuple[list[str], list[str], list[int]]) -> None:
    lost, possible = oracle.lattice_loss(*tables)
    found = compared(LatticeLoss(), tables)
    same(found, lost / possible if possible else None)
    if found is not None:
        assert found.details["levels"] == lost


@given(two_tables())
@settings(max_examples=80, deadline=None)
def test_every_cell_is_kept_changed_or_left_out(tables: tuple[list[str], list[str], list[int]]) -> None:
    original, published, kept = tables
    found = compared(CellsChanged(), tables)
    assert found is not None
    pairs = [
        (original[at][c], row[c]) for at, row in zip(kept, published, strict=True) for c in range(len(row))
    ]
    holds = oracle.HOLDS
    assert found.details["kept"] == sum(x == y for x, y in pairs)
    assert found.details["untrue"] == sum(not set(holds[x]) <= set(holds[y]) for x, y in pairs)
    assert found.details["blanked"] == sum(x != y == "N" for x, y in pairs)
    parts = ("kept", "generalised", "blanked", "untrue", "left out")
    assert sum(int(found.details[part]) for part in parts) == found.details["cells"]
    assert math.isclose(found.value, 1 - int(found.details["kept"]) / int(found.details["cells"]))


@given(two_tables())
@settings(max_examples=80, deadline=None)
def test_frequencies_count_sets_evenly(tables: tuple[list[str], list[str], list[int]]) -> None:
    same(compared(FrequencyError(), tables), oracle.frequency_error(*tables[:2]))


@given(two_tables(), st.integers(1, 3))
@settings(max_examples=80, deadline=None)
def test_linkage_is_compared_over_neighbours(
    tables: tuple[list[str], list[str], list[int]], apart: int
) -> None:
    same(compared(LinkageError(apart), tables), oracle.linkage_error(*tables[:2], apart))


@given(two_tables(), st.data())
@settings(max_examples=80, deadline=None)
def test_chi_square_is_that_of_the_fractional_table(
    tables: tuple[list[str], list[str], list[int]], data: st.DataObject
) -> None:
    original = tables[0]
    ill = data.draw(st.lists(st.booleans(), min_size=len(original), max_size=len(original)))
    rows = aligned(*original)
    found = chi_squares(rows, np.array(ill), common_alleles(rows))
    for at in range(rows.width):
        common = oracle.common_base([row[at] for row in original])
        assert math.isclose(found[at], oracle.allelic(original, ill, common, at), abs_tol=1e-12)


def test_linkage_of_many_columns_is_that_of_every_pair() -> None:
    random = np.random.default_rng(3)
    letters = np.array(list("AGRN"))
    original = ["".join(letters[random.integers(0, 2, 150)]) for _ in range(12)]
    published = ["".join(letters[random.integers(0, 4, 150)]) for _ in range(12)]
    found = LinkageError(3).of(aligned(*original), aligned(*published))
    same(found, oracle.linkage_error(original, published, 3))


def test_joins_of_the_lecture_keep_frequencies_and_lose_four_levels() -> None:
    original, published = aligned("AATTA", "ATTCA"), aligned("AWTYA", "AWTYA")
    loss = LatticeLoss().of(original, published)
    assert loss is not None
    assert loss.details["levels"] == 4
    frequency = FrequencyError().of(original, published)
    assert frequency is not None
    assert frequency.value == 0


def test_genotypes_count_alternate_alleles() -> None:
    before = Aligned(np.array([[1], [2], [4], [4]], np.uint8), genotypes())
    after = Aligned(np.array([[3], [3], [7], [4]], np.uint8), genotypes())
    found = FrequencyError().of(before, after)
    assert found is not None
    assert math.isclose(found.value, abs(5 / 8 - (0.25 + 0.25 + 1) / 3))


def test_the_allelic_test_counts_two_alleles_of_each_person() -> None:
    cells = np.array([[1], [2], [4], [4], [2], [1], [1], [1]], np.uint8)
    rows = Aligned(cells, genotypes())
    ill = np.arange(8) < 4
    # Cases: 5 alternate of 8 alleles; controls: 1 of 8.
    expected = float(oracle.chi_square([5, 3], [1, 7]))  # type: ignore[list-item] # whole numbers are fractions
    assert math.isclose(chi_squares(rows, ill, np.array([0]))[0], expected)
    expected = float(oracle.chi_square([1, 1, 2], [3, 1, 0]))  # type: ignore[list-item] # as above
    assert math.isclose(chi_squares(rows, ill, np.array([0]), "genotypic")[0], expected)


def test_bases_have_no_genotypic_test() -> None:
    with pytest.raises(BadInput, match="no genotypes"):
        HitsLost(test="genotypic").of(aligned("A", "G"), aligned("A", "G"), cases=np.array([True, False]))


def test_p_values_are_those_of_the_tail_of_chi_square() -> None:
    """By adding up the density, far enough and finely enough."""
    for test, power in (("allelic", -0.5), ("genotypic", 0.0)):
        x = np.linspace(2.0, 120.0, 2_000_001)
        density = x**power * np.exp(-x / 2) / (2 ** (power + 1) * math.gamma(power + 1))
        tail = float(np.trapezoid(density, x))
        assert math.isclose(float(p_values(np.array([2.0]), test)[0]), tail, rel_tol=1e-6)  # type: ignore[arg-type] # a literal


ranked = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=12)


@given(ranked, st.data())
@settings(max_examples=100, deadline=None)
def test_rank_correlations_are_those_of_all_pairs(x: list[float], data: st.DataObject) -> None:
    y = data.draw(st.lists(st.integers(0, 6).map(float), min_size=len(x), max_size=len(x)))
    a, b = np.array(x), np.array(y)
    assert ranks(a).tolist() == [float(rank) for rank in oracle.ranks(x)]
    found, expected = kendall(a, b), oracle.kendall(x, y)
    assert (found is None) == (expected is None) == (spearman(a, b) is None)
    if found is not None and expected is not None:
        assert math.isclose(found, expected, abs_tol=1e-12)
        pearson = float(np.corrcoef(ranks(a), ranks(b))[0, 1])
        assert math.isclose(spearman(a, b) or 0.0, pearson, abs_tol=1e-12)


@every_measure
def test_nothing_is_lost_where_nothing_changed(measure: Any) -> None:
    random = np.random.default_rng(5)
    cells = (1 << random.integers(0, 2, (60, 8))).astype(np.uint8)
    ill = np.arange(60) < 30
    cells[:, 0] = np.where(ill, 1, 2)
    rows = Aligned(cells)
    found = measure.of(rows, rows, cases=ill)
    assert found is not None
    assert found.value == 0


@every_measure
def test_everything_is_lost_where_everything_is_open(measure: Any) -> None:
    cells = np.tile(np.array([[1, 2, 1], [4, 8, 4]], np.uint8), (20, 1))
    ill = np.arange(40) % 2 == 0
    rows = Aligned(cells)
    found = measure.of(rows, rows.with_cells(np.full_like(cells, 15)), cases=ill)
    assert found is not None
    # All three positions are among the first ten, whatever their order.
    assert found.value == (0.0 if measure.name == "ranking-error" else 1.0)


def test_hits_are_counted_at_the_threshold_of_bonferroni() -> None:
    ill = np.arange(40) < 20
    cells = np.ones((40, 3), np.uint8)
    cells[ill, 0] = 2
    original = Aligned(cells)
    blanked, invented = cells.copy(), cells.copy()
    blanked[:, 0] = 15
    invented[ill, 1] = 2
    found = HitsLost().of(original, Aligned(blanked), cases=ill)
    assert found is not None
    assert (found.value, found.details["hits"], found.details["new hits"]) == (1.0, 1, 0)
    assert found.details["p at most"] == 0.05 / 3
    found = HitsLost().of(original, Aligned(invented), cases=ill)
    assert found is not None
    assert (found.value, found.details["new hits"]) == (0.0, 1)


def test_a_ranking_that_says_nothing_has_no_correlation_and_is_no_success() -> None:
    ill = np.arange(20) < 10
    cells = np.ones((20, 20), np.uint8)
    cells[ill, 3] = 2
    found = RankingError(top=1).of(Aligned(cells), Aligned(np.full_like(cells, 15)), cases=ill)
    assert found is not None
    assert math.isclose(found.value, 1 - 1 / 20)
    assert "spearman" not in found.details


def test_without_cases_or_hits_there_is_nothing_to_lose() -> None:
    rows = aligned("AC", "AC", "AC", "AC")
    ill = np.array([True, True, False, False])
    assert RankingError().of(rows, rows) is None
    assert HitsLost().of(rows, rows) is None
    assert HitsLost().of(rows, rows, cases=ill) is None
    assert RankingError().of(rows, rows, cases=ill) is None
    assert LinkageError().of(rows, rows) is None
    assert LatticeLoss().of(aligned("NN"), aligned("NN")) is None


@every_measure
def test_what_cannot_be_compared_is_refused(measure: Any) -> None:
    rows = aligned("AC", "AT")
    named = Aligned(rows.cells, positions=("MT:1", "MT:2"))
    wrong = [
        (aligned("A", "A"), {}),
        (aligned("AC"), {}),
        (named, {}),
        (Aligned(np.ones_like(rows.cells), genotypes()), {}),
        (aligned("AC"), {"kept": np.array([2])}),
        (rows, {"kept": np.array([1, 1])}),
    ]
    for published, more in wrong:
        with pytest.raises(BadInput):
            measure.of(rows, published, **more)


def test_cases_must_be_said_of_everybody() -> None:
    rows = aligned("AC", "AT")
    for cases in (np.array([True]), np.array([1, 0]), np.array([True, True])):
        with pytest.raises(BadInput, match="cases"):
            RankingError().of(rows, rows, cases=cases)


def test_parameters_are_checked() -> None:
    for make in (
        lambda: RankingError(top=0),
        lambda: RankingError(test="exact"),  # type: ignore[arg-type] # what a recipe may hold
        lambda: LinkageError(apart=0),
        lambda: HitsLost(alpha=1.0),
    ):
        with pytest.raises(BadInput):
            make()


def test_the_level_of_a_gap_is_that_of_the_original() -> None:
    gap, base = Aligned(np.array([[16]], np.uint8), iupac(1)), np.array([[15]], np.uint8)
    found = LatticeLoss().of(gap, gap.with_cells(base))
    assert found is not None
    assert found.details["levels"] == 3
