"""What was worked out before, kept until there is too much of it: the longest unused goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Remembered(Generic[Key, Value]):
    """Values by key, of a total weight that is bounded; safe to use from several threads.

    Kept is only what depends on its key and on metadata, so whether something was remembered says nothing
    about data.

    >>> squares = Remembered[int, int](most=2, weight=lambda number, square: 1)
    >>> [squares.get(number, lambda number=number: number**2) for number in (1, 2, 3)], len(squares)
    ([1, 4, 9], 2)
    """

    def __init__(self, most: int, weight: Callable[[Key, Value], int]) -> None:
        self._most = most
        self._weight = weight
        self._held: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._total = 0
        self._lock = threading.Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, made when it is not remembered. What raises is not remembered."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
                return found[0]
        value = make()
        weight = self._weight(key, value)
        if weight > self._most:
            return value
        with self._lock:
            if key not in self._held:
                self._held[key] = (value, weight)
                self._total += weight
            while self._total > self._most:
                _, (_, gone) = self._held.popitem(last=False)
                self._total -= gone
        return value

    def __len__(self) -> int:
        return len(self._held)
