"""Minimality: the method would not have generalised so far without need, and that tells of the need.

R. C.-W. Wong, A. W.-C. Fu, K. Wang & J. Pei, "Minimality attack in privacy preserving data publishing"
(2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Basis, Threat
from sfumato.table.attacks.classes.node_below import Nodes, Reading, nodes_below
from sfumato.table.attacks.classes.refused_node import read
from sfumato.table.attacks.contract import Knowledge, sensitive_column
from sfumato.table.models.numbers import check_column, check_texts, check_whole, exactly
from sfumato.table.published import PublishedTable

_NO_CHOICE = frozenset({"keep", "safepub"})
_FULL_DOMAIN = frozenset({"optimal-lattice", "incognito", "datafly", "attribute-suppression"})


@dataclass(frozen=True)
class Minimality:
    """The adversary knows everybody's quasi-identifiers and that every level below was refused, and why.

    The promise was that at most 1/l of each class has the same value (or one of ``values``, if only those
    are watched), besides classes of at least ``k``. A method that generalises no further than needed stopped
    at some levels; so with one column a level lower, some group broke the promise. Of all ways to hand out
    the values of each class to its people, which are equally likely, those stay in which that is so:

        credence(v | group) = P(somebody of the group has v | at one level lower some group breaks it).

    success is the share of people whose own value got a credence above 1/l, by more than ``margin``. Of the
    nodes one step below, the one whose failure exposes most people is taken. One that fails by k alone tells
    nothing: everybody's quasi-identifiers are known, so that its failure is no news.

    k-anonymity alone is not open to it, nor is anything that is randomised (SafePub). Full-domain releases
    without suppressed records are attacked, by exact counting; where there are too many worlds to count, the
    attack is not run. (In large tables little is learned, since it is no surprise that something somewhere
    broke the promise.) A larger l lowers what is learned.

    >>> Minimality(l=3).title
    'levels below were refused, which tells of the values'
    """

    l: int = 2  # noqa: E741 - the name of the literature
    k: int = 1
    values: Sequence[str] = ()
    margin: float = 0.01
    column: str | None = None
    name: ClassVar[str] = "minimality"
    title: ClassVar[str] = "levels below were refused, which tells of the values"
    threat: ClassVar[Threat] = Threat.INFERENCE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE, Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_whole(self.l, "l", 2, self.name)
        check_whole(self.k, "k", 1, self.name)
        check_texts(self.values, "values", self.name)
        object.__setattr__(self, "values", tuple(self.values))
        if not 0 <= exactly(self.margin, "margin", self.name, "try margin: 0.01") < 1:
            raise BadInput(
                "margin must be at least 0 and below 1", where=self.name, remedy="try margin: 0.01"
            )
        check_column(self.column, self.name)

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Count the worlds in which a level lower breaks the promise; victims are rows of the original."""
        progress.step("counting possible worlds")
        column = sensitive_column(self.name, self.column, target)
        if knowledge.original is None:
            raise BadInput(
                "the original is not given", where=self.name, remedy="say whom the release is about"
            )
        found = nodes_below(self.name, target, column, knowledge.original, knowledge.hierarchies, self.values)
        share = Fraction(1, self.l)
        bar = share + exactly(self.margin, "margin", self.name, "")
        tried = [read(below, share) for below in found.nodes if below.smallest >= self.k]
        readings = [reading for reading in tried if reading is not None]
        if tried and not readings:
            raise BadInput(
                "there are too many worlds to count",
                where=self.name,
                remedy="watch fewer 'values' of the column",
            )
        telling = [reading for reading in readings if reading.chance > 0]
        plainly = found.plainly()
        best = max(telling, key=lambda reading: (reading.hit(bar), -reading.chance), default=plainly)
        hit = [belief for belief in best.beliefs if belief.credence > bar]
        without = sum(belief.people for belief in best.beliefs if belief.without > bar)
        guessed = sum(n for n in found.base if Fraction(n, found.people) > bar)
        promised = all(belief.credence <= share for belief in plainly.beliefs)
        return AttackResult(
            self.name,
            self.threat,
            found.people,
            sum(belief.people for belief in hit) / found.people,
            without / found.people,
            guessed / found.people,
            certain=sum(belief.people for belief in hit if belief.credence == 1),
            highest=float(max((belief.credence for belief in best.beliefs), default=Fraction(0))),
            column=column,
            scored=Scored.MEASURED,
            details={
                "promised_at_most": float(share),
                "without_minimality": float(max((b.credence for b in plainly.beliefs), default=Fraction(0))),
                "chance_of_failing_a_level_lower": float(best.chance),
                "lower_in": best.column,
            },
            note=self._note(found, len(tried), len(readings), best, promised),
            victims=found.victims(best, bar) if victims else (),
            # At a level whose worlds were not counted anybody might be hit.
            not_compared=found.people if len(readings) < len(tried) else None,
        )

    def _note(self, found: Nodes, tried: int, counted: int, best: Reading, promised: bool) -> str:
        """Say why nothing was told, where that is so."""
        notes = [] if promised else [f"the release itself has classes with more than 1/{self.l} of a value"]
        if not found.nodes:
            notes.append("nothing was generalised, so that nothing was refused")
        elif not tried:
            notes.append("every level lower has classes below k, so that its being refused tells nothing")
        elif not best.column:
            notes.append("a level lower keeps the promise in any case: the method did not stop at the least")
        if counted < tried:
            notes.append(f"{tried - counted} of {tried} levels lower have too many worlds to count")
        return "; ".join(notes)


def open_to_minimality(method: Any, models: Sequence[Any]) -> str | None:
    """Say in a sentence why a method is open to the minimality attack under these models, or return None.

    Whatever stops generalising as soon as promises about sensitive values hold tells that they did not hold
    before. k-anonymity and the like depend on quasi-identifiers alone, which an adversary knows anyhow;
    methods without a choice, and randomised ones, tell nothing of this kind.

    >>> from sfumato.table.methods.optimal_lattice import OptimalLattice
    >>> from sfumato.table.models.k_anonymity import KAnonymity
    >>> open_to_minimality(OptimalLattice(), [KAnonymity(5)]) is None
    True
    """
    if method.name in _NO_CHOICE:
        return None
    watching = [
        model.name
        for model in models
        if Threat.ATTRIBUTE in model.protects_from and model.basis is not Basis.MECHANISM
    ]
    if not watching:
        return None
    how = (
        "takes the lowest levels that are allowed"
        if method.name in _FULL_DOMAIN
        else "generalises no further than is asked for"
    )
    return (
        f"{method.name} {how}, so that an adversary who knows this learns that anything more precise would "
        f"have broken {' or '.join(dict.fromkeys(watching))}: it is open to the minimality attack, and "
        "people may be exposed more than promised"
    )
