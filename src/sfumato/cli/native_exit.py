"""End this process from outside Python.

A library may hold the interpreter for minutes: then no thread of Python runs, and no handler of a signal.
So the operating system is asked to read one byte from a pipe (``aio_read``, POSIX.1-2001) and to call
``_exit`` in a thread of its own when it has come. Nothing of that needs the interpreter.
"""

from __future__ import annotations

import ctypes
import os
import threading
from contextlib import suppress
from typing import Any

_SIGEV_THREAD = 2


class _SigEvent(ctypes.Structure):
    """``struct sigevent`` of the GNU C library on 64 bits."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("function", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("rest", ctypes.c_char * 32),
    )


class _Request(ctypes.Structure):
    """``struct aiocb`` of the GNU C library on 64 bits."""

    _fields_ = (
        ("file", ctypes.c_int),
        ("opcode", ctypes.c_int),
        ("priority", ctypes.c_int),
        ("buffer", ctypes.c_void_p),
        ("bytes", ctypes.c_size_t),
        ("event", _SigEvent),
        ("private", ctypes.c_char * 64),
        ("offset", ctypes.c_longlong),
        ("reserved", ctypes.c_char * 96),
    )


_kept: list[Any] = []
"""what the operating system still writes to"""


def exit_when_told(file: int, code: int) -> bool:
    """Leave with a code as soon as a byte can be read; return whether that works while Python is held.

    Where the C library is another one, a thread of Python waits instead. The other end must stay open: that
    it is closed would be taken for a byte.
    """
    if _asked_of_the_system(file, code):
        return True

    def wait() -> None:
        if os.read(file, 1):
            os._exit(code)

    with suppress(RuntimeError):
        # Without a thread the guard must kill: the code is then another one, but it ends.
        threading.Thread(target=wait, name="sfumato-exit", daemon=True).start()
    return False


def _asked_of_the_system(file: int, code: int) -> bool:
    try:
        library = ctypes.CDLL(None)
        if ctypes.sizeof(ctypes.c_void_p) != 8 or not hasattr(library, "gnu_get_libc_version"):
            return False
        read = getattr(library, "aio_read", None) or ctypes.CDLL("librt.so.1").aio_read
        leave = ctypes.cast(library._exit, ctypes.c_void_p).value
    except (OSError, AttributeError):
        return False
    buffer = ctypes.create_string_buffer(1)
    event = _SigEvent(value=code, notify=_SIGEV_THREAD, function=leave)
    request = _Request(file=file, buffer=ctypes.addressof(buffer), bytes=1, event=event)
    if read(ctypes.byref(request)) != 0:
        return False
    _kept.extend((buffer, request))
    return True
