"""The classes of a node where a promise is about what is left: several choices, of which the best counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table import judge as judging
from sfumato.table.judge import Findings
from sfumato.table.left_out import LeftOut
from sfumato.table.methods.lattice.grouping import Classes
from sfumato.table.methods.lattice.incumbent import Incumbent, least_of_node
from sfumato.table.methods.lattice.ruled import RuledClasses, RuledGrouper, RuledSurvey
from sfumato.table.methods.lattice.shape import Levels
from sfumato.table.utility.contract import Scorer
from sfumato.table.utility.separable import SuppressionCosts


class ChoosingGrouper(RuledGrouper):
    """Groups the cells of one table at any node, and chooses what is left out there.

    Of the choices that keep every promise as it will be released the best under the measure is taken. What
    a survey says of the nodes below (``surely``) holds of every choice; what it says of its own node is
    ``proved`` where no other choice could be better.
    """

    def __init__(self, left_out: LeftOut, ladders: tuple[Ladder, ...], limit: int, scorer: Scorer) -> None:
        super().__init__(left_out.judge, ladders, limit)
        self._left_out, self._scorer = left_out, scorer
        self._best_so_far = Incumbent()

    def survey(self, classes: Classes, smallest: int) -> RuledSurvey:  # type: ignore[override]
        """Choose what is left out at a node; more than the limit where no choice was found."""
        assert isinstance(classes, RuledClasses)
        # What breaks a relaxed rule breaks the promise under every choice.
        floor = super().survey(classes, smallest)
        if floor.hopeless or floor.surely > self._limit:
            return floor
        judged = _as_judged(classes)
        if self._left_out.refutes(judged):
            return replace(floor, hopeless=True)
        unknown = replace(floor, suppressed=self._limit + 1, proved=False)
        appraisal = self._scorer.appraise(unknown)
        if least_of_node(classes.levels, appraisal, self._scorer) > self._best_so_far.cut:
            # No choice here is better than one that was found: none is looked for.
            return unknown
        best, proved = self._best(judged, floor, self._telling(classes))
        if best is None:
            return replace(unknown, proved=proved)
        self._best_so_far.offer(classes.levels, best.suppressed, self._scorer.appraise(best))
        return replace(best, proved=proved)

    def left_out(self, levels: Levels, smallest: int) -> NDArray[np.bool_]:
        """Find of every class of a node whether it is left out."""
        classes = self.group(levels)
        assert isinstance(classes, RuledClasses)
        floor = super().survey(classes, smallest)
        best, _ = self._best(_as_judged(classes), floor, self._telling(classes))
        assert best is not None
        assert best._findings is not None
        return best._findings.broken

    def _telling(self, classes: RuledClasses) -> NDArray[np.float64] | None:
        """Return how much every class says: what the measure charges for leaving out a row of it.

        None where the measure charges nothing for single rows.
        """
        costs = getattr(self._scorer, "suppression", None)
        if not self._left_out.asks_of_all or not isinstance(costs, SuppressionCosts):
            return None
        found, code = np.zeros(len(classes)), self.coding
        keys = classes.keys[: len(classes) * code.words].reshape(len(classes), code.words)
        for j, level in enumerate(classes.levels.tolist()):
            group = (keys[:, code.word[j]] >> code.shift[j]) & code.mask[j]
            found += costs.extra[costs.offset[j, level, level] + group]
        return found * self.total_rows

    def _best(
        self, classes: judging.Classes, floor: RuledSurvey, telling: NDArray[np.float64] | None
    ) -> tuple[RuledSurvey | None, bool]:
        choices = self._left_out.choices(classes, floor._findings, telling)
        found = []
        for out in choices.found:
            survey = self._of_choice(classes, floor, out)
            appraisal = self._scorer.appraise(survey)
            found.append(((appraisal.value, appraisal.then, survey.suppressed), survey))
        best = min(found, key=lambda pair: pair[0])[1] if found else None
        return best, choices.complete

    def _of_choice(self, classes: judging.Classes, floor: RuledSurvey, out: NDArray[np.bool_]) -> RuledSurvey:
        """Survey a node of which these classes are left out."""
        assert floor._findings is not None
        rows = classes.rows[~out]
        return replace(
            floor,
            suppressed=int(classes.rows[out].sum()),
            _findings=Findings(out, floor._findings.certain, floor._findings.gone),
            kept=int(np.count_nonzero(rows)),
            squares_kept=int((rows**2).sum()),
        )


def _as_judged(classes: RuledClasses) -> judging.Classes:
    return judging.Classes(classes.rows, classes.persons, classes.population, classes.values.entries())
