"""A primary PostgreSQL server with a synchronous standby: a commit is answered once both have it on their disks."""

import shutil
import time

from database import Database


class Pair:
    def __init__(self, **settings):
        self.settings = settings
        self.primary = Database(**settings).make().start()
        self.standby = Database(**settings)
        self.attach()

    def attach(self):
        """Makes the standby anew, from the primary, and lets commits wait for it from now on."""
        shutil.rmtree(self.standby.data, ignore_errors=True)
        self.standby.copy(self.primary).start()
        self.wait_for(1, "state = 'streaming'")
        self.set_names("*")
        # Commits before this one did not wait for the standby. It must have them too before it may be promoted.
        self.wait_for(1, f"sync_state = 'sync' AND flush_lsn >= '{self.primary.sql('SELECT pg_current_wal_flush_lsn()')}'")

    def promote(self):
        """Ends the primary as a crash would, and makes the standby the primary, as a cluster manager does. Commits wait for
        no standby until `attach`."""
        self.primary.kill()
        self.primary, self.standby = self.standby, self.primary
        self.primary.sql("SELECT pg_promote()")

    def set_names(self, names):
        # Two calls: ALTER SYSTEM can't be in a transaction with something else.
        self.primary.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.primary.sql("SELECT pg_reload_conf()")

    def wait_for(self, count, condition):
        end = time.monotonic() + 60
        while self.primary.sql(f"SELECT count(*) FROM pg_stat_replication WHERE {condition}") != str(count):
            if time.monotonic() > end:
                raise SystemExit("The standby does not follow the primary.")
            time.sleep(0.05)

    def create(self, name):
        """Creates a database, on both servers: libpq does not look for the primary behind a standby without it."""
        self.primary.sql(f"CREATE DATABASE {name}")
        self.wait_for(1, f"replay_lsn >= '{self.primary.sql('SELECT pg_current_wal_lsn()')}'")

    def address(self, name="postgres"):
        """Names both servers. libpq finds the primary:
        https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS"""
        hosts = ",".join(sorted([self.primary.folder, self.standby.folder]))
        return f"postgresql:///{name}?host={hosts}&user=rowhouse&target_session_attrs=read-write"

    def sql(self, text, name="postgres"):
        return self.primary.sql(text, name)

    def remove(self):
        self.standby.remove()
        self.primary.remove()
