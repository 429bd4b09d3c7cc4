"""Notes protected by a call: the same type of data comes back."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from tests.recipe.text.examples import HEADER, PEOPLE, write_notes


def test_a_frame_comes_back_as_a_frame() -> None:
    frame = pd.DataFrame(PEOPLE, columns=list(HEADER))
    release = sf.protect_text(
        frame,
        text="note",
        person="patient_id",
        identifier=["name", "written"],
        known={"name": "NAME"},
        models="known-identifiers-removed",
        model="none",
        order="kept",
    )
    assert isinstance(release.data, pd.DataFrame)
    assert list(release.data.columns) == ["note", "ward"]
    assert not release.data["note"].str.contains("Whitfield|Çelik|celik@|615").any()
    assert release.data["ward"].tolist() == ["A", "B", "A", "B"]
    assert release.verdicts[0].holds
    assert release.found["EMAIL"] == 1


def test_records_come_back_as_records(tmp_path: Path) -> None:
    release = sf.protect_text([{"note": "Mail \ud83d to a@example.org"}], text="note", model="none")
    assert release.data == [{"note": "Mail \ufffd to **EMAIL"}]
    assert "no column names the person" in " ".join(release.public.warnings)
    page = release.report(tmp_path / "report.html", public=True)
    assert "**EMAIL" not in page.read_text()


def test_a_file_is_read_and_nothing_is_written_beside_it(tmp_path: Path) -> None:
    path = write_notes(tmp_path)
    release = sf.protect_text(path, text="note", identifier=["name", "patient_id", "written"], model="none")
    assert release.data.num_rows == 4
    assert [one.name for one in tmp_path.iterdir()] == ["notes.csv"]


def test_surrogates_of_a_person_agree_in_all_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTES_KEY", "k" * 32)
    told = {"key": "NOTES_KEY", "recipient": "r", "purpose": "p", "replace": "surrogates", "model": "none"}
    text = "Seen by Dr. Ottorino Respighi."
    one = sf.scrub(text, person="1", **told)
    assert one == sf.scrub(text, person="1", **told)
    assert "Respighi" not in one
    assert one.startswith("Seen by Dr. ")
    assert one.endswith(".")


def test_what_a_call_gets_wrong_is_said() -> None:
    with pytest.raises(sf.BadInput, match="did you mean 'note'"):
        sf.protect_text([{"note": "a"}], text="notes")
    with pytest.raises(sf.BadInput, match="records are mappings"):
        sf.protect_text(["a"], text="note")
    for known in (["name"], "name", {"name"}, [("name", "NAME")]):
        with pytest.raises(sf.BadInput, match="write a mapping from columns to kinds"):
            sf.protect_text([{"note": "a", "name": "Ada"}], text="note", known=known)  # type: ignore[arg-type]
    with pytest.raises(sf.BadInput, match="there is no replacement 'tag'; did you mean 'tags'"):
        sf.scrub("a", replace="tag")
    with pytest.raises(sf.BadInput, match="there is no language 'xx'"):
        sf.scrub("a", language="xx")
