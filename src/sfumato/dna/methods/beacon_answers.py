"""The answers of a Beacon about all sites at once, as a column that can be published."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.dna.beacon import Beacon, Policy, RandomisedResponse
from sfumato.dna.contract import Published, StatisticsModel, Study
from sfumato.dna.methods.private_noise import allowed
from sfumato.dna.methods.promises import kept
from sfumato.dna.models.private import DifferentialPrivacy


@dataclass(frozen=True)
class BeaconAnswers:
    """Publish whether anybody carries the alternate allele, at every site, under a policy (``dna/beacon``).

    Without a ``policy`` answers are randomised: the promised ε is divided by the number of sites, since one
    person can turn all of them. With many sites little is left: an answer of ε = 0.01 is right with
    probability .5025.

    >>> import numpy as np
    >>> from sfumato.dna.beacon import HideRare
    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> study = Study(InMemory(np.array([[0, 0, 1], [1, 0, 1]], np.int8), numbered(2)))
    >>> BeaconAnswers(HideRare(2)).publish(study, ()).statistics.columns["present"]
    array([0., 1.])
    """

    policy: Policy | None = field(default=None)
    least_people: int = 1
    name: ClassVar[str] = "beacon-answers"

    def publish(
        self,
        study: Study,
        models: tuple[StatisticsModel, ...],
        *,
        progress: Progress = SILENT,
        random: Random | None = None,
    ) -> Published:
        """Ask for every site."""
        sites = len(study.pool.sites)
        if not sites:
            raise BadInput("there are no sites to publish", where=self.name, remedy="name some")
        policy = self.policy
        if policy is None:
            whole = allowed(None, 0, models, self.name).epsilon
            policy = RandomisedResponse(Fraction(whole, sites), whole)
        beacon = Beacon(study.pool, policy, least_people=self.least_people, random=random, progress=progress)
        made = beacon.published()
        for model in models:
            if isinstance(model, DifferentialPrivacy) and not model.covers(made.spent):
                raise PromiseNotMet(
                    "the policy of the Beacon does not keep differential privacy at this epsilon",
                    where=self.name,
                    remedy="leave the policy out, or randomise answers with less",
                )
        others = tuple(model for model in models if not isinstance(model, DifferentialPrivacy))
        return kept(made, study, others, "promise differential-privacy")
