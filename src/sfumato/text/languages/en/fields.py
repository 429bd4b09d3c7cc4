"""Fields of English notes: ``PATIENT: Whitfield, Eleanor M``, ``Seen by EW``, ``Employer | Wagner Ltd``.

A label, then a colon, a bar or a tab, then the value, up to the end of its field: the end of the line, two
spaces, a bar, or the next label. The label says what the value is, and how name-like it must look. Without a
colon, who did something stands after "by", and initials of dictation stand alone on a line (``JT/mb``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.detectors.patterns.labels import LabelForms, any_label
from sfumato.text.detectors.patterns.machinery import compiled
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.field_initials import initials_in
from sfumato.text.languages.en.field_labels import ACTS, CREDENTIALS, PLACES, STRONG_NAMES, WEAK_NAMES
from sfumato.text.languages.en.person_values import Person, persons_in
from sfumato.text.languages.en.states import CODES
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE, SURE, Span
from sfumato.text.word_list import word_list

_LABELS = {**STRONG_NAMES, **WEAK_NAMES, **PLACES}
_END = r"\n|\r|\t|\||\s{2,}|;|$"
_FIELD_END = re.compile(rf"{_END}|[,.]?\s(?=(?:[A-Z][A-Za-z/\#'-]{{1,20}}|Date of Birth|Medical Record):)")
_NO_PLACE = re.compile(
    r"(?:none|n/?a|unknown|self|retired|unemployed|disabled|student|home|same|not|see|on file|homeless"
    r"|declined|yes|no|patient|the|a|an|alive)\b|[\s\W]*$",
    re.IGNORECASE,
)


def _field_form(labels: tuple[str, ...]) -> re.Pattern[str]:
    return compiled(
        rf"(?P<label>{any_label(labels)})(?:\(s\)|s)?(?:\s{{1,2}}\([^)\n]{{1,20}}\)|\s\#?[0-9])?"
        r"(?P<joint>\s{0,2}(?::|\||=|\t)[\s|]{0,8}|[ ]{3,8}(?=(?-i:[^\W\d_a-z])))"
    )


_FIELDS = LabelForms(_LABELS, _field_form)
_BY = compiled(r"by\b\s{0,2}:?\s{0,3}(?:and\s|/\s?)?")
_IS = compiled(r"(?:is|was|were)\s{1,2}(?=(?-i:(?:Dr|Mr|Mrs|Ms)\b|[^\W\d_a-z]))")
_USER = compiled(
    r"(?:user\s?(?:name|id)?|login(?:\s(?:name|id))?)\s{0,2}[:=|]\s{0,3}(?P<v>[^\s|;,]{2,40}[^\s|;,.])"
)
_LOGIN = compiled(
    r"by\s{1,2}(?P<v>(?-i:[a-z]{3,20}\.[a-z]{1,2}|[a-z]\.[a-z]{3,20}|[a-z]{3,20}[0-9]{1,3}))(?=[\s,;)]|$)"
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LABEL = re.compile(r"(?P<label>[A-Z][A-Za-z/#']*(?: [A-Za-z/#']+){0,4})[ ]?:")
_WIDE = 4
"""blanks that part a field from the next; letters that an abbreviated label has at most"""
_LOWER = r"[^\W\d_A-Z][^\W\d_A-Z'-]{1,25}"
_ALONE = r"(?=[ ]{2}|[ \t]*[\n\r|;(-]|[ ]?$)"
_LETTER = r"(?: [^\W\d_A-Z]\.?)?"
_LOWER_REVERSED = re.compile(rf"{_LOWER}(?: {_LOWER}){{0,2}}, ?{_LOWER}{_LETTER}{_ALONE}")
"""family name and given name in small letters, alone in their field"""
_LOWER_NAMES = re.compile(rf"(?:[^\W\d_A-Z]\.? )?{_LOWER}{_LETTER}(?: {_LOWER}){{0,2}}{_ALONE}")
"""given name and family name in small letters, alone in their field"""
_ORDINARY = int(Mark.WORD | Mark.MEDICAL | Mark.DRUG)
_NAMED = int(Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.FAMILY)
_DEAR = compiled(r"dear\s{1,2}")


@dataclass(frozen=True)
class Fields:
    """Proposes the values of fields."""

    name: str = "en.fields"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at labels that a field begins with, at "by", at salutations and at initials."""
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & _FIELDS.words:
            for place in page.places[word]:
                found = _FIELDS.of(word).match(text, starts[place])
                if (
                    found is not None
                    and _begins_field(text, starts[place])
                    and not _is_tag(text, found)
                    and not _is_empty(text, found)
                ):
                    yield from self._value(text, found)
        for place in page.places.get("by", ()):
            found = _LOGIN.match(text, starts[place])
            if found is not None:
                yield Span(*found.span("v"), Kind.NAME, "user", PROBABLE, self.name)
            if place and page.tokens.words[place - 1].lower() in ACTS:
                found = _BY.match(text, starts[place])
                if found is not None:
                    yield from self._persons(text, found.end(), "doctor", LIKELY, PROBABLE)
        for word in page.places.keys() & {"is", "was", "were"}:
            for place in page.places[word]:
                if place and _is_role(page.tokens.words[place - 1]):
                    found = _IS.match(text, starts[place])
                    if found is not None:
                        yield from self._persons(text, found.end(), "doctor", 0.8, 0.6)
        for place in page.places.get("pcp", ()):
            end = page.tokens.ends[place]
            if text[end : end + 1] == " " and text[end + 1 : end + 2].isupper():
                yield from self._persons(text, end + 1, "doctor", 0.8, 0.6)
        for word in page.places.keys() & {"username", "login", "user", "userid"}:
            for place in page.places[word]:
                found = _USER.match(text, starts[place])
                if found is not None:
                    yield Span(*found.span("v"), Kind.NAME, "user", LIKELY, self.name)
        for place in page.places.get("dear", ()):
            found = _DEAR.match(text, starts[place])
            if found is not None:
                yield from self._persons(text, found.end(), "", LIKELY, PROBABLE)
        for start, end, certainty in initials_in(page):
            yield Span(start, end, Kind.NAME, "initials", certainty, self.name)

    def _value(self, text: str, found: re.Match[str]) -> Iterator[Span]:
        label = " ".join(found["label"].lower().replace("\u2019", "'").split())
        spaced = not re.search(r"[:|=\t]", found["joint"])
        if label in PLACES:
            if not spaced:
                yield from self._place(text, found.end(), PLACES[label])
        elif label in STRONG_NAMES:
            lower = label.endswith("name") and not spaced
            likely = LIKELY if spaced else SURE if label.endswith("name") else 0.95
            who = STRONG_NAMES[label]
            yield from self._persons(text, found.end(), who, likely, PROBABLE, lower, who == "patient")
        elif not spaced:
            yield from self._persons(text, found.end(), WEAK_NAMES.get(label, ""), 0.6, 0.45)
        if label not in PLACES and not spaced and text[found.end() : found.end() + 1].islower():
            yield from self._lower(text, found.end(), label)

    def _lower(self, text: str, start: int, label: str) -> Iterator[Span]:
        """Propose a name in small letters that is alone in its field."""
        whole = _LOWER_REVERSED.match(text, start) or _LOWER_NAMES.match(text, start)
        if whole is not None and _is_named(whole.group()) and whole.group().split()[-1] not in CREDENTIALS:
            who = STRONG_NAMES.get(label) or WEAK_NAMES.get(label, "")
            yield Span(*whole.span(), Kind.NAME, who, 0.8, self.name)

    def _persons(
        self,
        text: str,
        start: int,
        label: str,
        likely: float,
        single: float,
        lower: bool = False,
        family_first: bool = False,
    ) -> Iterator[Span]:
        """Propose the names that a value begins with: ``likely`` if there are two words, else ``single``."""
        for person in persons_in(text, start, lower, family_first):
            if likely < SURE and _is_plain(text, person):
                return
            certainty = likely if person.titled or person.words > 1 else single
            if person.lower:
                certainty = min(certainty, PROBABLE)
            if person.initials:
                yield Span(person.start, person.end, Kind.NAME, "initials", min(likely, PROBABLE), self.name)
            else:
                yield Span(person.start, person.end, Kind.NAME, label, certainty, self.name)

    def _place(self, text: str, start: int, label: str) -> Iterator[Span]:
        end_found = _FIELD_END.search(text, start, start + 120)
        end = end_found.start() if end_found is not None else min(len(text), start + 120)
        while end > start and text[end - 1] in " .,;":
            end -= 1
        if end - start < 2 or _NO_PLACE.match(text, start, end):
            return
        value = text[start:end]
        if not any(letter.isupper() or letter.isdigit() for letter in value):
            yield Span(start, end, Kind.LOCATION, label, 0.55, self.name)
            return
        if label in ("street", "city"):
            yield from self._address(text, start, end, label)
        elif len(value.split()) <= 8:
            yield Span(start, end, Kind.LOCATION, label, LIKELY, self.name)

    def _address(self, text: str, start: int, end: int, label: str) -> Iterator[Span]:
        """Propose the parts of an address apart from each other; the state is none of them."""
        for place, part in enumerate(re.finditer(r"[^,]+", text[start:end])):
            first, last = start + part.start(), start + part.end()
            tail = re.search(r"\s*\b([A-Za-z]{2})?\.?\s*([0-9]{5}(?:-[0-9]{4})?)?\s*$", text[first:last])
            zipped = None
            if tail is not None and (tail.group(2) or (tail.group(1) or "").lower() in CODES):
                code = tail.group(1) or ""
                if not code or (code.isupper() and code.lower() in CODES):
                    if tail.group(2):
                        zipped = (first + tail.start(2), first + tail.end(2))
                    last = first + tail.start()
            while first < last and text[first] in " \t.":
                first += 1
            if zipped is not None:
                yield Span(*zipped, Kind.LOCATION, "zip", LIKELY, self.name)
            if last - first > 1:
                named = label if place == 0 else "city"
                yield Span(first, last, Kind.LOCATION, named, LIKELY if place == 0 else 0.8, self.name)


def _is_plain(text: str, person: Person) -> bool:
    """Say whether a value is made of ordinary words that nobody is called: "Utilization Review"."""
    if person.titled or person.initials:
        return False
    marks = [word_list("en").marks(word) for word in _LETTERS.findall(text, person.start, person.end)]
    return all(mark & _ORDINARY and not mark & _NAMED for mark in marks)


def _is_named(value: str) -> bool:
    """Say whether one of the words of a value is a name and nothing else, or all are names or unknown."""
    marks = [word_list("en").marks(word) for word in _LETTERS.findall(value)]
    if any(mark & (Mark.MEDICAL | Mark.DRUG) and not mark & _NAMED for mark in marks):
        return False
    if any(mark & _NAMED and not mark & _ORDINARY for mark in marks):
        return True
    return len(marks) > 1 and 0 in marks and all(not mark or mark & _NAMED for mark in marks)


def _is_role(word: str) -> bool:
    """Say whether a word is what somebody does here: "your nurses were", "the surgeon was"."""
    plain = word.lower()
    return any(STRONG_NAMES.get(one) in ("doctor", "relative") for one in (plain, plain.removesuffix("s")))


def _is_tag(text: str, found: re.Match[str]) -> bool:
    """Say whether what looks like a label is a tag of earlier de-identification, in a cell: ``**CITY |``."""
    tagged = text[max(0, found.start() - 2) : found.start()] == "**"
    return tagged and found["label"].isupper() and ":" not in found["joint"]


def _is_empty(text: str, found: re.Match[str]) -> bool:
    """Say whether a field has no value: behind a line end or a wide gap the next label follows."""
    if "\n" not in found["joint"] and len(found["joint"]) < _WIDE:
        return False
    following = _LABEL.match(text, found.end())
    if following is None:
        return False
    words = _LETTERS.findall(following["label"])
    return all(
        word_list("en").marks(word) & _ORDINARY or (word.isupper() and len(word) <= _WIDE) for word in words
    )


def _begins_field(text: str, start: int) -> bool:
    """Say whether a label begins here: at the head of a line, after two spaces, a bar or a stop."""
    before = text[max(0, start - 3) : start]
    if not before or before[-1] in "\n\r\t|([;*•-" or before.endswith("  "):
        return True
    return re.search(r"[\n|;.,)*•-]\s$|^\s+$", before) is not None or text[start : start + 2].isupper()
