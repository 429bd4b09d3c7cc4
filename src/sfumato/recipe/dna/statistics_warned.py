"""What a release of statistics warns of: what no promise covers. It follows from what everybody can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sfumato.dna.contract import StatisticsMethod, StatisticsModel
from sfumato.dna.methods.beacon_answers import BeaconAnswers
from sfumato.dna.methods.dp_frequencies import DpFrequencies
from sfumato.dna.methods.dp_top_snps import DpTopSnps
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.models.private import DifferentialPrivacy
from sfumato.dp.neighbours import Neighbours
from sfumato.recipe.dna.statistics_price import Cost, text_of
from sfumato.recipe.warned import OF_A_SEED

LARGE_EPSILON = Fraction(5)
"""beyond, odds may change more than a hundredfold"""
RELATIVES = (
    "DNA is shared: relatives of the people look a little like members themselves, and what is learned of "
    "one is learned of the family"
)
POPULATION = (
    "the bound was measured against one reference: somebody with a larger or better fitting one may do "
    "better, and where the people come from another population than the reference it means little"
)
DOES_NOT_COMPOSE = (
    "the bound holds for this release alone: figures of other sites, or other figures of the same people, "
    "published before or later, add to it, and the bounds of two releases do not add up to one"
)
ADDS_UP = (
    "this is what one release costs: the price of every other release and answer about the same people "
    "comes on top"
)
PUBLIC_SITES = (
    "the list of sites must be public: one that was taken from the people's own variants tells of them "
    "without having been paid for"
)
BY_STRENGTH = (
    "sites were kept by their association: which ones they are tells of the people, and their figures stand "
    "out by being chosen"
)
CARRIERS = (
    "sites with few carriers were left out, which protects nobody by itself: common alleles tell, too, and "
    "which sites are missing is told"
)
BY_CHANCE = (
    "the strongest of sites without any association are chance: none of those told need be significant"
)
ANSWERS = (
    "answers were drawn once and are wrong with a public chance; a Beacon that answers about the same people "
    "elsewhere costs its own price on top"
)


def warnings_of(
    method: StatisticsMethod,
    models: Sequence[StatisticsModel],
    cost: Cost | None,
    *,
    person: bool,
    secret: bool = True,
) -> Iterator[str]:
    """Say what a reader must know, one sentence each, without its full stop."""
    if not secret:
        yield OF_A_SEED
    yield RELATIVES
    if any(isinstance(model, MembershipBound) for model in models):
        yield POPULATION
        yield DOES_NOT_COMPOSE
    if any(isinstance(model, DifferentialPrivacy) for model in models):
        yield ADDS_UP
        yield PUBLIC_SITES
    if cost is not None and cost.epsilon > LARGE_EPSILON:
        told = text_of(cost.epsilon)
        yield (
            f"ε = {told} is large: what somebody believes about a person may change by a factor of e^{told}"
        )
    if cost is not None and cost.delta:
        yield f"δ = {text_of(cost.delta)} comes on top: what ε bounds may be more likely by that much"
    if cost is not None and not _hides_number(method):
        yield "how many people there are, and how many cases, is public: the promise does not hide it"
    if getattr(method, "keep", "") == "strongest":
        yield BY_STRENGTH
    if getattr(method, "least", 0):
        yield CARRIERS
    if isinstance(method, DpTopSnps):
        yield BY_CHANCE
    if isinstance(method, BeaconAnswers):
        yield ANSWERS
    if not person:
        yield "nothing names the person: if somebody has several samples, they count as several people"


def _hides_number(method: StatisticsMethod) -> bool:
    return isinstance(method, DpFrequencies) and method.neighbours is Neighbours.ADD_REMOVE
