"""Clinical words that look like names and are none: signs, tools and drugs that stand in no list.

A model that has only seen Foley and Parkinson learns them by heart. Surnames before *sign*, *clamp* or
*syndrome*, and made-up drugs before a dose, teach it the context instead.
"""

from __future__ import annotations

from sfumato.text.training.lists import listed
from sfumato.text.training.people import family_name, peoples
from sfumato.text.training.scribe import Scribe

_DISEASES = listed("diseases of somebody")
_SIGNS = listed("signs of somebody")
_TOOLS = listed("tools of somebody")
_STEPS = listed("operations of somebody")
_DRUG_STARTS = listed("drug starts")
_DRUG_MIDDLES = listed("drug middles")
_DRUG_ENDS = listed("drug ends")


def write_eponym(scribe: Scribe, form: str) -> None:
    """Write a disease, ``sign``, ``tool`` or ``step`` of an operation that is named after somebody."""
    people = peoples()
    name = family_name(scribe, scribe.pick(people))
    if scribe.chance(0.25):
        name += "-" + scribe.pick(scribe.pick(people).family)
    things = {"sign": _SIGNS, "tool": _TOOLS, "step": _STEPS}.get(form, _DISEASES)
    if things is not _TOOLS and scribe.chance(0.35):
        name += "'s"
    scribe.say(f"{name} {scribe.pick(things)}")


def write_drug(scribe: Scribe, form: str) -> None:
    """Write a drug that does not exist."""
    name = scribe.pick(_DRUG_STARTS) + scribe.pick(_DRUG_MIDDLES) + scribe.pick(_DRUG_ENDS)
    scribe.say(name if scribe.chance(0.6) else name.lower())
