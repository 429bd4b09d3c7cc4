"""JSON in which a key stands twice is refused, wherever it stands; all other JSON is read as ever."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.json_once import RepeatedKey, loads_once

Pairs = list[tuple[str, Any]]
NAMES = st.sampled_from(["a", "b", "é", "", "epsilon"])


class Object(list):  # type: ignore[type-arg] # pairs of anything
    """An object as pairs, so that a key can stand twice."""


TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(NAMES, inner), max_size=3).map(Object),
    max_leaves=12,
)


def written(tree: Any, ascii_only: bool) -> str:
    if isinstance(tree, Object):
        pairs = (f"{json.dumps(k, ensure_ascii=ascii_only)}: {written(v, not ascii_only)}" for k, v in tree)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(written(one, ascii_only) for one in tree) + "]"
    return json.dumps(tree, ensure_ascii=ascii_only)


def repeats(tree: Any) -> bool:
    """The oracle: look at every object for a name that is there twice."""
    if isinstance(tree, Object):
        names = [name for name, _ in tree]
        return any(names.count(name) > 1 for name in names) or any(repeats(value) for _, value in tree)
    return isinstance(tree, list) and any(repeats(one) for one in tree)


@given(TREES, st.booleans(), st.sampled_from([None, "utf-8", "utf-16", "utf-32"]))
def test_a_repeated_key_is_refused_and_nothing_else(tree: Any, ascii_only: bool, coding: str | None) -> None:
    text = written(tree, ascii_only)
    given_text = text if coding is None else text.encode(coding)
    if repeats(tree):
        with pytest.raises(RepeatedKey):
            loads_once(given_text)
    else:
        assert loads_once(given_text) == json.loads(text)
