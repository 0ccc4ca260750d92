# SPDX-License-Identifier: GPL-3.0-or-later
"""What a project holds, as one number: everything but its history and when it was made. An array counts as what it holds."""

import hashlib
import sqlite3
from contextlib import closing

HISTORY = ("array", "journal", "journal_array", "journal_change", "project")


def contents(project):
    found = hashlib.blake2b()
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        for table in tables:
            if table not in HISTORY and not table.startswith("sqlite_"):
                apart = {row[3] for row in database.execute(f'PRAGMA foreign_key_list("{table}")') if row[2] == "array"}
                columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
                values = ", ".join(f'(SELECT array.bytes FROM array WHERE array.id = "{table}"."{column}")' if column in apart
                                   else f'"{column}"' for column in columns)
                for row in database.execute(f'SELECT {values} FROM "{table}" ORDER BY 1, 2'):
                    found.update(repr((table, *row)).encode())
    return found.hexdigest()
