"""Two files side by side: what 0 and 1 stand for must be the same, or a promise about both is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading import open_rows
from sfumato.dna.reading.rows import Rows
from sfumato.dna.reading.same_alleles import counted_alike
from sfumato.dna.sites import Sites, numbered
from sfumato.hierarchy.iupac import genotypes
from tests.dna.reading.made import vcf_text, write_text
from tests.recipe.dna.rows_examples import released

SETS = sorted(genotypes().masks.values())
TURNED = {"0/0": "1/1", "0/1": "0/1", "1/1": "0/0", "0/.": "./1", "./1": "0/.", "./.": "./."}


def swapped(sites: Sites) -> Sites:
    return Sites(sites.chromosome, sites.position, sites.name, sites.alternate, sites.reference)


@given(arrays(np.uint8, (3, 4), elements=st.sampled_from(SETS)))
def test_a_file_that_counts_the_other_allele_is_turned_round(cells: NDArray[np.uint8]) -> None:
    sites = numbered(4)
    rows = Rows(Aligned(cells, genotypes()), sites=swapped(sites))
    like = Rows(rows.data, sites=sites)
    found = counted_alike(rows, like, "population").alignment()
    spelt = genotypes().spellings
    for before, after in zip(cells.ravel().tolist(), found.cells.ravel().tolist(), strict=True):
        assert spelt[after] == TURNED[spelt[before]]
    again = counted_alike(Rows(found, sites=swapped(sites)), like, "population").alignment()
    assert np.array_equal(again.cells, cells)


def test_sites_that_agree_and_rows_without_sites_stay_as_they_are() -> None:
    rows = Rows(Aligned(np.array([[1, 2]], np.uint8), genotypes()), sites=numbered(2))
    bare = Rows(rows.data)
    assert counted_alike(rows, Rows(rows.data, sites=numbered(2)), "population") is rows
    assert counted_alike(rows, bare, "population") is rows
    assert counted_alike(bare, rows, "population") is bare


@pytest.mark.parametrize("alleles", [("T", "C"), ("A", "C"), ("A", "GA")])
def test_other_alleles_or_the_other_strand_are_refused_with_the_site(alleles: tuple[str, str]) -> None:
    sites = numbered(3)
    sites.reference[1], sites.alternate[1] = alleles
    rows = Rows(Aligned(np.array([[1, 2, 4]], np.uint8), genotypes()), sites=sites)
    with pytest.raises(BadInput, match=r"1 of 3 sites have other alleles than the data there, .* site 2"):
        counted_alike(rows, Rows(rows.data, sites=numbered(3)), "population")


def made(folder: Path, name: str, alleles: tuple[str, str], calls: list[list[str]]) -> str:
    records = [("1", 100 + at, *alleles, site) for at, site in enumerate(calls)]
    write_text(folder, name, vcf_text(records))
    return name


def test_a_k_map_is_not_promised_from_people_who_carry_the_other_allele(tmp_path: Path) -> None:
    """Everybody of the population has G/G, and a file that counts A writes that as everybody in the data has
    A/A: the rows, which fit nobody, seemed to fit all."""
    data = made(tmp_path, "data.vcf", ("A", "G"), [["0/0"] * 3, ["1/1"] * 3])
    made(tmp_path, "crowd.vcf", ("G", "A"), [["0/0"] * 6] * 2)
    done = released(
        tmp_path,
        data,
        models="genotype-k-map: {k: 3}",
        more="population: crowd.vcf\nmethod: snp-suppression\n",
    )
    shown = open_rows(done.data, cells="genotypes").alignment()
    # Of the second site 1/1 of the data is 0/0 of the crowd.
    assert np.unique(shown.cells, axis=0).tolist() == [[7, 4]]


@pytest.mark.parametrize(
    ("mine", "theirs", "found"),
    [
        (("A", "G"), ("G", "."), True),
        (("G", "."), ("A", "G"), True),
        (("A", "."), ("G", "."), True),
        (("G", "0"), ("A", "G"), True),
        (("A", "."), ("A", "G"), False),
        (("A", "G"), ("A", "0"), False),
        (("A", "G"), ("A", "G"), False),
    ],
)
def test_an_allele_that_nobody_has_may_be_any(
    mine: tuple[str, str], theirs: tuple[str, str], found: bool
) -> None:
    rows = Aligned(np.array([[1], [2], [4]], np.uint8), genotypes())
    turned = counted_alike(Rows(rows, alleles=(mine,)), Rows(rows, alleles=(theirs,)), "population")
    assert turned.alignment().cells.ravel().tolist() == ([4, 2, 1] if found else [1, 2, 4])
    assert turned.alleles == ((mine[::-1] if found else mine),)


def test_letters_of_a_population_that_is_checked_are_those_of_the_rows() -> None:
    rows = pa.table({"rs1": ["GG", "GG"], "rs2": ["CT", "CT"]})
    alike = pa.table({"rs1": ["GG", "GG", "AG"], "rs2": ["CT", "CT", "CT"]})
    other = pa.table({"rs1": ["AA", "AA", "AG"], "rs2": ["CT", "CT", "CT"]})
    model = {"genotype-k-map": {"k": 2}}
    assert sf.check_dna(rows, models=model, population=alike)[0].holds
    assert not sf.check_dna(rows, models=model, population=other)[0].holds
