"""Annotated notes as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.annotation import Annotated, format_jsonl, parse_jsonl, read_jsonl, write_jsonl
from sfumato.text.kinds import Kind
from sfumato.text.span import Span


@given(st.text(alphabet='aé\u0301🧬\n\r\u2028"\\', min_size=1, max_size=20), st.data())
def test_what_is_written_is_read_again(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    note = Annotated(text, (Span(start, end, Kind.DATE, "full"),), "7", "letter")
    assert list(parse_jsonl([format_jsonl(note)])) == [note]


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    notes = (Annotated("Ada\r\nÉva", (Span(5, 8, Kind.NAME),), "1"), Annotated("half \ud800", (), "2"))
    write_jsonl(notes, tmp_path / "n.jsonl")
    assert read_jsonl(tmp_path / "n.jsonl") == notes


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "no JSON"),
        ("[]", "no 'text'"),
        ('{"text": "Ada", "spans": 3}', "no list"),
        ('{"text": "Ada", "spans": [{"start": 0, "end": 3}]}', "span 1.*no 'type'"),
        ('{"text": "Ada", "spans": [{"start": 0, "end": 4, "type": "NAME"}]}', "span 1.*no offsets"),
        ('{"text": "Ada", "spans": [{"start": true, "end": 3, "type": "NAME"}]}', "no offsets"),
        ('{"text": "Ada", "spans": [{"start": 0, "end": 2, "type": "NAME", "text": "Ada"}]}', "disagree"),
        ('{"text": "Ada", "spans": [{"start": 0, "end": 3, "type": "NAMES"}]}', "did you mean 'NAME'"),
    ],
)
def test_errors_say_the_file_and_the_line_and_show_no_text(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "n.jsonl"
    path.write_text('{"text": "x"}\n\n' + line + "\n")
    with pytest.raises(BadInput, match=rf"n\.jsonl, line 3.*{told}") as problem:
        read_jsonl(path)
    assert "Ada" not in str(problem.value)


def test_types_can_be_mapped_and_left_out() -> None:
    spans = [{"start": 0, "end": 3, "type": "PERSON"}, {"start": 4, "end": 6, "type": "SCORE"}]
    line = json.dumps({"text": "Ada 10", "spans": spans})
    (note,) = parse_jsonl([line], {"PERSON": Kind.NAME, "SCORE": None})
    assert note.spans == (Span(0, 3, Kind.NAME),)
    (note,) = parse_jsonl([line], lambda label: Kind.OTHER if label == "SCORE" else Kind.NAME)
    assert [span.kind for span in note.spans] == [Kind.NAME, Kind.OTHER]


def test_bytes_that_are_no_utf_8_are_told(tmp_path: Path) -> None:
    (tmp_path / "n.jsonl").write_bytes(b'{"text": "Jos\xe9"}')
    with pytest.raises(BadInput, match="not UTF-8"):
        read_jsonl(tmp_path / "n.jsonl")


def test_an_annotation_beyond_its_text_is_refused() -> None:
    with pytest.raises(BadInput, match="beyond the text"):
        Annotated("Ada", (Span(0, 4, Kind.NAME),))
