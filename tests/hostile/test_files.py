"""Files from outside: opened only where they are files, unpacked to their checksum, never without end."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core import files
from sfumato.core.errors import BadInput
from tests.hostile.inputs import PACKED, PLACES

WORDS = {
    "pipe": "a pipe",
    "device": "a device",
    "circle": "round in a circle",
    "nowhere": "no such file",
    "folder": "a folder",
    "plug": "a socket",
}


@pytest.mark.parametrize("place", PLACES)
def test_only_a_file_is_opened_and_the_sentence_says_what_it_is(place: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    PLACES[place](path, b"")
    with pytest.raises(files.Unreadable, match=WORDS[place]) as problem:
        files.open_plain(path)
    assert str(path) in str(problem.value)
    assert problem.value.remedy
    assert problem.value.missing == (place == "nowhere")
    assert not files.is_plain(path)


def test_a_path_with_a_nul_character_or_too_long_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="NUL character"):
        files.open_plain("a\0b")
    with pytest.raises(BadInput, match="too long"):
        files.open_plain(tmp_path / ("x" * 5000))


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"here")
    (tmp_path / "link").symlink_to("data")
    assert files.read_bytes(tmp_path / "link") == b"here"


def test_a_file_of_exactly_the_most_bytes_is_read_and_one_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(b"12345")
    assert files.read_bytes(path, 5) == b"12345"
    with pytest.raises(BadInput, match="more than 4 bytes"):
        files.read_bytes(path, 4)


@pytest.mark.parametrize("packed", PACKED)
def test_damaged_gzip_data_are_refused(packed: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(PACKED[packed](b"a,b\n1,2\n" * 500))
    with pytest.raises(BadInput, match="cut short or damaged"):
        files.unpacked_bytes(path)


def test_data_denser_than_any_are_refused_only_beyond_the_size_that_may_be_of_any_density(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_UNPACKED", 4 << 20)
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(bytes(4 << 20)))
    assert len(files.unpacked_bytes(path)) == 4 << 20
    path.write_bytes(gzip.compress(bytes(6 << 20)))
    with pytest.raises(BadInput, match="unpacks to more than 500 times its size"):
        files.unpacked_bytes(path)
    # As large, and as dense as data are.
    path.write_bytes(gzip.compress("".join(f"{at},x\n" for at in range(900_000)).encode(), 1))
    assert len(files.unpacked_bytes(path)) > 6 << 20


@given(st.binary(max_size=300), st.booleans())
def test_a_nul_byte_is_found_wherever_it_stands_with_its_line(content: bytes, packed: bool) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data"
        path.write_bytes(gzip.compress(content) if packed else content)
        if b"\0" not in content:
            files.refuse_nul(path, packed=packed)
            return
        line = content[: content.index(b"\0")].count(b"\n") + 1
        with pytest.raises(BadInput) as problem:
            files.refuse_nul(path, packed=packed)
        assert problem.value.where.endswith(f", line {line:,}")
        files.refuse_nul(path, packed=packed, allowed=True)
