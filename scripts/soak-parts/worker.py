"""One client of the mixed load, in its own process: reads, writes, faults, and its model."""

import hashlib

from changes import Changes
from model import ABSENT, TRASHED, present, seen
from wire import Lost, form


class Worker(Changes):
    """Does one thing after another until it is stopped, then checks everything that it knows."""

    def run(self, verify, results):
        """The whole life of the process. Its counts go to `results`."""
        self.prepare()
        kinds, weights = zip(*self.table())
        lost = self.lost
        while not self.stop.is_set():
            self.random.choices(kinds, weights)[0]()
            if self.lost != lost:
                lost = self.lost
                self.look_for_some(20)
        verify.wait()
        self.look_for_all()
        results.put((self.tally, len(self.shared_rows())))

    def table(self):
        """The tasks, and their weights."""
        return [
            (self.page, 24), (self.own_item, 10), (self.own_page, 8), (self.search, 1),
            (self.screen, 4), (self.sorted_view, 1), (self.changes, 2), (self.unchanged, 3),
            (self.insert, 9), (self.edit, 8), (self.move, 12), (self.move_between, 3),
            (self.move_several, 1), (self.delete, 5), (self.undo, 3), (self.batch, 2),
            (self.restore, 2), (self.purge, 1), (self.reorder, 0.5), (self.photo_up, 0.6),
            (self.photo_down, 1), (self.loose_insert, 2), (self.loose_edit, 2),
            (self.half_sent, 1), (self.shared_insert, 2), (self.shared_move, 3)]

    # Reads.

    def page(self):
        """A page of the long list at any offset."""
        offset = self.random.randrange(self.world.rows - 50)
        answer = self.read("page", f"/v1/lists/{self.world.long}/rows?limit=50&offset={offset}")
        if answer and self.random.random() < 0.1:
            rows = answer.json()["rows"]
            if [row["index"] for row in rows] != list(range(offset, offset + 50)):
                self.fault(f"the page at {offset} has other rows")

    def own_item(self):
        """Checks that an item is as last answered."""
        known = list(self.model.items) if self.random.random() < 0.05 else self.recent
        if known:
            self.look_for(self.random.choice(known))

    def look_for(self, row):
        """Whether an item is as it must be."""
        answer = self.read("item", f"/v1/items/{row}", (200, 404, 410))
        if answer and not self.model.allows(row, state := seen(answer)):
            self.fault(f"item {row} is {state}, and was {self.model.expected(row)}")
        self.tally.count("items compared")

    def own_page(self):
        """Checks a page of one of its own lists: ids, names and values in order."""
        list_id = self.random.choice(list(self.model.orders))
        self.compare_page(list_id, self.random.randrange(len(self.model.orders[list_id]) + 1), 20)

    def compare_page(self, list_id, offset, limit):
        """Whether these rows are those of the model."""
        order = self.model.orders[list_id]
        path = f"/v1/lists/{list_id}/rows?sentinel=false&limit={limit}&offset={offset}"
        answer = self.read("own page", path)
        if not answer:
            return
        page = answer.json()
        found = [
            (row["id"], present(row["title"], round(row["item"]["valueInDollars"] * 100)))
            for row in page["rows"]]
        expected = [(row, self.model.items[row]) for row in order[offset:offset + limit]]
        if page["count"] != len(order):
            self.fault(f"list {list_id} has {page['count']} rows, not {len(order)}")
        elif found != expected:
            pair = next(pair for pair in zip(found, expected) if pair[0] != pair[1])
            self.fault(f"list {list_id} near {offset} has {pair[0]}, not {pair[1]}")
        self.tally.count("rows compared in order", len(expected))

    def search(self):
        """Searches for words that few rows have."""
        self.read("search", f"/v1/search?q={self.random.randrange(10_000, 100_000)}&limit=20")

    def screen(self):
        """Reads a screen."""
        mode = self.random.choice(["browse", "edit", "details", "add"])
        list_id = self.random.choice(list(self.model.orders))
        self.read("screen", f"/v1/lists/{list_id}/screen?mode={mode}&limit=20")

    def sorted_view(self):
        """Sorts one of its own lists by value."""
        list_id = self.random.choice(list(self.model.orders))
        self.read("sorted view", f"/v1/lists/{list_id}/rows?sort=-valueInDollars&limit=20")

    def changes(self):
        """Reads a list's recent changes."""
        since = max(0, self.revision - self.random.randrange(200))
        list_id = self.random.choice(list(self.model.orders))
        self.read("changes", f"/v1/lists/{list_id}/changes?since={since}", (200, 410))

    def unchanged(self):
        """Reads a list that has not changed since the last read."""
        path = f"/v1/lists/{self.world.long}"
        first = self.read("list", path)
        if first:
            self.read("not modified", path, (200, 304),
                      [f"If-None-Match: {first.field(b'etag')}"])

    # Broken connections.

    def half_sent(self):
        """A creation whose last byte is never sent must create nothing."""
        row = self.new_id()
        body = {"id": row, "name": "half", "valueInDollars": 1}
        self.cut(form("POST", f"/v1/lists/{self.loose}/items", body)[:-1])
        self.model.items[row] = ABSENT
        self.recent.append(row)
        self.tally.count("connections cut in the middle of a request")

    def loose_insert(self):
        """A creation that is not repeated after a loss."""
        row = self.new_id()
        name, cents = self.new_values()
        body = {"id": row, "name": name, "valueInDollars": cents / 100}
        path = f"/v1/lists/{self.loose}/items"
        if self.once("loose insert", "POST", path, body, 201):
            self.model.items[row] = present(name, cents)
            self.loose_rows.append(row)
        else:
            self.model.leave_open(row, ABSENT, present(name, cents))

    def loose_edit(self):
        """An edit that is not repeated after a loss."""
        if not self.loose_rows:
            return
        at = self.random.randrange(len(self.loose_rows))
        row = self.loose_rows[at]
        before, (name, cents) = self.model.items[row], self.new_values()
        body = {"name": name, "valueInDollars": cents / 100}
        if self.once("loose edit", "PATCH", f"/v1/items/{row}", body, 200):
            self.model.edit(row, name, cents)
        else:
            del self.loose_rows[at]
            self.model.leave_open(row, before, present(name, cents))

    def once(self, kind, method, path, body, expected):
        """Sends a request once, and sometimes leaves before the answer. Returns whether it was answered."""
        if self.random.random() < 0.02:
            self.cut(form(method, path, body))
            self.tally.count("writes without a known outcome")
            return False
        try:
            answer = self.timed(kind, method, path, body)
        except Lost:
            self.come_back()
            self.tally.count("writes without a known outcome")
            return False
        if answer.status != expected:
            if answer.status != 503:
                self.fault(f"{method} {path} answered {answer.brief()}")
            return False
        self.see_revision(answer)
        return True

    # Checks.

    def look_for_some(self, count):
        """Checks a sample after a loss, which may have been a kill: some of all items, and the latest."""
        known = list(self.model.items)
        for row in self.random.sample(known, min(count, len(known))) + self.recent[-count:]:
            self.look_for(row)
        for list_id, order in self.model.orders.items():
            self.compare_page(list_id, self.random.randrange(len(order) + 1), 50)
        self.tally.count("samples after a loss")

    def look_for_all(self):
        """Checks every item, every list's order and every photo."""
        for row in [*self.model.items, *self.model.open]:
            self.look_for(row)
        for list_id, order in self.model.orders.items():
            for offset in range(0, len(order) + 1, 200):
                self.compare_page(list_id, offset, 200)
        self.compare_trash()
        for photo in list(self.model.photos):
            self.compare_photo(photo)

    def compare_trash(self):
        """Checks that deleted rows are in the trash with their names."""
        found, offset, count = {}, 0, 1
        while offset < count:
            answer = self.read("trash", f"/v1/trash?limit=1000&offset={offset}")
            if not answer:
                return
            page = answer.json()
            found.update((row["id"], row["title"]) for row in page["trash"])
            count, offset = page["count"], offset + 1000
        for row, (_, name, _) in self.model.before_trash.items():
            if self.model.items.get(row) == TRASHED:
                if found.get(row) != name:
                    self.fault(f"{row} is {found.get(row)!r} in the trash, and was {name!r}")
                self.tally.count("deleted items compared")

    def compare_photo(self, photo):
        """Checks that a photo has the bytes that were sent."""
        item, digest = self.model.photos[photo]
        answer = self.read("photo down", f"/v1/items/{item}/photos/{photo}")
        if answer and hashlib.sha256(answer.body).digest() != digest:
            self.fault(f"photo {photo} has other bytes")
        self.tally.count("photos compared")

    def photo_down(self):
        """One of its own photos."""
        if self.model.photos:
            self.compare_photo(self.random.choice(list(self.model.photos)))
