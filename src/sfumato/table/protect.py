"""The way of a table: count, search, recode. Checking and writing are up to the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.jit import is_compiled
from sfumato.core.memory import half_of_memory
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role, Schema, is_nearly_unique
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.engine.contract import Layout, Suppressed, Table
from sfumato.hierarchy.ladder import Hierarchy, Ladder
from sfumato.table.apart import kept_apart
from sfumato.table.count import Counted, Watched
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.population import person_of, repeats_among
from sfumato.table.published import PublishedTable
from sfumato.table.recoding import to_recoding
from sfumato.table.rule import Rule, RuleKind, smallest_class
from sfumato.table.search import searched
from sfumato.table.solution import SUPPRESSED, Problem, Solution
from sfumato.table.start import Start, starting_point
from sfumato.table.whole_rule import WholeRule

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility


class PrivacyModel(Protocol):
    """A promise about a table. See ``table/models`` for those that exist."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def basis(self) -> Basis:
        """What the promise can be checked from."""

    @property
    def protects_from(self) -> tuple[Threat, ...]:
        """The threats it answers."""

    @property
    def stops(self) -> tuple[str, ...]:
        """The attacks (``table/attacks``) that it stops."""

    def in_words(self) -> str:
        """Say in one sentence (without its full stop) what is promised."""

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """The face for searches: predicates on one class, all of which must hold."""

    def check(self, published: PublishedTable) -> Verdict:
        """The face for everybody: does it hold for this table?"""


@runtime_checkable
class AsksOfAll(Protocol):
    """A privacy model whose promise is about the sizes of all classes together."""

    def whole_rules(self) -> tuple[WholeRule, ...]:
        """What is asked of the sizes."""


class Method(Protocol):
    """A way to change a table so that promises hold. See ``table/methods``."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def needs_hierarchies(self) -> bool:
        """Whether every quasi-identifier must have one."""

    @property
    def classes_overlap(self) -> bool:
        """Whether a combination of values may match what several classes show."""

    def search(self, problem: Problem, utility: Utility, *, progress: Progress = SILENT) -> Solution:
        """Decide on a class for every cell."""


class SampledTable(Protocol):
    """What a method that samples leaves of a table, and how it goes on."""

    @property
    def table(self) -> Table:
        """The records that were taken."""

    @property
    def method(self) -> Method:
        """The method that generalises them."""

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """How they were taken."""

    @property
    def left_out(self) -> int:
        """How many were not taken: for the steward alone."""


@runtime_checkable
class SamplesRecords(Protocol):
    """A method that takes some of the records before anything is counted."""

    def sampled(
        self, table: Table, schema: Schema, hierarchies: Mapping[str, Hierarchy], *, progress: Progress
    ) -> SampledTable:
        """Take records."""


@dataclass(frozen=True)
class Protected:
    """A recoded table (nothing written yet), and all that led to it."""

    table: Table
    schema: Schema
    start: Start
    solution: Solution
    layout: Layout
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """of sensitive columns"""
    population: Table | None = None
    """everybody whom the table was drawn from, recoded in the same way"""
    population_person: str | None = None
    """its column that names people"""
    population_repeats: int = 0
    """where no column does: rows of it that repeat another in every column"""
    mechanisms: tuple[Mechanism, ...] = ()
    """how columns were randomised before"""
    left_out: int = 0
    """rows that a method which samples did not take"""

    @property
    def counted(self) -> Counted:
        """The cells that were searched."""
        return self.start.counted

    @property
    def ladders(self) -> tuple[Ladder | None, ...]:
        """The ladders that were climbed."""
        return self.start.ladders

    def published(self, table: Table | None = None, *, in_house: bool = False) -> PublishedTable:
        """The table (or what was written of it) as checkers read it.

        ``in_house`` says that persons and guards are still in it, and that the original is at hand.
        """
        population = None
        if self.population is not None:
            population = PublishedTable(
                self.population,
                self.schema.quasi,
                person=self.population_person,
                repeats=self.population_repeats,
            )
        return PublishedTable(
            self.table if table is None else table,
            self.schema.quasi,
            self.schema.sensitive,
            person=self.schema.person if in_house else None,
            known=self.schema.known,
            guard=self.schema.guard if in_house else None,
            mechanisms=self.mechanisms,
            hierarchies={**self.start.hierarchies, **self.hierarchies} if in_house else self.hierarchies,
            population=population,
            original=self.start.table if in_house and self.start.at_the_bottom else None,
            input=self.start.table if in_house else None,
            hiding=self.solution.hiding,
            blanked=self._blanked(in_persons=in_house and self.schema.person is not None),
        )

    def _blanked(self, *, in_persons: bool) -> int:
        """Count the suppressed records that stay, or the people whose they are."""
        if self.layout.suppressed is not Suppressed.STAR:
            return 0
        if not in_persons:
            return self.solution.suppressed_rows
        return self.solution.cells.persons_in(self.solution.classes == SUPPRESSED)


def check_columns(table: Table, schema: Schema) -> None:
    """Refuse a schema that does not fit, missing persons, and nearly unique insensitive columns."""
    missing = [name for name in schema.columns if name not in table.names]
    if missing:
        raise BadInput(
            f"there is no column '{missing[0]}' in the data", remedy="check the names in the schema"
        )
    watched = (Role.INSENSITIVE, Role.WEIGHT)
    wanted = [f for f in schema.fields if f.role is Role.PERSON or (f.role in watched and not f.confirmed)]
    if not wanted:
        return
    columns = tuple(column for column in table.columns if column.name in {f.name for f in wanted})
    for found in table.engine.summarise(Table(table.engine, table.name, columns)):
        role = schema.field(found.name).role
        where = f"column '{found.name}'"
        if role is Role.PERSON and found.missing:
            raise BadInput(
                f"{found.missing} of {found.rows} rows do not say whose they are",
                where=where,
                remedy="give every row its person, or drop the role 'person'",
            )
        present = found.rows - found.missing
        if role is not Role.PERSON and is_nearly_unique(found.distinct, present):
            raise BadInput(
                f"it is declared {role}, but {found.distinct} of {present} values are different, "
                "so that a single row can be found by it",
                where=where,
                remedy="make it an identifier or a quasi-identifier, or set 'confirmed: true' if nobody "
                "outside can know these values",
            )


def protect(
    table: Table,
    schema: Schema,
    *,
    models: Sequence[PrivacyModel],
    method: Method,
    utility: Utility,
    hierarchies: Mapping[str, Hierarchy],
    suppressed: Suppressed = Suppressed.DROP,
    memory: int | None = None,
    population: Table | None = None,
    population_person: str | None = None,
    apart: Mapping[str, tuple[str, ...]] | None = None,
    progress: Progress = SILENT,
) -> Protected:
    """Count the table, let the method decide, recode it. ``memory`` bounds the cells, in bytes.

    ``population_person`` is the column of the population that names people; without it, the table's own
    person column counts where the population has it, too.
    ``apart`` names, by column, values that stand for something else than they say: they stay alone in boxes.
    """
    progress.step("checking the columns")
    check_columns(table, schema)
    rules = rules_of(models, schema)
    _check_population(table, population, rules, schema)
    repeats = 0
    if population is not None:
        population_person = person_of(population, population_person, schema.person, schema.quasi)
        repeats = repeats_among(population, schema.quasi, population_person)
    if method.classes_overlap and any(rule.kind is RuleKind.PRESENCE for rule in rules):
        raise BadInput(
            f"{method.name} makes classes that overlap, and somebody of the population who matches several "
            "of them would be more likely to be in the data than promised",
            remedy="use optimal-lattice, or mondrian with 'strict: true'",
        )
    mechanisms: tuple[Mechanism, ...] = ()
    left_out = 0
    if isinstance(method, SamplesRecords):
        taken = method.sampled(table, schema, hierarchies, progress=progress)
        table, method, mechanisms, left_out = taken.table, taken.method, taken.mechanisms, taken.left_out
    rules, whole = asked_of(models, schema, method)
    own = {name: kind for name, kind in hierarchies.items() if name in schema.sensitive}
    progress.step("counting")
    start = starting_point(
        table,
        schema.quasi,
        schema.person,
        {name: kind for name, kind in hierarchies.items() if name not in own},
        infer_missing=method.needs_hierarchies,
        memory=half_of_memory() if memory is None else memory,
        watched=watched_by(rules, wanted_by(method, schema)),
        population=population,
        population_person=population_person,
    )
    rules = _as_counted(rules, start.counted)
    _refuse_hopeless(start.counted, rules)
    _refuse_strangers(start.counted, rules)
    if schema.person is not None:
        rules = (*rules, *_in_rows(rules))
    progress.step("searching" if is_compiled() else "compiling (once), then searching")
    problem = Problem(
        start.counted.cells,
        start.ladders,
        rules,
        {
            h.domain.name: own[h.domain.name].ladder(h.domain)
            for h in start.counted.cells.histograms
            if h.domain.name in own
        },
        whole=whole,
        starred=suppressed is Suppressed.STAR,
    )
    solution = _from_the_bottom(searched(method, problem, utility, progress), start)
    solution = kept_apart(solution, apart or {})
    if solution.suppressed_rows == start.counted.cells.total_rows:
        raise PromiseNotMet(
            "every record would be suppressed, and the release empty",
            remedy="lower the limit for suppression, or choose another utility",
        )
    if suppressed is Suppressed.STAR:
        _refuse_lonely_stars(solution, rules)
    else:
        _refuse_absence(solution, rules)
    layout = Layout(schema.released, schema.quasi, schema.sensitive, suppressed)
    recoding = to_recoding(solution, start.counted, start.ladders)
    recoded = table.engine.recode(start.table, recoding, layout)
    everybody = None
    if start.population is not None:
        shown = (*schema.quasi, *((population_person,) if population_person else ()))
        everybody = table.engine.recode(
            start.population, recoding, Layout(shown, schema.quasi, (), Suppressed.STAR)
        )
    return Protected(
        recoded,
        schema,
        start,
        solution,
        layout,
        own,
        everybody,
        None if everybody is None else population_person,
        repeats,
        mechanisms,
        left_out,
    )


def rules_of(models: Sequence[PrivacyModel], schema: Schema) -> tuple[Rule, ...]:
    """Gather what all the models ask of a class."""
    return tuple(rule for model in models for rule in model.rules(schema))


def asked_of(
    models: Sequence[PrivacyModel], schema: Schema, method: Method
) -> tuple[tuple[Rule, ...], tuple[WholeRule, ...]]:
    """Gather what is asked of every class, and what of all together where the method can judge it.

    For other methods a promise about all classes is made from one about each of them, which costs more.
    """
    if not getattr(method, "judges_sizes", False):
        return rules_of(models, schema), ()
    together = [model for model in models if isinstance(model, AsksOfAll)]
    others = [model for model in models if not isinstance(model, AsksOfAll)]
    return rules_of(others, schema), tuple(rule for model in together for rule in model.whole_rules())


def watched_by(rules: Sequence[Rule], wanted: Sequence[str] = ()) -> tuple[Watched, ...]:
    """List the columns that rules ask about, and those that a method wants, each once."""
    asked = [(rule.column, rule.known) for rule in rules if rule.column is not None]
    return tuple(dict.fromkeys([*asked, *((name, ()) for name in wanted)]))


def wanted_by(method: Method, schema: Schema) -> tuple[str, ...]:
    """List the columns whose values a method wants counted in every cell.

    A method says so by an attribute ``watches``. Only what is released as it is can steer a method.
    """
    wanted: tuple[str, ...] = getattr(method, "watches", ())
    allowed = schema.with_role(Role.SENSITIVE) + schema.with_role(Role.INSENSITIVE)
    for name in wanted:
        if name not in schema.columns:
            raise BadInput(
                f"{method.name} is to look at a column '{name}', which is not in the data",
                remedy=nearest(name, allowed),
            )
        if name not in allowed:
            raise BadInput(
                f"{method.name} cannot be steered by it: it is declared {schema.field(name).role}",
                where=f"column '{name}'",
                remedy="name a sensitive or insensitive column",
            )
    return wanted


def _in_rows(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Ask the same of rows: a release does not say which rows are one person's, and is read as it is.

    What people want guarded never leaves the house, so it is counted in persons alone.
    """
    about_values = [rule for rule in rules if rule.column is not None and rule.kind is not RuleKind.GUARDED]
    return tuple(replace(rule, in_rows=True) for rule in about_values)


def _as_counted(rules: Sequence[Rule], counted: Counted) -> tuple[Rule, ...]:
    """Presence is monotone as long as nobody lies in several cells.

    Of classes {a, x} and {b, x} of the population one half each may be in the table, a and b; of their
    union {a, b, x} two thirds are.
    """
    cells = counted.cells
    if cells.spans is None and cells.population_spans is None:
        return tuple(rules)
    return tuple(replace(rule, monotone=False) if rule.kind is RuleKind.PRESENCE else rule for rule in rules)


def _check_population(table: Table, population: Table | None, rules: Sequence[Rule], schema: Schema) -> None:
    if population is None:
        if any(rule.needs_population for rule in rules):
            raise BadInput(
                "a model compares with the population and none is given",
                remedy="give 'population': a table of everybody, with the same quasi-identifiers",
            )
        return
    for name in schema.quasi:
        if name not in population.names:
            raise BadInput(
                f"the population has no column '{name}', which is a quasi-identifier",
                remedy=nearest(name, population.names),
            )
        own, others = (
            next(column.type for column in one.columns if column.name == name) for one in (table, population)
        )
        if own != others:
            raise BadInput(
                f"its values are of type {own} in the table and of type {others} in the population, "
                "so that nobody would match",
                where=f"column '{name}'",
                remedy="give the column the same type in both",
            )


def _refuse_hopeless(counted: Counted, rules: tuple[Rule, ...]) -> None:
    k = _persons_asked(rules)
    persons = counted.cells.total_persons
    if k > persons:
        raise PromiseNotMet(
            f"k = {k} is more than the {persons} persons in the table",
            remedy=f"choose k of at most {persons}",
        )


def _refuse_strangers(counted: Counted, rules: Sequence[Rule]) -> None:
    """Presence is the share of a population that is in the table: everybody in the table is of it."""
    cells = counted.cells
    if cells.population is None or all(rule.kind is not RuleKind.PRESENCE for rule in rules):
        return
    if strangers := int(cells.rows[cells.population == 0].sum()):
        raise BadInput(
            f"{strangers} of {cells.total_rows} records match nobody of the population",
            where="population",
            remedy="give a population that everybody in the table belongs to",
        )


def _refuse_absence(solution: Solution, rules: Sequence[Rule]) -> None:
    """Of a class that is left out nobody is in the release: its people are known to be absent."""
    bounded = any(rule.kind is RuleKind.PRESENCE and rule.parameters[0] > 0 for rule in rules)
    if bounded and solution.suppressed_rows:
        raise PromiseNotMet(
            f"{solution.suppressed_rows} records would be left out, and nobody of the population who looks "
            "like them would be in the release, against the lower bound on presence",
            remedy="set the limit for suppression to 0, or 'min' to 0",
        )


def _persons_asked(rules: Sequence[Rule]) -> int:
    """Return the persons that every class is asked to have."""
    return smallest_class(tuple(rule for rule in rules if rule.kind is RuleKind.MIN_PERSONS))


def _from_the_bottom(solution: Solution, start: Start) -> Solution:
    """Count the levels of what is shown from the values, not from where the search started."""
    columns = tuple(
        replace(column, levels=column.levels + skipped, height=column.height + skipped)
        for column, skipped in zip(solution.columns, start.skipped, strict=True)
    )
    return replace(solution, columns=columns)


def _refuse_lonely_stars(solution: Solution, rules: Sequence[Rule]) -> None:
    """Suppressed records that stay are a class like any other: it needs k persons too."""
    k = _persons_asked(rules)
    alone = solution.cells.persons_in(solution.classes == SUPPRESSED)
    if 0 < alone < k:
        raise PromiseNotMet(
            f"the suppressed records stay as a class of {alone}, which is smaller than k = {k}",
            remedy="set 'suppressed: drop' to leave them out, or another limit for suppression",
        )
