"""What a rule says of one class: satisfied, broken, or too close to say in floating point.

An entry of a class is a key (a sensitive value, within a combination of what is known) and its
persons. Beside the state a lower bound is worked out on how many of the class are left out wherever
the class is divided further: the union of the parts that are kept satisfies a monotone rule too, so
at least as many go as must be taken away from the class until it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

if TYPE_CHECKING:
    from sfumato.table.judge import Book

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
def over_caps(
    caps: Floats, first: int, keys: Ints, counts: Floats, number: int, total: float
) -> tuple[int, float]:
    """State of f_v ≤ cap_v · n for all v, and how many must go: R ≥ Σ max(0, f_v − cap_v (n − R))."""
    state = SATISFIED
    for i in range(number):
        state = max(state, compared(counts[i], caps[first + keys[i]] * total))
    gone = 0.0
    if state == BROKEN:
        for _ in range(8):
            needed = 0.0
            for i in range(number):
                needed += max(0.0, counts[i] - caps[first + keys[i]] * (total - gone))
            if needed <= gone:
                break
            gone = needed
    return state, gone


@kernel
def entropy_state(counts: Floats, number: int, total: float, wanted: float) -> tuple[int, float]:
    """State of H ≥ ln(wanted). Equal counts are decided exactly: their H is ln(number)."""
    if wanted <= 1.0:
        return SATISFIED, 0.0
    weighted = 0.0
    even = True
    for i in range(number):
        weighted += counts[i] * np.log(counts[i])
        even = even and counts[i] == counts[0]
    entropy = np.log(total) - weighted / total
    gone = total * (1.0 - max(0.0, entropy) / np.log(wanted))
    if even:
        return (SATISFIED, 0.0) if number >= wanted else (BROKEN, gone)
    return compared(np.log(wanted), entropy), gone


@kernel
def recursive_state(
    counts: Floats, number: int, total: float, factor: float, wanted: int, spare: Floats
) -> tuple[int, float]:
    """State of f_(1) < factor · (f_(wanted) + …), and Σ max(0, f_v − what may be at the top)."""
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
    state = compared(largest, factor * tail)
    return state, gone


@kernel
def moved_equal(shares: Floats, first: int, keys: Ints, counts: Floats, number: int, total: float) -> float:
    """½ Σ |f_v/n − p_v|: what lies above its share must move."""
    moved = 0.0
    for i in range(number):
        moved += max(0.0, counts[i] / total - shares[first + keys[i]])
    return moved


@kernel
def moved_along(
    table: Floats,
    first: int,
    values: int,
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    spare: Floats,
) -> float:
    """Σ_v |Σ_{u ≤ v} (f_u/n − p_u)| · gap_v: the shares and then the gaps stand in the table."""
    for v in range(values):
        spare[v] = -table[first + v]
    for i in range(number):
        spare[keys[i]] += counts[i] / total
    moved = 0.0
    carried = 0.0
    for v in range(values - 1):
        carried += spare[v]
        moved += abs(carried) * table[first + values + v]
    return moved


@kernel
def moved_in_hierarchy(
    table: Floats,
    first: int,
    values: int,
    height: int,
    keys: Ints,
    counts: Floats,
    number: int,
    total: float,
    spare: Floats,
) -> float:
    """Σ over inner nodes of (level / height) · min(surplus, want) of their children (Li et al. 2007).

    The table holds the shares of the lowest groups, the lowest group of every value, and then, level by
    level from 1, the group that every group below lies in.
    """
    for v in range(values):
        spare[v] = -table[first + v]
    for i in range(number):
        spare[int(table[first + values + keys[i]])] += counts[i] / total
    moved = 0.0
    extra = spare[:values]
    surplus = spare[values : 2 * values]
    want = spare[2 * values : 3 * values]
    for level in range(1, height + 1):
        parents = first + (level + 1) * values
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
def crowded(
    table: Floats, first: int, values: int, keys: Ints, counts: Floats, number: int, total: float, most: int
) -> int:
    """State of: at most n / most have a value between the ends of the window around any value."""
    for i in range(number):
        low = table[first + keys[i]]
        high = table[first + values + keys[i]]
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
    first: int,
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
            if table[first + guard * values + keys[j] % values] > 0.0:
                below += counts[j]
        state = max(state, compared(below, share * total))
    return state


@kernel
def state_of_values(
    book: Book, r: int, keys: Ints, counts: Floats, number: int, spare: Floats
) -> tuple[int, float]:
    """State of a rule about sensitive values in one class (or in one combination of what is known)."""
    kind = book.kind[r]
    first = book.offset[r]
    values = book.values[r]
    bound = book.bound[r]
    total = 0.0
    for i in range(number):
        total += counts[i]
    if kind == _DISTINCT:
        return (SATISFIED, 0.0) if number >= book.whole[r] else (BROKEN, total)
    if kind == _CAPS:
        return over_caps(book.table, first, keys, counts, number, total)
    if kind == _ENTROPY:
        return entropy_state(counts, number, total, bound)
    if kind == _RECURSIVE:
        return recursive_state(counts, number, total, bound, book.whole[r], spare)
    if kind == _DISCLOSURE:
        state, gone = over_caps(book.table, first, keys, counts, number, total)
        for i in range(number):
            state = max(state, compared(book.table[first + values + keys[i]] * total, counts[i]))
        return state, gone
    if kind == _RANGE:
        low = np.inf
        high = -np.inf
        for i in range(number):
            place = book.table[first + keys[i]]
            if place == place:
                low = min(low, place)
                high = max(high, place)
        state = compared(bound, high - low) if high >= low else BROKEN
        return state, (total if state == BROKEN else 0.0)
    if kind == _NEIGHBOURHOOD:
        return crowded(book.table, first, values, keys, counts, number, total, book.whole[r]), 0.0
    if kind == _GUARDED:
        return unguarded(book.table, first, values, keys, counts, number, total, bound), 0.0
    if kind == _CLOSE_EQUAL:
        moved = moved_equal(book.table, first, keys, counts, number, total)
    elif kind == _CLOSE_ALONG:
        moved = moved_along(book.table, first, values, keys, counts, number, total, spare)
    else:
        moved = moved_in_hierarchy(
            book.table, first, values, book.whole[r], keys, counts, number, total, spare
        )
    state = compared(moved, bound)
    gone = total * (moved - bound) / (1.0 - bound) if bound < 1.0 else 0.0
    return state, gone


@kernel
def state_of_class(
    book: Book,
    r: int,
    persons: int,
    rows: int,
    population: int,
    keys: Ints,
    persons_by_key: Ints,
    start: int,
    end: int,
    own_keys: Ints,
    own_counts: Floats,
    spare: Floats,
) -> tuple[int, int]:
    """State of one rule in one class, and how many of its rows surely go below.

    The entries of the class are ``start`` to ``end``; ``own_keys``, ``own_counts`` and ``spare`` are
    scratch. A class without rows is nobody's: it cannot be left out, nor need it be, except that the
    presence of nobody can give away who is not in the data.
    """
    kind = book.kind[r]
    if kind == _PRESENCE:
        if population == 0:
            return SATISFIED, 0
        low = compared(book.bound[r] * population, float(persons))
        high = compared(float(persons), book.upper[r] * population)
        if low == BROKEN and rows == 0:
            return BROKEN, book.everybody
        gone = at_least(persons - book.upper[r] * population, rows) if high == BROKEN else 0
        return max(low, high), max(gone, 1 if low == BROKEN else 0)
    if rows == 0:
        return SATISFIED, 0
    if kind == _MIN_PERSONS:
        return (SATISFIED, 0) if persons >= book.whole[r] else (BROKEN, rows)
    if kind == _MIN_POPULATION:
        return (SATISFIED, 0) if population >= book.whole[r] else (BROKEN, rows)
    values = book.values[r]
    if book.groups[r] == 1 or kind == _GUARDED:
        for i in range(start, end):
            own_keys[i - start] = keys[i]
            own_counts[i - start] = persons_by_key[i]
        state, needless = state_of_values(book, r, own_keys, own_counts, end - start, spare)
        if state == BROKEN and book.hereditary[r]:
            return state, rows
        return state, at_least(needless, rows) if state == BROKEN else 0
    worst = SATISFIED
    all_gone = 0.0
    for i in range(start, end):
        group = keys[i] // values
        seen = False
        for j in range(start, i):
            if keys[j] // values == group:
                seen = True
                break
        if seen:
            continue
        number = 0
        for j in range(i, end):
            if keys[j] // values == group:
                own_keys[number] = keys[j] % values
                own_counts[number] = persons_by_key[j]
                number += 1
        state, needless = state_of_values(book, r, own_keys, own_counts, number, spare)
        if state == BROKEN:
            all_gone += max(0.0, needless)
        worst = max(worst, state)
    return worst, at_least(all_gone, rows)


@kernel
def judge_classes(
    book: Book,
    r: int,
    rows: Ints,
    persons: Ints,
    population: Ints,
    starts: Ints,
    keys: Ints,
    persons_by_key: Ints,
    own_keys: Ints,
    own_counts: Floats,
    spare: Floats,
    states: Ints,
    gone: Ints,
) -> int:
    """Ask one rule about every class; keep the worst state and the highest bound. Return the unsure ones."""
    unsure = 0
    for c in range(rows.shape[0]):
        state, lost = state_of_class(
            book,
            r,
            persons[c],
            rows[c],
            population[c],
            keys,
            persons_by_key,
            starts[c],
            starts[c + 1],
            own_keys,
            own_counts,
            spare,
        )
        if state == UNSURE:
            unsure += 1
        states[c] = max(states[c], state)
        gone[c] = max(gone[c], lost)
    return unsure


@kernel
def merge_entries(
    owner: Ints,
    starts: Ints,
    keys: Ints,
    persons: Ints,
    out_starts: Ints,
    out_keys: Ints,
    out_persons: Ints,
    place: Ints,
) -> None:
    """Merge the entries of cells into those of their classes (owner < 0: left out).

    ``out_starts`` has one more entry than there are classes. ``place`` is scratch: one entry for each
    key, all -1 before and after.
    """
    classes = out_starts.shape[0] - 1
    for c in range(classes + 1):
        out_starts[c] = 0
    for cell in range(owner.shape[0]):
        if owner[cell] >= 0:
            out_starts[owner[cell] + 1] += starts[cell + 1] - starts[cell]
    for c in range(classes):
        out_starts[c + 1] += out_starts[c]
    fill = out_starts[:classes].copy()
    for cell in range(owner.shape[0]):
        c = owner[cell]
        if c >= 0:
            for i in range(starts[cell], starts[cell + 1]):
                out_keys[fill[c]] = keys[i]
                out_persons[fill[c]] = persons[i]
                fill[c] += 1
    written = 0
    for c in range(classes):
        begin = out_starts[c]
        end = out_starts[c + 1]
        out_starts[c] = written
        first = written
        for i in range(begin, end):
            key = out_keys[i]
            if place[key] < 0:
                place[key] = written
                out_keys[written] = key
                out_persons[written] = out_persons[i]
                written += 1
            else:
                out_persons[place[key]] += out_persons[i]
        for i in range(first, written):
            place[out_keys[i]] = -1
    out_starts[classes] = written


@kernel
def count_once(starts: Ints, cells: Ints, owner: Ints, seen: Ints, persons: Ints) -> None:
    """Subtract from ``persons`` of each class those who lie in several of its cells.

    ``seen[class]`` is scratch, filled with -1: the last person met in a class.
    """
    for person in range(starts.shape[0] - 1):
        for at in range(starts[person], starts[person + 1]):
            home = owner[cells[at]]
            if seen[home] == person:
                persons[home] -= 1
            seen[home] = person
