"""Sanitise: say sensitive terms less precisely, so that a note fits t texts at the least loss.

Jiang, Murugesan, Clifton, Si: "t-Plausibility: semantic preserving text sanitization" (CSE 2009).
"""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.text.kinds import Kind
from sfumato.text.models.t_plausibility import LABEL, TPlausibility
from sfumato.text.note import Note, Record
from sfumato.text.ontology.counting import Counting, Option, options_of
from sfumato.text.ontology.exact import exact
from sfumato.text.ontology.finding import Mention, TermIndex
from sfumato.text.ontology.ontology import Ontology, folded
from sfumato.text.ontology.search import LOSSES, Loss, Problem, greedy
from sfumato.text.ontology.senses import MEDICAL, Senses
from sfumato.text.ontology.wording import ARTICLE, article, fitted, is_plural, plural
from sfumato.text.ontology.wordnet import wordnet
from sfumato.text.replace.contract import Change
from sfumato.text.span import Span, disjoint

Search = Literal["greedy", "exact"]
_ROUNDS = 5
"""how often a note that the check finds short is searched anew with a higher aim"""


@dataclass(frozen=True)
class Sanitise:
    """Generalise sensitive terms along an ontology until every note reaches t-plausibility.

    Sensitive are the ``terms`` that are listed, everything strictly under the concepts named as ``subtrees``
    (``"disease"``, ``"drug"``), and spans that are handed to ``changes``. One concept is shown alike in all
    notes of a record. ``search`` is ``greedy`` (near the least loss, fast) or ``exact``; ``loss`` is what is
    kept small (``ontology/search.py``); ``prefer`` and ``senses`` choose among meanings
    (``ontology/senses.py``). Every single term hides among at least ``least``; with 1, as in the paper, some
    terms may stay as they are when others are lifted far enough.

    Generalising invents nothing: what stands there is true, and less precise.

    >>> method = Sanitise(50, terms=("tuberculosis",))
    >>> note = "Tuberculosis is suspected."
    >>> [[change.after for change in changes] for changes in method.changes(Record.of(note))]
    [['Infectious disease']]
    """

    t: int
    terms: tuple[str, ...] = field(default=(), repr=False)
    subtrees: tuple[str, ...] = ()
    search: Search = "greedy"
    counting: Counting = "descendants"
    loss: Loss = "entropy"
    least: int = 2
    prefer: tuple[str, ...] = MEDICAL
    senses: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    ontology: Ontology | None = field(default=None, repr=False)
    """WordNet, unless another is given"""
    name: ClassVar[str] = "sanitise"

    def __post_init__(self) -> None:
        for what in ("terms", "subtrees", "prefer"):
            listed = getattr(self, what)
            if isinstance(listed, str):
                raise BadInput(f"{what} must be a list", where=self.name, remedy=f"write {what}: [disease]")
            object.__setattr__(self, what, tuple(listed))
        self._model  # noqa: B018 - wrong parameters are refused where they are written
        for value, choices, what in (
            (self.search, get_args(Search), "search"),
            (self.loss, LOSSES, "loss"),
        ):
            if value not in choices:
                raise BadInput(
                    f"the {what} is not known", where=self.name, remedy=nearest(str(value), choices)
                )

    @property
    def _model(self) -> TPlausibility:
        return TPlausibility(self.t, self.counting, self.least, self.ontology)

    @functools.cached_property
    def _index(self) -> TermIndex:
        return self._indexed(self.terms)

    def _indexed(self, terms: tuple[str, ...]) -> TermIndex:
        senses = Senses(self.ontology or wordnet(), self.prefer, self.senses)
        return TermIndex.of(senses, terms, self.subtrees)

    def describe(self) -> str:
        """Say in words what is done, for the evidence."""
        return (
            f"sensitive terms generalised along an ontology ({self.search} search, loss: {self.loss}) until "
            f"every note fits {self.t:,} texts, counted by {self.counting}"
        )

    def changes(
        self,
        record: Record,
        taken: tuple[tuple[Span, ...], ...] = (),
        sensitive: tuple[tuple[Span, ...], ...] = (),
    ) -> tuple[tuple[Change, ...], ...]:
        """Return, for each note, one change for each sensitive term, also for those that stay.

        ``taken`` are spans that something else replaces (identifiers): they are never touched. ``sensitive``
        are spans that hold one sensitive term each, beside those that are looked for.
        """
        empty: tuple[tuple[Span, ...], ...] = ((),) * len(record.notes)
        taken = taken or empty
        mentions = self._mentions(record, taken, sensitive or empty)
        concepts = sorted({mention.sense for found in mentions for mention in found})
        options = [self._options(concept, record, mentions) for concept in concepts]
        number = {concept: place for place, concept in enumerate(concepts)}
        spoken = [place for place, found in enumerate(mentions) if found]
        lists = tuple(
            tuple(sorted({number[mention.sense] for mention in mentions[place]})) for place in spoken
        )
        needs = [self.t] * len(spoken)
        for _ in range(_ROUNDS):
            problem = Problem(tuple(options), lists, tuple(needs), self.loss)
            self._refuse_infeasible(problem, [record.notes[place] for place in spoken])
            choice = exact(problem) if self.search == "exact" else greedy(problem)
            shown = {concept: options[place][choice[place]] for concept, place in number.items()}
            made = tuple(
                self._made(note.text, found, shown, spans)
                for note, found, spans in zip(record.notes, mentions, taken, strict=True)
            )
            short = self._short(record, made, spoken)
            if not short:
                return made
            # Words that can mean several things may fit fewer texts than the senses that were chosen.
            for place, missing in short.items():
                needs[place] *= missing
        raise self._not_met("the words of a note are too ambiguous", "name the senses that are meant")

    def _mentions(
        self, record: Record, taken: Sequence[Sequence[Span]], sensitive: Sequence[Sequence[Span]]
    ) -> list[list[Mention]]:
        """Return the sensitive terms of each note in their order: those that were marked, and those found."""
        blocked = [sorted((*ours, *theirs)) for ours, theirs in zip(sensitive, taken, strict=True)]
        for note, spans in zip(record.notes, blocked, strict=True):
            if not disjoint(spans):
                raise BadInput(
                    "marked terms and taken spans overlap",
                    where=f"note '{note.id}'",
                    remedy="mark each term once, outside what is taken",
                )
        marked = [
            self._index.of_spans(note.text, spans, f"note '{note.id}'")
            for note, spans in zip(record.notes, sensitive, strict=True)
        ]
        # What was marked once is looked for in the whole record.
        terms = {mention.term for listed in marked for mention in listed}
        index = self._index if terms <= self._index.asked else self._indexed((*self.terms, *sorted(terms)))
        found = index.find_all([note.text for note in record.notes], blocked)
        return [
            sorted((*known, *more), key=lambda mention: mention.start)
            for known, more in zip(marked, found, strict=True)
        ]

    def _options(
        self, concept: int, record: Record, mentions: Sequence[Sequence[Mention]]
    ) -> tuple[Option, ...]:
        forms = {
            folded(note.text[mention.start : mention.end])
            for note, found in zip(record.notes, mentions, strict=True)
            for mention in found
            if mention.sense == concept
        }
        options = self._cached_options(concept, frozenset(forms))
        allowed = tuple(option for option in options if option.count >= self.least)
        if not allowed:
            raise self._not_met(
                f"a term cannot hide among {self.least}; at most among {options[-1].count}",
                "ask for a smaller least, or give an ontology with more under its concepts",
            )
        return allowed

    @functools.cached_property
    def _known_options(self) -> dict[tuple[int, frozenset[str]], tuple[Option, ...]]:
        return {}

    def _cached_options(self, concept: int, forms: frozenset[str]) -> tuple[Option, ...]:
        key = concept, forms
        if key not in self._known_options:
            nouns = self._index.senses.ontology
            self._known_options[key] = options_of(nouns, concept, sorted(forms), self.counting)
        return self._known_options[key]

    def _refuse_infeasible(self, problem: Problem, notes: Sequence[Note]) -> None:
        for place, note in enumerate(notes):
            most = problem.reachable(place)
            if most < problem.needs[place]:
                many = len(problem.notes[place])
                raise self._not_met(
                    f"note '{note.id}' has {many} sensitive term{'s' * (many != 1)} and fits {most:,} texts "
                    f"at most, where t = {self.t:,}",
                    f"ask for t ≤ {most:,}, list more terms as sensitive, or leave the note out",
                )

    def _not_met(self, what: str, remedy: str) -> PromiseNotMet:
        return PromiseNotMet(what, where=self.name, remedy=remedy)

    def _short(
        self, record: Record, made: tuple[tuple[Change, ...], ...], spoken: Sequence[int]
    ) -> dict[int, int]:
        """Return the notes that the promise finds short, and by what factor."""
        short = {}
        for place, note in enumerate(spoken):
            reached = math.prod(self._model.factors(record.notes[note].text, made[note]))
            if reached < self.t:
                short[place] = -(-self.t // reached)
        return short

    def _made(
        self,
        text: str,
        mentions: Sequence[Mention],
        shown: Mapping[int, Option],
        taken: Sequence[Span],
    ) -> tuple[Change, ...]:
        """Put what terms are shown as into words."""
        made: list[Change] = []
        ends = [span.end for span in taken]
        for mention in mentions:
            start, end, option = mention.start, mention.end, shown[mention.sense]
            after, how = text[start:end], "kept"
            if option.levels:
                passed = bisect.bisect_right(ends, start)
                free = max(made[-1].span.end if made else 0, ends[passed - 1] if passed else 0)
                start, after = self._worded(text, mention, option, free)
                how = "generalised"
            made.append(Change(Span(start, end, Kind.OTHER, LABEL, 1.0, self.name), after, how))
        return tuple(made)

    def _worded(self, text: str, mention: Mention, option: Option, free: int) -> tuple[int, str]:
        """Return where the change begins and what stands there: an article before it is set anew."""
        nouns = self._index.senses.ontology
        label = nouns.labels[option.concept]
        if mention.many and not is_plural(label):
            label = plural(label, self._plurals)
        after = fitted(label, text, mention.start, mention.end)
        before = ARTICLE.search(text[max(free, mention.start - 16) : mention.start])
        if before is None or mention.many or before[1].lower() == article(label):
            return mention.start, after
        right = article(label)
        right = right.upper() if before[1] in ("AN", "A") and after.isupper() else right
        right = right.capitalize() if before[1][0].isupper() and not right.isupper() else right
        return mention.start - len(before[0]), f"{right}{before[2]}{after}"

    @functools.cached_property
    def _plurals(self) -> dict[str, str]:
        irregular = self._index.senses.ontology.irregular
        return {single: many for many, single in irregular.items()}
