"""How far the marginals of synthetic people are from those of the real ones.

The error that the NIST contest of 2018 and R. McKenna et al. (2021, 2022) report.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.query.methods.contract import Coded

_MOST_CELLS = 50_000_000


@dataclass(frozen=True)
class MarginalDistance:
    """The mean L1 distance of all marginals over ``ways`` attributes.

        value = mean over sets r of  Σ_cells |M_r(original)/n − M_r(synthetic)/n′|

    0: the same. 2: nothing in common. A sample of the same people is not at 0 either: ask it about real
    people who were held out to see how near one can come. Computed from raw data: for the steward, not for
    release.

    >>> from sfumato.query.methods.contract import Attribute
    >>> sex, ill = Attribute("sex", ("f", "m")), Attribute("ill", ("no", "yes"))
    >>> people = Coded((sex, ill), np.array([[0, 0], [1, 1]], np.int32))
    >>> MarginalDistance().measure(people, Coded((sex, ill), np.array([[0, 0]], np.int32))).value
    1.0
    """

    ways: int = 2
    name: ClassVar[str] = "marginal-distance"
    title: ClassVar[str] = "distance of marginals (L1)"
    range: ClassVar[str] = "0 … 2"
    meaning: ClassVar[str] = "mean L1 distance between shares of people in the cells of all marginals"

    def __post_init__(self) -> None:
        if isinstance(self.ways, bool) or self.ways < 1:
            raise BadInput("ways must be at least 1", where=self.name, remedy="try 2")

    def measure(self, original: Coded, synthetic: Coded) -> Measured:
        """Compare all sets of attributes."""
        same_domains(original, synthetic, self.name)
        sizes = [attribute.size for attribute in original.attributes]
        names = [attribute.name for attribute in original.attributes]
        if len(sizes) < self.ways:
            raise BadInput(
                f"there are fewer than {self.ways} attributes", where=self.name, remedy="ask with fewer ways"
            )
        found = {}
        for chosen in itertools.combinations(range(len(sizes)), self.ways):
            cells = math.prod(sizes[a] for a in chosen)
            if cells > _MOST_CELLS:
                raise BadInput("a marginal has too many cells", where=self.name, remedy="ask with fewer ways")
            apart = _shares(original.codes, chosen, sizes) - _shares(synthetic.codes, chosen, sizes)
            found[" × ".join(names[a] for a in chosen)] = float(np.abs(apart).sum())
        worst = max(found, key=lambda name: found[name])
        return Measured(
            float(np.mean(list(found.values()))),
            {"marginals": len(found), "largest": found[worst], "largest_of": worst},
        )


def same_domains(original: Coded, synthetic: Coded, where: str) -> None:
    """Refuse to compare what has different domains, or nobody in it."""
    if [(a.name, a.labels) for a in original.attributes] != [
        (a.name, a.labels) for a in synthetic.attributes
    ]:
        raise BadInput(
            "the attributes of the two are not the same", where=where, remedy="compare over the same domains"
        )
    if not len(original.codes) or not len(synthetic.codes):
        raise BadInput("there is nobody to compare", where=where)


def _shares(codes: NDArray[np.int32], chosen: tuple[int, ...], sizes: list[int]) -> NDArray[np.float64]:
    shape = [sizes[a] for a in chosen]
    cells = np.ravel_multi_index([codes[:, a] for a in chosen], shape)
    return np.bincount(cells, minlength=math.prod(shape)) / len(codes)
