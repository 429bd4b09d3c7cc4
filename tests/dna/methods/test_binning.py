"""Binning: both steps hold together, cells climb the tree and only that, and as little as the tree allows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.contract import Demand, Problem
from sfumato.dna.methods.binning import Binning
from sfumato.dna.methods.climbing import climb_of
from sfumato.dna.models import Bins, GenotypeKMap, SequenceKAnonymity
from sfumato.hierarchy.iupac import genotypes
from sfumato.hierarchy.snp import SnpTree, carriers, purines_and_pyrimidines
from tests.dna.methods.asking import Asks, alignments, demands
from tests.oracles.dna_methods import answers, holds_the_original

PARENTS = {
    "bases": {"A": "R", "G": "R", "C": "Y", "T": "Y", "R": "N", "Y": "N", "N": "N"},
    "genotypes": {"0/1": "./1", "1/1": "./1", "0/0": "./.", "./1": "./.", "./.": "./."},
}


def spelt(rows: Aligned) -> list[str]:
    return [rows.lattice.spelt(row) for row in rows.cells]


def ancestors(rows: Aligned, mask: int) -> list[int]:
    """All that a value may become along the usual trees; what is not in them goes to the top at once."""
    parents, spellings = PARENTS[rows.lattice.name], rows.lattice.spellings
    path = [spellings[mask]]
    while path[-1] not in ("N", "./."):
        path.append(parents.get(path[-1], "N" if rows.lattice.gap is not None else "./."))
    return [rows.lattice.masks[text] for text in path]


@given(st.data())
def test_both_steps_hold_together_and_cells_only_climb(data: st.DataObject) -> None:
    rows = data.draw(alignments())
    asked = [data.draw(demands(rows, alike=True)), data.draw(demands(rows))]
    published = Binning().protect(Problem(rows, tuple(Asks(demand) for demand in asked))).published
    assert all(answers(published, demand) for demand in asked)
    assert holds_the_original(published, rows)
    for before, after in zip(rows.cells.ravel().tolist(), published.cells.ravel().tolist(), strict=True):
        assert after in ancestors(rows, before)


@given(alignments(least=1, most=1, widest=5), st.integers(2, 3))
def test_within_a_row_no_choice_along_the_tree_climbs_less(row: Aligned, bins: int) -> None:
    assume(row.width >= bins)
    choices = product(*(ancestors(row, int(mask)) for mask in row.cells[0]))
    levels = row.lattice.levels
    allowed = [c for c in choices if all(c.count(value) >= bins for value in c)]
    best = min(int(sum(levels[list(choice)])) for choice in allowed)
    published = Binning().protect(Problem(row, (Asks(Demand(alike=bins)),))).published
    assert int(levels[published.cells].sum()) == best


@given(alignments(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_decide(rows: Aligned, chance: object) -> None:
    shuffled = np.array(sorted(range(len(rows)), key=lambda _: chance.random()), np.int64)  # type: ignore[attr-defined]
    models = (Asks(Demand(min(2, len(set(rows.owners.tolist()))), alike=min(2, rows.width))),)
    first = Binning().protect(Problem(rows, models)).published.cells
    assert (Binning().protect(Problem(rows.rows(shuffled), models)).published.cells == first[shuffled]).all()


def test_a_lonely_base_takes_the_fewest_others_along() -> None:
    published = Binning().protect(Problem(aligned("AGGGGG"), (Bins(within=3),))).published
    assert sorted(spelt(published)[0]) == sorted("RRRGGG")


def test_the_least_represented_combination_is_generalised_with_its_closest() -> None:
    rows = aligned("AAC", "AAC", "AAC", "GAC", "TTT", "TTT")
    published = Binning().protect(Problem(rows, (Bins(across=2),))).published
    assert spelt(published) == ["RAC"] * 4 + ["TTT"] * 2


def test_only_the_named_positions_are_generalised() -> None:
    rows = aligned("ACA", "ACG", "GCT", "GCC")
    published = Binning().protect(Problem(rows, (SequenceKAnonymity(2, positions=[1, 2]),))).published
    assert spelt(published) == spelt(rows)


def test_genotypes_climb_to_carriers() -> None:
    cells = np.array([[1, 2], [1, 4], [1, 1], [1, 1]], np.uint8)
    published = Binning().protect(Problem(Aligned(cells, genotypes()), (SequenceKAnonymity(2),))).published
    assert published.cells.tolist() == [[1, 6], [1, 6], [1, 1], [1, 1]]


def test_a_tree_that_is_given_is_climbed() -> None:
    tree = purines_and_pyrimidines()
    flat = SnpTree(tree.lattice, tuple(15 if mask in (1, 2, 4, 8, 15) else 0 for mask in range(32)))
    solution = Binning().protect(Problem(aligned("A", "G"), (SequenceKAnonymity(2),), tree=flat))
    assert spelt(solution.published) == ["N", "N"]
    assert solution.details["tree"] == "as given"


def test_what_is_not_in_the_tree_goes_to_the_smallest_node_that_holds_it() -> None:
    climb, _ = climb_of(aligned("A"), None)
    assert climb.parent[climb.lattice.masks["S"]] == climb.lattice.masks["N"]
    assert climb.parent[climb.lattice.masks["-"]] == climb.lattice.masks["N"]
    climb, _ = climb_of(Aligned(np.array([[1]], np.uint8), genotypes()), None)
    assert climb.parent[climb.lattice.masks["0/."]] == climb.lattice.masks["./."]


def test_the_models_agree_that_both_bins_hold() -> None:
    rows = aligned("ACGTACGT", "ACGTACGA", "TCGTACGA", "TCGAACGT", "ACCTACGT")
    model = Bins(within=3, across=2)
    assert model.check(Binning().protect(Problem(rows, (model,))).published).holds


def test_without_the_first_step_bins_within_rows_are_refused() -> None:
    with pytest.raises(BadInput, match="does not enforce bins"):
        Binning(within=False).protect(Problem(aligned("AC", "AC"), (Bins(within=2),)))
    assert Binning(within=False).enforces(Bins(across=2).demand())


def test_promises_about_a_population_are_refused() -> None:
    assert not Binning().enforces(GenotypeKMap(2).demand())


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Bins(within=3), "3 SNPs of a row must share a value and there are 2; ask for 2 at most"),
        (Bins(across=3), "3 people must be alike and there are 2; ask for 2 at most"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_what_would_work(model: Bins, said: str) -> None:
    with pytest.raises(PromiseNotMet, match=said):
        Binning().protect(Problem(aligned("AC", "AC"), (model,)))


def test_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadInput, match="not one of the 2 there are"):
        Binning().protect(Problem(aligned("AC", "AC"), (Asks(Demand(2, (5,))),)))


def test_a_tree_over_other_values_is_refused() -> None:
    with pytest.raises(BadInput, match="the tree is over genotypes and the rows hold bases"):
        Binning().protect(Problem(aligned("AC", "AC"), (SequenceKAnonymity(2),), tree=carriers()))


def test_no_promise_and_no_rows_are_refused() -> None:
    with pytest.raises(BadInput, match="no promise"):
        Binning().protect(Problem(aligned("AC"), ()))
    empty = Aligned(np.zeros((0, 3), np.uint8))
    with pytest.raises(BadInput, match="no rows"):
        Binning().protect(Problem(empty, (SequenceKAnonymity(2),)))
