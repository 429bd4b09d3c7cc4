"""Rare terms: notes without names are linked to texts from elsewhere by the rare words that both hold.

After A. Narayanan and V. Shmatikov, "Robust de-anonymization of large sparse datasets" (2008): a few rare
items that two records share tell them apart from all others. Here the items are words, weighed as in
G. Salton and C. Buckley, "Term-weighting approaches in automatic text retrieval" (1988).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.text.attacks.contract import Knowledge, OtherNotes, ReleasedNotes, notes_to_attack, surest
from sfumato.text.detectors.spelling import folded

_WORD = re.compile(r"[^\W_]+")
_ALIKE = 1e-9


@dataclass(frozen=True)
class RareTerms:
    """For every note find the text from elsewhere that shares most with it, and name its person.

    With d_w of all D texts (released and from elsewhere) holding the word w, idf(w) = ln(D / d_w), and the
    likeness of a note and a text is the cosine of their idf vectors over words that at most ``rare`` of all
    texts hold: Σ idf² over the words that both hold, divided by both lengths. The adversary claims the person
    of the likest text and is sure when the second likest person is less than ``margin`` times as like. Where
    nothing rare is shared it is a guess among all people.

    De-identification does not remove it: rare diseases, unusual accidents and turns of phrase are no
    identifiers on anybody's list. It needs texts about the same people, which share words with the notes.

    >>> shown = ReleasedNotes(("fell from a trapeze, fracture", "cough and fever", "cough and fracture"))
    >>> others = OtherNotes(("Trapeze artist falls", "Man with fever"), ("1", "2"))
    >>> RareTerms(rare=0.5).run(shown, Knowledge(others=others, persons=("1", "2", "9"))).success
    1.0
    """

    rare: float = 0.05
    margin: float = 0.5
    name: ClassVar[str] = "rare-terms"
    title: ClassVar[str] = "links notes to texts from elsewhere by rare words that both hold"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.OTHERS})

    def __post_init__(self) -> None:
        for value, what in ((self.rare, "rare"), (self.margin, "margin")):
            if not 0 < value <= 1:
                raise BadInput(
                    f"'{what}' must lie above 0 and not above 1", where=self.name, remedy="try 0.05 and 0.5"
                )

    def run(
        self,
        target: ReleasedNotes,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Compare by the words that are rare in both."""
        notes_to_attack(target, self.name)
        others = knowledge.others
        if others is None or not others.texts:
            raise BadInput(
                "there are no texts from elsewhere", where=self.name, remedy="give texts about people"
            )
        knowledge.check(target, self.name)
        shown = [_words(" ".join(target.texts[note] for note in notes)) for notes in target.records]
        vocabulary = _Vocabulary.of(shown, others, self.rare)
        claims = []
        for place, words in enumerate(shown):
            if place % 512 == 0:
                progress.update(place / len(shown), "comparing")
            claims.append(self._claim(vocabulary, words))
        owners = None
        if knowledge.persons is not None:
            owners = [knowledge.persons[notes[0]] for notes in target.records]
        return self._result(vocabulary, claims, owners, victims)

    def _claim(self, known: _Vocabulary, words: frozenset[str]) -> tuple[NDArray[np.int64], float]:
        """Return the people who fit best, and how sure the adversary is."""
        likeness = known.likeness(words)
        highest = float(likeness.max())
        if highest <= 0:
            return np.arange(len(likeness)), 1 / len(likeness)
        best = np.flatnonzero(likeness >= highest - _ALIKE)
        if len(best) > 1:
            return best, 1 / len(best)
        second = float(np.partition(likeness, -2)[-2]) if len(likeness) > 1 else 0.0
        return best, 1.0 if second < self.margin * highest else 0.5

    def _result(
        self,
        known: _Vocabulary,
        claims: Sequence[tuple[NDArray[np.int64], float]],
        owners: Sequence[str | None] | None,
        victims: bool,
    ) -> AttackResult:
        persons = list(known.persons)
        guess = 1 / len(persons)
        if owners is None:
            chances = [confidence for _, confidence in claims]
            sure = [Victim(int(known.first[best[0]]) + 1, 1.0) for best, sure in claims if sure == 1]
            return self._told(
                chances, guess, sure, Scored.CLAIMED, "nobody could say whose notes they are", victims
            )
        number = {person: place for place, person in enumerate(persons)}
        pairs = [
            (claim, number[owner]) for claim, owner in zip(claims, owners, strict=True) if owner in number
        ]
        if not pairs:
            raise BadInput(
                "no note is about anybody of the texts from elsewhere, by their ids",
                where=self.name,
                remedy="check that both name people alike",
            )
        chances = [1 / len(best) if own in best else 0.0 for (best, _), own in pairs]
        hit = [
            Victim(int(known.first[own]) + 1, 1.0)
            for ((_, sure), own), chance in zip(pairs, chances, strict=True)
            if chance == 1 and sure == 1
        ]
        left = len(claims) - len(pairs)
        note = ""
        if left:
            verb = "is" if left == 1 else "are"
            among = f"{left:,} of {len(claims):,} notes {verb}"
            note = f"{among} about people without a text from elsewhere: left aside"
        return self._told(chances, guess, hit, Scored.MEASURED, note, victims)

    def _told(
        self,
        chances: Sequence[float],
        guess: float,
        hit: Sequence[Victim],
        scored: Scored,
        note: str,
        victims: bool,
    ) -> AttackResult:
        return AttackResult(
            self.name,
            self.threat,
            len(chances),
            math.fsum(chances) / len(chances),
            guess,
            guess,
            certain=len(hit),
            highest=1.0 if hit else max(chances),
            scored=scored,
            note=note,
            victims=surest(hit) if victims else (),
        )


@dataclass(frozen=True)
class _Vocabulary:
    """The rare words of texts from elsewhere: who used them, and how much they weigh."""

    persons: dict[str, int] = field(repr=False)
    first: NDArray[np.int64] = field(repr=False)
    """for each person the row of their first text"""
    weights: dict[str, float] = field(repr=False)
    users: dict[str, NDArray[np.int64]] = field(repr=False)
    lengths: NDArray[np.float64] = field(repr=False)

    @classmethod
    def of(cls, shown: Sequence[frozenset[str]], others: OtherNotes, rare: float) -> _Vocabulary:
        persons: dict[str, int] = {}
        first = []
        texts: list[set[str]] = []
        for row, (text, person) in enumerate(zip(others.texts, others.persons, strict=True)):
            if person not in persons:
                persons[person] = len(persons)
                first.append(row)
                texts.append(set())
            texts[persons[person]] |= _words(text)
        held: Counter[str] = Counter()
        for words in (*shown, *texts):
            held.update(words)
        everything = len(shown) + len(texts)
        weights = {
            word: math.log(everything / many) for word, many in held.items() if many <= rare * everything
        }
        users: dict[str, list[int]] = {}
        for place, words in enumerate(texts):
            for word in words:
                if word in weights:
                    users.setdefault(word, []).append(place)
        squares = [math.fsum(weights.get(word, 0.0) ** 2 for word in sorted(words)) for words in texts]
        return cls(
            persons,
            np.array(first, np.int64),
            weights,
            {word: np.array(places, np.int64) for word, places in users.items()},
            np.sqrt(np.maximum(squares, 1e-300)),
        )

    def likeness(self, words: frozenset[str]) -> NDArray[np.float64]:
        """Return how like a note is to what is known of each person."""
        shared = sorted(word for word in words if word in self.users)
        if not shared:
            return np.zeros(len(self.persons))
        rows = [self.users[word] for word in shared]
        squares = [self.weights[word] ** 2 for word in shared]
        dots = np.bincount(
            np.concatenate(rows), np.repeat(squares, [len(one) for one in rows]), len(self.persons)
        )
        own = math.sqrt(math.fsum(self.weights.get(word, 0.0) ** 2 for word in sorted(words)))
        return np.asarray(dots / (self.lengths * own), np.float64)


def _words(text: str) -> frozenset[str]:
    return frozenset(folded(word) for word in _WORD.findall(text) if len(word) > 2)
