#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a command under an X server of its own.  usage: x_server.py COMMAND…
Not xvfb-run: that one waits for a signal of the server, and for ever where the signal comes first, as on a busy machine it does."""

import os
import select
import subprocess
import sys

PATIENCE = 120  # seconds until a server that does not start is given up


def display_of(server, answer):
    """The display that the server has chosen, which it writes once it accepts connections."""
    written = b""
    while not written.endswith(b"\n"):
        ready, _, _ = select.select([answer], [], [], PATIENCE)
        part = os.read(answer, 64) if ready else b""
        if not part:
            server.kill()
            sys.exit(f"Xvfb gave no display ({'it ended' if ready else f'within {PATIENCE} s'})")
        written += part
    return ":" + written.decode().strip()


def main():
    answer, question = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(question), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
                              pass_fds=[question], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(question)
    try:
        environment = {**os.environ, "DISPLAY": display_of(server, answer)}
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode
    finally:
        server.terminate()
        server.wait()


status = main()
sys.exit(status if status >= 0 else 128 - status)
