"""Inference of a sensitive value by a classifier that is trained on the release itself.

G. Cormode, "Personal privacy vs population privacy: learning to attack anonymization" (2011).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, cast, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored, Victim
from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.classes.class_view import ClassView
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.inference.classifiers import (
    ALIKE,
    MOST_TRAINED,
    Classifier,
    Counted,
    Kind,
    classifier,
)
from sfumato.table.attacks.matching.candidates import encoded
from sfumato.table.attacks.matching.truth import Truth, places, true_values
from sfumato.table.published import PublishedTable

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AttributeInference:
    """Learn from a release how values go with quasi-identifiers, and say the likeliest value of everybody.

    ``model`` is ``naive-bayes``, which takes labels as they are and the columns as independent given the
    value, or ``forest`` or ``logistic`` of scikit-learn. The adversary knows the quasi-identifiers of people
    (and sensitive columns that are declared known) as the release writes them.

    ``success`` is the share of people whose value is said rightly; ``baseline`` the same by models that
    have not seen them: for naive Bayes the person is left out of the counts exactly, the others are trained
    in ``folds``. Only the difference is due to taking part: that smoking goes with cancer harms smokers
    whether they are in the data or not. ``certain`` counts those of whom a value is said rightly with a
    belief of at least ``confidence``.

    No model of classes stops it as a whole: it learns from patterns, and a release without patterns is of
    no use. It shows how far from each other advantage and success may lie.

    >>> AttributeInference("ill", confidence=0.9)
    AttributeInference(column='ill', model='naive-bayes', confidence=0.9, smoothing=1.0, folds=5, seed=0)
    """

    column: str | None = None
    model: Kind = "naive-bayes"
    confidence: float = 0.95
    smoothing: float = 1.0
    folds: int = 5
    seed: int = 0
    name: ClassVar[str] = "attribute-inference"
    title: ClassVar[str] = "a classifier trained on the release"
    threat: ClassVar[Threat] = Threat.INFERENCE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE})

    def __post_init__(self) -> None:
        if self.model not in get_args(Kind):
            raise BadInput(
                f"there is no model '{self.model}'",
                where=self.name,
                remedy=nearest(self.model, get_args(Kind)),
            )
        if not 0.5 < self.confidence <= 1:
            raise BadInput(
                "confidence must lie above 0.5 and not above 1", where=self.name, remedy="try 0.95"
            )
        if not self.smoothing > 0:
            raise BadInput("smoothing must be above 0", where=self.name, remedy="try smoothing: 1")
        if self.folds < 2:
            raise BadInput("there must be at least two folds", where=self.name, remedy="try folds: 5")

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Train, ask about everybody, and ask again those who have not seen them."""
        if not target.quasi:
            raise BadInput(
                "there is no quasi-identifier to learn from", where=self.name, remedy="declare at least one"
            )
        view = ClassView.of(self.name, self.column, target)
        people = _counted(view)
        truth = true_values(target, knowledge, [*view.target.quasi, view.column], view.column)
        cases = _cases(view, people) if truth is None else _true_cases(view, people, truth)
        learned = classifier(self.model, people, self.smoothing, self.folds, self.seed)
        attempts = int(cases.many.sum())
        if not attempts:
            raise BadInput(
                "of nobody in the release is the true value known",
                where=self.name,
                remedy="check the original",
            )
        progress.step("training on the release")
        found = _Found.of(learned, cases, self.confidence)
        progress.step("training without the people who are attacked")
        without = _Found.without(learned, cases, self.confidence)
        base = view.values.added_up
        often = np.flatnonzero(base == base.max())
        guessed = float(cases.many[np.isin(cases.true, often)].sum()) / len(often)
        if truth is not None:
            view = replace(view, randomised=False)
        result = view.result(
            self.threat,
            found.right / attempts,
            without.right / attempts,
            guessing=guessed / attempts,
            certain=round(found.sure_and_right),
            highest=found.highest,
            scored=Scored.EXPECTED if truth is None else Scored.MEASURED,
            details={
                "model": self.model,
                "values": people.domain,
                "columns": len(people.kinds),
                "confident": round(found.sure),
                "confident_without_their_data": round(without.sure),
                "confident_and_right_without_their_data": round(without.sure_and_right),
                "mean_confidence": found.confidence / attempts,
            },
            victims=self._victims(view, learned, people) if victims else (),
        )
        note = result.note if truth is None else truth.note
        if self.model == "forest" and int(people.persons.sum()) > MOST_TRAINED:
            drawn = (
                f"the forest was trained on {MOST_TRAINED:,} people drawn by chance; all may teach it more"
            )
            note = "; ".join(part for part in (note, drawn) if part)
        return replace(result, attempts=attempts, note=note)

    def _victims(self, view: ClassView, learned: Classifier, people: Counted) -> tuple[Victim, ...]:
        """Rows whose released value is said with confidence."""
        everybody = np.arange(len(people.values))
        sure = np.zeros(len(everybody))
        hit = np.zeros(len(everybody), np.bool_)
        for some, scores in learned.with_everybody(everybody):
            sure[some] = _confidence(scores)
            hit[some] = (sure[some] >= self.confidence) & (scores.argmax(1) == people.values[some])
        return view.victims(hit, sure)


@dataclass(frozen=True)
class _Cases:
    """Whom the adversary is asked about: people of an entry, and their true value (−1: not released)."""

    entry: Ints
    true: Ints
    many: Ints


@dataclass(frozen=True)
class _Found:
    """How many claims were right, and how sure the model was; numbers of people."""

    right: float
    sure: float
    sure_and_right: float
    confidence: float
    highest: float

    @classmethod
    def of(cls, learned: Classifier, cases: _Cases, confidence: float) -> _Found:
        """Ask a model that has seen everybody."""
        parts = (
            _scored(scores, cases.true[some], cases.many[some].astype(np.float64), confidence)
            for some, scores in learned.with_everybody(cases.entry)
        )
        return cls._together(list(parts))

    @classmethod
    def without(cls, learned: Classifier, cases: _Cases, confidence: float) -> _Found:
        """Ask models that have not seen the person."""
        parts = (
            _scored(scores, cases.true[some], many, confidence)
            for some, scores, many in learned.without_the_person(cases.entry, cases.many)
        )
        return cls._together(list(parts))

    @classmethod
    def _together(cls, parts: list[_Found]) -> _Found:
        return cls(
            sum(part.right for part in parts),
            sum(part.sure for part in parts),
            sum(part.sure_and_right for part in parts),
            sum(part.confidence for part in parts),
            max((part.highest for part in parts), default=0.0),
        )


def _scored(scores: Floats, true: Ints, many: Floats, confidence: float) -> _Found:
    """Compare what a model says with the truth; among equal scores a coin is thrown."""
    best = scores >= scores.max(1, keepdims=True) - ALIKE
    hit = best[np.arange(len(true)), true] & (true >= 0)
    right = many * hit / best.sum(1)
    believed = _confidence(scores)
    sure = believed >= confidence
    return _Found(
        float(right.sum()),
        float(many[sure].sum()),
        float(right[sure].sum()),
        float((many * believed).sum()),
        float(believed[many > 0].max(initial=0.0)),
    )


def _confidence(scores: Floats) -> Floats:
    """Return the belief in the likeliest value."""
    found: Floats = 1.0 / np.exp(scores - scores.max(1, keepdims=True)).sum(1)
    return found


def _counted(view: ClassView) -> Counted:
    """Lay the entries of a release out for classifiers."""
    classes, values = view.target.classes, view.values
    labels = [encoded(classes.column(j))[1] for j in range(len(view.target.quasi))]
    owner = values.owner[view.part]
    return Counted(
        np.array([label[owner] for label in labels], np.int64).reshape(len(labels), len(owner)),
        tuple(int(label.max()) + 1 for label in labels),
        values.codes,
        values.persons,
        len(values.domain),
    )


def _cases(view: ClassView, people: Counted) -> _Cases:
    """Take the released values as true."""
    return _Cases(np.arange(len(people.values)), people.values, people.persons)


def _true_cases(view: ClassView, people: Counted, truth: Truth) -> _Cases:
    """Find the entry of everybody whose true value is known."""
    joined = pa.table([*truth.released, truth.true], names=[*map(str, range(len(truth.released))), "true"])
    grouped = joined.group_by(joined.column_names).aggregate([([], "count_all")])
    owner = pa.array(view.values.owner[view.part])
    released = [view.target.classes.column(j).take(owner) for j in range(len(view.target.quasi))]
    values = pa.array(view.values.domain.values).take(pa.array(people.values))
    # What the release does not show belongs to a record that was blanked: nobody attacks it.
    entry = places(grouped.columns[: len(truth.released)], [*released, pa.chunked_array([values])])
    texts = {
        None if value is None else as_text(value): i for i, value in enumerate(view.values.domain.values)
    }
    true = np.array([texts.get(value, -1) for value in grouped.column("true").to_pylist()], np.int64)
    many = np.asarray(grouped.column("count_all").to_numpy(), np.int64)
    found = cast("Ints", np.flatnonzero(entry >= 0))
    return _Cases(entry[found], true[found], many[found])
