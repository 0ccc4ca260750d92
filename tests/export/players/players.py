#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported files in players that others wrote, as they are and through packers: players.py SINEW FOLDER few|all

They play within 1e-5 of the diagonal of what the export reported, and after a packer within 1.2 times the loss that was reported for that. The
packages are installed into FOLDER; where node or the network is missing the cases skip and say so, and so do those of Blender and of VTK
(Debian's python3-vtk9) where these are."""

import functools
import importlib
import json
import shutil
import subprocess
import sys
import types
from pathlib import Path

from harness import Skip, answer, data, made, run, sinew, tiny_arm

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from npm_packages import install  # noqa: E402 pylint: disable=wrong-import-position

FOLDER = Path(sys.argv[2])
PACKAGES = HERE / ("package-all.json" if sys.argv[3] == "all" else "package.json")
ROUNDING = 1e-3  # percent: 1e-5 of the diagonal
STRAIGHT = 0.05  # percent: what a straight line between keys may lose
KEPT_KEYS = 0.01  # percent: what gltfpack may lose if it keeps the keys


def need(package):
    missing = install(FOLDER, PACKAGES, package)
    if missing:
        raise Skip(missing)
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, FOLDER)  # packages are looked for beside it


def node(*words):
    done = subprocess.run(["node", *map(str, words)], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Character:
    """A project with the frames of its clips by the stack."""

    def __init__(self, folder, name, make, rate=None):
        folder = folder / name
        folder.mkdir()
        self.name, self.folder, self.project = name, folder, folder / f"{name}.sinew"
        make(self.project)
        known = answer("info", self.project)
        self.diagonal = max(mesh["diagonal"] for mesh in known["meshes"])
        self.frames = []
        for clip in known["clips"]:
            paths = []
            for m, mesh in enumerate(known["meshes"]):
                paths.append(str(folder / f"{name}-{m}-{clip['name']}.mdd"))
                sinew("export", self.project, "--mesh", mesh["name"], "--clip", clip["name"], "-o", paths[-1],
                      *(("--fps", rate) if rate else ()))
            self.frames.append(f"{clip['name']}={','.join(paths)}")

    @functools.cache
    def export(self, *options):
        """A file and what the export reported; once for all cases."""
        path = self.folder / f"{self.name}{''.join(options)}.glb"
        return path, answer("export", self.project, "-o", path, *options)

    def play(self, player, paths):
        """What a player makes of each of these files."""
        if player == "vtk":
            done = subprocess.run(["/usr/bin/python3", HERE / "vtk_play.py", str(self.diagonal), *paths, *self.frames],
                                  capture_output=True, text=True, check=False, timeout=300)
            assert done.returncode == 0, done.stdout + done.stderr
            lines = done.stdout.splitlines()
        else:
            lines = node(FOLDER / "play.mjs", FOLDER / f"{player}.mjs", self.diagonal, *paths, *self.frames).splitlines()
        return [json.loads(line) for line in lines[-len(paths):]]

    def check(self, player, *files):
        """`files`: of each the path, how far it may be off, and words about it. How far each is off."""
        off = []
        for (_, most, about), found in zip(files, self.play(player, [path for path, _, _ in files]), strict=True):
            off.append(max(found["max_percent"] or 1e9, found["missed_percent"] or 1e9))  # null: nothing near it
            print(f"{self.name} by {player}, {about}: {off[-1]:.6f} % off in {found['frames']} frames, {most:.6f} allowed")
            assert found["vertices"] > 20 and found["frames"] > 10, found
            assert off[-1] <= most, f"{self.name} by {player}, {about}: {off[-1]} % off, {most} are allowed"
        return off


def fitted_arm(path):
    tiny_arm(path, fitted=True)


def imported(name):
    return lambda path: sinew("import", data(name), "-o", path)


def small_tentacle(path):
    sinew("import", HERE.parents[1] / "data" / "small" / "tentacle.glb", "-o", path)


def gltfpack(path, *options, name="packed"):
    packed = path.with_suffix(f".{name}.glb")
    node(FOLDER / "node_modules" / "gltfpack" / "cli.js", "-i", path, "-o", packed, "-ke", *options)
    return packed


def gltf_transform(path, verb):
    packed = path.with_suffix(".packed.glb")
    node(FOLDER / "node_modules" / ".bin" / "gltf-transform", verb, path, packed)
    return packed


@functools.cache
def characters():
    """Made once; cases leave the projects as they are."""
    files = {"man": "characters/CesiumMan.glb", "fox": "characters/Fox.glb", "human": "human-rig/human.glb"}
    makers = {"arm": fitted_arm, "tentacle": small_tentacle}
    if sys.argv[3] == "all":
        makers |= {name: imported(file) for name, file in files.items()}
    return [Character(Path(made().name), name, make) for name, make in makers.items()]


def players():
    return ("three", "babylon") if sys.argv[3] == "all" else ("three",)


def files_play_as_reported(_):
    need("three")
    for character in characters():
        files = []
        for options in ((), ("--weights", "exact"), ("--compress",)) if character.name != "tentacle" else ((),):
            path, reported = character.export(*options)
            files.append((path, reported["max_percent"] + ROUNDING, " ".join(options) or "as it is"))
        for player in players():
            character.check(player, *files)


def baked_arm(path):
    fitted_arm(path)
    sinew("bake", path, "--budget", "influences=2,helpers=2,morphs=2", "--clip", "bend")


def bakes_play_as_reported(folder):
    """Helper joints, and morph targets over them whose weights have both signs."""
    need("three")
    character = Character(folder, "baked", baked_arm)
    path, reported = character.export()
    data = path.read_bytes()
    document = json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])
    sides = {name[-2:] for mesh in document["meshes"] for name in mesh["extras"]["targetNames"]}
    assert reported["helper_joints"] == 2 and sides == {" +", " -"}, (reported, sides)
    character.check("three", (path, reported["max_percent"] + ROUNDING, "as it is"))


def most_packed(reported):
    """How far a packed file may be off."""
    return 1.2 * reported["packed_max_percent"] + ROUNDING


def files_packed_by_gltfpack_lose_what_was_reported(_):
    need("gltfpack")
    for character in characters():
        path, reported = character.export("--weights", "bytes")
        packed = gltfpack(path, "-c")
        files = [(packed, most_packed(reported), "by gltfpack")]
        if character.name != "tentacle":
            kept = gltfpack(path, "-c", "-af", "0", name="kept")
            files.append((kept, reported["max_percent"] + KEPT_KEYS, "by gltfpack -af 0"))
        off = max(character.check(player, *(files if player == "three" else files[:1]))[0] for player in players())
        assert reported["packed_max_percent"] < 4 * off, f"{character.name}: {reported['packed_max_percent']} % were reported, {off} are lost"
        again = character.folder / "again.sinew"
        sinew("import", packed, "-o", again)  # what it wrote is read
        assert len(answer("info", again)["clips"]) == len(character.frames)


def pose_spaces_are_left_by_gltfpack(folder):
    need("gltfpack")
    path = characters()[0].export()[0]
    node(FOLDER / "node_modules" / "gltfpack" / "cli.js", "-i", path, "-o", folder / "packed.gltf", "-ke")
    document = json.loads((folder / "packed.gltf").read_text())
    spaces = [node["extras"]["sinew"]["poseSpace"] for node in document["nodes"] if "sinew" in node.get("extras", {})]
    assert len(spaces) == 1 and spaces[0]["format"] == "org.sinew.pose-space", spaces
    names = {name for mesh in document["meshes"] for name in mesh["extras"]["targetNames"]}
    assert names == {"elbow/elbow-130", "wrist/wrist-150"}, names


def files_packed_by_gltf_transform_lose_less(_):
    """Its filter of `meshopt` makes the tangents of cubic splines of rotations unit quaternions (the tentacle has such a spline)."""
    need("@gltf-transform/cli")
    for character in characters():
        path, reported = character.export()
        verb = "quantize" if character.name == "tentacle" else "meshopt"
        packed = gltf_transform(path, verb)
        for player in players():
            character.check(player, (packed, most_packed(reported), f"by gltf-transform {verb}"))


def blender_plays_files_as_reported(_):
    """It reads no compressed files. Of cubic splines it reads no tangents, so it does not play the tentacle."""
    if not shutil.which("blender") or not shutil.which("node"):
        raise Skip("no blender, or no node to compare what it plays")
    need("gltfpack" if sys.argv[3] == "few" else "@gltf-transform/cli")
    for character in characters():
        if character.name == "tentacle":
            continue
        for options in (("--weights", "exact"),) if sys.argv[3] == "few" else ((), ("--weights", "exact")):
            path, reported = character.export(*options)
            character.check("blender", (path, reported["max_percent"] + ROUNDING, " ".join(options) or "as it is"))
        if sys.argv[3] == "all":
            path, reported = character.export()
            character.check("blender", (gltfpack(path), most_packed(reported), "by gltfpack"))
            character.check("blender", (gltf_transform(path, "quantize"), most_packed(reported), "by gltf-transform quantize"))


def need_vtk():
    if subprocess.run(["/usr/bin/python3", "-c", "import numpy, vtk"], capture_output=True, check=False).returncode:
        raise Skip("no python3-vtk9")


def vtk_plays_skins_as_reported(folder):
    """It reads no sparse targets, and no compressed views."""
    need_vtk()
    for name, path in (("man", "characters/CesiumMan.glb"), ("human", "human-rig/human.glb")):
        character = Character(folder, name, imported(path), rate=24)
        for options in ((), ("--weights", "exact")):
            file, reported = character.export(*options)
            character.check("vtk", (file, reported["max_percent"] + ROUNDING, " ".join(options) or "as it is"))


def vtk_plays_morph_targets_as_reported(folder):
    """gltfpack writes them whole, in floats with -noq."""
    need_vtk()
    need("gltfpack")
    character = Character(folder, "arm", fitted_arm, rate=24)
    path, reported = character.export()
    assert reported["morphs"] >= 2, reported
    character.check("vtk", (gltfpack(path, "-noq", "-af", "0"), reported["max_percent"] + KEPT_KEYS, "by gltfpack -noq -af 0"))
    character.check("vtk", (gltfpack(path, "-noq"), most_packed(reported), "by gltfpack -noq"))


# ---- FBX --------------------------------------------------------------------------------------------------------------------

def arm_with_other_names(path):
    """Letters that are not English, a colon, and a joint with the name of the mesh."""
    tiny_arm(path)
    mesh = answer("info", path)["meshes"][0]["name"]
    sinew("joint", path, "name", "elbow", "Локоть:肘 é")
    sinew("joint", path, "name", "wrist", mesh)


def two_meshes(path):
    sinew("import", HERE.parents[1] / "data" / "small" / "pair.glb", "-o", path)


def fitted_cloth(path):
    sinew("sample", "cloth", "-o", path)
    sinew("fit", "sad", path, "--set", "joints=100", "--set", "blend=linear")


def sculpted_human(path):
    sculpts = data("human-sculpts")
    sinew("import", data("human-rig/human.glb"), "-o", path)
    for pose in sorted(file.stem for file in sculpts.glob("*.json")):
        sinew("pose", path, "add", pose, "--file", sculpts / f"{pose}.json")
        sinew("example", path, "add", "--name", pose, "--pose", pose, "--file", sculpts / f"{pose}-target.obj")
    sinew("fit", "inverse-psd", path)


def by_the_sdk(path):
    """The glTF that Autodesk's SDK makes of an FBX file, with a key at each frame that is compared."""
    made = path.with_suffix(".sdk.glb")
    tool = FOLDER / "node_modules" / "fbx2gltf" / "bin" / "Linux" / "FBX2glTF"
    tool.chmod(0o755)  # npm installs it as it was packed
    done = subprocess.run([tool, "--binary", "--anim-framerate", "bake24", "--input", path, "--output", made],
                          capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def fbx_files_play_as_reported(folder):
    """The rows of the table in docs/engines.md, in three.js and in Autodesk's SDK. Between keys three.js goes straight, which
    shows at the helper joints."""
    need("fbx2gltf")
    rows = {"arm": fitted_arm, "names": arm_with_other_names, "helpers": baked_arm, "two": two_meshes, "cloth": fitted_cloth,
            "human": sculpted_human}
    rows |= {name: imported(f"characters/{name}.glb") for name in ("Fox", "RiggedFigure", "AnimatedMorphCube")}
    for name, make in rows.items():
        # The human's 80,000 vertices take long in node, and the SDK's tool leaves out the last frame of some clips.
        character = Character(folder, name, make, rate={"human": 6, "cloth": 12, "Fox": 12}.get(name, 24))
        path = character.folder / "made.fbx"
        reported = answer("export", character.project, "-o", path, "--units", "m", "--weights", "exact")
        most = reported["max_percent"] + 10 * ROUNDING
        character.check("three", (path, most + (STRAIGHT if name == "helpers" else 0), "FBX"))
        character.check("three", (by_the_sdk(path), most, "FBX through the SDK"))


def parsed_fbx(path):
    """The nodes of a file by the parser of Blender's importer, which needs no Blender: (name, values, nodes)."""
    parser = Path("/usr/share/blender/scripts/addons/io_scene_fbx")
    if not (parser / "parse_fbx.py").exists():
        raise Skip("no importer of Blender")
    package = types.ModuleType("io_scene_fbx")
    package.__path__ = [str(parser)]
    sys.modules["io_scene_fbx"] = package
    return importlib.import_module("io_scene_fbx.parse_fbx").parse(str(path))[0]


def in_betweens_are_shapes_of_a_channel(folder):
    """Those of tests/data/fbx/shapes.fbx: `smile` has one at 30 % and its own at 100 %, and a curve with keys at 0, 100 and
    20 %."""
    sinew("import", HERE.parents[1] / "data" / "fbx" / "shapes.fbx", "-o", folder / "s.sinew")
    sinew("export", folder / "s.sinew", "-o", folder / "s.fbx", "--for", "maya", "--weights", "exact")
    root = parsed_fbx(folder / "s.fbx")
    parts = {node.id: node.elems for node in root.elems}
    objects = {node.props[0]: node for node in parts[b"Objects"]}
    links = [(link.props[1], link.props[2], *link.props[3:]) for link in parts[b"Connections"]]

    def array(node, name):
        return next(list(child.props[0]) for child in node.elems if child.id == name)

    def sources(owner, kind):
        found = [objects[source] for source, end, *_ in links if end == owner and source in objects]
        return [node for node in found if node.id == kind]

    channels = [node for node in objects.values() if node.props[2] == b"BlendShapeChannel"]
    (smile,) = [node for node in channels if node.props[1].startswith(b"smile\0")]
    shapes = [dict(zip(array(shape, b"Indexes"), zip(*[iter(array(shape, b"Vertices"))] * 3)))
              for shape in sources(smile.props[0], b"Geometry")]
    full = array(smile, b"FullWeights")
    assert len(shapes) == 2 and max(abs(a - b) for a, b in zip(full, (30, 100))) < 1e-4, full
    wanted = ({8: (2, 0, 0), 9: (2, 0, 0)}, {8: (0, 0, 3), 10: (0, 1, 0)})
    for shape, right in zip(shapes, wanted):
        assert shape.keys() == right.keys(), shape
        assert max(abs(a - b) for p in right for a, b in zip(shape[p], right[p])) < 1e-5, shape
    (node,) = sources(smile.props[0], b"AnimationCurveNode")
    (curve,) = sources(node.props[0], b"AnimationCurve")
    seconds = [round(time / 46186158000, 6) for time in array(curve, b"KeyTime")]
    keys = dict(zip(seconds, array(curve, b"KeyValueFloat")))
    assert all(abs(keys[at] - percent) < 0.01 for at, percent in ((0, 0), (1, 100), (2, 20))), keys


few = [files_play_as_reported, files_packed_by_gltfpack_lose_what_was_reported,
       pose_spaces_are_left_by_gltfpack, blender_plays_files_as_reported, vtk_plays_morph_targets_as_reported]
more = [bakes_play_as_reported, fbx_files_play_as_reported, in_betweens_are_shapes_of_a_channel, files_packed_by_gltf_transform_lose_less,
        vtk_plays_skins_as_reported]
run(few + more if sys.argv[3] == "all" else few)
