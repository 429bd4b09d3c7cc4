"""Names in English notes, by dictionaries and what stands beside them.

What raises certainty: a title before ("Dr."), a credential after (", M.D."), a label ("Patient:"), a relative
("daughter Jeannine"), somebody who acts ("seen by"), a given beside a family name, "Last, First M". A name of the
dictionary alone is doubtful when it is a word, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.detectors.dictionary import CAPITAL, GIVEN, INITIAL, LOWER, NAMED, RAISED, UPPER, Reading, reading
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.name_cues import (
    ACTING,
    ADDRESSING,
    CREDENTIALS,
    INITIAL_CUES,
    LABELS,
    NOT_INITIALS,
    PATIENT,
    SAYING,
    TITLES,
    TITLES_THAT_ARE_WORDS,
)
from sfumato.text.languages.en.name_runs import Run, part_end, run_from, strength
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE, Span

_RELATIVE = int(Mark.RELATIVE)
_OTHER = int(Mark.CITY | Mark.STATE | Mark.COUNTRY | Mark.COUNTY | Mark.EPONYM)
_ABBREVIATION = int(Mark.MEDICAL | Mark.TITLE | Mark.ORGANISATION | Mark.STATE | Mark.WORD_COMMON | Mark.MONTH | Mark.WEEKDAY)


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
        tokens = read.tokens
        done = 0
        for place in [at for at, fact in enumerate(read.facts) if fact & _BEGINS]:
            if place < done:
                continue
            for first, end, label, certainty in _found(read, place):
                if first >= done or end > done:
                    start, stop = tokens.starts[first], tokens.ends[end - 1]
                    yield Span(start, stop, Kind.NAME, label, certainty, self.name)
                    done = max(done, end)


_BEGINS = RAISED | INITIAL | int(Mark.RELATIVE)
Found = tuple[int, int, str, float]


def _found(read: Reading, place: int) -> Iterator[Found]:
    raise NotImplementedError
