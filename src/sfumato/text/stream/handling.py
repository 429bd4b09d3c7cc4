"""What is done to one record: find, replace, and count what promises and evidence need.

A ``Handling`` is small and holds no secret but the name of the place where the key lies, so that it can be
handed to other processes; each opens it once and then handles record after record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sfumato.masking.contract import Scope, Secrets
from sfumato.masking.keys import KeySource
from sfumato.text.finder import Finder
from sfumato.text.finders import Finding, LanguageFinding
from sfumato.text.methods.deidentify import Deidentify
from sfumato.text.methods.sanitise import Sanitise
from sfumato.text.models.contract import Handled, TextModel
from sfumato.text.models.t_plausibility import TPlausibility
from sfumato.text.note import Found, Note, Record
from sfumato.text.replace.apply import applied
from sfumato.text.replace.contract import Change, Replacement
from sfumato.text.replace.settled import ALREADY
from sfumato.text.span import Span
from sfumato.text.utility import counted_losses

REPLACED = "replaced"
"""counts of spans begin with this word, then their kind and what was done"""
LOST = "lost"
"""counts of measures of lost utility begin with this word, then the name of the measure"""
PROMISE = "promise"
"""counts of promises begin with this word, then which promise it is"""


@dataclass(frozen=True)
class Handling:
    """How records are handled."""

    finding: Finding = field(default_factory=LanguageFinding)
    method: Deidentify = field(default_factory=Deidentify)
    models: tuple[TextModel, ...] = ()
    key: KeySource | None = None
    scope: Scope = field(default_factory=Scope)

    @property
    def secrets(self) -> Secrets:
        """What replacements draw on."""
        return Secrets(self.key, self.scope)

    def open(self) -> Handler:
        """Build what handles records; it takes a moment, and is kept."""
        sanitiser = self.method.sanitiser()
        return Handler(
            self.finding.finder(),
            self.method.replacement(self.finding.language),
            [_with_ontology(model, sanitiser) for model in self.models],
            self.secrets,
            sanitiser,
            self.finding.language,
        )


def _with_ontology(model: TextModel, sanitiser: Sanitise | None) -> TextModel:
    """Let a promise about terms count in the ontology by which they were generalised."""
    if sanitiser is None or not isinstance(model, TPlausibility) or model.ontology is not None:
        return model
    return replace(model, ontology=sanitiser.ontology)


@dataclass(frozen=True)
class Handler:
    """Handles records one by one."""

    finder: Finder
    replacement: Replacement
    models: Sequence[TextModel]
    secrets: Secrets = field(repr=False)
    sanitiser: Sanitise | None = None
    language: str = "en"

    def handle(self, record: Record) -> tuple[Handled, tuple[tuple[Span, ...], ...]]:
        """Return what becomes of a record, and where in the new texts the replaced spans stand."""
        found = self.finder.find(record)
        return self.replaced(found)

    def replaced(self, found: Found) -> tuple[Handled, tuple[tuple[Span, ...], ...]]:
        """Replace what was found."""
        changes = self.replacement.changes(found, self.secrets)
        if self.sanitiser is not None:
            taken = tuple(
                tuple(change.span for change in listed if _is_taken(note, change))
                for note, listed in zip(found.record.notes, changes, strict=True)
            )
            more = self.sanitiser.changes(found.record, taken)
            changes = tuple(_merged(one, other) for one, other in zip(changes, more, strict=True))
        texts, places = [], []
        for note, listed in zip(found.record.notes, changes, strict=True):
            text, spans = applied(note.text, listed)
            texts.append(text)
            places.append(spans)
        return Handled(found.record, tuple(texts), changes), tuple(places)

    def counted(self, handled: Handled) -> Counter[str]:
        """Count what evidence and promises need; no number is about one person once they are added up."""
        counts: Counter[str] = Counter(persons=1, notes=len(handled.released))
        for note, after, changes in zip(handled.record.notes, handled.released, handled.changes, strict=True):
            counts["characters"] += len(note.text)
            counts["released characters"] += len(after)
            counts["empty"] += not after.strip()
            counts["touched"] += any(change.after != change.span.of(note.text) for change in changes)
            for change in changes:
                counts[f"{REPLACED}/{change.span.kind}/{change.how or 'replaced'}"] += 1
        for what, number in counted_losses(handled, self.language).items():
            counts[f"{LOST}/{what}"] += number
        for place, model in enumerate(self.models):
            for what, number in model.counted(handled).items():
                counts[f"{PROMISE}/{place}/{what}"] += number
        return counts


def _is_taken(note: Note, change: Change) -> bool:
    """Say whether something was replaced, now or before. What the policy keeps (a state) may be sensitive."""
    return change.how == ALREADY or change.after != change.span.of(note.text)


def _merged(identifiers: Sequence[Change], terms: Sequence[Change]) -> tuple[Change, ...]:
    """Put the changes of identifiers and of sensitive terms in their order; a term goes before what stays."""
    covered = [change.span for change in terms]
    stay: list[Change] = []
    place = 0
    for change in identifiers:
        while place < len(covered) and covered[place].end <= change.span.start:
            place += 1
        if place == len(covered) or not covered[place].overlaps(change.span):
            stay.append(change)
    return tuple(sorted((*stay, *terms), key=lambda change: change.span.start))


def of_promise(counts: Counter[str], place: int) -> Counter[str]:
    """Return the sums that one promise asked for.

    >>> of_promise(Counter({"promise/0/found": 2, "promise/1/found": 3, "notes": 9}), 1)
    Counter({'found': 3})
    """
    return _beginning(counts, f"{PROMISE}/{place}/")


def of_losses(counts: Counter[str]) -> Counter[str]:
    """Return the sums that measures of lost utility asked for."""
    return _beginning(counts, f"{LOST}/")


def _beginning(counts: Counter[str], start: str) -> Counter[str]:
    return Counter({what[len(start) :]: n for what, n in counts.items() if what.startswith(start)})
