"""Every kind of data goes through the one pipeline, and none is published that a reader would refute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.core.errors import PromiseNotMet
from sfumato.core.findings import Finding, Status, Verification
from sfumato.core.kind import Kind
from sfumato.core.registry import entries
from tests.recipe.codes import examples as of_codes
from tests.recipe.examples import files_in, ward

REFUTED = Verification((Finding("the data are those that were released", Status.REFUTED, "no"),))


def test_every_registered_kind_and_form_resolves_to_the_contract() -> None:
    for entry in entries().values():
        for form in ("", *entry.forms):
            assert isinstance(entry.kind(form), Kind)
        assert callable(entry.part("job"))
        assert callable(entry.part("plan"))


def test_a_form_that_nobody_registered_falls_back_on_the_common_one() -> None:
    graph = entries()["graph"]
    assert graph.kind("grouping") is graph.kind()
    assert graph.kind("statistics") is not graph.kind()


@pytest.mark.parametrize(("kind", "write"), [("table", ward), ("codes", of_codes.ward)])
def test_what_a_reader_refutes_is_never_published(
    kind: str, write: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(write)
    recipe = write(tmp_path)
    before = files_in(tmp_path)
    monkeypatch.setattr(type(entries()[kind].kind()), "verify", lambda *_, **__: REFUTED)
    with pytest.raises(PromiseNotMet, match="not what it claims to be"):
        sf.run(recipe)
    assert files_in(tmp_path) == before


def test_the_readers_check_looks_at_the_folder_before_it_is_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, looked_at = type(entries()["table"].kind()), []
    real = kind.verify

    def watched(self: Any, release: Path) -> Verification:
        looked_at.append((sorted(path.name for path in release.iterdir()), (tmp_path / "release").exists()))
        return real(self, release)

    monkeypatch.setattr(kind, "verify", watched)
    sf.run(ward(tmp_path))
    assert looked_at == [(["data.csv", "evidence.json", "report.html", "schema.json"], False)]
