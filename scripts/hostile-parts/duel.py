"""One kind of expensive call at a time, beside eight normal clients."""

import json
import multiprocessing
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time

from dear import CALLS
from ordinary import ATTACKED, CLIENTS, END, PAUSE, QUIET, Ordinary
from rules import say
from served import Served, check
from servers import Failure, ask
from tally import Tally, print_table
from wire import Connection, Lost

# The greatest ratio of the normal clients' p99 during an attack to that without one.
SLOWER = 3
# The seconds within which a server must end, whatever it is doing.
END_SECONDS = 10


class Owner:
    """The attacker's means before the attack: an owner's token and a list of its own."""

    def __init__(self, port, token):
        self.port = port
        self.fields = [f"Authorization: Bearer {token}"]
        self.link = Connection(port, 300)
        self.link.fields = self.fields
        rows = self.ask("GET", "/v1/lists/root/rows")["rows"]
        self.root = self.ask("GET", "/v1/lists/root")["id"]
        self.long = rows[0]["id"]
        self.attacked = self.ask("POST", "/v1/lists", {"title": "Attacked"}, 201)["id"]
        self.ask("POST", f"/v1/lists/{self.attacked}/items", {"name": "First"}, 201)
        self.ask("POST", f"/v1/lists/{self.attacked}/items", {"name": "Second"}, 201)

    def ask(self, method, path, body=None, expected=200):
        """Sends one request. Returns its answer as JSON."""
        answer = self.link.ask(method, path, body)
        if answer.status != expected:
            raise Failure(f"{method} {path} answered {answer.brief()}")
        return answer.json()

    def send(self, request):
        """Sends one request as bytes, which must succeed."""
        self.link.send(request)
        answer = self.link.answer()
        if answer.status not in (200, 201):
            raise Failure(f"preparing was answered {answer.brief()}")


class Attacker:
    """The process that sends one kind of call on a few connections.

    It only gets processor time that nobody else wants, as if it were on another machine.
    """

    def __init__(self, port, call, requests):
        self.port = port
        self.call = call
        self.requests = requests
        self.tally = Tally()
        self.lock = threading.Lock()

    def run(self, phase, results):
        """Attacks until the end, then reports the tally."""
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        threads = [threading.Thread(target=self.attack, args=(number, phase), daemon=True)
                   for number in range(self.call.connections)]
        for thread in threads:
            thread.start()
        while phase.value != END:
            time.sleep(0.05)
        with self.lock:
            results.put((self.tally, None))

    def attack(self, number, phase):
        """Uses one connection, or one after another."""
        link = Connection(self.port, self.call.patience or 300)
        while phase.value != END:
            if phase.value != ATTACKED:
                time.sleep(0.01)
                continue
            begin = time.monotonic()
            request = self.requests[number % len(self.requests)]
            number += 1
            try:
                self.send(link, request, phase)
                answer = link.answer(to_head=request.startswith(b"HEAD "))
                status = answer.status
            except Lost:
                status, answer = "left", None
                link.close()
                time.sleep(0.01)
            if phase.value == END:
                return
            with self.lock:
                self.tally.answered(self.call.name, status, time.monotonic() - begin)
                if answer and status >= 500 and status != 503:
                    self.tally.fault(f"{self.call.name} was answered {answer.brief()}")
            # Refusals are cheap. A flood of them is another attack.
            if status not in (200, 201, "left"):
                time.sleep(0.05)

    def send(self, link, request, phase):
        """Sends a request whole, or at the call's rate."""
        if not self.call.pace:
            link.send(request)
            return
        piece = self.call.pace // 10
        for start in range(0, len(request), piece):
            link.send(request[start:start + piece])
            if phase.value == END:
                raise Lost("the end")
            time.sleep(0.1)


class Duels:
    """Every kind of call, or those whose names contain a word, and the results."""

    def __init__(self, binary, seconds, seed, rules, only):
        self.binary = binary
        self.calls = [call for call in CALLS if not only or only in call.name]
        if not self.calls:
            raise Failure(f"no expensive call has a name that contains {only}")
        self.seconds = seconds / len(self.calls)
        self.seed = seed
        self.rules = rules
        self.tally = Tally()
        self.lines = []

    def run(self, disk):
        """Runs the calls one after another, each with its own server and database."""
        for call in self.calls:
            say(f"  {call.name} ...")
            with tempfile.TemporaryDirectory(prefix="rowhouse-dear-", dir=disk) as folder:
                try:
                    self.fight(call, folder)
                except (Failure, Lost, queue.Empty) as failure:
                    self.tally.fault(f"{call.name}: {failure or 'a client did not end'}")

    def command(self, database, *words):
        """The output of a command of rowhouse."""
        run = subprocess.run([self.binary, *words, "--db", database], capture_output=True,
                             text=True, check=False)
        if run.returncode != 0:
            raise Failure(f"rowhouse {words[0]} failed: {run.stderr[-300:]}")
        return run.stdout

    def fight(self, call, folder):
        """A quiet time, then the attack, and a stop in the middle of it."""
        database = os.path.join(folder, "dear.sqlite")
        self.command(database, "seed", "--rows", str(call.rows or 100))
        tokens = [re.search(r"rh_\S+", self.command(
            database, "token", "create", "--name", name, "--role", "owner"))[0]
            for name in ("Attacker", "Ordinary")]
        with Served(self.binary, folder, database, options=call.options) as server:
            lists = self.ordinary_lists(server.port, tokens[1])
            owner = Owner(server.port, tokens[0])
            requests = call.prepare(owner)
            owner.link.close()
            context = multiprocessing.get_context("fork")
            phase, results = context.Value("i", PAUSE), context.Queue()
            jobs = [Ordinary(server.port, tokens[1], lists, self.seed),
                    Attacker(server.port, call, requests)]
            processes = [context.Process(target=job.run, args=(phase, results)) for job in jobs]
            for process in processes:
                process.start()
            try:
                time.sleep(1)
                for stage in (QUIET, ATTACKED):
                    phase.value = stage
                    time.sleep(self.seconds / 2)
                    if server.process.poll() is not None:
                        raise Failure("the server ended by itself")
                took, code = self.end(server, phase)
                times = {}
                for _ in processes:
                    tally, own = results.get(timeout=60)
                    self.tally.add(tally)
                    times = own or times
            finally:
                for process in processes:
                    process.kill()
                    process.join()
        self.judge(call, times, took, code, check(self.binary, database))

    @staticmethod
    def ordinary_lists(port, token):
        """A list of a hundred rows for each normal client."""
        def post(path, body, expected):
            return json.loads(ask(port, "POST", path, json.dumps(body),
                                  {"Authorization": f"Bearer {token}"}, expected)[1])
        lists = []
        for number in range(CLIENTS):
            own = post("/v1/lists", {"title": f"Ordinary {number}"}, 201)["id"]
            post(f"/v1/lists/{own}/batch", {"inserts": [
                {"index": row, "item": {"name": f"Ordinary {row}"}} for row in range(100)]}, 200)
            lists.append(own)
        return lists

    @staticmethod
    def end(server, phase):
        """Stops the server during the attack. Returns the time that this takes, and the exit status."""
        begin = time.monotonic()
        # First, so that no client takes the end of its connection for a fault. Requests under way go on.
        phase.value = END
        server.process.send_signal(signal.SIGTERM)
        try:
            server.process.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
        return time.monotonic() - begin, server.process.returncode

    def judge(self, call, times, took, code, found):
        """Adds a line of the table, and the rules."""
        quantiles = []
        for stage in (QUIET, ATTACKED):
            own = sorted(times[stage])
            if not own:
                raise Failure("the ordinary clients had no answer")
            quantiles.append([own[len(own) * share // 100] * 1000 for share in (50, 99)]
                             + [own[-1] * 1000])
        calm, attacked = (own[1] for own in quantiles)
        self.rules.judge(f"{call.name}: ordinary p99", f"{attacked:.2f} ms",
                         f"{SLOWER} x {calm:.2f} ms", attacked <= SLOWER * calm)
        self.rules.judge(f"{call.name}: end", f"{took:.1f} s, exit {code}",
                         f"{END_SECONDS} s, exit 0", took <= END_SECONDS and code == 0)
        if found:
            self.rules.judge(f"{call.name}: rowhouse check", found, "nothing", False)
        statuses = self.tally.statuses[call.name]
        self.lines.append([
            call.name, *(f"{value:.2f}" for own in quantiles for value in own),
            " ".join(f"{status}:{count:,}" for status, count in sorted(statuses.items(), key=str))])

    def print(self):
        """The table of times."""
        print_table(["beside", "quiet p50", "p99", "slowest", "attacked p50", "p99", "slowest",
                     "the attacker's answers"], self.lines)
