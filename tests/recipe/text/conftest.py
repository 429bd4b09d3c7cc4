"""What all tests of notes share: nothing of the house is taken from the environment."""

from __future__ import annotations

import pytest

from tests.recipe.text.examples import KEY


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of the house, and the name of the variable that it is in."""
    monkeypatch.setenv("NOTES_KEY", KEY)
    return "NOTES_KEY"
