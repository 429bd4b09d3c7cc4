"""Synthetic records as a step of a recipe: the real ones are learned from and then left behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import pyarrow as pa

from sfumato.core.errors import BadInput, nearest
from sfumato.core.randomness import Random
from sfumato.core.schema import Schema
from sfumato.table.perturbation.contract import Perturbed
from sfumato.table.perturbation.reading import names_of
from sfumato.table.synthetic.cart import SequentialTrees
from sfumato.table.synthetic.contract import Synthesiser
from sfumato.table.synthetic.marginals import Marginals

_MOST_ROWS = 1_000_000
"""so many may always be drawn"""

By = Literal["marginals", "cart"]
NOT_PRIVATE = (
    "synthetic records of this kind promise nothing by themselves: they are drawn from real values, and a "
    "rare value or a whole record may come out as it went in"
)


@dataclass(frozen=True)
class Synthetic:
    """Replace all records by synthetic ones.

    ``columns`` are learned and drawn, in this order (which matters to trees: let what explains come
    first). ``by`` is ``marginals`` (every column on its own) or ``cart`` (trees, each column given those
    before it, with ``leaf`` real values at least in every leaf). ``rows`` is how many are drawn: as many as
    there were unless given. Columns that are not listed are left empty; the ``person``, if there is one,
    is numbered anew.

    No value is true of anybody, and none is protected: models and method decide on the promise, as for any
    table.

    >>> from sfumato.core.randomness import SeededRandom
    >>> records = pa.table({"name": ["Ann", "Bob"], "sex": ["f", "m"]})
    >>> Synthetic(("sex",), rows=3).apply(records, SeededRandom(1)).records.to_pydict()
    {'name': [None, None, None], 'sex': ['f', 'm', 'm']}
    """

    columns: tuple[str, ...]
    by: By = "marginals"
    rows: int | None = None
    leaf: int = 5
    person: str | None = None
    name: ClassVar[str] = "synthetic"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        listed = names_of(self.columns)
        object.__setattr__(self, "columns", listed)
        if not listed or len(set(listed)) < len(listed):
            raise BadInput(
                "the list of columns is empty, or names one twice", where=self.name, remedy="name each once"
            )
        if self.person in listed:
            raise BadInput(
                "a person cannot be synthesised", where=self.name, remedy="leave the column out of 'columns'"
            )
        if self.by not in ("marginals", "cart"):
            raise BadInput(
                f"there is no way '{self.by}'",
                where=self.name,
                remedy=nearest(self.by, ("marginals", "cart")),
            )
        if self.rows is not None and (isinstance(self.rows, bool) or self.rows < 1):
            raise BadInput("rows must be at least 1", where=self.name, remedy="leave it out for as many")
        self.synthesiser()

    def synthesiser(self) -> Synthesiser:
        """Return what learns and draws."""
        return SequentialTrees(self.leaf) if self.by == "cart" else Marginals()

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Learn the records and draw others."""
        chosen = self.synthesiser()
        rows = records.num_rows if self.rows is None else self.rows
        most = max(_MOST_ROWS, 10 * records.num_rows)
        if rows > most:
            raise BadInput(
                f"rows is more than {most:,}, which no learned record supports",
                where=self.name,
                remedy="leave it out for as many as were learned from",
            )
        learned = chosen.fit(records, Schema.of(self.columns), random)
        drawn = learned.sample(rows, random)
        columns = {}
        for field in records.schema:
            kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            if field.name in self.columns:
                columns[field.name] = drawn.column(field.name)
            elif field.name == self.person:
                columns[field.name] = pa.array(range(1, rows + 1)).cast(kind)
            else:
                columns[field.name] = pa.nulls(rows, kind)
        published = {"by": chosen.name, "rows": rows, "warning": NOT_PRIVATE}
        if chosen.private:
            del published["warning"]
        return Perturbed(pa.table(columns), published=published)
