"""Employers and other organisations that no word gives away: by what announces them, or by their partners."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.text.detectors.dictionary import CAPITAL, LOWER, NAMED, RAISED, Reading
from sfumato.text.languages.en.name_cues import TITLES
from sfumato.text.languages.en.organisation_runs import TELLING, UNKNOWN, Found, capitals_on, near
from sfumato.text.languages.en.organisation_words import (
    ANNOUNCING,
    EMPLOYING,
    FIRM_CUES,
    GENERAL,
    LABELS,
    NEVER_FIRST,
    TWO_WORD_LABELS,
)
from sfumato.text.lexicon import Mark

_NO_PARTNER = int(Mark.TITLE | Mark.MONTH | Mark.WEEKDAY | Mark.DRUG | Mark.MEDICAL)
_PARTICLES = frozenset(
    ("de", "da", "di", "du", "del", "della", "dos", "la", "le", "van", "von", "der", "al", "el")
)


_DASHES = frozenset("-–")
_SHIFTS = frozenset(("nights", "days", "evenings", "weekends", "overnight", "time", "remotely", "mornings"))
_LONGEST = 9
"""tokens that the family name of a partner has at most"""
_HOMES = frozenset(("snf", "alf", "ltac", "ltc", "irf", "facility", "daycare", "school", "hospice", "rehab"))
_WITHIN = frozenset("-'’")
_LISTED_ON = _WITHIN | {","}


def longer(one: Found | None, other: Found | None) -> Found | None:
    """Return the one of two that reaches further."""
    if one is None or other is None:
        return one or other
    return one if one[1] >= other[1] else (*other[:3], max(one[3], other[3]))


def employer(read: Reading, place: int) -> Found | None:
    """Judge what "works for" or "Employer:" announces."""
    before = read.word(place - 1)
    if before in ("the", "a", "an"):
        place_before = place - 2
        before = read.word(place_before)
    else:
        place_before = place - 1
    certainty = 0.0
    if before == ":" and (
        read.word(place_before - 1) in LABELS
        or (read.word(place_before - 2), read.word(place_before - 1)) in TWO_WORD_LABELS
    ):
        certainty = 0.92
    elif before == "for" and (
        read.word(place_before - 1) in EMPLOYING
        or (read.word(place_before - 1) in _SHIFTS and read.word(place_before - 2) in EMPLOYING)
    ):
        certainty = 0.88
    elif (
        before in ("at", "by", "from", "with")
        and any(read.word(place_before - back) in ANNOUNCING for back in (1, 2))
    ) or (before in ("at", "with") and read.word(place_before - 1) in EMPLOYING):
        certainty = 0.82
    elif before == "of" and read.word(place_before - 1) in (
        "employee",
        "owner",
        "founder",
        "president",
        "ceo",
        "member",
    ):
        certainty = 0.8
    elif before in ("employer", "employers") or (
        before == "is" and read.word(place_before - 1) == "employer"
    ):
        certainty = 0.85
    elif (before == "(" and read.word(place_before - 1) in _HOMES) or (
        before in _DASHES and read.word(place_before - 1) in LABELS | _HOMES and not read.glued(place_before)
    ):
        certainty = 0.7
    if not certainty:
        return None
    end = capitals_on(read, place)
    if before == "(" and read.word(end) != ")":
        return None
    if end == place:
        return None
    facts, words = read.facts, read.tokens.words
    if all(
        words[at].lower() in GENERAL or (facts[at] & Mark.MEDICAL and not facts[at] & NAMED)
        for at in range(place, end)
    ):
        return None
    if end - place == 1 and facts[place] & Mark.WORD_COMMON and not facts[place] & NAMED:
        certainty -= 0.3
    return place, end, "organisation", certainty


def firm(read: Reading, place: int) -> Found | None:
    """Judge a firm that is called after its partners: ``from Long, Huang and Bianchi``, ``by Roe-Quux``."""
    alone = read.line_start(place)
    if not alone and (read.word(place - 1) not in FIRM_CUES or not near(read, place - 1)):
        listed_on = read.tokens.words[place + 1 : place + 2]
        return _partners(read, place) if listed_on and listed_on[0] in _LISTED_ON else None
    end, partners = partner(read, place), 1
    listed_ = False
    while end > place and partners < 5:
        at = end
        if read.word(at) == "," and not listed_:
            at += 1
        if read.word(at) in ("and", "&"):
            at, listed_ = at + 1, True
        longer = partner(read, at) if at > end else at
        if longer == at:
            break
        end, partners = longer, partners + 1
        if listed_:
            break
    whole = end >= len(read.tokens.words) or read.line_start(end)
    if listed_ and partners >= 3 and (not alone or whole):
        return place, end, "organisation", 0.7
    if listed_ and partners == 2 and not alone:
        bracketed = read.word(place - 1) == "(" and read.word(end) == ")"
        if bracketed or read.word(place - 1) in ("for", "at", "from", "to"):
            return place, end, "organisation", 0.56
    eponym = any(fact & Mark.EPONYM for fact in read.facts[place:end])
    if partners == 1 and end == place + 3 and not alone and not eponym and not read.facts[end] & RAISED:
        return place, end, "organisation", 0.56
    return None


def _partners(read: Reading, place: int) -> Found | None:
    """Judge "A, B and C" with nothing before it that announces a firm: three families, and no title."""
    ends = []
    at = place
    for joints in ((",",), ("and", "&"), ()):
        end = partner(read, at)
        if end == at or not _is_family(read, end - 1):
            return None
        ends.append(end)
        if joints and (read.word(end) not in joints or not near(read, end)):
            return None
        at = end + 1
    before = read.word(place - 1)
    titled = before in TITLES or (before == "." and read.word(place - 2) in TITLES)
    if titled or before in ("and", "&"):
        return None
    facts = [read.facts[end - 1] for end in ends]
    if all(fact & Mark.EPONYM for fact in facts) or all(fact & (Mark.STATE | Mark.COUNTRY) for fact in facts):
        return None
    after = read.facts[ends[-1]] if read.beside(ends[-1] - 1) else 0
    return None if after & Mark.MEDICAL else (place, ends[-1], "organisation", 0.66)


def _is_family(read: Reading, place: int) -> bool:
    """Say whether a word may be a family name: known as one, or as nothing at all."""
    fact = read.facts[place]
    return bool(fact & Mark.FAMILY) or not fact & UNKNOWN


def partner(read: Reading, place: int) -> int:
    """Return where a family name ends that begins here, with or without a hyphen; the same place for none."""
    end = place
    if read.word(end) in _PARTICLES and read.facts[end] & LOWER and read.beside(end):
        end += 1
        if read.word(end) in _PARTICLES and read.facts[end] & LOWER and read.beside(end):
            end += 1
    while end - place < _LONGEST and read.facts[end] & CAPITAL and not read.facts[end] & _NO_PARTNER:
        if read.facts[end] & Mark.WORD_COMMON and not read.facts[end] & NAMED:
            return place
        end += 1
        if not (read.word(end) in _WITHIN and read.glued(end - 1) and read.glued(end)):
            return end
        if read.word(end) != "-" and not read.facts[end + 1] & CAPITAL:
            return end
        end += 1
    return place


def of_a_place(read: Reading, place: int) -> Found | None:
    """Judge a public body: ``City of Defiance``, ``Diocese of Erie``."""
    end = capitals_on(read, place + 2) if read.beside(place) and near(read, place + 1) else place
    if end <= place + 2:
        return None
    if all(read.word(at) in GENERAL for at in range(place + 2, end)):
        return None
    return place, end, "organisation", 0.82


def of_a_state(read: Reading) -> Iterator[Found]:
    """Yield what two or more words with a capital call after a state: ``Blue Cross of North Carolina``."""
    large = int(Mark.STATE | Mark.COUNTRY)
    named = [(first, end) for first, end, marks in read.phrases if marks & large]
    named += [(place, place + 1) for place, fact in enumerate(read.facts) if fact & large]
    for place, end in named:
        if read.word(place - 1) != "of" or not read.facts[place] & CAPITAL or not near(read, place - 1):
            continue
        first = place - 1
        while place - first < _LONGEST and read.beside(first - 1) and read.fact(first - 1) & CAPITAL:
            first -= 1
        while first < place - 1 and read.word(first) in NEVER_FIRST:
            first += 1
        if place - 1 - first > 1 and not any(read.fact(at) & Mark.TITLE for at in range(first, place)):
            yield first, end, "organisation", 0.72


def called_after(read: Reading, place: int, done: int) -> Found | None:
    """Judge a place that is called after something in running text: ``at the Selby clinic``."""
    first = place
    while first > done and place - first < 3 and read.beside(first - 1) and read.facts[first - 1] & CAPITAL:
        first -= 1
    if first == place or read.word(first - 1) not in ("the", "at", "to", "from", "in", "our"):
        return None
    return (first, place, "hospital", 0.66) if of_its_own(read, first, place) else None


def of_its_own(read: Reading, first: int, end: int) -> bool:
    """Say whether all words are written as a name and one of them is no general word."""
    facts, own = read.facts, False
    for at in range(first, end):
        if not facts[at] & RAISED or read.word(at) in NEVER_FIRST or facts[at] & Mark.TITLE:
            return False
        if read.word(at) not in GENERAL and not facts[at] & Mark.MEDICAL:
            own |= not facts[at] & Mark.WORD or bool(facts[at] & TELLING and facts[at] & CAPITAL)
    return own
