"""Words with a capital that are medicine because of what stands beside them.

No list holds every brand of drug, and brands sound like names. What is written around them tells: "prescribed
Zuviro for", "Zuviro cream", a place in a list of drugs. So do the Smith antigen beside RNP and Ro, "TIAs",
and a "75 y/o RHM" (a right-handed man). A word that somebody is usually called is left alone.
"""

from __future__ import annotations

import re

from sfumato.text.detectors.dictionary import CAPITAL, GIVEN, INITIAL, LOWER, NAMED, RAISED, UPPER, Reading
from sfumato.text.folding import listed
from sfumato.text.languages.en.name_cues import TITLES, credential_after, cue_before
from sfumato.text.lexicon import Mark

Found = tuple[int, int, str, float]

SURE = 0.97
"""above what a model and a dictionary say together of a word that they do not know"""
_DRUG, _MEDICAL = int(Mark.DRUG), int(Mark.MEDICAL)
_COMMON = int(Mark.NAME_COMMON)
_PLACED = int(Mark.CITY | Mark.COUNTY | Mark.STATE | Mark.COUNTRY | Mark.TITLE | Mark.ORGANISATION)
_FORMS = listed("""
    cream ointment lotion gel tablet tablets capsule capsules shampoo inhaler inhalers spray suppository
    suppositories syrup elixir lozenge lozenges cleanser eyedrops pill pills dosepak lancets suspension
""")
"""what drugs come as; nobody's name stands before them"""
_ORDERED = listed("prescribed prescribe prescribing prescribes")
_DOSED = listed("""
    stop stopped stopping start started starting taking takes took continue continued continuing discontinue
    discontinued resume resumed refill refilled
""")
_HIS = frozenset(("her", "his", "their", "my", "the", "on"))
_JOINTS = frozenset((",", "and", "or", "/", "&", ";"))
_AFTER = frozenset((",", ".", ";", ")", "and", "or", "/", "&"))
_ANTIGENS = listed("rnp ro la ssa ssb scl dsdna jo sm ana anca centromere")
_PLURAL = re.compile(r"[A-Z]{2,5}s")
_HANDED = re.compile(r"[RL]H(?:[MFW]|AAM|AAF)")
_OLD = frozenset(("o", "old", "yo", "y", "yr"))


def told_beside(read: Reading, place: int) -> Found | None:
    """Judge a word with a capital by its neighbours."""
    word, fact = read.tokens.words[place], read.facts[place]
    if _PLURAL.fullmatch(word):
        return (place, place + 1, "term", SURE) if read.marks(word[:-1]) & _MEDICAL else None
    if fact & UPPER:
        handed = _HANDED.fullmatch(word) is not None and read.word(place - 1) in _OLD
        return (place, place + 1, "term", SURE) if handed else None
    if not fact & CAPITAL:
        return None
    if word == "Smith":
        return (place, place + 1, "antigen", 0.99) if _is_an_antigen(read, place) else None
    return _product(read, place)


def _product(read: Reading, place: int) -> Found | None:
    """Judge a word that may be the brand of a drug, of whatever else it may be."""
    fact, end = read.facts[place], place + 1
    if fact & (_COMMON | _PLACED) or read.fact(place - 1) & INITIAL or read.word(place - 1) in TITLES:
        return None
    ordered = read.word(place - 1) in _ORDERED and not fact & NAMED
    dosed = bool(fact & _DRUG) and (
        read.word(place - 1) in _DOSED or (read.word(place - 1) in _HIS and read.word(place - 2) in _DOSED)
    )
    shaped = not fact & GIVEN and _has_a_form(read, end)
    if not (ordered or dosed or shaped or (not fact & NAMED and _among_drugs(read, place))):
        return None
    if credential_after(read, end) or (read.facts[end] & RAISED and read.facts[end] & NAMED):
        return None
    cue = cue_before(read, place)
    return None if cue is not None and cue.sort in {"title", "role", "label"} else (place, end, "drug", SURE)


def _has_a_form(read: Reading, end: int) -> bool:
    """Say whether a cream or a tablet follows, perhaps after one word: ``cleansing lotion``."""
    if not read.beside(end - 1) or not read.facts[end] & LOWER:
        return False
    return read.word(end) in _FORMS or (
        read.word(end + 1) in _FORMS and read.beside(end) and read.word(end) not in ("and", "or", "s")
    )


def _among_drugs(read: Reading, place: int) -> bool:
    """Say whether a word stands in a list of drugs, or right behind a drug: ``Medrol Dosepak``."""
    before, after = read.word(place - 1), read.word(place + 1)
    if read.fact(place - 1) & _DRUG and read.beside(place - 1):
        return True
    ends = after in _AFTER or not read.beside(place)
    behind = before in _JOINTS and read.fact(place - 2) & _DRUG and read.beside(place - 1)
    return ends and bool(behind or (after in _JOINTS and read.fact(place + 2) & _DRUG))


def _is_an_antigen(read: Reading, place: int) -> bool:
    """Say whether Smith stands in a list of antigens, and nothing says that a person is meant."""
    if cue_before(read, place) is not None or credential_after(read, place + 1):
        return False
    before = read.word(place - 1) in _JOINTS and read.word(place - 2) in _ANTIGENS
    return before or (read.word(place + 1) in _JOINTS - {";"} and read.word(place + 2) in _ANTIGENS)
