"""GML (Himsolt 1997): keys and values, numbers, texts in quotes, and lists in brackets.

Its four kinds of tokens are read here rather than by a library: those at hand take the first of several
graphs without a word, keep ids as fractions, or do not go on when two nodes share a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5

from sfumato.core.errors import BadInput
from sfumato.graph.reading.content import line_at
from sfumato.graph.reading.marked import Marked

_TOKEN = re.compile(r'\s*(?m:^[ \t]*[#;][^\n]*)|\s+|"([^"]*)"|([\[\]])|([^\s\[\]"]+)')
_REFERENCE = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_DEEPEST = 50
_INTEGER = re.compile(r"[+-]?[0-9]+")
Entry = tuple[str, "str | list[Entry]", int]


def read_gml(text: bytes, where: str) -> Marked:
    """Read the one graph of a GML file."""
    tokens = _tokens(text.decode("utf-8"), text, where)
    try:
        top = _entries(tokens, where, 0)
    except StopIteration:
        raise BadInput("the GML ends too early", where=where, remedy="copy the file again") from None
    graphs = [value for key, value, _ in top if key == "graph" and isinstance(value, list)]
    if len(graphs) != 1:
        raise BadInput(
            f"the file holds {len(graphs)} graphs", where=where, remedy="give a GML file with one graph"
        )
    found = Marked(where)
    for key, value, line in graphs[0]:
        if key == "directed":
            found.directed = value not in ("0", "+0", "-0")
        elif key == "node" and isinstance(value, list):
            inner = {name: text for name, text, _ in value if isinstance(text, str)}
            found.skipped += len(value) - len(inner)
            found.node(_whole(inner.pop("id", None), "a node", where, line), inner, line)
        elif key == "edge" and isinstance(value, list):
            inner = {name: text if isinstance(text, str) else "" for name, text, _ in value}
            ends = [_whole(inner.pop(end, None), "an edge", where, line) for end in ("source", "target")]
            found.edge(ends[0], ends[1], inner, line)
        else:
            found.skipped += 1
    found.directed = bool(found.directed)
    return found


def _tokens(text: str, raw: bytes, where: str) -> Iterator[tuple[str, str, int]]:
    """Go through the tokens: what kind (text, bracket, word), which, and in which line."""
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise BadInput(
                "a text in quotes does not end",
                where=f"{where}, line {line_at(raw, len(text[:at].encode())):,}",
                remedy="mend the file",
            )
        whole = match.group()
        if match.group(1) is not None:
            yield "text", _REFERENCE.sub(_sign, match.group(1)), line
        elif match.group(2) is not None:
            yield "bracket", whole, line
        elif match.group(3) is not None:
            yield "word", whole, line
        line += whole.count("\n")
        at = match.end()


def _entries(tokens: Iterator[tuple[str, str, int]], where: str, depth: int) -> list[Entry]:
    """Read keys with their values until the list ends (a list inside others: until its bracket)."""
    found: list[Entry] = []
    if depth > _DEEPEST:
        raise BadInput("lists lie too deep in each other", where=where, remedy="give a plain GML file")
    while True:
        try:
            kind, key, line = next(tokens)
        except StopIteration:
            if depth:
                raise
            return found
        if kind == "bracket" and key == "]" and depth:
            return found
        if kind != "word":
            raise BadInput(
                "a key is expected here", where=f"{where}, line {line:,}", remedy="give a file in GML"
            )
        form, value, _ = next(tokens)
        if form == "bracket":
            if value == "]":
                raise BadInput(
                    "a key has no value", where=f"{where}, line {line:,}", remedy="give a file in GML"
                )
            found.append((key, _entries(tokens, where, depth + 1), line))
        else:
            found.append((key, value, line))


def _whole(value: str | None, what: str, where: str, line: int) -> str:
    if value is None or not _INTEGER.fullmatch(value):
        raise BadInput(
            f"{what} has no whole number as its id or end",
            where=f"{where}, line {line:,}",
            remedy="give 'id' to nodes, 'source' and 'target' to edges",
        )
    # Ids may be longer than what Python takes for a number.
    digits = value.lstrip("+-").lstrip("0") or "0"
    return f"-{digits}" if value[0] == "-" and digits != "0" else digits


def _sign(reference: re.Match[str]) -> str:
    """Return the sign that a reference stands for: of a number exactly, not what a browser makes of it."""
    name = reference[1]
    if name[0] != "#":
        return html5.get(f"{name};", reference[0])
    number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    half = 0xD800 <= number <= 0xDFFF
    return "\ufffd" if half or number > 0x10FFFF else chr(number)
