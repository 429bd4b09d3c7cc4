"""Whether a chain was right: which record is whose, and what the target's own data gave away.

With the truth at hand every claim is compared with it. Without it, and if everybody is known to be in the
files, the belief itself is the chance to be right. Else a claim is only a claim, believed no more than 1/F
where F people of the first file could own the same record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Scored, Victim
from sfumato.core.verdict import Threat
from sfumato.record.paths import EQUAL, Beliefs, Floats, Paths
from sfumato.record.records import Ints

NAME = "chain"


@dataclass(frozen=True)
class Attacked:
    """Whom the figures are about, and how they were come by."""

    people: Ints
    scored: Scored
    first_rows: Ints
    """the row of each person of the first file"""
    thinned: float = 1.0
    """how many people stand behind each one who was followed"""
    left_out: int = 0
    """people whom a sample left out"""


def found_records(beliefs: Beliefs, attacked: Attacked, owned: NDArray[np.int64] | None) -> Floats:
    """Return for each attacked person the chance that the adversary names their record rightly.

    ``owned`` are the true pairs of a person and a record, None where nobody knows them.
    """
    size = int(max(attacked.people.max(initial=-1), beliefs.people.max(initial=-1))) + 1
    chance = np.zeros(size)
    if owned is not None:
        people, things, share = beliefs.claims()
        right = np.isin(paired(people, things), paired(owned[0], owned[1]))
        np.add.at(chance, people[right], share[right])
    else:
        chance[beliefs.persons] = beliefs.best
        if attacked.scored is Scored.CLAIMED:
            rivals = np.bincount(beliefs.things, minlength=1)
            bounded = np.minimum(beliefs.belief, 1.0 / (1 + (rivals[beliefs.things] - 1) * attacked.thinned))
            if len(bounded):
                chance[beliefs.persons] = np.maximum.reduceat(bounded, beliefs.starts[:-1])
    return np.asarray(chance[attacked.people])


def identity(
    beliefs: Beliefs,
    attacked: Attacked,
    owned: NDArray[np.int64] | None,
    records: int,
    note: str,
    *,
    victims: bool,
) -> AttackResult:
    """Score who was found in the last file."""
    chance = found_records(beliefs, attacked, owned)
    choices = _spread(beliefs.persons, beliefs.choices, attacked.people)
    sure = (choices == 1) & (chance > 1.0 - EQUAL)
    details: dict[str, int | float | str] = {
        "with candidates": int((choices > 0).sum()),
        "with one candidate": int((choices == 1).sum()),
    }
    if owned is not None:
        details["sure and wrong"] = int(((choices == 1) & ~sure).sum())
    hit: tuple[Victim, ...] = ()
    if victims:
        order = np.flatnonzero(sure)[:MOST_VICTIMS].tolist()
        hit = tuple(Victim(int(attacked.first_rows[attacked.people[i]]), 1.0, 1) for i in order)
    return AttackResult(
        NAME,
        Threat.IDENTITY,
        attempts=len(attacked.people),
        success=float(chance.mean()),
        baseline=1.0 / records,
        guessing=1.0 / records,
        certain=int(sure.sum()),
        highest=float(beliefs.best.max(initial=0.0) if owned is not None else chance.max(initial=0.0)),
        scored=attacked.scored,
        details=details,
        note=note,
        victims=hit,
        left_out=attacked.left_out,
    )


def attribute(
    column: str,
    paths: Paths,
    values: Ints,
    shares: Mapping[int, float],
    attacked: Attacked,
    own: tuple[Paths, Ints] | None,
    not_theirs: NDArray[np.bool_] | None,
    note: str,
) -> AttackResult:
    """Score what was learned: the value that is believed most, with and without the target's own record.

    ``values`` are codes of the learned value along the paths, −1 for a missing one, which cannot be learned;
    ``shares`` how often each occurs in the file. ``own`` are the true paths and their values, ``not_theirs``
    the paths that do not go through the person's own record.
    """
    common = max(shares, key=lambda code: (shares[code], -code)) if shares else -1
    beliefs = Beliefs.of(paths.people, values, paths.belief)
    if own is not None and not_theirs is not None:
        truth = Beliefs.of(own[0].people, own[1], own[0].belief)
        hits = _right(beliefs, truth, attacked.people, common)
        kept = paths.some(not_theirs)
        without = _right(
            Beliefs.of(kept.people, values[not_theirs], kept.belief), truth, attacked.people, common
        )
        nothing = np.zeros(0, np.int64)
        guess = _right(Beliefs(nothing, nothing, np.zeros(0)), truth, attacked.people, common)
    else:
        hits, without = _expected(beliefs, paths, values, attacked.people, common, shares.get(common, 0.0))
        guess = np.full(len(attacked.people), shares.get(common, 0.0))
    settled = beliefs.persons[(beliefs.best > 1.0 - EQUAL) & (beliefs.things[beliefs.starts[:-1]] >= 0)]
    sure = np.isin(attacked.people, settled) & ((hits > 1.0 - EQUAL) | (own is None))
    learned = beliefs.belief[beliefs.things >= 0]
    return AttackResult(
        NAME,
        Threat.ATTRIBUTE,
        attempts=len(attacked.people),
        success=float(hits.mean()),
        baseline=float(without.mean()),
        guessing=float(guess.mean()),
        certain=int(sure.sum()),
        highest=float(min(1.0, learned.max(initial=0.0))),
        column=column,
        scored=attacked.scored,
        note=note,
        left_out=attacked.left_out,
    )


def _right(beliefs: Beliefs, truth: Beliefs, people: Ints, otherwise: int) -> Floats:
    """Return for each person the chance that the value believed most is theirs.

    Of people about whom nothing is believed the value ``otherwise`` is claimed.
    """
    true = {
        (person, thing): share
        for person, thing, share in zip(
            truth.people.tolist(), truth.things.tolist(), truth.belief.tolist(), strict=True
        )
        if thing >= 0
    }
    chance = dict.fromkeys(people.tolist(), 0.0)
    claimed = set(beliefs.persons.tolist())
    for person, thing, share in zip(*(part.tolist() for part in beliefs.claims()), strict=True):
        if person in chance:
            chance[person] += share * true.get((person, thing), 0.0)
    for person in chance:
        if person not in claimed:
            chance[person] = true.get((person, otherwise), 0.0)
    return np.minimum(np.array([chance[person] for person in people.tolist()], np.float64), 1.0)


def _expected(
    beliefs: Beliefs, paths: Paths, values: Ints, people: Ints, common: int, share: float
) -> tuple[Floats, Floats]:
    """Return for each person the chance to be right, with and without their own record among the paths.

    Without: each path in turn is taken to be theirs, as often as it is believed, and left out. Of people
    about whom nothing is believed, or nothing is left, the most common value is claimed.
    """
    of_person: dict[int, dict[int, float]] = {}
    for person, thing, belief in zip(
        beliefs.people.tolist(), beliefs.things.tolist(), beliefs.belief.tolist(), strict=True
    ):
        of_person.setdefault(person, {})[thing] = belief
    hits = dict.fromkeys(people.tolist(), share)
    without = dict.fromkeys(people.tolist(), share)
    for person, things in of_person.items():
        hits[person] = max((belief for thing, belief in things.items() if thing >= 0), default=0.0)
        without[person] = 0.0
    for person, value, belief in zip(
        paths.people.tolist(), values.tolist(), paths.belief.tolist(), strict=True
    ):
        if value < 0:
            continue
        if belief > 1.0 - EQUAL:
            without[person] += belief * (value == common)
            continue
        left = of_person[person][value] - belief
        others = [rest for thing, rest in of_person[person].items() if thing != value]
        ahead = max(others, default=0.0)
        if left > ahead + EQUAL:
            without[person] += belief
        elif left > EQUAL and left > ahead - EQUAL:
            without[person] += belief / (1 + sum(rest > ahead - EQUAL for rest in others))
    listed = people.tolist()
    return (
        np.minimum([hits[person] for person in listed], 1.0),
        np.minimum([without[person] for person in listed], 1.0),
    )


def paired(people: Ints, things: Ints) -> Ints:
    """Return one number for each pair of a person and a thing."""
    return (people.astype(np.int64) << 32) + things


def _spread(persons: Ints, values: Ints, people: Ints) -> Ints:
    """Look values of some persons up for others; 0 where there is none."""
    found = np.zeros(int(max(persons.max(initial=-1), people.max(initial=-1))) + 1, np.int64)
    found[persons] = values
    return found[people]
