"""Corners where a promise about rows, or a figure of risk, once said more than is true or could."""

from __future__ import annotations

import re
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.contract import Problem
from sfumato.dna.methods import Binning, Dnala, HaplotypeBlocks, SnpSuppression
from sfumato.dna.methods.online import OnlineDnala, told_by_both
from sfumato.dna.models import Bins, GenotypeKMap, SequenceKAnonymity, SnpExposure
from sfumato.dna.risk import exposure, homogeneity, snps_needed
from sfumato.hierarchy.iupac import Lattice, genotypes, iupac
from sfumato.hierarchy.snp import SnpTree
from tests.oracles.dna_methods import fitting, holds_the_original, meaning

SEVERAL_ROWS: list[Any] = [
    Dnala(),
    Dnala(pairing="exact"),
    Dnala(pairing="input-order"),
    Dnala(leave_out=True),
    Binning(),
    SnpSuppression(),
    HaplotypeBlocks(),
]


def named(rows: Aligned, *names: str) -> Aligned:
    return Aligned(rows.cells, rows.lattice, names, rows.persons)


def test_columns_of_one_name_are_compared_with_their_own_columns_of_the_population() -> None:
    rows = named(aligned("AC"), "MT:1", "MT:1")
    population = named(aligned("CA", "CC"), "MT:1", "MT:1")
    model = GenotypeKMap(1)
    found = SnpSuppression().protect(Problem(rows, (model,), population=population))
    assert model.check(found.published, population=population).holds


def test_columns_of_one_name_that_cannot_be_found_are_refused() -> None:
    rows = named(aligned("AC"), "MT:1", "MT:2")
    for population in (
        named(aligned("ACA"), "MT:1", "MT:2", "MT:2"),
        named(aligned("ACA"), "MT:2", "MT:2", "MT:1"),
    ):
        with pytest.raises(BadInput, match="same name"):
            SnpSuppression().protect(Problem(rows, (GenotypeKMap(1),), population=population))


def test_what_is_missing_is_one_phenotype_however_it_is_written() -> None:
    rows = aligned("A", "A", "A")
    for missing in ([None] * 3, [float("nan") for _ in range(3)], [np.float64("nan"), None, float("nan")]):
        assert homogeneity(rows, missing).told == 3


def test_a_cell_that_no_lattice_writes_is_refused() -> None:
    for cells, lattice in (
        ([[0]], iupac()),
        ([[17]], iupac()),
        ([[5, 7]], genotypes()),
        ([[8]], genotypes()),
        ([[257]], iupac()),
        ([[-1]], iupac()),
    ):
        with pytest.raises(AssertionError, match="set of its lattice"):
            Aligned(np.array(cells, np.int64), lattice)


def test_with_fewer_people_than_k_everybody_is_exposed() -> None:
    rows = Aligned(aligned("NN", "AA", "NN").cells, persons=np.array([0, 1, 1]))
    assert SnpExposure(at_a_time=2, k=5).check(rows).violations == 3


def test_three_positions_that_look_the_same_can_be_known_to_be_three_things() -> None:
    rows = aligned("BBB", "SSS", "YYY", "KKK")
    assert SnpExposure(at_a_time=2, k=2).check(rows).achieved == "k = 2"
    assert SnpExposure(at_a_time=3, k=2).check(rows).achieved == "k = 1"


def test_the_fewest_are_sought_below_what_is_exposed_already() -> None:
    verdict = SnpExposure(at_a_time=2, k=3).check(aligned("AC", "AT", "GC", "GT"))
    assert (verdict.achieved, verdict.violations) == ("k = 1", 4)


def test_rows_of_a_person_that_lie_apart_in_the_population_are_one_person() -> None:
    population = Aligned(aligned("A", "A", "A", "C").cells, persons=np.array([0, 1, 0, 2]))
    model = GenotypeKMap(3)
    found = SnpSuppression().protect(Problem(aligned("A"), (model,), population=population))
    assert found.details["snps_blanked"] == 1
    assert model.check(found.published, population=population).achieved == "k = 3"


def test_a_snp_that_breaks_only_with_one_that_was_let_in_by_sets_is_blanked() -> None:
    """Any two of the first three are shared; the fourth is shared with the first two, not with the third."""
    rows = aligned("AAAA", "AACA", "ACAA", "ACCA", "CAAA", "CACA", "CCAC", "CCCC")
    model = SnpExposure(at_a_time=2, k=2)
    found = SnpSuppression().protect(Problem(rows, (model,)))
    assert [rows.lattice.spelt(row)[3] for row in found.published.cells] == ["N"] * 8
    assert found.details["snps_kept"] == 3
    assert model.check(found.published).holds


def test_promises_about_few_positions_or_one_person_stop_no_linkage() -> None:
    assert SnpExposure(2, 2).stops == ("sequence-linkage",)
    assert SnpExposure(2, 2, positions=[1]).stops == ()
    assert SnpExposure(2, 1).stops == SequenceKAnonymity(1).stops == ()


def test_a_generalised_cell_still_leads_to_whoever_it_may_be() -> None:
    released, original = aligned("RA", "CA", "CA"), aligned("AA", "CA", "CA")
    assert snps_needed(released, "rarest first").fewest is None
    assert snps_needed(released, "rarest first", truth=original).fewest == 1
    after = exposure(released, k=2, truth=original)
    assert {one.name: one.value for one in after.figures()}["singled-out-random"] == pytest.approx(1 / 3)
    with pytest.raises(BadInput, match="in the same order"):
        snps_needed(released, "random", truth=aligned("AA", "CA"))


@pytest.mark.parametrize("text", ["ACGT", "AAGT", "CCTT"])
def test_who_is_one_of_a_pair_knows_the_other(text: str) -> None:
    """What no pairing can help: the join without one's own bases is the partner's row."""
    rows = aligned("ACGA", text)
    found = Dnala().protect(Problem(rows, (SequenceKAnonymity(2),))).published.cells[0]
    mine = rows.cells[0]
    assert (np.where(found == mine, mine, found & ~mine) == rows.cells[1]).all()


@st.composite
def many_rows(draw: st.DrawFn) -> Aligned:
    """More rows than a word has bits, of few kinds, some people with several."""
    lattice = draw(st.sampled_from([iupac(), genotypes()]))
    sets = sorted(lattice.masks.values())
    pool = draw(st.sampled_from([sets[:2], [1, 2, 4], sets, [1, 2, lattice.top]]))
    kinds, width = draw(st.integers(1, 7)), draw(st.integers(1, 4))
    cells = draw(st.lists(st.sampled_from(pool), min_size=kinds * width, max_size=kinds * width))
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(1, 140))
    persons = None if draw(st.booleans()) else chance.integers(-3, max(1, n // 2), n)
    matrix = np.array(cells, np.uint8).reshape(kinds, width)[chance.integers(0, kinds, n)]
    if width > 1 and draw(st.booleans()):
        matrix[:, -1] = matrix[:, 0]
    return Aligned(matrix, lattice, persons=persons)


@given(many_rows(), st.integers(1, 3), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_exposure_is_counted_by_its_definition_over_words_persons_and_lattices(
    rows: Aligned, known: int, k: int
) -> None:
    fewest, exposed = len(set(rows.owners.tolist())), set[int]()
    told = [[meaning(rows, int(cell)) for cell in row] for row in rows.cells]
    for columns in combinations(range(rows.width), min(known, rows.width)):
        for values in product("ACGT-012", repeat=len(columns)):
            fits = [
                number
                for number, row in enumerate(told)
                if all(value in row[at] for value, at in zip(values, columns, strict=True))
            ]
            people = len({int(rows.owners[number]) for number in fits})
            if fits:
                fewest = min(fewest, people)
                exposed.update(fits if people < k else ())
    verdict = SnpExposure(known, k).check(rows)
    said = re.search(r"([=≥]) (\d+)$", verdict.achieved)
    assert said
    assert verdict.holds == (fewest >= k)
    assert int(said[2]) == fewest if said[1] == "=" else int(said[2]) <= fewest
    assert verdict.violations == len(exposed)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_population_is_counted_by_its_definition_over_words_persons_and_lattices(
    data: st.DataObject,
) -> None:
    lattice = data.draw(st.sampled_from([iupac(), genotypes()]))
    chance = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    sets, width = sorted(lattice.masks.values()), data.draw(st.integers(1, 20))
    n, many = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 60))
    cells = np.where(chance.random((n, width)) < 0.8, lattice.top, chance.choice(sets, (n, width)))
    rows = Aligned(cells.astype(np.uint8), lattice)
    persons = None if data.draw(st.booleans()) else chance.integers(0, many // 2 + 1, many)
    population = Aligned(chance.choice(sets[:4], (many, width)).astype(np.uint8), lattice, persons=persons)
    columns = sorted({int(at) for at in chance.integers(0, width, width)})
    worst = min(fitting(rows, tuple(map(int, row)), tuple(columns), population) for row in rows.cells)
    verdict = GenotypeKMap(2, [at + 1 for at in columns]).check(rows, population=population)
    assert (verdict.holds, verdict.achieved) == (worst >= 2, f"k = {worst}")


@pytest.mark.parametrize("method", SEVERAL_ROWS, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_thirty_people_with_three_rows_each_are_thirty_people(method: Any, seed: int) -> None:
    chance = np.random.default_rng(seed)
    persons = chance.permutation(np.repeat(np.arange(30), 3))
    own = np.where(chance.random((30, 40)) < 0.2, 2, 1).astype(np.uint8)
    cells = np.where(chance.random((90, 40)) < 0.02, 4, own[persons]).astype(np.uint8)
    rows = Aligned(cells, persons=persons)
    k = 2 if method == Dnala(pairing="exact") else 4
    found = method.protect(Problem(rows, (SequenceKAnonymity(k),)))
    who: dict[bytes, set[int]] = {}
    for row, kept in zip(found.published.cells, found.kept, strict=True):
        who.setdefault(row.tobytes(), set()).add(int(persons[kept]))
    assert min(map(len, who.values())) >= k
    assert holds_the_original(found.published, rows.rows(found.kept))


@st.composite
def trees(draw: st.DrawFn, lattice: Lattice) -> SnpTree:
    """Any tree whose parents hold their children; the root need not be the set of everything."""
    sets = sorted(lattice.masks.values(), key=lambda mask: int(lattice.levels[mask]))
    root = draw(st.sampled_from([lattice.top, lattice.top, sets[len(sets) // 2]]))
    inside = [mask for mask in sets if lattice.closed[mask | root] == root and draw(st.booleans())]
    nodes = [*(mask for mask in inside if mask != root), root]
    parent = [0] * 32
    for mask in nodes:
        above = [up for up in nodes if up != mask and lattice.closed[mask | up] == up]
        parent[mask] = draw(st.sampled_from(above)) if above else root
    return SnpTree(lattice, tuple(parent))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_binning_is_true_along_any_tree(data: st.DataObject) -> None:
    lattice = data.draw(st.sampled_from([iupac(), iupac(1), iupac(4), genotypes()]))
    n, width = data.draw(st.integers(2, 7)), data.draw(st.integers(1, 5))
    sets = st.sampled_from(sorted(lattice.masks.values()))
    cells = data.draw(st.lists(sets, min_size=n * width, max_size=n * width))
    rows = Aligned(np.array(cells, np.uint8).reshape(n, width), lattice)
    model = SequenceKAnonymity(data.draw(st.integers(1, n)))
    found = Binning().protect(Problem(rows, (model,), tree=data.draw(trees(lattice))))
    assert holds_the_original(found.published, rows)
    assert model.check(found.published).holds


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_whoever_compares_versions_finds_k_newcomers_or_none(data: st.DataObject) -> None:
    k, width = data.draw(st.integers(2, 3)), data.draw(st.integers(1, 4))
    chance = np.random.default_rng(data.draw(st.integers(0, 10**6)))

    def arriving(who: list[int]) -> Aligned:
        cells = chance.choice([1, 2, 4, 15, 16], (len(who), width)).astype(np.uint8)
        return Aligned(cells, persons=np.array(who, np.int64))

    online = OnlineDnala(k)
    versions = [online.start(arriving(list(range(k + 2))))]
    for _ in range(4):
        who = data.draw(st.lists(st.integers(0, 15), max_size=4))
        versions.append(online.insert(versions[-1], arriving(who)))
    for before, after in combinations(versions, 2):
        old = len(before.published)
        assert (after.published.cells[:old] == before.published.cells).all()
        known = set(before.published.owners.tolist())
        new: dict[bytes, set[int]] = {}
        for row, person in zip(after.published.cells[old:], after.published.owners[old:], strict=True):
            new.setdefault(row.tobytes(), set()).update({int(person)} - known)
        assert all(len(people) >= k for people in new.values())
        told = told_by_both(before, after)
        assert told.cells == 0
        assert told.fewest is None or told.fewest >= k


def test_bins_within_rows_alone_claim_to_protect_from_nothing() -> None:
    rows = aligned("AACC", "GGTT")
    assert Bins(within=2).check(rows).protects_from == Bins(within=2).protects_from == ()
    assert Bins(within=2, across=2).protects_from == (Threat.IDENTITY,)


@pytest.mark.parametrize("lattice", [iupac(), iupac(1), genotypes()], ids=str)
def test_nobody_can_change_what_sets_mean_for_everybody(lattice: Lattice) -> None:
    for table in (lattice.closed, lattice.levels):
        with pytest.raises(ValueError, match="read-only"):
            table[1] = 2
