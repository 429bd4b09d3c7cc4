"""Hidden in plain sight: can a missed real name be told from the made-up ones around it?

D. Carrell, B. Malin, J. Aberdeen and others, "Hiding in plain sight: use of realistic surrogates to reduce
exposure of protected health information in clinical text" (JAMIA 20(2), 2013).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.text.attacks.contract import Knowledge, ReleasedNotes, notes_to_attack
from sfumato.text.detectors.spelling import folded, name_parts
from sfumato.text.finders import NONE, LanguageFinding
from sfumato.text.kinds import Kind
from sfumato.text.note import Note, Record
from sfumato.text.replace.settled import TAG
from sfumato.text.surrogate_lists import load_surrogates

_STRANGE = 100.0
"""suspicion of a word that no list of made-up names holds: it outweighs every count"""


@dataclass(frozen=True)
class HiddenInPlainSight:
    """In every record with a missed name, pick the name that looks least made up.

    The adversary finds names with a detector that is more eager than the one which de-identified (from
    ``threshold`` on) and knows how surrogates are made: from public lists, consistently in a record. A name
    part is the more suspect the fewer other records use it (surrogates come back, real names do not), and
    most suspect when it stands on no list. Of the names of a record it picks the most suspect one; of n
    equally suspect ones any.

    ``success`` is the share of records whose pick is a real name, among those records in which the detector
    finds at least one real name; ``baseline`` picks any name of the record at random. Real names that the
    detector does not find stay hidden from this adversary, not from a reader; they are counted apart. With
    tags instead of surrogates nothing hides: every name that is found is real.
    """

    threshold: float = 0.3
    name: ClassVar[str] = "hidden-in-plain-sight"
    title: ClassVar[str] = "tells missed names from the made-up ones around them"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise BadInput(
                "the threshold must lie above 0 and not above 1", where=self.name, remedy="try 0.3"
            )

    def run(
        self,
        target: ReleasedNotes,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Find all names, and pick the most suspect one of every record."""
        notes_to_attack(target, self.name)
        knowledge.check(target, self.name)
        if knowledge.left is None:
            raise BadInput(
                "nobody says which names are real", where=self.name, remedy="give the names that were missed"
            )
        mentions = self._mentions(target, progress)
        real = [
            [_is_left(start, end, knowledge.left[note]) for note, start, end, _ in found]
            for found in mentions
        ]
        used: Counter[str] = Counter()
        for found in mentions:
            used.update({part for *_, parts in found for part in parts})
        listed = _listed(target.language)
        chances, guesses = [], []
        surest = 0
        for found, true in zip(mentions, real, strict=True):
            if not any(true):
                continue
            suspicion = [_suspicion(parts, used, listed) for *_, parts in found]
            most = max(suspicion)
            picked = [own for own, how in zip(true, suspicion, strict=True) if how == most]
            chances.append(sum(picked) / len(picked))
            guesses.append(sum(true) / len(true))
            surest += most >= _STRANGE and all(picked)
        leaks = sum(map(len, knowledge.left))
        if not chances:
            raise BadInput(
                "the adversary's detector finds no real name, so that there is nothing to tell apart"
                if leaks
                else "no real name was missed, so that there is nothing to tell apart",
                where=self.name,
                remedy="leave this attack out",
            )
        baseline = math.fsum(guesses) / len(guesses)
        return AttackResult(
            self.name,
            self.threat,
            len(chances),
            math.fsum(chances) / len(chances),
            baseline,
            baseline,
            certain=surest,
            highest=max(chances),
            scored=Scored.MEASURED,
            details={"real names that stand in the notes": leaks, "of them found": sum(map(sum, real))},
            note="attacked are the records in which a real name was missed and can be found",
        )

    def _mentions(
        self, target: ReleasedNotes, progress: Progress
    ) -> list[list[tuple[int, int, int, tuple[str, ...]]]]:
        """Return for each record its names: the note, where it stands, and its parts."""
        finder = LanguageFinding(target.language, NONE, self.threshold).finder()
        mentions = []
        for place, notes in enumerate(target.records):
            if place % 64 == 0:
                progress.update(place / len(target.records), "looking for names")
            record = Record(tuple(Note(target.texts[note]) for note in notes))
            found = []
            for note, spans in zip(notes, finder.find(record).spans, strict=True):
                text = target.texts[note]
                tags = [match.span() for match in TAG.finditer(text)]
                for span in spans:
                    parts = tuple(folded(part) for part in name_parts(span.of(text)))
                    inside = any(start < span.end and span.start < end for start, end in tags)
                    if span.kind is Kind.NAME and parts and not inside:
                        found.append((note, span.start, span.end, parts))
            mentions.append(found)
        return mentions


def _is_left(start: int, end: int, left: Sequence[tuple[int, int]]) -> bool:
    """Say whether a found name shares a character with a real one."""
    spans = sorted(left)
    place = bisect_right(spans, (end - 1, end))
    return any(begin < end and start < after for begin, after in spans[:place])


def _listed(language: str) -> frozenset[str]:
    """Return the words that made-up names are drawn from."""
    lists = load_surrogates(language)
    return frozenset(
        folded(word)
        for name in (*lists.given_female, *lists.given_male, *lists.family)
        for word in name_parts(name)
    )


def _suspicion(parts: Sequence[str], used: Counter[str], listed: frozenset[str]) -> float:
    """Say how little a name looks like a made-up one: by its most suspect part."""
    return max((0.0 if part in listed else _STRANGE) + 1 / used[part] for part in parts)
