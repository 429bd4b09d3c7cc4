r"""The little language in which notes are written, compiled to functions.

======================  =====================================================================
``<a|b|c>``             one of them; ``<a|>`` a or nothing
``<&a|b|c>``            all of them on lines of their own, in any order; empty ones are left out
``<%a|b|c>``            all of them, parted by spaces, in any order
``<^a|b|c>``            all of them, parted as this note parts its fields, in any order
``{name}``              a slot (``{patient.last}``, ``{date}``), or a rule
``{name*2-4}``          two to four different alternatives of a rule, parted by spaces
``{#60-180}``           a number; ``{#0.5-1.9}`` with as many decimals as written
``\x``                  the character x itself
======================  =====================================================================

A file of rules holds blocks ``@name`` with one alternative per line (``7*`` before it: seven times as often);
a file of templates holds blocks ``=== name`` with one note each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from sfumato.core.errors import BadInput, nearest
from sfumato.text.training.scribe import Scribe, Writer

Slot = Callable[[Scribe, str], None]
"""writes a slot; the second argument is what stands behind the dot"""

_NUMBER = re.compile(r"#(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")
_RULE = re.compile(r"(\w+)(?:\.(\w+))?(?:\*(\d+)(?:-(\d+))?)?")
_OFTEN = re.compile(r"(\d+)\*")
_ORDERS = "&%^"


@dataclass
class Grammar:
    """Rules and slots by name. Rules may speak of rules that come later."""

    slots: Mapping[str, Slot]
    rules: dict[str, list[Writer]] = field(default_factory=dict)
    used: dict[str, set[str]] = field(default_factory=dict)
    """which slots and rules each rule or template names"""

    def add_rules(self, text: str) -> None:
        """Read a file of rules."""
        for name, lines in blocks(text, "@"):
            if name in self.slots or name in self.rules:
                raise BadInput(f"two rules or slots are called '{name}'")
            self.rules[name] = [
                writer for line in lines if line.strip() for writer in self._weighted(line, name)
            ]

    def _weighted(self, line: str, where: str) -> list[Writer]:
        often = _OFTEN.match(line)
        return (
            [self.compiled(line[often.end() :], where)] * int(often[1])
            if often
            else [self.compiled(line, where)]
        )

    def templates(self, text: str) -> dict[str, Writer]:
        """Read a file of templates."""
        return {
            name: self.compiled("\n".join(lines).strip("\n"), name) for name, lines in blocks(text, "=== ")
        }

    def check(self) -> None:
        """Say which name nobody knows, if any."""
        for where, names in self.used.items():
            for name in names:
                if name not in self.slots and name not in self.rules:
                    known = [*self.slots, *self.rules]
                    raise BadInput(
                        f"there is no slot or rule '{name}'", where=where, remedy=nearest(name, known)
                    )

    def compiled(self, text: str, where: str) -> Writer:
        """Turn a text of the little language into a function that writes it."""
        writer, end = self._sequence(text, 0, where, "")
        assert end == len(text)
        return writer

    def _sequence(self, text: str, at: int, where: str, stops: str) -> tuple[Writer, int]:
        writers: list[Writer] = []
        plain: list[str] = []

        def flush() -> None:
            if plain:
                writers.append(_literal("".join(plain)))
                plain.clear()

        while at < len(text) and text[at] not in stops:
            sign = text[at]
            if sign == "\\":
                plain.append(text[at + 1])
                at += 2
            elif sign == "{":
                end = text.find("}", at)
                if end < 0:
                    raise BadInput("a slot is not closed", where=where, remedy="write } behind it")
                flush()
                writers.append(self._slot(text[at + 1 : end], where))
                at = end + 1
            elif sign == "<":
                flush()
                writer, at = self._choice(text, at + 1, where)
                writers.append(writer)
            else:
                plain.append(sign)
                at += 1
        flush()
        return _all(writers), at

    def _choice(self, text: str, at: int, where: str) -> tuple[Writer, int]:
        order = text[at : at + 1] if text[at : at + 1] in _ORDERS else ""
        at += len(order)
        alternatives: list[Writer] = []
        while True:
            writer, at = self._sequence(text, at, where, "|>")
            alternatives.append(writer)
            if at >= len(text):
                raise BadInput("a choice is not closed", where=where, remedy="write > behind it")
            at += 1
            if text[at - 1] == ">":
                break
        return (_shuffled(alternatives, order) if order else _one_of(alternatives)), at

    def _slot(self, text: str, where: str) -> Writer:
        number = _NUMBER.fullmatch(text)
        if number:
            return _number(number[1], number[2])
        match = _RULE.fullmatch(text)
        if not match:
            raise BadInput(f"'{{{text}}}' is not a slot", where=where)
        name, form, least, most = match.groups()
        self.used.setdefault(where, set()).add(name)
        slot = self.slots.get(name)
        if slot is not None:
            return _filled(slot, form or "")
        if least is None:
            return self._rule(name)
        return self._several(name, int(least), int(most or least))

    def _rule(self, name: str) -> Writer:
        rules = self.rules

        def write(scribe: Scribe) -> None:
            scribe.pick(rules[name])(scribe)

        return write

    def _several(self, name: str, least: int, most: int) -> Writer:
        rules = self.rules

        def write(scribe: Scribe) -> None:
            writers = rules[name]
            count = min(scribe.between(least, most), len(writers))
            taken: list[int] = []
            while len(taken) < count:
                place = int(scribe.random() * len(writers))
                if place not in taken:
                    if taken:
                        scribe.say(" ")
                    taken.append(place)
                    writers[place](scribe)

        return write


def blocks(text: str, opening: str) -> Iterator[tuple[str, list[str]]]:
    """Part a file at the lines that open a block; lines before the first one are a comment."""
    name, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith(opening):
            if name:
                yield name, lines
            name, lines = line.removeprefix(opening).strip(), []
        elif name:
            lines.append(line)
    if name:
        yield name, lines


def _literal(text: str) -> Writer:
    length = len(text)

    def write(scribe: Scribe) -> None:
        scribe.parts.append(text)
        scribe.at += length

    return write


def _all(writers: list[Writer]) -> Writer:
    if len(writers) == 1:
        return writers[0]
    steps = tuple(writers)

    def write(scribe: Scribe) -> None:
        for step in steps:
            step(scribe)

    return write


def _one_of(writers: list[Writer]) -> Writer:
    steps = tuple(writers)
    count = len(steps)

    def write(scribe: Scribe) -> None:
        steps[int(scribe.random() * count)](scribe)

    return write


def _shuffled(writers: list[Writer], order: str) -> Writer:
    def write(scribe: Scribe) -> None:
        steps = [*writers]
        scribe.dice.shuffle(steps)
        between = "\n" if order == "&" else " " if order == "%" else scribe.gap
        first = True
        for step in steps:
            parts, at = len(scribe.parts), scribe.at
            if not first:
                scribe.say(between)
            before = scribe.at
            step(scribe)
            if scribe.at == before:
                del scribe.parts[parts:]
                scribe.at = at
            else:
                first = False

    return write


def _filled(slot: Slot, form: str) -> Writer:
    def write(scribe: Scribe) -> None:
        slot(scribe, form)

    return write


def _number(least: str, most: str) -> Writer:
    decimals = len(least.partition(".")[2])
    scale = 10**decimals
    low, high = round(float(least) * scale), round(float(most) * scale)

    def write(scribe: Scribe) -> None:
        drawn = scribe.between(low, high)
        scribe.say(str(drawn) if not decimals else f"{drawn // scale}.{drawn % scale:0{decimals}d}")

    return write
