import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Mask, UncoveredValues
from tests.oracles.hierarchy import assert_sound, leaf_counts, published


def paths(mask: Mask, values: list[object]) -> list[tuple[str | None, ...]]:
    domain = Domain.of("zip", values)
    shown = published(mask.ladder(domain), domain)
    return [shown[value] for value in values]


def test_the_zip_code_of_the_tutorial_loses_a_digit_at_each_level() -> None:
    assert paths(Mask(), ["47677"]) == [("47677", "4767*", "476**", "47***", "4****", "*")]


def test_a_large_step_a_kept_prefix_and_another_character() -> None:
    assert paths(Mask(char="X", step=3, keep=2), ["61802"]) == [("61802", "61XXX", "*")]


def test_the_kept_prefix_bounds_the_levels() -> None:
    assert paths(Mask(keep=3), ["47677"]) == [("47677", "4767*", "476**", "*")]
    assert paths(Mask(step=2), ["47677"]) == [("47677", "476**", "4****", "*")]
    assert paths(Mask(keep=5), ["47677"]) == [("47677", "*")]


def test_masking_from_the_start_keeps_the_end() -> None:
    assert paths(Mask(from_end=False, keep=3), ["47677"]) == [("47677", "*7677", "**677", "*")]


def test_numbers_are_masked_as_they_are_written() -> None:
    assert paths(Mask(keep=4), [47677, 47602]) == [("47677", "4767*", "*"), ("47602", "4760*", "*")]


def test_several_lengths_are_refused_unless_padded() -> None:
    with pytest.raises(BadInput, match="column 'zip': the values have 2 different lengths; set pad"):
        paths(Mask(), ["2138", "47677"])


def test_left_padding_brings_back_lost_zeros() -> None:
    assert paths(Mask(pad="left", keep=3), [2138, 47677]) == [
        ("2138", "0213*", "021**", "*"),
        ("47677", "4767*", "476**", "*"),
    ]


def test_right_padding_takes_short_codes_as_masked() -> None:
    assert paths(Mask(pad="right", keep=2), ["E11", "E119", "E120"]) == [
        ("E11", "E11*", "E1**", "*"),
        ("E119", "E11*", "E1**", "*"),
        ("E120", "E12*", "E1**", "*"),
    ]


def test_a_given_length_leaves_other_values_uncovered() -> None:
    with pytest.raises(UncoveredValues, match="2 values are not codes of 5 characters") as caught:
        Mask(length=5).ladder(Domain.of("zip", ["47677", "none", "476777"]))
    assert caught.value.codes == (1, 2)


def test_leaves_are_the_values_of_the_column_unless_the_alphabet_is_known() -> None:
    domain = Domain.of("zip", ["47677", "47678", "47602"])
    assert leaf_counts(Mask(keep=3).ladder(domain))[1] == {"4767*": 2, "4760*": 1}
    known = Mask(keep=3, alphabet=10).ladder(domain)
    assert known.size == 100_000
    assert leaf_counts(known)[1:] == [{"4767*": 10, "4760*": 10}, {"476**": 100}, {"*": 100_000}]


def test_values_that_padding_makes_alike_are_counted_each() -> None:
    ladder = Mask(pad="left", alphabet=10, keep=1).ladder(Domain.of("zip", ["07", "7"]))
    assert leaf_counts(ladder) == [{"07": 1, "7": 1}, {"0*": 11}, {"*": 101}]


def test_missing_is_apart() -> None:
    assert paths(Mask(keep=4), ["47677", None])[1] == (None, None, "*")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"keep": 0}, "keep must be a whole number, at least 1"),
        ({"step": 0}, "step must be"),
        ({"step": 1.5}, "step must be"),
        ({"length": "5"}, "length must be"),
        ({"alphabet": 1}, "alphabet must be"),
        ({"char": "**"}, "char must be one character"),
        ({"pad": "both"}, "pad must be left or right"),
        ({"pad": "right", "alphabet": 10}, "an alphabet cannot count"),
    ],
)
def test_wrong_parameters_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Mask(**options)  # type: ignore[arg-type]


def test_an_alphabet_that_the_values_exceed_is_refused() -> None:
    with pytest.raises(BadInput, match="more different characters"):
        Mask(alphabet=2).ladder(Domain.of("x", ["012"]))
    with pytest.raises(BadInput, match="too long to count"):
        Mask(alphabet=10).ladder(Domain.of("x", ["1" * 16]))


@given(
    st.lists(st.text("0123*", min_size=1, max_size=5), min_size=1, max_size=20),
    st.integers(1, 3),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(["left", "right"]),
    st.booleans(),
)
def test_any_mask_is_sound_and_shows_what_slicing_shows(
    values: list[str], keep: int, step: int, from_end: bool, pad: str, counted: bool
) -> None:
    domain = Domain.of("x", values)
    alphabet = 6 if counted and pad == "left" else None
    ladder = Mask(keep=keep, step=step, from_end=from_end, pad=pad, alphabet=alphabet).ladder(domain)
    assert_sound(ladder)
    longest = max(map(len, values))
    for value, path in published(ladder, domain).items():
        full = value.rjust(longest, "0") if pad == "left" else value.ljust(longest, "*")
        for level, label in enumerate(path[1:-1], 1):
            hidden = level * step
            shown = full[: longest - hidden] if from_end else full[hidden:]
            assert label == (shown + "*" * hidden if from_end else "*" * hidden + shown)
            assert len(shown) >= keep
        assert longest - len(path[1:-1]) * step - step < keep
