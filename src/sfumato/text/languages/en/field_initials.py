"""Initials by their place: ``-JT``, ``JT/mb`` of dictation, ``Initials: JT``, ``MI: K``, ``JT, RN``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sfumato.text.detectors.patterns.machinery import compiled
from sfumato.text.folding import listed
from sfumato.text.languages.en.field_labels import ACTORS, CREDENTIALS, SURE_CREDENTIALS
from sfumato.text.languages.en.person_values import is_initials
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE

Initials = tuple[int, int, float]
"""start, end, certainty"""

_SIGNED = re.compile(
    r"^[ \t]*(?:[-\u2013\u2014~/]{1,3}[ \t]?)(?P<v>[A-Z]{2,3})[ \t]*\r?$"
    r"|[ \t][-\u2013\u2014/]{1,2}[ \t]?(?P<last>[A-Z]{2,3})\.?\s{0,9}\Z"
    r"|[.!?][ \t]{1,3}[-\u2013\u2014]{1,2}[ \t]?(?P<end>[A-Z]{2,3})[ \t]*\r?$"
    r"|[.!?][ \t]{1,3}\((?P<shut>[A-Z]{2,3})\)[ \t]*\r?$"
    r"|[ \t\n][-\u2013\u2014][ \t]?(?P<small>[a-z]{2})\.?\s{0,9}\Z",
    re.MULTILINE,
)
_DICTATED = re.compile(
    r"^[ \t]*(?P<one>[^\W\d_a-z]{2,4})[ ]?[/:\\][ ]?(?P<two>[^\W\d_A-Z]{2,4}|[^\W\d_a-z]{2,4})"
    r"(?:[ ]?[/:][ ]?(?P<three>[a-z0-9]{2,6}))?"
    r"(?:[ \t]*\r?$|[ \t]{1,9}(?=Job|D:|T:|DD|DT|Dict|Trans|[0-9]))",
    re.MULTILINE,
)
_INITIALLED = compiled(
    r"initials?(?:\s{0,2}[:=|]\s{0,3}|[ ])"
    r"(?P<v>(?-i:[A-Z])\.?\s?(?-i:[A-Z])\.?(?:\s?(?-i:[A-Z])\.?)?)(?![a-z])"
)
_MIDDLE = compiled(
    r"(?:m\.?i\.?|middle(?:\s(?:initial|name))?|initial)\s{0,2}[:=|]\s{0,3}(?P<v>(?-i:[A-Z]))\.?(?=\s|$)"
)
_BEFORE_CREDENTIAL = re.compile(
    r"(?P<v>(?<![\w.-])[A-Z]{2,3})(?:,\s?|\s)(?:RN|MD|LPN|NP|PA-C|PA|DO|CNA|RRT|RPh|PharmD|CRNA|SN|MA)\b(?!-?[0-9])"
)
_AFTER_CREDENTIAL = re.compile(
    r"(?:RN|RPh|Rph|LPN|MD|NP|PA|CNA|RRT|PharmD|CRNA|Tech)[ ](?P<v>[A-Z]{2,3})"
    r"(?=[ \t]*(?:[.;,)\n\r|]|$)|[ ]{2}|[ ](?:@|at[ ])?[ ]?[0-2][0-9]:?[0-5][0-9]\b)"
)
_CHECKED = compiled(
    r"(?:signed|verified|checked|cosigned|witness(?:ed)?|initialed|initialled)[:\s]{1,2}"
    r"(?P<v>(?-i:[A-Z]{2,3}))(?:/(?P<two>[A-Za-z]{2,3}))?(?![\w/])"
)
_TYPED = compiled(
    r"(?:transcribed|typed|dictated|transcriber|typist|scribed)(?:[ ]by)?[ ]?[:=][ ]{0,2}"
    r"(?P<v>(?-i:[a-z]{2,3}))(?=[.;,]?(?:\s|$))"
)
"""initials in small letters of who typed a note"""
_SMALL = r"(?P<v>[a-z]\.[ ]?[a-z])(?:\.(?!\w)|(?![\w.]))(?=[ \t]*(?:\r?\n|[.,;]|\Z)|[ ][0-9])"
_SMALL_BY = re.compile(rf"by:?[ ]{{1,2}}{_SMALL}")
_SMALL_AFTER = re.compile(rf"[.!?\n][ \t]{{0,2}}{_SMALL}")
_SMALL_LAST = re.compile(r"(?:[.!?][ \t]{1,2}|\n[ \t]{0,9})(?P<v>[a-z]{2})\s{0,9}\Z")
"""initials in small letters, where somebody signs"""
_BEFORE_AGE = re.compile(r",[ ][A-Z]{2,3}(?=,[ ][0-9]{1,3}[ ]?(?:[MF]\b|y))")
_FAMILY = re.compile(r"(?<![\w-])[^\W\d_a-z][^\W\d_]{1,20}(?:-[^\W\d_]{2,20})?\Z")
_TYPISTS = frozenset(("transcribed", "typed", "dictated", "transcriber", "typist", "scribed"))
_CHECKS = frozenset(
    ("signed", "verified", "checked", "cosigned", "witness", "witnessed", "initialed", "initialled")
)
_NOT_SMALL = listed(
    "me by not yes but am pm mg ml cm mm kg po iv im pt rn md ok no na hs wk yr mo hr id er ed eg ie qd cc "
    "on at in of to is it as or an if we he us up so do my be"
)
_MIDDLES = frozenset(("mi", "m", "middle", "initial"))
_CREDENTIALS = frozenset(("rn", "md", "lpn", "np", "pa", "cna", "rrt", "rph", "pharmd", "crna", "tech"))

_NOBODY = ACTORS | SURE_CREDENTIALS | {word for word in CREDENTIALS if len(word) > 2}
"""what stands after a credential and is nobody's initials"""


def initials_in(page: Page) -> Iterator[Initials]:
    """Return where initials stand, and how certain each is."""
    text, places, starts = page.text, page.places, page.tokens.starts
    for found in _SIGNED.finditer(text):
        group = found.lastgroup or "v"
        if found[group].lower() not in SURE_CREDENTIALS:
            yield *found.span(group), 0.6
    if "/" in places or ":" in places:
        yield from _dictated(text)
    for word, form in (("initials", _INITIALLED), ("initial", _INITIALLED)):
        for place in places.get(word, ()):
            labelled = form.match(text, starts[place])
            if labelled is not None:
                yield *labelled.span("v"), LIKELY
    for word in places.keys() & _MIDDLES:
        for place in places[word]:
            labelled = _MIDDLE.match(text, starts[place])
            if labelled is not None:
                yield *labelled.span("v"), LIKELY
    for word in places.keys() & _CREDENTIALS:
        for place in places[word]:
            yield from _beside_credential(page, place)
    for word in places.keys() & _CHECKS:
        for place in places[word]:
            labelled = _CHECKED.match(text, starts[place])
            if labelled is not None and labelled["v"].lower() not in _NOBODY:
                yield *labelled.span("v"), PROBABLE
                if labelled["two"]:
                    yield *labelled.span("two"), PROBABLE
    for word in places.keys() & _TYPISTS:
        for place in places[word]:
            labelled = _TYPED.match(text, starts[place])
            if labelled is not None and labelled["v"] not in _NOT_SMALL:
                yield *labelled.span("v"), PROBABLE
    yield from _small(page)
    if "," in places:
        for found in _BEFORE_AGE.finditer(text):
            family = _FAMILY.search(text, max(0, found.start() - 45), found.start())
            yield (found.start() + 2 if family is None else family.start()), found.end(), 0.6


def _small(page: Page) -> Iterator[Initials]:
    """Return initials in small letters: after "by", and where a sentence or a line ends with them."""
    text, found = page.text, []
    for place in page.places.get("by", ()):
        found.append(_SMALL_BY.match(text, page.tokens.starts[place]))
    for one in _SMALL_AFTER.finditer(text):
        if not _is_abbreviated(text, one.start()):
            found.append(one)
    found.append(_SMALL_LAST.search(text, max(0, len(text) - 24)))
    for signed in found:
        if signed is not None and signed["v"].replace(".", "").replace(" ", "") not in _NOT_SMALL:
            yield *signed.span("v"), 0.56


def _is_abbreviated(text: str, stop: int) -> bool:
    """Say whether a stop ends an abbreviation of single letters, as the last one of "p.o." does."""
    return text[stop] == "." and text[max(0, stop - 2) : stop - 1] in (" ", ".", "\n")


def _dictated(text: str) -> Iterator[Initials]:
    for found in _DICTATED.finditer(text):
        if is_initials(found["one"]):
            for part in ("one", "two", "three"):
                if found[part] and not found[part].isdigit():
                    yield *found.span(part), PROBABLE


def _beside_credential(page: Page, place: int) -> Iterator[Initials]:
    text = page.text
    start = max(0, page.tokens.starts[place] - 5)
    before = _BEFORE_CREDENTIAL.search(text, start, page.tokens.ends[place])
    if before is not None and is_initials(before["v"]) and not text[max(0, start - 1) : start].isalnum():
        yield *before.span("v"), 0.6
    after = _AFTER_CREDENTIAL.match(text, page.tokens.starts[place])
    if after is not None and after["v"].lower() not in _NOBODY:
        yield *after.span("v"), 0.6
