"""The normal client: pages, moves and creations at a fixed rate, and their times."""

import random
import time
import uuid

from model import Model, seen
from tally import Tally
from wire import Connection, Lost

# Requests a second, and the number of requests on each connection.
RATE = 100
REQUESTS_A_CONNECTION = 25
# The phases. Requests of a pause are not counted.
BEFORE, ATTACK, AFTER, PAUSE, END = range(5)


class Normal:
    """Its list, its model, and the times of its requests in each phase."""

    def __init__(self, port, token, list_id, long, rows, seed):
        self.random = random.Random(f"{seed}-normal")
        self.link = Connection(port)
        self.link.fields = [f"Authorization: Bearer {token}"]
        self.list_id = list_id
        self.long = long
        self.rows = rows
        self.model = Model([list_id])
        self.tally = Tally()
        self.times = {BEFORE: [], ATTACK: [], AFTER: []}

    def run(self, phase, results):
        """Sends requests until the end, then compares. Puts its counts and times."""
        begin = time.monotonic()
        number = 0
        while (now := phase.value) != END:
            due = begin + number / RATE
            time.sleep(max(0, due - time.monotonic()))
            if number % REQUESTS_A_CONNECTION == 0:
                self.link.close()
            number += 1
            try:
                kind, status = self.do()
            except Lost as loss:
                self.tally.fault(f"the normal client lost its connection: {loss}")
                self.model.orders[self.list_id] = None
                break
            # Counts from when the request was due, so waiting for earlier ones counts too.
            taken = time.monotonic() - due
            if now == phase.value and now in self.times:
                self.times[now].append(taken)
                self.tally.answered(f"{kind}, {'attacked' if now == ATTACK else 'quiet'}",
                                    status, taken)
        if self.model.orders[self.list_id] is not None:
            self.compare()
        results.put((self.tally, self.times))

    def ask(self, method, path, body, expected):
        """Sends one request. An unexpected status is a fault."""
        answer = self.link.ask(method, path, body)
        if answer.status != expected:
            self.tally.fault(f"{method} {path} answered {answer.brief()}")
        return answer

    def do(self):
        """A page (70 %), a move (15 %) or a creation (15 %). Returns its kind and status."""
        order = self.model.orders[self.list_id]
        chance = self.random.random()
        if chance < 0.7:
            offset = self.random.randrange(self.rows - 50)
            path = f"/v1/lists/{self.long}/rows?limit=50&offset={offset}"
            return "page", self.ask("GET", path, None, 200).status
        if chance < 0.85 and len(order) > 1:
            source, target = (self.random.randrange(len(order)) for _ in range(2))
            body = {"from": source, "to": target}
            answer = self.ask("POST", f"/v1/lists/{self.list_id}/move-row", body, 200)
            if answer.status == 200:
                order.insert(target, order.pop(source))
            return "move", answer.status
        row, index = str(uuid.UUID(int=self.random.getrandbits(128), version=4)), len(order) // 2
        body = {"id": row, "name": f"Well meant {len(order)}", "valueInDollars": len(order),
                "position": {"index": index}}
        answer = self.ask("POST", f"/v1/lists/{self.list_id}/items", body, 201)
        if answer.status == 201:
            self.model.insert(self.list_id, index, row, body["name"], len(order) * 100)
        return "create", answer.status

    def compare(self):
        """Whether exactly the answered rows are there, in order."""
        order, found = self.model.orders[self.list_id], []
        for offset in range(0, len(order) + 1, 1000):
            path = f"/v1/lists/{self.list_id}/rows?sentinel=false&limit=1000&offset={offset}"
            found += [row["id"] for row in self.ask("GET", path, None, 200).json()["rows"]]
        if found != order:
            self.tally.fault(f"the list has {len(found)} rows, not the {len(order)} answered ones")
        for row in order:
            answer = self.link.ask("GET", f"/v1/items/{row}")
            if not self.model.allows(row, seen(answer)):
                self.tally.fault(f"item {row} is {seen(answer)}")
        self.tally.count("items of the normal client compared", len(order))


