"""Read the names that a value begins with: ``Holt, Ann M.``, ``Dr. A. Kumar, MD``, ``EW and M. Clark``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.languages.en.field_labels import (
    ACTORS,
    CREDENTIALS,
    DEPARTMENTS,
    NOT_NAMES,
    PARTICLES,
    SURE_CREDENTIALS,
    TITLES,
    WORDS_TOO,
)

_LETTER = r"[^\W\d_]"
_MARK = r"[\u0300-\u036f\u200c\u200d]"
_WORD = re.compile(rf"(?:{_LETTER}|{_MARK})+(?:['\u2019.\u2010-](?:{_LETTER}|{_MARK})+)*")
_LIST = re.compile(r"[ \t]?(?:,\s?and|and|&|/|;)\s?|,[ \t]", re.IGNORECASE)
_GO_ON = listed(
    "on at for and or in with who is was via from to of as has will per dob aka seen presented by after "
    "before this during"
)
_BESIDE_PERSON = re.compile(r",?\s(?:and|&|/)\s(?:Dr\.? )?[^\W\d_a-z]\. ?[^\W\d_a-z][^\W\d_]")
_FIELD_END = re.compile(r"[.,]?\s{0,1}(?:\n|\||\t|\s\s|$)")
_LONGEST = 5
_WIDTH = 45
"""a shorter line is a field or ends a paragraph, and no name goes on after it"""


@dataclass(frozen=True, slots=True)
class Person:
    """Where a name stands in a value, and how it looks."""

    start: int
    end: int
    words: int
    titled: bool = False
    initials: bool = False
    lower: bool = False


def is_initials(word: str) -> bool:
    """Say whether two to four capitals may be somebody's initials, and are no department, unit or credential.

    >>> is_initials("EW"), is_initials("ICU"), is_initials("Ew")
    (True, False, False)
    """
    bare = word.replace(".", "")
    return 2 <= len(bare) <= 4 and bare.isupper() and bare.lower() not in DEPARTMENTS | CREDENTIALS


def _acts(text: str, shown: str, end: int) -> bool:
    """Say whether capitals in the place of a name are initials: a department is one only beside a person."""
    bare = shown.replace(".", "").lower()
    if len(bare) < 2 or bare in SURE_CREDENTIALS:
        return False
    return bare not in ACTORS or _BESIDE_PERSON.match(text, end) is not None


def persons_in(text: str, start: int, lower: bool = False, family_first: bool = False) -> Iterator[Person]:
    """Return the names that begin at a place, several where they are listed.

    ``lower`` takes words in lower case too; ``family_first`` expects ``Garcia Lopez, Maria``.

    >>> text = "EW and M. Clark in triage"
    >>> [text[person.start : person.end] for person in persons_in(text, 0)]
    ['EW', 'M. Clark']
    """
    for _ in range(6):
        person = _person(text, start, lower, family_first)
        if person is None:
            return
        yield person
        after = _past_credentials(text, person.end)
        joint = _LIST.match(text, after)
        if joint is None or (joint.group().strip() == "," and after == person.end and person.words > 1):
            return
        start, lower = joint.end(), False
        word = _WORD.match(text, start)
        if word is None or text[word.end() : word.end() + 1] == ":":
            return


def _person(text: str, start: int, lower: bool, family_first: bool) -> Person | None:
    while start < len(text) and text[start] in " \t\"'(\u201c":
        start += 1
    titled = False
    word = _WORD.match(text, start)
    while word is not None and word.group().lower().rstrip(".") in TITLES and not word.group().islower():
        titled = True
        start = word.end()
        while start < len(text) and text[start] in ". \t":
            start += 1
        word = _WORD.match(text, start)
    found = _words(text, start, lower and not titled, family_first)
    if not found:
        return None
    first, end = found[0][0], found[-1][1]
    shown = text[first:end]
    if len(found) == 1 and not titled:
        if shown.isupper() and len(shown.replace(".", "")) <= 4:
            return Person(first, end, 1, initials=True) if _acts(text, shown, end) else None
        if len(shown) < 2:
            return None
    if all(len(text[one:two].strip(".")) == 1 for one, two in found) and not titled:
        return Person(first, end, len(found), initials=True) if len(found) > 1 else None
    if all(text[one:two].isupper() and text[one:two].lower() in DEPARTMENTS for one, two in found):
        return None
    if _goes_on(text, end):
        return None
    if len(found) == 1 and not titled and shown.lower() in WORDS_TOO and not _FIELD_END.match(text, end):
        return None
    return Person(first, end, len(found), titled, lower=shown.islower())


def _words(text: str, start: int, lower: bool, family_first: bool) -> list[tuple[int, int]]:
    """Return the words of one name."""
    found: list[tuple[int, int]] = []
    at, comma = start, False
    while len(found) < _LONGEST:
        word = _WORD.match(text, at)
        if word is None or (found and text[word.end() : word.end() + 1] == ":"):
            break
        shown = word.group()
        plain = shown.lower().rstrip(".")
        if plain in NOT_NAMES and not (
            len(shown) == 1 or (len(shown) == 2 and shown.isupper() and not found)
        ):
            break
        if found and plain in CREDENTIALS and (shown.isupper() or "." in shown or comma):
            break
        capital = shown[0].isupper() or (len(shown) > 4 and not shown.islower())  # el-Haddad, daSilva
        if not capital and not (lower or (plain in PARTICLES and _capital_next(text, word.end()))):
            break
        found.append(word.span())
        at = word.end()
        initial = text[at : at + 1] == "." and (len(shown) == 1 or shown[-2] == "-" or plain == "st")
        gap = re.match(r"\.?[ \t]|\.(?=[^\W\d_a-z])" if initial else r"[ \t]", text[at : at + 2])
        if gap is None and len(found) < 2 + (plain in PARTICLES) and _wrapped(text, at):
            at += 1
        elif gap is None and not comma and text[at : at + 2] == ", ":
            comma, at = True, at + 2
            own = sum(text[one:two].lower() not in PARTICLES for one, two in found)
            if not _another(text, at, 1 if own == 2 and family_first else own):
                break
        elif gap is None:
            break
        else:
            at += gap.end()
    while found and text[found[-1][0] : found[-1][1]].lower() in PARTICLES and text[found[-1][0]].islower():
        found.pop()
    return found


def _wrapped(text: str, at: int) -> bool:
    """Say whether a line of running text ends here, wrapped at its width: a name may go on in the next."""
    if text[at : at + 1] != "\n" or not text[at + 1 : at + 2].isupper():
        return False
    return at - (text.rfind("\n", max(0, at - 200), at) + 1) >= _WIDTH


def _another(text: str, at: int, before: int) -> bool:
    """Say whether a given name follows the comma: no credential, and only after a family name."""
    word = _WORD.match(text, at)
    if word is None or before != 1 or not word.group()[0].isupper():
        return False
    plain = word.group().lower()
    return plain not in CREDENTIALS and plain not in NOT_NAMES and plain not in TITLES


def _capital_next(text: str, at: int) -> bool:
    word = _WORD.match(text, at + 1)
    return word is not None and (word.group()[0].isupper() or word.group() in PARTICLES)


def _goes_on(text: str, end: int) -> bool:
    """Say whether a sentence goes on after what looked like a name (``Denies pain``)."""
    after = re.match(r"[ \t]([^\W\d_]+)", text[end : end + 30])
    return after is not None and after.group(1).islower() and after.group(1) not in _GO_ON


def _past_credentials(text: str, at: int) -> int:
    """Return the place after ``, M.D., PhD``."""
    while True:
        found = re.match(r",?\s?([A-Za-z][A-Za-z./-]{0,9})", text[at : at + 14])
        if found is None or found.group(1).lower().rstrip(".") not in CREDENTIALS:
            return at
        at += found.end()
