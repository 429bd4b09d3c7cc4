"""Where the people of the first file may lead: paths through the files, and how much is believed of each.

A path is a person and one record of every file so far. At every step a path that has n candidate records
becomes n paths, each believed 1/n as much; a path without candidates ends, and what was believed of it goes
to the others of the same person.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.record.chain import Step
from sfumato.record.records import Ints, Records, numbered_alike
from sfumato.table.attacks.contract import People
from sfumato.table.attacks.matching.candidates import candidates
from sfumato.table.published import PublishedTable

Floats = NDArray[np.float64]

MOST_PATHS = 5_000_000
"""beyond, a sample of the people is followed"""
_SEED = 20_080_801
EQUAL = 1e-9
"""beliefs that are closer than this are the same number, added up in another order"""


@dataclass(frozen=True)
class Paths:
    """Paths sorted by person. ``rows[s]`` is the record of each path in file s, −1 where it is not known."""

    people: Ints
    belief: Floats
    rows: tuple[Ints, ...]

    def __len__(self) -> int:
        return len(self.people)

    def some(self, kept: NDArray[np.bool_]) -> Paths:
        """Return some of the paths; what was believed of the others goes to those of the same person."""
        people, belief = self.people[kept], self.belief[kept]
        total = np.bincount(people, belief, minlength=int(people.max(initial=0)) + 1)
        return Paths(people, belief / total[people], tuple(rows[kept] for rows in self.rows))


@dataclass(frozen=True)
class Beliefs:
    """What is believed of every person: how much of which thing. Sorted by person, then by thing."""

    people: Ints
    things: Ints
    belief: Floats
    persons: Ints = field(init=False, repr=False)
    """those of whom anything is believed, in order"""
    starts: Ints = field(init=False, repr=False)

    def __post_init__(self) -> None:
        first = np.flatnonzero(np.diff(self.people, prepend=-1))
        object.__setattr__(self, "persons", self.people[first])
        object.__setattr__(self, "starts", np.append(first, len(self.people)))

    @classmethod
    def of(cls, people: Ints, things: Ints, belief: Floats) -> Beliefs:
        """Add up what is believed of the same person and thing."""
        order = np.lexsort((things, people))
        people, things, belief = people[order], things[order], belief[order]
        new = np.ones(len(people), np.bool_)
        new[1:] = (np.diff(people) != 0) | (np.diff(things) != 0)
        first = np.flatnonzero(new)
        added = np.add.reduceat(belief, first) if len(first) else belief
        return cls(people[first], things[first], added)

    @property
    def choices(self) -> Ints:
        """How many things each of ``persons`` may have."""
        return np.diff(self.starts)

    @property
    def best(self) -> Floats:
        """The most that is believed of any thing, for each of ``persons``."""
        if not len(self.persons):
            return np.zeros(0)
        return np.asarray(np.minimum(np.maximum.reduceat(self.belief, self.starts[:-1]), 1.0))

    def claims(self) -> tuple[Ints, Ints, Floats]:
        """Return what the adversary may claim: person, thing, and the chance to claim just that."""
        top = self.belief >= np.repeat(self.best, self.choices) - EQUAL
        ties = np.add.reduceat(top.astype(np.int64), self.starts[:-1]) if len(top) else np.zeros(0, np.int64)
        chance = (1.0 / np.repeat(ties, self.choices))[top]
        return self.people[top], self.things[top], chance


@dataclass(frozen=True)
class Went:
    """One step further: the paths, and those who fell behind."""

    paths: Paths
    lost: int
    """people of whom no path goes on"""
    sample: Ints | None
    """those who were followed where all would have been too many"""
    notes: tuple[str, ...] = ()


def beginning(people: int) -> Paths:
    """Everybody of the first file is themselves."""
    everybody = np.arange(people)
    return Paths(everybody, np.ones(people), (everybody,))


def facts_of(
    paths: Paths, files: list[Records], steps: tuple[Step, ...], names: list[str]
) -> list[pa.ChunkedArray]:
    """Look up facts along the paths; those of a file whose record is not known are missing."""
    found = []
    for name in names:
        number = next(i for i, step in enumerate(steps) if name in step.learn)
        rows = paths.rows[number]
        at = pa.array(np.maximum(rows, 0), mask=rows < 0)
        found.append(files[number].columns[steps[number].learn[name]].take(at))
    return found


def go_on(
    paths: Paths, files: list[Records], steps: tuple[Step, ...], number: int, engine: Engine, *, inside: bool
) -> Went:
    """Join what is known along the paths with the file of step ``number``."""
    step, records = steps[number], files[number]
    if not len(paths):
        return Went(Paths(paths.people, paths.belief, (*paths.rows, paths.people)), 0, None)
    told = list(step.on.values())
    known = facts_of(paths, files, steps, told)
    # Several columns may be compared with one fact.
    names = [fact if fact not in told[:i] else f"{fact} ({i})" for i, fact in enumerate(told)]
    target = engine.read(Frame(pa.table([records.columns[name] for name in step.on], names=list(step.on))))
    everybody = engine.read(Frame(pa.table(known, names=names)))
    found = candidates(
        PublishedTable(target, tuple(step.on)),
        People(everybody, dict(zip(step.on, names, strict=True))),
        step.hierarchies,
        same_people=inside,
    )
    width = len(names)
    combination, of_path = numbered_alike(found.known.columns[:width], known)
    of_path = _places(combination)[of_path]
    shown = found.release.classes.columns[:width]
    classes, of_record = numbered_alike(shown, [records.columns[name] for name in step.on])
    of_record = _places(classes)[of_record]

    number_of = found.records[of_path]
    sample = _sample(paths.people, number_of)
    followed = np.ones(len(paths), np.bool_) if sample is None else np.isin(paths.people, sample)
    went_on = (number_of > 0) & followed
    each = number_of[went_on]
    used = np.zeros(len(found), np.bool_)
    used[of_path[went_on]] = True
    starts, listed = _records_of_combinations(*found.listed, used, of_record, len(found.class_rows))
    parent = np.repeat(np.flatnonzero(went_on), each)
    within = np.arange(len(parent)) - np.repeat(np.cumsum(each) - each, each)
    record = listed[starts[of_path[parent]] + within]
    new = Paths(
        paths.people[parent],
        paths.belief[parent] / number_of[parent],
        (*(rows[parent] for rows in paths.rows), record),
    )
    new = new.some(np.ones(len(new), np.bool_))
    lost = len(np.unique(paths.people[followed])) - len(np.unique(new.people))
    return Went(new, lost, sample, found.notes)


def _sample(people: Ints, number_of: Ints) -> Ints | None:
    """Choose people by chance so that their paths are not too many; None when everybody can be followed."""
    reached = np.bincount(people, number_of).astype(np.int64)
    if int(reached.sum()) <= MOST_PATHS:
        return None
    order = np.random.default_rng(_SEED).permutation(np.unique(people))
    fit = int(np.searchsorted(np.cumsum(reached[order]), MOST_PATHS, side="right"))
    if not fit:
        raise BadInput(f"one person has {int(reached[order[0]]):,} candidates", remedy="join on more columns")
    return np.sort(order[:fit])


def _places(numbers: Ints) -> Ints:
    """Return where each number stands; numbers are different."""
    places = np.full(int(numbers.max(initial=-1)) + 1, -1, np.int64)
    places[numbers] = np.arange(len(numbers))
    return places


def _records_of_combinations(
    starts: Ints, classes: Ints, used: NDArray[np.bool_], of_record: Ints, number: int
) -> tuple[Ints, Ints]:
    """List the records of the classes of every combination that is used."""
    order = np.argsort(of_record, kind="stable")
    size = np.bincount(of_record, minlength=number)
    first = np.cumsum(size) - size
    each = np.where(np.repeat(used, np.diff(starts)), size[classes], 0)
    ends = np.cumsum(each)
    at = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - each, each)
    listed = order[np.repeat(first[classes], each) + at]
    return np.concatenate([[0], ends])[starts], listed
