"""What a rule says of one class: satisfied, broken, or too close to say in floating point.

An entry of a class is a key (a sensitive value, within a combination of what is known) and its
persons. Beside the state a lower bound is worked out on how many of the class are left out wherever
the class is divided further: the union of the parts that are kept satisfies a monotone rule too, so
at least as many go as must be taken away from the class until it does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.table.rule_lines import Line

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SATISFIED = 0
UNSURE = 1
BROKEN = 2
_MARGIN = 1e-9

_MIN_PERSONS = 1
_MIN_POPULATION = 2
_PRESENCE = 3
_DISTINCT = 10
_CAPS = 11
_ENTROPY = 12
_RECURSIVE = 13
_CLOSE_EQUAL = 14
_CLOSE_ALONG = 15
_CLOSE_HIERARCHICAL = 17
_DISCLOSURE = 20
_RANGE = 21
_NEIGHBOURHOOD = 22
_GUARDED = 23


@kernel
def compared(less: float, more: float) -> int:
    """State of ``less ≤ more`` between two numbers that may have picked up rounding errors."""
    slack = _MARGIN * max(1.0, abs(less), abs(more))
    if less <= more - slack:
        return SATISFIED
    return BROKEN if less > more + slack else UNSURE


@kernel
def at_least(bound: float, total: int) -> int:
    """Turn a lower bound into a whole number that surely is one too, between 0 and ``total``."""
    return int(max(0.0, min(float(total), np.ceil(bound - 1e-6 * max(1.0, abs(bound))))))


@kernel
def most_within(caps: Floats, keys: Ints, counts: Floats, number: int, total: float) -> float:
    """The largest m with Σ min(f_v, cap_v · m) ≥ m: so many of the class can stay.

    From above: while B are the values over their cap, m = Σ_{v ∉ B} f_v / (1 − Σ_{v ∈ B} cap_v).
    """
    most = total
    for _ in range(number + 1):
        within = 0.0
        share = 0.0
        for i in range(number):
            cap = caps[keys[i]]
            if counts[i] > cap * most:
                share += cap
            else:
                within += counts[i]
        if share >= 1.0 or within >= most * (1.0 - share):
            break
        most = within / (1.0 - share)
    return most


@kernel
def over_caps(rule: Line, keys: Ints, counts: Floats, number: int, total: float) -> tuple[int, float]:
    """State of f_v ≤ cap_v · n for all v, and how many must go until it holds, if that is asked."""
    state = SATISFIED
    for i in range(number):
        cap = rule.table[keys[i]]
        if cap < np.inf and (state != BROKEN or rule.bounded):
            state = max(state, compared(counts[i], cap * total))
    bounded = state == BROKEN and rule.bounded
    return state, total - most_within(rule.table, keys, counts, number, total) if bounded else 0.0


@kernel
def entropy_under(table: Floats, counts: Floats, number: int, ceiling: float) -> tuple[float, float]:
    """m = Σ min(f_v, ceiling), and m · entropy of these numbers; f · ln f stands in the table for small f."""
    kept = 0.0
    weighted = 0.0
    for i in range(number):
        count = min(counts[i], ceiling)
        kept += count
        weighted += table[int(count)] if count < table.shape[0] else count * np.log(count)
    return kept, (table[int(kept)] if kept < table.shape[0] else kept * np.log(kept)) - weighted


@kernel
def entropy_state(
    table: Floats, counts: Floats, number: int, total: float, wanted: float
) -> tuple[int, float]:
    """State of H ≥ ln(wanted). Equal counts are decided exactly: their H is ln(number).

    H ≥ −ln(largest share) spares logarithms. Of all ways to keep m the flattest, min(f_v, c), has the highest
    entropy; the lower c, the higher. So fewer can stay than under any whole c at which H is still too low.
    """
    if wanted <= 1.0:
        return SATISFIED, 0.0
    if number < wanted:
        return BROKEN, total
    largest = counts[0]
    even = True
    for i in range(1, number):
        even = even and counts[i] == counts[0]
        largest = max(largest, counts[i])
    if even or compared(largest * wanted, total) == SATISFIED:
        return SATISFIED, 0.0
    target = np.log(wanted)
    _, entropy = entropy_under(table, counts, number, largest)
    state = compared(target * total, entropy)
    if state != BROKEN:
        return state, 0.0
    low = 1.0
    high = largest
    fits = total
    while high - low > max(1.0, largest / 8):
        middle = np.floor(0.5 * (low + high))
        kept, entropy = entropy_under(table, counts, number, middle)
        if compared(target * kept, entropy) == BROKEN:
            high = middle
            fits = kept
        else:
            low = middle
    return state, total - fits + 1.0


@kernel
def recursive_state(
    rule: Line, counts: Floats, number: int, total: float, spare: Floats
) -> tuple[int, float]:
    """State of f_(1) < c · (f_(l) + …), and Σ max(0, f_v − what may be at the top)."""
    factor = rule.bound
    wanted = rule.whole
    largest = 0.0
    for i in range(number):
        largest = max(largest, counts[i])
    tail = 0.0
    if wanted <= number:
        for i in range(number):
            spare[i] = counts[i]
        tail = total
        for _ in range(wanted - 1):
            top = 0
            for i in range(number):
                if spare[i] > spare[top]:
                    top = i
            tail -= spare[top]
            spare[top] = -1.0
    if tail <= 0.0:
        return BROKEN, total
    gone = 0.0
    for i in range(number):
        gone += max(0.0, counts[i] - factor * tail)
    if rule.exact:
        below = np.int64(largest) * rule.denominator < rule.numerator * np.int64(tail)
        return (SATISFIED, 0.0) if below else (BROKEN, gone)
    return compared(largest, factor * tail), gone


@kernel
def moved_equal(shares: Floats, keys: Ints, counts: Floats, number: int, total: float) -> float:
    """½ Σ |f_v/n − p_v|: what lies above its share must move."""
    moved = 0.0
    for i in range(number):
        moved += max(0.0, counts[i] / total - shares[keys[i]])
    return moved


@kernel
def most_close(shares: Floats, keys: Ints, counts: Floats, number: int, total: float, bound: float) -> float:
    """The largest m such that m of the class can stay within ``bound``: Σ max(0, f_v − p_v m) ≤ n − m + t m.

    From above: while B are the values over their share, m = (n − Σ_B f_v) / (1 − t − Σ_B p_v).
    """
    most = total
    for _ in range(number + 1):
        within = total
        share = 1.0 - bound
        for i in range(number):
            if counts[i] > shares[keys[i]] * most:
                within -= counts[i]
                share -= shares[keys[i]]
        if share <= 0.0 or within >= most * share:
            break
        most = within / share
    return most


@kernel
def moved_along(
    table: Floats,
    values: int,
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    spare: Floats,
    potential: Floats,
) -> float:
    """Σ_v |Σ_{u ≤ v} (f_u/n − p_u)| · gap_v: the shares and then the gaps stand in the table.

    ``potential`` becomes a function of the values that never changes by more than their distance and
    proves the sum: it equals Σ_v potential_v (f_v/n − p_v).
    """
    for v in range(values):
        spare[v] = -table[v]
    for i in range(number):
        spare[keys[i]] += counts[i] / total
    moved = 0.0
    carried = 0.0
    height = 0.0
    for v in range(values):
        potential[v] = height
        carried += spare[v]
        gap = table[values + v]
        moved += abs(carried) * gap
        height += -gap if carried > 0.0 else gap
    return moved


@kernel
def moved_in_hierarchy(
    table: Floats,
    values: int,
    height: int,
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    spare: Floats,
    potential: Floats,
) -> float:
    """Σ over inner nodes of (level / height) · min(surplus, want) of their children (Li et al. 2007).

    The table holds the shares of the lowest groups, the lowest group of every value, and then, level by
    level from 1, the group that every group below lies in. ``potential`` as above, where the class
    has people, when there is one root: every step up is an edge of 1/(2 · height), crossed by those below.
    """
    for v in range(values):
        spare[v] = -table[v]
    for i in range(number):
        spare[int(table[values + keys[i]])] += counts[i] / total
        potential[keys[i]] = 0.0
    moved = 0.0
    edge = 0.5 / max(height, 1)
    extra = spare[:values]
    surplus = spare[values : 2 * values]
    want = spare[2 * values : 3 * values]
    for level in range(1, height + 1):
        parents = (level + 1) * values
        for i in range(number):
            group = int(table[values + keys[i]])
            for below in range(1, level):
                group = int(table[(below + 1) * values + group])
            potential[keys[i]] += edge if extra[group] > 0.0 else -edge
        for g in range(values):
            surplus[g] = 0.0
            want[g] = 0.0
        for g in range(values):
            parent = int(table[parents + g])
            if parent >= 0:
                if extra[g] > 0.0:
                    surplus[parent] += extra[g]
                else:
                    want[parent] -= extra[g]
        for g in range(values):
            moved += level / height * min(surplus[g], want[g])
            extra[g] = surplus[g] - want[g]
    return moved


@kernel
def too_far(
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    moved: float,
    bound: float,
    potential: Floats,
    left: Floats,
) -> float:
    """How many must go until the distance is at most ``bound``.

    Let φ be the potential less its mean over the whole table, so that n · distance = Σ φ over the
    class. For the m that stay, m · distance ≥ Σ φ over them. So n · distance exceeds t · n by at most
    Σ (φ − t) over those who go; they are taken where φ is highest. ``left`` is scratch.
    """
    mean = -moved
    for i in range(number):
        mean += potential[keys[i]] * counts[i] / total
    for i in range(number):
        left[i] = potential[keys[i]] - mean - bound
    excess = (moved - bound) * total
    gone = 0.0
    for _ in range(number):
        best = 0
        for i in range(1, number):
            if left[i] > left[best]:
                best = i
        if left[best] <= 0.0:
            return total
        if excess <= counts[best] * left[best]:
            return float(gone + excess / left[best])
        gone += counts[best]
        excess -= counts[best] * left[best]
        left[best] = -1.0
    return total


@kernel
def crowded(
    table: Floats, values: int, keys: Ints, counts: Floats, number: int, total: float, most: int
) -> int:
    """State of: at most n / most have a value between the ends of the window around any value."""
    for i in range(number):
        low = table[keys[i]]
        high = table[values + keys[i]]
        near = 0.0
        for j in range(number):
            if low <= keys[j] <= high:
                near += counts[j]
        if near * most > total:
            return BROKEN
    return SATISFIED


@kernel
def unguarded(
    table: Floats,
    values: int,
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    share: float,
) -> int:
    """State of: no more than a share of the class lies below any node that one of it wants guarded."""
    state = SATISFIED
    for i in range(number):
        guard = keys[i] // values
        below = 0.0
        for j in range(number):
            if table[guard * values + keys[j] % values] > 0.0:
                below += counts[j]
        state = max(state, compared(below, share * total))
    return state


@kernel
def state_of_values(rule: Line, keys: Ints, counts: Floats, number: int, spare: Floats) -> tuple[int, float]:
    """State of a rule about sensitive values in one class (or in one combination of what is known)."""
    kind = rule.kind
    values = rule.values
    bound = rule.bound
    total = 0.0
    for i in range(number):
        total += counts[i]
    if kind == _DISTINCT:
        return (SATISFIED, 0.0) if number >= rule.whole else (BROKEN, total)
    if kind == _CAPS:
        state, gone = over_caps(rule, keys, counts, number, total)
        if rule.exact and state != SATISFIED:
            state = SATISFIED
            for i in range(number):
                watched = rule.table[keys[i]] < np.inf
                if watched and np.int64(counts[i]) * rule.denominator > rule.numerator * np.int64(total):
                    state = BROKEN
        return state, gone
    if kind == _ENTROPY:
        return entropy_state(rule.table, counts, number, total, bound)
    if kind == _RECURSIVE:
        return recursive_state(rule, counts, number, total, spare)
    if kind == _DISCLOSURE:
        state, gone = over_caps(rule, keys, counts, number, total)
        for i in range(number):
            state = max(state, compared(rule.table[values + keys[i]] * total, counts[i]))
        return state, gone
    if kind == _RANGE:
        low = np.inf
        high = -np.inf
        for i in range(number):
            place = rule.table[keys[i]]
            if place == place:
                low = min(low, place)
                high = max(high, place)
        state = compared(bound, high - low) if high >= low else BROKEN
        return state, (total if state == BROKEN else 0.0)
    if kind == _NEIGHBOURHOOD:
        return crowded(rule.table, values, keys, counts, number, total, rule.whole), 0.0
    if kind == _GUARDED:
        return unguarded(rule.table, values, keys, counts, number, total, bound), 0.0
    if kind == _CLOSE_EQUAL:
        moved = moved_equal(rule.table, keys, counts, number, total)
        state = compared(moved, bound)
        if state != BROKEN or not rule.bounded:
            return state, 0.0
        return state, total - most_close(rule.table, keys, counts, number, total, bound)
    potential = spare[3 * values : 4 * values]
    if kind == _CLOSE_ALONG:
        moved = moved_along(rule.table, values, keys, counts, number, total, spare, potential)
    else:
        moved = moved_in_hierarchy(
            rule.table, values, rule.whole, keys, counts, number, total, spare, potential
        )
    state = compared(moved, bound)
    if state != BROKEN or not rule.bounded:
        return state, 0.0
    return state, too_far(keys, counts, number, total, moved, bound, potential, spare[4 * values :])


@kernel
def state_of_sizes(rule: Line, persons: int, rows: int, population: int) -> tuple[int, int]:
    """State of a rule about sizes in one class, and how many of its rows surely go below.

    A class without rows is nobody's: it cannot be left out, nor need it be, except that the presence
    of nobody can give away who is not in the data.
    """
    kind = rule.kind
    if kind == _PRESENCE:
        if population == 0:
            return SATISFIED, 0
        if rule.exact:
            low = SATISFIED
            if rule.numerator * population > persons * rule.denominator:
                low = BROKEN
            high = SATISFIED
            if persons * rule.upper_denominator > rule.upper_numerator * population:
                high = BROKEN
        else:
            low = compared(rule.bound * population, float(persons))
            high = compared(float(persons), rule.upper * population)
        if low == BROKEN and rows == 0:
            return BROKEN, rule.everybody
        gone = at_least(persons - rule.upper * population, rows) if high == BROKEN and rule.monotone else 0
        return max(low, high), gone
    if rows == 0:
        return SATISFIED, 0
    if kind == _MIN_PERSONS:
        return (SATISFIED, 0) if persons >= rule.whole else (BROKEN, rows)
    return (SATISFIED, 0) if population >= rule.whole else (BROKEN, rows)


@kernel
def state_of_entries(
    rule: Line,
    rows: int,
    keys: Ints,
    counts: Floats,
    number: int,
    own_keys: Ints,
    own_counts: Floats,
    spare: Floats,
) -> tuple[int, int]:
    """State of a rule about sensitive values in one class, and how many of its rows surely go below.

    ``own_keys``, ``own_counts`` and ``spare`` are scratch.
    """
    if rule.groups == 1 or rule.kind == _GUARDED:
        state, needless = state_of_values(rule, keys, counts, number, spare)
        if state == BROKEN and rule.hereditary:
            return state, rows
        return state, at_least(needless, rows) if state == BROKEN else 0
    values = rule.values
    worst = SATISFIED
    all_gone = 0.0
    for i in range(number):
        group = keys[i] // values
        seen = False
        for j in range(i):
            if keys[j] // values == group:
                seen = True
                break
        if seen:
            continue
        own = 0
        for j in range(i, number):
            if keys[j] // values == group:
                own_keys[own] = keys[j] % values
                own_counts[own] = counts[j]
                own += 1
        state, needless = state_of_values(rule, own_keys, own_counts, own, spare)
        if state == BROKEN:
            all_gone += max(0.0, needless)
        worst = max(worst, state)
    return worst, at_least(all_gone, rows)
