#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of tangents, and what it leaves beside the tangents of the npm package mikktspace, which is installed into FOLDER when it is
missing: mikktspace.py FOLDER TEST…"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
from npm_packages import check_what_is_left  # noqa: E402 pylint: disable=wrong-import-position

check_what_is_left(Path(sys.argv[1]), sys.argv[2:], HERE / "mikktspace.cjs", "mikktspace", (".corners",),
                   "tangents_are_those_of_mikktspace")
