"""How well adversaries of statistics do over rising numbers of sites, on people who were held out.

Homer et al. (2008) and Sankararaman et al. (2009): see ``dna/attacks``. Sites are added in an order drawn by
chance, so that a curve says what so many sites tell, whichever they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.evidence_dna import CurveEvidence, CurvePoint
from sfumato.dna.attacks import BeaconAttack, Homer, Knowledge, LikelihoodRatio
from sfumato.dna.attacks.contract import people_to_attack
from sfumato.dna.attacks.frequencies import Frequencies
from sfumato.dna.attacks.homer import distances
from sfumato.dna.attacks.likelihood_ratio import log_ratios
from sfumato.dna.attacks.scoring import auc, auc_interval, claims
from sfumato.dna.contract import Statistics
from sfumato.dna.methods.calibration import nested_scores, t_statistics

FALSE_POSITIVES = 0.05
"""share of strangers who are wrongly taken for members where power is told"""
_QUESTIONS = "auc after "


def sizes_of(sites: int) -> list[int]:
    """Return the numbers of sites at which a curve is taken.

    >>> sizes_of(450), sizes_of(3)
    ([10, 30, 100, 300, 450], [3])
    """
    steps = [base * 10**power for power in range(1, 9) for base in (1, 3)]
    return [*(step for step in steps if step < sites), sites]


def curve(what: str, target: Statistics, knowledge: Knowledge, column: str) -> list[CurveEvidence]:
    """Return the curves of the likelihood ratio and of Homer's attack on a column of frequencies."""
    members, outside = people_to_attack(knowledge, "curve")
    there = Frequencies.of(target, column, knowledge, "curve")
    usable = np.flatnonzero(there.usable)
    sizes = sizes_of(len(usable))
    ranks = np.full(len(there.usable), len(usable), np.int64)
    ranks[np.random.default_rng(len(usable)).permutation(usable)] = np.arange(len(usable))
    levels = np.minimum(np.searchsorted(np.array(sizes), ranks, "right"), len(sizes) - 1).astype(np.int64)
    ratio, distance = _table(log_ratios(there), there.usable), _table(distances(there), there.usable)
    known = _table(np.ones((len(there.usable), 3)), there.usable)
    tables = [ratio, distance, distance**2, known]
    scored = [
        nested_scores(people.blocks(), people.people, tables, levels, len(sizes))
        for people in (members, outside)
    ]
    by_ratio = [scores[0] for scores in scored]
    by_distance = [t_statistics(scores[1], scores[2], scores[3]) for scores in scored]
    there_at_all = [scores[3] > 0 for scores in scored]
    return [
        CurveEvidence(
            attack=name,
            what=what,
            points=_points(sizes, both, there_at_all),
            false_positives=FALSE_POSITIVES,
        )
        for name, both in ((LikelihoodRatio.name, by_ratio), (Homer.name, by_distance))
    ]


def asked_curve(attack: BeaconAttack, what: str, target: Statistics, knowledge: Knowledge) -> CurveEvidence:
    """Return the curve of the attack on a Beacon over the number of questions."""
    details: dict[str, Any] = dict(attack.run(target, knowledge).details)
    points = [
        CurvePoint(sites=int(name.removeprefix(_QUESTIONS).split()[0].replace(",", "")), auc=value)
        for name, value in details.items()
        if name.startswith(_QUESTIONS)
    ]
    last = CurvePoint(
        sites=attack.queries,
        auc=details["auc"],
        low=details["auc from"],
        high=details["auc to"],
        power=details["power"],
    )
    return CurveEvidence(
        attack=attack.name, what=what, points=[*points, last], false_positives=attack.false_positives
    )


def _table(of_dosages: NDArray[np.float64], usable: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give a missing genotype, and sites that cannot be used, nothing to add."""
    table = np.zeros((len(usable), 4))
    table[usable, :3] = of_dosages[usable]
    return table


def _points(
    sizes: list[int], both: list[NDArray[np.float64]], known: list[NDArray[np.bool_]]
) -> list[CurvePoint]:
    points = []
    for at, size in enumerate(sizes):
        members, outside = (scores[at][there[at]] for scores, there in zip(both, known, strict=True))
        if len(members) and len(outside) > 1:
            low, high = auc_interval(members, outside)
            power = float(claims(members, outside, FALSE_POSITIVES).mean())
            points.append(CurvePoint(sites=size, auc=auc(members, outside), low=low, high=high, power=power))
    return points
