"""Machine learning: train on the release, test on original records, against training on the original.

The comparison that V. S. Iyengar (KDD 2002) and K. LeFevre et al. ("Workload-aware anonymization", KDD
2006) make. Needs scikit-learn (``sfumato[learn]``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.measure import Measured
from sfumato.table.utility.features import features, learning_part
from sfumato.table.utility.records import Records

Model = Literal["logistic-regression", "decision-tree", "random-forest", "naive-bayes"]
_MOST_CLASSES = 50


@dataclass(frozen=True)
class Learning:
    """What a classifier loses in accuracy when it is trained on the release.

        value = accuracy(trained on the original) − accuracy(trained on the release)

    Both are asked about the same original records, a ``holdout`` share of them drawn from ``seed``,
    which the first has not seen. ``baseline`` always says the most frequent class: a release that does
    no better than that has lost all that this model could learn.

    Where it is known which original row a released one came from, the held-out records are left out of
    the release as well. Else they are in it, generalised, which flatters the release a little; the
    details say which. A small loss here is no promise for another target or another model.
    """

    target: str
    model: Model = "logistic-regression"
    columns: tuple[str, ...] = ()
    holdout: float = 0.3
    seed: int = 0
    name: ClassVar[str] = "learning"
    title: ClassVar[str] = "loss of accuracy in machine learning"
    range: ClassVar[str] = "-1 … 1"
    meaning: ClassVar[str] = (
        "accuracy of a model trained on the original, less that of one trained on the release"
    )

    def __post_init__(self) -> None:
        if self.model not in get_args(Model):
            raise BadInput(
                f"there is no model '{self.model}'",
                where=self.name,
                remedy=nearest(self.model, get_args(Model)),
            )
        if not 0 < self.holdout < 1:
            raise BadInput(
                "holdout must be a share between 0 and 1", where=self.name, remedy="for example 0.3"
            )

    def measure(self, records: Records) -> Measured:
        """Train twice, test once."""
        learning_part("base")
        records.check(self.target)
        columns = tuple(name for name in records.chosen(self.columns) if name != self.target)
        if not columns or self.target in records.quasi:
            raise BadInput(
                "the target is itself a quasi-identifier, or the only column",
                where=f"column '{self.target}'",
                remedy="name a target that is released as it is, and 'columns' to learn from",
            )
        known, shown = _classes(records.original, self.target), _classes(records.released, self.target)
        kinds = sorted(set(known[known != ""].tolist()))
        if not 2 <= len(kinds) <= _MOST_CLASSES:
            raise BadInput(
                f"the target has {len(kinds)} different values",
                where=f"column '{self.target}'",
                remedy=f"name a target with 2 to {_MOST_CLASSES} classes",
            )
        order = np.random.default_rng(self.seed).permutation(len(known))
        held = np.zeros(len(known), np.bool_)
        held[order[: max(1, round(self.holdout * len(known)))]] = True
        before = features(records, columns, released=False)
        after = features(records, columns, released=True)
        may_learn = np.ones(len(shown), np.bool_) if records.rows is None else ~held[records.rows]
        test, train, from_release = held & (known != ""), ~held & (known != ""), may_learn & (shown != "")
        if not test.any() or not train.any() or not from_release.any():
            raise BadInput("there are too few records to train and test", where=self.name)
        most = max(kinds, key=lambda kind: (int(np.sum(known[train] == kind)), kind))
        original = self._accuracy(before[train], known[train], before[test], known[test])
        release = self._accuracy(after[from_release], shown[from_release], before[test], known[test])
        return Measured(
            original - release,
            {
                "accuracy_original": original,
                "accuracy_release": release,
                "baseline": float(np.mean(known[test] == most)),
                "tested": int(test.sum()),
                "model": self.model,
                "held_out": "of both tables" if records.rows is not None else "of the original only",
            },
        )

    def _accuracy(
        self,
        seen: NDArray[np.float64],
        classes: NDArray[Any],
        asked: NDArray[np.float64],
        truth: NDArray[Any],
    ) -> float:
        varies = seen.min(0) < seen.max(0)
        names, counts = np.unique(classes, return_counts=True)
        if len(names) == 1 or not varies.any():
            return float(np.mean(truth == names[np.argmax(counts)]))
        fitted = self._new().fit(seen[:, varies], classes)
        return float(np.mean(fitted.predict(asked[:, varies]) == truth))

    def _new(self) -> Any:
        if self.model == "decision-tree":
            return learning_part("tree").DecisionTreeClassifier(min_samples_leaf=5, random_state=self.seed)
        if self.model == "random-forest":
            return learning_part("ensemble").RandomForestClassifier(
                n_estimators=50, min_samples_leaf=3, random_state=self.seed
            )
        if self.model == "naive-bayes":
            return learning_part("naive_bayes").GaussianNB()
        return learning_part("linear_model").LogisticRegression(max_iter=500)


def _classes(table: pa.Table, target: str) -> NDArray[Any]:
    """Return the target as text; missing is an empty text, and nothing is learned from it."""
    return np.array(["" if value is None else str(value) for value in table.column(target).to_pylist()])
