"""The map of risk against loss, and the report around it."""

from __future__ import annotations

import io
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.evidence import AnswerEvidence, ComparedEvidence, ComparisonEvidence
from sfumato.report.compare import headline, render, terminal_table
from sfumato.report.ru_map import HEIGHT, WIDTH, Marked, ru_map
from sfumato.report.scales import linear_axis, ratio_axis
from tests.oracles.html_document import read


def compared(
    name: str, k: int, risk: float, loss: float, *, front: bool = True, failed: str = ""
) -> ComparedEvidence:
    return ComparedEvidence(
        name=f"{name}, k {k}",
        method=name,
        parameters={"k": k},
        models=[{"k-anonymity": {"k": k}}],
        risk={} if failed else {"highest": risk, "average": risk / 2},
        loss={} if failed else {"gcp": loss, "discernibility": 100 * loss},
        front=["highest", "average"] if front and not failed else [],
        failed=failed,
    )


def comparison(*configurations: ComparedEvidence, **more: object) -> ComparisonEvidence:
    told: dict[str, object] = {
        "title": "A ward",
        "created": "2026-11-16",
        "software": {"sfumato": "0"},
        "records": 60,
        "risks": {"highest": "highest risk", "average": "average risk"},
        "utility": "gcp",
        "utility_title": "global certainty penalty (GCP)",
        "before": {"highest": 1.0, "average": 0.9},
        "configurations": list(configurations),
        **more,
    }
    return ComparisonEvidence.model_validate(told)


SOME = comparison(
    compared("mondrian", 2, 0.5, 0.05),
    compared("mondrian", 5, 0.2, 0.1),
    compared("optimal-lattice", 5, 0.2, 0.4, front=False),
    compared("optimal-lattice", 99, 0, 0, failed="k = 99 is more than the 60 persons in the table"),
)


def marks_of(document: str) -> list[str]:
    return [
        shape.attributes["class"] or ""
        for shape in read(document).walk()
        if "spot" in (shape.attributes.get("class") or "")
    ]


def test_every_configuration_that_gave_a_release_is_on_every_map() -> None:
    document = render(SOME)
    states = [look for look in marks_of(document) if "on" in look.split() or "beaten" in look.split()]
    assert len(states) == 2 * 3
    assert sum("beaten" in look for look in states) == 2


def test_the_table_lists_numbers_and_what_failed_with_its_reason() -> None:
    page = read(render(SOME))
    numbers = page.section("numbers")
    assert len(numbers.all("table")[0].all("tr")) == 1 + 3
    assert "60 persons" in render(SOME)
    assert page.section("failures").all("tr")


def test_axes_are_round_and_hold_all_values() -> None:
    assert linear_axis([0.37]).ticks[-1] >= 0.37
    assert linear_axis([]).ticks == (0.0, 1.0)
    assert linear_axis([0.0]).ticks == (0.0, 1.0)
    assert ratio_axis([0.5, 0.4]).ticks[0] == 0
    assert ratio_axis([0.5, 0.0]).ticks[0] == 0
    logarithmic = ratio_axis([0.5, 0.013])
    assert logarithmic.ticks[0] == 0.01
    assert logarithmic.place(0.5) == 1.0


values = st.floats(0, 1, allow_nan=False) | st.sampled_from([0.0, 1e-9, 1.0])
marked = st.builds(
    Marked,
    st.text(max_size=9),
    st.text(max_size=9),
    st.integers(0, 13),
    values,
    values,
    st.booleans(),
    st.booleans(),
)


@given(st.lists(marked, min_size=1, max_size=30), st.none() | values, st.none() | values)
def test_whatever_is_drawn_lies_inside_the_map(
    marks: list[Marked], risk: float | None, loss: float | None
) -> None:
    drawn = ru_map("map", "a map", marks, risk="risk", loss="loss", risk_at_most=risk, loss_at_most=loss)
    read(f"<!DOCTYPE html>\n<html><body>{drawn}</body></html>")
    for name, most in (
        ("cx", WIDTH),
        ("cy", HEIGHT),
        ("x1", WIDTH),
        ("x2", WIDTH),
        ("y1", HEIGHT),
        ("y2", HEIGHT),
    ):
        for number in re.findall(rf'\s{name}="([^"]+)"', drawn):
            assert math.isfinite(float(number))
            assert 0 <= float(number) <= most


@pytest.mark.parametrize("least", [5e-324, 1e-310, 1e-300])
def test_an_axis_of_numbers_next_to_nothing_has_ticks(least: float) -> None:
    axis = linear_axis([least])
    assert axis.ticks[0] == 0
    assert 0 <= axis.place(least) <= 1


def test_names_that_are_markup_are_shown_and_never_run() -> None:
    hostile = compared("<script>alert(1)</script>", 2, 0.5, 0.1)
    document = render(comparison(hostile, title="<img src=x>"))
    assert "<script>" not in document
    assert "<img" not in document


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "2 configurations of 3 not beaten"),
        (AnswerEvidence(question="q", met=True, best=1, nearest=None, said="s"), "Best: mondrian, k 5"),
        (
            AnswerEvidence(question="q", met=False, best=None, nearest=0, said="s"),
            "No configuration keeps what was asked",
        ),
    ],
)
def test_the_headline_answers_what_was_asked(answer: AnswerEvidence | None, said: str) -> None:
    asked = SOME.model_copy(update={"answer": answer})
    assert headline(asked) == said
    assert said in render(asked)


def test_a_comparison_in_which_all_failed_can_be_read() -> None:
    lost = comparison(compared("mondrian", 99, 0, 0, failed="too many"), before={})
    assert headline(lost) == "No configuration gave a release"
    assert "There is nothing to draw" in render(lost)


def test_the_terminal_shows_a_star_and_a_reason() -> None:
    from rich.console import Console

    console = Console(width=110, record=True, file=io.StringIO())
    console.print(terminal_table(SOME))
    shown = console.export_text()
    assert "*  mondrian, k 2" in shown
    assert "✗" in shown
    assert "60 persons" in " ".join(shown.split())


def test_headline_map_table_and_stars_count_the_same_configurations_as_not_beaten() -> None:
    """A configuration may be beaten in the first risk and not in another: all were called unbeaten."""
    from rich.console import Console

    both = ["highest", "average"]
    some = comparison(
        *(compared("mondrian", k, 1 / k, k / 100) for k in range(2, 7)),
        *(
            compared("optimal-lattice", k, 0.5, 0.5).model_copy(update={"front": both[1:]})
            for k in range(2, 5)
        ),
    )
    page = read(render(some))
    assert headline(some) == "5 configurations of 8 not beaten"
    for risk, unbeaten in (("highest", 5), ("average", 8)):
        section = page.section(f"map-{risk}")
        looks = [(node.attributes.get("class") or "").split() for node in section.walk()]
        assert sum({"spot", "on"} <= set(look) for look in looks) == unbeaten
        assert sum({"spot", "beaten"} <= set(look) for look in looks) == 8 - unbeaten
        assert f"{unbeaten} of 8." in section.text
    assert len(page.section("numbers").all("span", "not-beaten")) == 5
    console = Console(width=110, record=True, file=io.StringIO())
    console.print(terminal_table(some))
    assert sum(line.startswith("*") for line in console.export_text().splitlines()) == 5
