"""Similarity: the values of a class differ, and all mean much the same.

N. Li, T. Li & S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity" (2007); for
ranges of numbers J. Li, Y. Tao & X. Xiao, "Preservation of proximity privacy in publishing numerical
sensitive data" (2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.attack import AttackResult, Need
from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.table.attacks.classes.alike import Grouped, Ranges
from sfumato.table.attacks.classes.class_view import ClassView, Counts, Flags, times
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.models.numbers import check_column, check_texts, check_whole, exactly, number, plain
from sfumato.table.published import PublishedTable

USUAL_RANGE = Fraction(1, 4)
"""the share of the domain's width that counts as narrow, when nothing is said"""


@dataclass(frozen=True)
class Similarity:
    """The adversary claims what the values of a class have in common: a kind of disease, a range of salaries.

    Alike are values of one group: those that ``groups`` lists together, or those below one node of the
    column's hierarchy at ``level``. For numbers and dates without either, alike are values in a narrow range:
    of at most a share ``range`` of the width of the whole domain (a quarter, by default), or of at most
    ``width`` (for dates in days).

    With A the alike values of which most of class E have one, the claim "it is one of A" is made when a share
    of at least ``confidence`` (more than a half; by default all) of E has one of A. Then
    success = Σ_E |{ people of E with a value in A }| / N.  The claim says less than a value. What more than a
    share ``common`` of all people have in common is no news and not counted. ``values_differ`` counts those
    whose class has several values, so that homogeneity learns nothing of them.

    l-diversity does not stop it, since it only tells values apart. What stops it, with c = confidence:

    - (ε,m)-anonymity with ε ≥ ``width`` and m ≥ 2; at c = 1 also range diversity above ``width``;
    - t-closeness with a distance that knows what values mean. If a share c of E is below a node G of level h
      in a hierarchy of height H, the table has at least c − P(G) more outside of G, which has to be moved
      there: EMD ≥ (c − P(G)) · (h + 1)/H, and a smaller t rules E out. Likewise for ordered and numeric
      distances: a narrow class is far from the whole table, one of as many values spread out is close to it.

    Equal distances see at least c − P(G) too, and at the same t they are the strictest. But *every* class of
    few values is as far by them, narrow or not: where values are many and classes small, a t that leaves
    classes small lets narrow ones pass as well.

    >>> Similarity(range=0.1).title
    'the values of those who look alike are of one kind'
    """

    groups: Mapping[str, Sequence[str]] | None = None
    level: int = 1
    range: float | None = None
    width: float | None = None
    confidence: float = 1.0
    common: float = 0.6
    column: str | None = None
    name: ClassVar[str] = "similarity"
    title: ClassVar[str] = "the values of those who look alike are of one kind"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE})

    def __post_init__(self) -> None:
        check_column(self.column, self.name)
        check_whole(self.level, "level", 1, self.name)
        if sum(given is not None for given in (self.groups, self.range, self.width)) > 1:
            raise BadInput(
                "groups, range and width say the same thing in different ways",
                where=self.name,
                remedy="give one of them",
            )
        if self.range is not None and not 0 <= exactly(self.range, "range", self.name, "try range: 0.1") < 1:
            raise BadInput(
                "range must be a share of the domain's width below 1",
                where=self.name,
                remedy="try range: 0.1, or give the width itself as 'width'",
            )
        if self.width is not None and exactly(self.width, "width", self.name, "try width: 10") < 0:
            raise BadInput("width must be at least 0", where=self.name, remedy="try width: 10")
        if not 0 < exactly(self.common, "common", self.name, "try common: 0.6") <= 1:
            raise BadInput("common must be above 0 and at most 1", where=self.name, remedy="try common: 0.6")
        least = exactly(self.confidence, "confidence", self.name, "try confidence: 0.9")
        if not Fraction(1, 2) < least <= 1:
            raise BadInput(
                "confidence must be above 0.5 and at most 1", where=self.name, remedy="try confidence: 0.9"
            )
        for members in (self.groups or {}).values():
            check_texts(members, "every group", self.name)

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for what the values of every class have in common."""
        progress.step("looking for classes with values that are alike")
        view = ClassView.of(self.name, self.column, target)
        values, people = view.values, view.attempts
        hierarchy = target.hierarchies.get(view.column) or knowledge.hierarchies.get(view.column)
        by_range = self.range is not None or self.width is not None
        alike: Grouped | Ranges
        if self.groups is not None or (hierarchy is not None and not by_range):
            alike, kind = Grouped(self._group_of(values.domain, hierarchy), values.added_up), "group"
        else:
            alike, kind = Ranges.of(values.domain, values.added_up, self._width(values.domain)), "range"
        found = alike.claims(values.starts, values.codes, view.persons)
        hit = found.right & self._claimed(found.backing, view.told, found.among, people)
        anyway = found.right_without & self._claimed(
            found.backing - 1, view.told - 1, found.among - 1, people - 1
        )
        alone = view.told == 1
        anyway[alone] = self._known_anyway(alike, values.added_up)[values.codes[alone]]
        least = exactly(self.confidence, "confidence", self.name, "")
        enough = "all" if least == 1 else f"at least {plain(least)}"
        note = f"success: {enough} of their class, and they, have values in one {kind}"
        old = view.counted(found.right & _share(found.backing, least, view.told)[0] & ~hit)
        if old:
            most = plain(exactly(self.common, "common", self.name, ""))
            note += f"; not counted are {old:,} people of whom it is no news, as more than {most} of all do"
        return view.result(
            self.threat,
            view.counted(hit) / people,
            view.counted(anyway) / people,
            guessing=alike.best_guess(exactly(self.common, "common", self.name, "") * people) / people,
            certain=view.counted(hit & (found.backing == view.told)),
            highest=float((found.backing / view.told).max()),
            details={
                "values_differ": view.counted(hit & (view.distinct > 1)),
                "classes_alike": len(np.unique(view.part[hit])),
            },
            note=note,
            victims=view.victims(hit, found.backing / view.told) if victims else (),
        )

    def _claimed(self, backing: Counts, size: Counts, among: Counts, people: int) -> Flags:
        """Say where enough of a class share what is claimed, and not nearly everybody."""
        least, most = (exactly(share, "", self.name, "") for share in (self.confidence, self.common))
        everybody = np.full(len(among), people, np.int64)
        return _share(backing, least, size)[0] & _share(among, most, everybody)[1] & (backing > 0)

    def _known_anyway(self, alike: Grouped | Ranges, base: Counts) -> Flags:
        """Say for every value whether the whole table without somebody who has it gives the same away."""
        codes = np.flatnonzero(base)
        found = alike.claims(np.array([0, len(codes)], np.int64), codes, base[codes])
        others = int(base.sum()) - 1
        size = np.full(len(codes), others, np.int64)
        known = np.zeros(len(base), np.bool_)
        known[codes] = found.right_without & self._claimed(found.backing - 1, size, found.among - 1, others)
        return known

    def _group_of(self, domain: Domain, hierarchy: Hierarchy | None) -> Counts:
        """Return the group of every value; values that no group lists are groups of their own."""
        where = f"column '{domain.name}'"
        if self.groups is None:
            assert hierarchy is not None
            ladder = hierarchy.ladder(domain)
            if self.level >= ladder.height:
                raise BadInput(
                    f"level {self.level} of its hierarchy says nothing: the top is level {ladder.height}",
                    where=where,
                    remedy="choose a lower level, or list 'groups'",
                )
            group: Counts = ladder.rungs[self.level].astype(np.int64)
        else:
            listed: dict[str, int] = {}
            for i, members in enumerate(self.groups.values()):
                for member in members:
                    if listed.setdefault(member, i) != i:
                        raise BadInput(
                            "a value is in two groups", where=where, remedy="put every value into one group"
                        )
            own = len(self.groups)
            group = np.array(
                [listed.get(text or "", own + code) for code, text in enumerate(domain.texts)], np.int64
            )
            if (group >= own).all():
                raise BadInput(
                    "no value of the column is in any of the groups",
                    where=where,
                    remedy="write the values as they stand in the release",
                )
        if len(np.unique(group)) == 1:
            raise BadInput(
                "all its values are in one group, so that there is nothing to learn",
                where=where,
                remedy="choose a lower level, or smaller groups",
            )
        return group

    def _width(self, domain: Domain) -> Fraction:
        """Return the width that counts as narrow."""
        where = f"column '{domain.name}'"
        if domain.scale is Scale.CATEGORY:
            raise BadInput(
                "nothing says which of its values are alike",
                where=where,
                remedy="give it a hierarchy, or list 'groups' of values that mean much the same",
            )
        places = [number(value) for value in domain.values if value is not None]
        whole = places[-1] - places[0]
        share = USUAL_RANGE if self.range is None else exactly(self.range, "range", self.name, "")
        width = share * whole if self.width is None else exactly(self.width, "width", self.name, "")
        if width >= whole:
            raise BadInput(
                "the whole column lies in such a range, so that there is nothing to learn",
                where=where,
                remedy="choose a smaller width",
            )
        return width


def _share(part: Counts, share: Fraction, whole: Counts) -> tuple[Flags, Flags]:
    """Say where part/whole is at least, and where it is at most a share, without rounding."""
    have, wanted = times(np.maximum(part, 0), share.denominator), times(whole, share.numerator)
    return (have >= wanted).astype(np.bool_), (have <= wanted).astype(np.bool_)
