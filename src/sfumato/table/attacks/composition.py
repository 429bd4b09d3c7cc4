"""Composition: two releases about the same people, each safe alone, tell together what neither tells.

S. R. Ganta, S. P. Kasiviswanathan and A. Smith, "Composition attacks and auxiliary information in data
privacy", KDD 2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge, People, sensitive_column
from sfumato.table.attacks.matching.attacked import Attacked, as_written, attacked
from sfumato.table.attacks.matching.candidates import Candidates, candidates
from sfumato.table.attacks.matching.combinations import places
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.attacks.matching.who import is_original, people_of, victims_among
from sfumato.table.published import ClassValues, PublishedTable

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Composition:
    """Intersect the sensitive values that somebody may have in each release.

    Let h_r(v) be how many people have the value v in the classes of release r that agree with somebody, n_r
    the size of these classes, and P(v) the share of v in the whole. Somebody who is in all releases has a
    value of ∩_r {v : h_r(v) > 0}; the likeliest maximises P(v) · Π_r h_r(v) / (n_r · P(v)). Equal ones are a
    coin, and where nothing is left the target's own classes decide.

    ``success`` is the share of people whose claimed value is right, ``certain`` counts those of whom one
    value is left (and is theirs, where that is known). The baseline is the best that **one** of the releases
    gives the same adversary, so the advantage is what the releases tell together. With person ids on all
    sides only people who are in all releases are attacked. k-anonymity and l-diversity of each release do
    not bound this; differential privacy does.

    >>> import pyarrow as pa
    >>> from sfumato.engine import open_engine
    >>> from sfumato.engine.sources import Frame
    >>> from sfumato.table.attacks.contract import Knowledge, People
    >>> engine = open_engine()
    >>> first, second, listed = (
    ...     engine.read(Frame(pa.table(columns)))
    ...     for columns in (
    ...         {"age": ["[20-29]"] * 2, "ill": ["flu", "cancer"]},
    ...         {"age": ["[25-35]"] * 2, "ill": ["flu", "asthma"]},
    ...         {"age": [28]},
    ...     )
    ... )
    >>> target, other = (PublishedTable(table, ("age",), ("ill",)) for table in (first, second))
    >>> known = Knowledge(People(listed, {"age": "age"}), others=(other,))
    >>> result = Composition().run(target, known)
    >>> result.success, result.baseline
    (1.0, 0.5)
    """

    column: str | None = None
    day_first: bool | None = None
    name: ClassVar[str] = "composition"
    title: ClassVar[str] = "intersects what several releases say about the same people"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.OTHERS, Need.SENSITIVE, Need.PEOPLE})

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Find everybody's classes in every release, and intersect."""
        column = sensitive_column(self.name, self.column, target)
        if not knowledge.others:
            raise BadInput(
                "no other release is given", where=self.name, remedy="give one about some of the same people"
            )
        releases = (target, *knowledge.others)
        for number, release in enumerate(releases[1:], 2):
            if column not in release.table.names:
                raise BadInput(
                    f"release {number} has no column '{column}'",
                    where=self.name,
                    remedy="give releases with the same sensitive column",
                )
        people = people_of(self.name, target, knowledge)
        same = is_original(people, knowledge)
        progress.step("intersecting releases")
        found = [self._candidates(each, people, knowledge, same, i) for i, each in enumerate(releases, 1)]
        views = [each.release.values_of(column) for each in found]
        numbers: dict[str | None, int] = {}
        for view in views:
            for value in view.domain.values:
                numbers.setdefault(as_written(value), len(numbers))
        columns = tuple(dict.fromkeys(own for each in found for own in each.file_columns))
        who = attacked(self.name, people, columns, releases, knowledge, column, numbers)
        units = np.stack(
            [
                places(each.known, who.rows.select(_places_of(each, columns)), len(each.columns))
                for each in found
            ],
            axis=1,
        )
        single, joint = _composed(units, who.truths, found, views, numbers)
        claims = _Claims(who, single, joint)
        return AttackResult(
            self.name,
            self.threat,
            who.people,
            claims.success,
            claims.alone,
            _most_frequent(views[0]),
            certain=claims.sure,
            highest=float(claims.chance.max(initial=0.0)),
            column=column,
            scored=Scored.MEASURED if who.compared else Scored.EXPECTED if same else Scored.CLAIMED,
            details={
                "releases": len(found),
                "sure by one release alone": claims.sure_alone,
                "nothing left": claims.nothing_left,
                "values left on average": float((joint[:, 2] * who.weights).sum() / who.people),
            },
            note="; ".join(dict.fromkeys([*who.notes, *(note for each in found for note in each.notes)])),
            victims=victims_among(people.table, columns, who.rows, claims.certainty) if victims else (),
        )

    def _candidates(
        self, release: PublishedTable, people: People, knowledge: Knowledge, same: bool, number: int
    ) -> Candidates:
        columns = {name: own for name, own in people.columns.items() if name in release.table.names}
        if knowledge.people is None:
            columns |= {name: name for name in release.quasi if name in people.table.names}
        if not columns:
            raise BadInput(
                f"release {number} has no column in common with what is known about people",
                where=self.name,
                remedy="give releases and people with common quasi-identifiers",
            )
        return candidates(
            release,
            People(people.table, columns, people.person),
            knowledge.hierarchies,
            missing="value" if same else "anybody",
            day_first=self.day_first,
            same_people=same,
        )


@dataclass(frozen=True)
class _Claims:
    """What the adversary says: by each release alone (``single[i, r]``) and by all of them (``joint[i]``).

    Each holds the chance of the best value, the chance to be right with it, and the values that are left.
    """

    who: Attacked
    single: Floats = field(repr=False)
    joint: Floats = field(repr=False)

    @property
    def _figure(self) -> int:
        return 1 if self.who.compared else 0

    @property
    def chance(self) -> Floats:
        """How likely each claim is right; where nothing is left the target alone decides."""
        nothing = self.joint[:, 2] == 0
        found: Floats = np.where(nothing, self.single[:, 0, self._figure], self.joint[:, self._figure])
        return found

    @property
    def certainty(self) -> Floats:
        """1 where one value is left and nothing speaks against it, else 0."""
        sure: NDArray[np.bool_] = (self.joint[:, 2] == 1) & (self.joint[:, self._figure] > 0)
        return sure.astype(np.float64)

    @property
    def success(self) -> float:
        return min(1.0, self._mean(self.chance))

    @property
    def alone(self) -> float:
        """The best that one release gives."""
        return min(1.0, max(self._mean(each) for each in self.single[:, :, self._figure].T))

    @property
    def sure(self) -> int:
        return self._people(self.certainty)

    @property
    def sure_alone(self) -> int:
        sure = (self.single[:, :, 2] == 1) & (self.single[:, :, self._figure] > 0)
        return max(self._people(each.astype(np.float64)) for each in sure.T)

    @property
    def nothing_left(self) -> int:
        return self._people((self.joint[:, 2] == 0).astype(np.float64))

    def _mean(self, figures: Floats) -> float:
        return float((figures * self.who.weights).sum() / self.who.people)

    def _people(self, shares: Floats) -> int:
        return int((shares * self.who.weights).sum() + 1e-6)


def _composed(
    units: Ints,
    truths: Ints,
    found: Sequence[Candidates],
    views: Sequence[ClassValues],
    numbers: Mapping[str | None, int],
) -> tuple[Floats, Floats]:
    """Lay the classes and values of all releases out one after the other, and intersect."""
    from sfumato.table.attacks.matching._kernels_composition import compose

    list_starts, listed, value_starts, values, persons = [], [], [], [], []
    combinations, classes, entries, lists = 0, 0, 0, 0
    shifted = units.copy()
    for r, (each, view) in enumerate(zip(found, views, strict=True)):
        starts, chosen = each.listed
        sizes = np.zeros(len(each.class_rows), np.int64)
        sizes[view.owner] = np.diff(view.starts)
        number_of = np.array([numbers[as_written(value)] for value in view.domain.values], np.int64)
        shifted[:, r] += combinations
        list_starts.append(starts[:-1] + lists)
        listed.append(chosen + classes)
        # Parts are in the order of their classes; a class of which nothing is told has no entries.
        value_starts.append(np.cumsum(sizes) - sizes + entries)
        values.append(number_of[view.codes])
        persons.append(view.persons)
        combinations, classes = combinations + len(each), classes + len(sizes)
        entries, lists = entries + len(view.codes), lists + len(chosen)
    base = np.bincount(values[0], persons[0], minlength=len(numbers)).astype(np.float64)
    single = np.zeros((len(units), len(found), 3))
    joint = np.zeros((len(units), 3))
    compose(
        np.ascontiguousarray(shifted),
        np.ascontiguousarray(truths),
        np.append(np.concatenate(list_starts), lists),
        np.concatenate(listed),
        np.append(np.concatenate(value_starts), entries),
        np.concatenate(values),
        np.concatenate(persons),
        base / max(1.0, base.sum()),
        single,
        joint,
    )
    return single, joint


def _places_of(found: Candidates, columns: Sequence[str]) -> list[int]:
    return [columns.index(name) for name in found.file_columns]


def _most_frequent(view: ClassValues) -> float:
    """Return how often the most frequent value is right, blindly."""
    total = int(view.base.sum())
    return int(view.base.max()) / total if total else 0.0
