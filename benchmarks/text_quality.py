"""How well identifiers are found in notes: ours with and without the learned model, peers in the same run.

Every figure is a share of what went wrong, so that less is better: notes with a leak, identifying tokens
missed, tokens found that identify nobody, tokens lost of notes that nobody annotated. These hold names, dates
and places, so that two figures are given: all that is lost, and what is lost although it identifies nobody.
For the second, ``text_identifiers.json`` says where a reader of all that was found held it for identifying
(the row, the first character and the one after the last; no text). What is found later and not listed there
counts as wrong. Notes count as under Safe Harbor (ages up to 89 and years alone identify nobody); the
sentences made for Presidio count everything.

Peers run in their own interpreters: SFUMATO_PEER_PRESIDIO, SFUMATO_PEER_SPACY and SFUMATO_PEER_PHILTER name a
Python that has what ``peers/text/requirements-*.txt`` lists; those that are not set are left out. Presidio's
recognisers are joined with the entities of spaCy's small model, since its recommended one is on no index.

``python -m benchmarks.text_quality`` prints the scores in full, with the templates of notes that fail.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from benchmarks.result import HERE, SHARED, Result, table
from sfumato.text.annotation import Annotated, read_jsonl
from sfumato.text.evaluate import EVERYTHING, HIPAA, Evaluation, Scope, evaluate, found_in, over_redaction
from sfumato.text.evaluate.over_redaction import OverRedaction
from sfumato.text.finder import Finder
from sfumato.text.finders import NONE, SHIPPED, finder_of
from sfumato.text.kinds import Kind
from sfumato.text.span import Span
from tests.text.corpus import notes_of

TEXTS = SHARED / "data" / "text"
Spans = list[list[Span]]


@dataclass(frozen=True)
class Corpus:
    """Notes to measure on. Without ``scope`` nobody annotated them, and all that is found counts as lost."""

    name: str
    notes: Callable[[], Sequence[Annotated]]
    scope: Scope | None = HIPAA
    bars: tuple[float | None, float | None, float | None] = (None, None, None)
    """most notes with a leak, identifying tokens missed, found tokens that identify nobody, in per cent"""


ACI, MTS = "aci_bench/train.csv", "mts_dialog/MTS-Dialog-TrainingSet.csv"


def _column(path: str, name: str) -> list[Annotated]:
    with (TEXTS / path).open(encoding="utf-8", newline="") as file:
        rows = [row[name] for row in csv.DictReader(file)]
    marked: list[list[Span]] = [[] for _ in rows]
    for row, start, end, kind in json.loads((HERE / "text_identifiers.json").read_text())[path]:
        marked[row].append(Span(start, end, Kind(kind)))
    return [Annotated(text, tuple(marked[place]), str(place)) for place, text in enumerate(rows)]


CORPORA = (
    Corpus("synthetic notes", lambda: read_jsonl(TEXTS / "synth_notes_open.jsonl"), HIPAA, (10, 0.5, 5)),
    Corpus("own notes, dev", lambda: notes_of("dev"), HIPAA, (10, 0.5, 5)),
    Corpus("own notes, final", lambda: notes_of("final"), HIPAA, (10, 0.5, 5)),
    Corpus("own notes, challenge", lambda: notes_of("challenge"), HIPAA, (10, 0.5, 5)),
    Corpus("own notes, held", lambda: notes_of("held"), HIPAA, (10, 0.5, 5)),
    Corpus("own notes, unseen", lambda: notes_of("unseen"), HIPAA, (10, 0.5, 5)),
    Corpus("Presidio's sentences", lambda: read_jsonl(TEXTS / "presidio_synth_open.jsonl"), EVERYTHING),
    Corpus("ACI-bench notes", lambda: _column(ACI, "note"), None, (None, 1, 1)),
    Corpus("MTS-Dialog sections", lambda: _column(MTS, "section_text"), None, (None, 1, 1)),
)
LOST, WRONGLY = "tokens lost", "tokens lost that identify nobody"
TIMED = "own notes, dev"
"""whose characters are counted for speed"""
BEATEN = "Presidio's sentences"
"""where the bar is Presidio's figure of the same run"""
PEERS = {
    "Presidio and spaCy": (
        ("SFUMATO_PEER_PRESIDIO", "presidio.py"),
        ("SFUMATO_PEER_SPACY", "spacy_model.py"),
    ),
    "Philter": (("SFUMATO_PEER_PHILTER", "philter.py"),),
}
SPEED = {SHIPPED: 20.0, NONE: 10.0}
"""most seconds of CPU for a million characters"""


@dataclass(frozen=True)
class Lost:
    """What is lost of notes that nobody annotated: in all, and of what identifies nobody."""

    found: OverRedaction
    wrong: OverRedaction

    @property
    def all(self) -> float:
        """Per cent of the tokens."""
        return 100 * (self.found.share.value or 0.0)

    @property
    def wrongly(self) -> float:
        """Per cent of the tokens."""
        return 100 * (self.wrong.share.value or 0.0)

    def __str__(self) -> str:
        return f"{self.found}\nof these, identifying nobody:\n{self.wrong}"


def run() -> list[Result]:
    """Measure all corpora that are there."""
    results = []
    for corpus in _there():
        ours = scored(corpus, ours_on(corpus, SHIPPED)[0])
        peers = {peer: scored(corpus, spans) for peer in PEERS if (spans := from_peer(peer, corpus))}
        results += _rows(corpus, ours, peers)
    corpus = next(corpus for corpus in CORPORA if corpus.name == TIMED)
    characters = sum(len(note.text) for note in notes_in(corpus))
    for model, bar in SPEED.items():
        seconds = ours_on(corpus, model)[1] / characters * 1e6
        name = "with the learned model" if model == SHIPPED else "patterns and lexicons alone"
        results.append(Result(f"a million characters, {name}", seconds, "s CPU", bar))
    return results


def _there() -> list[Corpus]:
    if TEXTS.is_dir():
        return list(CORPORA)
    print("the text corpora are not there (../shared): only own notes are measured", file=sys.stderr)
    return [corpus for corpus in CORPORA if corpus.name.startswith("own")]


def _rows(corpus: Corpus, ours: Evaluation | Lost, peers: dict[str, Evaluation | Lost]) -> list[Result]:
    rows = []
    for place, (what, mine) in enumerate(_faults(ours).items()):
        if mine is None:
            continue
        bar = corpus.bars[place]
        if corpus.name == BEATEN:
            bar = _faults(peers[first])[what] if (first := next(iter(PEERS))) in peers else None
        note = "with the names, dates and places in them" if what == LOST else ""
        rows.append(Result(f"{corpus.name}: {what}", mine, "%", bar, note=note))
        if what == WRONGLY:
            continue  # what a peer found and we did not was never looked at
        for peer, theirs in peers.items():
            rows.append(Result(f"{corpus.name}: {what}", mine, "%", peer=peer, theirs=_faults(theirs)[what]))
    return rows


def _faults(outcome: Evaluation | Lost) -> dict[str, float | None]:
    if isinstance(outcome, Lost):
        return {"": None, LOST: outcome.all, WRONGLY: outcome.wrongly}
    shares = {
        "notes with a leak": outcome.leak_free_share.value,
        "identifying tokens missed": outcome.recall.value,
        "found tokens that identify nobody": outcome.precision.value,
    }
    return {what: None if share is None else 100 * (1 - share) for what, share in shares.items()}


@cache
def notes_in(corpus: Corpus) -> Sequence[Annotated]:
    """Read a corpus once."""
    return corpus.notes()


def scored(corpus: Corpus, spans: Spans) -> Evaluation | Lost:
    """Score what was found in a corpus."""
    notes = notes_in(corpus)
    if corpus.scope is None:
        texts = [note.text for note in notes]
        return Lost(
            over_redaction(texts, spans),
            over_redaction(texts, spans, identifiers=[note.spans for note in notes]),
        )
    return evaluate(notes, spans, corpus.scope)


@cache
def _finder(model: str) -> Finder:
    return finder_of("en", model)


@cache
def ours_on(corpus: Corpus, model: str) -> tuple[Spans, float]:
    """Find with our finder; return the spans and the seconds of CPU, the building of the finder left out."""
    finder = _finder(model)
    notes = notes_in(corpus)
    found_in(finder, notes[:1])
    before = time.process_time()
    spans = [list(found) for found in found_in(finder, notes)]
    return spans, time.process_time() - before


@cache
def from_peer(peer: str, corpus: Corpus) -> Spans:
    """Find with a peer; what its parts find is laid together. Empty when it is not named."""
    notes = notes_in(corpus)
    texts = json.dumps([note.text for note in notes])
    spans: Spans = [[] for _ in notes]
    for variable, script in PEERS[peer]:
        python = os.environ.get(variable)
        if not python:
            print(f"{peer} is left out: {variable} names no Python that has it", file=sys.stderr)
            return []
        path = HERE / "peers" / "text" / script
        done = subprocess.run([python, str(path)], input=texts, capture_output=True, text=True, check=True)
        read = json.loads(done.stdout.strip().splitlines()[-1])
        for place, found in enumerate(read["spans"]):
            spans[place] += [Span(start, end, Kind(kind)) for start, end, kind in found]
    return spans


def main() -> None:
    """Print the scores in full, and the table of bars."""
    for corpus in _there():
        for model in (SHIPPED, NONE):
            print(
                f"\n## {corpus.name}, model: {model}\n{scored(corpus, ours_on(corpus, model)[0])}", flush=True
            )
        for peer in PEERS:
            spans = from_peer(peer, corpus)
            if spans:
                print(f"\n## {corpus.name}, {peer}\n{scored(corpus, spans)}", flush=True)
    print("\n" + table("Finding identifiers in notes", run()))


if __name__ == "__main__":
    main()
