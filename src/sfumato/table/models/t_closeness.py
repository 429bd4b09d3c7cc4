"""t-closeness: the sensitive values of every class are distributed much as in the whole table.

N. Li, T. Li & S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity" (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, get_args

from sfumato.core.domain import Scale
from sfumato.core.errors import BadInput
from sfumato.table.models.comparing import Base, ComparingModel
from sfumato.table.models.distances import (
    EqualDistance,
    LineDistance,
    TreeDistance,
    numeric_gaps,
    ordered_gaps,
)
from sfumato.table.models.numbers import check_choice, check_column, exactly, pair, plain, shown
from sfumato.table.models.sensitive import Measured, Value, judged
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind

Distance = Literal["equal", "ordered", "numeric", "hierarchical"]
"""How far one sensitive value is from another: all as far (equal); by their ranks, neighbours 1/(m − 1) apart
(ordered); by their difference, as a share of the range (numeric); by the level of the lowest node of their
hierarchy that covers both, as a share of its height (hierarchical)"""

_KINDS = {
    "equal": RuleKind.CLOSE_EQUAL,
    "ordered": RuleKind.CLOSE_ORDERED,
    "numeric": RuleKind.CLOSE_NUMERIC,
    "hierarchical": RuleKind.CLOSE_HIERARCHICAL,
}


@dataclass(frozen=True)
class TCloseness(ComparingModel):
    """Knowing the class of a person tells little more about their sensitive value than the whole table.

    For all classes E:  EMD(P_E, P) ≤ t,  where P_E and P are the distributions of the values in the class
    and in the whole table, and EMD is the least share that has to be moved, times how far, to turn one
    into the other. With equal distances it is ½ Σ |f_v/n − p_v|.

    Protects from learning a sensitive value, and, with a distance that knows what values mean, from
    learning roughly what it is. It does not hide what the whole table says of everybody in it, nor
    protect who is identified; a small t leaves little that an analysis could find.

    >>> TCloseness(0.2).in_words()
    'those who share their quasi-identifiers have sensitive values much like everybody: at most 0.2 apart'
    """

    t: float
    distance: Distance = "equal"
    alphabetical: bool = False
    column: str | None = None
    base: Base = "released"
    name: ClassVar[str] = "t-closeness"

    def __post_init__(self) -> None:
        if not 0 <= exactly(self.t, "t", self.name, "try t: 0.2") <= 1:
            raise BadInput("t must lie between 0 and 1", where=self.name, remedy="try t: 0.2")
        check_choice(self.distance, get_args(Distance), "distance", self.name)
        check_column(self.column, self.name)
        self.check_base()

    @property
    def stops(self) -> tuple[str, ...]:
        """The attacks it stops: which, depends on the distance.

        Where neighbouring values are close, all of a class may have one value that few others have: skewness
        is stopped by equal distances, and by others only up to t / (the least distance of two values).
        """
        if self.base == "input":
            return ()
        return ("skewness",) if self.distance == "equal" else ("similarity",)

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.t, "t", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"values of '{self.column}'" if self.column else "sensitive values"
        return (
            f"those who share their quasi-identifiers have {what} much like {self.everybody}: "
            f"at most {plain(self._wanted)} apart"
        )

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """The distance is convex: a union is not farther from the whole than the farther of its parts."""
        parameters: tuple[int, ...] = pair(self._wanted)
        if self.distance == "ordered":
            parameters = (*parameters, int(self.alphabetical))
        return (Rule(_KINDS[self.distance], parameters, True, column, known, as_released=self.as_released),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Compute the distance of every part."""
        distance = self._distance(values, published)
        wanted = self._wanted
        return judged(
            values,
            distance.of_all(values),
            float(wanted),
            lambda counts: distance.of(counts) > wanted,
            distance.of,
            # Sums over very many values gather errors.
            scale=len(values.domain) / 1e5,
        )

    def required(self) -> str:
        """Write what is asked."""
        return f"t ≤ {plain(self._wanted)}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"t = {shown(value, self._wanted)}"

    def _distance(
        self, values: ClassValues, published: PublishedTable
    ) -> EqualDistance | LineDistance | TreeDistance:
        domain, where = values.domain, f"column '{values.domain.name}'"
        match self.distance:
            case "equal":
                return EqualDistance(values.base)
            case "hierarchical":
                if domain.name not in published.hierarchies:
                    raise BadInput(
                        "the hierarchical distance needs a hierarchy of the column and there is none",
                        where=where,
                        remedy="give it a hierarchy, as for a quasi-identifier",
                    )
                return TreeDistance(values.base, published.hierarchies[domain.name].ladder(domain))
        if domain.scale is Scale.CATEGORY and not (self.distance == "ordered" and self.alphabetical):
            raise BadInput(
                f"the {self.distance} distance needs numbers or dates, and these are neither",
                where=where,
                remedy="choose 'equal' or 'hierarchical', or 'ordered' with 'alphabetical: true'",
            )
        if self.distance == "ordered":
            return LineDistance(values.base, ordered_gaps(domain))
        if domain.has_missing:
            raise BadInput(
                "some values are missing, and they have no distance to numbers",
                where=where,
                remedy="choose 'ordered', in which missing comes last",
            )
        return LineDistance(values.base, numeric_gaps(domain))
