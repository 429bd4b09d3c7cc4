"""De-identify: find what points at people, and put something else there.

Three schools meet here: competing detectors (Sweeney, "Replacing personally-identifying information in
medical records, the Scrub system", 1996), tags that keep who is who (Gupta, Saul & Gilbertson, "Evaluation of
a deidentification (De-Id) software engine", 2004) and a learned model (Gardner & Xiong, "HIDE", 2008). What
was not found stays: how much that is can only be measured on annotated notes of the same house.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.masking.shift import DateShift
from sfumato.text.policy import text_policy_named
from sfumato.text.replace.contract import Replacement

if TYPE_CHECKING:
    from sfumato.text.methods.sanitise import Sanitise

Options = dict[str, Any]
_OURS = ("policy", "shift", "language")
"""what a replacement is told by the method, and not by its own options"""


@dataclass(frozen=True)
class Deidentify:
    """Replace what was found: ``replace`` says by what, ``policy`` what of it and how dates are treated.

    ``replace`` is a name (``tags``, ``masks``, ``surrogates`` …) or a name with its options. Where the policy
    moves dates they move by up to ``days``, the same for all dates of a person; ``whole_weeks`` keeps the
    days of the week. ``sanitise`` are the parameters of ``Sanitise``, which then says the sensitive terms of
    the rest less precisely.

    >>> Deidentify(policy="shifted-dates").replacement().needs_key
    True
    """

    replace: str | dict[str, Options | None] = "tags"
    policy: str = "safe-harbor"
    days: int = 365
    whole_weeks: bool = False
    sanitise: Options | None = None
    name: ClassVar[str] = "deidentify"

    def __post_init__(self) -> None:
        self.replacement()
        self.sanitiser()

    def sanitiser(self) -> Sanitise | None:
        """Build what says sensitive terms less precisely, where that is asked for."""
        if self.sanitise is None:
            return None
        from sfumato.text.methods.sanitise import Sanitise
        from sfumato.text.ontology.named import ontology_named

        known = {field.name for field in dataclasses.fields(Sanitise)}
        options = _options("sanitise", self.sanitise, known)
        if isinstance(options.get("ontology"), str):
            options["ontology"] = ontology_named(options["ontology"])
        try:
            return Sanitise(**options)
        except TypeError:
            raise BadInput("sanitise needs 't'", where="method", remedy="write sanitise: {t: 50}") from None

    @property
    def moves_dates(self) -> bool:
        """Whether dates of the notes are moved."""
        return text_policy_named(self.policy).dates == "shifted"

    @property
    def column_shift(self) -> DateShift | None:
        """The mask that moves columns of dates as the notes are moved; None where none does."""
        return DateShift(self.days) if self.moves_dates and not self.whole_weeks else None

    def replacement(self, language: str = "en") -> Replacement:
        """Build the replacement."""
        from sfumato.text.replace import REPLACEMENTS
        from sfumato.text.replace.settled import Shift

        spelt: Mapping[str, Options | None] = (
            {self.replace: None} if isinstance(self.replace, str) else self.replace
        )
        if len(spelt) != 1:
            raise BadInput("a replacement is one name with its options", where="replace", remedy="write one")
        name, given = next(iter(spelt.items()))
        if name not in REPLACEMENTS:
            raise BadInput(
                f"there is no replacement '{name}'", where="replace", remedy=nearest(name, REPLACEMENTS)
            )
        kind: Any = REPLACEMENTS[name]
        known = {field.name for field in dataclasses.fields(kind) if field.init}
        ours: Options = {
            "policy": text_policy_named(self.policy),
            "shift": Shift(self.days, self.whole_weeks),
            "language": language,
        }
        options = {key: value for key, value in ours.items() if key in known}
        made: Replacement = kind(**options, **_options(name, given or {}, known - set(_OURS)))
        return made


def _options(name: str, given: Options, known: set[str]) -> Options:
    """Check the names of options; their values are for the replacement to judge."""
    found: Options = {}
    for key, value in given.items():
        option = key.replace("-", "_")
        if option not in known:
            raise BadInput(
                f"'{key}' is not an option of '{name}'", where="replace", remedy=nearest(option, known)
            )
        found[option] = tuple(value) if isinstance(value, list) else value
    return found
