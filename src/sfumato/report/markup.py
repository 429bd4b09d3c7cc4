"""HTML as values: every text is escaped unless it is already HTML.

A ``Markup`` is a string that is HTML. Everything else that enters a document passes through
``text``, so a column that is called ``<script>`` is shown and never run.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

# Characters that a document cannot hold: controls except tab and newline, halves of surrogate
# pairs (they cannot be written as UTF-8) and the code points that Unicode reserves.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_VOID = frozenset({"br", "hr", "link", "meta"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | Iterable["Child"] | None


def clean(value: str) -> str:
    r"""Replace what can be neither shown nor written, such as control characters.

    >>> clean("a\x1b[31mge") == "a\ufffd[31mge"
    True
    """
    return _UNWRITABLE.sub("\ufffd", value)


def text(value: str) -> Markup:
    """Escape a text for use between tags and inside attributes.

    >>> text("<b> & 'c'")
    '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return value if isinstance(value, Markup) else Markup(html.escape(clean(value), quote=True))


def together(*children: Child) -> Markup:
    """Join children into one piece: texts are escaped, markup stays, None vanishes.

    >>> together("a < b", [element("br"), None])
    'a &lt; b<br>'
    """
    parts: list[str] = []
    for child in children:
        if isinstance(child, str):
            parts.append(text(child))
        elif child is not None:
            parts.append(together(*child))
    return Markup("".join(parts))


def element(tag: str, *children: Child, **attributes: str | int | float | bool | None) -> Markup:
    """Build one element. ``class_`` becomes ``class``, ``aria_label`` becomes ``aria-label``.

    >>> element("p", "a & b", class_="note")
    '<p class="note">a &amp; b</p>'
    """
    written = []
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        key = name.rstrip("_").replace("_", "-")
        written.append(f" {key}" if value is True else f' {key}="{text(str(value))}"')
    opening = f"<{tag}{''.join(written)}>"
    return Markup(opening if tag in _VOID else f"{opening}{together(*children)}</{tag}>")


def table(
    caption: str, header: Sequence[str], rows: Iterable[Sequence[Child]], *, numbers: Iterable[int] = ()
) -> Markup:
    """Build a table with a caption; the first cell of a row is its heading.

    ``numbers`` are the positions of columns that hold numbers and are set flush right. On a narrow
    screen the style sheet stacks the cells, each behind its label; the roles are written out because
    a browser forgets what a table is when its cells are laid out in another way.
    """
    right = frozenset(numbers)

    def cell(position: int, content: Child) -> Markup:
        kind = "number" if position in right else None
        if position == 0:
            return element("th", content, scope="row", role="rowheader", class_=kind)
        return element("td", content, role="cell", class_=kind, data_label=header[position])

    head = [
        element("th", title, scope="col", role="columnheader", class_="number" if i in right else None)
        for i, title in enumerate(header)
    ]
    body = [element("tr", [cell(i, content) for i, content in enumerate(row)], role="row") for row in rows]
    drawn = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", head, role="row"), role="rowgroup"),
        element("tbody", body, role="rowgroup"),
        role="table",
    )
    # A wide table scrolls inside its own region, which the keyboard can reach.
    return element("div", drawn, class_="wide", role="region", aria_label=caption, tabindex=0)


def facts(pairs: Iterable[tuple[str, Child]], *, class_: str = "facts") -> Markup:
    """Build a list of terms with what is said about each."""
    return element(
        "dl",
        [element("div", element("dt", term), element("dd", said)) for term, said in pairs],
        class_=class_,
    )


def picture(
    name: str, title: str, description: str, style: str, drawn: Iterable[Markup], size: tuple[float, float]
) -> str:
    """Return a picture as a file of its own; ``name`` keeps its labels apart from those of others."""
    width, height = size
    svg = element(
        "svg",
        "\n",
        element("title", title, id=f"{name}-title"),
        "\n",
        element("desc", description, id=f"{name}-description"),
        "\n",
        element("style", Markup(style)),
        [("\n", one) for one in drawn],
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="img",
        aria_labelledby=f"{name}-title {name}-description",
        font_family="system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
    )
    return f"{svg}\n"
