"""Evaluate a finder on annotated notes: how much it finds, how much it takes too much, which notes leak.

The figure that counts is the share of notes **without a leak**: notes none of whose identifying tokens stays.
A recall of .99 sounds well and leaves half of all notes with a leak when a note holds seventy such tokens.
An ``Evaluation`` holds numbers only: no text, no offset, no note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from sfumato.core.errors import BadInput
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.evaluate.compared import Compared, Outcome, Token, compare
from sfumato.text.evaluate.intervals import Share, share_of_notes, share_of_tokens
from sfumato.text.evaluate.scope import HIPAA, Scope
from sfumato.text.evaluate.scores import SpanScore, TokenScore
from sfumato.text.note import Found, Note, Record
from sfumato.text.span import Span

NOTHING = "–"
"""stands in the confusion table for text that nobody annotated, or nobody found"""


class Finds(Protocol):
    """What can be evaluated: ``text.finder.Finder`` and whatever is called like it."""

    def find(self, record: Record) -> Found:
        """Search a record."""


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The scores of one kind, label or template."""

    tokens: TokenScore = field(default_factory=TokenScore)
    spans: SpanScore = field(default_factory=SpanScore)
    notes: int = 0
    """notes that hold it"""
    leak_free: int = 0
    """those among them of which no token of it stays"""


@dataclass(frozen=True)
class Evaluation:
    """What came out. ``print`` shows the figures; ``public`` returns those that a release may carry."""

    scope: str
    notes: int
    words: int
    tokens: TokenScore
    spans: SpanScore
    recall: Share
    precision: Share
    leak_free: int
    leak_free_share: Share
    by_kind: Mapping[str, GroupScore]
    by_label: Mapping[str, GroupScore]
    by_template: Mapping[str, GroupScore]
    confusion: Mapping[tuple[str, str], int]
    """tokens by (annotated kind, found kind), ``–`` for neither"""

    def failing(self, bar: float = 0.9) -> tuple[str, ...]:
        """Return the templates of whose notes fewer than this share are free of leaks, the worst first."""
        shares = {name: one.leak_free / one.notes for name, one in self.by_template.items() if one.notes}
        return tuple(sorted((name for name in shares if shares[name] < bar), key=lambda name: shares[name]))

    def public(self) -> dict[str, Any]:
        """Return the numbers that say nothing about single notes: no labels, no templates, no examples."""
        return {
            "scope": self.scope,
            "notes": self.notes,
            "tokens": self.words,
            "identifying_tokens": self.tokens.gold,
            "token_recall": _with_interval(self.recall),
            "token_precision": _with_interval(self.precision),
            "token_f1": self.tokens.f1,
            "notes_without_leak": _with_interval(self.leak_free_share),
            "span_exact_typed_f1": self.spans.typed_f1,
            "span_exact_f1": self.spans.exact_f1,
            "span_covered": self.spans.covered_recall,
            "span_touched": self.spans.touched_recall,
            "by_kind": {
                kind: {
                    "tokens": one.tokens.gold,
                    "recall": one.tokens.recall,
                    "precision": one.tokens.precision,
                }
                for kind, one in self.by_kind.items()
            },
        }

    def sentence(self) -> str:
        """Say the bound on recall in words."""
        if self.recall.value is None:
            return "No identifying token was annotated: nothing can be said about what stays."
        return (
            f"With {100 * self.recall.confidence:g} % confidence at least "
            f"{100 * self.recall.at_least:.2f} % of the identifying tokens of such notes are found."
        )

    def __str__(self) -> str:
        tokens, spans = self.tokens, self.spans
        lines = [
            f"{self.notes} notes, {tokens.gold} identifying tokens of {self.words} (scope: {self.scope})",
            f"token recall       {self.recall}",
            f"token precision    {self.precision}",
            f"token F1           {_figure(tokens.f1)}",
            f"notes without leak {self.leak_free} of {self.notes}: {self.leak_free_share}",
            f"spans              exact and typed F1 {_figure(spans.typed_f1)}, exact F1 "
            f"{_figure(spans.exact_f1)}, covered {_figure(spans.covered_recall)}, touched "
            f"{_figure(spans.touched_recall)}",
            self.sentence(),
            "",
            f"{'kind':<12}{'tokens':>8}{'recall':>9}{'precision':>11}{'typed':>9}{'covered':>9}{'leaking':>9}",
        ]
        for kind, one in self.by_kind.items():
            lines.append(
                f"{kind:<12}{one.tokens.gold:>8}{_figure(one.tokens.recall):>9}"
                f"{_figure(one.tokens.precision):>11}{_figure(one.tokens.typed_recall):>9}"
                f"{_figure(one.spans.covered_recall):>9}{one.notes - one.leak_free:>9}"
            )
        failing = self.failing()
        if failing:
            lines += ["", "templates below 90 % of notes without a leak: " + ", ".join(failing)]
        return "\n".join(lines)


def evaluate(notes: Sequence[Annotated], found: Sequence[Iterable[Span]], scope: Scope = HIPAA) -> Evaluation:
    """Score what was found in notes against what is annotated in them.

    >>> from sfumato.text.kinds import Kind
    >>> note = Annotated("Dr. Ada Lovelace", (Span(4, 16, Kind.NAME),))
    >>> outcome = evaluate([note, note], [[Span(4, 16, Kind.NAME)], [Span(4, 7, Kind.NAME)]])
    >>> outcome.tokens.recall, outcome.leak_free
    (0.75, 1)
    """
    if len(notes) != len(found):
        raise BadInput("every annotated note needs its list of found spans", where="evaluate")
    return tally(
        notes, [compare(note, spans, scope) for note, spans in zip(notes, found, strict=True)], scope
    )


def evaluate_finder(finder: Finds, notes: Sequence[Annotated], scope: Scope = HIPAA) -> Evaluation:
    """Run a finder on annotated notes, each as a record of its own, and score it."""
    return evaluate(notes, found_in(finder, notes), scope)


def found_in(finder: Finds, notes: Iterable[Annotated]) -> list[tuple[Span, ...]]:
    """Run a finder on annotated notes, each as a record of its own."""
    return [finder.find(Record((Note(note.text, note.id),))).spans[0] for note in notes]


def tally(notes: Sequence[Annotated], compared: Sequence[Compared], scope: Scope = HIPAA) -> Evaluation:
    """Add up notes that were compared."""
    by_kind: dict[str, GroupScore] = {}
    by_label: dict[str, GroupScore] = {}
    by_template: dict[str, GroupScore] = {}
    confusion: Counter[tuple[str, str]] = Counter()
    for note, one in zip(notes, compared, strict=True):
        _add_groups(by_kind, one, lambda span: span.kind.value)
        _add_groups(by_label, one, lambda span: span.label or span.kind.value, gold_only=True)
        whole = GroupScore(_tokens(one), _spans(one), 1, int(not one.leaks))
        by_template[note.template] = _sum(by_template.get(note.template, GroupScore()), whole)
        for token in one.tokens:
            gold = NOTHING if token.gold is None else token.gold.kind.value
            hit = NOTHING if token.found is None else token.found.kind.value
            confusion[gold, hit] += 1
    gold_tokens = [one.gold_tokens for one in compared]
    hits = [one.found_tokens for one in compared]
    marked = [hit + _tokens(one).too_much for hit, one in zip(hits, compared, strict=True)]
    leak_free = sum(not one.leaks for one in compared)
    total = GroupScore()
    for group in by_template.values():
        total = _sum(total, group)
    return Evaluation(
        scope.name,
        len(compared),
        sum(one.words for one in compared),
        total.tokens,
        total.spans,
        share_of_tokens(hits, gold_tokens),
        share_of_tokens(hits, marked),
        leak_free,
        share_of_notes(leak_free, len(compared)),
        dict(sorted(by_kind.items())),
        dict(sorted(by_label.items())),
        dict(sorted(by_template.items())),
        dict(sorted(confusion.items())),
    )


def _tokens(one: Compared) -> TokenScore:
    outcomes = Counter(token.outcome for token in one.tokens)
    return TokenScore(
        outcomes[Outcome.FOUND], outcomes[Outcome.MISSED], outcomes[Outcome.TOO_MUCH], _typed(one.tokens)
    )


def _typed(tokens: Iterable[Token]) -> int:
    return sum(
        token.outcome is Outcome.FOUND
        and token.gold is not None
        and token.found is not None
        and token.gold.kind is token.found.kind
        for token in tokens
    )


def _spans(one: Compared) -> SpanScore:
    return SpanScore(
        gold=len(one.fates),
        exact=one.exactly,
        typed=one.exactly_typed,
        covered=sum(fate.covered for fate in one.fates),
        touched=sum(fate.touched for fate in one.fates),
        found=len(one.found),
    )


def _add_groups(
    groups: dict[str, GroupScore], one: Compared, name: Callable[[Span], str], *, gold_only: bool = False
) -> None:
    """Add one note by group: what was annotated under its own, what is too much under the finder's."""
    here: dict[str, GroupScore] = {}
    leaking: set[str] = set()
    holding: set[str] = set()
    for token in one.tokens:
        if token.gold is not None:
            key = name(token.gold)
            holding.add(key)
            missed = token.outcome is Outcome.MISSED
            if missed:
                leaking.add(key)
            score = TokenScore(int(not missed), int(missed), 0, _typed([token]))
        elif token.found is not None and not gold_only:
            key = name(token.found)
            score = TokenScore(too_much=1)
        else:
            continue
        here[key] = _sum(here.get(key, GroupScore()), GroupScore(score))
    for fate in one.fates:
        key = name(fate.span)
        holding.add(key)
        one_span = SpanScore(1, int(fate.exact), int(fate.typed), int(fate.covered), int(fate.touched))
        here[key] = _sum(here.get(key, GroupScore()), GroupScore(spans=one_span))
    if not gold_only:
        for found in one.found:
            key = name(found)
            here[key] = _sum(here.get(key, GroupScore()), GroupScore(spans=SpanScore(found=1)))
    for key, score_here in here.items():
        counted = replace(
            score_here, notes=int(key in holding), leak_free=int(key in holding and key not in leaking)
        )
        groups[key] = _sum(groups.get(key, GroupScore()), counted)


def _sum(one: GroupScore, two: GroupScore) -> GroupScore:
    return GroupScore(
        one.tokens + two.tokens,
        one.spans + two.spans,
        one.notes + two.notes,
        one.leak_free + two.leak_free,
    )


def _figure(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def _with_interval(share: Share) -> dict[str, float | None]:
    return {"value": share.value, "low": share.low, "high": share.high, "at_least": share.at_least}
