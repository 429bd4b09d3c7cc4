"""Names in small letters: after a word that announces one, side by side, or in a note without capitals.

In a note that is written in small letters throughout, a capital says nothing, and a word that is a name and
nothing else is taken for one; in other notes small letters speak against a name.
"""

from __future__ import annotations

from sfumato.text.detectors.dictionary import CAPITAL, GIVEN, LOWER, NAMED, NUMBER, Reading
from sfumato.text.languages.en.name_cues import THINGS, TITLES, Cue, credential_after, cue_before
from sfumato.text.languages.en.name_runs import NEVER, OTHER, Found, strength
from sfumato.text.lexicon import Mark

_NO_NAME = LOWER | int(Mark.WORD | Mark.MEDICAL | Mark.DRUG | Mark.TITLE | Mark.STREET | Mark.MONTH)
_MARKS = (1 << 24) - 1
_THING = int(Mark.MEDICAL | Mark.DRUG | Mark.TITLE | Mark.RELATIVE | Mark.ORGANISATION)
_AUXILIARY = frozenset(("will", "may"))
_RAREST = 20
"""fewer than one word with a capital among so many: the note is written in small letters"""
_LEAST = 8
"""words that a note has at least, before that is said of it"""
_CREDENTIALS = [[one, ".", two] for one, two in ("md", "rn", "np", "pa", "do", "ph")]
_ATTENDING = frozenset(
    ("attending", "surgeon", "pcp", "gp", "resident", "hospitalist", "intern", "consultant")
)
"""before somebody's name in a note without capitals"""
_ANYBODY = frozenset(("man", "boy", "guy", "baby", "son", "king"))
_PAUSES = frozenset(".,;:)!?/")


def is_quiet(read: Reading) -> bool:
    """Say whether a note is written in small letters throughout."""
    capital = len([fact for fact in read.facts if fact & CAPITAL])
    if capital > 40:
        return False
    lower = len([fact for fact in read.facts if fact & LOWER])
    return lower >= _LEAST and capital * _RAREST < lower


def may_be_lower(read: Reading, place: int, fact: int, quiet: bool) -> bool:
    """Say whether a name in small letters is worth a look: no word, or two usual names after "pt"."""
    if read.tokens.words[place - 1] == "-" and place and read.glued(place - 1):
        return False
    if fact & NAMED and (fact & _NO_NAME == LOWER or (quiet and not fact & _THING)):
        return True
    if fact & NAMED or not fact & _MARKS:
        before = read.word(place - 1)
        if not fact & _MARKS and len(read.tokens.words[place]) > 4:
            if _handed_over(read, place, before) or (quiet and before in _ATTENDING):
                return True
            if quiet and before == "/" and read.word(place - 2) == "w":
                return True
        if before in TITLES or (before == "." and read.word(place - 2) in TITLES):
            return read.word(place) not in NEVER and len(read.tokens.words[place]) > 2
    if not fact & GIVEN:
        return False
    after = read.facts[place + 1]
    if quiet and after & LOWER and not after & _MARKS and len(read.word(place + 1)) > 4:
        return read.word(place - 1) in ("pt", "patient")
    return bool(
        (fact & Mark.NAME_COMMON or not after & Mark.WORD)
        and after & Mark.FAMILY
        and after & LOWER
        and (after & Mark.NAME_COMMON or not after & Mark.WORD)
        and not (fact & Mark.MONTH and after & Mark.WORD)
        and read.word(place) != "will"
        and read.word(place - 1) in ("pt", "patient", "name", ":", "mr", "mrs", "ms", "dr")
    )


def _handed_over(read: Reading, place: int, before: str) -> bool:
    """Say whether clinical shorthand for talking to somebody stands before: "d/w", "s/w", "paged"."""
    return before == "paged" or (
        before == "w" and read.word(place - 2) == "/" and read.word(place - 3) in ("d", "s")
    )


def lower(read: Reading, place: int, quiet: bool) -> Found | None:
    """Judge a name in small letters: after a cue, or several side by side."""
    facts = read.facts
    cue = cue_before(read, place)
    end, strengths = _run(read, place, cue, quiet)
    if quiet and len(strengths) == 1 and _past_given(read, place, end) > end:
        return place, _past_given(read, place, end), cue.label if cue else "", 0.7
    if read.word(end) in THINGS and read.beside(end - 1):
        return None
    several = len(strengths) > 1
    if not facts[place] & _MARKS and cue is not None and cue.sort in {"met", "role"}:
        return place, end, cue.label, 0.55
    is_name = bool(facts[place] & NAMED) and facts[place] & _NO_NAME == LOWER
    if credential_after(read, end) and (is_name or several):
        return place, end, "doctor", 0.9
    if cue is None:
        rare = all(one & NAMED and one & _NO_NAME == LOWER for one in facts[place:end] if one & LOWER)
        if several and facts[place] & GIVEN and (sum(strengths) >= 5 or (rare and sum(strengths) >= 4)):
            return place, end, "", 0.6
        return _unannounced(read, place, end, strengths) if quiet else None
    if cue.sort == "title":
        return place, end, cue.label, 0.93
    if several and (is_name or max(strengths) >= 2.0 or cue.sort in {"patient", "label"}):
        return place, end, cue.label, cue.certainty
    if not is_name:
        return _announced_word(read, place, cue)
    if cue.sort in {"met", "role"} or not facts[place] & GIVEN:
        enough = strengths[0] >= 3 or (strengths[0] >= 2 and (quiet or cue.sort != "acting"))
        return (place, end, cue.label, 0.55) if enough else None
    return place, end, cue.label, cue.certainty - (0.1 if strengths[0] >= 3 else 0.3)


def _run(read: Reading, place: int, cue: Cue | None, quiet: bool) -> tuple[int, list[float]]:
    """Return where a name in small letters ends, and what speaks for each of its words."""
    facts, words = read.facts, read.tokens.words
    end = place + 1
    strengths = [strength(facts[place])]
    while end < len(words) and len(strengths) < 4 and end - place < 10 and read.beside(end - 1):
        fact = facts[end]
        if fact & NAMED and fact & _NO_NAME == LOWER:
            strengths.append(strength(fact))
            end += 1
        elif (
            fact & LOWER
            and len(words[end]) == 1
            and words[end] not in "ai"
            and words[end + 1 : end + 2] == ["."]
            and words[end : end + 3] not in _CREDENTIALS
        ):
            end += 2
        elif words[end] in "-'’" and read.glued(end - 1) and read.glued(end) and facts[end + 1] & NAMED:
            strengths.append(strength(facts[end + 1]))
            end += 2
        elif (
            (cue is not None or (quiet and strengths[0] >= 2.0))
            and len(strengths) <= 2
            and facts[place] & GIVEN
            and _may_be_family(fact)
        ):
            strengths.append(1.0)
            end += 1
        else:
            break
    while words[end - 1] == ".":
        end -= 1
    return end, strengths


def _unannounced(read: Reading, place: int, end: int, strengths: list[float]) -> Found | None:
    """Judge a name that nothing announces, in a note without capitals."""
    fact = read.facts[place]
    if read.word(place) in _AUXILIARY or read.word(place) in NEVER:
        return None
    if len(strengths) > 1:
        facts = read.facts[place:end]
        rare = any(one & NAMED and one & _NO_NAME == LOWER for one in facts)
        known = fact & GIVEN and rare and max(strengths) >= 2.0 and sum(strengths) >= 3.0
        return (place, end, "", 0.62) if known else None
    if fact & _NO_NAME != LOWER or len(read.tokens.words[place]) < 4 or fact & OTHER:
        return None
    return (place, end, "", 0.55) if strengths[0] >= 2.0 else None


def initialled(read: Reading, place: int) -> Found | None:
    """Judge "w. berger" in a note without capitals: one letter, a stop, and a name."""
    words, facts = read.tokens.words, read.facts
    if words[place + 1 : place + 2] != ["."] or not read.beside(place + 1) or words[place] in "ai":
        return None
    if read.glued(place - 1) or read.fact(place - 1) & NUMBER or words[place : place + 3] in _CREDENTIALS:
        return None
    name = facts[place + 2]
    if not name & NAMED or name & _THING or strength(name) < 1.0 or read.word(place + 2) in NEVER:
        return None
    end = place + 3
    while end + 1 < len(words) and words[end] in "-'’" and read.glued(end - 1) and read.glued(end):
        end += 2
    return place, end, "", 0.62


def _past_given(read: Reading, place: int, end: int) -> int:
    """Return where "hall, vihaan" ends in a note without capitals; where "hall" ends if it is none."""
    words, facts = read.tokens.words, read.facts
    if words[end : end + 1] != [","] or not read.glued(end - 1) or not read.beside(end):
        return end
    one, two = facts[place], facts[end + 1]
    if two & Mark.STATE or read.word(place) in _ANYBODY:
        return end
    rare = any(fact & _NO_NAME == LOWER for fact in (one, two))
    if rare and one & Mark.FAMILY and two & GIVEN and not (one | two) & _THING and strength(two) >= 1.0:
        return end + 2
    return end


def _pauses(read: Reading, place: int) -> bool:
    return place >= len(read.tokens.words) or read.tokens.words[place] in _PAUSES


def _announced_word(read: Reading, place: int, cue: Cue) -> Found | None:
    """Judge an ordinary word that is a usual name, too, right after a cue and right before a pause."""
    fact = read.facts[place]
    if read.word(place - 1) == "per":
        return None
    if cue.sort == "relative" and fact & GIVEN and not fact & _THING and _pauses(read, place + 1):
        return (place, place + 1, cue.label, 0.55) if read.word(place) not in _AUXILIARY | NEVER else None
    if not fact & Mark.NAME_COMMON or fact & _THING or read.word(place) in _AUXILIARY | NEVER:
        return None
    if cue.sort == "relative" and fact & GIVEN:
        return place, place + 1, cue.label, 0.6
    pause = _pauses(read, place + 1)
    return (place, place + 1, cue.label, 0.55) if pause and cue.sort in {"met", "acting", "role"} else None


def _may_be_family(fact: int) -> bool:
    """Say whether a word in small letters may be the family name after a given one: unknown, or usual."""
    if not fact & LOWER or fact & (Mark.MEDICAL | Mark.DRUG):
        return False
    usual = fact & Mark.NAME_COMMON or not fact & Mark.WORD_COMMON
    return not fact & _MARKS or bool(fact & Mark.FAMILY and usual)
