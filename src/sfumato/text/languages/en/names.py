"""Names in English notes, by dictionaries and what stands beside them.

What raises certainty: a title before ("Dr."), a credential after (", M.D."), a label ("Patient:"), a relative
("daughter Jeannine"), somebody who acts ("seen by"), a given beside a family name, "Last, First M". A name of
the dictionary alone is doubtful when it is a word, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.detectors.dictionary import (
    CAPITAL,
    GIVEN,
    INITIAL,
    LOWER,
    RAISED,
    UPPER,
    Reading,
    reading,
)
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.name_alone import alone
from sfumato.text.languages.en.name_cues import (
    CLOSING,
    GRADES,
    PERSONAL,
    SURE_THINGS,
    Cue,
    credential_after,
    credential_at,
    cue_before,
    relative_after,
)
from sfumato.text.languages.en.name_initials import ABBREVIATION, initials_at
from sfumato.text.languages.en.name_listed import (
    LISTING,
    acting_in_role,
    bracketed_initials,
    called_on,
    initialled_word,
    joined_initials,
    longer_family,
    roomed,
    signed_out,
    titled_letter,
)
from sfumato.text.languages.en.name_lower import initialled, is_quiet, lower, may_be_lower
from sfumato.text.languages.en.name_order import last_first
from sfumato.text.languages.en.name_runs import PARTICLES, Found, Run, begins_with_particle, run_from
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import Span

_BEGINS = RAISED | INITIAL


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
        words = read.tokens.words
        quiet = is_quiet(read)
        done = 0
        for place, fact in enumerate(read.facts):
            if fact & _BEGINS:
                if place < done:
                    continue
                found = _raised(read, place)
            elif not fact & LOWER or place < done:
                continue
            elif words[place] in PARTICLES and begins_with_particle(read, place):
                found = _raised(read, place)
            elif quiet and len(words[place]) == 1:
                found = initialled(read, place)
            elif words[place] in LISTING:
                found = roomed(read, place) or called_on(read, place)
            elif may_be_lower(read, place, fact, quiet):
                found = lower(read, place, quiet)
            else:
                continue
            while found is not None:
                first, end, label, certainty = found
                yield Span(starts[first], ends[end - 1], Kind.NAME, label, certainty, self.name)
                done = end
                initials = bracketed_initials(read, first, end) or joined_initials(read, first, end)
                found = initials or _and_another(read, end, certainty, label)


def _raised(read: Reading, place: int) -> Found | None:
    """Judge the run that begins at a token with a capital."""
    if place and read.tokens.words[place - 1] in "'’" and read.glued(place - 2) and read.glued(place - 1):
        return None
    if read.word(place) in CLOSING and read.word(place + 1) == ",":
        return None
    cue = cue_before(read, place)
    acting = acting_in_role(read, place, cue)
    if acting is not None:
        return acting
    run = run_from(read, place, first_is_name=cue is not None and cue.sort == "title")
    short = run is not None and run.end == place + 1 and len(read.tokens.words[place]) <= 3
    if run is None or (
        short and read.facts[place] & UPPER and cue is not None and cue.sort in {"acting", "met"}
    ):
        return _letters(read, place, cue) if run is None else initials_at(read, place, cue)
    if cue is None or cue.sort != "title":
        after = read.word(run.end) if read.beside(run.end - 1) else ""
        if after in SURE_THINGS or (after in GRADES and not (run.given and run.total >= 4.0)):
            return None
    reversed_ = last_first(read, run, cue)
    if reversed_ is not None:
        return reversed_
    certainty = alone(read, run)
    if run.end == place + 1 and certainty < 0.6 and signed_out(read, place):
        certainty = 0.6
    label = ""
    if cue is not None:
        certainty = max(certainty, _announced(read, run, cue))
        label = cue.label
    if credential_after(read, run.end) and run.total > 0.3:
        certainty, label = max(certainty, 0.96 if run.words + run.initials > 1 else 0.85), "doctor"
    elif relative_after(read, run.end) and (run.total >= 1.0 or (run.given and not short)):
        certainty, label = max(certainty, 0.85), "relative"
    if certainty < 0.5 and short and read.facts[place] & UPPER:
        return initials_at(read, place, cue)
    if certainty < 0.3:
        return None
    end = run.end
    if certainty >= 0.5 and run.words == 1 and not run.initials and run.given and end == place + 1:
        end = longer_family(read, end)
    return run.first, end, label, certainty


def _letters(read: Reading, place: int, cue: Cue | None) -> Found | None:
    """Judge letters where no run of words begins."""
    word = initialled_word(read, place, cue)
    return word or initials_at(read, place, cue) or titled_letter(read, place, cue)


def _announced(read: Reading, run: Run, cue: Cue) -> float:
    """How certain a run is after a word that announces a name."""
    if cue.sort == "title":
        return cue.certainty
    strongest = max(run.strengths)
    several = run.words + run.initials > 1
    if cue.sort in _OF_PEOPLE and read.facts[run.first] & INITIAL and read.word(run.first + 1) == ".":
        return cue.certainty - 0.1
    if _is_no_thing(read, run) and (cue.sort == "role" or _is_addressed(read, run.first)):
        return _BEYOND_A_THING
    if cue.sort == "met" and read.facts[run.first] & Mark.EPONYM and read.word(run.first - 2) in _SENT_WITH:
        return 0.45
    if strongest >= 2.0 or (several and run.total >= 1.0):
        return cue.certainty
    fact = read.facts[run.first]
    if fact & Mark.NATIONALITY and cue.sort == "met":
        return 0.0
    if cue.sort == "met" and fact & Mark.FAMILY and fact & CAPITAL and _is_asked_for(read, run):
        return 0.6
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


def _and_another(read: Reading, end: int, certainty: float, label: str) -> Found | None:
    """Judge what "and", "&", "/" or a comma joins to a name that was found with certainty."""
    joint = read.word(end)
    if certainty < (0.75 if joint == "," else 0.6) or joint not in _JOINTS or not read.beside(end - 1):
        return None
    place = end + 1 + (joint == "," and read.word(end + 1) in ("and", "&", "or"))
    if not read.beside(place - 1):
        return None
    fact = read.facts[place]
    if not fact & _BEGINS and not (fact & LOWER and begins_with_particle(read, place)):
        return None
    if cue_before(read, place) is not None or credential_at(read, place) > place:
        return None
    run = run_from(read, place)
    if run is None:
        short = fact & UPPER and len(read.tokens.words[place]) <= 3 and not fact & ABBREVIATION
        if short and label != "patient" and joint != "," and certainty >= 0.75:
            return place, place + 1, "initials", 0.6
        return None
    strongest = max(run.strengths)
    if joint == ",":
        listed = strongest >= 1.2 and run.words <= 3 and read.word(run.end) in _LIST_GOES_ON
        joined = 0.6 if listed and not fact & UPPER else 0.0
    elif certainty < 0.75:
        joined = 0.58 if fact & GIVEN and strongest >= 1.0 and not fact & UPPER else 0.0
    else:
        joined = 0.72 if strongest >= 1.2 else 0.6 if run.total >= 1.0 or run.initials else 0.0
        joined = _BEYOND_A_THING if _is_no_thing(read, run) else joined
    found = max(alone(read, run), joined)
    return (run.first, run.end, label, found) if found >= 0.3 else None


def _is_no_thing(read: Reading, run: Run) -> bool:
    """Say whether a word that things are named after stands in the place of somebody: nothing follows it.

    "Spoke with Pfeiffer." is about a person, "with Foley catheter" is not.
    """
    fact = read.facts[run.first]
    if run.words > 1 or not fact & Mark.EPONYM or not fact & CAPITAL:
        return False
    return not read.beside(run.end - 1) or read.word(run.end) in _PAUSES


def _is_asked_for(read: Reading, run: Run) -> bool:
    """Say whether somebody is asked for by a name that is a word, too: ``ask for Sweat.``."""
    return read.word(run.first - 1) == "for" and (
        run.end >= len(read.tokens.words) or read.word(run.end) in _PAUSES
    )


def _is_addressed(read: Reading, place: int) -> bool:
    """Say whether somebody is spoken to here: nobody pages, or asks for, a catheter."""
    return any(read.word(place - back) in PERSONAL for back in (1, 2))


_OF_PEOPLE = frozenset(("role", "label", "title word", "relative"))
"""cues after which a letter with a stop begins a name, whatever word goes on with it"""
_SENT_WITH = frozenset(("home", "here", "back", "care", "sent", "send", "given", "gave", "transferred"))
"""before "with" and a thing as well as a person: "home with Foley"."""
_BEYOND_A_THING = 0.86
"""above what the clinical list says of such a word"""
_PAUSES = frozenset((".", ",", ";", ")", "(", "and", "at", "again", "on", "re", "after"))
_JOINTS = frozenset(("and", "&", "/", "or", "with", ","))
_LIST_GOES_ON = frozenset((",", "and", "&", "or", "(", ".", ";"))
