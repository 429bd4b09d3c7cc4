"""Notes before and after, with what was found marked: a page for the steward, never released."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.report.markup import Markup, element, together
from sfumato.report.page import page_style
from sfumato.report.words import count

_STYLE = Markup(
    ".pair{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}"
    "@media(max-width:60rem){.pair{grid-template-columns:1fr}}"
    ".note{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9rem}"
    ".note mark{border-bottom:2px solid currentColor;padding:0 .1em}"
    ".note mark sup{font-size:.6em;font-weight:400;padding-left:.2em}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def notes_page(title: str, samples: Sequence[Mapping[str, Any]]) -> str:
    """Return one HTML document: no script, no network. It holds raw notes."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="robots", content="noindex"),
        element("title", title, " · notes before and after"),
        element("style", page_style(), _STYLE),
    )
    header = element(
        "header",
        element(
            "p",
            "Sfumato · notes before and after",
            element("span", "Raw notes: keep them in the house", class_="edition"),
            class_="over",
        ),
        element("h1", title),
        element("p", f"{count(len(samples), 'note')}, drawn by chance", class_="under"),
    )
    shown = [_note(place, sample) for place, sample in enumerate(samples, 1)]
    body = element("body", header, element("main", shown))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _note(place: int, sample: Mapping[str, Any]) -> Markup:
    before = [(start, end, f"{kind}: {how}" if how else kind) for start, end, kind, how in sample["found"]]
    after = [(start, end, kind) for start, end, kind in sample["new"]]
    return element(
        "section",
        element("h2", f"Note {place}", id=f"note-{place}"),
        element(
            "div",
            element("div", element("h3", "Before"), _marked(sample["before"], before)),
            element("div", element("h3", "After"), _marked(sample["after"], after)),
            class_="pair",
        ),
        element("p", "This is the beginning of a longer note.") if sample.get("longer") else None,
        aria_labelledby=f"note-{place}",
    )


def _marked(text: str, spans: Sequence[tuple[int, int, str]]) -> Markup:
    """Set spans apart, each with what it is in words."""
    parts: list[Markup | str] = []
    at = 0
    for start, end, what in spans:
        parts += [text[at:start], element("mark", text[start:end], element("sup", what))]
        at = end
    parts.append(text[at:])
    return element("div", together(parts), class_="note")
