"""What masked values look like, so that a release can be checked from its bytes alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Mask
from sfumato.masking.partial import COVERED, Cover
from sfumato.masking.pseudonyms import KeyedPseudonym
from sfumato.masking.spec import Spec, mask_from_spec

_FORMS = {
    "pseudonym": re.compile(r"[A-Z2-7]{16}"),
    "reversible-pseudonym": re.compile(r"[A-Za-z0-9_-]{43,}"),
}


def have_form_of(mask: Spec, values: Iterable[object]) -> bool | None:
    """Say whether all values that are not missing have the form of a mask; None where there is none.

    Random codes, keyed codes and encrypted values are recognised by their letters and length, covered
    values by their cover and by how much stands beside it. A made-up name looks like a name. A mask that
    nobody knows is none.

    >>> have_form_of("pseudonym", ["HLM62MFVBXPI7LRR", None]), have_form_of("pseudonym", ["Ada Byron"])
    (True, False)
    >>> have_form_of("surrogate", ["Ada Byron"]) is None
    True
    """
    try:
        form = _form(mask_from_spec(mask))
    except BadInput:
        return False
    if form is None:
        return None
    return all(value is None or form.fullmatch(str(value)) is not None for value in values)


def _form(mask: Mask) -> re.Pattern[str] | None:
    if isinstance(mask, KeyedPseudonym):
        return re.compile(rf"[A-Z2-7]{{{mask.letters}}}")
    if isinstance(mask, Cover):
        cover = re.escape(mask.character * COVERED)
        if mask.keep_domain:
            return re.compile(rf"{cover}(?:@[^@]+)?", re.DOTALL)
        beside = rf".{{{mask.keep_first}}}{cover}.{{{mask.keep_last}}}"
        return re.compile(rf"{cover}|{beside}", re.DOTALL)
    return _FORMS.get(mask.name)
