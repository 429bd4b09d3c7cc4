"""Adversaries run against a released network in the house, before and after: for the steward alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow.compute as pc

from sfumato.core import evidence as ev
from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, SfumatoError, SystemFault
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress, Within
from sfumato.core.verdict import Threat
from sfumato.graph.attacks import ATTACKS, ActiveAttack, Knowledge
from sfumato.graph.contract import Problem, Publishable
from sfumato.graph.network import Network
from sfumato.graph.reading import open_network
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.attack_knowledge import reason_of
from sfumato.recipe.attacked import figures_of, not_run_evidence, refuse_exceeded
from sfumato.recipe.graph.network_attack_ask import NetworkFile
from sfumato.recipe.graph.network_outcome import NetworkOutcome

BY_DEFAULT = ("degree", "vertex-refinement", "neighbourhood", "active")
"""adversaries that attack every release"""
MOST_LOOKED_AT = 20_000
"""nodes up to which neighbourhoods are compared unasked"""
MOST_SECONDS = 2.0
"""that the method took, up to which it is run again unasked, for adversaries who take part"""
TRIALS = 3
KNOWS_PLACES = "the place of everybody in the network"
KNOWS_ITS_ACCOUNTS = "the edges of accounts that it created"
KNOWS_A_NETWORK = "another network of the same people, with names"
BETTER = {
    Threat.IDENTITY: "ask for a larger k, release groups, or release statistics instead",
    Threat.ATTRIBUTE: "release groups, or statistics instead",
    Threat.MEMBERSHIP: "release statistics under node-differential privacy",
    Threat.INFERENCE: "release less",
}


def attacked_network(outcome: NetworkOutcome, progress: Progress = SILENT) -> list[ev.AttackEvidence]:
    """Run what the job asks for, and what attacks every release.

    Raises ``PromiseNotMet`` when a bound does not hold.
    """
    asked = list(outcome.job.attacks)
    progress.step("attacking the release")
    inner = Within(progress)
    found = [_both(ask, outcome, inner, strict=True) for ask in asked]
    named = {ask.attack.name for ask in asked}
    for name in BY_DEFAULT:
        if name in named:
            continue
        attack: Any = ActiveAttack(trials=TRIALS) if name == ActiveAttack.name else ATTACKS[name]()
        if reason := _too_dear(name, outcome):
            found.append(not_run_evidence(attack, reason))
        else:
            found.append(_both(AskedAttack(attack), outcome, inner, strict=False))
    return found


def _too_dear(name: str, outcome: NetworkOutcome) -> str:
    """Say why an attack is not run unasked."""
    nodes = outcome.read.network.nodes
    if name == "neighbourhood" and nodes > MOST_LOOKED_AT:
        return f"the network has more than {MOST_LOOKED_AT:,} nodes: name it under 'attacks' to run it"
    of_network = isinstance(outcome.published, Network)
    if name == ActiveAttack.name and of_network and outcome.seconds.get("protect", 0) > MOST_SECONDS:
        return "the method would be run again, which takes long: name it under 'attacks' to run it"
    return ""


def _both(
    ask: AskedAttack, outcome: NetworkOutcome, progress: Progress, *, strict: bool
) -> ev.AttackEvidence:
    """Attack the network as it was read, without names, and as it is released."""
    attack: Any = ask.attack
    try:
        after = _run(ask, outcome, outcome.published, progress)
        before = _run(ask, outcome, outcome.read.network, progress)
    except SystemFault:
        raise
    except SfumatoError as problem:
        if strict:
            problem.where = f"attacks, {attack.name}" + (f", {problem.where}" if problem.where else "")
            raise
        return not_run_evidence(attack, reason_of(problem))
    refuse_exceeded(ask, after, BETTER)
    return _evidence(ask, before, after)


def _run(ask: AskedAttack, outcome: NetworkOutcome, target: Publishable, progress: Progress) -> AttackResult:
    """Run an attack on one of the sides, with what its adversary holds."""
    attack: Any = ask.attack
    original = outcome.read.network
    as_read = target is original
    everybody = np.arange(original.nodes, dtype=np.int64)
    held = Knowledge(original, everybody if as_read else outcome.node)
    if as_read:
        held = replace(held, protect=lambda given: given)
    else:
        held = replace(held, protect=lambda given: _protected(outcome, given))
    if Need.PEOPLE in attack.needs:
        other, same = _other(ask.people, outcome)
        held = replace(held, other=other, same=same)
    found: AttackResult = attack.run(target, held, progress=progress)
    return found


def _protected(outcome: NetworkOutcome, given: Network) -> Publishable:
    """Publish another network as the house does."""
    problem = Problem(given, outcome.job.models, outcome.found.problem.tree)
    return outcome.job.method.protect(problem).published


def _other(file: Any, outcome: NetworkOutcome) -> tuple[Network, np.ndarray[Any, np.dtype[np.int64]]]:
    """Read the network that an adversary holds; people have the names that they have in the data."""
    if not isinstance(file, NetworkFile):
        raise BadInput("another network is given as a file", remedy="write 'with: other.csv'")
    # How tidy the adversary's own file is, is no matter of the house.
    read = open_network(file.path, loops="drop", repeated="merge", directed="ignore", weights="drop")
    place = pc.index_in(read.names, value_set=outcome.read.names)
    same = place.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return read.network, same


def _evidence(ask: AskedAttack, before: AttackResult, after: AttackResult) -> ev.AttackEvidence:
    attack: Any = ask.attack
    knows = KNOWS_PLACES
    if ask.people is not None:
        knows = KNOWS_A_NETWORK
    elif isinstance(attack, ActiveAttack):
        knows = KNOWS_ITS_ACCOUNTS
    return ev.AttackEvidence(
        name=attack.name,
        title=attack.title,
        threat=str(attack.threat),
        column=after.column,
        parameters=parameters_of(attack),
        knows=knows,
        before=figures_of(before),
        after=figures_of(after),
        bounds=dict(ask.bounds),
        held=True if ask.bounds else None,
    )
