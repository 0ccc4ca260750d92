#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on for Blender, in Blender without a window: blender.py SINEW few|KILLS

`few` sends a character, brings sculpts back and holds the drives to test vectors. A number is how many times Blender, or the
program that it runs, is killed at a random moment: both files have to open, and to hold all that was acknowledged."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from harness import SINEW, Skip, answer, environment, random_seed, run, sinew, tiny_arm
from skin_vectors import THIN_PLATE

HERE = Path(__file__).resolve().parent
ADDONS = HERE.parents[1] / "plugins" / "blender"
CLOSE = 1e-6


def need_blender():
    if not shutil.which("blender"):
        raise Skip("no blender")


def start(case, *words):
    need_blender()
    script = HERE / "in_blender.py"
    command = ["blender", "-b", "--factory-startup", "-P", script, "--", ADDONS, Path(SINEW).resolve(), case, *words]
    # Debian's Blender takes the first Python of PATH for its own.
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={**os.environ, "PATH": os.defpath})


def said(line):
    return json.loads(line[5:]) if line.startswith("JSON ") else None


def blender(case, *words):
    out, _ = start(case, *words).communicate(timeout=300)
    lines = [words for words in map(said, out.splitlines()) if words]
    assert lines, out
    return lines[-1][0], out


def a_sculpt_goes_and_comes_back_live(folder):
    found, out = blender("there_and_back", folder / "scene.blend", folder / "none")
    print(json.dumps(found))
    assert "save the file first" in found["unsaved"] and "use Open in Sinew" in found["early"], found
    assert found["sent"] and found["plain"] == "shapes with drivers: 0; helper bones: 0; vertices with other weights: 0", found
    assert found["sculpt"] < CLOSE, found  # what was sculpted is what the drivers show
    assert abs(found["full"][0] - 1) < CLOSE and abs(found["half"][0] - 0.5 ** 1.5) < CLOSE, found
    assert abs(found["reopened"][0] - 0.5 ** 1.5) < CLOSE and found["constrained"][0] > 0.1, found
    assert "has an example" in found["again"] and "is scaled" in found["scaled"], found
    assert found["followed"].startswith("shapes with drivers: 1"), found
    assert found["followed mute"].startswith("shapes with drivers: 0") and found["muted"] == [], found
    assert found["unmuted"][0] > 0.3 and found["influences"] == 1 and "not sent again" in found["sent twice"], found
    assert "helper bones: 1" in found["followed helpers"] and found["helpers"] < 1e-5, found
    assert found["not finite"] == [0] and out.count("plays its linear blend alone: its pose is not finite") == 1, (found, out)
    assert "no bone 'lower'" in found["renamed"] and "are not those of the project" in found["moved"], found
    assert "set the program" in found["no program"], found
    (example,) = answer("example", folder / "rig.sinew", "list")["examples"]
    assert example["name"] == "bent it's", example


def vectors_hold_the_drives(folder):
    need_blender()

    def files():
        thin = tiny_arm(folder / "thin.sinew")
        sinew("fit", "inverse-psd", thin, *THIN_PLATE)
        yield tiny_arm(folder / "cone.sinew", fitted=True)
        yield thin
        for method, *words in (("helper-joints", "--set", "helpers=3"), ("pose-regression",)):
            project = tiny_arm(folder / f"{method}.sinew")
            sinew("fit", method, project, "--clip", "both", *words)
            yield project

    names = []
    for project in files():
        names.append(project.with_suffix(""))
        sinew("export", project, "-o", project.with_suffix(".snwskin"), "--vectors", project.with_suffix(".vectors"),
              "--allow-error", "100")
    found, _ = blender("vectors", 7, *names)
    print(found)
    assert len(found) == 4 and max(found.values()) < CLOSE, found


DAMAGES = """
import random, sys
sys.path.insert(0, sys.argv[1])
import skin
chance, whole, opened = random.Random(int(sys.argv[3])), open(sys.argv[2], "rb").read(), 0
for i in range(400):
    bytes_ = bytearray(whole)
    for _ in range(1 + i % 3):
        bytes_[chance.randrange(1000 if i % 2 else len(bytes_))] = chance.randrange(256)
    try:
        skin.Skin(bytes(bytes_[:chance.randrange(len(bytes_))] if i % 5 == 0 else bytes_))
        opened += 1
    except ValueError:
        pass
print(opened)
"""


def damaged_skins_are_refused(folder):
    if subprocess.run(["/usr/bin/python3", "-c", "import numpy"], capture_output=True, check=False).returncode:
        raise Skip("no NumPy for /usr/bin/python3")
    sinew("export", tiny_arm(folder / "arm.sinew", fitted=True), "-o", folder / "arm.snwskin")
    words = [ADDONS / "sinew", folder / "arm.snwskin", random_seed() % 1000]
    said = subprocess.run(["/usr/bin/python3", "-B", "-c", DAMAGES, *map(str, words)], capture_output=True, text=True, check=False, timeout=120)
    assert said.returncode == 0 and 0 < int(said.stdout) < 400, said.stderr


# ---- kills ------------------------------------------------------------------------------------------------------------------


class Worker:
    """A Blender that works, and what it has acknowledged so far."""

    def __init__(self, blend, seed, first):
        self.process, self.lines = start("work", blend, seed, first), []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            words = said(line)
            if words:
                self.lines.append(words)

    def wait_until_open(self):
        while not self.lines and self.process.poll() is None:
            time.sleep(0.05)
        assert self.lines and self.lines[0][0] == "opened", "the scene does not open"
        return set(self.lines[0][1])

    def wait_for_answers(self, count):
        until = len(self.lines) + count
        while len(self.lines) < until and self.process.poll() is None:
            time.sleep(0.05)

    def children(self):
        for path in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            try:
                yield from map(int, path.read_text().split())
            except OSError:  # the thread has ended
                pass

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()


def acknowledged(lines, kind):
    return [words[1] for words in lines if words[0] == kind]


def both_files_survive_kills(folder):
    chance, blend, examples, shapes = random.Random(random_seed()), folder / "scene.blend", set(), set()
    project, counts = Path(blender("begin", blend)[0]["project"]), {"blender": 0, "sinew": 0}
    worker, first = None, 0
    while sum(counts.values()) < int(sys.argv[2]):
        if worker is None:
            worker = Worker(blend, chance.randrange(1 << 30), first)
            assert worker.wait_until_open() >= shapes, (worker.lines, shapes)
        worker.wait_for_answers(chance.randrange(3))
        time.sleep(chance.uniform(0, 2))
        if chance.random() < 0.5:
            for child in worker.children():
                try:
                    os.kill(child, signal.SIGKILL)
                    counts["sinew"] += 1
                except ProcessLookupError:  # it has ended by itself
                    pass
        else:
            worker.kill()
            counts["blender"] += 1
        lines = list(worker.lines)
        examples |= set(acknowledged(lines, "example"))
        shapes = set((acknowledged(lines, "saved") or [shapes])[-1])
        there = {example["name"] for example in answer("example", project, "list")["examples"]}
        assert there >= examples, (examples - there, lines)
        if worker.process.returncode is not None:
            worker, first = None, first + 1000
    if worker:
        worker.kill()
    print(f"{counts} killed,", len(examples), "examples and", len(shapes), "shapes were acknowledged, and are there")
    assert min(counts.values()) > 0 and examples


if sys.argv[2] == "few":
    run((damaged_skins_are_refused, a_sculpt_goes_and_comes_back_live, vectors_hold_the_drives))
else:
    run((both_files_survive_kills,))
