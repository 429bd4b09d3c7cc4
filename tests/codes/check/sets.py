"""Random published sets: codes alone (global), items that overlap (local), some of them sensitive."""

from __future__ import annotations

from hypothesis import strategies as st

CODES = ["a", "b", "c", "d", "e"]
SENSITIVE = {"s", "t"}
GROUPS: list[str | tuple[str, ...]] = [*CODES, ("a", "b"), ("a", "b", "c"), ("d", "e"), tuple(CODES)]

Listed = list[list[str | tuple[str, ...]]]

plain = st.lists(st.lists(st.sampled_from(CODES), max_size=5, unique=True), max_size=9)
recoded = st.lists(st.lists(st.sampled_from(GROUPS), max_size=4, unique=True), max_size=9)
few = st.lists(st.lists(st.sampled_from(["a", "b", ("d", "e")]), max_size=3, unique=True), max_size=12)
any_sets = st.one_of(plain, recoded, few)
with_sensitive = st.builds(
    lambda first, rest: [[*first, "s"], *rest],
    st.lists(st.sampled_from(["a", "b", "c", ("d", "e"), "t"]), max_size=4, unique=True),
    st.lists(
        st.lists(st.sampled_from(["a", "b", "c", ("d", "e"), "s", "t"]), max_size=5, unique=True), max_size=8
    ),
)
"""records over public items and two sensitive codes, of which at least one is shown"""
