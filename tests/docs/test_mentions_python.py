"""Every name that can be imported, its arguments and what results offer is in the reference of Python."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

import pytest

import sfumato
import sfumato.dna
import sfumato.graph
import sfumato.text
from tests.docs.pages import page
from tests.docs.test_mentions import spans


def test_every_exported_name_is_in_the_reference_of_python() -> None:
    assert {*sfumato.__all__} <= page("docs/python.md").code_spans


ROOMS = [sfumato.text, sfumato.dna, sfumato.graph]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_every_name_in_the_window_of_a_room_can_be_had_and_is_in_the_reference_of_python(room: Any) -> None:
    said = spans(page("docs/python.md").section(room.__name__))
    for name in room.__all__:
        assert name in said, name
        thing = getattr(room, name)
        assert not inspect.ismodule(thing), f"a module hides {name}"
        assert inspect.getdoc(thing), name


def test_every_argument_of_an_exported_function_is_in_the_reference_of_python() -> None:
    functions = [name for name in sfumato.__all__ if inspect.isfunction(getattr(sfumato, name))]
    assert {"protect", "check", "compare", "mask"} <= {*functions}
    for name in functions:
        section = spans(page("docs/python.md").section(name))
        for argument in inspect.signature(getattr(sfumato, name)).parameters.values():
            named = argument.kind is not inspect.Parameter.VAR_KEYWORD
            assert not named or argument.name in section, f"{name}: {argument.name}"


@pytest.mark.parametrize(
    "result",
    [
        sfumato.Release,
        sfumato.CodesRelease,
        sfumato.DnaRelease,
        sfumato.StatisticsRelease,
        sfumato.GraphRelease,
        sfumato.Comparison,
        sfumato.EstimatedCounts,
        sfumato.AttackReport,
        sfumato.AttackResult,
        sfumato.ChainResult,
    ],
    ids=lambda result: result.__name__,
)
def test_everything_that_a_result_offers_is_in_the_reference_of_python(result: type[Any]) -> None:
    said = {re.match(r"\w+", span) for span in spans(page("docs/python.md").section(result.__name__))}
    words = {found[0] for found in said if found}
    offered = {field.name for field in dataclasses.fields(result)}
    offered |= {name for name in vars(result) if not name.startswith("_")}
    assert offered <= words
