"""What somebody may put in place of a good file: each takes a path that is free and the good bytes."""

from __future__ import annotations

import gzip
import os
import socket
from collections.abc import Callable
from pathlib import Path

Hostile = Callable[[Path, bytes], None]


def pipe(path: Path, _good: bytes) -> None:
    """Nobody ever writes into it: whoever opens it waits."""
    os.mkfifo(path)


def device(path: Path, _good: bytes) -> None:
    """It never ends."""
    path.symlink_to("/dev/zero")


def circle(path: Path, _good: bytes) -> None:
    path.symlink_to(path.name)


def nowhere(path: Path, _good: bytes) -> None:
    path.symlink_to("gone")


def folder(path: Path, _good: bytes) -> None:
    path.mkdir()


def plug(path: Path, _good: bytes) -> None:
    """A socket; its address must be short, so it is bound from within its folder."""
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


def with_nul(path: Path, good: bytes) -> None:
    """A NUL byte within a value, two thirds down the file."""
    at = next(at for at in range(len(good) * 2 // 3, len(good)) if chr(good[at]).isalnum())
    path.write_bytes(good[:at] + b"\0" + good[at:])


def nul_first(path: Path, good: bytes) -> None:
    path.write_bytes(b"\0" + good)


def noise(path: Path, _good: bytes) -> None:
    path.write_bytes(bytes((7 * at * at + 11) % 256 for at in range(3000)))


PLACES = {one.__name__: one for one in (pipe, device, circle, nowhere, folder, plug)}
"""what is no file"""
TEXTS = {one.__name__: one for one in (with_nul, nul_first)}


def wrong_checksum(good: bytes) -> bytes:
    packed = bytearray(gzip.compress(good, mtime=0))
    packed[-6] ^= 0x40
    return bytes(packed)


def cut_short(good: bytes) -> bytes:
    return gzip.compress(good, mtime=0)[:-9]


def wrong_length(good: bytes) -> bytes:
    packed = bytearray(gzip.compress(good, mtime=0))
    packed[-1] ^= 0x01
    return bytes(packed)


def followed(good: bytes) -> bytes:
    return gzip.compress(good, mtime=0) + b"more"


def flipped(good: bytes) -> bytes:
    """One bit within what is packed."""
    packed = bytearray(gzip.compress(good, mtime=0))
    packed[len(packed) // 2] ^= 0x10
    return bytes(packed)


PACKED = {one.__name__: one for one in (wrong_checksum, cut_short, wrong_length, followed, flipped)}
