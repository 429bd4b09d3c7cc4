"""Made-up names hide missed ones; how well is measured against a pick at random."""

from __future__ import annotations

import pytest

from sfumato.core.errors import BadInput
from sfumato.text.attacks import HiddenInPlainSight, Knowledge, ReleasedNotes
from sfumato.text.surrogate_lists import load_surrogates


def note(names: list[str], real: int | None) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Write a note in which these doctors sign, and say where the real one stands."""
    text, left = "", []
    for place, name in enumerate(names):
        text += "Seen by Dr. "
        if place == real:
            left.append((len(text), len(text) + len(name)))
        text += f"{name}.\n"
    return text, tuple(left)


def released(notes: list[tuple[str, tuple[tuple[int, int], ...]]]) -> tuple[ReleasedNotes, Knowledge]:
    return ReleasedNotes(tuple(text for text, _ in notes)), Knowledge(left=tuple(left for _, left in notes))


def test_a_name_that_no_list_of_made_up_names_holds_stands_out() -> None:
    family = load_surrogates("en").family
    made = [note([family[n], family[n + 1], "Zrbowskiwicz", family[n + 2]], 2) for n in range(0, 30, 3)]
    result = HiddenInPlainSight().run(*released(made))
    assert result.success == 1.0
    assert result.baseline == pytest.approx(0.25)
    assert result.certain == 10


def test_a_real_name_that_could_be_made_up_is_hidden() -> None:
    family = load_surrogates("en").family
    made = [note([family[n], family[n + 1], family[n + 2], family[n + 3]], n % 4) for n in range(0, 120, 4)]
    result = HiddenInPlainSight().run(*released(made))
    assert result.success == pytest.approx(result.baseline)
    assert result.certain == 0


def test_tags_hide_nothing() -> None:
    made = [note(["**NAME[AAA]", "Kaufmann", "**NAME[BBB]"], 1)]
    result = HiddenInPlainSight().run(*released(made))
    assert (result.success, result.baseline) == (1.0, 1.0)


def test_nothing_is_reported_where_no_real_name_was_missed() -> None:
    family = load_surrogates("en").family
    with pytest.raises(BadInput, match="no real name was missed"):
        HiddenInPlainSight().run(*released([note([family[0]], None)]))
    with pytest.raises(BadInput, match="which names are real"):
        HiddenInPlainSight().run(ReleasedNotes(("a",)), Knowledge())
    with pytest.raises(BadInput, match="finds no real name"):
        HiddenInPlainSight().run(ReleasedNotes(("the cough is worse",)), Knowledge(left=(((4, 9),),)))
