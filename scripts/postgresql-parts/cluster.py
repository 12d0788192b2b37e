"""Three Rowhouse processes behind haproxy, on a primary PostgreSQL server with a synchronous standby.

   cluster.py PROGRAM PORT [--pooler]

If the primary ends, the standby is promoted and a new standby is made: a real cluster has a manager for that.
"""

import os
import signal
import subprocess
import sys
import time

from pair import Pair
from pooler import Pooler

PROCESSES = 3
# A process that does not answer /readyz gets no requests. Streams of events last as long as their clients want.
PROXY = """
defaults
  mode http
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  option redispatch
  retry-on conn-failure
frontend all
  bind 127.0.0.1:{port}
  default_backend rowhouse
backend rowhouse
  balance random
  option httpchk
  http-check send meth GET uri /readyz hdr Host 127.0.0.1
  default-server check inter 500ms fall 2 rise 1
"""

class Cluster:
    def __init__(self, program, port, is_pooled):
        self.program, self.port, self.is_pooled = program, port, is_pooled
        self.started = []
        self.pair = Pair(max_connections=300)
        self.folder = self.pair.primary.folder

    def start(self):
        self.pair.create("rowhouse")
        environment = {**os.environ, "ROWHOUSE_DB": self.pair.address("rowhouse")}
        if self.is_pooled:
            self.pooler = Pooler(self.pair.primary, "rowhouse")
            environment["ROWHOUSE_DB"] = self.pooler.address
            environment["ROWHOUSE_DB_PREPARE"] = "off"
        proxy = PROXY.format(port=self.port)
        for number in range(PROCESSES):
            process = self.begin(
                [self.program, "serve", "--listen", "127.0.0.1:0", "--print-url", "--log", f"{self.folder}/rowhouse-{number}.log"],
                env=environment, stdout=subprocess.PIPE, text=True)
            url = process.stdout.readline().strip()
            proxy += f"  server rowhouse-{number} {url.removeprefix('http://')}\n"
            print(f"Process {process.pid} listens on {url}")
        with open(f"{self.folder}/haproxy.cfg", "w") as file:
            file.write(proxy)
        self.begin(["haproxy", "-f", f"{self.folder}/haproxy.cfg", "-db", "-q"])
        print(f"The logs are in {self.folder}. Look into the database with:")
        print(f"  psql '{self.pair.address('rowhouse')}'")
        self.print_servers()
        print(f"Listening on http://127.0.0.1:{self.port}. Ctrl-C ends everything.")
        print(f"Try: curl -s http://127.0.0.1:{self.port}/v1/lists/root/rows", flush=True)

    def begin(self, command, **options):
        process = subprocess.Popen(command, **options)
        self.started.append(process)
        return process

    def print_servers(self):
        print(f"The primary is process {self.pair.primary.process.pid}, the standby process "
              f"{self.pair.standby.process.pid}", flush=True)

    def watch(self):
        """Replaces servers that have ended."""
        while True:
            time.sleep(0.2)
            if self.pair.primary.process.poll() is not None:
                self.pair.promote()
                if self.is_pooled:
                    self.pooler.follow(self.pair.primary)
                print("The standby was promoted.")
            elif self.pair.standby.process.poll() is None:
                continue
            self.pair.attach()
            self.print_servers()

    def end(self):
        for process in self.started:
            process.terminate()
        for process in self.started:
            process.wait(30)
        if self.is_pooled:
            self.pooler.stop()
        self.pair.remove()


def main(program, port, *options):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    cluster = Cluster(program, int(port), "--pooler" in options)
    try:
        cluster.start()
        cluster.watch()
    except KeyboardInterrupt:
        print()
    finally:
        cluster.end()


main(*sys.argv[1:])
