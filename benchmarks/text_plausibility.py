"""Sanitising notes: loading WordNet, finding and generalising terms, checking.

    python -m benchmarks.text_plausibility

The notes are made up from words of WordNet, about one sensitive term in twelve words. Figures of speed are
seconds for a million characters, so that smaller is better as everywhere.
"""

from __future__ import annotations

import random

from benchmarks.result import Result, cpu_seconds, table
from sfumato.text.methods.sanitise import Sanitise
from sfumato.text.models.contract import Handled
from sfumato.text.models.t_plausibility import TPlausibility
from sfumato.text.note import Record
from sfumato.text.ontology.ontology import Ontology
from sfumato.text.ontology.wordnet import wordnet
from sfumato.text.replace.apply import applied

FILLER = (
    *("seen", "on", "the", "ward", "and", "sent", "home", "with", "advice", "after"),
    *("review", "by", "staff", "who", "found", "no", "fever", "at", "night"),
)
T = 50


def notes(nouns: Ontology, many: int, length: int) -> list[str]:
    """Make up notes of some words each."""
    source = random.Random(7)
    illness = sorted({t for c in nouns.under(nouns.one("disease")) for t in nouns.spellings_of(c)})
    return [
        " ".join(
            source.choice(illness) if source.random() < 1 / 12 else source.choice(FILLER)
            for _ in range(length)
        )
        for _ in range(many)
    ]


def run() -> list[Result]:
    """Measure loading, many notes, one long note, and the check."""
    found = [Result("load WordNet", cpu_seconds(wordnet.__wrapped__), "s", 0.5)]
    nouns = wordnet()
    found.append(
        Result("count what lies under every concept", cpu_seconds(lambda: _fresh_counts(nouns)), "s")
    )
    texts = notes(nouns, 1000, 100)
    method = Sanitise(T, subtrees=("disease",))
    records = [Record.of(text) for text in texts]
    million = sum(map(len, texts)) / 1e6
    spent = cpu_seconds(lambda: [method.changes(record) for record in records], runs=3)
    found.append(Result("a million characters in notes, greedy", spent / million, "s", 10.0))
    handled = []
    for record in records:
        changes = method.changes(record)
        handled.append(Handled(record, (applied(record.notes[0].text, changes[0])[0],), changes))
    model = TPlausibility(T)
    spent = cpu_seconds(lambda: [model.counted(one) for one in handled], runs=3)
    found.append(Result("checking them", spent / million, "s", 10.0))
    (long,) = notes(nouns, 1, 160_000)
    spent = cpu_seconds(lambda: method.changes(Record.of(long)), runs=3)
    found.append(Result("a million characters in one note", spent / len(long) * 1e6, "s", 10.0))
    return found


def _fresh_counts(nouns: Ontology) -> object:
    return type(nouns)._counts.func(nouns)  # type: ignore[attr-defined]  # past the cache, to count anew


if __name__ == "__main__":
    print(table("Sanitising text", run()))
