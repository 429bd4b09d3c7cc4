"""Names of people who do not exist: ordinary first names by generation, surnames put together."""

from __future__ import annotations

import numpy as np

from sfumato.demo._dice import Dice, Ints

GENERATIONS = (1955, 1990)
"""first years of birth of the second and the third generation"""

_FEMALE = (
    "Margaret Dorothy Helen Ruth Irene Edith Gerda Alma Hedwig Elsie Martha Rosa Carmen Ingrid Greta Norma",
    "Susan Karen Monica Petra Laura Anna Teresa Claudia Julia Denise Nadia Beatriz Silvia Heike Paula Renate",
    "Emma Mia Sofia Lena Chloe Lucia Ava Zoe Hannah Ines Amelie Nora Leila Maya Clara Elif",
)
_MALE = (
    "Walter Harold Ernest Albert Karl Otto Raymond Manuel Henri Alfred Stanley Hugo Erwin Jorge Louis Bruno",
    "David Michael Thomas Andre Carlos Peter Stefan Daniel Marc Robert Javier Martin Pierre Frank Ivan Paul",
    "Liam Noah Lucas Finn Mateo Elias Leo Ben Hugo Adam Jonas Diego Emil Omar Theo Jan",
)
FIRST_NAMES = tuple(name for names in (*_FEMALE, *_MALE) for name in names.split())
_PER_GENERATION = 16

_STEMS = (
    "Ash Birch Black Brook Clay Cold Elm Fair Fern Gold Green Hart Hazel Hill Lang "
    "Lind Marsh Moor North Oak Red Rose Sand Stone Thorn Wald West White Winter Wood"
)
_ENDINGS = "acre bridge by croft dale feld ford grove hurst land ley man mere ridge stead ton ward well"
SURNAMES = tuple(sorted(stem + ending for stem in _STEMS.split() for ending in _ENDINGS.split()))


def draw_names(dice: Dice, label: str, female: Ints, birth_year: Ints) -> tuple[Ints, Ints]:
    """Return positions in FIRST_NAMES and SURNAMES; a few names are common, most are rare."""
    generation = np.searchsorted(np.array(GENERATIONS), birth_year, side="right")
    popularity = [30 - rank for rank in range(_PER_GENERATION)]
    within = dice.pick(f"{label}: first name", popularity, len(female))
    first = ((1 - female) * 3 + generation) * _PER_GENERATION + within
    # Zipf's law with a flattened head; the order of popularity has nothing to do with the alphabet.
    rank = (np.arange(len(SURNAMES)) * 347) % len(SURNAMES)
    surname = dice.pick(f"{label}: surname", 1_000_000 // (rank + 12), len(female))
    return first, surname
