"""From a stranger's file to a release without anybody looking: no direct identifier comes out."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.schema import Role
from sfumato.recipe.init import write_recipe

from .odd_files import FILES, write


def released_text(folder: Path) -> str:
    """All that a recipient could read: every file of the release."""
    texts = []
    for path in folder.rglob("*"):
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            texts.append(str(table.to_pylist()) + str(table.schema.names))
        elif path.is_file():
            texts.append(path.read_text(encoding="utf-8"))
    return "\n".join(texts)


def test_there_are_thirty_odd_files() -> None:
    assert len(FILES) == 30


@pytest.mark.parametrize("name", FILES)
def test_no_direct_identifier_passes_from_init_to_a_release(name: str, tmp_path: Path) -> None:
    path, pointing = write(name, tmp_path)
    assert pointing
    try:
        recipe, proposal = write_recipe(path)
        assert not isinstance(proposal.schema, pa.Schema)
        sf.run(recipe, out=tmp_path / "out")
    except (sf.BadInput, sf.PromiseNotMet) as refused:
        told = str(refused)
        assert not (tmp_path / "out" / "release").exists()
    else:
        told = released_text(tmp_path / "out" / "release")
    assert not [value for value in pointing if value in told]


def test_what_can_be_published_of_an_odd_file_is_published(tmp_path: Path) -> None:
    path, _ = write("mails in lists", tmp_path)
    recipe, proposal = write_recipe(path)
    roles = {field.name: field.role for field in proposal.schema.fields}
    assert roles["email"] is Role.IDENTIFIER
    sf.run(recipe, out=tmp_path / "out")
    assert released_text(tmp_path / "out" / "release").count("F") >= 10
