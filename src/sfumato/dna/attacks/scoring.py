"""From scores of members and of people outside to a result: AUC, calibrated claims, power.

- The area under the ROC curve is the rank statistic of Mann and Whitney (1947), ties counted half, in whole
  numbers; its variance is that of DeLong, DeLong and Clarke-Pearson (1988), and where the scores do not
  overlap at all (variance 0) the interval is that of Newcombe, *Confidence intervals for an effect size
  measure based on the Mann–Whitney statistic*, part 2 (2006), method 5.
- Claims are calibrated on people outside by exchangeability (Vovk, Gammerman and Shafer, 2005): no formula
  for the null distribution is trusted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat

CONFIDENCE = 0.95
SURE = 0.01
"""an adversary is sure of somebody when at most this share of people outside look as much like a member"""


def auc(members: NDArray[np.float64], outside: NDArray[np.float64]) -> float:
    """Return P(member scores higher) + ½ P(equal), over all pairs.

    >>> auc(np.array([1.0, 2.0]), np.array([0.0, 1.0]))
    0.875
    """
    below, up_to = _ranked(members, outside)
    return int((below + up_to).sum()) / (2 * len(members) * len(outside))


def auc_interval(members: NDArray[np.float64], outside: NDArray[np.float64]) -> tuple[float, float]:
    """Return the interval that holds the true AUC with 95 % confidence.

    >>> low, high = auc_interval(np.arange(50.0), np.arange(50.0) - 5)
    >>> round(low, 2), round(high, 2)
    (0.48, 0.7)
    """
    m, n = len(members), len(outside)
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    area = auc(members, outside)
    below, up_to = _ranked(members, outside)
    over, from_on = _ranked(outside, members)
    of_members = (below + up_to) / (2 * n)
    of_outside = 1 - (over + from_on) / (2 * m)
    variance = sum(
        float(np.var(part, ddof=1)) / len(part) for part in (of_members, of_outside) if len(part) > 1
    )
    if variance <= 0 or area in (0.0, 1.0):
        return _newcombe(area, m, n, z)
    # On the scale of the logit the interval stays between 0 and 1.
    half = z * math.sqrt(variance) / (area * (1 - area))
    logit = math.log(area / (1 - area))
    return _logistic(logit - half), _logistic(logit + half)


def _ranked(
    these: NDArray[np.float64], those: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each of these: how many of those are smaller, and how many are not larger."""
    ordered = np.sort(those)
    return np.searchsorted(ordered, these, "left"), np.searchsorted(ordered, these, "right")


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _newcombe(area: float, m: int, n: int, z: float) -> tuple[float, float]:
    """Find the areas from which the one seen lies z standard errors away."""

    def away(theta: float) -> float:
        half = (m + n) / 2 - 1
        spread = (
            theta * (1 - theta) * (1 + half * ((1 - theta) / (2 - theta) + theta / (1 + theta))) / (m * n)
        )
        return abs(theta - area) - z * math.sqrt(spread)

    return _edge(away, 0.0, area), _edge(away, 1.0, area)


def _edge(away: Callable[[float], float], far: float, near: float) -> float:
    if far == near:
        return near
    for _ in range(60):
        middle = (far + near) / 2
        if away(middle) > 0:
            far = middle
        else:
            near = middle
    return near


def claims(
    scores: NDArray[np.float64], outside: NDArray[np.float64], false_positives: float
) -> NDArray[np.float64]:
    """Return with which chance somebody is claimed to be a member, so that strangers are with chance α.

    Of n people outside, G score higher and E the same. Were the person a stranger too, all n + 1 would be
    exchangeable, and claiming with chance

        (α (n + 1) − G) / (E + 1), cut to [0, 1]

    would claim strangers with chance α exactly, whatever the scores and however many are tied.

    >>> claims(np.array([3.0, 0.5]), np.arange(19) / 10, 0.05).tolist()
    [1.0, 0.0]
    """
    below, up_to = _ranked(scores, outside)
    higher, equal = len(outside) - up_to, up_to - below
    return np.clip((false_positives * (len(outside) + 1) - higher) / (equal + 1), 0.0, 1.0)


def strangeness(scores: NDArray[np.float64], outside: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the p-value of each person: (1 + people outside who score at least as high) / (n + 1)."""
    below, _ = _ranked(scores, outside)
    return (1 + len(outside) - below) / (len(outside) + 1)


@dataclass(frozen=True, eq=False)
class Scores:
    """How much each person looks like a member; NaN for people of whom nothing is known at these sites."""

    members: NDArray[np.float64] = field(repr=False)
    outside: NDArray[np.float64] = field(repr=False)


def membership_result(
    attack: str,
    scores: Scores,
    false_positives: float,
    *,
    details: Mapping[str, int | float | str],
    note: str = "",
    victims: bool = False,
    threat: Threat = Threat.MEMBERSHIP,
) -> AttackResult:
    """Score an adversary who says of each person whether they are in the data.

    As many members as strangers are asked about: ``success`` is ½ (power + 1 − α) with claims calibrated at
    the false positive rate α, and without the data it is ½. The confidence about somebody is 1 − p.
    """
    known = ~np.isnan(scores.members)
    members = scores.members[known]
    outside = scores.outside[~np.isnan(scores.outside)]
    if not len(members) or len(outside) < 2:
        raise BadInput(
            "of too few people there is a genotype at the published sites",
            where=attack,
            remedy="give people whose genotypes are known at these sites",
        )
    unknown = len(scores.members) + len(scores.outside) - len(members) - len(outside)
    claimed = claims(members, outside, false_positives)
    power = float(claimed.mean())
    odd = strangeness(members, outside)
    low, high = auc_interval(members, outside)
    if len(outside) + 1 < 1 / SURE:
        few = "too few people outside to be sure of anybody"
        note = f"{note}; {few}" if note else few
    hit = np.flatnonzero(known)
    order = np.lexsort((hit, odd))
    taken = order[claimed[order] == 1][:MOST_VICTIMS]
    return AttackResult(
        attack,
        threat,
        len(members) + len(outside),
        (power + 1 - false_positives) / 2,
        0.5,
        0.5,
        certain=int(np.count_nonzero(odd <= SURE)),
        highest=float(1 - odd.min()),
        scored=Scored.MEASURED,
        details={
            "auc": auc(members, outside),
            "auc from": low,
            "auc to": high,
            "power": power,
            "false positive rate": false_positives,
            **({"people without a known genotype": unknown} if unknown else {}),
            **details,
        },
        note=note,
        victims=tuple(Victim(int(hit[at]) + 1, float(1 - odd[at])) for at in taken) if victims else (),
    )
