"""``sfumato text`` and notes in recipes, as a person would type it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.commands import Run, runner
from tests.recipe.text.examples import PEOPLE, recipe_in, released_rows, write_notes

NOTE = "Seen by Dr. Ottorino Respighi on 17 Jan 2003.\r\nMail ew@example.org. Percocet 5/325, BP 128/74.\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(tmp_path, monkeypatch, capsys)


def test_scrub_writes_a_text_again_without_what_was_found(run: Run, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_bytes(NOTE.encode())
    done = run("text", "scrub", "note.txt", "--model", "none")
    assert done.code == 0
    assert "Respighi" not in done.out
    assert "on **DATE[2003].\r\nMail **EMAIL. Percocet 5/325, BP 128/74.\n" in done.out


class Piped:
    """Standard input with bytes."""

    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


def test_scrub_reads_a_stream_line_by_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Piped("Mail a@example.org\r\n\nnaïve b@example.org".encode("cp1252")))
    done = run("text", "scrub", "-", "--lines", "--model", "none")
    assert done.out == "Mail **EMAIL\r\n\nnaïve **EMAIL"
    assert "not UTF-8" in done.err


def test_scrub_without_the_key_that_it_needs_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    done = run("text", "scrub", "note.txt", "--model", "none", "--policy", "shifted-dates")
    assert done.code == 2
    assert "needs a key" in done.sentence


def test_find_shows_values_only_when_asked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_bytes(NOTE.encode())
    plain = run("text", "find", "note.txt", "--model", "none")
    assert "EMAIL" in plain.out
    assert "ew@example.org" not in plain.out
    shown = run("text", "find", "note.txt", "--model", "none", "--show-values", "--json")
    spans = json.loads(shown.out)
    (mail,) = [span for span in spans if span["kind"] == "EMAIL"]
    assert NOTE[mail["start"] : mail["end"]] == mail["text"] == "ew@example.org"
    assert run("text", "find", "none.txt").sentence.endswith("there is no such file; check the path")


def test_a_first_note_needs_no_engine() -> None:
    import subprocess

    code = (
        "import sys; sys.argv = ['sfumato', 'text', 'scrub', '-', '--model', 'none']\n"
        "from sfumato.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numba', 'duckdb', 'pandas', 'sklearn', 'faker') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="", capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[]\n"


def test_init_sees_that_a_column_holds_notes(run: Run, tmp_path: Path) -> None:
    long = "The patient was seen in the clinic and is well; she will come back in two weeks if need be."
    people = [
        (who, name, f"{i} {long}", day, ward) for i, (who, name, _, day, ward) in enumerate(PEOPLE * 10)
    ]
    write_notes(tmp_path, people)
    done = run("init", "notes.csv")
    assert done.code == 0, done.err
    text = (tmp_path / "recipe.yaml").read_text()
    assert "kind: text" in text
    assert "role: text" in text
    assert "name: NAME" in text
    assert "[known-identifiers-removed]" in text
    (tmp_path / "recipe.yaml").write_text(text.replace("model: shipped", "model: none"))
    assert run("protect", "recipe.yaml", "--dry-run").code == 0
    assert run("init", "notes.csv", "--kind", "table", "--replace").code == 0
    assert "kind: text" not in (tmp_path / "recipe.yaml").read_text()


def test_a_recipe_goes_from_the_terminal_to_the_report(run: Run, tmp_path: Path) -> None:
    recipe_in(tmp_path, models="[known-identifiers-removed]", more=", known: {name: NAME}")
    done = run("protect", "recipe.yaml", "--out", "out", "--jobs", "1")
    assert done.code == 0, done.err
    assert "known-identifiers-removed" in done.out
    rows = released_rows(tmp_path / "out" / "release" / "data.csv")
    assert len(rows) == 4
    assert not any("Whitfield" in row["note"] or "Çelik" in row["note"] for row in rows)
    checked = run("verify", "out")
    assert checked.code == 0, checked.out
    assert run("protect", "recipe.yaml", "--out", "out").code == 2
    assert run("protect", "recipe.yaml", "--out", "out", "--replace", "--restart").code == 0


def test_jobs_and_restart_are_for_notes(run: Run, tmp_path: Path) -> None:
    from tests.recipe.examples import HEADER, RECIPE

    (tmp_path / "people.csv").write_text(f"{HEADER}\n1,a,3,02135,ill\n")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    assert "only notes are handled" in run("protect", "recipe.yaml", "--restart").sentence


def test_annotations_go_from_machine_to_people_and_back(run: Run, tmp_path: Path) -> None:
    made = run("text", "generate", 12, "--out", "gold.jsonl", "--seed", 3)
    assert made.code == 0, made.err
    assert run("text", "convert", "gold.jsonl", "brat").code == 0
    assert run("text", "convert", "brat", "back.jsonl").code == 0
    gold, back = (
        {
            (line["text"], json.dumps([(s["start"], s["end"], s["type"]) for s in line["spans"]]))
            for line in lines
        }
        for lines in (
            [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
            for name in ("gold.jsonl", "back.jsonl")
        )
    )
    assert gold == back
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "one.txt").write_text(NOTE)
    tagged = run("text", "tag", "notes", "--out", "tagged", "--model", "none")
    assert tagged.code == 0, tagged.err
    assert "EMAIL" in (tmp_path / "tagged" / "one.ann").read_text()
    assert run("text", "tag", "notes", "--out", "tagged", "--model", "none").code == 2


def test_evaluate_prints_numbers_and_writes_a_page_for_the_house(run: Run, tmp_path: Path) -> None:
    run("text", "generate", 8, "--out", "gold.jsonl")
    (tmp_path / "plain.csv").write_text("note\nBP 128/74 and well\n")
    done = run(
        "text",
        "evaluate",
        "gold.jsonl",
        "--model",
        "none",
        "--json",
        "--html",
        "page.html",
        "--over",
        "plain.csv",
    )
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["notes"] == 8
    assert 0.3 < told["token_recall"]["value"] <= 1
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    assert "there is no scope" in run("text", "evaluate", "gold.jsonl", "--scope", "x").sentence
    (tmp_path / "release").mkdir()
    refused = run("text", "evaluate", "gold.jsonl", "--model", "none", "--html", "release/page.html")
    assert "must not lie in a release" in refused.sentence


def test_a_model_that_was_trained_is_used(run: Run, tmp_path: Path) -> None:
    run("text", "generate", 40, "--out", "gold.jsonl")
    done = run("text", "train", "gold.jsonl", "--out", "model.xz", "--invented", "--about", "made-up notes")
    assert done.code == 0, done.err
    assert "made-up notes" in done.words
    (tmp_path / "note.txt").write_text(NOTE)
    assert run("text", "scrub", "note.txt", "--model", "model.xz").code == 0
    assert run("text", "scrub", "note.txt", "--model", "none.xz").code == 2
