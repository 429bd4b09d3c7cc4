"""Whatever is changed in a release of rows, verification finds it."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.findings import Status
from tests.recipe.dna.rows_examples import (
    LETTER_FIELDS,
    UNEVEN,
    bed,
    edit_data,
    edit_json,
    fasta,
    forge,
    letters,
    refuted,
    released,
    vcf,
)

NOTHING_ELSE = "the file holds its rows and nothing else"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One release of each kind, which tests copy before they tamper with it."""
    ways: dict[str, tuple[Callable[[Path], str], dict[str, str]]] = {
        "fasta": (fasta, {}),
        "uneven": (lambda folder: fasta(folder, UNEVEN), {"dna": "align: built-in"}),
        "vcf": (vcf, {}),
        "bed": (bed, {}),
        "csv": (letters, {"fields": LETTER_FIELDS}),
        "csv.gz": (letters, {"fields": LETTER_FIELDS, "more": "output: {format: csv.gz}"}),
        "parquet": (letters, {"fields": LETTER_FIELDS, "more": "output: {format: parquet}"}),
        "texts": (fasta, {"more": "output: {format: csv}"}),
    }
    found = {}
    for name, (make, options) in ways.items():
        folder = tmp_path_factory.mktemp("made")
        found[name] = released(folder, make(folder), **options).release
    return found


@pytest.fixture
def copy(made: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    def copied(name: str) -> Path:
        return Path(shutil.copytree(made[name], tmp_path / "release"))

    return copied


KINDS = ["fasta", "uneven", "vcf", "bed", "csv", "csv.gz", "parquet", "texts"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_untouched_release_is_confirmed(made: dict[str, Path], kind: str) -> None:
    found = {one.claim: one.status for one in sf.verify(made[kind]).findings}
    assert Status.REFUTED not in found.values()
    assert found["sequence-k-anonymity with k = 2"] is Status.CONFIRMED
    assert found[NOTHING_ELSE] is Status.CONFIRMED
    assert [claim for claim, status in found.items() if status is Status.NOT_CHECKED] == [
        "every cell holds what stood there"
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_byte_is_found_by_the_fingerprint(copy: Callable[[str], Path], kind: str) -> None:
    release = copy(kind)
    file = next(path for path in release.iterdir() if path.name.startswith("data.") and path.suffix != ".fam")
    file.write_bytes(file.read_bytes() + b"\n")
    assert refuted(release)


@pytest.mark.parametrize(
    ("kind", "file", "old", "new", "claim"),
    [
        pytest.param("fasta", "data.fasta", "AATGA", "CATGA", "sequence-k-anonymity", id="another letter"),
        pytest.param("fasta", "data.fasta", ">1\n", ">1 of Ada\n", NOTHING_ELSE, id="a header with a name"),
        pytest.param("fasta", "data.fasta", "AATGA", "aatga", NOTHING_ELSE, id="a mark by small letters"),
        pytest.param("fasta", "data.fasta", ">2\n", ">7\n", "", id="a number twice"),
        pytest.param("vcf", "data.vcf", "\t.\t.\t.\tGT", "\t.\t.\tAC=1\tGT", NOTHING_ELSE, id="INFO"),
        pytest.param("vcf", "data.vcf", "\tS1\t", "\tada\t", NOTHING_ELSE, id="a sample with a name"),
        pytest.param(
            "vcf", "data.vcf", "##contig", "##source=ada\n##contig", NOTHING_ELSE, id="a header line"
        ),
        pytest.param("vcf", "data.vcf", "0/.", "./0", NOTHING_ELSE, id="another spelling of a call"),
        pytest.param("bed", "data.fam", "1 1 0 0 0 -9", "f1 ada 0 0 1 2", NOTHING_ELSE, id="a family"),
        pytest.param("csv", "data.csv", "0/", "1/", "", id="another genotype"),
        pytest.param("csv", "data.csv", "illness", "illness,remark", "", id="another column"),
        pytest.param("texts", "data.csv", "AATGA", " AATGA", NOTHING_ELSE, id="a mark by blanks"),
    ],
)
def test_a_forged_file_is_refuted(
    copy: Callable[[str], Path], kind: str, file: str, old: str, new: str, claim: str
) -> None:
    release = copy(kind)
    edit_data(release, old, new, file)
    forge(release)
    found = refuted(release)
    assert found
    assert claim in found


def test_a_dropped_row_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("fasta")
    text = (release / "data.fasta").read_text()
    (release / "data.fasta").write_text(text[: text.rindex(">")])
    forge(release)
    assert "the file has 7 rows" in refuted(release)


def test_swapped_rows_are_found_by_the_fingerprint(copy: Callable[[str], Path]) -> None:
    release = copy("csv")
    lines = (release / "data.csv").read_text().splitlines()
    lines[1], lines[-1] = lines[-1], lines[1]
    if lines[1] == lines[-1]:
        lines[1], lines[2] = lines[2], lines[1]
    (release / "data.csv").write_text("\n".join(lines) + "\n")
    assert "the data are those that were released" in refuted(release)


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        (lambda e: e["verdicts"][0]["parameters"].update(k=3), "sequence-k-anonymity with k = 3"),
        (lambda e: e["verdicts"][0].update(achieved="k = 9"), "sequence-k-anonymity with k = 2"),
        (lambda e: e["verdicts"][0].update(meaning="nobody can be found"), "sequence-k-anonymity"),
        (lambda e: e["verdicts"][0].update(protects_from=["identity", "membership"]), "sequence-k-anonymity"),
        (lambda e: e["verdicts"].clear(), "the release keeps a promise"),
        (lambda e: e["warnings"].pop(), "the evidence tells what the promises leave open"),
        (lambda e: e.update(people="distinct persons were counted"), "the evidence tells"),
        (lambda e: e["rows"].update(smallest=5), "look alike"),
        (lambda e: e["rows"].update(exact=e["rows"]["exact"] + 1), "look alike"),
        (lambda e: e.update(method="binning"), "tell of the same release"),
        (lambda e: e.update(order="kept"), "tell of the same release"),
        (lambda e: e.update(form="genotypes"), "tell of the same release"),
        (lambda e: e.update(truthful=False), "every cell holds what stood there"),
        (lambda e: e["recipe"]["models"][0]["sequence-k-anonymity"].update(k=9), "promises of the recipe"),
    ],
)
def test_forged_evidence_is_refuted(
    copy: Callable[[str], Path], change: Callable[[Any], None], claim: str
) -> None:
    release = copy("fasta")
    edit_json(release / "evidence.json", change)
    assert claim in refuted(release)


@pytest.mark.parametrize(
    ("kind", "change", "claim"),
    [
        ("fasta", lambda s: s["letters"].update(R=["A"]), "letters stand for"),
        ("csv", lambda s: s["alleles"].update(rs1=["A", "A"]), "letters stand for"),
        ("csv", lambda s: s["fields"].pop(), ""),
        ("fasta", lambda s: s.update(aligned=False), ""),
        ("uneven", lambda s: s.update(aligned=True), ""),
        (
            "fasta",
            lambda s: s.update(positions=["1", "2"]),
            "the file holds the rows that its schema declares",
        ),
        ("vcf", lambda s: s.update(layout="positions"), ""),
        ("bed", lambda s: s.update(more={}), "what the rows stand for"),
    ],
)
def test_a_forged_schema_is_refuted(
    copy: Callable[[str], Path], kind: str, change: Callable[[Any], None], claim: str
) -> None:
    release = copy(kind)
    edit_json(release / "schema.json", change)
    assert "what the rows stand for is as it was released" in refuted(release)
    forge(release)
    if kind != "bed":
        assert refuted(release)
        assert claim in refuted(release)


def test_a_site_that_was_moved_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("bed")
    edit_data(release, "\t1\tA", "\t999\tA", "data.bim")
    assert "what the rows stand for is as it was released" in refuted(release)


def test_a_file_beside_the_release_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("vcf")
    (release / "data.vcf.tbi").write_bytes(b"index")
    assert "the folder holds the release and nothing else" in refuted(release)


def test_remarks_in_parquet_are_found(copy: Callable[[str], Path]) -> None:
    release = copy("parquet")
    table = pq.read_table(release / "data.parquet")
    pq.write_table(table.replace_schema_metadata({"owner": "Ada"}), release / "data.parquet")
    forge(release)
    assert NOTHING_ELSE in refuted(release)


def test_columns_of_another_type_are_found(copy: Callable[[str], Path]) -> None:
    release = copy("parquet")
    table = pq.read_table(release / "data.parquet")
    at = table.column_names.index("rs1")
    coded = table.set_column(at, "rs1", table.column("rs1").cast(pa.binary()))
    pq.write_table(coded, release / "data.parquet")
    forge(release)
    assert NOTHING_ELSE in refuted(release)


def test_what_follows_a_packed_file_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("csv.gz")
    packed = (release / "data.csv.gz").read_bytes()
    (release / "data.csv.gz").write_bytes(packed + gzip.compress(b"p1,Ada\n"))
    forge(release)
    assert refuted(release)


def test_a_release_that_is_not_whole_is_refused(copy: Callable[[str], Path]) -> None:
    release = copy("bed")
    (release / "data.fam").unlink()
    with pytest.raises(BadInput, match="not all there"):
        sf.verify(release)


def test_the_folder_of_the_steward_is_refused(made: dict[str, Path]) -> None:
    with pytest.raises(BadInput, match="steward"):
        sf.verify(made["fasta"].parent / "steward")
