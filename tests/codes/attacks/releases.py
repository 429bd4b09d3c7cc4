"""Small records, releases of them, and what an adversary in the house holds."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from sfumato.codes.attacks.contract import Knowledge
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from tests.codes.methods.small_sets import shown

CODES = ("a", "b", "c", "d", "s", "t")
SENSITIVE = ("s", "t")
people = st.lists(st.sets(st.sampled_from(CODES), max_size=5), min_size=1, max_size=9)


@st.composite
def recoded(draw: st.DrawFn) -> tuple[list[set[str]], PublishedSets]:
    """Draw people and a truthful release of them in which codes are left out or stand for several.

    Every occurrence is recoded on its own, so that items overlap and a code has several.
    """
    sets = draw(people)
    groups = [["a", "b"], ["a", "b", "c"], ["c", "d"], ["s", "t"], *([code] for code in CODES)]
    records: list[list[Any]] = []
    for person in sets:
        record = []
        for code in sorted(person):
            fitting = [group for group in groups if code in group]
            chosen = draw(st.sampled_from([*fitting, None]))
            if chosen is not None:
                record.append(chosen)
        records.append(record)
    return sets, PublishedSets.of(records, domain=CODES, sensitive=SENSITIVE)


def in_house(sets: list[set[str]]) -> Knowledge:
    return Knowledge(CodeSets.of(sets), aligned=True)


def raw(sets: list[set[str]], sensitive: tuple[str, ...] = ()) -> PublishedSets:
    codes = CodeSets.of(sets)
    marked = np.zeros(len(codes.domain), np.bool_)
    marked[list(codes.positions(sensitive))] = True
    return PublishedSets.as_it_is(codes, marked)


def as_records(published: PublishedSets) -> list[frozenset[frozenset[str]]]:
    return [frozenset(items) for items in shown(published)]
