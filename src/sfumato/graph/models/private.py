"""Edge- and node-differential privacy of published figures of a network.

C. Dwork, F. McSherry, K. Nissim & A. Smith (2006); for networks: M. Hay, C. Li, G. Miklau & D. Jensen,
"Accurate estimation of the degree distribution of private networks" (ICDM 2009).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, get_args

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.dp.exact import Number, exact, written_below
from sfumato.graph.contract import Demand, Figure, Publishable, Statistics

Neighbours = Literal["edge", "node"]
LARGEST_EPSILON = 1000
"""beyond, e^ε is a number without meaning, and nothing is promised"""
NOT_SECRET = "not secret"
"""the detail of a release whose noise came from a generator of a test"""
NEIGHBOURS = "neighbours"
"""the detail that says what neighbouring networks differ by: ``edge`` or ``node``, or ``one edge …``"""


@dataclass(frozen=True)
class NoProof(Witness):
    """Why what is known of the mechanism does not show the promise."""

    why: str = ""

    def __str__(self) -> str:
        return self.why


@dataclass(frozen=True)
class DifferentialPrivacy:
    """What is published is nearly as likely with any one edge (or person) as without.

    For all networks G, G′ that differ in one edge (``neighbours="edge"``), or in one node with all its edges
    (``"node"``), and all sets S of releases:

        Pr[M(G) ∈ S] ≤ e^ε · Pr[M(G′) ∈ S] + δ.

    Kept by the mechanism: nobody can see from figures that noise was added, so the check compares what was
    ``spent`` with what was promised, exactly, and holds for nothing of which neither is known, nor for
    anything but figures.

    For an edge: protects from learning whether two people are connected, whatever else is known; not from
    learning who takes part, how many edges there are, or that somebody has very many (for somebody with d
    edges it is dε). For a node: also from learning whether somebody takes part at all. Neither protects from
    what is true of everybody, nor several releases together: their ε and δ add up.

    >>> from sfumato.graph.contract import Statistics
    >>> figures = Statistics({}, "degree-sequence")
    >>> print(DifferentialPrivacy(1).check(figures, spent={"epsilon": 1}, details={"neighbours": "edge"}))
    differential-privacy holds: required ε ≤ 1 for an edge, achieved ε = 1 for an edge
    >>> DifferentialPrivacy(1).check(figures).holds
    False
    """

    epsilon: Number
    delta: Number = 0
    neighbours: Neighbours = "edge"
    name: ClassVar[str] = "differential-privacy"
    basis: ClassVar[Basis] = Basis.MECHANISM
    stops: ClassVar[tuple[str, ...]] = ()
    """the attacks of this room are made on networks and groupings, and figures are neither"""

    def __post_init__(self) -> None:
        if not 0 < self.exact_epsilon <= LARGEST_EPSILON:
            raise BadInput(
                f"epsilon must be more than 0 and at most {LARGEST_EPSILON}", where=self.name, remedy="try 1"
            )
        if not 0 <= self.exact_delta < 1:
            raise BadInput(
                "delta must be at least 0 and less than 1", where=self.name, remedy="try 0 or 1e-6"
            )
        if self.neighbours not in get_args(Neighbours):
            raise BadInput("neighbours must be edge or node", where=self.name, remedy="try neighbours: edge")

    @property
    def protects_from(self) -> tuple[Threat, ...]:
        """An edge is something about people; a node is that they take part."""
        if self.neighbours == "edge":
            return (Threat.ATTRIBUTE,)
        return (Threat.IDENTITY, Threat.ATTRIBUTE, Threat.MEMBERSHIP)

    @property
    def exact_epsilon(self) -> Fraction:
        """ε as it was written."""
        return exact(self.epsilon, where=f"epsilon of {self.name}")

    @property
    def exact_delta(self) -> Fraction:
        """δ as it was written."""
        return exact(self.delta, where=f"delta of {self.name}")

    def in_words(self) -> str:
        """Say what is promised."""
        beside = f", plus {self.delta}" if self.exact_delta else ""
        one = "any one edge" if self.neighbours == "edge" else "any one person and all their edges"
        return (
            f"nothing that is published is more than e^{self.epsilon} times as likely with {one} as "
            f"without{beside}"
        )

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand("noise", epsilon=written_below(self.exact_epsilon), neighbours=self.neighbours)

    def covers(self, spent: Mapping[str, float]) -> bool:
        """Say whether something was spent and no more than is promised."""
        found = _spent(spent)
        return found is not None and found[0] <= self.exact_epsilon and found[1] <= self.exact_delta

    def check(
        self,
        published: Publishable,
        *,
        spent: Mapping[str, float] | None = None,
        details: Mapping[str, Figure] | None = None,
    ) -> Verdict:
        """Compare what a solution says it ``spent``, and for which ``neighbours``, with what was promised."""
        spent, details = spent or {}, details or {}
        kept = _read(str(details.get(NEIGHBOURS, "")))
        why = "there are no figures that could have noise"
        if isinstance(published, Statistics):
            why = self._why_not(spent, kept, NOT_SECRET in details)
        named = _spent(spent) is not None
        return Verdict(
            self.name,
            not why,
            required=f"ε ≤ {self.epsilon}{self._beside()} for {_one(self.neighbours)}",
            achieved=f"{_in_words(spent)}{f' for {_one(kept)}' if kept else ''}" if named else "no ε",
            basis=self.basis,
            protects_from=self.protects_from,
            witness=NoProof((), (), 0, why) if why else None,
            violations=int(bool(why)),
        )

    def _beside(self) -> str:
        return f", δ ≤ {self.delta}" if self.exact_delta else ""

    def _why_not(self, spent: Mapping[str, float], kept: str, seeded: bool) -> str:
        if _spent(spent) is None:
            return "nothing says that noise was added"
        if kept != self.neighbours:
            return f"nothing says that the noise is enough for {_one(self.neighbours)}"
        if not self.covers(spent):
            return "what was spent is more than that"
        if seeded:
            return "the noise was drawn from a test's generator: not to be published"
        return ""


def _read(said: str) -> str:
    """Return ``edge`` or ``node`` as a method says it, and nothing where it says neither."""
    return next((one for one in get_args(Neighbours) if said == one or said.startswith(f"one {one} ")), "")


def _one(neighbours: str) -> str:
    return "an edge" if neighbours == "edge" else "a node"


def _spent(spent: Mapping[str, float]) -> tuple[Fraction, Fraction] | None:
    """Return ε and δ as they were written; None where no positive ε is named."""
    if "epsilon" not in spent or not math.isfinite(spent["epsilon"]):
        return None
    epsilon, delta = exact(spent["epsilon"]), exact(spent.get("delta", 0))
    return (epsilon, delta) if epsilon > 0 and delta >= 0 else None


def _in_words(spent: Mapping[str, float]) -> str:
    delta = spent.get("delta", 0)
    return f"ε = {spent['epsilon']:g}" + (f", δ = {delta:g}" if delta else "")
