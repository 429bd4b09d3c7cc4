"""Lines with what should be found in braces: ``Admitted {22 July 2022}``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sfumato.text.compete import compete
from sfumato.text.detectors.contract import Detector
from sfumato.text.page import Page
from sfumato.text.span import Span


def spans(text: str, *detectors: Detector) -> tuple[Span, ...]:
    """Return what wins when only these detectors look."""
    page = Page(text)
    return compete(text, [span for detector in detectors for span in detector.find(page)])


def plain(marked: str) -> str:
    """Return the line without its braces."""
    return re.sub(r"[{}]", "", marked)


def as_found(marked: str, *detectors: Detector) -> str:
    """Return the line with braces where these detectors find something."""
    text = plain(marked)
    parts, at = [], 0
    for span in spans(text, *detectors):
        parts += [text[at : span.start], "{", span.of(text), "}"]
        at = span.end
    return "".join([*parts, text[at:]])


def lines(block: str) -> Iterable[str]:
    """Return the lines of a block that hold anything; ``⏎`` is a line end inside one."""
    return [line.replace("⏎", "\n") for line in block.strip("\n").split("\n") if line.strip()]
