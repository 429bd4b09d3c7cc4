"""Loops of Partition. A slot is one occurrence of a code; codes are numbered in the order of the tree.

Records of a partition lie together in ``rows[low:high]`` and show the same nodes: ``at[slot]`` is the node
that an occurrence shows. The slots of codes under one node lie together within a record, since its codes
ascend in the order of the tree; some of them may already show a node further down.

A split sends every record to a word: 0 for those that go on showing the node, others for those that show
children of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def first_slot(leaf: NDArray[np.int32], start: int, stop: int, position: int) -> int:
    """Return the first slot of a record whose code stands at ``position`` or later."""
    while start < stop:
        middle = (start + stop) >> 1
        if leaf[middle] < position:
            start = middle + 1
        else:
            stop = middle
    return start


@kernel
def by_all_children(
    low: int,
    high: int,
    node: int,
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    leaf: NDArray[np.int32],
    at: NDArray[np.int32],
    path: NDArray[np.int32],
    span: NDArray[np.int32],
    depth: NDArray[np.int32],
    cost: NDArray[np.int64],
    table: NDArray[np.int64],
    stamp: int,
    word_of: NDArray[np.int64],
    gain: NDArray[np.int64],
    members: NDArray[np.int64],
) -> int:
    """Send the records of a partition to one word for each set of children that they have; count the words.

    ``word_of[i]`` and ``gain[i]`` are the word of record ``rows[i]`` and how much cost showing children takes
    off it; ``members`` counts each word. Words are those of a trie over children, in a hash table (rows:
    stamp, key, word) whose entries are only valid with the present ``stamp``. Keys are exact, so that
    unlike sets of children never fall together.
    """
    below = depth[node] + 1
    nodes = len(depth)
    entries = 0
    for place in range(low, high):
        row = rows[place]
        entries += starts[row + 1] - starts[row]
    room = 16
    while room < 2 * entries:
        room <<= 1
    words = 1
    members[0] = 0
    for place in range(low, high):
        row = rows[place]
        word = 0
        saved = 0
        last = -1
        for slot in range(first_slot(leaf, starts[row], starts[row + 1], span[node, 0]), starts[row + 1]):
            if leaf[slot] >= span[node, 1]:
                break
            if at[slot] != node:
                continue
            child = path[leaf[slot], below]
            saved += cost[node] - cost[child]
            if child != last:
                last = child
                key = np.int64(word) * nodes + child
                entry = (key * np.int64(0x9E3779B97F4A7C1) >> 7) & (room - 1)
                while table[entry, 0] == stamp and table[entry, 1] != key:
                    entry = (entry + 1) & (room - 1)
                if table[entry, 0] != stamp:
                    table[entry, 0] = stamp
                    table[entry, 1] = key
                    table[entry, 2] = words
                    members[words] = 0
                    words += 1
                word = table[entry, 2]
        word_of[place] = word
        gain[place] = saved
        members[word] += 1
    return words


@kernel
def by_one_child(
    low: int,
    high: int,
    node: int,
    child: int,
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    leaf: NDArray[np.int32],
    at: NDArray[np.int32],
    span: NDArray[np.int32],
    cost: NDArray[np.int64],
    word_of: NDArray[np.int64],
    gain: NDArray[np.int64],
    members: NDArray[np.int64],
) -> int:
    """Send records to word 1 when they have only this child of the node, 2 when others as well, 0 without it.

    Those of word 2 show the child beside the node, which then stands for the other children alone.
    """
    members[0] = members[1] = members[2] = 0
    for place in range(low, high):
        row = rows[place]
        inside = outside = 0
        for slot in range(first_slot(leaf, starts[row], starts[row + 1], span[node, 0]), starts[row + 1]):
            if leaf[slot] >= span[node, 1]:
                break
            if at[slot] == node:
                if span[child, 0] <= leaf[slot] < span[child, 1]:
                    inside += 1
                else:
                    outside += 1
        word = 0 if inside == 0 else 1 if outside == 0 else 2
        word_of[place] = word
        gain[place] = inside * (cost[node] - cost[child])
        members[word] += 1
    return 3


@kernel
def best_child(
    low: int,
    high: int,
    node: int,
    k: int,
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    leaf: NDArray[np.int32],
    at: NDArray[np.int32],
    path: NDArray[np.int32],
    span: NDArray[np.int32],
    depth: NDArray[np.int32],
    cost: NDArray[np.int64],
    tally: NDArray[np.int64],
) -> int:
    """Return the child whose own split gains most, before few records are made k; −1 when none gains.

    ``tally`` has a row for each node, of zeros: records with this child alone and what they gain, records
    with others as well and what they gain.
    """
    below = depth[node] + 1
    for place in range(low, high):
        row = rows[place]
        number = 0
        last = -1
        for slot in range(first_slot(leaf, starts[row], starts[row + 1], span[node, 0]), starts[row + 1]):
            if leaf[slot] >= span[node, 1]:
                break
            if at[slot] == node:
                child = path[leaf[slot], below]
                if child != last:
                    number += 1
                    last = child
        column = 0 if number == 1 else 2
        last = -1
        for slot in range(first_slot(leaf, starts[row], starts[row + 1], span[node, 0]), starts[row + 1]):
            if leaf[slot] >= span[node, 1]:
                break
            if at[slot] == node:
                child = path[leaf[slot], below]
                if child != last:
                    tally[child, column] += 1
                    last = child
                tally[child, column + 1] += cost[node] - cost[child]
    best, most = -1, 0
    for place in range(low, high):
        row = rows[place]
        for slot in range(first_slot(leaf, starts[row], starts[row + 1], span[node, 0]), starts[row + 1]):
            if leaf[slot] >= span[node, 1]:
                break
            child = path[leaf[slot], below]
            gained = 0
            for column in (0, 2):
                if tally[child, column] >= k:
                    gained += tally[child, column + 1]
                tally[child, column] = tally[child, column + 1] = 0
            if gained > most or (gained == most and gained > 0 and child < best):
                best, most = child, gained
    return best


@kernel
def balance(
    low: int,
    high: int,
    words: int,
    k: int,
    word_of: NDArray[np.int64],
    gain: NDArray[np.int64],
    members: NDArray[np.int64],
) -> int:
    """Keep words of k records and send the others to word 0, filled up to k. Return what is gained, or −1.

    When word 0 has fewer than k, records that gain least leave words that can spare them.
    """
    together = members[0]
    spare = 0
    for word in range(1, words):
        if members[word] < k:
            together += members[word]
        else:
            spare += members[word] - k
    if together == high - low or (0 < together < k and together + spare < k):
        return -1
    gained = 0
    for place in range(low, high):
        word = word_of[place]
        if word > 0 and members[word] < k:
            word_of[place] = 0
        elif word > 0:
            gained += gain[place]
    if 0 < together < k:
        order = np.argsort(gain[low:high], kind="mergesort")
        for number in range(len(order)):
            place = low + order[number]
            word = word_of[place]
            if word > 0 and members[word] > k:
                members[word] -= 1
                word_of[place] = 0
                gained -= gain[place]
                together += 1
                if together == k:
                    break
    members[0] = together
    return gained


@kernel
def drill_down(
    stack: NDArray[np.int64],
    waiting: int,
    budget: int,
    k: int,
    overlapping: bool,
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    leaf: NDArray[np.int32],
    at: NDArray[np.int32],
    path: NDArray[np.int32],
    span: NDArray[np.int32],
    depth: NDArray[np.int32],
    cost: NDArray[np.int64],
    table: NDArray[np.int64],
    word_of: NDArray[np.int64],
    gain: NDArray[np.int64],
    members: NDArray[np.int64],
    tally: NDArray[np.int64],
    counters: NDArray[np.int64],
) -> int:
    """Split waiting partitions (``stack[i] = low, high``) until about ``budget`` records were moved.

    Returns how many partitions wait. ``counters``: stamp, partitions that are final, records in these.
    """
    nodes = np.empty(len(depth), np.int64)
    listed = np.zeros(len(depth), np.bool_)
    moved = np.empty(len(rows), np.int64)
    while waiting > 0 and budget > 0:
        waiting -= 1
        low, high = stack[waiting, 0], stack[waiting, 1]
        budget -= high - low
        row = rows[low]
        number = 0
        for slot in range(starts[row], starts[row + 1]):
            node = at[slot]
            if span[node, 1] - span[node, 0] > 1 and not listed[node]:
                listed[node] = True
                nodes[number] = node
                number += 1
        best, only, most = -1, -1, -1
        for place in range(number):
            node = nodes[place]
            listed[node] = False
            counters[0] += 1
            words = by_all_children(
                low, high, node, rows, starts, leaf, at, path, span, depth, cost,
                table, counters[0], word_of, gain, members,
            )  # fmt: skip
            gained = balance(low, high, words, k, word_of, gain, members)
            if gained > most:
                best, only, most = node, -1, gained
            if overlapping:
                child = best_child(
                    low, high, node, k, rows, starts, leaf, at, path, span, depth, cost, tally
                )  # fmt: skip
                if child >= 0:
                    by_one_child(
                        low, high, node, child, rows, starts, leaf, at, span, cost, word_of, gain, members
                    )  # fmt: skip
                    gained = balance(low, high, 3, k, word_of, gain, members)
                    if gained > most:
                        best, only, most = node, child, gained
        if best < 0:
            counters[1] += 1
            counters[2] += high - low
            continue
        if only < 0:
            counters[0] += 1
            words = by_all_children(
                low, high, best, rows, starts, leaf, at, path, span, depth, cost,
                table, counters[0], word_of, gain, members,
            )  # fmt: skip
        else:
            words = by_one_child(
                low, high, best, only, rows, starts, leaf, at, span, cost, word_of, gain, members
            )  # fmt: skip
        balance(low, high, words, k, word_of, gain, members)
        offset = low
        for word in range(words):
            size = members[word]
            if word > 0 and size < k:
                size = 0
            if size > 0:
                stack[waiting, 0] = offset
                stack[waiting, 1] = offset + size
                waiting += 1
            members[word] = offset
            offset += size
        shown = best if only < 0 else only
        for place in range(low, high):
            word = word_of[place]
            row = rows[place]
            if word > 0:
                slot = first_slot(leaf, starts[row], starts[row + 1], span[shown, 0])
                while slot < starts[row + 1] and leaf[slot] < span[shown, 1]:
                    if at[slot] == best:
                        at[slot] = path[leaf[slot], depth[best] + 1]
                    slot += 1
            moved[members[word]] = row
            members[word] += 1
        rows[low:high] = moved[low:high]
    return waiting
