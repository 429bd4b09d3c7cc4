"""Cells that a spreadsheet would run: counted from the written bytes, told, never changed."""

from __future__ import annotations

import csv
import gzip
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.findings import Status
from sfumato.engine.formulas import formula_cells, runs_in_a_spreadsheet
from sfumato.recipe.load import load
from sfumato.recipe.prepared import prepared, released
from sfumato.recipe.verify import verify
from tests.cli.commands import runner
from tests.hostile.kinds import fresh
from tests.oracles.spreadsheet import would_run
from tests.recipe.examples import forge_report

CELLS = st.text(st.sampled_from("=+-@\t\r\n 05.,e%'a\"＝é"), max_size=7)


@given(CELLS)
def test_a_cell_would_be_run_where_the_oracle_says_so(cell: str) -> None:
    assert runs_in_a_spreadsheet(cell) == would_run(cell)


@pytest.mark.parametrize("cell", ["=1", "+a", "-a1", "@a", "=cmd|' /C calc'!A0", "-2+3", "\ta", "\r1", "＝1"])
def test_formulas_are_found(cell: str) -> None:
    assert runs_in_a_spreadsheet(cell)


@pytest.mark.parametrize(
    "cell", ["", "-", "--", "=", "-5", "+5", "-5.25", "-1e-9", "-5 %", "-1,234.5", "a=1", "5-6"]
)
def test_numbers_signs_and_words_are_none(cell: str) -> None:
    assert not runs_in_a_spreadsheet(cell)


@given(
    st.lists(st.tuples(CELLS, CELLS), max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
)
def test_a_file_holds_as_many_as_its_cells(
    rows: list[tuple[str, str]], ending: str, delimiter: str, packed: bool
) -> None:
    table = [("n0", "=n1"), *rows]
    expected = {"n0": 0, "=n1": 1}
    for first, second in rows:
        expected["n0"] += would_run(first)
        expected["=n1"] += would_run(second)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            quoting = (
                csv.QUOTE_ALL if any("\r" in cell for row in rows for cell in row) else csv.QUOTE_MINIMAL
            )
            csv.writer(file, lineterminator=ending, delimiter=delimiter, quoting=quoting).writerows(table)
        if packed:
            path = path.with_suffix(".csv.gz")
            path.write_bytes(gzip.compress(path.with_suffix("").read_bytes()))
        assert formula_cells(path, delimiter) == {name: cells for name, cells in expected.items() if cells}


def test_a_formula_across_the_pieces_of_a_large_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    for before in range((1 << 20) - 3, (1 << 20) + 4):
        path.write_bytes(b"a\n" + b"x" * (before - 3) + b"\n=1+1\n")
        assert formula_cells(path) == {"a": 1}
        path.write_bytes(b"a\n" + b"x" * (before - 3) + b"\n-1\n")
        assert formula_cells(path) == {}


RELEASES = {
    "table": ("people.csv", "flu", "=flu()", "ill"),
    "text": ("notes.csv", "Mr ", "=Mr ", "note"),
    "query": ("patients.csv", "former", "=former", "smoker"),
    "dna columns": ("snps.csv", "flu", "+flu", "illness"),
    "graph people": ("people.csv", "flu", "+flu", "people.csv, ill"),
    "records": ("people.csv", ",f", ",=f", "sex"),
}


@pytest.mark.parametrize("kind", RELEASES)
def test_every_kind_tells_them_and_verify_counts_them_again(kind: str, tmp_path: Path) -> None:
    file, word, formula, column = RELEASES[kind]
    recipe = fresh(kind, tmp_path)
    for path in (tmp_path / file, tmp_path / "database.yaml"):
        if path.exists():
            put = formula if path.suffix == ".csv" else f"'{formula}'"
            path.write_text(path.read_text().replace(word, put))
    made = released(prepared(load(recipe), tmp_path), tmp_path / "out")
    release = tmp_path / "out" / "release"
    told = json.loads((release / "evidence.json").read_text())["data"]["formulas"]
    data = release / column.split(", ")[0] if ", " in column else release / "data.csv"
    assert told == {column: data.read_text().count(formula)}
    assert told[column] > 0
    assert "as formulas do" in made.evidence.cautions[-1]
    assert formula not in made.evidence.cautions[-1]
    assert "as formulas do" in (release / "report.html").read_text()
    assert not verify(release).refuted


def test_a_release_that_hides_them_is_refuted_and_one_without_is_not(tmp_path: Path) -> None:
    recipe = fresh("table", tmp_path)
    (tmp_path / "people.csv").write_text((tmp_path / "people.csv").read_text().replace("flu", "=flu()"))
    released(prepared(load(recipe), tmp_path), tmp_path / "out")
    place = tmp_path / "out" / "release" / "evidence.json"
    for hidden in ({}, {"ill": 1}, None):
        told = json.loads(place.read_text())
        told["data"]["formulas"] = hidden
        place.write_text(json.dumps(told, indent=2))
        forge_report(place.parent)
        refuted = verify(place.parent).refuted
        assert [finding.claim for finding in refuted] == ["cells that a spreadsheet would run are reported"]
    told["software"]["sfumato"] = "0.0.9"
    place.write_text(json.dumps(told, indent=2))
    forge_report(place.parent)
    found = {finding.claim: finding.status for finding in verify(place.parent).findings}
    assert found["cells that a spreadsheet would run are reported"] is Status.NOT_CHECKED


def test_the_plan_warns_of_released_columns_alone_and_shows_no_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = fresh("table", tmp_path)
    run = runner(tmp_path, monkeypatch, capsys)
    assert "formulas" not in run("protect", recipe, "--dry-run").out
    people = tmp_path / "people.csv"
    people.write_text(people.read_text().replace("Ada", "=Ada()"))
    assert "formulas" not in run("protect", recipe, "--dry-run").out
    people.write_text(people.read_text().replace("flu", "=flu()"))
    done = run("protect", recipe, "--dry-run")
    assert "people.csv: 3 cells of ill begin as formulas do" in done.words
    assert "=flu" not in done.out


@pytest.mark.parametrize("end", [b"\1\2\3\4\5\6\7\10", b""])
def test_a_damaged_file_whose_first_cells_are_such_is_one_sentence(end: bytes, tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n=1,2\n" + b"letters,5\n" * 300_000)[:-8] + end)
    with pytest.raises(BadInput, match="cut short or damaged"):
        formula_cells(path)
