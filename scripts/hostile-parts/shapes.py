"""The requests of the attackers: parts of the fuzzers' corpus and mutations, and shapes of known attacks."""

import os

MARK = "Smuggled"


class Shapes:
    """Makes requests from random numbers. `token` may only change the attacked list."""

    def __init__(self, corpus, token, list_id, random):
        self.corpus = {
            folder: [read(os.path.join(corpus, folder, name))
                     for name in sorted(os.listdir(os.path.join(corpus, folder)))]
            for folder in ("requests", "chunks", "json")}
        self.token = token
        self.list_id = list_id
        self.random = random

    def mutated(self, data):
        """Changes, removes, repeats or inserts a few bytes."""
        data = bytearray(data)
        for _ in range(self.random.randrange(1, 6)):
            at = self.random.randrange(len(data) + 1)
            length = self.random.randrange(1, 9)
            match self.random.randrange(4):
                case 0:
                    data[at:at + length] = self.random.randbytes(length)
                case 1:
                    del data[at:at + length]
                case 2:
                    data[at:at] = data[at:at + length] * self.random.randrange(1, 40)
                case _:
                    data[at:at] = self.random.choice(
                        [b"\r\n", b"\n", b"\0", b": ", b" ", b"\xff", b"Content-Length: 5\r\n",
                         b"Transfer-Encoding: chunked\r\n", b"%00", b"-1", b"99999999999999999999"])
        return bytes(data)

    def malformed(self):
        """A request of the corpus, unchanged or mutated, or chunks after a valid head."""
        if self.random.random() < 0.3:
            head = self.head("POST", f"/v1/lists/{self.list_id}/items",
                             "Content-Type: application/json", "Transfer-Encoding: chunked")
            return head + self.mutated(self.random.choice(self.corpus["chunks"]))
        data = self.random.choice(self.corpus["requests"])
        return data if self.random.random() < 0.2 else self.mutated(data)

    def head(self, method, path, *fields, token=None):
        """A valid head."""
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost",
                 f"Authorization: Bearer {token or self.token}", *fields, "", ""]
        return "\r\n".join(lines).encode()

    def smuggled(self):
        """Two lengths for one body that hides a creation."""
        path = f"/v1/lists/{self.list_id}/items"
        inner_body = b'{"name":"%s"}' % MARK.encode()
        inner = self.head("POST", path, "Content-Type: application/json",
                          f"Content-Length: {len(inner_body)}") + inner_body
        chunk = b"0\r\n\r\n" + inner
        kind = "Content-Type: application/json"
        fields = self.random.choice([
            [f"Content-Length: {len(chunk)}", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: chunked", f"Content-Length: {len(chunk)}"],
            ["Content-Length: 5", f"Content-Length: {len(chunk)}"],
            [f"Content-Length: 5, {len(chunk)}"],
            ["Transfer-Encoding: chunked, identity"],
            ["Transfer-Encoding: xchunked"],
            ["Transfer-Encoding : chunked"],
            ["Transfer-Encoding: chunked", "Transfer-Encoding: x"],
            ["Transfer-Encoding:\x0bchunked"],
            ["X: y\r\n Transfer-Encoding: chunked"],
            ["Content-Length: +5"],
            ["Content-Length: 0x5"],
            ["X: y\nContent-Length: 5"],
        ])
        return self.head("POST", path, kind, *fields) + chunk

    def bad_token(self):
        """An invalid token: made up, nearly right, empty, long."""
        match self.random.randrange(5):
            case 0:
                token = f"rh_{self.random.randbytes(6).hex()}_{self.random.randbytes(32).hex()}"
            case 1:
                at = self.random.randrange(3, len(self.token))
                other = "a" if self.token[at] != "a" else "b"
                token = self.token[:at] + other + self.token[at + 1:]
            case 2:
                token = self.token[:-1]
            case 3:
                token = "x" * self.random.choice([1, 100, 8_000])
            case _:
                token = self.random.randbytes(30).hex() + "é"
        return self.head("GET", f"/v1/lists/{self.list_id}", token=token)

    def bad_json(self):
        """A body that is not JSON, or cannot be created."""
        body = self.random.choice([
            lambda: self.mutated(self.random.choice(self.corpus["json"])),
            lambda: b"[" * 20_000,
            lambda: b'{"name":' * 60 + b"1" + b"}" * 60,
            lambda: b'{"nme":"%s"}' % (b"x" * self.random.randrange(50_000)),
            lambda: self.random.randbytes(1_000),
        ])()
        path = self.random.choice(["items", "move-row", "batch", "reorder", "move-rows"])
        return self.head("POST", f"/v1/lists/{self.list_id}/{path}",
                         "Content-Type: application/json", f"Content-Length: {len(body)}") + body

    def giant(self):
        """A head, or the announcement of a body, beyond every limit."""
        return self.random.choice([
            lambda: b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
            lambda: self.head("GET", "/healthz", "X: " + "y" * 60_000),
            lambda: self.head("GET", "/healthz", *[f"X-{n}: y" for n in range(500)]),
            lambda: self.head("POST", f"/v1/lists/{self.list_id}/items",
                              "Content-Type: application/json", "Content-Length: 4000000000"),
            lambda: self.head("POST", f"/v1/lists/{self.list_id}/items",
                              f"Content-Length: {'9' * 30}"),
        ])()


def read(path):
    """A file's bytes."""
    with open(path, "rb") as file:
        return file.read()
