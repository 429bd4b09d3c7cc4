"""The sections that everybody may read: promises, limits, changes, groups, how to verify."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import yaml

from sfumato.core.evidence import ClassesEvidence, ColumnEvidence, PublicEvidence, VerdictEvidence
from sfumato.core.schema import Role
from sfumato.report.answer import keeps_suppressed, left_out, promised_k, with_role
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.plots import Mark, Series, figure, standing_bars
from sfumato.report.words import bin_label, count, name, names, number, numbers, percent, shorten, threat

_TALLEST_METER = 12


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


def promises(evidence: PublicEvidence) -> Markup:
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
    warnings = [
        element("p", element("strong", "Warning: "), warning, class_="warning")
        for warning in evidence.warnings
    ]
    return section(
        "learned",
        "What could still be learned",
        warnings,
        element("ul", [element("li", item) for item in items]),
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
    if not column.example_path:
        return None
    steps: list[Markup] = []
    for level, label in enumerate(column.example_path):
        released = level == column.level
        shown = element("bdi", shorten(label, 40))
        steps.append(together(" → " if level else None, element("mark", shown) if released else shown))
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
                ("Truth", truth),
                ("Records", left_out(evidence)),
                ("Suppressed records", evidence.suppressed_policy),
                ("Who was counted", evidence.people),
                ("Missing values", evidence.missing),
                ("Order of rows", evidence.order),
            ]
        ),
    )


def record_shares(classes: ClassesEvidence, bins: Sequence[tuple[int, int | None]]) -> list[float]:
    """Return for each bin the share of all records that lie in its classes."""
    records = {(one.low, one.high): one.records for one in classes.bins}
    total = sum(records.values())
    return [records.get(key, 0) / total if total else 0.0 for key in bins]


def sizes_figure(key: str, sides: Sequence[tuple[str, ClassesEvidence]], k: int | None) -> Markup:
    """Draw how many records lie in groups of which size; with two sides, before and after."""
    bins = sorted(
        {(one.low, one.high) for _, classes in sides for one in classes.bins},
        key=lambda edge: (edge[0], float("inf") if edge[1] is None else edge[1]),
    )
    held = {(one.low, one.high) for _, classes in sides for one in classes.bins if one.records}
    while bins and bins[-1] not in held:
        bins.pop()
    if not bins:
        return element("p", "There are no groups to show.")
    labels = [bin_label(low, high) for low, high in bins]
    tones = ("after",) if len(sides) == 1 else ("before", "after")
    series = [
        Series(side, record_shares(classes, bins), "before" if tone == "before" else "after")
        for (side, classes), tone in zip(sides, tones, strict=True)
    ]
    lows = [low for low, _ in bins]
    # With k in the middle of a bin a line would lie.
    mark = Mark(lows.index(k), f"promised: {k:,} or more") if k is not None and k > 1 and k in lows else None
    spoken = "; ".join(
        f"{one.name}: "
        + ", ".join(f"{label} {percent(share)}" for label, share in zip(labels, one.shares, strict=True))
        for one in series
    )
    found = [{(one.low, one.high): one for one in classes.bins} for _, classes in sides]
    rows = []
    for edge, label in zip(bins, labels, strict=True):
        cells: list[Child] = [label]
        for by_edge, one in zip(found, series, strict=True):
            here = by_edge.get(edge)
            cells += [
                number(here.classes if here else 0),
                number(here.records if here else 0),
                percent(one.shares[bins.index(edge)]),
            ]
        rows.append(cells)
    beside = [f", {side}" if len(sides) > 1 else "" for side, _ in sides]
    header = ["Size of the group"]
    for words in beside:
        header += [f"Groups{words}", f"Records{words}", f"Share of records{words}"]
    title = "Records by the size of their group, in per cent of all records"
    plot = standing_bars(
        key,
        title,
        spoken,
        labels,
        series,
        axis="size of the group (records that look alike)",
        mark=mark,
    )
    data = table("Groups and records by size of the group", header, rows, numbers=range(1, len(header)))
    return figure(plot, title, series, data)


def groups(evidence: PublicEvidence) -> Markup:
    """Describe the sizes of the classes of the release."""
    classes = evidence.classes
    return section(
        "groups",
        "How large the groups are",
        element(
            "p",
            f"Records that look alike on the quasi-identifiers form a group. The file has "
            f"{count(classes.number, 'group')}; the smallest has {count(classes.smallest, 'record')}, the "
            f"largest {number(classes.largest)}, on average {number(round(classes.mean, 1))}. "
            "The larger the group, the better a person is hidden in it.",
        ),
        sizes_figure("sizes", [("in this release", classes)], promised_k(evidence)),
    )


def verify(evidence: PublicEvidence) -> Markup:
    """Say how anybody can re-check the claims."""
    file = evidence.data.file
    return section(
        "verify",
        "How to check this yourself",
        element("p", "With the folder that you received, and nothing else:"),
        element("pre", element("code", "sfumato verify release/")),
        element(
            "p",
            "It reads the data again, counts the groups, compares every claim of this report with what it ",
            "finds, and says of the claims that the file alone cannot show what it would need. ",
            "That the file is the one this report speaks of can be seen from its fingerprint:",
        ),
        element("pre", element("code", f"sha256sum {shlex.quote(file)}")),
        facts(
            [
                ("File", element("bdi", file)),
                ("Fingerprint (SHA-256)", element("code", evidence.data.sha256)),
                ("Rows", number(evidence.data.rows)),
                ("Bytes", number(evidence.data.bytes)),
            ]
        ),
        None
        if not keeps_suppressed(evidence)
        else element("p", "Blanked records are counted among the rows and checked as a group of their own."),
    )


def provenance(evidence: PublicEvidence) -> Markup:
    """Show the recipe and the versions that made the release."""
    recipe = yaml.safe_dump(
        evidence.model_dump(mode="json", include={"recipe"})["recipe"], sort_keys=False, allow_unicode=True
    )
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
