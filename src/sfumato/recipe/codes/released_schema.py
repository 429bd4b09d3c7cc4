"""schema.json of released sets: how they lie in the file, and what each item stands for.

Only items that the release shows are in it. Under an item stand the codes of the *hierarchy*, whether they
occur in the data or not: which codes of a node people had is not told.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.reading.published import items_of
from sfumato.hierarchy import Hierarchy, RootForOthers


class ReleasedItem(BaseModel):
    """One item: how it is called, and for which codes it stands ("at least one of them")."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    label: str
    codes: list[str] = Field(description="empty where its hierarchy does not list them")
    size: Annotated[int, Field(ge=1)] = Field(description="for how many codes it stands")
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
    sensitive: list[str] = Field(default=[], description="the codes that must not be learned")

    def declared(self) -> Items:
        """Return the items as they are declared; one whose codes are not listed stands for itself."""
        return items_of(
            {item.label: item.codes or [item.label] for item in self.items},
            sizes={item.label: item.size for item in self.items},
            sensitive=[code for code in self.sensitive if code in self._listed],
        )

    @property
    def _listed(self) -> set[str]:
        return {code for item in self.items for code in item.codes or [item.label]}


def released_codes(
    published: PublishedSets | Disassociated,
    hierarchy: Hierarchy | None,
    sensitive: Iterable[str],
    file: str,
    layout: str,
) -> ReleasedCodes:
    """Describe a release."""
    marked = sorted(sensitive)
    if isinstance(published, Disassociated):
        return ReleasedCodes(file=file, form="disassociated", layout="chunks", sensitive=marked)
    items = published.items
    shown = np.flatnonzero(published.supports > 0).tolist()
    below = codes_below(hierarchy, [items.labels[item] for item in shown if not items.singles[item]])
    return ReleasedCodes.model_validate(
        {
            "file": file,
            "layout": layout,
            "items": [_described(items, item, below) for item in shown],
            "sensitive": marked,
        }
    )


def _described(items: Items, item: int, below: dict[str, list[str]]) -> ReleasedItem:
    label, size = items.labels[item], int(items.sizes[item])
    codes = [items.domain[code] for code in items.under(item)]
    if len(codes) < size:
        # The hierarchy knows more codes than occur; if it cannot list them, none is listed.
        listed = below[label]
        codes = listed if len(listed) == size and set(codes) <= set(listed) else []
    return ReleasedItem(label=label, codes=sorted(codes), size=size, sensitive=bool(items.sensitive[item]))


def codes_below(hierarchy: Hierarchy | None, labels: Iterable[str]) -> dict[str, list[str]]:
    """Return the leaves of a hierarchy under each of some labels; none where it cannot list its paths.

    A node that is written like one of its codes is published with a star behind it.
    """
    wanted = list(labels)
    inner = hierarchy.hierarchy if isinstance(hierarchy, RootForOthers) else hierarchy
    rows = getattr(inner, "rows", None)
    found: dict[str, list[str]] = {name: [] for label in wanted for name in (label, label.removesuffix("*"))}
    if rows is not None and wanted:
        for leaf, *above in rows():
            for name in found.keys() & set(above):
                found[name].append(leaf)
    return {label: sorted(found[label] or found[label.removesuffix("*")]) for label in wanted}
