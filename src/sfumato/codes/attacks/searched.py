"""A release as an adversary searches it: by codes, each read as all items that may stand for it.

A *leaf match*: a record agrees with a known code when one of its items stands for it. Codes that exactly the
same items stand for agree with the same records and are one *kind* here, numbered from rare to frequent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.attacks._kernels_known import agreeing, looking_like, telling_codes
from sfumato.codes.published import PublishedSets
from sfumato.codes.risk.matching import CodeRows, code_classes, ragged
from sfumato.codes.sets import CodeSets, read_only, slots_of
from sfumato.core.errors import BadInput

NOWHERE = -1
"""the kind of a code that no record shows"""
MOST_WORK = 20_000_000_000
"""steps after which an attack is given up: some minutes"""
MOST_SLOTS = 100_000_000
"""kinds of codes of all records, written out, that are still searched"""


@dataclass(frozen=True)
class Agreement:
    """What was found about each person: one row of ``found`` for each (see the kernel ``agreeing``)."""

    found: NDArray[np.int64] = field(repr=False)

    @property
    def candidates(self) -> NDArray[np.int64]:
        """How many records agree."""
        return self.found[:, 0]

    @property
    def own(self) -> NDArray[np.bool_]:
        """Whether the person's own record is one of them."""
        return self.found[:, 1] > 0

    @property
    def claims(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The sensitive item that most of them show, and how many do."""
        return self.found[:, 2], self.found[:, 3]

    @property
    def claims_without(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same, had the person's own record not been there."""
        return self.found[:, 4], self.found[:, 5]


@dataclass(frozen=True)
class Searched:
    """Records as sets of kinds of codes, and what stands where."""

    published: PublishedSets
    kind_of: NDArray[np.int64] = field(repr=False)
    """the kind of every code that items may stand for"""
    number: int
    rows: CodeRows = field(repr=False)
    """the kinds that agree with each record, ascending"""
    item_kinds: CodeRows = field(repr=False)
    """the kinds under each item"""

    @classmethod
    def of(cls, published: PublishedSets) -> Searched:
        """Lay a release out."""
        items = published.items
        classes, number = code_classes(published)
        shown = np.zeros(len(items.domain), np.bool_)
        shown[items.codes[(published.supports > 0)[slots_of(items.starts)]]] = True
        inside = shown[items.codes]
        of_items = ragged(slots_of(items.starts)[inside], classes[items.codes[inside]], len(items), number)
        many = np.diff(of_items.starts)[published.shown]
        if int(many.sum()) > MOST_SLOTS:
            raise BadInput(
                "the items of the release stand for too many codes to be searched",
                where="the release",
                remedy="attack a sample of its records",
            )
        offset = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        spread = of_items.values[np.repeat(of_items.starts[published.shown], many) + offset]
        owner = np.repeat(slots_of(published.starts), many)
        rows = ragged(owner, spread, len(published), number)
        rank = np.empty(number, np.int64)
        rank[np.argsort(np.bincount(rows.values, minlength=number), kind="stable")] = np.arange(number)
        return cls(
            published,
            np.where(shown, rank[classes], NOWHERE),
            number,
            ragged(slots_of(rows.starts), rank[rows.values], len(published), number),
            ragged(slots_of(of_items.starts), rank[of_items.values], len(items), number),
        )

    @cached_property
    def _sensitive_kinds(self) -> NDArray[np.bool_]:
        marked = np.zeros(self.number + 1, np.bool_)
        inside = self.published.items.sensitive[slots_of(self.item_kinds.starts)]
        marked[self.item_kinds.values[inside]] = True
        return marked

    def known(self, people: CodeSets, *, public: bool = False, own: bool = False) -> CodeRows:
        """Return what kinds an adversary may know of each person: codes that no record shows are no help.

        With ``public`` sensitive codes stay unknown. With ``own`` only codes are taken that the person's own
        record agrees with; record r of the release must then be that of person r.
        """
        kinds, owner = self._kinds(people)
        kept = kinds != NOWHERE
        if public:
            kept &= ~self._sensitive_kinds[kinds]
        if own:
            keys = slots_of(self.rows.starts) * (self.number + 1) + self.rows.values
            asked = owner * (self.number + 1) + kinds
            place = np.minimum(np.searchsorted(keys, asked), max(len(keys) - 1, 0))
            kept &= keys[place] == asked if len(keys) else False
        return ragged(owner[kept], kinds[kept], len(people), self.number)

    def _kinds(self, people: CodeSets) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        place = {code: position for position, code in enumerate(self.published.items.domain)}
        positions = np.array([place.get(code, -1) for code in people.domain], np.int64)
        kinds = np.append(self.kind_of, NOWHERE)[positions]
        return kinds[people.codes], slots_of(people.starts)

    @cached_property
    def _members(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        return read_only(self.rows.starts, np.int64), read_only(self.rows.values, np.int32)

    @cached_property
    def _holders(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        begins = np.zeros(self.number + 1, np.int64)
        np.cumsum(np.bincount(self.rows.values, minlength=self.number), out=begins[1:])
        order = np.argsort(self.rows.values, kind="stable")
        return read_only(begins, np.int64), read_only(slots_of(self.rows.starts)[order], np.int64)

    @cached_property
    def _told(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The sensitive items of every record."""
        published = self.published
        kept = published.items.sensitive[published.shown]
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
        return read_only(before[published.starts], np.int64), read_only(published.shown[kept], np.int32)

    @cached_property
    def sensitive_support(self) -> NDArray[np.int64]:
        """How many records show each item, for sensitive items; 0 for others."""
        items = self.published.items
        return read_only(np.where(items.sensitive, self.published.supports, 0), np.int64)

    @property
    def _of_items(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        return read_only(self.item_kinds.starts, np.int64), read_only(self.item_kinds.values, np.int32)

    def work(self, known: CodeRows, size: int) -> int:
        """Return about how many steps it takes to look at all sets of up to ``size`` kinds."""
        found = 0
        for rows in (known, self.rows):
            lengths, times = np.unique(np.diff(rows.starts), return_counts=True)
            for length, many in zip(lengths.tolist(), times.tolist(), strict=True):
                found += many * sum(comb(length, some) for some in range(1, min(size, length) + 1))
        return found

    def telling(self, known: CodeRows, size: int, *, sensitive: bool = False) -> CodeRows:
        """Return of every person the at most ``size`` known kinds that tell the most about them.

        These are the kinds that the fewest records agree with; with ``sensitive`` those whose records most
        often show the same sensitive item. Every set that some record agrees with is looked at.
        """
        people = len(known.starts) - 1
        size = max(1, min(size, int(np.diff(known.starts).max(initial=0))))
        if self.work(known, size) > MOST_WORK:
            raise BadInput(
                f"people have too many sets of {size} codes to look at all of them",
                remedy="let the adversary know fewer codes, or 'choose: random'",
            )
        starts = read_only(np.concatenate([known.starts, self.rows.starts[1:] + known.starts[-1]]), np.int64)
        values = np.concatenate([known.values, self.rows.values])
        begins = np.zeros(self.number + 1, np.int64)
        np.cumsum(np.bincount(values, minlength=self.number), out=begins[1:])
        least = np.full(people, len(self.published), np.int64)
        most = int(self.sensitive_support.max(initial=0)) if sensitive else 1
        joint = np.full(people, most, np.int64)
        chosen = np.full((people, size), NOWHERE, np.int32)
        telling_codes(
            starts,
            read_only(values, np.int32),
            read_only(slots_of(starts), np.int64),
            read_only(begins, np.int64),
            read_only(np.argsort(values, kind="stable"), np.int64),
            people,
            self.number,
            size,
            *self._told,
            *self._of_items,
            sensitive,
            least,
            joint,
            chosen,
        )
        taken = chosen != NOWHERE
        owner = np.repeat(np.arange(people, dtype=np.int64), taken.sum(axis=1))
        return ragged(owner, chosen[taken].astype(np.int64), people, self.number)

    def agreeing(
        self, known: CodeRows, own: NDArray[np.int64] | None = None, *, sensitive: bool = False
    ) -> Agreement:
        """Find who agrees with what is known; ``own`` is each person's record, −1 where nobody knows it."""
        people = len(known.starts) - 1
        mine = np.full(people, -1, np.int64) if own is None else own
        begins, _ = self._holders
        first = known.values[known.starts[:-1][np.diff(known.starts) > 0]]
        if int(np.diff(begins)[first].sum()) > MOST_WORK // 10:
            raise BadInput(
                "too many records agree with what is known of people to look at all of them",
                remedy="attack a sample of the people",
            )
        found = np.zeros((people, 6), np.int64)
        agreeing(
            read_only(known.starts, np.int64),
            read_only(known.values, np.int32),
            read_only(mine, np.int64),
            *self._members,
            *self._holders,
            *self._told,
            self.sensitive_support,
            *self._of_items,
            sensitive,
            found,
        )
        return Agreement(found)

    def looking_like(self, people: CodeSets, own: NDArray[np.int64] | None = None) -> Agreement:
        """Find the records that may be the whole set of each person; see the kernel."""
        kinds, owner = self._kinds(people)
        kept = kinds != NOWHERE
        keys, times = np.unique(owner[kept] * max(self.number, 1) + kinds[kept], return_counts=True)
        known = ragged(owner[kept], kinds[kept], len(people), self.number)
        assert len(keys) == len(known.values)
        begins, _ = self._holders
        if int(np.diff(begins)[known.values].sum()) > MOST_WORK // 10:
            raise BadInput(
                "too many records share codes with each person to compare all of them",
                remedy="attack a sample of the people",
            )
        published = self.published
        item_begins = np.zeros(len(published.items) + 1, np.int64)
        np.cumsum(published.supports, out=item_begins[1:])
        by_item = np.argsort(published.shown, kind="stable")
        above = ragged(
            self.item_kinds.values, slots_of(self.item_kinds.starts), self.number, len(published.items)
        )
        found = np.zeros((len(people), 6), np.int64)
        looking_like(
            read_only(known.starts, np.int64),
            read_only(known.values, np.int32),
            read_only(times, np.int64),
            read_only(np.full(len(people), -1, np.int64) if own is None else own, np.int64),
            published.starts,
            read_only(item_begins, np.int64),
            read_only(slots_of(published.starts)[by_item], np.int64),
            read_only(above.starts, np.int64),
            read_only(above.values, np.int32),
            *self._holders,
            found,
        )
        return Agreement(found)


def drawn(rows: CodeRows, size: int, seed: int) -> CodeRows:
    """Draw at most ``size`` of each row's values by chance.

    >>> drawn(CodeRows(np.array([0, 3, 4]), np.array([0, 1, 2, 5])), 1, seed=1).starts.tolist()
    [0, 1, 2]
    """
    generator = np.random.default_rng(seed)
    owner = slots_of(rows.starts)
    order = np.lexsort((generator.random(len(owner)), owner))
    place = np.arange(len(owner)) - rows.starts[owner]
    picked = np.sort(order[place < size])
    starts = np.zeros(len(rows.starts), np.int64)
    np.cumsum(np.bincount(owner[picked], minlength=len(starts) - 1), out=starts[1:])
    return CodeRows(starts, rows.values[picked])
