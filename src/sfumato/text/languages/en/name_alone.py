"""How certain a run of words is a name with nothing that announces it: by the dictionaries, and what follows.

A word that somebody is called and that is nothing else ("Oyelaran") is a name wherever it stands. A word that
is something else, too ("Rose", "Frank", "June") is one where it does what people do ("Rose gave", "June quit
smoking") or owns something ("Frost's drops"); an unknown word only where nothing but a person can act so.
"""

from __future__ import annotations

from sfumato.text.detectors.dictionary import CAPITAL, GIVEN, INITIAL, NAMED, NUMBER, RAISED, UPPER, Reading
from sfumato.text.folding import listed
from sfumato.text.languages.en.name_cues import DOING, NOT_INITIALS, OWNED, SAYING, THINGS
from sfumato.text.languages.en.name_runs import OTHER, PARTICLES, Run
from sfumato.text.lexicon import Mark

_BEFORE_PEOPLE = frozenset(("with", "by", "to", "from", "for", "told", "asked", "and", "of"))
_CALENDAR = int(Mark.MONTH | Mark.WEEKDAY | Mark.HOLIDAY)
_NO_PERSON = int(Mark.MEDICAL | Mark.DRUG | Mark.RELATIVE | Mark.ORGANISATION | Mark.PROFESSION | Mark.TITLE)
_ELSE = int(Mark.WORD | Mark.MEDICAL | Mark.DRUG | Mark.TITLE | Mark.ORGANISATION | Mark.STATE | Mark.COUNTRY)
_EPONYM, _COMMON = int(Mark.EPONYM), int(Mark.NAME_COMMON)
_THING_OR_PEOPLE = int(Mark.EPONYM | Mark.NATIONALITY)
_MARKS = (1 << 24) - 1
_APOSTROPHES = frozenset(("'", "’"))
_SENTENCE_ENDS = frozenset(".!?")


def alone(read: Reading, run: Run) -> float:
    """Say how certain a run is with nothing before it."""
    if run.words >= 2:
        return _several(read, run)
    if run.initials:
        return _with_initials(read, run)
    facts = read.facts
    fact, found = facts[run.first], run.strengths[0]
    if read.word(run.first) in PARTICLES and run.end - run.first > 1:
        return 0.66 if found >= 1.0 and not facts[run.end - 1] & _CALENDAR else 0.0
    if fact & UPPER:
        return _in_capitals(read, run)
    if read.word(run.end) in THINGS and read.beside(run.end - 1):
        return 0.0
    verb = read.word(run.end) if read.beside(run.end - 1) else ""
    if verb in DOING and (found >= 1.0 or fact & GIVEN) and _may_act(fact):
        return 0.66
    if verb in DOING and fact & NAMED and read.word(run.first - 1) == "as":
        return 0.62
    if verb in ("and", "&") and fact & GIVEN and fact & _COMMON and _is_given(read, run.end + 1):
        return 0.6
    if fact & _CALENDAR:
        return 0.0
    if verb in _APOSTROPHES and read.word(run.end + 1) == "s":
        owned = _owning(read, run)
        if owned or fact & _EPONYM:
            return owned
    if fact & _THING_OR_PEOPLE:
        return 0.4 if found >= 2 else 0.0
    if fact & OTHER and found < 3:
        found -= 1.0
    if verb in SAYING and found >= 1.2:
        return 0.7
    if found >= 2 and fact & GIVEN and read.word(run.first - 1) in _BEFORE_PEOPLE:
        return 0.6
    if found >= 1.0 and (fact & GIVEN or not fact & _MARKS) and _ends_note(read, run):
        return 0.56
    if found >= 3:
        return 0.52 if fact & OTHER else 0.6
    if found >= 2:
        if _is_only_a_name(read, run):
            return 0.55
        return 0.0 if fact & Mark.MEDICAL and not fact & GIVEN else 0.42
    if found >= 1.0 and not fact & _MARKS and _fills_column(read, run):
        return 0.52
    return 0.0


def _is_given(read: Reading, place: int) -> bool:
    """Say whether a word is a given name and nothing else: who is named beside it is somebody, too."""
    fact = read.facts[place]
    return bool(fact & CAPITAL and fact & GIVEN and not fact & (_ELSE | _THING_OR_PEOPLE | Mark.CITY))


def _may_act(fact: int) -> bool:
    """Say whether a word may be somebody who acts: a medical one only if it is a usual given name."""
    if fact & GIVEN and fact & _COMMON:
        return not fact & (_NO_PERSON & ~int(Mark.MEDICAL))
    return not fact & _NO_PERSON


def _owning(read: Reading, run: Run) -> float:
    """Judge "Frost's drops": the more so the less else the word is, and never before a medical noun."""
    fact, found = read.facts[run.first], run.strengths[0]
    owned = read.facts[run.end + 2]
    noun = read.word(run.end + 2)
    if (fact & _EPONYM and noun not in OWNED) or (noun in THINGS and noun != "chart" and not fact & GIVEN):
        return 0.0
    usual = fact & Mark.FAMILY and fact & _COMMON
    if owned & Mark.MEDICAL and not usual and noun not in OWNED:
        return 0.6 if found >= 2 else 0.0
    if found >= 2 or (found >= 1.2 and not fact & _NO_PERSON):
        return 0.6
    person = owned & Mark.RELATIVE or read.word(run.end + 2) in OWNED
    return 0.6 if person and (found >= 1.0 or fact & GIVEN) else 0.0


def _fills_column(read: Reading, run: Run) -> bool:
    """Say whether a run stands alone in the last column of a line: a wide gap before, nothing after it."""
    tokens = read.tokens
    if run.first == 0 or (run.end < len(tokens.words) and not read.line_start(run.end)):
        return False
    gap = read.text[tokens.ends[run.first - 1] : tokens.starts[run.first]]
    return (len(gap) > 2 or "\t" in gap) and "\n" not in gap


def _several(read: Reading, run: Run) -> float:
    facts = read.facts
    best = max(run.strengths)
    if run.words > 4 or best < 2.0:
        if run.words > 3 or run.total < 1.2:
            return 0.0
        if not run.given:
            return 0.56 if run.total >= 1.8 and _signs(read, run) else 0.0
        says = read.word(run.end) in SAYING and read.beside(run.end - 1) and not facts[run.end - 1] & UPPER
        if says:
            return 0.62
        unknown = facts[run.end - 1] & CAPITAL and not facts[run.end - 1] & _MARKS
        given = facts[run.first] & GIVEN and facts[run.first] & CAPITAL and not facts[run.first] & _NO_PERSON
        if given and (unknown or _has_particle(read, run)):
            return 0.58
        if run.total >= 1.8 and _signs(read, run):
            return 0.56
        return 0.45 if run.total >= 2.0 else 0.0
    certainty = 0.85 if run.total >= 5 else 0.78 if run.total >= 4 else 0.65 if run.total >= 3 else 0.5
    if min(run.strengths) < 1.0 and read.sentence_start(run.first) and run.strengths[0] < 1.0:
        certainty -= 0.15
    if read.word(run.end) in THINGS and read.beside(run.end - 1) and not run.given:
        certainty -= 0.3
    return certainty if run.given else certainty - 0.12


def _with_initials(read: Reading, run: Run) -> float:
    """Judge one word with initials: "A. Kumar" is somebody, "Kumar A" is where the word is a name."""
    fact, found = read.facts[run.first], run.strengths[0]
    if fact & INITIAL:
        if read.word(run.first - 1) in NOT_INITIALS or read.glued(run.first - 1):
            return 0.0
        if read.fact(run.first - 1) & NUMBER and read.beside(run.first - 1) and run.initials == 1:
            return _logged(read, run)
        if run.initials > 1 and found > 0.1 and read.word(run.first + 1) == ".":
            return 0.82 if found >= 2 else 0.62
        return 0.82 if found >= 2 else 0.62 if found >= 1.2 else 0.5 if found >= 1.0 else 0.0
    if fact & UPPER and len(read.tokens.words[run.first]) <= 3:
        return 0.0
    return 0.65 if found >= 2 else 0.0


def _logged(read: Reading, run: Run) -> float:
    """Judge "10:42 D. Park signed": after a number only a clock time, a letter with a stop, and an act."""
    words = read.tokens.words
    clock = words[run.first - 2 : run.first - 1] == [":"] or (
        len(words[run.first - 1]) == 4 and read.line_start(run.first - 1)
    )
    if not clock or words[run.first + 1] != ".":
        return 0.0
    found = run.strengths[0]
    return 0.8 if found >= 2 else 0.66 if found >= 1.2 or read.word(run.end) in _LOGGED | DOING else 0.0


_LOGGED = listed("""
    signed opened viewed printed accessed ordered entered verified cosigned closed reviewed added edited gave
    updated pushed administered started stopped noted charted documented removed placed hung logged released
    acknowledged resulted drew collected arrived
""")
"""what somebody does in the lines of a log"""


def _has_particle(read: Reading, run: Run) -> bool:
    return any(word in PARTICLES for word in read.tokens.words[run.first + 1 : run.end])


def _in_capitals(read: Reading, run: Run) -> float:
    """Judge a word in capitals: headings and abbreviations are written so, too."""
    found, letters = run.strengths[0], len(read.tokens.words[run.first])
    if read.word(run.end) in THINGS and read.beside(run.end - 1):
        return 0.0
    if found >= 2 and letters >= 5 and _is_only_a_name(read, run) and not read.facts[run.first] & OTHER:
        return 0.54
    return 0.4 if found >= 3 and letters > 3 else 0.0


def _is_only_a_name(read: Reading, run: Run) -> bool:
    """Say whether the lexicon knows the words of a run as names and as nothing else."""
    facts = [fact for fact in read.facts[run.first : run.end] if fact & RAISED]
    word = read.tokens.words[run.first]
    if len(word) < 3 or (word[1].isupper() and not word.isupper()) or any(fact & _ELSE for fact in facts):
        return False
    return all(fact & NAMED for fact in facts) or any(fact & _COMMON for fact in facts)


def _signs(read: Reading, run: Run) -> bool:
    """Say whether several words that are no words of the language close the note."""
    facts = [fact for fact in read.facts[run.first : run.end] if fact & RAISED]
    plain = any(fact & _ELSE or not fact & CAPITAL for fact in facts)
    return not plain and _ends_note(read, run)


def _ends_note(read: Reading, run: Run) -> bool:
    """Say whether a run closes the note, as a signature does, after the last sentence or on its own line."""
    words = read.tokens.words
    if run.end < len(words) - (words[-1] == "."):
        return False
    return read.line_start(run.first) or words[run.first - 1] in _SENTENCE_ENDS
