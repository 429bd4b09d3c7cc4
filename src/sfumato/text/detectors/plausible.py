"""What a learned proposal must hold to be believed: a telephone number has digits, a date a day or a month.

A model that weighs words one by one may draw the word beside a number into it, or hold a heading for a name.
Some things have a form that nothing learned can talk away: of "workstation 10.0.0.7" only the number is an
address. Ordinary words in small letters are no names where names are written with capitals. What is not
believed stays a doubtful proposal: it is taken when another detector agrees.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.text.detectors.plausible_numbers import (
    counts_time_or_parts,
    is_amount,
    is_no_age,
    sentence_end,
)
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Lexicon, Mark
from sfumato.text.page import Page, Tokens
from sfumato.text.span import DOUBTFUL

_CALENDAR = Mark.MONTH | Mark.WEEKDAY | Mark.HOLIDAY
_ORDINARY = Mark.WORD_COMMON | Mark.MEDICAL
_KNOWN = _ORDINARY | Mark.WORD | Mark.DRUG
_TELLING = Mark.NAME_COMMON | Mark.CITY | Mark.COUNTY | Mark.STATE | Mark.COUNTRY | Mark.HOSPITAL
_LARGE = Mark.STATE | Mark.COUNTRY
_COMMON = Mark.WORD_COMMON
_PERSON = Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.FAMILY | Mark.EPONYM
_PARTICLES = frozenset(
    (
        *("de", "la", "del", "da", "do", "dos", "das", "di", "du", "van", "von", "der", "den", "ter"),
        *("al", "el", "bin", "ibn", "ben", "le", "los", "y", "e"),
    )
)
"""small words that names begin with"""
_NUMBERS = frozenset({Kind.PHONE, Kind.SSN, Kind.IP, Kind.ID})
_LEAST_DIGITS = {Kind.PHONE: 5, Kind.SSN: 4, Kind.IP: 4, Kind.ID: 4}
"""fewer are taken only where something announces them"""
_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d|2400")
"""a time of day: 0410, and 2300-0700"""
_ROLES = frozenset(
    (
        *(
            "prescriber",
            "counselor",
            "counsellor",
            "medic",
            "paramedic",
            "dr",
            "doctor",
            "nurse",
            "attending",
        ),
        *(
            "physician",
            "pharmacist",
            "provider",
            "technician",
            "therapist",
            "surgeon",
            "ref",
            "patient",
            "pt",
        ),
        *("tel", "fax", "phone", "pager", "pgr", "rm", "room", "eval", "supervisor", "interpreter"),
        *("beeper", "hello", "hi", "dear", "husband", "wife", "son", "daughter", "rep", "vendor", "liaison"),
    )
)
"""what somebody is, and labels: beside a name, and no part of it"""
_CAPITAL_LABELS = frozenset(
    ("DEA", "MRN", "NPI", "DOB", "SSN", "RN", "MD", "NP", "LPN", "DC", "TECH", "LOC", "CRNA", "OB", "JOB")
)
_DOTTED = frozenset(
    (
        *("am", "pm", "prn", "rn", "eg", "ie", "bid", "tid", "qid", "qd", "qhs", "qam", "qpm", "po", "iv"),
        *("mph", "ph", "od", "os", "ou", "im", "sc", "sl", "pr", "hs", "ac", "pc", "yo", "vs", "ca", "st"),
    )
)
"""small letters with stops that are nobody's initials"""
_CENTURIES = ("18", "19", "20")
_LONG = 3
"""letters that a word of a web address has at least, one of them more"""
_FORMED = re.compile(
    r"(?:non|un|anti|hyper|hypo|micro|macro|sub|post|pre|trans|intra|inter|peri|endo|retro|poly|hemi|para)(?P<rest>\w{4,})"
    r"|\w{3,}(?:itis|osis|[ae]mia|ectomy|otomy|ostomy|plasty|pathy|algia|uria|iasis|oscopy|ography|ogram|penia|"
    r"chromia|plegia|paresis|megaly|trophy|lysis|rrhea|rrhage|oma|genic|genous)s?"
)
"""words that medicine makes anew every day"""
_JOINED = re.compile(r"\d[A-Za-z]{3,9}\d|[A-Za-z]{3,9}\d{4}$|^\d{8}T")
"""a month between figures: 21JUL2013"""
_SCHOOLS = frozenset(("high", "middle", "elementary", "grade", "junior", "senior", "school", "university"))
"""sorts of schools: without a name of its own it is nobody's"""
_FEW_CAPITALS = 20
"""where fewer than one word in so many has a capital, small letters say nothing"""
_ENDS = frozenset('.!?:•*-–—|>"“(;')


def has_capitals(page: Page) -> bool:
    """Say whether capitals are used in a text, so that a word without one is no name."""
    return page.once("capitals", _has_capitals)


def _is_number(words: Sequence[str], place: int) -> bool:
    return place < len(words) and words[place][0].isdigit()


def _is_dotted_line(words: Sequence[str]) -> bool:
    """Say whether stops lead the eye from a label to its value: ``Employer.......``."""
    return any(one == two == "." for one, two in itertools.pairwise(words))


def _is_label(word: str) -> bool:
    return word in _CAPITAL_LABELS or word.lower() in _ROLES


def _has_capitals(page: Page) -> bool:
    letters = [word for word in page.tokens.words if word[0].isalpha()]
    return sum(word[0].isupper() for word in letters) * _FEW_CAPITALS > len(letters)


@dataclass(frozen=True)
class Plausible:
    """Judges runs of words that a model holds for something."""

    lexicon: Lexicon

    def judged(
        self, page: Page, first: int, last: int, kind: Kind, certainty: float
    ) -> tuple[int, int, float]:
        """Return the run without words at its ends that cannot belong to it, and how certain it still is."""
        words = page.tokens.words
        if kind in _NUMBERS:
            return self._number(words, first, last, kind, certainty)
        if kind is Kind.DATE:
            return self._date(page, first, last, certainty)
        if kind is Kind.EMAIL:
            believed = "@" in words[first : last + 1]
        elif kind is Kind.AGE:
            believed = not is_no_age(words, first, last)
        elif kind is Kind.URL:
            parts = words[first : last + 1]
            believed = ("." in parts or "/" in parts) and max(map(len, parts)) > _LONG
            believed = believed and not _is_dotted_line(parts)
        elif kind in (Kind.NAME, Kind.LOCATION):
            first, last = self._trimmed(page, first, last, kind)
            believed = self._said(page, first, last, kind) or not self._ordinary(page, first, last)
            believed = believed and not self._is_something_else(page, first, last, kind)
            parts = words[first : last + 1]
            believed = believed and not (parts[0].isdigit() if kind is Kind.NAME else self._timed(parts))
        else:
            believed = True
        return first, last, certainty if believed else min(certainty, DOUBTFUL)

    def may_be_kept(self, page: Page, first: int, last: int) -> bool:
        """Say whether a place is a state or a country: then what others call it counts, and not "city"."""
        tokens = page.tokens
        if first == last:
            return bool(self.lexicon.marks(tokens.words[first]) & _LARGE)
        run = slice(first, last + 1)
        part = Tokens(tokens.words[run], tokens.starts[run], tokens.ends[run])
        return any(
            end - begin == len(part) and marks & _LARGE for begin, end, marks in self.lexicon.phrases(part)
        )

    def _number(
        self, words: Sequence[str], first: int, last: int, kind: Kind, certainty: float
    ) -> tuple[int, int, float]:
        while first < last and self._word(words[first]):
            first += 1
        while last > first and self._word(words[last]):
            last -= 1
        parts = words[first : last + 1]
        digits = sum(letter.isdigit() for word in parts for letter in word[:40])
        coded = any(word.isalpha() or not (word.isdigit() or len(word) == 1) for word in parts)
        if (
            digits < (3 if coded and kind is Kind.ID else _LEAST_DIGITS[kind])
            or (kind is Kind.IP and parts.count(".") < 3 and parts.count(":") + parts.count("-") < 4)
            or all(_CLOCK.fullmatch(word) for word in parts if word[0].isalnum())
            or is_amount(words, first, last)
        ):
            certainty = min(certainty, DOUBTFUL)
        return first, last, certainty

    def _word(self, word: str) -> bool:
        """Say whether it is a word of the language, and no part of a number."""
        return word.isalpha() and len(word) > 1 and not word.isupper() and bool(self.lexicon.marks(word))

    def _date(self, page: Page, first: int, last: int, certainty: float) -> tuple[int, int, float]:
        words = page.tokens.words
        last = sentence_end(words, first, last)
        start, end = first, last
        if first > 1 and words[first - 1] == ":" and words[first - 2].isdigit():
            first += 1
        for place in range(first + 1, last + 1):
            if words[place + 1 : place + 2] == [":"] and _is_number(words, place + 2):
                last = place - 1
                break
        if last > first and _CLOCK.fullmatch(words[last]) and words[last][:2] not in _CENTURIES:
            last -= 1
        while first <= last and not self._dated(words[first]):
            first += 1
        while last > first and not self._dated(words[last]):
            last -= 1
        if first > last:
            return start, end, min(certainty, DOUBTFUL)
        alone = words[first] if first == last else ""
        if alone[:1].isdigit() and len(alone) < 5 and not (alone.isdigit() and alone[:2] in _CENTURIES):
            certainty = min(certainty, DOUBTFUL)
        if not all(self._day_or_month(word) for word in words[first : last + 1] if self._dated(word)):
            certainty = min(certainty, DOUBTFUL)
        if counts_time_or_parts(page, first, last):
            certainty = min(certainty, DOUBTFUL)
        return first, last, certainty

    def _day_or_month(self, word: str) -> bool:
        """Say whether it is digits alone, an ordinal, a word of the calendar or joined to one: not 5Ca."""
        if word.isdigit() or self.lexicon.marks(word) & _CALENDAR:
            return True
        figures = word.rstrip("abcdefghijklmnopqrstuvwxyz")
        ordinal = figures.isdigit() and word[len(figures) :] in ("st", "nd", "rd", "th")
        return ordinal or _JOINED.search(word) is not None

    def _dated(self, word: str) -> bool:
        return any(letter.isdigit() for letter in word[:40]) or bool(self.lexicon.marks(word) & _CALENDAR)

    def _trimmed(self, page: Page, first: int, last: int, kind: Kind) -> tuple[int, int]:
        """Leave ordinary words at both ends outside, as long as something else is inside."""
        words = page.tokens.words
        capitals = has_capitals(page)
        if capitals:
            small = any(word[0].isupper() for word in words[first : last + 1])
        else:
            small = not all(self.lexicon.marks(word) & _COMMON for word in words[first : last + 1])
        mixed = any(word.istitle() for word in words[first : last + 1])
        begin, end = first, last
        while kind is Kind.NAME and begin < end and _is_label(words[begin]):
            begin += 1
            while begin < end and (words[begin].isdigit() or words[begin] in ".:,#"):
                begin += 1
        while end > begin and words[end].isdigit() and words[end + 1 : end + 2] == [":"]:
            end -= 1
        while begin < end and self._outside(words[begin], kind, small, mixed, capitals):
            begin += 1
        # In small letters an initial may end a name; one that begins it is "with" or "a".
        while (
            end > begin
            and self._outside(words[end], kind, small, mixed, capitals)
            and (capitals or len(words[end]) > 1 or not words[end].isalpha())
        ):
            end -= 1
        return (
            (begin, end) if not self._outside(words[begin], kind, small, mixed, capitals) else (first, last)
        )

    def _outside(self, word: str, kind: Kind, small: bool, mixed: bool, capitals: bool) -> bool:
        if not word[0].isalnum():
            return word not in "(."
        if kind is Kind.NAME and _is_label(word):
            return True
        if word.islower():
            marks = self.lexicon.marks(word)
            ordinary = marks & _ORDINARY and (capitals or not marks & _PERSON)
            return small and bool(ordinary or len(word) == 1) and word not in _PARTICLES
        marks = self.lexicon.marks(word)
        if kind is Kind.LOCATION:
            label = bool(marks & _ORDINARY) and not marks & Mark.ORGANISATION
            return mixed and word.isupper() and label and len(word) > 1
        if not word.isalpha() or len(word) < 3:
            return False
        return bool(marks & _COMMON) and not marks & _PERSON

    def _is_something_else(self, page: Page, first: int, last: int, kind: Kind) -> bool:
        """Say whether a run is a sort of school, a state behind a comma, or a part of a compound word."""
        words = page.tokens.words
        if kind is Kind.NAME and first == last and first and words[first - 1] == ",":
            code = len(words[first]) == 2 and words[first].isupper()
            if code and self.lexicon.marks(words[first]) & Mark.STATE:
                return True
        if kind is Kind.LOCATION and all(word.lower() in _SCHOOLS for word in words[first : last + 1]):
            return first == 0 or not words[first - 1][0].isupper()
        return first == last and self._is_compounded(page, first)

    def _is_compounded(self, page: Page, place: int) -> bool:
        """Say whether a hyphen joins an ordinary word to small letters, or to a number before it:
        ``Coffee-ground``, ``18-wheeler``.
        """
        text, tokens = page.text, page.tokens
        start, end, marks = tokens.starts[place], tokens.ends[place], self.lexicon.marks(tokens.words[place])
        if not marks & (Mark.WORD | Mark.WORD_COMMON):
            return False
        joined = text[end : end + 1] == "-" and text[end + 1 : end + 2].islower()
        counted = tokens.words[place].islower() and text[start - 1 : start] == "-"
        return (joined and not marks & _PERSON) or (
            counted and start > 1 and text[start - 2].isdigit() and bool(marks & _KNOWN)
        )

    def _begins_a_sentence(self, page: Page, first: int, last: int) -> bool:
        """Say whether an ordinary word behind a colon goes on in small letters: ``Neck: Supple and``."""
        words, tokens = page.tokens.words, page.tokens
        if first != last or last + 1 >= len(words) or not words[last + 1].islower():
            return False
        marks = self.lexicon.marks(words[first])
        ordinary = marks & _KNOWN and not marks & _TELLING
        return bool(ordinary) and page.text[tokens.ends[last] : tokens.starts[last + 1]] == " "

    def _said(self, page: Page, first: int, last: int, kind: Kind) -> bool:
        """Say whether its place tells more than the word: after a colon, or initials at the end of a line."""
        words = page.tokens.words
        if kind is not Kind.NAME or not words[first][0].isalpha() or _is_label(words[first]):
            return False
        if first and words[first - 1] == ":":
            return not self._begins_a_sentence(page, first, last)
        if len(words[first]) == 1 and words[first].isupper():
            return words[first + 1 : first + 2] == ["."]
        ends = (
            last + 1 == len(words) or "\n" in page.text[page.tokens.ends[last] : page.tokens.starts[last + 1]]
        )
        return ends and first == last and len(words[first]) < 4 and words[first].isupper()

    def _ordinary(self, page: Page, first: int, last: int) -> bool:
        """Say whether a run is made of ordinary words, written in a way that says nothing of a name."""
        words = [word for word in page.tokens.words[first : last + 1] if word[0].isalnum()]
        if words and _is_label(words[0]) and all(_is_label(word) or word.isdigit() for word in words):
            return True
        if not words or any(word[0].isdigit() for word in words):
            return not words
        if all(len(word) == 1 and word.islower() for word in words):
            spelt = "".join(words)
            if len(spelt) == 1 or spelt in _DOTTED:
                return True
        marks = [self._marks(word) for word in words]
        if all(word.islower() for word in words):
            return has_capitals(page) and all(
                mark & _ORDINARY or (mark & _KNOWN and not mark & _TELLING) for mark in marks
            )
        if any(mark & _TELLING or not mark & _ORDINARY for mark in marks):
            return False
        return all(word.isupper() for word in words) or (first == 0 or self._begins(page, first))

    def _timed(self, parts: Sequence[str]) -> bool:
        """Say whether a place is one general word and the time of day: "AT HOSP 0403"."""
        return (
            len(parts) == 2
            and _CLOCK.fullmatch(parts[1]) is not None
            and bool(self.lexicon.marks(parts[0]) & (Mark.ORGANISATION | Mark.WORD_COMMON))
        )

    def _marks(self, word: str) -> int:
        marks = self.lexicon.marks(word)
        if marks:
            return marks
        formed = _FORMED.fullmatch(word.lower()) if len(word) < 40 else None
        if formed is None or not (formed["rest"] is None or self.lexicon.marks(formed["rest"]) & _KNOWN):
            return 0
        return int(Mark.WORD | Mark.MEDICAL)

    @staticmethod
    def _begins(page: Page, place: int) -> bool:
        tokens = page.tokens
        gap = page.text[tokens.ends[place - 1] : tokens.starts[place]]
        return tokens.words[place - 1] in _ENDS or "\n" in gap or "\r" in gap
