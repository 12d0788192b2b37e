"""Readers of event streams: some must miss nothing, some are stuck."""

import re
import select
import socket
import threading
import time

from tally import Tally
from wire import HOST, Connection, Lost

SPAN = re.compile(rb'^data: \{"fromRevision":(\d+),"revision":(\d+)')
# Seconds that the stuck ones stay.
STUCK_SECONDS = 20


class Follower(threading.Thread):
    """Follows the inventory's events, resumes after a loss, and checks that no revision is missing."""

    def __init__(self, port, stop, start):
        super().__init__(daemon=True)
        self.link = Connection(port)
        self.stop = stop
        self.revision = start
        self.tally = Tally()

    def run(self):
        while not self.stop.is_set():
            try:
                self.link.open_within(60)
                self.follow()
            except (Lost, OSError):
                self.tally.count("event streams resumed")
                self.link.close()

    def follow(self):
        """Reads until the stream ends."""
        self.link.send(
            f"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: {self.revision}\r\n\r\n"
            .encode())
        stream = self.link.socket.makefile("rb")
        if not stream.readline().startswith(b"HTTP/1.1 200"):
            self.tally.fault("a stream of events was refused")
            raise Lost("refused")
        event, latest = None, self.revision
        while not self.stop.is_set():
            line = stream.readline()
            if not line:
                raise Lost("ended")
            if line.startswith(b"event: "):
                event = line[7:].strip()
            elif line.startswith(b"id: "):
                latest = int(line[4:])
            elif line.startswith(b"data: "):
                self.see(event, latest, line)

    def see(self, event, latest, line):
        """Handles one event, which must begin where the last one ended."""
        if event == b"position":
            return
        self.tally.count("events read")
        span = SPAN.match(line)
        if event == b"resync":
            self.tally.count("events that said resync")
        elif event != b"change" or not span:
            self.tally.fault(f"a stream got {event!r} {line[:100]!r}")
        elif int(span[1]) != self.revision or int(span[2]) != latest:
            self.tally.fault(f"an event from {int(span[1])} after {self.revision}")
        self.revision = latest


class Stuck(threading.Thread):
    """Opens streams and large answers, reads nothing, and leaves after a while."""

    def __init__(self, port, stop, paths, count):
        super().__init__(daemon=True)
        self.port = port
        self.stop = stop
        self.paths = paths
        self.count = count
        self.tally = Tally()

    def run(self):
        while not self.stop.is_set():
            opened = [own for own in map(self.open, range(self.count)) if own]
            self.tally.count("readers that were stuck", len(opened))
            self.stop.wait(STUCK_SECONDS)
            for own in opened:
                own.close()
            if not opened:
                self.stop.wait(0.2)

    def open(self, number):
        """A connection that receives a few bytes and then no more; None if no server listens."""
        own = socket.socket()
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        own.settimeout(5)
        try:
            own.connect((HOST, self.port))
            path = self.paths[number % len(self.paths)]
            own.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 3)
        except OSError:
            own.close()
            return None
        return own


def follow_events(world, stop, finish, results, followers, stuck):
    """The whole life of a process of them. `finish` has the revision that all must reach."""
    own_stop = threading.Event()
    reading = [Follower(world.port, own_stop, world.revision) for _ in range(followers)]
    paths = [
        "/v1/events", f"/v1/lists/{world.shared}/events",
        f"/v1/lists/{world.long}/rows?limit=1000"]
    sitting = Stuck(world.port, stop, paths, stuck)
    for thread in [*reading, sitting]:
        thread.start()
    stop.wait()
    last = finish.get()
    deadline = time.monotonic() + 30
    while min(one.revision for one in reading) < last and time.monotonic() < deadline:
        select.select([], [], [], 0.05)
    own_stop.set()
    tally = Tally()
    for thread in [*reading, sitting]:
        tally.add(thread.tally)
    behind = [one.revision for one in reading if one.revision < last]
    if behind:
        tally.fault(f"streams of events ended at {behind}, and not at {last}")
    results.put((tally, 0))
