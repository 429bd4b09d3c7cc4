"""``sfumato init`` over files of DNA: the recipe that is written runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.recipe.init import write_recipe
from tests.cli.commands import runner
from tests.recipe.dna.rows_examples import LETTERS, NAMES, UNEVEN, bed, fasta, letters, vcf


@pytest.mark.parametrize("make", [fasta, vcf, bed, letters])
def test_the_recipe_of_a_file_runs(tmp_path: Path, make: object) -> None:
    name = make(tmp_path)  # type: ignore[operator]
    if name.endswith(".csv"):
        # Only whose a row is stands beside genotypes that are recognised unasked.
        lines = [line.rsplit(",", 1)[0] for line in LETTERS.splitlines()]
        (tmp_path / name).write_text("\n".join(lines).replace("who", "patient_id") + "\n")
    path, _ = write_recipe(tmp_path / name, k=2)
    assert "kind: dna" in path.read_text()
    assert sf.run(path).verdicts[0].holds


def test_lengths_that_differ_are_seen(tmp_path: Path) -> None:
    path, proposal = write_recipe(tmp_path / fasta(tmp_path, UNEVEN), k=2)
    assert "align: true" in path.read_text()
    assert "9 to 10 bases" in proposal.holds  # type: ignore[union-attr]


def test_a_table_with_other_columns_stays_a_table_unless_asked(tmp_path: Path) -> None:
    data = tmp_path / letters(tmp_path)
    path, _ = write_recipe(data, tmp_path / "table.yaml", k=2)
    assert "kind: dna" not in path.read_text()
    path, _ = write_recipe(data, tmp_path / "dna.yaml", k=2, kind="dna")
    assert "role: sequence" in path.read_text()
    assert sf.run(path).verdicts[0].holds


def test_a_table_without_dna_is_refused_when_dna_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("age,zip\n1,2\n3,4\n")
    with pytest.raises(BadInput, match="no column was recognised"):
        write_recipe(tmp_path / "data.csv", kind="dna")


def test_a_policy_is_not_for_dna(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="seems to hold DNA"):
        write_recipe(tmp_path / fasta(tmp_path), policy="safe-harbor")


def test_the_terminal_shows_what_was_found_and_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = runner(tmp_path, monkeypatch, capsys)("init", vcf(tmp_path))
    assert done.code == 0
    assert "7 samples" in done.out
    assert not any(name in done.out for name in NAMES)
