"""SafePub: true records with differential privacy, by sampling, generalising and suppressing.

R. Bild, K. A. Kuhn & F. Prasser, "SafePub: a truthful data anonymization algorithm with strong privacy
guarantees" (PoPETs 2018), on N. Li, W. Qardaji & D. Su (ASIACCS 2012).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.schema import Schema
from sfumato.engine.contract import Table
from sfumato.engine.sources import Frame
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.table.count import count
from sfumato.table.ladders import ladders_for
from sfumato.table.methods.lattice.outcome import generalised
from sfumato.table.methods.safepub_choice import chosen_levels
from sfumato.table.methods.safepub_columns import class_numbers, fixed_levels, refuse_what_is_not_covered
from sfumato.table.methods.safepub_parameters import SampleParameters
from sfumato.table.models.differential_privacy import SMALLEST_EPSILON, SampledRecords, check_parameters
from sfumato.table.rule import RuleKind
from sfumato.table.solution import Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility


@dataclass(frozen=True)
class Sampled:
    """What is left of a table, the method that writes it, and the mechanism that is published."""

    table: Table
    method: FixedLevels
    mechanisms: tuple[SampledRecords, ...]
    left_out: int


@dataclass(frozen=True)
class SafePub:
    """Take a sample, generalise it without looking, leave out classes that are too small.

    1. Each record is taken with probability β = 1 − e^−ε.
    2. Each column is generalised to a level: ``levels`` names it for each, or the exponential mechanism
       chooses, for which ``search_epsilon`` of the ``epsilon`` is spent.
    3. Classes of fewer than k records of the sample are left out; k follows from ε and ``delta``.

    The release is then (ε, δ)-differentially private, and every value in it true. So that this holds,
    all columns are quasi-identifiers with a hierarchy that was given and not inferred, every person has
    one row, and the records come in a random order. How many records were not taken or left out is for
    the steward alone. Chance is drawn from the operating system.

    >>> SafePub(epsilon=1, delta=1e-5, levels={"age": 2}).parameters.k
    62
    """

    epsilon: float
    delta: float
    levels: Mapping[str, int] | None = None
    search_epsilon: float | None = None
    name: ClassVar[str] = "safepub"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_parameters(self.epsilon, self.delta)
        if (self.levels is None) == (self.search_epsilon is None):
            raise BadInput(
                "say how the levels are found",
                where=self.name,
                remedy="give 'levels' for every column, or 'search_epsilon' to have them chosen",
            )
        left = self.epsilon - (self.search_epsilon or 0)
        if self.search_epsilon is not None and not (self.search_epsilon > 0 and left >= SMALLEST_EPSILON):
            raise BadInput(
                "search_epsilon must be a part of epsilon",
                where=self.name,
                remedy=f"try search_epsilon: {self.epsilon / 10:g}",
            )

    @property
    def parameters(self) -> SampleParameters:
        """The share that is taken, and the size that classes need."""
        return SampleParameters.for_promise(self._left, self.delta)

    @property
    def _searched(self) -> Fraction:
        return Fraction(0) if self.search_epsilon is None else Fraction(str(self.search_epsilon))

    @property
    def _left(self) -> Fraction:
        return Fraction(str(self.epsilon)) - self._searched

    @property
    def mechanism(self) -> SampledRecords:
        """How records come into the release: what everybody may know."""
        k, beta = self.parameters.k, self.parameters.beta
        return SampledRecords("", (), (), k=k, beta=beta, epsilon=self._left, search_epsilon=self._searched)

    def sampled(
        self,
        table: Table,
        schema: Schema,
        hierarchies: Mapping[str, Hierarchy],
        *,
        random: Random | None = None,
        progress: Progress = SILENT,
    ) -> Sampled:
        """Sample, choose levels and suppress: what is left goes into the release, all of it."""
        random = SecretRandom() if random is None else random
        refuse_what_is_not_covered(table, schema, hierarchies)
        counted = count(table, schema.quasi, person=schema.person)
        _refuse_several_rows(counted.cells.rows, counted.cells.total_persons)
        _, found = ladders_for(table, counted, hierarchies, infer_missing=False)
        ladders = tuple(ladder for ladder in found if ladder is not None)
        parameters = self.parameters
        if self.levels is not None:
            levels = fixed_levels(self.levels, ladders)
        else:
            progress.step("choosing a generalisation")
            needed = ceil(parameters.k / parameters.beta)
            levels = chosen_levels(counted.cells, ladders, self._searched, needed, random)
        progress.step("sampling: what is taken comes into memory")
        sample = _sample(table, parameters.beta, random)
        number, sizes = class_numbers(sample, counted.cells.domains, ladders, levels)
        kept = np.flatnonzero(sizes[number] >= parameters.k)
        if not len(kept):
            raise PromiseNotMet(
                f"no class of the sample has {parameters.k} records, and the release would be empty",
                where=self.name,
                remedy="choose higher levels, or a larger epsilon or delta",
            )
        shuffled = sample.take(kept[random.permutation(len(kept))])
        details = {
            "k": parameters.k,
            "beta": float(parameters.beta),
            "records": counted.cells.total_rows,
            "sampled_records": sample.num_rows,
            "suppressed_records": sample.num_rows - len(kept),
        }
        chosen = dict(zip(schema.quasi, levels, strict=True))
        method = FixedLevels(chosen, parameters.k, details)
        left_out = counted.cells.total_rows - len(kept)
        return Sampled(table.engine.read(Frame(shuffled)), method, (self.mechanism,), left_out)

    def search(self, problem: Problem, utility: Utility, *, progress: Progress = SILENT) -> Solution:
        """Refuse: cells alone cannot be sampled."""
        raise BadInput("safepub samples records and cannot work on cells alone", remedy="use sf.protect")


@dataclass(frozen=True)
class FixedLevels:
    """Generalise every column to its level; nothing is left to suppress."""

    levels: Mapping[str, int]
    smallest: int
    details: Mapping[str, int | float] = field(default_factory=dict)
    name: ClassVar[str] = SafePub.name
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = False

    def search(self, problem: Problem, utility: Utility, *, progress: Progress = SILENT) -> Solution:
        """Lay cells that look alike at their levels into one class."""
        for rule in problem.rules:
            if rule.kind is not RuleKind.MIN_PERSONS or rule.parameters[0] > self.smallest:
                raise PromiseNotMet(
                    f"safepub makes classes of {self.smallest} or more and can promise no more of them",
                    remedy="lower delta for larger classes, or leave the other model out",
                )
        cells = problem.cells
        ladders = [ladder for ladder in problem.ladders if ladder is not None]
        levels = tuple(self.levels[name] for name in cells.names)
        rungs = np.stack(
            [
                ladder.rungs[level][cells.codes[j]]
                for j, (ladder, level) in enumerate(zip(ladders, levels, strict=True))
            ]
        )
        boxes, classes = np.unique(rungs, axis=1, return_inverse=True)
        return Solution(
            cells=cells,
            classes=classes.ravel().astype(np.int32),
            boxes=np.ascontiguousarray(boxes.astype(np.int32)),
            columns=tuple(
                generalised(domain, ladder, level)
                for domain, ladder, level in zip(cells.domains, ladders, levels, strict=True)
            ),
            levels=levels,
            details={**self.details, "classes": int(boxes.shape[1])},
        )


def _sample(table: Table, beta: Fraction, random: Random) -> pa.Table:
    """Take each record with probability β."""
    batches = [
        batch.filter(pa.array(random.integers(beta.denominator, batch.num_rows) < beta.numerator))
        for batch in table.engine.scan(table)
    ]
    return pa.Table.from_batches(batches)


def _refuse_several_rows(rows: NDArray[np.int64], persons: int) -> None:
    if int(rows.sum()) != persons:
        raise BadInput(
            f"{int(rows.sum())} rows are about {persons} persons, and the promise is about one row each",
            where="safepub",
            remedy="keep one row for each person",
        )
