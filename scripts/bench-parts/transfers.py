"""Exports and imports of many rows, and what goes on beside them."""

import contextlib
import http.client
import shutil
import threading
import time

from servers import HOST, Failure
from streams import page_latency


def download(port, path, file):
    """Writes what a GET answers into a file; in seconds."""
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
    """Sends a file; in seconds to the answer."""
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
    """Small writes, one after another, and pages, on threads of their own."""

    def __init__(self, port, list_id):
        self.port = port
        self.list_id = list_id
        self.slowest = 0
        self.writes = 0
        self.page = None
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=work) for work in (self.write, self.read)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    def write(self):
        """Keeps the time of the slowest write."""
        path = f"/v1/lists/{self.list_id}/items"
        with contextlib.closing(http.client.HTTPConnection(HOST, self.port, timeout=60)) as link:
            while not self.is_over.is_set():
                begin = time.monotonic()
                link.request("POST", path, '{"name":"x"}', {"Content-Type": "application/json"})
                answer = link.getresponse()
                answer.read()
                if answer.status == 201:
                    self.writes += 1
                self.slowest = max(self.slowest, time.monotonic() - begin)
                time.sleep(0.02)

    def read(self):
        """Takes the median of pages, as often as there is time for."""
        while not self.is_over.is_set():
            median = page_latency(self.port, "/v1/lists/root/rows", 200)
            self.page = median if self.page is None else max(self.page, median)
