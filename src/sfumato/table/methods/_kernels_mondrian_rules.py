"""The partitioning loop of Mondrian under any rules: a cut is made when both halves satisfy them all.

``records[c]`` holds the ranks of a cell, then its persons, then its number. Ranks are codes in the
order in which a column is cut: along its axis, by falling number of persons, or along its tree. So a
cut is a rank: what is not above it goes left. ``ranked`` is what is known of the columns, ``watch``
what the rules need to know of cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.table._kernels_rules import SATISFIED, state_of_entries, state_of_sizes
from sfumato.table.rule_lines import Book, Line

if TYPE_CHECKING:
    from sfumato.table.methods.mondrian_rules import Ranked, Watch

ORDERED = 0
TREE = 2
MOST_CUTS = 24
"""cuts of one column that are tried in a box, from the median outwards"""

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def line_at(book: Book, r: int) -> Line:
    """One rule of a book."""
    return Line(
        book.kind[r],
        book.whole[r],
        book.bound[r],
        book.upper[r],
        book.numerator[r],
        book.denominator[r],
        book.upper_numerator[r],
        book.upper_denominator[r],
        book.exact[r],
        book.values[r],
        book.groups[r],
        book.hereditary[r],
        book.monotone[r],
        book.bounded[r],
        book.everybody[r],
        book.table[book.begins[r] : book.begins[r + 1]],
    )


@kernel
def goes_left(rank: int, persons: int, cut: I64, taken: int) -> bool:
    """Whether a cell goes left. ``cut``: the last rank on the left, a rank that is divided, its quota."""
    return bool(rank <= cut[0] or (rank == cut[1] and taken + persons <= cut[2]))


@kernel
def gather(records: I32, low: int, high: int, j: int, cut: I64, watch: Watch) -> None:
    """Add up rows, persons and population of both halves of a cut, and who has which value in them."""
    persons_at = records.shape[1] - 2
    watch.sizes[:] = 0
    watch.found[:] = 0
    taken = 0
    for row in range(low, high):
        persons = records[row, persons_at]
        side = 1
        if goes_left(records[row, j], persons, cut, taken):
            side = 0
            if records[row, j] > cut[0]:
                taken += persons
        cell = records[row, persons_at + 1]
        watch.sizes[side, 0] += watch.rows[cell]
        watch.sizes[side, 1] += persons
        watch.sizes[side, 2] += watch.most_persons[cell]
        watch.sizes[side, 3] += watch.population[cell]
        watch.sizes[side, 4] += watch.most_population[cell]
        for h in range(watch.places.shape[0] - 1):
            place = watch.places[h]
            first = watch.starts_at[h] + cell
            for entry in range(watch.starts[first], watch.starts[first + 1]):
                key = place + watch.keys[entry]
                if watch.sums[side, key] == 0:
                    watch.touched[side, place + watch.found[side, h]] = key
                    watch.found[side, h] += 1
                watch.sums[side, key] += watch.persons[entry]


@kernel
def half_holds(side: int, watch: Watch) -> bool:
    """Whether one half satisfies every rule for sure; persons are known up to those in several cells."""
    rows, least, most, population, most_population = watch.sizes[side]
    for r in range(watch.book.kind.shape[0]):
        line = line_at(watch.book, r)
        h = watch.histogram[r]
        if h < 0:
            for persons in (least, most):
                for listed in (population, most_population):
                    if state_of_sizes(line, persons, rows, listed)[0] != SATISFIED:
                        return False
            continue
        place = watch.places[h]
        number = watch.found[side, h]
        for i in range(number):
            key = watch.touched[side, place + i]
            watch.own_keys[0, i] = key - place
            watch.own_counts[0, i] = watch.sums[side, key]
        state, _ = state_of_entries(
            line,
            rows,
            watch.own_keys[0],
            watch.own_counts[0],
            number,
            watch.own_keys[1],
            watch.own_counts[1],
            watch.spare,
        )
        if state != SATISFIED:
            return False
    return True


@kernel
def halves_hold(records: I32, low: int, high: int, j: int, cut: I64, k: int, watch: Watch) -> bool:
    """Whether both halves of a cut have k persons and satisfy every rule."""
    gather(records, low, high, j, cut, watch)
    hold = watch.sizes[0, 1] >= k and watch.sizes[1, 1] >= k
    hold = hold and half_holds(0, watch) and half_holds(1, watch)
    for side in range(2):
        for h in range(watch.places.shape[0] - 1):
            for i in range(watch.found[side, h]):
                watch.sums[side, watch.touched[side, watch.places[h] + i]] = 0
    return hold


@kernel
def common_level(j: int, low: int, high: int, ranked: Ranked) -> int:
    """The lowest level at which two ranks, and so all between, are in one group of the tree."""
    level = 0
    base = ranked.tree_offset[j]
    while ranked.tree[base + low] != ranked.tree[base + high]:
        base += ranked.values[j]
        level += 1
    return level


@kernel
def width(j: int, low: int, high: int, distinct: int, ranked: Ranked) -> float:
    """The normalised certainty penalty of a column that shows these ranks, between 0 and 1."""
    if low == high:
        return 0.0
    if ranked.kind[j] == ORDERED:
        if high == ranked.missing[j]:
            return 1.0
        return float(ranked.axis[ranked.offset[j] + high] - ranked.axis[ranked.offset[j] + low])
    if ranked.kind[j] == TREE:
        level = common_level(j, low, high, ranked)
        return float(ranked.shares[ranked.tree_offset[j] + level * ranked.values[j] + low])
    return float(distinct / ranked.size[j])


@kernel
def look(records: I32, low: int, high: int, j: int, counts: I64) -> tuple[int, int, int]:
    """Count the persons of every rank; return the lowest, the highest, and how many there are.

    ``counts`` is -1 everywhere before; ``forget`` makes it so again.
    """
    persons_at = records.shape[1] - 2
    first = records[low, j]
    last = first
    distinct = 0
    for row in range(low, high):
        rank = records[row, j]
        first = min(first, rank)
        last = max(last, rank)
        if counts[rank] < 0:
            counts[rank] = 0
            distinct += 1
        counts[rank] += records[row, persons_at]
    return first, last, distinct


@kernel
def forget(first: int, last: int, counts: I64) -> None:
    """Clear the counts of a column."""
    for rank in range(first, last + 1):
        counts[rank] = -1


@kernel
def list_cuts(
    j: int, first: int, last: int, k: int, total: int, ranked: Ranked, counts: I64, cuts: I64
) -> int:
    """Write the cuts that leave k persons on both sides: rank, how far from the median. Return how many."""
    base = ranked.tree_offset[j]
    if ranked.kind[j] == TREE:
        level = common_level(j, first, last, ranked)
        if level == 0:
            return 0
        base += (level - 1) * ranked.values[j]
    before = 0
    number = 0
    rank = first
    while rank < last:
        before += counts[rank]
        following = rank + 1
        while counts[following] < 0:
            following += 1
        apart = ranked.kind[j] != TREE or ranked.tree[base + rank] != ranked.tree[base + following]
        if apart and k <= before <= total - k:
            cuts[number, 0] = rank
            cuts[number, 1] = abs(total - 2 * before)
            if ranked.kind[j] == ORDERED and following == ranked.missing[j]:
                # Missing is set apart first.
                cuts[number, 1] = -1
            number += 1
        rank = following
    return number


@kernel
def cut_between(
    records: I32,
    low: int,
    high: int,
    j: int,
    first: int,
    last: int,
    k: int,
    total: int,
    ranked: Ranked,
    watch: Watch,
    cut: I64,
) -> bool:
    """Find the cut nearest the median whose halves satisfy the rules; write it, or return False."""
    number = list_cuts(j, first, last, k, total, ranked, watch.counts, watch.cuts)
    for _ in range(min(number, MOST_CUTS)):
        best = 0
        for i in range(1, number):
            if watch.cuts[i, 1] < watch.cuts[best, 1]:
                best = i
        cut[0] = watch.cuts[best, 0]
        cut[1] = -1
        if halves_hold(records, low, high, j, cut, k, watch):
            return True
        watch.cuts[best, 1] = 2 * total
    return False


@kernel
def cut_through(
    records: I32,
    low: int,
    high: int,
    j: int,
    first: int,
    k: int,
    total: int,
    watch: Watch,
    cut: I64,
) -> bool:
    """Divide the cells of the rank at the median; write the cut, or return False when a rule is broken."""
    before = 0
    rank = first
    while before + max(watch.counts[rank], 0) <= total // 2:
        before += max(watch.counts[rank], 0)
        rank += 1
    cut[0] = rank - 1
    cut[1] = rank
    cut[2] = total // 2 - before
    return halves_hold(records, low, high, j, cut, k, watch)


@kernel
def loss_of(
    records: I32, low: int, high: int, j: int, cut: I64, active: I64, free: int, ranked: Ranked, seen: I64
) -> float:
    """The persons of each half times its widths, summed. ``seen`` is scratch, zeros before and after."""
    persons_at = records.shape[1] - 2
    loss = 0.0
    for i in range(free):
        b = active[i]
        first = np.full(2, -1, np.int64)
        last = np.full(2, -1, np.int64)
        distinct = np.zeros(2, np.int64)
        persons = np.zeros(2, np.int64)
        taken = 0
        for row in range(low, high):
            side = 1
            if goes_left(records[row, j], records[row, persons_at], cut, taken):
                side = 0
                if records[row, j] > cut[0]:
                    taken += records[row, persons_at]
            rank = records[row, b]
            first[side] = rank if first[side] < 0 else min(first[side], rank)
            last[side] = max(last[side], rank)
            persons[side] += records[row, persons_at]
            if seen[rank] & (1 << side) == 0:
                seen[rank] |= 1 << side
                distinct[side] += 1
        for side in range(2):
            if first[side] >= 0:
                loss += persons[side] * width(b, first[side], last[side], distinct[side], ranked)
        for row in range(low, high):
            seen[records[row, b]] = 0
    return loss


@kernel
def move(records: I32, low: int, high: int, j: int, cut: I64) -> tuple[int, int]:
    """Bring the left cells to the front; return where the right ones begin, and the persons on the left."""
    fields = records.shape[1]
    front = low
    taken = 0
    left = 0
    for row in range(low, high):
        persons = records[row, fields - 2]
        if goes_left(records[row, j], persons, cut, taken):
            if records[row, j] > cut[0]:
                taken += persons
            left += persons
            for field in range(fields):
                value = records[row, field]
                records[row, field] = records[front, field]
                records[front, field] = value
            front += 1
    return front, left


@kernel
def by_width(records: I32, low: int, high: int, active: I64, free: int, ranked: Ranked, watch: Watch) -> int:
    """Bring the columns that vary in a box to the front, the widest first; return how many these are."""
    varying = 0
    for i in range(free):
        j = active[i]
        first, last, distinct = look(records, low, high, j, watch.counts)
        forget(first, last, watch.counts)
        if first == last:
            continue
        watch.widths[j] = width(j, first, last, distinct, ranked)
        active[i] = active[varying]
        at = varying
        while at > 0:
            b = active[at - 1]
            same = watch.widths[b] == watch.widths[j] and ranked.values[b] >= ranked.values[j]
            if watch.widths[b] > watch.widths[j] or same:
                break
            active[at] = b
            at -= 1
        active[at] = j
        varying += 1
    return varying


@kernel
def choose(
    records: I32,
    low: int,
    high: int,
    k: int,
    total: int,
    relaxed: bool,
    least_loss: bool,
    active: I64,
    free: int,
    ranked: Ranked,
    watch: Watch,
    cut: I64,
) -> int:
    """Write the best cut of a box that the rules allow; return its column, -1 if there is none.

    Relaxed, cells of one rank are divided when no cut between ranks is allowed.
    """
    tried = np.zeros(3, np.int64)
    chosen = -1
    least = np.inf
    for through in range(2 if relaxed else 1):
        for i in range(free):
            if chosen >= 0 and (through == 1 or not least_loss):
                return chosen
            j = active[i]
            first, last, _ = look(records, low, high, j, watch.counts)
            if through == 1:
                fits = cut_through(records, low, high, j, first, k, total, watch, tried)
            else:
                fits = cut_between(records, low, high, j, first, last, k, total, ranked, watch, tried)
            forget(first, last, watch.counts)
            if not fits:
                continue
            loss = 0.0
            if least_loss:
                loss = loss_of(records, low, high, j, tried, active, free, ranked, watch.seen)
            if loss < least:
                least = loss
                chosen = j
                cut[:] = tried
    return chosen


@kernel
def partition_judged(
    records: I32,
    ranked: Ranked,
    watch: Watch,
    k: int,
    relaxed: bool,
    least_loss: bool,
    stack: I64,
    state: I64,
    starts: I64,
    splits: I64,
    work: int,
) -> None:
    """Cut boxes until none can be cut or about ``work`` cells were looked at; call again to go on.

    ``stack[t]``  a box to look at: first row, row after the last, persons, columns not constant, these.
    ``state``     boxes on the stack, boxes finished, cuts made, cells finished.
    ``starts``    the first row of each finished box; ``splits``: first row, middle, end, column of a cut.

    The smaller half is looked at first, so the stack stays below log2(cells) + 2.
    """
    active = np.empty(ranked.kind.shape[0], np.int64)
    cut = np.zeros(3, np.int64)
    while state[0] > 0 and work > 0:
        top = state[0] - 1
        low, high, total = stack[top, 0], stack[top, 1], stack[top, 2]
        work -= high - low
        free = stack[top, 3] if total >= 2 * k else 0
        for i in range(free):
            active[i] = stack[top, 4 + i]
        free = by_width(records, low, high, active, free, ranked, watch)
        j = choose(records, low, high, k, total, relaxed, least_loss, active, free, ranked, watch, cut)
        if j < 0:
            starts[state[1]] = low
            state[0] -= 1
            state[1] += 1
            state[3] += high - low
            continue
        middle, left = move(records, low, high, j, cut)
        splits[state[2], 0] = low
        splits[state[2], 1] = middle
        splits[state[2], 2] = high
        splits[state[2], 3] = j
        left_waits = middle - low > high - middle
        for later in range(2):
            is_left = left_waits == (later == 0)
            stack[top + later, 0] = low if is_left else middle
            stack[top + later, 1] = middle if is_left else high
            stack[top + later, 2] = left if is_left else total - left
            stack[top + later, 3] = free
            for i in range(free):
                stack[top + later, 4 + i] = active[i]
        state[0] += 1
        state[2] += 1
