"""What adversaries know who attack a network from the terminal: places, accounts, or another network.

Where a file stands for itself its nodes are its people, and every claim can be compared with the truth. Of a
release the truth is the steward's: without it, people are looked for as they are released, which is the worst
case, and the figures are expected ones.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.cli.graph_read import Reading, places_of
from sfumato.cli.graph_target import Target, Who, pairs_of, who_of
from sfumato.core.errors import BadInput
from sfumato.graph.attacks import Knowledge
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.reading import Read
from sfumato.graph.worlds import group_of_world

AS_IT_IS = "the network was attacked as it is: as if it were published without names and with every edge"
NOT_COMPARED = (
    "success is expected, not measured: people are taken to be known as they are in the release, their own "
    "node among the candidates; --original and --truth tell who is found by what is true of them"
)


OF_GROUPS = (
    "success is expected, not measured: the adversary is taken to know somebody's group, whose members "
    "cannot be told apart"
)


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
        for option, given in (("--same-names", self.same_names), ("--truth", self.truth)):
            if given and self.original is None and self.with_ is None:
                raise BadInput(
                    "there is no other file whose names it could be about",
                    where=option,
                    remedy="give --original or --with, or leave it out",
                )


@dataclass(frozen=True, eq=False)
class Known:
    """What adversaries know."""

    places: Knowledge
    """of those who know somebody's place in the network"""
    measured: bool
    """whether these claims are compared with the truth"""
    accounts: Knowledge | None
    """of those who create accounts; None where nobody knows how the target was made"""
    another: Knowledge | None
    """of those who hold another network"""
    notes: tuple[str, ...] = ()
    again: bool = True
    """whether a method must be run again for those who create accounts"""


def known_of(target: Target, held: Held) -> Known:
    """Read what the options name."""
    held.check()
    who = who_of(target, held.truth, held.same_names)
    another = None if held.with_ is None else _another(target, held, who)
    found = _without_original(target) if held.original is None else _with_original(target, held, who)
    notes = list(found.notes)
    if who is not None and (held.with_ is not None or held.original is not None):
        notes.append(who.said)
    return dataclasses.replace(found, another=another, notes=tuple(dict.fromkeys(notes)))


def _without_original(target: Target) -> Known:
    published = target.published
    if target.release is None and isinstance(published, Network):
        places = dataclasses.replace(_by_themselves(published), protect=lambda given: given)
        return Known(places, True, places, None, (AS_IT_IS,), again=False)
    if isinstance(published, Grouped):
        return Known(_by_themselves(published), False, Knowledge(), None, (OF_GROUPS,))
    return Known(_by_themselves(published), False, None, None, (NOT_COMPARED,))


def _with_original(target: Target, held: Held, who: Who | None) -> Known:
    assert held.original is not None
    read = held.reading.read(held.original)
    house = target.house()
    accounts = None if house is None else Knowledge(read.network, protect=house)
    if isinstance(target.published, Grouped):
        accounts = Knowledge()
    if who is not None:
        node = who.of(read, "--original")
        notes = _missing(target, int(np.count_nonzero(node < 0)))
        return Known(Knowledge(read.network, node), True, accounts, None, notes)
    refuse_other_size(target, read, "--original")
    if accounts is None:
        raise BadInput(
            "nobody knows which node of the target is whose",
            where="--original",
            remedy="give a table with the columns name and node as --truth, or --same-names",
        )
    told = OF_GROUPS if isinstance(target.published, Grouped) else NOT_COMPARED
    return Known(_by_themselves(target.published), False, accounts, None, (told,))


def _missing(target: Target, missing: int) -> tuple[str, ...]:
    """People who are not in the target are not found in it: of a release, which holds everybody, that would
    make little of much."""
    if not missing:
        return ()
    if target.release is not None:
        raise BadInput(
            f"{missing:,} people of the original are not in the release by name",
            where="--original",
            remedy="give the network that it was made from, read in the same way",
        )
    return (f"{missing:,} people of the original are not in the target by name: nobody finds them",)


def refuse_other_size(target: Target, read: Read, where: str) -> None:
    """Refuse an original that a release cannot be of: it holds everybody, and nobody else."""
    nodes, released = read.network.nodes, target.published.nodes
    more = target.evidence is not None and target.evidence.table is not None
    if target.evidence is not None and (nodes > released or (nodes < released and not more)):
        raise BadInput(
            f"the network has {nodes:,} nodes and the release {released:,}",
            where=where,
            remedy="give the network that it was made from, read in the same way",
        )


def _by_themselves(published: Network | Grouped) -> Knowledge:
    """Take every published node, or member of a group, as a person."""
    if isinstance(published, Network):
        return Knowledge(published, np.arange(published.nodes, dtype=np.int64))
    # Members of a group are alike: which edges they have is not asked for.
    members = Network.of_edges(published.nodes, np.empty((0, 2), np.int64))
    return Knowledge(members, group_of_world(published))


def _another(target: Target, held: Held, who: Who | None) -> Knowledge:
    """Read the network with names, who is who in it, and who is known from the start."""
    assert held.with_ is not None
    if isinstance(target.published, Grouped):
        raise BadInput(
            "members of a group cannot be told apart: there are no nodes to lay another network over",
            where="--with",
            remedy="leave it out",
        )
    try:
        read = held.reading.tidied().read(held.with_)
    except BadInput as problem:
        problem.where = f"--with, {problem.where}" if problem.where else "--with"
        raise
    same = None if who is None else who.of(read, "--with")
    seeds = None if held.seeds is None else _seeds(held.seeds, target, read)
    if same is None and seeds is None:
        raise BadInput(
            "nobody is known from the start",
            where="--with",
            remedy="give some people as --seeds (columns name and node), or the truth as --truth or "
            "--same-names to draw them from",
        )
    return Knowledge(other=read.network, same=same, seeds=seeds)


def _seeds(path: Path, target: Target, read: Read) -> NDArray[np.int64]:
    """Return pairs of a node of the other network and a published one."""
    names, node = pairs_of(path, target, "--seeds")
    place = places_of(names, read.names)
    if place.null_count:
        raise BadInput(
            f"{place.null_count:,} of {len(names):,} names are not in the other network",
            where=f"--seeds, {path}",
            remedy="spell them as --with does",
        )
    return np.column_stack([place.to_numpy(zero_copy_only=False).astype(np.int64), node])
