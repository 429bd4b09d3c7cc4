"""Values that stand for something else than they say: a leaf of their own under every hierarchy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.core.domain import Domain
from sfumato.hierarchy.flat import Flat
from sfumato.hierarchy.ladder import ROOT, Hierarchy, Ladder
from sfumato.hierarchy.others import under_a_star
from sfumato.hierarchy.validate import validate


@dataclass(frozen=True)
class Apart:
    """A hierarchy with some values beside it, which join the others in ``*`` alone.

    ``000`` written for a hidden ZIP code is no code that begins with 0, and 90 for everybody of 90 or more
    is not in 90-94: a label that is made from the digits of such a value is untrue of the people behind
    it. So each of ``values`` is a leaf of its own that shows itself at every level, until nothing is said.

    >>> from sfumato.hierarchy.masking import Mask
    >>> Apart(Mask(), ("000",)).ladder(Domain.of("zip3", ["000", "021", "024"])).labels
    (('021', '024', '000'), ('02*', '000'), ('0**', '000'), ('*',))
    """

    hierarchy: Hierarchy
    values: tuple[str, ...]

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the hierarchy over the other values, and put these beside them."""
        alone = [code for code, text in enumerate(domain.texts) if text in self.values]
        inside = [code for code in range(len(domain)) if code not in alone]
        covered = Domain.of(domain.name, [domain.values[code] for code in inside])
        if covered.values in ((), (None,)):
            return Flat().ladder(domain)
        ladder = self.hierarchy.ladder(covered)
        if ladder.labels[-1] != (ROOT,):
            # Also where no value stands apart: the height must not tell whether one does.
            ladder = under_a_star(ladder)
        return _beside(domain, covered, ladder, alone, inside) if alone else ladder


def _beside(domain: Domain, covered: Domain, ladder: Ladder, alone: list[int], inside: list[int]) -> Ladder:
    """Return the ladder of all values, given that of those inside."""
    code_of = {value: code for code, value in enumerate(covered.values)}
    taken = [code_of[domain.values[code]] for code in inside]
    apart = list(dict.fromkeys(domain.texts[code] for code in alone))
    rungs = np.zeros((ladder.height + 1, len(domain)), np.int32)
    labels, leaves = [], []
    for level in range(ladder.height + 1):
        rungs[level, inside] = ladder.rungs[level, taken]
        if level == ladder.height:
            labels.append(ladder.labels[level])
            leaves.append(ladder.leaves[level] + len(apart))
            continue
        first = len(ladder.labels[level])
        rungs[level, alone] = [first + apart.index(domain.texts[code]) for code in alone]
        labels.append((*ladder.labels[level], *apart))
        # A star below the top claims all leaves of the hierarchy: these are some of them now.
        more = np.array([len(apart) if label == ROOT else 0 for label in ladder.labels[level]], np.float64)
        leaves.append(np.append(ladder.leaves[level] + more, np.ones(len(apart))))
    rungs.flags.writeable = False
    for counted in leaves:
        counted.flags.writeable = False
    return validate(Ladder(ladder.name, rungs, tuple(labels), tuple(leaves), ladder.size + len(apart)))
