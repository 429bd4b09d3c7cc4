"""Recipes over rows that cannot be: one clear sentence, the right exit code, no traceback, no name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sfumato.core.errors import BadInput
from sfumato.recipe.load import load
from sfumato.recipe.prepared import prepared
from tests.cli.commands import runner
from tests.recipe.dna.rows_examples import (
    LETTER_FIELDS,
    LETTERS,
    NAMES,
    SEQUENCES,
    UNEVEN,
    fasta,
    letters,
    recipe,
    released,
    vcf,
)

COLUMNS = (
    "    schema:\n      fields:\n        - {name: who, role: person}\n        - {name: dna, role: sequence}\n"
)


Ran = Callable[..., tuple[int, str]]


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ran:
    """Run a command in the terminal; nothing of a person may be printed."""
    run = runner(tmp_path, monkeypatch, capsys)

    def ran(path: Path, *options: str, command: str = "protect") -> tuple[int, str]:
        done = run(command, path, *options)
        told = done.out + done.err
        assert "Traceback" not in told
        assert not any(name in told for name in NAMES)
        return done.code, " ".join(told.split())

    return ran


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"models": "sequence-k-anonymity: {k: 1.5}"}, "must be a whole number"),
        ({"models": "k-anonymity: {k: 2}"}, "there is no model 'k-anonymity' for DNA"),
        ({"models": "membership-bound: {auc: 0.6}", "more": "method: dnala"}, "make two recipes"),
        ({"models": "genotype-k-map: {k: 2}", "more": "population: data.fasta"}, "dnala does not enforce"),
        ({"more": "method: mondrian"}, "there is no method 'mondrian' for DNA"),
        ({"more": "utility: loss"}, "'utility' is for tables"),
        ({"more": "output: {suppressed: star}"}, "'suppressed' is for tables"),
        ({"more": "output: {format: jsonl}"}, "rows of DNA are not written as jsonl"),
        ({"more": "output: {format: vcf}"}, "which vcf cannot hold"),
        ({"more": "attacks: [homer]"}, "for rows there are: sequence-linkage, kinship"),
        ({"more": "attacks: [kinship]"}, "write 'with: relatives.vcf'"),
        ({"dna": "multiallelic: drop"}, "has no meaning for a FASTA file"),
        ({"dna": "read: genotypes"}, "has no meaning for a FASTA file"),
        ({"dna": "person: who"}, "add 'people: FILE'"),
        ({"dna": "reference: others.vcf"}, "'reference' is for statistics"),
        ({"dna": "cases: [ill]"}, "add 'phenotype: …'"),
        ({"dna": "people: nobody.csv"}, "there is no such file"),
        ({"fields": COLUMNS}, "has no columns"),
        ({"models": "sequence-k-anonymity: {k: 2, positions: [77]}"}, "lies beyond the 5 of the rows"),
        ({"models": "sequence-k-anonymity: {k: 2, positions: ['MT:1']}"}, "is not among the 5 of the rows"),
    ],
)
def test_what_cannot_be_is_told_in_the_terminal(
    tmp_path: Path, ran: Ran, options: dict[str, str], said: str
) -> None:
    code, told = ran(recipe(tmp_path, fasta(tmp_path), **options))
    assert (code, said in told) == (2, True), told
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        (">ada.lovelace\nACXT\n>bo.diddley\nACGT\n", "at position 3"),
        (">ada.lovelace\nACGT\n>ada.lovelace\nACGT\n", "given to more than one"),
        (">ada.lovelace\n>bo.diddley\nACGT\n", "a header without a sequence"),
        (">ada.lovelace\nMKLVF\n>bo.diddley\nMKLVF\n", "looks like a protein"),
        ("ada.lovelace,ACGT\n", "which holds no sequences"),
    ],
)
def test_a_malformed_file_is_told_by_its_place(tmp_path: Path, ran: Ran, text: str, said: str) -> None:
    (tmp_path / "data.fasta").write_text(text)
    code, told = ran(recipe(tmp_path, "data.fasta"))
    assert (code, said in told) == (2, True), told


def test_a_promise_that_cannot_be_kept_is_exit_one(tmp_path: Path, ran: Ran) -> None:
    code, told = ran(recipe(tmp_path, fasta(tmp_path), models="sequence-k-anonymity: {k: 8}"))
    assert code == 1
    assert "8 people must be alike and there are 7" in told


def test_lengths_that_differ_are_told_in_the_terminal(tmp_path: Path, ran: Ran) -> None:
    code, told = ran(recipe(tmp_path, fasta(tmp_path, UNEVEN)))
    assert code == 2
    assert "write 'align: true'" in told


def test_the_terminal_tells_a_plan_and_a_release_and_verifies_it(tmp_path: Path, ran: Ran) -> None:
    path = recipe(tmp_path, vcf(tmp_path))
    code, told = ran(path, "--dry-run")
    assert (code, "Nothing was written" in told) == (0, True)
    assert ran(path)[0] == 0
    assert ran(tmp_path, command="verify")[0] == 0
    again = ran(path)
    assert again[0] == 2, "there is a release already"
    assert ran(path, "--replace")[0] == 0


def test_the_target_must_not_hold_the_data(tmp_path: Path, ran: Ran) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    fasta(folder)
    path = recipe(tmp_path, "release/data.fasta")
    code, told = ran(path, "--replace")
    assert code == 2
    assert "the data lie in the folder 'release'" in told
    assert (folder / "data.fasta").exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (LETTER_FIELDS.replace("role: sensitive", "role: quasi-identifier"), "left out, and release it"),
        (LETTER_FIELDS.replace("role: sensitive", "role: text"), "the role text is not for DNA"),
        (LETTER_FIELDS.replace("role: sequence", "role: identifier"), "no column has the role sequence"),
        (LETTER_FIELDS.replace("{name: name, role: identifier}", "{name: nome, role: identifier}"), "'nome'"),
        (LETTER_FIELDS.replace("        - {name: name, role: identifier}\n", ""), "does not mention 'name'"),
        (LETTER_FIELDS.replace("role: sensitive}", "role: sensitive, known: true}"), "'known' is for"),
        ("", "a table needs to say what its columns are"),
    ],
)
def test_columns_of_a_table_have_roles_that_mean_something(
    tmp_path: Path, ran: Ran, fields: str, said: str
) -> None:
    code, told = ran(recipe(tmp_path, letters(tmp_path), fields=fields))
    assert (code, said in told) == (2, True), told


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("p1,Ada,AG", "p1,Ada,AX", "column 'rs1', row 1"),
        ("p1,Ada,AG", "p1,Ada,CT", "the column has 4 alleles"),
        ("p1,Ada", ",Ada", "column 'who'"),
    ],
)
def test_cells_that_cannot_be_read_are_told_by_their_place(
    tmp_path: Path, ran: Ran, old: str, new: str, said: str
) -> None:
    code, told = ran(recipe(tmp_path, letters(tmp_path, LETTERS.replace(old, new)), fields=LETTER_FIELDS))
    assert (code, said in told) == (2, True), told


def test_a_column_in_which_nearly_everybody_differs_is_not_released(tmp_path: Path, ran: Ran) -> None:
    rows = "".join(f"p{at},{SEQUENCES[at % 7]},{at}\n" for at in range(30))
    (tmp_path / "data.csv").write_text(f"who,dna,visit\n{rows}")
    fields = COLUMNS + "        - {name: visit, role: insensitive}\n"
    code, told = ran(recipe(tmp_path, "data.csv", fields=fields))
    assert code == 2
    assert "30 of 30 values are different" in told
    sure = fields.replace("role: insensitive", "role: insensitive, confirmed: true")
    assert released(tmp_path, "data.csv", fields=sure).verdicts[0].holds


def test_jobs_of_rows_are_not_split_into_processes(tmp_path: Path) -> None:
    from sfumato.recipe.prepared import with_options

    job = prepared(load(recipe(tmp_path, fasta(tmp_path))), tmp_path)
    with pytest.raises(BadInput, match="--jobs"):
        with_options(job, 2, False)
