"""What noisy statistics cost, exactly, and what it means: from what is public alone.

The method and the promises say what is spent, so that whoever reads a release can work it out again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dna.contract import StatisticsMethod, StatisticsModel
from sfumato.dna.methods.beacon_answers import BeaconAnswers
from sfumato.dna.methods.dp_association import DpAssociation
from sfumato.dna.methods.dp_frequencies import DpFrequencies
from sfumato.dna.methods.dp_top_snps import DpTopSnps
from sfumato.dna.methods.public_sites import STATUS_KEPT
from sfumato.dna.models.private import DifferentialPrivacy, auc_bound
from sfumato.dp.exact import Number, as_decimal, exact
from sfumato.dp.neighbours import Neighbours

_FAMILIES = (2, 4)
"""relatives for whom the price is told together"""


@dataclass(frozen=True)
class Cost:
    """ε and δ as exact numbers."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    @property
    def epsilon_text(self) -> str:
        """ε as a decimal, no digit lost."""
        return text_of(self.epsilon)

    @property
    def delta_text(self) -> str | None:
        """δ as a decimal; None where it is 0."""
        return text_of(self.delta) if self.delta else None


def text_of(number: Number) -> str:
    """Write a price in full.

    >>> text_of(0.1), text_of("1e-6"), text_of(20)
    ('0.1', '0.000001', '20')
    """
    return format(as_decimal(number), "f")


def check_prices(method: StatisticsMethod, models: Iterable[StatisticsModel]) -> None:
    """Refuse an ε or δ that has no exact decimal, before anything is spent."""
    policy = getattr(method, "policy", None)
    for thing in (*models, method, policy):
        for name in ("epsilon", "delta"):
            given = getattr(thing, name, None)
            if given is not None:
                as_decimal(given, where=f"'{name}' of {getattr(thing, 'name', '')}")


def most_spent(method: StatisticsMethod, models: Iterable[StatisticsModel], sites: int) -> Cost:
    """Return what a method spends on so many sites; of δ it may spend nothing instead.

    >>> most_spent(DpFrequencies(), (DifferentialPrivacy(2), DifferentialPrivacy("0.5", "1e-6")), 10)
    Cost(epsilon=Fraction(1, 2), delta=Fraction(0, 1))
    """
    promises = [model for model in models if isinstance(model, DifferentialPrivacy)]
    if not promises:
        raise BadInput("no differential privacy is promised", where="models")
    least = Cost(min(one.exact_epsilon for one in promises), min(one.exact_delta for one in promises))
    if isinstance(method, BeaconAnswers):
        policy = method.policy
        answers = Cost(least.epsilon)
        return answers if policy is None else Cost(sites * exact(getattr(policy, "epsilon", 0)))
    own = getattr(method, "epsilon", None)
    delta = Fraction(0) if isinstance(method, DpTopSnps) else exact(getattr(method, "delta", 0))
    if own is not None:
        return Cost(exact(own), delta)
    return Cost(least.epsilon) if isinstance(method, DpTopSnps) else least


def neighbours_of(method: StatisticsMethod) -> str:
    """Say whom the promise compares; nothing where there is no noise."""
    if isinstance(method, DpAssociation | DpTopSnps):
        return STATUS_KEPT
    if isinstance(method, BeaconAnswers):
        return Neighbours.SUBSTITUTION.in_words
    if isinstance(method, DpFrequencies):
        swapped = method.neighbours is Neighbours.SUBSTITUTION
        return STATUS_KEPT if method.by_status and swapped else method.neighbours.in_words
    return ""


def meaning_of(cost: Cost, neighbours: str) -> list[str]:
    """Say what a price leaves to an adversary, in whole sentences without their full stops.

    >>> meaning_of(Cost(Fraction(1)), "one person replaced by another")[0]
    'no test of whether somebody is among the people has an AUC above 0.732, whatever else is known'
    """
    replaced = neighbours != Neighbours.ADD_REMOVE.in_words
    told = []
    if replaced or not cost.delta:
        bound = auc_bound(cost.epsilon if replaced else 2 * cost.epsilon, cost.delta)
        told.append(
            f"no test of whether somebody is among the people has an AUC above {_up(bound)}, whatever else "
            "is known"
        )
    told += [
        f"for {count} relatives together it is ε = {text_of(count * cost.epsilon)}" for count in _FAMILIES
    ]
    return told


def _up(value: float) -> str:
    """Write a bound with three digits, never below what it is."""
    units = -int(-Fraction(value) * 1000 // 1)
    return f"{units / 1000:.3f}"
