"""The vault: random codes that stay the same, in a file that notices damage."""

from __future__ import annotations

import stat
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.masking import Vault

HERE = ("clinic", "study", "")


@given(st.lists(st.text(max_size=20), max_size=20), st.lists(st.text(max_size=20), max_size=20))
@settings(max_examples=60, deadline=None)
def test_codes_stay_and_are_apart(first: list[str], second: list[str]) -> None:
    vault = Vault()
    before = dict(zip(first, vault.codes(first, HERE), strict=True))
    after = dict(zip(second, vault.codes(second, HERE), strict=True))
    assert all(before[value] == after[value] for value in before.keys() & after.keys())
    both = {**before, **after}
    assert len(set(both.values())) == len(both) == len(vault)
    assert vault.values(list(both.values()), HERE) == list(both)


def test_a_code_that_is_taken_is_drawn_again() -> None:
    drawn = iter([b"a" * 10, b"a" * 10, b"b" * 10])
    vault = Vault(draw=lambda _: next(drawn))
    first, second = vault.codes(["Ada", "Bo"], HERE)
    assert first != second


def test_codes_are_random_not_computed() -> None:
    assert Vault().codes(["Ada"], HERE) != Vault().codes(["Ada"], HERE)


def test_a_vault_is_read_as_it_was_written_and_is_its_owners_alone(tmp_path: Path) -> None:
    vault, path = Vault(), tmp_path / "vault.jsonl"
    codes = vault.codes(['a "quote"', "zwei\nZeilen", "ünï", ""], HERE)
    other = vault.codes(["Ada"], ("", "", "doctors"))
    vault.write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    read = Vault.read(path)
    assert read.entries == vault.entries
    assert read.values(codes, HERE) == ['a "quote"', "zwei\nZeilen", "ünï", ""]
    assert read.values(other, HERE) == [None]


def test_a_vault_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "vault.jsonl").write_text("mine")
    with pytest.raises(FileExistsError):
        Vault().write(tmp_path / "vault.jsonl")


@pytest.mark.parametrize("line", [1, 2, 3])
def test_any_changed_letter_is_noticed(tmp_path: Path, line: int) -> None:
    vault, path = Vault(), tmp_path / "vault.jsonl"
    vault.codes(["Ada", "Bo", "Cy"], HERE)
    vault.write(path)
    lines = path.read_text().splitlines()
    for place in range(2, len(lines[line]) - 2, 3):
        letter = "x" if lines[line][place] != "x" else "y"
        damaged = [*lines]
        damaged[line] = lines[line][:place] + letter + lines[line][place + 1 :]
        path.write_text("\n".join(damaged) + "\n")
        with pytest.raises(sf.BadInput, match=f"line {line + 1}: the entry is damaged"):
            Vault.read(path)


def test_what_is_no_vault_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vault.jsonl"
    with pytest.raises(sf.BadInput, match="no such vault"):
        Vault.read(path)
    path.write_text("id,name\n")
    with pytest.raises(sf.BadInput, match="this is no vault"):
        Vault.read(path)
    path.write_text('{"format": "sfumato-vault", "version": 2}\n')
    with pytest.raises(sf.BadInput, match="another version"):
        Vault.read(path)


def test_an_entry_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    numbers = count(1)
    vault, path = Vault(draw=lambda size: next(numbers).to_bytes(size, "big")), tmp_path / "vault.jsonl"
    vault.codes(["Ada"], HERE)
    vault.write(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[1]]) + "\n")
    with pytest.raises(sf.BadInput, match="line 3: the entry is there twice"):
        Vault.read(path)
