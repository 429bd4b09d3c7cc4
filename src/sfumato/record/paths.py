"""Where the people of the first file may lead: paths through the files, and how much is believed of each.

A path is a person and one record of every file so far. At every step a path that has n candidate records
becomes n paths, each believed 1/n as much; a path without candidates ends, and what was believed of it goes
to the others of the same person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.record.chain import Step
from sfumato.record.records import Ints, Records, numbered_alike
from sfumato.record.sets import Items, Match, SetIndex, intersected
from sfumato.table.attacks.contract import People
from sfumato.table.attacks.matching.candidates import Candidates, candidates
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
    compared = set_columns(step, files, steps, records)
    plain = {column: fact for column, fact in step.on.items() if column not in compared}
    found = _by_values(paths, files, steps, number, plain, engine, inside=inside) if plain else None
    sets = _by_sets(paths, files, steps, number, compared) if compared else None
    number_of = _number_of(len(paths), found, sets, len(records))
    sample = _sample(paths.people, number_of)
    followed = np.ones(len(paths), np.bool_) if sample is None else np.isin(paths.people, sample)
    used = np.flatnonzero((number_of > 0) & followed)
    starts, listed, list_of = _listed(found, sets, used)
    each = np.diff(starts)[list_of]
    parent, list_of = np.repeat(used, each), np.repeat(list_of, each)
    within = np.arange(len(parent)) - np.repeat(np.cumsum(each) - each, each)
    new = Paths(
        paths.people[parent],
        paths.belief[parent] / np.repeat(each, each),
        (*(rows[parent] for rows in paths.rows), listed[starts[list_of] + within]),
    )
    new = new.some(np.ones(len(new), np.bool_))
    lost = len(np.unique(paths.people[followed])) - len(np.unique(new.people))
    return Went(new, lost, sample, () if found is None else found.notes)


@dataclass(frozen=True)
class _Values:
    """Candidates by single values: the combination of each path, and the records of each combination."""

    of_path: Ints
    found: Candidates
    of_record: Ints

    @property
    def notes(self) -> tuple[str, ...]:
        return self.found.notes

    def listed(self, used: Ints) -> tuple[Ints, Ints]:
        """List the records of the combinations of some paths."""
        some = np.zeros(len(self.found), np.bool_)
        some[self.of_path[used]] = True
        return _records_of_combinations(*self.found.listed, some, self.of_record, len(self.found.class_rows))


@dataclass(frozen=True)
class _Sets:
    """Candidates by sets: for each column an index, and what is known along every path."""

    indices: tuple[SetIndex, ...]
    known: tuple[Items, ...]
    rows: tuple[Ints, ...]
    """for each column the record of each path that tells the items, −1 where it is not known"""

    def items(self, place: int, row: int) -> Ints:
        return self.known[place].set_of(row) if row >= 0 else np.zeros(0, np.int64)

    def agreeing(self, path: int) -> Ints:
        """Return the records that agree with the sets along one path."""
        found = (
            index.agreeing(self.items(place, int(self.rows[place][path])))
            for place, index in enumerate(self.indices)
        )
        return reduce(intersected, found)


def set_columns(step: Step, files: list[Records], steps: tuple[Step, ...], records: Records) -> list[str]:
    """Return the columns of a step that are compared as sets: either side has several values somewhere."""
    found = []
    for column, fact in step.on.items():
        at = next(i for i, other in enumerate(steps) if fact in other.learn)
        if column in records.sets or steps[at].learn[fact] in files[at].sets:
            found.append(column)
    return found


def _by_values(
    paths: Paths,
    files: list[Records],
    steps: tuple[Step, ...],
    number: int,
    on: Mapping[str, str],
    engine: Engine,
    *,
    inside: bool,
) -> _Values:
    step, records = steps[number], files[number]
    told = list(on.values())
    known = facts_of(paths, files, steps, told)
    # Several columns may be compared with one fact.
    names = [fact if fact not in told[:i] else f"{fact} ({i})" for i, fact in enumerate(told)]
    target = engine.read(Frame(pa.table([records.columns[name] for name in on], names=list(on))))
    everybody = engine.read(Frame(pa.table(known, names=names)))
    found = candidates(
        PublishedTable(target, tuple(on)),
        People(everybody, dict(zip(on, names, strict=True))),
        step.hierarchies,
        same_people=inside,
    )
    width = len(names)
    combination, of_path = numbered_alike(found.known.columns[:width], known)
    shown = found.release.classes.columns[:width]
    classes, of_record = numbered_alike(shown, [records.columns[name] for name in on])
    return _Values(_places(combination)[of_path], found, _places(classes)[of_record])


def _by_sets(
    paths: Paths, files: list[Records], steps: tuple[Step, ...], number: int, compared: list[str]
) -> _Sets:
    step, records = steps[number], files[number]
    indices, known, rows = [], [], []
    for column in compared:
        fact = step.on[column]
        at = next(i for i, other in enumerate(steps) if fact in other.learn)
        known.append(Items.of(files[at], steps[at].learn[fact]))
        rows.append(paths.rows[at])
        match = Match(step.match or Match.CONTAINS)
        released = Items.of(records, column)
        indices.append(SetIndex.of(known[-1], released, match, column, step.hierarchies.get(column)))
    return _Sets(tuple(indices), tuple(known), tuple(rows))


def _number_of(paths: int, found: _Values | None, sets: _Sets | None, records: int) -> Ints:
    """Return how many candidates each path has; where sets are compared, at most."""
    number = np.full(paths, records, np.int64)
    if found is not None:
        number = np.minimum(number, found.found.records[found.of_path])
    for place, index in enumerate(sets.indices if sets is not None else ()):
        assert sets is not None
        rows = sets.rows[place]
        of_row = {row: index.at_most(sets.items(place, row)) for row in np.unique(rows).tolist()}
        number = np.minimum(number, np.array([of_row[row] for row in rows.tolist()], np.int64))
    return number


def _listed(found: _Values | None, sets: _Sets | None, used: Ints) -> tuple[Ints, Ints, Ints]:
    """List the candidates of some paths: where each list begins, the lists, and which list is whose."""
    if sets is None:
        assert found is not None
        starts, listed = found.listed(used)
        return starts, listed, found.of_path[used]
    parts = [rows[used] for rows in sets.rows]
    if found is not None:
        parts.append(found.of_path[used])
        starts, listed = found.listed(used)
    _, first, of_path = np.unique(np.stack(parts), axis=1, return_index=True, return_inverse=True)
    lists = []
    for path in used[first].tolist():
        agreeing = sets.agreeing(path)
        if found is not None:
            of = int(found.of_path[path])
            agreeing = np.intersect1d(agreeing, listed[starts[of] : starts[of + 1]], assume_unique=True)
        lists.append(agreeing)
    ends = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return ends, np.concatenate([np.zeros(0, np.int64), *lists]), of_path.ravel().astype(np.int64)


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
