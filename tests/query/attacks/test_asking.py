"""Adversaries who ask: they win against exact answers and against noise that nobody adds up, not against us.

What an adversary may ask is decided by seeds and by the order of people; noise is drawn afresh. Where a test
bounds success by chance it says with which probability it fails wrongly; their sum is below 10⁻⁶.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pytest

from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput
from sfumato.dp.audit.intervals import tail
from sfumato.query.attacks import ATTACKS, Averaging, Collusion, Differencing, Exhaustion, Reconstruction
from sfumato.query.attacks.contract import Person
from sfumato.query.attacks.reconstruction import least_squares
from sfumato.query.attacks.targets import ExactAnswers, WithoutLedger
from tests.query.attacks.conftest import PEOPLE, Open


def right(found: AttackResult) -> int:
    return round(found.success * found.attempts)


def balanced(people: Sequence[Person]) -> list[Person]:
    """Take six of the ill and six others."""
    return [person for truth in (True, False) for person in people if person.truth is truth][:: PEOPLE // 12]


def test_differencing_is_right_about_everybody_where_answers_are_exact(clinic: Open) -> None:
    here = clinic("1", "1")
    people = balanced(here.people)
    found = Differencing("people", "ill").run(ExactAnswers(here.database), people)
    assert found.success == 1.0
    assert found.baseline == 0.5
    assert found.details["beyond chance"] == pytest.approx(2.0 ** -len(people))


def test_differencing_ends_with_the_budget(clinic: Open) -> None:
    """0.3 pays for three questions of 0.1: the count of all once, and two people's differences.

    So at most two guesses can be better than blind, whatever the noise.
    """
    here = clinic("1", "0.3")
    people = balanced(here.people)
    found = Differencing("people", "ill").run(here.database, people)
    assert found.details["learnt something of"] == 2
    assert found.success <= 0.5 + 2 / len(people)
    assert here.spent("adversary") == Decimal("0.3")


def test_averaging_wins_where_nobody_adds_up(clinic: Open) -> None:
    """25 answers at ε = 3: their average errs by 0.45/5 = 0.09, and half a person is 5.5 of that.

    So each of 8 guesses is wrong with probability below 10⁻⁶ (the sum of 25 such draws is beyond 12.5 with
    probability 2 · 10⁻⁷ by Chernoff), two of them with probability below 10⁻¹¹.
    """
    here = clinic("1", "1")
    attack = Averaging("people", "ill", epsilon=3, repeats=25)
    found = attack.run(WithoutLedger(here.database), here.people[:8])
    assert right(found) >= 7
    assert found.details["fresh answers"] == 8 * 25


def test_another_spelling_is_the_same_question_and_gets_the_same_answer(clinic: Open) -> None:
    here = clinic("100", "100")
    found = Averaging("people", "ill", repeats=30).run(here.database, here.people[:3])
    assert found.details["questions"] == 90
    assert found.details["fresh answers"] == 3
    assert here.spent("adversary") == Decimal("0.3")


def test_another_question_with_the_same_answer_is_charged(clinic: Open) -> None:
    """Each costs, so that the budget ends the average: 10 answers about the first person, then nothing."""
    here = clinic("100", "1")
    attack = Averaging("people", "ill", repeats=30, differently=True)
    found = attack.run(here.database, here.people[:3])
    assert found.details["fresh answers"] == 10
    assert found.details["refused"] == 80
    assert found.details["learnt something of"] == 1
    assert here.spent("adversary") == Decimal("1.0")


def test_four_questions_of_a_tenth_of_three_tenths(clinic: Open) -> None:
    here = clinic("10", "0.3")
    found = Exhaustion("people", "0.3", "code", epsilon="0.1").run(here.database)
    assert str(found.details["pattern"]).startswith("TTTF")
    assert "T" not in str(found.details["pattern"])[3:]
    assert found.success == 0.0
    assert found.attempts >= 20
    assert here.spent("adversary") == Decimal("0.3")


def test_exhaustion_tells_a_database_that_does_not_stop(clinic: Open) -> None:
    here = clinic("1", "1")
    found = Exhaustion("people", "0.3", "code").run(WithoutLedger(here.database))
    assert found.success == 1.0
    with pytest.raises(BadInput, match="did not end within 50"):
        Exhaustion("people", "1000", "code", most=50).run(WithoutLedger(here.database))


def test_colluding_analysts_stay_within_the_data_set_s_budget(clinic: Open) -> None:
    """Ten analysts with 0.5 each have 5 together, but the data set has 0.7."""
    analysts = tuple(f"analyst{i}" for i in range(10))
    here = clinic("0.7", "0.5", analysts)
    people = balanced(here.people)
    found = Collusion("people", "ill", analysts).run(here.database, people)
    assert found.details["epsilon in all"] == pytest.approx(0.7)
    assert here.spent("clinic") == Decimal("0.7")
    assert found.details["learnt something of"] == 1
    assert found.success <= 0.5 + 1 / len(people)


def test_collusion_is_charged_to_every_analyst_where_the_data_set_allows_it(clinic: Open) -> None:
    """A cap that never binds is no cap: four analysts get four answers about each of three people."""
    analysts = ("ann", "ben", "cem", "dea")
    here = clinic("1000", "3", analysts)
    found = Collusion("people", "ill", analysts, epsilon=1).run(here.database, here.people[:3])
    assert found.details["fresh answers"] == 12
    assert found.details["epsilon in all"] == 12.0
    assert {here.spent(analyst) for analyst in analysts} == {Decimal(3)}


def test_reconstruction_gives_back_everybody_where_answers_are_exact(clinic: Open) -> None:
    here = clinic("1", "1")
    attack = Reconstruction("people", "ill", "code", questions=2 * PEOPLE)
    found = attack.run(ExactAnswers(here.database), here.people)
    assert found.success == 1.0


def test_reconstruction_succeeds_as_questions_grow_where_nobody_adds_up(clinic: Open) -> None:
    """With ε = 1 for each of 180 questions 0.7 of 60 bits are wrong on average (measured), 1.2 % each.

    47 right or fewer would be 13 errors or more; at twice that rate C(60, 13) · 0.025^13 < 10⁻⁸.
    """
    here = clinic("1", "1")
    target = WithoutLedger(here.database)
    many = Reconstruction("people", "ill", "code", questions=3 * PEOPLE, epsilon=1).run(target, here.people)
    assert right(many) >= 48
    assert float(many.details["beyond chance"]) < 1e-5


def test_reconstruction_does_not_beat_a_blind_guess_against_us(clinic: Open) -> None:
    """Four questions of ε = 0.005 are answered: ε = 0.02 in all.

    Who is ill was drawn apart from the questions. If nobody were ill, answers and so guesses would have
    nothing to do with it, and the number right would be spread no wider than binomial(60, 1/2) (W. Hoeffding
    1963). By group privacy all 60 people together make an event at most e^(60 · 0.02) times as likely. So 52
    or more right have probability below e^1.2 · 10⁻⁸.
    """
    here = clinic("1", "0.02")
    attack = Reconstruction("people", "ill", "code", questions=100, epsilon="0.005")
    found = attack.run(here.database, here.people)
    assert found.details["answered"] == 4
    assert math.exp(1.2) * tail(52, PEOPLE, 0.5) < 1e-7
    assert right(found) < 52
    assert here.spent("adversary") == Decimal("0.02")


def test_bits_within_bounds_are_those_of_a_slow_search() -> None:
    """Least squares over {0, 1}³ by trying all, against the solver on exact answers."""
    generator = np.random.default_rng(3)
    for _ in range(20):
        matrix = (generator.random((8, 3)) < 0.5).astype(float)
        truth = (generator.random(3) < 0.5).astype(float)
        if np.linalg.matrix_rank(matrix) == 3:
            assert np.round(least_squares(matrix, matrix @ truth)).tolist() == truth.tolist()


def test_an_attack_on_nobody_is_refused_and_not_scored(clinic: Open) -> None:
    here = clinic("1", "1")
    with pytest.raises(BadInput, match="nobody to attack"):
        Differencing("people", "ill").run(here.database, [])
    with pytest.raises(BadInput, match="nothing known"):
        Averaging("people", "ill").run(here.database, [Person({}, True)])
    with pytest.raises(BadInput, match="two analysts"):
        Collusion("people", "ill", ("ann", "ann"))
    with pytest.raises(BadInput, match="whole numbers"):
        Averaging("people", "ill", differently=True).run(here.database, [Person({"sex": "f"}, True)])
    with pytest.raises(BadInput, match="one value only"):
        Reconstruction("people", "ill", "sex").run(here.database, here.people[:1])


def test_questions_that_are_not_understood_are_no_failure_of_the_attack(clinic: Open) -> None:
    """They say nothing about the database: the error is told, and no success rate of 0."""
    here = clinic("1", "1")
    with pytest.raises(BadInput):
        Differencing("people", "il").run(here.database, here.people[:1])
    with pytest.raises(BadInput):
        Reconstruction("persons", "ill", "code").run(here.database, here.people[:3])


def test_names_with_quotes_and_conjunctions_stay_one_value(clinic: Open) -> None:
    here = clinic("1", "1")
    person = Person({"city": "f' OR 'a' = 'a AND b", "code": 1}, True)
    found = Averaging("people", "ill", repeats=6).run(ExactAnswers(here.database), [person])
    assert found.details["refused"] == 0
    assert found.success == 0.0


def test_every_attack_has_a_name_and_a_threat() -> None:
    for name, attack in ATTACKS.items():
        assert attack.name == name
        assert attack.title
        assert attack.threat
