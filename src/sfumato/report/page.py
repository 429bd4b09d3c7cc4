"""The report: evidence in, one self-contained HTML document out.

The public edition holds what the public evidence holds and nothing else; the steward's edition adds
what was computed from the raw data. No script, no network, no font from elsewhere: the document says
so itself in its content security policy.
"""

from __future__ import annotations

import functools
import re
from importlib.resources import files
from pathlib import Path

from sfumato.core.evidence import HouseEvidence, PublicEvidence, ReleaseEvidence, StewardEvidence
from sfumato.core.evidence_codes import CodesEvidence
from sfumato.core.evidence_dna import DnaEvidence
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.core.evidence_query import QueryEvidence
from sfumato.core.evidence_text import TextEvidence
from sfumato.core.system import could_not
from sfumato.core.whole_file import write_whole
from sfumato.report import (
    attacks,
    codes,
    dna,
    expert,
    graph,
    groups,
    identifiers,
    perturbation,
    query,
    risk,
    sections,
    steward,
    text,
)
from sfumato.report.answer import answer, key_figures
from sfumato.report.markup import Markup, element, together
from sfumato.report.words import moment

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_HEADING = re.compile(r'<h2 id="([a-z-]+)">([^<]*)</h2>')


def render(evidence: ReleaseEvidence) -> str:
    """Return the report on a release as one HTML document.

    Which edition it is, and of which kind of data, follows from the type of the evidence alone.
    """
    above, body = _parts(evidence)
    for_steward = isinstance(evidence, HouseEvidence)
    edition = "Steward’s edition: keep it in the house" if for_steward else "Public edition"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="robots", content="noindex") if for_steward else None,
        element("title", evidence.title, " · report"),
        element("style", page_style()),
    )
    header = element(
        "header",
        element(
            "p", "Sfumato · report on a release", element("span", edition, class_="edition"), class_="over"
        ),
        element("h1", evidence.title),
        element(
            "p",
            element("bdi", evidence.data.file),
            " · ",
            element("time", moment(evidence.created), datetime=evidence.created),
            class_="under",
        ),
    )
    footer = element("footer", element("p", _closing(evidence)))
    page = element(
        "body",
        header,
        element("main", above, _contents(body), body),
        footer,
    )
    return f"<!DOCTYPE html>\n{element('html', head, page, lang='en')}\n"


def _parts(evidence: ReleaseEvidence) -> tuple[Markup, Markup]:
    """Return what stands before the list of sections, and the sections."""
    match evidence:
        case CodesEvidence():
            return codes.above(evidence), codes.body(evidence)
        case QueryEvidence():
            return query.above(evidence), query.body(evidence)
        case DnaEvidence():
            return dna.above(evidence), dna.body(evidence)
        case GraphEvidence():
            return graph.above(evidence), graph.body(evidence)
        case TextEvidence():
            return text.above(evidence), text.body(evidence)
        case StewardEvidence():
            return together(answer(evidence), key_figures(evidence)), _steward(evidence)
        case PublicEvidence():
            return together(answer(evidence), key_figures(evidence)), _public(evidence)
    raise TypeError(f"there is no report on {type(evidence).__name__}")


def write(evidence: ReleaseEvidence, path: Path) -> None:
    """Write the report on a release to a file."""
    path.write_text(render(evidence), encoding="utf-8", newline="\n")


def save(evidence: ReleaseEvidence, path: str | Path) -> Path:
    """Write the report where somebody asked for it; refuse a place that cannot be written to."""
    try:
        write_whole(Path(path), render(evidence))
    except OSError as problem:
        raise could_not(problem, "the report cannot be written there", where=str(path)) from None
    return Path(path)


@functools.cache
def page_style() -> Markup:
    """Return the style sheet of all pages."""
    return Markup((files("sfumato.report") / "style.css").read_text(encoding="utf-8"))


def _public(evidence: PublicEvidence) -> Markup:
    return together(
        sections.promises(evidence),
        sections.learned(evidence),
        sections.changes(evidence),
        perturbation.steps(evidence),
        identifiers.policy(evidence),
        identifiers.consent_and_repairs(evidence),
        groups.of_release(evidence),
        sections.verify(evidence),
        sections.provenance(evidence),
    )


def _steward(evidence: StewardEvidence) -> Markup:
    return together(
        sections.promises(evidence),
        sections.learned(evidence),
        sections.changes(evidence),
        perturbation.steps(evidence),
        identifiers.policy(evidence),
        identifiers.consent_and_repairs(evidence),
        groups.before_and_after(evidence),
        steward.risk(evidence),
        risk.before_and_after(evidence),
        attacks.adversary(evidence),
        steward.loss(evidence),
        steward.search(evidence),
        sections.verify(evidence),
        steward.source(evidence),
        identifiers.secrets(evidence),
        sections.provenance(evidence),
        expert.determination(evidence),
        steward.signature(evidence),
    )


def _contents(body: Markup) -> Markup:
    """List the sections: their headings are ours and hold no markup."""
    links = [
        element("li", element("a", Markup(title), href=f"#{key}")) for key, title in _HEADING.findall(body)
    ]
    return element("nav", element("ol", links), aria_label="Contents")


def _closing(evidence: ReleaseEvidence) -> str:
    made = evidence.software.get("sfumato", "")
    return (
        f"Made by Sfumato {made}".rstrip()
        + ". This report describes transformations applied and promises checked. It is no legal advice, and "
        "no statement about columns that were not declared."
    )
