"""What an adversary of a study's statistics would hold, from the study and its reference panel."""

from __future__ import annotations

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.dna.attacks.contract import Knowledge
from sfumato.dna.contract import Study
from sfumato.dna.statistics.held_out import check_same_sites, in_parts, members_of


def knowledge_of(study: Study) -> Knowledge:
    """Take the pool as members and divide the reference panel.

    One part of it stands for the population that the adversary knows, another, **checking**, for strangers:
    people whom no selection of sites was tuned on (``statistics.held_out``). Nobody is in both, and members
    who are in the panel are in neither.

    >>> from sfumato.dna.simulate import independent
    >>> study = Study(independent(people=50, sites=20), reference=independent(people=80, sites=20))
    >>> known = knowledge_of(study)
    >>> known.members.people, known.outside.people, known.reference.people
    (50, 20, 40)
    """
    # Readers of files bring Arrow, which attacks do not need.
    from sfumato.dna.reading.some_people import SomePeople

    panel = study.reference
    if panel is None:
        raise BadInput(
            "without people who are not in the study nobody can say how good an attack on it is",
            where="reference",
            remedy="give a reference panel of the same population",
        )
    check_same_sites(study.pool.sites, panel.sites, "reference")
    parts = in_parts(panel.people).without(members_of(study.pool, panel, "reference"))
    masks = []
    for part in (parts.checking, parts.estimating):
        mask = np.zeros(panel.people, np.bool_)
        mask[part] = True
        masks.append(SomePeople(panel, mask))
    return Knowledge(study.pool, masks[0], masks[1], cases=study.cases)
