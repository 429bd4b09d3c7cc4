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
from sfumato.text.languages.en.organisation_words import (
    ABBREVIATED,
    ANNOUNCING,
    COMPANY_ENDS,
    CONNECTING,
    CORE,
    EMPLOYING,
    FIRM_CUES,
    GENERAL,
    LABELS,
    LOWER_HEADS,
    MORE_ENDS,
    NAMED_ENDS,
    NEVER_FIRST,
    OF_A_PLACE,
    OF_FIRST,
    TWO_WORD_LABELS,
    WEAK,
)
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import Span

_ORGANISATION = int(Mark.ORGANISATION)
_TELLING = NAMED | int(Mark.CITY | Mark.COUNTY | Mark.STATE | Mark.COUNTRY)
_USUAL = int(Mark.NAME_COMMON | Mark.CITY)
_UNKNOWN = (1 << 24) - 1
_BACK = 6
_WRAPPED = 40
"""characters that a line has at least whose end says nothing: the sentence goes on below it"""
Found = tuple[int, int, str, float]


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


def _organisations(read: Reading) -> Iterator[Found]:
    for first, end, marks in read.phrases:
        if marks & Mark.HOSPITAL and read.facts[first] & (RAISED | INITIAL):
            yield first, end, "hospital", 0.88
    done = 0
    for place, fact in enumerate(read.facts):
        if place < done:
            continue
        found: Found | None = None
        if fact & RAISED and (fact & _ORGANISATION or (fact & CAPITAL and read.word(place) in MORE_ENDS)):
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
            found = _of_a_place(read, place)
        elif fact & LOWER and read.word(place) in LOWER_HEADS:
            found = _called_after(read, place, done)
        if found is None and fact & (RAISED | INITIAL):
            found = _employer(read, place) or _firm(read, place)
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
        and (facts[end] & _ORGANISATION or read.word(end) in MORE_ENDS)
        and near(read, end - 1)
    ):
        end += 1
    if (
        words[end : end + 1] == ["."]
        and words[end - 1].lower() in ABBREVIATED
        and facts[end + 1] & RAISED
        and (facts[end + 1] & _ORGANISATION or read.word(end + 1) in MORE_ENDS)
        and read.beside(end)
    ):
        end += 2
    if words[end - 1].lower() in OF_FIRST and read.word(end) in ("of", "at", "for") and near(read, end - 1):
        after = _capitals_on(read, end + 1)
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
            and _joins(read, back)
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
    return "\n" not in read.text[max(0, end - _WRAPPED) : end] and end >= _WRAPPED


def _in_towns(read: Reading, first: int, end: int) -> set[int]:
    """Return the tokens that are part of a town of several words: Bowling Green, Medicine Hat."""
    return {
        at
        for begin in range(first, end)
        for stop, marks in read.phrases_at.get(begin, ())
        if marks & Mark.CITY and stop <= end
        for at in range(begin, stop)
    }


def _joins(read: Reading, place: int) -> bool:
    """Say whether a sign stands inside a name: ``Cedars-Sinai``, ``St. Luke``, ``Smith & Sons``."""
    word = read.tokens.words[place]
    if word == ".":
        return read.word(place - 1) in ABBREVIATED or bool(read.facts[place - 1] & INITIAL)
    return word == "&" or (read.glued(place - 1) and read.glued(place))


def _weighed(read: Reading, first: int, place: int, end: int) -> Found | None:
    """Weigh what a name consists of: something in it must be of its own."""
    words, facts = read.tokens.words, read.facts
    telling = unusual = general = 0
    towns = _in_towns(read, first, end)
    for at in range(first, end):
        word = words[at].lower()
        if at >= place and (facts[at] & _ORGANISATION or word in MORE_ENDS) and at not in towns:
            continue
        if not facts[at] & RAISED:
            telling += words[at] == "&"
            continue
        if at in towns:
            telling += 1
        elif word in GENERAL or facts[at] & _ORGANISATION:
            general += 1
        elif facts[at] & UPPER and facts[at] & Mark.WORD_COMMON and not facts[at] & _USUAL:
            unusual += 1
        elif facts[at] & _TELLING or not facts[at] & _UNKNOWN & ~int(Mark.EPONYM):
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


def _of_its_own(read: Reading, first: int, end: int) -> bool:
    """Say whether all words are written as a name and one of them is no general word."""
    facts, own = read.facts, False
    for at in range(first, end):
        if not facts[at] & RAISED or read.word(at) in NEVER_FIRST or facts[at] & (Mark.TITLE | Mark.EPONYM):
            return False
        if read.word(at) not in GENERAL and not facts[at] & Mark.MEDICAL:
            own |= not facts[at] & Mark.WORD or bool(facts[at] & _TELLING and facts[at] & CAPITAL)
    return own


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
    if read.tokens.words[place + 1 : place + 2] == [":"] or not _of_its_own(read, first, place):
        return None
    return first, place + 1, "hospital", 0.72 if facts[place] & CAPITAL else 0.6


def _of_a_place(read: Reading, place: int) -> Found | None:
    """Judge a public body: ``City of Defiance``, ``Diocese of Erie``."""
    end = _capitals_on(read, place + 2) if read.beside(place) and near(read, place + 1) else place
    if end <= place + 2:
        return None
    if all(read.word(at) in GENERAL for at in range(place + 2, end)):
        return None
    return place, end, "organisation", 0.82


def _called_after(read: Reading, place: int, done: int) -> Found | None:
    """Judge a place that is called after something in running text: ``at the Selby clinic``."""
    first = place
    while first > done and place - first < 3 and read.beside(first - 1) and read.facts[first - 1] & CAPITAL:
        first -= 1
    if first == place or read.word(first - 1) not in ("the", "at", "to", "from", "in", "our"):
        return None
    return (first, place, "hospital", 0.66) if _of_its_own(read, first, place) else None


def _firm(read: Reading, place: int) -> Found | None:
    """Judge a firm that is called after its partners: ``from Long, Huang and Bianchi``, ``by Roe-Quux``."""
    alone = read.line_start(place)
    if not alone and (read.word(place - 1) not in FIRM_CUES or not near(read, place - 1)):
        return None
    end, partners = _partner(read, place), 1
    listed_ = False
    while end > place and partners < 5:
        at = end
        if read.word(at) == "," and not listed_:
            at += 1
        if read.word(at) in ("and", "&"):
            at, listed_ = at + 1, True
        longer = _partner(read, at) if at > end else at
        if longer == at:
            break
        end, partners = longer, partners + 1
        if listed_:
            break
    whole = end >= len(read.tokens.words) or read.line_start(end)
    if listed_ and partners >= 3 and (not alone or whole):
        return place, end, "organisation", 0.7
    if listed_ and partners == 2 and not alone and read.word(place - 1) in ("for", "at", "from"):
        return place, end, "organisation", 0.56
    eponym = any(fact & Mark.EPONYM for fact in read.facts[place:end])
    if partners == 1 and end == place + 3 and not alone and not eponym and not read.facts[end] & RAISED:
        return place, end, "organisation", 0.56
    return None


_PARTICLES = frozenset(
    ("de", "da", "di", "du", "del", "della", "dos", "la", "le", "van", "von", "der", "al", "el")
)


def _partner(read: Reading, place: int) -> int:
    """Return where a family name ends that begins here, with or without a hyphen; the same place for none."""
    end = place
    if read.word(end) in _PARTICLES and read.facts[end] & LOWER and read.beside(end):
        end += 1
        if read.word(end) in _PARTICLES and read.facts[end] & LOWER and read.beside(end):
            end += 1
    while read.facts[end] & CAPITAL and not read.facts[end] & (Mark.TITLE | Mark.MONTH):
        if read.facts[end] & Mark.WORD_COMMON and not read.facts[end] & NAMED:
            return place
        end += 1
        if not (read.word(end) == "-" and read.glued(end - 1) and read.glued(end)):
            return end
        end += 1
    return place


_NAMED_SO = listed("""
    memorial general community county regional university mercy sacred good samaritan
""")


_CHAINS = frozenset(("va", "vamc", "kaiser", "shriners", "mercy", "providence"))


def _of_a_chain(read: Reading, place: int) -> Found | None:
    """Judge a hospital of a chain that is called after its place: ``VA Phoenix``."""
    facts = read.facts
    end = place
    shape = RAISED if read.line_start(place - 1) else CAPITAL
    while facts[end] & shape and (end == place or read.beside(end - 1)) and end - place < 4:
        if (
            not facts[end] & (_TELLING | Mark.ORGANISATION)
            and facts[end] & _UNKNOWN
            and not facts[end] & Mark.WORD
        ):
            break
        end += 1
    if end == place or (facts[place] & Mark.MEDICAL and not facts[place] & _TELLING):
        return None
    return place - 1, end, "hospital", 0.82


def _saint(read: Reading, place: int, first: int) -> Found | None:
    """Judge a saint: ``St. Luke's``, ``Saint Anne``; not ``ST elevation``."""
    words, facts = read.tokens.words, read.facts
    if not facts[place] & NAMED or (words[first] == "ST" and not facts[place] & UPPER):
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
        and (facts[after] & _ORGANISATION or read.word(after) in GENERAL)
    ):
        after += 1
    if after > end:
        return first, after, "hospital", 0.92
    return first, end, "hospital", 0.75 if end > place + 1 else 0.6


def _employer(read: Reading, place: int) -> Found | None:
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
    elif before == "for" and read.word(place_before - 1) in EMPLOYING:
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
    if not certainty:
        return None
    end = _capitals_on(read, place)
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


def _capitals_on(read: Reading, place: int) -> int:
    """Return where a name in capitals ends that begins at a token: ``Smith, Jones and Sons``."""
    words, facts = read.tokens.words, read.facts
    at = place
    end = place
    while at < len(words) and at - place < 12:
        if at > place and not read.beside(at - 1):
            break
        word = words[at]
        if facts[at] & (RAISED | INITIAL):
            if at > place and (facts[at] & CAPITAL and words[at].lower() in NEVER_FIRST):
                break
            if words[at + 1 : at + 2] == [":"] and at > place:
                break
            if (
                at > place
                and facts[at - 1] & _ORGANISATION
                and not facts[at] & _ORGANISATION
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
            (word == "," and at > place and _list_goes_on(read, at))
            or (
                word.lower() in ("and", "of", "the", "for", "de", "&")
                and at > place
                and not (word.lower() == "and" and words[at - 1].lower() in COMPANY_ENDS)
                and facts[at + 1] & RAISED
                and read.beside(at)
            )
            or (
                word == "." and at > place and _joins(read, at) and facts[at + 1] & RAISED and read.beside(at)
            )
        ):
            at += 1
        else:
            break
    return end


def _list_goes_on(read: Reading, place: int) -> bool:
    """Say whether a comma stands inside the name of a firm: ``Smith, Jones and Brown`` or ``Acme, Inc``."""
    if read.word(place + 1) in COMPANY_ENDS:
        return True
    return bool(
        read.facts[place + 1] & RAISED
        and read.word(place + 2) in ("and", "&")
        and read.facts[place + 3] & RAISED
        and read.beside(place)
    )
