#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Verbs that list what a project holds do not read the frames, the pictures and the history."""

import os
import sqlite3
import struct
from pathlib import Path

from harness import SINEW, Skip, answer, run, sinew, tiny_arm

SIDE = 60  # points along the side of a grid


def write_sequence(folder, name, frames):
    """The project of a grid that moves for some frames."""
    rest, cache, project = folder / f"{name}.obj", folder / f"{name}.pc2", folder / f"{name}.sinew"
    points = [(x / SIDE, 0, z / SIDE) for z in range(SIDE) for x in range(SIDE)]
    with open(rest, "w") as file:
        for point in points:
            file.write("v %g %g %g\n" % point)
        for z in range(SIDE - 1):
            for x in range(1, SIDE):
                corner = z * SIDE + x
                file.write(f"f {corner} {corner + 1} {corner + SIDE + 1} {corner + SIDE}\n")
    with open(cache, "wb") as file:
        file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(points), 0, 1, frames))
        for frame in range(frames):
            file.write(struct.pack(f"<{3 * len(points)}f", *(value for x, _, z in points for value in (x, 0.1 * frame * x * x, z))))
    sinew("import", "--sequence", cache, "--rest", rest, "-o", project)
    return project


def bytes_read(*words):
    """What a command reads from files, its children not counted."""
    process = os.posix_spawn(SINEW, [SINEW, *map(str, words)], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    ended = os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
    try:
        counts = dict(line.split(": ") for line in Path(f"/proc/{process}/io").read_text().splitlines())
    except OSError as reason:
        raise Skip(f"the system does not count what a process reads: {reason}") from reason
    finally:
        os.waitpid(process, 0)
    assert ended.si_status == 0, (words, ended)
    return int(counts["rchar"])


LISTS = (("info",), ("stack", "list"), ("pose", "list"), ("example", "list"), ("group", "list"), ("history",))


def frames_pictures_and_history_are_not_read(folder):
    few, many = write_sequence(folder, "few", 10), write_sequence(folder, "many", 130)
    with sqlite3.connect(many) as file:
        file.execute("INSERT INTO image (name, media, bytes) VALUES ('large', 'image/png', zeroblob(5000000))")
        file.execute("INSERT INTO journal_change (journal, position, changeset) VALUES (1, 0, zeroblob(5000000))")
    file.close()
    more = many.stat().st_size - few.stat().st_size
    assert more > 10e6
    bytes_read("info", few)  # plug-ins are tried once
    for verb, *action in LISTS:
        read = bytes_read(verb, many, *action) - bytes_read(verb, few, *action)
        assert read < 0.05 * more, f"{verb} reads {read} bytes of {more}"
    assert answer("info", many)["targets"][0]["frames"] == 130


def change_of_frames_is_noticed_without_them(folder):
    project = tiny_arm(folder / "p.sinew")
    frames = [folder / "bend.pc2", folder / "other.pc2"]
    sinew("export", project, "--clip", "bend", "-o", frames[0])
    data = bytearray(frames[0].read_bytes())
    struct.pack_into("<f", data, len(data) - 4, struct.unpack_from("<f", data, len(data) - 4)[0] + 0.01)
    frames[1].write_bytes(data)

    def stale():
        found = answer("info", project)["summary"]["stale"]
        assert found == [row["name"] for row in answer("stack", project, "list")["layers"] if row["stale"]]
        return found

    sinew("target", project, "add", "--clip", "bend", "--file", frames[0], "--name", "mine", "--fps", "24")
    sinew("fit", "linear-blend-fit", project, "--clip", "bend")
    assert stale() == []
    sinew("target", project, "add", "--clip", "bend", "--file", frames[1], "--name", "mine", "--fps", "24")
    assert stale() == ["linear-blend-fit"]
    sinew("undo", project)
    assert stale() == []


def damaged_frames_end_the_list_with_words(folder):
    """Pages that repeat rows without end."""
    project = write_sequence(folder, "many", 40)
    data = bytearray(project.read_bytes())
    with sqlite3.connect(project) as file:
        page, = file.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'target_frame'").fetchone()
        size, = file.execute("PRAGMA page_size").fetchone()
    file.close()
    start = (page - 1) * size
    assert data[start] == 2, "the root is an interior page"
    for offset in range(start + 8, start + 12):  # its rightmost child is the page itself
        data[offset] = (page >> (8 * (start + 11 - offset))) & 255
    project.write_bytes(data)
    for verb in ("info", "render"):
        words = ("-o", folder / "p.png") if verb == "render" else ()
        line = sinew(verb, project, *words, status=1, timeout=60).stderr
        assert "damaged" in line and "backup" in line, line


run([frames_pictures_and_history_are_not_read, change_of_frames_is_noticed_without_them,
     damaged_frames_end_the_list_with_words])
