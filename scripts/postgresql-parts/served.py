"""Rowhouse processes that a script starts, and calls to them."""

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request


class Process:
    """A Rowhouse process on a port of its own. Each start takes another port."""

    def __init__(self, program, address, *options, log=subprocess.DEVNULL, level="error", before=(), **environment):
        self.command = [*before, program, "serve", "--listen", "127.0.0.1:0", "--print-url", "--log-level", level, *options]
        self.environment = {**os.environ, "ROWHOUSE_DB": address, **environment}
        self.log = log
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=self.log, env=self.environment, text=True)
        self.url = self.process.stdout.readline().strip()

    def end(self):
        if self.process.poll() is None:
            self.kill()
        self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


def call(url, method="GET", body=None, key=None, timeout=30):
    """The body of a successful answer. Throws HTTPError for others."""
    headers = {"Content-Type": "application/json", **({"Idempotency-Key": key} if key else {})}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=timeout) as response:
        return json.load(response)


def status(url, method="GET", body=None, key=None, timeout=30):
    """The status, `Retry-After` and the code of the problem."""
    try:
        call(url, method, body, key, timeout)
        return 200, None, None
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Retry-After"], json.loads(error.read() or b"{}").get("code")
