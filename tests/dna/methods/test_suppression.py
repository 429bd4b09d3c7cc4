"""Suppression of SNPs: promises hold, what stays is exact, nothing is blanked without need."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.contract import Demand, Problem
from sfumato.dna.methods import keeping
from sfumato.dna.methods.suppression import ORDERS, SnpSuppression
from sfumato.dna.models import Bins, GenotypeKMap, SequenceKAnonymity, SnpExposure
from sfumato.dna.reading import open_rows
from tests.dna.methods.asking import Asks, alignments, demands
from tests.oracles.dna_methods import answers, holds_the_original


def blanked(published: Aligned, original: Aligned) -> list[int]:
    return np.flatnonzero((published.cells != original.cells).any(axis=0)).tolist()


@given(st.data(), st.sampled_from(ORDERS))
def test_promises_hold_and_no_blanked_snp_could_be_put_back(data: st.DataObject, order: str) -> None:
    rows = data.draw(alignments())
    asked = [data.draw(demands(rows)), data.draw(demands(rows))]
    problem = Problem(rows, tuple(Asks(demand) for demand in asked))
    published = SnpSuppression(order).protect(problem).published
    assert all(answers(published, demand) for demand in asked)
    assert holds_the_original(published, rows)
    gone = blanked(published, rows)
    assert (published.cells[:, gone] == rows.lattice.top).all()
    for column in gone:
        cells = published.cells.copy()
        cells[:, column] = rows.cells[:, column]
        assert not all(answers(rows.with_cells(cells), demand) for demand in asked)


@given(st.data())
def test_each_row_fits_enough_of_the_population_and_minimally_so(data: st.DataObject) -> None:
    population = data.draw(alignments(least=3))
    some = data.draw(st.lists(st.integers(0, len(population) - 1), min_size=1, max_size=6, unique=True))
    rows = population.rows(np.array(some, np.int64))
    demand = Demand(data.draw(st.integers(1, len(set(population.owners.tolist())))), mapped=True)
    problem = Problem(rows, (Asks(demand),), population=population)
    published = SnpSuppression().protect(problem).published
    assert answers(published, demand, population)
    for column in blanked(published, rows):
        cells = published.cells.copy()
        cells[:, column] = rows.cells[:, column]
        assert not answers(rows.with_cells(cells), demand, population)


@given(alignments(), st.sampled_from(ORDERS), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_decide(rows: Aligned, order: str, chance: object) -> None:
    shuffled = np.array(sorted(range(len(rows)), key=lambda _: chance.random()), np.int64)  # type: ignore[attr-defined]
    problem = Problem(rows, (Asks(Demand(2 if len(set(rows.owners.tolist())) > 1 else 1)),))
    mixed = Problem(rows.rows(shuffled), problem.models)
    first = SnpSuppression(order).protect(problem).published.cells
    assert (SnpSuppression(order).protect(mixed).published.cells == first[shuffled]).all()


def test_orders_choose_other_snps() -> None:
    rows = aligned("AAAA", "AAAC", "ACCA", "ACCC", "CCCA", "CAAC", "CAAA", "CACC")
    models = (SequenceKAnonymity(2),)
    found = {
        order: blanked(SnpSuppression(order).protect(Problem(rows, models)).published, rows)
        for order in ORDERS
    }
    assert found["most-linked"] != found["rarest"]
    assert 2 in found["most-linked"] or 1 in found["most-linked"]


def test_the_rarest_snp_goes_first() -> None:
    rows = aligned("AAT", "AAT", "ACT", "CCT", "ACT")
    published = SnpSuppression("rarest").protect(Problem(rows, (SequenceKAnonymity(2),))).published
    assert blanked(published, rows) == [0]


def test_real_models_agree_that_the_promise_holds() -> None:
    rows = aligned("ACGT", "ACGA", "TCGT", "TCCA", "ACCT", "TCGA")
    for model in (SequenceKAnonymity(2), SnpExposure(at_a_time=2, k=2)):
        published = SnpSuppression().protect(Problem(rows, (model,))).published
        assert model.check(published).holds


def test_a_person_with_many_rows_is_one_person() -> None:
    rows = Aligned(aligned("A", "A", "C", "C").cells, persons=np.array([1, 1, 2, 3]))
    published = SnpSuppression().protect(Problem(rows, (SequenceKAnonymity(2),))).published
    assert blanked(published, rows) == [0]


def test_bins_within_a_row_are_refused() -> None:
    with pytest.raises(BadInput, match="does not enforce bins"):
        SnpSuppression().protect(Problem(aligned("AC", "AC"), (Bins(within=2, across=2),)))


def test_too_few_people_are_refused_with_what_would_work() -> None:
    with pytest.raises(PromiseNotMet, match="5 people must be alike and there are 2; ask for 2 at most"):
        SnpSuppression().protect(Problem(aligned("AC", "AC"), (SequenceKAnonymity(5),)))


def test_too_many_sets_of_positions_are_refused_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_WORK", 10)
    # Any two are shared by two people, all three at once by one.
    rows = aligned("AAA", "AAC", "ACA", "ACC", "CAA", "CAC", "CCA", "CCC")
    with pytest.raises(BadInput, match="sets to choose from"):
        SnpSuppression().protect(Problem(rows, (SnpExposure(at_a_time=2, k=2),)))


def test_positions_that_may_all_be_known_at_once_need_no_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_WORK", 0)
    cells = np.ones((100, 40), np.uint8)
    for column in range(40):
        cells[2 * column : 2 * column + 2, column] = 2
    solution = SnpSuppression().protect(Problem(Aligned(cells), (SnpExposure(at_a_time=39, k=2),)))
    assert solution.details["snps_kept"] == 40


def test_a_population_that_is_missing_or_elsewhere_is_named() -> None:
    rows = aligned("AC", "AC")
    asks = (Asks(Demand(2, mapped=True)),)
    with pytest.raises(BadInput, match="population that was not given"):
        SnpSuppression().protect(Problem(rows, asks))
    with pytest.raises(BadInput, match="no values for 1 of the 2 positions"):
        SnpSuppression().protect(Problem(rows, asks, population=aligned("A", "A")))


def test_the_population_is_read_by_the_names_of_its_columns() -> None:
    rows = Aligned(aligned("AC", "AC").cells, positions=("x", "y"))
    population = Aligned(aligned("CTA", "CTA", "CTC").cells, positions=("y", "z", "x"))
    published = SnpSuppression().protect(Problem(rows, (GenotypeKMap(2),), population=population)).published
    assert blanked(published, rows) == []
    published = SnpSuppression().protect(Problem(rows, (GenotypeKMap(3),), population=population)).published
    assert blanked(published, rows) == [0]


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(BadInput, match="did you mean 'rarest'"):
        SnpSuppression("rarst")


@pytest.mark.golden
def test_no_blanked_snp_of_the_mitochondria_could_be_put_back(shared: Path) -> None:
    rows = open_rows(shared / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz").alignment()
    model = SequenceKAnonymity(2)
    published = SnpSuppression().protect(Problem(rows, (model,))).published
    assert model.check(published).holds
    for column in blanked(published, rows)[::200]:
        cells = published.cells.copy()
        cells[:, column] = rows.cells[:, column]
        assert not model.check(rows.with_cells(cells)).holds
