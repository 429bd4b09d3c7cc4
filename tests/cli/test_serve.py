"""``sfumato serve``, ``query`` and ``audit`` as a person types them."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import stat
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sfumato.server.client import Client, Unreachable
from sfumato.server.opening import open_all
from sfumato.server.running import Address
from tests.cli.commands import Run, runner
from tests.server.storm import Served
from tests.server.test_kills import write_town

COUNT = "SELECT COUNT(*) FROM people"


@pytest.fixture
def town(tmp_path: Path) -> Path:
    return write_town(tmp_path)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    for name in ("SFUMATO_API_KEY", "SFUMATO_LEDGER", "SFUMATO_SECRET"):
        monkeypatch.delenv(name, raising=False)
    return runner(tmp_path, monkeypatch, capsys)


def test_a_question_is_asked_here_and_again_for_nothing(run: Run, town: Path) -> None:
    first = run("query", "ask", COUNT, "--database", town, "--epsilon", "0.5", "--json")
    assert first.code == 0, first.err
    assert json.loads(first.out)["price"]["epsilon"] == "0.5"
    assert run("query", "ask", COUNT, "--database", town, "--epsilon", "0.50", "--json").out == first.out
    shown = run("query", "ask", COUNT, "--database", town, "--epsilon", "0.5")
    assert "±" in shown.out
    assert "Cost: ε = 0.5" in shown.out
    spent = run("query", "budget", "show")
    assert "0.5 1000" in spent.words
    secret = town.with_suffix(".secret")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    audited = run("audit", "ledger", "ledger.db")
    assert audited.code == 0
    assert "not refuted" in audited.out
    assert "1 charges, 1 answers" in audited.words


def test_an_older_ledger_is_brought_up_to_date_by_the_command_that_its_refusal_names(
    run: Run, town: Path
) -> None:
    asked = ("query", "ask", COUNT, "--database", town, "--epsilon", "0.5", "--json")
    first = run(*asked)

    def behind(*statements: str) -> None:
        with contextlib.closing(sqlite3.connect(town.parent / "ledger.db")) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    older = "UPDATE ledger_revision SET version_num = '0002'"
    behind(older)
    refused = run(*asked)
    assert refused.code == 2
    assert "then run 'sfumato query migrate'" in refused.sentence
    for there in (("--ledger", "ledger.db"), ("--database", town)):
        behind(older)
        done = run("query", "migrate", *there)
        assert done.code == 0, done.err
        assert "was brought up to date; everything in it fits its log" in done.words
    assert "is up to date already" in run("query", "migrate", "--ledger", "ledger.db").words
    assert run(*asked).out == first.out
    assert "no ledger here" in run("query", "migrate", "--ledger", "nowhere.db").sentence
    assert not (town.parent / "nowhere.db").exists()
    behind(older, "UPDATE ledger_budgets SET spent = '0'")
    edited = run("query", "migrate", "--ledger", "ledger.db")
    assert (edited.code, "changed past its log" in edited.sentence) == (2, True)


def test_a_budget_that_is_gone_leaves_with_one_and_a_bad_question_with_two(run: Run, town: Path) -> None:
    assert run("query", "ask", COUNT, "--database", town, "--epsilon", "600").code == 0
    gone = run("query", "ask", COUNT, "--database", town, "--epsilon", "500")
    assert gone.code == 1
    assert "the budget does not reach" in gone.sentence
    bad = run("query", "ask", "SELECT * FROM people", "--database", town, "--epsilon", "1")
    assert bad.code == 2
    nowhere = run("query", "ask", COUNT, "--epsilon", "1")
    assert (nowhere.code, "--url" in nowhere.sentence) == (2, True)


def test_quotes_and_tries_open_neither_data_nor_ledger(run: Run, town: Path) -> None:
    (town.parent / "people.csv").unlink()
    quote = run("query", "quote", COUNT, "--database", town, "--epsilon", "0.1")
    assert quote.code == 0, quote.err
    assert "30" in quote.out
    tried = run("query", "try", COUNT, "--database", town, "--epsilon", "0.1")
    assert tried.code == 0, tried.err
    assert "Cost: nothing" in tried.out
    assert not (town.parent / "ledger.db").exists()
    as_json = run("query", "quote", COUNT, "--database", town, "--rho", "0.01", "--json")
    assert json.loads(as_json.out)["price"]["rho"] == "0.01"


def test_a_draft_is_written_and_never_over_another_file(run: Run, town: Path) -> None:
    done = run("query", "draft", "people.csv", "--out", "draft.yaml")
    assert done.code == 0, done.err
    assert "people" in (town.parent / "draft.yaml").read_text()
    assert run("query", "draft", "people.csv", "--out", "draft.yaml").code == 2
    assert run("query", "draft", "people.csv", "--out", "draft.yaml", "--replace").code == 0


def test_a_service_is_used_and_kept_from_the_command_line(
    run: Run, town: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Served([town], str(town.parent / "ledger.db"))
    try:
        owner = next(line for line in served.said if "shown this once" in line).split()[-1]
        (town.parent / "owner.key").write_text(owner + "\n")
        mine = ("--url", served.url, "--key-file", "owner.key")
        added = run("query", "analysts", "add", "ana", *mine)
        assert added.code == 0, added.err
        key = re.findall(r"sfu_\w+", added.out)[0]
        run("query", "budget", "set", "analyst", "ana", "--data-set", "town", "--epsilon", "1", *mine)
        monkeypatch.setenv("SFUMATO_API_KEY", key)
        there = ("--url", served.url)
        asked = run("query", "ask", COUNT, "--epsilon", "0.5", *there)
        assert asked.code == 0, asked.err
        assert run("query", "quote", COUNT, "--epsilon", "0.5", *there).code == 0
        assert run("query", "try", COUNT, "--epsilon", "0.5", *there).code == 0
        assert run("query", "ask", COUNT, "--epsilon", "0.6", *there).code == 1
        left = run("query", "budget", "show", "--mine", *there)
        assert "analyst ana town" in left.words
        assert run("query", "budget", "show", *there).code == 1
        assert run("query", "budget", "show", "--mine").code == 2
        forbidden = run("query", "breach", *there)
        assert (forbidden.code, "the owner" in forbidden.sentence) == (1, True)
        breach = run("query", "breach", "--analyst", "ana", *mine)
        assert "ana town 1 1 0.5" in breach.words
        assert json.loads(run("query", "breach", "--json", *mine).out)["totals"][0]["epsilon"] == "0.5"
        assert run("query", "breach", "--until", "2020-01-01", *mine).words.endswith("δ ρ")
        assert run("query", "alerts", *mine).code == 0
        head = run("query", "head", *mine).out.strip()
        assert "suspended" in run("query", "analysts", "suspend", "ana", *mine).out
        assert run("query", "ask", COUNT, "--epsilon", "0.5", *there).code == 1
        assert "active" in run("query", "analysts", "resume", "ana", *mine).out
        rotated = run("query", "analysts", "rotate", "ana", *mine)
        assert rotated.code == 0
        assert run("query", "ask", COUNT, "--epsilon", "0.5", *there).code == 2
        listed = run("query", "analysts", "list", *mine)
        assert "ana analyst active" in listed.words
        assert key not in listed.out
    finally:
        assert served.stop() == 0
    assert run("audit", "ledger", "ledger.db", "--head", head).code == 0
    assert key_at_start(town) is None, "it was shown before"


def key_at_start(town: Path) -> str | None:
    """Return the owner's key that a service would show when it starts."""
    opened = open_all([town], str(town.parent / "ledger.db"), owner=True)
    opened.close()
    return opened.owner_key


def test_keys_end_and_the_last_owner_stays_past_the_service_too(run: Run, town: Path) -> None:
    """Whoever holds the ledger could lock the owner out just as well."""
    assert key_at_start(town) is not None
    added = run("query", "analysts", "add", "ana", "--expires", "2099-01-31", "--ledger", "ledger.db")
    assert added.code == 0, added.err
    assert "It expires on 2099-01-31 00:00 UTC." in added.words
    listed = run("query", "analysts", "list", "--ledger", "ledger.db").words
    assert "ana analyst active 2099-01-31 00:00 UTC" in listed
    assert "owner owner active" in listed
    assert "2099-01-31" in run("query", "analysts", "rotate", "ana", "--ledger", "ledger.db").words
    never = run("query", "analysts", "rotate", "ana", "--expires", "never", "--ledger", "ledger.db")
    assert "expires" not in never.words
    assert run("query", "analysts", "add", "ben", "--expires", "soon", "--ledger", "ledger.db").code == 2
    for change in (["suspend", "owner"], ["rotate", "owner", "--expires", "90d"]):
        refused = run("query", "analysts", *change, "--ledger", "ledger.db")
        assert refused.code == 2
        assert "this is the last owner" in refused.sentence
    assert run("query", "analysts", "rotate", "owner", "--ledger", "ledger.db").code == 0
    assert run("audit", "ledger", "ledger.db").code == 0


def test_books_are_kept_past_the_service_too(run: Run, town: Path) -> None:
    run("query", "ask", COUNT, "--database", town, "--epsilon", "0.5")
    added = run("query", "analysts", "add", "zoe", "--role", "auditor", "--group", "g")
    assert added.code == 0, added.err
    assert "zoe auditor g active" in run("query", "analysts", "list").words
    assert run("query", "analysts", "add", "zoe").code == 2
    assert run("query", "analysts", "add", "eve", "--role", "king").code == 2
    changed = run("query", "budget", "set", "data-set", "town", "--data-set", "town", "--epsilon", "2")
    assert "0.5 2" in changed.words
    assert run("query", "budget", "set", "analyst", "x", "--data-set", "town").code == 2
    assert run("query", "budget", "set", "planet", "x", "--data-set", "town", "--epsilon", "1").code == 2
    assert run("query", "alerts").code == 0
    assert key_at_start(town) is not None, "the owner comes with the service, not with the first question"


def test_a_ledger_that_was_changed_is_refuted(run: Run, town: Path) -> None:
    run("query", "ask", COUNT, "--database", town, "--epsilon", "0.5")
    head = run("query", "head").out.strip()
    with sqlite3.connect(town.parent / "ledger.db") as connection:
        connection.execute("UPDATE ledger_budgets SET spent = '0'")
    audited = run("audit", "ledger", "ledger.db", "--head", head)
    assert audited.code == 1
    assert "refuted" in audited.out
    assert run("audit", "ledger", "nowhere.db").code == 2
    assert run("audit", "ledger", "ledger.db", "--head", "nonsense").code == 2


def test_a_key_is_never_an_argument(run: Run, town: Path) -> None:
    there = run("query", "ask", COUNT, "--epsilon", "1", "--url", "http://127.0.0.1:1")
    assert there.code == 2
    assert "SFUMATO_API_KEY" in there.sentence
    assert "--key " not in run("query", "ask", "--help").out


def test_listening_beyond_this_machine_without_tls_is_warned_of(tmp_path: Path) -> None:
    assert "without TLS" in Address("0.0.0.0").warning
    assert Address("127.0.0.1").warning == Address("::1").warning == ""
    for name in ("c.pem", "k.pem"):
        (tmp_path / name).write_text("")
    assert not Address("0.0.0.0", 1, tmp_path / "c.pem", tmp_path / "k.pem").warning


@pytest.mark.slow
def test_a_service_with_a_certificate_speaks_tls(town: Path) -> None:
    certificate, key = self_signed(town.parent)
    ledger = str(town.parent / "ledger.db")
    served = Served([town], ledger, "--certificate", str(certificate), "--key", str(key))
    try:
        assert served.said[-1].startswith("Listening on https://127.0.0.1:")
        owner = next(line for line in served.said if "shown this once" in line).split()[-1]
        url = f"https://127.0.0.1:{served.port}"
        with Client(url, owner, certificate=str(certificate)) as client:
            assert client.data_sets()[0].name == "town"
        with Client(url, owner, tries=1) as client, pytest.raises(Unreachable):
            client.data_sets()
    finally:
        served.stop()


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Make a certificate of this machine for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    places = folder / "cert.pem", folder / "key.pem"
    plain = serialization.NoEncryption()
    places[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    places[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )
    return places


def test_a_service_that_cannot_start_says_why(run: Run, town: Path) -> None:
    assert "no such file" in run("serve", town, "--certificate", "c.pem", "--key", "k.pem").sentence
    assert "certificate and its key" in run("serve", town, "--certificate", "c.pem").sentence
    (town.parent / "settings.yaml").write_text("tick_ms: -1\n")
    refused = run("serve", town, "--settings", "settings.yaml")
    assert (refused.code, "tick_ms" in refused.sentence) == (2, True)
    assert run("serve", town, town).code == 2
    assert run("serve", "nowhere.yaml").code == 2
