"""Our samplers draw what the papers define, exactly, and broken ones are caught by the same tests.

A test of draws fails a correct sampler with probability below 1e-7 (``tests.oracles.dp_noise`` says how it
is computed). The noise is not seeded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SecretRandom, SeededRandom
from sfumato.dp import _opendp
from sfumato.dp.mechanisms import coins, enclosure, fixed_point, sampler
from sfumato.dp.mechanisms.sampler import (
    bernoulli_exp,
    exact_gaussian,
    exact_laplace,
    geometric,
    saturated_sum,
)
from tests.oracles import dp_noise as oracle

DRAWS = 300_000
SCALES = [Fraction(1, 3), Fraction(1), Fraction(10, 3), Fraction(20)]
exponents = st.fractions(min_value=0, max_value=60, max_denominator=10**9)


def power(exponent: Fraction, digits: int = 120) -> Decimal:
    with localcontext(prec=digits):
        return (-oracle.decimal_of(exponent)).exp()


class TestEnclosures:
    @given(exponents, st.integers(1, 200))
    def test_a_power_of_e_lies_between_its_bounds(self, exponent: Fraction, bits: int) -> None:
        low, high = enclosure.exp_minus(exponent)(bits)
        with localcontext(prec=120):
            assert low <= power(exponent) * 2**bits <= high
        assert high - low <= 2

    @given(exponents, st.integers(1, 200), st.sampled_from([1, 2]))
    def test_odds_lie_between_their_bounds(self, exponent: Fraction, bits: int, times: int) -> None:
        low, high = enclosure.odds_minus(exponent, times)(bits)
        with localcontext(prec=120):
            assert low <= times * 2**bits * power(exponent) / (1 + power(exponent)) <= high
        assert high - low <= 2

    @given(exponents, st.integers(1, 200), st.integers(1, 10**9), st.integers(1, 10**9))
    def test_a_share_lies_between_its_bounds(
        self, exponent: Fraction, bits: int, first: int, second: int
    ) -> None:
        low, high = enclosure.share(first, second, exponent)(bits)
        with localcontext(prec=120):
            assert low <= 2**bits * first / (first + second * power(exponent)) <= high
        assert high - low <= 2

    @given(exponents.filter(bool), st.integers(1, 150))
    def test_first_bits_are_the_floor(self, exponent: Fraction, bits: int) -> None:
        with localcontext(prec=120):
            assert enclosure.first_bits(enclosure.exp_minus(exponent), bits) == math.floor(
                power(exponent) * 2**bits
            )

    @given(st.lists(st.integers(0, 2**38), min_size=1, max_size=20))
    def test_powers_in_fixed_point_lie_between_their_bounds(self, units: list[int]) -> None:
        array = np.array(units)
        below, above = fixed_point.exp_minus_below(array), fixed_point.exp_minus_above(array)
        for unit, low, high in zip(units, below.tolist(), above.tolist(), strict=True):
            assert low <= power(Fraction(unit, 2**24)) * 2**31 <= high
            assert high - low <= 12


class TestCoins:
    @pytest.mark.parametrize("depth", [1, 2, 5, 128])
    @pytest.mark.parametrize("exponent", [Fraction(1, 100), Fraction(1), Fraction(7, 2)])
    def test_coins_show_one_as_often_as_they_should(self, depth: int, exponent: Fraction) -> None:
        """A depth of few bits leaves cells undecided, which are then decided one by one."""
        draws = 5_000 if depth < 5 else DRAWS
        seen = coins.bernoulli(enclosure.exp_minus(exponent), draws, depth=depth).astype(np.int64)
        right = {0: 1 - power(exponent), 1: power(exponent)}
        assert chi_of_coins(seen, right) <= oracle.chi_square_limit(1)

    def test_a_coin_that_calls_undecided_cells_zero_is_caught(self) -> None:
        tails = coins.bernoulli(enclosure.exp_minus(Fraction(1)), DRAWS).astype(np.int64)
        undecided = np.random.default_rng(1).random(DRAWS) < 1 / 32
        right = {0: 1 - power(Fraction(1)), 1: power(Fraction(1))}
        assert chi_of_coins(np.where(undecided, 0, tails), right) > oracle.chi_square_limit(1)

    @pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 1000])
    def test_any_number_of_coins_can_be_drawn(self, size: int) -> None:
        assert coins.bernoulli(enclosure.exp_minus(Fraction(1)), size).shape == (size,)
        assert bernoulli_exp(Fraction(0), size).all()
        assert not bernoulli_exp(Fraction(10**6), size).any()

    def test_a_negative_exponent_is_refused(self) -> None:
        with pytest.raises(BadInput, match="at least 0"):
            bernoulli_exp(Fraction(-1), 1)

    def test_cells_of_one_word_are_independent(self) -> None:
        """Pairs of neighbours show each of the four faces as often as independent coins do."""
        seen = coins.bernoulli(enclosure.exp_minus(Fraction(1)), 2 * DRAWS).astype(np.int64)
        p = power(Fraction(1))
        right = {0: (1 - p) ** 2, 1: p * (1 - p), 2: p * (1 - p), 3: p * p}
        assert chi_of_coins(2 * seen[::2] + seen[1::2], right) <= oracle.chi_square_limit(3)


def chi_of_coins(seen: np.ndarray, probabilities: dict[int, Decimal]) -> float:
    cells = [(x, x, float(p)) for x, p in sorted(probabilities.items())]
    return oracle.chi_square(seen, cells)


class TestLaplace:
    @pytest.mark.parametrize("scale", SCALES)
    def test_draws_follow_the_definition(self, scale: Fraction) -> None:
        right = oracle.laplace(scale, int(60 * scale) + 60)
        assert oracle.looks_like(exact_laplace(scale, DRAWS), right)

    @pytest.mark.parametrize("scale", SCALES[1:])
    def test_broken_noise_is_caught(self, scale: Fraction) -> None:
        right = oracle.laplace(scale, int(60 * scale) + 60)
        assert not oracle.looks_like(exact_laplace(scale * Fraction(96, 100), DRAWS), right)
        zero_counted_twice = sampler.signed(geometric(scale, DRAWS), coins.fair_coins(DRAWS))
        assert not oracle.looks_like(zero_counted_twice, right)
        a_digit_missing = exact_laplace(scale, DRAWS)
        assert not oracle.looks_like(
            a_digit_missing & ~np.int64(1 << max(0, int(scale).bit_length() - 1)), right
        )

    def test_sums_of_two_cells_follow_the_definition(self) -> None:
        """Which they do only if neighbouring cells, and the digits of one, are independent."""
        scale = Fraction(4)
        one = np.array([float(p) for p in oracle.laplace(scale, 160).values()])
        both = {x: Decimal(p) for x, p in zip(range(-320, 321), np.convolve(one, one), strict=True)}
        drawn = exact_laplace(scale, DRAWS)
        assert oracle.looks_like(drawn[::2] + drawn[1::2], both)
        assert not oracle.looks_like(2 * drawn[::2], both)

    def test_large_scales_follow_the_continuous_limit(self) -> None:
        """The quantiles of |x|/scale are those of −ln U; the discrete law differs by 1e-12."""
        scale = Fraction(10**15, 3)
        edges = -np.log(1 - np.arange(1, 50) / 50)
        drawn = np.abs(exact_laplace(scale, DRAWS)) / float(scale)
        for stretched, right in ((1.0, True), (0.96, False)):
            seen = np.bincount(np.searchsorted(edges, drawn * stretched), minlength=50)
            statistic = ((seen - DRAWS / 50) ** 2 / (DRAWS / 50)).sum()
            assert (statistic <= oracle.chi_square_limit(49)) == right

    @pytest.fixture
    def rare_digits_are_frequent(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """The digits that are drawn one by one begin at once: in a third of the draws instead of e^−32."""
        monkeypatch.setattr(sampler, "_RARE", 1)
        sampler._coins_of.cache_clear()
        yield
        sampler._coins_of.cache_clear()

    @pytest.mark.usefixtures("rare_digits_are_frequent")
    def test_the_highest_digits_are_drawn_right(self) -> None:
        scale = Fraction(3)
        assert oracle.looks_like(exact_laplace(scale, 30_000), oracle.laplace(scale, 180))

    def test_it_draws_like_opendp(self) -> None:
        theirs = _opendp.laplace_i64(np.zeros(40_000, np.int64), Fraction(10, 3))
        assert oracle.look_alike(exact_laplace(Fraction(10, 3), 40_000), theirs)
        assert not oracle.look_alike(exact_laplace(Fraction(8, 3), 40_000), theirs)


class TestGaussian:
    @pytest.mark.parametrize("sigma", SCALES)
    def test_draws_follow_the_definition(self, sigma: Fraction) -> None:
        right = oracle.gaussian(sigma, int(14 * sigma) + 14)
        assert oracle.looks_like(exact_gaussian(sigma, DRAWS), right)

    @pytest.mark.parametrize("sigma", SCALES[1:])
    def test_broken_noise_is_caught(self, sigma: Fraction) -> None:
        right = oracle.gaussian(sigma, int(14 * sigma) + 14)
        assert not oracle.looks_like(exact_gaussian(sigma * Fraction(97, 100), DRAWS), right)
        rounded = np.trunc(np.random.default_rng(1).normal(0, float(sigma), DRAWS)).astype(np.int64)
        assert not oracle.looks_like(rounded, right)

    @pytest.mark.parametrize("sigma", [Fraction(2**26) + Fraction(1, 3), Fraction(10**15, 7)])
    def test_large_scales_follow_the_continuous_limit(self, sigma: Fraction) -> None:
        edges = np.linspace(-2.5, 2.5, 51)
        drawn = exact_gaussian(sigma, DRAWS) / float(sigma)
        seen = np.bincount(np.searchsorted(edges, drawn), minlength=52)
        below = np.array([0.0, *(0.5 * math.erfc(-e / math.sqrt(2)) for e in edges), 1.0])
        expected = DRAWS * np.diff(below)
        assert ((seen - expected) ** 2 / expected).sum() <= oracle.chi_square_limit(51)
        thinner = np.bincount(np.searchsorted(edges, drawn * 0.96), minlength=52)
        assert ((thinner - expected) ** 2 / expected).sum() > oracle.chi_square_limit(51)

    @given(
        st.fractions(min_value=Fraction(1, 1000), max_value=2**56, max_denominator=10**6),
        st.lists(st.floats(0, 64, exclude_max=True), min_size=1, max_size=20),
    )
    @settings(max_examples=200)
    def test_the_exponent_of_acceptance_lies_between_its_bounds(
        self, sigma: Fraction, places: list[float]
    ) -> None:
        proposal = sampler._proposal(sigma)
        assert proposal.scale / 2 < sigma <= proposal.scale
        y = np.array([min(int(p * float(proposal.scale)), proposal.far - 1) for p in places], np.uint64)
        low, high = proposal.exponents(y)
        for magnitude, below, above in zip(y.tolist(), low.tolist(), high.tolist(), strict=True):
            gamma = (magnitude / sigma - sigma / proposal.scale) ** 2 / 2
            assert below <= gamma * 2**24 <= above
            assert above - below <= 5 * (magnitude / sigma + 1) + 4

    def test_where_bounds_do_not_decide_the_rational_number_does(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Bounds that know nothing leave every cell to the exact comparison, and draws stay right."""
        monkeypatch.setattr(sampler, "exp_minus_below", np.zeros_like)
        monkeypatch.setattr(sampler, "exp_minus_above", lambda x: np.full_like(x, 2**31))
        sigma = Fraction(10, 3)
        assert oracle.looks_like(exact_gaussian(sigma, 20_000), oracle.gaussian(sigma, 60))

    def test_it_draws_like_opendp(self) -> None:
        theirs = _opendp.gaussian_i64(np.zeros(40_000, np.int64), Fraction(10, 3))
        assert oracle.look_alike(exact_gaussian(Fraction(10, 3), 40_000), theirs)
        assert not oracle.look_alike(exact_gaussian(Fraction(8, 3), 40_000), theirs)


class TestLimits:
    @pytest.mark.parametrize("draw", [exact_laplace, exact_gaussian])
    @pytest.mark.parametrize("scale", [Fraction(1, 2**10), Fraction(1, 50), Fraction(10**9), Fraction(2**56)])
    def test_small_and_large_scales_work(self, draw: object, scale: Fraction) -> None:
        drawn = draw(scale, 1000)  # type: ignore[operator]  # one of two functions
        assert drawn.shape == (1000,)
        assert np.abs(drawn).max() <= 60 * scale + 1

    @pytest.mark.parametrize("draw", [exact_laplace, exact_gaussian])
    @pytest.mark.parametrize("scale", [Fraction(0), Fraction(-1), Fraction(1, 2**11), Fraction(2**57)])
    def test_scales_outside_are_refused(self, draw: object, scale: Fraction) -> None:
        with pytest.raises(BadInput, match="between 2\\^-10 and 2\\^56"):
            draw(scale, 1)  # type: ignore[operator]  # one of two functions

    @pytest.mark.parametrize("draw", [exact_laplace, exact_gaussian])
    def test_more_than_a_chunk_and_nothing_can_be_drawn(
        self, draw: object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sampler, "_CHUNK", 100)
        for size in (0, 1, 100, 101, 250):
            assert draw(Fraction(5), size).shape == (size,)  # type: ignore[operator]  # one of two functions

    @pytest.mark.parametrize("draw", [exact_laplace, exact_gaussian])
    def test_only_a_generator_of_a_test_repeats_itself(self, draw: object) -> None:
        def drawn(random: object) -> list[int]:
            return draw(Fraction(100), 50, random).tolist()  # type: ignore[operator]  # one of two functions

        assert drawn(SeededRandom(1)) == drawn(SeededRandom(1)) != drawn(SeededRandom(2))
        assert drawn(None) != drawn(None)
        assert drawn(SecretRandom()) != drawn(SecretRandom())

    @given(
        st.lists(
            st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63) + 1, 2**63 - 1)), min_size=1
        )
    )
    def test_sums_saturate_and_never_wrap(self, pairs: list[tuple[int, int]]) -> None:
        most = 2**62
        values, noise = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
        expected = [
            max(-most, min(most, max(1 - most, min(most - 1, value)) + extra)) for value, extra in pairs
        ]
        assert saturated_sum(values, noise).tolist() == expected
