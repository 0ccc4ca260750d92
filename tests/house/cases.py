#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every case of a test script is in its list: a function that nothing names would never run."""

import re
import sys
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def main():
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.py"))}
    named = Counter(word for text in texts.values() for word in re.findall(r"\w+", text))
    faults = 0
    for path, text in texts.items():
        for name in re.findall(r"^def (\w+)\(", text, re.M):
            if named[name] == 1:
                faults += 1
                print(f"{path.relative_to(TESTS)}: nothing calls {name}")
    sys.exit(faults > 0)


main()
