"""GraphML (Brandes and others 2002), read by expat: one graph, nodes and edges, no hyperedges.

A document that declares a type or entities is refused before any of them is expanded: a few lines of nested
entities grow to gigabytes, and an external one reads other files of the machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from sfumato.core.errors import BadInput
from sfumato.graph.reading.marked import Marked

_ENCODING = re.compile(rb"""^<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']""")


def read_graphml(text: bytes, where: str) -> Marked:
    """Read the one graph of a GraphML file."""
    text = text.lstrip()
    declared = _ENCODING.match(text)
    if declared and declared[1].lower() not in (b"utf-8", b"us-ascii", b"ascii"):
        raise BadInput("the document is not declared as UTF-8", where=where, remedy="write it as UTF-8")
    reader = _Reader(where, Marked(where))
    parser = expat.ParserCreate("utf-8", namespace_separator=" ")
    parser.buffer_text = True
    reader.parser = parser
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.EntityDeclHandler = reader.doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(text, True)
    except expat.ExpatError as problem:
        raise BadInput(
            "the XML is not well-formed", where=f"{where}, line {problem.lineno:,}", remedy="mend the file"
        ) from None
    if not reader.graphs:
        raise BadInput("the document holds no graph", where=where, remedy="give a GraphML file")
    return reader.found


@dataclass
class _Reader:
    """The state between two tags."""

    where: str
    found: Marked
    graphs: int = 0
    parser: expat.XMLParserType = field(init=False)
    space: str = ""
    """the vocabulary of the document: what stands in others, such as drawings, is passed over"""
    open: list[str] = field(default_factory=list)
    keys: dict[str, tuple[str, str, str | None]] = field(default_factory=dict)
    """for each key of the document what it is for, its name and its default"""
    node: dict[str, str] | None = None
    node_id: str = ""
    edge: dict[str, str] | None = None
    ends: tuple[str, str] = ("", "")
    key: str | None = None
    words: list[str] = field(default_factory=list)
    ways: set[bool] = field(default_factory=set)
    default_way: bool = False

    def doctype(self, *_: object) -> None:
        raise self.refused(
            "the document declares a type or entities, which may read other files or grow without end",
            "write it without <!DOCTYPE …>",
        )

    def refused(self, what: str, remedy: str) -> BadInput:
        return BadInput(what, where=f"{self.where}, line {self.parser.CurrentLineNumber:,}", remedy=remedy)

    def start(self, tag: str, given: dict[str, str]) -> None:
        space, _, tag = tag.rpartition(" ")
        if not self.open:
            if tag != "graphml":
                raise self.refused("the document is XML of another kind", "give a GraphML file")
            self.space = space
        elif space != self.space:
            tag = ""
        self.open.append(tag)
        match tag:
            case "graph":
                self.start_graph(given)
            case "hyperedge":
                raise self.refused("a hyperedge connects more than two nodes", "give a network of pairs")
            case "port":
                raise self.refused("nodes have ports", "give a network whose edges lead to nodes")
            case "key":
                name = given.get("attr.name") or given.get("id", "")
                self.keys[given.get("id", "")] = (given.get("for", "all"), name, None)
                self.key = given.get("id", "")
            case "default" | "data":
                self.words = []
                if tag == "data":
                    self.key = given.get("key", "")
            case "node":
                if "id" not in given:
                    raise self.refused("a node has no id", "give every node an id")
                if self.node is not None:
                    raise self.refused("a node lies inside another", "give a network without nested nodes")
                self.node, self.node_id = self.defaults("node"), given["id"]
            case "edge":
                if not given.get("source") or not given.get("target"):
                    raise self.refused("an edge lacks an end", "give every edge a source and a target")
                self.edge, self.ends = self.defaults("edge"), (given["source"], given["target"])
                if "directed" in given and given["directed"] not in ("true", "false"):
                    raise self.refused("'directed' is neither true nor false", "mend the edge")
                way = given.get("directed")
                self.ways.add(self.default_way if way is None else way == "true")

    def start_graph(self, given: dict[str, str]) -> None:
        if "graph" in self.open[:-1]:
            raise self.refused("a graph lies inside another", "give a network without nested graphs")
        self.graphs += 1
        if self.graphs > 1:
            raise self.refused("the document holds several graphs", "give a file with one graph")
        if given.get("edgedefault") not in ("directed", "undirected"):
            raise self.refused("'edgedefault' is neither directed nor undirected", "say which it is")
        self.default_way = given["edgedefault"] == "directed"

    def defaults(self, what: str) -> dict[str, str]:
        return {
            name: value
            for use, name, value in self.keys.values()
            if value is not None and use in (what, "all")
        }

    def text(self, words: str) -> None:
        if self.open and self.open[-1] in ("data", "default"):
            self.words.append(words)

    def end(self, tag: str) -> None:
        tag = self.open.pop()
        line = self.parser.CurrentLineNumber
        if tag == "default":
            if self.open[-1] == "key" and self.key in self.keys:
                use, name, _ = self.keys[self.key]
                self.keys[self.key] = (use, name, "".join(self.words))
        elif tag == "data":
            name = self.keys.get(self.key or "", ("", self.key or "", None))[1]
            inside = self.node if self.open[-1] == "node" else self.edge if self.open[-1] == "edge" else None
            if inside is None:
                self.found.skipped += 1
            else:
                inside[name] = "".join(self.words)
        elif tag == "node" and self.node is not None:
            self.found.node(self.node_id, self.node, line)
            self.node = None
        elif tag == "edge" and self.edge is not None:
            self.found.edge(*self.ends, self.edge, line)
            self.edge = None
        elif tag == "graph":
            self.found.directed = True in self.ways if self.ways else self.default_way
