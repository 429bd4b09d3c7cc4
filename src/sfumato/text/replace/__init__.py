"""Replacements: what stands where something was found."""

from sfumato.text.replace.contract import Change, Replacement
from sfumato.text.replace.generalisation import Generalisation
from sfumato.text.replace.masks import Masks, Removal
from sfumato.text.replace.pseudonyms import Pseudonyms
from sfumato.text.replace.settled import Shift
from sfumato.text.replace.surrogates import Surrogates
from sfumato.text.replace.tags import Tags

REPLACEMENTS: dict[str, type[Replacement]] = {
    kind.name: kind for kind in (Tags, Masks, Removal, Generalisation, Pseudonyms, Surrogates)
}
"""the replacements that exist, by the name that recipes use"""

__all__ = [
    "REPLACEMENTS",
    "Change",
    "Generalisation",
    "Masks",
    "Pseudonyms",
    "Removal",
    "Replacement",
    "Shift",
    "Surrogates",
    "Tags",
]
