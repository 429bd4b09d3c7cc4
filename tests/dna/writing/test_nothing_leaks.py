"""Nothing of headers, sample names, INFO or other fields of what was read ever appears in a written file."""

from __future__ import annotations

import gzip
import string
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.dna.contract import Statistics
from sfumato.dna.reading import open_genotypes, open_rows
from sfumato.dna.writing import write_fasta, write_plink, write_rows, write_statistics, write_vcf
from tests.dna.reading.made import write_bed, write_text

# Words of this length from these letters stand in none of the writers' own words.
SECRET = st.text(alphabet="qzxjkwvQZXJKWV", min_size=6, max_size=12)


def bytes_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give the content of each file, packed and unpacked, and its name."""
    for path in folder.iterdir():
        content = path.read_bytes()
        yield path.name, content + path.name.encode()
        if path.suffix == ".gz":
            yield path.name, gzip.decompress(content)
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            metadata = pq.read_metadata(path).metadata or {}
            yield path.name, (str(table.schema) + str(table.to_pydict()) + str(metadata)).encode()


def assert_clean(folder: Path, secrets: list[str]) -> None:
    written = list(bytes_of(folder))
    assert written
    for name, content in written:
        for secret in secrets:
            assert secret.lower().encode() not in content.lower(), name


def write_everything(source: Path, out: Path) -> None:
    rows = open_rows(source, cells="genotypes") if source.suffix != ".bed" else open_rows(source)
    assert rows.sites is not None
    genotypes = rows.alignment()
    write_vcf(genotypes, rows.sites, out / "a.vcf")
    write_vcf(genotypes, rows.sites, out / "b.vcf.gz")
    write_plink(genotypes, rows.sites, out / "a.bed")
    write_rows(genotypes, out / "a.csv")
    write_rows(genotypes, out / "a.parquet")
    counts = open_genotypes(source).counts([np.ones(len(rows), np.bool_)])
    statistics = Statistics(rows.sites, {"missing": counts[0, :, 3].astype(np.float64)})
    for name in ("s.csv", "s.tsv.gz", "s.parquet"):
        write_statistics(statistics, out / name)


@settings(deadline=None, max_examples=15)
@given(st.lists(SECRET, min_size=9, max_size=9, unique_by=str.lower), st.integers(0, 2**32))
def test_nothing_of_a_vcf_but_sites_and_genotypes_is_written(secrets: list[str], seed: int) -> None:
    command, origin, sample_line, first, second, info, note, field, name = secrets
    text = "\n".join(
        [
            "##fileformat=VCFv4.2",
            f"##commandline=<call --in /home/{command}.bam>",
            f"##source={origin}",
            f'##SAMPLE=<ID={sample_line},Description="{sample_line}">',
            f'##INFO=<ID=I{info},Number=1,Type=String,Description="{info}">',
            f'##FILTER=<ID=F{note},Description="{note}">',
            '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
            f'##FORMAT=<ID=X{field},Number=1,Type=String,Description="{field}">',
            "##contig=<ID=1>",
            "\t".join(
                ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT", first, second]
            ),
            f"1\t5\t{name}\tA\tG\t9\tF{note}\tI{info}={info}\tGT:X{field}\t0/1:{field}\t1|1:{field}",
            f"1\t9\trs77\tC\tT\t.\t.\t.\tGT:X{field}\t./.:{field}\t0|0:{field}",
        ]
    )
    with tempfile.TemporaryDirectory() as folder:
        source = write_text(Path(folder), "in.vcf", text + "\n")
        out = Path(folder) / "out"
        out.mkdir()
        write_everything(source, out)
        assert_clean(out, secrets)
        assert b"rs77" in (out / "a.vcf").read_bytes()


@settings(deadline=None, max_examples=15)
@given(st.lists(SECRET, min_size=6, max_size=6, unique_by=str.lower))
def test_nothing_of_plink_people_or_private_names_is_written(secrets: list[str]) -> None:
    family, one, two, father, mother, name = secrets
    with tempfile.TemporaryDirectory() as folder:
        source = write_bed(Path(folder), [[0, 1], [2, -1]])
        write_text(
            Path(folder), "made.fam", f"{family} {one} {father} {mother} 1 2\n{family} {two} 0 0 2 1\n"
        )
        write_text(Path(folder), "made.bim", f"1 {name} 0 5 A G\n1 rs77 0 9 C T\n")
        out = Path(folder) / "out"
        out.mkdir()
        write_everything(source, out)
        assert_clean(out, secrets)


@settings(deadline=None, max_examples=15)
@given(st.lists(SECRET, min_size=3, max_size=3, unique_by=str.lower))
def test_nothing_of_the_headers_of_fasta_is_written(secrets: list[str]) -> None:
    one, two, words = secrets
    with tempfile.TemporaryDirectory() as folder:
        source = write_text(Path(folder), "in.fa", f">{one} {words}\nACGT\n>{two} isolate\nACGA\n")
        rows = open_rows(source).data
        out = Path(folder) / "out"
        out.mkdir()
        for name in ("a.fa", "a.fa.gz"):
            write_fasta(rows, out / name)
        for name in ("a.csv", "a.parquet"):
            write_rows(rows, out / name)
            write_rows(rows, out / f"text-{name}", "text")
        assert_clean(out, secrets)
        headers = [line for line in (out / "a.fa").read_text().splitlines() if line.startswith(">")]
        assert headers == [">1", ">2"]


def test_the_header_of_a_written_vcf_is_the_allow_list(tmp_path: Path) -> None:
    text = "##fileformat=VCFv4.2\n##contig=<ID=1,length=5,md5=abc>\n##contig=<ID=2>\n" + "\t".join(
        ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT", "Anna", "Bert"]
    )
    text += "\n1\t5\t.\tA\tG\t.\tPASS\tAC=1\tGT\t0/1\t./1\n"
    rows = open_rows(write_text(tmp_path, "in.vcf", text))
    assert rows.sites is not None
    write_vcf(rows.alignment(), rows.sites, tmp_path / "out.vcf")
    lines = (tmp_path / "out.vcf").read_text().splitlines()
    assert lines[:3] == [
        "##fileformat=VCFv4.2",
        "##contig=<ID=1>",
        '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
    ]
    assert lines[3].split("\t")[9:] == ["S1", "S2"]
    assert lines[4].split("\t")[:9] == ["1", "5", ".", "A", "G", ".", ".", ".", "GT"]
    assert sorted(lines[4].split("\t")[9:]) == ["./1", "0/1"]
    assert len(lines) == 5
    assert not set(lines[3]) - set(string.ascii_letters + string.digits + "#\t")
