"""An auditor's replay: given the same noisy replies, neighbours must leave the same bytes in ``release/``.

The curator's replies are recorded on one data set and handed out again on a neighbour, and all other chance
is the same for both. Then whatever differs in what is published was taken from the people without noise.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sfumato as sf
from sfumato.core.randomness import SecretRandom
from sfumato.query.methods import METHODS
from sfumato.query.methods.curator import DataCurator
from sfumato.query.methods.privelet import _Curator
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
