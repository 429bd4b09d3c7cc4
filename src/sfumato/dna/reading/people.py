"""A file about the people behind the samples, joined by the name of the sample.

Models count persons: two samples of one person are one. Which samples are whose, and who is ill, stands in a
table beside the genotypes; this is the only use that is made of sample names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.reading.phenotype import Phenotype, read_phenotype
from sfumato.dna.reading.rows import check_names, counted_as
from sfumato.dna.reading.tables import check_filled, columns_of, numbered, place_of


@dataclass(frozen=True, eq=False)
class People:
    """For each sample, in the order of the genotypes: whose it is, and whether they are ill."""

    persons: NDArray[np.int64] = field(repr=False)
    phenotype: Phenotype | None = field(default=None, repr=False)
    unmatched: int = 0
    """lines of the file whose sample has no genotypes"""

    @property
    def one_each(self) -> NDArray[np.bool_]:
        """A mask with the first sample of each person: statistics that count samples count people then
        (``SomePeople(source, people.one_each)``)."""
        mask = np.zeros(len(self.persons), np.bool_)
        mask[np.unique(self.persons, return_index=True)[1]] = True
        return mask


def read_people(
    data: Any,
    samples: Sequence[str],
    *,
    sample: str = "sample",
    person: str | None = None,
    phenotype: str | None = None,
    case: str | None = None,
) -> People:
    """Join a CSV or Parquet file or a frame with the samples of genotypes.

    ``person`` is the column that says whose a sample is: without it each sample is another person.
    ``phenotype`` is the column of cases and controls, ``case`` how a case is written there.

    >>> import pyarrow as pa
    >>> file = pa.table({"sample": ["s2", "s1"], "who": ["x", "x"], "state": ["case", "control"]})
    >>> found = read_people(file, ["s1", "s2"], person="who", phenotype="state")
    >>> found.persons.tolist(), found.phenotype.cases.tolist()
    ([0, 0], [False, True])
    """
    where = place_of(data)
    if not samples:
        raise BadInput(
            "the rows have no sample names to join by", remedy="name the column of samples when reading them"
        )
    table = columns_of(data, [sample, *(name for name in (person, phenotype) if name is not None)])
    check_filled(table.column(sample), sample, where)
    names = table.column(sample).to_pylist()
    check_names(names, "sample name", f"{where}, column '{sample}'")
    line = {name: number for number, name in enumerate(names)}
    found = np.array([line.get(name, -1) for name in samples], np.int64)
    missing = int(np.count_nonzero(found < 0))
    unmatched = len(names) - (len(samples) - missing)
    if missing:
        raise BadInput(
            f"{counted_as(missing, 'sample')} of {len(samples):,} not in the file, and "
            f"{counted_as(unmatched, 'line')} of it without genotypes",
            where=f"{where}, column '{sample}'",
            remedy="give a line for each sample, spelt as in the genotypes",
        )
    persons = np.arange(len(samples), dtype=np.int64)
    if person is not None:
        persons = np.unique(numbered(table.column(person), person, where)[found], return_inverse=True)[1]
    states = None
    if phenotype is not None:
        texts = table.column(phenotype).to_pylist()
        place = f"{where}, column '{phenotype}'"
        states = read_phenotype([texts[at] for at in found.tolist()], case=case, where=place)
    return People(np.ascontiguousarray(persons, np.int64), states, unmatched)
