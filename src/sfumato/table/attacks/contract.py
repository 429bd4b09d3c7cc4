"""What all attacks on tables share: what the adversary holds and what is attacked.

What comes out is the same for every kind of data: see ``core/attack.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.engine.contract import Table
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class People:
    """An identified file: who the people are, and which of its columns say what a release says.

    ``columns`` leads from a column of the release to the column of this file that holds the same fact, as
    precisely as the adversary knows it. ``person`` holds the same ids as the person column of the target,
    when that is known: then claims can be compared with the truth.
    """

    table: Table
    columns: Mapping[str, str]
    person: str | None = None
    same_ids: bool = True
    """whether ``person`` is known to hold the ids of the target; else it only tells people apart"""

    def __post_init__(self) -> None:
        if not self.columns:
            raise BadInput(
                "the identified file has no column in common with the release",
                remedy="say which belong together, such as birth_date=birthday",
            )
        for name in (*self.columns.values(), *((self.person,) if self.person else ())):
            if name not in self.table.names:
                raise BadInput(f"the identified file has no column '{name}'", remedy="check the names")


@dataclass(frozen=True)
class Knowledge:
    """What the adversary holds, and what the house knows to tell who was right."""

    people: People | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """how values were generalised, by column of the release: public, as a rule"""
    original: PublishedTable | None = None
    """the table before it was protected: the truth"""
    others: tuple[PublishedTable, ...] = ()
    """other releases about some of the same people"""
    population: People | None = None
    """everybody whom the release was drawn from"""
    truthful: bool = False
    """whether values were only generalised or hidden: who fits no record of the release is not in it"""


class Attack(Protocol):
    """An adversary. A frozen dataclass whose fields are its parameters, checked when it is made.

    What an adversary can do without, but uses where it is at hand, stands in an attribute ``uses``, a set of
    ``Need``. What it neither needs nor uses is refused when somebody gives it.

    Attacks on a sensitive column have a field ``column: str | None = None``; a caller that leaves it open
    runs the attack once for every sensitive column of the target.
    """

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def title(self) -> str:
        """What the adversary does, in a few words."""

    @property
    def threat(self) -> Threat:
        """What is learned when it succeeds."""

    @property
    def needs(self) -> frozenset[Need]:
        """What must be at hand."""

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Attack a release; with ``victims`` also say which rows were hit."""


def used_by(attack: Attack) -> frozenset[Need]:
    """Return what an attack looks at: what it needs, and what it uses where it is at hand."""
    more: frozenset[Need] = getattr(attack, "uses", frozenset())
    return attack.needs | more


def sensitive_column(attack: str, column: str | None, target: PublishedTable) -> str:
    """Return the sensitive column to attack: the one that was named, or the only one that there is."""
    if column is None and len(target.sensitive) == 1:
        return target.sensitive[0]
    if column is None or column not in target.table.names:
        known = ", ".join(f"'{name}'" for name in target.sensitive) or "none"
        what = "a sensitive column must be named" if column is None else f"there is no column '{column}'"
        raise BadInput(what, where=attack, remedy=f"sensitive columns of the release: {known}")
    return column
