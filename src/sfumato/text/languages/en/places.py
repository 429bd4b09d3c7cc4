"""Places in English notes: cities, counties, states, countries, by dictionaries and what stands beside them.

``City, ST`` and ``City, ST 12345`` are telling whatever the city is called; "lives in", "moved to", "born in"
announce one. A city that is a word or a family name needs one of these. States and countries carry their
label, since policies may keep them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.detectors.dictionary import CAPITAL, LOWER, NAMED, NUMBER, RAISED, UPPER, Reading, reading
from sfumato.text.folding import listed
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import Span

_CITY, _STATE, _COUNTRY, _COUNTY = int(Mark.CITY), int(Mark.STATE), int(Mark.COUNTRY), int(Mark.COUNTY)
_PLACE = _CITY | _STATE | _COUNTRY | _COUNTY
_WORD = int(Mark.WORD | Mark.MEDICAL | Mark.DRUG | Mark.MONTH | Mark.WEEKDAY)
_UNKNOWN = (1 << 24) - 1
"""marks of all sorts: a word without any is unknown"""
_NUMBERED = int(Mark.WORD | Mark.MEDICAL | Mark.ORGANISATION)
"""what may have an ID: no town in Idaho"""
_SMALL_TOWN = _CITY | int(Mark.STREET)
"""what a town in small letters may begin with"""
_NO_PART = int(Mark.MONTH | Mark.WEEKDAY | Mark.TITLE | Mark.RELATIVE | Mark.DRUG)
_LONGEST = 4
_LIVING = listed("""
    live lives lived living reside resides resided residing relocated relocating born raised moved moving
    native resident residents grew citizen immigrated emigrated originally hometown vacationing vacationed
    traveled travelled traveling travelling travels trip flew drove flying visiting commutes returned
    stationed home homeless jailed incarcerated
""")
_TO_A_PLACE = frozenset(
    (
        "past",
        "in",
        "from",
        "to",
        "of",
        "at",
        "near",
        "outside",
        "visiting",
        "around",
        "through",
        "toward",
        "towards",
        "via",
    )
)
_INTO = frozenset(("in", "from", "near", "outside"))
"""words after which an unknown capitalised word is a place"""
_LEADING = frozenset(("in", "from", "near", "to", "outside", "past", "around", "via"))
_TOWN_ENDS = (
    "ville",
    "burg",
    "burgh",
    "borough",
    "bury",
    "field",
    "port",
    "mouth",
    "shire",
    "grad",
    "abad",
    "stadt",
    "haven",
    "minster",
    "chester",
    "wick",
)
"""how names of towns end that no list holds"""
_LABELS = listed("""
    city town residence hometown birthplace address location county country state origin place home site
""")
_CREDENTIAL_STATES = frozenset(("MD", "PA", "DO", "MS", "MA", "RN", "ND", "CT"))
_BEFORE_CITY = listed("""
    north south east west new old saint st ft fort mt mount lake port el la los las san santa upper lower
""")


@dataclass(frozen=True)
class EnglishPlaces:
    """Proposes places.

    >>> text = "Lives in Pawnee Rock, KS; flew to Reykjavik."
    >>> [(span.of(text), span.label) for span in EnglishPlaces().find(Page(text))]
    [('Pawnee Rock', 'city'), ('KS', 'state'), ('Reykjavik', 'city')]
    """

    name: str = "places"

    def find(self, page: Page) -> Iterator[Span]:
        """Propose places."""
        read = reading(page, "en")
        starts, ends = read.tokens.starts, read.tokens.ends
        for first, end, label, certainty in _places(read):
            yield Span(starts[first], ends[end - 1], Kind.LOCATION, label, certainty, self.name)


Found = tuple[int, int, str, float]


def _places(read: Reading) -> Iterator[Found]:
    facts = read.facts
    phrases: dict[int, tuple[int, int]] = {}
    for first, end, marks in read.phrases:
        if marks & _PLACE and facts[first] & RAISED and facts[end - 1] & RAISED:
            longest = phrases.get(first)
            if longest is None or longest[0] < end:
                phrases[first] = (end, marks)
        elif marks & _CITY and facts[first] & LOWER and _announced(read, first) >= 0.8:
            yield first, end, "city", 0.75
    done = 0
    for place, fact in enumerate(facts):
        if place < done or not fact & RAISED or not (fact & (_PLACE | CAPITAL | UPPER)):
            if fact & _SMALL_TOWN and fact & LOWER:
                yield from _small_town(read, place, fact)
            continue
        known = phrases.get(place)
        if known is not None:
            end, marks = known
        elif fact & _PLACE:
            end, marks = place + 1, fact
        elif _announced(read, place) >= 0.6 or _before_state(read, place):
            end, marks = place + 1, 0
        elif (
            fact & CAPITAL
            and not fact & _UNKNOWN
            and (
                read.word(place).endswith(_TOWN_ENDS)
                or (
                    read.word(place - 1) in _INTO
                    and _after_small_word(read, place)
                    and read.word(place + 1) not in ("-", "'", "’", "&", ",")
                )
            )
        ):
            end, marks = place + 1, _CITY
        elif read.word(place + 1) == "county" and facts[place + 1] & RAISED and not fact & Mark.WORD_COMMON:
            end, marks = place + 1, _COUNTY
        else:
            continue
        for found in _judged(read, place, end, marks):
            yield found
            done = found[1]


def _small_town(read: Reading, place: int, fact: int) -> Iterator[Found]:
    """Find a town in small letters where one is announced: ``lives in mayfield``, ``from st. cloud``."""
    if fact & _CITY and not fact & _WORD:
        if _announced(read, place) >= 0.8:
            yield place, place + 1, "city", 0.7
        return
    if read.tokens.words[place] not in ("st", "ste", "ft", "mt"):
        return
    town = place + 1 + (read.word(place + 1) == ".")
    if read.facts[town] & LOWER and _announced(read, place) >= 0.8 and read.beside(town - 1):
        yield place, town + 1, "city", 0.75


def _judged(read: Reading, place: int, end: int, marks: int) -> Iterator[Found]:
    """Say what a place is and how certain that is."""
    facts = read.facts
    announced = _announced(read, place)
    if not marks & _PLACE or announced >= 0.6:
        longer = _extended(read, end)
        if longer > end and not (marks & _PLACE and end - place > 1):
            end, marks = longer, marks & ~_PLACE if not marks & _CITY else marks
    state = _state_after(read, end)
    if state is not None:
        first, after, zipped = state
        code = read.tokens.words[first]
        named = facts[place] & NAMED and not facts[place] & _CITY
        doubtful = code in _CREDENTIAL_STATES and not zipped and announced < 0.6
        if facts[place] & UPPER and len(read.tokens.words[place]) < 4 and not zipped and not marks & _CITY:
            return
        body = (
            end - place == 1
            and facts[place] & (Mark.MEDICAL | Mark.WORD_COMMON)
            and not zipped
            and announced < 0.6
        )
        if body and (facts[place] & Mark.MEDICAL or read.word(end) != ","):
            return
        if not doubtful or (marks & _CITY and not facts[place] & NAMED):
            certainty = 0.95 if zipped else 0.9 if marks & _CITY or announced >= 0.6 else 0.75
            if named and not zipped and announced < 0.6:
                certainty -= 0.15
            yield place, end, "city", certainty
            yield first, after, "state", 0.85
            return
    if read.word(end) == "county" and facts[end] & RAISED and read.beside(end - 1):
        yield place, end + 1, "county", 0.88
        return
    if marks & (_STATE | _COUNTRY) and _goes_on(read, end):
        marks &= ~(_STATE | _COUNTRY)
    several = end - place > 1
    plain = _plain(read, place, end)
    if marks & _COUNTRY:
        if not (facts[place] & NAMED and not several and announced < 0.6):
            yield place, end, "country", 0.86
    elif marks & _STATE and not (end - place == 1 and len(read.tokens.words[place]) == 2):
        if announced >= 0.6 or not facts[place] & NAMED or several:
            yield place, end, "state", 0.86
    elif announced >= 0.6:
        certainty = announced if marks & _CITY else announced - 0.1
        if not several and facts[place] & Mark.WORD_COMMON:
            certainty -= 0.3
        yield place, end, "city", certainty
    elif marks & _COUNTY and several and read.word(end - 1) in ("county", "parish", "borough"):
        yield place, end, "county", 0.88
    elif marks & _CITY and _in_brackets(read, place, end):
        yield place, end, "city", 0.66
    elif marks & _CITY and _after_small_word(read, place) and facts[place] & CAPITAL:
        yield place, end, "city", 0.62
    elif marks & _CITY and _ends_line_after_comma(read, place, end):
        yield place, end, "city", 0.66 if several or not facts[place] & Mark.WORD_COMMON else 0.55
    elif marks & _CITY:
        if not several and facts[end] & Mark.MEDICAL and facts[end] & LOWER and read.beside(end - 1):
            return
        if several:
            yield place, end, "city", 0.45 if not plain else 0.7 if announced else 0.62
        elif plain and not facts[place] & NAMED and not facts[place] & Mark.EPONYM:
            yield place, end, "city", 0.6 if facts[place] & CAPITAL else 0.4
        elif plain and announced:
            yield place, end, "city", 0.55 if not facts[place] & Mark.NAME_COMMON else 0.45


def _in_brackets(read: Reading, place: int, end: int) -> bool:
    """Say whether a place stands alone in brackets after a name: ``PCP Kim (Kilkenny)``."""
    return (
        read.word(place - 1) == "("
        and read.word(end) == ")"
        and bool(read.fact(place - 2) & RAISED)
        and bool(read.facts[place] & CAPITAL)
    )


def _after_small_word(read: Reading, place: int) -> bool:
    """Say whether a capital stands in running text after a word that leads to it: ``a man from Hope``."""
    if read.word(place - 1) not in _LEADING or not read.fact(place - 1) & LOWER:
        return False
    return bool(read.fact(place - 2) & LOWER) and (read.beside(place - 1) or read.line_start(place))


def _ends_line_after_comma(read: Reading, place: int, end: int) -> bool:
    """Say whether a place is the last word of a line after a comma: ``cc: A. Bell, Riverside``."""
    last = end >= len(read.tokens.words) or read.line_start(end)
    return (
        last and read.word(place - 1) == "," and read.beside(place - 1) and bool(read.facts[place] & CAPITAL)
    )


def _goes_on(read: Reading, end: int) -> bool:
    """Say whether a name goes on after a state or a country: ``New York General Hospital`` is neither."""
    return bool(read.facts[end] & CAPITAL) and read.beside(end - 1)


def _plain(read: Reading, place: int, end: int) -> bool:
    """Say whether a name of a place holds a word that is no word of the language."""
    return any(fact & RAISED and not fact & _WORD for fact in read.facts[place:end])


def _announced(read: Reading, place: int) -> float:
    """How much what stands before a token speaks for a place."""
    before = read.word(place - 1)
    if before == ":":
        return 0.75 if read.word(place - 2) in _LABELS else 0.0
    if before not in _TO_A_PLACE or (not read.beside(place - 1) and not read.line_start(place)):
        return 0.0
    if before == "visiting":
        return 0.65
    back = place - 2
    for _ in range(3):
        word = read.word(back)
        if word in _LIVING:
            if before == "at":
                return 0.6
            return 0.85
        if not read.fact(back) & LOWER:
            break
        back -= 1
    return 0.2 if before in ("in", "from", "near") else 0.0


def _hyphened(read: Reading, place: int) -> bool:
    """Say whether a name goes on after a hyphen: ``Stoke-Quux``, ``Bird-in-Hand``, not ``ER-positive``."""
    if read.word(place) != "-" or not read.glued(place - 1) or not read.glued(place):
        return False
    if read.facts[place + 1] & CAPITAL:
        return True
    small = read.facts[place + 1] & LOWER and read.word(place + 2) == "-" and read.glued(place + 1)
    return bool(small and read.glued(place + 2) and read.facts[place + 3] & CAPITAL)


def _extended(read: Reading, end: int) -> int:
    """Take in what follows a hyphen and the capitalised words after: a place that no list holds goes on."""
    first = end
    while end - first < _LONGEST and _hyphened(read, end):
        end += 2 if read.facts[end + 1] & CAPITAL else 4
    while (
        end - first < _LONGEST - 1
        and read.beside(end - 1)
        and read.facts[end] & CAPITAL
        and not read.facts[end] & _NO_PART
    ):
        end += 1
    return end


def _state_after(read: Reading, end: int) -> tuple[int, int, bool] | None:
    """Return where a state stands after a city, and whether a ZIP code follows it."""
    at = end
    words = read.tokens.words
    comma = at < len(words) and words[at] == "," and read.glued(at - 1)
    if not comma and read.word(at) == "id" and read.facts[at - 1] & _NUMBERED:
        return None
    if comma:
        at += 1
        if at < len(words) and not read.beside(at - 1) and not read.line_start(at):
            return None
    elif not read.beside(at - 1):
        return None
    fact = read.facts[at]
    after = at + 1
    if not (fact & _STATE and fact & RAISED):
        for stop, marks in read.phrases_at.get(at, ()) if comma else ():
            if marks & _STATE:
                after = stop
                break
        else:
            return None
    elif (len(words[at]) == 2 and not fact & UPPER) or (len(words[at]) > 2 and not comma):
        return None
    if len(words[at]) > 2 and _goes_on(read, after):
        return None
    if after < len(words) and words[after] == "." and read.glued(after - 1):
        zipped = _zip(read, after + 1)
    else:
        zipped = _zip(read, after) or (words[after : after + 1] == [","] and _zip(read, after + 1))
    if not comma and not zipped and fact & Mark.WORD_COMMON:
        return None
    return at, after, zipped


def _zip(read: Reading, place: int) -> bool:
    return (
        bool(read.facts[place] & NUMBER)
        and len(read.tokens.words[place]) == 5
        and read.tokens.words[place].isdigit()
    )


def _before_state(read: Reading, place: int) -> bool:
    """Say whether a state with a comma, or a ZIP code, follows an unknown capitalised word or two."""
    end = _extended(read, place + 1)
    if read.facts[place] & _NO_PART or (
        read.word(place - 1) in (".", ",") and read.word(place - 2) in ("dr", "mr", "mrs", "ms")
    ):
        return False
    state = _state_after(read, end)
    if state is None:
        return False
    code = read.tokens.words[state[0]]
    if state[2]:
        return True
    return code not in _CREDENTIAL_STATES and not read.facts[place] & Mark.WORD_COMMON
