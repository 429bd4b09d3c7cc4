"""Choosing, answering at random and identifiability: figures computed by others, to forty digits."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sfumato.core.errors import PromiseNotMet
from sfumato.dp.conversions import sampled
from sfumato.dp.group_privacy import group_privacy
from sfumato.dp.identifiability import DifferentialIdentifiability, composed_rho, epsilon_to_rho
from sfumato.dp.local import OptimisedUnaryEncoding
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.partition_selection import LaplaceThreshold, PartitionSelection
from sfumato.dp.mechanisms.permute_and_flip import PermuteAndFlip
from sfumato.dp.mechanisms.randomised_response import CoinFlip, KaryRandomisedResponse, RandomisedResponse
from sfumato.dp.mechanisms.sparse_vector import SparseVector
from sfumato.dp.price import Price
from sfumato.query.attacks.possible_worlds import PossibleWorlds
from sfumato.table.models.delta_growth import DeltaGrowth
from sfumato.table.models.rho_privacy import RhoPrivacy
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.perturbation.estimator import estimate_counts
from sfumato.table.perturbation.randomisation import RetentionReplacement
from sfumato.table.perturbation.randomisation_bounds import highest_belief, largest_growth
from sfumato.table.perturbation.randomisation_small_domain import SmallDomainRandomisation

FILE = Path(__file__).resolve().parents[2].parent / "shared" / "golden" / "query.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())["cases"] if FILE.exists() else []
CLOSE = 1e-12
Case = dict[str, Any]


def close(found: Any, expected: Any) -> None:
    assert np.allclose(np.asarray(found, float), np.asarray(expected, float), rtol=CLOSE, atol=0)


def exponential(given: Case, expected: Case) -> None:
    scores = given["scores"]
    scores = list(scores.values()) if isinstance(scores, dict) else scores
    made = Exponential(given["epsilon"], given["sensitivity"], given.get("monotonic", False))
    close(made.probabilities(np.array(scores)), expected["prob"])


def exponential_quantile(given: Case, expected: Case) -> None:
    data = np.array(given["data"])
    scores = [-abs(int((data < c).sum()) - int((data > c).sum())) for c in given["candidates"]]
    assert scores == expected["scores"]
    close(Exponential(given["epsilon"]).probabilities(np.array(scores)), expected["prob"])


def permute_and_flip(given: Case, expected: Case) -> None:
    made = PermuteAndFlip(given["epsilon"], given["sensitivity"])
    close(made.probabilities(np.array(given["scores"])), expected["prob"])


def sparse_vector(given: Case, expected: Case) -> None:
    svt = SparseVector(given["epsilon"], given["sensitivity"], given["c"])
    assert svt.threshold_scale == expected["threshold_noise_scale"]
    assert svt.question_scale == expected["query_noise_scale"]
    close(svt.accuracy(100, 0.05), expected["accuracy_alpha_k100_beta0.05"])


def randomized_response(given: Case, expected: Case) -> None:
    coin = CoinFlip()
    assert coin.matrix[1][1] == Fraction(str(expected["P[yes|yes]"]))
    assert coin.matrix[0][1] == Fraction(str(expected["P[yes|no]"]))
    close(coin.epsilon, expected["epsilon"])


def randomized_response_estimate(given: Case, expected: Case) -> None:
    found = CoinFlip().estimate(np.array([given["n"] - given["yes"], given["yes"]]))
    assert math.isclose(found.shares[1], expected["p_hat"], rel_tol=CLOSE, abs_tol=CLOSE)
    close(found.share_errors[1], expected["stderr"])


def k_ary_randomized_response(given: Case, expected: Case) -> None:
    made = KaryRandomisedResponse(given["k"], given["epsilon"])
    close(float(made.truth), expected["p_truth"])
    close(float(made.other), expected["p_other"])
    close(float(made.truth - made.other), expected["retention_prob_uniform_replacement"])


def optimized_unary_encoding(given: Case, expected: Case) -> None:
    made = OptimisedUnaryEncoding(10, given["epsilon"])
    close(float(made.flip), expected["q"])
    close(made.variance, expected["var_n1"])
    assert expected["p"] == 0.5


def rr_reconstruction(given: Case, expected: Case) -> None:
    made = RandomisedResponse.retention(given["p_retention"], given["domain"])
    close(made.estimate(np.array(given["observed"])).counts, expected["estimate"])
    values = tuple("abcd")
    told = pa.table({"x": np.repeat(values, given["observed"])})
    close(estimate_counts(told, Mechanism("x", values, made.matrix)).counts, expected["estimate"])


def partition_selection(given: Case, expected: Case) -> None:
    close(LaplaceThreshold.continuous(given["epsilon"], given["delta"]), expected["threshold"])
    whole = LaplaceThreshold(given["epsilon"], given["delta"], given["max_partitions"]).threshold
    # The tail of whole numbers is heavier: the threshold rises by at most 1/2 before it is rounded up.
    assert math.ceil(expected["threshold"]) <= whole <= math.ceil(expected["threshold"] + 0.5)


def partition_selection_optimal(given: Case, expected: Case) -> None:
    made = PartitionSelection(given["epsilon"], given["delta"])
    close([made.probability(n) for n in range(1, len(expected["pi"]) + 1)], expected["pi"])


def differential_identifiability(given: Case, expected: Case) -> None:
    if "error" in expected:
        with pytest.raises(PromiseNotMet, match="more than 1/m"):
            DifferentialIdentifiability(given["rho"], given["m"])
        return
    promise = DifferentialIdentifiability(given["rho"], given["m"])
    close(float(promise.scale(given["sensitive_range"])), expected["lambda_min"])
    close(float(promise.epsilon), expected["equivalent_epsilon_S_over_lambda"])
    close(1 / given["m"], expected["baseline_1_over_m"])


def differential_identifiability_inverse(given: Case, expected: Case) -> None:
    close(composed_rho([(given["S"], given["lambda"])], given["m"]), expected["rho"])
    close(
        epsilon_to_rho(Fraction(str(given["S"])) / Fraction(str(given["lambda"])), given["m"]),
        expected["rho"],
    )


def differential_identifiability_posterior(given: Case, expected: Case) -> None:
    game = PossibleWorlds(tuple((world,) for world in given["worlds"]))
    noise = DiscreteLaplace(Fraction(str(given["lambda"])))
    close(game.posteriors([noise], np.array([[given["R"]]]))[0, 1], expected["posterior_world2"])


def identifiability(given: Case, expected: Case) -> None:
    if "rho_max" in expected:
        close(epsilon_to_rho(0, given["people"]), expected["rho_max"])
        assert round(100 * epsilon_to_rho(0, given["people"]), 1) == expected["percent_rounded"]
    else:
        # The note of the case says that only 1/68 can be tested; the share it gives is 68 of the unit.
        assert 0.0034 * given["geo_unit"] == expected["people"]


def check_group_privacy(given: Case, expected: Case) -> None:
    together = group_privacy(given["k"], given["epsilon"], given["delta"]).together
    assert together.epsilon is not None
    close([float(together.epsilon), float(together.delta)], [expected["epsilon"], expected["delta"]])


def subsampling_amplification(given: Case, expected: Case) -> None:
    found = sampled(Price.pure(given["epsilon"]), given["q"]).epsilon
    assert found is not None
    close(float(found), expected["epsilon_amplified"])


def rho1_rho2(given: Case, expected: Case) -> None:
    gamma = RhoPrivacy(given["rho1"], given["rho2"]).gamma
    close([gamma, math.log(gamma)], [expected["gamma_max"], expected["epsilon_equiv_ln_gamma"]])
    for values, shares in expected["retention"].items():
        kept = RetentionReplacement("x", rho1=given["rho1"], rho2=given["rho2"]).retention(int(values))
        close(float(kept), shares["retention_p(uniform replacement incl. self)"])
        close(float(kept + (1 - kept) / int(values)), shares["p_keep_total(diag)"])


def rho1_rho2_inverse(given: Case, expected: Case) -> None:
    found = highest_belief(Fraction(given["gamma"]), Fraction(str(given["rho1"])))
    assert found == Fraction(str(expected["rho2"]))


def retention(given: Case, expected: Case) -> None:
    values = given["domain"]
    five = RetentionReplacement("x", gamma=5).retention(values)
    close(float(five + (1 - five) / values), expected["retention_at_gamma5_diag"])
    close(
        float(RetentionReplacement("x", gamma=6).retention(values)), expected["retention_at_gamma6_uniform"]
    )
    assert round(float(five + (1 - five) / values), 5) == expected["slide_value"]


def delta_growth(given: Case, expected: Case) -> None:
    gamma = Fraction(str(given["gamma"]))
    close(largest_growth(gamma, Fraction(1)), expected["delta_max"])
    prior = Fraction(expected["at_prior"])
    close(float(highest_belief(gamma, prior) - prior), expected["delta_max"])


def delta_growth_inverse(given: Case, expected: Case) -> None:
    gamma = DeltaGrowth(given["Delta"]).gamma
    close([gamma, math.log(gamma)], [expected["gamma_max"], expected["epsilon"]])
    for values, kept in expected["retention_uniform"].items():
        close(float(RetentionReplacement("x", delta=given["Delta"]).retention(int(values))), kept)


def small_domain_randomization(given: Case, expected: Case) -> None:
    bounds = {"rho1": given["rho1"], "rho2": given["rho2"]}
    whole = RetentionReplacement("x", **bounds).retention(given["domain"])
    names = tuple(str(value) for value in range(given["subtable_domain"]))
    matrix = SmallDomainRandomisation("x", "by", {"a": names}, **bounds).mechanisms()[0].matrix
    part = matrix[0][0] - matrix[0][1]
    close([float(whole), float(part)], [expected["retention_full"], expected["retention_sub"]])
    close(float(part / whole), expected["gain"])


CHECKS: dict[str, Callable[[Case, Case], None]] = {
    check.__name__.removeprefix("check_"): check
    for check in (
        exponential,
        exponential_quantile,
        permute_and_flip,
        sparse_vector,
        randomized_response,
        randomized_response_estimate,
        k_ary_randomized_response,
        optimized_unary_encoding,
        rr_reconstruction,
        partition_selection,
        partition_selection_optimal,
        differential_identifiability,
        differential_identifiability_inverse,
        differential_identifiability_posterior,
        identifiability,
        check_group_privacy,
        subsampling_amplification,
        rho1_rho2,
        rho1_rho2_inverse,
        retention,
        delta_growth,
        delta_growth_inverse,
        small_domain_randomization,
    )
}


@pytest.mark.golden
@pytest.mark.parametrize(
    "case", [case for case in CASES if case["kind"] in CHECKS], ids=lambda case: str(case["id"])
)
def test_figures_are_those_that_others_computed(case: Case) -> None:
    CHECKS[case["kind"]](case["input"], case["expected"])


@pytest.mark.golden
def test_every_kind_has_cases(shared: Path) -> None:
    assert set(CHECKS) <= {
        case["kind"] for case in json.loads((shared / "golden" / "query.json").read_text())["cases"]
    }
