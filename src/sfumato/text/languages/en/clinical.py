"""The clinical allow-list: what looks like a name, a date or a number of a person in a note and is medicine.

Words named after people ("Foley catheter", "Parkinson's disease", "Jackson-Pratt drain"), drugs, and measures
("128/74", "3/10", "3-0 Vicryl", "T12-L1", "5/325"). A proposal here competes like any other and keeps its
text if it wins; it never speaks against a title: in "Dr. Foley" and "Sonia Parkinson, MD" it stays silent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    reading,
)
from sfumato.text.folding import listed
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.clinical_beside import told_beside
from sfumato.text.languages.en.clinical_measures import measure
from sfumato.text.languages.en.name_cues import CREDENTIALS, TITLES, credential_after, cue_before
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import Span

_EPONYM, _MEDICAL, _DRUG = int(Mark.EPONYM), int(Mark.MEDICAL), int(Mark.DRUG)
_COMMON = int(Mark.NAME_COMMON)
_HYPHENS = frozenset("-‐‑–")
_MEANT_BEFORE = listed("""
    a an the this that positive negative indwelling via bilateral left right s/p p new old existing his her
    their no without with remove removed removing place placed insert inserted keep continue discontinue
    discontinued dc maintain maintained equivocal absent present modified standard performed underwent
    undergoing history h o hx for and or of
""")
"""before a word that is meant as a thing"""
_MEANT_AFTER = listed("""
    removed placed inserted draining drained drains intact patent discontinued secured exchanged changed
    flushed replaced clamped output positive negative downgoing upgoing equivocal to in was is remains
    continues exchange insertion removal placement care at site bag trial stage staging
""")
"""after such a word, when it is no usual family name"""
_DOSING = listed("""
    on taking takes took start started starts starting stop stopped continue continued continues given gave
    prescribed prescription of for with tried received receives resume resumed hold held increase increased
    decrease decreased allergies allergy allergic to add added
""")


@dataclass(frozen=True)
class EnglishClinical:
    """Proposes what must stay.

    >>> text = "Foley catheter removed by Dr. Foley. BP 128/74."
    >>> [span.of(text) for span in EnglishClinical().find(Page(text))]
    ['Foley catheter', 'BP 128/74']
    """

    name: str = "clinical"

    def find(self, page: Page) -> Iterator[Span]:
        """Propose clinical spans."""
        read = reading(page, "en")
        starts, ends = read.tokens.starts, read.tokens.ends
        for first, end, label, certainty in _clinical(read):
            yield Span(starts[first], ends[end - 1], Kind.CLINICAL, label, certainty, self.name)


_MARKS = (1 << 24) - 1
Found = tuple[int, int, str, float]


def _clinical(read: Reading) -> Iterator[Found]:
    facts = read.facts
    for first, end, marks in read.phrases:
        if marks & (_MEDICAL | _DRUG | _EPONYM) and facts[first] & RAISED:
            found = _phrase(read, first, end, marks)
            if found is not None:
                yield found
    done = 0
    for place, fact in enumerate(facts):
        if place < done:
            continue
        if fact & NUMBER:
            found = measure(read, place)
        elif not fact & RAISED:
            if not fact & _EPONYM:
                continue
            found = _small_eponym(read, place)
        elif (told := told_beside(read, place)) is not None:
            found = told
        elif fact & _EPONYM:
            found = _eponym(read, place)
        elif read.word(place) in _BESIDE_ANOTHER:
            found = _beside_another(read, place)
        elif fact & _DRUG:
            found = _drug(read, place)
        elif read.word(place + 1) in _NAMED_NOUNS or read.word(place + 3) in _NAMED_NOUNS:
            found = _named_after(read, place)
        else:
            continue
        if found is not None:
            yield found
            done = found[1]


def _person(read: Reading, first: int, end: int) -> bool:
    """Say whether what stands beside says that a person is meant."""
    words, facts = read.tokens.words, read.facts
    back = first - 1
    if back >= 0 and words[back] == "." and read.glued(back - 1):
        if facts[back - 1] & INITIAL and read.beside(back):
            return True
        back -= 1
    if back >= 0 and words[back].lower() in TITLES:
        return True
    if (
        words[end : end + 1] == [","]
        and facts[end + 1] & RAISED
        and facts[end + 1] & GIVEN
        and not facts[end + 1] & (_MEDICAL | _EPONYM)
    ):
        return True
    return credential_after(read, end)


def _beside_given(read: Reading, first: int) -> bool:
    """Say whether a given name, or an initial, stands directly before."""
    if first == 0 or not read.beside(first - 1):
        return False
    fact = read.facts[first - 1]
    if fact & INITIAL:
        return read.tokens.words[first - 1] not in ("A", "I")
    if not fact & RAISED or fact & (Mark.WORD_COMMON | _MEDICAL | _EPONYM):
        return False
    return bool(fact & GIVEN or (fact & CAPITAL and not fact & _MARKS))


def _eponym(read: Reading, place: int) -> Found | None:
    """Judge a word that a thing is named after."""
    words, facts = read.tokens.words, read.facts
    first, end = place, place + 1
    while (
        first > 1
        and place - first < 6
        and words[first - 1] in _HYPHENS
        and read.glued(first - 1)
        and read.glued(first - 2)
    ):
        first -= 2
    while (
        end + 1 < len(words)
        and end - place < 7
        and words[end] in _HYPHENS
        and read.glued(end - 1)
        and read.glued(end)
    ):
        if not facts[end + 1] & (RAISED | LOWER | INITIAL):
            break
        end += 2
    if _person(read, first, end) or _of_an_organisation(read, end):
        return None
    noun = end
    if noun + 1 < len(words) and words[noun] in "'’" and read.word(noun + 1) == "s":
        noun += 2
    elif noun < len(words) and words[noun] in "'’":
        noun += 1
    cue = cue_before(read, first)
    telling = (cue is not None and cue.sort not in {"met", "patient"}) or words[first - 1 : first] == [":"]
    after = (
        facts[noun]
        if noun < len(words) and (read.beside(noun - 1) or (not telling and _near(read, noun - 1)))
        else 0
    )
    given = _beside_given(read, first)
    if not after & LOWER and noun == end and (after & Mark.STREET or read.fact(first - 1) & NUMBER):
        return None
    if (
        after
        and read.word(noun) in ("and", "&", "/", "or")
        and facts[noun + 1] & _EPONYM
        and facts[noun + 2] & _MEDICAL
        and read.beside(noun + 1)
        and not telling
    ):
        return first, noun + 3, "eponym", 0.94
    if after & INITIAL and noun == end and facts[noun + 1] & _MEDICAL and read.beside(noun) and not telling:
        return first, noun + 2, "eponym", 0.9
    if after and read.word(noun) in ("i", "ii", "iii", "iv", "v", "type", "grade", "class") and noun == end:
        noun += 1
        after = facts[noun]
    if after & _MEDICAL and _is_noun(read, place, noun, possessive=noun > end):
        if given and noun == end and facts[place] & _COMMON:
            return None
        owned = noun > end and after & LOWER and not facts[place] & _COMMON
        return first, noun + 1, "eponym", 0.75 if given else 0.985 if owned else 0.94
    if given or telling:
        return None
    all_eponyms = end - first > 2 and all(fact & _EPONYM or not fact & RAISED for fact in facts[first:end])
    if all_eponyms:
        return first, end, "eponym", 0.9
    if noun > end and (after == 0 or not after & RAISED) and not facts[place] & _COMMON:
        return first, noun, "eponym", 0.8
    if end - first > 1 and any(fact & GIVEN and not fact & _EPONYM for fact in facts[first:end]):
        return None
    usual = facts[place] & _COMMON
    before = read.word(first - 1) if read.beside(first - 1) else ""
    if (
        before in _MEANT_BEFORE
        and not after & RAISED
        and (not usual or before in ("a", "an", "indwelling", "positive", "negative"))
    ):
        return first, end, "eponym", 0.8
    if not usual and (read.word(noun) in _MEANT_AFTER or (after & NUMBER and len(words[noun]) <= 2)):
        return first, end, "eponym", 0.78
    if (
        after & NUMBER
        and len(words[noun]) <= 2
        and not after & RAISED
        and read.beside(noun - 1)
        and noun == end
    ):
        return first, end, "eponym", 0.78
    if usual and read.word(noun) in (
        "positive",
        "negative",
        "removed",
        "placed",
        "inserted",
        "draining",
        "discontinued",
        "intact",
        "patent",
    ):
        return first, end, "eponym", 0.72
    if not facts[place] & NAMED:
        return first, end, "eponym", 0.65
    return None


def _small_eponym(read: Reading, place: int) -> Found | None:
    """Judge a word that a thing is named after, in small letters: ``montgomery straps``."""
    fact, end = read.facts[place], place + 1
    if _person(read, place, end) or cue_before(read, place) is not None:
        return None
    after = read.facts[end] if read.beside(place) else 0
    if after & LOWER and (after & _MEDICAL or read.word(end) in _NAMED_NOUNS):
        return place, end + 1, "eponym", 0.9
    return None if fact & (_COMMON | Mark.WORD_COMMON) or after & NAMED else (place, end, "eponym", 0.86)


def _beside_another(read: Reading, place: int) -> Found | None:
    """Judge a word that is part of what a test is called, beside the other part alone: ``Mini-Cog``."""
    word, end = read.word(place), place + 1
    if read.word(end) == "-" and read.glued(place) and read.glued(end):
        end += 1
    if not read.beside(end - 1) and not read.glued(end - 1):
        return None
    if read.word(end) not in _BESIDE_ANOTHER[word]:
        return None
    return place, end + 1, "eponym", 0.95


_BESIDE_ANOTHER = {
    "mini": frozenset(("cog", "mental", "nutritional", "bal")),
    "galant": frozenset(("reflex", "reflexes", "sign")),
    "calvert": frozenset(("formula", "auc", "dosing", "equation")),
}
"""words that are names of people as well, and what follows them where they are none"""


def _of_an_organisation(read: Reading, end: int) -> bool:
    """Say whether a name goes on to a word that organisations end with: ``Crohn Cancer Institute``."""
    for at in range(end, end + 3):
        if not read.facts[at] & CAPITAL or not read.beside(at - 1):
            return False
        if read.facts[at] & Mark.ORGANISATION and not read.facts[at] & _MEDICAL:
            return True
    return False


def _is_noun(read: Reading, place: int, noun: int, possessive: bool) -> bool:
    """Say whether a medical word is what a thing is called after somebody: in capitals only a usual one."""
    fact = read.facts[noun]
    if fact & LOWER:
        return True
    if read.word(noun) in CREDENTIALS or (fact & UPPER and not read.facts[place] & UPPER):
        return False
    return possessive or not read.facts[place] & _COMMON or read.word(noun) in _NAMED_NOUNS


def _named_after(read: Reading, place: int) -> Found | None:
    """Judge a word that no list holds before a noun that things named after people go with: a sign, a score.

    A given name with an apostrophe ("Anna's disease") is taken for the patient, and not for a discoverer.
    """
    words, facts = read.tokens.words, read.facts
    noun = place + 1
    if words[noun] in "'’" and read.word(noun + 1) == "s":
        noun += 2
    if (
        read.word(noun) not in _NAMED_NOUNS
        or not read.beside(noun - 1)
        or words[noun + 1 : noun + 2] == [":"]
    ):
        return None
    fact = facts[place]
    if fact & (Mark.WORD | _MEDICAL) or (noun > place + 1 and fact & GIVEN):
        return None
    if _person(read, place, place + 1) or _beside_given(read, place) or cue_before(read, place) is not None:
        return None
    first = place
    while first > 1 and place - first < 6 and words[first - 1] in _HYPHENS and read.glued(first - 1):
        first -= 2
    sure = read.word(noun) in _ONLY_NAMED and not read.sentence_start(first)
    return first, noun + 1, "eponym", 0.94 if sure else 0.76


_ONLY_NAMED = listed("""
    syndrome phenomenon criteria criterion classification maneuver manoeuvre scale score sign nodule tongs
    incision valve jacket contracture fracture lymphoma sarcoma stain
""")
"""nouns before which a name is hardly ever a patient's"""
_NAMED_NOUNS = listed("""
    type grade stage class nodule valve jacket tongs straps reflexes traction lift fields chart screen
    syndrome phenomenon criteria criterion classification maneuver manoeuvre scale score reflex sign test
    disease stain procedure fracture lymphoma index equation formula catheter drain tube sarcoma node nodes
    body bodies palsy ulcer cyst contracture catheterization position incision coma hernia esophagus
    thyroiditis angina clamp retractor repair operation halo brace splint prosthesis screw rod orthosis
""")


def _near(read: Reading, place: int) -> bool:
    """Say whether the next token follows, perhaps on the next line (notes are wrapped)."""
    if place + 1 >= len(read.tokens.words) or not read.facts[place + 1] & LOWER:
        return read.beside(place)
    return read.tokens.starts[place + 1] - read.tokens.ends[place] <= 2


def _drug(read: Reading, place: int) -> Found | None:
    """Judge the name of a drug; one that is a given name as well needs a dose or a word that doses."""
    facts = read.facts
    fact = facts[place]
    end = place + 1
    if _person(read, place, end):
        return None
    dose = measure(read, end) if facts[end] & NUMBER and read.beside(place) else None
    if dose is not None:
        return place, dose[1], "drug", 0.93
    if fact & NAMED:
        if _beside_given(read, place) or (facts[end] & RAISED and facts[end] & NAMED and read.beside(place)):
            return None
        if fact & _COMMON and read.word(place - 1) not in _DOSING:
            return None
        return place, end, "drug", 0.72
    return place, end, "drug", 0.85


def _phrase(read: Reading, first: int, end: int, marks: int) -> Found | None:
    """Judge a known phrase of medicine that is written with a capital."""
    if _person(read, first, end) or _beside_given(read, first):
        return None
    if marks & _EPONYM:
        return first, end, "eponym", 0.88
    if all(
        fact & NAMED and not fact & (Mark.WORD | _MEDICAL | _DRUG)
        for fact in read.facts[first:end]
        if fact & RAISED
    ):
        return None
    return first, end, "drug" if marks & _DRUG else "term", 0.82
