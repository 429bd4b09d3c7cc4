"""A release costs no more than the whole budget that its data set declares.

``database.yaml`` says what may ever be spent on its people. One release is paid at once, so its price is
compared as the ledger of the service would compare it where nothing was spent: ε and δ under basic
composition, ρ under zCDP; exactly, and the limit itself is allowed. What earlier releases and answers spent
is not known here.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from sfumato.dp.budget import FILTERS
from sfumato.dp.exact import as_decimal
from sfumato.dp.price import Price
from sfumato.query.ledger.contract import Budget, BudgetGone, Composition, Scope
from sfumato.query.methods.curator import budget_of
from sfumato.query.spelling import DatabaseFile


def declared_budget(declared: DatabaseFile) -> Budget | None:
    """Return what may be spent on the data set in all; None where nothing was declared."""
    return next((one for one in declared.budgets if one.scope is Scope.DATA_SET), None)


def refuse_too_dear(price: Price, budget: Budget | None) -> None:
    """Refuse a release that alone would spend more than the data set has.

    >>> hospital = Budget(Scope.DATA_SET, "h", "h", "", Composition.BASIC, Decimal(2), Decimal(0))
    >>> refuse_too_dear(Price.pure(2), hospital)
    >>> try:
    ...     refuse_too_dear(Price.pure("2.1"), hospital)
    ... except BudgetGone as problem:
    ...     print(problem.what)
    the release would cost ε = 2.1, δ = 0, and the whole budget of the data set is ε = 2, δ = 0
    """
    if budget is None:
        return
    zcdp = budget.composition is Composition.ZCDP
    paid = _with_rho(price) if zcdp else price
    nothing = Decimal(0)
    if FILTERS[budget.composition].pays(budget.limit, budget.delta, nothing, nothing, paid) is not None:
        return
    unit = "ρ" if zcdp else "ε"
    cost = f"ε = {price.epsilon}, δ = {price.delta:g}"
    cost = f"ρ = {paid.rho:f} ({cost})" if zcdp else cost
    beside = "" if zcdp else f", δ = {budget.delta:g}"
    raise BudgetGone(
        f"the release would cost {cost}, and the whole budget of the data set is {unit} = {budget.limit:f}"
        f"{beside}",
        where="models",
        remedy="promise less, or declare a larger 'budget' in the database's file",
    )


def _with_rho(price: Price) -> Price:
    """Return a price with the ρ that methods spend for it: the largest that (ε, δ) allow."""
    if price.rho is not None:
        return price
    return replace(price, rho=as_decimal(budget_of(price)[1]))
