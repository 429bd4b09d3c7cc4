"""Made-up names: part by part, the same for a person everywhere, gender, order, case and initials kept.

The surrogate of a part is draw(part) from a list of common names (``text/surrogate_lists.py``): given names
from those of the same gender, family names from family names. It is never a name that stands in the record
itself, no two parts of a record share one, and it begins with another letter, so that initials change too.
Misspellings of a name get the name's surrogate, spelt rightly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from sfumato.text.detectors.spelling import PARTICLES, folded
from sfumato.text.replace.keyed import Draws
from sfumato.text.replace.lore import NameLore
from sfumato.text.replace.names import As, Mention, NamePiece, in_case_of
from sfumato.text.replace.people import People
from sfumato.text.replace.written_names import rewritten
from sfumato.text.surrogate_lists import SurrogateLists

_LETTERS = "ABCDEFGHJKLMNPRSTW"
"""letters that many names begin with"""
_LONGEST = 64
"""initials that a draw depends on: all of them in every draw would take the square of their number"""


@dataclass(frozen=True)
class NameSurrogates:
    """The made-up names of one record."""

    people: People = field(repr=False)
    draws: Draws = field(repr=False)
    lists: SurrogateLists = field(repr=False)
    lore: NameLore
    avoided: frozenset[str] = field(default=frozenset(), repr=False)
    """folded words that are no surrogate either: names of the whole corpus"""

    @cached_property
    def words(self) -> dict[str, str]:
        """The surrogate of every key of the record."""
        real = {key for key, _ in self.people.order} | self.avoided | PARTICLES
        taken: set[str] = set()
        words = {}
        for key in sorted(self.people.keys):
            words[key] = self._drawn(key, self._list(key), real, taken)
            taken.add(folded(words[key]))
        return words

    def word(self, key: str) -> str | None:
        """Return the surrogate of a part of a name, if the record has it."""
        return self.words.get(self.people.key(key))

    def written(self, said: Mention) -> str:
        """Write a mention anew."""
        if not said.words(As.GIVEN, As.FAMILY, As.ALONE):
            return self._initials(said)

        def word(piece: NamePiece) -> str:
            return in_case_of(self.words[self.people.key(piece.key)], piece.text)

        first = next((piece.key for piece in said.words(As.GIVEN)), "")
        last = next((piece.key for piece in reversed(said.words(As.FAMILY, As.ALONE))), "")

        def initial(piece: NamePiece, given: bool) -> str:
            return self._initial(piece, first if given else "", last)

        return "".join(rewritten(said, word, initial))

    def _drawn(self, key: str, listed: tuple[str, ...], real: set[str], taken: set[str]) -> str:
        """Draw a name that is nobody's in the record and stands for nobody else yet: one of the list, where
        most are taken two of them with a hyphen, at the very last a number.
        """

        def fits(value: str) -> bool:
            name = folded(value)
            return name[0] != key[:1] and name not in taken and real.isdisjoint(name.split("-"))

        found = self.draws.tried(listed, fits, "name", key)
        if found is None and len(taken) > len(listed) // 2:
            seconds = [listed[self.draws.below(len(listed), "second", key, str(turn))] for turn in range(8)]
            pairs = [f"{self.draws.tried(listed, bool, 'first', key, one)}-{one}" for one in seconds]
            found = next((pair for pair in pairs if fits(pair)), None)
        if found is None:
            found = self.draws.choose(listed, fits, "name", key)
        return found or f"{listed[0]}{self.draws.number('name', key) % 10**12}"

    def _list(self, key: str) -> tuple[str, ...]:
        if key in self.people.family:
            return self.lists.family
        female = self.lore.is_female(key)
        if female is None:
            female = self.people.female.get(key)
        if female is None:
            female = self.draws.below(2, "gender", key) == 0
        return self.lists.given_female if female else self.lists.given_male

    @cached_property
    def _middles(self) -> dict[tuple[str, str], str]:
        """The middle name behind a given name and an initial, where it is written in full somewhere."""
        found: dict[tuple[str, str], str] = {}
        for mentions in self.people.mentions:
            for said in mentions.values():
                given = [piece.key for piece in said.words(As.GIVEN)]
                for middle in given[1:]:
                    found.setdefault((given[0], middle[:1]), middle)
        return found

    def _initial(self, piece: NamePiece, first: str, last: str) -> str:
        """Return the initial of a surrogate: of the middle name behind the first, or of the given name."""
        letter = piece.key[:1]
        if first:
            behind = self._middles.get((first, letter))
        else:
            named = self.people.givens.get(self.people.key(last), ())
            behind = next((given for given in named if given[:1] == letter), None)
        if behind is not None:
            drawn = self.words[self.people.key(behind)][0]
        else:
            drawn = self._letter(letter, first or last, "middle" if first else "first")
        return in_case_of(drawn, piece.text) if piece.text.islower() else drawn

    def _initials(self, said: Mention) -> str:
        """Write initials anew: those of the surrogate where the record knows who it is."""
        letters = "".join(piece.text for piece in said.words(As.INITIAL))
        behind = self.people.behind(letters)
        signed = folded(letters[:_LONGEST])
        drawn = [self._letter(folded(one)[:1], signed, str(place)) for place, one in enumerate(letters)]
        if behind is not None:
            given, family = (self.words[self.people.key(key)][0] for key in behind)
            drawn[0], drawn[-1] = given, family
        new = iter(drawn)
        written = []
        dropped = False
        for piece in said.pieces:
            if piece.what is As.INITIAL:
                written += [_as(next(new), one) for one in piece.text]
            elif piece.what is As.COPIED and not (dropped and piece.text in (".", " ")):
                written.append(piece.text)
            dropped = piece.what is As.DROPPED or (dropped and piece.what is As.COPIED)
        return "".join(written)

    def _letter(self, letter: str, *what: str) -> str:
        others = [one for one in _LETTERS if one.lower() != letter]
        return others[self.draws.below(len(others), "initial", letter, *what)]


def _as(letter: str, like: str) -> str:
    return letter.lower() if like.islower() else letter
