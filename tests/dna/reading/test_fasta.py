"""FASTA files: what they give, and what they are refused for."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.reading import open_rows, read_fasta
from sfumato.hierarchy.iupac import parse
from tests.dna.reading.made import write_text
from tests.oracles import dna_files


def test_sequences_of_one_length_are_an_alignment(tmp_path: Path) -> None:
    rows = read_fasta(write_text(tmp_path, "a.fa", ">one more words\nAAT\nTA\n>two\nAATGA\n"))
    assert isinstance(rows.data, Aligned)
    assert rows.data.cells.tolist() == [parse("AATTA").tolist(), parse("AATGA").tolist()]
    assert rows.samples == ("one", "two")


def test_sequences_of_one_length_can_be_declared_not_aligned(tmp_path: Path) -> None:
    path = write_text(tmp_path, "a.fa", ">1\nAC\n>2\nGT\n")
    assert isinstance(read_fasta(path, aligned=False).data, Unaligned)


def test_different_lengths_are_not_an_alignment_and_refused_as_one(tmp_path: Path) -> None:
    path = write_text(tmp_path, "a.fa", ">1\nACG\n>2\nGT\n>3\nGT\n")
    assert isinstance(read_fasta(path).data, Unaligned)
    with pytest.raises(BadInput, match=r"the 3 sequences have 2 different lengths \(2 to 3\)"):
        read_fasta(path, aligned=True)


def test_lower_case_windows_line_ends_old_line_ends_and_blank_lines_are_read(tmp_path: Path) -> None:
    expected = parse("ACGTN-")
    for text in (">a\r\nacg\r\nTn-\r\n", ">a\racg\rTn-", "\n\n>a\n acg\n\nTn-\n\n", "\ufeff>a\nacgtn-"):
        rows = read_fasta(write_text(tmp_path, "a.fa", text), aligned=True)
        assert rows.alignment().cells.tolist() == [expected.tolist()]


def test_a_packed_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    path = write_text(tmp_path, "a.fasta", gzip.compress(b">a\nACGT\n"))
    assert open_rows(path).alignment().width == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n", "a file without the '>'"),
        ("ACGT\n", "a file without the '>'"),
        (">a\nACGT\n>b\n>c\nACGT\n", "sequence 2: there is a header without a sequence"),
        (">a\nACGT\n>b\nAC!T\n", "sequence 2: one letter of the sequence is no code of IUPAC.*position 3"),
        (">a x\nACGT\n>b\nAC\n>a y\nACGT\n", "1 sequence name given to more than one: see numbers 1 and 3"),
        (">a\nMKLVEEFIQ\n", "looks like a protein"),
        (">a\nACGUUA\n", "the sequence is RNA"),
        (">a\nAC\0GT\n", "line 2: the text holds a NUL byte"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_fasta(write_text(tmp_path, "bad.fasta", text))


def test_no_message_holds_a_header_or_a_sequence(tmp_path: Path) -> None:
    path = write_text(tmp_path, "bad.fasta", ">Mary\nACGTXXACGT\n>Mary\nACGT\n")
    with pytest.raises(BadInput) as problem:
        read_fasta(path)
    assert "Mary" not in str(problem.value)
    assert "ACGT" not in str(problem.value)
    assert problem.value.__cause__ is None


def test_names_do_not_show_when_rows_are_printed(tmp_path: Path) -> None:
    rows = read_fasta(write_text(tmp_path, "a.fa", ">Mary\nACGT\n"))
    assert "Mary" not in repr(rows)


@pytest.mark.golden
@pytest.mark.parametrize("name", ["rCRS.fasta", "mtDNA_H100.fasta", "mtDNA_H100s.fasta"])
def test_mitochondrial_genomes_are_read_letter_by_letter(shared: Path, name: str) -> None:
    path = shared / "data" / "dna" / name
    rows = read_fasta(path, aligned=False)
    assert isinstance(rows.data, Unaligned)
    slow = dna_files.fasta(path)
    assert len(rows) == len(slow)
    for found, (_, text) in zip(rows.data.sequences, slow, strict=True):
        assert np.array_equal(found, parse(text))
