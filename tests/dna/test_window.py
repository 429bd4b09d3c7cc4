"""The window of the room: every name is there, comes from one place, and costs nothing before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sfumato import dna

HEAVY = ("numba", "numpy", "pyarrow", "cyvcf2", "bed_reader", "Bio", "pymatching", "msprime")


def test_looking_through_the_window_pulls_in_nothing_heavy() -> None:
    code = f"import sys\nfrom sfumato import dna\ndir(dna)\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "[]\n"


def test_using_every_name_pulls_in_no_library_of_an_extra() -> None:
    extras = HEAVY[3:]
    code = (
        "import sys\nfrom sfumato import dna\n[getattr(dna, name) for name in dna.__all__]\n"
        f"print([m for m in {extras!r} if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "[]\n"


def test_every_name_has_one_home_and_every_home_is_listed() -> None:
    listed = [name for names in dna._HOMES.values() for name in names.split()]
    assert sorted(listed) == sorted(dna.__all__)
    assert len(listed) == len({*listed})
    assert dir(dna) == sorted(dna.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Dnalla'"):
        dna.Dnalla  # noqa: B018
