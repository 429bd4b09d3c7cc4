"""Open ends: where 90 stands for 90 or older, labels say so after they were generalised.

Searches need numbers, so the group of the oldest enters them as the number 90 (and births up to a year as
that year). Afterwards ``[66-90]`` would be untrue of somebody of 93: it becomes ``[66-90+]``. Hierarchies
of intervals get an end there, so that no interval reaches over it; under every other hierarchy that does not
say how its groups end, these values stand apart. So does ``000``, which is written for a hidden ZIP code: the
people behind it live in other places than its digits say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import pyarrow as pa

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.engine.contract import Layout, Table
from sfumato.engine.recoding import LABEL, VALUE, PerAttribute
from sfumato.hierarchy import Apart, Cuts, Hierarchy, HierarchyTable, Infer, Intervals, Tree
from sfumato.hierarchy import Mask as CodeMask
from sfumato.hierarchy.ladder import ROOT
from sfumato.masking.contract import Mask
from sfumato.masking.plan import MaskingPlan
from sfumato.masking.reduce import OLDEST, Age90, Zip3, last_year_of
from sfumato.masking.zip3 import HIDDEN


def with_ends(hierarchy: Hierarchy, mask: Mask | None) -> Hierarchy:
    """Let intervals of ages end at 90, and those of births begin after the year of the oldest. Under other
    hierarchies, values that stand for more than they say are apart, unless the labels are the user's own.

    >>> with_ends(Intervals((5, 10)), Age90()).top
    90
    >>> with_ends(Infer(), Age90()).values
    ('90',)
    """
    if isinstance(mask, Zip3):
        return Apart(hierarchy, (HIDDEN,))
    oldest, last = _oldest(mask), last_year_of(mask)
    if oldest is None:
        return hierarchy
    if not isinstance(hierarchy, Intervals):
        own = isinstance(hierarchy, Cuts | HierarchyTable | Tree | CodeMask)
        return hierarchy if own else Apart(hierarchy, (oldest,))
    if last is None:
        return (
            hierarchy
            if hierarchy.top is not None and hierarchy.top <= OLDEST
            else replace(hierarchy, top=OLDEST)
        )
    if hierarchy.bottom is None or hierarchy.bottom < last + 1:
        return replace(hierarchy, bottom=last + 1)
    return hierarchy


def fitting_hierarchies(
    given: Mapping[str, Hierarchy], plan: MaskingPlan, schema: Schema, *, needed: bool
) -> dict[str, Hierarchy]:
    """Give hierarchies their ends. Where a method needs one and none is given, intervals of 5, 10 and 20
    years stand in for the inferred ones, which know nothing of open ends. A hidden ZIP code stands apart.
    """
    fitting = {name: with_ends(hierarchy, plan.masks.get(name)) for name, hierarchy in given.items()}
    for name, hierarchy in fitting.items():
        _refuse_closed(name, hierarchy, plan.masks.get(name))
    for name in schema.quasi if needed else ():
        mask = plan.masks.get(name)
        if name not in fitting and _oldest(mask) is not None:
            fitting[name] = with_ends(Intervals((5, 10, 20)), mask)
        elif name not in fitting and isinstance(mask, Zip3):
            fitting[name] = with_ends(Infer(), mask)
    return fitting


def _refuse_closed(name: str, hierarchy: Hierarchy, mask: Mask | None) -> None:
    """Refuse labels of a file or tree that put an end to an open group: 104 is not in 90-94."""
    oldest = _oldest(mask)
    if oldest is None or not isinstance(hierarchy, HierarchyTable | Tree | CodeMask):
        return
    try:
        ladder = hierarchy.ladder(Domain.of(name, [oldest]))
    except BadInput:
        return
    for level in range(1, ladder.height + 1):
        label = str(ladder.labels[level][ladder.rungs[level, 0]])
        if label not in (ROOT, oldest) and not _OPEN.search(label):
            raise BadInput(
                f"{oldest} stands for everybody beyond, too, and its label at level {level} does not say so",
                where=f"column '{name}'",
                remedy="write it with a sign such as + or ≤, or use intervals",
            )


def _oldest(mask: Mask | None) -> str | None:
    """How the group of the oldest is written while a search goes on from it; None where there is none."""
    last = OLDEST if isinstance(mask, Age90) else last_year_of(mask)
    return None if last is None else str(last)


def standing_apart(plan: MaskingPlan, schema: Schema) -> dict[str, tuple[str, ...]]:
    """By column, the values that no range or set may hold beside others: only ``*`` is true of both."""
    return {name: (HIDDEN,) for name in schema.quasi if isinstance(plan.masks.get(name), Zip3)}


_OPEN = re.compile(r"[+<>≤≥]|old|over|above|more|beyond|earl|before|up to", re.IGNORECASE)


def old_age(label: str) -> str:
    """Open the upper end of a label of ages.

    >>> old_age("90"), old_age("[66-90]"), old_age("[66-89]"), old_age("[90] or missing")
    ('90+', '[66-90+]', '[66-89]', '[90+] or missing')
    """
    return re.sub(rf"(?<![\d.]){OLDEST}(?=\]|$)", f"{OLDEST}+", label)


def old_birth(label: str, last: int) -> str:
    """Open the lower end of a label of births.

    >>> old_birth("1936", 1936), old_birth("[1936-1950]", 1936), old_birth("[1937-1950]", 1936)
    ('1936 or earlier', '[≤1936-1950]', '[1937-1950]')
    """
    if label == str(last):
        return f"{last} or earlier"
    return re.sub(rf"(?<=\[){last}(?=[-,\])])", f"≤{last}", label)


def with_open_ends(table: Table, schema: Schema, plan: MaskingPlan) -> Table:
    """Say in the labels of a generalised table which ends are open."""
    maps = {}
    for name in schema.quasi:
        said = _words(plan.masks.get(name))
        if said is None or name not in table.names:
            continue
        found = pa.Table.from_batches(list(table.engine.count(table, [name])))
        labels = found.column(0).to_pylist()
        opened = [None if label is None else said(str(label)) for label in labels]
        if opened != labels:
            maps[name] = pa.table({VALUE: found.column(0), LABEL: pa.array(opened, pa.string())})
    if not maps:
        return table
    return table.engine.recode(table, PerAttribute((), maps), Layout(table.names, ()))


def _words(mask: Mask | None) -> Callable[[str], str] | None:
    if isinstance(mask, Age90):
        return old_age
    last = last_year_of(mask)
    return None if last is None else lambda label: old_birth(label, last)
