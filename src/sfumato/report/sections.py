"""The sections that everybody may read: promises, limits, changes, groups, how to verify."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

import yaml

from sfumato.core.evidence import ColumnEvidence, PublicEvidence, ReleaseEvidence, VerdictEvidence
from sfumato.core.schema import Role
from sfumato.report.answer import keeps_suppressed, left_out, promised_k, with_role
from sfumato.report.exposure import known_too
from sfumato.report.markup import Child, Markup, clean, element, facts, table, together
from sfumato.report.words import name, names, number, numbers, shorten, threat

_TALLEST_METER = 12
_POLICIES = {
    "drop": "left out of the file and counted",
    "star": "kept in the file, with quasi-identifiers hidden and sensitive values blank",
}
ORDERS = {
    "shuffled": "shuffled: it says nothing about the source",
    "kept": "kept as in the source, which may link rows to people",
}


def section(key: str, title: str, *children: Child) -> Markup:
    """Build a section that its heading names."""
    return element("section", element("h2", title, id=key), *children, aria_labelledby=key)


def _bullets(items: Sequence[str], nothing: str = "–") -> Markup:
    return (
        element("ul", [element("li", item) for item in items], class_="plain") if items else together(nothing)
    )


def outcome(verdict: VerdictEvidence) -> Markup:
    """Say whether a promise holds: with a sign, a word and a colour."""
    sign, word, mood = ("✓", "holds", "good") if verdict.holds else ("✗", "does not hold", "bad")
    return element("span", element("span", sign, aria_hidden="true"), f" {word}", class_=f"outcome {mood}")


def promises(evidence: ReleaseEvidence) -> Markup:
    """Build the table of verdicts."""
    if not evidence.verdicts:
        return section("promises", "What was promised and checked", element("p", "Nothing was promised."))
    rows = []
    for verdict in evidence.verdicts:
        parameters = ", ".join(
            f"{key} = {numbers(value) if isinstance(value, int | float) else value}"
            for key, value in verdict.parameters.items()
        )
        under = [
            element("span", line, class_="under")
            for line in (parameters, f"checked from: {verdict.basis}", verdict.note)
            if line
        ]
        rows.append(
            (
                together(verdict.model, under),
                outcome(verdict),
                together(
                    element("span", f"required {verdict.required}", class_="line"),
                    element("span", f"achieved {verdict.achieved}", class_="line"),
                ),
                _bullets([threat(one) for one in verdict.protects_from]),
                _bullets([threat(one) for one in verdict.does_not_protect_from]),
            )
        )
    header = ("Promise", "Outcome", "Measured", "Protects from learning", "Does not protect from learning")
    return section(
        "promises",
        "What was promised and checked",
        element(
            "p",
            "Each promise was checked independently of the method that made the file; beneath its name ",
            "stands what the check was made from.",
        ),
        table("Promises and what became of them", header, rows),
    )


def learned(evidence: PublicEvidence) -> Markup:
    """Say honestly what the promises do not cover."""
    quasi, sensitive = with_role(evidence, Role.QUASI_IDENTIFIER), with_role(evidence, Role.SENSITIVE)
    others = with_role(evidence, Role.INSENSITIVE) + with_role(evidence, Role.WEIGHT)
    kept = {one for verdict in evidence.verdicts if verdict.holds for one in verdict.protects_from}
    items: list[Markup] = []
    if promised_k(evidence) is not None and quasi:
        items.append(
            together(
                element("strong", "Links through other columns. "),
                "k-anonymity bounds how well a person can be linked to a record by ",
                names(quasi),
                ". Whoever knows anything else about a person is not bound by it.",
            )
        )
    if sensitive and "attribute" not in kept:
        items.append(
            together(
                element("strong", "A value that a whole group shares. "),
                "If all people of a group have the same value in ",
                names(sensitive),
                ", then whoever knows that a person is in the group knows the value, ",
                "however large the group is.",
            )
        )
    if others:
        items.append(
            together(
                element("strong", "Columns released as they are. "),
                "Declared as neither known to others nor harmful, and covered by no promise: ",
                names(others),
                ".",
            )
        )
    masked = [
        column.name
        for column in evidence.columns
        if column.role in (Role.PERSON, Role.IDENTIFIER) and column.treatment != "left out"
    ]
    if masked:
        items.append(
            together(
                element("strong", "Who is behind a code. "),
                "Whoever holds the key or the vault can tell for ",
                names(masked),
                "; whoever sees the same codes elsewhere can put the two together; and what a mask left "
                "standing is there to be read.",
            )
        )
    if "membership" not in kept:
        items.append(
            together(element("strong", "That somebody is in the file at all. "), "No promise here hides it.")
        )
    items.append(
        together(
            element("strong", "Several releases together. "),
            "The promises are about this file alone. Another release about the same people can break them.",
        )
    )
    return learned_section(evidence, items, known_too(evidence.exposure))


def learned_section(
    evidence: ReleaseEvidence, items: Sequence[Markup], below: Markup | None = None
) -> Markup:
    """Put the warnings before what the promises do not cover."""
    warnings = [
        element("p", element("strong", "Warning: "), warning, class_="warning")
        for warning in evidence.cautions
    ]
    return section(
        "learned",
        "What could still be learned",
        warnings,
        element("ul", [element("li", item) for item in items]),
        below,
    )


def _meter(level: int, height: int) -> Markup:
    """Show a level as filled steps with the words beside them."""
    steps = None
    if 0 < height <= _TALLEST_METER:
        steps = element(
            "span",
            [element("span", "", class_="step on" if step < level else "step") for step in range(height)],
            class_="meter",
            aria_hidden="true",
        )
    return together(steps, element("span", f"{level} of {height}", class_="line"))


def _path(column: ColumnEvidence) -> Markup | None:
    """Show how a value is said less and less precisely, with the released step set apart."""
    if len(column.example_path) < 2:
        return None
    steps: list[Markup] = []
    # The path ends at the top of the hierarchy; it may begin above its foot.
    lowest = None if column.height is None else column.height + 1 - len(column.example_path)
    for position, label in enumerate(column.example_path):
        released = column.level is not None and lowest is not None and lowest + position == column.level
        shown = element("bdi", shorten(label, 40))
        steps.append(together(" → " if position else None, element("mark", shown) if released else shown))
    return element("span", "example: ", steps, class_="under")


def changes(evidence: PublicEvidence) -> Markup:
    """Build the table of the columns and the facts about the file as a whole."""
    rows = [
        (
            together(name(column.name), element("span", column.type, class_="under")),
            element("span", column.role, class_="line"),
            together(column.treatment, _path(column)),
            "–" if column.level is None or column.height is None else _meter(column.level, column.height),
            "–" if column.distinct is None else number(column.distinct),
        )
        for column in evidence.columns
    ]
    truth = (
        "Values were only said less precisely or left out; none was invented."
        if evidence.truthful
        else "Some values were changed and are not true of the person of that record."
    )
    return section(
        "changes",
        "What was changed",
        element(
            "p", "Transformations applied to each column. Level 0 is the value as it was; the top says least."
        ),
        table(
            "Columns, their roles and what was done to them",
            ("Column", "Role", "Treatment", "Level", "Different values"),
            rows,
            numbers=[4],
        ),
        facts(
            [
                ("Method", evidence.method),
                ("Truthfulness", truth),
                ("Records", left_out(evidence)),
                ("Suppressed records", _POLICIES.get(evidence.suppressed_policy, evidence.suppressed_policy)),
                ("Who was counted", evidence.people),
                ("Missing values", evidence.missing),
                ("Order of rows", ORDERS.get(evidence.order, evidence.order)),
            ]
        ),
    )


def _fingerprint(evidence: ReleaseEvidence) -> Markup:
    """Say how to recognise the file that the report speaks of."""
    if not evidence.data.sha256:
        return element("p", "This release was made in memory, not written as a file: it has no fingerprint.")
    return together(
        element("p", "That it is the file this report speaks of can be seen from its SHA-256 fingerprint:"),
        element("pre", element("code", f"sha256sum {shlex.quote(evidence.data.file)}")),
        element("p", element("code", evidence.data.sha256)),
    )


def verify(evidence: ReleaseEvidence) -> Markup:
    """Say how anybody can re-check the claims."""
    return section(
        "verify",
        "How to check this yourself",
        element("p", "With the folder that you received, and nothing else:"),
        element("pre", element("code", "sfumato verify release/")),
        element(
            "p",
            "It reads the data again, counts the groups, compares every claim of this report with what it ",
            "finds, and says of the claims that the file alone cannot show what it would need.",
        ),
        _fingerprint(evidence),
        facts(
            [
                ("File", element("bdi", evidence.data.file)),
                ("Rows", number(evidence.data.rows)),
                ("Bytes", number(evidence.data.bytes)),
            ]
        ),
        element("p", "Blanked records are counted among the rows and checked as a group of their own.")
        if isinstance(evidence, PublicEvidence) and keeps_suppressed(evidence)
        else None,
    )


def _plain(value: object) -> object:
    """Reduce a part of the recipe to what YAML can write; anything unknown becomes its text."""
    if isinstance(value, Mapping):
        return {clean(str(key)): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value if value is None or type(value) in (bool, int, float) else clean(str(value))


def provenance(evidence: ReleaseEvidence) -> Markup:
    """Show the recipe and the versions that made the release."""
    recipe = yaml.safe_dump(_plain(evidence.recipe), sort_keys=False, allow_unicode=True)
    return section(
        "provenance",
        "Recipe and versions",
        element("p", "The recipe says what was asked for, without paths, addresses and secrets."),
        element(
            "details",
            element("summary", "The recipe"),
            element("pre", element("code", recipe), tabindex=0),
        ),
        table(
            "Software that made this release",
            ("Software", "Version"),
            [(software, version) for software, version in evidence.software.items()],
        ),
        facts([("Evidence format", f"{evidence.format}, version {evidence.version}")]),
    )
