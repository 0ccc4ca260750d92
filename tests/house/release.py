#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The program as ./run builds it runs the main workflow with the plug-ins that it finds beside itself.

Argument: the program."""

import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    sinew = pathlib.Path(sys.argv[1]).resolve()
    environment = {name: value for name, value in os.environ.items() if name != "SINEW_PLUGIN_PATH"}
    with tempfile.TemporaryDirectory() as folder:
        for words in ("sample tiny-arm -o arm.sinew", "fit inverse-psd arm.sinew", "export arm.sinew -o arm.glb"):
            subprocess.run([sinew, *words.split()], cwd=folder, env=environment, check=True)
        if not (pathlib.Path(folder) / "arm.glb").stat().st_size:
            sys.exit("arm.glb is empty")


main()
