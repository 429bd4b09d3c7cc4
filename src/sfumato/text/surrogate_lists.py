"""Values that stand in for others: plain, common names of people, places and organisations.

They are the lists that resynthesis draws from, with no other package; how a value is chosen for a person,
and that it stays the same, is the business of ``text/replace``. No name of a person in them is an ordinary
word, a disease or a drug, so that a replaced note reads like a note and means nothing new.

>>> lists = load_surrogates("en")
>>> "Foley" in lists.family, len(lists.family) > 500
(False, True)
"""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sfumato.core.errors import BadInput, nearest
from sfumato.text.language import LANGUAGES


@dataclass(frozen=True, slots=True)
class SurrogateLists:
    """What a language offers; every list has a fixed order, so that a key always draws the same."""

    given_female: tuple[str, ...]
    given_male: tuple[str, ...]
    family: tuple[str, ...]
    cities: tuple[tuple[str, str], ...]
    """a city and the short name of the state or province it lies in"""
    streets: tuple[str, ...]
    """what a street is called, without the ending"""
    street_endings: tuple[str, ...]
    hospitals: tuple[str, ...]
    hospital_endings: tuple[str, ...]
    companies: tuple[str, ...]
    company_endings: tuple[str, ...]
    schools: tuple[str, ...]


@cache
def load_surrogates(language: str) -> SurrogateLists:
    """Return the lists of a language; they are read once in a process."""
    if language not in LANGUAGES:
        raise BadInput(
            f"there is no language '{language}'", where="language", remedy=nearest(language, LANGUAGES)
        )
    packed = files("sfumato.text.languages").joinpath(language, "data", "surrogates.json.xz").read_bytes()
    lists = json.loads(lzma.decompress(packed))
    cities = tuple((city, state) for city, state in lists.pop("cities"))
    return SurrogateLists(cities=cities, **{name: tuple(values) for name, values in lists.items()})
