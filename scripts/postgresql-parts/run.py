#!/usr/bin/env python3
"""Runs a command beside a PostgreSQL server of its own, whose address it has in ROWHOUSE_DB.

   run.py COMMAND…          the server syncs its files
   run.py --test COMMAND…   it does not, and the address is in ROWHOUSE_TEST_POSTGRESQL
"""

import os
import subprocess
import sys

from database import Database

is_test = sys.argv[1] == "--test"
command = sys.argv[2 if is_test else 1:]
database = Database(max_connections=1000, **({"fsync": "off"} if is_test else {})).make().start()
try:
    name = "ROWHOUSE_TEST_POSTGRESQL" if is_test else "ROWHOUSE_DB"
    code = subprocess.run(command, env={**os.environ, name: database.address()}).returncode
finally:
    database.remove()
sys.exit(code)
