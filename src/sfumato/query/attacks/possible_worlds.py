"""The adversary of differential identifiability: knows everybody but one, and asks which world it must be.

J. Lee & C. Clifton, "How much is enough? Choosing ε for differential privacy" (2011) and "Differential
identifiability" (2012). With answers fᵩ(ω) of m equally likely worlds and the noisy answers R,

    Pr[ω | R] = Pr[R | ω] / Σ over ω′ of Pr[R | ω′],

and the best guess is the world with the largest. Where ρ is promised, no posterior may exceed it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Scored
from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.core.verdict import Threat
from sfumato.dp.contract import IntegerNoise
from sfumato.dp.exact import Number, exact

LIKELIHOODS: dict[str, Callable[[NDArray[np.float64], float], NDArray[np.float64]]] = {
    "discrete-laplace": lambda distance, scale: -np.abs(distance) / scale,
    "discrete-gaussian": lambda distance, scale: -(distance**2) / (2.0 * scale**2),
}
"""for each noise that the adversary knows: the logarithm of its probability, but for a constant"""
_ROUNDING = 1e-9
_SURE = 1.0 - 1e-12


@dataclass(frozen=True)
class PossibleWorlds:
    """Play the game of identification: a world is drawn, its answers are made noisy, the adversary guesses.

    ``worlds[i]`` are the exact answers if person i were the one whom the adversary does not know: one whole
    number for each question. The adversary is the strongest that the model speaks of: all of the data but
    one person, what each of the m people would contribute, the mechanism, and no limit on computing.

    It must stay under ρ where differential identifiability holds: every posterior, so the share of right
    guesses, too. Gaussian noise bounds no posterior, and shows.

    >>> from sfumato.dp.mechanisms.laplace import DiscreteLaplace
    >>> from sfumato.dp.identifiability import DifferentialIdentifiability
    >>> promise = DifferentialIdentifiability(rho=0.5, m=3)
    >>> game = PossibleWorlds(((10,), (11,), (11,)), trials=200)
    >>> game.run([promise.noise(1)], rho=promise.rho).details["posteriors above rho"]
    0
    """

    worlds: tuple[tuple[int, ...], ...]
    trials: int = 2000
    seed: int = 1
    """of the worlds that are drawn and of ties; the noise is not seeded"""
    name: ClassVar[str] = "possible-worlds"
    title: ClassVar[str] = "which of m possible worlds gave the answers"
    threat: ClassVar[Threat] = Threat.IDENTITY

    def __post_init__(self) -> None:
        if len(self.worlds) < 2 or len({len(world) for world in self.worlds}) != 1 or not self.worlds[0]:
            raise BadInput(
                "there must be at least 2 worlds, each with an answer to every question", where=self.name
            )
        if self.trials < 1:
            raise BadInput("there must be at least 1 trial", where=self.name, remedy="try 2000")

    def posteriors(self, noises: Sequence[IntegerNoise], told: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return Pr[ω | R] for every row of noisy answers (trials by questions): trials by worlds."""
        exact_answers = np.array(self.worlds, np.int64)
        known = np.zeros((len(told), len(exact_answers)))
        for question, noise in enumerate(self._noises(noises)):
            distance = (told[:, question, None] - exact_answers[None, :, question]).astype(np.float64)
            known += LIKELIHOODS[noise.name](distance, float(noise.scale))
        known -= known.max(axis=1, keepdims=True)
        weights = np.exp(known)
        shares: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return shares

    def run(
        self, noises: Sequence[IntegerNoise], *, rho: Number | None = None, random: Random | None = None
    ) -> AttackResult:
        """Play against noise for each question; with ρ, count how often a posterior exceeds it."""
        chosen = np.random.default_rng(self.seed)
        people = len(self.worlds)
        truth = chosen.integers(people, size=self.trials)
        answers = np.array(self.worlds, np.int64)[truth]
        told = np.column_stack(
            [noise.add(answers[:, question], random) for question, noise in enumerate(self._noises(noises))]
        )
        believed = self.posteriors(noises, told)
        best = believed.max(axis=1)
        # Of worlds that are equally likely one is picked by chance; rounding must not prefer one of them.
        tied = believed >= best[:, None] * (1.0 - _ROUNDING)
        guess = np.argmax(np.where(tied, chosen.random(believed.shape), -1.0), axis=1)
        right = guess == truth
        details: dict[str, int | float | str] = {"people": people, "questions": len(self.worlds[0])}
        if rho is not None:
            details["posteriors above rho"] = int(np.sum(best > float(exact(rho)) + _ROUNDING))
        return AttackResult(
            self.name,
            self.threat,
            attempts=self.trials,
            success=float(right.mean()),
            baseline=1.0 / people,
            guessing=1.0 / people,
            certain=int(np.sum(best >= _SURE)),
            highest=float(best.max()),
            scored=Scored.MEASURED,
            details=details,
            note=f"each time one of {people} people, all equally likely before",
        )

    def _noises(self, noises: Sequence[IntegerNoise]) -> Sequence[IntegerNoise]:
        if len(noises) != len(self.worlds[0]):
            raise BadInput("there must be one noise for each question", where=self.name)
        for noise in noises:
            if noise.name not in LIKELIHOODS:
                raise BadInput(
                    f"the adversary does not know how likely noise of '{noise.name}' is",
                    where=self.name,
                    remedy=f"known are: {', '.join(sorted(LIKELIHOODS))}",
                )
        return noises
