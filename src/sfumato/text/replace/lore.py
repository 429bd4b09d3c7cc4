"""What lexicons and lists know about names: whether people bear one, whether it is a given name, whose."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.text.lexicon import Mark
from sfumato.text.word_list import word_list

_GIVEN = Mark.GIVEN_FEMALE | Mark.GIVEN_MALE


@dataclass(frozen=True)
class NameLore:
    """Asks the lexicon of a language.

    >>> lore = NameLore("en")
    >>> lore.is_given("eleanor"), lore.is_borne("whitfeild"), lore.is_female("eleanor")
    (True, False, True)
    """

    language: str

    def is_given(self, key: str) -> bool:
        """Say whether a folded word is a given name."""
        return bool(self._marks(key) & _GIVEN)

    def is_borne(self, key: str) -> bool:
        """Say whether people bear it as any name."""
        return bool(self._marks(key) & (_GIVEN | Mark.FAMILY))

    def is_female(self, key: str) -> bool | None:
        """Say whether women bear a given name; None where both or neither do."""
        marks = self._marks(key) & _GIVEN
        return None if marks in (0, _GIVEN) else marks == Mark.GIVEN_FEMALE

    def _marks(self, key: str) -> int:
        return word_list(self.language).marks(key)
