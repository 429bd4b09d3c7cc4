"""What masked values look like, so that a release can be checked from its bytes alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FORMS = {
    "pseudonym": re.compile(r"[A-Z2-7]{16}"),
    "keyed-pseudonym": re.compile(r"[A-Z2-7]{16,51}"),
    "reversible-pseudonym": re.compile(r"[A-Za-z0-9_-]{43,}"),
    "mask": re.compile(r".*(?:\*{8}|X{8}).*", re.DOTALL),
}


def have_form_of(mask: str, values: Iterable[object]) -> bool | None:
    """Say whether all values that are not missing have the form of a mask; None where there is none.

    Random codes, keyed codes and encrypted values are recognised by their letters and length, covered
    values by their cover. A made-up name looks like a name.

    >>> have_form_of("pseudonym", ["HLM62MFVBXPI7LRR", None]), have_form_of("pseudonym", ["Ada Byron"])
    (True, False)
    >>> have_form_of("surrogate", ["Ada Byron"]) is None
    True
    """
    form = _FORMS.get(mask)
    if form is None:
        return None
    return all(value is None or form.fullmatch(str(value)) is not None for value in values)
