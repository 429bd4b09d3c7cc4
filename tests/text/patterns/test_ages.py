"""Ages are found as numbers, in figures and in words, and durations are left."""

from __future__ import annotations

import pytest

from sfumato.text.languages.en.ages import Ages, age_value
from tests.text.patterns.marking import as_found, lines, spans

FOUND = """
a {93}-year-old woman, a {101} y/o man, {93} yo, {72}y.o. male
{77} year old female; {81} years old; {81} years-old; {64} yr old
{93} years of age; pt is {84} years old.
Age: {93}, age {93}, aged {93}, at the age of {62}
Age/Sex: {93}/F
{93}F with chest pain, {65} M here for follow-up
{ninety-three}-year-old; {ninety three} year old; {one hundred and two} years old
a man in his {early 90s}; she is in her {nineties}
a {6}-month-old boy, {10} day old, {3} weeks old
He turned {91} in the spring; father died at {62}
Her {90th} birthday; a {nonagenarian}
Children ages {3}, {5} and {7}
{84} y F with cough; {84} year female
{45}-{50} years old
age | {93} |
{98} YEAR OLD FEMALE
CLINICAL HISTORY: {101} year old man
His mother is {94} and lives alone; she is {97}, and well.
DOB: 1/8/1937 ({75})
{94} yr F; {94} years young; Mrs. Brown, {94}, was seen
FOR A {100} YOF; a {97}yoM; {93} y.o.f.
Mr. Lewis is {93} and weak; the client is {95} and lives alone; the resident was {92}.
Her mother lived to {105}; he lived to be {99}
with his grandfather Cliff Wekesa, {91}. He
This is a {97}yM; a pleasant {96}yF
Calduna, {94}, was seen; At {102}, Mr. Echeverría was well
"""

LEFT = """
5-year survival, 20 year history, 10 years ago, for 5 years, 30 pack-year
temp 99F, Tmax 101 F, 16F Foley, 14 F catheter
a 5 day course, 3-month follow-up, six months later, 10 mo ago
on average 5, stage 3, page 12, 2 f/u visits, 4 m walk
He is 94% on room air; she is 20 weeks pregnant; who is 24 hours out; INR is 94
BP 128/74, 98.6 F, 3/10, dosage 5 mg, image 4, percentage 45
return in 2 years, two-year history, every 6 months
HR is 95 and regular; weight was 98, height 170; he was 95% there
Mr. Lewis is 94% on room air; lived to tell; Troy Lakes, 95 mg
"""


@pytest.mark.parametrize("line", lines(FOUND))
def test_an_age_is_found_and_only_its_number(line: str) -> None:
    assert as_found(line, Ages()) == line


@pytest.mark.parametrize("line", lines(LEFT))
def test_durations_temperatures_and_sizes_are_left(line: str) -> None:
    assert as_found(line, Ages()) == line


@pytest.mark.parametrize(
    ("text", "label"), [("a 93-year-old", "age"), ("a 6-month-old", "months"), ("a 3 week old", "weeks")]
)
def test_the_label_says_the_unit(text: str, label: str) -> None:
    assert [span.label for span in spans(text, Ages())] == [label]


@pytest.mark.parametrize(
    ("text", "value"),
    [("93", 93), ("ninety-three", 93), ("eighty nine", 89), ("nineties", 90), ("90s", 90), ("90th", 90),
     ("one hundred", 100), ("a hundred and one", 101), ("twelve", 12), ("nonagenarian", 90), ("old", None),
     ("", None)],
)  # fmt: skip
def test_the_value_of_an_age_is_understood(text: str, value: int | None) -> None:
    assert age_value(text) == value
