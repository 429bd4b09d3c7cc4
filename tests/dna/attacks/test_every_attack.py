"""What every attack on DNA has in common: a name, words, parameters that are checked, no secrets."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import pytest

from sfumato.core.attack import Need
from sfumato.core.verdict import Threat
from sfumato.dna import attacks
from sfumato.dna.attacks import ATTACKS

EVERY = pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)


@EVERY
def test_an_attack_says_what_it_is_and_what_it_needs(attack: type[Any]) -> None:
    made = attack()
    assert ATTACKS[made.name] is attack
    assert made.title
    assert isinstance(made.threat, Threat)
    assert made.needs
    assert all(isinstance(need, Need) for need in made.needs)


@EVERY
def test_an_attack_is_frozen_and_cites_its_paper(attack: type[Any]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        attack().name = "other"
    module = inspect.getmodule(attack)
    assert module is not None
    assert any(str(year) in (module.__doc__ or "") for year in range(1990, 2026))
    assert list(inspect.signature(attack.run).parameters)[:3] == ["self", "target", "knowledge"]


def test_what_is_exported_exists() -> None:
    assert all(hasattr(attacks, name) for name in attacks.__all__)
    assert list(attacks.__all__) == sorted(attacks.__all__)
