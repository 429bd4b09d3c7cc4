"""Association rules: which are still found in a release, and with which support and confidence.

R. Agrawal and R. Srikant, "Fast algorithms for mining association rules" (VLDB 1994). A record of a
release holds an item only with some probability; supports are then expected values, as in C. Chui, B. Kao
and E. Hung, "Mining frequent itemsets from uncertain data" (PAKDD 2007).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.table.utility.conditions import condition_of
from sfumato.table.utility.predicates import Among, On, Ranges
from sfumato.table.utility.records import Records

Items = frozenset[int]
_FEW = 10
"""numbers with no more distinct values are items one by one; others in four parts of equal size"""


@dataclass(frozen=True)
class Rule:
    """IF antecedent THEN consequent, with sup = P(both) and conf = P(both) / P(antecedent)."""

    support: float
    confidence: float


def apriori(held: NDArray[np.float64], columns: list[str], least: float, longest: int) -> dict[Items, float]:
    """Return every itemset whose (expected) support is at least ``least``.

    ``held[r, i]`` is the probability that record r holds item i; items of one column exclude each other.
    Support never grows with the set, so a set is tried only when all its parts are frequent.

    >>> found = apriori(np.array([[1.0, 1.0], [1.0, 0.0]]), ["a", "b"], 0.5, 2)
    >>> {tuple(sorted(items)): support for items, support in found.items()}
    {(0,): 1.0, (1,): 0.5, (0, 1): 0.5}
    """
    frequent: dict[Items, float] = {}
    current: dict[Items, NDArray[np.float64]] = {}
    for item in range(held.shape[1]):
        support = float(held[:, item].mean())
        if support >= least:
            frequent[frozenset([item])] = support
            current[frozenset([item])] = held[:, item]
    for size in range(2, longest + 1):
        grown: dict[Items, NDArray[np.float64]] = {}
        for items, product in current.items():
            for item in range(max(items) + 1, held.shape[1]):
                wider = items | {item}
                apart = all(columns[item] != columns[other] for other in items)
                if not apart or any(
                    frozenset(part) not in frequent for part in combinations(wider, size - 1)
                ):
                    continue
                joint = product * held[:, item]
                support = float(joint.mean())
                if support >= least:
                    frequent[wider] = support
                    grown[wider] = joint
        current = grown
    return frequent


def rules_of(frequent: Mapping[Items, float], least: float) -> dict[tuple[Items, int], Rule]:
    """Return the rules with one item as consequent whose confidence is at least ``least``."""
    found = {}
    for items, support in frequent.items():
        for consequent in items if len(items) > 1 else ():
            antecedent = items - {consequent}
            confidence = support / frequent[antecedent]
            if confidence >= least:
                found[antecedent, consequent] = Rule(support, confidence)
    return found


@dataclass(frozen=True)
class AssociationRules:
    """Which association rules survive, and how far their support and confidence moved.

    Rules are mined from both tables with the same thresholds: value = 1 − F, where F balances the share
    of the original's rules that the release still gives against the share of the release's rules that are
    true. With ``rules`` (``"age BETWEEN 43 AND 48 AND smoke = 'yes' => hypertension = 'yes'"``) those are
    looked at instead, and the value is the mean absolute difference of their confidence.

    A rule that survives is no cause, and one that is found may point at a small group of people.
    """

    support: float = 0.05
    confidence: float = 0.5
    longest: int = 3
    columns: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    name: ClassVar[str] = "rules"
    title: ClassVar[str] = "association rules lost"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "0: the release gives the same rules; 1: none of them"

    def __post_init__(self) -> None:
        if not 0 < self.support <= 1 or not 0 < self.confidence <= 1:
            raise BadInput("support and confidence must be shares between 0 and 1", where=self.name)
        if self.longest < 2:
            raise BadInput("a rule has at least 2 items", where=self.name)

    def measure(self, records: Records) -> Measured:
        """Mine both tables, or look at the rules that were given."""
        return self._given(records) if self.rules else self._mined(records)

    def _mined(self, records: Records) -> Measured:
        items = _items(records, self.columns or records.columns, self.support)
        if not items:
            raise BadInput("no value is frequent enough", where=self.name, remedy="lower 'support'")
        names = [name for name, _ in items]
        before, after = (
            rules_of(
                apriori(_held(records, items, released=released), names, self.support, self.longest),
                self.confidence,
            )
            for released in (False, True)
        )
        kept = before.keys() & after.keys()
        found = len(before) + len(after)
        moved = [
            (
                abs(before[key].support - after[key].support),
                abs(before[key].confidence - after[key].confidence),
            )
            for key in kept
        ]
        support, confidence = np.mean(moved, 0).tolist() if moved else (0.0, 0.0)
        return Measured(
            1.0 - 2 * len(kept) / found if found else 0.0,
            {
                "rules": len(before),
                "kept": len(kept),
                "lost": len(before) - len(kept),
                "false": len(after) - len(kept),
                "support_moved": support,
                "confidence_moved": confidence,
            },
        )

    def _given(self, records: Records) -> Measured:
        before = [given_rule(records, text, released=False) for text in self.rules]
        after = [given_rule(records, text, released=True) for text in self.rules]
        details: dict[str, int | float | str] = {"rules": len(before)}
        for number, (one, other) in enumerate(zip(before, after, strict=True), 1):
            details |= {
                f"support_{number}": one.support,
                f"support_{number}_release": other.support,
                f"confidence_{number}": one.confidence,
                f"confidence_{number}_release": other.confidence,
            }
        apart = [abs(one.confidence - other.confidence) for one, other in zip(before, after, strict=True)]
        return Measured(float(np.mean(apart)), details)


def given_rule(records: Records, text: str, *, released: bool) -> Rule:
    """Measure a rule ``condition => condition`` on one of the tables."""
    antecedent, arrow, consequent = text.partition("=>")
    if not arrow:
        raise BadInput("a rule needs '=>'", where="rules", remedy="write: age > 40 => ill = 'yes'")
    if_part = condition_of(antecedent, records)
    both = condition_of(f"({antecedent}) AND ({consequent})", records)
    table = records.released if released else records.original
    met = records.expected(if_part, released=released)
    together = records.expected(both, released=released)
    return Rule(together / table.num_rows if table.num_rows else 0.0, together / met if met else 0.0)


def _items(records: Records, columns: tuple[str, ...], least: float) -> list[tuple[str, On]]:
    """Return the items of the original that are frequent: a value, or a part of an axis."""
    found: list[tuple[str, On]] = []
    for name in columns:
        records.check(name)
        for predicate in _parts(records, name):
            if float(records.side(name, released=False).shares(predicate).mean()) >= least:
                found.append((name, predicate))
    return found


def _parts(records: Records, name: str) -> list[On]:
    reader = records.reader(name)
    if not reader.on_axis:
        return [Among(np.arange(reader.codes) == code) for code in range(reader.codes)]
    numbers = records.numbers(name, released=False)
    numbers = numbers[~np.isnan(numbers)]
    if len(reader.placed) <= _FEW:
        return [Ranges.of("=", value, whole=reader.whole) for value in dict.fromkeys(reader.placed.tolist())]
    cuts = np.unique(np.quantile(numbers, [0.25, 0.5, 0.75], method="higher"))
    edges = [-np.inf, *cuts.tolist(), np.inf]
    return [Ranges(((low, high),)) for low, high in pairwise(edges)]


def _held(records: Records, items: list[tuple[str, On]], *, released: bool) -> NDArray[np.float64]:
    return np.column_stack(
        [records.side(name, released=released).shares(predicate) for name, predicate in items]
    )
