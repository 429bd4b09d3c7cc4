"""Membership told from how near the nearest released record lies: for noisy and synthetic records.

D. Chen, N. Yu, Y. Zhang & M. Fritz, "GAN-leaks: a taxonomy of membership inference attacks against
generative models" (2020), where the distance is calibrated by a reference; S. Yeom, I. Giacomelli, M.
Fredrikson & S. Jha, "Privacy risk in machine learning" (2018) for the advantage.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.inference.inside_outside import sides
from sfumato.table.attacks.inference.nearest_records import Space
from sfumato.table.attacks.inference.tracing import Told
from sfumato.table.perturbation.randomisation_bounds import share
from sfumato.table.published import PublishedTable

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MembershipByDistance:
    """Claim that people are in the data when a released record lies nearer than chance would have it.

        score = (r − d) / (r + d),  d being the distance of the nearest released record, r of a reference

    The reference are people outside: who is like many others has near neighbours everywhere, and is not
    suspected for it. A copy has 1, somebody as near to the reference as to the release 0. ``success`` is the
    share of right claims by the threshold that does best for other people, both sides weighing alike, so
    that a coin has 1/2. The details give the power at ``false_positives``, with the threshold set by one half
    of the people outside and tried on the other, the advantage (power − false positives) and the area under
    the curve; ``certain`` counts those inside who score above everybody outside.

    It succeeds where released records are copies with a little noise, or where a generator learned them by
    heart, and fails where records carry patterns only. It does not refute other, cleverer attacks.

    >>> MembershipByDistance(false_positives=0.1).people
    1000
    """

    false_positives: float = 0.05
    outside: bool = False
    """whether nobody of the population's list is in the data"""
    people: int = 1000
    """how many are attacked on each side, at most"""
    seed: int = 0
    name: ClassVar[str] = "membership-by-distance"
    title: ClassVar[str] = "membership told from the nearest released record"
    threat: ClassVar[Threat] = Threat.MEMBERSHIP
    needs: ClassVar[frozenset[Need]] = frozenset({Need.POPULATION})

    def __post_init__(self) -> None:
        share(self.false_positives, "false_positives")
        if self.people < 1:
            raise BadInput("nobody is attacked", where=self.name, remedy="try people: 1000")

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Measure everybody's distance to the release and to the reference."""
        found = sides(self.name, target, knowledge, outside=self.outside)
        columns = [name for name in found.columns if name in target.table.names]
        if not columns:
            raise BadInput(
                "the list has no column in common with the release",
                where=self.name,
                remedy="map its columns to those of the release",
            )
        released = target.table.engine.arrow(target.table).select(columns)
        divided = found.divided(self.seed, self.people)
        tables = [divided.inside, divided.known, divided.tested]
        reference = divided.reference.select(columns)
        space = Space(reference, knowledge.hierarchies)
        progress.step("measuring distances to released records")
        inside, known, tested = (
            _score(space.distances(some, released), space.distances(some, reference))
            for some in (table.select(columns) for table in tables)
        )
        told = Told.apart(inside, tested, known, Fraction(str(self.false_positives)))
        return AttackResult(
            self.name,
            self.threat,
            attempts=len(inside) + len(known) + len(tested),
            success=told.success,
            baseline=0.5,
            guessing=0.5,
            certain=told.sure,
            highest=told.confidence,
            scored=Scored.MEASURED,
            details={
                "power": told.power,
                "false_positive_rate": told.false_positives,
                "advantage": told.power - told.false_positives,
                "area_under_the_curve": told.area,
                "columns": len(columns),
                "reference_people": reference.num_rows,
            },
            note="both sides weigh alike: a coin is right about half of the people",
            left_out=found.inside.num_rows - divided.inside.num_rows,
            victims=divided.victims(inside, told) if victims else (),
        )


def _score(release: Floats, reference: Floats) -> Floats:
    """Compare distances; who is 0 from both is like everybody of the reference."""
    both = release + reference
    return np.divide(reference - release, both, out=np.zeros(len(both)), where=both > 0)
