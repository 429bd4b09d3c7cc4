"""The active attack: fake accounts are created before the network is published, and find themselves after it.

L. Backstrom, C. Dwork and J. Kleinberg, "Wherefore art thou R3579X? Anonymized social networks, hidden
patterns, and structural steganography", WWW, 2007.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.graph.attacks.active_plant import Planted, plant
from sfumato.graph.attacks.active_recover import Recovered, recover
from sfumato.graph.attacks.active_search import STEPS
from sfumato.graph.attacks.candidates import GROUPED, check_whole
from sfumato.graph.attacks.contract import Knowledge
from sfumato.graph.contract import Figure, Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network


@dataclass(frozen=True)
class _Trial:
    """What came of one planting. People are nodes of the original."""

    accounts: int
    found: Recovered
    right: tuple[int, ...]
    """targets who are found"""
    wrong: int
    """targets for whom another node is claimed"""
    own: bool
    """whether the accounts found themselves, and at their own place"""
    hidden: int
    """pairs of targets who are friends"""
    learned: int
    """those of them that are read off"""
    invented: int
    """friendships that are read off and do not exist"""


@dataclass(frozen=True)
class ActiveAttack:
    """Create ``accounts``, befriend ``targets`` people, wait for the release, and read off who is who.

    Takes ``Knowledge.original``, the network before the accounts came, and ``Knowledge.protect``, which
    publishes a network as the house does: the accounts must be there before the release is made, so what is
    attacked is a release like ``target``, of the network with the accounts. See ``plant`` for ``accounts``,
    ``contacts`` and ``outside``, ``recover`` for ``tolerance`` and ``steps``. Targets are drawn by ``seed``
    as both ends of random edges, so that there are friendships to learn. ``ActiveAttack.simple(k)`` is the
    form with one edge from each account to a target of its own.

    Success is the share of targets, over all ``trials``, who are re-identified rightly while the accounts
    find themselves at one place only; the baseline is a pick of any node. The details count the friendships
    among targets that are learned, which is what this adversary is after. A search that was cut claims
    nothing, and the note says so. Of a grouping the adversary is taken to learn the group of each target and
    no more: success is then the mean of 1 / size of the group over everybody.

    Only k-automorphism and k-isomorphism bound it: every place then has k − 1 others that look the same, and
    the accounts never find theirs alone. Anonymity of degrees or neighbourhoods promises nothing against it.
    Methods that move many edges hide the accounts, more or less; a grouping and statistics under
    differential privacy show no accounts to find.

    >>> from sfumato.graph.simulate import barabasi_albert
    >>> network = barabasi_albert(1000, 5)
    >>> as_it_is = Knowledge(network, protect=lambda given: given)
    >>> print(ActiveAttack(12, trials=3).run(network, as_it_is))
    active: 100.0 % of 30 people, < 0.1 % without their data (a blind guess: < 0.1 %); sure of 30
    """

    accounts: int | None = None
    targets: int = 10
    trials: int = 10
    contacts: int = 3
    outside: tuple[int, int] = (10, 20)
    tolerance: int = 8
    steps: int = STEPS
    seed: int = 0
    name: ClassVar[str] = "active"
    title: ClassVar[str] = "creates accounts, finds them in the release, and reads off friends of friends"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        least = {"targets": 1, "trials": 1, "contacts": 1, "tolerance": 0, "steps": 1, "seed": 0}
        for what, fewest in least.items():
            check_whole(getattr(self, what), fewest, f"{self.name}, {what}")
        if self.accounts is not None:
            check_whole(self.accounts, 2, f"{self.name}, accounts")
        if not isinstance(self.outside, Sequence) or len(self.outside) != 2:
            raise BadInput(
                "these are two whole numbers, the fewest and the most", where=f"{self.name}, outside"
            )
        object.__setattr__(self, "outside", tuple(self.outside))
        for end in self.outside:
            check_whole(end, 0, f"{self.name}, outside")

    @classmethod
    def simple(cls, accounts: int, *, trials: int = 10, seed: int = 0) -> ActiveAttack:
        """Return the form in which each account befriends one target, and nobody else."""
        return cls(accounts, accounts, trials, contacts=1, outside=(0, 0), seed=seed)

    def run(
        self,
        target: Publishable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Plant, publish and recover, again and again."""
        if not isinstance(target, Network | Grouped):
            raise BadInput(
                "this adversary looks for nodes, and statistics have none",
                where=self.name,
                remedy="attack a network or a grouping",
            )
        if isinstance(target, Grouped):
            return self._of_groups(target)
        original, publish = knowledge.original, knowledge.protect
        if original is None or not original.nodes:
            raise BadInput(
                "there is nobody to attack",
                where=self.name,
                remedy="give the network before it was protected",
            )
        if publish is None:
            raise BadInput(
                "the accounts must be in the network before it is published",
                where=self.name,
                remedy="give the way in which the house publishes a network",
            )
        chance = np.random.default_rng(self.seed)
        progress.step(self.title)
        found: list[_Trial] = []
        nodes = 0
        for trial in range(self.trials):
            planted = plant(
                original,
                self.accounts,
                targets=self._drawn(original, chance),
                contacts=self.contacts,
                outside=self.outside,
                seed=int(chance.integers(2**63)),
            )
            published = publish(planted.network)
            if isinstance(published, Grouped):
                return self._of_groups(published)
            if not isinstance(published, Network) or published.nodes != planted.network.nodes:
                raise AssertionError("what is published has the nodes of the network that it was made from")
            nodes = published.nodes
            looked = recover(published, planted, tolerance=self.tolerance, steps=self.steps)
            found.append(_judged(original, planted, looked))
            progress.update((trial + 1) / self.trials)
        return self._result(found, nodes, victims)

    def _drawn(self, network: Network, chance: np.random.Generator) -> NDArray[np.int64]:
        """Draw people as both ends of random edges; any people where too few have an edge."""
        connected = int(np.count_nonzero(network.degrees()))
        if network.nodes < self.targets:
            raise BadInput(
                f"the network has {network.nodes:,} nodes, fewer than the {self.targets:,} targets",
                where=f"{self.name}, targets",
                remedy="take fewer targets",
            )
        if connected < 2 * self.targets:
            return chance.permutation(network.nodes)[: self.targets]
        drawn: dict[int, None] = {}
        while len(drawn) < self.targets:
            at = int(chance.integers(len(network.neighbours)))
            node = int(np.searchsorted(network.offsets, at, "right")) - 1
            drawn |= {node: None, int(network.neighbours[at]): None}
        return np.array(list(drawn)[: self.targets], np.int64)

    def _of_groups(self, published: Grouped) -> AttackResult:
        """Members of a group are alike: whoever knows the group picks one of them."""
        if not published.nodes:
            raise BadInput("there is nobody to attack", where=self.name, remedy="attack groups with members")
        return AttackResult(
            self.name,
            self.threat,
            published.nodes,
            len(published.sizes) / published.nodes,
            1 / published.nodes,
            1 / published.nodes,
            certain=int(np.count_nonzero(published.sizes == 1)),
            highest=1 / int(published.sizes.min()),
            scored=Scored.EXPECTED,
            details={"groups": len(published.sizes), "smallest group": int(published.sizes.min())},
            note=GROUPED,
        )

    def _result(self, trials: list[_Trial], nodes: int, victims: bool) -> AttackResult:
        attempts = sum(len(trial.found.targets) for trial in trials)
        hits = sum(len(trial.right) for trial in trials)
        wrong = sum(trial.wrong for trial in trials)
        cut = sum(trial.found.search.cut for trial in trials)
        unique = [trial for trial in trials if trial.found.unique]
        details: dict[str, Figure] = {
            "trials": len(trials),
            "accounts": trials[0].accounts,
            "trials in which the accounts found themselves": sum(trial.own for trial in trials),
            "trials in which they took others for themselves": sum(not trial.own for trial in unique),
            "trials in which several places fit": sum(trial.found.search.places > 1 for trial in trials),
            "trials in which no place fits": sum(
                not trial.found.search.places and not trial.found.search.cut for trial in trials
            ),
            "trials whose search was cut": cut,
            "largest slack of degrees": max(trial.found.slack for trial in trials),
            "people for whom a wrong node is claimed": wrong,
            "friendships among targets": sum(trial.hidden for trial in trials),
            "friendships learned": sum(trial.learned for trial in trials),
            "friendships learned that do not exist": sum(trial.invented for trial in trials),
        }
        precision = hits / (hits + wrong) if hits else 0.0
        people = sorted({person for trial in trials for person in trial.right})[:MOST_VICTIMS]
        return AttackResult(
            self.name,
            self.threat,
            attempts,
            hits / attempts,
            1 / nodes,
            1 / nodes,
            certain=hits,
            highest=precision,
            scored=Scored.MEASURED,
            details=details,
            not_compared=sum(len(trial.found.targets) for trial in trials if trial.found.search.cut)
            if cut
            else None,
            note=f"at least: {cut} of {len(trials)} searches were cut and claim nothing" if cut else "",
            victims=tuple(Victim(person + 1, precision) for person in people) if victims else (),
        )


def _judged(original: Network, planted: Planted, found: Recovered) -> _Trial:
    """Compare what was read off with the truth: published nodes keep their numbers."""
    claimed = found.targets
    nodes = found.search.nodes
    own = found.unique and nodes is not None and bool((nodes == planted.accounts).all())
    right = claimed == planted.targets
    people = planted.targets.tolist()
    seen = {
        (people[one], people[other]) for one, other in found.friends.tolist() if right[one] and right[other]
    }
    true = {
        (one, other)
        for at, one in enumerate(people)
        for other in people[at + 1 :]
        if original.connected(one, other)
    }
    return _Trial(
        len(planted.accounts),
        found,
        tuple(planted.targets[right].tolist()),
        int(np.count_nonzero((claimed >= 0) & ~right)),
        own,
        len(true),
        len(true & seen),
        len(found.friends) - len(true & seen),
    )
