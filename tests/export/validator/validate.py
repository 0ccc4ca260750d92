#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A test of export, and what it writes through the Khronos glTF validator, which is installed into FOLDER when it is missing: validate.py
FOLDER TEST…"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from npm_packages import check_what_is_left  # noqa: E402 pylint: disable=wrong-import-position

check_what_is_left(Path(sys.argv[1]), sys.argv[2:], HERE / "validate.cjs", "gltf-validator", (".glb", ".gltf"),
                   "files_pass_the_khronos_validator")
