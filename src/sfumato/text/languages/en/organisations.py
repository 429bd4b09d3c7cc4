"""Hospitals, employers and other organisations in English notes.

An organisation is found by the word it ends with ("… Memorial Hospital", "… Ltd"), by the form of its name
("University of …", "St. Luke's"), or by what announces it ("works for", "Employer:"). A name made of nothing
but general words ("Emergency Department", "Medical Center") is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.detectors.dictionary import (
    CAPITAL,
    INITIAL,
    LOWER,
    NAMED,
    NUMBER,
    RAISED,
    UPPER,
    Reading,
    reading,
)
from sfumato.text.folding import listed
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.employers import (
    called_after,
    employer,
    firm,
    longer,
    of_a_place,
    of_a_state,
    of_its_own,
)
from sfumato.text.languages.en.organisation_runs import (
    ORGANISATION,
    TELLING,
    UNKNOWN,
    Found,
    capitals_on,
    in_towns,
    joins,
    near,
)
from sfumato.text.languages.en.organisation_words import (
    ABBREVIATED,
    COMPANY_ENDS,
    CONNECTING,
    CORE,
    GENERAL,
    LOWER_HEADS,
    MORE_ENDS,
    NAMED_ENDS,
    NEVER_FIRST,
    OF_A_PLACE,
    OF_FIRST,
    WEAK,
)
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import Span

_USUAL = int(Mark.NAME_COMMON | Mark.CITY)
_BACK = 6


@dataclass(frozen=True)
class EnglishOrganisations:
    """Proposes organisations.

    >>> text = "Seen at Gomez Rehabilitation Center; works for Ryan-Powell. Emergency Department visit."
    >>> [(span.of(text), span.label) for span in EnglishOrganisations().find(Page(text))]
    [('Gomez Rehabilitation Center', 'hospital'), ('Ryan-Powell', 'organisation')]
    """

    name: str = "organisations"

    def find(self, page: Page) -> Iterator[Span]:
        """Propose organisations."""
        read = reading(page, "en")
        starts, ends = read.tokens.starts, read.tokens.ends
        for first, end, label, certainty in _organisations(read):
            yield Span(starts[first], ends[end - 1], Kind.LOCATION, label, certainty, self.name)
            after = _through_state(read, end)
            if after > end:
                yield Span(starts[first], ends[after - 1], Kind.LOCATION, label, certainty, self.name)


def _through_state(read: Reading, end: int) -> int:
    """Return where a state ends that an institution is told apart by: ``Mayo Clinic Florida``."""
    if not read.beside(end - 1) or not read.facts[end] & CAPITAL:
        return end
    if read.facts[end] & Mark.STATE and len(read.word(end)) > 2:
        return end + 1
    return max((stop for stop, marks in read.phrases_at.get(end, ()) if marks & Mark.STATE), default=end)


def _organisations(read: Reading) -> Iterator[Found]:
    for first, end, marks in read.phrases:
        if marks & Mark.HOSPITAL and read.facts[first] & (RAISED | INITIAL):
            yield first, end, "hospital", 0.88
    yield from of_a_state(read)
    done = 0
    for place, fact in enumerate(read.facts):
        if place < done:
            continue
        found: Found | None = None
        if fact & RAISED and (fact & ORGANISATION or (fact & CAPITAL and read.word(place) in MORE_ENDS)):
            found = _ending(read, place, done)
        elif (
            fact & RAISED
            and read.word(place - 1) in _CHAINS
            and read.fact(place - 1) & RAISED
            and read.beside(place - 1)
        ):
            found = _of_a_chain(read, place)
        elif fact & RAISED and read.word(place - 1) == "." and read.word(place - 2) in ("st", "ste"):
            found = _saint(read, place, place - 2)
        elif fact & RAISED and read.word(place - 1) in ("st", "saint") and read.fact(place - 1) & RAISED:
            found = _saint(read, place, place - 1)
        if found is None and fact & RAISED and read.word(place) in NAMED_ENDS:
            found = _without_hospital(read, place, done)
        elif (
            found is None
            and fact & CAPITAL
            and read.word(place + 1) == "of"
            and read.word(place) in OF_A_PLACE
        ):
            found = of_a_place(read, place)
        elif fact & LOWER and read.word(place) in LOWER_HEADS:
            found = called_after(read, place, done)
        if found is None and fact & (RAISED | INITIAL):
            found = longer(employer(read, place), firm(read, place))
        if found is not None:
            yield found
            done = found[1]


def _ending(read: Reading, place: int, done: int) -> Found | None:
    """Judge a name that ends with a word such as Hospital: go back to where it begins."""
    words, facts = read.tokens.words, read.facts
    end = place + 1
    while (
        end - place < _BACK
        and facts[end] & RAISED
        and (facts[end] & ORGANISATION or read.word(end) in MORE_ENDS)
        and near(read, end - 1)
    ):
        end += 1
    if (
        words[end : end + 1] == ["."]
        and words[end - 1].lower() in ABBREVIATED
        and facts[end + 1] & RAISED
        and (facts[end + 1] & ORGANISATION or read.word(end + 1) in MORE_ENDS)
        and read.beside(end)
    ):
        end += 2
    if words[end - 1].lower() in OF_FIRST and read.word(end) in ("of", "at", "for") and near(read, end - 1):
        after = capitals_on(read, end + 1)
        if after > end + 1:
            end = after
    if facts[place] & Mark.STATE and len(words[place]) == 2 and facts[end] & NUMBER:
        return None
    for ahead in range(end, end + 3):
        if not (facts[ahead] & CAPITAL and read.beside(ahead - 1)):
            break
        if words[ahead].lower() in CORE - WEAK:
            end = ahead + 1
    first = place
    while place - first < _BACK * 2:
        back = first - 1
        if back < done or not near(read, back):
            break
        fact, word = facts[back], words[back]
        if fact & RAISED and not (fact & UPPER and word.lower() in CONNECTING):
            if word.lower() in NEVER_FIRST or (fact & (Mark.WEEKDAY | Mark.MONTH) and not fact & NAMED):
                break
            first = back
        elif (
            word in ("-", "'", "’", "&", ".")
            and back > 0
            and facts[back - 1] & (RAISED | INITIAL)
            and joins(read, back)
        ):
            first = back - 1
        elif word.lower() == "s" and back > 1 and words[back - 1] in ("'", "’") and facts[back - 2] & RAISED:
            first = back - 2
        elif (
            word.lower() in CONNECTING and back > 0 and facts[back - 1] & RAISED and near(read, back - 1)
        ) or (
            word == ","
            and back > 0
            and words[place].lower() in COMPANY_ENDS
            and facts[back - 1] & RAISED
            and not facts[back - 1] & Mark.TITLE
        ):
            first = back - 1
        elif (
            word.lower() in CONNECTING
            and back > 1
            and words[back - 1] == "."
            and words[back - 2].lower() in ABBREVIATED
        ):
            first = back - 2
        elif fact & INITIAL:
            first = back
        else:
            break
    while first < place and (words[first].lower() in NEVER_FIRST or words[first].lower() in CONNECTING):
        first += 1
    if place - first > 1 and first and words[first - 1] in ".;" and _is_verb(read, first):
        first += 1
    if read.word(first) == "lady" and read.word(first - 1) == "our" and near(read, first - 1):
        first -= 1
    if first == place and words[end : end + 1] == [":"]:
        return None
    return _weighed(read, first, place, end)


def _is_verb(read: Reading, place: int) -> bool:
    """Say whether a sentence begins with what somebody does: ``Attends Kramer Elementary``."""
    fact = read.facts[place]
    return bool(fact & Mark.WORD) and not fact & Mark.NAME_COMMON and read.word(place).endswith(("s", "ed"))


def _weighed(read: Reading, first: int, place: int, end: int) -> Found | None:
    """Weigh what a name consists of: something in it must be of its own."""
    words, facts = read.tokens.words, read.facts
    telling = unusual = general = 0
    towns = in_towns(read, first, end)
    for at in range(first, end):
        word = words[at].lower()
        if at >= place and (facts[at] & ORGANISATION or word in MORE_ENDS) and at not in towns:
            continue
        if not facts[at] & RAISED:
            telling += words[at] == "&"
            continue
        if at in towns:
            telling += 1
        elif word in GENERAL or facts[at] & ORGANISATION:
            general += 1
        elif facts[at] & UPPER and facts[at] & Mark.WORD_COMMON and not facts[at] & _USUAL:
            unusual += 1
        elif facts[at] & TELLING or not facts[at] & UNKNOWN & ~int(Mark.EPONYM):
            telling += 1
        elif facts[at] & Mark.MEDICAL:
            general += 1
        else:
            unusual += 1
    heads = {words[at].lower() for at in range(place, end)}
    label = "hospital" if heads & CORE else "organisation"
    strong = heads & CORE - WEAK
    upper = all(facts[at] & UPPER for at in range(first, end) if facts[at] & RAISED)
    company = bool(heads & COMPANY_ENDS)
    if (telling or unusual) and read.word(place) in OF_A_PLACE and read.word(place + 1) == "of":
        certainty = 0.85
    elif telling:
        certainty = 0.92 if strong or company else 0.72
    elif unusual:
        everyday = all(
            facts[at] & Mark.WORD_COMMON
            for at in range(first, place)
            if facts[at] & RAISED and words[at].lower() not in GENERAL
        )
        certainty = (0.55 if everyday and not company else 0.85) if strong or company else 0.4
        if upper:
            certainty -= 0.4
    elif (
        general
        and heads & {"hospital"}
        and not upper
        and any(words[at].lower() in _NAMED_SO for at in range(first, end))
    ):
        certainty = 0.55
    else:
        return None
    if upper and not company:
        certainty -= 0.1
    return first, end, label, certainty


def _without_hospital(read: Reading, place: int, done: int) -> Found | None:
    """Judge a hospital that is called by its name alone: ``Picheta Memorial``, not ``General anesthesia``."""
    facts = read.facts
    first = place
    while first > done and place - first < 3 and read.beside(first - 1) and facts[first - 1] & RAISED:
        if read.word(first - 1) in NEVER_FIRST or facts[first - 1] & facts[place] & RAISED == 0:
            break
        first -= 1
    after = facts[place + 1] if read.beside(place) else 0
    if first == place or after & (Mark.MEDICAL | Mark.WORD_COMMON) & -bool(after & RAISED):
        return None
    if read.tokens.words[place + 1 : place + 2] == [":"] or not of_its_own(read, first, place):
        return None
    return first, place + 1, "hospital", 0.72 if facts[place] & CAPITAL else 0.6


_NAMED_SO = listed("""
    memorial general community county regional university mercy sacred good samaritan
""")


_CHAINS = frozenset(("va", "vamc", "kaiser", "shriners", "mercy", "providence"))


def _of_a_chain(read: Reading, place: int) -> Found | None:
    """Judge a hospital of a chain that is called after its place: ``VA Phoenix``."""
    facts = read.facts
    if facts[place] & UPPER:
        for stop, marks in read.phrases_at.get(place, ()):
            if marks & Mark.CITY:
                return place - 1, stop, "hospital", 0.82
    end = place
    shape = RAISED if read.line_start(place - 1) else CAPITAL
    while facts[end] & shape and (end == place or read.beside(end - 1)) and end - place < 4:
        if (
            not facts[end] & (TELLING | Mark.ORGANISATION)
            and facts[end] & UNKNOWN
            and not facts[end] & Mark.WORD
        ):
            break
        end += 1
    if end == place or (facts[place] & Mark.MEDICAL and not facts[place] & TELLING):
        return None
    return place - 1, end, "hospital", 0.82


def _saint(read: Reading, place: int, first: int) -> Found | None:
    """Judge a saint: ``St. Luke's``, ``Saint Anne``; not ``ST elevation``."""
    words, facts = read.tokens.words, read.facts
    unknown = facts[place] & CAPITAL and not facts[place] & UNKNOWN and read.word(place + 2) == "s"
    if not (facts[place] & NAMED or unknown) or (words[first] == "ST" and not facts[place] & UPPER):
        return None
    if len(words[place]) == 2 and facts[place] & Mark.STATE:
        return None
    if not read.beside(place - 1) or facts[first] & RAISED == 0:
        return None
    end = place + 1
    if read.word(end) in ("'", "’") and read.word(end + 1) == "s":
        end += 2
    after = end
    while (
        after - end < _BACK
        and facts[after] & RAISED
        and read.beside(after - 1)
        and (facts[after] & ORGANISATION or read.word(after) in GENERAL)
    ):
        after += 1
        if read.word(after) in ("'", "’") and read.word(after + 1) == "s" and read.glued(after):
            after += 2
    if after > end:
        return first, after, "hospital", 0.92
    return first, end, "hospital", 0.75 if end > place + 1 else 0.6
