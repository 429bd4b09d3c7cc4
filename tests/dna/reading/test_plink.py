"""PLINK files: dosages by bed-reader, counts from the packed bytes; both against a decoder of single bits."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.reading import SomePeople, open_genotypes, open_plink, open_rows, samples_of
from sfumato.dna.source import GenotypeSource, InMemory
from tests.dna.reading.made import write_bed, write_text
from tests.oracles import dna_files

DOSAGES = st.integers(1, 150).flatmap(
    lambda people: st.tuples(
        st.lists(
            st.lists(st.sampled_from([0, 1, 2, -1]), min_size=people, max_size=people), min_size=1, max_size=4
        ),
        st.lists(st.lists(st.booleans(), min_size=people, max_size=people), min_size=1, max_size=3),
    )
)


def all_dosages(source: GenotypeSource, at_once: int = 4096) -> np.ndarray:
    return np.concatenate([block.dosages for block in source.blocks(at_once=at_once)])


@settings(deadline=None, max_examples=60)
@given(DOSAGES)
def test_counts_and_blocks_agree_with_single_bits(drawn: tuple[list[list[int]], list[list[bool]]]) -> None:
    dosages, masks = drawn
    groups = [np.array(mask, np.bool_) for mask in masks]
    with tempfile.TemporaryDirectory() as folder:
        path = write_bed(Path(folder), dosages)
        source = open_plink(path)
        assert dna_files.bed(path, source.people) == dosages
        assert all_dosages(source, 3).tolist() == dosages
        counted = source.counts(groups)
    assert np.array_equal(counted, InMemory(np.array(dosages, np.int8), source.sites).counts(groups))


def test_counting_goes_on_past_the_first_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.dna.reading.plink._COUNTED_AT_ONCE", 64)
    dosages = np.random.default_rng(1).integers(-1, 3, (101, 70)).astype(np.int8)
    source = open_plink(write_bed(tmp_path, dosages.tolist()))
    groups = [np.arange(70) % 3 == 0, np.ones(70, np.bool_)]
    assert np.array_equal(source.counts(groups), InMemory(dosages, source.sites).counts(groups))


def test_a_group_that_is_no_mask_over_the_people_is_refused(tmp_path: Path) -> None:
    source = open_plink(write_bed(tmp_path, [[0, 1, 2]]))
    for group in (np.ones(2, np.bool_), np.ones(4, np.bool_), np.array([0, 1, 2])):
        with pytest.raises(AssertionError, match="a mask over all people"):
            source.counts([group])
    assert source.counts([]).shape == (0, 1, 4)


def test_some_people_are_counted_like_a_smaller_source(tmp_path: Path) -> None:
    dosages = np.random.default_rng(2).integers(-1, 3, (9, 40)).astype(np.int8)
    which = np.arange(40) % 4 != 1
    part = SomePeople(open_plink(write_bed(tmp_path, dosages.tolist())), which)
    same = InMemory(np.ascontiguousarray(dosages[:, which]), part.sites)
    groups = [np.arange(30) < 7, np.arange(30) % 2 == 0]
    assert part.people == 30
    assert np.array_equal(part.counts(groups), same.counts(groups))
    assert np.array_equal(all_dosages(part), same.dosages)


def test_allele_1_is_counted_and_is_the_alternate(tmp_path: Path) -> None:
    source = open_plink(write_bed(tmp_path, [[2, 1, 0, -1]]))
    assert (source.sites.alternate[0], source.sites.reference[0]) == ("A", "G")
    assert open_rows(tmp_path / "made.bed").alignment().cells[:, 0].tolist() == [4, 2, 1, 7]


def test_the_phenotype_of_the_family_file_is_offered(tmp_path: Path) -> None:
    path = write_bed(tmp_path, [[0, 0, 0, 0]])
    phenotype = open_plink(path).family.phenotype
    assert phenotype is not None
    assert phenotype.cases.tolist() == [False, True, False, True]
    write_text(tmp_path, "made.fam", "f a 0 0 1 1\nf b 0 0 1 2\nf c 0 0 1 -9\nf d 0 0 1 0\n")
    phenotype = open_plink(path).family.phenotype
    assert phenotype is not None
    assert phenotype.known.tolist() == [True, True, False, False]
    with pytest.raises(BadInput, match="of 2 of 4 people it is not known"):
        _ = phenotype.cases
    assert phenotype.some(phenotype.known).cases.tolist() == [False, True]
    write_text(tmp_path, "made.fam", "".join(f"f {who} 0 0 1 0.{who}\n" for who in range(4)))
    assert open_plink(path).family.phenotype is None


def test_people_are_named_by_the_individual_or_by_the_pair(tmp_path: Path) -> None:
    path = write_bed(tmp_path, [[0, 1]])
    assert samples_of(open_genotypes(path)) == ("i0", "i1")
    write_text(tmp_path, "made.fam", "a 1 0 0 1 1\nb 1 0 0 1 2\n")
    source = open_plink(path)
    assert samples_of(source) == ("a 1", "b 1")
    assert "a 1" not in repr(source) + repr(source.family)


@pytest.mark.parametrize(
    "bim",
    ["1 rs7 0 12 C T\n", "1\trs7\t0\t12\tC\tT\n", "  1  rs7\t 0 12   C T \r\n", "1\trs7\t0\t12\tC\tT"],
)
def test_blanks_and_tabs_separate_fields(tmp_path: Path, bim: str) -> None:
    path = write_bed(tmp_path, [[0, 1]])
    write_text(tmp_path, "made.bim", bim)
    sites = open_plink(path).sites
    found = (
        sites.chromosome[0],
        sites.name[0],
        int(sites.position[0]),
        sites.alternate[0],
        sites.reference[0],
    )
    assert found == ("1", "rs7", 12, "C", "T")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("made.bed", b"", "the file is empty"),
        ("made.bed", b"\x6c\x1b", "does not begin as a .bed file of PLINK does"),
        ("made.bed", b"\x6c\x1b\x00\x00\x00", "one person after the other"),
        (
            "made.bed",
            b"\x6c\x1b\x01\x00",
            "has 4 bytes, but 2 sites of its .bim and 3 people of its .fam make 5",
        ),
        ("made.bed", b"chr1\t10\t20\n", "does not begin as a .bed file of PLINK does"),
        ("made.bim", b"", r"made\.bim: the file is empty"),
        ("made.bim", b"1 rs1 0 1 A G\n1 rs2 0 2 A\n", r"made\.bim, line 2: the line has 5 fields"),
        (
            "made.bim",
            b"1 rs1 0 1 A G\n1 rs2 0 x A G\n",
            r"made\.bim, line 2: the position is not a whole number",
        ),
        ("made.bim", b"1 rs1 0 1 A G\n1 rs2 0 2 A \0G\n", r"made\.bim, line 2: the text holds a NUL byte"),
        ("made.bim", b"1 rs1 0 1 A G\n", "has 5 bytes, but 1 sites"),
        (
            "made.fam",
            b"Doe John 0 0 1 1\nDoe Mary 0 0 1\nDoe Ann 0 0 1 1\n",
            r"made\.fam, line 2: the line has 5 fields",
        ),
        (
            "made.fam",
            b"Doe John 0 0 1 1\nDoe John 0 0 1 1\nDoe Ann 0 0 1 1\n",
            "1 lines name a person who stands",
        ),
        ("made.fam", b"Doe John 0 0 1 1\n\nDoe Ann 0 0 1 1\n", r"made\.fam, line 2: the line has 0 fields"),
        ("made.fam", b"Doe J\xffn 0 0 1 1\nDoe M 0 0 1 1\nDoe A 0 0 1 1\n", "the text is not UTF-8"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path: Path, name: str, text: bytes, message: str) -> None:
    path = write_bed(tmp_path, [[0, 1, 2], [1, 1, 1]])
    write_text(tmp_path, name, text)
    with pytest.raises(BadInput, match=message) as problem:
        open_plink(path)
    assert "Doe" not in str(problem.value)
    assert "John" not in str(problem.value)


@pytest.mark.parametrize("suffix", [".bim", ".fam"])
def test_a_file_that_is_not_there_is_said(tmp_path: Path, suffix: str) -> None:
    path = write_bed(tmp_path, [[0, 1, 2]])
    path.with_suffix(suffix).unlink()
    with pytest.raises(BadInput, match=f"there is no {suffix} file beside it"):
        open_plink(path)


def test_a_matrix_that_does_not_fit_is_refused_before_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.dna.reading.genotypes.half_of_memory", lambda: 5)
    with pytest.raises(BadInput, match="3 people at 2 sites take more than half of the memory"):
        open_rows(write_bed(tmp_path, [[0, 1, 2], [0, 1, 2]]))


@pytest.mark.golden
@pytest.mark.parametrize("name", ["toydata.5chrom", "plink_sim_10s_100v_10pmiss"])
def test_counts_of_real_files_agree_with_bed_reader(shared: Path, name: str) -> None:
    from bed_reader import open_bed

    path = shared / "data" / "dna" / f"{name}.bed"
    source = open_plink(path)
    with open_bed(path) as bed:
        expected = bed.read(dtype="int8")
        alleles = bed.allele_1
    assert np.array_equal(source.sites.alternate, alleles)
    dosages = np.where(expected < 0, np.int8(-1), expected).T
    generator = np.random.default_rng(5)
    groups = [generator.random(source.people) < 0.4, np.ones(source.people, np.bool_)]
    assert np.array_equal(source.counts(groups), InMemory(dosages, source.sites).counts(groups))
    assert np.array_equal(all_dosages(source), dosages)
