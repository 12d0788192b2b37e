"""Many event streams beside a steady flow of writes, and the delays of changes."""

import contextlib
import http.client
import json
import multiprocessing
import random
import re
import selectors
import socket
import statistics
import threading
import time

from servers import HOST, Failure

WRITERS = 8
# Every stream is read. Only one in this many is measured.
SAMPLE = 20
EVENT = re.compile(rb"id: (\d+)\nevent: (\w+)")


def open_streams(port, path, count):
    """Sockets of event streams, each read past its head and first block."""
    opened = []
    for _ in range(count):
        stream = socket.create_connection((HOST, port))
        opened.append(stream)
        stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    for stream in opened:
        head = b""
        while b"retry: " not in head:
            piece = stream.recv(4096)
            if not piece:
                raise Failure(f"a stream was refused: {head[:200]!r}")
            head += piece
        stream.setblocking(False)
    return opened


@contextlib.contextmanager
def streams(port, path, count):
    """Follows events for as long as the block runs."""
    opened = open_streams(port, path, count)
    try:
        yield opened
    finally:
        for stream in opened:
            stream.close()


def write(port, path, rows, rate, seconds, results):
    """Moves rows of a list at a steady rate. Puts (revision, time of the answer) for each."""
    begin = time.monotonic()
    answered = []
    lock = threading.Lock()

    def work(number):
        connection = http.client.HTTPConnection(HOST, port, timeout=30)
        count = number
        while (due := begin + count / rate) < begin + seconds:
            time.sleep(max(0, due - time.monotonic()))
            source, target = random.sample(range(rows), 2)
            body = json.dumps({"from": source, "to": target})
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            revision = int(answer.headers["Rowhouse-Revision"])
            answer.read()
            with lock:
                answered.append((revision, time.monotonic()))
            count += WRITERS

    threads = [threading.Thread(target=work, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put(sorted(answered))


def measure_delays(server, path, rows, rate, seconds, followers):
    """The delays from the answers of changes to their events, in milliseconds, and the server's costs.

    `path` is a list's. Raises Failure if a stream misses a change.
    """
    results = multiprocessing.Queue()
    writer = multiprocessing.Process(
        target=write, args=(server.port, path + "/move-row", rows, rate, seconds, results))
    cpu, begin = server.cpu_seconds(), time.monotonic()
    writer.start()
    arrivals = {stream: [] for stream in followers[::SAMPLE]}
    tails = dict.fromkeys(followers, b"")
    reached = dict.fromkeys(followers, 0)
    selector = selectors.DefaultSelector()
    for stream in followers:
        selector.register(stream, selectors.EVENT_READ)
    answered, end, events, seen = None, None, 0, 0.0
    while answered is None or min(reached.values()) < answered[-1][0]:
        if answered is None and not results.empty():
            answered = results.get()
            if not answered:
                raise Failure("no write was answered")
            seen = time.monotonic() - begin
            end = time.monotonic() + 20
        if end and time.monotonic() > end:
            raise Failure("not all streams came to the last change")
        for key, _ in selector.select(0.05):
            stream = key.fileobj
            piece = stream.recv(1 << 18)
            now = time.monotonic()
            if not piece:
                raise Failure("a stream was broken off")
            text = tails[stream] + piece
            for match in EVENT.finditer(text):
                if match[2] == b"position":
                    continue
                if match[2] != b"change":
                    raise Failure(f"a stream got {match[2]!r}")
                events += 1
                reached[stream] = int(match[1])
                if stream in arrivals:
                    arrivals[stream].append((reached[stream], now))
            tails[stream] = text[-40:] if not EVENT.search(text[-40:]) else b""
    cpu = server.cpu_seconds() - cpu
    writer.join()
    selector.close()
    delays = []
    for arrived in arrivals.values():
        position = 0
        for revision, when in answered:
            while arrived[position][0] < revision:
                position += 1
            delays.append(max(0, arrived[position][1] - when) * 1000)
    delays.sort()
    return {
        "p50": statistics.median(delays), "p99": delays[len(delays) * 99 // 100],
        "rate": len(answered) / seen, "cpu": cpu / seen * 100, "events": events / seen}


def page_latency(port, path, count=2000):
    """The median time of a GET on one connection, in milliseconds."""
    times = []
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    with contextlib.closing(connection):
        for _ in range(count):
            begin = time.monotonic()
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            times.append(time.monotonic() - begin)
            if answer.status != 200:
                raise Failure(f"{path} answered {answer.status}")
    return statistics.median(times) * 1000
