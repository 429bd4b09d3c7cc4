"""What was written is read again as it was: rows as a multiset, as their order is drawn at random."""

from __future__ import annotations

import csv
import io
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.dna.aligned import Aligned, Unaligned, aligned
from sfumato.dna.contract import Statistics
from sfumato.dna.reading import open_rows, read_column, read_statistics
from sfumato.dna.sites import Sites, numbered
from sfumato.dna.writing import write_fasta, write_plink, write_rows, write_statistics, write_vcf
from sfumato.dna.writing.table import positions_csv
from sfumato.engine.contract import Order
from sfumato.hierarchy.iupac import genotypes, iupac
from tests.oracles import dna_files

BASE = sorted(iupac().masks.values())
CALL = sorted(genotypes().masks.values())


def matrices(values: list[int], widest: int = 6) -> st.SearchStrategy[NDArray[np.uint8]]:
    return st.integers(1, widest).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from(values), min_size=width, max_size=width), min_size=1, max_size=6
        ).map(lambda rows: np.array(rows, np.uint8))
    )


def bag(rows: Aligned | Unaligned) -> Counter[bytes]:
    return Counter(row.tobytes() for row in (rows.cells if isinstance(rows, Aligned) else rows.sequences))


@settings(deadline=None, max_examples=40)
@given(matrices(BASE), st.sampled_from([".fa", ".fasta.gz"]))
def test_sequences_come_back_from_fasta_without_their_gaps(cells: NDArray[np.uint8], suffix: str) -> None:
    rows = Aligned(cells)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        if (cells == 16).all(axis=1).any():
            with pytest.raises(BadInput, match="a sequence of gaps alone"):
                write_fasta(rows, path)
            return
        assert write_fasta(rows, path) == len(rows)
        found = open_rows(path, aligned=False)
    assert bag(found.data) == Counter(row[row != 16].tobytes() for row in cells)
    assert found.samples == tuple(str(number) for number in range(1, len(rows) + 1))


@settings(deadline=None, max_examples=40)
@given(matrices(CALL), st.sampled_from([".vcf", ".vcf.gz"]))
def test_generalised_genotypes_come_back_from_vcf(cells: NDArray[np.uint8], suffix: str) -> None:
    sites = numbered(cells.shape[1])
    sites.name[0] = "rs99"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        write_vcf(Aligned(cells, genotypes()), sites, path)
        found = open_rows(path)
    assert bag(found.data) == bag(Aligned(cells))
    assert found.sites is not None
    for field in ("chromosome", "position", "name", "reference", "alternate"):
        assert getattr(found.sites, field).tolist() == getattr(sites, field).tolist()


@settings(deadline=None, max_examples=25)
@given(matrices([1, 2, 4, 7], 9))
def test_exact_and_missing_genotypes_come_back_from_plink(cells: NDArray[np.uint8]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.bed"
        write_plink(Aligned(cells, genotypes()), numbered(cells.shape[1]), path)
        found = open_rows(path)
        slow = np.array(dna_files.bed(path, len(cells)))
    assert bag(found.data) == bag(Aligned(cells))
    assert found.sites is not None
    assert (found.sites.reference[0], found.sites.alternate[0]) == ("A", "G")
    meaning = {1: 0, 2: 1, 4: 2, 7: -1}
    expected = Counter(tuple(meaning[mask] for mask in row) for row in cells.tolist())
    assert Counter(map(tuple, slow.T.tolist())) == expected


@settings(deadline=None, max_examples=20)
@given(
    st.one_of(
        matrices(BASE).map(lambda c: Aligned(c)), matrices(CALL).map(lambda c: Aligned(c, genotypes()))
    ),
    st.sampled_from([".csv", ".csv.gz", ".parquet"]),
)
def test_rows_come_back_from_a_column_for_each_position(rows: Aligned, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        write_rows(rows, path)
        found = open_rows(path)
    assert bag(found.data) == bag(rows)
    assert found.alignment().positions == rows.positions
    assert found.alignment().lattice.name == rows.lattice.name


NAMES = ("MT:73", "rs 1", 'a "name", with signs', "ä", "  ", "x,y")


@settings(deadline=None, max_examples=60)
@given(
    st.one_of(
        matrices(BASE).map(lambda c: Aligned(c, positions=NAMES[: c.shape[1]])),
        matrices(CALL).map(lambda c: Aligned(c, genotypes(), NAMES[: c.shape[1]])),
    )
)
def test_a_table_of_positions_is_spelt_cell_by_cell(rows: Aligned) -> None:
    found = list(csv.reader(io.StringIO(positions_csv(rows).decode("utf-8"), newline="")))
    spelt = [[rows.lattice.spellings[mask] for mask in row] for row in rows.cells.tolist()]
    assert found == [list(rows.positions), *spelt]


@settings(deadline=None, max_examples=15)
@given(
    st.lists(st.lists(st.sampled_from(BASE[:-1]), min_size=1, max_size=7), min_size=1, max_size=5),
    st.sampled_from([".csv", ".parquet"]),
)
def test_sequences_come_back_from_a_column_of_text(texts: list[list[int]], suffix: str) -> None:
    rows = Unaligned(tuple(np.array(text, np.uint8) for text in texts))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        write_rows(rows, path)
        found = read_column(path, "sequence", aligned=False)
    assert bag(found.data) == bag(rows)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.tuples(st.floats(), st.floats()), min_size=1, max_size=6),
    st.sampled_from([".csv", ".tsv", ".csv.gz", ".parquet"]),
)
def test_every_figure_is_read_back_exactly(figures: list[tuple[float, float]], suffix: str) -> None:
    chi2, p = (np.array(column) for column in zip(*figures, strict=True))
    sites = numbered(len(figures))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        assert write_statistics(Statistics(sites, {"chi2": chi2, "p value, two-sided": p}), path) == len(
            sites
        )
        found = read_statistics(path)
    assert list(found.columns) == ["chi2", "p value, two-sided"]
    for written, read in zip((chi2, p), found.columns.values(), strict=True):
        assert np.array_equal(written, read, equal_nan=True)
        assert np.array_equal(np.signbit(written[written == 0]), np.signbit(read[read == 0]))
    assert found.sites.position.tolist() == sites.position.tolist()
    assert found.sites.name.tolist() == sites.name.tolist()


def test_the_order_of_rows_is_drawn_unless_it_is_kept(tmp_path: Path) -> None:
    rows = aligned(*("".join("ACGT"[(at >> (2 * bit)) & 3] for bit in range(4)) for at in range(200)))
    calls = Aligned(np.where(rows.cells == 8, np.uint8(7), rows.cells), genotypes())
    sites = numbered(4)
    writers = {
        "a.fa": lambda order, path: write_fasta(rows, path, order=order),
        "a.csv": lambda order, path: write_rows(rows, path, order=order),
        "b.csv": lambda order, path: write_rows(rows, path, "text", order=order),
        "a.vcf": lambda order, path: write_vcf(calls, sites, path, order=order),
        "a.bed": lambda order, path: write_plink(calls, sites, path, order=order),
    }
    for name, write in writers.items():
        contents = []
        for order in (Order.KEPT, Order.SHUFFLED, Order.SHUFFLED):
            write(order, tmp_path / name)
            contents.append((tmp_path / name).read_bytes())
        assert len(set(contents)) == 3, name
        write(Order.KEPT, tmp_path / name)
        assert (tmp_path / name).read_bytes() == contents[0]


def test_a_generator_may_be_injected(tmp_path: Path) -> None:
    rows = aligned(*["AC", "AG", "AT", "CC", "CG"])
    texts = []
    for _ in range(2):
        write_fasta(rows, tmp_path / "a.fa", random=SeededRandom(4))
        texts.append((tmp_path / "a.fa").read_bytes())
    assert texts[0] == texts[1]


def test_what_a_file_has_no_room_for_is_refused(tmp_path: Path) -> None:
    calls = Aligned(np.array([[3], [6]], np.uint8), genotypes())
    bases = aligned("AC", "AG")
    symbolic = Sites(
        *(np.array([x], np.object_) for x in ("1",)),
        np.array([1]),
        *(np.array([x], np.object_) for x in ("1:1", "A", "<DEL>")),
    )
    refused = [
        ("2 cells generalised in part", lambda: write_plink(calls, numbered(1), tmp_path / "a.bed")),
        ("PLINK genotypes lie in a .bed file", lambda: write_plink(calls, numbered(1), tmp_path / "a.ped")),
        ("these rows are no genotypes", lambda: write_plink(bases, numbered(2), tmp_path / "a.bed")),
        ("these rows are no genotypes", lambda: write_vcf(bases, numbered(2), tmp_path / "a.vcf")),
        ("BCF is not written", lambda: write_vcf(calls, numbered(1), tmp_path / "a.bcf")),
        ("site 1: an allele is not written in bases", lambda: write_vcf(calls, symbolic, tmp_path / "a.vcf")),
        ("genotypes are no sequence of bases", lambda: write_fasta(calls, tmp_path / "a.fa")),
        ("genotypes are no text of bases", lambda: write_rows(calls, tmp_path / "a.csv", "text")),
        ("use .csv, .csv.gz, .parquet", lambda: write_rows(calls, tmp_path / "a.xlsx")),
        ("there is no layout 'wide'", lambda: write_rows(calls, tmp_path / "a.csv", "wide")),
        ("use .csv", lambda: write_statistics(Statistics(numbered(1), {}), tmp_path / "a.txt")),
        (
            "may not be called 'pos'",
            lambda: write_statistics(Statistics(numbered(1), {"pos": np.zeros(1)}), tmp_path / "a.csv"),
        ),
    ]
    for message, write in refused:
        with pytest.raises(BadInput, match=message):
            write()
    assert not list(tmp_path.iterdir())
