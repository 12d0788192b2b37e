"""Three Rowhouse processes on one PostgreSQL database, behind haproxy.

   cluster.py PROGRAM PORT
"""

import os
import signal
import subprocess
import sys
import time

from database import Database

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


def main(program, port):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    database = Database().make().start()
    started = []
    try:
        database.sql("CREATE DATABASE rowhouse")
        environment = {**os.environ, "ROWHOUSE_DB": database.address("rowhouse")}
        proxy = PROXY.format(port=port)
        for number in range(PROCESSES):
            process = subprocess.Popen(
                [program, "serve", "--listen", "127.0.0.1:0", "--print-url", "--log", f"{database.folder}/rowhouse-{number}.log"],
                env=environment, stdout=subprocess.PIPE, text=True)
            started.append(process)
            url = process.stdout.readline().strip()
            proxy += f"  server rowhouse-{number} {url.removeprefix('http://')}\n"
            print(f"Process {process.pid} listens on {url}")
        with open(f"{database.folder}/haproxy.cfg", "w") as file:
            file.write(proxy)
        started.append(subprocess.Popen(["haproxy", "-f", f"{database.folder}/haproxy.cfg", "-db", "-q"]))
        print(f"PostgreSQL (process {database.process.pid}) is in {database.folder}. Look into it with:")
        print(f"  psql '{database.address('rowhouse')}'")
        print(f"Listening on http://127.0.0.1:{port}. Ctrl-C ends everything.")
        print(f"Try: curl -s http://127.0.0.1:{port}/v1/lists/root/rows", flush=True)
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        print()
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(30)
        database.remove()


main(sys.argv[1], int(sys.argv[2]))
