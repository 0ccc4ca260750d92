# SPDX-License-Identifier: GPL-3.0-or-later
"""What a project holds, as one number: everything but its history and when it was made."""

import hashlib
import sqlite3
from contextlib import closing

HISTORY = ("journal", "journal_change", "project")


def contents(project):
    found = hashlib.blake2b()
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        for table in tables:
            if table not in HISTORY and not table.startswith("sqlite_"):
                for row in database.execute(f'SELECT * FROM "{table}" ORDER BY 1, 2'):
                    found.update(repr((table, *row)).encode())
    return found.hexdigest()
