"""Chains of files: each links what is known so far with the next, and carries the candidates forward.

Loukides, Denny & Malin 2010, *The disclosure of diagnosis codes can breach research participants' privacy*:
a voter list names people, discharge summaries share birth date, sex and ZIP code with it, and the codes of
the summaries are in the research data too, beside the DNA (two steps); somebody who has seen the records
needs only one. Each file may have looked harmless alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Scored, in_per_cent
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine
from sfumato.record.chain import Chain, Truth
from sfumato.record.paths import Beliefs, Paths, Went, beginning, go_on, set_columns
from sfumato.record.records import Ints, Records, numbered_alike, read_records
from sfumato.record.result import ChainResult, StepResult
from sfumato.record.scoring import Attacked, attribute, found_records, identity, paired
from sfumato.record.sets import Match
from sfumato.table.attacks.matching.candidates import encoded


def run_chain(chain: Chain, *, victims: bool = False, progress: Progress = SILENT) -> ChainResult:
    """Carry a chain out in an engine of its own.

    >>> import pyarrow as pa
    >>> from sfumato.record.chain import Step
    >>> voters = pa.table({"name": ["John Doe", "Mary Ann"], "sex": ["Male", "Female"], "age": [78, 58]})
    >>> study = pa.table({"sex": ["Female", "Male"], "age": [58, 78], "dna": ["A…T", "C…A"]})
    >>> known = Step(voters, {"name": "name", "sex": "sex", "age": "age"})
    >>> reached = Step(study, {"dna": "dna"}, on={"sex": "sex", "age": "age"})
    >>> print(run_chain(Chain((known, reached))).steps[0])
    a frame (on sex, age): 2 people have candidates, 2 just one, 1.0 on average; 100.0 % claimed
    """
    engine = open_engine("duckdb")
    try:
        return _Run(chain, engine, progress).result(victims)
    finally:
        engine.close()


class _Run:
    """A chain while it is carried out."""

    def __init__(self, chain: Chain, engine: Engine, progress: Progress) -> None:
        self.chain, self.engine, self.progress = chain, engine, progress
        self.files: list[Records] = []
        for number, step in enumerate(chain.steps, 1):
            progress.step(f"reading {step.title}")
            where = f"step {number}, {step.title}"
            self.files.append(read_records(engine, step.file, step.columns, step.record, where))
        self.people = len(self.files[0])
        self.owners = None if chain.truth is None else self._owners(chain.truth)

    def _owners(self, truth: Truth) -> tuple[Ints, Ints]:
        """Return pairs of a person and a record that is theirs, in the file that tells the fact."""
        where = "truth"
        names = [*truth.person, truth.fact]
        key = read_records(self.engine, truth.file, list(dict.fromkeys(names)), None, where)
        first = self.chain.steps[0]
        person, row = numbered_alike(
            [self.files[0].columns[first.learn[fact]] for fact in truth.person.values()],
            [key.columns[name] for name in truth.person],
            as_texts=True,
        )
        at = self.chain.step_of(truth.fact)
        fact = self.files[at].columns[self.chain.steps[at].learn[truth.fact]]
        record, named = numbered_alike([fact], [key.columns[truth.fact]], as_texts=True)
        # People who share their names with others of the first file cannot be told apart: left out.
        alone = np.flatnonzero(np.bincount(person)[person] == 1)
        person_of = dict(zip(person[alone].tolist(), alone.tolist(), strict=True))
        records_of: dict[int, list[int]] = {}
        for place, number in enumerate(record.tolist()):
            records_of.setdefault(number, []).append(place)
        pairs = {
            (person_of[who], place)
            for who, what in zip(row.tolist(), named.tolist(), strict=True)
            if who in person_of
            for place in records_of.get(what, ())
        }
        if not pairs:
            raise BadInput(
                "nobody of the first file is in the chain",
                where=where,
                remedy="check that names and numbers are written alike",
            )
        people, places = np.array(sorted(pairs), np.int64).T
        return people, places

    def result(self, victims: bool) -> ChainResult:
        """Carry the chain out; where it is open how sets are compared, in every way: the strongest counts."""
        asked = self.chain
        open_ = [
            number
            for number in range(1, len(asked.steps))
            if asked.steps[number].match is None
            and set_columns(asked.steps[number], self.files, asked.steps, self.files[number])
        ]
        if not open_:
            return self._result(victims)
        tried: dict[Match, ChainResult] = {}
        problems: list[BadInput] = []
        for match in Match:
            steps = (
                replace(step, match=match) if number in open_ else step
                for number, step in enumerate(asked.steps)
            )
            self.chain = replace(asked, steps=tuple(steps))
            try:
                tried[match] = self._result(victims)
            except BadInput as problem:
                problems.append(problem)
        self.chain = asked
        if not tried:
            raise problems[0]
        best = max(tried, key=lambda match: tried[match].identity.success * tried[match].identity.attempts)
        ways = ", ".join(
            f"{match} {in_per_cent(tried[match].identity.success) if match in tried else 'leads nowhere'}"
            for match in Match
        )
        told = f"sets were compared in every way, and the strongest counts, '{best}': {ways}"
        return replace(tried[best], notes=(*tried[best].notes, told))

    def _result(self, victims: bool) -> ChainResult:
        """Go from file to file, then score."""
        chain = self.chain
        went: list[Went] = []
        paths = beginning(self.people)
        for number in range(1, len(chain.steps)):
            self.progress.step(f"joining {chain.steps[number].title}")
            went.append(go_on(paths, self.files, chain.steps, number, self.engine, inside=chain.inside))
            paths = went[-1].paths
            if not len(paths):
                raise BadInput(
                    "nobody has a candidate that can be followed",
                    where=f"step {number + 1}, {chain.steps[number].title}",
                    remedy="check that both files write the columns alike, or join on other columns",
                )
        true, samples = self._true_paths()
        attacked = self._attacked(went, samples)
        steps = tuple(self._step(number, found, attacked, true) for number, found in enumerate(went, 1))
        last = len(chain.steps) - 1
        note = self._note(attacked)
        owned = self._owned(last, true)
        beliefs = Beliefs.of(paths.people, paths.rows[last], paths.belief)
        records = len(self.files[last])
        return ChainResult(
            self.people,
            steps,
            identity(beliefs, attacked, owned, records, note, victims=victims),
            tuple(self._learned(fact, went, true, attacked, note) for fact in chain.learned),
            tuple(dict.fromkeys(note for found in went for note in found.notes)),
        )

    def _attacked(self, went: list[Went], samples: list[Ints]) -> Attacked:
        rows = self.files[0].rows
        followed = np.arange(self.people)
        for sample in (*(found.sample for found in went if found.sample is not None), *samples):
            followed = np.intersect1d(followed, sample)
        thinned = self.people / max(len(followed), 1)
        if self.owners is not None:
            people, scored = np.intersect1d(followed, self.owners[0]), Scored.MEASURED
        elif self.chain.inside:
            people, scored = followed, Scored.EXPECTED
        else:
            people, scored = np.intersect1d(followed, went[0].paths.people), Scored.CLAIMED
        if not len(people):
            raise BadInput("the sample holds nobody to score", where="chain", remedy="join on more columns")
        return Attacked(people, scored, rows, thinned, self.people - len(followed))

    def _note(self, attacked: Attacked) -> str:
        sampled = f" (a sample: 1 of {attacked.thinned:,.1f})" if attacked.thinned > 1.0 else ""
        if attacked.scored is Scored.MEASURED:
            return f"of {self.people:,} in the first file, those{sampled} who are in the chain"
        if attacked.scored is Scored.EXPECTED:
            return f"everybody of the first file{sampled} is taken to be in the others"
        return f"nobody knows who of the first file{sampled} is in the others"

    def _true_paths(self) -> tuple[dict[int, Paths], list[Ints]]:
        """Return the paths through people's own records, for every file from the one that tells the fact.

        Then the people who were followed wherever all would have been too many.
        """
        if self.owners is None or self.chain.truth is None:
            return {}, []
        at = self.chain.step_of(self.chain.truth.fact)
        people, records = self.owners
        each = np.bincount(people, minlength=self.people)[people]
        unknown = np.full(len(people), -1, np.int64)
        rows = (people, *(unknown for _ in range(1, at)), records)
        true = {at: Paths(people, 1.0 / each, rows)}
        samples: list[Ints] = []
        for number in range(at + 1, len(self.chain.steps)):
            found = go_on(true[number - 1], self.files, self.chain.steps, number, self.engine, inside=True)
            true[number] = found.paths
            samples += [] if found.sample is None else [found.sample]
        return true, samples

    def _owned(self, number: int, true: dict[int, Paths]) -> NDArray[np.int64] | None:
        if number not in true:
            return None
        return np.stack([true[number].people, true[number].rows[number]])

    def _step(self, number: int, found: Went, attacked: Attacked, true: dict[int, Paths]) -> StepResult:
        step = self.chain.steps[number]
        beliefs = Beliefs.of(found.paths.people, found.paths.rows[number], found.paths.belief)
        owned = self._owned(number, true)
        unscored = attacked.scored is Scored.MEASURED and owned is None
        scored = Scored.CLAIMED if unscored else attacked.scored
        chance = found_records(beliefs, replace(attacked, scored=scored), owned)
        return StepResult(
            step.title,
            tuple(step.on),
            tuple(step.learn),
            len(self.files[number]),
            followed=len(beliefs.persons),
            unique=int((beliefs.choices == 1).sum()),
            lost=found.lost,
            sampled=None if found.sample is None else len(found.sample),
            candidates=float(beliefs.choices.mean()),
            success=float(chance.mean()),
            scored=scored,
        )

    def _learned(
        self, fact: str, went: list[Went], true: dict[int, Paths], attacked: Attacked, note: str
    ) -> AttackResult:
        number = self.chain.step_of(fact)
        steps = self.chain.steps
        paths = went[-1].paths
        column = self.files[number].columns[steps[number].learn[fact]]
        values, codes = encoded(column)
        missing = values.index(None) if None in values else -2
        codes = np.where(codes == missing, -1, codes)
        counts = np.bincount(codes[codes >= 0], minlength=1)
        shares = {code: count / len(codes) for code, count in enumerate(counts.tolist()) if count}
        own = not_theirs = None
        if self.owners is not None and self.chain.truth is not None:
            at = self.chain.step_of(self.chain.truth.fact)
            source = true.get(max(number, at))
            assert source is not None
            own = (source, np.append(codes, -1)[source.rows[number]])
            not_theirs = ~np.isin(paired(paths.people, paths.rows[at]), paired(*self.owners))
        return attribute(fact, paths, codes[paths.rows[number]], shares, attacked, own, not_theirs, note)
