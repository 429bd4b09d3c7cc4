"""Best of several: the usual methods are tried in turn, and the release that loses least is taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from sfumato.codes.contract import Problem, SetMethod, Solution
from sfumato.codes.methods.apriori import AprioriAnonymisation
from sfumato.codes.methods.apriori_local import LocalApriori
from sfumato.codes.methods.local_specialisation import LocalSpecialisation
from sfumato.codes.methods.partition import Partition
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.utility.certainty_penalty import CertaintyPenalty
from sfumato.core.errors import BadInput, PromiseNotMet, SfumatoError
from sfumato.core.progress import SILENT, Progress

USUAL: tuple[SetMethod, ...] = (
    LocalSpecialisation(),
    Partition(),
    LocalApriori(suppress=0.05),
    AprioriAnonymisation(suppress=0.05),
)
"""what is tried, in this order; the first of those that lose the same is taken"""
ENOUGH = 0.1
"""a loss from which on no further method is tried"""


@dataclass(frozen=True)
class Tried:
    """A method that was tried; ``loss`` is its NCP, or None where it found nothing."""

    method: SetMethod
    loss: float | None
    solution: Solution | None = field(default=None, repr=False)


@dataclass(frozen=True)
class BestOf:
    """The release with the least NCP of those that the usual methods find.

    Tried are ``local-specialisation``, ``partition``, ``local-apriori`` and ``apriori``, the last two with
    5 % of the codes to be left out, as far as they keep what is promised, and until one loses less than 0.1.
    A release made by it names the method that was taken.

    >>> from sfumato.codes.models.k_m_anonymity import KmAnonymity
    >>> from sfumato.codes.sets import CodeSets
    >>> from sfumato.codes.tree import CodeTree
    >>> from sfumato.hierarchy import Tree
    >>> sets = CodeSets.of([["a1"], ["a1"], ["b1"], ["b1", "a1"]])
    >>> tree = CodeTree.of(Tree({"any": {"A": ["a1"], "B": ["b1"]}}), sets.domain)
    >>> chosen = BestOf().choose(Problem(sets, (KmAnonymity(2, 1),), tree))
    >>> chosen[0].method.name, chosen[0].loss
    ('local-specialisation', 0.0)
    """

    name: ClassVar[str] = "best-of"
    needs_hierarchy: ClassVar[bool] = True

    def enforces(self, question: Question) -> bool:
        """Whether one of the methods answers this question; what policies list is for other methods."""
        return question.family is not Family.LISTED and any(method.enforces(question) for method in USUAL)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Return the best release, with what was tried among its figures."""
        best = self.choose(problem, progress=progress)[0]
        assert best.solution is not None
        return Solution(best.solution.published, {**best.solution.details, "method": best.method.name})

    def choose(self, problem: Problem, *, progress: Progress = SILENT) -> tuple[Tried, ...]:
        """Return what was tried, the best first; raises what the last one raised where all fail."""
        questions = [model.question() for model in problem.models]
        tried: list[Tried] = []
        refused: SfumatoError = BadInput(
            "no usual method keeps all of these promises together",
            where=self.name,
            remedy="name a method, or promise less",
        )
        for method in USUAL:
            if not all(method.enforces(question) for question in questions):
                continue
            progress.step(f"trying {method.name}")
            try:
                solution = method.protect(problem, progress=progress)
            except PromiseNotMet as problem_found:
                refused = problem_found
                tried.append(Tried(method, None))
                continue
            loss = loss_of(problem, solution)
            tried.append(Tried(method, loss, solution))
            if loss < ENOUGH:
                break
        if all(one.solution is None for one in tried):
            raise refused
        return tuple(sorted(tried, key=lambda one: 2.0 if one.loss is None else one.loss))


def loss_of(problem: Problem, solution: Solution) -> float:
    """Return the NCP of a solution."""
    assert isinstance(solution.published, PublishedSets), "the usual methods publish records one by one"
    measured = CertaintyPenalty().of(problem.sets, solution.published)
    return 0.0 if measured is None else float(measured.value)
