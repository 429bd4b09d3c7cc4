"""Names where lists of the ward put them: after the room and before the age, between "call" and the pager.

``rm 12 st. clair, 21f``, ``bed 4 ng, 93 yo``, ``call downs pgr 5795``: the place says that somebody is meant
whatever the word is, and in small letters as well. Initials in brackets after the name they stand for, and
after somebody who was handed something over ("given to Sharon and SZ"), are found here, too.
"""

from __future__ import annotations

import re

from sfumato.text.detectors.dictionary import (
    CAPITAL,
    GIVEN,
    INITIAL,
    LOWER,
    NAMED,
    NUMBER,
    RAISED,
    UPPER,
    Reading,
)
from sfumato.text.folding import listed
from sfumato.text.languages.en.field_labels import DEPARTMENTS, SURE_CREDENTIALS
from sfumato.text.languages.en.name_cues import DOING, Cue
from sfumato.text.languages.en.name_runs import PARTICLES, Found
from sfumato.text.lexicon import Mark

_ROOMS = frozenset(("rm", "room", "bed", "bay"))
_CALLS = frozenset(("call", "page", "contact", "text", "ring"))
LISTING = _ROOMS | _CALLS
"""words after which lists of the ward name somebody"""
_REACHED = frozenset(("pgr", "pager", "beeper", "ext", "cell", "mobile", "vocera", "pgr#"))
_AGED = re.compile(r"[0-9]{1,3}(?:[fm]|yo|y|yof|yom|yr)?", re.IGNORECASE)
_ROOM = re.compile(r"[0-9]{3,4}[A-D]?")
_SEX = frozenset(("f", "m", "yo", "y", "yr", "yof", "yom", "male", "female"))
_NOBODY = int(
    Mark.MEDICAL | Mark.TITLE | Mark.ORGANISATION | Mark.RELATIVE | Mark.PROFESSION | Mark.WEEKDAY | Mark.DRUG
)
_ANYBODY = listed("""
    me us him her them my our your the a an on for if when with pt patient md rn np pa team office desk
    clinic service unit back covering charge number at via by to doctor doc is no any and or not in of house
    officer intern sister brother after before from as empty clean vacant blocked admitting transfer over
""")
_LETTERS = 3
_LONGEST = 7
_CALLED_TO = frozenset(("to", "with", "by", "w", "from"))


def roomed(read: Reading, place: int) -> Found | None:
    """Judge what stands between the number of a room and an age: ``rm 12 st. clair, 21f``."""
    words, facts = read.tokens.words, read.facts
    if words[place] not in _ROOMS or not facts[place + 1] & NUMBER or not read.beside(place):
        return None
    first = end = place + 2
    while end < len(words) and end - first < _LONGEST and read.beside(end - 1):
        joint = words[end] in "-'’." and read.glued(end - 1)
        if not joint and (not facts[end] & (LOWER | RAISED | INITIAL) or read.word(end) in _ANYBODY):
            break
        end += 1
    if end == first or words[first] in "-'’." or words[end : end + 1] != [","] or not _is_age(read, end + 1):
        return None
    if all(
        facts[at] & _NOBODY and not facts[at] & Mark.FAMILY and len(words[at]) > 2 for at in range(first, end)
    ):
        return None
    return first, end, "patient", 0.97


def _is_age(read: Reading, place: int) -> bool:
    """Say whether an age stands here: ``21f``, ``93 yo``, ``40 M``."""
    if place >= len(read.tokens.words) or _AGED.fullmatch(read.tokens.words[place]) is None:
        return False
    return not read.tokens.words[place].isdigit() or read.word(place + 1) in _SEX


def called_on(read: Reading, place: int) -> Found | None:
    """Judge who is called before a pager or an extension: ``call downs pgr 5795``."""
    at = place + 1
    fact = read.facts[at]
    if read.word(place) not in _CALLS or not fact & (LOWER | RAISED) or not read.beside(place):
        return None
    if read.word(at) in _ANYBODY:
        return None
    if fact & _NOBODY and not fact & Mark.NAME_COMMON:
        return None
    if read.word(at + 1) not in _REACHED or not read.beside(at) or read.word(at) in _REACHED:
        return None
    after = at + 2 + (read.word(at + 2) in ("#", ":", "."))
    return (at, at + 1, "", 0.75) if read.facts[after] & NUMBER else None


def acting_in_role(read: Reading, place: int, cue: Cue | None) -> Found | None:
    """Judge a word that is a given name, too, between a role and an act: ``BYSTANDER WILL STATES``.

    "ATTENDING WILL STATE" goes on with another form of the verb and is about nobody called Will.
    """
    if cue is None or cue.sort != "role" or not read.facts[place] & GIVEN or not read.beside(place):
        return None
    verb = read.word(place + 1)
    if verb not in DOING or not verb.endswith(("s", "ed")) or read.facts[place] & LOWER:
        return None
    return place, place + 1, cue.label, 0.8


def initialled_word(read: Reading, place: int, cue: Cue | None) -> Found | None:
    """Judge a letter with a stop and any word after a role or a label: ``MEDIC O. DOWN``."""
    if cue is None or cue.sort not in {"role", "label", "title word"} or not read.facts[place] & INITIAL:
        return None
    if read.word(place + 1) != "." or not read.glued(place) or not read.beside(place + 1):
        return None
    fact = read.facts[place + 2]
    if not fact & RAISED or len(read.tokens.words[place + 2]) < 3 or fact & (Mark.DRUG | Mark.TITLE):
        return None
    return place, place + 3, cue.label, 0.75


def titled_letter(read: Reading, place: int, cue: Cue | None) -> Found | None:
    """Judge one letter after a title: ``Mr. T``."""
    if cue is None or cue.sort != "title" or not read.facts[place] & INITIAL or read.word(place) == "i":
        return None
    return place, place + 1, cue.label, 0.8


def signed_out(read: Reading, place: int) -> bool:
    """Say whether a word stands between the number of an item and a room: ``2. Bell 402A - SBO``."""
    words = read.tokens.words
    if place + 2 >= len(words) or not read.facts[place] & NAMED or not read.beside(place):
        return False
    item = read.line_start(place) or (words[place - 1] in ".)" and bool(read.fact(place - 2) & NUMBER))
    return item and _ROOM.fullmatch(words[place + 1]) is not None and words[place + 2] in "-–"


def bracketed_initials(read: Reading, first: int, end: int) -> Found | None:
    """Judge capitals in brackets that are the initials of the name before them: ``Shanice Mensah (SM)``."""
    words = read.tokens.words
    if words[end : end + 1] != ["("] or words[end + 2 : end + 3] != [")"]:
        return None
    short = words[end + 1]
    if not read.facts[end + 1] & UPPER or not 2 <= len(short) <= _LETTERS + 1:
        return None
    letters = [word[0].upper() for word in words[first:end] if word[0].isalpha()]
    if len(letters) < 2 or short[0] != letters[0]:
        return None
    at = 0
    for letter in short[1:]:
        if letter not in letters[at + 1 :]:
            return None
        at = letters.index(letter, at + 1)
    return end + 1, end + 2, "initials", 0.9


def joined_initials(read: Reading, first: int, end: int) -> Found | None:
    """Judge two capitals after somebody to whom something was given: ``report to Sharon and SZ.``."""
    if read.word(end) not in ("and", "&", "/") or read.word(first - 1) not in _CALLED_TO:
        return None
    place = end + 1
    word = read.word(place)
    if not read.facts[place] & UPPER or len(word) != 2 or word in DEPARTMENTS or word in SURE_CREDENTIALS:
        return None
    last = place + 1 >= len(read.tokens.words) or read.line_start(place + 1)
    return (place, place + 1, "initials", 0.7) if last or read.word(place + 1) in (".", ";") else None


def longer_family(read: Reading, end: int) -> int:
    """Return where a name ends that an ordinary word with a capital goes on with: ``Silvia Westward, born``.

    Within a sentence nothing else is written so; a day, a month, a role, a heading or medicine is no part.
    """
    fact = read.facts[end]
    word = read.tokens.words[end : end + 1]
    if not word or not word[0].istitle() or not read.beside(end - 1) or len(word[0]) < 3:
        return end
    if not fact & CAPITAL or not fact & Mark.WORD or fact & _NO_FAMILY or word[0].lower() in _NOT_FAMILY:
        return end
    if fact & Mark.MEDICAL and not fact & Mark.EPONYM:
        return end
    after = read.tokens.words[end + 1 : end + 2]
    if not after or not read.beside(end):
        return end
    goes_on = after[0] in (",", ";", ")", "(") or read.facts[end + 1] & LOWER
    return end + 1 if goes_on and after[0] not in PARTICLES else end


_NO_FAMILY = int(
    Mark.MONTH
    | Mark.WEEKDAY
    | Mark.HOLIDAY
    | Mark.TITLE
    | Mark.ORGANISATION
    | Mark.RELATIVE
    | Mark.DRUG
    | Mark.PROFESSION
    | Mark.NATIONALITY
    | Mark.STREET
)
_NOT_FAMILY = DOING | listed("""
    the a an and or is was his her he she they this that there with from for on in at to of by no not pt hi
    signed will would has had does did presents presented reports noted notes seen phone fax cell mobile home
    work tel email date time age sex gender race room bed unit floor ward office address street city state
    patient provider plan assessment history allergies medications exam vitals labs today yesterday
""")
