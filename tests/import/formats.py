#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of formats in README.md and docs/formats.md: each file of tests/data, of the large test data and of Debian's
assimp-testmodels is imported. It is right if the box of its points at rest is that of Blender 3.4 (format_boxes.json, which
format_boxes.py makes), within 0.1 % of the diagonal.

usage: formats.py SINEW         compares the table with the pages; 77 where some of the files are not here
       formats.py SINEW print   prints the table, and the files that are otherwise than in Blender"""

import concurrent.futures
import json
import math
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"small": ROOT / "tests" / "data", "data": Path(os.environ.get("SINEW_TEST_DATA") or "/none"),
           "assimp": Path("/usr/share/assimp/models")}
FORMATS = {"glTF 2.0": ("gltf", "glb"), "FBX": ("fbx",), "Collada": ("dae",), "OBJ": ("obj",), "PLY": ("ply",), "STL": ("stl",),
           "others, by Assimp": tuple("3d 3ds 3mf ac amf ase b3d cob csm dxf hmp iqm irr irrmesh lwo lws md2 md5mesh mdc mdl ms3d nff off ogex "
                                      "q3o q3s raw sib smd ter wrl x x3d xgl zgl".split())}
PAGES = ("README.md", "docs/formats.md")
HEAD = ("| format | files tried | right | otherwise in Blender | read, not compared | refused |", "|---|---|---|---|---|---|")


def is_tried(name, path):
    """Not the frames of sequences, which are one thing of many files."""
    return path.is_file() and (name != "data" or path.suffix != ".obj" or path.parent.name in ("quads", "cases"))


def list_files():
    """The format of each file, by a name that says which folder it is in."""
    found = {}
    for folder, root in FOLDERS.items():
        for path in sorted(root.rglob("*")):
            for name, endings in FORMATS.items():
                if path.suffix.lower()[1:] in endings and is_tried(folder, path):
                    found[f"{folder}:{path.relative_to(root)}"] = name
    return found


def path_of(file):
    folder, name = file.split(":", 1)
    return FOLDERS[folder] / name


def box_of(project):
    """The box of the points that faces have."""
    with sqlite3.connect(project) as rows:
        meshes = rows.execute("SELECT points_rest, face_points FROM mesh").fetchall()
    rows.close()
    used = [struct.unpack_from("<3d", points, 24 * point)
            for points, corners in meshes for point in set(struct.unpack(f"<{len(corners) // 4}I", corners))]
    return [[f(p[c] for p in used) for c in range(3)] for f in (min, max)]


def are_alike(box, other):
    diagonal = math.dist(*box)
    return all(abs(a - b) <= 1e-3 * diagonal for p, q in zip(box, other) for a, b in zip(p, q))


def try_file(sinew, file, boxes):
    """Which column the file is in."""
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as folder:
        project = Path(folder) / "made.sinew"
        result = subprocess.run([sinew, "import", path_of(file), "-o", project], capture_output=True, text=True, check=False, timeout=300)
        assert result.returncode in (0, 1), f"{file}: status {result.returncode}: {result.stderr}"
        if result.returncode == 1:
            return "refused"
        box = boxes.get(file)
        return "read, not compared" if not box else "right" if are_alike(box_of(project), box) else "otherwise in Blender"


def make_table(sinew):
    files = list_files()
    boxes = json.loads((Path(__file__).parent / "format_boxes.json").read_text(encoding="utf-8"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        columns = dict(zip(files, pool.map(lambda file: try_file(sinew, file, boxes), files)))
    names = [name.strip() for name in HEAD[0].strip("| ").split("|")][2:]
    lines = list(HEAD)
    for kind in FORMATS:
        of_kind = [columns[file] for file in files if files[file] == kind]
        lines.append(f"| {kind} | {len(of_kind)} | " + " | ".join(str(of_kind.count(name)) for name in names) + " |")
    return lines, [file for file in files if columns[file] == "otherwise in Blender"]


def main():
    missing = [str(root) for root in FOLDERS.values() if not root.is_dir()]
    if missing:
        print("skipped: not here:", ", ".join(missing))
        sys.exit(77)
    table, otherwise = make_table(sys.argv[1])
    print("\n".join(table))
    if len(sys.argv) > 2:
        print("\n".join(f"otherwise: {file}" for file in otherwise))
        return
    wrong = [page for page in PAGES if "\n".join(table) not in (ROOT / page).read_text(encoding="utf-8")]
    assert not wrong, f"{' and '.join(wrong)} do not have this table"


if __name__ == "__main__":
    main()
