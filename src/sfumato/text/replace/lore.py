"""What lexicons and lists know about names: whether people bear one, whether it is a given name, whose."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.text.lexicon import Mark
from sfumato.text.word_list import word_list

_GIVEN = Mark.GIVEN_FEMALE | Mark.GIVEN_MALE

_FAMILIAR = (
    "abby:abigail al:albert,alan,alfred alex:alexander,alexandra andy:andrew barb:barbara becky:rebecca "
    "ben:benjamin bert:albert,robert beth:elizabeth betty:elizabeth bill:william billy:william bob:robert "
    "bobby:robert cathy:catherine charlie:charles chris:christopher,christine,christina chuck:charles "
    "cindy:cynthia dan:daniel danny:daniel dave:david deb:deborah debbie:deborah dick:richard don:donald "
    "ed:edward eddie:edward ellie:eleanor fred:frederick,alfred greg:gregory hank:henry harry:harold,henry "
    "jack:john jackie:jacqueline jan:janet,janice jeff:jeffrey jen:jennifer jenny:jennifer jerry:gerald "
    "jim:james jimmy:james joe:joseph joey:joseph johnny:john jon:jonathan judy:judith kate:katherine "
    "kathy:kathleen,katherine katie:katherine ken:kenneth kenny:kenneth kim:kimberly larry:lawrence "
    "liz:elizabeth maggie:margaret mandy:amanda matt:matthew meg:margaret mike:michael mindy:melinda "
    "nate:nathan nell:eleanor nick:nicholas pam:pamela pat:patricia,patrick patty:patricia peggy:margaret "
    "pete:peter phil:philip,phillip ray:raymond rich:richard rick:richard rob:robert ron:ronald "
    "ronnie:ronald sally:sarah sam:samuel,samantha sandy:sandra steve:steven,stephen stu:stuart sue:susan "
    "suzy:susan ted:edward,theodore terry:theresa,terrence tim:timothy tom:thomas tommy:thomas tony:anthony "
    "val:valerie vicky:victoria walt:walter wendy:gwendolyn will:william zach:zachary"
)
_FORMAL = {
    familiar: tuple(names.split(",")) for familiar, names in (entry.split(":") for entry in _FAMILIAR.split())
}


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

    def formal(self, key: str) -> tuple[str, ...]:
        """Return the given names that a familiar one stands for.

        >>> NameLore("en").formal("bob")
        ('robert',)
        """
        return _FORMAL.get(key, ()) if self.language == "en" else ()

    def is_female(self, key: str) -> bool | None:
        """Say whether women bear a given name; None where both or neither do."""
        marks = self._marks(key) & _GIVEN
        return None if marks in (0, _GIVEN) else marks == Mark.GIVEN_FEMALE

    def _marks(self, key: str) -> int:
        return word_list(self.language).marks(key)
