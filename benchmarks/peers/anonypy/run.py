"""Partition a table with anonypy and write the partition of each row. Runs in anonypy's own environment.

python run.py table.csv.gz sensitive-column numeric-column k out.json
"""

from __future__ import annotations

import json
import sys
import time

import pandas as pd
from anonypy.mondrian import Mondrian

path, sensitive, numeric, k, out = sys.argv[1:]
table = pd.read_csv(path, sep=";")
quasi = [name for name in table.columns if name != sensitive]
for name in quasi:
    if name != numeric:
        table[name] = table[name].astype("category")
start = time.process_time()
partitions = Mondrian(table, quasi).partition(int(k))
seconds = time.process_time() - start
classes = [0] * len(table)
for number, rows in enumerate(partitions):
    for row in rows:
        classes[row] = number
with open(out, "w", encoding="utf-8") as file:
    json.dump({"seconds": seconds, "classes": classes}, file)
