"""The terminal: ``sfumato`` and its sub-commands."""

from __future__ import annotations

import os
import sys

_INTERRUPTED = "interrupted; nothing was published"


def main() -> None:
    """Run the command line; every error becomes one sentence and an exit code."""
    from sfumato.cli.stop import STOP
    from sfumato.cli.streams import bear_absent_readers
    from sfumato.core.errors import SfumatoError
    from sfumato.core.system import explained

    bear_absent_readers()
    STOP.listen()
    try:
        from sfumato.cli.app import app

        app()
    except SfumatoError as problem:
        _fail(f"{problem}", problem.exit_code)
    except KeyboardInterrupt:
        _fail(_INTERRUPTED, 130)
    except SystemExit as leaving:
        if leaving.code == 130:
            _fail(_INTERRUPTED, 130)
        try:
            sys.stdout.flush()
        except OSError as problem:
            _fail(f"{explained(problem) or 'standard output: it cannot be written'}", 2)
        raise
    except Exception as problem:
        if STOP.asked:
            _fail(_INTERRUPTED, 130)
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


def _fail(message: str, code: int) -> None:
    print(f"sfumato: {message}", file=sys.stderr)
    sys.exit(code)
