"""The attackers: two processes of the lowest priority, with a rate for each kind of attack."""

import asyncio
import os
import random
import re
import socket
import struct

from shapes import Shapes
from tally import Tally
from wire import HOST

# The permitted 5xx: not implemented, a limit reached, an unsupported version.
HONEST = {501, 503, 505}
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
# Requests a second of each kind.
RATES = {
    "malformed": 60, "smuggling": 20, "bad token": 100, "bad JSON": 60, "giant head": 15}
# Connections opened a second, and how long most of them stay.
FLOOD_RATE = 150
FLOOD_SECONDS = 5
# Open connections of each slow kind.
SLOW_HEADS = 200
SLOW_BODIES = 100
SLOW_READERS = 40
STUCK_STREAMS = 100


class Attackers:
    """The state that all attacks of a process share."""

    def __init__(self, port, corpus, token, list_id, long, seed, phases):
        self.port = port
        self.long = long
        self.random = random.Random(seed)
        self.shapes = Shapes(corpus, token, list_id, self.random)
        self.begin, self.end = phases
        self.tally = Tally()
        self.loop = None

    def run(self, results, slow):
        """The whole life of the process: waits for its time, attacks, and reports."""
        os.nice(19)
        self.begin.wait()
        asyncio.run(self.attack(self.slow_kinds() if slow else self.quick_kinds()))
        results.put((self.tally, None))

    async def attack(self, kinds):
        """Runs all attacks until the end."""
        self.loop = asyncio.get_running_loop()
        tasks = [asyncio.create_task(kind) for kind in kinds]
        while not self.end.is_set():
            await asyncio.sleep(0.1)
            for task in tasks:
                if task.done():
                    task.result()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0.2)

    def quick_kinds(self):
        """The attacks that send malformed requests and read the answer."""
        makers = {
            "malformed": self.shapes.malformed, "smuggling": self.shapes.smuggled,
            "bad token": self.shapes.bad_token, "bad JSON": self.shapes.bad_json,
            "giant head": self.shapes.giant}
        kinds = [self.steadily(RATES[kind], lambda kind=kind, make=make: self.send(kind, make()))
                 for kind, make in makers.items()]
        return [*kinds, self.steadily(FLOOD_RATE, self.flood)]

    def slow_kinds(self):
        """The slow attacks."""
        head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
        body = self.shapes.head(
            "POST", f"/v1/lists/{self.shapes.list_id}/items", "Content-Type: application/json",
            "Content-Length: 1000") + b"{"
        pages = self.shapes.head("GET", f"/v1/lists/{self.shapes.list_id}/rows?limit=1000") * 40
        events = self.shapes.head("GET", f"/v1/lists/{self.shapes.list_id}/events")
        return [
            *[self.again("slow head", lambda: self.drip("slow head", head))
              for _ in range(SLOW_HEADS)],
            *[self.again("slow body", lambda: self.drip("slow body", body))
              for _ in range(SLOW_BODIES)],
            *[self.again("slow reader", lambda: self.sip("slow reader", pages))
              for _ in range(SLOW_READERS)],
            *[self.again("stuck stream", lambda: self.sit("stuck stream", events))
              for _ in range(STUCK_STREAMS)]]

    async def steadily(self, rate, make):
        """Begins an attack at this rate, whether the ones before have ended or not."""
        tasks = set()
        due = self.loop.time()
        while True:
            due = max(due + 1 / rate, self.loop.time() - 1)
            await asyncio.sleep(max(0, due - self.loop.time()))
            # The limit of attacks at a time. Beyond it, none is begun.
            if len(tasks) < 1000:
                task = asyncio.create_task(make())
                tasks.add(task)
                task.add_done_callback(tasks.discard)

    async def again(self, kind, make):
        """Runs attacks one after another. The first ones start at different moments."""
        await asyncio.sleep(self.random.random() * 3)
        while True:
            await make()
            await asyncio.sleep(0.5)

    async def connect(self, buffer=None):
        """A connected socket, with a small receive buffer on request."""
        own = socket.socket()
        own.setblocking(False)
        if buffer:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        try:
            await asyncio.wait_for(self.loop.sock_connect(own, (HOST, self.port)), 5)
        except BaseException:
            own.close()
            raise
        return own

    async def send(self, kind, data):
        """Sends bytes, whole or in two parts. Notes the statuses until the server closes or is silent."""
        received, silence = b"", 1.5
        try:
            own = await self.connect()
        except (OSError, TimeoutError):
            self.tally.answered(kind, "refused", 0)
            return
        begin = answered = self.loop.time()
        with own:
            try:
                cut = self.random.choice([0, self.random.randrange(len(data) + 1)])
                for piece in (data[:cut], data[cut:]):
                    if piece:
                        await asyncio.wait_for(self.loop.sock_sendall(own, piece), 5)
                while piece := await asyncio.wait_for(self.loop.sock_recv(own, 65536), silence):
                    if not received:
                        answered = self.loop.time()
                        silence = 1 if kind == "smuggling" else 0.2
                    received += piece
            except (OSError, TimeoutError):
                pass
        statuses = STATUS.findall(received)
        self.tally.answered(kind, int(statuses[0]) if statuses else "none", answered - begin)
        if kind == "smuggling" and len(statuses) != 1:
            self.tally.fault(f"{len(statuses)} answers to {data[:300]!r}")
        for status in statuses:
            if int(status) >= 500 and int(status) not in HONEST:
                self.tally.fault(f"{kind} was answered {int(status)}: {data[:300]!r}")

    async def flood(self):
        """Opens a connection and leaves it after a while, half of them with a reset."""
        try:
            own = await self.connect()
        except (OSError, TimeoutError):
            self.tally.answered("connection flood", "refused", 0)
            return
        with own:
            self.tally.count("connections of the flood")
            await asyncio.sleep(FLOOD_SECONDS * self.random.random())
            if self.random.random() < 0.5:
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def drip(self, kind, beginning):
        """Sends a beginning, then a byte a second, until the server closes."""
        await self.slowly(kind, beginning, lambda own: self.loop.sock_sendall(own, b"x"), None)

    async def sip(self, kind, request):
        """Requests much, and reads a few bytes of it a second."""
        await self.slowly(kind, request, None, 4096)

    async def sit(self, kind, request):
        """Sends requests and never reads."""
        await self.slowly(kind, request, None, 4096, reads=False)

    async def slowly(self, kind, beginning, act, buffer, reads=True):
        """Sends a beginning, then does a little each second for a minute or until it is cut off."""
        begin, received, how = self.loop.time(), b"", "stayed"
        try:
            own = await self.connect(buffer)
        except (OSError, TimeoutError):
            self.tally.answered(kind, "refused", 0)
            return
        with own:
            try:
                await asyncio.wait_for(self.loop.sock_sendall(own, beginning), 10)
                while self.loop.time() < begin + 60:
                    await asyncio.sleep(1)
                    if act:
                        await asyncio.wait_for(act(own), 5)
                    if reads:
                        received += self.taste(own)
            except (OSError, EOFError, TimeoutError):
                how = "cut off"
            except asyncio.CancelledError:
                self.note(kind, received, "still there", begin)
                raise
        self.note(kind, received, how, begin)

    def taste(self, own):
        """Reads a few bytes, if there are any. Raises EOFError at the end."""
        try:
            piece = own.recv(512)
        except BlockingIOError:
            return b""
        if not piece:
            raise EOFError
        return piece

    def note(self, kind, received, how, begin):
        """The result of one slow connection."""
        found = STATUS.match(received)
        status = int(found[1]) if found and found[1] != b"200" else how
        self.tally.answered(kind, status, self.loop.time() - begin)
