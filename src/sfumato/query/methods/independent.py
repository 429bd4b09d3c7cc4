"""Independent marginals: the noisy counts of every attribute, and nothing of what two have to do together.

The baseline that every synthesiser must beat. One person is in one cell of each of d marginals, so that each
is measured with a d-th of the price (sequential composition; C. Dwork, F. McSherry, K. Nissim & A. Smith,
2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.query.methods.contract import Coded, DpSolution, NoisyTable, Problem
from sfumato.query.methods.curator import Curator, DataCurator
from sfumato.query.methods.marginals import singles
from sfumato.query.methods.sampling import deal
from sfumato.query.methods.simplex import nonnegative, people_to_draw


@dataclass(frozen=True)
class IndependentMarginals:
    """Synthetic people whose attributes have nothing to do with each other.

    Keeps the distribution of each attribute, up to noise of standard deviation about √2·d/ε people in a cell
    (√(d/2ρ) where a δ is allowed). Analyses of two attributes together are lost.
    """

    name: ClassVar[str] = "independent-marginals"

    def protect(self, problem: Problem) -> DpSolution:
        """Spend the price on one marginal for each attribute."""
        return self.synthesise(DataCurator(problem))

    def synthesise(self, curator: Curator) -> DpSolution:
        """Make people from what the curator tells."""
        noisy, total = singles(curator, curator.left)
        people = people_to_draw(total, curator.most_people)
        everybody = np.zeros(people, np.int64)
        columns = [
            deal(everybody, nonnegative(n.counts, total)[None, :], curator.random).astype(np.int32)
            for n in noisy
        ]
        records = np.column_stack(columns)
        records.setflags(write=False)
        spent, steps = curator.spent()
        return DpSolution(
            spent=spent,
            records=Coded(curator.attributes, records),
            tables=tuple(
                NoisyTable((attribute.name,), n.counts.astype(np.float64), n.deviation)
                for attribute, n in zip(curator.attributes, noisy, strict=True)
            ),
            expected_error={"single attributes": max(n.deviation for n in noisy)},
            steps=steps,
            published={"people": people},
        )
