"""The texts of this repository, cut into what can be checked: examples, code spans, links, headings.

How an example is marked, in the words behind the language of its fence:

``recipe``     a whole recipe: it must be valid
``hierarchy``  the hierarchy of a column; its comments are the paths that it must give
``compared``   the output of the commands must be what stands there; a line ``…`` stands for any lines
``file=NAME``  the block is saved under that name before later blocks of the page run
``not-run``    shown only
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```\s*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its marks, its text, and the line on which it begins."""

    language: str
    marks: frozenset[str]
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The name under which the block is to be saved."""
        return next((mark.removeprefix("file=") for mark in self.marks if mark.startswith("file=")), None)


@dataclass(frozen=True)
class Page:
    """One text."""

    path: Path

    @property
    def name(self) -> str:
        """The path from the root of the repository."""
        return self.path.relative_to(ROOT).as_posix()

    @functools.cached_property
    def text(self) -> str:
        """All of it."""
        return self.path.read_text(encoding="utf-8")

    @functools.cached_property
    def blocks(self) -> list[Block]:
        """The fenced blocks in order."""
        found = []
        for match in FENCE.finditer(self.text):
            language, *marks = match["info"].split() or [""]
            line = self.text.count("\n", 0, match.start()) + 2
            found.append(Block(language, frozenset(marks), match["body"], line))
        return found

    @functools.cached_property
    def prose(self) -> str:
        """The text without its fenced blocks."""
        return FENCE.sub("", self.text)

    @functools.cached_property
    def code_spans(self) -> frozenset[str]:
        """Everything that stands between backticks in the prose."""
        return frozenset(re.findall(r"`([^`\n]+)`", self.prose))

    @functools.cached_property
    def anchors(self) -> frozenset[str]:
        """The places that links into this page can name, one for each heading."""
        headings = re.findall(r"^#+ +(.+?) *$", self.prose, re.MULTILINE)
        return frozenset(
            re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")
            for heading in headings
        )

    @functools.cached_property
    def links(self) -> list[str]:
        """The targets of links and pictures."""
        spans_removed = re.sub(r"`[^`\n]+`", "", self.prose)
        return re.findall(r"\]\(([^)\s]+)\)", spans_removed) + re.findall(
            r'(?:src|href)="([^"]+)"', self.prose
        )

    def section(self, heading: str) -> str:
        """Return the text under a heading, up to the next of the same depth."""
        found = re.search(
            rf"^(#+) {re.escape(heading)}\n(.*?)(?=^\1 |\Z)", self.text, re.MULTILINE | re.DOTALL
        )
        assert found, f"{self.name} has no heading '{heading}'"
        return found[2]


PAGES = [Page(ROOT / name) for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + [
    Page(path) for path in sorted((ROOT / "docs").glob("*.md"))
]


def page(name: str) -> Page:
    """Return a page by its path from the root of the repository."""
    return next(page for page in PAGES if page.name == name)
