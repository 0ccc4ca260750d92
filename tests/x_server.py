#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a command under an X server of its own.  usage: x_server.py COMMAND…
Not xvfb-run: that one waits for a signal of the server, and for ever where the signal comes first, as on a busy machine it does.

The command runs again where LeakSanitizer itself crashed: it walks over the threads of the graphics driver while they end, and now and then
reads one that is gone."""

import os
import select
import subprocess
import sys
import threading

PATIENCE = 120  # seconds until a server that does not start is given up
SANITIZER_CRASH = b"LeakSanitizer has encountered a fatal error"
MOST_RUNS = 3


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


def pass_on(lines, crashes):
    for line in lines:
        if SANITIZER_CRASH in line:
            crashes.append(line)
        sys.stderr.buffer.write(line)
        sys.stderr.buffer.flush()


def run(words, environment):
    """The command's exit status, and whether LeakSanitizer crashed. What it writes to stderr is passed on."""
    crashes = []
    command = subprocess.Popen(words, env=environment, stderr=subprocess.PIPE)
    reader = threading.Thread(target=pass_on, args=(command.stderr, crashes), daemon=True)
    reader.start()
    status = command.wait()
    reader.join(5)  # a program that outlives the command may hold the pipe
    return status, bool(crashes)


def main():
    answer, question = os.pipe()
    # Without -noreset it starts again when its last client has gone, and cuts off those that connect meanwhile. Without -r it
    # repeats a key that a busy machine releases late.
    server = subprocess.Popen(["Xvfb", "-displayfd", str(question), "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset", "-r"],
                              pass_fds=[question], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(question)
    try:
        environment = {**os.environ, "DISPLAY": display_of(server, answer)}
        for _ in range(MOST_RUNS):
            status, crashed = run(sys.argv[1:], environment)
            if status == 0 or not crashed:
                break
        return status
    finally:
        server.terminate()
        server.wait()


status = main()
sys.exit(status if status >= 0 else 128 - status)
