"""Guessing roles: what each column is likely to be, and why. A proposal for people to look at.

Names are read first, then values, then how many of them there are. When in doubt, the guess is the one
that protects more: a column that nobody recognises is taken as known to others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sfumato.core.domain import as_number
from sfumato.core.schema import FEWEST_ROWS, Role, is_nearly_unique
from sfumato.recipe import detectors
from sfumato.recipe.identifier_forms import FORMS, SOME, STRONG, form_of
from sfumato.recipe.person_names import are_names_of_persons
from sfumato.recipe.vocabulary import HierarchySpec, Match, parts_of, topic_of

MOST_LOOK_ALIKE = 0.8
"""values look like something when at least this share of them does"""


@dataclass(frozen=True)
class ColumnSummary:
    """What is known of a column: ``distinct`` leaves missing values out.

    ``sample`` holds some of its values for the detectors; it is never shown, not even by ``repr``.
    """

    name: str
    type: str
    rows: int
    distinct: int
    missing: int
    sample: tuple[str, ...] = field(default=(), repr=False)

    @property
    def present(self) -> int:
        """Rows that have a value."""
        return self.rows - self.missing

    @property
    def nearly_unique(self) -> bool:
        """Whether nearly every row has a value of its own."""
        return is_nearly_unique(self.distinct, self.present)


@dataclass(frozen=True)
class Guess:
    """A proposed role, the reason in plain words, how sure it is (0 to 1), and a hierarchy to start from.

    >>> print(guess(ColumnSummary("zip", "string", 5000, 28, 0)))
    quasi-identifier: the name says 'zip' (postcode)
    """

    role: Role
    reason: str
    certainty: float
    hierarchy: HierarchySpec | None = None

    def __str__(self) -> str:
        return f"{self.role}: {self.reason}"


def guess(column: ColumnSummary) -> Guess:
    """Guess the role of one column from its summary alone."""
    match = topic_of(column.name)
    if match and match.topic.role is Role.PERSON:
        return _person(column, match)
    return (
        _identifying_values(column, match)
        or _dates(column, match)
        or _by_name(column, match)
        or _telling_values(column)
        or _unrecognised(column)
    )


def guess_roles(
    columns: Sequence[ColumnSummary], hierarchy_files: Mapping[str, str] | None = None
) -> dict[str, Guess]:
    """Guess the roles of all columns of a table, which must fit together.

    At most one column is the person and at most one the weight; where both an age and a date of birth are
    there, the date, which says more than is needed, is left out of the release. ``hierarchy_files`` gives
    the path of a hierarchy for columns that have one; it comes before any that is guessed.
    """
    guesses = {column.name: guess(column) for column in columns}
    _keep_one(guesses, Role.PERSON, Role.IDENTIFIER)
    _keep_one(guesses, Role.WEIGHT, Role.QUASI_IDENTIFIER)
    _name_the_person(columns, guesses)
    topics = {name: match.topic.name for name in guesses if (match := topic_of(name))}
    quasi = [name for name, found in guesses.items() if found.role is Role.QUASI_IDENTIFIER]
    age = next((name for name in quasi if topics.get(name) == "age"), None)
    for name in quasi:
        if age is not None and topics.get(name) == "date of birth":
            guesses[name] = Guess(
                Role.IDENTIFIER, f"says the same as '{age}', and more precisely: one of them is enough", 0.7
            )
    for name, path in (hierarchy_files or {}).items():
        if name in guesses and guesses[name].role is Role.QUASI_IDENTIFIER:
            guesses[name] = replace(guesses[name], hierarchy={"csv": path})
    return guesses


def _name_the_person(columns: Sequence[ColumnSummary], guesses: dict[str, Guess]) -> None:
    """Take a column ``Id`` as the person, where each row of a table about people has one of its own."""
    if any(found.role is Role.PERSON for found in guesses.values()):
        return
    about = {match.topic.name for column in columns if (match := topic_of(column.name))}
    if not about & _OF_PEOPLE:
        return
    for column in columns:
        if (
            parts_of(column.name) in (["id"], ["uid"])
            and not column.missing
            and column.distinct == column.rows
        ):
            reason = "the name says 'id', every row has its own, and the other columns are about people"
            guesses[column.name] = Guess(Role.PERSON, reason, 0.7)
            return


_OF_PEOPLE = frozenset({"name of a person", "date of birth", "age", "sex", "race or ethnic group", "family"})
"""topics of columns that say that the rows are people"""


def _person(column: ColumnSummary, match: Match) -> Guess:
    reason = _says(match)
    if column.present and column.distinct < column.present:
        reason += f", with several rows for some: {column.distinct:,} in {column.present:,} rows"
    if column.missing:
        return Guess(Role.IDENTIFIER, f"{reason}, but {column.missing:,} rows do not have one", 0.6)
    return Guess(Role.PERSON, reason, 0.9)


def _identifying_values(column: ColumnSummary, match: Match | None) -> Guess | None:
    meant = [detectors.as_meant(value) for value in column.sample]
    for pattern in detectors.IDENTIFIERS:
        alike = detectors.share(meant, pattern.matches)
        if alike >= MOST_LOOK_ALIKE:
            return Guess(Role.IDENTIFIER, f"values look like {pattern.plural} ({_percent(alike)})", alike)
    prose = detectors.share(column.sample, detectors.is_prose)
    if prose >= 0.5:
        return Guess(
            Role.IDENTIFIER,
            f"free text ({_percent(prose)} are sentences), which may hold names and dates",
            0.8,
        )
    some = _some_identifiers(column, match)
    if some is not None:
        return some
    if match is None and are_names_of_persons(column.sample):
        return Guess(Role.IDENTIFIER, "values look like names of persons (by a lexicon of names)", 0.7)
    names = detectors.share(column.sample, detectors.is_full_name)
    if match is None and names >= MOST_LOOK_ALIKE and 2 * column.distinct > column.present >= FEWEST_ROWS:
        return Guess(Role.IDENTIFIER, f"values look like names of persons ({_percent(names)})", 0.8 * names)
    return None


def _some_identifiers(column: ColumnSummary, match: Match | None) -> Guess | None:
    """Some values that surely hold identifiers are enough; of other looks it takes most."""
    forms = [form for value in column.sample if (form := form_of(value, FORMS if match is None else STRONG))]
    if not forms:
        return None
    sure = sum(form.sure for form in forms) / len(column.sample)
    alike = len(forms) / len(column.sample)
    if sure < SOME and alike < MOST_LOOK_ALIKE:
        return None
    plural = max(forms, key=lambda form: (form.sure and sure >= SOME, forms.count(form))).plural
    return Guess(Role.IDENTIFIER, f"values look like {plural}, or hold them ({_percent(alike)})", 0.8)


def _dates(column: ColumnSummary, match: Match | None) -> Guess | None:
    """A date is what others may know, whatever it is the date of; ``diagnosis_date`` is no diagnosis."""
    typed = column.type.lower().startswith(("date", "timestamp"))
    alike = 1.0 if typed else detectors.share(column.sample, detectors.is_date)
    if alike < MOST_LOOK_ALIKE:
        return None
    birth = match is not None and match.topic.name == "date of birth"
    what = "dates of birth" if birth else "dates"
    readable = typed or detectors.share(column.sample, detectors.is_iso_day) == 1
    return Guess(
        Role.QUASI_IDENTIFIER,
        f"values are {what} ({_percent(alike)}), which others may know",
        0.9 * alike,
        {"dates": {}} if readable else "infer",
    )


def _by_name(column: ColumnSummary, match: Match | None) -> Guess | None:
    if match is None:
        return None
    reason, role, hierarchy = _says(match), match.topic.role, match.topic.hierarchy
    numbers = detectors.share(column.sample, detectors.is_number) if column.sample else 1.0
    if match.topic.name == "age" and numbers < 1:
        hierarchy = "infer"
    if match.topic.name in ("date of birth", "date of an event"):
        hierarchy = "infer"
    if role is Role.WEIGHT and numbers < 1:
        return None
    if role is Role.SENSITIVE and column.nearly_unique:
        reason += f"; {_own_values(column)}, so think of rounding it"
    return Guess(role, reason, 0.8, hierarchy)


def _telling_values(column: ColumnSummary) -> Guess | None:
    """Values that give themselves away although the name says nothing."""
    sexes = detectors.share(column.sample, detectors.is_sex)
    if 2 <= column.distinct <= 6 and sexes == 1:
        return Guess(Role.QUASI_IDENTIFIER, "values look like sexes (100 %)", 0.7, "flat")
    codes = detectors.share(column.sample, detectors.is_icd_code)
    spread = column.distinct >= 3 and detectors.are_icd_codes(column.sample)
    if spread and codes >= MOST_LOOK_ALIKE and not column.nearly_unique:
        return Guess(
            Role.SENSITIVE, f"values look like diagnosis codes of ICD-10 ({_percent(codes)})", 0.7 * codes
        )
    if 1 <= column.distinct <= 10 and detectors.share(column.sample, detectors.is_genotype) == 1:
        return Guess(Role.SENSITIVE, "values look like genotypes (100 %)", 0.6)
    return None


def _unrecognised(column: ColumnSummary) -> Guess:
    if not column.present:
        return Guess(Role.INSENSITIVE, "there is no value in any row", 0.9)
    if column.nearly_unique:
        return Guess(Role.IDENTIFIER, _own_values(column), 0.7)
    if column.distinct == 1 and not column.missing:
        return Guess(Role.INSENSITIVE, "every row has the same value", 0.8)
    if (digits := long_numbers(column.sample)) is not None:
        return Guess(
            Role.IDENTIFIER,
            f"whole numbers of {digits} digits, as telephones, records and people have: please look",
            0.5,
        )
    last = parts_of(column.name)[-1:]
    if column.distinct >= FEWEST_ROWS and last in (["id"], ["uid"], ["key"]):
        return Guess(
            Role.IDENTIFIER, f"the name says '{last[0]}', and there are {column.distinct:,} of them", 0.6
        )
    few = "1 value" if column.distinct == 1 else f"{column.distinct:,} different values"
    return Guess(
        Role.QUASI_IDENTIFIER,
        f"not recognised ({few}); taken as known to others, to be on the safe side: please look",
        0.3,
        "flat" if column.distinct <= 2 else "infer",
    )


def long_numbers(sample: Sequence[str]) -> int | None:
    """Return how many digits long whole numbers of one length have, also where they are written as 6.2E+09.

    >>> long_numbers(["6175550199", "6.175550142E+09"]), long_numbers(["52000", "48000"])
    (10, None)
    """
    numbers = [as_number(detectors.as_meant(value)) for value in sample]
    lengths = {
        len(str(int(number))) if number is not None and number >= 1 and number.is_integer() else 0
        for number in numbers
    }
    if len(lengths) != 1 or min(lengths) < _LONG:
        return None
    return lengths.pop()


_LONG = 9
"""digits from which whole numbers of one length are hardly amounts"""


def _keep_one(guesses: dict[str, Guess], role: Role, otherwise: Role) -> None:
    """Leave a role that only one column may have to the surest of them, the first among equals."""
    having = [name for name, found in guesses.items() if found.role is role]
    if len(having) < 2:
        return
    kept = max(having, key=lambda name: guesses[name].certainty)
    for name in having:
        if name != kept:
            reason = f"{guesses[name].reason}; '{kept}' is the {role} already"
            hierarchy = "infer" if otherwise is Role.QUASI_IDENTIFIER else None
            guesses[name] = replace(guesses[name], role=otherwise, reason=reason, hierarchy=hierarchy)


def _says(match: Match) -> str:
    return f"the name says '{match.word}'" + (
        "" if match.topic.name == match.word else f" ({match.topic.name})"
    )


def _own_values(column: ColumnSummary) -> str:
    return f"nearly every row has a value of its own: {column.distinct:,} of {column.present:,}"


def _percent(part: float) -> str:
    return f"{int(100 * part)} %"
