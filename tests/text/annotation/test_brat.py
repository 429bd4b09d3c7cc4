"""BRAT files: pieces, notes, line ends, marks, errors that say where."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.annotation import Annotated, parse_brat, read_brat, read_brat_notes, write_brat
from sfumato.text.annotation.brat import BratNote, format_brat
from sfumato.text.kinds import Kind
from sfumato.text.span import Span

LETTERS = "aé\u0301 \t\r\n🧬ß.\u2028"


def put(folder: Path, text: bytes, annotation: bytes) -> Path:
    (folder / "n.txt").write_bytes(text)
    (folder / "n.ann").write_bytes(annotation)
    return folder


def test_pieces_that_belong_together_become_spans_and_stay_together_when_written() -> None:
    note = parse_brat("Ada and Eve Hill", ["T1\tNAME 0 3;12 16\tAda Hill"])
    assert [span.of(note.text) for span in note.annotated().spans] == ["Ada", "Hill"]
    assert format_brat(note) == "T1\tNAME 0 3;12 16\tAda Hill\n"


def test_notes_and_attributes_are_kept_as_they_are() -> None:
    lines = ["T1\tNAME 0 3\tAda", "A1\tSure T1", "#1\tAnnotatorNotes T1\tasked her", "R1\tOf Arg1:T1 Arg2:T1"]
    note = parse_brat("Ada came", lines)
    assert format_brat(note).splitlines() == lines
    assert note.with_spans([]).others == ()
    assert note.with_spans(note.annotated().spans) == note


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize("counts_mark", [False, True])
@pytest.mark.parametrize("counts_both", [False, True])
def test_offsets_are_right_however_line_ends_and_the_mark_were_counted(
    tmp_path: Path, mark: bytes, ends: bytes, counts_mark: bool, counts_both: bool
) -> None:
    text = mark + ends.join([b"one", b"two Ada", b"Hill end"])
    start = 8 + (ends == b"\r\n") * counts_both + bool(mark) * counts_mark
    end = start + 8 + (ends == b"\r\n") * counts_both
    put(tmp_path, text, f"T1\tNAME {start} {end}\tAda Hill\n".encode())
    (note,) = read_brat(tmp_path)
    assert note.text.encode() == text
    assert note.spans[0].of(note.text).split() == ["Ada", "Hill"]


def test_a_line_that_is_no_annotation_is_told_with_its_file_and_number(tmp_path: Path) -> None:
    put(tmp_path, b"Ada", b"T1\tNAME 0 3\tAda\nT2 NAME 0 3 Ada\n")
    with pytest.raises(BadInput, match=r"n\.ann, line 2"):
        read_brat(tmp_path)


def test_offsets_that_disagree_with_the_text_are_refused_without_showing_it(tmp_path: Path) -> None:
    put(
        tmp_path, b"Ada Lovelace", b"T1\tNAME 0 3\tAda\n#1\tAnnotatorNotes T1\tx\nT2\tNAME 3 12\tLovelace x\n"
    )
    with pytest.raises(BadInput, match=r"n\.ann, line 3") as told:
        read_brat(tmp_path)
    assert "Lovelace" not in str(told.value)


def test_offsets_beyond_the_text_are_refused() -> None:
    with pytest.raises(BadInput, match="disagree"):
        parse_brat("Ada", ["T1\tNAME 0 9"])


def test_labels_mean_what_they_are_said_to_mean(tmp_path: Path) -> None:
    put(tmp_path, b"Ada, 36", b"T1\tNOMBRE 0 3\tAda\nT2\tEDAD 5 7\t36\n")
    (note,) = read_brat(tmp_path, {"NOMBRE": Kind.NAME, "EDAD": None})
    assert note.spans == (Span(0, 3, Kind.NAME, "NOMBRE"),)
    with pytest.raises(BadInput, match=r"n\.ann, T2.*EDAD"):
        read_brat(tmp_path, {"NOMBRE": Kind.NAME})
    with pytest.raises(BadInput, match="NOMBRE"):
        read_brat(tmp_path)


def test_kinds_and_finer_labels_come_back_from_what_was_written(tmp_path: Path) -> None:
    note = Annotated("Ada, Soria", (Span(0, 3, Kind.NAME, "patient"), Span(5, 10, Kind.LOCATION)), id="1")
    write_brat([note], tmp_path)
    assert (tmp_path / "1.ann").read_text() == "T1\tNAME-patient 0 3\tAda\nT2\tLOCATION 5 10\tSoria\n"
    assert read_brat(tmp_path) == (note,)


def test_entities_keep_their_own_labels_when_spans_come_back_with_kinds() -> None:
    note = parse_brat("Vive en Soria", ["T7\tTERRITORIO 8 13\tSoria", "#1\tAnnotatorNotes T7\tcity"])
    spans = note.annotated({"TERRITORIO": Kind.LOCATION}).spans
    assert note.with_spans(spans) == note


def test_two_annotations_of_the_same_text_are_both_kept() -> None:
    note = Annotated("Paris", (Span(0, 5, Kind.LOCATION), Span(0, 5, Kind.NAME)))
    brat = BratNote(note.text, ()).with_spans(note.spans)
    assert [entity.label for entity in brat.entities] == ["LOCATION", "NAME"]
    assert brat.with_spans(note.spans) == brat
    assert [entity.label for entity in brat.with_spans(note.spans[1:]).entities] == ["NAME"]


def test_a_text_without_annotation_is_a_note_without_spans_and_an_empty_folder_is_refused(
    tmp_path: Path,
) -> None:
    with pytest.raises(BadInput, match=r"no \.txt file"):
        read_brat(tmp_path)
    (tmp_path / "n.txt").write_text("Ada")
    assert read_brat(tmp_path)[0].spans == ()


def test_bytes_that_are_no_utf_8_are_told(tmp_path: Path) -> None:
    put(tmp_path, b"Jos\xe9", b"")
    with pytest.raises(BadInput, match=r"n\.txt.*not UTF-8"):
        read_brat(tmp_path)


def test_two_notes_of_one_name_are_not_written_over_each_other(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="same id"):
        write_brat([Annotated("a", (), "1"), Annotated("b", (), "1")], tmp_path)


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="half a character"):
        write_brat([Annotated("a\ud800", ())], tmp_path)


@given(st.text(alphabet=LETTERS, min_size=1, max_size=30), st.data())
def test_what_is_written_is_read_again(text: str, data: st.DataObject) -> None:
    pairs = data.draw(
        st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 9)), max_size=4, unique=True)
    )
    spans = {(start, min(len(text), start + size)) for start, size in pairs}
    note = Annotated(text, tuple(Span(start, end, Kind.NAME, "patient") for start, end in spans))
    brat = BratNote(text, (), id="n").with_spans(note.spans)
    again = parse_brat(text, format_brat(brat).split("\n"), name="n")
    assert again == brat
    assert again.annotated().spans == note.spans


@pytest.mark.golden
def test_the_spanish_corpus_comes_back_line_by_line(shared: Path) -> None:
    folder = shared / "data" / "text" / "meddocan_es" / "dev"
    for note in read_brat_notes(folder)[:60]:
        written = (folder / f"{note.id}.ann").read_text(encoding="utf-8")
        assert format_brat(note).splitlines() == written.splitlines()
