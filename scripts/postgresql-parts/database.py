"""A PostgreSQL server of its own in a temporary folder, on a Unix socket only."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time


def programs():
    """The folder of initdb and postgres, which Debian keeps off the PATH."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if not found:
        raise SystemExit("PostgreSQL is missing. Install it with: scripts/prerequisites postgresql libpq-dev")
    return found[-1]


class Database:
    """`settings` are those of postgresql.conf. The server refuses to run as root, so root runs it as `postgres`."""

    def __init__(self, folder=None, **settings):
        self.bin = programs()
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        self.folder = folder or tempfile.mkdtemp(prefix="rowhouse-postgresql-")
        os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        os.chmod(self.folder, 0o755)
        self.data = f"{self.folder}/data"
        self.settings = {"listen_addresses": "", "unix_socket_directories": self.folder, "max_connections": 300, **settings}
        self.process = None

    def make(self):
        self.run("initdb", "--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8", "--username=rowhouse", f"--pgdata={self.data}")
        return self

    def copy(self, primary):
        """Makes this server a standby of another one: a copy that follows it."""
        self.run("pg_basebackup", "--write-recovery-conf", "--checkpoint=fast", "--no-sync", f"--pgdata={self.data}",
                 f"--dbname=host={primary.folder} user=rowhouse application_name=standby")
        return self

    def run(self, program, *arguments):
        subprocess.run([f"{self.bin}/{program}", *arguments], check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self.as_user)

    @property
    def as_user(self):
        return {"user": self.user.pw_uid, "group": self.user.pw_gid} if os.geteuid() == 0 else {}

    def start(self):
        """Starts the server. After a crash it refuses to start while a process of the last one is still ending."""
        options = [option for name, value in self.settings.items() for option in ("-c", f"{name}={value}")]
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with open(f"{self.folder}/log", "ab") as log:
                self.process = subprocess.Popen(
                    [f"{self.bin}/postgres", "-D", self.data, *options], stdout=log, stderr=log, cwd=self.folder, **self.as_user)
            while self.process.poll() is None and time.monotonic() < end:
                if subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", self.folder, "-U", "rowhouse"]).returncode == 0:
                    return self
                time.sleep(0.05)
            time.sleep(0.1)
        raise SystemExit(f"PostgreSQL does not start: {open(f'{self.folder}/log').read()[-1000:]}")

    def address(self, name="postgres"):
        return f"postgresql:///{name}?host={self.folder}&user=rowhouse"

    def sql(self, text, name="postgres"):
        return subprocess.run(
            ["psql", "-qAtX", "-d", self.address(name), "-c", text], check=True, capture_output=True, text=True).stdout.strip()

    def kill(self):
        """Ends the server as a crash would: all of its processes at once."""
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        self.process.send_signal(signal.SIGKILL)
        for child in children:
            try:
                os.kill(int(child), signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(60)

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
