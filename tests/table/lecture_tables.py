"""The tables of the lectures and of the tutorial that this project realises."""

from __future__ import annotations

import pandas as pd


def table(columns: str, *rows: str) -> pd.DataFrame:
    names = columns.split()
    return pd.DataFrame([dict(zip(names, row.split("|"), strict=True)) for row in rows])


NOT_2_ANONYMOUS = table(
    "sex age zip diagnosis",
    "*|[30-39]|61XXX|Broken Leg",
    "*|[40-49]|61XXX|Cancer",
    "*|[40-49]|61XXX|Cancer",
    "*|[30-39]|61XXX|Tuberculosis",
    "*|[20-29]|61XXX|Heart Condition",
)
REPAIRED = NOT_2_ANONYMOUS.iloc[:4]

RACE_BIRTH_GENDER_ZIP = table(
    "race birth gender zip problem",
    "Black|1965|m|0214*|short breath",
    "Black|1965|m|0214*|chest pain",
    "Black|1965|f|0213*|hypertension",
    "Black|1965|f|0213*|hypertension",
    "Black|1964|f|0213*|obesity",
    "Black|1964|f|0213*|chest pain",
    "White|1964|m|0213*|chest pain",
    "White|1964|m|0213*|obesity",
    "White|1964|m|0213*|short breath",
    "White|1967|m|0213*|chest pain",
    "White|1967|m|0213*|chest pain",
)

SEX_AGE_DIAGNOSIS = table(
    "sex age diagnosis",
    "M|[40-49]|Cancer",
    "F|[40-49]|HIV",
    "M|[30-39]|Asthma",
    "F|[30-39]|Influenza",
    "F|[30-39]|Cancer",
    "M|[30-39]|Broken Leg",
    "F|[30-39]|Tuberculosis",
    "M|[40-49]|Tuberculosis",
    "F|[40-49]|HIV",
)

ONE_CLASS_OF_FIVE = table(
    "sex age zip diagnosis",
    *("*|[30-39]|61XXX|Cancer",) * 3,
    "*|[30-39]|61XXX|Broken Leg",
    "*|[30-39]|61XXX|Cancer",
)

MULTIDIMENSIONAL = table("age postcode", *("10|NW[10-16]",) * 4, *("20|*",) * 3)
LOCAL = table("age postcode", *("10|NW[10-16]",) * 3, *("*|NW16",) * 2, *("20|NW[20-21]",) * 2)
DE_IDENTIFIED = table("age postcode sex", "20|NW10|M", "20|NW10|M", "45|NW15|M")
RECORD_SUPPRESSED = DE_IDENTIFIED.iloc[:2]
VALUE_SUPPRESSED = table("age postcode sex disease", "*|NW10|M|HIV", "*|NW10|M|Flu")
