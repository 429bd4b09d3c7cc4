"""Background knowledge: values that a person cannot have are crossed out, and what is left is claimed.

A. Machanavajjhala, J. Gehrke, D. Kifer & M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
(2006); D. J. Martin, D. Kifer, A. Machanavajjhala, J. Gehrke & J. Y. Halpern, "Worst-case background
knowledge for privacy-preserving data publishing" (2007); T. Li & N. Li, "Injector: mining background
knowledge for data anonymization" (2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.classes.left_over import LeftOver
from sfumato.table.attacks.classes.negative_rules import Never
from sfumato.table.attacks.contract import Knowledge, sensitive_column
from sfumato.table.attacks.matching.who import is_original
from sfumato.table.models.numbers import check_column, exactly
from sfumato.table.models.sensitive import besides
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class BackgroundKnowledge:
    """The adversary crosses out what a person cannot have, and claims the most frequent value that is left.

    With h_v people of value v in the class of a person, and X the values that somebody with their
    quasi-identifiers never has, the claim is  argmax { h_v : v ∉ X };  of several a coin decides. The
    adversary is sure (``certain``) where one value is left.

    X comes from ``never``, facts such as {column: sex, value: m, not: ovarian cancer}, and with ``mine`` from
    the data: a value that nobody with some quasi-identifier has, although at least ``expected`` people would
    be expected to (ten: by chance alone that happens once in e^10 = 22,000). Facts tell most about people who
    are known precisely, where the release shows less: so the original serves as the people and as the truth
    if it is at hand, else an identified file; rules are mined from the original. Of the release alone only
    facts about the labels that it shows can be used, and a mined rule would say nothing new.

    Distinct l-diversity keeps an adversary unsure who crosses out at most l − 2 values, and not one who
    crosses out more; no model bounds how many that may be. Without the target the rules stay as they are,
    and the class is read without their record: the baseline.

    >>> BackgroundKnowledge(never=[{"column": "sex", "value": "f", "not": "prostate cancer"}]).title
    'what somebody cannot have is crossed out'
    """

    never: Sequence[Mapping[str, Any] | Never] = ()
    mine: bool = True
    expected: float = 10
    column: str | None = None
    name: ClassVar[str] = "background-knowledge"
    title: ClassVar[str] = "what somebody cannot have is crossed out"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE})
    uses: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def __post_init__(self) -> None:
        check_column(self.column, self.name)
        if exactly(self.expected, "expected", self.name, "try expected: 10") <= 0:
            raise BadInput("expected must be above 0", where=self.name, remedy="try expected: 10")
        if not isinstance(self.mine, bool):
            raise BadInput("mine must be true or false", where=self.name, remedy="try mine: true")
        if isinstance(self.never, str | Mapping):
            raise BadInput(
                "never must be a list of facts",
                where=self.name,
                remedy="write [{column: sex, value: m, not: ovarian cancer}]",
            )
        object.__setattr__(self, "never", tuple(Never.of(fact, self.name) for fact in self.never))

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Find the class of everybody, cross out what they cannot have, claim what is left."""
        progress.step("crossing out what people cannot have")
        column = sensitive_column(self.name, self.column, target)
        known = (*target.quasi, *besides(column, target.known))
        facts = tuple(fact for fact in self.never if isinstance(fact, Never))
        for fact in facts:
            if fact.column not in known:
                raise BadInput(
                    f"a fact under 'never' is about '{fact.column}', which the adversary does not know",
                    where=self.name,
                    remedy=nearest(fact.column, known),
                )
        expected = exactly(self.expected, "expected", self.name, "") if self.mine else None
        about_file = knowledge.people is not None and not is_original(knowledge.people, knowledge)
        if knowledge.original is not None and not about_file:
            if column not in knowledge.original.table.names:
                raise BadInput(
                    f"the original has no column '{column}', so that nobody can tell who is right",
                    where=self.name,
                    remedy="give an original that holds it",
                )
            found = LeftOver.of_original(target, column, known, knowledge, facts, expected)
        elif knowledge.people is not None:
            found = LeftOver.of_people(target, column, knowledge, facts)
        else:
            found = LeftOver.of_release(self.name, target, column, facts)
        if not found.attempts:
            raise BadInput(
                "nobody whom the adversary knows may be in the release",
                where=self.name,
                remedy="check that the file is about the same people, or give the hierarchies",
            )
        notes = [*found.notes]
        if any(mechanism.column == column for mechanism in target.mechanisms):
            notes.append("the values were randomised")
        if about_file and self.mine and knowledge.original is not None:
            notes.append("rules are looked for in the original only where everybody in it is attacked")
        if not found.rules:
            notes.append("no rule applies, so that the most frequent value of a class is claimed")
        details: dict[str, int | float | str] = {
            "rules": found.rules,
            "values_crossed_out": found.crossed_out,
        }
        if found.not_placed:
            details["not_attacked"] = found.not_placed
        return AttackResult(
            self.name,
            self.threat,
            found.attempts,
            min(found.success, 1.0),
            min(found.baseline, 1.0),
            found.guessing,
            certain=found.certain,
            highest=found.highest,
            column=column,
            scored=Scored.MEASURED if knowledge.original is not None and not about_file else Scored.EXPECTED,
            details=details,
            note="; ".join(notes),
            victims=found.victims() if victims else (),
        )
