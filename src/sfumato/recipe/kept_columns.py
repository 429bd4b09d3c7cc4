"""Columns that are released as they are, looked over for direct identifiers, whatever their kind says.

A kind such as ``other`` or ``state`` is a claim of the steward, and roles may be guesses. So the values
themselves are looked at, lists value by value. What is surely an identifier stops the run; what looks like
one stops it where a tenth of the values does, and is warned of otherwise. Under a policy the detectors of
notes look, too: names, streets and towns inside of other values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import pyarrow as pa

from sfumato.core.domain import as_number
from sfumato.core.errors import BadInput
from sfumato.core.schema import is_nearly_unique
from sfumato.engine.contract import Table
from sfumato.masking import MaskingPlan
from sfumato.recipe import detectors
from sfumato.recipe.guess import MOST_LOOK_ALIKE, long_numbers
from sfumato.recipe.identifier_forms import DATES, FORMS, SOME, STRONG, Form, form_of, is_nested, scalars_of
from sfumato.recipe.places import is_large_place

MOST_READ = 400
"""different values of a column that the detectors of notes read"""
_LONGEST_READ = 300
_FLATTEN = "write one column for each part, such as name_family and name_given"
_LIKE_CODES = ("payment card numbers", "internet addresses (IP)")
"""long concepts and codes of enzymes are written so, too"""
_WORD = re.compile(r"[^\W\d_]+")
_ANY_DIGIT = re.compile(r"\d")
_IN_CODES = tuple(form for form in STRONG if form.plural not in _LIKE_CODES)
_SAME_LENGTH = 7
"""whole numbers of one length and a value for each row are taken as numbers of people from this length on"""


@dataclass(frozen=True)
class Sighting:
    """Something in a column that looks like identifiers: what, in how many rows, and of how many."""

    column: str
    plural: str
    kind: str
    rows: int
    of: int
    sure: bool
    by_form: bool = False
    """whether the look of whole values says so, and not the detectors of notes"""

    @property
    def many(self) -> bool:
        """Whether a tenth of the values, or more, look so."""
        return self.rows >= SOME * self.of

    @property
    def certain(self) -> bool:
        """Whether no doubt is left: a sure form, or a form that most of the values have."""
        return self.sure or (self.by_form and self.rows >= MOST_LOOK_ALIKE * self.of)

    def __str__(self) -> str:
        if self.rows == self.of:
            return f"its values look like {self.plural}"
        return f"{self.rows:,} of its {self.of:,} values look like {self.plural}"


def sightings(column: str, counted: Mapping[str, int], forms: Sequence[Form] = FORMS) -> list[Sighting]:
    """List what the values of a column look like, most frequent first; ``counted`` says how often each is.

    >>> [str(one) for one in sightings("contact", {"ada@x.org": 2, "none": 8})]
    ['2 of its 10 values look like e-mail addresses']
    """
    rows: Counter[Form] = Counter()
    for value, number in counted.items():
        form = form_of(value, forms)
        if form is not None:
            rows[form] += number
    total = sum(counted.values())
    return [
        Sighting(column, form.plural, form.kind, number, total, form.sure, by_form=True)
        for form, number in rows.most_common()
    ]


def refuse_nested(name: str, values: Iterable[object]) -> None:
    """Refuse a column whose values hold objects: nothing here can say what is in them."""
    if any(is_nested(value) for value in values):
        raise BadInput(
            "it holds nested objects, which nothing here looks into",
            where=f"column '{name}'",
            remedy=_FLATTEN,
        )


def refuse_identifying_names(names: Sequence[str]) -> None:
    """Refuse columns that are called like an e-mail address or a number: names are shown everywhere.

    So begins a file without a header, whose first record would be published as names of columns.
    """
    for place, name in enumerate(names, 1):
        form = form_of(name)
        if form is not None and form.sure:
            raise BadInput(
                f"the name of column {place} looks like one of the {form.plural}, and names are published",
                remedy="give the file a first line with names of columns, or rename the column",
            )


def refuse_identifying_codes(column: str, codes: Sequence[str]) -> None:
    """Refuse sets of codes in which some are objects, e-mail addresses, telephone or identity numbers.

    Of what only looks like identifiers it takes a tenth, as in other columns.
    """
    refuse_nested(column, codes)
    seen = sightings(column, dict.fromkeys(codes, 1), _IN_CODES)
    found = next((one for one in seen if one.sure or one.many), None)
    if found is not None:
        raise BadInput(
            f"{found.rows:,} of its {found.of:,} codes look like {found.plural}",
            where=f"column '{column}'",
            remedy="take them out of the data, or make the column an identifier, which is left out",
        )


def look_over(
    table: Table, released: Sequence[str], plan: MaskingPlan, confirmed: Sequence[str] = ()
) -> tuple[str, ...]:
    """Look over columns that pass unchanged; refuse those that hold identifiers, return what to warn of.

    A steward who vouches for a column (``confirmed``) is only warned, but for what is certainly an identifier
    under a policy: the policy names what is done with it.
    """
    policy, warned = plan.policy, []
    dates = policy is not None and policy.masks.get("date") is not None
    forms = (*FORMS, DATES) if dates else FORMS
    for column in table.columns:
        name = column.name
        if name not in released or name in plan.masks or column.type not in _looked_at(policy is not None):
            continue
        if column.type in ("date", "datetime") and not dates:
            continue
        counted = _counted(table, name)
        found = sightings(name, counted, forms)
        if policy is not None:
            found += _of_kind(name, counted, plan.kinds.get(name)) or _read(name, counted, found)
        vouched = name in confirmed
        for one in found:
            if (one.sure or one.many) and (not vouched or (policy is not None and one.certain)):
                _refuse(one, None if policy is None else plan.kinds.get(name, ""))
        warned += [f"column '{name}': {one}, and no promise covers them" for one in found]
    return tuple(warned)


def _looked_at(policy: bool) -> tuple[str, ...]:
    """Return the types of columns that may hold identifiers; under a policy numbers may, too."""
    written = ("string", "other", "date", "datetime")
    return (*written, "integer", "number") if policy else written


def _refuse(one: Sighting, kind: str | None) -> None:
    if kind is not None:
        raise BadInput(
            f"{one}, and its kind is '{kind}'",
            where=f"column '{one.column}'",
            remedy=f"give it the kind that it is (perhaps {one.kind}), so that the policy can treat it, or "
            "take them out of the data",
        )
    raise BadInput(
        f"{one}, and it would be released",
        where=f"column '{one.column}'",
        remedy="make it an identifier, which is left out, or give it a mask; if they name nobody, "
        "say 'confirmed: true'",
    )


def _counted(table: Table, name: str) -> dict[str, int]:
    """Count the values of a column as text, those of lists one by one; refuse nested ones."""
    counted: Counter[str] = Counter()
    for batch in table.engine.count(table, [name]):
        values, rows = pa.Table.from_batches([batch]).columns[:2]
        for value, number in zip(values.to_pylist(), rows.to_pylist(), strict=True):
            if is_nested(value):
                refuse_nested(name, [value])
            for single in scalars_of(value):
                if single.strip():
                    counted[single] += number
    return dict(counted)


def _of_kind(name: str, counted: Mapping[str, int], kind: str | None) -> list[Sighting]:
    """See whether values of the kinds state and country are such: a digit or a smaller place is none."""
    if kind not in ("state", "country"):
        return []
    total = sum(counted.values())
    digits = sum(rows for value, rows in counted.items() if _ANY_DIGIT.search(value))
    if digits:
        return [Sighting(name, f"anything but a {kind}, for they hold digits", "city", digits, total, True)]
    unknown = sum(rows for value, rows in counted.items() if not is_large_place(value))
    what = f"no {kind} that is known here, perhaps smaller places or names"
    return [Sighting(name, what, "city", unknown, total, False)] if unknown else []


def _read(name: str, counted: Mapping[str, int], found: Sequence[Sighting]) -> list[Sighting]:
    """Let the detectors of notes read what no form fits, and see whether each row has a number of its own."""
    total = sum(counted.values())
    rows: Counter[tuple[str, str]] = Counter()
    unread = (value for value in counted if not _is_plain(value))
    for value in islice(unread, MOST_READ):
        for what in _spans(value[:_LONGEST_READ]):
            rows[what] += counted[value]
    read = [
        Sighting(name, plural, kind, number, total, False) for (plural, kind), number in rows.most_common()
    ]
    if found or read:
        return read
    days = sum(rows for value, rows in counted.items() if detectors.is_compact_day(value))
    if days >= MOST_LOOK_ALIKE * total > 0:
        return [Sighting(name, "dates without separators", "date", days, total, False)]
    if _are_numbers_of_people(counted, total):
        return [Sighting(name, "numbers of people, one for each row", "other-id", total, total, False)]
    if (digits := long_numbers(tuple(counted))) is not None:
        long = f"numbers of {digits} digits, as telephones, records and people have"
        return [Sighting(name, long, "other-id", total, total, False)]
    return read


def _is_plain(value: str) -> bool:
    return as_number(value) is not None or detectors.is_icd_code(value) or detectors.is_date(value)


def _are_numbers_of_people(counted: Mapping[str, int], total: int) -> bool:
    """Whether nearly every row has a number or code of its own, all of one length."""
    lengths = {len(value) for value in counted}
    if len(lengths) != 1 or not is_nearly_unique(len(counted), total):
        return False
    if not all(_ANY_DIGIT.search(value) and "." not in value and " " not in value for value in counted):
        return False
    if any(detectors.is_date(value) for value in counted):
        return False
    plain = all(value.isdigit() and not value.startswith("0") for value in counted)
    return min(lengths) >= (_SAME_LENGTH if plain else 5)


_OF_PLACES = {"street": "street", "zip": "zip", "city": "city", "county": "county"}
_ROLES = ("doctor", "relative", "patient")
_OF_SPANS = {
    "PHONE": ("telephone numbers", "phone"),
    "EMAIL": ("e-mail addresses", "email"),
    "URL": ("web addresses", "url"),
    "IP": ("internet addresses (IP)", "ip-address"),
    "SSN": ("social security numbers", "ssn"),
    "ID": ("numbers of records, plans, devices or vehicles", "other-id"),
}


@lru_cache(maxsize=20_000)
def _spans(value: str) -> tuple[tuple[str, str], ...]:
    """Return what the detectors of notes find in one value, as plural and kind.

    A single word is rarely a name where no sentence is around it (White, Georgia, Chad): a name has two.
    """
    from sfumato.text.scrub import find_identifiers

    found = []
    for span in find_identifiers(value, model="none"):
        kind, label = str(span.kind), span.label
        if kind in _OF_SPANS:
            found.append(_OF_SPANS[kind])
        elif kind == "NAME" and (label in _ROLES or len(_WORD.findall(span.of(value))) > 1):
            found.append(("names of persons", "name"))
        elif kind == "LOCATION" and label in _OF_PLACES:
            found.append(("places smaller than a state", _OF_PLACES[label]))
        elif kind == "DATE" and label == "full":
            found.append(("dates", "date"))
    return tuple(dict.fromkeys(found))
