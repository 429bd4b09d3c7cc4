"""schema.json of released sets: how they lie in the file, and what each item stands for.

Only items that the release shows are in it. Under an item stand the codes of the *hierarchy*, whether they
occur in the data or not: which codes of a node people had is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.reading.published import items_of
from sfumato.hierarchy import ROOT, Hierarchy, HierarchyTable, RootForOthers, Tree
from sfumato.hierarchy.icd import Icd, icd_table
from sfumato.recipe.codes.shown import root_of

_NAMELESS = "\0"
"""what no file calls an item"""
MOST_CODES = 10**12
"""more codes than any item stands for"""


class ReleasedItem(BaseModel):
    """One item: how it is called, and for which codes it stands ("at least one of them")."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    label: str
    codes: list[str] = Field(description="empty where its hierarchy does not list them")
    size: int = Field(ge=1, le=MOST_CODES, description="for how many codes it stands")
    sensitive: bool = Field(default=False, description="must not be learned about a person")


class ReleasedCodes(BaseModel):
    """How a release of sets is to be read."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    format: Literal["sfumato-schema"] = "sfumato-schema"
    kind: Literal["codes"] = "codes"
    version: Literal[1] = 1
    file: str
    form: Literal["sets", "disassociated"] = "sets"
    layout: Literal["cells", "lists", "long", "chunks"]
    items: list[ReleasedItem] = Field(default=[], description="empty where chunks show codes as they are")
    sensitive: list[str] = Field(
        default=[], description="the codes that must not be learned, of those that are shown"
    )
    sensitive_left_out: bool = Field(
        default=False, description="sensitive codes were named, and the release shows none of them"
    )
    quasi: list[str] = Field(
        default=[], description="quasi-identifiers that stand beside the items of each record"
    )
    root: str | None = Field(
        default=None, description="the label of the item that stands for every code there is, if it is shown"
    )

    def declared(self) -> Items:
        """Return the items as they are declared; one whose codes are not listed stands for itself.

        Sensitive codes of which none is shown are one item without a name, that no record shows: promises
        about sensitive codes are kept by such a release, and not by one of which nobody said what is so.
        """
        spec = {item.label: item.codes or [item.label] for item in self.items}
        marked = {code for item in self.items if item.sensitive for code in spec[item.label]}
        if self.sensitive_left_out:
            spec[_NAMELESS] = [_NAMELESS]
            marked.add(_NAMELESS)
        return items_of(spec, sizes={item.label: item.size for item in self.items}, sensitive=sorted(marked))


def released_codes(
    published: PublishedSets | Disassociated,
    hierarchy: Hierarchy | None,
    sensitive: Iterable[str],
    file: str,
    layout: str,
) -> ReleasedCodes:
    """Describe a release. Sensitive codes that are not shown are not named: it would tell that they occur."""
    named = list(sensitive)
    if isinstance(published, Disassociated):
        marked = sensitive_shown(published, named)
        return ReleasedCodes(
            file=file,
            form="disassociated",
            layout="chunks",
            sensitive=marked,
            sensitive_left_out=bool(named) and not marked,
        )
    items = published.items
    shown = np.flatnonzero(published.supports > 0).tolist()
    below = codes_below(hierarchy, [items.labels[item] for item in shown if not items.singles[item]])
    described = [_described(items, item, below) for item in shown]
    marked = sorted({code for item in described if item.sensitive for code in item.codes or [item.label]})
    return ReleasedCodes.model_validate(
        {
            "file": file,
            "layout": layout,
            "items": described,
            "sensitive": marked,
            "sensitive_left_out": bool(named) and not marked,
            "root": root_of(published),
        }
    )


def sensitive_shown(published: PublishedSets | Disassociated, sensitive: Iterable[str]) -> list[str]:
    """Return the sensitive codes that are shown; the label stands for an item whose codes are not listed.

    >>> sets = PublishedSets.of([["a", "s"], ["a"]], domain=["t"], sensitive=["s", "t"])
    >>> sensitive_shown(sets, ["s", "t"])
    ['s']
    """
    if isinstance(published, Disassociated):
        held = {published.domain[code] for part in published.clusters for code in part.held}
        return sorted(held & set(sensitive))
    items, found = published.items, set[str]()
    for item in np.flatnonzero(items.sensitive & (published.supports > 0)).tolist():
        codes = items.under(item)
        found |= {items.domain[c] for c in codes} if items.sizes[item] == len(codes) else {items.labels[item]}
    return sorted(found)


def _described(items: Items, item: int, below: dict[str, list[str]]) -> ReleasedItem:
    """Describe an item by what its hierarchy knows, else by its codes if these are all that it stands for."""
    label, size = items.labels[item], int(items.sizes[item])
    codes = sorted(items.domain[code] for code in items.under(item))
    if not items.singles[item]:
        listed = below[label]
        if listed and set(codes) <= set(listed):
            codes, size = listed, len(listed)
        elif len(codes) < size or not items.sets[item]:
            # A name of its own: its codes are those of the hierarchy, never those that people had.
            codes = []
    return ReleasedItem(label=label, codes=codes, size=size, sensitive=bool(items.sensitive[item]))


def codes_below(hierarchy: Hierarchy | None, labels: Iterable[str]) -> dict[str, list[str]]:
    """Return the codes of a hierarchy under each of some labels; none where it cannot list its paths.

    A node that is written like one of its codes is published with a star behind it.
    """
    wanted = list(labels)
    found: dict[str, list[str]] = {name: [] for label in wanted for name in (label, label.removesuffix("*"))}
    for leaf, *above in _paths(hierarchy) if wanted else ():
        for name in found.keys() & set(above):
            found[name].append(leaf)
    return {label: sorted(found[label] or found[label.removesuffix("*")]) for label in wanted}


def _paths(hierarchy: Hierarchy | None) -> Iterator[Sequence[str]]:
    """List the paths of a hierarchy that knows all of its codes: each code, and what lies above it."""
    inner = hierarchy.hierarchy if isinstance(hierarchy, RootForOthers) else hierarchy
    if isinstance(inner, HierarchyTable | Tree):
        yield from inner.rows()
    elif isinstance(inner, Icd):
        table = icd_table(inner.system)
        for code, node in table.number.items():
            yield [code, *(table.labels[above] for above in table.chain(node)), ROOT]
