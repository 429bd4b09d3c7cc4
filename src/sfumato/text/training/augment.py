"""Change a whole note as keyboards, dictation, faxes and exports do, and keep its spans where they belong.

Every change maps single characters to texts (``é`` → ``e``, a line end → carriage return and line end), so
that new offsets are sums of lengths and a span holds exactly the image of what it held.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from types import MappingProxyType

from sfumato.text.annotation.annotated import Annotated

Change = Callable[[str, random.Random], Sequence[str]]
"""gives for every character of a text what stands there afterwards"""


def upper_case(text: str, dice: random.Random) -> Sequence[str]:
    """Write everything in capitals."""
    return [sign.upper() for sign in text]


def lower_case(text: str, dice: random.Random) -> Sequence[str]:
    """Write everything in small letters."""
    return [sign.lower() for sign in text]


def without_accents(text: str, dice: random.Random) -> Sequence[str]:
    """Leave out all marks that combine with letters."""
    return [_base(sign) if sign > "\x7f" else sign for sign in text]


def _base(sign: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFD", sign) if not unicodedata.combining(part))


def decomposed(text: str, dice: random.Random) -> Sequence[str]:
    """Write letters and their marks apart (normal form D)."""
    return [unicodedata.normalize("NFD", sign) if sign > "\x7f" else sign for sign in text]


def without_punctuation(text: str, dice: random.Random) -> Sequence[str]:
    """Leave out commas, full stops, semicolons and colons before white space and at the end."""
    following = text[1:] + " "
    return [
        "" if sign in ".,;:" and after.isspace() else sign
        for sign, after in zip(text, following, strict=False)
    ]


def wrapped(text: str, dice: random.Random) -> Sequence[str]:
    """Break lines at a width of 50 to 80 characters, also inside names and dates."""
    width = dice.randint(50, 80)
    signs = [*text]
    column, last = 0, -1
    for place, sign in enumerate(text):
        if sign == "\n":
            column, last = 0, -1
            continue
        column += 1
        if sign == " ":
            last = place
        if column > width and last >= 0:
            signs[last] = "\n"
            column, last = place - last, -1
    return signs


def unwrapped(text: str, dice: random.Random) -> Sequence[str]:
    """Put everything on one line."""
    return [" " if sign == "\n" else sign for sign in text]


def windows_lines(text: str, dice: random.Random) -> Sequence[str]:
    """End lines as Windows does."""
    return ["\r\n" if sign == "\n" else sign for sign in text]


def more_spaces(text: str, dice: random.Random) -> Sequence[str]:
    """Double some of the spaces."""
    return ["  " if sign == " " and dice.random() < 0.1 else sign for sign in text]


def with_tabs(text: str, dice: random.Random) -> Sequence[str]:
    """Put tabs behind colons."""
    before = " " + text[:-1]
    return ["\t" if sign == " " and left == ":" else sign for sign, left in zip(text, before, strict=False)]


def with_markup(text: str, dice: random.Random) -> Sequence[str]:
    """End lines as pages of the web do."""
    mark = dice.choice(("<br>\n", "<br/>", "<br />\n", "\\par\n", "&#10;"))
    return [mark if sign == "\n" else sign for sign in text]


def quoted(text: str, dice: random.Random) -> Sequence[str]:
    """Begin lines as forwarded messages do."""
    return ["\n> " if sign == "\n" else sign for sign in text]


CHANGES: Mapping[str, Change] = MappingProxyType(
    {
        change.__name__: change
        for change in (
            upper_case, lower_case, without_accents, decomposed, without_punctuation, wrapped, unwrapped,
            windows_lines, more_spaces, with_tabs, with_markup, quoted,
        )
    }
)  # fmt: skip
"""all changes by name"""

_OFTEN: tuple[Change, ...] = (
    *(upper_case,) * 5, *(lower_case,) * 5, *(without_accents,) * 5, decomposed, *(without_punctuation,) * 4,
    *(wrapped,) * 8, *(unwrapped,) * 2, *(windows_lines,) * 2, *(more_spaces,) * 2, with_tabs, with_markup,
    quoted,
)  # fmt: skip


def changed(note: Annotated, change: Change, dice: random.Random) -> Annotated:
    """Change a note in one way; a span of which nothing is left falls away.

    >>> from sfumato.text.kinds import Kind
    >>> from sfumato.text.span import Span
    >>> note = changed(Annotated("José is ill", (Span(0, 4, Kind.NAME),)), decomposed, random.Random(1))
    >>> len(note.spans[0].of(note.text))
    5
    """
    signs = change(note.text, dice)
    places = [0, *accumulate(map(len, signs))]
    spans = tuple(
        replace(span, start=places[span.start], end=places[span.end])
        for span in note.spans
        if places[span.start] < places[span.end]
    )
    return replace(note, text="".join(signs), spans=spans)


def augmented(note: Annotated, dice: random.Random) -> Annotated:
    """Change a note as a whole in one way or two, drawn by ``dice``."""
    first = dice.choice(_OFTEN)
    note = changed(note, first, dice)
    if dice.random() < 0.3:
        second = dice.choice(_OFTEN)
        if second is not first:
            note = changed(note, second, dice)
    return note
