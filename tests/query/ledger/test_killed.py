"""Processes that are killed at any moment: answered ⊆ charged, and not one unit is lost or won."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import Charged
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.query.ledger.ask import asked, give, one

KILLS = 20
# One parent that imports everything once, forks a client, kills it somewhere, and does so again. A client
# does what the service does: charge, run, store, and only then send (here: append to a file).
CLIENTS = """
import json, os, random, signal, sys, time
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.query.ledger.ask import asked

url, sent, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])

def lines():
    with open(sent, "rb") as file:
        return file.read().count(b"\\n")

def client(turn):
    ledger = SqlLedger(url)
    with open(sent, "a") as out:
        out.write(json.dumps({"begun": turn}) + "\\n")
        out.flush()
        for i in range(10**6):
            batch = [asked(f"q {turn} {i} {j}", "0.001") for j in range(random.randint(1, 3))]
            charged = ledger.charge(batch)
            answers = ledger.store([(each.spend, f"answer {random.random()}") for each in charged])
            for question, each, answer in zip(batch, charged, answers):
                line = {"question": question.question, "spend": each.spend, "answer": answer}
                out.write(json.dumps(line) + "\\n")
            out.flush()

for turn in range(kills):
    begun, wanted = lines(), random.randint(2, 6)
    child = os.fork()
    if child == 0:
        client(turn)
    while lines() < begun + wanted:
        time.sleep(0.002)
    time.sleep(random.uniform(0.0, 0.02))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""


def test_a_ledger_survives_twenty_kills(url: str, tmp_path: Path) -> None:
    ledger = SqlLedger.create(url)
    give(ledger, "1000")
    ledger.close()
    sent = tmp_path / "sent.jsonl"
    sent.touch()
    root = Path(__file__).resolve().parents[3]
    subprocess.run(
        [sys.executable, "-c", CLIENTS, url, str(sent), str(KILLS)],
        check=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"},
        timeout=120,
    )
    lines = [json.loads(line) for line in sent.read_text().splitlines() if line.endswith("}")]
    answered = [line for line in lines if "spend" in line]
    assert sum("begun" in line for line in lines) == KILLS
    assert len(answered) >= KILLS

    ledger = SqlLedger(url)
    result = verify_chain(ledger)
    assert result.holds, result
    for line in answered:
        again = one(ledger, asked(line["question"], "0.001"))
        assert (again.spend, again.fresh, again.answer) == (line["spend"], False, line["answer"])
    assert result.answers >= len(answered)
    assert result.charges >= result.answers
    for budget in ledger.all_budgets():
        assert budget.spent == result.charges * Decimal("0.001")
    ledger.close()


def test_a_spend_whose_answer_was_lost_is_run_again_without_charge(ledger: SqlLedger, url: str) -> None:
    give(ledger, "0.1")
    lost = one(ledger, asked())
    ledger.close()
    again = SqlLedger(url)
    (found,) = again.charge([asked()])
    assert found == Charged(lost.spend, fresh=False, answer=None)
    assert again.store([(lost.spend, "42")]) == ["42"]
    assert verify_chain(again).holds
    again.close()
