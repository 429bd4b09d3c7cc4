"""Surrogates: made-up values that look like the real ones, so that forms, tests and readers go on working.

A surrogate is drawn by a generator that is seeded from the key and the value: the same person keeps the
same made-up name wherever the name occurs. It never equals a real value of the column. Names, cities and
e-mail addresses come from Faker (an optional part); telephone numbers keep their form. As with all
pseudonyms, frequencies stay visible; and readers cannot tell that a value is made up, so the evidence
says that the release is not truthful.
"""

from __future__ import annotations

import hmac
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from sfumato.core.errors import BadInput, MissingPart, PromiseNotMet
from sfumato.masking.contract import Secrets

_MOST_TRIES = 1000
_METHODS = {
    "name": "name",
    "first-name": "first_name",
    "last-name": "last_name",
    "city": "city",
    "email": "safe_email",
}


@dataclass(frozen=True)
class Surrogate:
    """Replace by a made-up value of the same sort, in the manner of a country (``locale``)."""

    of: Literal["name", "first-name", "last-name", "city", "email", "phone"] = "name"
    locale: str = "en_US"
    domain: str = ""
    name: ClassVar[str] = "surrogate"
    keeps_apart: ClassVar[bool] = False
    repeats: ClassVar[bool] = True
    invents: ClassVar[bool] = True
    partial: ClassVar[bool] = True

    def describe(self) -> str:
        """Say in words what is done."""
        return f"replaced by a made-up {self.of.replace('-', ' ')}"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Make a value up for every value."""
        key = secrets.derived(self.name, self.domain)
        real = {value.casefold() for value in values}
        make = _phone if self.of == "phone" else _faked(self.of, self.locale)
        return [_made_up(make, key, value, real) for value in values]


def _made_up(make: Callable[[str, int], str], key: bytes, value: str, real: set[str]) -> str:
    for attempt in range(_MOST_TRIES):
        seed = hmac.digest(key, f"{attempt}\0{value}".encode(), "sha256")
        label = make(value, int.from_bytes(seed, "big"))
        if label.casefold() not in real:
            return label
    raise PromiseNotMet(
        "no made-up value was found that is not also a real one of the column",
        remedy="use a pseudonym instead, or another locale",
    )


def _phone(value: str, seed: int) -> str:
    """Draw the digits anew and keep the rest; a group that did not begin with 0 does not begin with 0."""
    draw = random.Random(seed)
    letters: list[str] = []
    for place, letter in enumerate(value):
        if not letter.isdigit():
            letters.append(letter)
            continue
        first = place == 0 or not value[place - 1].isdigit()
        letters.append(str(draw.randint(1 if first and letter != "0" else 0, 9)))
    return "".join(letters)


def _faked(of: str, locale: str) -> Callable[[str, int], str]:
    try:
        from faker import Faker
    except ImportError:
        raise MissingPart("Faker is not installed", remedy="install sfumato[surrogates]") from None
    try:
        faker: Any = Faker(locale)
    except AttributeError:
        raise BadInput(f"Faker has no locale '{locale}'", remedy="write one such as en_US") from None
    method = getattr(faker, _METHODS[of])

    def make(_: str, seed: int) -> str:
        faker.seed_instance(seed)
        return str(method())

    return make
