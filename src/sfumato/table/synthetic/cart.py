"""Sequential trees: every column is drawn given those before it.

J. P. Reiter, "Using CART to generate partially synthetic public use microdata" (2005).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, MissingPart
from sfumato.core.randomness import Random
from sfumato.core.schema import Schema
from sfumato.table.synthetic.columns import Values, drawn_like, refuse_empty


@dataclass(frozen=True)
class Leaves:
    """A tree for one column: the codes that its records had, leaf by leaf."""

    tree: Any
    codes: NDArray[np.int64]
    starts: NDArray[np.int64]
    """where the codes of a leaf begin, by the number of its node; the next node's begin where they end"""

    @classmethod
    def of(cls, tree: Any, features: NDArray[np.float64], codes: NDArray[np.int64]) -> Leaves:
        """Drop the records into their leaves."""
        leaf = tree.apply(features)
        order = np.argsort(leaf, kind="stable")
        starts = np.searchsorted(leaf[order], np.arange(tree.tree_.node_count + 1))
        return cls(tree, codes[order], starts)

    def draw(self, features: NDArray[np.float64], random: Random) -> NDArray[np.int64]:
        """Draw for each row one of the codes of the leaf that it falls into."""
        leaf = np.asarray(self.tree.apply(features), np.int64)
        sizes = self.starts[leaf + 1] - self.starts[leaf]
        places = self.starts[leaf] + (random.uniform(len(leaf)) * sizes).astype(np.int64)
        drawn: NDArray[np.int64] = self.codes[places]
        return drawn


@dataclass(frozen=True)
class FittedTrees:
    """The columns, and a tree for each but the first."""

    columns: tuple[Values, ...]
    trees: tuple[Leaves, ...]

    def sample(self, rows: int, random: Random) -> pa.Table:
        """Draw the first column as it occurs, and each other given those that were drawn."""
        drawn = [drawn_like(self.columns[0].codes, rows, random)]
        features = self.columns[0].features(drawn[0])
        for column, tree in zip(self.columns[1:], self.trees, strict=True):
            codes = tree.draw(features, random) if rows else np.zeros(0, np.int64)
            drawn.append(codes)
            features = np.hstack([features, column.features(codes)])
        return pa.table(
            {column.name: column.written(codes) for column, codes in zip(self.columns, drawn, strict=True)}
        )


@dataclass(frozen=True)
class SequentialTrees:
    """P(x1, …, xm) = P(x1) Π P(xj | x1, …, xj−1), each factor a classification or regression tree.

    A value is drawn from the real ones in its leaf, of which there are at least ``leaf``. Promises
    nothing by itself: leaves hold real values, and whole records may come out as they went in.

    >>> SequentialTrees().leaf
    5
    """

    leaf: int = 5
    name: ClassVar[str] = "cart"
    private: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if isinstance(self.leaf, bool) or self.leaf < 1:
            raise BadInput("leaf must be a whole number of at least 1", where="cart", remedy="try leaf: 5")

    def fit(self, records: pa.Table, schema: Schema, random: Random) -> FittedTrees:
        """Grow a tree for every column on those before it."""
        refuse_empty(records)
        columns = tuple(Values.of(records, name) for name in schema.columns)
        features = columns[0].features(columns[0].codes)
        trees = []
        for column in columns[1:]:
            trees.append(Leaves.of(self._grown(features, column), features, column.codes))
            features = np.hstack([features, column.features(column.codes)])
        return FittedTrees(columns, tuple(trees))

    def _grown(self, features: NDArray[np.float64], column: Values) -> Any:
        try:
            from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
        except ImportError:
            raise MissingPart("scikit-learn is not installed", remedy="install sfumato[learn]") from None
        numbers = column.numbers
        # Ties between splits are broken the same way every time; what is secret is drawn from the leaves.
        if numbers is None:
            return DecisionTreeClassifier(min_samples_leaf=self.leaf, random_state=0).fit(
                features, column.codes
            )
        shown = numbers[column.codes]
        middle = float(np.nanmean(shown)) if not np.isnan(shown).all() else 0.0
        target = np.where(np.isnan(shown), middle, shown)
        return DecisionTreeRegressor(min_samples_leaf=self.leaf, random_state=0).fit(features, target)
