"""A server that is killed and restarted on the same port, and its measurements."""

import os
import signal
import subprocess
import threading
import time

from servers import HOST, Server

SAMPLE_SECONDS = 0.25


class Served(Server):
    """`rowhouse serve` with a log file, on a given port."""

    def __init__(self, binary, folder, database, port=None, options=()):
        self.database = database
        self.access_log = os.path.join(folder, "access.log")
        super().__init__(
            [binary, "serve", "--db", database, "--listen", f"{HOST}:PORT", "--log",
             self.access_log, "--spool", folder, *options],
            os.path.join(folder, "rowhouse.log"), "/healthz", port)

    def descriptors(self):
        """The number of open descriptors."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def kill(self):
        """Ends the process like a power cut."""
        self.process.kill()
        self.process.wait()

    def turn_log(self):
        """Renames the log and has it reopened. Returns whether that took only a few seconds."""
        os.replace(self.access_log, self.access_log + ".old")
        self.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + 10
        while not os.path.exists(self.access_log):
            if time.monotonic() > deadline or self.process.poll() is not None:
                return False
            time.sleep(0.01)
        os.unlink(self.access_log + ".old")
        return True


def check(binary, database):
    """The findings of `rowhouse check` for a stopped database; None if there are none."""
    run = subprocess.run(
        [binary, "check", "--db", database], capture_output=True, text=True, check=False)
    return None if run.returncode == 0 else f"{run.returncode}: {run.stdout}{run.stderr}"[-500:]


class Samples(threading.Thread):
    """Measures a server's memory, WAL and open descriptors a few times a second."""

    def __init__(self):
        super().__init__(daemon=True)
        self.server = None
        self.life = 0
        self.taken = []
        self.is_over = threading.Event()

    def watch(self, server):
        """Measures this server from now on."""
        self.life += 1
        self.server = server

    def pause(self):
        """Notes that no server is running."""
        self.server = None

    def run(self):
        while not self.is_over.wait(SAMPLE_SECONDS):
            server = self.server
            if server is None:
                continue
            try:
                self.taken.append({
                    "life": self.life, "time": time.monotonic(),
                    "memory": server.resident_megabytes(),
                    "descriptors": server.descriptors(),
                    "wal": size(server.database + "-wal"), "database": size(server.database)})
            except (OSError, TypeError):
                # The server has just been killed.
                continue

    def last_life(self):
        """The samples of the present life."""
        return [one for one in self.taken if one["life"] == self.life]


def size(path):
    """A file's size in MiB; 0 if it is missing."""
    try:
        return os.path.getsize(path) / 2**20
    except FileNotFoundError:
        return 0.0


def growth(samples, name):
    """The rise of a straight line through the samples, from the first to the last."""
    times = [one["time"] for one in samples]
    values = [one[name] for one in samples]
    mean_time, mean = sum(times) / len(times), sum(values) / len(values)
    spread = sum((when - mean_time) ** 2 for when in times)
    if not spread:
        return 0.0
    slope = sum((when - mean_time) * (value - mean) for when, value in zip(times, values)) / spread
    return slope * (times[-1] - times[0])


def failure_of(server):
    """How a process ended unexpectedly; None while it runs."""
    code = server.process.poll()
    if code is None:
        return None
    with open(server.log, encoding="utf-8", errors="replace") as text:
        return f"the server ended by itself with {code}: {text.read()[-400:]}"
