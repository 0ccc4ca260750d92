#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of the main verbs fail in turn, as SQLite tests itself: those that write, sync, truncate, open, create, move or remove files or
that start a worker; those that read, map, lock and ask about files; and allocations (fail_call.c lists them). Calls inside the C library
(fopen's) are not among them. Those of a worker fail on their own: a worker gets no LD_PRELOAD from the program, but from a script in its
place. Whatever fails: no signal, no hang, the project opens, it holds all of the change or nothing of it, the message says which, and a
file that the command writes is whole or as it was.

A sample of the calls without SINEW_EVERY_CALL, of one kind for each command, and all of them where a command writes a file in few; all of
them with it. SINEW_PART=2/8: the second of eight
parts of these.

usage: failing_calls.py SINEW LIBRARY [CASE…]. SINEW is a release: a sanitizer has an allocator of its own."""

import functools
import json
import os
import random
import shutil
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

from harness import SINEW, made, random_seed, run, sinew, tiny_arm

SHIM = Path(sys.argv[2])
EVERY = "SINEW_EVERY_CALL" in os.environ
SAMPLE = int(os.environ.get("SINEW_FAILED_CALLS", "1"))
PART, PARTS = map(int, os.environ.get("SINEW_PART", "1/1").split("/"))
CASES = sys.argv[3:]
KINDS = ("io", "reads", "memory")
FEW = 10
UNCHANGED, CHANGED = "nothing in the project was changed", "what this command changed before that is in"


def contents(project):
    """Everything that a project holds, except the times at which it was made and changed."""
    copy = project.with_suffix(".copy")
    for end in ("", "-journal"):
        Path(f"{copy}{end}").unlink(missing_ok=True)
        if Path(f"{project}{end}").exists():
            shutil.copy(f"{project}{end}", f"{copy}{end}")
    with sqlite3.connect(copy) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = {table: [row[1] for row in file.execute(f'PRAGMA table_info("{table}")') if row[1] not in ("time", "created")] for table in tables}
        found = {table: Counter(file.execute(f'SELECT {", ".join(columns[table])} FROM "{table}"')) for table in tables}
    file.close()
    return found


def worker_with(folder, env):
    """A script that starts the worker with the library."""
    worker = next(path for path in (Path(SINEW).parents[2] / "host" / "sinew-worker", Path(SINEW).with_name("sinew-worker")) if path.exists())
    script = folder / "worker.sh"
    given = " ".join(shlex.quote(f"{name}={value}") for name, value in {**env, "LD_PRELOAD": SHIM}.items())
    script.write_text(f'#!/bin/sh\nexec env {given} {shlex.quote(str(worker))} "$@"\n')
    script.chmod(0o700)
    return {"SINEW_WORKER": str(script)}


def call(words, env, worker_of=None):
    """The exit status and standard error of a command; a signal or a hang is a fault by itself. `worker_of`: a folder; the library is
    loaded into the worker instead."""
    injected = worker_with(worker_of, env) if worker_of else {**env, "LD_PRELOAD": str(SHIM)}
    done = subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, check=False, timeout=120,
                          env={**os.environ, "SDL_VIDEODRIVER": "offscreen", **injected})
    name = signal.Signals(-done.returncode).name if done.returncode < 0 else ""
    assert not name, f"{name} with {env}: {done.stderr[-500:]}"
    return done.returncode, done.stderr


def check_made(ended, made, whole, env):
    """A file that was there before is as it was, or the whole new one is in its place. A layer whose plug-in cannot be read is left out of
    it, with words."""
    status, words = ended
    found = made.read_bytes() if made.exists() else None
    where = f"{env}: status {status}, {words[-400:]!r}"
    if status == 0:
        assert found == whole or (found not in (None, OLD) and "is left out" in words), f"{made} is not what it should be {where}"
    else:
        assert found in (OLD, whole), f"{made} is neither as it was nor whole {where}"


def check_outcome(ended, before, after, states, env):
    """Compares the message of a command with the state of the project."""
    status, words = ended
    where = f"{env}: status {status}, {words[-400:]!r}"
    assert after in states, f"the project is in no expected state {where}"
    if status == 0:
        assert after == states[-1] or "warning" in words, f"it succeeded, but not all of the change is there {where}"
    else:
        assert words.strip(), f"no message {where}"
    if UNCHANGED in words:
        assert after == before, f"the project was changed {where}"
    if CHANGED in words:
        assert after != before or before == states[-1], f"the project was not changed {where}"
    if status == 1 and after != before:
        assert CHANGED in words, f"the message does not mention the change {where}"


OLD = b"what was there before"


def is_same(kept, project):
    """The same bytes, and no journal beside them: the contents need not be compared."""
    return not Path(f"{project}-journal").exists() and kept.read_bytes() == project.read_bytes()


def restore(kept, project, made):
    shutil.copy(kept, project)
    if made:
        made.write_bytes(OLD)
    for end in ("-journal", "-wal", "-shm"):
        Path(f"{project}{end}").unlink(missing_ok=True)


def chosen_calls(calls, are_few):
    every = range(1, calls + 1)
    sample = every if EVERY or are_few else sorted(random.sample(every, min(SAMPLE, calls)))
    return sample[PART - 1::PARTS]


def fail_each_call(folder, kind, project, words, states=None, worker_of=None, made=None, more=None):
    """`states`: what the project may also hold at the end, besides what it holds before and after the whole command. `made`: the file
    that the command writes. `more`: of the environment."""
    kept, count = folder / "kept.sinew", folder / "count"
    shutil.copy(project, kept)
    before = contents(project)
    env = {"FAIL_KIND": kind, "FAIL_COUNT": str(count), **(more or {})}
    status, text = call(words, env, worker_of)
    assert status == 0, text
    states = [before, *(states or []), contents(project)]
    whole = made.read_bytes() if made else None
    calls = int(count.read_text())
    assert calls > 0, f"{kind}: no call of {words} could fail"
    are_few = bool(made) and calls <= FEW  # those that write a file
    chosen = chosen_calls(calls, are_few)
    for at in chosen:
        for on in ({},) if kind == "memory" or (are_few and not EVERY) else ({}, {"FAIL_ON": "1"}):
            restore(kept, project, made)
            injected = {"FAIL_KIND": kind, "FAIL_AT": str(at), **on, **(more or {})}
            ended = call(words, injected, worker_of)
            check_outcome(ended, before, before if is_same(kept, project) else contents(project), states, injected)
            if made:
                check_made(ended, made, whole, injected)
    restore(kept, project, made)
    print(f"{kind}{' of the worker' if worker_of else ''}: {len(chosen)} of {calls} calls failed in turn: {' '.join(map(str, words))[:80]}", flush=True)


@functools.cache
def files():
    """What can be read into a project of the tiny arm: a sculpt, frames, the mesh at rest and the whole character."""
    folder = Path(made().name)
    project = tiny_arm(folder / "arm.sinew")
    sculpt, frames, rest, whole = (folder / name for name in ("sculpt.obj", "frames.pc2", "rest.obj", "arm.glb"))
    sinew("export", project, "--pose", "both", "-o", sculpt)
    sinew("export", project, "--clip", "bend", "-o", frames)
    sinew("export", project, "--pose", "rest", "-o", rest)
    sinew("export", project, "-o", whole)
    return sculpt, frames, rest, whole


def in_turn(commands, kind):
    """Those that fail in calls of this kind: each in one kind, which the seed chooses, or all in all kinds."""
    seed = random_seed()
    random.seed(seed)
    return commands if EVERY else commands[(KINDS.index(kind) + seed) % len(KINDS)::len(KINDS)]


def fail_calls_of_verbs(folder, kind):
    project, glb, png = tiny_arm(folder / "p.sinew", fitted=True), folder / "out.glb", folder / "out.png"
    sinew("pose", project, "add", "first")
    commands = [
        (("info", project), {}), (("measure", project), {}), (("pose", project, "add", "second"), {}), (("undo", project), {}),
        (("history", project, "--save"), {}), (("stack", project, "mute", "inverse-psd"), {}), (("history", project, "--forget"), {}),
        (("export", project, "-o", glb), {"made": glb}), (("fit", "inverse-psd", project, "--layer", "again"), {}),
        (("render", project, "-o", png, "--size", "64x64"), {"made": png, "more": {"FAIL_OWN": "1"}})]
    for words, more in in_turn(commands, kind):
        fail_each_call(folder, kind, project, words, **more)


def fail_calls_of_verbs_that_read_files(folder, kind):
    """Those of the program, which starts the worker. Nothing is refitted: each command commits once."""
    project = tiny_arm(folder / "p.sinew")
    sculpt, frames, _, whole = files()
    other = folder / "other.sinew"  # of triangles, as the file
    sinew("import", whole, "-o", other)
    commands = [(project, ("import", whole, "-o", project)), (other, ("reimport", other, whole)),
                (project, ("example", project, "add", "--name", "mine", "--pose", "both", "--file", sculpt)),
                (project, ("target", project, "add", "--clip", "bend", "--file", frames, "--fps", "24", "--name", "mine"))]
    for changed, words in in_turn(commands, kind):
        fail_each_call(folder, kind, changed, words)


def fail_calls_of_the_worker(folder, kind):
    """Of imports, of files that are read for a command, and of fits. Nothing is refitted: each command has one worker."""
    project = tiny_arm(folder / "p.sinew")
    sculpt, frames, rest, whole = files()
    commands = [("import", whole, "-o", project), ("import", rest, "-o", project),
                ("import", "--sequence", frames, "--rest", rest, "-o", project),
                ("example", project, "add", "--name", "mine", "--pose", "both", "--file", sculpt),
                ("target", project, "add", "--clip", "bend", "--file", frames, "--fps", "24", "--name", "mine"),
                ("fit", "inverse-psd", project), ("fit", "linear-blend-fit", project)]
    for words in in_turn(commands, kind):
        fail_each_call(folder, kind, project, words, worker_of=folder)


def each(calls, kind):
    """A case, by the name that it has on the command line."""
    def case(folder):
        calls(folder, kind)
    case.__name__ = f"{calls.__name__.replace('fail_calls_of', 'failing')}_{kind}"
    return case


def poses_beside_a_character_are_whole_or_refused(folder):
    """The allocations before the file of the poses is in place are found by bisection; the last of them are for its text."""
    project, kept, made, count = tiny_arm(folder / "p.sinew"), folder / "kept.sinew", folder / "made.json", folder / "count"
    shutil.copy(project, kept)
    words = ("target", project, "make", made.with_suffix(".glb"))

    def fail_at(at):
        restore(kept, project, None)
        for path in (made, made.with_suffix(".glb")):
            path.unlink(missing_ok=True)
        return call(words, {"FAIL_KIND": "memory", "FAIL_AT": str(at), "FAIL_COUNT": str(count)})

    status, text = fail_at(0)
    assert status == 0, text
    whole, low, high = made.read_text(), 0, int(count.read_text())
    while high - low > 1:
        middle = (low + high) // 2
        fail_at(middle)
        low, high = (low, middle) if made.exists() else (middle, high)
    for at in range(low - 100, low, 10 if EVERY else 30):
        status, text = fail_at(at)
        assert status != 0 and f"{made}: out of memory" in text and not made.exists(), f"allocation {at}: {text}"
    fail_at(high)
    assert made.read_text() == whole


def import_that_ends_without_memory_says_that_the_project_is_there(folder):
    """The last allocations come after the new project has its name. Another project is there before."""
    project, kept, count = tiny_arm(folder / "p.sinew"), folder / "kept.sinew", folder / "count"
    _, _, _, character = files()
    shutil.copy(project, kept)
    for words in (("import", character, "-o", project, "--replace"), ("sample", "tiny-arm", "-o", project, "--replace")):
        restore(kept, project, None)
        before = contents(project)
        assert call(words, {"FAIL_KIND": "memory", "FAIL_COUNT": str(count)})[0] == 0
        states, calls = [before, contents(project)], int(count.read_text())
        for at in range(calls - 4, calls + 1):
            restore(kept, project, None)
            injected = {"FAIL_KIND": "memory", "FAIL_AT": str(at)}
            check_outcome(call(words, injected), before, contents(project), states, injected)


def change_with_a_refit_says_what_is_in_the_project(folder):
    """Two commits: the sculpt, and the fit of it."""
    random.seed(random_seed())
    project = tiny_arm(folder / "p.sinew", fitted=True)
    alone = tiny_arm(folder / "alone.sinew", fitted=True)
    name = next(row.split()[0] for row in sinew("example", project, "list").stdout.splitlines())
    words = ("example", project, "mute", name)
    env = {**os.environ, "SINEW_WORKER": "/bin/false"}  # the refit fails, and only warns
    sinew("example", alone, "mute", name, env=env)
    fail_each_call(folder, "io", project, words, [contents(alone)])


cases = [*(each(calls, kind) for calls in (fail_calls_of_verbs, fail_calls_of_verbs_that_read_files, fail_calls_of_the_worker) for kind in KINDS),
         poses_beside_a_character_are_whole_or_refused, import_that_ends_without_memory_says_that_the_project_is_there, change_with_a_refit_says_what_is_in_the_project]
unknown = set(CASES) - {case.__name__ for case in cases}
if unknown:
    sys.exit(f"failing_calls.py: no case has the name {', '.join(sorted(unknown))}")
run([case for case in cases if not CASES or case.__name__ in CASES])
