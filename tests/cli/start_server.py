# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts commands from one process in which the program's libraries are loaded already (start_server.c)."""

import atexit
import functools
import glob
import mmap
import os
import selectors
import signal
import socket
import struct
import subprocess
import threading
import time

LIBRARY = os.environ.get("SINEW_START_SERVER", "")  # without it, and by hand, each command is a program's start
DRAWS = ("render", "compare", "report", "bench", "view")  # these verbs load a graphics driver
AT_START = ("LD_", "MALLOC_", "GLIBC_", "OMP_", "GOMP_", "OPENBLAS_")  # read before main
AT_START_SANITIZED = (*AT_START, "ASAN_", "UBSAN_", "LSAN_")
busy = threading.Lock()


def libraries(program, draws):
    """What commands load: the deformers, and the software rasteriser with its compiler. A sanitized program loads and unloads them as
    ever, since leaks are looked for in it."""
    if is_sanitized(program):
        return []
    return [*glob.glob(os.path.join(os.path.dirname(program), "../../deformers/*.so")),
            *(file for name in ("libEGL_mesa.so.0", "libGLX_mesa.so.0", "dri/swrast_dri.so") if draws
              for file in glob.glob("/usr/lib/*/" + name))]


@functools.cache
def server(program, draws):
    """The socket of the process."""
    ours, its = socket.socketpair()
    process = subprocess.Popen([program], pass_fds=[its.fileno()],
                               env={**os.environ, "LD_PRELOAD": LIBRARY, "START_SERVER": str(its.fileno()),
                                    "START_SERVER_LIBRARIES": ":".join(libraries(program, draws))})
    its.close()

    def end():
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


@functools.cache
def is_sanitized(program):
    with open(program, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as contents:
        return contents.find(b"__asan_init") >= 0


def read_at_start(program):
    """How the names of variables begin that the program reads before main."""
    return AT_START_SANITIZED if is_sanitized(program) else AT_START


def received(connection):
    number = connection.recv(4, socket.MSG_WAITALL)
    assert len(number) == 4, "the process that starts commands has ended"
    return struct.unpack("i", number)[0]


def read_all(pipes, process, ends):
    """What comes through the pipes until all their writers have closed them; None if that is not by then."""
    found = {pipe: [] for pipe in pipes}
    with selectors.DefaultSelector() as open_pipes:
        for pipe in pipes:
            open_pipes.register(pipe, selectors.EVENT_READ)
        while open_pipes.get_map():
            ready = open_pipes.select(max(ends - time.monotonic(), 0))
            if not ready:
                os.kill(process, signal.SIGKILL)
                break
            for key, _ in ready:
                text = os.read(key.fd, 1 << 16)
                found[key.fd].append(text)
                if not text:
                    open_pipes.unregister(key.fd)
        is_whole = not open_pipes.get_map()
    for pipe in pipes:
        os.close(pipe)
    return [b"".join(found[pipe]).decode() for pipe in pipes] if is_whole else None


def command(words, cwd, env, timeout):
    """As subprocess.run with text=True and capture_output=True."""
    changed = {name for name in {*env, *os.environ} if env.get(name) != os.environ.get(name)}
    if not LIBRARY or any(name.startswith(read_at_start(words[0])) for name in changed) or not busy.acquire(blocking=False):
        return subprocess.run(words, capture_output=True, text=True, cwd=cwd, check=False, timeout=timeout, env=env)
    try:
        connection = server(words[0], len(words) > 1 and words[1] in DRAWS)
        text = b"".join(os.fsencode(word) + b"\0" for word in
                        (os.path.abspath(cwd or "."), *words, *(f"{name}={value}" for name, value in env.items())))
        (out, to_out), (errors, to_errors) = os.pipe(), os.pipe()
        socket.send_fds(connection, [struct.pack("iii", len(words), len(env), len(text))], [0, to_out, to_errors])
        connection.sendall(text)
        os.close(to_out)
        os.close(to_errors)
        process = received(connection)
        printed = read_all((out, errors), process, time.monotonic() + timeout)
        ending = os.waitstatus_to_exitcode(received(connection))  # also after a kill: the next command's answers come behind it
        if printed is None:
            raise subprocess.TimeoutExpired(words, timeout)
        return subprocess.CompletedProcess(words, ending, *printed)
    finally:
        busy.release()
