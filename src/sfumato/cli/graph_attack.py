"""``sfumato graph attack``: run adversaries who know edges against a network, and show what they learn."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from sfumato.cli.attack_shown import asked_by_name, check_bound, refuse_place, shown
from sfumato.cli.graph_known import Held, Known, known_of
from sfumato.cli.graph_target import target_of
from sfumato.core.attack import AttackResult, Scored, in_per_cent
from sfumato.core.errors import BadInput, SfumatoError, SystemFault
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
from sfumato.graph.attacks.candidates import GROUPED
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.recipe.attack import AttackReport
from sfumato.recipe.attack_knowledge import NotRun, reason_of

MOST_LOOKED_AT = 20_000
"""nodes up to which neighbourhoods are compared unasked"""
MOST_AGAIN = 5_000
"""nodes up to which a method is run again unasked"""
TRIALS = 3
"""of the active attack, where it is run unasked"""
_ALIKE = "members of a group cannot be told apart"
_DEAR = "the network has more than {:,} nodes: name it with --attack"
_NO_ACCOUNTS = "the accounts must be in the network before it is released: give --original of a release"
_NO_OTHER = "it needs another network of the same people: give --with"
_AS_RELEASED = "edges are those of the release: which of them are true is not known"


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
    check_bound(at_most)
    if victims is not None:
        refuse_place(victims, target)
    asked = asked_by_name(attacks, ATTACKS, "write --at-most or --with")
    progress.step("reading")
    found = target_of(target, held.reading)
    run = _Run(found.published, known_of(found, held), victims is not None, progress)
    report = run.usual() if asked is None else run.all(asked)
    told: dict[str, list[str]] = {}
    for result in report:
        for line in _details(result):
            told.setdefault(line, []).append(result.attack)
    said = [] if as_json else [f"{', '.join(names)}: {line}" for line, names in told.items()]
    return shown(report, at_most, victims, said, as_json, console)


@dataclass(frozen=True, eq=False)
class _Run:
    """One target, and what is known about its people."""

    target: Network | Grouped
    known: Known
    victims: bool
    progress: Progress

    def usual(self) -> AttackReport:
        """Run what needs nothing else and does not take long; say of the rest what it would need."""
        tried: list[Any] = []
        not_run: list[NotRun] = []
        for kind in ATTACKS.values():
            if reason := self._why_not(kind):
                not_run.append(NotRun(kind.name, kind.threat, reason))
            else:
                tried.append(ActiveAttack(trials=TRIALS) if kind is ActiveAttack else kind())
        results: list[AttackResult] = []
        for attack in tried:
            try:
                results.append(self._result(attack))
            except SystemFault:
                raise
            except SfumatoError as problem:
                not_run.append(NotRun(attack.name, attack.threat, reason_of(problem)))
        if not results:
            raise BadInput(
                f"no attack could be run: {'; '.join(dict.fromkeys(one.reason for one in not_run))}",
                remedy="give what they need, or name another with --attack",
            )
        return self._report(results, not_run)

    def _why_not(self, kind: type[Any]) -> str:
        """Say why an attack is not run unasked."""
        grouped = isinstance(self.target, Grouped)
        nodes = 0 if grouped else self.target.nodes
        if kind in (Coalition, SeedAndPropagate) and grouped:
            return _ALIKE
        if kind is SeedAndPropagate and self.known.another is None:
            return _NO_OTHER
        if kind is ActiveAttack and self.known.accounts is None:
            return _NO_ACCOUNTS
        if kind is Neighbourhood and nodes > MOST_LOOKED_AT:
            return _DEAR.format(MOST_LOOKED_AT)
        return (
            _DEAR.format(MOST_AGAIN)
            if kind is ActiveAttack and self.known.again and nodes > MOST_AGAIN
            else ""
        )

    def all(self, attacks: Sequence[Any]) -> AttackReport:
        """Run attacks that were asked for by name; all of them, or it is an error."""
        results = []
        for attack in attacks:
            try:
                results.append(self._result(attack))
            except SfumatoError as problem:
                problem.where = problem.where or attack.name
                raise
        return self._report(results, [])

    def _report(self, results: list[AttackResult], not_run: Sequence[NotRun]) -> AttackReport:
        order = list(Threat)
        results.sort(key=lambda result: order.index(result.threat))
        titles = {name: kind.title for name, kind in ATTACKS.items()}
        # What holds for all attacks on groups is said once.
        results = [dataclasses.replace(one, note="") if one.note == GROUPED else one for one in results]
        return AttackReport(tuple(results), tuple(not_run), self.known.notes, titles)

    def _result(self, attack: Any) -> AttackResult:
        self.progress.step(f"attacking: {attack.title}")
        found: AttackResult = attack.run(
            self.target, self._knowledge(attack), victims=self.victims, progress=self.progress
        )
        by_place = isinstance(attack, Degree | VertexRefinement | Neighbourhood | Subgraph | Coalition)
        return found if self.known.measured or not by_place else _expected(found)

    def _knowledge(self, attack: Any) -> Knowledge:
        """Return what the adversary holds; refuse an attack that lacks something."""
        if isinstance(attack, SeedAndPropagate):
            if self.known.another is None:
                raise BadInput(_NO_OTHER, where=attack.name)
            return self.known.another
        if isinstance(attack, ActiveAttack):
            if self.known.accounts is None:
                raise BadInput(_NO_ACCOUNTS, where=attack.name)
            return self.known.accounts
        if not self.known.measured and attack.knows == "original":
            raise BadInput(
                "nobody knows which released node is whose",
                where=f"{attack.name}, knows",
                remedy="give --original and --truth",
            )
        return self.known.places


def _expected(found: AttackResult) -> AttackResult:
    """Mark a result that was not compared with who people are."""
    note = found.note
    if found.column is not None:
        note = f"{note}; {_AS_RELEASED}" if note else _AS_RELEASED
    return dataclasses.replace(found, scored=Scored.EXPECTED, note=note)


def _details(result: AttackResult) -> Iterator[str]:
    """Say the figures of an attack that the table has no room for: candidates, friendships, precision."""
    told = result.details
    if "median candidates" in told:
        few = ", ".join(
            f"{in_per_cent(float(told[key]))} fewer than {key.split()[-2]}"
            for key in told
            if key.startswith("share of people with fewer than")
        )
        yield (
            f"{float(told['median candidates']):,.0f} candidates at the median, "
            f"{int(told['fewest candidates']):,} at the least; of the people have {few}"
        )
    if "friendships among targets" in told:
        yield (
            f"{told['accounts']} accounts found themselves in "
            f"{told['trials in which the accounts found themselves']} of {told['trials']} trials, and "
            f"learned {told['friendships learned']} of {told['friendships among targets']} friendships"
        )
    if "edges between people next to a coalition" in told:
        yield (
            f"{int(told['of these, edges read off at some place']):,} of "
            f"{int(told['edges between people next to a coalition']):,} edges around coalitions are read off"
        )
    if "claims" in told:
        right = f", {in_per_cent(float(told['precision']))} of them right" if "precision" in told else ""
        yield f"from {told['seeds']} people who are known, {told['claims']:,} claims{right}"
