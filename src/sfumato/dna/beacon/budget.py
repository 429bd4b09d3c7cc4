"""A budget for every person: who was betrayed enough no longer counts.

J. L. Raisaro and others, "Addressing Beacon re-identification attacks: quantification and mitigation of
privacy risks", JAMIA 24(4) (2017).
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dna.beacon.contract import Account, Question
from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.parameters import exact_share

_SAFE = 1 - 1e-12
"""budgets are a little smaller than they are, so that rounded sums never exceed them"""


@dataclass(frozen=True, eq=False)
class QueryBudget:
    """Every person has a budget of −ln ``level``; a yes to which they contribute costs them −ln(1 − D_N).

    D_N = (1 − f)^2N is the chance that none of N people of the population carries an allele of frequency f.
    So 1 − D_N is how likely the yes is if the person is not in the Beacon, and nearly 1 is how likely it is
    if they are: the cost is what the yes adds to the log-likelihood ratio of the attack. Somebody whose
    budget does not suffice any more no longer counts, and the answer is that of the others. Then

        Π (1 − D_N) over all yeses that a person contributed to ≥ level,

    so that answers are at most 1/level times as likely if somebody is in the Beacon as if not, and a test
    with the false positive rate α has a power of at most α/level (J. Neyman & E. Pearson 1933), as far as
    these frequencies go. That is all: a level of .05 leaves a test at α = .05 every power. Against somebody
    who asks for a person's rarest alleles and stops where the budget ends (60 simulated people, 30
    questions), the power at α = .05 was .09, .21 and .81, and the area under the ROC curve .75, .91 and .98,
    for the levels .5, .2 and .05.

    N is how many people can still pay that price, and not how many there are: whoever is used up says yes no
    more, and a yes that comes all the same betrays the few who are left. (With everybody counted, somebody
    who first asked for what a person does not carry, until the others were used up, had a power of .97 at
    α = .017 in Beacons of 20 people, where a level of .5 allows .034.) When nobody can pay, the answer is no.

    ``frequencies`` are those of the **population**, of the alternate allele at each site: a Beacon's own ones
    are too high for rare alleles. An allele that the population does not have costs everything: it is never
    told. Each asker has a budget of their own; ``together`` gives all askers one, since they may talk to each
    other. Common alleles cost nearly nothing, and answers about them stay true.

    Not differential privacy: it holds against the likelihood ratio with independent sites. Relatives in the
    Beacon, and alleles that are inherited together, tell more than is counted.

    >>> budget = QueryBudget(np.array([0.001, 0.3]), level=0.05)
    >>> round(budget.cost(0, False, 100), 3), round(budget.cost(1, False, 100), 3)
    (1.707, 0.0)
    """

    frequencies: NDArray[np.float64] = field(repr=False)
    level: Number = 0.5
    together: bool = False
    digest: str = field(init=False)
    """tells frequencies from others, so that a budget is not taken up again at other prices"""
    name: ClassVar[str] = "query-budget"
    secret: ClassVar[bool] = False

    def __post_init__(self) -> None:
        exact_share(self.level, "level")
        given = np.array(self.frequencies, np.float64)
        if given.ndim != 1 or not np.all((given >= 0) & (given <= 1)):
            raise BadInput(
                "frequencies of the population lie between 0 and 1, one for each site",
                where=self.name,
                remedy="leave out the sites whose frequency is not known",
            )
        given.flags.writeable = False
        object.__setattr__(self, "frequencies", given)
        object.__setattr__(self, "digest", hashlib.blake2b(given.tobytes(), digest_size=16).hexdigest())

    @property
    def budget(self) -> float:
        """What each person may spend."""
        return -math.log(float(exact_share(self.level, "level")))

    def cost(self, site: int, reference: bool, people: int) -> float:
        """Return −ln(1 − D_N)."""
        frequency = float(self.frequencies[site])
        frequency = 1 - frequency if reference else frequency
        if frequency <= 0:
            return math.inf
        if frequency >= 1:
            return 0.0
        none = 2 * people * math.log1p(-frequency)
        # Two forms of ln(1 − e^x): each is exact where the other loses its digits.
        return -math.log1p(-math.exp(none)) if none < -1 else -math.log(-math.expm1(none))

    def start(self, people: int, sites: int) -> None:
        """Refuse frequencies of other sites."""
        if len(self.frequencies) != sites:
            raise BadInput(
                f"there are {len(self.frequencies)} frequencies for {sites} sites",
                where=self.name,
                remedy="give the population's frequency of each site of the Beacon",
            )

    def answer(self, question: Question, account: Account, random: Random | None) -> bool | None:
        """Let those answer who can pay, and let them pay."""
        account.answered += 1
        able, price = len(account.spent), 0.0
        while able:
            price = self.cost(question.site, question.reference, able)
            left = int(np.count_nonzero(account.spent + price <= self.budget * _SAFE))
            if left == able:
                break
            # Fewer can pay, so that a yes tells more, so that it costs more: until both fit.
            able = left
        if not able:
            return False
        after = account.spent[question.carriers] + price
        paying = question.carriers[after <= self.budget * _SAFE]
        account.spent[paying] += price
        return paying.size > 0

    def spent(self, answered: int) -> dict[str, float]:
        """No ε is promised."""
        return {}
