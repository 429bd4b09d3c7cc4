"""De-identify: find what points at people, and put something else there.

Three schools meet here: competing detectors (Sweeney, "Replacing personally-identifying information in
medical records, the Scrub system", 1996), tags that keep who is who (Gupta, Saul & Gilbertson, "Evaluation of a
deidentification (De-Id) software engine", 2004) and a learned model (Gardner & Xiong, "HIDE", 2008). What was
not found stays: how much that is can only be measured on annotated notes of the same house.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.text.replace.contract import Replacement

Options = dict[str, Any]


@dataclass(frozen=True)
class Deidentify:
    """Replace what was found: ``replace`` says by what, ``policy`` what of it and how dates are treated.

    ``replace`` is a name (``tags``, ``masks``, ``surrogates`` …) or a name with its options.
    """

    replace: str | dict[str, Options | None] = "tags"
    policy: str = "safe-harbor"
    name: ClassVar[str] = "deidentify"

    def __post_init__(self) -> None:
        self.replacement()

    def replacement(self) -> Replacement:
        """Build the replacement."""
        return replacement_of(self.replace, self.policy)


def replacement_of(spec: str | Mapping[str, Options | None], policy: str = "safe-harbor") -> Replacement:
    """Build a replacement from its name, or from its name with options."""
    from sfumato.text.replace import REPLACEMENTS

    spelt: Mapping[str, Options | None] = {spec: None} if isinstance(spec, str) else spec
    if len(spelt) != 1:
        raise BadInput("a replacement is one name with its options", where="replace", remedy="write one")
    name, given = next(iter(spelt.items()))
    if name not in REPLACEMENTS:
        raise BadInput(
            f"there is no replacement '{name}'", where="replace", remedy=nearest(name, REPLACEMENTS)
        )
    kind = REPLACEMENTS[name]
    known = {field.name for field in dataclasses.fields(kind) if field.init}
    options: dict[str, Any] = {}
    for key, value in (given or {}).items():
        option = key.replace("-", "_")
        if option not in known or option == "policy":
            raise BadInput(
                f"'{key}' is not an option of '{name}'",
                where="replace",
                remedy=nearest(option, known - {"policy"}),
            )
        options[option] = tuple(value) if isinstance(value, list) else value
    if "policy" in known:
        options["policy"] = policy
    made: Replacement = kind(**options)
    return made
