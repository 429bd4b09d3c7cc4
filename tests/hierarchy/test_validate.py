import inspect

import numpy as np
import pytest

import sfumato.hierarchy
from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Flat, Infer, Intervals, Ladder, validate


def ladder(
    rungs: list[list[int]],
    labels: list[list[str | None]],
    leaves: list[list[float]],
    size: int,
) -> Ladder:
    return Ladder(
        "x",
        np.array(rungs, np.int32),
        tuple(map(tuple, labels)),
        tuple(np.array(counts) for counts in leaves),
        size,
    )


def test_a_sound_ladder_passes_unchanged() -> None:
    sound = ladder(
        [[0, 1, 2], [0, 0, 1], [0, 0, 0]], [["a", "b", None], ["g", None], ["*"]], [[1, 1, 1], [3, 1], [4]], 4
    )
    assert validate(sound) is sound


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (ladder([[0, 2], [0, 0]], [["a", "b"], ["*"]], [[1, 1], [2]], 2), "level 0 are not numbered"),
        (ladder([[0, 0], [0, 0]], [["a", "b"], ["*"]], [[1, 1], [2]], 2), "level 0 are not numbered"),
        (ladder([[0, -1], [0, 0]], [["a", "b"], ["*"]], [[1, 1], [2]], 2), "level 0 are not numbered"),
        (ladder([[0, 1], [0, 0]], [["a", "b"], ["*"]], [[1], [2]], 2), "level 0 are not numbered"),
        (ladder([[0, 1], [0, 0]], [["a", "a"], ["*"]], [[1, 1], [2]], 2), "level 0 have the same label"),
        (
            ladder([[0, 0], [0, 1]], [["a"], ["b", "c"]], [[1], [1, 1]], 2),
            "share a group at level 0 part again",
        ),
        (
            ladder([[0, 1], [0, 0]], [["a", "b"], ["g"]], [[1, 1], [1]], 2),
            "fewer leaves than the groups in it",
        ),
        (ladder([[0, 1], [0, 0]], [["a", "b"], ["g"]], [[1, 1], [3]], 2), "or more than there are"),
        (ladder([[0, 1], [0, 0]], [["a", "b"], ["g"]], [[1, 0], [2]], 2), "has no leaves"),
        (ladder([[0, 1], [0, 1]], [["a", "b"], ["g", "h"]], [[1, 1], [2, 2]], 3), "level 1 has more leaves"),
        (
            ladder([[0, 1], [0, 0]], [["a", "b"], ["*"]], [[1, 1], [2]], 3),
            "the root does not cover all leaves",
        ),
    ],
)
def test_each_fault_of_a_ladder_is_named(broken: Ladder, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        validate(broken)


@pytest.mark.parametrize("hierarchy", [Flat(), Infer(), Intervals(5)])
def test_a_column_without_values_is_refused(hierarchy: Flat | Infer | Intervals) -> None:
    with pytest.raises(BadInput, match="column 'x': the column has no values"):
        hierarchy.ladder(Domain.of("x", []))


def test_values_written_alike_are_one_group() -> None:
    built = Flat().ladder(Domain.of("x", [1, "1", "a"]))
    assert built.labels == (("1", "a"), ("*",))
    assert built.size == 2


def test_arrays_of_a_ladder_are_read_only_and_of_one_type() -> None:
    built = Intervals(5).ladder(Domain.of("x", [1, 2, 30, None]))
    assert built.rungs.dtype == np.int32
    assert built.rungs.flags.c_contiguous
    for array in (built.rungs, *built.leaves):
        assert not array.flags.writeable
    assert {leaves.dtype for leaves in built.leaves} == {np.dtype(np.float64)}


def test_the_room_exports_what_it_names() -> None:
    for name in sfumato.hierarchy.__all__:
        assert getattr(sfumato.hierarchy, name) is not None
    public = {name for name, thing in vars(sfumato.hierarchy).items() if not inspect.ismodule(thing)}
    assert {name for name in public if not name.startswith("_")} == {*sfumato.hierarchy.__all__}
