"""RBAT: split one item of all public codes while every rule stays protected.

Loukides, Gkoulalas-Divanis, Shao: "Anonymizing transaction data to eliminate sensitive inferences" (DEXA
2010). A rule I → J is protected when sup(I) ≥ k and sup(I ∪ J) / sup(I) ≤ c, each code matched by the item
that stands for it; sensitive codes are published as they are. All public codes begin as one item. An item is
split in two, begun with the two codes whose common item would lose most (UL); every other code joins the
side on which the loss grows less. A split is kept while all rules hold; else the item is final.

The paper takes it that rules which one item of all codes breaks cannot be kept. That is not so, since joining
codes may raise a confidence: see ``rule_partitions``. So the search also begins with codes as they are.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.asked import most_support, questions_of
from sfumato.codes.methods.rule_partitions import Partition, Partitions, Rule
from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress

_Bits = NDArray[np.uint64]


@dataclass(frozen=True)
class RuleBased:
    """Set-based generalisation for PS-rules, and for listed privacy constraints.

    Needs no hierarchy: an item is any set of public codes, and every public code belongs to one item in all
    records. Nothing is left out. Codes stay as they are where all rules hold so. Of up to eight public codes
    all partitions into items are looked at: the one that loses least is taken, and where none is found, none
    exists. Of more codes, or very many rules, the search goes down from one item and up from single codes;
    where both fail a release may still exist, and the error says that not all were tried.

    It protects from the rules that are listed and from nothing else.

    >>> from sfumato.codes.models.ps_rules import PsRules
    >>> sets = CodeSets.of([["a"], ["b", "s"], ["c"], ["d"]])
    >>> problem = Problem(sets, (PsRules(2, 0.5, [(["b"], ["s"])]),), sensitive=sets.sensitive(["s"]))
    >>> published = RuleBased().protect(problem).published
    >>> [published.record(row) for row in range(4)]
    [('a',), ('(b,d)', 's'), ('c',), ('(b,d)',)]
    """

    name: ClassVar[str] = "rule-based"
    needs_hierarchy: ClassVar[bool] = False

    def enforces(self, question: Question) -> bool:
        """Say whether the question lists itemsets or rules."""
        return question.family is Family.LISTED and question.spread is None

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Keep codes as they are if that will do, else join as few as the rules allow."""
        questions = questions_of(problem, self)
        most_support(problem, questions)
        told = {code for question in questions for codes in question.told for code in codes}
        intact = problem.marked.copy()
        intact[list(problem.sets.positions(told))] = True
        rules = _rules_of(problem, questions)
        search = _Search.of(problem.sets, intact, rules)
        partitions = Partitions(search.bits, tuple(np.flatnonzero(~intact).tolist()), rules)
        found = self._found(search, partitions, progress)
        groups = [*map(sorted, found), *([code] for code in np.flatnonzero(intact).tolist())]
        groups = sorted(group for group in groups if group)
        items = Items.of_groups(problem.sets.domain, groups, sensitive=problem.sensitive)
        item_of = np.empty(len(problem.sets.domain), np.int64)
        for item, group in enumerate(groups):
            item_of[group] = item
        return Solution(
            PublishedSets.by_code(problem.sets, items, item_of),
            {"partitions": partitions.looked_at, "items": len(groups), "rules": len(rules)},
        )

    def _found(self, search: _Search, partitions: Partitions, progress: Progress) -> Partition:
        """Return the best partition that keeps all rules, of those that are looked at."""
        if partitions.keeps(partitions.apart):
            return partitions.apart
        found: list[Partition] = []
        broken = sum(not search.holds(rule) for rule in search.rules)
        if not broken:
            search.split_all(progress)
            found.append(tuple(frozenset(group) for group in search.groups.values() if group))
        whole = partitions.all_can_be_tried()
        other = partitions.best() if whole else partitions.joined()
        found += [] if other is None else [other]
        if not found:
            tried = "there is no way" if whole else f"no way was found in {partitions.looked_at:,} tries"
            raise PromiseNotMet(
                f"{tried} to join public codes that keeps all {len(search.rules)} rules "
                f"({broken} do not hold with all public codes in one item)",
                where=self.name,
                remedy="lower k, raise the confidence c, or leave rules out",
            )
        if not whole:
            found = [partitions.finer(one) for one in found]
        # The first of equals: what going down has found.
        return min(found, key=partitions.loss)


def _rules_of(problem: Problem, questions: tuple[Question, ...]) -> list[Rule]:
    """Read questions as rules; one without consequents is about every sensitive code."""
    sets, found = problem.sets, []
    for question in questions:
        for number, listed in enumerate(question.listed):
            known = sets.positions(listed)
            occurs = len(known) == len(set(listed))
            consequents: list[tuple[int, ...] | None] = [None]
            if question.told:
                told = sets.positions(question.told[number])
                consequents = [told if len(told) == len(set(question.told[number])) else None]
            elif question.confidence is not None:
                others = np.flatnonzero(problem.marked).tolist()
                consequents += [(code,) for code in others if code not in known]
            found += [Rule(known, consequent, occurs, question) for consequent in consequents]
    return found


@dataclass
class _Search:
    """The items so far: for each code its group, for each group its codes and the records that hold it."""

    bits: _Bits
    """the records of each code"""
    group_of: list[int]
    groups: dict[int, list[int]]
    held: dict[int, _Bits]
    rules: list[Rule]
    used_by: dict[int, list[Rule]] = field(default_factory=dict)

    @classmethod
    def of(cls, sets: CodeSets, intact: NDArray[np.bool_], rules: list[Rule]) -> _Search:
        """Begin with all public codes in one item."""
        from sfumato.codes._kernels_bits import bits_of

        bits = bits_of(sets.starts, sets.codes, len(sets.domain))
        public = np.flatnonzero(~intact).tolist()
        # Group 0 is that of all public codes; a code that stays as it is has one of its own.
        group_of = [code + 1 if intact[code] else 0 for code in range(len(sets.domain))]
        held = {code + 1: bits[code] for code in np.flatnonzero(intact).tolist()}
        held[0] = np.bitwise_or.reduce(bits[public], axis=0) if public else bits[:0].sum(axis=0)
        search = cls(bits, group_of, {0: public}, held, rules)
        for rule in rules:
            for code in {*rule.known, *(rule.told or ())}:
                search.used_by.setdefault(code, []).append(rule)
        return search

    def support(self, codes: tuple[int, ...]) -> int:
        """Count the records that match all of some codes."""
        groups = {self.group_of[code] for code in codes}
        return int(np.bitwise_count(np.bitwise_and.reduce([self.held[g] for g in groups])).sum())

    def holds(self, rule: Rule) -> bool:
        """Say whether one rule is protected."""
        return rule.holds(self.support)

    def split_all(self, progress: Progress) -> int:
        """Split items while all rules hold; return how many splits were kept."""
        progress.step("splitting items while all rules hold")
        waiting = deque([0])
        unused = len(self.group_of) + 1
        codes = max(len(self.groups[0]), 1)
        final = splits = 0
        while waiting:
            group = waiting.popleft()
            inside = self.groups[group]
            if len(inside) > 1:
                before = self.held[group]
                sides = self._two_sides(inside)
                touched = {id(rule): rule for code in inside for rule in self.used_by.get(code, ())}
                for side in sides:
                    self._place(side, unused)
                    waiting.append(unused)
                    unused += 1
                if all(self.holds(rule) for rule in touched.values()):
                    del self.groups[group], self.held[group]
                    splits += 1
                    continue
                for _ in sides:
                    taken = waiting.pop()
                    del self.groups[taken], self.held[taken]
                self._place(inside, group)
                self.held[group] = before
            final += len(inside)
            progress.update(final / codes, f"{splits} splits")
        return splits

    def _place(self, inside: list[int], group: int) -> None:
        self.groups[group] = inside
        self.held[group] = np.bitwise_or.reduce(self.bits[inside], axis=0)
        for code in inside:
            self.group_of[code] = group

    def _two_sides(self, inside: list[int]) -> tuple[list[int], list[int]]:
        """Part the codes of an item: UL of a side of n codes that s records hold grows as (2^n − 1) · s.

        Whole numbers keep the comparison exact, however many codes there are.
        """
        sides = [[code] for code in self._seeds(inside)]
        held = [self.bits[side[0]].copy() for side in sides]
        matched = [int(np.bitwise_count(bits).sum()) for bits in held]
        seeds = {side[0] for side in sides}
        for code in inside:
            if code in seeds:
                continue
            joined = [int(np.bitwise_count(bits | self.bits[code]).sum()) for bits in held]
            growth = [
                2 ** len(sides[i]) * (2 * joined[i] - matched[i]) - (joined[i] - matched[i]) for i in (0, 1)
            ]
            best = 0 if growth[0] <= growth[1] else 1
            sides[best].append(code)
            held[best] |= self.bits[code]
            matched[best] = joined[best]
        return sides[0], sides[1]

    def _seeds(self, inside: list[int]) -> tuple[int, int]:
        """Return the two codes that most records hold together, the first such pair in the order of codes.

        An item of two codes loses in proportion to the records with at least one of them.
        """
        supports = np.bitwise_count(self.bits[inside]).sum(axis=1)
        order = sorted(range(len(inside)), key=lambda place: (-int(supports[place]), place))
        best, most = (inside[order[0]], inside[order[1]]), -1
        for number, first in enumerate(order):
            if number + 1 < len(order) and supports[first] + supports[order[number + 1]] <= most:
                break
            for second in order[number + 1 :]:
                if supports[first] + supports[second] <= most:
                    break
                either = self.bits[inside[first]] | self.bits[inside[second]]
                matched = int(np.bitwise_count(either).sum())
                if matched > most:
                    best, most = (inside[first], inside[second]), matched
        return best
