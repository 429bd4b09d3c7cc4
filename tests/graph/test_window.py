"""The window of the room: every name is there, comes from one place, and costs nothing before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sfumato import graph

HEAVY = ("numba", "numpy", "pyarrow", "igraph", "networkx", "scipy")


def test_looking_through_the_window_pulls_in_nothing_heavy() -> None:
    code = (
        "import sys\nfrom sfumato import graph\ndir(graph)\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "[]\n"


def test_using_every_name_pulls_in_no_library_of_an_extra() -> None:
    extras = HEAVY[3:]
    code = (
        "import sys\nfrom sfumato import graph\n[getattr(graph, name) for name in graph.__all__]\n"
        f"print([m for m in {extras!r} if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "[]\n"


def test_every_name_has_one_home_and_every_home_is_listed() -> None:
    listed = [name for names in graph._HOMES.values() for name in names.split()]
    assert sorted(listed) == sorted(graph.__all__)
    assert len(listed) == len({*listed})
    assert dir(graph) == sorted(graph.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'KDegre'"):
        graph.KDegre  # noqa: B018
