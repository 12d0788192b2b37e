"""pgbouncer in front of a PostgreSQL server, with a session for each transaction."""

import os
import signal
import subprocess
import time

CONFIGURATION = """
[databases]
{name} = host={host} dbname={name} user=rowhouse
[pgbouncer]
unix_socket_dir = {folder}
listen_addr =
listen_port = 6432
auth_type = any
pool_mode = transaction
max_client_conn = 300
default_pool_size = 20
server_login_retry = 1
"""


class Pooler:
    """It lives in the folder of the server that it begins with."""

    def __init__(self, database, name):
        self.folder, self.name = database.folder, name
        self.address = f"postgresql:///{name}?host={self.folder}&port=6432&user=rowhouse"
        self.write(database)
        self.process = subprocess.Popen(["pgbouncer", "-q", f"{self.folder}/pgbouncer.ini"], **database.as_user)
        while not os.path.exists(f"{self.folder}/.s.PGSQL.6432"):
            if self.process.poll() is not None:
                raise SystemExit("pgbouncer does not start.")
            time.sleep(0.02)

    def write(self, database):
        with open(f"{self.folder}/pgbouncer.ini", "w") as file:
            file.write(CONFIGURATION.format(host=database.folder, folder=self.folder, name=self.name))

    def follow(self, database):
        """Goes on with another server."""
        self.write(database)
        self.process.send_signal(signal.SIGHUP)

    def stop(self):
        self.process.kill()
        self.process.wait()
