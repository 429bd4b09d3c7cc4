"""The whole-record pass: what was identified once in a person's record is found everywhere in it.

A header says "Whitfield, Eleanor M."; the body then says "Eleanor", "WHITFIELD's", "E.W." and, mistyped,
"Whitfeild". Columns beside the notes (name, record number, telephone) are searched for in the same way. How
certain a repeated word is depends on what else it could be: a name that is no other word is taken in any case
of letters, "Hand" or "Young" only where a capital letter means something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sfumato.text.detectors.known_values import places_of
from sfumato.text.detectors.spelling import Misspelt, folded, initials_of, name_parts
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Lexicon, Mark
from sfumato.text.note import Found
from sfumato.text.page import Page, Tokens
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, Span

REPEATED = 0.88
"""a name of this record again: below what a telling word beside it gives, above a mere form"""
_ELSE = Mark.WORD | Mark.WORD_COMMON | Mark.MEDICAL | Mark.DRUG | Mark.EPONYM | Mark.MONTH | Mark.WEEKDAY
"""what a word may be beside a name"""
_MANY = 0.6
"""a text with more than this share of its words in capitals: a capital letter says nothing in it"""
_SHORTEST_RUN = 5
"""letters and digits that a repeated number, address or place has at least"""
_LONGEST_RUN = 40
"""words that it has at most: nobody writes a longer one twice"""
_SENTENCE_ENDS = frozenset(".!?:•*-")
_NAMED = Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.FAMILY
_AUXILIARY = frozenset(("will", "may"))
"""names that English sentences begin with as verbs"""
_APOSTROPHES = frozenset(("'", "\u2019"))
_RUNS = (Kind.ID, Kind.PHONE, Kind.SSN, Kind.EMAIL, Kind.URL, Kind.IP, Kind.LOCATION, Kind.OTHER)


@dataclass(frozen=True)
class Sought:
    """What is looked for again in one record."""

    names: Mapping[str, tuple[float, frozenset[str]]]
    """folded part of a name → how certain it was, and how it was written"""
    initials: frozenset[str]
    runs: tuple[tuple[tuple[str, ...], Kind, str], ...]
    """sequences of folded words, their kind and label"""


@dataclass(frozen=True)
class WholeRecord:
    """Finds again what detectors found, and what other columns know."""

    lexicon: Lexicon = field(repr=False)
    name: str = "record"

    def find(self, found: Found, pages: Sequence[Page]) -> list[list[Span]]:
        """Propose spans for each note, given what was found in all of them."""
        sought = self._sought(found)
        if not sought.names and not sought.runs:
            return [[] for _ in pages]
        misspelt = Misspelt.of(part for part in sought.names if self._is_only_a_name(part))
        return [
            [*self._again(page.tokens, spans, sought, misspelt), *self._runs(page.tokens, sought)]
            for page, spans in zip(pages, found.spans, strict=True)
        ]

    def _sought(self, found: Found) -> Sought:
        names: dict[str, tuple[float, frozenset[str]]] = {}
        initials: set[str] = set()
        runs: set[tuple[tuple[str, ...], Kind, str]] = set()
        for kind, text, label, certainty in _said(found):
            if kind is Kind.NAME:
                for part in name_parts(text):
                    key = folded(part)
                    best, written = names.get(key, (0.0, frozenset()))
                    names[key] = (max(best, certainty), written | {part})
                if certainty >= LIKELY:
                    initials.update(initials_of(text))
            elif kind in _RUNS and certainty >= PROBABLE:
                words = tuple(folded(word) for word in Page(text).tokens.words if word[0].isalnum())
                enough = sum(map(len, words)) >= _SHORTEST_RUN
                if enough and len(words) <= _LONGEST_RUN and self._tells(words):
                    runs.add((words, kind, label))
        return Sought(names, frozenset(initials), tuple(sorted(runs)))

    def _tells(self, words: tuple[str, ...]) -> bool:
        """Say whether a run can be sought: it holds a number, or a word that is not an ordinary one."""
        text = "".join(words)
        if any(letter.isdigit() for letter in text):
            return len(text) >= _SHORTEST_RUN and sum(letter.isdigit() for letter in text) >= 4
        return len(words) > 1 or not self.lexicon.marks(words[0]) & _ELSE

    def _is_only_a_name(self, part: str) -> bool:
        return not self.lexicon.marks(part) & _ELSE

    def _again(
        self, tokens: Tokens, spans: tuple[Span, ...], sought: Sought, misspelt: Misspelt
    ) -> Iterator[Span]:
        """Propose every word that is a part of a sought name, mistyped once, or somebody's initials."""
        shouting = _is_shouting(tokens.words)
        covered = _covered(tokens, spans)
        for place, word in enumerate(tokens.words):
            if covered[place] or not word[0].isalpha():
                continue
            certainty = 0.0
            key = folded(word)
            if key in sought.names:
                certainty = self._certainty(word, place, tokens, sought.names[key], shouting, covered)
            elif word in sought.initials:
                known = self.lexicon.marks(word) & ~(Mark.FAMILY | Mark.GIVEN_FEMALE | Mark.GIVEN_MALE)
                certainty = DOUBTFUL if known or shouting else PROBABLE
            elif (
                len(word) >= Misspelt.SHORTEST
                and (word[0].isupper() or not shouting)
                and misspelt.near(key)
                and self.lexicon.marks(word) == 0
            ):
                certainty = PROBABLE
            if certainty:
                yield Span(tokens.starts[place], tokens.ends[place], Kind.NAME, "", certainty, self.name)

    def _certainty(
        self,
        word: str,
        place: int,
        tokens: Tokens,
        sought: tuple[float, frozenset[str]],
        shouting: bool,
        covered: list[bool],
    ) -> float:
        certainty, written = sought
        if self._is_only_a_name(folded(word)):
            if len(word) > 2 and (certainty >= LIKELY or word[0].isupper()):
                return REPEATED
            return REPEATED if word in written else 0.0
        beside = (place > 0 and covered[place - 1]) or (place + 1 < len(covered) and covered[place + 1])
        if certainty < PROBABLE or word.islower():
            return 0.0
        if beside:
            return REPEATED
        if shouting:
            return DOUBTFUL
        if _begins_sentence(tokens, place) and not self._begins_as_a_name(word, place, tokens, certainty):
            return DOUBTFUL
        return 0.8 if word in written or word.istitle() else DOUBTFUL

    def _begins_as_a_name(self, word: str, place: int, tokens: Tokens, certainty: float) -> bool:
        """Say whether a word that begins a sentence is the name again: "Brown slid", "Frost's drops".

        What is a name beyond doubt elsewhere is one here, too, before an ordinary word that is not medical,
        unless the language makes sentences begin with it (a month, "will").
        """
        marks = self.lexicon.marks(word)
        if certainty < LIKELY or not word.istitle() or not marks & _NAMED or marks & Mark.MONTH:
            return False
        if place + 1 >= len(tokens) or folded(word) in _AUXILIARY:
            return False
        after = tokens.words[place + 1]
        if after in _APOSTROPHES:
            noun = tokens.words[place + 3] if place + 3 < len(tokens) else ""
            return not marks & Mark.EPONYM or not self.lexicon.marks(noun) & Mark.MEDICAL
        if marks & (Mark.MEDICAL | Mark.EPONYM | Mark.DRUG):
            return False
        said = self.lexicon.marks(after)
        return after.islower() and bool(said & (Mark.WORD | Mark.WORD_COMMON)) and not said & Mark.MEDICAL

    def _runs(self, tokens: Tokens, sought: Sought) -> Iterator[Span]:
        """Propose sequences of words that were numbers, addresses or places elsewhere in the record."""
        for which, first, after in places_of(tokens, [words for words, _, _ in sought.runs]):
            _, kind, label = sought.runs[which]
            yield Span(tokens.starts[first], tokens.ends[after - 1], kind, label, REPEATED, self.name)


def _said(found: Found) -> Iterator[tuple[Kind, str, str, float]]:
    for known in found.record.known:
        yield known.kind, known.value, known.label, 1.0
    for note, spans in zip(found.record.notes, found.spans, strict=True):
        for span in spans:
            yield span.kind, span.of(note.text), span.label, span.certainty


def _covered(tokens: Tokens, spans: tuple[Span, ...]) -> list[bool]:
    """Say of every token whether a span that was taken covers it."""
    covered = [False] * len(tokens)
    place = 0
    for span in spans:
        while place < len(tokens) and tokens.ends[place] <= span.start:
            place += 1
        while place < len(tokens) and tokens.starts[place] < span.end:
            covered[place] = True
            place += 1
    return covered


def _is_shouting(words: Iterable[str]) -> bool:
    capital = small = 0
    for word in words:
        if len(word) > 1 and word.isalpha():
            capital += word.isupper()
            small += not word.isupper()
    return capital > _MANY * (capital + small)


def _begins_sentence(tokens: Tokens, place: int) -> bool:
    return place == 0 or tokens.words[place - 1] in _SENTENCE_ENDS
