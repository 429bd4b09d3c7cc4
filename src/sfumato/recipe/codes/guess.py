"""Guessing whether a file holds sets of codes, and which column holds what. A proposal for people to look at.

Sets are proposed where a person has several rows with a code on each, where cells or lists hold several
codes, for baskets and for search logs. A file that also says how old people are or where they live stays a
table: as sets, nothing but the codes would be released.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sfumato.codes.reading.layouts import SEPARATORS
from sfumato.core.schema import Role
from sfumato.engine.lines import BASKET
from sfumato.recipe import detectors
from sfumato.recipe.guess import MOST_LOOK_ALIKE, ColumnSummary, Guess, guess
from sfumato.recipe.vocabulary import parts_of, topic_of


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


ICD_WORDS = _set_of("icd dx diagnosis diagnose diag diagnostico diagnostic")
"""parts of names that speak of diagnosis codes"""
_CODE_WORDS = _set_of(
    "code item product sku article artikel producto produit stock good drug medication medicine ndc atc cpt "
    "procedure snomed concept condition problem allergy vaccine purchase basket tag term"
)
_TEXT_WORDS = _set_of("description name title label text desc")
"""endings of names that spell a code out: taken when nothing else holds codes"""
_NO_CODES = _set_of(
    "date time day year month count number nr no seq sequence rank price amount quantity qty cost version "
    "system type status flag start end stop value unit"
)
_PERSON_WORDS = _set_of("user customer client shopper cardholder anon anonid uid household")
_BASKET_WORDS = _set_of("basket transaction order invoice cart receipt session")
_VISIT_WORDS = _set_of("encounter visit admission hadm stay episode claim invoice order session")
_OF_TABLES = frozenset(
    {
        "age",
        "sex",
        "date of birth",
        "postcode",
        "race or ethnic group",
        "nationality or language",
        "family",
        "education",
        "work",
        "body",
        "money",
        "belief or private life",
        "survey weight",
    }
)
"""topics of columns that make a file a table about people"""
_ICD_9 = re.compile(r"\d{3}\.\d{1,2}|V\d{2}(\.\d{1,2})?|E\d{3}(\.\d)?", re.IGNORECASE)
_ROUNDED = re.compile(r"\d(\.\d+)?E\+\d+", re.IGNORECASE)
_FEW_CELLS = 0.3
"""at least this share of the cells holds a separator"""
_LONGEST_CODE = 40


@dataclass(frozen=True)
class CodesGuess:
    """How sets of codes seem to lie in a file; ``reasons`` tell, by column, why."""

    layout: str
    codes: tuple[str, ...]
    person: str | None = None
    visit: str | None = None
    separator: str | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)

    def role_of(self, column: str) -> Role:
        """Return the role of a column; whatever holds no code is left out of a release."""
        if column in self.codes:
            return Role.CODES
        if column == self.person:
            return Role.PERSON
        return Role.VISIT if column == self.visit else Role.IDENTIFIER


def guess_codes(
    columns: Sequence[ColumnSummary], guesses: Mapping[str, Guess], lists: Collection[str] = ()
) -> CodesGuess | None:
    """Guess where codes lie, or None for a table; ``lists`` are the columns that hold lists.

    >>> code = ColumnSummary("icd9_code", "string", 90, 40, 0)
    >>> who = ColumnSummary("patient_id", "string", 90, 30, 0)
    >>> found = guess_codes([who, code], {"patient_id": Guess(Role.PERSON, "", 1.0)})
    >>> found.layout, found.person, found.codes
    ('long', 'patient_id', ('icd9_code',))
    """
    if [column.name for column in columns] == [BASKET]:
        return CodesGuess("baskets", (BASKET,), reasons={BASKET: "every line is a set of codes"})
    return (
        _search_log(columns, guesses)
        or _lists(columns, guesses, lists)
        or (None if _is_table(columns) else _cells(columns, guesses) or _long(columns, guesses))
    )


def _is_table(columns: Sequence[ColumnSummary]) -> bool:
    """Say whether names speak of more than codes."""
    for column in columns:
        match = topic_of(column.name)
        if match is None:
            continue
        if match.topic.name in _OF_TABLES:
            return True
        of_codes = _strength(column) or parts_of(column.name)[-1] in _NO_CODES
        if match.topic.role is Role.SENSITIVE and not of_codes:
            return True
    return False


def _search_log(columns: Sequence[ColumnSummary], guesses: Mapping[str, Guess]) -> CodesGuess | None:
    query = _named(columns, {"query"}, exactly=True)
    if query is None:
        return None
    person = _person(columns, guesses)
    if person is None:
        return None
    url = next((column for column in columns if "url" in parts_of(column.name)), None)
    reasons = {person.name: _rows_of(person, "names who searched"), query.name: "holds what was searched for"}
    if url is not None:
        reasons[url.name] = "holds the address that was clicked"
    codes = (query.name, *([url.name] if url else []))
    return CodesGuess("search-log", codes, person.name, reasons=reasons)


def _lists(
    columns: Sequence[ColumnSummary], guesses: Mapping[str, Guess], lists: Collection[str]
) -> CodesGuess | None:
    hidden = [name for name, found in guesses.items() if found.role in (Role.IDENTIFIER, Role.PERSON)]
    holding = [column for column in columns if column.name in lists and _may_be_codes(column, hidden)]
    if not holding:
        return None
    best = max(holding, key=_strength)
    person = _person([column for column in columns if column.name not in lists], guesses)
    reasons = {best.name: "holds lists"}
    if person is not None:
        reasons[person.name] = _rows_of(person, "names the person")
    return CodesGuess("lists", (best.name,), person.name if person else None, reasons=reasons)


def _may_be_codes(column: ColumnSummary, hidden: Collection[str]) -> bool:
    """Whether a list may hold codes: not where its values or its name point at people.

    That nearly every row has a list of its own says nothing, so long as the values in it are shared.
    """
    if column.name not in hidden:
        return True
    match = topic_of(column.name)
    single = replace(column, distinct=len(set(column.sample)), rows=10 * len(column.sample), missing=0)
    pointing = match is not None and match.topic.role in (Role.IDENTIFIER, Role.PERSON)
    return not pointing and guess(single).role is not Role.IDENTIFIER


def _cells(columns: Sequence[ColumnSummary], guesses: Mapping[str, Guess]) -> CodesGuess | None:
    for column in sorted(columns, key=_strength, reverse=True):
        separator = _separator(column)
        if separator is None:
            continue
        person = _person([one for one in columns if one is not column], guesses)
        said = "a blank" if separator == " " else f"'{separator}'"
        reasons = {column.name: f"cells hold several codes with {said} between them"}
        if person is not None:
            reasons[person.name] = _rows_of(person, "names the person")
        return CodesGuess(
            "cells", (column.name,), person.name if person else None, separator=separator, reasons=reasons
        )
    return None


def _separator(column: ColumnSummary) -> str | None:
    """Find what stands between the codes of cells; None where these are ordinary values."""
    if topic_of(column.name) is not None and not _strength(column):
        return None
    for separator in SEPARATORS:
        holding = sum(separator in cell for cell in column.sample)
        if not holding or holding < _FEW_CELLS * len(column.sample):
            continue
        pieces = [piece.strip() for cell in column.sample for piece in cell.split(separator)]
        if max(map(len, pieces)) > _LONGEST_CODE:
            continue
        icd = detectors.share(pieces, _is_icd) >= MOST_LOOK_ALIKE
        if icd or (_strength(column) > 1 and separator != " "):
            return separator
    return None


def _long(columns: Sequence[ColumnSummary], guesses: Mapping[str, Guess]) -> CodesGuess | None:
    person = _person(columns, guesses) or _named(columns, _BASKET_WORDS)
    if person is None or not 0 < person.distinct < person.present:
        return None
    others = [column for column in columns if column is not person and not column.nearly_unique]
    codes = max(others, key=_strength, default=None)
    if codes is None or not _strength(codes) or codes.distinct < 2:
        return None
    visit = next((c for c in columns if c is not codes and c is not person and _is_visit(c)), None)
    taken_as = "names the person" if _is_person(person, guesses) else "no column names a person: this is one"
    reasons = {person.name: _rows_of(person, taken_as), codes.name: _why(codes)}
    if visit is not None:
        reasons[visit.name] = "says which codes were written down together"
    for column in columns:
        if column not in (codes, person, visit) and _is_rounded(column):
            reasons[column.name] = "left out: a spreadsheet has rounded its values, so that codes were lost"
    return CodesGuess(
        "long", (codes.name,), person.name, None if visit is None else visit.name, reasons=reasons
    )


def _person(columns: Sequence[ColumnSummary], guesses: Mapping[str, Guess]) -> ColumnSummary | None:
    return next((column for column in columns if _is_person(column, guesses)), None)


def _is_person(column: ColumnSummary, guesses: Mapping[str, Guess]) -> bool:
    """Take also a person that some rows do not have: reading says how many, instead of guessing a table."""
    found, match = guesses.get(column.name), topic_of(column.name)
    if found is not None and (found.role is Role.PERSON or (match and match.topic.role is Role.PERSON)):
        return True
    return bool(_words(column.name) & _PERSON_WORDS) or parts_of(column.name) == ["id"]


def _is_visit(column: ColumnSummary) -> bool:
    return bool(_words(column.name) & _VISIT_WORDS) and column.distinct > 1


def _named(
    columns: Sequence[ColumnSummary], words: Collection[str], *, exactly: bool = False
) -> ColumnSummary | None:
    for column in columns:
        found = _words(column.name)
        if found & set(words) and (not exactly or len(parts_of(column.name)) == 1):
            return column
    return None


def _words(name: str) -> set[str]:
    """Return the parts of a name, also without the s of a plural and without digits behind."""
    parts = parts_of(name)
    return {form for part in parts for form in (part, part.removesuffix("s"), part.rstrip("0123456789"))}


def says_icd(name: str) -> bool:
    """Say whether a name speaks of diagnosis codes."""
    return bool(_words(name) & ICD_WORDS) or "diagnoses" in parts_of(name)


def _is_icd(value: str) -> bool:
    return detectors.is_icd_code(value.upper()) or _ICD_9.fullmatch(value) is not None


def _strength(column: ColumnSummary) -> int:
    """Say how much speaks for codes: 0 nothing, 1 a text for them, 2 a name, 3 a name or values of ICD."""
    parts = parts_of(column.name)
    match = topic_of(column.name)
    if not parts or column.distinct < 2 or (match is not None and match.topic.name != "health"):
        return 0
    if _is_rounded(column):
        return 0
    if parts[-1] in _NO_CODES or detectors.share(column.sample, detectors.is_date) >= MOST_LOOK_ALIKE:
        return 0
    # Numbers of visits such as S12 look like codes of ICD-10.
    spoken_of = _words(column.name) & (_VISIT_WORDS | _PERSON_WORDS)
    icd = column.distinct >= 3 and detectors.share(column.sample, _is_icd) >= MOST_LOOK_ALIKE
    icd = icd and (detectors.are_icd_codes(column.sample) or any(_ICD_9.fullmatch(v) for v in column.sample))
    if (icd and not spoken_of) or (says_icd(column.name) and parts[-1] not in _TEXT_WORDS):
        return 3
    spoken = bool(_words(column.name) & (_CODE_WORDS | ICD_WORDS))
    if spoken and parts[-1] not in _TEXT_WORDS:
        return 2
    return int(parts[-1] in _TEXT_WORDS and (spoken or len(parts) == 1) and parts != ["name"])


def _is_rounded(column: ColumnSummary) -> bool:
    """Say whether a spreadsheet has rounded some long codes: different ones are the same then."""
    return any(_ROUNDED.fullmatch(value.strip()) for value in column.sample)


def _why(column: ColumnSummary) -> str:
    icd = detectors.share(column.sample, _is_icd)
    if icd >= MOST_LOOK_ALIKE and not says_icd(column.name):
        return f"values look like diagnosis codes ({int(100 * icd)} %)"
    return f"the name speaks of codes; {column.distinct:,} different values"


def _rows_of(column: ColumnSummary, what: str) -> str:
    several = f", with several rows for some: {column.distinct:,} in {column.present:,} rows"
    return what + (several if column.distinct < column.present else "")
