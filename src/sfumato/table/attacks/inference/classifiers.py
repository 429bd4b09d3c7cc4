"""Classifiers over labels: naive Bayes with people left out one by one, and those of scikit-learn in folds.

All of them learn from counted people: which labels, which value, how many. ``with_everybody`` gives the
beliefs of a model that has seen all of them, ``without_the_person`` of one that has not seen whom it is
asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.table.utility.features import learning_part

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Some = slice | Ints
"""places among those that were asked about"""
Kind = Literal["naive-bayes", "forest", "logistic"]
ALIKE = 1e-9
"""scores that differ by less are equal: they come from the same counts"""
MOST_TRAINED = 200_000
"""people that a model which looks at each of them is trained on, drawn from all"""
_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class Counted:
    """People of a release: entry e stands for ``persons[e]`` people with some labels and a value."""

    labels: Ints = field(repr=False)
    """``labels[j, e]``: which label of column j"""
    kinds: tuple[int, ...]
    """how many labels each column has"""
    values: Ints = field(repr=False)
    persons: Ints = field(repr=False)
    domain: int
    """how many values there are"""


class Classifier(Protocol):
    """What is believed of people, in pieces: log-beliefs up to a constant, a row for each entry asked for."""

    def with_everybody(self, asked: Ints) -> Iterator[tuple[Some, Floats]]:
        """Ask a model that has seen everybody about the people of some entries."""

    def without_the_person(self, asked: Ints, many: Ints) -> Iterator[tuple[Some, Floats, Floats]]:
        """Ask about ``many`` people of each entry a model that has not seen the one it is asked about.

        Gives also how many people of the entry are asked about by each row of beliefs.
        """


@dataclass(frozen=True)
class NaiveBayes:
    """P(s | x) ∝ P(s) Π_j P(x_j | s), from counts with ``smoothing`` more of everything.

    P(x_j | s) = (N_{j,x,s} + α) / (N_s + α K_j) with K_j labels in column j. Leaving one person out takes
    one from the counts of their own value, and from no other: it is exact and costs nothing.
    """

    people: Counted
    smoothing: float = 1.0

    @cached_property
    def _of_value(self) -> Floats:
        people = self.people
        return np.bincount(people.values, people.persons, people.domain).astype(np.float64)

    @cached_property
    def _of_label(self) -> list[Floats]:
        """For each column, how many people have which label and value."""
        people, found = self.people, []
        for shown, kinds in zip(people.labels, people.kinds, strict=True):
            places = shown * people.domain + people.values
            counts = np.bincount(places, people.persons, kinds * people.domain)
            found.append(counts.reshape(kinds, people.domain).astype(np.float64))
        return found

    @cached_property
    def _given(self) -> list[Floats]:
        return [
            np.log(counts + self.smoothing) - np.log(self._of_value + self.smoothing * len(counts))
            for counts in self._of_label
        ]

    def with_everybody(self, asked: Ints) -> Iterator[tuple[Some, Floats]]:
        """Score all values by the counts of everybody."""
        prior = np.log(self._of_value + self.smoothing)
        step = max(1, _AT_ONCE // max(1, self.people.domain))
        for start in range(0, len(asked), step):
            some = slice(start, start + step)
            scores = np.tile(prior, (len(asked[some]), 1))
            for given, shown in zip(self._given, self.people.labels, strict=True):
                scores += given[shown[asked[some]]]
            yield some, scores

    def without_the_person(self, asked: Ints, many: Ints) -> Iterator[tuple[Some, Floats, Floats]]:
        """Take the person away from the counts of their own value."""
        people = self.people
        for some, scores in self.with_everybody(asked):
            entries = asked[some]
            own = people.values[entries]
            others = self._of_value[own] - 1.0
            score = np.log(others + self.smoothing)
            for counts, shown in zip(self._of_label, people.labels, strict=True):
                alike = counts[shown[entries], own] - 1.0
                score += np.log(alike + self.smoothing) - np.log(others + self.smoothing * len(counts))
            scores[np.arange(len(own)), own] = score
            yield some, scores, many[some].astype(np.float64)


@dataclass(frozen=True)
class Folded:
    """A model of scikit-learn; who it is asked about was not in the folds that it was trained on."""

    people: Counted
    new: Callable[[], Any]
    folds: int
    seed: int
    weighted: bool = True
    """whether the model can count one row several times; one that draws rows cannot"""

    @cached_property
    def _features(self) -> Any:
        encoder = learning_part("preprocessing").OneHotEncoder(
            categories=[np.arange(kinds) for kinds in self.people.kinds]
        )
        return encoder.fit_transform(self.people.labels.T)

    def _beliefs(self, weights: Ints, asked: Ints) -> Floats:
        """Train on people with weights; return log-beliefs about some entries."""
        people, seen = self.people, np.flatnonzero(weights > 0)
        if not len(seen):
            return np.zeros((len(asked), people.domain))
        scores = np.full((len(asked), people.domain), -np.inf)
        known = np.unique(people.values[seen])
        if len(known) == 1:
            scores[:, known[0]] = 0.0
            return scores
        if self.weighted:
            model = self.new().fit(self._features[seen], people.values[seen], sample_weight=weights[seen])
        else:
            each = np.repeat(seen, weights[seen])
            if len(each) > MOST_TRAINED:
                each = np.random.default_rng(self.seed).choice(each, MOST_TRAINED, replace=False)
            model = self.new().fit(self._features[each], people.values[each])
        with np.errstate(divide="ignore"):
            scores[:, model.classes_] = np.log(model.predict_proba(self._features[asked]))
        return scores

    def with_everybody(self, asked: Ints) -> Iterator[tuple[Some, Floats]]:
        """Train once."""
        yield slice(0, len(asked)), self._beliefs(self.people.persons, asked)

    def without_the_person(self, asked: Ints, many: Ints) -> Iterator[tuple[Some, Floats, Floats]]:
        """Train once for each fold, on the others."""
        people = self.people
        member = np.repeat(np.arange(len(asked)), many)
        fold = np.random.default_rng(self.seed).permutation(len(member)) % self.folds
        for number in range(self.folds):
            held = np.bincount(member[fold == number], minlength=len(asked))
            weights = people.persons.copy()
            np.subtract.at(weights, asked, held)
            some = np.flatnonzero(held)
            if len(some):
                yield some, self._beliefs(weights, asked[some]), held[some].astype(np.float64)


def classifier(kind: Kind, people: Counted, smoothing: float, folds: int, seed: int) -> Classifier:
    """Return a classifier by the name that recipes use."""
    if kind == "naive-bayes":
        return NaiveBayes(people, smoothing)
    if kind == "forest":
        ensemble = learning_part("ensemble")
        return Folded(
            people,
            lambda: ensemble.RandomForestClassifier(n_estimators=50, min_samples_leaf=3, random_state=seed),
            folds,
            seed,
            weighted=False,
        )
    linear = learning_part("linear_model")
    return Folded(people, lambda: linear.LogisticRegression(max_iter=500), folds, seed)
