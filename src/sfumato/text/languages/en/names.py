"""Names in English notes, by dictionaries and what stands beside them.

What raises certainty: a title before ("Dr."), a credential after (", M.D."), a label ("Patient:"), a relative
("daughter Jeannine"), somebody who acts ("seen by"), a given beside a family name, "Last, First M". A name of the
dictionary alone is doubtful when it is a word, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.detectors.dictionary import GIVEN, INITIAL, LOWER, NAMED, RAISED, UPPER, Reading, reading
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.name_cues import (
    NOT_INITIALS,
    SAYING,
    Cue,
    credential_after,
    cue_before,
    relative_after,
)
from sfumato.text.languages.en.name_runs import Run, run_from, strength
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import Span


_BEGINS = RAISED | INITIAL
_NO_LOWER_NAME = LOWER | int(Mark.WORD | Mark.MEDICAL | Mark.DRUG | Mark.EPONYM | Mark.TITLE | Mark.STREET | Mark.MONTH)
_OTHER = int(Mark.CITY | Mark.STATE | Mark.COUNTRY | Mark.COUNTY | Mark.EPONYM | Mark.NATIONALITY | Mark.HOSPITAL)
_ABBREVIATION = int(
    Mark.MEDICAL | Mark.TITLE | Mark.ORGANISATION | Mark.STATE | Mark.WORD_COMMON | Mark.MONTH | Mark.WEEKDAY
)
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
            elif fact & NAMED and fact & _NO_LOWER_NAME == LOWER and place >= done:
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
    if run is None:
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
            return 0.45 if run.given and run.total >= 2.0 and run.words < 4 else 0.0
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
    if fact & _OTHER and found < 3:
        found -= 1.0
    if read.word(run.end) in SAYING and read.beside(run.end - 1) and found >= 1.2:
        return 0.7
    if read.word(run.end) in ("'", "’") and read.word(run.end + 1) == "s" and found >= 2:
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
    second = run_from(read, run.end + 1, least=0.3)
    if second is None or second.words > 3 or read.facts[second.first] & INITIAL:
        return None
    fact = read.facts[second.first]
    announced = cue is not None and cue.sort in {"label", "address", "title", "patient"}
    total = run.total + second.total
    if announced and total >= 1.5:
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
    """Judge two words that nobody knows, with a comma: a name where a field begins, or where an initial follows."""
    if run.words > 1 or second.words > 1 or min(run.total, second.total) < 1.0:
        return None
    if any(fact & (_OTHER | Mark.DRUG | Mark.MEDICAL | Mark.WORD) for fact in read.facts[run.first : second.end]):
        return None
    begins = read.line_start(run.first) or read.word(run.first - 1) in _FIELD_ENDS
    certainty = 0.5 + 0.12 * begins + 0.15 * (second.initials > 0)
    return run.first, second.end, "", certainty


_FIELD_ENDS = frozenset("|\"“:(;")


def _initials(read: Reading, place: int, cue: Cue | None) -> Found | None:
    """Judge two or three capitals after "seen by": ``EW``, ``J.S.``"""
    if cue is None or cue.sort not in {"acting", "label", "met", "title"}:
        return None
    fact = read.facts[place]
    word = read.tokens.words[place]
    if fact & UPPER and len(word) <= 3 and not fact & _ABBREVIATION:
        return place, place + 1, "initials", cue.certainty - 0.1
    if fact & INITIAL and cue.sort != "met":
        end = place
        words = read.tokens.words
        while end + 1 < len(words) and read.facts[end] & INITIAL and words[end + 1] == "." and read.glued(end):
            end += 2
        if end - place >= 4:
            return place, end - 1, "initials", cue.certainty - 0.15
    return None


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
        if fact & UPPER and len(read.tokens.words[place]) <= 3 and not fact & _ABBREVIATION and label != "patient":
            return place, place + 1, "initials", 0.6
        return None
    found = max(_alone(read, run), 0.72 if max(run.strengths) >= 1.2 else 0.6 if run.total >= 1.0 else 0.0)
    return (run.first, run.end, label, found) if found >= 0.3 else None


def _lower(read: Reading, place: int) -> Found | None:
    """Judge a name of the dictionary that is written without capitals: after a cue, or two side by side."""
    facts = read.facts
    end = place + 1
    words = read.tokens.words
    while end < len(words) and end - place < 4 and read.beside(end - 1):
        if facts[end] & NAMED and facts[end] & _NO_LOWER_NAME == LOWER:
            end += 1
        elif words[end] in "-'’" and read.glued(end - 1) and read.glued(end) and facts[end + 1] & NAMED:
            end += 2
        else:
            break
    cue = cue_before(read, place)
    strengths = [strength(fact) for fact in facts[place:end] if fact & NAMED]
    several = len(strengths) > 1
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


