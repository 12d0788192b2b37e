"""Kills of processes and of PostgreSQL, and cut connections, under load: no answered write may be lost or done twice.

   faults.py PROGRAM ROUNDS [SEED]
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

from database import Database

PROCESSES = 3
CLIENTS = 6


class Process:
    """A Rowhouse process. Each start takes another port."""

    def __init__(self, program, address):
        self.program, self.database = program, address
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", "127.0.0.1:0", "--print-url", "--log-level", "error"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={**os.environ, "ROWHOUSE_DB": self.database}, text=True)
        self.url = self.process.stdout.readline().strip()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


def call(url, method="GET", body=None, key=None, timeout=30):
    headers = {"Content-Type": "application/json", **({"Idempotency-Key": key} if key else {})}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=timeout) as response:
        return json.load(response)


class Client(threading.Thread):
    """Adds things, each with a key of its own, to whatever process it finds, until each is answered."""

    def __init__(self, processes, lists, seed, ended):
        super().__init__(daemon=True)
        self.processes, self.lists, self.random, self.ended = processes, lists, random.Random(seed), ended
        self.answered, self.wrong, self.longest = [], [], 0

    def run(self):
        number = 0
        while not self.ended.is_set():
            number += 1
            name, key = f"{self.name} {number}", str(uuid.uuid4())
            target, begin = self.random.choice(self.lists), time.monotonic()
            while True:
                process = self.random.choice(self.processes)
                try:
                    answer = call(f"{process.url}/v1/lists/{target}/items", "POST", {"name": name}, key)
                    self.answered.append((name, answer["id"]))
                    break
                except urllib.error.HTTPError as error:
                    if error.code not in (503, 500, 429):
                        self.wrong.append((name, error.code, error.read()[:300]))
                        break
                except (OSError, ValueError):
                    pass
                time.sleep(0.02)
            self.longest = max(self.longest, time.monotonic() - begin)


def main(program, rounds, seed):
    chance = random.Random(seed)
    database = Database(synchronous_commit="on").make().start()
    database.sql("CREATE DATABASE house")
    address = database.address("house")
    processes = [Process(program, address) for _ in range(PROCESSES)]
    ended = threading.Event()
    try:
        lists = [call(f"{processes[0].url}/v1/lists", "POST", {"title": f"List {n}"})["id"] for n in range(4)]
        clients = [Client(processes, lists, seed * 100 + n, ended) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        counts = {"a process killed": 0, "PostgreSQL killed": 0, "connections cut": 0, "a process paused": 0}
        for _ in range(rounds):
            time.sleep(chance.uniform(0.1, 0.8))
            what = chance.choices(list(counts), [4, 1, 4, 1])[0]
            counts[what] += 1
            if what == "a process killed":
                one = chance.choice(processes)
                one.kill()
                one.start()
            elif what == "PostgreSQL killed":
                database.kill()
                database.start()
            elif what == "connections cut":
                try:
                    database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                                 "WHERE pid <> pg_backend_pid() AND datname = 'house' AND random() < 0.5")
                except subprocess.CalledProcessError:
                    pass
            else:
                one = chance.choice(processes)
                one.process.send_signal(signal.SIGSTOP)
                time.sleep(chance.uniform(0.5, 3))
                one.process.send_signal(signal.SIGCONT)
        time.sleep(1)
        ended.set()
        for client in clients:
            client.join(60)
        answered = [one for client in clients for one in client.answered]
        wrong = [one for client in clients for one in client.wrong]
        found = {}
        with urllib.request.urlopen(f"{processes[0].url}/v1/export", timeout=60) as response:
            for line in response:
                record = json.loads(line)
                if record.get("name"):
                    found.setdefault(record["name"], []).append(record["id"])
        lost = [name for name, given in answered if given not in found.get(name, [])]
        doubled = [name for name, ids in found.items() if len(ids) > 1]
        check = subprocess.run([program, "check", "--db", address], capture_output=True, text=True)
        print(", ".join(f"{what} {count} times" for what, count in counts.items()))
        print(f"{len(answered)} answered writes: {len(lost)} lost, {len(doubled)} done twice, {len(wrong)} with a wrong answer; "
              f"the longest took {max(client.longest for client in clients):.1f} s with its repetitions")
        print(check.stdout.strip(), check.stderr.strip())
        for name in (lost + doubled)[:5] + wrong[:5]:
            print("  ", name)
        codes = [process.stop() for process in processes]
        print(f"the processes ended with {codes}")
        return 1 if lost or doubled or wrong or check.returncode or any(codes) else 0
    finally:
        for process in processes:
            if process.process.poll() is None:
                process.kill()
        database.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1))
