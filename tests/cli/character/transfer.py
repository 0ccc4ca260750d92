#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sculpts of one character taken to another topology and to another body. With "long": a human, at full size, if its data are there."""

import json
import math
import sqlite3
import struct
import sys
from array import array
from contextlib import closing

from harness import answer, data, obj_points, refusal, run, sample_arm, sinew, tiny_arm


def rest_of(project):
    with closing(sqlite3.connect(project)) as database:
        values = array("d", database.execute("SELECT points_rest FROM mesh").fetchone()[0])
    return [values[i:i + 3] for i in range(0, len(values), 3)]


def diagonal(project):
    columns = list(zip(*rest_of(project)))
    return math.dist([min(c) for c in columns], [max(c) for c in columns])


def sculpts(project):
    """The edited points of each example: {name: {point: place}}."""
    found = {}
    with closing(sqlite3.connect(project)) as database:
        count = database.execute("SELECT point_count FROM mesh").fetchone()[0]
        for name, edited, points in database.execute("SELECT name, (SELECT bytes FROM array WHERE id = edited), "
                                                    "(SELECT bytes FROM array WHERE id = points_posed) FROM example"):
            values, indices = array("d", points), array("I", edited) if edited is not None else range(count)
            found[name] = {index: values[3 * i:3 * i + 3] for i, index in enumerate(indices)}
    return found


def error(one, other, count):
    """The root mean square over all points; a point that only one has is where the skin puts it, next to the edge of the sculpt."""
    return math.sqrt(sum(math.dist(one[i], other[i]) ** 2 for i in one if i in other) / count)


def without_examples(project, path):
    path.write_bytes(project.read_bytes())
    for row in answer("example", path, "list")["examples"]:
        sinew("example", path, "remove", row["name"])
        sinew("pose", path, "remove", row["pose"])
    return path


def arm_to_its_subdivided_self(folder):
    coarse, truth = sample_arm(folder / "arm.sinew"), sample_arm(folder / "fine.sinew")
    sinew("mesh", truth, "subdivide", "--scheme", "catmull-clark")
    fine = without_examples(truth, folder / "bare.sinew")
    answered = answer("example", fine, "transfer", coarse)
    (mesh,) = answered["meshes"]
    assert mesh["paired"] == mesh["joints"] > 0, answered
    assert [row["name"] for row in answered["examples"]] == ["elbow-130", "wrist-150"]
    assert all(row["residual"] < 0.05 for row in answered["examples"]), answered
    wanted, got, size = sculpts(truth), sculpts(fine), diagonal(fine)
    for name, points in wanted.items():
        away = error(points, got[name], len(rest_of(fine))) / size
        print(f"{name}: {away:.2e} of the diagonal")
        assert away < 2e-4, (name, away)
    groups = {row["name"]: [example["name"] for example in row["examples"]] for row in answer("group", fine, "list")["groups"]}
    assert groups == {"elbow": ["elbow-130"], "wrist": ["wrist-150"]}, groups
    # Again: the same examples are updated, and stay in their groups. Each transfer is one step.
    again = answer("example", fine, "transfer", coarse, "--example", "elbow-130")
    assert [(row["name"], row["updated"]) for row in again["examples"]] == [("elbow-130", True)]
    sinew("undo", fine)
    sinew("undo", fine)
    assert answer("example", fine, "list")["examples"] == []


def what_cannot_be_transferred_is_refused(folder):
    arm = tiny_arm(folder / "arm.sinew")
    bar = folder / "bar.sinew"
    sinew("sample", "bar", "-o", bar)
    assert "no examples" in refusal("example", arm, "transfer", bar)
    for joint in answer("joint", bar, "list")["joints"]:
        sinew("joint", bar, "name", joint["name"], "other-" + joint["name"])
    assert "no joint of the same name" in refusal("example", bar, "transfer", arm)
    assert "no example is named 'nothing'" in refusal("example", bar, "transfer", arm, "--example", "nothing")
    assert answer("example", bar, "list")["examples"] == []


def add_example(project, name, pose, *moves):
    sinew("pose", project, "add", pose, *moves)
    sculpt = project.with_suffix(".obj")
    sinew("export", project, "-o", sculpt, "--pose", pose)
    sinew("example", project, "add", "--name", name, "--pose", pose, "--file", sculpt, "--group", "main")


def poses_of_one_name_stay_apart(folder):
    """A pose here has the name of another one there, and the name that it then gets is that of a third one."""
    first, second = tiny_arm(folder / "first.sinew"), tiny_arm(folder / "second.sinew")
    add_example(first, "little", "bent-2", "--rotate", "elbow=0,0,0.3")
    add_example(first, "much", "bent", "--rotate", "elbow=0,0,1")
    add_example(first, "twice", "again", "--rotate", "elbow=0,0,1")
    add_example(first, "away", "shifted", "--move", "shoulder=0.1,0,0")
    for pose, rotation in (("bent", "0,0,0.7"), ("shifted", "0,0,0")):
        sinew("pose", second, "add", pose, "--rotate", f"elbow={rotation}")
    names = ("much", "little", "twice", "away")
    rows = answer("example", second, "transfer", first, *(word for name in names for word in ("--example", name)))["examples"]
    found = {row["name"]: row["pose"] for row in rows}
    assert found == {"much": "bent-2", "little": "bent-3", "twice": "again", "away": "shifted-2"}, found
    with closing(sqlite3.connect(second)) as database:
        rows = database.execute("SELECT name, joint_rotation_vectors, joint_locals FROM pose").fetchall()
    angles = {name: math.hypot(*array("d", vectors)) for name, vectors, _ in rows}
    for pose, wanted in (("bent", 0.7), ("bent-2", 1), ("bent-3", 0.3), ("again", 1), ("shifted-2", 0)):
        assert math.isclose(angles[pose], wanted, abs_tol=1e-6), (pose, angles)
    places = {name: array("d", locals_)[:3] for name, _, locals_ in rows}
    assert math.isclose(math.dist(places["shifted-2"], places["shifted"]), 0.1, abs_tol=1e-6), places
    # Once more: each finds the pose that it got.
    again = answer("example", second, "transfer", first, *(word for name in names for word in ("--example", name)))["examples"]
    assert {row["name"]: row["pose"] for row in again} == found, again
    with closing(sqlite3.connect(second)) as database:
        assert database.execute("SELECT count(*) FROM pose").fetchone()[0] == len(rows)


# ---- a human ---------------------------------------------------------------------------------------------------------------------


def other_body(source, path, scale, fat, slip=0):
    """The human of another size, its skin shifted along the normals by up to `fat` metres, and across them by up to `slip`, more in some places
    than in others."""
    whole = source.read_bytes()
    size = struct.unpack_from("<I", whole, 12)[0]
    document, blob = json.loads(whole[20:20 + size]), bytearray(whole[28 + size:])

    def begin(accessor):
        row = document["accessors"][accessor]
        return document["bufferViews"][row["bufferView"]].get("byteOffset", 0) + row.get("byteOffset", 0), row["count"]

    for primitive in document["meshes"][0]["primitives"]:
        at, count = begin(primitive["attributes"]["POSITION"])
        points = [struct.unpack_from("<3f", blob, at + 12 * i) for i in range(count)]
        first, corners = begin(primitive["indices"])
        kind = {5123: "H", 5125: "I"}[document["accessors"][primitive["indices"]]["componentType"]]
        indices = struct.unpack_from(f"<{corners}{kind}", blob, first)
        normals = {p: [0, 0, 0] for p in points}
        for k in range(0, corners, 3):
            a, b, c = (points[i] for i in indices[k:k + 3])
            u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
            normal = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
            for p in (a, b, c):
                normals[p] = [n + m for n, m in zip(normals[p], normal)]
        shifted = []
        for i, p in enumerate(points):
            normal = [n / (math.hypot(*normals[p]) or 1) for n in normals[p]]
            away = fat * (0.6 + 0.4 * math.sin(6 * p[1]) * math.cos(5 * p[0] + 1))
            drift = [slip * math.sin(4 * p[1] + c) * math.cos(3 * p[0] + 2 * c) for c in range(3)]
            along = sum(d * n for d, n in zip(drift, normal))
            shifted.append(struct.unpack("<3f", struct.pack("<3f", *(scale * x + (away - along) * n + d for x, n, d in zip(p, normal, drift)))))
            struct.pack_into("<3f", blob, at + 12 * i, *shifted[-1])
        document["accessors"][primitive["attributes"]["POSITION"]] |= {"min": [min(c) for c in zip(*shifted)], "max": [max(c) for c in zip(*shifted)]}
    for skin in document["skins"]:
        at, count = begin(skin["inverseBindMatrices"])
        for k in (at + 64 * i + 4 * c for i in range(count) for c in (12, 13, 14)):
            struct.pack_into("<f", blob, k, scale * struct.unpack_from("<f", blob, k)[0])
    for node in document["nodes"]:
        if "translation" in node:
            node["translation"] = [scale * x for x in node["translation"]]
    document.pop("animations", None)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob)) + struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(blob), b"BIN\0") + blob)
    return path


NAMES = ("elbow120", "hip90", "neck60")


def human(folder):
    project, folder_of = folder / "human.sinew", data("human-sculpts")
    sinew("import", data("human-rig") / "human.glb", "-o", project)
    for name in NAMES:
        sinew("pose", project, "add", name, "--file", folder_of / f"{name}.json")
        sinew("example", project, "add", "--name", name, "--pose", name, "--group", name, "--file", folder_of / f"{name}-target.obj")
    return project


def human_to_its_subdivided_self(folder):
    coarse, truth = human(folder), folder / "fine.sinew"
    truth.write_bytes(coarse.read_bytes())
    sinew("mesh", truth, "subdivide", "--scheme", "catmull-clark")
    fine = without_examples(truth, folder / "bare.sinew")
    sinew("example", fine, "transfer", coarse)
    wanted, got, size = sculpts(truth), sculpts(fine), diagonal(fine)
    for name in NAMES:
        away = error(wanted[name], got[name], len(rest_of(fine))) / size
        print(f"{name}: {away:.2e} of the diagonal")
        assert away < 1e-4, (name, away)


def edits(project, folder, name, scale=1):
    sinew("export", project, "-o", folder / "below.obj", "--pose", name, "--method", "linear-blend")
    below = obj_points(folder / "below.obj")
    return {i: [scale * (a - b) for a, b in zip(p, below[i])] for i, p in sculpts(project)[name].items()}


def human_to_a_larger_and_fatter_body(folder):
    """The truth: the same edits of the same points, larger as the body is."""
    first, second = human(folder), folder / "other.sinew"
    for fat, slip, most in ((0.005, 0, 0.04), (0.01, 0, 0.08), (0.005, 0.005, 0.2), (0.005, 0.01, 0.35)):
        sinew("import", other_body(data("human-rig") / "human.glb", folder / "other.glb", 1.1, fat, slip), "-o", second, "--replace")
        sinew("example", second, "transfer", first)
        for name in NAMES:
            wanted, got = edits(first, folder, name, 1.1), edits(second, folder, name)
            none = [0, 0, 0]
            lost = sum(math.dist(wanted.get(i, none), got.get(i, none)) ** 2 for i in {*wanted, *got})
            share = math.sqrt(lost / sum(math.hypot(*edit) ** 2 for edit in wanted.values()))
            print(f"{name}, {1000 * fat:.0f} mm, slip {1000 * slip:.0f} mm: {100 * share:.1f} % of the sculpt")
            assert share < most, (name, fat, slip, share)


run([human_to_its_subdivided_self, human_to_a_larger_and_fatter_body] if "long" in sys.argv[2:] else
    [arm_to_its_subdivided_self, what_cannot_be_transferred_is_refused, poses_of_one_name_stay_apart])
