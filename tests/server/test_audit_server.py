"""What a hostile reviewer tried on the service: each of these once went wrong, or would be dear if it did."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import socket
import sqlite3
import stat
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sfumato.core.errors import BadInput
from sfumato.query.database import Database
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.contract import BudgetGone
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.server import app, asking, books
from sfumato.server.cashier import Cashier
from sfumato.server.limits import Message, Receive, Send
from sfumato.server.oidc import Tokens
from sfumato.server.opening import Opened, open_all
from sfumato.server.settings import OidcSettings, Settings
from tests.server.conftest import COUNT, Make, Service, in_thread
from tests.server.fakes import FakeLedger
from tests.server.test_kills import YAML, write_town
from tests.server.test_oidc import tokens

__all__ = ["tokens"]

TWO_TABLES = YAML.replace(
    "budget:",
    "  rooms:\n    source: people.csv\n    max_rows: 1000\n    columns: {age: {type: integer, "
    "lower: 0, upper: 100}}\nbudget:",
)


@pytest.fixture(autouse=True)
def _no_secret_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFUMATO_SECRET", raising=False)


def opened(path: Path, ledger: str | None = None) -> Opened:
    found = open_all([path], ledger, owner=True)
    found.close()
    return found


def spent(path: Path, sql: str = "SELECT COUNT(*) FROM people") -> None:
    """Spend something as somebody on this machine."""
    from sfumato.cli.query_work import Offer, asker

    with asker(path, None, None, None, "me") as whom:
        whom.ask(sql, Offer("1", None, None, None))


def remove_ledger(folder: Path) -> None:
    for file in folder.glob("ledger.db*"):
        file.unlink()


def test_a_ledger_that_was_deleted_is_not_made_anew(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    spent(path)
    remove_ledger(tmp_path)
    with pytest.raises(BadInput, match="forget what was spent"):
        opened(path)
    assert not (tmp_path / "ledger.db").exists()
    with pytest.raises(BadInput, match="forget what was spent"):
        opened(path, str(tmp_path / "fresh.db"))
    (tmp_path / "database.bond").unlink()
    assert opened(path).owner_key is not None, "who removes the file may begin anew"


def test_an_old_copy_of_a_ledger_and_another_ledger_are_refused(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    opened(path)
    shutil.copy(tmp_path / "ledger.db", tmp_path / "old.db")
    SqlLedger.create(f"sqlite:///{tmp_path}/other.db").close()
    spent(path)
    for wrong in ("old.db", "other.db"):
        with pytest.raises(BadInput, match="another ledger than before, or an old copy"):
            opened(path, str(tmp_path / wrong))
    assert not list(tmp_path.glob(".*"))
    assert stat.S_IMODE((tmp_path / "database.bond").stat().st_mode) == 0o600
    found = opened(path)
    assert found.databases.keys() == {"town"}


def test_a_data_set_under_another_name_does_not_get_its_budget_again(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    spent(path)
    path.write_text(YAML.replace("data_set: town", "data_set: city"))
    with pytest.raises(BadInput, match="another name before"):
        opened(path)
    path.write_text(YAML)
    opened(path)


def test_people_are_not_made_strangers_by_another_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_town(tmp_path)
    opened(path)
    secret = (tmp_path / "database.secret").read_text()
    (tmp_path / "database.secret").unlink()
    path.write_text(YAML + "window: '2027'\n")
    with pytest.raises(BadInput, match="the secret of the data set is gone"):
        opened(path)
    assert not (tmp_path / "database.secret").exists()
    monkeypatch.setenv("SFUMATO_SECRET", "ab" * 32)
    with pytest.raises(BadInput, match="another one than before"):
        opened(path)
    monkeypatch.setenv("SFUMATO_SECRET", secret)
    assert opened(path).databases["town"].prepared.facts[0].not_admitted == 500


def test_a_bond_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    opened(path)
    for text in ("", "[]", '{"head": 5}', json.dumps({"head": "1:x", "data_set": "town", "secret": ""})):
        (tmp_path / "database.bond").write_text(text)
        with pytest.raises(BadInput, match="cannot be read"):
            opened(path)


def test_a_window_with_rows_of_nobody_is_the_only_one(tmp_path: Path) -> None:
    """Rows of one table do not say whose they are, so a later window could hold the same people again."""
    path = write_town(tmp_path)
    path.write_text(TWO_TABLES)
    spent(path, "SELECT COUNT(*) FROM rooms")
    path.write_text(YAML + "window: '2027'\n")
    (tmp_path / "people.csv").write_text("id,age,sex\nnew,30,f\n")
    with pytest.raises(BudgetGone, match="a budget follows the person"):
        spent(path)


def test_rows_of_nobody_do_not_join_a_window_of_people(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    spent(path)
    path.write_text(TWO_TABLES)
    with pytest.raises(BadInput, match="whose they are"):
        opened(path)


def test_a_budget_that_was_lowered_in_the_file_alone_is_told_not_to_count(tmp_path: Path) -> None:
    path = write_town(tmp_path)
    assert not opened(path).overruled
    spent(path)
    path.write_text(YAML.replace("epsilon: 1000", "epsilon: 1"))
    (line,) = opened(path).overruled
    assert "ε = 1000" in line
    with sqlite3.connect(tmp_path / "ledger.db") as connection:
        rows = connection.execute("SELECT spent FROM ledger_budgets WHERE scope = 'data set'").fetchall()
    assert rows == [("1",)], "a restart neither resets nor doubles"


def late(service: Service, sql: str, seconds: float) -> float:
    """Ask, but hold back the last byte; return how long after it the reply came."""
    body = json.dumps({"sql": sql, "epsilon": "0.01"}).encode()
    url = service.http.base_url
    head = (
        f"POST /v1/ask HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.keys['ana']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((url.host, url.port or 80)) as line:
        line.sendall(head.encode() + body[:-1])
        time.sleep(seconds)
        begun = time.perf_counter()
        line.sendall(body[-1:])
        assert line.recv(100).startswith(b"HTTP/1.1 200")
        return time.perf_counter() - begun


def test_who_sends_the_last_byte_late_does_not_choose_where_the_ticks_fall(make: Make) -> None:
    tick = 0.4
    service = make(Settings(tick_ms=1000 * tick))
    service.ask("ana", COUNT, "0.01")
    # Counted from the first byte the reply would leave after what is left of the tick: 0.1 s.
    assert late(service, COUNT, 0.75 * tick) >= tick


def test_listing_past_answers_does_not_tell_when_an_answer_was_ready(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = make(Settings(tick_ms=600))
    ran = threading.Event()
    running = Database.read

    def watched(*given: Any) -> str:
        text = running(*given)
        ran.set()
        return text

    service.ask("ana", COUNT, "0.01")
    monkeypatch.setattr(Database, "read", watched)
    question = threading.Thread(target=service.ask, args=("ana", f"{COUNT} WHERE age > 30", "0.01"))
    question.start()
    assert ran.wait(10)
    time.sleep(0.1)
    with sqlite3.connect(service.ledger.connections.path or "") as connection:
        assert connection.execute("SELECT COUNT(*) FROM ledger_answers").fetchone() == (2,), "it is stored"
    assert len(service.call("ana", "GET", "/v1/answers").json()) == 1
    assert service.call("ben", "GET", "/v1/answers").json() == []
    question.join(60)
    listed = service.call("ana", "GET", "/v1/answers").json()
    assert [one["answer"] is not None for one in listed] == [True, True]


def test_somebody_whose_name_has_a_slash_can_be_stopped(service: Service) -> None:
    key = Accounts(service.ledger).add("team/ann", group="team")
    assert service.call(key, "GET", "/v1/budgets").is_success
    assert service.call("owner", "POST", "/v1/analysts/team%2Fann/suspend").json()["suspended"]
    assert service.call(key, "GET", "/v1/budgets").status_code == 403


def test_nobody_is_sent_elsewhere(service: Service) -> None:
    reply = service.http.post("/v1/ask/", headers={"Host": "evil.example"})
    assert (reply.status_code, "location" in reply.headers) == (404, False)


@pytest.mark.parametrize(("who", "path"), [("ana", "/v1/answers"), ("auditor", "/v1/log")])
def test_a_number_that_no_database_knows_is_refused(service: Service, who: str, path: str) -> None:
    assert service.call(who, "GET", path, after=2**63 - 1).json() == []
    assert service.call(who, "GET", path, after=2**63).status_code == 400


@pytest.mark.parametrize("header", ["[" * 10_000, '{"alg": ' * 1000, "\ud800", "null", '{"alg":["RS256"]}'])
def test_a_token_with_a_strange_header_is_refused_like_every_other(tokens: Tokens, header: str) -> None:
    from sfumato.server.problems import NotKnown

    first = base64.urlsafe_b64encode(header.encode("utf-8", "surrogatepass")).decode().rstrip("=")
    with pytest.raises(NotKnown, match="not accepted"):
        tokens.claims(f"{first}.e30.e30")


def test_an_answer_that_cannot_be_stored_falls_on_its_own_question_alone() -> None:
    def store(answers: Sequence[tuple[int, str]]) -> list[str]:
        if any(text == "bad" for _, text in answers):
            raise BadInput("the answer holds letters that cannot be stored", where="spend 1")
        return [text for _, text in answers]

    cashier = Cashier(FakeLedger(), workers=1)
    try:
        found = cashier._outcomes([(1, "bad"), (2, "good"), (3, "fine")], store)
        assert isinstance(found[0], BadInput)
        assert found[1:] == ["good", "fine"]
    finally:
        cashier.close()


def test_no_number_of_the_ledger_is_told_to_an_analyst(service: Service) -> None:
    """It grows when an answer is stored: the next question would tell how long the last one had run."""
    told = service.ask("ana", COUNT, "0.01").json()
    past = service.call("ana", "GET", "/v1/answers").json()
    assert "spend" not in told
    assert [one["number"] for one in past] == [1]
    assert past[0]["answer"]["reference"] == told["reference"]
    assert "spend" not in past[0]


def test_pages_of_long_answers_end_early_and_go_on(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """An analyst with many long answers could else have all of them read into memory, again and again."""
    for number in range(4):
        service.ask("ana", f"{COUNT} WHERE age > {number}", "0.01")
    monkeypatch.setattr(books, "LONGEST_PAGE", 500)
    seen: list[int] = []
    pages = 0
    while page := service.call("ana", "GET", "/v1/answers", after=seen[-1] if seen else 0).json():
        seen += [one["number"] for one in page]
        pages += 1
    assert len(seen) == len(set(seen)) == 4
    assert 1 < pages <= 4


def test_long_answers_are_renamed_aside(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for a stored answer of a million cells under new names, for nothing, must not stop others."""
    seen: list[str] = []
    told = Database.told

    def watched(*given: Any) -> str:
        seen.append(threading.current_thread().name)
        return told(*given)

    monkeypatch.setattr(Database, "told", watched)
    service.ask("ana", COUNT, "0.01")
    monkeypatch.setattr(asking, "LONG", 10)
    assert service.ask("ana", "SELECT COUNT(*) AS n FROM people", "0.01").json()["columns"] == ["n"]
    assert not seen[0].startswith("sfumato")
    assert seen[1].startswith("sfumato-telling"), "by those who answer, and by none who read data"


def test_an_issuer_that_does_not_answer_holds_up_nobody_who_has_a_key(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answer = threading.Event(), threading.Event()

    def hanging(_: str) -> str:
        asked.set()
        answer.wait(30)
        return "{}"

    class Hanging(Tokens):
        def __init__(self, settings: OidcSettings) -> None:
            super().__init__(settings, fetch=hanging)

    monkeypatch.setattr(app, "Tokens", Hanging)
    provider = OidcSettings(issuer="https://id", audience="sfumato", keys_url="https://id/keys")
    service = make(Settings(tick_ms=0, key_seconds=0, oidc=provider))
    head = base64.urlsafe_b64encode(b'{"alg":"RS256","kid":"x"}').decode().rstrip("=")
    stranger = f"{head}.e30.e30"
    flood = [threading.Thread(target=service.call, args=(stranger, "GET", "/v1/budgets")) for _ in range(40)]
    for thread in flood:
        thread.start()
    try:
        assert asked.wait(10)
        begun = time.perf_counter()
        assert service.call("ana", "GET", "/v1/data-sets").is_success
        assert time.perf_counter() - begun < 10
        assert not answer.is_set()
    finally:
        answer.set()
        for thread in flood:
            thread.join(60)


@pytest.mark.parametrize("begun", [b"", b"POST /v1/ask HTTP/1.1\r\nX: "])
def test_a_connection_on_which_no_request_comes_is_closed(begun: bytes) -> None:
    url, stop = in_thread(Shortest(), patience=0.2)
    try:
        with socket.create_connection(("127.0.0.1", int(url.rsplit(":", 1)[1])), timeout=10) as line:
            line.sendall(begun)
            assert line.recv(10) == b""
    finally:
        stop()


def test_a_request_that_takes_long_and_the_next_on_its_connection_are_answered() -> None:
    url, stop = in_thread(Shortest(seconds=0.7), patience=0.3)
    try:
        with socket.create_connection(("127.0.0.1", int(url.rsplit(":", 1)[1])), timeout=10) as line:
            for _ in range(2):
                line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                assert line.recv(100).startswith(b"HTTP/1.1 204")
            line.sendall(b"GET / HTTP/1.1\r\nX: ")
            assert line.recv(10) == b""
    finally:
        stop()


class Shortest:
    """An application that answers with nothing, after a while."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            for _ in range(2):
                await send({"type": f"{(await receive())['type']}.complete"})
            return
        await asyncio.sleep(self.seconds)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
