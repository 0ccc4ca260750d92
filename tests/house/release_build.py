# SPDX-License-Identifier: GPL-3.0-or-later
"""The program as ./run builds it: optimised and without assertions. The tests that need it share one build."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def must(*command, **options):
    """What a command prints, or the end of the test."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def release_build(folder):
    """Builds it in release/ in a build folder, after the first time only what has changed, and gives the path of sinew. Tests that
    run at the same time wait for each other."""
    build = Path(folder).resolve() / "release"
    with open(build.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (build / "build.ninja").exists():
            shutil.rmtree(build, ignore_errors=True)
            must("meson", "setup", build, ROOT, "--buildtype=release", "-Dwerror=true", "-Dtests=disabled")
        must("ninja", "-C", build)
    return build / "ui" / "cli" / "sinew"


def use_release():
    """For a test whose first argument may be the folder of a sanitized build: the release and its deformers take the place of that.
    harness.py reads the argument, so this comes before it is imported."""
    if Path(sys.argv[1]).is_dir():
        sys.argv[1] = str(release_build(sys.argv[1]))
        os.environ.pop("SINEW_PLUGIN_PATH", None)
