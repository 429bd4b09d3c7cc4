"""Releases at the edges: huge, tiny, empty, unmeasured."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.evidence import AttributeLoss, SearchEvidence
from sfumato.report import render
from sfumato.report.words import bin_label, chance, moment, number, percent
from tests.oracles.html_document import read
from tests.report.examples import classes, column, public, risk, steward, steward_only

LONG = "a_name_without_end_" * 30


def test_two_hundred_columns_with_endless_names_give_a_plot_of_twenty_and_a_table_of_all() -> None:
    names = [f"{LONG}{i}" for i in range(200)]
    evidence = steward(
        columns=[column(name) for name in names],
        attribute_loss=[AttributeLoss(name=name, loss=i / 200) for i, name in enumerate(names)],
    )
    root = read(render(evidence))
    loss = root.section("loss")
    assert len(loss.all("svg")[0].all("rect", "track")) == 20
    (behind,) = loss.all("details")
    assert [cell.text for cell in behind.all("bdi")] == names[::-1]
    assert "the 20 that lost most, of 200" in loss.all("figcaption")[0].text
    assert len(root.section("changes").all("tr")) == 201
    labels = [text.text for text in loss.all("svg")[0].all("text", "end")]
    assert all(len(label) <= 18 and label.endswith("…") for label in labels)


def test_a_release_of_one_class() -> None:
    root = read(render(steward(classes=classes({4: 1}), risk_after=risk({4: 1}))))
    assert "After: 1 group, the smallest of 4, the largest of 4, on average 4." in root.section("groups").text
    assert (
        "The file has 1 group, the smallest of 4"
        in read(render(public(classes=classes({4: 1})))).section("groups").text
    )


def test_losses_that_were_not_measured_come_last() -> None:
    losses = [AttributeLoss(name="a", loss=math.nan), AttributeLoss(name="b", loss=0.1)]
    losses.append(AttributeLoss(name="c", loss=0.9))
    (behind,) = read(render(steward(attribute_loss=losses))).section("loss").all("details")
    assert [row.text for row in behind.all("tr")[1:]] == ["c90%", "b10%", "anot known"]


def test_nothing_measured_is_said_and_not_drawn() -> None:
    root = read(render(steward(utility=[], attribute_loss=[], seconds={})))
    assert "No measure was computed." in root.section("loss").text
    assert root.section("loss").all("svg") == []


@settings(deadline=None)
@given(odd=st.floats(allow_nan=True, allow_infinity=True))
def test_numbers_that_are_none_never_reach_the_reader_as_nan(odd: float) -> None:
    own = steward_only()
    side = own["risk_before"].model_copy(
        update={"highest_risk": odd, "average_risk": odd, "records_at_risk": odd, "unique_share": odd}
    )
    own["risk_before"] = own["risk_after"] = side
    own["utility"] = [own["utility"][0].model_copy(update={"value": [odd, 1.0]})]
    own["attribute_loss"] = [AttributeLoss(name="age", loss=odd)]
    own["search"] = SearchEvidence(score=odd, bound=odd, optimal=False, levels=None, details={"x": odd})
    own["seconds"] = {"reading": odd}
    root = read(render(steward(**own)))
    texts = [part for node in root.all("main")[0].walk() for part in node.children if isinstance(part, str)]
    assert [part for part in texts if re.search(r"\b(nan|inf)\b", part, re.IGNORECASE)] == []


def test_a_mean_that_is_not_a_number_is_not_known() -> None:
    sizes = classes({}).model_copy(update={"mean": math.nan})
    assert "on average not known" in read(render(public(classes=sizes))).section("groups").text


@settings(deadline=None)
@given(share=st.floats(min_value=0, max_value=1))
def test_nothing_and_everything_are_said_only_when_they_are_meant(share: float) -> None:
    assert (percent(share) == "0%") is (share == 0)
    assert (percent(share) == "100%") is (share == 1)


@settings(deadline=None)
@given(share=st.floats(min_value=0.001, max_value=0.999))
def test_a_percentage_is_right_to_a_tenth(share: float) -> None:
    assert float(percent(share).removesuffix("%")) == pytest.approx(100 * share, abs=0.0501)


@settings(deadline=None)
@given(value=st.integers(min_value=-(10**14), max_value=10**14))
def test_whole_numbers_are_written_out_in_full(value: int) -> None:
    assert int(number(value).replace(",", "")) == value
    assert number(float(value)) == number(value)


@settings(deadline=None)
@given(size=st.integers(min_value=2, max_value=10**6))
def test_a_risk_of_one_in_a_group_names_the_size_of_the_group(size: int) -> None:
    assert chance(1 / size).startswith(f"1 in {size:,} (")


def test_bins_and_moments_read_well() -> None:
    assert bin_label(1000, 1999) == "1,000–1,999"
    assert moment("2026-12-01T23:59:59") == "1 December 2026, 23:59"
