"""Files that were read wrongly, ended the reader, or said of somebody what nobody knows."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import cyvcf2
import numpy as np
import pytest
from Bio.bgzf import BgzfWriter

from sfumato.core.errors import BadInput
from sfumato.dna.reading import open_genotypes, open_rows, open_vcf_source, read_people
from sfumato.dna.reading.phenotype import plink_phenotype, read_phenotype
from tests.dna.reading.made import vcf_text, write_bed, write_text

ONE = vcf_text([("1", 10, "A", "G", ["0/1", "1/1"])])


@pytest.mark.parametrize("suffix", ["vcf", "bcf"])
def test_a_sample_name_that_is_not_utf_8_is_refused_and_not_quoted(tmp_path: Path, suffix: str) -> None:
    path = write_text(tmp_path, "a.vcf", ONE.encode().replace(b"\ts1", b"\tJos\xe9"))
    if suffix == "bcf":
        reader = cyvcf2.VCF(str(write_text(tmp_path, "b.vcf", ONE.replace("\ts1", "\tJose"))))
        made = cyvcf2.Writer(str(tmp_path / "b.bcf"), reader, "wbu")
        made.write_record(next(reader))
        made.close()
        plain = (tmp_path / "b.bcf").read_bytes()
        path = tmp_path / "c.bcf"
        with BgzfWriter(str(path), "wb") as file:
            file.write(_unpacked(plain).replace(b"\tJose", b"\tJos\xe9"))
    with pytest.raises(BadInput, match=r"sample 2 is not UTF-8|a sample name is not UTF-8") as problem:
        open_rows(path)
    assert "Jos" not in str(problem.value)


def _unpacked(content: bytes) -> bytes:
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


@pytest.mark.parametrize("position", [2**31, 5_000_000_000, 10**25])
def test_a_position_that_the_library_would_wrap_around_is_refused(tmp_path: Path, position: int) -> None:
    path = write_text(tmp_path, "a.vcf", vcf_text([("1", position, "A", "G", ["0/1"])]))
    with pytest.raises(BadInput, match="line 5: the position lies beyond"):
        open_rows(path)


def test_the_last_position_that_fits_is_read_as_it_is(tmp_path: Path) -> None:
    path = write_text(tmp_path, "a.vcf", vcf_text([("1", 2**31 - 2, "A", "G", ["0/1"])]))
    assert open_genotypes(path).sites.position.tolist() == [2**31 - 2]


@pytest.mark.parametrize("alternate", ["A", "a", "G,G"])
def test_a_record_that_lists_an_allele_twice_is_refused(tmp_path: Path, alternate: str) -> None:
    path = write_text(tmp_path, "a.vcf", vcf_text([("1", 10, "A", alternate, ["0/1"])]))
    with pytest.raises(BadInput, match="record 1: an allele is listed twice"):
        open_rows(path)


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b"\n"])
def test_a_file_with_something_before_its_header_says_so(tmp_path: Path, start: bytes) -> None:
    path = write_text(tmp_path, "a.vcf", start + ONE.encode())
    with pytest.raises(BadInput, match="line 1: the file does not begin with ##fileformat=VCF"):
        open_rows(path)


def test_a_text_that_was_cut_within_its_last_call_is_refused(tmp_path: Path) -> None:
    text = vcf_text([("1", 10, "A", "G", ["0/1", "0/1"])]).rstrip("\n")
    assert open_rows(write_text(tmp_path, "whole.vcf", text)).alignment().cells.tolist() == [[2], [2]]
    with pytest.raises(BadInput, match=r"line 5: .*cut short"):
        open_rows(write_text(tmp_path, "cut.vcf", text[:-2]))


def test_the_calls_of_men_at_the_end_of_a_whole_text_are_read(tmp_path: Path) -> None:
    text = vcf_text([("X", 10, "A", "G", ["0/1", "0"])])
    assert open_rows(write_text(tmp_path, "a.vcf", text)).alignment().cells.tolist() == [[2], [1]]
    text = vcf_text([("X", 10, "A", "G", ["0", "1"])]).rstrip("\n")
    path = write_text(tmp_path, "b.vcf", text)
    assert open_rows(path, cells="genotypes").alignment().cells.tolist() == [[1], [4]]


def test_names_of_sequences_in_utf_8_join_with_the_people(tmp_path: Path) -> None:
    rows = open_rows(write_text(tmp_path, "a.fa", ">José 1\nAC\n>b\nAC\n"))
    people = write_text(tmp_path, "people.csv", "sample,who\nb,1\nJosé,2\n")
    assert read_people(people, rows.samples, person="who").persons.tolist() == [1, 0]


def test_names_of_sequences_in_another_encoding_are_still_told_apart(tmp_path: Path) -> None:
    path = write_text(tmp_path, "a.fa", b">Jos\xe9\nAC\n>Jos\xe8\nAG\n")
    assert len(set(open_rows(path).samples)) == 2


@pytest.mark.parametrize("position", ["99999999999999999999", "-99999999999999999999"])
def test_a_plink_position_of_too_many_digits_is_refused_with_its_line(tmp_path: Path, position: str) -> None:
    path = write_bed(tmp_path, [[0], [1]])
    write_text(tmp_path, "made.bim", f"1 a 0 5 A G\n1 b 0 {position} A G\n")
    with pytest.raises(BadInput, match="line 2: the position"):
        open_genotypes(path)


def test_the_same_genotypes_as_vcf_and_as_plink_are_the_same_sites_and_dosages(tmp_path: Path) -> None:
    dosages = [[0, 1, 2], [2, -1, 0]]
    calls = {0: "0/0", 1: "0/1", 2: "1/1", -1: "./."}
    texts = [("1", at + 1, "G", "A", [calls[one] for one in row]) for at, row in enumerate(dosages)]
    vcf = open_genotypes(write_text(tmp_path, "a.vcf", vcf_text(texts)))
    bed = write_bed(tmp_path, dosages)
    for alleles in ("A\tG", "a\tg"):
        write_text(tmp_path, "made.bim", "".join(f"1\t.\t0\t{at + 1}\t{alleles}\n" for at in range(2)))
        plink = open_genotypes(bed)
        for name in ("chromosome", "position", "name", "reference", "alternate"):
            assert getattr(plink.sites, name).tolist() == getattr(vcf.sites, name).tolist()
        assert next(plink.blocks()).dosages.tolist() == next(vcf.blocks()).dosages.tolist() == dosages
        everybody = [np.ones(3, np.bool_)]
        assert plink.counts(everybody).tolist() == vcf.counts(everybody).tolist()


@pytest.mark.parametrize("word", ["unknown", "?", "N/A", "missing", "Not known", "-"])
def test_of_whom_it_is_not_known_is_no_control(word: str) -> None:
    assert read_phenotype(["ill", word, "well"], case="ill").states.tolist() == [1, -1, 0]
    assert read_phenotype(["case", word, "control"]).states.tolist() == [1, -1, 0]


def test_plinks_zero_is_not_known_also_when_it_is_said_how_a_case_is_written() -> None:
    assert read_phenotype(["2", "0", "1"], case="2").states.tolist() == [1, -1, 0]
    assert read_phenotype(["1", "0", "0"], case="1").states.tolist() == [1, 0, 0]


def test_a_family_file_without_a_case_says_nothing_of_anybody() -> None:
    """Other programmes write 1 for a case and 0 for a control: their cases would become controls."""
    assert plink_phenotype(["0", "1", "1"]) is None
    assert plink_phenotype(["1", "1"]) is None


@pytest.mark.parametrize(
    ("module", "remedy", "code"),
    [
        ("cyvcf2", "dna", "open_rows('a.vcf')"),
        ("Bio", "dna", "open_rows('a.fa')"),
        ("bed_reader", "dna", "open_rows('made.bed')"),
        ("pymatching", "matching", "Dnala(pairing='exact').protect(Problem(four, (SequenceKAnonymity(2),)))"),
        ("msprime", "simulate", "simulated(people=3)"),
    ],
)
def test_without_an_extra_it_is_said_which_to_install(
    tmp_path: Path, module: str, remedy: str, code: str
) -> None:
    write_text(tmp_path, "a.vcf", ONE)
    write_text(tmp_path, "a.fa", ">a\nAC\n")
    write_bed(tmp_path, [[0, 1]])
    program = f"""
import sys
sys.modules[{module!r}] = None
from sfumato.core.errors import MissingPart
from sfumato.dna.aligned import aligned
from sfumato.dna.contract import Problem
from sfumato.dna.methods import Dnala
from sfumato.dna.models import SequenceKAnonymity
from sfumato.dna.reading import open_rows
from sfumato.dna.simulate import simulated
four = aligned("AATTA", "AATGA", "ATTCA", "AATGA")
try:
    {code}
except MissingPart as problem:
    print(problem)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert f"sfumato[{remedy}]" in ended.stdout


@pytest.mark.parametrize(("records", "people"), [(1, 2), (3, 2), (2, 1), (2, 3)])
def test_a_file_that_has_changed_is_noticed_in_every_way_to_read_it(
    tmp_path: Path, records: int, people: int
) -> None:
    """Rows had columns of whatever lay in memory where sites had gone; counting ended where some had come."""

    def write(many: int, samples: int) -> Path:
        sites = [("1", at + 1, "A", "G", ["0/1"] * samples) for at in range(many)]
        return write_text(tmp_path, "a.vcf", vcf_text(sites))

    source = open_vcf_source(write(2, 2))
    write(records, people)
    for read in (
        source.rows,
        lambda: source.counts([np.ones(2, np.bool_)]),
        lambda: list(source.blocks()),
    ):
        with pytest.raises(BadInput, match="2 sites when it was opened"):
            read()
