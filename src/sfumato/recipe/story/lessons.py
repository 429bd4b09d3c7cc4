"""What the story teaches, and where it is less tidy than it is told in lectures."""

from __future__ import annotations

from sfumato.core.attack import in_per_cent
from sfumato.recipe.story.telling import CLOSE, Edition, Story
from sfumato.recipe.story.words import bullets, people


def lessons(story: Story) -> str:
    """Write the last section of the page."""
    said = (_rare(story), _taking_part(story), _facts(story), _equal(story), _numbers(story), _price(story))
    return f"\n## Less tidy than in lectures\n\n{bullets(*said, UNDECLARED)}\n"


UNDECLARED = """\
**What is not declared is not protected.** All promises are about people who are known by these four columns.
Whoever knows more, of a release that shows more, begins again at the first step.
"""


def _rare(story: Story) -> str:
    found = story.k_anonymous["homogeneity"]
    return f"""\
**Homogeneity is rare here.** It hits {found.certain:,} of {found.attempts:,} people: with
{story.town.illnesses} kinds of illness, a class of ten with one of them is an exception. In a column with
two values it would not be."""


def _taking_part(story: Story) -> str:
    skewed = story.diverse["skewness, illness"]
    return f"""\
**Most of this harm is not due to anybody's own record.** After l-diversity skewness is right about
{in_per_cent(skewed.success)}, and about {in_per_cent(skewed.baseline)} when the target is left out: patients
are judged by those who look like them. Staying away would have helped few of them."""


def _facts(story: Story) -> str:
    diverse, close = (one["background knowledge"].certain for one in (story.diverse, story.close))
    return f"""\
**No promise here is about facts.** After l-diversity they make the adversary sure of {people(diverse)}, after
t-closeness of {people(close)}: its classes are large and varied, but nobody promised it."""


def _equal(story: Story) -> str:
    tight = story.tight
    found = f"With t = 0.4 for the charges similarity is sure of {_sure(tight)}." if tight.results else ""
    return f"""\
**Equal distances can end similarity too.** No distance counts two values as farther apart than the equal one
does, so that the same t promises more with it, not less. {found} What sets the others apart is what they ask
for: that the values of a class are spread out. With equal distances every class of few values is far from the
whole, spread out or not; where amounts are many and classes small, a t that can be kept at all lets narrow
classes pass."""


def _numbers(story: Story) -> str:
    loose, near = story.loose, story.near
    said = []
    if loose.results:
        said.append(f"With the ordered distance and t = 0.1 similarity is sure of {_sure(loose)}.")
    if near.results:
        said.append(
            f"(ε,m)-anonymity keeps what it promises: claims {CLOSE} thousand dollars wide are sure of "
            f"{_sure(near, 'close similarity')}, after l-diversity alone of "
            f"{_sure(story.diverse, 'close similarity')}; wider ones are still sure of {_sure(near)}."
        )
    return " ".join(["**The name of a promise is not enough, its number counts.**", *said])


def _price(story: Story) -> str:
    diverse, close, ordered, ranged = story.diverse, story.close, story.ordered, story.ranged
    return f"""\
**It has a price.** From l-diversity to t-closeness the loss goes from {diverse.loss:.3f} to {close.loss:.3f},
and {diverse.classes:,} classes become {close.classes:,}. What ends similarity costs {ordered.loss:.3f}
(ordered distance) and {ranged.loss:.3f} (range diversity). Illness follows age, sex and length of stay; what
hides this from adversaries hides it from research."""


def _sure(edition: Edition, attack: str = "similarity") -> str:
    return people(edition[attack].certain)
