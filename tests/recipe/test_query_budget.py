"""One release never costs more than its data set declares."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.dp.conversions import rho_to_epsilon
from sfumato.dp.price import Price
from sfumato.query.ledger.contract import Budget, BudgetGone, Composition, Scope
from sfumato.query.spelling import parse_database, read_database
from sfumato.recipe.query.affordable import declared_budget, refuse_too_dear
from tests.cli.commands import sfumato
from tests.recipe.query_examples import hospital, recipe_text

TEXT = "data_set: d\nbudget: {budget}\ntables: {{t: {{max_rows: 9, columns: {{b: {{type: boolean}}}}}}}}\n"


def refused(price: Price, budget: str) -> bool:
    found = declared_budget(parse_database(TEXT.format(budget=budget)))
    assert found is not None
    try:
        refuse_too_dear(price, found)
    except BudgetGone:
        return True
    return False


@pytest.mark.parametrize(
    ("price", "budget", "too_dear"),
    [
        (Price.pure(2), "{epsilon: 2}", False),
        (Price.pure("2.000000000000000001"), "{epsilon: 2}", True),
        (Price.pure(50), "{epsilon: 2}", True),
        (Price.pure("0.3"), "{epsilon: 0.3}", False),
        (Price.approximate(2, "1e-9"), "{epsilon: 2}", True),
        (Price.approximate(2, "1e-9"), "{epsilon: 2, delta: 1e-9}", False),
        (Price.approximate(2, "0.000000001000000001"), "{epsilon: 2, delta: 1e-9}", True),
        (Price.approximate(3, "1e-9"), "{epsilon: 2, delta: 1e-6}", True),
        (Price.pure(1), "{composition: zcdp, rho: 0.5}", False),
        (Price.pure("1.000000000000000001"), "{composition: zcdp, rho: 0.5}", True),
        (Price.pure(2), "{composition: zcdp, epsilon: 2, delta: 1e-6}", True),
        (Price.approximate(2, "5e-7"), "{composition: zcdp, epsilon: 2, delta: 1e-6}", False),
        (Price.approximate(2, "1e-6"), "{composition: zcdp, epsilon: 2, delta: 1e-6}", True),
    ],
)
def test_the_limit_itself_is_allowed_and_the_smallest_step_beyond_is_not(
    price: Price, budget: str, too_dear: bool
) -> None:
    """A zCDP budget that is given as (ε, δ) makes ρ from half of δ: a price may take that half alone."""
    assert refused(price, budget) is too_dear


@given(
    st.fractions(Fraction(1, 100), 9, max_denominator=1000),
    st.sampled_from(["1e-12", "1e-9", "1e-6"]),
    st.fractions(Fraction(1, 1000), 9, max_denominator=1000),
)
def test_what_is_allowed_in_rho_keeps_the_guarantee_of_the_budget(
    epsilon: Fraction, delta: str, limit: Fraction
) -> None:
    """From the other side: ρ is turned into ε, where the code turns ε into ρ."""
    price = Price.approximate(round(float(epsilon), 6), delta)
    rho = Decimal(str(round(float(limit), 6)))
    budget = Budget(Scope.DATA_SET, "d", "d", "", Composition.ZCDP, rho, Decimal(0))
    assert price.epsilon is not None
    most = rho_to_epsilon(rho, delta)
    try:
        refuse_too_dear(price, budget)
    except BudgetGone:
        assert price.epsilon > most * Decimal("0.999999")
    else:
        assert price.epsilon <= most * Decimal("1.000001")


def dear(tmp_path: Path, budget: str, models: str = "  - differential-privacy: {epsilon: 50}") -> Path:
    recipe = hospital(tmp_path, recipe_text(models=models), patients=50)
    file = recipe.parent / "database.yaml"
    file.write_text(file.read_text().replace("budget: {epsilon: 1000, delta: 1e-6}", f"budget: {budget}"))
    return recipe


@pytest.mark.parametrize("option", [["--dry-run"], []])
def test_a_recipe_beyond_the_budget_ends_with_1_names_both_figures_and_leaves_nothing(
    option: list[str], tmp_path: Path
) -> None:
    recipe = dear(tmp_path, "{epsilon: 2}")
    done = sfumato("protect", recipe, *option, folder=recipe.parent)
    assert done.returncode == 1
    said = " ".join(done.stderr.split())
    assert "would cost ε = 50, δ = 0, and the whole budget of the data set is ε = 2, δ = 0" in said
    assert "declare a larger 'budget'" in said
    assert not list(recipe.parent.glob("**/release"))
    assert not list(recipe.parent.glob(".sfumato*"))


def test_a_recipe_at_the_budget_is_made(tmp_path: Path) -> None:
    recipe = dear(tmp_path, "{epsilon: 2}", "  - differential-privacy: {epsilon: 2}")
    assert not sf.verify(sf.run(recipe).release).refuted


def test_of_several_promises_the_one_that_is_paid_counts(tmp_path: Path) -> None:
    both = "  - differential-privacy: {epsilon: 50}\n  - differential-privacy: {epsilon: 2}"
    assert sf.run(dear(tmp_path, "{epsilon: 2}", both)).evidence.spent.epsilon == "2"


def test_the_budget_of_a_file_binds_python_too(tmp_path: Path) -> None:
    folder = dear(tmp_path, "{epsilon: 2}").parent
    data, file = folder / "patients.csv", folder / "database.yaml"
    for database in (file, str(file), read_database(file)):
        with pytest.raises(
            BudgetGone, match=r"ε = 2\.5, δ = 0, and the whole budget of the data set is ε = 2"
        ):
            sf.protect_query(data, database=database, method="independent-marginals", epsilon=2.5)
    made = sf.protect_query(data, database=file, method="independent-marginals", epsilon=2)
    assert made.verdicts[0].holds
