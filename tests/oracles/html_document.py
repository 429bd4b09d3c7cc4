"""A strict reader of HTML: what a browser would mend, it refuses."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "link"}


@dataclass
class Node:
    """An element with its attributes and what lies inside."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def walk(self) -> list[Node]:
        found = [self]
        for child in self.children:
            if isinstance(child, Node):
                found += child.walk()
        return found

    def all(self, tag: str, class_: str | None = None) -> list[Node]:
        return [
            node
            for node in self.walk()
            if node.tag == tag and (class_ is None or class_ in (node.attributes.get("class") or "").split())
        ]

    def by_id(self, key: str) -> Node:
        (node,) = [node for node in self.walk() if node.attributes.get("id") == key]
        return node

    def section(self, key: str) -> Node:
        (node,) = [node for node in self.all("section") if node.attributes.get("aria-labelledby") == key]
        return node

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("document")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")

    def handle_pi(self, data: str) -> None:
        raise AssertionError("a processing instruction")


def read(document: str) -> Node:
    """Parse a document; every element must be closed in order."""
    reader = _Reader()
    reader.feed(document)
    reader.close()
    assert reader.open == [reader.root], "an element is not closed"
    return reader.root
