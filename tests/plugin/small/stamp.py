#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies small.so with other words in its stamp, which say what it does wrong (misdeeds.h).

    stamp.py small.so OUTPUT_DIR NAME:WORDS...
"""

import sys
from pathlib import Path

START, ROOM = b"@small ", 200


def main(module, output, *copies):
    code = Path(module).read_bytes()
    at = code.index(START)
    for copy in copies:
        name, words = copy.split(":", 1)
        stamp = START + words.encode()
        assert code.count(START) == 1 and len(stamp) < ROOM, copy
        Path(output, f"small-{name}.so").write_bytes(code[:at] + stamp.ljust(ROOM, b"\0") + code[at + ROOM:])


main(*sys.argv[1:])
