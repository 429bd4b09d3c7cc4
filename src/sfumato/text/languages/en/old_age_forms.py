"""What stands around an age over 89 in English notes: people and what they do, and what is measured instead.

All expressions end or begin at the number, and look no further than a line of text: they cost the same
wherever the number stands.
"""

from __future__ import annotations

import re

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import compiled


def _any(parts: str) -> str:
    """Return an expression for any of several, which are written between blanks; ``_`` stands for a blank."""
    return "(?:" + "|".join(parts.replace("_", r"\s").split()) + ")"


NUMBER = re.compile(r"(?:9[0-9]|1[0-2][0-9])(?![0-9]|[.,/:'\u2019][0-9]|-[0-9])")
_ONES = _any("one two three four five six seven eight nine")
_TEENS = _any("ten eleven twelve thirteen fourteen fifteen sixteen")
_TH = _any("first second third fourth fifth sixth seventh eighth ninth")
_HUNDRED = r"(?:one|a)[\s-]hundred"
SPELT = compiled(
    rf"(?P<sure>(?:ninety|{_HUNDRED}(?:[\s-]and)?)[\s-]{_ONES})\b"
    rf"|(?:ninety|{_HUNDRED}(?:[\s-](?:and[\s-])?{_TEENS})?)\b(?![\s-](?:{_ONES}|twenty|thirty|forty|fifty)\b)"
)
ORDINAL = compiled(
    rf"(?P<v>ninetieth|ninety[\s-]{_TH}|(?:one[\s-])?hundredth|{_HUNDRED}[\s-](?:and[\s-])?{_TH})\sbirthday\b"
)
DECADE = compiled(
    r"(?P<v>(?:10|11)th\sdecade|(?:tenth|eleventh)\sdecade|hundred(?=[\s-]years?[\s-]old))\b"
    r"|(?P<s>(?:(?:early|mid|late)[\s-])?(?:90'?s|nineties))\s(?:man|woman|male|female|lady|gentleman)\b"
)
FIRST_WORDS = listed("ninety one a ninetieth hundred hundredth tenth eleventh early mid late nineties")

_UNITS = _any(
    r"percent per\b mg mcg gm?s?\b kgs?\b lbs?\b pounds? cm mm ml cc dl liters? l\b units? u\b iu\b meq "
    r"mmol mmhg bpm degrees? deg\b celsius fahrenheit temp days? wks? weeks? mos?\b months? hours? "
    r"hrs?\b mins?\b minutes? secs?\b seconds? times feet foot ft\b inch inches yards? meters? metres? "
    r"miles? blocks? steps? calories kcal cals?\b beats? breaths? pack cigarettes dollars? cents "
    r"points? words? people patients pills? tablets? tabs?\b caps doses? puffs? gallons? oz\b ounces? "
    r"am\b pm\b a\.m p\.m o'?clock systolic diastolic sats?\b ra\b french fr\b gauge volts? db\b hz\b "
    r"proof acres items reps repetitions laps stairs questions out_of of_[0-9]"
)
_SUPPORT = _any(r"ra\b room [0-9] nc\b nasal bipap cpap vent o2 oxygen arrival the admission")
_STREETS = "St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Ln|Lane|Blvd|Way|Ct|Court|Pl|Place"
MEASURED = compiled(
    rf"\s?(?:%|\u00b0|\+\s?(?!yo|y/o)|x\b|/|\#)|[\s-]{{0,2}}{_UNITS}"
    rf"|\s(?:on|over|to|and\srising|down|up|from)\s{_SUPPORT}"
    rf"|\s(?-i:(?:[NSEW]\.?\s)?[A-Z][a-z]+\s(?:{_STREETS})\b)"
)
"""what follows a number that counts or measures something, or the number of a house"""
_STOP = r"[,.;)\]!?|\"\u201d]|$|\n"
ENDS = re.compile(rf"\s{{0,2}}(?:{_STOP}|-\s|\u2013|\((?:d|dec|died|deceased|alive|age)\b|[Aa][&/][Ww]\b)")
_AND_THEN = _any(
    r"and with who whose but or when while living lives lived years? old this next in at as so then "
    r"today now still year has had is was hx w/ s/p d\.?\s of from due after alive dec deceased healthy "
    r"well htn dm cad chf mi cva ca copd he she we i they it him her soon later already the a"
)
GOES_ON = compiled(
    rf"\s{{0,2}}(?:{_STOP}|[-\u2013]\s|y/?o?\b|y\.|yrs?\b|years?\b|\((?!s))|\s{_AND_THEN}\b|\s(?-i:[A-Z])"
)
"""what may follow an age in a sentence"""

_KIN = _any(
    "mothers? fathers? mom mum dad parents? grandparents? g?g?[mp]?g[mf] grandmothers? grandfathers? "
    "grandma grandpa granny nana sisters? brothers? siblings? sis bro aunts? uncles? cousins? wife "
    "husband spouse partner sons? daughters? widow widower niece nephew twins? in-law caregiver "
    "roommate neighbou?r friend fianc\u00e9e? decedent"
)
_JOINT = r"[\s.,:;()\[/@\u2013-]{1,3}"
_STATE = _any(
    "is was are were now currently still alive living well healthy a&w a/w deceased dec'?d dec died "
    "dies d expired passed away dead lived at age aged of about approx approximately around almost "
    "nearly only just the to until till be and who both [0-9]{1,3} [a-z]{2,4}(?=,)"
)
OF_KIN = compiled(rf"\b{_KIN}(?:{_JOINT}{_STATE}){{0,5}}{_JOINT}$")
KIN_AFTER = compiled(rf"\s(?:year\sold\s)?{_KIN}\b")
PERSONS = listed(
    "he she they i you who pt patient client resident veteran vet decedent gentleman lady man woman "
    "member caregiver spouse mother father mom dad wife husband sister brother aunt uncle grandmother "
    "grandfather partner parents twin sibling"
)
_BEING = _any("is was are were am turns? turned turning became reached reaches")
_WILL = (
    r"(?:\s(?:will|would|is\sgoing\sto|is\sabout\sto)|['\u2019](?:ll|d))"
    r"\s(?:soon\s)?(?:be|turn|reach|have\sturned)"
)
_MANNER = _any(
    r"now currently almost nearly about only just already still around approx\.? approximately over "
    r"under well past a an the spry frail pleasant young elderly very healthy vigorous age aged "
    r"going_on close_to exactly at_least pushing nearing approaching"
)
WHO = compiled(
    rf"(?<![\w'\u2019-])(?P<who>[^\W\d_][\w'\u2019-]{{0,30}}?)"
    rf"(?:['\u2019](?:s|re)|\s{_BEING}|['\u2019]m|{_WILL})(?:\s{_MANNER}){{0,3}}\s$"
)
"""somebody who is said to be so old"""
DOING = compiled(
    r"""(?:\b(?:older|younger)\sthan(?:\s(?:her|his|their|a|the))?
    |\b(?:claim|report|state|admit)(?:s|ed|ing)?\s(?:to\sbe|being)
    |\bshy\sof|\blived\s(?:to|until|till|past)(?:\s(?:be|the\sage\sof))?|\bsurvived\s(?:to|until)
    |\bmade\sit\s(?:to|past)|\b(?:wom[ae]n|m[ae]n|lady|gentleman|female|male)\sof|\bwhen\s(?:he|she|i)\swas
    |\bturn(?:ed|s|ing)|\b(?:will|to)\sturn|\bcurrently|\bnow|\b(?:nearly|almost|approaching|just\sturned)
    |\b(?:died|deceased|dec'?d|expired|passed(?:\saway)?|dead|death|alive|d\.)
      (?:\s(?:at|age|aged|of|the|about|nearly|almost|in\shis|in\sher)){0,3}
    |\b(?:died|passed|diagnosed|widowed|retired|married|stroke|onset|seizure|fall|fell)\b[^.;:\n0-9]{0,40}
      \s(?:at|@)(?:\sage)?
    )\s?\(?$"""
)
"""what people are, or do, at an age"""
_MEASURE = _any(
    "hr heart pulse rate bp sbp dbp pressure systolic diastolic temp temperature tmax fever febrile "
    "sats? spo2 o2 oxygen saturation glucose sugars? fs fsbs fsbg bs weight weighs weighed wt dose "
    "dosage level score flexion extension range rom map pao2 po2 pco2 ldl hdl cholesterol creatinine "
    "sodium chloride platelets count fio2 peak flow gfr egfr inr height bmi degrees output volume room "
    "bed lantus insulin mg units?"
)
MEASURES = compiled(rf"\b{_MEASURE}\b[^.;\n]{{0,48}}$")
"""what is measured, in the same sentence"""
AGED = compiled(
    r"""\bage(?:
    ,?\s(?:at\s(?:death|diagnosis|onset|presentation|admission|surgery|menopause|visit)
      |approx(?:imately)?\.?|y|yrs?|years|today)\s?[:=]?
    |\s?[\[~]|\s?\(?(?:in\s)?(?:years?|yrs?|y)\)?\s?[:=]?|\s?[/&]\s?(?:sex|gender)\s?[:=]?|\s?[:=]?
    )\s?\(?$"""
)
SEXED = compiled(
    r"(?:\b(?:male|female|man|woman|lady|gentleman)[,(]?\s\(?"
    r"|(?:^|[\n;(\[,.|-]\s?|\b(?:sex|gender|age|pt|patient)\s?[:=/]\s?)[mf]\s?[,/:]?\s?(?:(?:d|dec|deceased)\.?\s)?)$"
)
LABELLED = compiled(r"\b(?:pt|patient|client|resident)(?:\s?:\s?|,\s|\s\()$")
CALLED = re.compile(r"(?P<who>[^\W\d_a-z][\w'\u2019-]+)(?:,\s|\s[(\[])$")
AT = compiled(r"\b(?:at|by|until|till|since|past|before|after)\s$")
SOMEBODY = compiled(r",?\s(?:he|she|the\spatient|mr|mrs|ms|pt|i|her|his)\b")
_LAPSED = _any(r"ago later history hx pack prior earlier apart before after from in_prison of_(?!age)")
YEARS = compiled(rf"[\s-]{{0,2}}(?:years?|yrs?|y)\b\.?(?!\s?{_LAPSED})")
LAPSING = compiled(
    r"\b(?:in|for|past|last|next|every|within|over|after)\s(?:the\s)?(?:past\s|last\s|next\s)?$"
)
LIVED = compiled(r"\b(?:born|alive(?:\sfor)?|lived(?:\sfor)?|on\sthis\searth(?:\sfor)?)\s$")
SO_LONG = compiled(r"[\s-]{1,2}(?:years?|yrs?|summers|winters)\b")
_ORIGIN = _any(r"[wbahcl] aa af\.?am\.? white black caucasian hispanic asian latin[ao] african[\s-]american")
SEX_AFTER = compiled(
    rf"\s?(?:y\.?/?o\.?\s?)?{_ORIGIN}\s?/?\s?(?:[mf]|male|female|man|woman|lady|gentleman)\b"
    r"|\s?y\.?/?o\.?\s?[wbah]?[mf]\b"
)
ROUGHLY = re.compile(r"[~>\u2248=]\s?$")
BIRTHDAY = compiled(r"\sbirthday\b")
