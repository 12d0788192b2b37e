"""Long reads and writes during the run: slow exports, and imports that are deleted again."""

import json
import threading

from client import Client
from wire import Lost

MEDIA = "application/x-ndjson"


class Exporter(Client):
    """Exports everything again and again, slowly. Breaks off one in three."""

    def run(self):
        """Exports until it is stopped."""
        while not self.stop.is_set():
            try:
                self.export()
            except Lost:
                self.tally.count("exports lost")
                self.link.close()
                self.stop.wait(0.5)

    def export(self):
        """One export. Its last line counts its records."""
        breaks_off = self.random.random() < 0.33
        self.link.send(b"GET /v1/export HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        size, end = 0, b""
        while True:
            try:
                piece = self.link.socket.recv(1 << 16)
            except OSError as error:
                raise Lost(str(error)) from error
            if not piece:
                break
            size += len(piece)
            end = (end + piece)[-200:]
            if breaks_off and size > 1 << 20:
                self.link.close()
                self.tally.count("exports broken off")
                return
            self.stop.wait(0.005)
            if self.stop.is_set():
                self.link.close()
                return
        self.link.close()
        if b'{"end":true' not in end:
            raise Lost("cut")
        self.tally.count("exports read to the end")
        self.tally.count("MiB of exports", size // 2**20)


class Importer(Client):
    """Imports trees and deletes them again. Each must be there whole or not at all."""

    def run(self):
        """Imports until it is stopped."""
        while not self.stop.is_set():
            tree = self.new_id()
            items = self.random.choice([200, 5_000, 20_000])
            content = self.tree(tree, items)
            try:
                self.bring(tree, items, content)
                self.give_up(tree)
            except Lost:
                self.tally.fault("the server did not come back")
                return
            self.stop.wait(0.5)

    def tree(self, tree, items):
        """An export in the form of another server."""
        lines = [{"format": "rowhouse", "version": 1, "rootId": tree},
                 {"type": "list", "id": tree, "title": "Imported"}]
        lines += [
            {"type": "item", "id": self.new_id(), "listId": tree, "name": f"Imported {number}"}
            for number in range(items)]
        lines.append({"end": True, "lists": 1, "items": items})
        return "\n".join(map(json.dumps, lines)).encode() + b"\n"

    def bring(self, tree, items, content):
        """Sends it, sometimes only a part. Checks the result."""
        expected = {items}
        if self.random.random() < 0.25:
            head = (f"POST /v1/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: {MEDIA}\r\n"
                    f"Content-Length: {len(content)}\r\n\r\n").encode()
            self.cut(head + content[:len(content) // 2])
            self.tally.count("imports cut in the middle")
            expected = {None}
        else:
            try:
                answer = self.timed("import", "POST", "/v1/import", content, (), MEDIA)
                if answer.status == 503:
                    expected = {None}
                elif answer.status != 200:
                    self.fault(f"an import of {items} was answered {answer.brief()}")
                else:
                    self.tally.count("imports done")
            except Lost:
                self.come_back()
                self.tally.count("imports lost")
                expected = {items, None}
        answer = self.read("list", f"/v1/lists/{tree}", (200, 404))
        found = answer.json()["rowCount"] if answer and answer.status == 200 else None
        if answer and found not in expected:
            self.fault(f"an import of {items} rows left {found}")

    def give_up(self, tree):
        """Deletes it, and purges it."""
        if self.write("delete tree", "DELETE", f"/v1/rows/{tree}?recursive=true", None,
                      (200, 404)):
            self.write("purge tree", "DELETE", f"/v1/trash/{tree}", None, (200, 204, 404))


def transfer(world, stop, results):
    """The whole life of a process that does both."""
    both = [Exporter(100, world.port, world.seed, stop), Importer(101, world.port, world.seed, stop)]
    threads = [threading.Thread(target=one.run) for one in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    both[0].tally.add(both[1].tally)
    results.put((both[0].tally, 0))
