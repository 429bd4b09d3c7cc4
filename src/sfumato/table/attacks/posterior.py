"""A probabilistic adversary: what is believed of a value before and after its randomised form is seen.

A. Evfimievski, J. Gehrke & R. Srikant, "Limiting privacy breaches in privacy preserving data mining"
(2003); growth of beliefs: Y. Tao, X. Xiao, J. Li & D. Zhang, "On anti-corruption privacy preserving
publication" (2008).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.inference.properties import MOST_STEPS, Belief
from sfumato.table.attacks.inference.randomised_parts import Part
from sfumato.table.attacks.inference.randomised_rows import Seen, randomised_people, randomised_rows
from sfumato.table.perturbation.randomisation import beliefs, prior_of
from sfumato.table.perturbation.randomisation_bounds import exactly, share
from sfumato.table.published import PublishedTable

_ALL_STEPS = 2_000_000
_LIKELY = Fraction(1, 2)
NOTHING_UNLIKELY = "by this prior nothing is as unlikely as rho1"


@dataclass(frozen=True)
class Posterior:
    """Turn a prior into a posterior for every value that is shown, and claim the likeliest value.

    With the prior p and the published matrix P:  Pr[u | v shown] = p_u P[u → v] / Σ_w p_w P[w → v].

    ``prior`` is what the adversary believes before: ``released``, the distribution estimated from the
    release by the inverse of P (with one more for each value, so that none is thought impossible);
    ``uniform``; or a weight for each value. ``rho1`` and ``rho2`` ask whether something believed with at
    most ρ1 is believed with more than ρ2 afterwards, ``delta`` whether a belief (of at most ``believed``)
    grows by more than Δ. What is believed may be any set of values, or one of at most ``size`` values.
    Both are asked for this prior, and for the prior that is worst for the values shown; all in exact
    fractions.

    With ``together`` all rows of a person are read as answers about the same value: noise that is drawn
    anew for each of them averages out.

    It must fail where ρ1-to-ρ2 privacy, Δ-growth or γ-amplification hold. It knows one column: what other
    columns of a row tell is for other attacks.

    >>> print(Posterior("ill", rho1=0.1, rho2=0.5).title)
    belief about a randomised value, before and after
    """

    column: str | None = None
    prior: str | Mapping[str | None, float] = "released"
    rho1: float | None = None
    rho2: float | None = None
    delta: float | None = None
    believed: float = 1.0
    size: int | None = None
    together: bool = False
    name: ClassVar[str] = "posterior"
    title: ClassVar[str] = "belief about a randomised value, before and after"
    threat: ClassVar[Threat] = Threat.INFERENCE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.MECHANISM})

    def __post_init__(self) -> None:
        if isinstance(self.prior, str) and self.prior not in ("released", "uniform"):
            raise BadInput(
                f"there is no prior '{self.prior}'",
                where=self.name,
                remedy="write released, uniform, or a weight for each value",
            )
        if not isinstance(self.prior, str):
            weights = [exactly(weight, "a weight of the prior") for weight in self.prior.values()]
            if not weights or min(weights) < 0 or not any(weights):
                raise BadInput(
                    "the prior gives no value a weight, or one below 0",
                    where=self.name,
                    remedy="give each value 0 or more, and some of them more",
                )
        if self.rho2 is not None:
            beliefs(self.rho1, self.rho2)
        elif self.rho1 is not None:
            share(self.rho1, "rho1")
        if self.delta is not None:
            share(self.delta, "delta")
        prior_of(self.believed)
        if self.size is not None and self.size < 1:
            raise BadInput("a property has at least one value", where=self.name, remedy="try size: 1")

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Attack every row on its own."""
        read = randomised_people if self.together else randomised_rows
        rows = read(target, knowledge, self.column, self.name)
        steps = max(200, min(MOST_STEPS, _ALL_STEPS // max(1, len(rows.seen))))
        claims = [
            _Claim(seen, *self._believe(seen.part, seen, rows.counts[seen.part], steps)) for seen in rows.seen
        ]
        possible = [claim for claim in claims if claim.belief.possible]
        people = sum(claim.people for claim in possible)
        if not people:
            raise BadInput(
                "the prior rules out everything that the release shows",
                where=f"{self.name} on '{rows.column}'",
                remedy="give more values a weight",
            )
        prior_is_theirs = isinstance(self.prior, str) and self.prior == "released"
        scored = Scored.MEASURED if rows.truth else Scored.EXPECTED if prior_is_theirs else Scored.CLAIMED
        guess = rows.most_frequent
        details: dict[str, int | float | str] = {
            "prior": self.prior if isinstance(self.prior, str) else "given",
            "rows_ruled_out_by_the_prior": sum(claim.people for claim in claims) - people,
            "rows_not_attacked": rows.not_attacked,
            **self._properties(possible),
        }
        return AttackResult(
            self.name,
            self.threat,
            attempts=people,
            success=float(sum(c.right(c.belief.best, c.belief.after) for c in possible) / people),
            baseline=float(sum(c.right(c.without, c.belief.before) for c in possible) / people),
            guessing=float(sum(c.right(c.codes(guess), c.belief.before) for c in possible) / people),
            certain=sum(claim.people for claim in possible if claim.confidence == 1),
            highest=float(max(claim.confidence for claim in possible)),
            column=rows.column,
            scored=scored,
            details=details,
            note=rows.note,
            victims=_victims(target, rows.column, possible) if victims else (),
        )

    def _believe(
        self, part: Part, seen: Seen, counts: tuple[int, ...], steps: int
    ) -> tuple[Belief, tuple[int, ...]]:
        """Return the belief on seeing a value, and what is likeliest by a prior without the person's row."""
        chance = part.chances(seen.codes)
        if self.prior == "released":
            prior, without = part.estimated(counts), part.estimated(counts, without=seen.codes)
        elif self.prior == "uniform":
            prior = without = (1,) * len(part.values)
        else:
            assert not isinstance(self.prior, str)
            prior = without = part.given(self.prior)
        return Belief(prior, chance, self.size, steps), _largest(without)

    def _properties(self, claims: list[_Claim]) -> dict[str, int | float | str]:
        """Compare what is believed of properties with ρ2 and Δ: by this adversary, and by the worst."""
        believed = prior_of(self.believed)
        growths = [claim.belief.growth(believed) for claim in claims]
        proved = all(exact for _, exact in growths)
        found: dict[str, int | float | str] = {"greatest_growth": float(max(grown for grown, _ in growths))}
        if self.delta is not None:
            delta = share(self.delta, "delta")
            worst = [claim.worst(min(believed, (1 - delta) / 2)).growth(believed)[0] for claim in claims]
            broken = [
                claim.people for claim, (grown, _) in zip(claims, growths, strict=True) if grown > delta
            ]
            found["growth_above_delta"] = "yes" if broken else "no"
            found["people_with_growth_above_delta"] = sum(broken)
            found["growth_above_delta_for_some_prior"] = "yes" if max(worst) > delta else "no"
        if self.rho1 is not None:
            before = share(self.rho1, "rho1")
            highest = [claim.belief.highest(before) for claim in claims]
            worst = [claim.worst(before).highest(before)[0] for claim in claims]
            proved = proved and all(exact for _, exact in highest)
            most = max(after for after, _ in highest)
            found["greatest_belief_in_something_unlikely"] = float(most) if most else NOTHING_UNLIKELY
            found["the_same_for_the_worst_prior"] = float(max(worst))
            if self.rho2 is not None:
                limit = share(self.rho2, "rho2")
                broken = [c.people for c, (after, _) in zip(claims, highest, strict=True) if after > limit]
                found["breach"] = "yes" if broken else "no"
                found["people_with_a_breach"] = sum(broken)
                found["breach_for_some_prior"] = "yes" if max(worst) > limit else "no"
        if not proved:
            found["properties"] = "too many to try them all: figures are those of the worst found"
        return found


@dataclass(frozen=True)
class _Claim:
    """What the adversary says of all rows that show the same value."""

    seen: Seen
    belief: Belief = field(repr=False)
    without: tuple[int, ...]
    """the likeliest values by the prior that the others' rows give"""

    @property
    def people(self) -> int:
        return self.seen.people

    @cached_property
    def confidence(self) -> Fraction:
        return self.belief.after(self.belief.best[:1])

    def codes(self, texts: tuple[str | None, ...]) -> tuple[int, ...]:
        """Return the codes of values, of those that this part of the rows may have."""
        values = self.seen.part.values
        return tuple(values.index(text) for text in texts if text in values)

    def right(self, claimed: tuple[int, ...], believed: Callable[[Sequence[int]], Fraction]) -> Fraction:
        """Return how many people are claimed rightly; among several values a coin is thrown.

        Without the truth it is what the adversary expects, by what is believed of every value.
        """
        if not claimed:
            return Fraction(0)
        true = self.seen.true
        if true is None:
            hit = self.people * believed(claimed)
        else:
            hit = Fraction(sum(true.get(self.seen.part.values[code], 0) for code in claimed))
        return hit / len(claimed)

    def worst(self, prior: Fraction) -> Belief:
        """Return the belief of somebody who takes two values for possible: those that differ most."""
        chance = self.belief.chance
        return Belief((prior.numerator, prior.denominator - prior.numerator), (max(chance), min(chance)))


def _largest(weights: tuple[int, ...]) -> tuple[int, ...]:
    top = max(weights)
    return tuple(code for code, weight in enumerate(weights) if weight == top)


def _victims(target: PublishedTable, column: str, claims: list[_Claim]) -> tuple[Victim, ...]:
    """List rows of which more is claimed than not, the surest first."""
    found: list[Victim] = []
    for claim in sorted(claims, key=lambda claim: claim.confidence, reverse=True):
        if claim.confidence <= _LIKELY or len(found) >= MOST_VICTIMS:
            break
        wanted = claim.seen.found_by
        rows = target.table.engine.first_rows(
            target.table, wanted.column_names, wanted, MOST_VICTIMS - len(found)
        )
        found += [Victim(row, float(claim.confidence), claim.belief.left) for row in rows]
    return tuple(found)
