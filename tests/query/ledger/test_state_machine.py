"""Anything that can be done to a ledger, in any order, beside a slow one that shares nothing with it."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.chain import Head
from sfumato.query.ledger.contract import Asked, Budget, Charged, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.oracles.ledger import SlowLedger
from tests.query.ledger.ask import open_windows

ANALYSTS = ["ann", "bo"]
GROUPS = ["", "staff", "students"]
DATA_SETS = ["clinic", "ward"]
PRICES = [
    Price.pure("0.1"),
    Price.pure("0.2"),
    Price.pure("0.000000000000000001"),
    Price.approximate("0.3", "1e-9"),
    Price.approximate("0.1", "1e-9", rho="0.01", rho_delta="5e-10"),
    Price.concentrated("0.02"),
    Price.concentrated("0.1", delta="1e-9"),
]
questions = st.builds(
    Asked,
    analyst=st.sampled_from(ANALYSTS),
    group=st.sampled_from(GROUPS),
    data_set=st.sampled_from(DATA_SETS),
    window=st.sampled_from(["", "2025"]),
    version=st.sampled_from(["1", "2"]),
    question=st.sampled_from(["count", "mean"]),
    price=st.sampled_from(PRICES),
)


class LedgerMachine(RuleBasedStateMachine):
    """Charges, answers, limits, suspensions, restarts and clocks that jump."""

    @initialize(
        limit=st.sampled_from(["0.3", "1"]),
        composition=st.sampled_from(list(Composition)),
        group=st.sampled_from([None, *GROUPS]),
    )
    def open_and_give_everybody_a_budget(
        self, limit: str, composition: Composition, group: str | None
    ) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.now = 10**9
        self.url = f"sqlite:///{self.folder}/ledger.db"
        self.ledger = SqlLedger.create(self.url, clock=lambda: self.now)
        self.slow = SlowLedger()
        self.numbers: dict[int, int] = {}
        self.head = Head(0, "0" * 64)
        for data_set, window in itertools.product(DATA_SETS, ["", "2025"]):
            self.set_budget(Scope.DATA_SET, data_set, data_set, window, limit, "2e-9", composition)
            for name in ANALYSTS:
                self.set_budget(Scope.ANALYST, name, data_set, window, limit, "1e-9", composition)
        if group is not None:
            self.add_account("ann", group)

    @rule(
        scope=st.sampled_from(list(Scope)),
        name=st.sampled_from([*ANALYSTS, *GROUPS[1:]]),
        data_set=st.sampled_from(DATA_SETS),
        window=st.sampled_from(["", "2025"]),
        limit=st.sampled_from(["0", "0.1", "0.3", "0.30", "1", "5"]),
        delta=st.sampled_from(["0", "1e-9", "3e-9"]),
        composition=st.sampled_from(list(Composition)),
    )
    def set_budget(
        self,
        scope: Scope,
        name: str,
        data_set: str,
        window: str,
        limit: str,
        delta: str,
        composition: Composition,
    ) -> None:
        name = data_set if scope is Scope.DATA_SET else name
        place = (data_set, window, str(scope), name)
        new = (str(composition), Fraction(limit), Fraction(delta))
        changes = place in self.slow.limits and self.slow.limits[place][0] != new[0]
        try:
            self.ledger.set_budget(
                Budget(scope, name, data_set, window, composition, Decimal(limit), Decimal(delta))
            )
        except BadInput:
            assert changes
            assert any(self.slow.spent(place))
        else:
            assert not changes or not any(self.slow.spent(place))
            self.slow.limits[place] = new

    @rule(batch=st.lists(questions, min_size=1, max_size=5))
    def charge(self, batch: list[Asked]) -> None:
        for found, question in zip(self.ledger.charge(batch), batch, strict=True):
            what, paid = self.slow.charge(question)
            if paid is None:
                assert type(found).__name__ == what
            else:
                assert isinstance(found, Charged)
                assert found.fresh == (what == "paid")
                assert found.answer == paid.answer
                assert self.numbers.setdefault(paid.number, found.spend) == found.spend

    @precondition(lambda self: self.slow.paid)
    @rule(
        picks=st.lists(
            st.tuples(st.integers(0, 99), st.sampled_from(["1", "2", "3"])), min_size=1, max_size=4
        )
    )
    def store(self, picks: list[tuple[int, str]]) -> None:
        those = [(self.slow.paid[pick % len(self.slow.paid)], answer) for pick, answer in picks]
        found = self.ledger.store([(self.numbers[paid.number], answer) for paid, answer in those])
        for (paid, answer), counted in zip(those, found, strict=True):
            if paid.answer is None:
                paid.answer = answer
            assert counted == paid.answer

    @rule(name=st.sampled_from(ANALYSTS), group=st.sampled_from(GROUPS))
    def add_account(self, name: str, group: str) -> None:
        try:
            Accounts(self.ledger).add(name, group=group)
        except BadInput:
            assert name in self.slow.groups
        else:
            assert name not in self.slow.groups
            self.slow.groups[name] = group

    @precondition(lambda self: self.slow.groups)
    @rule(pick=st.integers(0, 1), stop=st.booleans())
    def suspend_or_resume(self, pick: int, stop: bool) -> None:
        name = sorted(self.slow.groups)[pick % len(self.slow.groups)]
        accounts = Accounts(self.ledger)
        (accounts.suspend if stop else accounts.resume)(name)
        (self.slow.suspended.add if stop else self.slow.suspended.discard)(name)

    @rule(data_set=st.sampled_from(DATA_SETS), stop=st.booleans())
    def suspend_or_resume_data(self, data_set: str, stop: bool) -> None:
        accounts = Accounts(self.ledger)
        (accounts.suspend_data_set if stop else accounts.resume_data_set)(data_set)
        (self.slow.stopped.add if stop else self.slow.stopped.discard)(data_set)

    @rule(data_set=st.sampled_from(DATA_SETS), window=st.sampled_from(["", "2025"]))
    def open_window(self, data_set: str, window: str) -> None:
        open_windows(self.ledger, window, data_set=data_set)
        self.slow.admit(data_set, window)

    @rule(jump=st.integers(-(10**12), 10**12))
    def move_the_clock(self, jump: int) -> None:
        self.now = max(0, self.now + jump)

    @rule()
    def restart(self) -> None:
        self.ledger.close()
        self.ledger = SqlLedger(self.url, clock=lambda: self.now)

    @rule()
    def keep_the_head(self) -> None:
        self.head = self.ledger.head()

    @invariant()
    def every_total_is_the_sum_of_what_was_paid(self) -> None:
        found = {
            (each.data_set, each.window, str(each.scope), each.name): each
            for each in self.ledger.all_budgets()
        }
        assert found.keys() == self.slow.limits.keys()
        for place, budget in found.items():
            assert (Fraction(budget.spent), Fraction(budget.spent_delta)) == self.slow.spent(place)

    def teardown(self) -> None:
        if hasattr(self, "ledger"):
            result = verify_chain(self.ledger, self.head)
            assert result.holds, result
            assert (result.charges, result.answers) == (
                len(self.slow.paid),
                sum(paid.answer is not None for paid in self.slow.paid),
            )
            self.ledger.close()
            shutil.rmtree(self.folder)


TestLedgerMachine = LedgerMachine.TestCase
TestLedgerMachine.settings = settings(
    max_examples=20,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
