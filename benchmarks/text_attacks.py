"""Attacks on notes: CPU seconds for 10,000 notes of 10,000 people.

python -m benchmarks.text_attacks
"""

from __future__ import annotations

import random

from benchmarks.result import Result, cpu_seconds, table
from sfumato.text.attacks import Knowledge, OtherNotes, RareTerms, ReleasedNotes, TextLinkage
from sfumato.text.kinds import Kind
from tests.text.attacks.hospital import Hospital

SIZE = 10_000
BAR = 30.0
"""CPU seconds that an attack on so many notes may take"""


def run() -> list[Result]:
    """Link notes to a table of people, and to texts from elsewhere."""
    hospital = Hospital.of(SIZE)
    known = Knowledge(hospital.people, persons=hospital.persons)
    shown = hospital.notes
    blank = hospital.without(Kind.NAME)
    others = OtherNotes(_retold(shown), hospital.persons)
    elsewhere = Knowledge(others=others, persons=hospital.persons)
    work = [
        ("text-linkage, notes as they are", lambda: TextLinkage().run(shown, known)),
        ("text-linkage, without names", lambda: TextLinkage().run(blank, known)),
        ("rare-terms", lambda: RareTerms().run(shown, elsewhere)),
    ]
    return [Result(f"{name}, {SIZE:,} × {SIZE:,}", cpu_seconds(one, 3), "s", BAR) for name, one in work]


def _retold(shown: ReleasedNotes) -> tuple[str, ...]:
    """Tell half of the words of every note again, in another order."""
    chance = random.Random(1)
    texts = []
    for text in shown.texts:
        words = text.split()
        texts.append(" ".join(chance.sample(words, len(words) // 2)))
    return tuple(texts)


if __name__ == "__main__":
    print(table("Attacks on notes", run()))
