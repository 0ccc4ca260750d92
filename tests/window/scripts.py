#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the cases of scripts of this folder in one process and under one X server: to start both for each script takes as long
as to open a window.

usage: scripts.py PROGRAM TESTS CASES|LONG SCRIPT…

TESTS is the build's folder of tests, in which are plug-ins and windows that are made for some scripts. Each script lists its
cases: CASES, and LONG where some take long to show what others have shown."""

import importlib.util
import sys
from pathlib import Path

from harness import run
from under_xvfb import under_xvfb


def script(path):
    """The module of a script, such as editing/posing."""
    file = Path(__file__).parent / f"{path}.py"
    sys.path.append(str(file.parent))  # some use functions of those beside them
    spec = importlib.util.spec_from_file_location(path.replace("/", "_"), file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


under_xvfb()
run([case for path in sys.argv[4:] for case in getattr(script(path), sys.argv[3])])
