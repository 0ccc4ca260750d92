# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes FBX 7.4 as text, and computes where its points are by the definitions of FBX, with matrices: nothing here is shared
with the reader that is tested."""

import math
import struct

TICKS = 46186158000
CONSTANT, LINEAR, CUBIC, NEXT = 0x2, 0x4, 0x8, 0x100
AUTO, TCB, USER, BREAK, CLAMP = 0x108, 0x208, 0x408, 0xC08, 0x1108
WEIGHTED_OUT, WEIGHTED_IN = 0x1000000, 0x2000000
TIME_INDEPENDENT, PROGRESSIVE = 0x2000, 0x4000


# ---- matrices: 4 rows of 4, acting on columns

def product(*matrices):
    result, *others = matrices
    for other in others:
        columns = list(zip(*other))
        result = [[0.0 + a * p + b * q + c * r + d * s for p, q, r, s in columns] for a, b, c, d in result]
    return result


def identity():
    return [[float(r == c) for c in range(4)] for r in range(4)]


def translation(v):
    m = identity()
    for i in range(3):
        m[i][3] = v[i]
    return m


def scaling(v):
    m = identity()
    for i in range(3):
        m[i][i] = v[i]
    return m


def axis_rotation(axis, degrees):
    m, angle = identity(), math.radians(degrees)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m[i][i] = m[j][j] = math.cos(angle)
    m[j][i], m[i][j] = math.sin(angle), -math.sin(angle)
    return m


ORDERS = ["XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"]


def rotation(degrees, order=0):
    """The first axis of the order turns first."""
    result = identity()
    for letter in ORDERS[order]:
        axis = "XYZ".index(letter)
        result = product(axis_rotation(axis, degrees[axis]), result)
    return result


def inverse(m):
    rows = [list(row) + [float(r == c) for c in range(4)] for r, row in enumerate(m)]
    for c in range(4):
        pivot = max(range(c, 4), key=lambda r: abs(rows[r][c]))
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [x / rows[c][c] for x in rows[c]]
        for r in range(4):
            if r != c:
                rows[r] = [x - rows[r][c] * y for x, y in zip(rows[r], rows[c])]
    return [row[4:] for row in rows]


def apply(m, p):
    return [sum(m[r][c] * p[c] for c in range(3)) + m[r][3] for r in range(3)]


def columns(m):
    return [m[r][c] for c in range(4) for r in range(4)]


# ---- curves

class Curve:
    """Keys (seconds, value), with one set of flags and four numbers for all or a list of them: slope out, slope into the next
    key, weight out and weight into the next in 1/9999; or tension, continuity, bias."""

    def __init__(self, keys, flags=LINEAR, data=(0, 0, 3333, 3333), before=("C", -1), after=("C", -1)):
        """Before and after: how it goes on beyond its keys, a letter and how often (-1: always)."""
        self.keys, self.before, self.after = keys, before, after
        self.flags = flags if isinstance(flags, list) else [flags] * len(keys)
        self.data = data if isinstance(data, list) else [data] * len(keys)

    def slope(self, k, out):
        (t, v), flags, data = self.keys[k], self.flags[k], self.data[k]
        before, after = self.keys[k - 1] if k > 0 else None, self.keys[k + 1] if k + 1 < len(self.keys) else None
        left = (v - before[1]) / (t - before[0]) if before else None
        right = (after[1] - v) / (after[0] - t) if after else None
        if flags & 0x200:
            tension, continuity, bias = data[0], data[1] if out else -data[1], data[2]
            at_left, at_right = (1 + continuity) * (1 + bias), (1 - continuity) * (1 - bias)
            if left is None or right is None:  # at an end, the one side counts twice
                at_left, at_right = 2 * at_left, 2 * at_right
            return (1 - tension) / 2 * (at_left * (left or 0) + at_right * (right or 0))
        if flags & 0x400:
            return data[0] if out else self.data[k - 1][1]
        if flags & CUBIC and not flags & 0x100:
            return 0
        progressive = flags & PROGRESSIVE and flags & TIME_INDEPENDENT
        if left is None or right is None:
            return 0 if progressive else right if left is None else left
        if flags & 0x1000 and v in (before[1], after[1]):
            return 0
        chord = (after[1] - before[1]) / (after[0] - before[0])
        slope = chord if flags & TIME_INDEPENDENT else (left + right) / 2
        if progressive:
            most = 0 if left * right <= 0 else 3 * min(abs(left), abs(right))
            slope = max(-most, min(most, slope))
        return slope

    def end_slope(self, last):
        k = len(self.keys) - 2 if last else 0
        (t0, v0), (t1, v1) = self.keys[k:k + 2]
        if self.flags[k] & CONSTANT:
            return 0
        return (v1 - v0) / (t1 - t0) if self.flags[k] & LINEAR else self.slope(k + last, not last)

    def at(self, t):
        """Beyond its keys: C holds, K goes straight on, R repeats, A from the value reached, M goes back and forth."""
        (first, low), (last, high) = self.keys[0], self.keys[-1]
        kind, most = self.after if t > last else self.before if t < first else ("C", -1)
        if kind == "C" or last == first:
            return self.inside(min(max(t, first), last))
        end, value = (last, high) if t > last else (first, low)
        if kind == "K":
            return value + (t - end) * self.end_slope(t > last)
        period = last - first
        if most >= 0:
            t = min(max(t, first - most * period), last + most * period)
        cycle = math.floor((t - first) / period) if t < first else math.ceil((t - last) / period)
        at = t - cycle * period
        at = first + last - at if kind == "M" and cycle % 2 else at
        return self.inside(at) + (cycle * (high - low) if kind == "A" else 0)

    def inside(self, t):
        k = max([i for i, key in enumerate(self.keys) if key[0] <= t], default=-1)
        if k < 0 or k + 1 == len(self.keys):
            return self.keys[max(k, 0)][1]
        (t0, v0), (t1, v1), flags, data = self.keys[k], self.keys[k + 1], self.flags[k], self.data[k]
        if flags & CONSTANT:
            return v1 if flags & NEXT and t > t0 else v0
        share = (t - t0) / (t1 - t0)
        if flags & LINEAR:
            return v0 + share * (v1 - v0)
        out = data[2] / 9999 if flags & WEIGHTED_OUT else 1 / 3
        into = data[3] / 9999 if flags & WEIGHTED_IN else 1 / 3
        times = [0, out, 1 - into, 1]
        values = [v0, v0 + self.slope(k, True) * out * (t1 - t0), v1 - self.slope(k + 1, False) * into * (t1 - t0), v1]
        bezier = lambda p, u: (1 - u) ** 3 * p[0] + 3 * u * (1 - u) ** 2 * p[1] + 3 * u * u * (1 - u) * p[2] + u ** 3 * p[3]
        low, high = (0.0, 1.0) if flags & (WEIGHTED_OUT | WEIGHTED_IN) else (share, share)
        for _ in range(60 if low < high else 0):
            middle = (low + high) / 2
            low, high = (middle, high) if bezier(times, middle) < share else (low, middle)
        return bezier(values, low)

    def beyond(self):
        """The lines that say how the curve goes on."""
        return [f"{name}-Extrapolation: {{\nType: {kind}\nRepetition: {most}\n}}"
                for name, (kind, most) in (("Pre", self.before), ("Post", self.after)) if kind != "C"]

    def text(self):
        def bits(number):
            return struct.unpack("<i", struct.pack("<f", number))[0]

        attributes = []
        for flags, data in zip(self.flags, self.data):
            third = bits(data[2]) if flags & 0x200 else (data[3] << 16 | data[2])
            attributes += [bits(data[0]), bits(data[1]), third, 0]
        return [("KeyTime", [round(t * TICKS) for t, _ in self.keys]), ("KeyValueFloat", [v for _, v in self.keys]),
                ("KeyAttrFlags", self.flags), ("KeyAttrDataFloat", attributes), ("KeyAttrRefCount", [1] * len(self.keys))]


# ---- documents

def number(x):
    return str(x) if isinstance(x, int) else f"{x:.9g}"


KINDS = {"Lcl Translation": ("Lcl Translation", "", "A"), "Lcl Rotation": ("Lcl Rotation", "", "A"),
         "Lcl Scaling": ("Lcl Scaling", "", "A"), "LocalStart": ("KTime", "Time", ""), "LocalStop": ("KTime", "Time", ""),
         "DefaultAttributeIndex": ("int", "Integer", ""), "Weight": ("Number", "", "A"), "DeformPercent": ("Number", "", "A")}


def property_line(key, values):
    """A property with the type that its values show."""
    if isinstance(values[0], str):
        kind = ("KString", "", "")
    elif len(values) == 3:
        kind = ("ColorRGB", "Color", "") if "Color" in key else ("Vector3D", "Vector", "")
    else:
        kind = ("enum", "", "") if isinstance(values[0], int) else ("double", "Number", "")
    kind = ("Number", "", "A") if key.startswith("d|") else KINDS.get(key, kind)
    kind = ("KString", "", "U") if key == "owner" else kind
    kind = ("bool", "", "") if key in ("RotationActive", "Mute", "Solo") else kind
    texts = ",".join(f'"{x}"' if isinstance(x, str) else number(x) for x in values)
    return f'P: "{key}", "{kind[0]}", "{kind[1]}", "{kind[2]}",{texts}'


class Document:
    def __init__(self, axes=((0, 1), (1, 1), (2, 1)), unit=1.0):
        """Axes: which of the file's, and its sign, is to the right, up and to the front."""
        self.axes, self.unit = axes, unit
        self.objects, self.connections, self.next = [], [], 1000

    def add(self, kind, name, cls, body=(), arrays=(), properties=()):
        self.next += 1
        lines = [f'{kind}: {self.next}, "{name}", "{cls}" {{']
        if properties:
            lines += ["Properties70: {"] + [property_line(key, values) for key, *values in properties] + ["}"]
        for key, values in arrays:
            lines += [f"{key}: *{len(values)} {{", "a: " + ",".join(map(number, values)), "}"]
        lines += body
        self.objects.append("\n".join(lines + ["}"]))
        return self.next

    def connect(self, source, owner, prop=None):
        self.connections.append(f'C: "OP",{source},{owner}, "{prop}"' if prop else f'C: "OO",{source},{owner}')

    def text(self):
        names = ["Coord", "Up", "Front"]
        settings = "\n".join(f'P: "{name}Axis", "int", "Integer", "",{axis}\nP: "{name}AxisSign", "int", "Integer", "",{sign}'
                             for name, (axis, sign) in zip(names, self.axes))
        return (f"; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}}\n"
                f"GlobalSettings: {{\nVersion: 1000\nProperties70: {{\n{settings}\n"
                f'P: "UnitScaleFactor", "double", "Number", "",{self.unit:g}\n}}\n}}\n'
                "Documents: {\nCount: 1\nDocument: 999, \"\", \"Scene\" {\nRootNode: 0\n}\n}\nReferences: {\n}\n"
                "Definitions: {\nVersion: 100\n" + self.definitions() + "}\n"
                "Objects: {\n" + "\n".join(self.objects) + "\n}\nConnections: {\n" + "\n".join(self.connections) + "\n}\n")

    def definitions(self):
        kinds = [text.split(":")[0] for text in self.objects]
        return f"Count: {len(kinds)}\n" + "".join(f'ObjectType: "{kind}" {{\nCount: {kinds.count(kind)}\n}}\n'
                                                 for kind in sorted(set(kinds)))

    def world(self):
        """From the file's space to metres, right, up and front."""
        m = scaling([0, 0, 0])
        for row, (axis, sign) in enumerate(self.axes):
            m[row][axis] = sign * self.unit / 100
        return m

    # ---- objects by their kinds

    def model(self, name, cls="Null", parent=None, **properties):
        """Properties: t, r, s, or the file's names with _ for a blank."""
        names = {"t": "Lcl Translation", "r": "Lcl Rotation", "s": "Lcl Scaling"}
        listed = [(names.get(key, key), *(value if isinstance(value, (list, tuple)) else [value]))
                  for key, value in properties.items()] + [("DefaultAttributeIndex", 0)]
        model = self.add("Model", f"Model::{name}", cls, ["Version: 232"], properties=listed)
        self.connect(model, parent or 0)
        return model

    def geometry(self, model, points, faces, body=()):
        corners = [c for face in faces for c in face[:-1] + [-1 - face[-1]]]
        geometry = self.add("Geometry", "Geometry::", "Mesh", ["GeometryVersion: 124"] + list(body),
                            [("Vertices", [x for p in points for x in p]), ("PolygonVertexIndex", corners)])
        self.connect(geometry, model)
        return geometry

    def skin(self, geometry, clusters, kind=None, shares=()):
        """Clusters: (bone, {point: weight}, mesh at bind, bone at bind). Shares: of dual quaternions at each point."""
        skin = self.add("Deformer", "Deformer::", "Skin", ["Version: 101", "Link_DeformAcuracy: 50"] +
                        ([f'SkinningType: "{kind}"'] if kind else []), [("BlendWeights", list(shares))] if shares else [])
        self.connect(skin, geometry)
        for bone, weights, mesh_bind, bone_bind in clusters:
            cluster = self.add("Deformer", "SubDeformer::", "Cluster", ["Version: 100", 'UserData: "", ""'],
                               [("Indexes", list(weights)), ("Weights", [float(w) for w in weights.values()]),
                                ("Transform", columns(product(inverse(bone_bind), mesh_bind))),
                                ("TransformLink", columns(bone_bind))])
            self.connect(cluster, skin)
            self.connect(bone, cluster)
        return skin

    def blend_shape(self, geometry, channels):
        """Channels: (name, percent, [(full weight, {point: displacement})]). Returns their ids."""
        blend = self.add("Deformer", "Deformer::", "BlendShape", ["Version: 100"])
        self.connect(blend, geometry)
        ids = []
        for name, percent, shapes in channels:
            channel = self.add("Deformer", f"SubDeformer::{name}", "BlendShapeChannel", ["Version: 100",
                                                                                         f"DeformPercent: {percent}"],
                               [("FullWeights", [float(w) for w, _ in shapes])], [("DeformPercent", float(percent))])
            self.connect(channel, blend)
            for weight, displaced in shapes:
                shape = self.add("Geometry", f"Geometry::{name}{weight:g}", "Shape", ["Version: 100"],
                                 [("Indexes", list(displaced)), ("Vertices", [x for d in displaced.values() for x in d])])
                self.connect(shape, channel)
            ids.append(channel)
        return ids

    def stack(self, name, begin=0, end=2):
        stack = self.add("AnimationStack", f"AnimStack::{name}", "", properties=[
            ("LocalStart", round(begin * TICKS)), ("LocalStop", round(end * TICKS))])
        return stack

    def layer(self, stack, name="BaseLayer", **properties):
        layer = self.add("AnimationLayer", f"AnimLayer::{name}", "", properties=[(k, v) for k, v in properties.items()])
        self.connect(layer, stack)
        return layer

    def animate(self, layer, owner, prop, curves, constants=(0, 0, 0)):
        """Curves of x, y and z, or one; None for a constant."""
        letters = {"DeformPercent": ["DeformPercent"], "Weight": ["Weight"]}.get(prop, ["X", "Y", "Z"])
        node = self.add("AnimationCurveNode", f"AnimCurveNode::{prop.split()[-1][:1]}", "",
                        properties=[(f"d|{letter}", float(c)) for letter, c in zip(letters, constants)])
        self.connect(node, layer)
        self.connect(node, owner, prop)
        for letter, curve in zip(letters, curves):
            if curve:
                body = ["Default: 0", "KeyVer: 4008"] + curve.beyond()
                keys = self.add("AnimationCurve", "AnimCurve::", "", body, curve.text())
                self.connect(keys, node, f"d|{letter}")
