"""Exports and imports of many rows, and other requests meanwhile."""

import contextlib
import http.client
import multiprocessing
import shutil
import statistics
import time

from servers import HOST, Failure


def download(port, path, file):
    """Writes the answer to a GET into a file. Returns the seconds."""
    begin = time.monotonic()
    with contextlib.closing(http.client.HTTPConnection(HOST, port, timeout=600)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        with open(file, "wb") as output:
            shutil.copyfileobj(answer, output, 1 << 18)
        if answer.status != 200:
            raise Failure(f"{path} answered {answer.status}")
    return time.monotonic() - begin


def upload(port, path, file, kind):
    """Sends a file. Returns the seconds until the answer."""
    begin = time.monotonic()
    with contextlib.closing(http.client.HTTPConnection(HOST, port, timeout=600)) as connection:
        with open(file, "rb") as body:
            connection.request("POST", path, body, {"Content-Type": kind})
            answer = connection.getresponse()
            content = answer.read()
        if answer.status != 200:
            raise Failure(f"{path} answered {answer.status}: {content[:300]}")
    return time.monotonic() - begin


class Beside:
    """Small writes and pages, one after another, each kind from its own process. Threads would wait for
    the interpreter while a file is sent."""

    def __init__(self, port, list_id):
        self.is_over = multiprocessing.Event()
        self.told = multiprocessing.Queue()
        self.processes = [
            multiprocessing.Process(target=work, args=(port, list_id, self.is_over, self.told))
            for work in (write, read)]

    def __enter__(self):
        for process in self.processes:
            process.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        figures = {}
        for _ in self.processes:
            figures.update(self.told.get(timeout=120))
        for process in self.processes:
            process.join()
        self.slowest = figures["slowest"]
        self.p50, self.p99 = figures["p50"], figures["p99"]


def write(port, list_id, is_over, told):
    """Sends the time of the slowest write, in seconds."""
    path, slowest = f"/v1/lists/{list_id}/items", 0
    with contextlib.closing(http.client.HTTPConnection(HOST, port, timeout=60)) as link:
        while not is_over.is_set():
            begin = time.monotonic()
            link.request("POST", path, '{"name":"x"}', {"Content-Type": "application/json"})
            answer = link.getresponse()
            answer.read()
            if answer.status != 201:
                raise Failure(f"{path} answered {answer.status}")
            slowest = max(slowest, time.monotonic() - begin)
            time.sleep(0.02)
    told.put({"slowest": slowest})


def read(port, list_id, is_over, told):
    """Sends the median and the 99th percentile of the times of pages, in milliseconds."""
    path, times = f"/v1/lists/{list_id}/rows", []
    with contextlib.closing(http.client.HTTPConnection(HOST, port, timeout=60)) as link:
        while not is_over.is_set():
            begin = time.monotonic()
            link.request("GET", path)
            answer = link.getresponse()
            answer.read()
            times.append((time.monotonic() - begin) * 1000)
            if answer.status != 200:
                raise Failure(f"{path} answered {answer.status}")
    told.put({"p50": statistics.median(times), "p99": statistics.quantiles(times, n=100)[-1]})


def keep_busy(is_over):
    """Computes without any request, like another program on the machine."""
    while not is_over.is_set():
        sum(range(10_000))


@contextlib.contextmanager
def another_program():
    """A process that uses one core."""
    is_over = multiprocessing.Event()
    process = multiprocessing.Process(target=keep_busy, args=(is_over,))
    process.start()
    try:
        yield
    finally:
        is_over.set()
        process.join()
