"""Runs of words that the name of an organisation consists of: over hyphens, "and", and the ends of lines."""

from __future__ import annotations

from sfumato.text.detectors.dictionary import CAPITAL, INITIAL, NAMED, RAISED, Reading
from sfumato.text.languages.en.organisation_words import ABBREVIATED, COMPANY_ENDS, NEVER_FIRST
from sfumato.text.lexicon import Mark

ORGANISATION = int(Mark.ORGANISATION)
TELLING = NAMED | int(Mark.CITY | Mark.COUNTY | Mark.STATE | Mark.COUNTRY)
"""a word that may be somebody's or some place's name"""
UNKNOWN = (1 << 24) - 1
"""marks of all sorts: a word without any is unknown"""
WRAPPED = 40
"""characters that a line has at least whose end says nothing: the sentence goes on below it"""
Found = tuple[int, int, str, float]
"""first token, token after the last, label, certainty"""


def near(read: Reading, place: int) -> bool:
    """Say whether the next token follows, on the same line or after the end of one that was wrapped."""
    if read.beside(place):
        return True
    tokens = read.tokens
    if not 0 <= place < len(tokens.words) - 1:
        return False
    gap = read.text[tokens.ends[place] : tokens.starts[place + 1]]
    if len(gap) > 6 or gap.count("\n") != 1 or tokens.words[place + 2 : place + 3] == [":"]:
        return False
    end = tokens.ends[place]
    return "\n" not in read.text[max(0, end - WRAPPED) : end] and end >= WRAPPED


def in_towns(read: Reading, first: int, end: int) -> set[int]:
    """Return the tokens that are part of a town of several words: Bowling Green, Medicine Hat."""
    return {
        at
        for begin in range(first, end)
        for stop, marks in read.phrases_at.get(begin, ())
        if marks & Mark.CITY and stop <= end
        for at in range(begin, stop)
    }


def joins(read: Reading, place: int) -> bool:
    """Say whether a sign stands inside a name: ``Cedars-Sinai``, ``St. Luke``, ``Smith & Sons``."""
    word = read.tokens.words[place]
    if word == ".":
        return read.word(place - 1) in ABBREVIATED or bool(read.facts[place - 1] & INITIAL)
    return word == "&" or (read.glued(place - 1) and read.glued(place))


def capitals_on(read: Reading, place: int) -> int:
    """Return where a name in capitals ends that begins at a token: ``Smith, Jones and Sons``."""
    words, facts = read.tokens.words, read.facts
    at = place
    end = place
    while at < len(words) and at - place < 12:
        if at > place and not read.beside(at - 1) and not (facts[at] & ORGANISATION and near(read, at - 1)):
            break
        word = words[at]
        if facts[at] & (RAISED | INITIAL):
            if at > place and (facts[at] & CAPITAL and words[at].lower() in NEVER_FIRST):
                break
            if words[at + 1 : at + 2] == [":"] and at > place:
                break
            if (
                at > place
                and facts[at - 1] & ORGANISATION
                and not facts[at] & ORGANISATION
                and facts[at] & RAISED
            ):
                break
            at += 1
            end = at
        elif word in ("-", "'", "’", "&", "/") and at > place:
            if word in ("'", "’") and read.word(at + 1) == "s":
                at += 2
                end = at
            else:
                at += 1
        elif (
            (word == "," and at > place and list_goes_on(read, at))
            or (
                word.lower() in ("and", "of", "the", "for", "de", "&")
                and at > place
                and not (word.lower() == "and" and words[at - 1].lower() in COMPANY_ENDS)
                and facts[at + 1] & RAISED
                and read.beside(at)
            )
            or (word == "." and at > place and joins(read, at) and facts[at + 1] & RAISED and read.beside(at))
        ):
            at += 1
        else:
            break
    return end


def list_goes_on(read: Reading, place: int) -> bool:
    """Say whether a comma stands inside the name of a firm: ``Smith, Jones and Brown`` or ``Acme, Inc``."""
    if read.word(place + 1) in COMPANY_ENDS:
        return True
    return bool(
        read.facts[place + 1] & RAISED
        and read.word(place + 2) in ("and", "&")
        and read.facts[place + 3] & RAISED
        and read.beside(place)
    )
