"""What a table about nodes warns of beside their edges. All of it follows from what everybody can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sfumato.core.errors import SfumatoError
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_graph import PeopleTableEvidence
from sfumato.core.findings import many
from sfumato.core.named import build
from sfumato.core.schema import Field, Schema
from sfumato.graph.models import MODELS as GRAPH_MODELS
from sfumato.recipe.known_columns import sentences
from sfumato.recipe.released_schema import ReleasedSchema
from sfumato.table.models import MODELS
from sfumato.table.protect import PrivacyModel, rules_of

APART = (
    "edges and the table about nodes are promised apart: whoever knows somebody's number of neighbours and "
    "what the table tells of them may find a single node"
)
LIKE_TO_LIKE = (
    "people are often like those whom they are connected to: what the table hides of somebody may be guessed "
    "from what it shows of their neighbours"
)


def models_of_people(verdicts: Sequence[VerdictEvidence]) -> list[PrivacyModel]:
    """Return the promises that are about the table, as objects; raises ``BadInput`` where that cannot be."""
    return [
        build(MODELS, {told.model: dict(told.parameters)}, "model")
        for told in verdicts
        if told.model not in GRAPH_MODELS
    ]


def warnings_of_people(
    table: PeopleTableEvidence, schema: ReleasedSchema, verdicts: Sequence[VerdictEvidence]
) -> list[str]:
    """Say what a reader must know, one sentence each, without its full stop."""
    return list(_warnings(table, schema, verdicts))


def _warnings(
    table: PeopleTableEvidence, schema: ReleasedSchema, verdicts: Sequence[VerdictEvidence]
) -> Iterator[str]:
    yield APART
    yield LIKE_TO_LIKE
    uncovered = _uncovered(schema, verdicts)
    if uncovered:
        yield (
            f"no promise covers the sensitive column{'s' * (len(uncovered) > 1)} ({', '.join(uncovered)}) of "
            "the table about nodes: people who look alike may all share a sensitive value, which is then "
            "learned without finding anybody"
        )
    yield from sentences(table.exposure, set(schema.sensitive) - set(uncovered))
    if table.blanked:
        yield f"the table says nothing about {many(table.blanked, 'node')}: that does not hide their edges"


def _uncovered(schema: ReleasedSchema, verdicts: Sequence[VerdictEvidence]) -> list[str]:
    """List the sensitive columns that no promise is about."""
    columns = Schema(tuple(Field(one.name, one.role, one.type, known=one.known) for one in schema.fields))
    try:
        watched = {rule.column for rule in rules_of(models_of_people(verdicts), columns)}
    except SfumatoError:
        watched = set()
    return [name for name in schema.sensitive if name not in watched]
