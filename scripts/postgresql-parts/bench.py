"""Measures Rowhouse on a PostgreSQL server beside the least that the same server needs for the same work.

   bench.py PROGRAM [SECONDS]

The floor is measured by pgbench: an INSERT of one row into a table with one index in a transaction of its own, and a SELECT of
50 rows by an index. Writes are durable: the server is in TMPDIR, or in /var/tmp, which must be on a disk.
"""

import concurrent.futures
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(SCRIPTS, "bench-parts"))

from database import Database  # noqa: E402
from load import run_wrk  # noqa: E402
from served import Process, call  # noqa: E402
from servers import Failure  # noqa: E402

CLIENTS = 64
INVENTORIES = 16
SHORT, LONG = 100, 1_000_000
FLOOR = """
CREATE TABLE floor (id bigserial PRIMARY KEY, list bigint, place bigint, name text);
CREATE INDEX floor_place ON floor (list, place);
INSERT INTO floor (list, place, name) SELECT n / 1000, n % 1000, 'Fluffy spork' FROM generate_series(0, 99999) n;
"""
INSERT = "INSERT INTO floor (list, place, name) VALUES (7, 1000, 'Fluffy spork');"
PAGE = "SELECT * FROM floor WHERE list = 7 ORDER BY list, place LIMIT 50;"


class Bench:
    def __init__(self, program, seconds, folder):
        self.program, self.seconds, self.folder = program, seconds, folder
        self.database = Database(folder, max_connections=300, shared_buffers="256MB").make().start()

    def floor(self, name, text, clients):
        """Transactions a second and the mean latency in milliseconds, with statements that are prepared once."""
        path = os.path.join(self.folder, f"{name}.sql")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        run = subprocess.run(
            [f"{self.database.bin}/pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", str(min(2, clients)), "-T",
             str(self.seconds), "-f", path, self.database.address("floor")], capture_output=True, text=True, check=True)
        return (float(re.search(r"tps = ([\d.]+)", run.stdout)[1]),
                float(re.search(r"latency average = ([\d.]+)", run.stdout)[1]))

    @contextlib.contextmanager
    def serve(self, count=1):
        processes = [Process(self.program, self.database.address("house"), "--log-format", "none") for _ in range(count)]
        try:
            yield [process.url for process in processes]
        finally:
            for process in processes:
                process.stop()

    def load(self, url, words, clients):
        figures = run_wrk(int(url.rpartition(":")[2]), words, clients, self.seconds)
        if figures["refused"] or figures["broken"]:
            raise Failure(f"{words}: {figures}")
        return figures["requests"] / figures["microseconds"] * 1e6, figures["p50"] / 1000

    def run(self):
        self.database.sql("CREATE DATABASE floor")
        self.database.sql("CREATE DATABASE house")
        self.database.sql(FLOOR, "floor")
        insert, page = self.floor("insert", INSERT, CLIENTS)[0], self.floor("page", PAGE, 1)[1]
        alone = self.floor("insert", INSERT, 1)[0]
        print(f"floor: {insert:,.0f} inserts a second by {CLIENTS} clients, {alone:,.0f} by one; a page takes {page:.2f} ms")
        file = os.path.join(self.folder, "seed.sqlite")
        found = subprocess.run([self.program, "seed", "--db", file, "--rows", str(LONG)],
                               capture_output=True, text=True, check=True).stdout
        subprocess.run([self.program, "copy", file, self.database.address("house")], capture_output=True, check=True)
        self.database.sql("VACUUM ANALYZE", "house")
        long = re.search(r"rows: ([0-9a-f-]{36})", found)[1]
        with self.serve() as (url,):
            inventories = [call(f"{url}/v1/inventories", "POST", {"title": f"House {number}"})["id"]
                           for number in range(INVENTORIES)]
            short = self.list_of(url, SHORT)
            self.wait_for_index()
            words = ["insert", "/v1/lists/root/items", *inventories]
            rate = self.load(url, words[:3], 1)[0]
            self.say("inserts a second by one client", rate, f"{rate / alone:.2f} x the floor's")
            rate = self.load(url, words, CLIENTS)[0]
            self.say(f"inserts a second by {CLIENTS} clients, into {INVENTORIES} inventories", rate,
                     f"{rate / insert:.2f} x the floor's (aim: 0.5)")
            rate = self.load(url, words[:3], CLIENTS)[0]
            self.say(f"inserts a second by {CLIENTS} clients, into one inventory", rate,
                     f"{rate / insert:.2f} x the floor's (aim: 0.5)")
            for name, read in {
                "of the first 50 rows": ["get", f"/v1/lists/{long}/rows?limit=50"],
                "of 50 rows at random offsets": ["pages", f"/v1/lists/{long}/rows?limit=50&offset=", LONG],
            }.items():
                latency = self.load(url, read, 1)[1]
                self.say(f"page {name}, p50, in ms", latency, f"{latency / page:.2f} x the floor's (aim: 3)")
            moves = [self.load(url, ["move", f"/v1/lists/{one}/move-row", rows], 1)[1]
                     for one, rows in ((short, SHORT), (long, LONG))]
            self.say(f"move in {SHORT} rows, p50, in ms", moves[0], "")
            self.say(f"move in {LONG:,} rows, p50, in ms", moves[1], f"{moves[1] / moves[0]:.2f} x that in {SHORT} (aim: 2)")
        rates = []
        for count in (1, 2, 3):
            with self.serve(count) as urls:
                rates.append(self.together(urls, words))
            self.say(f"inserts a second by {CLIENTS} clients of {count} process{'es'[:count * 2 - 2]}", rates[-1],
                     f"{rates[-1] / rates[0]:.2f} x that of one" if count > 1 else "")

    def wait_for_index(self):
        """The words of copied rows are indexed once the program runs. Then the tables are tidied up, as on a server that has
        run for long."""
        while self.database.sql("SELECT count(*) FROM search_backlog", "house") != "0":
            time.sleep(0.5)
        self.database.sql("VACUUM ANALYZE", "house")

    def together(self, urls, words):
        """Inserts a second of clients that are spread over processes."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return sum(pool.map(lambda url: self.load(url, words, CLIENTS // len(urls))[0], urls))

    def list_of(self, url, rows):
        made = call(f"{url}/v1/lists", "POST", {"title": "Short"})["id"]
        call(f"{url}/v1/lists/{made}/batch", "POST",
             {"inserts": [{"index": index, "item": {"name": "Row"}} for index in range(rows)]})
        return made

    @staticmethod
    def say(name, value, remark):
        print(f"{name:60} {value:10,.2f}  {remark}", flush=True)


def main(program, seconds="5"):
    disk = os.environ.get("TMPDIR", "/var/tmp")
    with tempfile.TemporaryDirectory(prefix="rowhouse-bench-", dir=disk) as folder:
        bench = Bench(program, int(seconds), folder)
        try:
            bench.run()
        finally:
            bench.database.stop()


main(*sys.argv[1:])
