"""Runs: words side by side that are written as names are, and how strongly dictionaries speak for each.

A run is made of parts ("Ada", "O'Neil", "Al-Hashimi"), initials ("M.") and particles ("van der"); a word that
is certainly none ends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sfumato.text.detectors.dictionary import (
    CAPITAL,
    GIVEN,
    INITIAL,
    LOWER,
    NAMED,
    NO_NAME,
    NUMBER,
    RAISED,
    UPPER,
    Reading,
)
from sfumato.text.folding import listed
from sfumato.text.languages.en.name_cues import DOING, SAYING, credential_after, credential_at
from sfumato.text.lexicon import Mark

PARTICLES = listed("""
    van von der den de la las los del della di da dos das du le al el bin ibn ben abu ter ten vande vander
    st mac mc y zu zur af lo dal dalla degli dela delos
""")
SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_JOINING = frozenset("-'’‐‑ʼ`")
_UNKNOWN = (1 << 24) - 1
_LONGEST = 6

_COMMON = int(Mark.NAME_COMMON)
_WORD = int(Mark.WORD)
_WORD_COMMON = int(Mark.WORD_COMMON)
_MEDICAL = int(Mark.MEDICAL)
_OFFICE = int(
    Mark.ORGANISATION | Mark.TITLE | Mark.PROFESSION | Mark.RELATIVE | Mark.NATIONALITY | Mark.STREET
)
_RELATIVE, _STATE = int(Mark.RELATIVE), int(Mark.STATE)
_PLACE = int(Mark.CITY | Mark.STATE | Mark.COUNTRY)


@cache
def strength(facts: int) -> float:
    """Say how strongly the lexicon speaks for a name: 0 is "a word", 1 "never heard", 3 "surely".

    >>> from sfumato.text.word_list import word_list
    >>> [strength(word_list("en").marks(word)) for word in ("Jeannine", "Hand", "Xqtz", "nephrectomy")]
    [2.0, 0.15, 1.0, 0.0]
    """
    if facts & NAMED:
        common = facts & _COMMON
        if not facts & (_WORD | _MEDICAL):
            found = 3.0 if common else 2.0
        elif not facts & _WORD_COMMON:
            found = 2.2 if common else 1.0
        else:
            found = 1.2 if common else 0.4
        if facts & _MEDICAL and not common:
            found -= 0.6
        if facts & _OFFICE and found < 3.0:
            found -= 0.5
        if facts & NO_NAME:
            found -= 1.0
        return max(found, 0.15)
    if not facts & _UNKNOWN:
        return 1.0
    if facts & Mark.EPONYM and not facts & (_WORD | _MEDICAL):
        return 1.0
    if facts & _PLACE and not facts & (_WORD | _MEDICAL | NO_NAME):
        return 0.7
    return 0.0


Found = tuple[int, int, str, float]
"""first token, token after the last, label, certainty"""
OTHER = int(Mark.STATE | Mark.COUNTRY | Mark.EPONYM | Mark.NATIONALITY | Mark.HOSPITAL)
"""what a name may be as well and then stays; a town is taken anyway"""


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens ``first`` up to ``end`` (left out), with what speaks for them."""

    first: int
    end: int
    strengths: tuple[float, ...]
    """of its words, in their order"""
    given: bool
    """a word of it is a known given name"""
    initials: int
    """how many single letters it holds"""

    @property
    def words(self) -> int:
        """How many words it has, initials left out."""
        return len(self.strengths)

    @property
    def total(self) -> float:
        """What speaks for all its words together."""
        return sum(self.strengths)


def part_end(read: Reading, place: int) -> int:
    """Return where a part of a name that begins at a token ends; the place itself if none begins there."""
    words, facts = read.tokens.words, read.facts
    fact = facts[place]
    if fact & RAISED:
        end = place + 1
    elif (
        fact & LOWER
        and read.glued(place)
        and words[place + 1] in "-‐‑"
        and read.glued(place + 1)
        and facts[place + 2] & RAISED
        and words[place] in PARTICLES
    ) or (
        fact & INITIAL
        and read.glued(place)
        and words[place + 1] in _JOINING
        and read.glued(place + 1)
        and facts[place + 2] & RAISED
    ):
        end = place + 3
    else:
        return place
    while (
        end - place < 9
        and read.glued(end - 1)
        and words[end] in _JOINING
        and read.glued(end)
        and (
            facts[end + 1] & RAISED
            or (words[end] in "-‐‑" and facts[end + 1] & INITIAL)
            or (words[end] == "-" and facts[end + 1] & LOWER and _may_follow_hyphen(facts, place, end + 1))
        )
    ):
        end += 2
    return end


def _over_gap(read: Reading, at: int, strengths: list[float]) -> bool:
    """Say whether a name goes on after two spaces: between two words that are surely names, and no label."""
    if not strengths or min(strengths[-1], strength(read.facts[at])) < 2.0:
        return "\n" in read.text[read.tokens.ends[at - 1] : read.tokens.starts[at]]
    return read.word(at + 1) not in (":", "#", "=")


def _may_follow_hyphen(facts: list[int], first: int, place: int) -> bool:
    """Say whether a small word after a hyphen is part of a name: "Jae-won", "Marie-claire"."""
    if facts[place] & NAMED:
        return True
    return bool(
        facts[first] & GIVEN and not facts[first] & (_WORD | _MEDICAL) and not facts[place] & _MEDICAL
    )


def run_from(read: Reading, place: int, least: float = 0.1, first_is_name: bool = False) -> Run | None:
    """Return the run that begins at a token, if one does.

    Words that speak less than ``least`` for a name end it; ``first_is_name`` takes the first word as one
    whatever the lexicon says, since a title stands before it.
    """
    words, facts, tokens = read.tokens.words, read.facts, read.tokens
    at = place
    strengths: list[float] = []
    given = False
    initials = 0
    while at < len(words) and len(strengths) + initials < _LONGEST:
        if at > place and not read.beside(at - 1) and not (len(strengths) == 1 and _wrapped(read, at - 1)):
            break
        if at > place and tokens.starts[at] - tokens.ends[at - 1] > 1 and not _over_gap(read, at, strengths):
            break
        fact = facts[at]
        end = part_end(read, at)
        if end > at and fact & UPPER and words[at].lower() in _CAPITAL_PARTICLES and _particle(read, at):
            at += 1
        elif end > at:
            found = max(strength(one) for one in facts[at:end])
            if end - at > 1 and facts[at] & INITIAL:
                found = max(found, 1.5)
            titled = first_is_name and not strengths and _may_be_titled(read, at)
            never = words[at].lower() in NEVER and not titled and not _is_will(read, at)
            if titled:
                found = max(found, 1.0)
            elif words[at].lower() in SUFFIXES and strengths:
                found = max(found, 0.2)
            if found < least or never or (not titled and credential_at(read, at) > at):
                break
            if fact & UPPER and fact & _RELATIVE and not titled and facts[end] & RAISED:
                break
            if strengths and found < 0.5 and words[at - 1] == "." and fact & _MEDICAL:
                break
            if not titled and fact & UPPER and words[at].lower() in NEVER_IN_CAPITALS:
                break
            if strengths and fact & UPPER and fact & _MEDICAL and len(words[at]) <= 3:
                break
            if (
                strengths
                and fact & UPPER
                and fact & _STATE
                and len(words[at]) == 2
                and _ends_address(read, end)
            ):
                break
            if words[end : end + 1] == [":"] and _is_label(fact, at > place):
                break
            given = given or any(one & GIVEN for one in facts[at:end])
            strengths.append(found)
            if facts[end - 1] & INITIAL and words[end : end + 1] == ["."]:
                end += 1
            at = end
            if (
                words[at - 1].lower() in SUFFIXES
                and at < len(words)
                and words[at] == "."
                and read.glued(at - 1)
            ):
                at += 1
            at = _past_nickname(read, at)
        elif fact & INITIAL:
            if strengths and (credential_at(read, at) > at or words[at : at + 5] == _BIRTH):
                break
            if words[at : at + 3] == _OLD or (words[at] == "W" and read.word(at - 1) in _MET):
                break
            dotted = at + 1 < len(words) and words[at + 1] == "." and read.glued(at)
            after = at + 1 + dotted
            if (
                not strengths
                and not dotted
                and (words[at] in _ONE_LETTER_WORDS or not facts[after] & (RAISED | INITIAL))
            ):
                break
            if (
                strengths
                and not dotted
                and after < len(words)
                and tokens.ends[at] == tokens.starts[after]
                and words[after] not in ".,;:)]\"'”’"
            ):
                break
            initials += 1
            at = after
        elif words[at].lower() in PARTICLES and at + 1 < len(words) and _particle(read, at):
            at += 1
            while words[at].lower() in PARTICLES and _particle(read, at):
                at += 1
            if words[at] == "." and read.glued(at - 1):
                at += 1
        else:
            break
    while at > place and words[at - 1] == "." and not (at > place + 1 and facts[at - 2] & INITIAL):
        at -= 1
    if not strengths:
        return None
    return Run(place, at, tuple(strengths), given, initials)


def _past_nickname(read: Reading, at: int) -> int:
    """Return the place after ``("Big Al")`` in the middle of a name; the place itself if none is there."""
    words = read.tokens.words
    quote = at + (words[at : at + 1] == ["("])
    if quote >= len(words) or words[quote] not in _QUOTES or not read.beside(at - 1) or read.glued(at - 1):
        return at
    end = quote + 1
    while end < len(words) and end - quote <= 3 and words[end] not in _QUOTES:
        if not read.facts[end] & (RAISED | INITIAL):
            return at
        end += 1
    after = end + 1 + (quote > at)
    if (
        end == quote + 1
        or end >= len(words)
        or words[end] not in _QUOTES
        or words[end + 1 : after] not in ([], [")"])
    ):
        return at
    goes_on = read.facts[after] & RAISED or (read.word(after) in PARTICLES and _particle(read, after))
    return after if goes_on and read.beside(after - 1) else at


def _wrapped(read: Reading, place: int) -> bool:
    """Say whether a name may go on in the next line: a long line of text ends after its first word."""
    tokens = read.tokens
    if place + 1 >= len(tokens.words) or not read.facts[place] & read.facts[place + 1] & CAPITAL:
        return False
    gap = read.text[tokens.ends[place] : tokens.starts[place + 1]]
    if gap not in ("\n", " \n", "\r\n"):
        return False
    after = read.facts[place + 1]
    line = read.text.rfind("\n", max(0, tokens.ends[place] - 200), tokens.ends[place])
    return tokens.ends[place] - line > _WIDTH and not after & (_WORD | _MEDICAL) and strength(after) >= 1.0


def _is_label(fact: int, later: bool) -> bool:
    """Say whether a word before a colon is the label of another field, and not the end of a name."""
    if later:
        return bool(fact & (_WORD | _MEDICAL | UPPER)) or bool(fact & _UNKNOWN and not fact & NAMED)
    return bool(fact & UPPER)


def _ends_address(read: Reading, end: int) -> bool:
    """Say whether what follows two capitals makes them a state: a ZIP code, or the end of the line."""
    return bool(read.facts[end] & NUMBER) or not read.beside(end - 1)


def _may_be_titled(read: Reading, at: int) -> bool:
    """Say whether a word after a title can be a name: also "An" and "He", which are words as well."""
    plain = read.word(at)
    return plain not in NEVER or (plain in _NAMES_TOO and bool(read.facts[at] & CAPITAL))


def _is_will(read: Reading, at: int) -> bool:
    """Say whether "Will" is somebody: within a sentence, before a family name, or before what people do."""
    if read.tokens.words[at] != "Will":
        return False
    if not read.sentence_start(at):
        return True
    after = read.facts[at + 1] if read.beside(at) else 0
    if read.word(at + 1) in DOING or (after & CAPITAL and credential_after(read, at + 2)):
        return True
    if read.word(at + 1) in _JOINING and read.word(at + 2) == "s" and read.facts[at + 3] & _RELATIVE:
        return True
    return bool(
        after & CAPITAL and not after & (Mark.EPONYM | Mark.DRUG | _MEDICAL) and strength(after) >= 1.0
    )


def begins_with_particle(read: Reading, place: int) -> bool:
    """Say whether a name begins with a particle in small letters here: "von Bülow", "de los Santos"."""
    if part_end(read, place) > place:
        return strength(read.facts[place + 2]) >= 0.4
    if read.word(place) in _NOT_FIRST or not _particle(read, place):
        return False
    at = place + 1
    while read.word(at) in PARTICLES and not read.facts[at] & RAISED:
        at += 1
    return strength(read.facts[at]) >= 1.0


def _particle(read: Reading, place: int) -> bool:
    """Say whether a particle leads on to a name, perhaps over another particle."""
    for at in range(place + 1, min(place + 4, len(read.tokens.words))):
        if not read.beside(at - 1):
            return False
        if read.facts[at] & RAISED:
            return True
        if read.tokens.words[at] == "." and read.word(at - 1) == "st":
            continue
        if read.word(at) not in PARTICLES:
            return False
    return False


_NAMES_TOO = frozenset(("an", "he", "so", "no", "in", "on", "will"))
_NOT_FIRST = frozenset(("y", "ten", "den", "mac", "mc", "ben", "al", "el", "st", "lo", "af"))
"""particles that no name begins with in small letters, or that are words"""
_OLD = ["Y", ".", "O"]
_MET = frozenset(("rounds", "seen", "spoke", "discussed", "met", "/"))
"""after them W is "with\""""
_BIRTH = ["D", ".", "O", ".", "B"]
_QUOTES = frozenset("\"“”„'‘’")
_CAPITAL_PARTICLES = PARTICLES - {"st", "mac", "mc", "y", "den", "ten", "ben", "le"}
"""particles that are part of a name in capitals, too, and hardly anything else there"""
_WIDTH = 45
"""a shorter line is a field or ends a paragraph, and no name goes on after it"""
_ONE_LETTER_WORDS = frozenset("AIO")
NEVER = SAYING | listed("""
    doctor surgeon witness doc front vin abo pos sn pm am last brief doctors patient the a an and or is was
    his her he she they this that there with from for on in at to of by no not pt hi hello dear thanks re cc
    attn ref cons dob mrn ssn bd dos doa dod acct ht wt bmi bsa plt mets pacu icu ed er hx dx rx fax tel ext
    mobile cell pager phone email medicare medicaid id date time age sex race loc poc ice nok pcp temp resp
    pulse sat vs bp hr rr nm rm fin csn enc har cpi uhid nhs states state general nurse baby girl boy infant
    sig call transport reading accepting ou od os npi dea clia rec med prior final report him via per number
    medic officer lawyer attorney paramedic chaplain therapist technician interpreter supervisor reviewer
    pharmacist caregiver roommate visitor teacher landlord emt vorb torb anes circ aware pmd aka pgy
    mgr rep coworker phleb veh plate tech prescriber counselor counsellor
    rounds ofc thx saw attg attnd req pre post zone adm coll rcvd dr drs mr mrs ms
""")
"""no part of a name, however they are written"""
NEVER_IN_CAPITALS = listed("""
    im po iv sq sc sl pr prn bid tid qid qhs qam hs bgl url asa soc udi cert edipi gp tag ma doc npo nkda dr
    drs mr mrs ms beeper pager dc ok
""")
"""no part of a name when they are written in capitals"""
