"""What can go wrong with a PostgreSQL server, one thing after another: each answer must be clear, and nothing be lost.

   bad_days.py PROGRAM [NAME…]
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import uuid

from cutter import Cutter
from database import Database
from pair import Pair
from pooler import Pooler
from served import Process, call, status

PROGRAM = sys.argv[1]


class Day(unittest.TestCase):
    """A server with an empty database, and Rowhouse processes that end with the test."""

    settings = {}

    def setUp(self):
        self.database = Database(**self.settings).make().start()
        self.addCleanup(self.database.remove)
        self.database.sql("CREATE DATABASE house")
        self.address = self.database.address("house")
        self.log = tempfile.NamedTemporaryFile("r", prefix="rowhouse-log-")
        self.addCleanup(self.log.close)

    def serve(self, *options, address=None, level="warning", **others):
        with open(self.log.name, "a") as log:
            process = Process(PROGRAM, address or self.address, *options, log=log, level=level, **others)
        self.assertTrue(process.url, self.logged())
        self.addCleanup(process.end)
        return process

    def run_program(self, *arguments, address=None, **environment):
        """Runs a command, or a start that must fail. Returns its exit code and its error text."""
        found = subprocess.run(
            [PROGRAM, *(arguments or ["serve", "--listen", "127.0.0.1:0"])], capture_output=True, text=True, timeout=30,
            env={**os.environ, "ROWHOUSE_DB": address or self.address, **environment})
        return found.returncode, found.stderr

    def logged(self):
        with open(self.log.name) as log:
            return log.read()

    def add(self, process, name, **others):
        return status(f"{process.url}/v1/lists/root/items", "POST", {"name": name}, **others)

    def names(self, process):
        rows = call(f"{process.url}/v1/lists/root/rows?limit=1000")["rows"]
        return [row["title"] for row in rows if row["type"] != "sentinel"]

    def wait(self, condition, seconds=10):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "Waited in vain")
            time.sleep(0.05)


class Unreachable(Day):
    def test_a_server_that_is_gone_at_the_start(self):
        self.database.stop()
        code, text = self.run_program()
        self.assertEqual(code, 69, text)
        self.assertIn("cannot be opened", text)

    def test_a_server_that_goes_and_comes_back(self):
        house = self.serve()
        self.assertEqual(self.add(house, "Globe")[0], 200)
        self.database.kill()
        for answer in [self.add(house, "Lost"), status(f"{house.url}/v1/lists/root/rows"), status(f"{house.url}/readyz")]:
            self.assertEqual(answer[0], 503)
            self.assertTrue(answer[1], "Retry-After is missing")
        self.assertEqual(status(f"{house.url}/healthz")[0], 200)
        self.assertIn("database", self.logged())
        self.database.start()
        self.wait(lambda: self.add(house, "Atlas")[0] == 200, 5)
        self.assertEqual(self.names(house), ["Globe", "Atlas"])
        self.assertEqual(status(f"{house.url}/readyz")[0], 200)

    def test_a_wrong_password(self):
        self.database.sql("ALTER ROLE rowhouse PASSWORD 'right'")
        with open(f"{self.database.data}/pg_hba.conf", "w") as rules:
            rules.write("local all all scram-sha-256\n")
        self.database.stop()
        self.database.start()
        code, text = self.run_program(PGPASSWORD="wrong")
        self.assertEqual(code, 69, text)
        self.assertIn("password", text)
        self.assertNotIn("wrong", text)
        house = self.serve(PGPASSWORD="right")
        self.assertEqual(self.add(house, "Globe")[0], 200)
        self.assertNotIn("right", self.logged())

    def test_too_many_connections(self):
        # Three connections are reserved for the superuser, which is `rowhouse` here.
        self.database.sql("CREATE ROLE app LOGIN")
        self.database.sql("ALTER DATABASE house OWNER TO app")
        self.database.sql("ALTER SCHEMA public OWNER TO app", "house")
        self.address = self.address.replace("user=rowhouse", "user=app")
        house = self.serve()
        sessions = [subprocess.Popen(["psql", "-qX", "-d", self.address, "-c", "SELECT pg_sleep(60)"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(100)]
        try:
            self.wait(lambda: any(session.poll() for session in sessions))
            self.assertEqual(self.run_program()[0], 69)
            self.database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                                           "WHERE application_name = 'rowhouse'")
            time.sleep(0.5)
            answers = [self.add(house, f"{number}")[0] for number in range(3)]
            self.assertLessEqual(set(answers), {200, 503})
        finally:
            for session in sessions:
                session.kill()
                session.wait()
        self.database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' "
                                       "AND pid <> pg_backend_pid()")
        self.wait(lambda: self.add(house, "Globe")[0] == 200, 5)
        self.assertEqual(len(self.names(house)), answers.count(200) + 1)

    settings = {"max_connections": 60}


class Commands(Day):
    def test_commands_use_the_database_and_do_not_print_its_address(self):
        environment = {**os.environ, "ROWHOUSE_DB": self.address}
        house = self.serve()
        with tempfile.NamedTemporaryFile(suffix=".ndjson") as file:
            for arguments, code, wanted in [
                (["seed"], 0, "the PostgreSQL database: "),
                (["export", "--force", file.name], 0, ""),
                (["import", "--dry-run", file.name], 0, "0 would be made"),
                (["import", "--replace", file.name], 0, "the PostgreSQL database: "),
                (["check"], 0, "no damage found"),
                (["token", "list"], 0, ""),
                (["health"], 64, "/readyz"),
            ]:
                with self.subTest(" ".join(arguments[:2])):
                    found = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, env=environment)
                    said = found.stdout + found.stderr
                    self.assertEqual(found.returncode, code, said)
                    self.assertIn(wanted, said)
                    self.assertNotIn(self.address, said)
        self.assertEqual(len(self.names(house)), 2)


class Schemas(Day):
    def test_a_database_with_other_tables(self):
        self.database.sql("CREATE TABLE foreign_table (x int)", "house")
        code, text = self.run_program()
        self.assertEqual(code, 65, text)
        self.assertEqual(self.database.sql("SELECT count(*) FROM pg_class WHERE relname = 'migration'", "house"), "0")

    def test_a_newer_schema(self):
        house = self.serve()
        self.assertEqual(status(f"{house.url}/readyz")[0], 200)
        self.database.sql("INSERT INTO migration SELECT max(number) + 1, 'later', 'x', 0 FROM migration", "house")
        self.wait(lambda: status(f"{house.url}/readyz")[0] == 503)
        code, text = self.run_program()
        self.assertEqual(code, 65, text)
        self.assertIn("newer", text)

    def test_processes_that_start_at_once(self):
        processes = []
        threads = [threading.Thread(target=lambda: processes.append(self.serve())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({self.add(one, f"{number}")[0] for number, one in enumerate(processes)}, {200})
        self.assertEqual(len(call(f"{processes[0].url}/v1/inventories")["inventories"]), 1)


class Waiting(Day):
    def test_a_lock_that_somebody_holds(self):
        house = self.serve("--db-timeout", "1s")
        self.add(house, "Globe")
        session = subprocess.Popen(
            ["psql", "-qX", "-d", self.address, "-c", "BEGIN", "-c", "SELECT * FROM store FOR UPDATE", "-c", "SELECT pg_sleep(4)"],
            stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        begin = time.monotonic()
        answer = self.add(house, "Waiting")
        self.assertEqual(answer[0], 503)
        self.assertTrue(answer[1], "Retry-After is missing")
        self.assertLess(time.monotonic() - begin, 3)
        # Reads do not wait for it.
        self.assertEqual(self.names(house), ["Globe"])
        session.wait()
        self.assertEqual(self.add(house, "Atlas")[0], 200)
        self.assertEqual(self.names(house), ["Globe", "Atlas"])

    def test_a_deadlock(self):
        house = self.serve()
        self.add(house, "Globe")
        # It waits for the turn, and has the inventory, which the change waits for.
        session = subprocess.Popen(
            ["psql", "-qX", "-d", self.address, "-c", "BEGIN", "-c", "SELECT * FROM inventory FOR UPDATE",
             "-c", "SELECT pg_sleep(1)", "-c", "SELECT * FROM store FOR UPDATE", "-c", "COMMIT"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        answer = self.add(house, "Atlas")
        session.wait()
        self.assertIn(answer[0], (200, 503))
        self.assertEqual(self.names(house), ["Globe", "Atlas"] if answer[0] == 200 else ["Globe"])

    def test_a_process_that_is_paused_in_its_turn(self):
        slow, house = self.serve("--db-timeout", "2s"), self.serve("--db-timeout", "10s")
        ended = threading.Event()
        done = []

        def write():
            while not ended.is_set():
                try:
                    done.append(self.add(slow, f"slow {len(done)}", timeout=60)[0])
                except OSError:
                    pass

        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        time.sleep(0.5)
        for _ in range(3):
            slow.process.send_signal(signal.SIGSTOP)
            begin = time.monotonic()
            self.wait(lambda: self.add(house, "Globe")[0] == 200, 8)
            # The server ends a paused transaction, so that the others go on.
            self.assertLess(time.monotonic() - begin, 6)
            slow.process.send_signal(signal.SIGCONT)
            time.sleep(0.3)
        ended.set()
        thread.join(60)
        self.assertEqual(self.names(house).count("Globe"), 3)
        self.assertEqual(len([name for name in self.names(house) if name.startswith("slow")]), done.count(200))


class Cut(Day):
    """A connection that breaks at each statement of a change, and of a read."""

    def setUp(self):
        super().setUp()
        self.cutter = Cutter(self.database)
        self.addCleanup(self.cutter.close)

    def change_is_done_once(self, text, after):
        house = self.serve(address=self.cutter.address("house"))
        key = str(uuid.uuid4())
        # The texts of statements are seen only before they are prepared.
        self.cutter.cut(text, after)
        answer = self.add(house, "Atlas", key=key)
        self.assertTrue(self.cutter.done.is_set(), f"nothing was cut at {text}")
        self.assertIn(answer[0], (200, 503))
        self.assertEqual(self.add(house, "Atlas", key=key)[0], 200)
        self.assertEqual(self.names(house), ["Atlas"])
        return answer

    def test_before_a_transaction(self):
        self.assertEqual(self.change_is_done_once("BEGIN ISOLATION LEVEL READ COMMITTED", False)[0], 200)

    def test_in_a_transaction(self):
        answer = self.change_is_done_once("INSERT INTO row", False)
        self.assertNotEqual(answer[2], "outcome_unknown")

    def test_at_a_commit_that_the_server_does_not_get(self):
        self.change_is_done_once("; COMMIT", False)

    def test_at_a_commit_whose_answer_is_lost(self):
        # The outcome is looked up.
        self.assertEqual(self.change_is_done_once("; COMMIT", True)[0], 200)

    def test_in_a_read(self):
        house = self.serve(address=self.cutter.address("house"))
        self.assertEqual(self.add(house, "Globe")[0], 200)
        self.cutter.cut("BEGIN ISOLATION LEVEL REPEATABLE READ", True)
        answer = status(f"{house.url}/v1/lists/root/rows?offset=0&limit=7")
        self.assertTrue(self.cutter.done.is_set(), "nothing was cut")
        self.assertIn(answer[0], (200, 503))
        self.assertEqual(self.names(house), ["Globe"])

    def test_while_it_listens(self):
        house, other = self.serve(), self.serve()
        self.assertEqual(self.add(house, "Globe")[0], 200)
        self.database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT commits%'", "house")
        self.assertEqual(self.add(house, "Atlas")[0], 200)
        self.wait(lambda: self.names(other) == ["Globe", "Atlas"], 3)


class Pooled(Day):
    def test_a_transaction_pooler(self):
        if not shutil.which("pgbouncer"):
            self.skipTest("needs pgbouncer")
        pooler = Pooler(self.database, "house")
        self.addCleanup(pooler.stop)
        options = ["--db-prepare", "off", "--db-timeout", "1s"]
        house, other = (self.serve(*options, address=pooler.address) for _ in range(2))
        for number in range(10):
            self.assertEqual(self.add((house, other)[number % 2], f"{number}")[0], 200)
            self.assertEqual(len(self.names((other, house)[number % 2])), number + 1)
        # Each transaction has the limits of its process.
        session = subprocess.Popen(
            ["psql", "-qX", "-d", self.address, "-c", "BEGIN", "-c", "SELECT * FROM store FOR UPDATE", "-c", "SELECT pg_sleep(3)"],
            stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        self.assertEqual(self.add(house, "Waiting")[0], 503)
        self.assertIsNone(session.poll())
        session.wait()
        self.assertEqual(self.add(house, "Atlas")[0], 200)
        left = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        self.assertEqual(self.database.sql(left, "house"), "0")


class Full(Day):
    def test_a_full_disk_of_the_server(self):
        folder = tempfile.mkdtemp(prefix="rowhouse-full-")
        self.addCleanup(os.rmdir, folder)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder], capture_output=True).returncode:
            self.skipTest("needs the right to mount")
        self.addCleanup(subprocess.run, ["umount", folder], check=True)
        self.addCleanup(self.database.stop)
        os.chown(folder, self.database.user.pw_uid, self.database.user.pw_gid)
        self.database.sql(f"CREATE TABLESPACE small LOCATION '{folder}'")
        self.database.sql("CREATE DATABASE little TABLESPACE small")
        house = self.serve(address=self.database.address("little"))
        added, answer = 0, (200, None, None)
        while answer[0] == 200 and added < 1_000:
            # Random text, because the server compresses long values.
            answer = status(f"{house.url}/v1/lists/root/items", "POST", {"name": "Big", "notes": os.urandom(30_000).hex()})
            added += answer[0] == 200
        self.assertEqual(answer[0], 507, answer)
        self.assertEqual(len(self.names(house)), added)


class Standby(unittest.TestCase):
    def test_a_read_only_standby_that_becomes_the_primary(self):
        pair = Pair(max_connections=100)
        self.addCleanup(pair.remove)
        pair.create("house")
        first = Process(PROGRAM, pair.primary.address("house"))
        call(f"{first.url}/v1/lists/root/items", "POST", {"name": "Globe"})
        self.assertEqual(first.stop(), 0)
        pair.wait_for(1, "replay_lsn = pg_current_wal_lsn()")
        standby = pair.standby.address("house")
        found = subprocess.run([PROGRAM, "serve", "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=30,
                               env={**os.environ, "ROWHOUSE_DB": standby})
        self.assertEqual(found.returncode, 69)
        self.assertIn("standby", found.stderr)
        pair.promote()
        house = Process(PROGRAM, standby)
        self.addCleanup(house.end)
        self.assertEqual(call(f"{house.url}/v1/lists/root/rows")["rows"][0]["title"], "Globe")
        self.assertEqual(status(f"{house.url}/v1/lists/root/items", "POST", {"name": "Atlas"})[0], 200)

    def test_a_commit_that_no_standby_has_confirmed(self):
        """The primary loses its standby, and then the session that waits for it. The change must not be answered as done:
        it would be gone after a promotion."""
        pair = Pair(max_connections=100)
        self.addCleanup(pair.remove)
        pair.create("house")
        house = Process(PROGRAM, pair.address("house"))
        self.addCleanup(house.end)
        pair.standby.stop()
        answers = []
        thread = threading.Thread(target=lambda: answers.append(status(
            f"{house.url}/v1/lists/root/items", "POST", {"name": "Globe"}, timeout=60)))
        thread.start()
        end = time.monotonic() + 5
        waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        while pair.sql(f"SELECT count(*) {waiting}") == "0":
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        pair.sql(f"SELECT pg_terminate_backend(pid) {waiting}")
        thread.join(2)
        self.assertEqual(answers, [])
        pair.standby.start()
        thread.join(30)
        self.assertEqual(answers[0][0], 200)


class Clocks(Day):
    def test_clocks_that_differ_by_a_minute(self):
        if subprocess.run(["faketime", "--version"], capture_output=True).returncode:
            self.skipTest("needs faketime")
        ahead = self.serve(before=["faketime", "-f", "+60s"])
        behind = self.serve(before=["faketime", "-f", "-60s"])
        for number in range(20):
            self.assertEqual(self.add((behind, ahead)[number % 2], f"{number}", key=str(uuid.uuid4()))[0], 200)
        self.assertEqual(len(self.names(ahead)), 20)
        self.assertEqual(self.names(ahead), self.names(behind))


class Recovery(Day):
    def test_a_database_that_was_recovered_to_an_earlier_state(self):
        house = self.serve()
        self.add(house, "Globe")
        root = call(f"{house.url}/v1/lists/root")["id"]
        copy = Database()
        self.addCleanup(copy.remove)
        copy.copy(self.database)
        self.add(house, "Lost")
        later = call(f"{house.url}/v1/lists/{root}/rows")["revision"]
        self.assertEqual(house.stop(), 0)
        # Without this file, the copy is not a standby but a server of its own, as after a recovery.
        os.unlink(f"{copy.data}/standby.signal")
        copy.start()
        code, text = self.run_program("restored", address=copy.address("house"))
        self.assertEqual(code, 0, text)
        house = self.serve(address=copy.address("house"))
        self.assertEqual(self.names(house), ["Globe"])
        answer = status(f"{house.url}/v1/lists/{root}/changes?since={later}")
        self.assertEqual(answer[0], 410)
        self.assertEqual(answer[2], "resync")


unittest.main(argv=sys.argv[1:], verbosity=2, warnings="ignore")
