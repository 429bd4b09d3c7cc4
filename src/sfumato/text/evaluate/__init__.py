"""How well a finder finds: scores against annotated notes, and over-redaction where nothing is annotated."""

from sfumato.text.evaluate.compared import Compared, Outcome, compare
from sfumato.text.evaluate.evaluation import Evaluation, evaluate, evaluate_finder, found_in
from sfumato.text.evaluate.examples import Example, examples
from sfumato.text.evaluate.intervals import Share
from sfumato.text.evaluate.over_redaction import OverRedaction, over_redaction
from sfumato.text.evaluate.scope import EVERYTHING, HIPAA, SCOPES, Scope

__all__ = [
    "EVERYTHING",
    "HIPAA",
    "SCOPES",
    "Compared",
    "Evaluation",
    "Example",
    "Outcome",
    "OverRedaction",
    "Scope",
    "Share",
    "compare",
    "evaluate",
    "evaluate_finder",
    "examples",
    "found_in",
    "over_redaction",
]
