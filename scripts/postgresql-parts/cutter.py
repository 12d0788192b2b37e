"""A proxy in front of a PostgreSQL server's socket that cuts a connection at a chosen statement."""

import os
import select
import socket
import tempfile
import threading


class Cutter:
    """Listens in a folder of its own, and passes everything on.

    `cut(text, after)` cuts the next connection that sends a statement with this text: before the server gets it, or
    after the server has answered it and before the client gets the answer.
    """

    def __init__(self, database):
        self.target = f"{database.folder}/.s.PGSQL.5432"
        self.folder = tempfile.mkdtemp(prefix="rowhouse-cutter-")
        self.cuts = []
        self.done = threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder}/.s.PGSQL.5432")
        self.listener.listen(50)
        threading.Thread(target=self.accept, daemon=True).start()

    def address(self, name):
        return f"postgresql:///{name}?host={self.folder}&user=rowhouse"

    def cut(self, text, after=False):
        self.done.clear()
        self.cuts = [(text.encode(), after)]

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=[client], daemon=True).start()

    def carry(self, client):
        server = socket.socket(socket.AF_UNIX)
        server.connect(self.target)
        holding = False
        with client, server:
            while True:
                for ready in select.select([client, server], [], [])[0]:
                    data = ready.recv(1 << 20)
                    if not data:
                        return
                    if ready is server:
                        # An answer has come to what must not be answered.
                        if holding:
                            self.done.set()
                            return
                        client.sendall(data)
                        continue
                    found = next((cut for cut in self.cuts if cut[0] in data), None)
                    if found:
                        self.cuts = []
                        holding = found[1]
                        if not holding:
                            self.done.set()
                            return
                    server.sendall(data)

    def close(self):
        self.listener.close()
        os.unlink(f"{self.folder}/.s.PGSQL.5432")
        os.rmdir(self.folder)
