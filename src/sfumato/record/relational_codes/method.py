"""Relational data and codes protected together: clusters of people, then codes inside every cluster.

G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos: "Anonymizing data with relational and
transaction attributes" (ECML PKDD 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.codes.contract import SetMethod
from sfumato.codes.methods import METHODS as SET_METHODS
from sfumato.codes.utility.occurrences import Occurrences
from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.record.relational_codes.boxes import Boxes
from sfumato.record.relational_codes.codes_inside import CodesInside, Protected, together
from sfumato.record.relational_codes.contract import RecordsProblem, RecordsSolution
from sfumato.record.relational_codes.merging import ROUNDING, Bounding, Merging, merge_until, merge_within
from sfumato.record.relational_codes.published import PublishedRecords
from sfumato.record.relational_codes.spelling import made, spelling
from sfumato.table.methods import METHODS
from sfumato.table.methods.clustering.show import shown
from sfumato.table.methods.mondrian_columns import columns_of
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import SUPPRESSED, Problem, Solution
from sfumato.table.utility import Loss

Bounded = Literal["relational", "codes"]
Output = Literal["tight", "hierarchy"]
Clustering = Literal["bottom-up", "k-member", "top-down", "mondrian"]
"""methods for tables that leave every record in a class"""


@dataclass(frozen=True)
class RelationalCodes:
    """Clusters that are narrow in the quasi-identifiers are merged, then their codes are generalised.

    1. A method for tables (``clusters``) makes clusters of at least k people.
    2. Clusters are merged by ``bounding``: with the nearest in the quasi-identifiers (``rmerge``), with the
       most similar in the codes (``tmerge``), or with the one whose ranks in both orders add up to least
       (``rtmerge``). Codes are compared by (codes of one alone + 1) / (codes of both + 1), the largest over
       all pairs of records, since protecting them for every pair of clusters would take too long.
    3. Inside every cluster a method for sets (``codes``) makes the codes k^m-anonymous.

    Let R be the mean certainty penalty of the quasi-identifiers and T that of the codes, both from 0
    (nothing lost) to 1. The cluster of least penalty is merged next. With ``bounded="relational"`` this goes
    on while R ≤ ``delta``, which lowers T; a cluster that fits with nobody is set aside. With
    ``bounded="codes"`` it ends as soon as T ≤ ``delta``, which keeps R low. A bound that cannot be kept is
    refused.

    Clusters in which some but fewer than k people have codes are merged first; where that breaks the bound
    their codes are left out, and counted. ``output`` is what clusters show: *tight* ranges and sets, or nodes
    of the *hierarchy*. Everybody with the same quasi-identifiers is in the same cluster.

    >>> RelationalCodes(bounding="tmerge", delta=0.2).delta
    0.2
    """

    bounding: Bounding = Bounding.RTMERGE
    delta: float = 0.3
    bounded: Bounded = "relational"
    clusters: Clustering = "bottom-up"
    output: Output = "tight"
    codes: str | Any = "best-of"
    name: ClassVar[str] = "relational-codes"

    def __post_init__(self) -> None:
        for value, known, what in (
            (self.bounding, tuple(Bounding), "bounding"),
            (self.bounded, get_args(Bounded), "bounded"),
            (self.clusters, get_args(Clustering), "clusters"),
            (self.output, get_args(Output), "output"),
        ):
            if value not in known:
                raise BadInput(
                    f"'{what}' cannot be '{value}'", where=self.name, remedy=nearest(str(value), known)
                )
        object.__setattr__(self, "bounding", Bounding(self.bounding))
        number = isinstance(self.delta, int | float) and not isinstance(self.delta, bool)
        if not number or not 0.0 <= self.delta <= 1.0:
            raise BadInput("delta must lie between 0 and 1", where=self.name, remedy="try delta: 0.3")
        method = self.set_method
        if type(method) in SET_METHODS.values():
            # Python, recipe and evidence show one spelling, whichever of them it was given in.
            object.__setattr__(self, "codes", spelling(method))

    @property
    def set_method(self) -> SetMethod:
        """The method for the codes."""
        method: SetMethod = made(SET_METHODS, self.codes, "method for sets", "codes")
        return method

    def protect(self, problem: RecordsProblem, *, progress: Progress = SILENT) -> RecordsSolution:
        """Cluster, merge, protect the codes."""
        model, method = problem.model, self.set_method
        if not method.enforces(model.question()):
            raise BadInput(
                f"{method.name} does not enforce k-m-anonymity", where=self.name, remedy="use codes: best-of"
            )
        if len(problem.sets) < model.k:
            raise PromiseNotMet(
                f"k = {model.k} is more than the {len(problem.sets)} persons in the table",
                remedy=f"choose k of at most {len(problem.sets)}",
            )
        asked = Problem(
            problem.cells, problem.ladders, (Rule(RuleKind.MIN_PERSONS, (model.k,), monotone=True),)
        )
        progress.step("clustering by quasi-identifiers")
        found = METHODS[self.clusters](output=self.output).search(asked, Loss())
        assert (found.classes != SUPPRESSED).all(), "these methods leave nobody out"
        columns = columns_of(asked, hierarchical=self.output == "hierarchy")
        owner = found.classes.astype(np.int64)
        boxes = Boxes.of(columns, problem.cells.codes, owner, problem.cells.rows)
        merging = Merging.of(boxes, problem.sets, owner[problem.cell_of])
        work = _Work(
            self, problem, merging, CodesInside(problem.sets, problem.tree, model.k, model.m, method)
        )
        progress.step("merging clusters")
        merges = work.merged(progress)
        progress.step("generalising codes inside every cluster")
        parts = work.parts(progress)
        owner = np.empty_like(owner)
        owner[problem.cell_of] = merging.cluster_of
        solution = shown(problem.cells, columns, owner, self.output, {})
        published = PublishedRecords(
            _quasi(solution, problem.cell_of),
            together([(merging.members[one], part.published) for one, part in parts], problem.sets),
        )
        occurrences = max(problem.sets.occurrences, 1)
        return RecordsSolution(
            published,
            solution,
            {
                "clusters found": len(boxes),
                "merges": merges,
                "clusters": len(parts),
                "R": float(boxes.loss().sum()) / boxes.most,
                "T": sum(part.lost for _, part in parts) / occurrences,
                "codes left out": _left_out(problem, published),
                "codes without holders": sum(part.suppressed for _, part in parts),
            },
        )


class _Work:
    """One run: clusters that are merged, and what became of the codes of each."""

    def __init__(
        self, method: RelationalCodes, problem: RecordsProblem, merging: Merging, inside: CodesInside
    ) -> None:
        self._method, self._problem, self._merging, self._inside = method, problem, merging, inside
        self._done: dict[int, Protected] = {}

    def merged(self, progress: Progress) -> int:
        """Merge clusters within the bound; return how often."""
        if self._method.bounded == "relational":
            return self._within(progress)
        return self._until(progress)

    def _within(self, progress: Progress) -> int:
        boxes, delta = self._merging.boxes, self._method.delta
        reached = float(boxes.loss().sum()) / boxes.most
        if reached > delta + ROUNDING:
            raise PromiseNotMet(
                f"clusters of {self._problem.model.k} people lose {reached:.4f} of their quasi-identifiers, "
                f"more than delta = {delta:g}",
                where=self._method.name,
                remedy="choose a larger delta or a smaller k, or leave out a quasi-identifier",
            )
        return merge_within(self._merging, self._method.bounding, delta, self._problem.model.k, progress)

    def _until(self, progress: Progress) -> int:
        occurrences, delta = max(self._problem.sets.occurrences, 1), self._method.delta
        for one in np.flatnonzero(self._merging.alive).tolist():
            self._protect(one)
        start = self._lost() / occurrences

        def enough() -> bool:
            reached = self._lost() / occurrences
            progress.update(min((1 - reached) / max(1 - delta, ROUNDING), 1.0), f"T = {reached:.3f}")
            return reached <= delta + ROUNDING

        def merged(one: int, other: int) -> None:
            del self._done[other]
            self._protect(one)

        k = self._problem.model.k
        merges = merge_until(self._merging, self._method.bounding, k, enough, merged)
        if not enough():
            raise PromiseNotMet(
                f"codes lose {self._lost() / occurrences:.4f} even with everybody in one cluster "
                f"({start:.4f} in the first clusters), more than delta = {delta:g}",
                where=self._method.name,
                remedy="choose a larger delta, a smaller k or m, or a finer hierarchy",
            )
        return merges

    def _lost(self) -> float:
        return sum(part.lost for part in self._done.values())

    def _protect(self, one: int) -> Protected:
        self._done[one] = self._inside.of(self._merging.members[one])
        return self._done[one]

    def parts(self, progress: Progress) -> list[tuple[int, Protected]]:
        """Return every cluster that is left, with its codes protected."""
        alive = np.flatnonzero(self._merging.alive).tolist()
        for number, one in enumerate(alive, 1):
            if one not in self._done:
                self._protect(one)
            progress.update(number / len(alive), f"{number} of {len(alive)} clusters")
        return [(one, self._done[one]) for one in alive]


def _left_out(problem: RecordsProblem, published: PublishedRecords) -> int:
    """Count the occurrences of codes that nothing shows, whoever left them out."""
    found = Occurrences().of(problem.sets, published.sets)
    return 0 if found is None else int(found.details["suppressed"])


def _quasi(solution: Solution, cell_of: NDArray[np.int64]) -> pa.Table:
    """Write the quasi-identifiers of every record as its class shows them."""
    box = solution.classes[cell_of]
    return pa.table(
        {
            column.name: pa.array(column.labels, pa.string()).take(pa.array(solution.boxes[j, box]))
            for j, column in enumerate(solution.columns)
        }
    )
