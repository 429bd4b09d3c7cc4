"""VCF and BCF: bases, genotypes, and calls of every shape."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.reading import VcfSource, open_genotypes, open_rows, open_vcf_source
from sfumato.dna.reading import vcf_text as vcf_text_module
from sfumato.dna.source import InMemory
from sfumato.hierarchy.iupac import parse
from tests.dna.reading.made import COLUMNS, HEADER, vcf_text, write_text
from tests.oracles import dna_files

DIPLOID = ["0/0", "0/1", "1/0", "1/1", "0|1", "1|1", "0/.", "./0", "1/.", "./1", "./.", ".|.", ".", "0", "1"]


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.sampled_from(DIPLOID), min_size=n, max_size=n), min_size=1, max_size=5)
    )
)
def test_every_call_is_the_set_of_genotypes_that_agree_with_it(calls: list[list[str]]) -> None:
    records = [("1", at + 1, "A", "G", row) for at, row in enumerate(calls)]
    with tempfile.TemporaryDirectory() as folder:
        source = open_vcf_source(write_text(Path(folder), "a.vcf", vcf_text(records)))
        rows = source.rows()
        blocks = list(source.blocks(at_once=2))
        everybody = np.ones(source.people, np.bool_)
        counts = source.counts([everybody, ~everybody])
    expected = np.array([[dna_files.genotype_set(call) for call in row] for row in calls])
    assert np.array_equal(rows.alignment().cells, expected.T)
    dosage = {1: 0, 2: 1, 4: 2}
    dosages = np.array([[dosage.get(mask, -1) for mask in row] for row in expected.tolist()], np.int8)
    assert np.array_equal(np.concatenate([block.dosages for block in blocks]), dosages)
    assert [block.first for block in blocks] == list(range(0, len(calls), 2))
    assert np.array_equal(counts, InMemory(dosages, source.sites).counts([everybody, ~everybody]))
    haploid = sum(call in ("0", "1") for row in calls for call in row)
    assert rows.counted["haploid calls, read as homozygous"] == haploid


FIELDS = ["0/0", "1|0", "./.", "9/.", "01/", "/0/", "0:1", "0\\1", "0", "10/1", "0/1:3", "a/b", "0/\x00"]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=6))
def test_lines_of_plain_genotypes_are_passed_only_where_each_field_is_one(fields: list[str]) -> None:
    plain = vcf_text_module._are_plain(
        b"x" + b"".join(b"\t%s" % one.encode() for one in fields), 1, len(fields)
    )
    assert plain == all(one in ("0/0", "1|0", "./.", "9/.") for one in fields)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.sampled_from(["0", "1", "2", ".", "0/0", "2/2", "0/1", "1|2", "./1", "./."]),
        min_size=1,
        max_size=8,
    )
)
def test_bases_are_the_alleles_that_were_called(calls: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write_text(Path(folder), "a.vcf", vcf_text([("1", 7, "a", "C,t", calls)]))
        coded = open_rows(path, cells="bases", two_bases="code")
        first = open_rows(path, cells="bases", two_bases="first")
    expected = [dna_files.base_set(call, ["A", "C", "T"]) for call in calls]
    assert coded.alignment().cells[:, 0].tolist() == expected
    assert coded.alignment().positions == ("1:7",)
    leading = [
        mask if mask == 15 else dna_files.base_set(call[0], ["A", "C", "T"])
        for call, mask in zip(calls, expected, strict=True)
    ]
    assert first.alignment().cells[:, 0].tolist() == leading
    two = sum(mask.bit_count() == 2 for mask in expected)
    assert coded.counted["calls of two bases"] == first.counted["calls of two bases"] == two
    assert coded.counted["cells not called"] == expected.count(15)


def test_a_heterozygote_is_no_sequence_unless_it_is_said_how(tmp_path: Path) -> None:
    path = write_text(
        tmp_path, "a.vcf", vcf_text([("1", 1, "A", "G", ["0/0", "1/1"]), ("1", 2, "A", "G", ["0/1", "1"])])
    )
    with pytest.raises(BadInput, match="record 2: 1 call of two different bases"):
        open_rows(path, cells="bases")


def test_indels_symbols_and_stars_are_left_out_of_bases_and_counted(tmp_path: Path) -> None:
    calls = ["0", "1"]
    records = [
        ("MT", 1, "A", "G", calls),
        ("MT", 2, "AT", "A", calls),
        ("MT", 3, "A", "<DEL>", calls),
        ("MT", 4, "A", "*,G", calls),
        ("MT", 5, "A", ".", ["0", "0"]),
        ("MT", 6, "A", "G,T,C", ["3", "2"]),
    ]
    rows = open_rows(write_text(tmp_path, "a.vcf", vcf_text(records)))
    assert rows.alignment().positions == ("MT:1", "MT:6")
    assert rows.alignment().cells.tolist() == [parse("AC").tolist(), parse("GT").tolist()]
    assert rows.counted["records that are no SNP, left out"] == 4


def test_a_site_that_was_split_is_refused_as_bases(tmp_path: Path) -> None:
    records = [("MT", 5, "A", "G", ["0", "1"]), ("MT", 5, "A", "T", ["1", "0"])]
    with pytest.raises(BadInput, match="records 1 and 2 lie at the same position"):
        open_rows(write_text(tmp_path, "a.vcf", vcf_text(records)))


def test_sites_of_many_alleles_are_left_out_of_genotypes_or_refused(tmp_path: Path) -> None:
    calls = ["0/1", "1/1"]
    records = [
        ("1", 1, "A", "G", calls),
        ("1", 2, "A", "G,T", calls),
        ("1", 3, "AT", "A", calls),
        ("1", 4, "A", "<DEL>", calls),
        ("1", 5, "A", ".", ["0/0", "0/0"]),
    ]
    path = write_text(tmp_path, "a.vcf", vcf_text(records))
    rows = open_rows(path)
    assert rows.alignment().positions == ("1:1", "1:3")
    assert dict(rows.counted) == {
        "sites of more than two alleles, left out": 1,
        "sites without an alternate allele, left out": 1,
        "sites of symbolic alleles, left out": 1,
        "haploid calls, read as homozygous": 0,
    }
    with pytest.raises(BadInput, match="record 2: the site has 3 alleles"):
        open_genotypes(path, multiallelic="error")


def test_what_a_file_is_read_as_unless_it_is_said(tmp_path: Path) -> None:
    haploid = write_text(tmp_path, "a.vcf", vcf_text([("7", 1, "A", "G", ["0", "1"])]))
    mitochondrial = write_text(tmp_path, "b.vcf", vcf_text([("chrM", 1, "A", "G", ["0/0", "1/1"])]))
    diploid = write_text(tmp_path, "c.vcf", vcf_text([("7", 1, "A", "G", ["0/0", "1"])]))
    assert open_rows(haploid).alignment().lattice.name == "bases"
    assert open_rows(mitochondrial).alignment().lattice.name == "bases"
    assert open_rows(diploid).alignment().lattice.name == "genotypes"
    assert open_rows(haploid, cells="genotypes").alignment().cells[:, 0].tolist() == [1, 4]


def test_bcf_and_packed_vcf_give_what_vcf_gives(tmp_path: Path) -> None:
    from cyvcf2 import VCF, Writer

    path = write_text(
        tmp_path, "a.vcf", vcf_text([("1", 1, "A", "G", ["0/0", "./1"]), ("1", 9, "C", "T", ["1/1", "."])])
    )
    plain = VCF(str(path))
    writer = Writer(str(tmp_path / "a.bcf"), plain, mode="wb")
    for record in plain:
        writer.write_record(record)
    writer.close()
    write_text(tmp_path, "b.vcf.gz", gzip.compress(path.read_bytes()))
    expected = open_rows(path).alignment().cells
    for other in ("a.bcf", "b.vcf.gz"):
        assert np.array_equal(open_rows(tmp_path / other).alignment().cells, expected)
    loose = write_text(tmp_path, "loose.bcf", gzip.decompress((tmp_path / "a.bcf").read_bytes()))
    with pytest.raises(BadInput, match="the BCF file is not packed"):
        open_rows(loose)
    damaged = bytearray((tmp_path / "a.bcf").read_bytes())
    damaged[len(damaged) // 2] ^= 0x55
    with pytest.raises(BadInput):
        open_rows(write_text(tmp_path, "damaged.bcf", bytes(damaged)))
    cut = write_text(tmp_path, "cut.bcf", (tmp_path / "a.bcf").read_bytes()[:-28])
    with pytest.raises(BadInput, match="cut short"):
        open_rows(cut)


def test_sites_keep_their_place_and_alleles(tmp_path: Path) -> None:
    text = vcf_text([("1", 5, "a", "g", ["0/1"]), ("X", 7, "AC", "A", ["0/1"])]).replace(
        "\t5\t.\t", "\t5\trs12\t"
    )
    source = open_genotypes(write_text(tmp_path, "a.vcf", text))
    assert source.sites.chromosome.tolist() == ["1", "X"]
    assert source.sites.position.tolist() == [5, 7]
    assert source.sites.name.tolist() == ["rs12", "X:7"]
    assert source.sites.reference.tolist() == ["A", "AC"]
    assert source.sites.alternate.tolist() == ["G", "A"]
    assert isinstance(source, VcfSource)
    assert source.samples == ("s0",)
    assert "s0" not in repr(source)


def test_a_file_that_changes_between_passes_is_noticed(tmp_path: Path) -> None:
    path = write_text(tmp_path, "a.vcf", vcf_text([("1", at, "A", "G", ["0/1"]) for at in (1, 2)]))
    source = open_genotypes(path)
    write_text(tmp_path, "a.vcf", vcf_text([("1", 1, "A", "G", ["0/1"])]))
    with pytest.raises(BadInput, match="had 2 sites when it was opened and has 1 now"):
        list(source.blocks())


HEADED = HEADER + COLUMNS + "\tAnna\tBert\n"
RECORD = "1\t5\t.\tA\tG\t.\t.\t.\tGT\t0/1\t1/1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (HEADED, "the file has 0 records and no site of two alleles"),
        (HEADER, "no line with the names of the columns"),
        (RECORD, "a file without the header that begins VCF"),
        (HEADER + COLUMNS.removesuffix("\tFORMAT") + "\n1\t5\t.\tA\tG\t.\t.\t.\n", "sites but no samples"),
        (
            HEADED.replace("Bert", "Anna") + RECORD,
            "1 sample name given to more than one: see numbers 1 and 2",
        ),
        (
            HEADED + RECORD.replace("GT", "DP").replace("0/1", "5").replace("1/1", "5"),
            "line 5: the record has no genotypes",
        ),
        (HEADED + RECORD + RECORD.replace("\t1/1", ""), "line 6: the line has 10 columns, the header 11"),
        (HEADED + RECORD.replace("\t1/1", "\t1/1\t1/1"), "line 5: the line has 12 columns, the header 11"),
        (HEADED + RECORD + "\n" + RECORD, "line 6: the line has 1 column, the header 11"),
        (
            HEADED + RECORD.replace("1/1", "0/x"),
            "line 5: the field of sample 2 does not begin with a genotype",
        ),
        (
            HEADED + RECORD.replace("0/1", "01"),
            "line 5: the field of sample 1 does not begin with a genotype",
        ),
        (HEADED + RECORD.replace("0/1", ""), "line 5: the field of sample 1 does not begin with a genotype"),
        (
            HEADED + RECORD.replace("GT", "GT:DP").replace("0/1", "x:5"),
            "line 5: the field of sample 1 does not",
        ),
        (HEADED + RECORD.replace("\t5\t", "\tfive\t"), "line 5: the position is not a whole number"),
        (HEADED + RECORD.replace("\t.\tGT", '\t"AC=1"\tGT'), "record 1: the record is not well-formed"),
        (HEADED + RECORD.replace("\tA\t", "\t\xff\t"), "record 1: the record is not well-formed"),
        (HEADED + RECORD.replace("0/1", "0/4"), "record 1: a genotype names an allele"),
        (HEADED + RECORD.replace("0/1", "0/1/1"), "record 1: 1 call of more than two alleles"),
        (HEADED + RECORD.replace("1/1", "1\0/1"), "line 5: the text holds a NUL byte"),
        (HEADED.encode("utf-16").decode("latin-1"), "a file without the header that begins VCF"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence_without_names(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    with pytest.raises(BadInput, match=message) as problem:
        open_genotypes(write_text(tmp_path, "bad.vcf", text.encode("latin-1")))
    assert "Anna" not in str(problem.value)
    assert "Bert" not in str(problem.value)
    assert problem.value.__suppress_context__ or problem.value.__context__ is None
    assert capfd.readouterr().err == ""


def test_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = write_text(tmp_path, "a.vcf", (HEADED + RECORD).replace("\n", "\r\n"))
    rows = open_rows(path)
    assert rows.alignment().cells.tolist() == [[2], [4]]
    assert rows.samples == ("Anna", "Bert")


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_a_packed_file_that_is_cut_short_is_refused(tmp_path: Path, keep: float) -> None:
    generator = np.random.default_rng(3)
    calls = generator.choice(["0/0", "0/1", "1/1"], (300, 50)).tolist()
    whole = gzip.compress(vcf_text([("1", at + 1, "A", "G", row) for at, row in enumerate(calls)]).encode())
    with pytest.raises(BadInput, match="cut short"):
        open_genotypes(write_text(tmp_path, "a.vcf.gz", whole[: int(len(whole) * keep)]))


def test_a_file_cut_between_two_blocks_is_refused(tmp_path: Path) -> None:
    from Bio import bgzf

    with bgzf.BgzfWriter(str(tmp_path / "a.vcf.gz"), "wb") as file:
        file.write(vcf_text([("1", 1, "A", "G", ["0/1"])]).encode())
    assert len(open_genotypes(tmp_path / "a.vcf.gz").sites) == 1
    cut = write_text(tmp_path, "b.vcf.gz", (tmp_path / "a.vcf.gz").read_bytes()[:-28])
    with pytest.raises(BadInput, match="cut short"):
        open_genotypes(cut)


@pytest.mark.golden
def test_mitochondria_of_1000_genomes_are_the_reference_matrix(shared: Path) -> None:
    rows = open_rows(shared / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz")
    cells = rows.alignment().cells
    assert cells.shape == (1074, 2797)
    assert int((cells != cells[0]).any(axis=0).sum()) == 2586
    assert len(np.unique(cells, axis=0)) == 979
    assert len(rows.samples) == 1074
    # Mixtures within a person are read as their first base, and it is said how many there are.
    assert rows.counted["calls of two bases"] == 379


@pytest.mark.golden
def test_a_malformed_file_is_refused_without_a_word_of_the_library(
    shared: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(
        BadInput, match=r"HG00097\.chrMT\.vcf, record 1: .*texts of INFO stand without quotes"
    ):
        open_rows(shared / "data" / "dna" / "HG00097.chrMT.vcf")
    assert capfd.readouterr().err == ""


@pytest.mark.golden
@pytest.mark.parametrize(
    "name",
    [
        "bio2zarr.chr22.vcf.gz",
        "cyvcf2.test.vcf.gz",
        "1kg_2020_chrM.vcf.gz",
        "scikit-allel.sample.vcf",
        "scikit-allel.test32.vcf",
    ],
)
def test_genotypes_are_those_of_the_text(shared: Path, tmp_path: Path, name: str) -> None:
    path = shared / "data" / "dna" / name
    data = path.read_bytes()
    text = gzip.decompress(data) if name.endswith(".gz") else data
    _, records = dna_files.vcf(write_text(tmp_path, "plain.vcf", text))
    expected = []
    for fields in records:
        alleles = [fields[3].upper(), *fields[4].upper().split(",")]
        if len(alleles) == 2 and not set("".join(alleles)) - set("ACGTN"):
            expected.append([dna_files.genotype_set(sample.split(":")[0]) for sample in fields[9:]])
    rows = open_rows(path, cells="genotypes")
    assert np.array_equal(rows.alignment().cells, np.array(expected).T)
