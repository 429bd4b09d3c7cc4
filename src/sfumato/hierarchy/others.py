"""Values that a hierarchy does not know: published as ``*``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT, Hierarchy, Ladder, UncoveredValues
from sfumato.hierarchy.validate import validate


@dataclass(frozen=True)
class RootForOthers:
    """A hierarchy that sends values it does not cover to the root.

    They are ``*`` at *every* level, level 0 too: nobody has said how such a value may be published,
    so it never is. A ``*`` says nothing, so it counts as all leaves of the hierarchy (share 1); the
    size of the hierarchy stays as it is. Missing values are not "others". If no value at all is
    covered the error stays: the hierarchy is then most likely that of another column.

    >>> from sfumato.hierarchy.intervals import Intervals
    >>> RootForOthers(Intervals(10)).ladder(Domain.of("age", ["17", "18", "unknown"])).labels
    (('17', '18', '*'), ('10-19', '*'), ('*',))
    """

    hierarchy: Hierarchy

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the hierarchy over the values that it covers, and ``*`` over the others."""
        try:
            return self.hierarchy.ladder(domain)
        except UncoveredValues as error:
            outside = {*error.codes}
        while True:
            inside = [code for code in range(len(domain)) if code not in outside]
            covered = Domain.of(domain.name, [domain.values[code] for code in inside])
            if covered.values in ((), (None,)):
                raise UncoveredValues(domain.name, tuple(sorted(outside)))
            try:
                ladder = self.hierarchy.ladder(covered)
            except UncoveredValues as error:
                # Without the others the rest may read differently, as numbers for example.
                strange = {covered.values[code] for code in error.codes}
                outside |= {code for code in inside if domain.values[code] in strange}
                continue
            return self._with_others(domain, covered, ladder, inside)

    def _with_others(self, domain: Domain, covered: Domain, ladder: Ladder, inside: list[int]) -> Ladder:
        """Return the ladder of all values, given that of those inside."""
        top = ladder.height
        if len(ladder.labels[top]) != 1 or ladder.leaves[top][0] != ladder.size:
            raise BadInput(
                "the hierarchy has no root for the values that it does not cover",
                where=f"column '{domain.name}'",
                remedy="add a last level with * for every value",
            )
        if ladder.labels[top] != (ROOT,):
            # A root with a name says something, and of the others it would not be true.
            ladder, top = under_a_star(ladder), top + 1
        code_of = {value: code for code, value in enumerate(covered.values)}
        taken = [code_of[domain.values[code]] for code in inside]
        rungs = np.empty((top + 1, len(domain)), np.int32)
        labels, leaves = list(ladder.labels), list(ladder.leaves)
        for level in range(top + 1):
            star = 0 if level == top else len(labels[level])
            if level < top and ROOT in labels[level]:
                star = labels[level].index(ROOT)
            elif level < top:
                labels[level] = (*labels[level], ROOT)
                leaves[level] = np.append(leaves[level], 0.0)
            counted = leaves[level].copy()
            counted[star] = ladder.size
            counted.flags.writeable = False
            leaves[level] = counted
            rungs[level] = star
            rungs[level, inside] = ladder.rungs[level, taken]
        rungs.flags.writeable = False
        return validate(Ladder(ladder.name, rungs, tuple(labels), tuple(leaves), ladder.size))


def under_a_star(ladder: Ladder) -> Ladder:
    """Add a level that says nothing."""
    rungs = np.concatenate([ladder.rungs, np.zeros_like(ladder.rungs[:1])])
    rungs.flags.writeable = False
    leaves = (*ladder.leaves, np.array([float(ladder.size)]))
    return Ladder(ladder.name, rungs, (*ladder.labels, (ROOT,)), leaves, ladder.size)
