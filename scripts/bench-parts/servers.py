"""The measured servers. Each is a process of its own, on a free port of loopback."""

import contextlib
import http.client
import os
import pwd
import re
import signal
import socket
import subprocess
import time

HOST = "127.0.0.1"
TICKS = os.sysconf("SC_CLK_TCK")


class Failure(Exception):
    """The reason why a figure cannot be measured, in one sentence."""


def free_port():
    """A free port."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def ask(port, method, path, body=None, headers=None, expected=200):
    """Sends a request on a new connection. Returns (header fields, body).

    Raises Failure if the status is not the expected one.
    """
    connection = http.client.HTTPConnection(HOST, port, timeout=120)
    fields = dict(headers or {})
    if body is not None:
        fields["Content-Type"] = "application/json"
    try:
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        content = answer.read()
    finally:
        connection.close()
    if answer.status != expected:
        raise Failure(f"{method} {path} answered {answer.status}: {content[:300]!r}")
    return answer.headers, content


class Server:
    """A running server process. The context manager ends it by its pid."""

    def __init__(self, command, log, path, port=None):
        self.port = port or free_port()
        self.log = log
        begin = time.monotonic()
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                self.command_line(command), stdin=subprocess.DEVNULL, stdout=output,
                stderr=output)
        self.pid = self.process.pid
        try:
            self._wait_for_200(path)
        except BaseException:
            self.stop()
            raise
        self.start_milliseconds = (time.monotonic() - begin) * 1000

    def command_line(self, command):
        """The whole command, including the port."""
        return [word.replace("PORT", str(self.port)) for word in command]

    def _wait_for_200(self, path):
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            with contextlib.suppress(OSError), socket.create_connection((HOST, self.port)) as own:
                own.sendall(request)
                if own.recv(64).startswith(b"HTTP/1.1 200"):
                    return
            time.sleep(0.0005)
        with open(self.log, encoding="utf-8", errors="replace") as text:
            raise Failure(f"{type(self).__name__} did not start: {text.read()[-500:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Asks the process to end, and kills it after half a minute."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def processes(self):
        """The pids of the server: the process and its children."""
        with open(f"/proc/{self.pid}/task/{self.pid}/children", encoding="ascii") as children:
            return [self.pid, *map(int, children.read().split())]

    def cpu_seconds(self):
        """User and system time so far of all its processes and threads."""
        ticks = 0
        for pid in self.processes():
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
                fields = stat.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICKS

    def resident_megabytes(self):
        """The memory of all its processes. Shared pages count in each."""
        total = 0
        for pid in self.processes():
            with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as status:
                total += int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1])
        return total / 1024

    @contextlib.contextmanager
    def added_memory(self):
        """A list that receives, at the end, the greatest growth of a process in MiB."""
        added = []
        before = self.resident_megabytes()
        with open(f"/proc/{self.pid}/clear_refs", "w", encoding="ascii") as peak:
            # 5 resets the peak (proc(5)).
            peak.write("5")
        yield added
        with open(f"/proc/{self.pid}/status", encoding="utf-8", errors="replace") as status:
            peak = int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) / 1024
        added.append(max(0, peak - before))

    def written_bytes(self):
        """The bytes that it has written to the disk so far."""
        with open(f"/proc/{self.pid}/io", encoding="ascii") as counters:
            return int(re.search(r"^write_bytes: (\d+)", counters.read(), re.MULTILINE)[1])


class Rowhouse(Server):
    """`rowhouse serve` on a database."""

    def __init__(self, binary, folder, database, loops, connections=10_000):
        super().__init__(
            [binary, "serve", "--db", database, "--listen", f"{HOST}:PORT", "--loops", str(loops),
             "--connections", str(connections), "--log-format", "none"],
            os.path.join(folder, "rowhouse.log"), "/healthz")


class Nginx(Server):
    """nginx with its own configuration: a fixed answer, and files."""

    CONFIGURATION = """
daemon off;
worker_processes {workers};
{user}
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  default_type application/json;
  client_body_temp_path {folder}/nginx-body;
  proxy_temp_path {folder}/nginx-proxy;
  fastcgi_temp_path {folder}/nginx-fastcgi;
  uwsgi_temp_path {folder}/nginx-uwsgi;
  scgi_temp_path {folder}/nginx-scgi;
  server {{
    listen {host}:{port};
    root {folder}/files;
    location = /healthz {{ return 200 '{body}'; }}
  }}
}}
"""

    def __init__(self, folder, workers, body):
        self.folder = folder
        self.workers = workers
        self.body = body
        os.makedirs(os.path.join(folder, "files"), exist_ok=True)
        super().__init__(
            ["nginx", "-c", os.path.join(folder, "nginx.conf"), "-p", folder,
             "-e", os.path.join(folder, "nginx.log")],
            os.path.join(folder, "nginx.log"), "/healthz")

    def command_line(self, command):
        user = f"user {pwd.getpwuid(0).pw_name};" if os.getuid() == 0 else ""
        with open(os.path.join(self.folder, "nginx.conf"), "w", encoding="ascii") as text:
            text.write(self.CONFIGURATION.format(
                workers=self.workers, user=user, folder=self.folder, host=HOST, port=self.port,
                body=self.body))
        return command

    def offer(self, name, content):
        """Stores these bytes in a file of that name. Returns its entity tag."""
        with open(os.path.join(self.folder, "files", name), "wb") as file:
            file.write(content)
        return ask(self.port, "GET", "/" + name)[0]["ETag"]
