"""The partitioning loop of Mondrian: cells are counted, cut and moved in place.

``records[c]`` holds the codes of a cell, then its persons, then its number. A box is a range of rows.
``shape`` is what is known of the columns, ``desk`` what is noted about the box at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

if TYPE_CHECKING:
    from sfumato.table.methods.mondrian_columns import Desk, Shape

ORDERED = 0
UNORDERED = 1
TREE = 2

DIVIDED = 2
_CODE_BITS = 31
_CODE_MASK = (1 << _CODE_BITS) - 1
_SAMPLE = 512
"""a cut of a larger box is judged by about so many of its cells"""
_BLOCK = 256
"""rows that fit into the nearest cache"""
_GAPS = 16
"""codes on an axis are read off in order when the gaps between them are smaller, else sorted"""

I8 = NDArray[np.int8]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def sort_in_place(keys: I64) -> None:
    """Shell sort: the lists are short, and many."""
    size = keys.shape[0]
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, size):
            key = keys[i]
            at = i
            while at >= gap and keys[at - gap] > key:
                keys[at] = keys[at - gap]
                at -= gap
            keys[at] = key
        gap //= 3


@kernel
def count_values(records: I32, low: int, high: int, active: I64, free: int, shape: Shape, desk: Desk) -> None:
    """Count the persons of each value in the columns that are not yet constant.

    Column by column over a few rows at a time: these stay in the nearest cache.
    """
    weight = records.shape[1] - 2
    for i in range(free):
        desk.distinct[active[i]] = 0
    for begin in range(low, high, _BLOCK):
        end = min(high, begin + _BLOCK)
        for i in range(free):
            j = active[i]
            offset = shape.offset[j]
            distinct = desk.distinct[j]
            for row in range(begin, end):
                value = records[row, j]
                persons = desk.counts[offset + value]
                if persons < 0:
                    persons = 0
                    desk.present[offset + distinct] = value
                    distinct += 1
                desk.counts[offset + value] = persons + records[row, weight]
            desk.distinct[j] = distinct


@kernel
def common_level(codes: I64, tree: I32, base: int, values: int) -> int:
    """The lowest level at which some values are all in one group of the tree that begins at ``base``."""
    level = 0
    for code in codes:
        while tree[base + code] != tree[base + codes[0]]:
            base += values
            level += 1
    return level


@kernel
def shared_level(j: int, shape: Shape, desk: Desk) -> int:
    """Where the tree of a column has the lowest level that the values of the box share."""
    offset = shape.offset[j]
    base = shape.tree_offset[j]
    values = shape.values[j]
    level = common_level(desk.present[offset : offset + desk.distinct[j]], shape.tree, base, values)
    return int(base + level * values)


@kernel
def ends_of(codes: I64) -> tuple[int, int]:
    """The smallest and the largest of some codes."""
    low = codes[0]
    high = codes[0]
    for code in codes:
        low = min(low, code)
        high = max(high, code)
    return low, high


@kernel
def range_width(low: int, high: int, missing: int, offset: int, axis: F64) -> float:
    """The width of a range of codes on the axis; one that mixes missing with values says nothing."""
    if low < high and high == missing:
        return 1.0
    if low < high:
        return float(axis[offset + high] - axis[offset + low])
    return 0.0


@kernel
def width(j: int, shape: Shape, desk: Desk) -> float:
    """The normalised certainty penalty of a column in the box at hand, between 0 and 1."""
    offset = shape.offset[j]
    if shape.kind[j] == UNORDERED:
        return float(desk.distinct[j] / shape.size[j])
    if shape.kind[j] == TREE:
        return float(shape.shares[shared_level(j, shape, desk) + desk.present[offset]])
    low, high = ends_of(desk.present[offset : offset + desk.distinct[j]])
    return range_width(low, high, shape.missing[j], offset, shape.axis)


@kernel
def lay_out_atoms(j: int, shape: Shape, desk: Desk) -> int:
    """Put the atoms of a column into the order in which they are cut; return their number.

    Atoms are the values, or in a tree the groups below the lowest common one. Those on an axis keep
    its order; the others stand by falling number of persons, so that the common ones come out alone.
    """
    offset = shape.offset[j]
    atoms = 0
    if shape.kind[j] == TREE:
        base = shared_level(j, shape, desk) - shape.values[j]
        if base < shape.tree_offset[j]:
            # Values that a hierarchy hides are one group from the lowest level on: nothing to part.
            return 0
        for at in range(offset, offset + desk.distinct[j]):
            desk.sums[offset + shape.tree[base + desk.present[at]]] = -1
        for at in range(offset, offset + desk.distinct[j]):
            group = shape.tree[base + desk.present[at]]
            if desk.sums[offset + group] < 0:
                desk.sums[offset + group] = 0
                desk.keys[atoms] = group
                atoms += 1
            desk.sums[offset + group] += desk.counts[offset + desk.present[at]]
    else:
        for at in range(offset, offset + desk.distinct[j]):
            desk.sums[offset + desk.present[at]] = desk.counts[offset + desk.present[at]]
            desk.keys[atoms] = desk.present[at]
            atoms += 1
    if shape.kind[j] == ORDERED:
        low, high = ends_of(desk.present[offset : offset + desk.distinct[j]])
        if high - low < _GAPS * atoms:
            atoms = 0
            for code in range(low, high + 1):
                if desk.counts[offset + code] >= 0:
                    desk.keys[atoms] = code
                    atoms += 1
            return atoms
    else:
        for i in range(atoms):
            desk.keys[i] |= (_CODE_MASK - desk.sums[offset + desk.keys[i]]) << _CODE_BITS
    sort_in_place(desk.keys[:atoms])
    return atoms


@kernel
def give_sides(j: int, atoms: int, cut: int, shape: Shape, desk: Desk) -> None:
    """Atoms up to ``cut`` go left, the others right; so do values of their groups. Marked keys go left."""
    offset = shape.offset[j]
    for i in range(atoms):
        if desk.keys[i] < 0:
            desk.side[offset + ((-1 - desk.keys[i]) & _CODE_MASK)] = 0
        else:
            desk.side[offset + (desk.keys[i] & _CODE_MASK)] = 0 if i <= cut else 1
    if shape.kind[j] == TREE:
        base = shared_level(j, shape, desk) - shape.values[j]
        for at in range(offset, offset + desk.distinct[j]):
            desk.side[offset + desk.present[at]] = desk.side[offset + shape.tree[base + desk.present[at]]]


@kernel
def mark_subset(atoms: int, offset: int, k: int, total: int, desk: Desk) -> int:
    """Mark atoms with between k and total − k persons and return their sum; 0 if there are none.

    Only asked when no prefix of the atoms by falling size will do. Then total < 3k: let S be the
    persons of the longest prefix below k, and a those of the next atom. S + a > total − k, so
    a > total − 2k; and a ≤ S < k unless S is empty, when the others together have less than k.
    """
    half = total // 2
    desk.reach[0] = 0
    for s in range(1, half + 1):
        desk.reach[s] = -1
    for i in range(atoms):
        persons = desk.sums[offset + (desk.keys[i] & _CODE_MASK)]
        if persons > 0:
            for s in range(half, persons - 1, -1):
                if desk.reach[s] < 0 and desk.reach[s - persons] >= 0:
                    desk.reach[s] = i + 1
    for s in range(half, k - 1, -1):
        if desk.reach[s] > 0:
            rest = s
            while rest > 0:
                i = desk.reach[rest] - 1
                rest -= desk.sums[offset + (desk.keys[i] & _CODE_MASK)]
                desk.keys[i] = -1 - desk.keys[i]
            return s
    return 0


@kernel
def cut_between_atoms(j: int, atoms: int, k: int, total: int, shape: Shape, desk: Desk) -> int:
    """Cut nearest the median with k persons on both sides; return the persons on the left, 0 if none."""
    offset = shape.offset[j]
    ordered = shape.kind[j] == ORDERED
    cut = -1
    left = 0
    apart = 0
    if ordered and desk.keys[atoms - 1] == shape.missing[j]:
        apart = desk.sums[offset + desk.keys[atoms - 1]]
    if k <= apart <= total - k:
        cut = atoms - 2
        left = total - apart
    else:
        before = 0
        nearest = total
        for i in range(atoms - 1):
            before += desk.sums[offset + (desk.keys[i] & _CODE_MASK)]
            if k <= before <= total - k and abs(total - 2 * before) < nearest:
                nearest = abs(total - 2 * before)
                cut = i
                left = before
        if cut < 0 and not ordered and total < 3 * k:
            left = mark_subset(atoms, offset, k, total, desk)
    if left > 0:
        give_sides(j, atoms, cut, shape, desk)
    return left


@kernel
def cut_through_an_atom(
    records: I32, low: int, high: int, j: int, atoms: int, k: int, total: int, shape: Shape, desk: Desk
) -> int:
    """Halve the box, dividing the cells of the atom at the median; return the persons on the left or 0."""
    offset = shape.offset[j]
    before = 0
    middle = 0
    while before + desk.sums[offset + (desk.keys[middle] & _CODE_MASK)] <= total // 2:
        before += desk.sums[offset + (desk.keys[middle] & _CODE_MASK)]
        middle += 1
    divided = desk.keys[middle] & _CODE_MASK
    give_sides(j, atoms, middle - 1, shape, desk)
    base = shape.tree_offset[j]
    if shape.kind[j] == TREE:
        base = shared_level(j, shape, desk) - shape.values[j]
    for at in range(offset, offset + desk.distinct[j]):
        if shape.tree[base + desk.present[at]] == divided:
            desk.side[offset + desk.present[at]] = DIVIDED
    desk.quota[j] = total // 2 - before
    left = before
    for row in range(low, high):
        if desk.side[offset + records[row, j]] == DIVIDED:
            persons = records[row, records.shape[1] - 2]
            if left + persons <= total // 2:
                left += persons
    return left if k <= left <= total - k else 0


@kernel
def loss_of_cut(
    records: I32,
    low: int,
    high: int,
    j: int,
    left: int,
    total: int,
    active: I64,
    free: int,
    shape: Shape,
    desk: Desk,
) -> float:
    """The persons of each half times its widths, summed: what the box loses after the cut.

    Large boxes are judged by a sample of their cells. ``ends[s, b]`` holds for side s and column b
    the smallest and largest code (axis), the number of values (unordered), or the first value and
    the level (tree). A divided value counts as being on the left.
    """
    ends = desk.ends
    for i in range(free):
        b = active[i]
        for s in range(2):
            ends[s, b, 0] = -1
            ends[s, b, 1] = 0
        if shape.kind[b] == UNORDERED:
            for at in range(shape.offset[b], shape.offset[b] + desk.distinct[b]):
                desk.sums[shape.offset[b] + desk.present[at]] = 0
    for row in range(low, high, max(1, (high - low) // _SAMPLE)):
        s = 1 if desk.side[shape.offset[j] + records[row, j]] == 1 else 0
        for i in range(free):
            b = active[i]
            value = records[row, b]
            if shape.kind[b] == UNORDERED:
                at = shape.offset[b] + value
                if desk.sums[at] & (1 << s) == 0:
                    desk.sums[at] |= 1 << s
                    ends[s, b, 1] += 1
            elif ends[s, b, 0] < 0:
                ends[s, b, 0] = value
                ends[s, b, 1] = value if shape.kind[b] == ORDERED else 0
            elif shape.kind[b] == ORDERED:
                ends[s, b, 0] = min(ends[s, b, 0], value)
                ends[s, b, 1] = max(ends[s, b, 1], value)
            else:
                base = shape.tree_offset[b] + ends[s, b, 1] * shape.values[b]
                while shape.tree[base + value] != shape.tree[base + ends[s, b, 0]]:
                    base += shape.values[b]
                    ends[s, b, 1] += 1
    loss = 0.0
    for s in range(2):
        widths = 0.0
        for i in range(free):
            b = active[i]
            if shape.kind[b] == UNORDERED:
                widths += ends[s, b, 1] / shape.size[b] if ends[s, b, 1] > 1 else 0.0
            elif shape.kind[b] == ORDERED:
                widths += range_width(
                    ends[s, b, 0], ends[s, b, 1], shape.missing[b], shape.offset[b], shape.axis
                )
            elif ends[s, b, 1] > 0:
                at = shape.tree_offset[b] + ends[s, b, 1] * shape.values[b]
                widths += shape.shares[at + ends[s, b, 0]]
        loss += widths * (left if s == 0 else total - left)
    return loss


@kernel
def move(records: I32, low: int, high: int, j: int, shape: Shape, desk: Desk) -> int:
    """Bring the left cells to the front of the range; return where the right ones begin."""
    fields = records.shape[1]
    offset = shape.offset[j]
    front = low
    taken = 0
    for row in range(low, high):
        side = desk.side[offset + records[row, j]]
        if side == DIVIDED and taken + records[row, fields - 2] <= desk.quota[j]:
            taken += records[row, fields - 2]
            side = 0
        if side == 0:
            if front < row:
                for field in range(fields):
                    value = records[row, field]
                    records[row, field] = records[front, field]
                    records[front, field] = value
            front += 1
    return front


@kernel
def drop_constant(active: I64, free: int, distinct: I64) -> int:
    """Bring the columns that vary in the box at hand to the front; return how many these are."""
    varying = 0
    for i in range(free):
        j = active[i]
        if distinct[j] > 1:
            active[i] = active[varying]
            active[varying] = j
            varying += 1
    return varying


@kernel
def forget_counts(active: I64, free: int, offsets: I64, distinct: I64, present: I64, counts: I64) -> None:
    """Clear the counts for the next box."""
    for i in range(free):
        offset = offsets[active[i]]
        for at in range(offset, offset + distinct[active[i]]):
            counts[offset + present[at]] = -1


@kernel
def next_widest(active: I64, free: int, widths: F64, values: I64) -> int:
    """The widest column, the one with the larger domain if two are as wide."""
    j = active[0]
    for i in range(1, free):
        b = active[i]
        if widths[b] > widths[j] or (widths[b] == widths[j] and values[b] > values[j]):
            j = b
    return int(j)


@kernel
def push_halves(stack: I64, top: int, middle: int, left: int, active: I64, free: int) -> None:
    """Put the halves of the box at ``top`` in its place, the one with more cells first."""
    low, high, total = stack[top, 0], stack[top, 1], stack[top, 2]
    left_waits = middle - low > high - middle
    for later in range(2):
        is_left = left_waits == (later == 0)
        stack[top + later, 0] = low if is_left else middle
        stack[top + later, 1] = middle if is_left else high
        stack[top + later, 2] = left if is_left else total - left
        stack[top + later, 3] = free
        for i in range(free):
            stack[top + later, 4 + i] = active[i]


@kernel
def partition(
    records: I32,
    shape: Shape,
    desk: Desk,
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
    widths = np.empty(shape.kind.shape[0], np.float64)
    active = np.empty(shape.kind.shape[0], np.int64)
    choice = np.empty(2, np.int64)
    while state[0] > 0 and work > 0:
        top = state[0] - 1
        low, high, total = stack[top, 0], stack[top, 1], stack[top, 2]
        work -= high - low
        varied = stack[top, 3] if total >= 2 * k else 0
        for i in range(varied):
            active[i] = stack[top, 4 + i]
        count_values(records, low, high, active, varied, shape, desk)
        free = drop_constant(active, varied, desk.distinct)
        for i in range(free):
            widths[active[i]] = width(active[i], shape, desk)
        choice[0] = -1
        least = np.inf
        for attempt in range(free * (2 if relaxed else 1)):
            # Relaxed, a second round cuts through atoms when the first, between them, found nothing.
            through = attempt >= free
            if choice[0] >= 0 and (through or not least_loss):
                break
            j = next_widest(active, free, widths, shape.values)
            widths[j] -= 2.0
            atoms = lay_out_atoms(j, shape, desk)
            if atoms < 2:
                continue
            if through:
                left = cut_through_an_atom(records, low, high, j, atoms, k, total, shape, desk)
            else:
                left = cut_between_atoms(j, atoms, k, total, shape, desk)
            loss = np.inf
            if left > 0:
                loss = 0.0
                if least_loss:
                    loss = loss_of_cut(records, low, high, j, left, total, active, free, shape, desk)
            if loss < least:
                least = loss
                choice[0] = j
                choice[1] = left
        forget_counts(active, varied, shape.offset, desk.distinct, desk.present, desk.counts)
        if choice[0] < 0:
            starts[state[1]] = low
            state[0] -= 1
            state[1] += 1
            state[3] += high - low
            continue
        middle = move(records, low, high, choice[0], shape, desk)
        splits[state[2], 0] = low
        splits[state[2], 1] = middle
        splits[state[2], 2] = high
        splits[state[2], 3] = choice[0]
        push_halves(stack, top, middle, choice[1], active, free)
        state[0] += 1
        state[2] += 1
