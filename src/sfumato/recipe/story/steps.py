"""The five steps of the story, each with its table. Sentences about how an attack ended are chosen by it."""

from __future__ import annotations

from sfumato.core.attack import AttackResult, in_per_cent
from sfumato.recipe.story.telling import CLOSE, EVERYBODY, VOTERS, Edition, K, Story
from sfumato.recipe.story.words import compared, outcome, people, promises, share, table
from sfumato.table.models import DistinctLDiversity, TCloseness

BACKGROUND, NO_FACTS, SIMILARITY = "background knowledge", "no facts", "similarity"
SKEWED = ("skewness, illness", "skewness, charges")


def names_removed(story: Story) -> str:
    """Tell what linkage does to a file without names."""
    edition = story.names_removed
    voters, everybody = edition[VOTERS], edition[EVERYBODY]
    wrong = int(voters.details["unique matches that are wrong"])
    return f"""
## 1. Names removed

Names and numbers are gone, and everything else is as the hospital has it, birth dates included.

{compared(None, edition, (VOTERS, EVERYBODY))}

**Linkage re-identifies {share(voters)} of the patients on the voter list**, and there is no doubt about
{voters.certain:,} of them. The others share what is known with somebody else, or have moved. An adversary
who takes every voter with a single fitting record for found is wrong {wrong:,} times, about voters who were
never patients or have moved. Who knows the length of stay too, and knows that somebody was a patient, finds
{share(everybody)} of all patients; and whose record is found, of them illness and charges are known.
"""


def k_anonymity(story: Story) -> str:
    """Tell that nobody is found any more, and what is learned without finding anybody."""
    years, edition = story.years, story.k_anonymous
    found, homogeneous = edition[EVERYBODY], edition["homogeneity"]
    highest = max(found.highest, edition[VOTERS].highest)
    return f"""
## 2. k-anonymity: nobody is found

The year of birth now stands in place of the date. That alone brings linkage with the voter list down to
{share(years[VOTERS])} on average; but it is still sure of {people(years[VOTERS].certain)}, and somebody who
knows all four columns still finds {share(years[EVERYBODY])}. An average is no promise. k-anonymity is one:

{promises(edition)}

{compared(story.names_removed, edition, (VOTERS, EVERYBODY, "homogeneity"))}

**Linkage on these columns is right about at most 1 in {K}.** Who knows all four is right about
{share(found)} on average, and about nobody with a chance above {in_per_cent(highest)}.

{_homogeneity(homogeneous)}
"""


def _homogeneity(found: AttackResult) -> str:
    if not found.certain:
        return f"""\
**Homogeneity finds nobody here**: no class of {K} has one kind of illness only. That is luck; nobody
promised it."""
    return f"""\
**Homogeneity still works**: it is sure of {people(found.certain)}, in whose class everybody has the same kind
of illness. Nobody has to find a record to know it. Nor is it a person's own record that tells (without the
target: {in_per_cent(found.baseline)}): the others of the class do. So it is the success that must be bounded,
not what lies above “without the target”."""


def l_diversity(story: Story) -> str:
    """Tell that classes have several values, and what can be known of them nevertheless."""
    edition = story.diverse
    homogeneous, facts, none = edition["homogeneity"], edition[BACKGROUND], edition[NO_FACTS]
    illness, charges = (edition[key] for key in SKEWED)
    still = "still works" if facts.certain else "is sure of nobody"
    return f"""
## 3. l-diversity: no class has one value only

Distinct l-diversity asks for different values of both sensitive columns in every class.

{promises(edition)}

{compared(story.k_anonymous, edition, (EVERYBODY, "homogeneity", BACKGROUND, *SKEWED))}

**Homogeneity {outcome(homogeneous)}**: it is sure of {people(homogeneous.certain)}.

**Background knowledge {still}.** This adversary crosses out what somebody cannot have (a man does not give
birth; {int(facts.details["rules"])} such rules show in the data) and claims the most frequent value that is
left. It is sure of {people(facts.certain)}, and right about {share(facts)}, against
{in_per_cent(facts.baseline)} without the target. Without any facts it would be right about {share(none)}
and sure of {people(none.certain)}: facts add little on average, and certainty about a few.

**Skewness {outcome(illness)}**: {share(illness)} of the patients have an illness that at least half of their
class have, and that is at least twice as frequent there as among all. For the charges it is
{share(charges)}. A second value in the class is little comfort when nearly everybody has the first.
"""


def t_closeness(story: Story) -> str:
    """Tell that no class is far from the whole, and what its values still have in common."""
    edition, town = story.close, story.town
    facts, alike = edition[BACKGROUND], edition[SIMILARITY]
    illness, charges = (edition[key] for key in SKEWED)
    skewed = (
        f"**Skewness {outcome(illness)}** for the illness ({share(illness)}); for the charges it is "
        f"{share(charges)}."
    )
    if illness.success == charges.success == 0:
        skewed = "**Skewness ends**, for the illness and for the charges: it is right about nobody."
    most = town.most_frequent("illness")
    why = ""
    if most + 0.3 < 0.5:
        why = (
            f"No kind of illness has more than {in_per_cent(most)} of all patients, so one that half of a "
            f"class has is at least {0.5 - most:.3f} too frequent there, and t = 0.3 rules that out. "
            "About the charges t = 0.5 is no such proof."
        )
    return f"""
## 4. t-closeness: no class is far from the whole

t-closeness bounds how far the values of a class may be from those of the whole table. With *equal*
distances any value is as far from any other: at most such a share of the class would have to be exchanged.

{promises(edition)}

{compared(story.diverse, edition, (BACKGROUND, *SKEWED, SIMILARITY))}

{skewed} {why}

**Background knowledge** is sure of {people(facts.certain)}. It is right about {share(facts)}, against
{in_per_cent(facts.baseline)} without the target: nearly all that it knows, it knows from the other
patients.

{_similarity(alike, story.diverse[SIMILARITY], town.narrow)}
"""


def _similarity(found: AttackResult, earlier: AttackResult, narrow: int) -> str:
    what = f"""\
the charges of their class differ, and all lie in one range that is at most a quarter of the whole ({narrow}
thousand dollars) and holds at most three quarters of all patients"""
    if not found.certain:
        return f"""\
**Similarity finds nobody any more.** After l-diversity it was sure of {people(earlier.certain)}: {what}."""
    return f"""\
**Similarity still works.** It is sure of {people(found.certain)}: {what}. An equal distance does not see that
these values are neighbours. (A blind guess, the same range for everybody, is right about
{in_per_cent(found.guessing)}, and sure of nobody. Similarity worked all along: after l-diversity it was sure
of {people(earlier.certain)}.)"""


def meaning(story: Story) -> str:
    """Tell what ends similarity."""
    ordered, ranged = story.ordered, story.ranged
    by_order, by_range = ordered[SIMILARITY], ranged[SIMILARITY]
    ends = (
        f"**Similarity {outcome(by_order)}** with the ordered distance (sure of {people(by_order.certain)}), "
        f"and with range diversity it {outcome(by_range)} (sure of {people(by_range.certain)})."
    )
    if by_order.success == by_range.success == 0:
        ends = "**Similarity ends**, with either of them: it is sure of nobody."
    shown = (*SKEWED, SIMILARITY)
    heads = ("about the charges", "about the illness", "classes", "loss", "sure of narrow", "sure of close")
    rows = [_charges(one) for one in story.about_charges]
    return f"""
## 5. Promises that know what values mean

t-closeness with the *ordered* distance knows that neighbouring amounts are close to each other:

{promises(ordered)}

{compared(story.close, ordered, shown)}

Range diversity knows how far the amounts of a class are apart. It asks for more than the quarter that
counts as narrow:

{promises(ranged)}

{compared(story.close, ranged, shown)}

{ends}

Here is the same attack against more promises about the charges, all of them beside k = {K}. *Loss* is the
global certainty penalty: 0 when nothing was generalised, 1 when all was hidden. A *narrow* range is at most
a quarter of the whole, as above; a *close* one is {CLOSE} thousand dollars wide.

{table(heads, rows)}
"""


def _charges(edition: Edition) -> tuple[str, ...]:
    (illness,) = (
        f"t = {one.t}" if isinstance(one, TCloseness) else f"l = {one.l}"
        for one in edition.models
        if isinstance(one, TCloseness | DistinctLDiversity) and one.column == "illness"
    )
    if not edition.results:
        return (edition.promised, illness, "cannot be kept", "", "", "")
    return (
        edition.promised,
        illness,
        f"{edition.classes:,}",
        f"{edition.loss:.3f}",
        f"{edition[SIMILARITY].certain:,}",
        f"{edition['close similarity'].certain:,}",
    )
