"""Replacements: what stands where something was found."""

from sfumato.text.replace.contract import Change, Replacement
from sfumato.text.replace.masks import Masks, Removal
from sfumato.text.replace.settled import Shift
from sfumato.text.replace.surrogates import Surrogates
from sfumato.text.replace.tags import Tags

REPLACEMENTS: dict[str, type[Replacement]] = {
    Tags.name: Tags,
    Masks.name: Masks,
    Removal.name: Removal,
    Surrogates.name: Surrogates,
}
"""the replacements that exist, by the name that recipes use"""

__all__ = ["REPLACEMENTS", "Change", "Masks", "Removal", "Replacement", "Shift", "Surrogates", "Tags"]
