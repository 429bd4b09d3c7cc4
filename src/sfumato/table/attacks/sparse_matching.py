"""Sparse high-dimensional matching: a few ratings with errors find a person among millions of entries.

Narayanan & Shmatikov 2008, *Robust de-anonymization of large sparse datasets*: in films, purchases or
searches nearly everybody is alone with very few of their entries, and errors hardly help.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.matching.who import is_original
from sfumato.table.attacks.sparse.ratings import Columns, RatingRows, Ratings, positions, read_rows
from sfumato.table.attacks.sparse.scoreboard import KnownRatings, Match, Scoreboard, noisy_knowledge
from sfumato.table.published import PublishedTable

_COMPARED = "each claim was compared with who the person is"
_CLAIMED = "claims that stand out; nobody could say whether they are right"
_BY_NAME = "a user of the same name in the original and in the release is taken to be the same person"


@dataclass(frozen=True)
class SparseMatching:
    """Finds people in a table of ratings (user, item, rating, date) by a few ratings of theirs.

    The user with the best score is claimed only when they stand out, (best − second) / σ > ``threshold``, and
    score at least the share ``least_fit`` of what a perfect fit would.

    With an identified file, that file holds what is known: its column for ``item`` and, if it has them, for
    ``rating`` and ``date``; its column for ``user`` says which rows are about the same person. Without one
    the adversary is made up: about each of ``targets`` people, taken by chance, ``known`` ratings of which
    ``wrong`` are somebody else's, with dates that err by up to ``days`` days. They come from the original
    when that is at hand, else from the release itself.

    ``success`` is the share of people whose best-scoring user is theirs; ``certain`` are those who were
    claimed, and rightly. Removing the names of users protects from nothing here; what protects is not to
    publish the entries of one person together, or far fewer of them.
    """

    user: str = "user"
    item: str = "item"
    rating: str | None = "rating"
    date: str | None = "date"
    known: int = 8
    wrong: int = 2
    days: int = 14
    targets: int = 1000
    threshold: float = 1.5
    least_fit: float = 0.5
    rating_scale: float = 1.5
    day_scale: float = 30.0
    seed: int = 1
    name: ClassVar[str] = "sparse-matching"
    title: ClassVar[str] = "finds people by a few of their many entries, some of them wrong"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset()
    uses: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def __post_init__(self) -> None:
        for what, least in (("known", 1), ("wrong", 0), ("days", 0), ("targets", 1), ("seed", 0)):
            value = getattr(self, what)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise BadInput(
                    f"'{what}' must be a whole number of at least {least}",
                    where=self.name,
                    remedy="leave it out for the usual one",
                )
        if self.wrong >= self.known:
            raise BadInput(
                "all known ratings would be wrong", where=self.name, remedy="let 'wrong' be below 'known'"
            )
        for what in ("threshold", "least_fit", "rating_scale", "day_scale"):
            value = getattr(self, what)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
                raise BadInput(
                    f"'{what}' must be a number above 0",
                    where=self.name,
                    remedy="leave it out for the usual one",
                )

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Read the release, take or make up what is known, and look for everybody."""
        progress.step("reading ratings")
        released = read_rows(target.table, self._columns(target), target.person)
        ratings = released.by_item()
        if knowledge.people is not None and not is_original(knowledge.people, knowledge):
            return self._with_file(ratings, released, target, knowledge.people, victims, progress)
        if knowledge.original is None:
            return self.made_up(ratings, rows=released.first_rows(), victims=victims, progress=progress)
        original, random = knowledge.original, np.random.default_rng(self.seed)
        truth = original.person or self.user
        names = original.table.names
        columns = Columns(
            truth,
            self.item,
            self.rating if self.rating in names else None,
            self.date if self.date in names else None,
        )
        before = read_rows(original.table, columns)
        source = before.by_item()
        people = random.permutation(source.user_count)[: self.targets]
        made = self._made_up(source, people, random)
        items = positions(before.item_texts, {text: i for i, text in enumerate(released.item_texts)})
        known = [
            None if some is None else KnownRatings(items[some.items], some.ratings, some.days)
            for some in made
        ]
        theirs = _users_of(released)
        right = [theirs.get(before.user_texts[person], np.zeros(0, np.int64)) for person in people.tolist()]
        told = before.first_rows()[people].tolist()
        note = self._made_up_of() + ("" if released.extra is not None else f"; {_BY_NAME}")
        if gone := int((items < 0).sum()):
            note += (
                f"; {gone:,} of {len(items):,} items of the original are not in the release under their own "
                "names: who can read what became of them may find more"
            )
        result = self.find(ratings, known, right, rows=told, note=note, victims=victims, progress=progress)
        return replace(result, left_out=source.user_count - len(people))

    def made_up(
        self,
        ratings: Ratings,
        *,
        rows: NDArray[np.int64] | None = None,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for people of whom some of these very ratings are known, with errors.

        ``rows`` says in which row each user first stands; without it victims are the users' numbers, from 1.
        """
        random = np.random.default_rng(self.seed)
        people = random.permutation(ratings.user_count)[: self.targets]
        known = self._made_up(ratings, people, random)
        right = [np.array([person]) for person in people.tolist()]
        told = people + 1 if rows is None else rows[people]
        result = self.find(ratings, known, right, rows=told.tolist(), victims=victims, progress=progress)
        return replace(result, left_out=ratings.user_count - len(people))

    def find(
        self,
        ratings: Ratings,
        known: Sequence[KnownRatings | None],
        right: Sequence[NDArray[np.int64]] | None,
        *,
        rows: Sequence[int] | None = None,
        note: str = "",
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for people in ratings; ``right`` are each one's users, without it claims stay claims.

        ``rows`` are what victims are told by; without it their places in ``known``, from 1.
        """
        tried = [number for number, some in enumerate(known) if some is not None]
        if not tried:
            raise BadInput(
                f"nobody has {self.known - self.wrong} ratings or more",
                where=self.name,
                remedy="let the adversary know fewer",
            )
        attacked = [number for number in tried if right is None or len(right[number])]
        if not attacked:
            raise BadInput(
                "nobody about whom ratings are known is in the release",
                where=self.name,
                remedy="check that both name people alike",
            )
        progress.step("matching")
        board = Scoreboard(ratings, float(self.rating_scale), float(self.day_scale))
        scores = np.zeros(ratings.user_count)
        found: dict[int, Match] = {}
        chance: dict[int, float] = {}
        for done, number in enumerate(tried):
            progress.update(done / len(tried))
            some = known[number]
            assert some is not None
            match = found[number] = board.match(some, scores)
            if right is not None:
                chance[number] = float((scores[right[number]] == match.score).sum() / match.ties)
        strangers = found.keys() - set(attacked)
        matches = [found[number] for number in attacked]
        claimed = np.array([self._is_claimed(match) for match in matches], np.bool_)
        hit = claimed.astype(np.float64)
        if right is not None:
            hit = np.array([chance[number] for number in attacked])
        sure = claimed & (hit == 1.0)
        details: dict[str, int | float | str] = {
            "users": ratings.user_count,
            "ratings": len(ratings),
            "claimed": int(claimed.sum()),
            "median eccentricity": float(np.median([match.eccentricity for match in matches])),
        }
        if len(tried) < len(known):
            details["people with too few ratings to try"] = len(known) - len(tried)
        if right is not None:
            details["false matches"] = int((claimed & ~sure).sum())
        if strangers:
            details["people who are not in the release"] = len(strangers)
            details["false matches of these"] = sum(self._is_claimed(found[number]) for number in strangers)
        hits: tuple[Victim, ...] = ()
        if victims:
            hits = tuple(
                Victim(number + 1 if rows is None else rows[number], matches[at].confidence)
                for at, number in enumerate(attacked)
                if sure[at]
            )[:MOST_VICTIMS]
        return AttackResult(
            self.name,
            self.threat,
            attempts=len(attacked),
            success=float(hit.mean()),
            baseline=1.0 / ratings.user_count,
            guessing=1.0 / ratings.user_count,
            certain=int(sure.sum()),
            highest=max(match.confidence for match in matches),
            scored=Scored.CLAIMED if right is None else Scored.MEASURED,
            details=details,
            note=note or self._made_up_of(),
            victims=hits,
        )

    def _is_claimed(self, match: Match) -> bool:
        return match.eccentricity > self.threshold and match.fit >= self.least_fit

    def _made_up_of(self) -> str:
        return (
            f"{self.known} ratings of each are known, {self.wrong} of them wrong, "
            f"dates to within {self.days} days"
        )

    def _columns(self, target: PublishedTable) -> Columns:
        """Find the columns; ratings and dates are optional."""
        names = target.table.names
        user = self.user if self.user in names else (target.person or self.user)
        return Columns(
            user,
            self.item,
            self.rating if self.rating in names else None,
            self.date if self.date in names else None,
        )

    def _made_up(
        self, ratings: Ratings, people: NDArray[np.int64], random: np.random.Generator
    ) -> list[KnownRatings | None]:
        return noisy_knowledge(
            ratings, people, known=self.known, wrong=self.wrong, days=self.days, random=random
        )

    def _with_file(
        self,
        ratings: Ratings,
        released: RatingRows,
        target: PublishedTable,
        people: People,
        victims: bool,
        progress: Progress,
    ) -> AttackResult:
        """Take what is known from a file: rows with the same ``user`` there are about the same person."""
        mapped = people.columns
        who = mapped.get(self.user) or people.person
        if who is None or self.item not in mapped:
            raise BadInput(
                f"the identified file does not say who rated what (columns '{self.user}' and '{self.item}')",
                where=self.name,
                remedy="say which columns of it hold them",
            )
        columns = Columns(
            who,
            mapped[self.item],
            mapped.get(self.rating) if self.rating else None,
            mapped.get(self.date) if self.date else None,
        )
        rows = read_rows(people.table, columns, people.person)
        items = positions(rows.item_texts, {text: i for i, text in enumerate(released.item_texts)})[
            rows.items
        ]
        if not (items >= 0).any():
            raise BadInput(
                "no item of the identified file is in the release",
                where=self.name,
                remedy="check that both name items alike",
            )
        order = np.argsort(rows.users, kind="stable")
        first = np.flatnonzero(np.diff(rows.users[order], prepend=-1))
        groups = np.split(order, first[1:])
        nothing = np.full(len(items), np.nan)
        stars = nothing if rows.ratings is None else rows.ratings
        dates = nothing if rows.days is None else rows.days
        known = [
            KnownRatings(items[some], stars[some], dates[some]) if (items[some] >= 0).any() else None
            for some in groups
        ]
        right = None
        if people.person is not None and rows.extra is not None and target.person is not None:
            theirs = _users_of(released)
            right = [
                theirs.get(rows.extra_texts[rows.extra[some[0]]], np.zeros(0, np.int64))
                if rows.extra[some[0]] >= 0
                else np.zeros(0, np.int64)
                for some in groups
            ]
        return self.find(
            ratings,
            known,
            right,
            rows=[int(rows.rows[some[0]]) for some in groups],
            note=_COMPARED if right is not None else _CLAIMED,
            victims=victims,
            progress=progress,
        )


def _users_of(released: RatingRows) -> dict[str, NDArray[np.int64]]:
    """Return the users of every person: by the person column where there is one, else by themselves."""
    if released.extra is None:
        return {text: np.array([user]) for user, text in enumerate(released.user_texts)}
    pairs = np.unique(np.stack([released.extra, released.users]), axis=1)
    pairs = pairs[:, pairs[0] >= 0]
    first = np.flatnonzero(np.diff(pairs[0], prepend=-1))
    return {
        released.extra_texts[pairs[0, at]]: users
        for at, users in zip(first.tolist(), np.split(pairs[1], first[1:]), strict=True)
    }
