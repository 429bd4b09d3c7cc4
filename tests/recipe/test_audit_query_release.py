"""An auditor's replay: given the same noisy replies, neighbours must leave the same bytes in ``release/``.

The curator's replies are recorded on one data set and handed out again on a neighbour, and all other chance
is the same for both. Then whatever differs in what is published was taken from the people without noise.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sfumato as sf
from sfumato.core.randomness import SecretRandom
from sfumato.dp.conversions import epsilon_to_rho
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.methods import METHODS
from sfumato.query.methods.curator import DataCurator
from sfumato.query.methods.privelet import _Curator
from sfumato.query.models import DpPromise
from sfumato.query.risk import meanings
from sfumato.recipe.query.warned import warnings_of
from tests.recipe.query_examples import people, recipe_text

SOME = [f"p{i},{20 + i % 60},{'FM'[i % 2]},{('yes', 'no', 'former')[i % 3]},{100 * i}" for i in range(60)]
AGAIN = [f"p{i % 20},{30 + i % 40},F,yes,{90 * i}" for i in range(30)]
"""second rows of people who are there already, of which one of each counts"""
ASKED = (
    (DataCurator, "count"),
    (DataCurator, "choose"),
    (DataCurator, "choose_apart"),
    (_Curator, "transformed"),
)


class Transcript:
    """What the curator replied, and then replies again; and the chance that is not the curator's."""

    def __init__(self) -> None:
        self.replies: list[tuple[str, Any]] = []
        self.again: list[tuple[str, Any]] | None = None
        self.replying = False
        self.chance = np.random.default_rng(5)

    def repeat(self) -> None:
        """From now on, reply as before."""
        self.again, self.chance = list(self.replies), np.random.default_rng(5)

    def words(self, _: SecretRandom, size: int) -> NDArray[np.uint64]:
        """Draw in secret for replies, and else the same again."""
        dice = np.random.default_rng() if self.replying else self.chance
        return dice.integers(0, 2**64, size, np.uint64)

    def of(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Stand in for one of the curator's answers."""

        def told(curator: DataCurator, *given: Any) -> Any:
            share, what = given[-2:]
            asked = f"{name} {what} {share}"
            if self.again is None:
                self.replying = True
                self.replies.append((asked, real(curator, *given)))
                self.replying = False
                return self.replies[-1][1]
            curator._pay(share, what)
            before, reply = self.again.pop(0)
            # Also what is asked, and for how much, may hang on replies alone.
            assert asked == before
            return reply

        return told


def _published(folder: Path, rows: list[str], method: str, neighbours: str) -> dict[str, bytes]:
    folder.mkdir()
    made = sf.run(people(folder, rows, recipe_text(method), neighbours))
    return {path.name: path.read_bytes() for path in made.release.iterdir()}


@pytest.mark.parametrize("neighbours", ["add-remove", "substitution"])
@pytest.mark.parametrize("method", METHODS)
def test_neighbours_with_the_same_replies_publish_the_same_bytes(
    method: str, neighbours: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = Transcript()
    for owner, name in ASKED:
        monkeypatch.setattr(owner, name, transcript.of(name, getattr(owner, name)))
    monkeypatch.setattr(SecretRandom, "_words", lambda self, size: transcript.words(self, size))
    monkeypatch.setattr(secrets, "randbits", lambda bits: 2 ** (bits - 1) + 1)
    first = _published(tmp_path / "one", SOME + AGAIN, method, neighbours)
    assert transcript.replies
    transcript.repeat()
    other = [row for row in SOME + AGAIN if not row.startswith("p7,")]
    if neighbours == "substitution":
        other += ["stranger,119,M,former,49999", "stranger,3,F,no,1"]
    second = _published(tmp_path / "two", other, method, neighbours)
    assert not transcript.again
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


def test_a_number_of_people_that_leaks_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same replay with a method that draws as many records as there are people."""
    real = DataCurator.__init__

    def leaky(self: DataCurator, problem: Any) -> None:
        real(self, problem)
        self.people = len(problem.data.codes)

    monkeypatch.setattr(DataCurator, "__init__", leaky)
    with pytest.raises(AssertionError):
        test_neighbours_with_the_same_replies_publish_the_same_bytes(
            "independent-marginals", "add-remove", tmp_path, monkeypatch
        )


@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize(("epsilon", "delta"), [("1", "0.001"), ("0.1", "0.05"), ("3", "1e-9")])
def test_what_epsilon_means_counts_delta_in(epsilon: str, delta: str, neighbours: Neighbours) -> None:
    """Tell the person outright with probability δ, else by randomised response: (ε, δ) between two people."""
    for line in meanings(Price.approximate(epsilon, delta), neighbours):
        between, told = Decimal(epsilon), Decimal(delta)
        if neighbours is Neighbours.ADD_REMOVE:
            # Two steps: from one person to nobody, who is told as often, and on to the other.
            between, told = 2 * between, told * (1 + Decimal(epsilon).exp())
        alone = 1 / (1 + (line.m - 1) * (-between).exp())
        assert Decimal(line.rho) >= min(Decimal(1), told + (1 - told) * alone)
        assert Decimal(line.rho) <= min(Decimal(1), told + alone) + Decimal("1e-12")


def test_delta_is_not_said_to_be_how_often_epsilon_fails() -> None:
    """The loss of Gaussian noise is beyond ε more often than δ: 6 times as often at ε = 1 and δ = 10⁻⁹."""
    rho = float(epsilon_to_rho(1, "1e-9"))
    beyond = math.erfc((1 - rho) / (2 * math.sqrt(rho))) / 2
    assert beyond > 6e-9
    words = [
        *warnings_of(
            Price.approximate(1, "1e-9"), Neighbours.ADD_REMOVE, person=True, records=True, secret=True
        )
    ]
    words.append(DpPromise(1, "1e-9").in_words())
    assert not [word for word in words if "chance of" in word]
    assert sum("1e-9" in word for word in words) == 2


def test_no_more_people_are_drawn_than_were_declared(tmp_path: Path) -> None:
    """With hardly any budget there may seem to be ten million people, in a table of at most 40 rows."""
    path = people(tmp_path, SOME[:30], recipe_text(models="  - differential-privacy: {epsilon: 1e-9}"))
    declared = tmp_path / "database.yaml"
    declared.write_text(declared.read_text().replace("max_rows: 100000", "max_rows: 40"))
    made = sf.run(path)
    assert 1 <= len((made.release / "data.csv").read_text().splitlines()) - 1 <= 40
