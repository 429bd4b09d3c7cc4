"""Generalisation: say less instead of something else. What is left is true.

Of a date the year is left (or what the policy says), of an age over 89 that it is, of a ZIP code three
digits, of an address the state; of a city, a hospital or anything else with a label what a hierarchy of yours
says one or more levels up (city → state → country); of all else the word for what it was, in brackets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Secrets
from sfumato.masking.reduce import OLDEST
from sfumato.masking.zip3 import zip3
from sfumato.text.kinds import Kind
from sfumato.text.note import Found
from sfumato.text.replace.addresses import address, label_of
from sfumato.text.replace.ages import age_of, with_age
from sfumato.text.replace.contract import Change
from sfumato.text.replace.settled import OVER_89, Place, UnderDatedPolicy

if TYPE_CHECKING:
    from sfumato.hierarchy import Hierarchy

_GENERALISED = "generalised"


@dataclass(frozen=True)
class Generalisation(UnderDatedPolicy):
    """Replace by something less precise.

    ``hierarchies`` maps a label (``city``, ``profession``) or kind to a hierarchy, or to how a recipe spells
    one; ``levels`` says how many levels up a label is shown (one, if nothing is said).

    >>> from sfumato.text.note import Record
    >>> from sfumato.text.span import Span
    >>> found = Found(Record.of("in Ovid, 14521"), ((Span(3, 7, Kind.LOCATION, "city"),
    ...                                              Span(9, 14, Kind.LOCATION, "zip")),))
    >>> by_state = Generalisation(hierarchies={"city": {"tree": {"USA": {"NY": ["Ovid", "Ithaca"]}}}})
    >>> [change.after for change in by_state.changes(found, Secrets())[0]]
    ['NY', '145']
    """

    hierarchies: Mapping[str, Any] = field(default_factory=dict, hash=False)
    levels: Mapping[str, int] = field(default_factory=dict, hash=False)
    name: ClassVar[str] = "generalisation"

    def __post_init__(self) -> None:
        super().__post_init__()
        for label, level in self.levels.items():
            if label not in self.hierarchies:
                raise BadInput(f"there is no hierarchy for '{label}'", where="levels", remedy="give one")
            if isinstance(level, bool) or not isinstance(level, int) or level < 1:
                raise BadInput(f"the level of '{label}' must be 1 or more", where="levels", remedy="give 1")
        object.__setattr__(
            self, "hierarchies", {label: _built(given) for label, given in self.hierarchies.items()}
        )

    @property
    def invents(self) -> bool:
        """Whether what stands there may look true and is not: moved dates do."""
        return self.moves_dates

    @property
    def needs_key(self) -> bool:
        """Whether it draws on the key: for moving dates."""
        return self.moves_dates

    def describe(self) -> str:
        """Say in words what is done."""
        by = f" ({', '.join(sorted(self.hierarchies))} by hierarchies)" if self.hierarchies else ""
        more = (
            " What a hierarchy shows may be more than that names, such as a county."
            if self.hierarchies
            else ""
        )
        return f"What was found is said less precisely{by}. {self.rules.describe()}{more}"

    def changes(self, found: Found, secrets: Secrets) -> tuple[tuple[Change, ...], ...]:
        """Return a change for every span."""
        return self.settled(self.cut(found), secrets).changes(self._change)

    def _change(self, place: Place) -> Change:
        span, shown = place.span, place.shown
        if span.kind is Kind.DATE and shown is not None:
            return Change(span, shown.text or "[date]", shown.how)
        if span.kind is Kind.AGE and shown is not None:
            return Change(span, self._age(place.old, shown.text), shown.how)
        return Change(span, self._general(place), _GENERALISED)

    def _age(self, old: str, shown: str | None) -> str:
        if shown == OVER_89:
            return with_age(old, f"{OLDEST}+")
        first = (age_of(old) or 0) // 10 * 10
        return with_age(old, f"{first}-{first + 9}")

    def _general(self, place: Place) -> str:
        label, kind = place.span.label, place.span.kind
        for name in (label, kind.value, kind.value.lower()):
            if name in self.hierarchies:
                return self._climbed(name, place.old) or _word(label or kind.value)
        if kind is Kind.LOCATION:
            sort = label or label_of(place.old)
            if sort in ("zip", "address"):
                return self._address(place.old) or _word(sort)
            return _word(sort)
        return _word(label or kind.value)

    def _address(self, old: str) -> str:
        """Keep the state and three digits of the ZIP code, as the policy says; the city by its hierarchy."""
        cut = address(old)
        city = self._climbed("city", cut.city) if cut.city and "city" in self.hierarchies else None
        state = cut.state if "LOCATION/state" in self.rules.kept else ""
        code = zip3(cut.zip) if cut.zip and self.rules.zips == "zip3" else ""
        return " ".join(part for part in (city if city != state else "", state, code) if part)

    def _climbed(self, label: str, value: str) -> str | None:
        """Return what the hierarchy says of a value; None where it does not know it, or says nothing."""
        from sfumato.core.domain import Domain
        from sfumato.hierarchy import ROOT

        hierarchy: Hierarchy = self.hierarchies[label]
        for written in dict.fromkeys((value, " ".join(value.split()), value.strip().title())):
            try:
                ladder = hierarchy.ladder(Domain.of(label, [written]))
            except BadInput:
                continue
            level = min(self.levels.get(label, 1), ladder.height)
            shown = ladder.labels[level][ladder.rungs[level, 0]]
            return None if shown in (None, ROOT) or shown == written else shown
        return None


def _word(label: str) -> str:
    return f"[{label.lower()}]"


def _built(given: Any) -> Hierarchy:
    """Return a hierarchy, or build one from how a recipe spells it."""
    if hasattr(given, "ladder"):
        hierarchy: Hierarchy = given
        return hierarchy
    from sfumato.hierarchy import from_spec

    return from_spec(given, Path())
