# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the script again under an X server of its own; says why and skips where there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from harness import SKIP


def under_xvfb():
    missing = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    if missing:
        print("skipped:", " and ".join(missing), "not installed")
        sys.exit(SKIP)
    if "SINEW_WINDOW_TEST" not in os.environ:
        os.environ.pop("SDL_VIDEODRIVER", None)
        os.environ.pop("WAYLAND_DISPLAY", None)
        server = Path(__file__).parents[1] / "x_server.py"
        again = subprocess.run([sys.executable, server, sys.executable, *sys.argv], env={**os.environ, "SINEW_WINDOW_TEST": "1"},
                               check=False)
        sys.exit(again.returncode)
