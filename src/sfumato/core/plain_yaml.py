"""YAML from outside, within bounds: recipes, databases, policies and the like.

YAML can say much with few letters. An anchor that is repeated within what repeats it makes gigabytes of 247
bytes; a merge key does the same where it is less seen; a number may have a million digits; of two equal keys
the last wins without a word. Every YAML text is read here, once, and what goes beyond any use is refused with
its line before it is built.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml
from yaml._yaml import CParser

from sfumato.core.errors import BadInput
from sfumato.core.files import read_text

MOST_BYTES = 16 << 20
MOST_NODES = 100_000
"""keys, values and lists, with everything that is repeated by anchors counted again"""
MOST_DEPTH = 60
LONGEST_NUMBER = 400
"""characters of a number; the longest float that is written out has fewer"""
LARGEST_WHOLE = 2**64
_TAGS = ("null", "bool", "int", "float", "str", "timestamp", "seq", "map", "merge")
_PLAIN = {f"tag:yaml.org,2002:{name}" for name in _TAGS}
_BOOLEAN = "tag:yaml.org,2002:bool"
_MERGE = "tag:yaml.org,2002:merge"
_LONGEST_SHOWN = 60
_HALF = re.compile(r"\\[uU](0000)?[dD][89a-fA-F]")
_HALF_SAID = "a text holds half of a character"


@dataclass(frozen=True)
class PlainYaml:
    """What a text says, and the nodes that know where it says it."""

    data: Any
    node: yaml.Node | None


class _Refused(Exception):
    """Something that YAML allows and no file of ours needs."""

    def __init__(self, what: str, remedy: str, mark: yaml.Mark | None) -> None:
        self.what, self.remedy, self.mark = what, remedy, mark
        super().__init__(what)


class _Bounded(yaml.composer.Composer, CParser, yaml.constructor.SafeConstructor, yaml.resolver.Resolver):
    """Counts while it reads: nothing is built before it is known to be small.

    Events come from libyaml, which is fast and keeps no stack of its own; nodes are composed here.
    """

    def __init__(self, text: str) -> None:
        CParser.__init__(self, text)
        yaml.composer.Composer.__init__(self)
        yaml.constructor.SafeConstructor.__init__(self)
        yaml.resolver.Resolver.__init__(self)
        self._open: list[list[int]] = []
        """for each node that is being read, how many nodes it holds and how deep they lie so far"""
        self._sizes: dict[int, tuple[int, int]] = {}
        self._unfinished: set[str] = set()

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: Any = self.peek_event()
        mark = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            if event.anchor in self._unfinished:
                raise _too_deep(mark)
            node = super().compose_node(parent, index)
            self._add(*self._sizes[id(node)], mark)
            return node
        if len(self._open) >= MOST_DEPTH:
            raise _too_deep(mark)
        tag = getattr(event, "tag", None)
        if tag not in (None, "!", *_PLAIN):
            raise _Refused("this YAML tag is not known here", "write plain values, without '!'", mark)
        self._open.append([1, 1])
        if event.anchor is not None:
            self._unfinished.add(event.anchor)
        node = super().compose_node(parent, index)
        self._unfinished.discard(event.anchor)
        size, depth = self._open.pop()
        self._sizes[id(node)] = (size, depth)
        if isinstance(node, yaml.MappingNode):
            _refuse_repeated(node)
        self._add(size, depth, mark)
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError):
            # A tag that does not fit its value, a day that no calendar has: the library checks neither.
            raise _Refused(
                "a value is not what its form says, such as a day that no calendar has",
                "put it in quotes, or mend it",
                node.start_mark,
            ) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys: set[Any] = set()
        for key, _ in node.value:
            if key.tag != _MERGE:
                _note(self.construct_object(key, deep=True), keys, key)
        return super().construct_mapping(node, deep)

    def _add(self, size: int, depth: int, mark: yaml.Mark) -> None:
        """Count a finished node, or its repetition, in the node that holds it."""
        if not self._open:
            return
        holder = self._open[-1]
        holder[0] += size
        holder[1] = max(holder[1], depth + 1)
        if holder[0] > MOST_NODES:
            raise _Refused(
                f"the YAML holds more than {MOST_NODES:,} values, repeated ones counted again",
                "write less, or put hierarchies into files of their own",
                mark,
            )
        if len(self._open) + depth > MOST_DEPTH:
            raise _too_deep(mark)


class _Words(_Bounded):
    """YAML in which ``on`` is a word, as since version 1.2: only true and false are truth values."""


_Words.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag != _BOOLEAN]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Words.add_implicit_resolver(_BOOLEAN, re.compile("true|false"), ["t", "f"])


def _number(build: Callable[[Any, yaml.ScalarNode], Any]) -> Callable[[Any, yaml.ScalarNode], Any]:
    """Bound a number by its letters first: those of base 60 take time that grows with their square."""

    def built(loader: _Bounded, node: yaml.ScalarNode) -> Any:
        if len(node.value) > LONGEST_NUMBER:
            raise _too_long(node.start_mark)
        value = build(loader, node)
        if isinstance(value, int) and abs(value) > LARGEST_WHOLE:
            raise _too_long(node.start_mark)
        if isinstance(value, float) and math.isinf(value) and "inf" not in node.value.lower():
            raise _too_long(node.start_mark)
        return value

    return built


_Bounded.add_constructor("tag:yaml.org,2002:int", _number(yaml.SafeLoader.construct_yaml_int))
_Bounded.add_constructor("tag:yaml.org,2002:float", _number(yaml.SafeLoader.construct_yaml_float))
_Words.yaml_constructors = _Bounded.yaml_constructors


def load_yaml(path: Path, *, words: bool = False) -> Any:
    """Read a YAML file; ``words`` as in ``parse_yaml``."""
    text = read_text(path, "utf-8-sig", MOST_BYTES)
    return parse_yaml(text, str(path), words=words).data


def parse_yaml(text: str, where: str, *, words: bool = False) -> PlainYaml:
    """Read YAML within bounds. With ``words``, ``on``, ``off``, ``yes`` and ``no`` are words.

    >>> parse_yaml("a: [1, 2]", "here").data
    {'a': [1, 2]}
    >>> parse_yaml("a: 1\\na: 2", "here")
    Traceback (most recent call last):
    ...
    sfumato.core.errors.BadInput: here, line 2: the key 'a' is there twice; keep one of them
    """
    if len(text) > MOST_BYTES:
        raise BadInput(
            f"the YAML has more than {MOST_BYTES:,} letters",
            where=where,
            remedy="check that it is the right file",
        )
    try:
        loader = (_Words if words else _Bounded)(text)
        try:
            node = loader.get_single_node()
            data = None if node is None else loader.construct_document(node)
        finally:
            loader.dispose()
    except _Refused as problem:
        raise BadInput(problem.what, where=_place(where, problem.mark), remedy=problem.remedy) from None
    except (yaml.reader.ReaderError, UnicodeEncodeError):
        raise BadInput(
            "the text holds a character that YAML does not allow, such as NUL or half of another",
            where=where,
            remedy="write the file again as plain text",
        ) from None
    except yaml.YAMLError as problem:
        place = _place(where, getattr(problem, "problem_mark", None))
        if _HALF.search(text):
            raise BadInput(_HALF_SAID, where=place, remedy="write the character itself") from None
        raise BadInput(
            "this is not YAML", where=place, remedy="check indentation, colons and quotes"
        ) from None
    except RecursionError:
        raise BadInput(_DEEP, where=where, remedy="check brackets and anchors") from None
    if node is not None:
        _refuse_texts(node, where)
    return PlainYaml(data, node)


_DEEP = "lists lie too deep within each other"


def _too_deep(mark: yaml.Mark) -> _Refused:
    return _Refused(_DEEP, "check brackets and anchors", mark)


def _too_long(mark: yaml.Mark) -> _Refused:
    return _Refused("a number is too large", "write a smaller one, or put a code in quotes", mark)


def _refuse_repeated(node: yaml.MappingNode) -> None:
    """Refuse two keys that are written alike; those of equal values are found when they are built."""
    seen: set[Any] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _Refused("a key is a list", "write a word as key", key.start_mark)
        _note(key.value, seen, key)


def _note(value: Any, seen: set[Any], key: yaml.ScalarNode) -> None:
    """Remember a key; of two equal ones YAML would take the last without a word."""
    if value in seen:
        long = len(key.value) > _LONGEST_SHOWN
        shown = f"{key.value[:_LONGEST_SHOWN]}…" if long else key.value
        raise _Refused(f"the key '{shown}' is there twice", "keep one of them", key.start_mark)
    seen.add(value)


def _refuse_texts(top: yaml.Node, where: str) -> None:
    """Refuse texts that no file can hold and no program expects: half characters, NUL."""
    waiting, met = [top], set()
    while waiting:
        node = waiting.pop()
        if id(node) in met:
            continue
        met.add(id(node))
        if isinstance(node, yaml.MappingNode):
            waiting += [part for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif "\0" in node.value:
            _refuse("a text holds a NUL character", "take it out", where, node)
        elif any("\ud800" <= letter <= "\udfff" for letter in node.value):
            _refuse(_HALF_SAID, "write the character itself", where, node)


def _refuse(what: str, remedy: str, where: str, node: yaml.Node) -> NoReturn:
    raise BadInput(what, where=_place(where, node.start_mark), remedy=remedy)


def _place(where: str, mark: yaml.Mark | None) -> str:
    return where if mark is None else f"{where}, line {mark.line + 1}"
