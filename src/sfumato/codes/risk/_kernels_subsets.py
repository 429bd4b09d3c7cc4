"""How many records hold each set of codes that a person has: pattern growth over projected records.

All subsets of m codes of all records are walked without being stored. A prefix of codes keeps the places
where it stands (one for each record that holds it); the next code is looked for after these places only.
Once a single record is left, every longer set of its codes is held by that record alone and is counted, not
walked. Codes are ranked from rare to frequent, so that this happens early.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def ways(codes: int, chosen: int) -> int:
    """Return the number of ways to choose some of so many codes."""
    number = 1
    for step in range(chosen):
        number = number * (codes - step) // (step + 1)
    return number


@kernel
def extend(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    record_of: NDArray[np.int32],
    places: NDArray[np.int64],
    bounds: NDArray[np.int64],
    counts: NDArray[np.int64],
    touched: NDArray[np.int32],
    depth: int,
    begin: int,
    end: int,
) -> int:
    """Group the places after those of one prefix by their code, one level deeper; return the groups."""
    number = 0
    for at in range(begin, end):
        slot = places[depth, at]
        for later in range(slot + 1, starts[record_of[slot] + 1]):
            code = codes[later]
            if counts[code] == 0:
                touched[number] = code
                number += 1
            counts[code] += 1
    bounds[depth + 1, 0] = 0
    for group in range(number):
        code = touched[group]
        bounds[depth + 1, group + 1] = bounds[depth + 1, group] + counts[code]
        counts[code] = bounds[depth + 1, group]
    for at in range(begin, end):
        slot = places[depth, at]
        for later in range(slot + 1, starts[record_of[slot] + 1]):
            code = codes[later]
            places[depth + 1, counts[code]] = later
            counts[code] += 1
    for group in range(number):
        counts[touched[group]] = 0
    return number


@kernel
def note(
    record: int,
    number: int,
    support: int,
    k: int,
    least: NDArray[np.int64],
    unique: NDArray[np.int64],
    below: NDArray[np.int64],
) -> None:
    """Write down that some sets of codes of a record are held by so many; by nobody is not written."""
    if number == 0 or support == 0:
        return
    least[record] = min(least[record], support)
    if support == 1:
        unique[record] += number
    if support < k:
        below[record] += number


@kernel
def subset_supports(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    record_of: NDArray[np.int32],
    holder_starts: NDArray[np.int64],
    holder_slots: NDArray[np.int64],
    targets: int,
    members: int,
    size: int,
    k: int,
    first: int,
    last: int,
    least: NDArray[np.int64],
    unique: NDArray[np.int64],
    below: NDArray[np.int64],
    places: NDArray[np.int64],
    bounds: NDArray[np.int64],
    counts: NDArray[np.int64],
    others: NDArray[np.int64],
    touched: NDArray[np.int32],
) -> None:
    """Walk the sets of ``size`` codes whose rarest code has a rank of ``first`` to ``last`` − 1.

    Records below ``targets`` are attacked; those from ``members`` on are who a set of codes is looked for
    among (all records may be both). A set is held by max(f, F) people: f of those attacked, F of the
    members; by nobody when F is 0. ``counts`` and ``others`` must be zero and are left so.
    """
    at = np.zeros(size, np.int64)
    groups = np.zeros(size, np.int64)
    for anchor in range(first, last):
        depth = 0
        at[0], groups[0] = 0, 1
        bounds[0, 0], bounds[0, 1] = 0, holder_starts[anchor + 1] - holder_starts[anchor]
        for place in range(bounds[0, 1]):
            places[0, place] = holder_slots[holder_starts[anchor] + place]
        while depth >= 0:
            if at[depth] == groups[depth]:
                depth -= 1
                continue
            begin, end = bounds[depth, at[depth]], bounds[depth, at[depth] + 1]
            at[depth] += 1
            attacked, found = 0, 0
            for place in range(begin, end):
                record = record_of[places[depth, place]]
                attacked += record < targets
                found += record >= members
            if attacked == 0:
                continue
            left = size - depth - 1
            if left == 0 or found == 0 or end - begin == 1:
                support = max(attacked, found) if found else 0
                for place in range(begin, end):
                    slot = places[depth, place]
                    record = record_of[slot]
                    if record < targets:
                        number = ways(starts[record + 1] - slot - 1, left)
                        note(record, number, support, k, least, unique, below)
            elif left == 1:
                number = 0
                for place in range(begin, end):
                    slot = places[depth, place]
                    record = record_of[slot]
                    for later in range(slot + 1, starts[record + 1]):
                        code = codes[later]
                        if counts[code] == 0 and others[code] == 0:
                            touched[number] = code
                            number += 1
                        counts[code] += record < targets
                        others[code] += record >= members
                for place in range(begin, end):
                    slot = places[depth, place]
                    record = record_of[slot]
                    if record < targets:
                        for later in range(slot + 1, starts[record + 1]):
                            code = codes[later]
                            support = max(counts[code], others[code]) if others[code] else 0
                            note(record, 1, support, k, least, unique, below)
                for place in range(number):
                    counts[touched[place]] = 0
                    others[touched[place]] = 0
            else:
                groups[depth + 1] = extend(
                    starts, codes, record_of, places, bounds, counts, touched, depth, begin, end
                )
                at[depth + 1] = 0
                depth += 1


@kernel
def told_by_subsets(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    record_of: NDArray[np.int32],
    holder_starts: NDArray[np.int64],
    holder_slots: NDArray[np.int64],
    told_starts: NDArray[np.int64],
    told_codes: NDArray[np.int32],
    targets: int,
    members: int,
    size: int,
    most_told: NDArray[np.int64],
    first: int,
    last: int,
    above: NDArray[np.bool_],
    certain: NDArray[np.bool_],
    places: NDArray[np.int64],
    bounds: NDArray[np.int64],
    counts: NDArray[np.int64],
    joint: NDArray[np.int64],
    touched: NDArray[np.int32],
) -> None:
    """Mark whom a sensitive code follows of from up to ``size`` public ones, as ``subset_supports`` walks.

    ``told_codes`` are the sensitive codes of each record. Among the members who hold a set of public codes
    the share with sensitive code e is its confidence; whoever is attacked and has e is marked ``above``
    when more than ``most_told[s]`` of s holders have it, ``certain`` when it is all of them.
    """
    at = np.zeros(size, np.int64)
    groups = np.zeros(size, np.int64)
    for anchor in range(first, last):
        depth = 0
        at[0], groups[0] = 0, 1
        bounds[0, 0], bounds[0, 1] = 0, holder_starts[anchor + 1] - holder_starts[anchor]
        for place in range(bounds[0, 1]):
            places[0, place] = holder_slots[holder_starts[anchor] + place]
        while depth >= 0:
            if at[depth] == groups[depth]:
                depth -= 1
                continue
            begin, end = bounds[depth, at[depth]], bounds[depth, at[depth] + 1]
            at[depth] += 1
            found, open_targets = 0, 0
            for place in range(begin, end):
                record = record_of[places[depth, place]]
                if record < targets and told_starts[record] < told_starts[record + 1]:
                    open_targets += not certain[record]
                if record >= members:
                    found += 1
                    for slot in range(told_starts[record], told_starts[record + 1]):
                        joint[told_codes[slot]] += 1
            if open_targets:
                for place in range(begin, end):
                    record = record_of[places[depth, place]]
                    if record < targets:
                        for slot in range(told_starts[record], told_starts[record + 1]):
                            both = joint[told_codes[slot]]
                            if both > most_told[found]:
                                above[record] = True
                            if both == found and found:
                                certain[record] = True
            for place in range(begin, end):
                record = record_of[places[depth, place]]
                if record >= members:
                    for slot in range(told_starts[record], told_starts[record + 1]):
                        joint[told_codes[slot]] = 0
            if open_targets and found > 1 and depth + 1 < size:
                groups[depth + 1] = extend(
                    starts, codes, record_of, places, bounds, counts, touched, depth, begin, end
                )
                at[depth + 1] = 0
                depth += 1


@kernel
def holders(
    query_starts: NDArray[np.int64],
    query_codes: NDArray[np.int32],
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    record_of: NDArray[np.int32],
    holder_starts: NDArray[np.int64],
    holder_slots: NDArray[np.int64],
    low: int,
    high: int,
    enough: int,
) -> NDArray[np.int64]:
    """Count for every query the records from ``low`` to ``high`` − 1 that hold all of its codes.

    Counting stops at ``enough``. Codes of a query ascend by rank, so its first is its rarest.
    """
    found = np.zeros(len(query_starts) - 1, np.int64)
    for query in range(len(query_starts) - 1):
        begin, end = query_starts[query], query_starts[query + 1]
        if begin == end:
            found[query] = min(enough, high - low)
            continue
        rarest = query_codes[begin]
        for place in range(holder_starts[rarest], holder_starts[rarest + 1]):
            slot = holder_slots[place]
            record = record_of[slot]
            if record < low or record >= high:
                continue
            all_there = True
            for wanted in range(begin + 1, end):
                while slot < starts[record + 1] and codes[slot] < query_codes[wanted]:
                    slot += 1
                if slot == starts[record + 1] or codes[slot] != query_codes[wanted]:
                    all_there = False
                    break
            if all_there:
                found[query] += 1
                if found[query] == enough:
                    break
    return found
