"""Search logs under a number: what people ask gives away who they are, all together if not one by one.

Barbaro & Zeller 2006, *A face is exposed for AOL searcher no. 4417749*: landscapers in a town, several people
of one surname, singles of sixty: reporters needed no more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.domain import as_day, as_text
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.engine.contract import Layout, Table
from sfumato.engine.recoding import PerAttribute
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.sparse.directory import Directory, Fits
from sfumato.table.published import PublishedTable

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_SCHOOL = re.compile(r"class of ((?:19|20)\d\d)")
_AGED = re.compile(r"(?:turning|aged|i am) (\d\d)\b")
_DECADE = re.compile(r"over (\d\d)\b|\b(\d\d) (?:plus|single)")
MOST_MENTIONS = 5
"""asking for the same thing more often than this tells no more"""


@dataclass(frozen=True)
class SearchLogs:
    """Looks in what each searcher asked for surnames, places and ages, and scores the people of a directory.

        Score(p) = Σ_e min(n_e, 5) · log₂(N / N_e)    over the hints e that fit p

    where n_e searches give the hint e and N_e of the N people of the directory fit it. The best is claimed
    when they are ahead of the second by ``margin`` bits and two kinds of hints speak for them: a name alone
    may be somebody else's.

    The identified file is a directory with names, and if it has them places and birth dates; ``places`` leads
    from names of places to what the directory's column for them says. Numbers instead of names protect from
    nothing here. Fresh numbers every day, or leaving out what few people asked, does.
    """

    places: Mapping[str, str]
    searcher: str = "searcher"
    query: str = "query"
    date: str | None = "date"
    name_column: str = "name"
    place_column: str | None = "zip"
    birth_column: str | None = "birth_date"
    margin: float = 3.0
    name: ClassVar[str] = "search-logs"
    title: ClassVar[str] = "finds the people behind numbered searches by names, places and ages in them"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def __post_init__(self) -> None:
        if not isinstance(self.places, Mapping):
            raise BadInput(
                "'places' must lead from names of places to what the directory says for them",
                where=self.name,
                remedy="write {mill quarter: '81703'}",
            )
        if isinstance(self.margin, bool) or not isinstance(self.margin, int | float) or self.margin < 0:
            raise BadInput("'margin' must be a number from 0 on", where=self.name, remedy="try 3")

    @cached_property
    def _known(self) -> dict[tuple[str, ...], str]:
        """What the directory says for a place, by the words of its name."""
        return {tuple(_WORD.findall(place.lower())): as_text(at) for place, at in self.places.items()}

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Read the log and the directory, and look for everybody who searched."""
        people = knowledge.people
        if people is None:
            raise BadInput("there is no directory to look people up in", where=self.name, remedy="give one")
        progress.step("reading searches")
        directory = Directory.of(
            *self._columns(people.table, people.person),
            names=self.name_column,
            places=self.place_column,
            births=self.birth_column,
        )
        log = _picked(target.table, [self.searcher, self.query, self.date, target.person], 2)
        asked: dict[str, list[tuple[str, Any]]] = {}
        owner: dict[str, str | None] = {}
        dates = log[self.date].to_pylist() if self.date in log.column_names else [None] * log.num_rows
        owners = log[target.person].to_pylist() if target.person else dates
        for who, query, date, person in zip(
            log[self.searcher].to_pylist(), log[self.query].to_pylist(), dates, owners, strict=True
        ):
            if who is not None and query is not None:
                asked.setdefault(as_text(who), []).append((str(query).lower(), date))
                owner.setdefault(as_text(who), None if person is None else as_text(person))
        if not asked:
            raise BadInput("nobody searched for anything", where=self.name, remedy="check the columns")
        progress.step("looking people up")
        right = None
        if target.person is not None and people.person is not None and directory.ids is not None:
            place_of = {number: place for place, number in enumerate(directory.ids)}
            right = {who: place_of.get(number or "", -1) for who, number in owner.items()}
        return self._found(asked, right, directory, victims, progress)

    def _found(
        self,
        asked: Mapping[str, list[tuple[str, Any]]],
        right: Mapping[str, int] | None,
        directory: Directory,
        victims: bool,
        progress: Progress,
    ) -> AttackResult:
        searchers = [who for who in asked if right is None or right[who] >= 0]
        if not searchers:
            raise BadInput(
                "nobody who searched is in the directory",
                where=self.name,
                remedy="check that both name people alike",
            )
        hit = np.zeros(len(searchers))
        claimed = np.zeros(len(searchers), np.bool_)
        best = np.full(len(searchers), -1)
        confidence = np.zeros(len(searchers))
        silent = linked = 0
        for place, who in enumerate(searchers):
            progress.update(place / len(searchers))
            fits = self.hints(asked[who], directory)
            if not fits:
                silent += 1
                continue
            scores, kinds = _scores(fits, directory)
            top = np.flatnonzero(scores >= scores.max() - 1e-9)
            best[place] = top[0]
            confidence[place] = float(1.0 / np.exp2(scores - scores.max()).sum())
            second = np.partition(scores, -2)[-2] if len(scores) > 1 else 0.0
            claimed[place] = len(top) == 1 and scores.max() - second >= self.margin and kinds[top[0]] >= 2
            hit[place] = claimed[place] if right is None else (right[who] in top) / len(top)
            linked += len(asked[who]) if claimed[place] and hit[place] == 1.0 else 0
        sure = claimed & (hit == 1.0)
        details: dict[str, int | float | str] = {
            "people in the directory": len(directory),
            "claimed": int(claimed.sum()),
            "searchers without a hint": silent,
        }
        if right is not None:
            details["false matches"] = int((claimed & ~sure).sum())
            details["searches laid bare"] = linked
        if len(searchers) < len(asked):
            details["searchers who are not in the directory"] = len(asked) - len(searchers)
        return AttackResult(
            self.name,
            self.threat,
            attempts=len(searchers),
            success=float(hit.mean()),
            baseline=1.0 / len(directory),
            guessing=1.0 / len(directory),
            certain=int(sure.sum()),
            highest=float(confidence.max()),
            scored=Scored.CLAIMED if right is None else Scored.MEASURED,
            details=details,
            note="every number of the log is one attempt",
            victims=tuple(
                Victim(int(best[i]) + 1, float(confidence[i])) for i in np.flatnonzero(sure)[:MOST_VICTIMS]
            )
            if victims
            else (),
        )

    def hints(self, asked: list[tuple[str, Any]], directory: Directory) -> list[Fits]:
        """Return what somebody's searches hint at: who fits each hint, and how often it was given."""
        found: Counter[tuple[str, Any]] = Counter()
        for query, date in asked:
            words = _WORD.findall(query)
            found.update({("name", word) for word in words if word in directory.surnames})
            found.update({("full name", pair) for pair in pairwise(words) if pair in directory.full_names})
            for length in {len(place) for place in self._known}:
                phrases = {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}
                found.update({("place", self._known[some]) for some in phrases if some in self._known})
            found.update({("age", years) for years in _years(query, date)})
        fits = (directory.fitting(kind, what, min(n, MOST_MENTIONS)) for (kind, what), n in found.items())
        return [some for some in fits if some is not None]

    def _columns(self, table: Table, person: str | None) -> tuple[pa.Table, str | None]:
        return _picked(table, [self.name_column, self.place_column, self.birth_column, person], 1), person


def _scores(fits: list[Fits], directory: Directory) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Add up the bits that speak for everybody, and count the kinds of hints that do."""
    scores = np.zeros(len(directory))
    speaking: dict[str, NDArray[np.bool_]] = {}
    for fit in fits:
        scores[fit.people] += fit.mentions * np.log2(len(directory) / len(fit.people))
        speaking.setdefault(fit.kind, np.zeros(len(directory), np.bool_))[fit.people] = True
    return scores, np.sum(list(speaking.values()), axis=0)


def _years(query: str, date: Any) -> list[tuple[int, int]]:
    """Read years of birth from a search: the first and the last that it hints at.

    >>> _years("class of 1968", None), _years("dating over 60", "2006-04-01"), _years("over 60", None)
    ([(1949, 1951)], [(1936, 1946)], [])
    """
    found = [(int(year) - 19, int(year) - 17) for year in _SCHOOL.findall(query)]
    day = as_day(date)
    if day is None:
        return found
    now = int(np.datetime64(int(day) - 719_163, "D").astype("datetime64[Y]").astype(int)) + 1970
    found += [(now - int(age) - 1, now - int(age)) for age in _AGED.findall(query)]
    found += [
        (now - int(one or other) - 10, now - int(one or other)) for one, other in _DECADE.findall(query)
    ]
    return found


def _picked(table: Table, columns: list[str | None], needed: int) -> pa.Table:
    """Read those columns that there are; the first ones must be."""
    for name in columns[:needed]:
        if name not in table.names:
            raise BadInput(
                f"there is no column '{name}'",
                where=SearchLogs.name,
                remedy=nearest(name or "", table.names),
            )
    kept = tuple(dict.fromkeys(name for name in columns if name in table.names))
    layout = Layout(tuple(name for name in kept if name is not None), ())
    picked = table.engine.recode(table, PerAttribute((), {}), layout)
    return table.engine.arrow(picked)
