"""YAML within bounds: what the standard library reads is read alike, and what explodes is not built."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core import plain_yaml
from sfumato.core.errors import BadInput
from sfumato.core.plain_yaml import load_yaml, parse_yaml
from tests.oracles.yaml_size import written_out

NAMES = "abcdefghi"
ALIASES = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in itertools.pairwise(NAMES)
)
MERGES = "a: &a {k0: 1, k1: 1}\n" + "".join(
    f"{new}: &{new} {{<<: [{','.join([f'*{old}'] * 9)}]}}\n" for old, new in itertools.pairwise(NAMES)
)
REFUSED = {
    "aliases": (ALIASES, "more than"),
    "merge keys": (MERGES, "more than"),
    "a list in itself": ("&a [*a]", "too deep"),
    "a map in itself": ("&a {b: *a}", "too deep"),
    "deep lists": ("[" * 200_000, "too deep"),
    "deep blocks": ("- " * 200_000, "too deep"),
    "deep maps": ("{a: " * 200_000, "too deep"),
    "half a million values": ("[" + "1," * 490_000 + "]", "more than"),
    "digits": ("a: " + "9" * 900_000, "number is too large"),
    "digits in base 60": ("a: 1" + ":1" * 400_000, "number is too large"),
    "hexadecimal digits": ("a: 0x" + "f" * 900_000, "number is too large"),
    "more than 64 bits": (f"a: {2**64 + 1}", "line 1: a number is too large"),
    "an exponent": ("b: 1\na: 1.0e+999999999", "line 2: a number is too large"),
    "an object of Python": ("!!python/object/apply:os.system [ls]", "tag is not known"),
    "bytes": ("a: !!binary aaaa", "tag is not known"),
    "a set": ("a: !!set {b}", "tag is not known"),
    "a number that is empty": ('a: !!int ""', "not what its form says"),
    "a truth that is none": ("a: !!bool maybe", "not what its form says"),
    "a time that is none": ("a: !!timestamp soon", "not what its form says"),
    "a day that no calendar has": ("a: 2001-99-99", "not what its form says"),
    "NUL": ("a: \0", "character that YAML does not allow"),
    "NUL in quotes": ('b: 1\na: "x\\0y"', "line 2: a text holds a NUL"),
    "half a character in quotes": ('a: "\\ud800"', "half of a character"),
    "half a character": ("a: \ud800", "character that YAML does not allow"),
    "equal keys": ("a: 1\nb: 2\na: 3", "line 3: the key 'a' is there twice"),
    "keys of equal value": ("1: a\n0x1: b", "line 2: the key '0x1' is there twice"),
    "a list as key": ("? [a, b]\n: c", "a key is a list"),
    "a name that was never given": ("a: *b", "not YAML"),
    "two documents": ("a: 1\n---\nb: 2", "not YAML"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_recipe_needs_is_one_sentence_at_once(name: str) -> None:
    text, words = REFUSED[name]
    started = time.process_time()
    with pytest.raises(BadInput, match=words) as problem:
        parse_yaml(text, "recipe.yaml")
    assert str(problem.value).startswith("recipe.yaml")
    assert problem.value.remedy
    assert len(str(problem.value)) < 200
    assert time.process_time() - started < 10


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1), inner, max_size=4),
    max_leaves=30,
)


@given(PLAIN)
def test_plain_data_are_read_as_the_library_reads_them(data: Any) -> None:
    text = yaml.safe_dump(data, allow_unicode=True)
    expected = yaml.safe_load(text)
    if "\\0" in text or "\0" in text:
        return
    assert parse_yaml(text, "here").data == expected


@st.composite
def _repeating(draw: st.DrawFn) -> str:
    """Draw a text of lists and maps, each made of earlier ones by their anchors."""
    lines = ["- &n0 x"]
    for number in range(1, draw(st.integers(1, 7))):
        parts = [f"*n{draw(st.integers(0, number - 1))}" for _ in range(draw(st.integers(1, 6)))]
        if draw(st.booleans()):
            lines.append(f"- &n{number} [{', '.join(parts)}]")
        else:
            pairs = ", ".join(f"k{place}: {part}" for place, part in enumerate(parts))
            lines.append(f"- &n{number} {{{pairs}}}")
    return "\n".join(lines)


@given(_repeating(), st.integers(2, 400), st.integers(2, 9))
def test_the_bounds_are_those_of_what_is_written_out(text: str, most: int, deepest: int) -> None:
    number, depth = written_out(yaml.safe_load(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_yaml, "MOST_NODES", most)
        patch.setattr(plain_yaml, "MOST_DEPTH", deepest)
        if number <= most and depth <= deepest:
            assert parse_yaml(text, "here").data == yaml.safe_load(text)
        else:
            with pytest.raises(BadInput, match=r"more than|too deep"):
                parse_yaml(text, "here")


def test_anchors_and_merge_keys_within_bounds_still_work() -> None:
    text = "base: &base {k: 5, m: 2}\nuse: {<<: *base, k: 7}\nagain: *base"
    assert parse_yaml(text, "here").data == yaml.safe_load(text)
    assert parse_yaml(f"a: {2**64}", "here").data == {"a": 2**64}
    assert parse_yaml("a: .inf", "here").data == {"a": float("inf")}


def test_on_is_a_word_where_words_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "chain.yaml"
    path.write_text("on: [a]\nyes: true\n")
    assert load_yaml(path, words=True) == {"on": ["a"], "yes": True}
    with pytest.raises(BadInput, match="there twice"):
        load_yaml(path)
