"""The terminal: ``sfumato`` and its sub-commands."""

from __future__ import annotations

import os
import signal
import sys

_STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def ignored_hang_up(number: int) -> bool:
    """Whether a signal is the hang-up that was ignored before the program began: ``nohup`` asks for that."""
    return number == getattr(signal, "SIGHUP", None) and signal.getsignal(number) is signal.SIG_IGN


def main() -> None:
    """Run the command line; every error becomes one sentence and an exit code."""
    program = sys._getframe(1).f_globals.get("__name__") == "__main__"
    if program:
        # Before anything is imported: until then a signal would end the process by itself.
        for number in _STOPS:
            if not ignored_hang_up(number):
                signal.signal(number, signal.default_int_handler)
    try:
        from sfumato.cli.stop import STOP

        STOP.listen(guarded=program)
    except KeyboardInterrupt:
        for number in _STOPS:
            signal.signal(number, signal.SIG_IGN)
        _fail("interrupted; nothing was published", 130)
    code: int | None = None
    while True:
        try:
            if code is None:
                code = _interrupted() if STOP.asked else _exit_code()
            STOP.leave(code)
            break
        except KeyboardInterrupt:
            # It came while an error was being told, or while the command was leaving.
            continue
    sys.exit(code)


def _exit_code() -> int:
    try:
        _run()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    return 0


def _run() -> None:
    from sfumato.cli.stop import STOP
    from sfumato.cli.streams import bear_absent_readers
    from sfumato.core.errors import SfumatoError
    from sfumato.core.system import explained

    bear_absent_readers()
    try:
        from sfumato.cli.app import app

        app()
    except SfumatoError as problem:
        if STOP.asked:
            # A signal to the whole group ends workers, too, and that they are gone is no error then.
            sys.exit(_interrupted())
        _fail(f"{problem}", problem.exit_code)
    except KeyboardInterrupt:
        sys.exit(_interrupted())
    except SystemExit as leaving:
        if leaving.code == 130 or (STOP.asked and leaving.code):
            sys.exit(_interrupted())
        try:
            sys.stdout.flush()
        except OSError as problem:
            _fail(f"{explained(problem) or 'standard output: it cannot be written'}", 2)
        raise
    except Exception as problem:
        if STOP.asked:
            sys.exit(_interrupted())
        if os.environ.get("SFUMATO_DEBUG"):
            raise
        clear = explained(problem)
        if clear is not None:
            _fail(f"{clear}", clear.exit_code)
        # The message of an unforeseen error may quote data: only its kind and place are shown.
        last = problem.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        place = f"{os.path.basename(last.tb_frame.f_code.co_filename)}:{last.tb_lineno}" if last else "?"
        _fail(
            f"something went wrong that should not ({type(problem).__name__} at {place}); nothing was "
            "published; run again with SFUMATO_DEBUG=1 to see all, and please report it",
            2,
        )


def _interrupted() -> int:
    from sfumato.cli.stop import STOP

    STOP.say()
    return 130


def _fail(message: str, code: int) -> None:
    print(f"sfumato: {message}", file=sys.stderr)
    sys.exit(code)
