"""Ask a Sfumato service from Python.

    client = Client("https://numbers.example.org", key=os.environ["SFUMATO_API_KEY"])
    client.ask("SELECT COUNT(*) FROM visits", epsilon=0.1)

Problems come back as the classes that the database itself raises. A question whose reply was lost may be
repeated: it is answered from the ledger, in the same words, and costs nothing more. The client does so by
itself when a connection breaks or the service is busy.
"""

from __future__ import annotations

import json
import ssl
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.core.errors import BadInput, MissingPart, SfumatoError, SfumatoWarning
from sfumato.dp.exact import Number
from sfumato.query.answer import Answer
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.server.problems import RETRY_AFTER, Busy, understood

if TYPE_CHECKING:
    import httpx

    from sfumato.server.wire import BudgetOut, DataSetOut, PastAnswer, QuoteOut

Read = TypeVar("Read")


class Unreachable(SfumatoError):
    """The service cannot be reached (exit code 2)."""


class Client:
    """A service, as one analyst sees it.

    ``key`` is an API key or a bearer token; ``tries`` is how often a request is made before it is given up;
    ``certificate`` is a file with the one to believe, where it is no public one; ``transport`` is for tests.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        tries: int = 4,
        seconds: float = 60.0,
        certificate: str | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingPart("the client needs httpx", remedy="pip install 'sfumato[server]'") from None
        if not url.startswith(("http://", "https://")):
            raise BadInput("the address of a service begins with http:// or https://", where="url")
        if url.startswith("http://") and httpx.URL(url).host not in ("127.0.0.1", "localhost", "::1"):
            warnings.warn(
                "the key, the questions and the answers travel in the clear; use https://",
                SfumatoWarning,
                stacklevel=2,
            )
        self._broken = (httpx.TransportError,)
        self._tries = tries
        self._sleep = sleep
        verify = True if certificate is None else ssl.create_default_context(cafile=certificate)
        self._http = httpx.Client(
            base_url=url,
            headers={"Authorization": f"Bearer {key}"},
            timeout=seconds,
            transport=transport,
            follow_redirects=False,
            verify=verify,
        )

    def ask(
        self,
        sql: str,
        *,
        epsilon: Number | None = None,
        delta: Number | None = None,
        rho: Number | None = None,
        data_set: str | None = None,
    ) -> Answer:
        """Ask, pay and return the noisy answer."""
        from sfumato.query.answer_text import answer_of

        return answer_of(self._post("/v1/ask", _question(sql, epsilon, delta, rho, data_set)))

    def try_out(
        self,
        sql: str,
        *,
        epsilon: Number | None = None,
        delta: Number | None = None,
        rho: Number | None = None,
        data_set: str | None = None,
    ) -> Answer:
        """Return an answer made from dummy data: free, and nothing of it is true."""
        from sfumato.query.answer_text import answer_of

        return answer_of(self._post("/v1/try", _question(sql, epsilon, delta, rho, data_set)))

    def quote(
        self,
        sql: str,
        *,
        epsilon: Number | None = None,
        delta: Number | None = None,
        rho: Number | None = None,
        data_set: str | None = None,
    ) -> QuoteOut:
        """Return the price and the expected error, from metadata alone."""
        from sfumato.server.wire import QuoteOut

        return QuoteOut.model_validate_json(
            self._post("/v1/quote", _question(sql, epsilon, delta, rho, data_set))
        )

    def data_sets(self) -> list[DataSetOut]:
        """Return what is public of each data set."""
        from sfumato.server.wire import DataSetOut

        return [DataSetOut.model_validate(told) for told in self._get("/v1/data-sets")]

    def budgets(self, data_set: str | None = None) -> list[BudgetOut]:
        """Return the budgets that my questions are charged to."""
        from sfumato.server.wire import BudgetOut

        asked = {} if data_set is None else {"data_set": data_set}
        return [BudgetOut.model_validate(told) for told in self._get("/v1/budgets", **asked)]

    def answers(self) -> list[PastAnswer]:
        """Return my past questions and their answers."""
        from sfumato.server.wire import PastAnswer

        return [PastAnswer.model_validate(told) for told in self._get("/v1/answers")]

    def request(self, method: str, path: str, body: object = None, **query: str | int) -> Any:
        """Do anything else that the service offers (see ``/openapi.json``) and return its reply.

        It is tried once: not everything may be repeated.
        """
        text = self._once(method, path, body, query)
        return json.loads(text) if text else None

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _get(self, path: str, **query: str | int) -> Any:
        return json.loads(self._repeated("GET", path, None, query))

    def _post(self, path: str, body: object) -> str:
        return self._repeated("POST", path, body, {})

    def _repeated(self, method: str, path: str, body: object, query: dict[str, str | int]) -> str:
        for left in range(self._tries - 1, 0, -1):
            try:
                return self._once(method, path, body, query)
            except (Unreachable, Busy, LedgerUnavailable):
                self._sleep(RETRY_AFTER * (self._tries - left))
        return self._once(method, path, body, query)

    def _once(self, method: str, path: str, body: object, query: dict[str, str | int]) -> str:
        try:
            reply = self._http.request(method, path, json=body, params=query)
        except self._broken:
            raise Unreachable(
                "the service cannot be reached", where=str(self._http.base_url), remedy="try again later"
            ) from None
        if reply.is_success:
            return reply.text
        try:
            told = reply.json()
        except ValueError:
            told = {}
        raise understood(told if isinstance(told, dict) else {}, reply.status_code)


def _question(
    sql: str, epsilon: Number | None, delta: Number | None, rho: Number | None, data_set: str | None
) -> dict[str, str]:
    """Write a question for the wire; numbers as text, as they are written."""
    told = {"sql": sql, "data_set": data_set}
    for name, number in (("epsilon", epsilon), ("delta", delta), ("rho", rho)):
        told[name] = None if number is None else _written(number, name)
    return {name: value for name, value in told.items() if value is not None}


def _written(number: Number, name: str) -> str:
    from sfumato.dp.exact import as_decimal

    return f"{as_decimal(number, where=name):f}"
