"""Names in English notes, by dictionaries and what stands beside them.

What raises certainty: a title before ("Dr."), a credential after (", M.D."), a label ("Patient:"), a relative
("daughter Jeannine"), somebody who acts ("seen by"), a given beside a family name, "Last, First M". A name of
the dictionary alone is doubtful when it is a word, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.detectors.dictionary import GIVEN, INITIAL, LOWER, NAMED, RAISED, UPPER, Reading, reading
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.name_cues import (
    NOT_INITIALS,
    SAYING,
    TITLES,
    Cue,
    credential_after,
    cue_before,
    relative_after,
)
from sfumato.text.languages.en.name_runs import NEVER, Run, run_from, strength
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import Span

_BEGINS = RAISED | INITIAL
_NO_LOWER_NAME = LOWER | int(Mark.WORD | Mark.MEDICAL | Mark.DRUG | Mark.TITLE | Mark.STREET | Mark.MONTH)
_OTHER = int(
    Mark.CITY | Mark.STATE | Mark.COUNTRY | Mark.COUNTY | Mark.EPONYM | Mark.NATIONALITY | Mark.HOSPITAL
)
_ABBREVIATION = int(
    Mark.MEDICAL | Mark.TITLE | Mark.ORGANISATION | Mark.STATE | Mark.WORD_COMMON | Mark.MONTH | Mark.WEEKDAY
)
_BEFORE_PEOPLE = frozenset(("with", "by", "to", "from", "for", "told", "asked", "and", "of"))
Found = tuple[int, int, str, float]
"""first token, token after the last, label, certainty"""


@dataclass(frozen=True)
class EnglishNames:
    """Proposes names of people.

    >>> text = "Seen by Dr. Respighi; daughter Jeannine at bedside."
    >>> [span.of(text) for span in EnglishNames().find(Page(text))]
    ['Respighi', 'Jeannine']
    """

    name: str = "names"

    def find(self, page: Page) -> Iterator[Span]:
        """Propose names."""
        read = reading(page, "en")
        starts, ends = read.tokens.starts, read.tokens.ends
        done = 0
        for place, fact in enumerate(read.facts):
            if fact & _BEGINS:
                if place < done:
                    continue
                found = _raised(read, place)
            elif fact & LOWER and place >= done and _may_be_lower(read, place, fact):
                found = _lower(read, place)
            else:
                continue
            while found is not None:
                first, end, label, certainty = found
                yield Span(starts[first], ends[end - 1], Kind.NAME, label, certainty, self.name)
                done = end
                found = _and_another(read, end, certainty, label)


def _raised(read: Reading, place: int) -> Found | None:
    """Judge the run that begins at a token with a capital."""
    cue = cue_before(read, place)
    run = run_from(read, place, first_is_name=cue is not None and cue.sort == "title")
    short = run is not None and run.end == place + 1 and len(read.tokens.words[place]) <= 3
    if run is None or (
        short and read.facts[place] & UPPER and cue is not None and cue.sort in {"acting", "met"}
    ):
        return _initials(read, place, cue)
    reversed_ = _last_first(read, run, cue)
    if reversed_ is not None:
        return reversed_
    certainty = _alone(read, run)
    label = ""
    if cue is not None:
        certainty = max(certainty, _announced(read, run, cue))
        label = cue.label
    if credential_after(read, run.end) and run.total > 0.3:
        certainty, label = max(certainty, 0.96 if run.words + run.initials > 1 else 0.85), "doctor"
    elif relative_after(read, run.end) and run.total >= 1.0:
        certainty, label = max(certainty, 0.85), "relative"
    return (run.first, run.end, label, certainty) if certainty >= 0.3 else None


def _alone(read: Reading, run: Run) -> float:
    """How certain a run is with nothing beside it."""
    facts = read.facts
    if run.words >= 2:
        best = max(run.strengths)
        if run.words > 4 or best < 2.0:
            if not run.given or run.words > 3 or run.total < 1.2:
                return 0.0
            says = (
                read.word(run.end) in SAYING and read.beside(run.end - 1) and not facts[run.end - 1] & UPPER
            )
            return 0.62 if says else 0.45 if run.total >= 2.0 else 0.0
        certainty = 0.85 if run.total >= 5 else 0.78 if run.total >= 4 else 0.65 if run.total >= 3 else 0.5
        if min(run.strengths) < 1.0 and read.sentence_start(run.first) and run.strengths[0] < 1.0:
            certainty -= 0.15
        return certainty if run.given else certainty - 0.12
    found = run.strengths[0]
    if run.initials:
        if facts[run.first] & INITIAL:
            if read.word(run.first - 1) in NOT_INITIALS or read.glued(run.first - 1):
                return 0.0
            return 0.82 if found >= 2 else 0.62 if found >= 1.2 else 0.5 if found >= 1.0 else 0.0
        return 0.65 if found >= 2 else 0.0
    fact = facts[run.first]
    if fact & UPPER:
        return 0.4 if found >= 3 and len(read.tokens.words[run.first]) > 3 else 0.0
    if fact & (Mark.MONTH | Mark.WEEKDAY | Mark.HOLIDAY):
        return 0.0
    if fact & (Mark.EPONYM | Mark.NATIONALITY):
        return 0.4 if found >= 2 else 0.0
    if fact & _OTHER and found < 3:
        found -= 1.0
    if read.word(run.end) in SAYING and read.beside(run.end - 1) and found >= 1.2:
        return 0.7
    if read.word(run.end) in ("'", "’") and read.word(run.end + 1) == "s" and found >= 2:
        return 0.6
    if (
        found >= 2
        and fact & GIVEN
        and read.word(run.first - 1) in _BEFORE_PEOPLE
        and read.beside(run.first - 1)
    ):
        return 0.6
    return (0.52 if fact & _OTHER else 0.6) if found >= 3 else 0.42 if found >= 2 else 0.0


def _announced(read: Reading, run: Run, cue: Cue) -> float:
    """How certain a run is after a word that announces a name."""
    if cue.sort == "title":
        return cue.certainty
    strongest = max(run.strengths)
    several = run.words + run.initials > 1
    if strongest >= 2.0 or (several and run.total >= 1.0):
        return cue.certainty
    fact = read.facts[run.first]
    if strongest >= 1.0:
        doubt = 0.15 if cue.sort in {"label", "address", "relative", "title word"} else 0.25
        if fact & UPPER and len(read.tokens.words[run.first]) < 5:
            doubt += 0.15
        return cue.certainty - doubt
    if cue.sort in {"relative", "label", "address"} and fact & GIVEN and not fact & UPPER:
        return 0.75
    if cue.sort in {"label", "address", "title word"} and strongest >= 0.4 and not several:
        return 0.45
    return 0.0


def _last_first(read: Reading, run: Run, cue: Cue | None) -> Found | None:
    """Judge "Last, First M": a comma between two runs, the second of which begins with a given name."""
    words = read.tokens.words
    if run.end >= len(words) or words[run.end] != "," or run.words > 3 or not read.glued(run.end - 1):
        return None
    if not read.beside(run.end) or credential_after(read, run.end):
        return None
    announced = cue is not None and cue.sort in {"label", "address", "title", "patient"}
    second = run_from(read, run.end + 1, least=0.1 if announced else 0.3)
    if second is None or second.words > 3 or read.facts[second.first] & INITIAL:
        return None
    fact = read.facts[second.first]
    total = run.total + second.total
    if announced and (total >= 1.5 or (total >= 1.0 and fact & GIVEN)):
        return run.first, second.end, cue.label if cue else "", 0.95
    if fact & Mark.STATE:
        return None
    if not fact & GIVEN:
        return _unknown_last_first(read, run, second)
    if run.words + run.initials >= 2 and run.given:
        return None
    certainty = 0.82 if total >= 4 else 0.72 if total >= 3 else 0.55 if total >= 2.2 else 0.0
    if second.initials:
        certainty = min(certainty + 0.12, 0.95)
    elif second.strengths[0] < 2.0:
        certainty -= 0.15
    if certainty < 0.4 or words[run.first - 1 : run.first] == [","]:
        return None
    return run.first, second.end, "", certainty


def _unknown_last_first(read: Reading, run: Run, second: Run) -> Found | None:
    """Judge two unknown words with a comma: a name where a field begins, or where an initial follows."""
    if (
        run.words > 1
        or second.words > 1
        or (
            all(fact & UPPER for fact in read.facts[run.first : second.end : 2])
            and (min(len(read.tokens.words[run.first]), len(read.tokens.words[second.first])) < 5)
        )
    ):
        return None
    if min(run.total, second.total) < 1.0:
        return None
    if any(
        fact & (_OTHER | Mark.DRUG | Mark.MEDICAL | Mark.WORD) for fact in read.facts[run.first : second.end]
    ):
        return None
    begins = read.line_start(run.first) or read.word(run.first - 1) in _FIELD_ENDS
    certainty = 0.5 + 0.12 * begins + 0.15 * (second.initials > 0)
    return run.first, second.end, "", certainty


_FIELD_ENDS = frozenset('|"“:(;')


def _initials(read: Reading, place: int, cue: Cue | None) -> Found | None:
    """Judge initials: ``EW`` after "seen by", ``J.S.``, and the capitals that a note is closed with."""
    fact = read.facts[place]
    words = read.tokens.words
    announced = cue is not None and cue.sort in {"acting", "label", "met", "title"}
    if fact & UPPER and len(words[place]) == 2 and announced and _and_a_person(read, place + 1):
        return place, place + 1, "initials", 0.8
    if fact & UPPER and len(words[place]) <= 3 and not fact & _ABBREVIATION:
        if announced and cue is not None:
            return place, place + 1, "initials", cue.certainty - 0.1
        return (place, place + 1, "initials", 0.52) if _closes_line(read, place) else None
    end = place
    spelt = ""
    while read.facts[end] & INITIAL and words[end + 1 : end + 2] == ["."] and len(spelt) < 4:
        spelt += words[end]
        end += 2
        if not read.beside(end - 1):
            break
    if read.facts[end] & INITIAL and spelt and read.beside(end - 1) and read.glued(end - 1):
        spelt += words[end]
        end += 1
    if not 2 <= len(spelt) <= 3 or read.marks(spelt) & _ABBREVIATION or read.glued(place - 1):
        return None
    if words[end - 1] == ".":
        end -= 1
    return place, end, "initials", cue.certainty - 0.15 if announced and cue is not None else 0.55


def _and_a_person(read: Reading, place: int) -> bool:
    """Say whether "and" joins somebody with an initial, so that what stands before is somebody, too."""
    return (
        read.word(place) in ("and", "&", "/")
        and bool(read.facts[place + 1] & INITIAL)
        and read.word(place + 2) == "."
        and bool(read.facts[place + 3] & RAISED)
    )


def _closes_line(read: Reading, place: int) -> bool:
    """Say whether a few capitals are the last of a line after a full stop, or the last line."""
    last = place + 1 >= len(read.tokens.words) or read.line_start(place + 1)
    return (
        last
        and (read.line_start(place) or read.word(place - 1) in (".", "/"))
        and not (read.line_start(place) and place + 1 < len(read.tokens.words))
    )


def _and_another(read: Reading, end: int, certainty: float, label: str) -> Found | None:
    """Judge what "and", "&" or "/" joins to a name that was found with certainty."""
    if certainty < 0.75 or read.word(end) not in ("and", "&", "/", "or", "with") or not read.beside(end - 1):
        return None
    place = end + 1
    if not read.beside(end) or not read.facts[place] & _BEGINS:
        return None
    if cue_before(read, place) is not None:
        return None
    run = run_from(read, place)
    if run is None:
        fact = read.facts[place]
        if (
            fact & UPPER
            and len(read.tokens.words[place]) <= 3
            and not fact & _ABBREVIATION
            and label != "patient"
        ):
            return place, place + 1, "initials", 0.6
        return None
    joined = 0.72 if max(run.strengths) >= 1.2 else 0.6 if run.total >= 1.0 or run.initials else 0.0
    found = max(_alone(read, run), joined)
    return (run.first, run.end, label, found) if found >= 0.3 else None


def _may_be_lower(read: Reading, place: int, fact: int) -> bool:
    """Say whether a name in small letters is worth a look: no word, or two usual names after "pt"."""
    if fact & NAMED and fact & _NO_LOWER_NAME == LOWER:
        return True
    if fact & NAMED or not fact & _MARKS:
        before = read.word(place - 1)
        if before in TITLES or (before == "." and read.word(place - 2) in TITLES):
            return read.word(place) not in NEVER and len(read.tokens.words[place]) > 2
    if not fact & GIVEN:
        return False
    after = read.facts[place + 1]
    return bool(
        (fact & Mark.NAME_COMMON or not after & Mark.WORD)
        and after & Mark.FAMILY
        and after & LOWER
        and (after & Mark.NAME_COMMON or not after & Mark.WORD)
        and not (fact & Mark.MONTH and after & Mark.WORD)
        and read.word(place) != "will"
        and read.word(place - 1) in ("pt", "patient", "name", ":", "mr", "mrs", "ms", "dr")
    )


def _lower(read: Reading, place: int) -> Found | None:
    """Judge a name in small letters: after a cue, or several side by side."""
    facts, words = read.facts, read.tokens.words
    cue = cue_before(read, place)
    end = place + 1
    strengths = [strength(facts[place])]
    while end < len(words) and len(strengths) < 4 and end - place < 10 and read.beside(end - 1):
        fact = facts[end]
        if fact & NAMED and fact & _NO_LOWER_NAME == LOWER:
            strengths.append(strength(fact))
            end += 1
        elif (
            fact & LOWER
            and len(words[end]) == 1
            and words[end] not in "ai"
            and words[end + 1 : end + 2] == ["."]
        ):
            end += 2
        elif words[end] in "-'’" and read.glued(end - 1) and read.glued(end) and facts[end + 1] & NAMED:
            strengths.append(strength(facts[end + 1]))
            end += 2
        elif cue is not None and len(strengths) <= 2 and facts[place] & GIVEN and _lower_family(fact):
            strengths.append(1.0)
            end += 1
        else:
            break
    while words[end - 1] == ".":
        end -= 1
    several = len(strengths) > 1
    if credential_after(read, end):
        return place, end, "doctor", 0.9
    if cue is None:
        sure = several and sum(strengths) >= 5 and facts[place] & GIVEN
        return (place, end, "", 0.6) if sure else None
    if cue.sort == "title":
        return place, end, cue.label, 0.93
    if several:
        return place, end, cue.label, cue.certainty
    if cue.sort == "met" or not facts[place] & GIVEN:
        return (place, end, cue.label, 0.55) if strengths[0] >= 3 else None
    return place, end, cue.label, cue.certainty - (0.1 if strengths[0] >= 3 else 0.3)


def _lower_family(fact: int) -> bool:
    """Say whether a word in small letters may be the family name after a given one: unknown, or usual."""
    if not fact & LOWER or fact & (Mark.MEDICAL | Mark.DRUG):
        return False
    usual = fact & Mark.NAME_COMMON or not fact & Mark.WORD_COMMON
    return not fact & _MARKS or bool(fact & Mark.FAMILY and usual)


_MARKS = (1 << 24) - 1
