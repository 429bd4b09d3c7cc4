"""Membership told from published aggregates: means and counts of many attributes of the same people.

C. Dwork, A. Smith, T. Steinke, J. Ullman & S. Vadhan, "Robust traceability from trace amounts" (2015);
N. Homer et al. (2008) and S. Sankararaman et al. (2009) on means of genotypes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.inference.inside_outside import Divided, sides
from sfumato.table.attacks.inference.tracing import Statistic, Told, scores
from sfumato.table.attacks.matching.candidates import encoded
from sfumato.table.attacks.matching.compatible import compatible
from sfumato.table.attacks.matching.truth import texts_of
from sfumato.table.perturbation.randomisation_bounds import share
from sfumato.table.published import PublishedTable

Floats = NDArray[np.float64]
Answers = NDArray[np.int8]
Layout = Literal["records", "marginals"]
_MOST_ANSWERS = 1 << 29


@dataclass(frozen=True)
class Aggregates:
    """Tell who is behind published means by how their answers lean from a reference towards the means.

    ``layout`` says what is published. ``records``: a table of records, of which only the one-way counts are
    used: how many show each label of each column. ``marginals``: those counts themselves, in a table with the
    columns ``column``, ``value`` and ``count`` or ``mean``. With ``by`` they are given for each group of a
    column, and people are compared with the means of their own group.

    ``statistic`` is ``likelihood-ratio``, ``inner-product`` or ``homer``. Of the people outside, half give
    the reference; the others are attacked like those inside. ``success`` is the share of right claims by the
    threshold that does best for other people, both sides weighing alike, so that a coin has 1/2. The details
    give the power at ``false_positives``, with the threshold set by one half of the people outside and tried
    on the other; ``certain`` counts those inside who score above everybody outside.

    It succeeds where attributes are many more than people, and fails where they are few, or where the means
    are noisy enough. It knows nothing of single records.

    >>> Aggregates(statistic="homer").false_positives
    0.05
    """

    statistic: Statistic = "likelihood-ratio"
    layout: Layout = "records"
    by: str | None = None
    false_positives: float = 0.05
    outside: bool = False
    """whether nobody of the population's list is in the data"""
    people: int = 1000
    """how many are attacked on each side, at most"""
    seed: int = 0
    name: ClassVar[str] = "aggregates"
    title: ClassVar[str] = "membership told from published means"
    threat: ClassVar[Threat] = Threat.MEMBERSHIP
    needs: ClassVar[frozenset[Need]] = frozenset({Need.POPULATION})

    def __post_init__(self) -> None:
        for given, known in ((self.statistic, get_args(Statistic)), (self.layout, get_args(Layout))):
            if given not in known:
                raise BadInput(f"there is no '{given}'", where=self.name, remedy=nearest(given, known))
        share(self.false_positives, "false_positives")
        if self.people < 1:
            raise BadInput("nobody is attacked", where=self.name, remedy="try people: 1000")

    def about(self, target: PublishedTable) -> tuple[str, ...] | None:
        """Return the columns that published marginals are about; None where the target has them itself."""
        if self.layout != "marginals":
            return None
        if "column" not in target.table.names:
            raise _not_marginals()
        batches = target.table.engine.count(target.table, ["column"])
        return tuple(
            str(name) for batch in batches for name in batch.column(0).to_pylist() if name is not None
        )

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Score people of both sides, group by group."""
        found = sides(self.name, target, knowledge, outside=self.outside)
        divided = found.divided(self.seed, self.people)
        tables = (divided.inside, divided.known, divided.tested)
        scored = tuple(np.full(table.num_rows, np.nan) for table in tables)
        attributes = groups = 0
        progress.step("scoring people by published means")
        for means in self._published(target, found.columns):
            members = [means.of_group(table, self.by) for table in (*tables, divided.reference)]
            if not len(members[3]):
                continue
            rows = [
                table.take(pa.array(some))
                for table, some in zip((*tables, divided.reference), members, strict=True)
            ]
            answers = means.answers(rows, knowledge)
            reference = answers[3].mean(0)
            groups, attributes = groups + 1, max(attributes, sum(map(len, means.labels.values())))
            for into, some, given in zip(scored, members, answers, strict=False):
                into[some] = scores(given, means.shares, reference, self.statistic)
        left_out = int(sum(np.isnan(one).sum() for one in scored))
        kept = [one[~np.isnan(one)] for one in scored]
        told = Told.apart(kept[0], kept[2], kept[1], Fraction(str(self.false_positives)))
        attempts = sum(map(len, kept))
        result = _result(self, divided, told, scored[0], attempts, attributes, groups, left_out, victims)
        drawn = divided.inside.num_rows
        unscored = int(np.isnan(scored[0]).sum())
        return replace(result, left_out=found.inside.num_rows - drawn + unscored)

    def _published(self, target: PublishedTable, columns: tuple[str, ...]) -> Iterator[_Means]:
        """Read the means, for each group if they are given by group."""
        by = self.by
        if by is not None and (by not in target.table.names or by not in columns):
            raise BadInput(
                f"the release or the list has no column '{by}' to group by",
                where=self.name,
                remedy=nearest(by, set(target.table.names) & set(columns)),
            )
        if self.layout == "marginals":
            yield from _marginals(target, columns, by)
            return
        shown = [name for name in columns if name in target.table.names and name != by]
        if not shown:
            raise BadInput(
                "the list has no column in common with the release",
                where=self.name,
                remedy="map its columns to those of the release",
            )
        counted: dict[Any, dict[str, dict[Any, float]]] = {}
        for name in shown:
            names = [name] if by is None else [by, name]
            for batch in target.table.engine.count(target.table, names):
                group = [None] * len(batch) if by is None else batch.column(0).to_pylist()
                values, many = batch.column(len(names) - 1).to_pylist(), batch.column(len(names)).to_pylist()
                for one, value, count in zip(group, values, many, strict=True):
                    counted.setdefault(one, {}).setdefault(name, {})[value] = count
        known = {name: dict.fromkeys(v for means in counted.values() for v in means[name]) for name in shown}
        for one, labels in counted.items():
            # A label that only other groups show is one that nobody of this group has.
            full = {name: {v: labels[name].get(v, 0) for v in values} for name, values in known.items()}
            yield _Means.of(one, _as_shares(full), complete=True)


@dataclass(frozen=True)
class _Means:
    """What is published of one group: the labels of some columns, and the share of people who show each."""

    group: Any
    labels: dict[str, list[Any]]
    shares: Floats
    complete: bool
    """whether nobody has a value that no label stands for: one more attribute of every column, of share 0"""

    @classmethod
    def of(cls, group: Any, means: dict[str, dict[Any, float]], *, complete: bool) -> _Means:
        none = [0.0] if complete else []
        flat = [mean for labels in means.values() for mean in (*labels.values(), *none)]
        named = {name: list(labels) for name, labels in means.items()}
        return cls(group, named, np.array(flat, np.float64), complete)

    def of_group(self, table: pa.Table, by: str | None) -> NDArray[np.int64]:
        """Return the rows of the people who are of this group."""
        if by is None:
            return np.arange(table.num_rows)
        own = None if self.group is None else as_text(self.group)
        texts = [None if value is None else as_text(value) for value in table.column(by).to_pylist()]
        return np.flatnonzero(np.array([text == own for text in texts], np.bool_))

    def answers(self, tables: list[pa.Table], knowledge: Knowledge) -> list[Answers]:
        """Say for people which of the labels may be theirs: one row of 0 and 1 for each."""
        sizes = [table.num_rows for table in tables]
        if sum(sizes) * len(self.shares) > _MOST_ANSWERS:
            raise BadInput(
                f"{sum(sizes):,} people with {len(self.shares):,} attributes are too many",
                where=Aggregates.name,
                remedy="attack fewer people ('people'), or publish and map fewer columns",
            )
        found = np.zeros((sum(sizes), len(self.shares)), np.int8)
        start = 0
        for name, labels in self.labels.items():
            values, which = encoded(_joined([table.column(name) for table in tables]))
            own = compatible(name, values, labels, knowledge.hierarchies.get(name), missing_is_a_value=True)
            if own.idle == len(labels):
                raise BadInput(
                    "nothing that the list holds agrees with what is published",
                    where=f"column '{name}'",
                    remedy="code both alike, give the hierarchy of the column, or leave it out",
                )
            for label in range(len(labels)):
                agrees = own.test(np.full(len(values), label, np.int64), own.codes)
                found[:, start + label] = agrees[which]
            start += len(labels)
            if self.complete:
                found[:, start] = ~found[:, start - len(labels) : start].any(1)
                start += 1
        return np.split(found, np.cumsum(sizes)[:-1])


def _joined(columns: list[pa.ChunkedArray]) -> pa.ChunkedArray:
    """Put columns of several tables together, as text where their types differ."""
    if any(column.type != columns[0].type for column in columns):
        columns = [pa.chunked_array([texts_of(column)]) for column in columns]
    return pa.chunked_array([chunk for column in columns for chunk in column.chunks], columns[0].type)


def _marginals(target: PublishedTable, columns: tuple[str, ...], by: str | None) -> Iterator[_Means]:
    """Read a table of counts or means, in long form."""
    table = target.table.engine.arrow(target.table)
    figure = next((name for name in ("mean", "count") if name in table.column_names), None)
    if figure is None or not {"column", "value"} <= set(table.column_names):
        raise _not_marginals()
    group = [None] * table.num_rows if by is None else table.column(by).to_pylist()
    found: dict[Any, dict[str, dict[Any, float]]] = {}
    parts = (table.column(name).to_pylist() for name in ("column", "value", figure))
    for one, (name, value, number) in zip(group, zip(*parts, strict=True), strict=True):
        if name in columns and name != by:
            found.setdefault(one, {}).setdefault(name, {})[value] = float(number)
    if not found:
        raise BadInput(
            "the list has no column that the marginals are about",
            where=Aggregates.name,
            remedy="map its columns to those that stand in 'column'",
        )
    for one, means in found.items():
        yield _Means.of(one, _as_shares(means) if figure == "count" else means, complete=False)


def _not_marginals() -> BadInput:
    return BadInput(
        "a table of marginals has the columns 'column', 'value' and 'count' or 'mean'",
        where=Aggregates.name,
        remedy="rename its columns, or write 'layout: records' for a table of records",
    )


def _as_shares(counts: dict[str, dict[Any, float]]) -> dict[str, dict[Any, float]]:
    """Divide counts by the people whom they count.

    Noisy counts of a column may add up to anything: their number is the median over all columns.
    """
    people = float(np.median([sum(labels.values()) for labels in counts.values()]))
    if people <= 0:
        raise BadInput(
            "the counts add up to nobody", where=Aggregates.name, remedy="check the column 'count'"
        )
    return {name: {v: count / people for v, count in labels.items()} for name, labels in counts.items()}


def _result(
    attack: Aggregates,
    divided: Divided,
    told: Told,
    inside: Floats,
    attempts: int,
    attributes: int,
    groups: int,
    left_out: int,
    victims: bool,
) -> AttackResult:
    return AttackResult(
        attack.name,
        attack.threat,
        attempts=attempts,
        success=told.success,
        baseline=0.5,
        guessing=0.5,
        certain=told.sure,
        highest=told.confidence,
        scored=Scored.MEASURED,
        details={
            "statistic": attack.statistic,
            "power": told.power,
            "false_positive_rate": told.false_positives,
            "area_under_the_curve": told.area,
            "attributes": attributes,
            "groups": groups,
            "reference_people": divided.reference.num_rows,
            "people_of_groups_without_reference": left_out,
        },
        note="both sides weigh alike: a coin is right about half of the people",
        victims=divided.victims(np.nan_to_num(inside, nan=-np.inf), told) if victims else (),
    )
