"""Kernels of disassociation: split records by frequent codes, and codes into chunks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

OPEN = -1
"""an occurrence that stands in a term chunk for now"""
CLOSED = -2
"""an occurrence that stays in the term chunk of its cluster"""


@kernel
def horizontal(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    colour: NDArray[np.int32],
    largest: int,
    smallest: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split records again and again by the most frequent code that was not used yet.

    Returns an order of the records and where each cluster begins in it (and the end). Codes of a utility
    constraint (``colour`` ≥ 0) come first, those of the constraint split by last before all. A code that
    fewer than ``smallest`` of the records left hold splits nothing: what is left is cut as it lies.
    """
    records, kinds = len(starts) - 1, len(colour)
    order = np.arange(records).astype(np.int64)
    begins = np.zeros(records + 1, np.bool_)
    begins[records] = True
    low, high, node = (
        np.empty(records + 1, np.int64),
        np.empty(records + 1, np.int64),
        np.empty(records + 1, np.int64),
    )
    # No code splits the same record twice, so there are at most as many splits as occurrences.
    split_by, above = np.empty(len(codes) + 1, np.int64), np.empty(len(codes) + 1, np.int64)
    nodes, waiting = 0, 0
    if records > 0:
        low[0], high[0], node[0] = 0, records, -1
        waiting = 1
    count, first, filled = np.zeros(kinds, np.int64), np.zeros(kinds, np.int64), np.zeros(kinds, np.int64)
    touched = np.empty(kinds, np.int64)
    holders = np.empty(len(codes), np.int64)
    alive = np.zeros(records, np.bool_)
    ahead = np.empty(records, np.int64)
    while waiting > 0:
        waiting -= 1
        lo, hi, parent = low[waiting], high[waiting], node[waiting]
        if hi - lo <= largest:
            begins[lo] = True
            continue
        kinds_here = 0
        for place in range(lo, hi):
            record = order[place]
            alive[record] = True
            for slot in range(starts[record], starts[record + 1]):
                code = codes[slot]
                if count[code] == 0:
                    touched[kinds_here] = code
                    kinds_here += 1
                count[code] += 1
        used = 0
        for which in range(kinds_here):
            code = touched[which]
            first[code], filled[code] = used, 0
            used += count[code]
        for place in range(lo, hi):
            record = order[place]
            for slot in range(starts[record], starts[record + 1]):
                code = codes[slot]
                holders[first[code] + filled[code]] = record
                filled[code] += 1
        last_colour = -1 if parent < 0 else colour[split_by[parent]]
        up = parent
        while up >= 0:
            count[split_by[up]] = 0
            up = above[up]
        written, left = 0, hi - lo
        while left > largest:
            best, best_tier = -1, -1
            for which in range(kinds_here):
                code = touched[which]
                if count[code] < smallest:
                    continue
                tier = 0 if colour[code] < 0 else (2 if colour[code] == last_colour else 1)
                if (
                    best < 0
                    or tier > best_tier
                    or (
                        tier == best_tier
                        and (count[code] > count[best] or (count[code] == count[best] and code < best))
                    )
                ):
                    best, best_tier = code, tier
            if best < 0:
                break
            split_by[nodes], above[nodes] = best, parent
            begin = written
            for slot in range(first[best], first[best] + filled[best]):
                record = holders[slot]
                if alive[record]:
                    alive[record] = False
                    ahead[written] = record
                    written += 1
                    for inner in range(starts[record], starts[record + 1]):
                        if count[codes[inner]] > 0:
                            count[codes[inner]] -= 1
            left -= written - begin
            low[waiting], high[waiting], node[waiting] = lo + begin, lo + written, nodes
            waiting += 1
            nodes += 1
        if left > 0:
            pieces = (left + largest - 1) // largest
            for piece in range(pieces):
                begins[lo + written + (piece * left) // pieces] = True
            for place in range(lo, hi):
                record = order[place]
                if alive[record]:
                    alive[record] = False
                    ahead[written] = record
                    written += 1
        for place in range(lo, hi):
            order[place] = ahead[place - lo]
        for which in range(kinds_here):
            count[touched[which]] = 0
    return order, np.flatnonzero(begins)


@kernel
def _deep(
    t: int,
    into: int,
    k: int,
    m: int,
    holders: NDArray[np.int64],
    first: NDArray[np.int64],
    number: NDArray[np.int64],
    starts: NDArray[np.int64],
    base: int,
    mine: NDArray[np.int64],
    fill: NDArray[np.int64],
    low: int,
    chunk_of: NDArray[np.int64],
) -> bool:
    """Say whether every itemset of at most m codes of a chunk and t is held by k records or none."""
    longest = 1
    for place in range(number[t]):
        longest = max(longest, fill[holders[first[t] + place] - low])
    depth_most = min(m - 1, longest)
    here = np.empty((depth_most + 1, number[t]), np.int64)
    size = np.zeros(depth_most + 1, np.int64)
    count = np.zeros((depth_most + 1, len(chunk_of)), np.int64)
    touched = np.empty((depth_most + 1, len(chunk_of)), np.int64)
    kinds = np.zeros(depth_most + 1, np.int64)
    turn = np.zeros(depth_most + 1, np.int64)
    for place in range(number[t]):
        here[1, place] = holders[first[t] + place]
    size[1] = number[t]
    depth, after, fresh = 1, -1, True
    while depth > 0:
        if fresh:
            kinds[depth], turn[depth] = 0, 0
            for place in range(size[depth]):
                record = here[depth, place]
                origin = starts[record] - base
                for slot in range(origin, origin + fill[record - low]):
                    code = mine[slot]
                    if code > after and chunk_of[code] == into:
                        if count[depth, code] == 0:
                            touched[depth, kinds[depth]] = code
                            kinds[depth] += 1
                        count[depth, code] += 1
            for which in range(kinds[depth]):
                if count[depth, touched[depth, which]] < k:
                    return False
            fresh = False
        if depth == depth_most or turn[depth] == kinds[depth]:
            for which in range(kinds[depth]):
                count[depth, touched[depth, which]] = 0
            depth -= 1
            continue
        chosen = touched[depth, turn[depth]]
        turn[depth] += 1
        size[depth + 1] = 0
        for place in range(size[depth]):
            record = here[depth, place]
            origin = starts[record] - base
            for slot in range(origin, origin + fill[record - low]):
                if mine[slot] == chosen:
                    here[depth + 1, size[depth + 1]] = record
                    size[depth + 1] += 1
                    break
        depth += 1
        after, fresh = chosen, True
    return True


@kernel
def take_apart(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    level_of: NDArray[np.int32],
    chunk_at: NDArray[np.int32],
    leaf_starts: NDArray[np.int64],
    colour: NDArray[np.int32],
    supports: NDArray[np.int64],
    level: int,
    k: int,
    m: int,
    safe: bool,
) -> None:
    """Put open occurrences into chunks, for every 2^level neighbouring clusters on their own.

    ``level_of`` and ``chunk_at`` say where each occurrence stands: a level ≥ 0 and the number of a chunk
    there, or open, or closed; they are written. At level 0 chunks are record chunks, above shared ones.
    """
    kinds, leaves = len(colour), len(leaf_starts) - 1
    count, seen, until = np.zeros(kinds, np.int64), np.zeros(kinds, np.int64), np.zeros(kinds, np.int64)
    candidate = np.full(kinds, -1, np.int64)
    span = 1 << level
    for leaf in range(0, leaves, span):
        low, high = leaf_starts[leaf], leaf_starts[min(leaf + span, leaves)]
        base, top = starts[low], starts[high]
        _count_open(starts, codes, level_of, leaf_starts, leaf, min(leaf + span, leaves), count, seen, until)
        found = 0
        for slot in range(base, top):
            code = codes[slot]
            may = not safe or count[code] <= high - low - seen[code] - k
            if may and level_of[slot] == OPEN and candidate[code] < 0 and count[code] >= k:
                candidate[code] = found
                found += 1
        if found > 0:
            _fill_chunks(
                starts,
                codes,
                level_of,
                chunk_at,
                low,
                high,
                colour,
                count,
                seen,
                candidate,
                found,
                level,
                k,
                m,
                safe,
            )
        if level == 0:
            _keep_a_term(starts, codes, level_of, chunk_at, low, high, supports, k, m)
        for slot in range(base, top):
            code = codes[slot]
            count[code], seen[code], until[code], candidate[code] = 0, 0, 0, -1


@kernel
def _count_open(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    level_of: NDArray[np.int32],
    leaf_starts: NDArray[np.int64],
    leaf: int,
    end: int,
    count: NDArray[np.int64],
    seen: NDArray[np.int64],
    until: NDArray[np.int64],
) -> None:
    """Count open occurrences, and in how many records a code may not come since it stands in a chunk below.

    Where parts that show it overlap their records are counted twice: too many are safe here.
    """
    leaves = len(leaf_starts) - 1
    for one in range(leaf, end):
        for slot in range(starts[leaf_starts[one]], starts[leaf_starts[one + 1]]):
            code, below = codes[slot], level_of[slot]
            if below == OPEN:
                count[code] += 1
                continue
            part = 0 if below == CLOSED else below
            begin = leaf_starts[(one >> part) << part]
            stop = leaf_starts[min(((one >> part) + 1) << part, leaves)]
            if stop > until[code]:
                seen[code] += stop - begin
                until[code] = stop


@kernel
def _fill_chunks(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    level_of: NDArray[np.int32],
    chunk_at: NDArray[np.int32],
    low: int,
    high: int,
    colour: NDArray[np.int32],
    count: NDArray[np.int64],
    seen: NDArray[np.int64],
    candidate: NDArray[np.int64],
    found: int,
    level: int,
    k: int,
    m: int,
    safe: bool,
) -> None:
    """Give every candidate the chunk of which it meets most codes, if that stays k^m-anonymous."""
    base, top = starts[low], starts[high]
    code_of, number = np.empty(found, np.int64), np.zeros(found, np.int64)
    for slot in range(base, top):
        if level_of[slot] == OPEN and candidate[codes[slot]] >= 0:
            code_of[candidate[codes[slot]]] = codes[slot]
            number[candidate[codes[slot]]] += 1
    first = np.zeros(found, np.int64)
    for one in range(1, found):
        first[one] = first[one - 1] + number[one - 1]
    holders, filled = np.empty(first[found - 1] + number[found - 1], np.int64), np.zeros(found, np.int64)
    for record in range(low, high):
        for slot in range(starts[record], starts[record + 1]):
            one = candidate[codes[slot]]
            if level_of[slot] == OPEN and one >= 0:
                holders[first[one] + filled[one]] = record
                filled[one] += 1
    turns = np.argsort((high - low - number) * len(count) + code_of)
    chunk_of, shade = np.full(found, -1, np.int64), np.empty(2 * found, np.int64)
    chunks = 0
    mine, fill = np.empty(top - base, np.int64), np.zeros(high - low, np.int64)
    together, touched = np.zeros(found, np.int64), np.empty(found, np.int64)
    score, spoilt = np.zeros(2 * found, np.int64), np.zeros(2 * found, np.bool_)
    for turn in range(found):
        t = turns[turn]
        alone = seen[code_of[t]] > 0
        chosen, met = -1, 0
        if not alone:
            for place in range(first[t], first[t] + number[t]):
                record = holders[place]
                origin = starts[record] - base
                for slot in range(origin, origin + fill[record - low]):
                    other = mine[slot]
                    if together[other] == 0:
                        touched[met] = other
                        met += 1
                    together[other] += 1
                    score[chunk_of[other]] += 1
            for which in range(met):
                if m > 1 and together[touched[which]] < k:
                    spoilt[chunk_of[touched[which]]] = True
            while chosen < 0:
                best = -1
                for which in range(met):
                    one = chunk_of[touched[which]]
                    if spoilt[one] or shade[one] != colour[code_of[t]]:
                        continue
                    if best < 0 or score[one] > score[best] or (score[one] == score[best] and one < best):
                        best = one
                if best < 0:
                    break
                if m <= 2 or _deep(
                    t, best, k, m, holders, first, number, starts, base, mine, fill, low, chunk_of
                ):
                    chosen = best
                else:
                    spoilt[best] = True
            if chosen < 0:
                for one in range(chunks):
                    if score[one] == 0 and shade[one] == colour[code_of[t]]:
                        chosen = one
                        break
            for which in range(met):
                one = touched[which]
                together[one], score[chunk_of[one]], spoilt[chunk_of[one]] = 0, 0, False
        if chosen < 0:
            chosen = chunks
            # No code joins the chunk of one that stands in chunks below: its sub-records must be all alike.
            shade[chosen] = -2 if alone else colour[code_of[t]]
            chunks += 1
        chunk_of[t] = chosen
        for place in range(first[t], first[t] + number[t]):
            record = holders[place]
            mine[starts[record] - base + fill[record - low]] = t
            fill[record - low] += 1
    if safe:
        _uncover(chunk_of, chunks, number, starts, base, mine, fill, low, high)
    for slot in range(base, top):
        one = candidate[codes[slot]]
        if level_of[slot] == OPEN and one >= 0:
            level_of[slot], chunk_at[slot] = level, chunk_of[one]


@kernel
def _uncover(
    chunk_of: NDArray[np.int64],
    chunks: int,
    number: NDArray[np.int64],
    starts: NDArray[np.int64],
    base: int,
    mine: NDArray[np.int64],
    fill: NDArray[np.int64],
    low: int,
    high: int,
) -> None:
    """Take codes that every sub-record of a chunk holds out of it, each into a chunk of its own."""
    found = len(chunk_of)
    size, members = np.empty(2 * found, np.int64), np.empty(2 * found, np.int64)
    most, stamp = np.empty(2 * found, np.int64), np.empty(2 * found, np.int64)
    again = True
    while again:
        again = False
        size[:], members[:], most[:], stamp[:] = 0, 0, -1, -1
        for record in range(low, high):
            origin = starts[record] - base
            for slot in range(origin, origin + fill[record - low]):
                one = chunk_of[mine[slot]]
                if stamp[one] != record:
                    stamp[one] = record
                    size[one] += 1
        for t in range(found):
            one = chunk_of[t]
            members[one] += 1
            if most[one] < 0 or number[t] > number[most[one]]:
                most[one] = t
        for one in range(chunks):
            if members[one] > 1 and number[most[one]] == size[one]:
                chunk_of[most[one]] = chunks
                chunks += 1
                again = True


@kernel
def _keep_a_term(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    level_of: NDArray[np.int32],
    chunk_at: NDArray[np.int32],
    low: int,
    high: int,
    supports: NDArray[np.int64],
    k: int,
    m: int,
) -> None:
    """Close one term of a cluster whose chunks have too few sub-records to do without a term chunk.

    Of its terms the rarest of all stays; where it has none, the smallest chunk becomes terms.
    """
    base, top = starts[low], starts[high]
    chunks = 0
    for slot in range(base, top):
        if level_of[slot] == 0:
            chunks = max(chunks, chunk_at[slot] + 1)
    stamp, parts = np.full(chunks, -1, np.int64), 0
    used = np.zeros(chunks, np.bool_)
    for record in range(low, high):
        for slot in range(starts[record], starts[record + 1]):
            if level_of[slot] == 0 and stamp[chunk_at[slot]] != record:
                stamp[chunk_at[slot]] = record
                used[chunk_at[slot]] = True
                parts += 1
    kinds = 0
    for one in range(chunks):
        kinds += used[one]
    if parts >= high - low + k * (min(m, kinds) - 1) and kinds > 0:
        return
    closed = -1
    for slot in range(base, top):
        code = codes[slot]
        if level_of[slot] == OPEN and (
            closed < 0
            or supports[code] < supports[closed]
            or (supports[code] == supports[closed] and code < closed)
        ):
            closed = code
    if closed < 0:
        if kinds == 0:
            return
        size = np.zeros(chunks, np.int64)
        for slot in range(base, top):
            if level_of[slot] == 0:
                size[chunk_at[slot]] += 1
        lost = -1
        for one in range(chunks):
            if used[one] and (lost < 0 or size[one] < size[lost]):
                lost = one
        for slot in range(base, top):
            if chunk_at[slot] == lost:
                level_of[slot], chunk_at[slot] = CLOSED, -1
        return
    for slot in range(base, top):
        if codes[slot] == closed and level_of[slot] == OPEN:
            level_of[slot] = CLOSED
