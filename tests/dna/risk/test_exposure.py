"""How exposed rows are: the figures are those of the definitions."""

from __future__ import annotations

import gzip
import itertools
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.models import SequenceKAnonymity, SnpExposure
from sfumato.dna.risk import (
    entropies,
    exposure,
    homogeneity,
    independent_snps,
    snps_needed,
    telling_sets,
)
from sfumato.hierarchy.iupac import genotypes, parse
from tests.oracles import dna_risk as oracle

LETTERS = "ACGRN-"


@st.composite
def people(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    width = draw(st.integers(1, 5))
    row = st.text(alphabet=LETTERS, min_size=width, max_size=width)
    kinds = draw(st.lists(row, min_size=1, max_size=5))
    rows = draw(st.lists(st.sampled_from(kinds), min_size=2, max_size=8))
    persons = draw(st.lists(st.integers(0, 6), min_size=len(rows), max_size=len(rows)))
    persons[0], persons[-1] = 0, 1
    return rows, persons


def as_rows(drawn: tuple[list[str], list[int]]) -> Aligned:
    rows, persons = drawn
    return Aligned(np.stack([parse(row) for row in rows]), persons=np.array(persons, np.int64))


@given(people(), st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_people_alone_and_below_k_are_counted_once(drawn: tuple[list[str], list[int]], k: int) -> None:
    risk = exposure(as_rows(drawn), k=k, sets=1)
    assert risk.people == len(set(drawn[1]))
    assert risk.unique == oracle.people_below(*drawn, 2)
    assert risk.below == oracle.people_below(*drawn, k)


@given(people())
@settings(max_examples=60, deadline=None)
def test_entropy_is_that_of_the_letters_of_a_column(drawn: tuple[list[str], list[int]]) -> None:
    rows = drawn[0]
    expected = [oracle.entropy([row[at] for row in rows]) for at in range(len(rows[0]))]
    assert np.allclose(entropies(as_rows(drawn)), expected, atol=1e-12)


@given(people())
@settings(max_examples=100, deadline=None)
def test_rarest_values_single_people_out_as_the_oracle_says(drawn: tuple[list[str], list[int]]) -> None:
    rows, persons = drawn
    expected = oracle.needed(rows, persons, lambda row: oracle.rarest_first(rows, row))
    found = snps_needed(as_rows(drawn), "rarest first")
    numbers = sorted(one for one in expected.values() if one is not None)
    assert found.people == len(expected)
    assert found.never == len(expected) - len(numbers)
    assert (found.fewest, found.most) == ((numbers[0], numbers[-1]) if numbers else (None, None))
    half = math.ceil(len(expected) / 2) - 1
    assert found.median == (numbers[half] if half < len(numbers) else None)


@given(people())
@settings(max_examples=60, deadline=None)
def test_most_telling_positions_come_first(drawn: tuple[list[str], list[int]]) -> None:
    rows, persons = drawn
    bits = entropies(as_rows(drawn))
    order = sorted((at for at in range(len(rows[0])) if bits[at] > 0), key=lambda at: (-bits[at], at))
    expected = oracle.needed(rows, persons, lambda row: order)
    found = snps_needed(as_rows(drawn), "most telling first")
    numbers = sorted(one for one in expected.values() if one is not None)
    assert found.never == len(expected) - len(numbers)
    assert (found.fewest, found.most) == ((numbers[0], numbers[-1]) if numbers else (None, None))


@given(people(), st.data())
@settings(max_examples=100, deadline=None)
def test_of_released_rows_the_truth_is_known_and_rows_that_are_alike_shield_only_who_is_true_to_them(
    drawn: tuple[list[str], list[int]], data: st.DataObject
) -> None:
    rows, persons = drawn
    row = st.text(alphabet=LETTERS, min_size=len(rows[0]), max_size=len(rows[0]))
    truth = data.draw(st.lists(st.sampled_from(rows) | row, min_size=len(rows), max_size=len(rows)))
    bits = entropies(as_rows(drawn))
    order = sorted((at for at in range(len(rows[0])) if bits[at] > 0), key=lambda at: (-bits[at], at))
    expected = oracle.needed(rows, persons, lambda _: order, truth)
    found = snps_needed(as_rows(drawn), "most telling first", truth=as_rows((truth, persons)))
    numbers = sorted(one for one in expected.values() if one is not None)
    assert found.never == len(expected) - len(numbers)
    assert (found.fewest, found.most) == ((numbers[0], numbers[-1]) if numbers else (None, None))


def test_more_people_than_a_word_has_bits_are_told_apart() -> None:
    letters = ["".join(row) for row in itertools.product("AC", "ACG", "AT", "CG", "GTN")][:70]
    persons = [*range(69), 3]
    expected = oracle.needed(letters, persons, lambda row: oracle.rarest_first(letters, row))
    found = snps_needed(as_rows((letters, persons)), "rarest first")
    numbers = sorted(one for one in expected.values() if one is not None)
    assert (found.fewest, found.most, found.never) == (numbers[0], numbers[-1], 69 - len(numbers))
    assert 0 < found.never < 69


@given(people(), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_whoever_can_be_singled_out_is_in_any_order(drawn: tuple[list[str], list[int]], seed: int) -> None:
    rows = as_rows(drawn)
    orders = ("random", "most telling first", "rarest first")
    found = [snps_needed(rows, order, seed=seed) for order in orders]
    assert len({one.never for one in found}) == 1
    assert found[0] == snps_needed(rows, "random", seed=seed)


@given(people())
@settings(max_examples=60, deadline=None)
def test_a_chosen_set_singles_out_whom_it_says_and_no_single_snp_does_better(
    drawn: tuple[list[str], list[int]],
) -> None:
    rows, persons = drawn
    width = len(rows[0])
    found = telling_sets(as_rows(drawn), width)

    def alone(columns: tuple[int, ...]) -> tuple[int, int]:
        shown = ["".join(row[at] for at in columns) for row in rows]
        return oracle.people_below(shown, persons, 2), len(set(shown))

    for one in found:
        assert (one.unique, one.classes) == alone(tuple(at - 1 for at in one.columns))
    if found:
        assert (found[0].unique, found[0].classes) == max(alone((at,)) for at in range(width))
        every = alone(tuple(range(width)))
        assert found[-1].classes == every[1]
    else:
        assert len(set(rows)) == 1


@given(people(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_phenotype_is_told_where_all_who_look_alike_share_it(
    drawn: tuple[list[str], list[int]], data: st.DataObject
) -> None:
    rows, persons = drawn
    phenotype = data.draw(
        st.lists(st.sampled_from(["ill", "well", None]), min_size=len(rows), max_size=len(rows))
    )
    found = homogeneity(as_rows(drawn), phenotype)
    assert (found.told, found.in_company) == oracle.told(rows, persons, phenotype)


def test_independent_snps_are_as_many_as_there_are_and_copies_are_one() -> None:
    letters = np.array(list(itertools.product((1, 4), repeat=4)), np.uint8)
    found = independent_snps(Aligned(letters))
    assert found is not None
    assert math.isclose(found, 4)
    found = independent_snps(Aligned(np.repeat(letters[:, :1], 30, axis=1)))
    assert found is not None
    assert math.isclose(found, 1, rel_tol=1e-4)
    assert independent_snps(aligned("AN", "AN", "AN")) is None


def test_linked_genotypes_are_worth_less_than_unlinked_ones() -> None:
    random = np.random.default_rng(2)
    free = (1 << random.integers(0, 3, (500, 20))).astype(np.uint8)
    linked = np.where(random.random((500, 20)) < 0.9, free[:, :1], free)
    many = independent_snps(Aligned(free, genotypes()))
    few = independent_snps(Aligned(linked, genotypes()))
    assert many is not None
    assert few is not None
    assert few < 12 < 19 < many <= 20


def test_nothing_of_generalised_rows_singles_anybody_out() -> None:
    rows = aligned("AWTYA", "AATGA", "AWTYA", "AATGA")
    risk = exposure(rows, k=2)
    assert (risk.unique, risk.below) == (0, 0)
    assert all(one.fewest is None and one.never == 4 for one in risk.needed)
    assert "nobody is singled out" in str(risk)
    assert "of the cells are sets" in str(risk)


def test_figures_are_numbers_grouped_by_threat() -> None:
    risk = exposure(aligned("AC", "AT", "GC", "GC"), k=2, phenotype=["x", "y", "z", "z"])
    figures = risk.figures()
    assert len({figure.name for figure in figures}) == len(figures)
    assert {figure.threat for figure in figures} == {Threat.IDENTITY.value, Threat.ATTRIBUTE.value}
    assert all(figure.value is not None and 0 <= figure.value <= 1 for figure in figures)
    assert all(isinstance(value, int | float | None) for value in risk.to_dict().values())
    assert risk.to_dict()["phenotype_told"] == 4
    assert risk.to_dict()["needed_rarest_first_never"] == 2


def test_more_people_than_are_measured_are_drawn_and_it_is_said() -> None:
    random = np.random.default_rng(4)
    rows = Aligned((1 << random.integers(0, 2, (300, 30))).astype(np.uint8))
    risk = exposure(rows, most_people=50, most_positions=10, sets=2)
    assert {one.people for one in risk.needed} == {50}
    assert "50 people, drawn" in str(risk)
    assert "among the 10 positions" in str(risk)
    assert risk == exposure(rows, most_people=50, most_positions=10, sets=2)


def test_what_cannot_be_measured_is_refused() -> None:
    for rows in (Aligned(np.zeros((0, 2), np.uint8)), Aligned(np.zeros((2, 0), np.uint8)), aligned("AC")):
        with pytest.raises(BadInput):
            exposure(rows)
    with pytest.raises(BadInput, match="k must be"):
        exposure(aligned("A", "C"), k=1)
    with pytest.raises(BadInput, match="sets must be"):
        exposure(aligned("A", "C"), sets=0)
    with pytest.raises(BadInput, match="1 phenotypes for 2 rows"):
        exposure(aligned("A", "C"), phenotype=["x"])


@pytest.fixture(scope="module")
def mitochondria(shared: Path) -> list[str]:
    """The SNPs of the 1000 Genomes' mitochondria as letters, read line by line."""
    columns = []
    join = {frozenset(bases): letter for letter, bases in _CODES.items()}
    with gzip.open(shared / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz", "rt") as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            fields = line.rstrip("\n").split("\t")
            alleles = [fields[3], *fields[4].split(",")]
            if any(len(allele) != 1 for allele in alleles):
                continue
            letters = {}
            for call in set(fields[9:]):
                numbers = call.split(":")[0].replace("|", "/").split("/")
                letters[call] = "N" if "." in numbers else join[frozenset(alleles[int(n)] for n in numbers)]
            columns.append([letters[call] for call in fields[9:]])
    return ["".join(row) for row in zip(*columns, strict=True)]


_CODES = {
    "A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT", "M": "AC",
}  # fmt: skip


@pytest.mark.golden
def test_most_mitochondria_of_the_thousand_genomes_are_unique(mitochondria: list[str]) -> None:
    rows = aligned(*mitochondria)
    assert rows.cells.shape == (1074, 2797)
    classes = Counter(mitochondria)
    risk = exposure(rows, k=5, sets=3, independent=False)
    assert risk.independent is None
    assert risk.unique == sum(count for count in classes.values() if count == 1)
    assert risk.below == sum(count for count in classes.values() if count < 5)
    assert risk.varying == sum(len(set(column)) > 1 for column in zip(*mitochondria, strict=True))
    verdict = SequenceKAnonymity(2).check(rows)
    assert verdict.violations == risk.unique
    rarest = next(one for one in risk.needed if one.order == "rarest first")
    private = set()
    for column in zip(*mitochondria, strict=True):
        letters = Counter(column)
        for base in "ACGT":
            holders = sum(count for letter, count in letters.items() if base in _CODES.get(letter, "ACGT"))
            if holders == letters[base] == 1:
                private.add(column.index(base))
    # Whoever has a base that nobody else may have is singled out by that one.
    assert rarest.fewest == 1
    assert SnpExposure(1, 2).check(rows).violations >= len(private) > 0
    assert rarest.five_per_cent == 1
    assert len(private) > 0.05 * len(rows)
    best = risk.sets[0].columns[0] - 1
    assert risk.sets[0].unique == sum(
        count for count in Counter(row[best] for row in mitochondria).values() if count == 1
    )
