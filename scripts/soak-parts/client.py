"""A client with retries: a lost answer is requested again with the same Idempotency-Key."""

import random
import time
import uuid

from tally import Tally
from wire import Connection, Lost, form

# Seconds within which a server must be back.
PATIENCE = 60


class Client:
    """A connection, its random numbers, and its counts."""

    def __init__(self, number, port, seed, stop):
        self.number = number
        self.random = random.Random(f"{seed}-{number}")
        self.link = Connection(port)
        self.stop = stop
        self.tally = Tally()
        self.keys = 0
        self.revision = 0
        self.lost = 0

    def new_id(self):
        """An id of the client's own."""
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def fault(self, text):
        """Notes a fault."""
        self.tally.fault(f"client {self.number}: {text}")

    def come_back(self):
        """Connects again after a loss."""
        self.lost += 1
        self.tally.count("connections lost")
        self.link.open_within(PATIENCE)

    def timed(self, kind, method, path, body, fields=(), media="application/json"):
        """Sends one request, counted as a kind."""
        begin = time.monotonic()
        answer = self.link.ask(method, path, body, fields, media)
        self.tally.answered(kind, answer.status, time.monotonic() - begin)
        return answer

    def read(self, kind, path, expected=(200,), fields=()):
        """A GET, repeated after a loss; None after an unexpected status."""
        while True:
            try:
                answer = self.timed(kind, "GET", path, None, fields)
            except Lost:
                self.come_back()
                continue
            if answer.status == 503 and self.wait(answer):
                continue
            if answer.status in expected:
                return answer
            self.fault(f"GET {path} answered {answer.brief()}")
            return None

    def wait(self, answer):
        """Waits after a 503 as long as it says. Returns whether it said so."""
        seconds = answer.field(b"retry-after")
        if seconds is None:
            self.fault(f"a 503 without Retry-After: {answer.brief()}")
            return False
        time.sleep(min(float(seconds), 0.5))
        return True

    def next_key(self):
        """A new Idempotency-Key."""
        self.keys += 1
        return f"soak-{self.number}-{self.keys}-{self.random.getrandbits(32):x}"

    def write(self, kind, method, path, body=None, expected=(200,), trouble=0.03):
        """A write that is repeated until it is answered; None after an unexpected status.

        Sometimes the connection is cut after the request, or the request is repeated.
        """
        fields = [f"Idempotency-Key: {self.next_key()}"]
        chance = self.random.random()
        if chance < trouble / 2:
            self.cut(form(method, path, body, fields))
            self.tally.count("connections cut behind a write, which was asked again")
        while True:
            try:
                answer = self.timed(kind, method, path, body, fields)
            except Lost:
                self.come_back()
                self.tally.count("writes asked again after a loss")
                continue
            if answer.status == 503 and self.wait(answer):
                continue
            break
        if answer.status not in expected:
            self.fault(f"{method} {path} {body} answered {answer.brief()}")
            return None
        self.see_revision(answer)
        # Refusals are not stored, so a repeated request may get another answer.
        if trouble / 2 <= chance < trouble and answer.status < 300:
            self.repeat(method, path, body, fields, answer)
        return answer

    def see_revision(self, answer):
        """Checks that the client sees no revision go back."""
        text = answer.field(b"rowhouse-revision")
        if text is None:
            if answer.status < 300:
                self.fault(f"a write without Rowhouse-Revision: {answer.brief()}")
            return
        revision = int(text)
        replayed = answer.field(b"idempotency-replayed") is not None
        if replayed:
            self.tally.count("answers given again to the same key")
        elif revision < self.revision:
            self.fault(f"revision {revision} after {self.revision}")
        self.revision = max(self.revision, revision)

    def repeat(self, method, path, body, fields, first):
        """Checks that a repeated request gets the first answer."""
        while True:
            try:
                again = self.timed("the same key again", method, path, body, fields)
            except Lost:
                self.come_back()
                continue
            if again.status != 503 or not self.wait(again):
                break
        if (again.status, again.body) != (first.status, first.body):
            self.fault(f"{method} {path} repeated: {again.brief()} after {first.brief()}")
        elif again.field(b"idempotency-replayed") != "true":
            self.fault(f"{method} {path} repeated without Idempotency-Replayed")
        self.tally.count("writes repeated on purpose")

    def cut(self, data):
        """Sends bytes and closes the connection at once."""
        try:
            self.link.send(data)
        except Lost:
            pass
        self.link.close()
