"""Train on synthetic, test on real: what a classifier loses when it has never seen a real person.

C. Esteban, S. L. Hyland & G. Rätsch, "Real-valued (medical) time series generation with recurrent conditional
GANs" (2017), who named the test. Needs scikit-learn (``sfumato[learn]``).
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, MissingPart, nearest
from sfumato.core.measure import Measured
from sfumato.query.methods.contract import Coded
from sfumato.query.utility.marginals import same_domains

_MOST_VALUES = 255
"""values of a category that the model can tell apart"""


@dataclass(frozen=True)
class TrainOnSynthetic:
    """The loss of AUC when gradient boosting is trained on synthetic people.

        value = AUC(trained on the original) − AUC(trained on synthetic people)

    Both are asked about the same real people, ``held_out``, whom neither the synthesiser nor the model has
    seen. AUC is the chance that a person of a class gets a higher score for it than one who is not: 0.5 is
    guessing. With more than two classes it is the mean over classes. Computed from raw data: for the steward.
    """

    target: str
    seed: int = 0
    name: ClassVar[str] = "train-on-synthetic"
    title: ClassVar[str] = "loss of AUC in machine learning"
    range: ClassVar[str] = "-1 … 1"
    meaning: ClassVar[str] = (
        "AUC of a model trained on real people, less that of one trained on synthetic ones"
    )

    def measure(self, original: Coded, synthetic: Coded, held_out: Coded) -> Measured:
        """Train twice, test once."""
        same_domains(original, synthetic, self.name)
        same_domains(original, held_out, self.name)
        names = [attribute.name for attribute in original.attributes]
        if self.target not in names:
            raise BadInput(
                f"there is no attribute '{self.target}'", where=self.name, remedy=nearest(self.target, names)
            )
        if len(names) < 2:
            raise BadInput("there is nothing to learn from", where=self.name, remedy="take more attributes")
        target = names.index(self.target)
        real = self._area(original, held_out, target)
        made = self._area(synthetic, held_out, target)
        return Measured(real - made, {"original": real, "synthetic": made, "held_out": len(held_out.codes)})

    def _area(self, people: Coded, held_out: Coded, target: int) -> float:
        """Return the mean AUC over the classes that some of the held out have and others have not."""
        scores = self._scores(people, held_out, target)
        truth = held_out.codes[:, target]
        area = _learn("metrics").roc_auc_score
        found = [
            float(area(truth == c, scores[:, c]))
            for c in range(people.attributes[target].size)
            if 0 < int((truth == c).sum()) < len(truth)
        ]
        if not found:
            raise BadInput(
                "the held out people are all of one class", where=self.name, remedy="hold out more of them"
            )
        return float(np.mean(found))

    def _scores(self, people: Coded, held_out: Coded, target: int) -> NDArray[np.float64]:
        """Return for each person that was held out the probability of each class."""
        others = [a for a in range(len(people.attributes)) if a != target]
        scores = np.zeros((len(held_out.codes), people.attributes[target].size))
        classes = np.unique(people.codes[:, target])
        if len(classes) == 1:
            # Nothing to tell apart: a model that says the same of everybody.
            scores[:, classes[0]] = 1.0
            return scores
        listed = [
            people.attributes[a].edges is None and people.attributes[a].size <= _MOST_VALUES for a in others
        ]
        model = _learn("ensemble").HistGradientBoostingClassifier(
            random_state=self.seed, categorical_features=listed
        )
        model.fit(people.codes[:, others], people.codes[:, target])
        scores[:, classes] = model.predict_proba(held_out.codes[:, others])
        return scores


def _learn(part: str) -> Any:
    try:
        return importlib.import_module(f"sklearn.{part}")
    except ImportError:
        raise MissingPart("scikit-learn is not installed", remedy="install sfumato[learn]") from None
