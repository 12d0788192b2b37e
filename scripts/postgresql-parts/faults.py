"""Faults of three processes and of their PostgreSQL servers under load: no answered write may be lost or done twice.

   faults.py PROGRAM COUNT [SEED]

COUNT times each: a process is killed, PostgreSQL is killed and started again, half of the connections are cut. A quarter
as often: the primary is killed and its synchronous standby promoted, and a process is paused. The order is random.
"""

import json
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

from pair import Pair
from served import Process, call

PROCESSES = 3
CLIENTS = 6
# Every process must answer a write again in this time after a promotion.
PROMOTION_TIME = 5


class Client(threading.Thread):
    """Adds things, each with a key of its own, to whatever process it finds, until each is answered."""

    def __init__(self, processes, lists, seed, ended):
        super().__init__(daemon=True)
        self.processes, self.lists, self.random, self.ended = processes, lists, random.Random(seed), ended
        self.answered, self.wrong, self.longest = [], [], 0
        # When each process answered.
        self.times = [[] for _ in processes]

    def run(self):
        number = 0
        while not self.ended.is_set():
            number += 1
            name, key = f"{self.name} {number}", str(uuid.uuid4())
            target, begin = self.random.choice(self.lists), time.monotonic()
            while True:
                choice = self.random.randrange(len(self.processes))
                try:
                    answer = call(f"{self.processes[choice].url}/v1/lists/{target}/items", "POST", {"name": name}, key)
                    self.answered.append((name, answer["id"]))
                    self.times[choice].append(time.monotonic())
                    break
                except urllib.error.HTTPError as error:
                    if error.code not in (503, 500, 429):
                        self.wrong.append((name, error.code, error.read()[:300]))
                        break
                except (OSError, ValueError):
                    pass
                time.sleep(0.02)
            self.longest = max(self.longest, time.monotonic() - begin)


def waits(promotions, clients):
    """For each promotion, how long it took until every process had answered a write."""
    found = []
    for moment in promotions:
        firsts = [min((at for client in clients for at in client.times[number] if at > moment), default=float("inf"))
                  for number in range(PROCESSES)]
        found.append(max(firsts) - moment)
    return found


def main(program, count, seed):
    chance = random.Random(seed)
    pair = Pair(max_connections=300)
    pair.create("house")
    address = pair.address("house")
    processes = [Process(program, address) for _ in range(PROCESSES)]
    ended = threading.Event()
    promotions = []
    try:
        lists = [call(f"{processes[0].url}/v1/lists", "POST", {"title": f"List {n}"})["id"] for n in range(4)]
        clients = [Client(processes, lists, seed * 100 + n, ended) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        counts = {"a process killed": count, "PostgreSQL killed": count, "connections cut": count,
                  "the standby promoted": -(-count // 4), "a process paused": -(-count // 4)}
        faults = [what for what, times in counts.items() for _ in range(times)]
        chance.shuffle(faults)
        for what in faults:
            time.sleep(chance.uniform(0.1, 0.8))
            one = chance.choice(processes)
            if what == "a process killed":
                one.kill()
                one.start()
            elif what == "PostgreSQL killed":
                pair.primary.kill()
                pair.primary.start()
            elif what == "the standby promoted":
                pair.promote()
                promotions.append(time.monotonic())
                pair.attach()
            elif what == "connections cut":
                try:
                    pair.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                             "WHERE pid <> pg_backend_pid() AND datname = 'house' AND random() < 0.5")
                except subprocess.CalledProcessError:
                    pass
            else:
                one.process.send_signal(signal.SIGSTOP)
                time.sleep(chance.uniform(0.5, 3))
                one.process.send_signal(signal.SIGCONT)
        # The last promotion gets its time too.
        time.sleep(PROMOTION_TIME)
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
        longest = max(waits(promotions, clients), default=0)
        check = subprocess.run([program, "check", "--db", address], capture_output=True, text=True)
        print(", ".join(f"{what} {count} times" for what, count in counts.items()))
        print(f"{len(answered)} answered writes: {len(lost)} lost, {len(doubled)} done twice, {len(wrong)} with a wrong answer; "
              f"the longest took {max(client.longest for client in clients):.1f} s with its repetitions")
        print(f"At most {longest:.1f} s after a promotion, each process had answered a write")
        print(check.stdout.strip(), check.stderr.strip())
        for name in (lost + doubled)[:5] + wrong[:5]:
            print("  ", name)
        codes = [process.stop() for process in processes]
        print(f"The processes ended with {codes}")
        return 1 if lost or doubled or wrong or longest > PROMOTION_TIME or check.returncode or any(codes) else 0
    finally:
        for process in processes:
            process.end()
        pair.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1))
