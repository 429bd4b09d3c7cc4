"""What all tests share: the engines, the neighbour folder with golden cases, and parts that may be missing.

``SFUMATO_REQUIRE=java,postgres,mounts`` names parts that must be there: without one of them the session
fails. Elsewhere the tests that need it are skipped, and the summary says in one line what was not run.
"""

from __future__ import annotations

import functools
import gc
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from sfumato.core.errors import MissingPart
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine
from sfumato.engine.java import find_java

if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # Where the tests themselves run under ``nohup``, what they start is to hear of a hang-up all the same.
    signal.signal(signal.SIGHUP, lambda *_: None)
SHARED = Path(__file__).resolve().parents[1].parent / "shared"
SLOWEST = 3600
"""seconds that a slow study may take; the limit of all other tests is in pyproject.toml"""
ENGINES = [
    "duckdb",
    pytest.param("spark", marks=[pytest.mark.java, pytest.mark.xdist_group("spark")]),
]


@functools.cache
def _without_java() -> str:
    if importlib.util.find_spec("pyspark") is None:
        return "PySpark is not installed"
    try:
        find_java()
    except MissingPart as missing:
        return missing.what
    return ""


@functools.cache
def _without_postgres() -> str:
    return "" if importlib.util.find_spec("pgserver") else "pgserver is not installed"


def mounting(options: str, folder: Path) -> list[str]:
    """Return what to put before a command that is to see a small file system of its own at a folder."""
    script = 'mount -t tmpfs -o "$0" none "$1" && shift && exec "$@"'
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, options, str(folder)]


@functools.cache
def _without_mounts() -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            tried = subprocess.run(
                [*mounting("size=8k", Path(folder)), "true"], capture_output=True, check=False, timeout=60
            )
        except (OSError, subprocess.TimeoutExpired):
            return "there is no 'unshare'"
    return "" if tried.returncode == 0 else "no file system can be mounted here"


PARTS: dict[str, Callable[[], str]] = {
    "java": _without_java,
    "postgres": _without_postgres,
    "mounts": _without_mounts,
}
"""for each part that may be missing, a function that says why it is"""


def _required() -> set[str]:
    return {part.strip() for part in os.environ.get("SFUMATO_REQUIRE", "").split(",") if part.strip()}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "xdist_group(name): run by one worker")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes a million objects that stay: they are looked through for garbage once, not for ever.

    That took a third of the time of collecting, and some of every test that makes many objects.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_sessionstart(session: pytest.Session) -> None:
    for part in sorted(_required()):
        why = PARTS[part]() if part in PARTS else f"known are {', '.join(PARTS)}"
        if why:
            pytest.exit(f"SFUMATO_REQUIRE names '{part}', which is not there: {why}", returncode=1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOWEST))
        if item.get_closest_marker("golden") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason="the folder ../shared is not there"))
        for part, without in PARTS.items():
            if item.get_closest_marker(part) and without():
                item.add_marker(pytest.mark.skip(reason=without()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was not run, and how many golden cases were."""
    stats = terminalreporter.stats
    skipped = Counter(
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in stats.get("skipped", [])
        if any(part in report.keywords for part in PARTS)
    )
    missed = [f"{count} tests ({why})" for why, count in sorted(skipped.items())]
    golden = sum(report.when == "call" and "golden" in report.keywords for report in stats.get("passed", []))
    terminalreporter.section("parts and golden cases")
    terminalreporter.write_line(f"not run: {'; '.join(missed) if missed else 'nothing'}")
    absent = "" if SHARED.is_dir() else " (the folder ../shared is not there)"
    terminalreporter.write_line(f"golden cases passed: {golden}{absent}")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with golden cases beside this repository."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared is not there")
    return SHARED


@pytest.fixture(scope="session")
def duck() -> Iterator[Engine]:
    engine = open_engine("duckdb", threads=2)
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def spark() -> Iterator[Engine]:
    # Tests are many and small: the best machine code would cost more time than it saves.
    options = "JAVA_TOOL_OPTIONS"
    before = os.environ.get(options)
    os.environ[options] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    try:
        engine = open_engine("spark", memory_limit="1GB", threads=2)
    finally:
        if before is None:
            del os.environ[options]
        else:
            os.environ[options] = before
    yield engine
    engine.close()


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Every engine in turn."""
    found: Engine = request.getfixturevalue("duck" if request.param == "duckdb" else "spark")
    return found


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a Postgres server that lives as long as the session."""
    import pgserver

    folder = tempfile.mkdtemp(prefix="sfumato-pg-")
    try:
        server = pgserver.get_server(folder, cleanup_mode="delete")
    except Exception as problem:
        shutil.rmtree(folder, ignore_errors=True)
        if "postgres" in _required():
            raise
        pytest.skip(f"Postgres does not start here ({type(problem).__name__})")
    yield server.get_uri()
    server.cleanup()
