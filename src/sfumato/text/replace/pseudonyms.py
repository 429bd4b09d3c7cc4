"""Keyed pseudonyms: ``NAME-K5ZQ…``, the same code for the same person in all their notes.

Codes are made one way with a key (``masking.pseudonyms``: base32(HMAC-SHA-256(key, value)), Bellare, Canetti
& Krawczyk 1996). A name's code belongs to the person of the record, so that a doctor has another one in every
patient's notes; the code of a number is that of the number itself, and agrees with a column of a table
that is masked by ``keyed-pseudonym`` with the same key, recipient, purpose and domain.
How often a code occurs stays visible; who holds the key can test a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.masking.contract import Secrets
from sfumato.masking.pseudonyms import KeyedPseudonym
from sfumato.masking.reduce import OLDEST
from sfumato.text.detectors.spelling import folded
from sfumato.text.kinds import Kind
from sfumato.text.note import Found
from sfumato.text.replace.ages import with_age
from sfumato.text.replace.contract import Change
from sfumato.text.replace.keyed import identity
from sfumato.text.replace.lore import NameLore
from sfumato.text.replace.names import As, Mention
from sfumato.text.replace.people import People, people
from sfumato.text.replace.settled import Place, UnderDatedPolicy
from sfumato.text.replace.tags import tag_name
from sfumato.text.replace.written_names import rewritten

_NUMBERS = (Kind.ID, Kind.SSN, Kind.PHONE, Kind.EMAIL, Kind.URL, Kind.IP)


@dataclass(frozen=True)
class Pseudonyms(UnderDatedPolicy):
    """Replace by keyed one-way codes of so many letters."""

    letters: int = 16
    domain: str = ""
    name: ClassVar[str] = "pseudonyms"
    needs_key: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._mask

    @property
    def invents(self) -> bool:
        """Whether what stands there may look true and is not: moved dates do."""
        return self.moves_dates

    @property
    def _mask(self) -> KeyedPseudonym:
        return KeyedPseudonym(self.letters, self.domain)

    def describe(self) -> str:
        """Say in words what is done."""
        return (
            "What was found is replaced by keyed one-way codes, the same for a person in all notes. Codes "
            "that are derived from a value are none that 45 CFR 164.514(c) allows: they need an expert's "
            "determination. "
            f"{self.rules.describe()}"
        )

    def changes(self, found: Found, secrets: Secrets) -> tuple[tuple[Change, ...], ...]:
        """Return a change for every span."""
        found = self.cut(found)
        known = people(found, NameLore(self.language))
        who = identity(found.record)
        codes: dict[str, str] = {}

        def code(value: str) -> str:
            if value not in codes:
                # Half a surrogate pair, which broken files hold, has no UTF-8.
                known = value.encode("utf-8", "backslashreplace").decode()
                codes[value] = str(self._mask.labels([known], secrets)[0])
            return codes[value]

        def theirs(value: str) -> str:
            return code(f"{who}\0{value}")

        def write(place: Place) -> Change:
            span, shown = place.span, place.shown
            kind = tag_name(span.kind, span.label)
            if span.kind is Kind.DATE and shown is not None:
                return Change(span, shown.text or "[date]", shown.how)
            if span.kind is Kind.AGE and shown is not None:
                return Change(span, with_age(place.old, f"{OLDEST}+" if shown.text else "[age]"), shown.how)
            if span.kind is Kind.NAME:
                said = known.mentions[place.note][place.place]
                before, _, after = rewritten(said, lambda piece: piece.text, lambda piece, _: piece.text)
                new = f"{before}{kind}-{theirs(bearer(said, known))}{after}"
            elif span.kind in _NUMBERS:
                new = f"{kind}-{code(place.old)}"
            else:
                new = f"{kind}-{theirs(folded(place.old))}"
            return Change(span, new, "pseudonym")

        return self.settled(found, secrets).changes(write)


def bearer(said: Mention, known: People) -> str:
    """Return who is meant by a mention: given and family name, as far as the record says.

    A given or family name alone is taken for the first person of the record that bears it.
    """
    if said.full is not None:
        return " ".join(known.key(key) for key in said.full)
    words = [known.key(piece.key) for piece in said.words(As.GIVEN, As.FAMILY, As.ALONE)]
    letters = [piece.key[:1] for piece in said.words(As.INITIAL)]
    if not words:
        behind = known.behind("".join(piece.text for piece in said.words(As.INITIAL)))
        return " ".join(map(known.key, behind)) if behind else " ".join(letters)
    named = known.givens.get(words[-1], ())
    given = next((one for one in named if not letters or one[:1] == letters[0]), None)
    if given is not None:
        return f"{given} {words[-1]}"
    if len(words) == 1 and words[0] in known.families:
        return f"{words[0]} {known.families[words[0]]}"
    return " ".join([*letters, *words])
