#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The program as ./run builds it builds without a warning and runs the main workflow.

Argument: the build folder; the release is built in release/ inside it."""

import os
import pathlib
import sys
import tempfile

from release_build import must, release_build


def main():
    sinew = release_build(sys.argv[1])
    environment = {name: value for name, value in os.environ.items() if name != "SINEW_PLUGIN_PATH"}
    with tempfile.TemporaryDirectory() as folder:
        must(sinew, "sample", "arm", "-o", "arm.sinew", cwd=folder, env=environment)
        must(sinew, "fit", "inverse-psd", "arm.sinew", cwd=folder, env=environment)
        must(sinew, "export", "arm.sinew", "-o", "arm.glb", cwd=folder, env=environment)
        if not (pathlib.Path(folder) / "arm.glb").stat().st_size:
            sys.exit("arm.glb is empty")


main()
