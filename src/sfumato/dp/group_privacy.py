"""Group privacy: what is left of the promise for k people together, such as a household or close relatives.

C. Dwork & A. Roth, "The algorithmic foundations of differential privacy" (2014), Theorem 2.2; the δ of a
group as a geometric sum: S. Vadhan, "The complexity of differential privacy" (2017), Lemma 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.dp.conversions import for_group
from sfumato.dp.exact import Number
from sfumato.dp.price import Price

NOT_PROMISED = (
    "Differential privacy hides whether a person took part, and with what. It does not hide what is learnt "
    "about them from others: that smoking causes cancer is learnt of smokers who were never asked, and what "
    "relatives tell of their genes or of their home also holds for those who told nothing."
)
"""what no ε promises, in words for a report"""


@dataclass(frozen=True)
class GroupPrivacy:
    """What a price for one person means for k people who are added, removed or replaced together.

    >>> print(group_privacy(4, 0.1))
    for one person ε = 0.1, for 4 people together ε = 0.4
    """

    people: int
    one: Price
    together: Price

    def __str__(self) -> str:
        return f"for one person {self.one}, for {self.people} people together {self.together}"


def group_privacy(people: int, epsilon: Number, delta: Number = 0) -> GroupPrivacy:
    """Return what (ε, δ) for one person means for k people: (kε, δ (1 + e^ε + … + e^((k−1)ε))), rounded up.

    Each of the k steps from one data set to the other costs a factor e^ε and adds δ, which later steps
    multiply. A household whose members live alike is one secret: read its line, not that of one person.

    >>> round(group_privacy(5, 0.1, 1e-6).together.delta, 9)
    Decimal('0.000006168')
    """
    price = Price.approximate(epsilon, delta) if delta else Price.pure(epsilon)
    return GroupPrivacy(people, price, for_group(price, people))
