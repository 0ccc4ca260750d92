#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The program as ./run builds it, optimised and without assertions, builds without a warning and does its main job.

Argument: the build folder; the release is built in release/ in there, and the next time only what has changed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from sources import ROOT


def must(*command, **options):
    """What a command prints, or the end of the test."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def main():
    build = pathlib.Path(sys.argv[1]) / "release"
    if not (build / "build.ninja").exists():
        shutil.rmtree(build, ignore_errors=True)
        must("meson", "setup", build, ROOT, "--buildtype=release", "-Dwerror=true", "-Dtests=disabled")
    must("ninja", "-C", build)
    sinew = build / "ui" / "cli" / "sinew"
    environment = {name: value for name, value in os.environ.items() if name != "SINEW_PLUGIN_PATH"}
    with tempfile.TemporaryDirectory() as folder:
        must(sinew, "sample", "arm", "-o", "arm.sinew", cwd=folder, env=environment)
        must(sinew, "fit", "inverse-psd", "arm.sinew", cwd=folder, env=environment)
        must(sinew, "export", "arm.sinew", "-o", "arm.glb", cwd=folder, env=environment)
        if not (pathlib.Path(folder) / "arm.glb").stat().st_size:
            sys.exit("arm.glb is empty")


main()
