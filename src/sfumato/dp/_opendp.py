"""The only file that knows OpenDP: its exact samplers and selections, behind plain functions.

M. Gaboardi, M. Hay & S. Vadhan, "A programming framework for OpenDP" (2020). Whole numbers are ``i64``
throughout (its ``int`` is 32 bits, and a sum past that would be an error that depends on data). A scale that
is not a float is rounded up, so that noise is never smaller than promised. Measurements are kept per
scale and per thread: the library does not promise that one may be used by two threads at once.
"""

from __future__ import annotations

import functools
import math
import threading
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LARGEST = 2**62
_KEPT = 256


@functools.cache
def _library() -> Any:
    """Import the library once, when it is first needed."""
    import opendp.prelude as library

    library.enable_features("contrib")
    return library


def float_above(number: Fraction) -> float:
    """Return the smallest float that is not less than a positive number.

    >>> float_above(Fraction(1, 10)) == 0.1, float_above(Fraction(1, 3)) > Fraction(1, 3)
    (True, True)
    """
    near = float(number)
    return near if Fraction(near) >= number else math.nextafter(near, math.inf)


@functools.lru_cache(maxsize=_KEPT)
def _noise(kind: str, scale: float, thread: int) -> Any:
    make = _library().m.make_laplace if kind == "laplace" else _library().m.make_gaussian
    return make(*_whole_numbers(kind, thread), scale=scale)


@functools.lru_cache(maxsize=_KEPT)
def _whole_numbers(kind: str, thread: int) -> tuple[Any, Any]:
    """Return domain and metric of noise on whole numbers, which take longer to make than the noise."""
    library = _library()
    domain = library.vector_domain(library.atom_domain(T="i64"))
    return domain, library.l1_distance(T="i64") if kind == "laplace" else library.l2_distance(T="f64")


def laplace_i64(values: NDArray[np.int64], scale: Fraction) -> NDArray[np.int64]:
    """Add discrete Laplace noise, Pr[x] ∝ e^(−|x|/scale), to each value; saturated at ±2⁶²."""
    return _add("laplace", values, scale)


def gaussian_i64(values: NDArray[np.int64], scale: Fraction) -> NDArray[np.int64]:
    """Add discrete Gaussian noise, Pr[x] ∝ e^(−x²/(2·scale²)), to each value; saturated at ±2⁶²."""
    return _add("gaussian", values, scale)


def _add(kind: str, values: NDArray[np.int64], scale: Fraction) -> NDArray[np.int64]:
    measurement = _noise(kind, float_above(scale), threading.get_ident())
    inside = np.clip(values, -_LARGEST, _LARGEST)
    noisy = np.array(measurement(inside.tolist()), np.int64)
    return np.clip(noisy, -_LARGEST, _LARGEST)


@functools.lru_cache(maxsize=_KEPT)
def _selection(scale: float, gumbel: bool, thread: int) -> Any:
    library = _library()
    domain = library.vector_domain(library.atom_domain(T="i64"))
    metric = library.linf_distance(T="i64")
    measure = library.zero_concentrated_divergence() if gumbel else library.max_divergence()
    return library.m.make_noisy_max(domain, metric, measure, scale=scale)


def noisy_max_i64(scores: NDArray[np.int64], scale: Fraction, *, gumbel: bool = False) -> int:
    """Return where score + noise is largest, decided without rounding the noise: what ours is compared with.

    The noise is exponential of this scale (the same choice as permute-and-flip, ε = 2Δ/scale), or Gumbel
    (the exponential mechanism, priced as ρ). There must be one score at least.
    """
    chosen = _selection(float_above(scale), gumbel, threading.get_ident())
    return int(chosen(np.clip(scores, -_LARGEST, _LARGEST).tolist()))
