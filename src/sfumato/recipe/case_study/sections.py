"""What the page says about one file, section by section. Sentences are chosen by what was found."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.codes.risk import CodesRisk
from sfumato.core.attack import in_per_cent
from sfumato.recipe.case_study.figures import NOTHING, cell, counted, decimal, many, seconds, share
from sfumato.recipe.case_study.releases import KNOWN, Edition
from sfumato.recipe.case_study.study import GUIDED, WITH_POLICY, Study
from sfumato.recipe.story.words import bullets, table

_FREE = ("ACLIP", "PCTA")
"""methods that may join any codes"""
_HELPS = 0.5
"""three digits help when at most this part of the people who were unique still is"""


def the_data(study: Study) -> str:
    """Say what the file holds."""
    read, absent = study.read, len(study.diseases.absent)
    each = read.sets.occurrences / study.people
    seen = read.visits
    visits = ""
    if seen is not None:
        visits = (
            f", {many(len(seen.sets), 'visit')} ({seen.sets.occurrences / len(seen.sets):.1f} codes each)"
        )
    notes = "".join(f" {note[0].upper()}{note[1:]}." for note in read.notes)
    merged = ""
    if study.diseases.merged:
        merged = f" {study.diseases.merged} of them share codes and can only be counted together."
    return f"""
## {study.source.name}

{study.source.about} {many(study.people, "person", "people")} with {each:.1f} codes each on average{visits},
{many(study.codes, "different code")}. Of {study.asked_diseases} diseases to count
{study.asked_diseases - absent} occur.{merged}{notes}
"""


def as_released(study: Study, picture: str, alternative: str) -> str:
    """Tell who is unique, by what, with and without three digits."""
    risks = [study.as_released] if study.shorter is None else [study.as_released, study.shorter]
    heads = ["what is known", "unique", f"fewer than {study.k}"]
    if study.shorter is not None:
        heads += ["unique, three digits", f"fewer than {study.k}, three digits"]
    columns = [_exposed(risk) for risk in risks]
    rows = []
    for place, (known, _, _) in enumerate(columns[0]):
        rows.append((known, *(cell for column in columns for cell in column[place][1:])))
    return f"""
### As released

![{alternative}]({picture})

{table(heads, rows)}

{_whole(study)}

{_three_digits(study)}
"""


def _exposed(risk: CodesRisk) -> list[tuple[str, str, str]]:
    """Return rows: what is known, who is unique by it, and who is one of fewer than k."""
    people = risk.people
    rows = [("all codes", share(risk.alike_unique, people), share(risk.alike_below, people))]
    if risk.visits is not None:
        seen = risk.visits
        rows.append(
            ("one visit", share(seen.people_unique, seen.people), share(seen.people_below, seen.people))
        )
    for one in risk.subsets:
        worst, drawn = "the worst code", "a random code"
        if one.known > 1:
            worst, drawn = f"the worst {one.known} codes", f"{one.known} random codes"
        rows.append((worst, share(one.unique, people), share(one.below, people)))
        random = one.random
        unique, below = (None, None) if random is None else (random.unique, random.below)
        rows.append((drawn, share(unique), share(below)))
    return rows


def _whole(study: Study) -> str:
    risk = study.as_released
    said = f"**{share(risk.alike_unique, risk.people)} are unique by all of their codes.**"
    if risk.visits is not None:
        seen = risk.visits
        said += f""" Who saw one discharge summary can single out {share(seen.people_unique, seen.people)} of
        the people: they have a visit whose codes stand together in their history alone."""
    return said


def _three_digits(study: Study) -> str:
    before, after = study.as_released, study.shorter
    if after is None:
        return "These codes have no classification, so that there is no shorter form of them to try."
    if not before.alike_unique:
        return "Nobody is unique by all codes, so that three digits have nothing to mend."
    visits = ""
    if before.visits is not None and after.visits is not None:
        first = in_per_cent(before.visits.people_unique / before.visits.people)
        second = in_per_cent(after.visits.people_unique / after.visits.people)
        visits = f", by one visit from {first} to {second}"
    helps = after.alike_unique <= _HELPS * before.alike_unique
    return f"""\
**Three digits {"help some" if helps else "do not help"}.** {study.categories:,} categories in place of
{study.codes:,} codes bring the share of unique people from {share(before.alike_unique, before.people)} to
{share(after.alike_unique, after.people)}{visits}."""


def leaving_out(study: Study) -> str:
    """Tell what the suppression of rare codes costs."""
    policy, rare = study.policy, study.editions["rare codes"]
    can = policy.feasibility
    if not policy.privacy:
        return f"""
### Leaving codes out

Nothing that {_adversary(study)} may know is held by fewer than {study.k} people: there is nothing to protect.
"""
    assert rare is not None
    left = study.codes - rare.codes_lost
    return f"""
### Leaving codes out

{_asked(study)} The oldest remedy leaves out the rarest codes everywhere, as few as keep that promise.

**{rare.codes_lost:,} of {study.codes:,} codes must go ({share(rare.codes_lost, study.codes)}).**
{many(left, "code")} {"is" if left == 1 else "are"} left, {share(1 - rare.occurrences_lost)} of all that
people have, and {counted(study, rare)} diseases can still be counted.

{_lost(study)} Of the constraints, {len(can.reachable):,} can be satisfied by generalisation alone and
{len(can.infeasible):,} only by leaving codes out.
"""


def _lost(study: Study) -> str:
    """Say how many codes must go whatever is done inside the utility policy."""
    lost = study.policy.feasibility.lost_codes
    if not lost:
        return f"Joined within their disease, all codes are held by at least {study.k} people."
    return f"""Joining codes within their disease cannot avoid all of it: {many(lost, "code")}
    ({share(lost, study.codes)}) must go in any case, as fewer than {study.k} people have one of those that
    may be joined."""


def _adversary(study: Study) -> str:
    return "somebody who saw one visit" if study.visits is not None else "somebody who knows a whole history"


def _asked(study: Study) -> str:
    policy = study.policy
    seen = "The codes of each visit" if study.visits is not None else "All codes of each person"
    return f"""{seen} shall be shared by at least {study.k} people. The sets of codes that are not, without
    those that lie in another one, are the privacy policy: {many(len(policy.privacy), "constraint")}. The
    utility policy lets the codes of one disease be joined with each other, and no others."""


def remedies(study: Study, picture: str, alternative: str) -> str:
    """Compare all methods at one k, and how many diseases each keeps for several."""
    heads = (
        *("", "diseases counted", "constraints satisfied", "codes left out", "occurrences left out"),
        *("shown as they were", "different items", "error, frequent sets", "error, random pairs"),
        *("log2 UL", "unique afterwards", "time"),
    )
    rows = [_row(study, "as released", study.raw, NOTHING)]
    for name in study.methods:
        one = study.editions[name]
        rows.append(_row(study, name, one, NOTHING if one is None else seconds(one.seconds)))
    frequent = many(len(study.workloads.frequent), "set")
    return f"""
### The remedies, k = {study.k}

{table(heads, rows)}

![{alternative}]({picture})

{_frequent(study, frequent)}

{bullets(*_found(study))}

{_ticks(study)}
"""


def _frequent(study: Study, frequent: str) -> str:
    asked = (
        f"{frequent} of up to 4 codes that at least 10 % of the people have"
        if study.workloads.frequent
        else "no set of codes is held by 10 % of the people, so that there is none to ask for"
    )
    return f"""\
Errors are relative errors of counts on average: of frequent sets ({asked}) and of
{many(len(study.workloads.pairs), "pair")} of codes drawn from the records."""


def _row(study: Study, name: str, one: Edition | None, time: str) -> tuple[str, ...]:
    if one is None:
        return (name, *(NOTHING for _ in range(11)))
    return (
        name,
        counted(study, one),
        f"{one.satisfied} of {len(study.diseases)}",
        f"{one.codes_lost:,}",
        share(one.occurrences_lost),
        share(one.exact),
        f"{one.items:,}",
        decimal(one.frequent_error),
        decimal(one.pair_error),
        decimal(one.log2_loss, 1),
        share(one.unique),
        time,
    )


def _found(study: Study) -> list[str]:
    """Say what the table shows, in sentences that hold for these figures."""
    number = len(study.diseases)
    editions = {name: one for name, one in study.editions.items() if one is not None}
    guided = {name: editions[name].counted for name in GUIDED if name in editions}
    free = {name: editions[name].counted for name in _FREE if name in editions}
    could = number - study.rare_diseases
    said = [_possible(study), _guided(guided, free, could, number), _free(editions, free, number)]
    if "k^m" in editions:
        said.append(_km(study, editions["k^m"]))
    said.append(_still_unique(study, editions, list(guided)))
    return said


def _possible(study: Study) -> str:
    """Say how many diseases a release could keep at all."""
    number, few = len(study.diseases), study.rare_diseases
    if not few:
        return f"""**Every disease could be kept**: each has at least {study.k} cases. (What has fewer, no
        release that keeps the promise can count exactly.)"""
    those = "it" if few == 1 else "them"
    return f"""**No release can keep more than {number - few} of {number} diseases**: {few} of them
    {"has" if few == 1 else "have"} fewer than {study.k} cases, and to count {those} exactly would be to show
    a code that fewer than {study.k} people have."""


def _still_unique(study: Study, editions: dict[str, Edition], guided: list[str]) -> str:
    still = _between([editions[name].unique for name in guided])
    if study.visits is None:
        return f"""After {_listed(guided)} {still} of the records look like nobody else's."""
    return f"""**Only what the policy lists is protected.** After {_listed(guided)} {still} of the records
    look like nobody else's. Nothing was promised about who knows a whole history; the last table asks for
    it."""


def _guided(guided: dict[str, int], free: dict[str, int], could: int, number: int) -> str:
    most = max(guided.values())
    best = [name for name, kept in guided.items() if kept == most]
    all_of_them = ", ".join(f"{name} {kept}" for name, kept in guided.items())
    if most == could and most > max(free.values()):
        return f"""**{_listed(best)} {"keeps" if len(best) == 1 else "keep"} every disease that can be kept**:
        {all_of_them} of {number}."""
    if 2 * most > number and most > max(free.values()):
        return (
            f"""**Methods that follow the utility policy keep most diseases**: {all_of_them} of {number}."""
        )
    if most > max(free.values()):
        return f"""**Following the utility policy helps, and keeps few diseases here**: {all_of_them} of
        {number}; {_listed(best)} {"keeps" if len(best) == 1 else "keep"} most."""
    return f"""**Following the utility policy does not save the diseases here**: {all_of_them} of {number}."""


def _free(editions: dict[str, Edition], free: dict[str, int], number: int) -> str:
    lost = max(editions[name].occurrences_lost for name in free)
    kept = ", ".join(f"{name} {each}" for name, each in free.items())
    few = "few" if 2 * max(free.values()) <= number else "many"
    return f"""**ACLIP and PCTA join whatever loses least.** They leave out {share(lost)} of the occurrences
    and keep {few} diseases ({kept} of {number}): an item that crosses a disease hides who has it."""


def _km(study: Study, edition: Edition) -> str:
    left = f"{many(edition.items, 'item')} {'is' if edition.items == 1 else 'are'} left"
    said = f"""**k^m-anonymity is another promise**: about any {KNOWN} codes of a whole history, seen in one
    visit or not, and about no more than {KNOWN}. Along the classification {left} and
    {counted(study, edition)} diseases can be counted"""
    if edition.items == 1:
        return f"{said}: every code became the root."
    return f"{said}."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _between(shares: list[float]) -> str:
    low, high = in_per_cent(min(shares)), in_per_cent(max(shares))
    return low if low == high else f"{low} to {high}"


def _ticks(study: Study) -> str:
    """Write which disease can be counted after which remedy."""
    rows = []
    for place, names in enumerate(study.diseases.names):
        found = []
        for method in study.methods:
            one = study.editions[method]
            found.append(NOTHING if one is None else "✓" if one.kept[place] else "")
        rows.append((cell(" + ".join(names)), *found))
    return table(("cases and controls as before", *study.methods), rows)


def variants(study: Study) -> str:
    """Compare other adversaries and other utility policies."""
    heads = ("adversary knows", "codes of no disease", "sets to protect", *WITH_POLICY)
    main = study.editions
    rows = [_variant(study.visits is None, False, len(study.policy.privacy), main)]
    rows += [_variant(one.history, one.rest, len(one.policy.privacy), one.editions) for one in study.variants]
    return f"""
### Another adversary, another policy

How many of the {len(study.diseases)} diseases can be counted, k = {study.k}, and in brackets which share of
what people have is left out.

{table(heads, rows)}
"""


def _variant(history: bool, rest: bool, sets: int, editions: Mapping[str, Edition | None]) -> tuple[str, ...]:
    return (
        "a whole history" if history else "one visit",
        "may be joined" if rest else "kept or left out",
        f"{sets:,}",
        *(_brief(editions[name]) for name in WITH_POLICY),
    )


def _brief(one: Edition | None) -> str:
    return NOTHING if one is None else f"{one.counted} ({share(one.occurrences_lost)})"
