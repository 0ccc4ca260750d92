# SPDX-License-Identifier: MIT
"""Skin files (docs/skin-file.md), and what drives their coefficients and helper joints (docs/pose-space.md), in doubles.

The formulas are those of plugins/player/sinew.js and have its names. A pose is an object with vector(joint), the rotation away
from rest as a rotation vector; place(joint), the local translation and scale; and world(joint), a 4×4 matrix."""

import struct

import numpy as np

NONE = 0xFFFFFFFF
FLOATS = ("point.rests", "point.sources", "point.weights", "move.vectors")
WIDTHS = {"joint.rests": 10, "slot.binds": 12, "point.rests": 3, "point.sources": 3, "point.slots": 8, "point.weights": 8, "triangles": 3,
          "move.vectors": 3, "drives": 5}  # numbers of an element, where it has more than one
GAUSSIAN, LINEAR, THIN_PLATE, INVERSE_MULTIQUADRIC, CONE = range(5)
GROUP, REGRESSION, HELPER = range(3)


class Skin:
    """A skin file. Raises ValueError where it is none of this version, or damaged."""

    def __init__(self, data):
        try:
            with np.errstate(invalid="ignore"):
                self.read(data)
        except (KeyError, IndexError, OverflowError, TypeError, UnicodeDecodeError, struct.error) as error:
            raise ValueError(f"the skin file is damaged: {error}") from None
        numbers = [*self.point_rests, *self.point_sources, *self.point_weights, *self.move_vectors, self.rests, self.binds]
        if not all(np.isfinite(part).all() for part in numbers):
            raise ValueError("the skin file is damaged: its numbers are not finite")

    def read(self, data):
        if data[:8] != b"SNWSKIN\0" or struct.unpack_from("<I", data, 8) != (1,):
            raise ValueError("it is no skin file of version 1")
        fields = {}
        for at in range(16, 16 + 40 * struct.unpack_from("<I", data, 12)[0], 40):
            name, size, _, offset, count = struct.unpack_from("<16s2I2Q", data, at)
            name = name.rstrip(b"\0").decode()
            kind = {1: "u1", 4: "<f4" if name in FLOATS else "<u4", 8: "<f8"}[size]
            fields[name] = np.frombuffer(data, kind, count * WIDTHS.get(name, 1), offset)
            fields[name] = fields[name].reshape(-1, WIDTHS[name]) if name in WIDTHS else fields[name]
        if any(fields["mesh.blends"]):
            raise ValueError("its skin blends dual quaternions, which Blender plays otherwise than Sinew; 'sinew bake' makes one that it plays")
        texts = fields["names"].tobytes()
        names = lambda field: [texts[at:texts.index(0, at)].decode() for at in fields[field]]
        self.joints, self.meshes, self.morphs = names("joint.names"), names("mesh.names"), names("morph.names")
        self.parents, self.rests = fields["joint.parents"].tolist(), fields["joint.rests"]
        self.slot_joints, self.binds = fields["slot.joints"].tolist(), fields["slot.binds"]
        self.point_rests = np.split(fields["point.rests"].astype(float), fields["mesh.points"][1:-1])
        self.point_sources = np.split(fields["point.sources"].astype(float), fields["mesh.points"][1:-1])
        self.point_slots = np.split(fields["point.slots"], fields["mesh.points"][1:-1])
        self.point_weights = np.split(fields["point.weights"].astype(float), fields["mesh.points"][1:-1])
        self.triangles = np.split(fields["triangles"], fields["mesh.triangles"][1:-1])
        self.morph_meshes, self.morph_weights = fields["morph.meshes"].tolist(), fields["morph.weights"].tolist()
        moves = fields["morph.moves"]
        self.move_points = [fields["move.points"][a:b] for a, b in zip(moves, moves[1:])]
        self.move_vectors = [fields["move.vectors"][a:b].astype(float) for a, b in zip(moves, moves[1:])]
        whole, real = fields["drive.integers"].tolist(), fields["drive.numbers"].tolist()
        rows = fields["drives"].tolist()
        self.drives = [(kind, whole[a:a + m], real[b:b + n]) for kind, a, m, b, n in rows]

    def record(self):
        """What Drives needs of it, as JSON takes it."""
        return {"joints": self.joints, "parents": self.parents, "rests": self.rests.tolist(), "drives": self.drives}


# ---- rotations and matrices: quaternions are x y z w, matrices 4×4 ----------------------------------------------------------


def dot(a, b):
    return np.sum(a * b, axis=-1, keepdims=True)


def quaternion(v):
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([v * np.sin(angle / 2) / np.where(angle > 0, angle, 1), np.cos(angle / 2)], axis=-1)


def times(a, b):
    (u, s), (v, t) = ((q[..., :3], q[..., 3:]) for q in (a, b))
    return np.concatenate([s * v + t * u + np.cross(u, v), s * t - dot(u, v)], axis=-1)


def back(q):
    return q * np.array([-1, -1, -1, 1])


def vector_near(q, near):
    """The rotation vector of a quaternion that is nearest to another one: it may be longer than a turn."""
    sine, length = np.linalg.norm(q[:3]), np.linalg.norm(near)
    axis = q[:3] / sine if sine > 1e-12 else near / length if length > 0 else np.zeros(3)
    angle = 2 * np.arctan2(sine, q[3])
    return axis * (angle + 2 * np.pi * np.round((axis @ near - angle) / (2 * np.pi)))


def matrix(q, translation=(0, 0, 0), scale=(1, 1, 1)):
    x, y, z, w = q
    m = np.identity(4)
    m[:3, :3] = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                          [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                          [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]) * scale
    m[:3, 3] = translation
    return m


def rotation(e):
    """The quaternion of a rotation matrix, with w not below 0."""
    e, q = np.transpose(e), np.zeros(4)
    trace, i = e[0][0] + e[1][1] + e[2][2], int(np.argmax([e[0][0], e[1][1], e[2][2]]))
    j, k = (i + 1) % 3, (i + 2) % 3
    q[[i, j, k, 3]] = ([e[j][k] - e[k][j], e[k][i] - e[i][k], e[i][j] - e[j][i], 1 + trace] if trace > 0 else
                       [1 + 2 * e[i][i] - trace, e[i][j] + e[j][i], e[k][i] + e[i][k], e[j][k] - e[k][j]])
    return q / np.linalg.norm(q) * (-1 if q[3] < 0 else 1)


def parts(m):
    """Rotation and scale of a matrix. If it has shear, its columns are made orthonormal, the first one first."""
    columns, scale = m[:3, :3].T.copy(), np.linalg.norm(m[:3, :3], axis=0)
    if np.linalg.det(columns) < 0:
        scale[0], columns[0] = -scale[0], -columns[0]
    a = columns[0] / np.linalg.norm(columns[0])
    b = columns[1] - (a @ columns[1]) * a
    b /= np.linalg.norm(b)
    return rotation(np.stack([a, b, np.cross(a, b)], axis=1)), scale


def power(m, share):
    """The rigid part of a motion to the power `share`, along its screw."""
    v = vector_near(parts(m)[0], np.zeros(3))
    angle = np.linalg.norm(v)
    part, small = share * angle, angle < 1e-3
    add = lambda x, first, second: x + first * np.cross(v, x) + second * np.cross(v, np.cross(v, x))
    log = share * add(m[:3, 3], -0.5, 1 / 12 if small else (1 - angle * np.sin(angle) / (2 * (1 - np.cos(angle)))) / angle ** 2)
    if part > 0:
        log = add(log, share / 2 if small else (1 - np.cos(part)) / (part * angle),
                  share ** 2 / 6 if small else (part - np.sin(part)) / (part * angle ** 2))
    return matrix(quaternion(v * share), log)


# ---- the drives -------------------------------------------------------------------------------------------------------------


def between(p, q, unwound):
    """The rotation vector from one rotation to another: the shorter way, or on the double cover."""
    u = times(back(p), q)
    sine, sign = np.linalg.norm(u[..., :3], axis=-1, keepdims=True), np.where(~unwound & (u[..., 3:] < 0), -1, 1)
    return u[..., :3] * sign * 2 * np.arctan2(sine, sign * u[..., 3:]) / np.where(sine > 0, sine, 1)


def kernel_at(kernel, r, width):
    r = r if kernel == LINEAR else r / width
    return {GAUSSIAN: lambda: np.exp(-r * r), LINEAR: lambda: -r, INVERSE_MULTIQUADRIC: lambda: 1 / np.sqrt(1 + r * r),
            THIN_PLATE: lambda: r * r * np.log(np.where(r > 0, r, 1))}[kernel]()


def cone(x, centres, width):
    xx, cc = np.sum(x * x), np.sum(centres * centres, axis=1)
    least, product = np.sqrt(np.minimum(xx, cc)), np.sqrt(xx * cc)
    return least ** 1.5 * np.exp((centres @ x / np.where(product > 0, product, 1) - 1) / width ** 2)


def taker(numbers):
    """The next numbers of a drive, in a shape."""
    numbers, at = np.array(numbers, dtype=float), 0

    def take(*shape):
        nonlocal at
        at += int(np.prod(shape))
        return numbers[at - int(np.prod(shape)):at].reshape(shape)
    return take


class Group:
    """A group of a pose space: outputs are indices of coefficients."""

    def __init__(self, whole, real):
        count, centres, targets, self.kernel, self.is_linear, self.clamps = whole[:6]
        self.joints, take = whole[6:6 + count], taker(real)
        self.unwound = np.array(whole[6 + count:6 + 2 * count], dtype=bool)[:, None]
        self.outputs = whole[6 + 2 * count:]
        self.width, self.axes = take(1)[0], take(count, 3)
        self.swing, self.twist, self.translation, self.scale = (take(count, 1) for _ in range(4))
        self.gains = np.concatenate([self.translation.repeat(3, 1), self.scale.repeat(3, 1)], axis=1)
        vectors, places = take(centres, count, 3), take(centres, count, 6)
        self.weights, self.constants = take(targets, centres), take(targets)
        self.slopes = take(targets, 9 * count) if self.is_linear else np.zeros((targets, 9 * count))
        self.rotations, self.moves = quaternion(vectors), self.logarithms(places)
        self.rest = self.moves[targets] if targets < centres else np.zeros((count, 6))
        self.ways = self.coordinates(self.from_rest(vectors), self.moves - self.rest)

    def logarithms(self, places):
        return np.concatenate([places[..., :3], np.log(np.maximum(np.abs(places[..., 3:]), 1e-9))], axis=-1)

    def from_rest(self, vectors):
        return np.where(self.unwound, vectors, between(np.array([0, 0, 0, 1.0]), quaternion(vectors), self.unwound))

    def coordinates(self, u, shifts):
        rotated = self.swing * u + (self.twist - self.swing) * dot(u, self.axes) * self.axes
        shifts = np.where(self.gains == 0, 0, self.gains * np.where(self.gains == 0, 0, shifts))
        together = np.concatenate([rotated, shifts], axis=-1)
        return together.reshape(*together.shape[:-2], -1)

    def values(self, pose):
        vectors = np.array([pose.vector(j) for j in self.joints])
        moves = self.logarithms(np.array([pose.place(j) for j in self.joints]))
        way = self.from_rest(vectors)
        if self.kernel == CONE:
            near = cone(self.coordinates(way, moves - self.rest), self.ways, self.width)
        else:
            off = self.coordinates(between(self.rotations, quaternion(vectors), self.unwound), moves - self.moves)
            near = kernel_at(self.kernel, np.linalg.norm(off, axis=1), self.width)
        sums = self.constants + self.weights @ near + self.slopes @ self.coordinates(way, moves)
        return np.clip(sums, 0, 1) if self.clamps else sums


def features(driver, vector, are_vectors, clamps):
    axes, lowest, highest = driver
    v = axes.reshape(3, 3) @ vector
    found = (np.concatenate([v, v * v, v * np.roll(v, -1)]) if are_vectors else
             (matrix(quaternion(v))[:3, :3] - np.identity(3)).ravel())
    return np.clip(found, lowest, highest) if clamps else found


class Regression:
    """A pose regression: outputs are indices of coefficients."""

    def __init__(self, whole, real):
        count, self.are_vectors, self.clamps, coefficients = whole[:4]
        self.joints, at, take = whole[4:4 + count], 4 + count, taker(real)
        self.drivers, self.outputs, self.rows = take(count, 3, 9), [], []
        for _ in range(coefficients):
            target, some = whole[at:at + 2]
            self.outputs.append(target)
            self.rows.append((whole[at + 2:at + 2 + some], take(some)))
            at += 2 + some

    def values(self, pose):
        found = [features(d, pose.vector(j), self.are_vectors, self.clamps) for d, j in zip(self.drivers, self.joints)]
        found = np.concatenate([*found, [1.0]])
        return [factors @ found[which] for which, factors in self.rows]


class Helper:
    """A helper joint: its one value is its local matrix."""

    def __init__(self, whole, real):
        self.joint, self.parent, self.toward, count = whole[:4]
        self.drivers, take = whole[4:], taker(real)
        self.joints = [j for j in (*self.drivers, self.parent, self.toward) if j != NONE]
        self.place, self.axes, self.share = take(3), take(3, 3), take(1)[0]
        self.rows = [(take(3, 9), take(9, 9)) for _ in range(count)]

    def local(self, pose, rests):
        motion = np.zeros(9)
        for (driver, rows), joint in zip(self.rows, self.drivers):
            motion += rows @ features(driver, pose.vector(joint), False, True)
        linear, stretch = np.identity(4), np.diag(1 + np.clip(motion[6:], -0.75, 3))
        linear[:3, :3] = matrix(quaternion(motion[:3]))[:3, :3] @ self.axes @ stretch @ self.axes.T
        linear[:3, 3] = self.place + motion[3:6] - linear[:3, :3] @ self.place
        motion_of = lambda j: pose.world(j) @ np.linalg.inv(rests[j])
        if self.toward != NONE:
            linear = power(np.linalg.inv(motion_of(self.parent)) @ motion_of(self.toward), self.share) @ linear
        return np.linalg.inv(rests[self.parent]) @ linear @ self.at_rest(rests)

    def at_rest(self, rests):
        return np.concatenate([rests[self.parent][:, :3], [[x] for x in (*self.place, 1)]], axis=1)


class Drives:
    """What drives a character, from Skin.record()."""

    def __init__(self, record):
        self.joints, self.parents, self.rests = record["joints"], record["parents"], np.array(record["rests"]).reshape(-1, 10)
        made = [(Group, Regression, Helper)[kind](whole, real) for kind, whole, real in record["drives"]]
        self.helpers = {drive.joint: drive for drive in made if isinstance(drive, Helper)}
        self.by_coefficient = {k: (drive, n) for drive in made if not isinstance(drive, Helper)
                               for n, k in enumerate(drive.outputs) if k != NONE}
        self.rest_worlds = []
        for j, parent in enumerate(self.parents):
            local = matrix(self.rests[j][3:7], self.rests[j][:3], self.rests[j][7:])
            self.rest_worlds.append(self.helpers[j].at_rest(self.rest_worlds) if j in self.helpers else
                                    local if parent == NONE else self.rest_worlds[parent] @ local)

    def helper(self, joint, pose):
        """The local matrix of a helper joint."""
        return self.helpers[joint].local(pose, self.rest_worlds)
