"""Names in their parts: which words are given names, which is the family name, what stands between them.

``Whitfield, Eleanor M`` and ``Eleanor Whitfield`` name one person in two forms. A mention is cut into pieces
that put together again give exactly what was written, each with its part in the name: so a surrogate can be
written in the same order, case and punctuation, and a relative shares the surrogate of the family name.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import Enum

from sfumato.text.dates import listed
from sfumato.text.detectors.spelling import PARTICLES, folded

_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u200c\u200d"
_PIECE = re.compile(
    r"(?P<credential>(?<=\w[, ])(?:\s?(?:M\.\s?D|D\.\s?O|R\.\s?N|Ph\.\s?D|D\.\s?D\.\s?S)\b\.?)(?=\s*(?:,|$)))"
    r"|(?P<possessive>['’]s\b)"
    rf"|(?P<word>[^\W_][\w{_MARKS}]*?(?:['’ʼ`](?=[^\W\d_]{{2}})[\w{_MARKS}]*?)*(?![^\W_]|[{_MARKS}]))"
    r"|(?P<between>.)",
    re.IGNORECASE | re.DOTALL,
)
_TITLES = listed("dr drs doctor mr mrs ms miss mx prof professor rev sra srta dra")
"""what stands before names and is no name; Don, Sir or Do may be one"""
_CREDENTIALS = listed("MD RN NP LPN PhD PharmD DDS DPM CRNA CNM MBBS BSN MSN FACP FACS FRCS APRN DNP")
"""what stands behind names, written so"""
_NO_NAMES = ("title", "credential", "between", "possessive", "suffix")
_SUFFIXES = listed("jr sr ii iii iv")


class As(Enum):
    """What a piece is in a name."""

    GIVEN = "given"
    FAMILY = "family"
    ALONE = "alone"
    """the only word: given or family is for the record to say"""
    INITIAL = "initial"
    DROPPED = "dropped"
    """particles and generations (van, Jr.): part of a name, and of no surrogate"""
    COPIED = "copied"
    """titles, possessives, and what stands between words"""


@dataclass(frozen=True, slots=True)
class NamePiece:
    """A piece of a mention."""

    text: str = field(repr=False)
    what: As

    @property
    def key(self) -> str:
        """What tells a name from another: no case, no accents."""
        return folded(self.text)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as it was written once."""

    pieces: tuple[NamePiece, ...]

    def words(self, *what: As) -> list[NamePiece]:
        """Return the pieces that are one of these."""
        return [piece for piece in self.pieces if piece.what in what]

    @property
    def full(self) -> tuple[str, str] | None:
        """Given and family name, where both are written."""
        given, family = self.words(As.GIVEN), self.words(As.FAMILY)
        return (given[0].key, family[-1].key) if given and family else None


def mention(text: str, label: str = "") -> Mention:
    """Cut a written name into its pieces.

    >>> said = mention("Whitfield, Eleanor M")
    >>> [piece.text for what in (As.FAMILY, As.GIVEN, As.INITIAL) for piece in said.words(what)]
    ['Whitfield', 'Eleanor', 'M']
    """
    cut = [
        (text[match.start() : match.end()], match.lastgroup or "between")
        for match in _PIECE.finditer(_with_one_mark(text))
    ]
    kinds = [_first_kind(shown, sort) for shown, sort in cut]
    kinds = _without_titles_inside(_with_particles([shown for shown, _ in cut], kinds))
    if not any(kind in ("word", "initial") for kind in kinds):
        kinds = ["word" if sort == "word" else kind for (_, sort), kind in zip(cut, kinds, strict=True)]
    if label == "initials" or _are_initials(kinds):
        return Mention(
            tuple(NamePiece(shown, As.INITIAL if sort == "word" else As.COPIED) for shown, sort in cut)
        )
    return Mention(tuple(_with_parts([shown for shown, _ in cut], kinds)))


def _with_one_mark(text: str) -> str:
    """Put one mark in the place of every mark: those of all scripts belong to the letter before them."""
    if text.isascii():
        return text
    return "".join("\u0301" if unicodedata.category(letter)[0] == "M" else letter for letter in text)


def _first_kind(shown: str, sort: str) -> str:
    if sort == "between" and unicodedata.category(shown)[0] in "MN":
        return "suffix"
    if sort != "word":
        return sort
    key = folded(shown)
    if key in _TITLES:
        return "title"
    if shown in _CREDENTIALS:
        return "credential"
    if key in _SUFFIXES:
        return "suffix"
    if key in PARTICLES and len(key) > 1:
        return "particle"
    letters = sum(letter.isalnum() for letter in shown)
    return "initial" if letters == 1 and shown[0].isalpha() else "word"


def _with_particles(shown: list[str], kinds: list[str]) -> list[str]:
    """Take a particle for one only where a name follows it directly: ``Do, Minh`` is called Do."""
    checked = list(kinds)
    follows = False
    for place in reversed(range(len(kinds))):
        kind = kinds[place]
        if kind == "particle" and not follows:
            checked[place] = "word"
        if kind != "between":
            follows = checked[place] in ("word", "particle")
        elif shown[place] == ",":
            follows = False
    return checked


def _without_titles_inside(kinds: list[str]) -> list[str]:
    """Take a title for one only where nothing but titles stands before it, and credentials only at the end:
    anything else that looks like one is a name, and must not be copied.
    """
    named = [place for place, kind in enumerate(kinds) if kind not in _NO_NAMES]
    if not named:
        return ["word" if kind in ("title", "credential") else kind for kind in kinds]
    return [
        "word"
        if (kind == "title" and place > named[0]) or (kind == "credential" and place < named[-1])
        else kind
        for place, kind in enumerate(kinds)
    ]


def _are_initials(kinds: list[str]) -> bool:
    """Say whether a mention is two or three single letters: E.W., E. J. W."""
    return "word" not in kinds and kinds.count("initial") >= 2


def _with_parts(shown: list[str], kinds: list[str]) -> list[NamePiece]:
    comma = _comma(shown, kinds)
    words = [place for place, kind in enumerate(kinds) if kind == "word"]
    family = {place for place in words if place < comma} if comma >= 0 else _last_unit(shown, words)
    alone = comma < 0 and {*words} == family and not _leading_initial(kinds, words)
    if alone and len(family) == 1 and kinds[max(words) :].count("initial"):
        family, alone = set(), False
    pieces = []
    for place, (text, kind) in enumerate(zip(shown, kinds, strict=True)):
        if kind == "word":
            what = As.ALONE if alone else As.FAMILY if place in family else As.GIVEN
        elif kind == "initial":
            what = As.INITIAL
        else:
            what = As.DROPPED if kind in ("particle", "suffix") else As.COPIED
        pieces.append(NamePiece(text, what))
    return pieces


def _comma(shown: list[str], kinds: list[str]) -> int:
    """Return the place of the comma between family and given name, or -1."""
    for place, text in enumerate(shown):
        if text == "," and kinds[place] == "between":
            before = any(kind == "word" for kind in kinds[:place])
            after = any(kind in ("word", "initial") for kind in kinds[place:])
            return place if before and after else -1
    return -1


def _last_unit(shown: list[str], words: list[int]) -> set[int]:
    """Return the places of the last word and of those that hyphens join to it."""
    if not words:
        return set()
    unit = [words[-1]]
    for place in reversed(words[:-1]):
        if "".join(shown[place + 1 : unit[-1]]).strip() in ("-", "‐", "‑"):
            unit.append(place)
        else:
            break
    return {*unit}


def _leading_initial(kinds: list[str], words: list[int]) -> bool:
    return bool(words) and "initial" in kinds[: words[0]]


def in_case_of(word: str, like: str) -> str:
    """Write a word in capitals, in small letters or with a capital, as another is written.

    >>> in_case_of("Clark", "SMITH"), in_case_of("Clark", "smith"), in_case_of("Clark", "McDonald")
    ('CLARK', 'clark', 'Clark')
    """
    letters = [letter for letter in like if letter.isalpha()]
    if len(letters) > 1 and all(letter.isupper() for letter in letters):
        return word.upper()
    if letters and all(letter.islower() for letter in letters):
        return word.lower()
    return word
