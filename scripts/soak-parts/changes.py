"""The writes of a client. Each changes its model when it is answered."""

import hashlib
import os

from client import Client
from model import ABSENT, TRASHED, Model, arranged, present
from wire import Lost

# Lists of this many rows get no new ones.
FULL = 300
PHOTOS = 30
JPEG = b"\xff\xd8\xff\xe0"


class World:
    """The shared state: port, seed, a list that no client changes, one that all change, the first event."""

    def __init__(self, port, seed, long, rows, shared, revision):
        self.port = port
        self.seed = seed
        self.long = long
        self.rows = rows
        self.shared = shared
        self.revision = revision


class Changes(Client):
    """The writes of a worker to its own two ordered lists, to a loose list, and to the shared list."""

    def __init__(self, number, world, stop):
        super().__init__(number, world.port, world.seed, stop)
        self.world = world
        self.model = None
        self.loose = self.new_id()
        self.loose_rows = []
        self.shared_own = []
        self.recent = []
        self.values = 0
        self.undoing = None

    def prepare(self):
        """Creates the client's lists, and the item for its photos."""
        lists = [self.new_id(), self.new_id()]
        self.model = Model(lists)
        for number, identifier in enumerate([*lists, self.loose]):
            body = {"id": identifier, "title": f"Client {self.number}, list {number}"}
            self.write("make list", "POST", "/v1/lists", body, (201, 200), 0)
        for _ in range(20):
            self.insert()

    def new_values(self):
        """A name and a value that no item had before."""
        self.values += 1
        return f"Client {self.number} value {self.values}", self.random.randrange(10_000_000)

    def details(self, name, cents):
        """An item as a body."""
        return {"name": name, "valueInDollars": cents / 100}

    def changed(self, answer, snapshot):
        """Notes how the change is undone."""
        receipt = answer.json()
        receipt = receipt.get("receipt", receipt)
        self.undoing = (receipt["undo"], snapshot) if receipt["changed"] else None

    def own_list(self):
        """One of the ordered lists and its rows."""
        list_id = self.random.choice(list(self.model.orders))
        return list_id, self.model.orders[list_id]

    def insert(self):
        """Creates an item at any index."""
        list_id, order = self.own_list()
        if len(order) >= FULL:
            self.delete()
            return
        row, index = self.new_id(), self.random.randrange(len(order) + 1)
        name, cents = self.new_values()
        snapshot = self.model.snapshot()
        answer = self.write(
            "insert", "POST", f"/v1/lists/{list_id}/items",
            {"id": row, "position": {"index": index}, **self.details(name, cents)}, (201, 200))
        if answer:
            self.model.insert(list_id, index, row, name, cents)
            self.changed(answer, snapshot)
            self.recent = [*self.recent[-50:], row]

    def edit(self):
        """Edits a name and a value."""
        _, order = self.own_list()
        if order:
            row, snapshot = self.random.choice(order), self.model.snapshot()
            name, cents = self.new_values()
            answer = self.write(
                "edit", "PATCH", f"/v1/items/{row}", self.details(name, cents))
            if answer:
                self.model.edit(row, name, cents)
                self.changed(answer, snapshot)
                self.recent = [*self.recent[-50:], row]

    def move(self):
        """Moves a row within a list, by indices."""
        list_id, order = self.own_list()
        if len(order) > 1:
            source, target = (self.random.randrange(len(order)) for _ in range(2))
            snapshot = self.model.snapshot()
            answer = self.write(
                "move", "POST", f"/v1/lists/{list_id}/move-row", {"from": source, "to": target})
            if answer:
                order.insert(target, order.pop(source))
                self.changed(answer, snapshot)

    def move_between(self):
        """Moves a row from one list to an index of the other."""
        (_, source), (other, target) = self.random.sample(list(self.model.orders.items()), 2)
        if source and len(target) < FULL:
            row, index = self.random.choice(source), self.random.randrange(len(target) + 1)
            snapshot = self.model.snapshot()
            answer = self.write(
                "move between", "POST", f"/v1/rows/{row}/move",
                {"listId": other, "position": {"index": index}})
            if answer:
                source.remove(row)
                target.insert(index, row)
                self.changed(answer, snapshot)

    def move_several(self):
        """Moves rows from both lists to the beginning of one."""
        list_id, order = self.own_list()
        rows = [row for own in self.model.orders.values() for row in own]
        if len(rows) > 8 and len(order) < FULL:
            taken, snapshot = self.random.sample(rows, 4), self.model.snapshot()
            answer = self.write(
                "move several", "POST", f"/v1/lists/{list_id}/move-rows",
                {"ids": taken, "position": "first"})
            if answer:
                self.model.take(taken)
                self.model.orders[list_id][:0] = taken
                self.changed(answer, snapshot)

    def delete(self):
        """Deletes a row by id."""
        list_id, order = self.own_list()
        if order:
            row, snapshot = self.random.choice(order), self.model.snapshot()
            answer = self.write("delete", "DELETE", f"/v1/rows/{row}")
            if answer:
                self.model.delete(list_id, row)
                self.changed(answer, snapshot)
                self.recent = [*self.recent[-50:], row]

    def undo(self):
        """Undoes the last change, and sometimes that undo."""
        if self.undoing:
            path, before = self.undoing
            snapshot = self.model.snapshot()
            answer = self.write("undo", "POST", path)
            self.undoing = None
            if answer:
                self.model.return_to(before)
                self.changed(answer, snapshot)

    def restore(self):
        """Restores a row deleted lately, to an index."""
        list_id, order = self.own_list()
        deleted = [row for row in self.recent if self.model.items.get(row) == TRASHED]
        if deleted and len(order) < FULL:
            row, index = self.random.choice(deleted), self.random.randrange(len(order) + 1)
            snapshot = self.model.snapshot()
            answer = self.write(
                "restore", "POST", f"/v1/trash/{row}/restore",
                {"listId": list_id, "position": {"index": index}})
            if answer:
                self.model.restore(list_id, index, row)
                self.changed(answer, snapshot)

    def purge(self):
        """Purges a row deleted lately."""
        deleted = [row for row in self.recent if self.model.items.get(row) == TRASHED]
        if deleted:
            row = self.random.choice(deleted)
            self.undoing = None
            if self.write("purge", "DELETE", f"/v1/trash/{row}", None, (200, 204)):
                self.model.items[row] = ABSENT
                del self.model.before_trash[row]

    def batch(self):
        """Makes deletions, insertions, moves and edits as one batch."""
        list_id, order = self.own_list()
        if len(order) < 12 or len(order) >= FULL:
            return
        picked = self.random.sample(order, 6)
        deleted, moved, edited = picked[:2], picked[2:4], picked[4:]
        made = [self.new_id(), self.new_id()]
        indices = self.random.sample(range(len(order)), 4)
        placed = dict(zip(indices, [*made, *moved]))
        at = {row: index for index, row in placed.items()}
        values = {row: self.new_values() for row in [*made, *edited]}
        body = {
            "deletes": [{"id": row} for row in deleted],
            "inserts": [
                {"index": at[row], "item": {"id": row, **self.details(*values[row])}}
                for row in made],
            "moves": [{"id": row, "to": at[row]} for row in moved],
            "updates": [{"id": row, "patch": self.details(*values[row])} for row in edited]}
        snapshot = self.model.snapshot()
        answer = self.write("batch", "POST", f"/v1/lists/{list_id}/batch", body)
        if answer:
            self.model.orders[list_id] = arranged(order, set(deleted), placed)
            for row in deleted:
                self.model.trash(row)
            self.model.items.update({row: present(*own) for row, own in values.items()})
            self.changed(answer, snapshot)
            self.recent = [*self.recent[-50:], *deleted, *values]

    def reorder(self):
        """Gives a list an order of the client's own."""
        list_id, order = self.own_list()
        if order:
            ids, snapshot = self.random.sample(order, len(order)), self.model.snapshot()
            answer = self.write(
                "reorder", "POST", f"/v1/lists/{list_id}/reorder", {"ids": ids})
            if answer:
                self.model.orders[list_id] = ids
                self.changed(answer, snapshot)

    # The list that all write to. Its order is not checked, but no row may be lost.

    def shared_insert(self):
        """Adds a row among those of others."""
        row, (name, cents) = self.new_id(), self.new_values()
        answer = self.write(
            "shared insert", "POST", f"/v1/lists/{self.world.shared}/items",
            {"id": row, "position": {"index": self.random.randrange(100)},
             **self.details(name, cents)}, (201, 200))
        if answer:
            self.model.items[row] = present(name, cents)
            self.shared_own.append(row)

    def shared_move(self):
        """Moves one of its own rows there, by id."""
        if self.shared_own:
            self.write(
                "shared move", "POST", f"/v1/rows/{self.random.choice(self.shared_own)}/move",
                {"position": {"index": self.random.randrange(100)}})

    def shared_rows(self):
        """Its own rows there."""
        return self.shared_own

    def photo_up(self):
        """Uploads bytes under an id of its own, again until they are answered."""
        if not self.loose_rows:
            return
        if len(self.model.photos) >= PHOTOS:
            self.photo_away()
        photo, item = self.new_id(), self.random.choice(self.loose_rows)
        size = self.random.choices([2_000, 60_000, 400_000, 2_000_000], [40, 45, 13, 2])[0]
        content = JPEG + os.urandom(64) * (size // 64)
        path = f"/v1/items/{item}/photos?id={photo}"
        while True:
            try:
                if self.random.random() < 0.1:
                    self.cut_upload(path, content)
                answer = self.timed("photo up", "POST", path, content, (), "image/jpeg")
            except Lost:
                self.come_back()
                continue
            if answer.status != 503 or not self.wait(answer):
                break
        if answer.status in (200, 201):
            self.model.photos[photo] = (item, hashlib.sha256(content).digest())
            self.see_revision(answer)
        else:
            self.fault(f"POST {path} answered {answer.brief()}")

    def cut_upload(self, path, content):
        """Sends half of a photo."""
        head = (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/jpeg\r\n"
                f"Content-Length: {len(content)}\r\n\r\n").encode()
        self.cut(head + content[:len(content) // 2])
        self.tally.count("uploads cut in the middle")

    def photo_away(self):
        """Deletes the oldest of its own photos."""
        photo = next(iter(self.model.photos))
        item, _ = self.model.photos.pop(photo)
        self.write("photo away", "DELETE", f"/v1/items/{item}/photos/{photo}")
