"""Published sets: what a release shows of each person, and what each item of it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.sets import CodeSets, distinct, read_only, slots_of
from sfumato.codes.spelling import word
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput

SUPPRESSED = -1
"""the item of a code that is left out"""


def set_label(codes: Sequence[str]) -> str:
    """Print an item: a code as it is, several in brackets. No two sets of several codes are printed alike.

    >>> set_label(["401.4", "401.2"]), set_label(["295"]), set_label(["a,b", "c"])
    ('(401.2,401.4)', '295', '("a,b",c)')
    """
    return codes[0] if len(codes) == 1 else f"({','.join(word(code) for code in sorted(codes))})"


def is_label_of(label: str, codes: Sequence[str]) -> bool:
    """Say whether a label is what an item of these codes reads.

    A set that is printed like some code of the data has a star behind it.

    >>> is_label_of("(a,b)*", ["a", "b"]), is_label_of("(a,b)", ["(a,b)"]), is_label_of("A", ["a", "b"])
    (True, True, False)
    """
    if len(codes) < 2:
        return [label] == [*codes]
    printed = set_label(codes)
    return label.startswith(printed) and not label[len(printed) :].strip(_STAR)


_STAR = "*"


def _labels(domain: Sequence[str], groups: Sequence[Sequence[int]]) -> list[str]:
    """Print items over a domain; a set never reads like one of its codes."""
    codes = {*domain}
    found = []
    for group in groups:
        label = set_label([domain[code] for code in group])
        while len(group) > 1 and label in codes:
            label += _STAR
        found.append(label)
    return found


@dataclass(frozen=True)
class Items:
    """The things a release may show. Item i reads ``labels[i]`` and says: *at least one of* its codes.

    Its codes are ``codes[starts[i]:starts[i + 1]]``, ascending positions in ``domain``. ``sizes[i]`` is how
    many codes it stands for in all, which is more where it is a node of a hierarchy that knows codes that
    never occur. ``total`` is the number of codes there are, |I| in the literature. ``sensitive[i]`` marks
    items that must not be learned; an item is public or sensitive, never both.
    """

    domain: tuple[str, ...] = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int32] = field(repr=False)
    sizes: NDArray[np.int64] = field(repr=False)
    total: int
    sensitive: NDArray[np.bool_] = field(repr=False)

    def __post_init__(self) -> None:
        for name, kind in (
            ("starts", np.int64),
            ("codes", np.int32),
            ("sizes", np.int64),
            ("sensitive", np.bool_),
        ):
            object.__setattr__(self, name, read_only(getattr(self, name), kind))
        if len(set(self.labels)) < len(self.labels):
            raise BadInput("two published items have the same label", where="published items")

    @classmethod
    def of_groups(
        cls,
        domain: Sequence[str],
        groups: Sequence[Iterable[int]],
        *,
        labels: Sequence[str] | None = None,
        sizes: Sequence[int] | None = None,
        total: int | None = None,
        sensitive: NDArray[np.bool_] | None = None,
    ) -> Items:
        """Make items from sets of codes; ``sensitive`` marks codes of the domain."""
        sorted_groups = [sorted(set(group)) for group in groups]
        starts = np.zeros(len(sorted_groups) + 1, np.int64)
        np.cumsum([len(group) for group in sorted_groups], out=starts[1:])
        codes = np.array([code for group in sorted_groups for code in group], np.int32)
        if labels is None:
            labels = _labels(domain, sorted_groups)
        marked = np.zeros(len(sorted_groups), np.bool_)
        if sensitive is not None:
            for item, group in enumerate(sorted_groups):
                flags = sensitive[group]
                if flags.any() and not flags.all():
                    raise BadInput(
                        "an item stands for public and sensitive codes together",
                        where="published items",
                        remedy="let an item hold codes of one kind alone",
                    )
                marked[item] = bool(flags.any())
        return cls(
            tuple(domain),
            tuple(labels),
            starts,
            codes,
            np.array(sizes, np.int64) if sizes is not None else np.diff(starts),
            len(domain) if total is None else total,
            marked,
        )

    @classmethod
    def of_nodes(
        cls,
        domain: Sequence[str],
        tree: CodeTree,
        nodes: Sequence[int],
        *,
        sensitive: NDArray[np.bool_] | None = None,
    ) -> Items:
        """Make items from nodes of a tree."""
        return cls.of_groups(
            domain,
            [tree.under(node).tolist() for node in nodes],
            labels=[tree.labels[node] for node in nodes],
            sizes=[int(tree.size[node]) for node in nodes],
            total=tree.total,
            sensitive=sensitive,
        )

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        """Say how much there is; codes of raw data are not printed."""
        return f"Items({len(self)} items over {len(self.domain)} codes)"

    def under(self, item: int) -> tuple[int, ...]:
        """Return the codes of an item."""
        return tuple(self.codes[self.starts[item] : self.starts[item + 1]].tolist())

    @cached_property
    def singles(self) -> NDArray[np.bool_]:
        """Which items are codes as they were."""
        return read_only((np.diff(self.starts) == 1) & (self.sizes == 1), np.bool_)

    @cached_property
    def sets(self) -> NDArray[np.bool_]:
        """Which items are sets of codes that their label lists, not nodes with a name of their own."""
        several = (np.diff(self.starts) > 1) & (np.diff(self.starts) == self.sizes)
        listed = [
            is_label_of(self.labels[item], [self.domain[code] for code in self.under(item)])
            for item in np.flatnonzero(several).tolist()
        ]
        found = np.zeros(len(self), np.bool_)
        found[np.flatnonzero(several)] = listed
        return read_only(found, np.bool_)


def _groups(record: Any, row: int) -> set[frozenset[str]]:
    """Return the items of a record, each as its codes; refuse what is neither a code nor a set of codes."""
    found: set[frozenset[str]] = set()
    good = isinstance(record, Iterable) and not isinstance(record, str)
    for element in record if good else ():
        codes = [element] if isinstance(element, str) else [*element] if isinstance(element, Iterable) else []
        good &= bool(codes) and all(isinstance(code, str) for code in codes)
        if good:
            found.add(frozenset(codes))
    if good:
        return found
    raise BadInput(
        "an item is neither a code as text nor a set of at least one",
        where=f"record {row}",
        remedy="list codes, and sets of codes as lists",
    )


@dataclass(frozen=True)
class PublishedSets:
    """What a release shows: record r holds the items ``shown[starts[r]:starts[r + 1]]``, ascending.

    In the house record r is the record r of the original; a release is shuffled when it is written.
    """

    items: Items
    starts: NDArray[np.int64] = field(repr=False)
    shown: NDArray[np.int32] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", read_only(self.starts, np.int64))
        object.__setattr__(self, "shown", read_only(self.shown, np.int32))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def as_it_is(cls, sets: CodeSets, sensitive: NDArray[np.bool_] | None = None) -> PublishedSets:
        """Publish the codes unchanged: what an attack or a check sees of the original."""
        singles = [(code,) for code in range(len(sets.domain))]
        return cls(
            Items.of_groups(sets.domain, singles, labels=sets.domain, sensitive=sensitive),
            sets.starts,
            sets.codes,
        )

    @classmethod
    def by_code(cls, sets: CodeSets, items: Items, item_of: NDArray[np.integer[Any]]) -> PublishedSets:
        """Global recoding: every occurrence of code c becomes item ``item_of[c]`` (or is left out)."""
        return cls.by_slot(sets, items, np.asarray(item_of)[sets.codes])

    @classmethod
    def by_slot(cls, sets: CodeSets, items: Items, item_of: NDArray[np.integer[Any]]) -> PublishedSets:
        """Local recoding: the occurrence ``sets.codes[i]`` becomes item ``item_of[i]`` (or is left out)."""
        chosen = np.asarray(item_of, np.int64)
        kept = chosen != SUPPRESSED
        keys = distinct(slots_of(sets.starts)[kept] * max(len(items), 1) + chosen[kept])
        owner = keys // max(len(items), 1)
        starts = np.zeros(len(sets) + 1, np.int64)
        np.cumsum(np.bincount(owner, minlength=len(sets)), out=starts[1:])
        return cls(items, starts, (keys - owner * max(len(items), 1)).astype(np.int32))

    @classmethod
    def of(
        cls,
        records: Iterable[Iterable[str | Iterable[str]]],
        domain: Iterable[str] = (),
        sensitive: Iterable[str] = (),
    ) -> PublishedSets:
        """Take records whose elements are codes or sets of codes.

        >>> published = PublishedSets.of([["295", ["401.2", "401.4"]], [["401.2", "401.4"]]])
        >>> published.record(0), published.supports.tolist()
        (('(401.2,401.4)', '295'), [2, 1])
        """
        listed = [_groups(record, row) for row, record in enumerate(records, 1)]
        groups = sorted({group for record in listed for group in record}, key=sorted)
        groups.sort(key=lambda group: set_label(sorted(group)))
        known = tuple(sorted({*domain, *sensitive, *(code for group in groups for code in group)}))
        place = {code: position for position, code in enumerate(known)}
        marked = np.zeros(len(known), np.bool_)
        marked[[place[code] for code in sensitive]] = True
        items = Items.of_groups(known, [[place[c] for c in group] for group in groups], sensitive=marked)
        number = {group: item for item, group in enumerate(groups)}
        starts = np.zeros(len(listed) + 1, np.int64)
        np.cumsum([len(record) for record in listed], out=starts[1:])
        shown = [item for record in listed for item in sorted(number[group] for group in record)]
        return cls(items, starts, np.array(shown, np.int32))

    def record(self, r: int) -> tuple[str, ...]:
        """Return what one record shows."""
        return tuple(self.items.labels[i] for i in self.shown[self.starts[r] : self.starts[r + 1]].tolist())

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """In how many records each item stands: node support of single items."""
        return read_only(np.bincount(self.shown, minlength=len(self.items)), np.int64)
