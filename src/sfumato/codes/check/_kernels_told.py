"""What those who hold some items have in common: sensitive items among the holders of small itemsets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.check._kernels_count import ENOUGH, choices
from sfumato.core.jit import kernel

FEWEST, JOINT, OF, FAR, FAR_OF, FAR_JOINT = 0, 1, 2, 3, 4, 5
"""where the worst figures stand: least support; greatest confidence JOINT/OF; greatest distance FAR/FAR_OF"""


@kernel
def greater(one: int, of: int, other: int, than: int) -> bool:
    """Say whether one/of > other/than, without products that could be too long."""
    if one // of != other // than:
        return one // of > other // than
    return (one % of) * than > (other % than) * of


@kernel
def told_by_itemsets(
    size: int,
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    begins: NDArray[np.int64],
    at_places: NDArray[np.int64],
    at_owners: NDArray[np.int32],
    widest: int,
    told_starts: NDArray[np.int64],
    told: NDArray[np.int32],
    own: NDArray[np.int64],
    shares: NDArray[np.int64],
    least: int,
    allowed: NDArray[np.int64],
    apart: NDArray[np.int64],
    first_only: bool,
    most: int,
    figures: NDArray[np.int64],
    worst: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Count, for every itemset of at most ``size`` items, its holders and their sensitive items.

    ``own[i]`` is the sensitive item that number i is (−1: a public one), ``shares[e]`` the records with the
    sensitive item e, commonest first. With support s at most ``allowed[s]`` holders may share a sensitive
    item, and |joint·N − shares·s| may be at most ``apart[s]`` (−1: not bounded). Returns how many itemsets
    were looked at, how many break a bound, and the work left of ``most`` (below 0: given up). ``figures``
    and the rows of ``worst`` (filled up with −1) take the worst support, confidence and distance.
    """
    kinds, records = len(begins) - 1, weights.sum()
    public = True
    for item in range(kinds):
        public = public and own[item] < 0
    looked, broken = 0, 0
    count = np.zeros(kinds, np.int64)
    touched = np.empty(kinds, np.int32)
    joint = np.zeros(len(shares), np.int64)
    met = np.empty(len(shares), np.int32)
    places = np.empty((size, widest), np.int64)
    owners = np.empty((size, widest), np.int32)
    child = np.empty((size, kinds), np.int32)
    begin = np.empty((size, kinds + 1), np.int64)
    number = np.zeros(size, np.int64)
    turn = np.zeros(size, np.int64)
    prefix = np.full(size, -1, np.int64)
    figures[FEWEST], figures[JOINT], figures[OF] = ENOUGH, -1, 1
    figures[FAR], figures[FAR_OF], figures[FAR_JOINT] = -1, 1, 0
    for anchor in range(kinds):
        length = begins[anchor + 1] - begins[anchor]
        for slot in range(length):
            places[0, slot] = at_places[begins[anchor] + slot]
            owners[0, slot] = at_owners[begins[anchor] + slot]
        child[0, 0], number[0], turn[0] = anchor, 1, 0
        begin[0, 0], begin[0, 1] = 0, length
        level = 0
        while level >= 0:
            prefix[level:] = -1
            if turn[level] == number[level]:
                level -= 1
                continue
            low, high = begin[level, turn[level]], begin[level, turn[level] + 1]
            prefix[level] = child[level, turn[level]]
            turn[level] += 1
            support, seen = 0, 0
            for slot in range(low, high):
                record = owners[level, slot]
                support += weights[record]
                most -= 1 + told_starts[record + 1] - told_starts[record]
                for place in range(told_starts[record], told_starts[record + 1]):
                    if joint[told[place]] == 0:
                        met[seen] = told[place]
                        seen += 1
                    joint[told[place]] += weights[record]
            for slot in range(level + 1):
                if own[prefix[slot]] >= 0:
                    joint[own[prefix[slot]]] = -1
            common, far, far_joint = 0, min(apart[0], 0), 0
            for slot in range(seen):
                both = joint[met[slot]]
                if both > common:
                    common = both
                if apart[0] >= 0 and both >= 0:
                    distance = abs(both * records - shares[met[slot]] * support)
                    if distance > far:
                        far, far_joint = distance, both
            if apart[0] >= 0:
                # Nobody among the holders has the others: the commonest of these lies farthest.
                for item in range(len(shares)):
                    if joint[item] == 0:
                        if shares[item] * support > far:
                            far, far_joint = shares[item] * support, 0
                        break
            for slot in range(seen):
                joint[met[slot]] = 0
            breaks = support < least or common > allowed[support] or far > apart[support]
            if support < figures[FEWEST]:
                figures[FEWEST] = support
                worst[0] = prefix
            if greater(common, support, max(figures[JOINT], 0), figures[OF]) or figures[JOINT] < 0:
                figures[JOINT], figures[OF] = common, support
                worst[1] = prefix
            if far >= 0 and (
                greater(far, support, max(figures[FAR], 0), figures[FAR_OF]) or figures[FAR] < 0
            ):
                figures[FAR], figures[FAR_OF], figures[FAR_JOINT] = far, support, far_joint
                worst[2] = prefix
            more = size - level - 1
            if high - low == 1 and public:
                # One record alone: whatever else of it is known, only this record holds it.
                ways = 1
                rest = starts[owners[level, low] + 1] - places[level, low] - 1
                for extra in range(1, min(more, rest) + 1):
                    ways = min(ways + choices(rest, extra), ENOUGH)
                looked = min(looked + ways, ENOUGH)
                broken = min(broken + ways * breaks, ENOUGH)
                continue
            looked = min(looked + 1, ENOUGH)
            broken = min(broken + breaks, ENOUGH)
            if more == 0:
                continue
            seen = 0
            for slot in range(low, high):
                last = starts[owners[level, slot] + 1]
                most -= last - places[level, slot]
                for place in range(places[level, slot] + 1, last):
                    item = items[place]
                    if count[item] == 0:
                        touched[seen] = item
                        seen += 1
                    count[item] += 1
            begin[level + 1, 0] = 0
            for slot in range(seen):
                item = touched[slot]
                child[level + 1, slot] = item
                begin[level + 1, slot + 1] = begin[level + 1, slot] + count[item]
                count[item] = begin[level + 1, slot]
            for slot in range(low, high):
                record = owners[level, slot]
                for place in range(places[level, slot] + 1, starts[record + 1]):
                    target = count[items[place]]
                    places[level + 1, target] = place
                    owners[level + 1, target] = record
                    count[items[place]] += 1
            for slot in range(seen):
                count[touched[slot]] = 0
            number[level + 1], turn[level + 1] = seen, 0
            level += 1
            if most < 0:
                return looked, broken, most
        if first_only and broken > 0:
            break
    return looked, broken, most
