#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged files of every format that is here, imported: a project that can be looked at and exported, or one line and nothing on the disk.
The second argument is how many; a third is a folder of more files to damage."""

import os
import random
import shutil
import sys
from pathlib import Path

from harness import DATA, random_seed, run, sinew, tiny_arm

COUNT = int(sys.argv[2])
MORE = sys.argv[3:]
ENDINGS = {".glb", ".gltf", ".fbx", ".obj", ".dae", ".bvh", ".ply", ".off", ".stl", ".3ds", ".ase", ".x", ".ac", ".lwo", ".amf", ".nff", ".cob",
           ".raw", ".dxf", ".smd", ".b3d", ".ogex", ".m3d", ".ms3d", ".hmp", ".x3d", ".xgl", ".zgl", ".3d", ".blend", ".iqm", ".md5mesh"}
LARGEST = 100_000
EXTREMES = ("0", "-1", "nan", "inf", "-inf", "1e308", "1e-320", "2147483647", "4294967295", "9223372036854775807", "-2147483649", "", "{", "}", "0x")
SECONDS = 20  # Assimp computes on some files without an end


def sources(folder):
    """Small files of the sample, of the tests and of other programs."""
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    made = []
    for name in ("arm.glb", "arm.gltf", "arm.fbx", "arm.obj"):
        sinew("export", project, "-o", folder / name, *(("--pose", "rest") if name.endswith("obj") else ()))
        made.append(folder / name)
    for place in (os.environ.get("SINEW_TEST_SMALL_DATA"), DATA and Path(DATA) / "cases", *MORE):
        made += sorted(path for path in Path(place).rglob("*") if path.suffix.lower() in ENDINGS) if place else []
    return [path for path in made if path.is_file() and path.stat().st_size <= LARGEST]


def damage_text(data):
    """Numbers replaced by extreme ones: they pass where damaged bytes are refused at once."""
    words = data.split(b" ")
    for _ in range(random.randint(1, 4)):
        words[random.randrange(len(words))] = random.choice(EXTREMES).encode()
    return b" ".join(words)


def damage_bytes(data):
    data = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at, length = random.randrange(len(data) + 1), random.choice((1, 2, 4, 8, 64))
        kind = random.randrange(5)
        if kind == 0:
            data[at:at + 1] = bytes(byte ^ 1 << random.randrange(8) for byte in data[at:at + 1])
        elif kind == 1:
            data[at:at + 4] = random.choice((b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\0\0\xc0\x7f", b"\0\0\x80\x7f", b"\0\0\0\0"))
        elif kind == 2:
            del data[at:at + length]
        elif kind == 3:
            data[at:at] = data[at:at + length]
        else:
            del data[max(at, 1):]
    return bytes(data) or b"\0"


def import_one(number, source, folder):
    place = folder / "here"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    data = source.read_bytes() or b"\0"
    file, project = place / f"a{source.suffix}", place / "p.sinew"
    is_text = b"\0" not in data[:1000]
    file.write_bytes(damage_text(data) if is_text and random.random() < 0.6 else damage_bytes(data))
    before = file.read_bytes()
    where = f"{source.name}, number {number}"
    done = sinew("import", file, "-o", project, "--seconds", SECONDS, status=None)
    lines = [line for line in done.stderr.splitlines() if line.startswith("sinew")]
    assert file.read_bytes() == before, where
    if done.returncode == 0:
        sinew("info", project)
        if number % 10 == 0:
            sinew("export", project, "-o", place / "o.glb")
            sinew("import", place / "o.glb", "-o", place / "again.sinew")
        return "read"
    assert done.returncode == 1 and len(lines) == 1 and [path.name for path in place.iterdir()] == [file.name], (where, done.returncode, done.stderr)
    assert "Sanitizer" not in done.stderr and "runtime error" not in done.stderr, (where, done.stderr)
    return "stopped" if "longer than" in lines[0] else "refused"


def damaged_files_are_imported_or_refused(folder):
    files = sources(folder)
    seed, ends, failed = random_seed(), {"read": 0, "refused": 0, "stopped": 0}, []
    for number in range(COUNT):
        random.seed(f"{seed} {number}")
        try:
            ends[import_one(number, random.choice(files), folder)] += 1
        except AssertionError as fault:
            failed.append(number)
            print(f"number {number}: {fault}", flush=True)
            shutil.copytree(folder / "here", Path(os.environ.get("SINEW_KEEP_FAILED", folder)) / f"failed-{number}", dirs_exist_ok=True)
        if number % 100 == 99:
            print(f"{number + 1} damaged copies of {len(files)} files: {ends}, {len(failed)} failed", flush=True)
    assert not failed and (COUNT < 100 or ends["read"] > 0), (failed, ends)  # some copies are whole enough to be read


if __name__ == "__main__":
    run([damaged_files_are_imported_or_refused])
