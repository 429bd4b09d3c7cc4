"""People who fare alike, and the sensitive values that are left of their classes for them.

T. Li & N. Li, "Injector: mining background knowledge for data anonymization" (2008). People with the same
classes and the same impossible values are counted as one *group*: it has the values of its classes, of which
some are crossed out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.table.attacks.classes.negative_rules import Excluded
from sfumato.table.attacks.matching.candidates import Candidates
from sfumato.table.published import ClassValues

Ints = NDArray[np.int64]
Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Groups:
    """Groups of people, and the values of their classes: pairs (group, value), sorted by both."""

    group: Ints = field(repr=False)
    value: Ints = field(repr=False)
    persons: Ints = field(repr=False)
    left: NDArray[np.bool_] = field(repr=False)
    """whether the people of the group may have the value"""
    signatures: Ints = field(repr=False)
    size: int
    """how many sensitive values there are"""

    @property
    def number(self) -> int:
        """How many groups there are."""
        return int(self.signatures.shape[1])

    @cached_property
    def weights(self) -> Ints:
        """The people of every pair, none where the value is crossed out."""
        return np.where(self.left, self.persons, 0)

    @cached_property
    def most(self) -> Ints:
        """The people of the most frequent value that is left, for every group."""
        return self._largest(self.weights)

    @cached_property
    def ties(self) -> Ints:
        """How many values are as frequent as that."""
        return self._counted((self.weights == self.most[self.group]) & self.left)

    @cached_property
    def second(self) -> Ints:
        """The people of the next frequent value, 0 if there is none."""
        return self._largest(np.where(self.weights < self.most[self.group], self.weights, 0))

    @cached_property
    def second_ties(self) -> Ints:
        """How many values are as frequent as the second."""
        return self._counted((self.weights == self.second[self.group]) & self.left)

    @cached_property
    def total(self) -> Ints:
        """The people of every group's classes who have values that are left."""
        return np.bincount(self.group, weights=self.weights, minlength=self.number).astype(np.int64)

    @cached_property
    def choices(self) -> Ints:
        """How many values are left."""
        return self._counted(self.left)

    @cached_property
    def belief(self) -> Shares:
        """How sure the adversary is of the best claim; 0 where nothing is left."""
        found: Shares = self.most / np.maximum(self.total, 1)
        return found

    def have(self, group: Ints, value: Ints) -> Ints:
        """Return how many of the classes of some groups have certain values that are left there."""
        keys = self.group * self.size + self.value
        wanted = group * self.size + value
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        found: Ints = np.where((keys[at] == wanted) & (value >= 0), self.weights[at], 0)
        return found

    def right(self, group: Ints, value: Ints) -> Shares:
        """Return how likely the claim about somebody of a group with a certain value is right."""
        have = self.have(group, value)
        found: Shares = np.where(
            (have > 0) & (have == self.most[group]), 1.0 / np.maximum(self.ties[group], 1), 0.0
        )
        return found

    def right_without(self, group: Ints, value: Ints, base: Ints, excluded: Excluded) -> Shares:
        """Return the same for a release without them; when nobody else is left, from the whole table."""
        have = self.have(group, value)
        # Who loses one of a tie, or of fewer than the most, is outnumbered by another value.
        top = (have > 0) & (have == self.most[group]) & (self.ties[group] == 1)
        second = self.second[group]
        found = np.where(
            second < have - 1, 1.0, np.where(second == have - 1, 1.0 / (1 + self.second_ties[group]), 0.0)
        )
        found = np.where(top, found, 0.0)
        alone = np.flatnonzero(top & (self.total[group] == 1))
        found[alone] = _from_everybody(self.signatures[:, group[alone]], value[alone], base, excluded)
        return found

    def _largest(self, amounts: Ints) -> Ints:
        found = np.zeros(self.number, np.int64)
        np.maximum.at(found, self.group, amounts)
        return found

    def _counted(self, some: NDArray[np.bool_]) -> Ints:
        return np.bincount(self.group[some], minlength=self.number).astype(np.int64)


def grouped(found: Candidates, values: ClassValues, quasi: Ints, excluded: Excluded) -> tuple[Groups, Ints]:
    """Group the combinations by their classes and by what they exclude; −1 for those without a class."""
    starts, classes = found.listed
    part_of = np.full(len(found.class_rows), -1, np.int64)
    part_of[values.owner] = np.arange(len(values))
    combination = np.repeat(np.arange(len(found)), np.diff(starts))
    part = part_of[classes]
    combination, part = combination[part >= 0], part[part >= 0]
    set_of, starts_of, members = _sets(combination, part, len(found))
    signatures = excluded.signatures(quasi)
    number = set_of
    for signature in signatures:
        widest = int(signature.max(initial=0)) + 2
        _, number = np.unique(number * widest + signature + 1, return_inverse=True)
    _, first, group_of = np.unique(np.where(set_of >= 0, number, -1), return_index=True, return_inverse=True)
    nobody = int((set_of < 0).any())
    group_of, first = group_of - nobody, first[nobody:]
    own = set_of[first]
    place, owner = _expanded(starts_of[own], np.diff(starts_of)[own])
    parts = members[place]
    entry, part_place = _expanded(values.starts[parts], np.diff(values.starts)[parts])
    owner = owner[part_place]
    keys, place = np.unique(owner * excluded.size + values.codes[entry], return_inverse=True)
    persons = np.bincount(place, weights=values.persons[entry], minlength=len(keys)).astype(np.int64)
    group, value = keys // excluded.size, keys % excluded.size
    left = ~excluded.test(signatures[:, first][:, group], value)
    return Groups(group, value, persons, left, signatures[:, first], excluded.size), group_of


def _expanded(starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Return the places of several runs, one after the other, and which run each belongs to.

    >>> [found.tolist() for found in _expanded(np.array([5, 0]), np.array([2, 1]))]
    [[5, 6, 0], [0, 0, 1]]
    """
    run = np.repeat(np.arange(len(sizes)), sizes)
    return np.arange(len(run)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + starts[run], run


def _sets(combination: Ints, part: Ints, number: int) -> tuple[Ints, Ints, Ints]:
    """Number the different sets of classes that combinations may belong to, −1 for none.

    Returns the set of every combination, and the sets as starts and classes.
    """
    found = np.full(number, -1, np.int64)
    starts = np.searchsorted(combination, np.arange(number + 1))
    sizes = np.diff(starts)
    single = np.flatnonzero(sizes == 1)
    only, place = np.unique(part[starts[single]], return_inverse=True)
    found[single] = place
    by_content: dict[bytes, int] = {}
    several: list[Ints] = []
    for i in np.flatnonzero(sizes > 1):
        some = np.sort(part[starts[i] : starts[i + 1]])
        at = by_content.setdefault(some.tobytes(), len(several))
        if at == len(several):
            several.append(some)
        found[i] = len(only) + at
    lengths = np.concatenate([np.ones(len(only), np.int64), np.array([len(s) for s in several], np.int64)])
    return found, np.concatenate([[0], np.cumsum(lengths)]), np.concatenate([only, *several])


def _from_everybody(signatures: Ints, value: Ints, base: Ints, excluded: Excluded) -> Shares:
    """Return how likely a claim from the whole table without a person is right about them.

    Their own value counts one person less there. Values are gone through from the most frequent one on:
    the first that they may have and that is not theirs is what their own is compared with.
    """
    found = np.zeros(len(value))
    own = base[value] - 1
    open_ = np.flatnonzero(own > 0)
    rivals, ties = np.zeros(len(value), np.int64), np.zeros(len(value), np.int64)
    for other in np.argsort(-base, kind="stable"):
        # Whoever has found a rival goes on as long as others are as frequent.
        open_ = open_[(ties[open_] == 0) | (rivals[open_] == base[other])]
        open_ = open_[own[open_] <= base[other]]
        if not len(open_) or base[other] == 0:
            break
        codes = np.full(len(open_), other, np.int64)
        may = (value[open_] != other) & ~excluded.test(signatures[:, open_], codes)
        rivals[open_[may]] = base[other]
        ties[open_[may]] += 1
    beaten = (ties > 0) & (rivals > own)
    tied = (ties > 0) & (rivals == own)
    found = np.where(beaten, 0.0, np.where(tied, 1.0 / (1 + ties), 1.0))
    return np.where(own > 0, found, 0.0)
