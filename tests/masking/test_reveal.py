"""Revealing is all or nothing: a wrong key, vault, recipient or purpose is an error, never a wrong name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.masking import KeySource, Scope, Secrets, Vault
from sfumato.masking.pseudonyms import ReversiblePseudonym
from sfumato.masking.reveal import reveal
from tests.masking.examples import KEY, rows_of

HERE = Scope("clinic", "study")
NAMES = ["Ada", "Bo, the second", 'Cy "C"']


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASKING_TEST_KEY", KEY)
    monkeypatch.setenv("OTHER_KEY", KEY[::-1])


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A file with a code of each sort, and its vault."""
    vault = Vault()
    codes = vault.codes(NAMES, ("clinic", "study", ""))
    vault.write(tmp_path / "vault.jsonl")
    sealed = ReversiblePseudonym().labels(NAMES, Secrets(KeySource("MASKING_TEST_KEY"), HERE))
    rows = [f"{a},{b},{i}" for i, (a, b) in enumerate(zip(codes, sealed, strict=True))]
    path = tmp_path / "data.csv"
    path.write_text("\n".join(["code,sealed,n", *rows, ",,3"]) + "\n")
    return path


def test_both_sorts_of_codes_are_revealed_and_missing_stays_missing(release: Path) -> None:
    out = release.parent / "out.csv"
    done = reveal(release, "code", out, vault=release.parent / "vault.jsonl", scope=HERE)
    assert done.rows == 4
    assert [row["code"] for row in rows_of(out)] == [*NAMES, ""]
    again = release.parent / "again.csv"
    reveal(out, "sealed", again, key=KeySource("MASKING_TEST_KEY"), scope=HERE)
    assert [row["sealed"] for row in rows_of(again)] == [*NAMES, ""]


def test_a_vault_needs_no_scope_because_no_two_codes_are_alike(release: Path) -> None:
    out = release.parent / "out.csv"
    reveal(release, "code", out, vault=release.parent / "vault.jsonl")
    assert [row["code"] for row in rows_of(out)] == [*NAMES, ""]


@pytest.mark.parametrize("scope", [Scope("clinic", "other"), Scope("other", "study"), Scope("", "study")])
def test_the_wrong_scope_reveals_nothing(release: Path, scope: Scope) -> None:
    out = release.parent / "out.csv"
    with pytest.raises(sf.BadInput, match="none of its 3 codes was made with this vault"):
        reveal(release, "code", out, vault=release.parent / "vault.jsonl", scope=scope)
    with pytest.raises(sf.BadInput, match=r"made with this key|for whom and for what"):
        reveal(release, "sealed", out, key=KeySource("MASKING_TEST_KEY"), scope=scope)
    assert not out.exists()


def test_the_wrong_key_reveals_nothing(release: Path) -> None:
    out = release.parent / "out.csv"
    with pytest.raises(sf.BadInput, match="none of its 3 codes was made with this key"):
        reveal(release, "sealed", out, key=KeySource("OTHER_KEY"), scope=HERE)
    with pytest.raises(sf.BadInput, match="none of its 3 codes"):
        reveal(release, "code", out, key=KeySource("MASKING_TEST_KEY"), scope=HERE)
    assert not out.exists()


def test_one_damaged_code_stops_everything_and_names_its_row(release: Path) -> None:
    lines = release.read_text().splitlines()
    code, sealed, number = lines[2].split(",")
    lines[2] = ",".join([code[:-1] + "a", sealed[:-3] + "AAA", number])
    release.write_text("\n".join(lines) + "\n")
    out = release.parent / "out.csv"
    for options in ({"vault": release.parent / "vault.jsonl"}, {"key": KeySource("MASKING_TEST_KEY")}):
        column = "code" if "vault" in options else "sealed"
        with pytest.raises(sf.BadInput, match=r"1 of 3 codes are damaged .*\(first in row 2\)") as caught:
            reveal(release, column, out, scope=HERE, **options)  # type: ignore[arg-type]
        assert "Bo" not in str(caught.value)
    assert {path.name for path in release.parent.iterdir()} == {"data.csv", "vault.jsonl"}


def test_nothing_is_written_over(release: Path) -> None:
    with pytest.raises(sf.BadInput, match="already such a file"):
        reveal(release, "code", release, vault=release.parent / "vault.jsonl", scope=HERE)


def call(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["sfumato", "reveal", *words])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_the_command_reveals_and_explains(
    release: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(release.parent)
    scope = ("--recipient", "clinic", "--purpose", "study")
    sealed = ("data.csv", "--column", "sealed", "--out")
    assert call(monkeypatch, *sealed, "a.csv", "--key-env", "MASKING_TEST_KEY", *scope) == 0
    Path("key").write_text(KEY)
    assert call(monkeypatch, *sealed, "b.csv", "--key-file", "key", *scope) == 0
    assert Path("a.csv").read_text() == Path("b.csv").read_text()
    coded = ("data.csv", "--column", "code", "--vault", "vault.jsonl")
    assert call(monkeypatch, *coded, "--out", "c.csv", *scope) == 0
    capsys.readouterr()
    assert call(monkeypatch, *sealed, "d.csv", *scope) == 2
    assert call(monkeypatch, *sealed, "d.csv", "--key-env", "OTHER_KEY", *scope) == 2
    assert call(monkeypatch, "data.csv", "--column", "cod", "--vault", "vault.jsonl", "--out", "d.csv") == 2
    said = capsys.readouterr().err
    assert "give either the key or the vault" in said
    assert "made with this key" in said
    assert "did you mean 'code'" in said
    assert not Path("d.csv").exists()
