"""SuppressControl: leave codes out until no sensitive code can be inferred.

Cao, Karras, Raïssi, Tan: "ρ-uncertainty: inference-proof transaction anonymization" (PVLDB 2010). Rules χ → e
that reach the confidence ρ are broken by global suppression, by growing size of χ. Of the codes of these
rules, public or sensitive, the one goes first that stands in most of them for each of its occurrences. In
the end codes are put back, the dearest first, that stand in no such rule any more. The same is tried from
the release without any sensitive code, which keeps every such promise; what loses less is published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.asked import questions_of
from sfumato.codes.methods.inference import Inference, put_back
from sfumato.codes.methods.suppressing import without_codes
from sfumato.codes.published import SUPPRESSED
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress


def bounds_inference(question: Question) -> bool:
    """Say whether a question bounds what antecedents of any size tell, and nothing else."""
    return (
        question.family is Family.ANY
        and question.confidence is not None
        and question.confidence > 0
        and question.support == 1
        and question.spread is None
    )


MOST_WEIGHT = 1_000_000
"""losses are sums of weights over occurrences and leaves of the hierarchy, and must fit into 64 bits"""


def check_whole(value: int, what: str, where: str, most: int = 2**62) -> None:
    """Refuse what is no number of steps or occurrences."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadInput(f"{what} must be a whole number from 1 to {most}", where=where)


@dataclass(frozen=True)
class SuppressControl:
    """ρ-uncertainty by global suppression of public and sensitive codes.

    What remains has the supports of the original. A record that holds a sensitive code must be covered by
    others without it in everything else that it shows. Where codes are rare the fewest occurrences are lost
    when the sensitive codes themselves go: ``sensitive_weight`` says how many public occurrences are given
    up to keep one sensitive one. ``budget`` bounds the search for long antecedents of one sensitive
    code; where it is not enough the method says that it could not settle the promise.

    It protects from learning a sensitive code, not from finding a person's record.

    >>> from sfumato.codes.models.rho_uncertainty import RhoUncertainty
    >>> from sfumato.codes.sets import CodeSets
    >>> sets = CodeSets.of([["a", "s"], ["a", "b"], ["a", "b", "s"], ["b"]])
    >>> problem = Problem(sets, (RhoUncertainty(0.6),), sensitive=sets.sensitive(["s"]))
    >>> solution = SuppressControl().protect(problem)
    >>> [solution.published.record(row) for row in range(4)]
    [('a',), ('a', 'b'), ('a', 'b'), ('b',)]
    """

    sensitive_weight: int = 1
    budget: int = 1_000_000_000
    name: ClassVar[str] = "suppress-control"
    needs_hierarchy: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_whole(self.budget, "the budget", self.name)
        check_whole(self.sensitive_weight, "the weight of sensitive codes", self.name, MOST_WEIGHT)

    def enforces(self, question: Question) -> bool:
        """Say whether the question bounds what any antecedent tells."""
        return bounds_inference(question)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Break rules by the size of what is known, then put back what is not in any rule now."""
        sets, sensitive = problem.sets, problem.marked
        loss = np.where(sensitive, self.sensitive_weight, 1) * sets.supports
        asked = tuple(
            Inference(sets, question, sensitive, loss, self.budget)
            for question in questions_of(problem, self)
        )
        progress.step("leaving out codes that tell sensitive ones")
        as_it_is = np.arange(len(sets.domain))
        gone = np.zeros(len(sets.domain), np.bool_)
        for inference in asked:
            known = inference.known(np.where(gone, SUPPRESSED, as_it_is))
            gone[inference.break_all(known, progress)] = True
        # Leaving out all sensitive codes keeps the promise as well: what loses less is published.
        begun = [gone] if np.array_equal(gone, sensitive) else [gone, sensitive]
        ends = [put_back(asked, as_it_is, start, progress) for start in begun]
        gone = min(ends, key=lambda end: int(loss[end].sum()))
        return without_codes(
            problem,
            gone,
            {"suppressed_sensitive_codes": int((gone & sensitive).sum())},
        )
