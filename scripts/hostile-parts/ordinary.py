"""Eight normal clients: small reads and writes at a fixed rate, and their times."""

import random
import threading
import time
import uuid

from tally import Tally
from wire import Connection, Lost

CLIENTS = 8
# Requests a second of each client.
RATE = 20
# One request in this many is a search. Searches wait for a worker, so their times are separate.
SEARCH_EVERY = 40
# Timeout of an answer, in seconds.
PATIENCE = 10
# The phases. Requests of a pause are not counted.
QUIET, ATTACKED, PAUSE, END = range(4)


class Ordinary:
    """The process of the eight clients. Each has its own connection and list."""

    def __init__(self, port, token, lists, seed):
        self.port = port
        self.token = token
        self.lists = lists
        self.seed = seed
        self.tally = Tally()
        self.times = {QUIET: [], ATTACKED: []}
        self.lock = threading.Lock()

    def run(self, phase, results):
        """Sends requests until the end, then reports the tally and the times."""
        threads = [
            threading.Thread(target=self.client, args=(number, phase), daemon=True)
            for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        results.put((self.tally, self.times))

    def client(self, number, phase):
        """Runs one client until the end."""
        link = Connection(self.port)
        link.fields = [f"Authorization: Bearer {self.token}"]
        chance = random.Random(f"{self.seed}-ordinary-{number}")
        begin = time.monotonic() + number / RATE / CLIENTS
        for count in range(1, 1 << 30):
            due = begin + count / RATE
            time.sleep(max(0, due - time.monotonic()))
            if (now := phase.value) == END:
                return
            kind, status, expected, sent = "search", None, (200,), time.monotonic()
            try:
                if (count + number * 5) % SEARCH_EVERY == 0:
                    due, expected = sent, (200, 503)
                    status = link.ask("GET", "/v1/search?q=ordinary&limit=10").status
                else:
                    kind, status, expected = self.small(link, chance, self.lists[number], count)
            except Lost as loss:
                waited = time.monotonic() - sent
                if phase.value == END and waited < PATIENCE:
                    return
                self.fault(f"an ordinary client lost its connection after {waited:.1f} s: {loss}")
                continue
            # Counts from when the request was due, so waiting for earlier ones counts too.
            taken = time.monotonic() - due
            if now != phase.value or now == PAUSE:
                continue
            with self.lock:
                self.tally.answered(
                    f"{kind}, {'attacked' if now == ATTACKED else 'quiet'}", status, taken)
                if kind != "search":
                    self.times[now].append(taken)
            if status not in expected:
                self.fault(f"an ordinary {kind} was answered {status}")

    def small(self, link, chance, own, count):
        """A page, a probe, an item or a move. Returns its kind, its status, and the expected ones."""
        share = chance.random()
        if share < 0.5:
            return "page", link.ask("GET", f"/v1/lists/{own}/rows?limit=50").status, (200,)
        if share < 0.7:
            return "probe", link.ask("GET", "/healthz").status, (200,)
        if share < 0.85:
            body = {"id": str(uuid.UUID(int=chance.getrandbits(128), version=4)),
                    "name": f"An ordinary thing {count}"}
            if chance.random() < 0.1:
                body["notes"] = "An ordinary note. " * 300
            return "create", link.ask("POST", f"/v1/lists/{own}/items", body).status, (201,)
        body = {"from": chance.randrange(20), "to": chance.randrange(20)}
        return "move", link.ask("POST", f"/v1/lists/{own}/move-row", body).status, (200,)

    def fault(self, text):
        """Notes a fault."""
        with self.lock:
            self.tally.fault(text)
