#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes small FBX files, one for each thing that readers get wrong, and beside each where its points are: lines of a clip (-
for the default pose), seconds from its begin, the mesh, and x y z of each point in metres.  usage: make.py FOLDER"""

import sys
from pathlib import Path

from fbx import (AUTO, BREAK, CLAMP, CONSTANT, LINEAR, NEXT, PROGRESSIVE, TCB, TIME_INDEPENDENT, USER, WEIGHTED_IN,
                 WEIGHTED_OUT,
                 Curve, Document, apply, identity, inverse, product, rotation, scaling, translation)

RINGS = [[x, y, z] for y in (0, 5, 10) for x, z in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
FACES = [[0, 1, 2, 3], [11, 10, 9, 8]] + [[4 * r + i, 4 * r + 4 + i, 4 * r + 4 + (i + 1) % 4, 4 * r + (i + 1) % 4]
                                          for r in range(2) for i in range(4)]
BEND = Curve([(0, 0), (0.5, 70), (1, 0), (2, 40)], AUTO)
TWIST = Curve([(0, 10), (2, -50)])
TWO = Curve([(0, 1), (2, 2)])
GROW = Curve([(0, 1), (1, 1.5), (2, 0.8)], AUTO)


class Model:
    """A node, and its transform by FBX's chain of matrices."""

    def __init__(self, scene, name, cls="Null", parent=None, **properties):
        self.scene, self.name, self.parent, self.properties = scene, name, parent, {"InheritType": 1, **properties}
        self.curves, self.layers, self.mesh, self.clusters, self.channels = {}, {}, None, None, []
        self.layer_rotations = None  # curves of a rotation that a layer adds as a rotation
        self.id = scene.document.model(name, cls, parent and parent.id, **self.properties)
        scene.models.append(self)

    def value(self, key, t, initial):
        """A property at a moment, from the base layer and those above it."""
        value = list(self.properties.get(key, initial))
        if t is not None and key in self.curves:
            value = [curve.at(t) if curve else constant for curve, constant in zip(self.curves[key], value)]
        for mode, weight, curves in self.layers.get(key, []) if t is not None else []:
            share, above = weight.at(t) / 100, [curve.at(t) for curve in curves]
            value = [share * b if mode == 1 else a + share * (b - a if mode == 2 else b) for a, b in zip(value, above)]
        return value

    def parts(self, t):
        """Its rotation and scale alone."""
        p = self.properties
        active = p.get("RotationActive", 0)
        turning = rotation(self.value("r", t, [0, 0, 0]), p.get("RotationOrder", 0) if active else 0)
        if self.layer_rotations and t is not None:
            turning = product(turning, rotation([curve.at(t) for curve in self.layer_rotations]))
        if active:
            turning = product(rotation(p.get("PreRotation", [0, 0, 0])), turning,
                              inverse(rotation(p.get("PostRotation", [0, 0, 0]))))
        return turning, scaling(self.value("s", t, [1, 1, 1]))

    def local(self, t):
        p, zero = self.properties, [0, 0, 0]
        turning, scale = self.parts(t)
        at = {key: translation(p.get(key, zero)) for key in ("RotationOffset", "RotationPivot", "ScalingOffset",
                                                             "ScalingPivot")}
        return product(translation(self.value("t", t, zero)), at["RotationOffset"], at["RotationPivot"], turning,
                       inverse(at["RotationPivot"]), at["ScalingOffset"], at["ScalingPivot"], scale,
                           inverse(at["ScalingPivot"]))

    def whole(self, t):
        """The global matrix, with its rotation and its scale as FBX's inherit modes carry them on."""
        local, (turning, scale) = self.local(t), self.parts(t)
        if not self.parent:
            return local, turning, scale
        above, above_turning, above_scale = self.parent.whole(t)
        mode = self.properties["InheritType"]
        if mode == 1:
            return product(above, local), product(above_turning, turning), product(above_scale, scale)
        if mode == 2:
            above_scale = product(above_scale, inverse(self.parent.parts(t)[1]))
        matrix = product(above_turning, turning, above_scale, scale)
        origin = apply(above, [local[i][3] for i in range(3)])
        for i in range(3):
            matrix[i][3] = origin[i]
        return matrix, product(above_turning, turning), product(above_scale, scale)

    def geometric(self):
        p = self.properties
        return product(translation(p.get("GeometricTranslation", [0, 0, 0])), rotation(p.get("GeometricRotation", [0, 0, 0])),
                       scaling(p.get("GeometricScaling", [1, 1, 1])))

    def add_mesh(self, body=()):
        self.mesh, self.geometry = RINGS, self.scene.document.geometry(self.id, RINGS, FACES, body)
        return self

    def bind(self, clusters, mesh_bind=None, kind=None, shares=()):
        """Clusters: (bone, {point: weight}, the bone at bind)."""
        mesh_bind = mesh_bind or identity()
        self.clusters = (self.clusters or []) + [(bone, weights, product(inverse(at), mesh_bind)) for bone, weights,
                                                 at in clusters]
        self.scene.document.skin(self.geometry, [(bone.id, weights, mesh_bind, at) for bone, weights, at in clusters], kind,
                                 shares)

    def shapes(self, channels):
        """Channels: (name, percent, [(full weight, {point: displacement})])."""
        ids = self.scene.document.blend_shape(self.geometry, channels)
        self.channels += [{"id": i, "percent": percent, "shapes": shapes, "curve": None} for i, (_, percent,
                                                                                                 shapes) in zip(ids, channels)]
        return self.channels

    def points(self, t):
        shaped = [list(p) for p in self.mesh]
        for channel in self.channels:
            percent = channel["curve"].at(t) if channel["curve"] and t is not None else channel["percent"]
            stops = [(0, {})] + channel["shapes"]
            k = min([i for i in range(1, len(stops)) if percent <= stops[i][0]], default=len(stops) - 1)
            share = (percent - stops[k - 1][0]) / (stops[k][0] - stops[k - 1][0])
            for amount, displaced in ((1 - share, stops[k - 1][1]), (share, stops[k][1])):
                for point, vector in displaced.items():
                    shaped[point] = [a + amount * b for a, b in zip(shaped[point], vector)]
        alone, world = product(self.whole(t)[0], self.geometric()), self.scene.document.world()
        clusters = [(w, product(bone.whole(t)[0], bind, self.geometric())) for bone, w, bind in self.clusters or []]
        result = []
        for index, p in enumerate(shaped):
            weights = [(w[index], matrix) for w, matrix in clusters if w.get(index)]
            total = sum(w for w, _ in weights)
            at = apply(alone, p) if not weights else [0, 0, 0]
            for w, matrix in weights:
                at = [a + w / total * b for a, b in zip(at, apply(matrix, p))]
            result.append(apply(world, at))
        return result


class Scene:
    def __init__(self, **document):
        self.document, self.models, self.clips = Document(**document), [], []

    def model(self, name, cls="Null", parent=None, **properties):
        return Model(self, name, cls, parent, **properties)

    def bones(self, count=3, **middle):
        """A chain upward; what it is at bind, without the properties of the middle one."""
        chain, binds, parent = [], [], None
        for i in range(count):
            parent = self.model(f"bone{i}", "LimbNode", parent, t=[0, 10 / (count - 1) if i else 0, 0],
                                **(middle if i == 1 else {}))
            chain.append(parent)
            binds.append(translation([0, 10 / (count - 1) * i, 0]))
        return chain, binds

    def bent(self, weights=None, **middle):
        """The mesh bound to three bones."""
        mesh = self.model("mesh", "Mesh").add_mesh()
        chain, binds = self.bones(**middle)
        weights = weights or [{i: 1 for i in range(4)}, {i: 1 for i in range(4, 8)}, {i: 1 for i in range(8, 12)}]
        mesh.bind(list(zip(chain, weights, binds)))
        return mesh, chain

    def clip(self, name, moves, begin=0, end=2, layer=None):
        """Moves: (model, "t", "r" or "s", its curves), or (a channel, its curve)."""
        stack = self.document.stack(name, begin, end)
        layer = self.document.layer(stack)
        for what, *how in moves:
            if isinstance(what, dict):
                what["curve"] = how[0]
                self.document.animate(layer, what["id"], "DeformPercent", [how[0]], [what["percent"]])
                continue
            key, curves = how
            initial = what.properties.get(key, [1, 1, 1] if key == "s" else [0, 0, 0])
            what.curves[key] = curves
            self.document.animate(layer, what.id, {"t": "Lcl Translation", "r": "Lcl Rotation", "s": "Lcl Scaling"}[key],
                                  curves, initial)
        channels = [(c, c["curve"]) for m in self.models for c in m.channels]
        self.clips.append((name, begin, end, {m: m.curves for m in self.models}, channels))
        for model in self.models:
            model.curves = {}
        for model in self.models:
            for channel in model.channels:
                channel["curve"] = None
        return stack, layer

    def truth(self):
        lines = []

        def add(clip, seconds, t):
            for model in self.models:
                if model.mesh:
                    points = " ".join(f"{x:.6f}" for p in model.points(t) for x in p)
                    lines.append(f"{clip} {seconds:g} {model.name} {points}")

        add("-", 0, None)
        for name, begin, end, curves, channels in self.clips:
            for model in self.models:
                model.curves = curves[model]
            for channel, curve in channels:
                channel["curve"] = curve
            for share in (0, 0.2171, 0.5, 0.7713, 1):
                add(name, share * (end - begin), begin + share * (end - begin))
            for model in self.models:
                model.curves = {}
            for channel, _ in channels:
                channel["curve"] = None
        return "\n".join(lines) + "\n"


# ---- one file for each word

def pivots():
    s = Scene()
    a = s.model("door", "Mesh", t=[3, 4, 5], r=[10, 20, 30], s=[1, 2, 1], RotationOffset=[1, 2, 3], RotationPivot=[3, 0, 1],
                ScalingOffset=[0.5, 0, 0], ScalingPivot=[0, 4, 1]).add_mesh()
    s.clip("open", [(a, "r", [BEND, TWIST, None]), (a, "s", [None, GROW, None])])
    return s


def orders():
    s, parent = Scene(), None
    for order in range(6):
        parent = s.model(f"order{order}", "Mesh", parent, t=[4, 1, 0], r=[10, 20, -30], RotationActive=1, RotationOrder=order,
                         PreRotation=[0, 15, 5 * order], PostRotation=[7, 0, 3]).add_mesh()
    s.clip("turn", [(m, "r", [BEND, TWIST, None]) for m in s.models])
    return s


def ignored_rotations():
    """Pre- and post-rotation and orders count only where RotationActive is set."""
    s = Scene()
    s.model("mesh", "Mesh", r=[10, 20, 30], PreRotation=[0, 0, 40], PostRotation=[30, 0, 0], RotationOrder=5).add_mesh()
    return s


def geometric():
    s = Scene()
    a = s.model("a", "Mesh", t=[5, 0, 0], GeometricTranslation=[1, 2, 3], GeometricRotation=[10, 20, 30],
                GeometricScaling=[1, 2, 1]).add_mesh()
    b = s.model("b", "Mesh", a, t=[0, 20, 0], GeometricTranslation=[-3, 0, 0])
    b.mesh = RINGS
    s.document.connect(a.geometry, b.id)
    s.clip("turn", [(a, "r", [BEND, None, None])])
    return s


def skin_geometric():
    s = Scene()
    mesh = s.model("mesh", "Mesh", GeometricTranslation=[4, 2, -3], GeometricRotation=[0, 30, 0]).add_mesh()
    chain, binds = s.bones()
    mesh.bind([(b, {4 * i + k: 1 for k in range(4)}, at) for i, (b, at) in enumerate(zip(chain, binds))])
    s.clip("bend", [(chain[1], "r", [BEND, None, None])])
    return s


def segment_scale():
    """Maya's joints: each child compensates for the scale of its parent. A mesh on a joint is scaled with it."""
    s = Scene()
    mesh, chain = s.model("mesh", "Mesh").add_mesh(), []
    for i in range(3):
        chain.append(s.model(f"bone{i}", "LimbNode", chain[-1] if chain else None, t=[0, 5 if i else 0, 0], r=[0, 0, 20 * i],
                             InheritType=2))
    tip = s.model("tip", "Mesh", chain[2], t=[0, 2, 0], r=[0, 0, 40], InheritType=2).add_mesh()
    hat = s.model("hat", "Mesh", chain[1], t=[0, 1, 0], r=[20, 0, 30]).add_mesh()
    mesh.bind([(b, {4 * i + k: 1 for k in range(4)}, translation([0, 5 * i, 0])) for i, b in enumerate(chain)])
    s.clip("squash", [(chain[0], "s", [GROW, Curve([(0, 1), (2, 3)]), None]), (chain[1], "s", [None, GROW, None]),
                      (chain[2], "s", [GROW, None, TWO]), (chain[1], "r", [BEND, None, None]),
                      (tip, "r", [TWIST, None, None])])
    return s


def scale_after_rotation():
    """The mode RrSs, which a model has if it does not say: the parent's scale acts in the child's axes."""
    s = Scene()
    a = s.model("a", "Mesh", s=[1, 2, 1], r=[0, 0, 20]).add_mesh()
    b = s.model("b", "Mesh", a, t=[3, 4, 0], r=[0, 0, 50], s=[1, 1, 2], InheritType=0).add_mesh()
    s.model("c", "Mesh", b, t=[0, 8, 0], r=[30, 0, 0], InheritType=0).add_mesh()
    s.clip("stretch", [(a, "s", [None, GROW, None]), (b, "r", [None, None, BEND])])
    return s


def scaled_root():
    """Small values below a scale of 100, by a curve that no cubic of the time holds."""
    s = Scene()
    root = s.model("root", s=[100, 100, 100])
    a = s.model("a", "Mesh", root, s=[0.01, 0.01, 0.01]).add_mesh()
    move = Curve([(0, 0), (1, 0.2), (2, 0.05)], USER | WEIGHTED_OUT | WEIGHTED_IN, (0.3, -0.2, 7000, 1500))
    size = Curve([(0, 0.01), (1, 0.02), (2, 0.012)], USER | WEIGHTED_OUT | WEIGHTED_IN, (0.01, -0.02, 7000, 1500))
    s.clip("move", [(a, "t", [move, None, None]), (a, "s", [size, None, None])])
    return s


def inches_z_up():
    s = Scene(axes=((0, 1), (2, 1), (1, -1)), unit=2.54)
    mesh, chain = s.bent()
    s.clip("bend", [(chain[1], "r", [BEND, TWIST, None]), (chain[0], "t", [GROW, None, BEND]), (chain[0], "s", [GROW, None,
                                                                                                                None])])
    return s


def left_handed():
    s = Scene(axes=((0, -1), (1, 1), (2, 1)), unit=100)
    mesh, chain = s.bent()
    s.clip("bend", [(chain[1], "r", [BEND, TWIST, None]), (chain[0], "t", [GROW, None, None])])
    return s


def curves():
    """A mesh for each kind of curve."""
    s, keys = Scene(), [(0, 0), (0.5, 7), (1, 0), (1.5, 4), (2, 4)]
    data = [(3, -5, 3333, 3333), (8, 2, 3333, 3333), (-1, 0.5, 3333, 3333), (0, 0, 3333, 3333), (0, 0, 3333, 3333)]
    kinds = {"linear": LINEAR, "step": CONSTANT, "next": CONSTANT | NEXT, "auto": AUTO, "even": AUTO | TIME_INDEPENDENT,
             "clamp": CLAMP, "progressive": AUTO | TIME_INDEPENDENT | PROGRESSIVE, "user": USER, "break": BREAK,
             "weighted": USER | WEIGHTED_OUT | WEIGHTED_IN, "tcb": TCB, "flat": 0x8, "mixed": [AUTO, CONSTANT, LINEAR, AUTO,
                                                                                               AUTO]}
    moves = []
    for name, flags in kinds.items():
        numbers = (0.5, 0.3, -0.2, 0) if name == "tcb" else (3, -5, 6000, 2000) if name == "weighted" else data
        curve = Curve(keys, flags, numbers)
        mesh = s.model(name, "Mesh").add_mesh()
        moves += [(mesh, "t", [curve, None, None])]
    s.clip("move", moves)
    return s


def steps_and_slopes():
    """Rotations about three axes by curves of different kinds, one of them stepped."""
    s = Scene()
    mesh, chain = s.bent()
    s.clip("bend", [(chain[1], "r", [BEND, Curve([(0, 0), (0.7, 30), (1.4, -20)], CONSTANT), TWIST]),
                    (chain[0], "r", [Curve([(0, 0), (2, 720)]), None, None])])
    return s


def cycles():
    """Curves that go on beyond their keys, in each way, always and twice."""
    s, keys, moves = Scene(), [(1, 0), (1.3, 6), (1.6, -2), (2, 3)], []
    for kind in "KRAM":
        for most in (-1, 2):
            curve = Curve(keys, CONSTANT if kind == "R" and most > 0 else AUTO, before=(kind, most), after=(kind, most))
            mesh = s.model(f"{kind}{most}", "Mesh").add_mesh()
            moves += [(mesh, "t", [curve, None, None])]
    s.clip("move", moves, -2.9, 7.1)
    return s


def late_takes():
    """Two stacks that begin later than 0, and constant curves; keys lie outside of them."""
    s = Scene()
    mesh, chain = s.bent()
    s.clip("first", [(chain[1], "r", [Curve([(0, 0), (1.5, 60), (4, 0)], AUTO), Curve([(1, 20)]), Curve([(1, 5), (3, 5)],
                                                                                                        AUTO)])], 1, 3)
    s.clip("second", [(chain[2], "r", [None, None, Curve([(5, 0), (6, 30)])])], 5, 6)
    return s


def skin_bind():
    """The bind is neither the default pose nor where the mesh's node is."""
    s = Scene()
    mesh = s.model("mesh", "Mesh", t=[30, 0, 0], r=[0, 0, 90]).add_mesh()
    chain, binds = s.bones(r=[0, 0, 30])
    mesh.bind([(b, {4 * i + k: 1 for k in range(4)}, at) for i, (b, at) in enumerate(zip(chain, binds))], translation([5, 0,
                                                                                                                       0]))
    s.clip("bend", [(chain[1], "r", [BEND, None, None])])
    return s


def skin_many():
    """Twelve bones at a point, weights that do not sum to 1, points without any."""
    s = Scene()
    mesh = s.model("mesh", "Mesh", t=[1, 0, 0]).add_mesh()
    chain, binds = s.bones(12)
    mesh.bind([(b, {k: 0.1 + 0.05 * i for k in range(4 if i % 2 else 0, 10)}, at) for i, (b, at) in enumerate(zip(chain,
                                                                                                                  binds))],
              translation([1, 0, 0]))
    s.clip("bend", [(b, "r", [TWIST, None, None]) for b in chain[1:6]])
    return s


def skin_two_meshes():
    """Two meshes on one skeleton, and a mesh with two skins."""
    s = Scene()
    mesh, chain = s.bent()
    other = s.model("other", "Mesh", t=[0, 0, 4]).add_mesh()
    lift = translation([0, 0, 4])
    other.bind([(chain[0], {i: 1 for i in range(6)}, identity())], lift)
    other.bind([(chain[2], {i: 1 for i in range(4, 12)}, translation([0, 10, 0]))], lift)
    s.clip("bend", [(chain[1], "r", [BEND, None, TWIST])])
    return s


def layers():
    """Layers above the base: added by a weight that changes, in place of what is below, passed through, added as rotations."""
    s = Scene()
    base, above = [BEND, TWIST, Curve([(0, 3), (2, 20)])], [TWIST, BEND, Curve([(0, 5), (2, 30)])]
    meshes = [s.model(name, "Mesh").add_mesh() for name in ("added", "override", "through", "turned", "muted")]
    stack, _ = s.clip("move", [(m, "r" if m.name in ("through", "turned") else "t", base) for m in meshes])
    prop = {"t": "Lcl Translation", "r": "Lcl Rotation"}
    fade = Curve([(0, 0), (2, 100)])
    for mesh, key, mode, weight, more in zip(meshes, "ttrrt", (0, 1, 2, 0, 0), (fade, Curve([(0, 30)]), Curve([(0, 30)]),
                                                                                None, None), (
            {}, {"Weight": 30.0}, {"Weight": 30.0, "RotationAccumulationMode": 1}, {}, {"Mute": 1})):
        layer = s.document.layer(stack, mesh.name, BlendMode=mode, **more)
        s.document.animate(layer, mesh.id, prop[key], above)
        if weight is fade:
            s.document.animate(layer, layer, "Weight", [fade], [100])
        if weight:
            mesh.layers[key] = [(mode, weight, above)]
        elif mesh.name == "turned":
            mesh.layer_rotations = above
    return s


def dual_quaternions():
    """A skin that blends dual quaternions. What linear blend would make of it is right at points of one bone."""
    s = Scene()
    mesh = s.model("mesh", "Mesh").add_mesh()
    chain, binds = s.bones()
    mesh.bind([(b, {4 * i + k: 1 for k in range(4)}, at) for i, (b, at) in enumerate(zip(chain, binds))], kind="DualQuaternion")
    s.clip("bend", [(chain[1], "r", [BEND, None, None])])
    return s


def blended_skin():
    """A skin that blends some points linearly, some by dual quaternions, some between both. The truth is of linear blend."""
    s = Scene()
    mesh = s.model("mesh", "Mesh").add_mesh()
    chain, binds = s.bones()
    mesh.bind([(chain[0], {k: 0.5 if k > 3 else 1 for k in range(8)}, binds[0]),
               (chain[1], {k: 0.5 for k in range(4, 8)}, binds[1]), (chain[2], {k: 1 for k in range(8, 12)}, binds[2])],
              kind="Blend", shares=[0.0] * 4 + [0.0, 0.25, 0.4, 0.3] + [0.0] * 4)
    s.clip("bend", [(chain[1], "r", [Curve([(0, 0), (1, 120)]), None, None])], end=1)
    return s


def sheared():
    """Rrs below a model that inherits as RSrs from one of uneven scale, which shears it; both scales change over time. The truth
    is as Maya has it: a product of joints without the parent's own scale."""
    s = Scene()
    group = s.model("group", s=[1, 3, 1])
    rotated = s.model("rotated", parent=group, r=[0, 0, 30], s=[2, 2, 2])
    child = s.model("child", "Mesh", rotated, t=[1, 2, 0], r=[0, 0, 40], InheritType=2).add_mesh()
    child.whole = lambda t: (product(group.whole(t)[0], rotated.local(t), translation([1, 2, 0]),
                                     inverse(rotated.parts(t)[1]), child.parts(t)[0]), None, None)
    s.clip("turn", [(rotated, "r", [None, None, BEND])])
    s.clip("grow", [(group, "s", [None, GROW, TWO]), (rotated, "s", [GROW, TWO, None]), (rotated, "r", [None, TWIST, None])])
    return s


PIXEL = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def layer(name, mapping, reference, *arrays):
    index, key = name.split()[1:] or ["0"], name.split()[0]
    return [f'{key}: {index[0]} {{', f'MappingInformationType: "{mapping}"', f'ReferenceInformationType: "{reference}"'] + [
        f"{n}: *{len(v)} {{\na: " + ",".join(map(str, v)) + "\n}" for n, v in arrays] + ["}"]


def surface():
    """A roof of two sides and a floor: one edge of the floor is hard; UV sets, colours, two materials, a texture inside."""
    s = Scene()
    mesh = s.model("roof", "Mesh", owner="Ann")
    points = [[0, 0, 0], [0, 0, 2], [2, 2, 2], [2, 2, 0], [4, 0, 2], [4, 0, 0]]
    faces = [[0, 1, 2, 3], [3, 2, 4, 5], [0, 5, 4, 1]]
    edges = ["Edges: *6 {\na: 0,1,2,3,5,6\n}"]
    body = edges + layer("LayerElementSmoothing", "ByEdge", "Direct", ("Smoothing", [0, 1, 1, 1, 1, 1]))
    body += layer("LayerElementUV", "ByPolygonVertex", "IndexToDirect", ("UV", [0, 0, 1, 0, 1, 1, 0, 1]),
                  ("UVIndex", [0, 1, 2, 3] * 3))
    body += layer("LayerElementUV 1", "ByPolygonVertex", "Direct", ("UV", [0.5, 0.25] * 12))[:-1] + ['Name: "wall"', "}"]
    body += layer("LayerElementColor", "ByVertice", "Direct", ("Colors", [c for i in range(6) for c in (i / 5, 0, 1, 0.5)]))
    body += layer("LayerElementMaterial", "ByPolygon", "IndexToDirect", ("Materials", [0, 0, 1]))
    mesh.mesh, mesh.geometry = points, s.document.geometry(mesh.id, points, faces, body)
    for name, color, factor in (("tiles", [1, 0.5, 0.25], 0.5), ("wood", [0.2, 0.4, 0.6], 1.0)):
        material = s.document.add("Material", f"Material::{name}", "", ['ShadingModel: "phong"'], properties=[
            ("DiffuseColor", *color), ("DiffuseFactor", factor), ("ShininessExponent", 25.0)])
        s.document.connect(material, mesh.id)
    texture = s.document.add("Texture", "Texture::wall", "", ['FileName: "C:\\art\\wall.png"', 'RelativeFilename: "wall.png"'],
                             properties=[("UVSet", "wall")])
    s.document.connect(texture, material, "DiffuseColor")
    video = s.document.add("Video", "Video::wall", "Clip", ['Type: "Clip"', f'Content: "{PIXEL[:40]}", "{PIXEL[40:]}"'])
    s.document.connect(video, texture)
    return s


def shapes():
    """In-betweens, a shape that is on at rest, one that is full at 50, one without displacements; under a skin."""
    s = Scene()
    mesh, chain = s.bent()
    smile, half, on, _ = mesh.shapes([
        ("smile", 0, [(30, {8: [2, 0, 0], 9: [2, 0, 0]}), (100, {8: [0, 0, 3], 10: [0, 1, 0]})]),
        ("half", 0, [(50, {10: [0, 2, 0]})]), ("on", 40, [(100, {4: [0, 0, -2]})]), ("nothing", 0, [(100, {4: [0, 0, 0]})])])
    s.clip("talk", [(smile, Curve([(0, 0), (1, 100), (2, 20)], AUTO)), (half, Curve([(0, 0), (2, 100)])), (chain[1], "r",
                                                                                                           [BEND, None, None])])
    return s


FILES = {f.__name__.replace("_", "-"): f for f in (
    pivots, scaled_root, orders, ignored_rotations, geometric, skin_geometric, segment_scale, scale_after_rotation, inches_z_up,
        left_handed, curves,
    steps_and_slopes, late_takes, skin_bind, skin_many, skin_two_meshes, layers,
    dual_quaternions, cycles, blended_skin, sheared, surface,
    shapes)}


def main():
    folder = Path(sys.argv[1])
    for name, make in FILES.items():
        scene = make()
        (folder / f"{name}.fbx").write_text(scene.document.text(), encoding="utf-8")
        (folder / f"{name}.txt").write_text(scene.truth(), encoding="utf-8")


main()
