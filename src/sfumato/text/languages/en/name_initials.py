"""Initials of people: ``EW`` after "seen by", ``J.S.``, and the capitals that a note is closed with."""

from __future__ import annotations

from sfumato.text.detectors.dictionary import INITIAL, NUMBER, RAISED, UPPER, Reading
from sfumato.text.folding import listed
from sfumato.text.languages.en.field_labels import ACTORS, DEPARTMENTS, SURE_CREDENTIALS
from sfumato.text.languages.en.name_cues import DOING, TITLES, Cue
from sfumato.text.languages.en.name_runs import NEVER_IN_CAPITALS, Found
from sfumato.text.lexicon import Mark

DOTTED = listed("""
    yo am pm us uk iv po md rn np pa do dc la ny or er id im sc sl pr tb ed qd qid bid tid prn hs od os ou cc
    eg ie phd mph dds lpn usa ama cva bp ent gi gu ob gyn va hr rr nad rom sob doe dob ivp
""")
"""what is written with stops and is nobody"""
ABBREVIATION = int(
    Mark.MEDICAL | Mark.TITLE | Mark.ORGANISATION | Mark.STATE | Mark.WORD_COMMON | Mark.MONTH | Mark.WEEKDAY
)
"""what two or three capitals are rather than initials"""


def initials_at(read: Reading, place: int, cue: Cue | None) -> Found | None:
    """Judge initials: ``EW`` after "seen by", ``J.S.``, and the capitals that a note is closed with."""
    fact = read.facts[place]
    words = read.tokens.words
    announced = cue is not None and cue.sort in {"acting", "label", "met", "title", "address"}
    if fact & UPPER and len(words[place]) == 2 and announced and _and_a_person(read, place + 1):
        return place, place + 1, "initials", 0.8
    if fact & UPPER and 2 <= len(words[place]) <= 3:
        plain = words[place].lower()
        by = read.word(place - 1) == "by" and _pauses(read, place + 1)
        if (
            plain in SURE_CREDENTIALS
            or plain in TITLES
            or plain in (ACTORS if by else DEPARTMENTS | NEVER_IN_CAPITALS)
        ):
            return None
        if len(plain) == 2 and _is_spoken_of(read, place):
            return place, place + 1, "initials", 0.62
        certain = cue is not None and (cue.sort in {"acting", "address"} or read.word(place - 1) == "by")
        medical = by and fact & Mark.MEDICAL and len(plain) > 2
        if fact & ABBREVIATION and (medical or not certain or len(plain) > 2 + by):
            return (place, place + 1, "initials", 0.52) if _closes_note(read, place) else None
        if announced and cue is not None:
            return place, place + 1, "initials", cue.certainty - 0.1
        if _closes_line(read, place):
            return place, place + 1, "initials", 0.52
        return (place, place + 1, "initials", 0.6) if _acts_in_log(read, place) else None
    end = place
    spelt = ""
    while read.facts[end] & INITIAL and words[end + 1 : end + 2] == ["."] and len(spelt) < 4:
        spelt += words[end]
        end += 2
        if not read.beside(end - 1):
            break
    if read.facts[end] & INITIAL and spelt and read.beside(end - 1) and read.glued(end - 1):
        spelt += words[end]
        end += 1
    if not 2 <= len(spelt) <= 3 or spelt.lower() in DOTTED or _is_inside(read, place):
        return None
    if words[end - 1] == ".":
        end -= 1
    return place, end, "initials", cue.certainty - 0.15 if announced and cue is not None else 0.55


def _is_spoken_of(read: Reading, place: int) -> bool:
    """Say whether a sentence begins with the initials of a patient: ``AB denies``, ``AB is a 34 yo``."""
    if not read.sentence_start(place) or not read.beside(place):
        return False
    after = read.word(place + 1)
    if after in ("'", "’") and read.word(place + 2) == "s":
        return bool(read.facts[place + 3] & Mark.RELATIVE)
    aged = after == "is" and read.word(place + 2) in ("a", "an") and bool(read.facts[place + 3] & NUMBER)
    return aged or after in _PERSONAL_ACTS


_PERSONAL_ACTS = listed("""
    denies denied states stated refused refuses endorses endorsed complains complained verbalized verbalizes
    agrees agreed declined declines wants says said lives resides prefers smokes drinks consented
""")
"""what only people do, and no test, ward or device"""


def _acts_in_log(read: Reading, place: int) -> bool:
    """Say whether capitals stand between a clock time and what somebody does: ``14:20 JT resting``."""
    if not read.fact(place - 1) & NUMBER or read.word(place - 2) != ":" or not read.beside(place - 1):
        return False
    return read.beside(place) and read.word(place + 1) in _IN_LOG


_IN_LOG = DOING | listed("""
    resting voided tolerated ambulated ambulating awake asleep sleeping seen assessed turned bathed fed oob
    repositioned transferred admitted discharged arrived returned medicated sitting crying calm agitated
""")
"""what the lines of a log say of a patient"""


def _and_a_person(read: Reading, place: int) -> bool:
    """Say whether "and" joins somebody with an initial, so that what stands before is somebody, too."""
    return (
        read.word(place) in ("and", "&", "/")
        and bool(read.facts[place + 1] & INITIAL)
        and read.word(place + 2) == "."
        and bool(read.facts[place + 3] & RAISED)
    )


def _is_inside(read: Reading, place: int) -> bool:
    """Say whether something stands right before a letter, other than an opening bracket or quote."""
    return read.glued(place - 1) and read.tokens.words[place - 1] not in '([{"“/'


def _pauses(read: Reading, place: int) -> bool:
    """Say whether a clause or a line ends before a token."""
    if place >= len(read.tokens.words) or read.line_start(place) or read.word(place) in (".", ";", ","):
        return True
    return bool(read.facts[place] & (NUMBER | INITIAL))


def _closes_note(read: Reading, place: int) -> bool:
    """Say whether two capitals are the last word of a line or of all, after a full stop."""
    words = read.tokens.words
    last = place + 1 == len(words) or read.line_start(place + 1)
    return last and len(words[place]) == 2 and words[place - 1 : place] == ["."] and read.beside(place - 1)


def _closes_line(read: Reading, place: int) -> bool:
    """Say whether a few capitals are the last of a line after a full stop, or the last line."""
    last = place + 1 >= len(read.tokens.words) or read.line_start(place + 1)
    return (
        last
        and (read.line_start(place) or read.word(place - 1) in (".", "/"))
        and not (read.line_start(place) and place + 1 < len(read.tokens.words))
    )
