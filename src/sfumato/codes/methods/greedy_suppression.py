"""Greedy suppression for (h, k, p)-coherence (Xu, Wang, Fu and Yu, KDD 2008).

"Anonymizing transaction databases for publication": codes are left out everywhere until no itemset of at
most p public codes tells too much. Such itemsets are called moles (``codes/methods/moles.py``). Moles of one
code go first. Then the minimal moles of 2 … p codes are found, and the code is left out, again and again,
that stands in most of the minimal moles that are left, for each of its own occurrences:
MM(e) / sup(e). In the end codes are put back whose minimal moles have all lost another code, too.

Neither supports of what remains nor the share of a sensitive code in all records change on the way, so the
same search keeps t-closeness of cohorts: a cohort too far from everybody is a mole as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.asked import most_support, questions_of
from sfumato.codes.methods.moles import Known, codes_that_break, minimal_moles, stacked
from sfumato.codes.methods.suppressing import without_codes
from sfumato.codes.question import Family, Question
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class GreedySuppression:
    """Leaves public codes out everywhere, as few occurrences as it can; what remains is exact.

    Enforces (h, k, p)-coherence, LKC-privacy, t-closeness of cohorts and k^m-anonymity. Sensitive codes are
    never touched, which may make k^m-anonymity impossible, as it counts them like all others. Supports of
    what remains are those of the original, so rules and itemsets of the release are true of the data; codes
    that are left out are lost to every analysis. Rare codes go first: where rarity is the rule, as for
    diagnoses, generalising keeps far more.

    >>> from sfumato.codes.models.k_m_anonymity import KmAnonymity
    >>> from sfumato.codes.sets import CodeSets
    >>> sets = CodeSets.of([["a", "b"], ["a", "b"], ["a", "c"]])
    >>> solution = GreedySuppression().protect(Problem(sets, (KmAnonymity(2, 2),)))
    >>> [solution.published.record(row) for row in range(3)]
    [('a', 'b'), ('a', 'b'), ('a',)]
    """

    name: ClassVar[str] = "greedy-suppression"
    needs_hierarchy: ClassVar[bool] = False

    def enforces(self, question: Question) -> bool:
        """Say whether the question is about itemsets of bounded size, public ones where it bounds spread."""
        bounded = question.family is Family.UP_TO
        return bounded and (question.spread is None or not question.sensitive_known)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find all minimal moles and break them."""
        sets, sensitive = problem.sets, problem.marked
        questions = questions_of(problem, self)
        most_support(problem, questions)
        progress.step("looking for itemsets that tell too much")
        found = []
        for question in questions:
            may_be_known = np.ones_like(sensitive) if question.sensitive_known else ~sensitive
            tells = question.confidence is not None or question.spread is not None
            told = sensitive if tells else np.zeros_like(sensitive)
            known = Known.of(sets.starts, sets.codes, may_be_known, told)
            found.append(minimal_moles(known, question, question.size or 1, progress))
        moles = stacked(found)
        alone = moles[(moles >= 0).sum(axis=1) == 1, 0]
        gone = np.zeros(len(sets.domain), np.bool_)
        gone[alone[~sensitive[alone]]] = True
        progress.step("leaving codes out")
        left = moles[~(gone[moles] & (moles >= 0)).any(axis=1)]
        chosen, hopeless = codes_that_break(left, sets.supports, ~sensitive)
        if hopeless:
            raise PromiseNotMet(
                f"{hopeless} itemsets of sensitive codes alone tell too much, and those are not touched",
                remedy="lower k, or choose a method that generalises sensitive codes",
            )
        gone[chosen] = True
        sizes, number = np.unique((moles >= 0).sum(axis=1), return_counts=True)
        return without_codes(
            problem,
            gone,
            {f"minimal_moles_of_{size}": int(many) for size, many in zip(sizes, number, strict=True)},
        )
