"""A server of its own for each test, and its API as a test needs it."""

import json
import os
import re
import subprocess
import tempfile
import urllib.error
import urllib.request


class Rowhouse:
    """The real program on a port and a database of its own."""

    def __init__(self, *options, seed=None):
        self.program = os.environ["ROWHOUSE_PROGRAM"]
        self.folder = tempfile.TemporaryDirectory(prefix="rowhouse-browser-")
        self.database = os.path.join(self.folder.name, "rowhouse.sqlite")
        if seed is not None:
            subprocess.run(
                [self.program, "seed", "--db", self.database, *seed], check=True, capture_output=True)
        self.options = options
        # The settings of these tests are no settings of the program.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("ROWHOUSE_")}
        self.port = 0
        self.token = None
        self.process = None
        self.start()

    def start(self):
        """Starts it, on the port that it had before."""
        self.process = subprocess.Popen(
            [self.program, "serve", "--db", self.database, "--listen", f"127.0.0.1:{self.port}",
             "--log-format", "none", *self.options],
            stdout=subprocess.PIPE, text=True, env=self.environment)
        told = ""
        for line in self.process.stdout:
            told += line
            if address := re.search(r"127\.0\.0\.1:(\d+)", line):
                self.port = int(address.group(1))
                return
        raise RuntimeError(f"the server did not start: {told}")

    def stop(self):
        """As an administrator would."""
        self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def close(self):
        """Ends it and removes its files."""
        self.stop()
        self.folder.cleanup()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, body=None, data=None, kind="application/json", inventory=None):
        """The answer to a request, as JSON."""
        request = urllib.request.Request(self.address + path, method=method)
        if body is not None:
            data = json.dumps(body).encode()
        if data is not None:
            request.data = data
            request.add_header("Content-Type", kind)
        if inventory:
            request.add_header("Rowhouse-Inventory", inventory)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def make_list(self, title, things=(), parent="root"):
        """A list with things of these names; its id and theirs."""
        made = self.ask("POST", "/v1/lists", {"title": title, "parentId": parent})["id"]
        return made, [self.make_thing(made, name) for name in things]

    def make_thing(self, parent, name, **fields):
        return self.ask("POST", f"/v1/lists/{parent}/items", {"name": name, **fields})["id"]

    def make_heavy_list(self, title):
        """A list of sixty rows, more than fit a page of 1 MiB; its id."""
        made, _ = self.make_list(title)
        tags = [f"{number:02}" + "\U0001F9F0" * 98 for number in range(50)]
        for number in range(60):
            self.make_thing(made, f"Box {number}", tags=tags)
        return made

    def rows(self, parent="root"):
        """The titles of a list's rows, without the sentinel."""
        found = self.ask("GET", f"/v1/lists/{parent}/rows?sentinel=false&limit=1000")
        return [row["title"] for row in found["rows"]]

    def make_token(self, role="owner"):
        """A token; from the first one on every request needs one."""
        made = subprocess.run(
            [self.program, "token", "create", "--create", "--db", self.database, "--name", "Phone", "--role", role],
            check=True, capture_output=True, text=True)
        return re.search(r"rh_\w+", made.stdout).group(0)
