"""One HTTP/1.1 connection with little work for the client, so that most load is the server's."""

import json
import socket
import time

HOST = "127.0.0.1"


class Lost(Exception):
    """The connection ended before the whole answer. The request may have been done or not."""


class Answer:
    """A status, the fields by lower-case names, and the body."""

    def __init__(self, status, head, body):
        self.status = status
        self.head = head
        self.body = body

    def field(self, name):
        """The value of the first field of that name, or None."""
        for line in self.head.split(b"\r\n")[1:]:
            own, _, value = line.partition(b":")
            if own.lower() == name:
                return value.strip().decode("latin-1")
        return None

    def json(self):
        """The body as JSON."""
        return json.loads(self.body)

    def brief(self):
        """A line for a report."""
        return f"{self.status} {self.body[:300]!r}"


def form(method, path, body=None, fields=(), kind="application/json"):
    """A request as bytes. A body that is not bytes is sent as JSON."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *fields]
    content = b""
    if body is not None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines += [f"Content-Type: {kind}", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


class Connection:
    """A connection that opens when it is needed."""

    def __init__(self, port, timeout=60):
        self.port = port
        self.timeout = timeout
        self.fields = ()
        self.socket = None
        self.rest = b""

    def open(self):
        """Connects if needed. Raises Lost if no server listens."""
        if self.socket is None:
            try:
                self.socket = socket.create_connection((HOST, self.port), self.timeout)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError as error:
                self.close()
                raise Lost(str(error)) from error
            self.rest = b""

    def open_within(self, seconds):
        """Connects as soon as a server listens. Raises Lost if none does in time."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.open()
            except Lost:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def close(self):
        """Closes it at once."""
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def send(self, data):
        """Sends all bytes."""
        self.open()
        try:
            self.socket.sendall(data)
        except OSError as error:
            self.close()
            raise Lost(str(error)) from error

    def ask(self, method, path, body=None, fields=(), kind="application/json"):
        """Sends one request and returns its answer. `self.fields` are sent with each."""
        self.send(form(method, path, body, (*self.fields, *fields), kind))
        return self.answer()

    def answer(self, to_head=False):
        """The next final answer. One to HEAD has no body."""
        while True:
            head = self._until(b"\r\n\r\n")
            status = int(head[9:12])
            if status < 200:
                continue
            answer = Answer(status, head, b"")
            length = answer.field(b"content-length")
            if not to_head and status not in (204, 304):
                if length is not None:
                    answer.body = self._exactly(int(length))
                elif answer.field(b"transfer-encoding"):
                    answer.body = self._chunks()
            if (answer.field(b"connection") or "").lower() == "close":
                self.close()
            return answer

    def _receive(self):
        try:
            piece = self.socket.recv(1 << 18)
        except OSError as error:
            self.close()
            raise Lost(str(error)) from error
        if not piece:
            self.close()
            raise Lost("the server closed the connection")
        return piece

    def _until(self, mark):
        data = self.rest
        while (end := data.find(mark)) < 0:
            data += self._receive()
        end += len(mark)
        self.rest = data[end:]
        return data[:end]

    def _exactly(self, count):
        if len(self.rest) < count:
            pieces = [self.rest]
            missing = count - len(self.rest)
            while missing > 0:
                pieces.append(self._receive())
                missing -= len(pieces[-1])
            self.rest = b"".join(pieces)
        body, self.rest = self.rest[:count], self.rest[count:]
        return body

    def _chunks(self):
        pieces = []
        while size := int(self._until(b"\r\n").split(b";")[0], 16):
            pieces.append(self._exactly(size + 2)[:-2])
        while self._until(b"\r\n") != b"\r\n":
            pass
        return b"".join(pieces)
