"""A Rowhouse server for each test, which can fail on purpose. Needs Python 3.9 and the program `rowhouse`.

With pytest, copy this file beside the tests and import the fixture:

    from rowhouse_harness import rowhouse

    def test_a_lost_answer(rowhouse):
        rowhouse.fail({"method": "POST", "nth": 1, "effect": "loseAnswer"})
        ...

The program is the one that ROWHOUSE_EXECUTABLE names, or the first `rowhouse` on the PATH.
"""

import contextlib
import json
import os
import shutil
import subprocess
import urllib.error
import urllib.request


class Refused(Exception):
    """An answer with a status from 400 on; `problem` is its body."""

    def __init__(self, status, problem):
        super().__init__(f"{status}: {problem.get('detail') if isinstance(problem, dict) else problem}")
        self.status, self.problem = status, problem


class RowhouseServer:
    """The program in test mode, in memory, on a free port of loopback. It ends with this process at the latest."""

    def __init__(self, *options, seed="empty"):
        program = os.environ.get("ROWHOUSE_EXECUTABLE") or shutil.which("rowhouse")
        if not program:
            raise FileNotFoundError("No program rowhouse: set ROWHOUSE_EXECUTABLE, or add its folder to PATH.")
        # ROWHOUSE_ variables of the test run are meant for other servers.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ROWHOUSE_")}
        self._process = subprocess.Popen(
            [program, "serve", "--db", ":memory:", "--listen", "127.0.0.1:0", "--print-url", "--test-mode",
             "--clock", "fixed", "--ids", "sequential", "--log-format", "none", "--end-with-stdin", "--seed", seed,
             *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            status = self._process.wait()
            self.stop()
            raise RuntimeError(f"rowhouse ended with status {status}. Its messages are on stderr.")

    def call(self, method, path, body=None, headers=None):
        """Sends one request, and returns the JSON of its answer.

        Raises Refused. Without a whole answer, raises OSError or http.client.HTTPException.
        """
        request = urllib.request.Request(self.url + path, method=method, headers=headers or {})
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(error.code, json.loads(error.read() or b"null")) from None
        return json.loads(text) if text else None

    def reset(self):
        """Goes back to the start, and ends all faults."""
        self.call("POST", "/v1/test/reset")

    def fail(self, *rules, seed=0):
        """Lets chosen requests fail, in place of those chosen before."""
        return self.call("POST", "/v1/test/faults", {"seed": seed, "rules": list(rules)})

    def advance(self, seconds):
        """Advances the clock. What has expired by then is gone when this returns."""
        return self.call("POST", "/v1/test/clock", {"advance": seconds})["time"]

    def requests(self):
        """What the server was asked, oldest first."""
        return self.call("GET", "/v1/test/requests")["requests"]

    def stop(self):
        """Stops the server and waits for its end. A second call does nothing."""
        self._process.terminate()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


try:
    import pytest
except ImportError:
    pass
else:

    @pytest.fixture(scope="session")
    def rowhouse_server():
        """One server for all tests."""
        with RowhouseServer() as server:
            yield server

    @pytest.fixture
    def rowhouse(rowhouse_server):
        """The server at its start."""
        rowhouse_server.reset()
        rowhouse_server.call("DELETE", "/v1/test/requests")
        return rowhouse_server
