"""``sfumato graph attack``: run adversaries who know edges against a network, and show what they learn."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from sfumato.cli.attack import _check_bound, _refuse_place, _shown, _spelt
from sfumato.cli.graph_read import Reading, places_of
from sfumato.cli.graph_target import Target, Who, pairs_of, target_of, who_of
from sfumato.core.attack import AttackResult, Scored, in_per_cent
from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.progress import Progress
from sfumato.core.verdict import Threat
from sfumato.graph.attacks import (
    ATTACKS,
    ActiveAttack,
    Coalition,
    Degree,
    Knowledge,
    Neighbourhood,
    SeedAndPropagate,
    Subgraph,
    VertexRefinement,
)
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.reading import Read
from sfumato.graph.worlds import group_of_world
from sfumato.recipe.attack import AttackReport
from sfumato.recipe.attack_ask import asked_attacks
from sfumato.recipe.attack_knowledge import NotRun, reason_of
from sfumato.recipe.attack_target import held_by

PASSIVE = (Degree, VertexRefinement, Neighbourhood, Subgraph, Coalition)
MOST_LOOKED_AT = 20_000
"""nodes up to which neighbourhoods are compared, and the method is run again, unasked"""
TRIALS = 3
"""of the active attack, where it is run unasked"""
AS_IT_IS = (
    "the network was attacked as it is: as if it were published with its names removed and no edge changed"
)
NOT_COMPARED = (
    "the adversary is taken to know people as they are in the release, their own node among the candidates: "
    "give --original and --truth to measure it"
)
EDGES_AS_RELEASED = "edges are those of the release: which of them are true is not known"


@dataclass(frozen=True)
class Held:
    """Files that an adversary or the house holds, as options name them."""

    original: Path | None = None
    with_: Path | None = None
    truth: Path | None = None
    same_names: bool = False
    seeds: Path | None = None
    reading: Reading = dataclasses.field(default_factory=Reading)

    def check(self) -> None:
        """Refuse what speaks of a file that is not there."""
        if self.seeds is not None and self.with_ is None:
            raise BadInput(
                "people who are known from the start are nodes of another network",
                where="--seeds",
                remedy="give that network with --with",
            )
        if self.same_names and self.original is None and self.with_ is None:
            raise BadInput(
                "there is no other file that could have the same names",
                where="--same-names",
                remedy="give --original or --with, or leave it out",
            )


def run_graph_attack(
    target: Path,
    held: Held,
    attacks: Sequence[str],
    *,
    victims: Path | None,
    at_most: float | None,
    as_json: bool,
    console: Console,
    progress: Progress,
) -> bool:
    """Attack, print, and say whether every attack stayed within the bound."""
    _check_bound(at_most)
    held.check()
    if victims is not None:
        _refuse_place(victims, target)
    asked = _asked(attacks)
    progress.step("reading")
    run = _Run.of(target_of(target, held.reading), held, victims is not None, progress)
    report = run.all(run.usual() if asked is None else asked, strict=asked is not None)
    said = [line for result in report for line in _details(result)]
    return _shown(report, at_most, victims, said, as_json, console)


def _asked(given: Sequence[str]) -> list[Any] | None:
    """Read attacks as recipes spell them; bounds and files belong to options here."""
    if not given:
        return None
    asked = asked_attacks([_spelt(text) for text in given], held_by, registry=ATTACKS)
    for number, one in enumerate(asked):
        if one.bounds or one.people is not None or one.columns or one.others:
            raise BadInput(
                "bounds and files are options of this command",
                where=f"--attack {number + 1}",
                remedy="write --at-most or --with",
            )
    return [one.attack for one in asked]


@dataclass(frozen=True, eq=False)
class _Run:
    """One target, and what is known about its people."""

    target: Target
    knowledge: Knowledge
    """of adversaries who know places, and of those who take part"""
    other: Knowledge | None
    """of the adversary who holds another network"""
    measured: bool
    """whether it is known which published node is whose"""
    victims: bool
    progress: Progress
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, target: Target, held: Held, victims: bool, progress: Progress) -> _Run:
        """Read what the options name."""
        who = who_of(target, held.truth, held.same_names)
        known, measured, notes = _places(target, held, who)
        other = None
        if held.with_ is not None:
            other = _other(target, held, who)
            if who is not None:
                notes.append(who.said)
        return cls(target, known, other, measured, victims, progress, tuple(dict.fromkeys(notes)))

    def usual(self) -> list[Any]:
        """Return the attacks that are tried unasked, those that what is given allows."""
        published = self.target.published
        small = published.nodes <= MOST_LOOKED_AT
        found: list[Any] = [Degree(), VertexRefinement()]
        found += [Neighbourhood()] if small else []
        if isinstance(published, Network):
            found += [Subgraph(), Coalition()]
        if isinstance(published, Grouped) or (self.knowledge.protect is not None and small):
            found.append(ActiveAttack(trials=TRIALS))
        return found if self.other is None else [*found, SeedAndPropagate()]

    def all(self, attacks: Sequence[Any], *, strict: bool) -> AttackReport:
        """Run attacks; one that nobody asked for by name may fail, and is told as not run."""
        results: list[AttackResult] = []
        not_run: list[NotRun] = [] if strict else list(self._left_out(attacks))
        for attack in attacks:
            self.progress.step(f"attacking: {attack.title}")
            try:
                results.append(self._result(attack))
            except SfumatoError as problem:
                if strict:
                    problem.where = problem.where or attack.name
                    raise
                not_run.append(NotRun(attack.name, attack.threat, reason_of(problem)))
        if not results:
            raise BadInput(
                f"no attack could be run: {'; '.join(dict.fromkeys(one.reason for one in not_run))}",
                remedy="give what they need, or name another with --attack",
            )
        order = list(Threat)
        results.sort(key=lambda result: order.index(result.threat))
        titles = {attack.name: attack.title for attack in attacks}
        return AttackReport(tuple(results), tuple(not_run), self.notes, titles)

    def _left_out(self, attacks: Sequence[Any]) -> list[NotRun]:
        """Say which attacks were not tried, and what they would need."""
        tried = {attack.name for attack in attacks}
        grouped = isinstance(self.target.published, Grouped)
        reasons = {
            Neighbourhood: f"the network has more than {MOST_LOOKED_AT:,} nodes: name it with --attack",
            Subgraph: "members of a group cannot be told apart",
            Coalition: "members of a group cannot be told apart",
            ActiveAttack: _WITHOUT_ORIGINAL
            if self.knowledge.protect is None
            else f"the network has more than {MOST_LOOKED_AT:,} nodes: name it with --attack",
            SeedAndPropagate: "members of a group cannot be told apart"
            if grouped
            else "it needs another network of the same people: give --with",
        }
        return [
            NotRun(kind.name, kind.threat, reason)
            for kind, reason in reasons.items()
            if kind.name not in tried
        ]

    def _result(self, attack: Any) -> AttackResult:
        knowledge = self.knowledge
        if isinstance(attack, SeedAndPropagate):
            if self.other is None:
                raise BadInput(
                    "there is no other network of the same people",
                    where=attack.name,
                    remedy="give it with --with",
                )
            knowledge = self.other
        elif isinstance(attack, ActiveAttack):
            if knowledge.protect is None and isinstance(self.target.published, Network):
                raise BadInput(_WITHOUT_ORIGINAL, where=attack.name, remedy="give it with --original")
        elif not self.measured and getattr(attack, "knows", "published") == "original":
            raise BadInput(
                "nobody knows which released node is whose",
                where=f"{attack.name}, knows",
                remedy="give --original and --truth",
            )
        found: AttackResult = attack.run(
            self.target.published, knowledge, victims=self.victims, progress=self.progress
        )
        if isinstance(attack, PASSIVE) and not self.measured:
            return _expected(found)
        return found


_WITHOUT_ORIGINAL = "the accounts must be in the network before it is released: give --original"


def _places(target: Target, held: Held, who: Who | None) -> tuple[Knowledge, bool, list[str]]:
    """Return what adversaries know of places, whether it is known who is who, and what to say of it."""
    published = target.published
    if held.original is None:
        if target.release is None and isinstance(published, Network):
            everybody = np.arange(published.nodes, dtype=np.int64)
            return Knowledge(published, everybody, protect=lambda given: given), True, [AS_IT_IS]
        return _by_themselves(published), False, [NOT_COMPARED]
    read = held.reading.read(held.original)
    house = target.house()
    if who is None:
        if house is None:
            raise BadInput(
                "nobody knows which node of the target is whose",
                where="--original",
                remedy="give a table of names and nodes with --truth, or --same-names",
            )
        known = dataclasses.replace(_by_themselves(published), protect=house)
        # Only who takes part is a person of the original: all others are looked for in the release.
        return _Split(known, read.network).knowledge, False, [NOT_COMPARED]
    node = who.of(read, "--original")
    _refuse_others(read, published, node)
    return Knowledge(read.network, node, protect=house), True, [who.said]


@dataclass(frozen=True, eq=False)
class _Split:
    """Placeholder."""

    known: Knowledge
    original: Network

    @property
    def knowledge(self) -> Knowledge:
        """Placeholder."""
        return self.known
