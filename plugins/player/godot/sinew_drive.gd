# SPDX-License-Identifier: MIT
#
# Plays the drives of a skin file (`sinew export -o hero.snwskin`; docs/skin-file.md) under any pose, in doubles: the weights of
# morph targets, and the local matrices of helper joints. docs/pose-space.md has the formulas, and plugins/player/sinew.js the
# names. sinew_player.gd uses it in Godot 4; it has no syntax that Godot 3 does not know.
#
#     var drive = load("sinew_drive.gd").new()
#     if not drive.open(bytes): print(drive.problem)
#     drive.set_local(joint, rotation, place)      # for each joint; then
#     drive.evaluate()                             # false: the pose is not finite, so weights are 0 and helper joints rest
#
# Vectors are arrays of numbers, quaternions x y z w, matrices 3×4 by rows. A place is a translation, then a scale.

const NONE = 4294967295
const ZERO = [0.0, 0.0, 0.0]
const ONE = [1.0, 1.0, 1.0]
const IDENTITY = [0.0, 0.0, 0.0, 1.0]

var problem = ""            # why the file cannot be played
var joints = []             # names
var meshes = []             # names
var coefficients = []       # names
var coefficient_meshes = []
var weights = []            # of each coefficient
var is_driven = []          # of each coefficient: otherwise its weight is that of the file
var helpers = []            # joints
var helper_matrices = []    # from the helper's space to that of its parent

var parents = []
var rests = []              # ten numbers a joint: translation, rotation, scale
var vectors = []
var places = []
var globals = []
var unrests = []
var groups = []
var regressions = []
var helper_drives = []

# ---- the file ----------------------------------------------------------------------------------------------------------------

var stream = StreamPeerBuffer.new()
var size = 0
var fields = {}             # offset and count

func fail(why):
	problem = why if problem == "" else problem
	return []

func read_fields(bytes):
	size = bytes.size()
	stream.data_array = bytes
	if size < 16 or stream.get_data(7)[1].get_string_from_utf8() != "SNWSKIN":
		return fail("it is no skin file")
	stream.seek(8)
	var version = stream.get_u32()
	var count = stream.get_u32()
	if version != 1 or 16 + 40 * count > size:
		return fail("it is no skin file of version 1")
	for f in range(count):
		stream.seek(16 + 40 * f)
		var name = stream.get_data(16)[1].get_string_from_utf8()
		stream.seek(16 + 40 * f + 24)
		fields[name] = [stream.get_u64(), stream.get_u64()]

# Numbers of a field, of `bytes` each; an element has `each` of them.
func numbers_of(name, each, bytes):
	var list = []
	if problem != "" or not fields.has(name):
		return fail("it is damaged: it has no field '" + name + "'")
	var offset = fields[name][0]
	var count = fields[name][1]
	if offset < 0 or count < 0 or offset > size or count > size or offset + count * each * bytes > size:
		return fail("it is damaged: it is cut off")
	stream.seek(offset)
	for _i in range(count * each):
		list.append(stream.get_u32() if bytes == 4 else stream.get_double())
	return list

func names_of(name):
	var list = []
	for at in numbers_of(name, 1, 4):
		var begin = fields["names"][0] if fields.has("names") else size
		var end = begin + at
		if begin < 0 or end >= size:
			return fail("it is damaged: a name is not in it")
		stream.seek(end)
		var length = 0
		while end + length < size and stream.get_u8() != 0:
			length += 1
		stream.seek(end)
		list.append(stream.get_data(length)[1].get_string_from_utf8() if length > 0 else "")
	return list

func are_below(list, end, allows_none):
	for x in list:
		if x >= end and not (allows_none and x == NONE):
			return false
	return true

func check():
	var count = joints.size()
	var fits = parents.size() == count and rests.size() == 10 * count and coefficient_meshes.size() == coefficients.size()
	fits = fits and weights.size() == coefficients.size() and are_finite(rests) and are_finite(weights)
	fits = fits and are_below(coefficient_meshes, meshes.size(), false)
	for j in range(parents.size()):
		fits = fits and (parents[j] == NONE or parents[j] < j)
	if not fits:
		fail("it is damaged: its joints or its morph targets do not fit together")

func open(bytes):
	read_fields(bytes)
	joints = names_of("joint.names")
	meshes = names_of("mesh.names")
	coefficients = names_of("morph.names")
	parents = numbers_of("joint.parents", 1, 4)
	rests = numbers_of("joint.rests", 10, 8)
	coefficient_meshes = numbers_of("morph.meshes", 1, 4)
	weights = numbers_of("morph.weights", 1, 8)
	check()
	var rows = numbers_of("drives", 5, 4)
	var integers = numbers_of("drive.integers", 1, 4)
	var numbers = numbers_of("drive.numbers", 1, 8)
	if problem == "" and not are_finite(numbers):
		fail("it is damaged: its numbers are not finite")
	if problem == "":
		prepare(rows, integers, numbers)
	if problem == "":
		place_joints()
		for global in globals:
			unrests.append(inverse(global))
		var is_finite_rest = evaluate()
		for g in helper_drives:
			is_finite_rest = is_finite_rest and are_finite(run_helper(g, true))
		if not is_finite_rest:
			fail("it is damaged: what follows from its rest pose is not finite")
	return problem == ""

func prepare(rows, integers, numbers):
	for j in range(joints.size()):
		vectors.append(ZERO)
		places.append(rest_place(j))
		globals.append([])
	for _k in range(coefficients.size()):
		is_driven.append(false)
	for d in range(0, rows.size(), 5):
		if rows[d + 1] + rows[d + 2] > integers.size() or rows[d + 3] + rows[d + 4] > numbers.size():
			fail("it is damaged: a drive is not in it")
			return
		var x = {"integers": integers, "numbers": numbers, "i": rows[d + 1], "n": rows[d + 3],
			"i_end": rows[d + 1] + rows[d + 2], "n_end": rows[d + 3] + rows[d + 4]}
		if rows[d] == 0:
			groups.append(read_group(x))
		elif rows[d] == 1:
			regressions.append(read_regression(x))
		else:
			helper_drives.append(read_helper(x))
		if problem != "":
			return

# The next integers and numbers of a drive.
func take_integers(x, count):
	if x.i + count > x.i_end:
		return fail("it is damaged: a drive is too short")
	x.i += count
	return part(x.integers, x.i - count, count)

func take(x, count):
	if x.n + count > x.n_end:
		return fail("it is damaged: a drive is too short")
	x.n += count
	return part(x.numbers, x.n - count, count)

func take_rows(x, count, each):
	var list = []
	if x.n + count * each > x.n_end:
		return fail("it is damaged: a drive is too short")
	for _i in range(count):
		list.append(take(x, each))
	return list

func take_joints(x, count):
	var list = take_integers(x, count)
	return list if are_below(list, joints.size(), false) else fail("it is damaged: a joint is not in it")

func take_targets(x, count):
	var list = take_integers(x, count)
	if not are_below(list, coefficients.size(), true):
		return fail("it is damaged: a morph target is not in it")
	for k in list:
		if k != NONE:
			is_driven[k] = true
	return list

# ---- vectors, rotations and matrices -------------------------------------------------------------------------------------------

static func part(list, begin, count):
	var result = []
	for i in range(count):
		result.append(list[begin + i])
	return result

static func are_finite(list):
	for x in list:
		if is_nan(x) or is_inf(x):
			return false
	return true

static func dot(a, b):
	var sum = 0.0
	for i in range(a.size()):
		sum += a[i] * b[i]
	return sum

static func length(v):
	return sqrt(dot(v, v))

static func scaled(v, share):
	var result = []
	for x in v:
		result.append(x * share)
	return result

static func add(a, b, share):
	return [a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]]

static func cross(a, b):
	return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

static func limit(x, least, most):
	return min(max(x, least), most)

static func times(a, b):
	return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
		a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]

static func back(q):
	return [-q[0], -q[1], -q[2], q[3]]

static func quaternion(v):
	var angle = length(v)
	var share = sin(angle / 2) / angle if angle > 0 else 0.0
	return [v[0] * share, v[1] * share, v[2] * share, cos(angle / 2)]

# The rotation vector of a quaternion that is nearest to another one: it may be longer than a turn.
static func vector_near(q, near):
	var v = [q[0], q[1], q[2]]
	var sine = length(v)
	var far = length(near)
	var axis = scaled(v, 1 / sine) if sine > 1e-12 else scaled(near, 1 / far) if far > 0 else ZERO
	var angle = 2 * atan2(sine, q[3])
	return scaled(axis, angle + 2 * PI * floor((dot(axis, near) - angle) / (2 * PI) + 0.5))

static func matrix(q, t, s):
	var x = q[0]
	var y = q[1]
	var z = q[2]
	var w = q[3]
	return [(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - w * z) * s[1], 2 * (x * z + w * y) * s[2], t[0],
		2 * (x * y + w * z) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - w * x) * s[2], t[1],
		2 * (x * z - w * y) * s[0], 2 * (y * z + w * x) * s[1], (1 - 2 * (x * x + y * y)) * s[2], t[2]]

static func column(m, c):
	return [m[c], m[4 + c], m[8 + c]]

static func matrix_by(a, b, c, t):
	return [a[0], b[0], c[0], t[0], a[1], b[1], c[1], t[1], a[2], b[2], c[2], t[2]]

static func product(a, b):
	var result = []
	for r in [0, 4, 8]:
		for c in range(4):
			result.append(a[r] * b[c] + a[r + 1] * b[4 + c] + a[r + 2] * b[8 + c] + (a[r + 3] if c == 3 else 0.0))
	return result

static func inverse(m):
	var a = column(m, 0)
	var b = column(m, 1)
	var c = column(m, 2)
	var t = column(m, 3)
	var share = 1.0 / dot(a, cross(b, c))
	var x = scaled(cross(b, c), share)
	var y = scaled(cross(c, a), share)
	var z = scaled(cross(a, b), share)
	return [x[0], x[1], x[2], -dot(x, t), y[0], y[1], y[2], -dot(y, t), z[0], z[1], z[2], -dot(z, t)]

# The rotation of a matrix. If it has shear, its columns are made orthonormal, the first one first.
static func rotation_of(m):
	var sign_of = -1.0 if dot(column(m, 0), cross(column(m, 1), column(m, 2))) < 0 else 1.0
	var a = scaled(column(m, 0), sign_of / length(column(m, 0)))
	var b = column(m, 1)
	b = add(b, a, -dot(a, b))
	b = scaled(b, 1 / length(b))
	var e = [a, b, cross(a, b)]
	var trace = e[0][0] + e[1][1] + e[2][2]
	var i = 1 if e[1][1] > e[0][0] else 0
	i = 2 if e[2][2] > e[i][i] else i
	var j = (i + 1) % 3
	var k = (i + 2) % 3
	var q = [0.0, 0.0, 0.0, 0.0]
	q[i] = e[j][k] - e[k][j] if trace > 0 else 1 + 2 * e[i][i] - trace
	q[j] = e[k][i] - e[i][k] if trace > 0 else e[i][j] + e[j][i]
	q[k] = e[i][j] - e[j][i] if trace > 0 else e[k][i] + e[i][k]
	q[3] = 1 + trace if trace > 0 else e[j][k] - e[k][j]
	return scaled(q, (-1.0 if q[3] < 0 else 1.0) / length(q))

# Rotation and scale.
static func parts(m):
	var sign_of = -1.0 if dot(column(m, 0), cross(column(m, 1), column(m, 2))) < 0 else 1.0
	return [rotation_of(m), [sign_of * length(column(m, 0)), length(column(m, 1)), length(column(m, 2))]]

static func screw(v, x, first, second):
	var once = cross(v, x)
	return add(add(x, once, first), cross(v, once), second)

# The rigid part of a motion to the power `share`, along its screw.
static func power(m, share):
	var v = vector_near(rotation_of(m), ZERO)
	var angle = length(v)
	var turned = share * angle
	var small = angle < 1e-3
	var curve = 1.0 / 12 if small else (1 - angle * sin(angle) / (2 * (1 - cos(angle)))) / (angle * angle)
	var shift = scaled(screw(v, column(m, 3), -0.5, curve), share)
	if turned > 0:
		shift = screw(v, shift, share / 2 if small else (1 - cos(turned)) / (turned * angle),
			share * share / 6 if small else (turned - sin(turned)) / (turned * angle * angle))
	return matrix(quaternion(scaled(v, share)), shift, ONE)

# ---- the pose space ------------------------------------------------------------------------------------------------------------

# From one rotation to another: the shorter way, or on the double cover.
static func between(p, q, unwound):
	var u = times(back(p), q)
	var v = [u[0], u[1], u[2]]
	var sine = length(v)
	var sign_of = -1.0 if not unwound and u[3] < 0 else 1.0
	return scaled(v, sign_of * 2 * atan2(sine, sign_of * u[3]) / sine if sine > 0 else 0.0)

static func cone(x, c, width):
	var xx = dot(x, x)
	var cc = dot(c, c)
	var least = sqrt(min(xx, cc))
	return pow(least, 1.5) * exp((dot(x, c) / sqrt(xx * cc) - 1) / (width * width)) if least > 0 else 0.0

static func kernel_at(kernel, r, width):
	var ratio = r / width
	if kernel == 0:
		return exp(-ratio * ratio)
	if kernel == 1:
		return -r
	if kernel == 2:
		return ratio * ratio * log(ratio) if ratio > 0 else 0.0
	return 1 / sqrt(1 + ratio * ratio)

static func logarithms(place):
	var result = part(place, 0, 3)
	for i in range(3, 6):
		result.append(log(max(abs(place[i]), 1e-9)))
	return result

# A pose, or a centre.
static func spot(turns, moves):
	var rotations = []
	for v in turns:
		rotations.append(quaternion(v))
	return {"vectors": turns, "rotations": rotations, "moves": moves}

# Nine coordinates a joint from one spot to another; from rest, the way of an unwound joint is its whole rotation vector.
static func coordinates(g, from, to):
	var result = []
	for j in range(g.joints.size()):
		var is_wound = g.unwound[j] != 0 and not from.has("vectors")
		var u = to.vectors[j] if is_wound else between(from.rotations[j], to.rotations[j], g.unwound[j] != 0)
		var along = dot(u, g.axes[j])
		for i in range(3):
			result.append(g.swing[j] * u[i] + (g.twist[j] - g.swing[j]) * along * g.axes[j][i])
		for i in range(6):
			var gain = g.translation[j] if i < 3 else g.scale[j]
			result.append(gain * (to.moves[j][i] - from.moves[j][i]) if gain != 0 else 0.0)
	return result

func read_group(x):
	var head = take_integers(x, 6)
	if problem != "":
		return null
	var count = head[0]
	var centres = head[1]
	var targets = head[2]
	var g = {"kernel": head[3], "clamps": head[5] != 0, "is_linear": head[4] != 0}
	if head[3] > 4:
		fail("a group has a kernel that this player does not know")
	g.joints = take_joints(x, count)
	g.unwound = take_integers(x, count)
	g.targets = take_targets(x, targets)
	var width = take(x, 1)
	g.axes = take_rows(x, count, 3)
	g.swing = take(x, count)
	g.twist = take(x, count)
	g.translation = take(x, count)
	g.scale = take(x, count)
	var turns = take_rows(x, centres * count, 3)
	var moves = take_rows(x, centres * count, 6)
	g.weights = take_rows(x, targets, centres)
	g.constants = take(x, targets)
	g.slopes = take_rows(x, targets, 9 * count) if g.is_linear else []
	if problem != "":
		return null
	g.width = width[0]
	for i in range(moves.size()):
		moves[i] = logarithms(moves[i])
	g.centres = []
	for c in range(centres):
		g.centres.append(spot(part(turns, c * count, count), part(moves, c * count, count)))
	g.origin = {"rotations": [], "moves": []}
	for _j in range(count):
		g.origin.rotations.append(IDENTITY)
		g.origin.moves.append(ZERO + ZERO)
	g.rest = {"rotations": g.origin.rotations, "moves": g.centres[targets].moves if targets < centres else g.origin.moves}
	g.ways = []
	for centre in g.centres:
		g.ways.append(coordinates(g, g.rest, centre))
	return g

func run_group(g):
	var turns = []
	var moves = []
	for j in g.joints:
		turns.append(vectors[j])
		moves.append(logarithms(places[j]))
	var here = spot(turns, moves)
	var way = coordinates(g, g.rest, here)
	var slope = coordinates(g, g.origin, here) if g.is_linear else []
	var values = []
	for c in range(g.centres.size()):
		if g.kernel == 4:
			values.append(cone(way, g.ways[c], g.width))
		else:
			values.append(kernel_at(g.kernel, length(coordinates(g, g.centres[c], here)), g.width))
	for k in range(g.targets.size()):
		var sum = g.constants[k] + dot(values, g.weights[k]) + (dot(slope, g.slopes[k]) if g.is_linear else 0.0)
		if g.targets[k] != NONE:
			weights[g.targets[k]] = limit(sum, 0.0, 1.0) if g.clamps else sum

# ---- features of rotations: pose regression, helper joints -----------------------------------------------------------------------

# `driver`: axes, lowest and highest, nine numbers each.
static func features(driver, vector, are_vectors, clamps):
	var v = [dot(part(driver, 0, 3), vector), dot(part(driver, 3, 3), vector), dot(part(driver, 6, 3), vector)]
	var result = []
	if are_vectors:
		result = v + [v[0] * v[0], v[1] * v[1], v[2] * v[2], v[0] * v[1], v[1] * v[2], v[2] * v[0]]
	else:
		var m = matrix(quaternion(v), ZERO, ONE)
		result = [m[0] - 1, m[1], m[2], m[4], m[5] - 1, m[6], m[8], m[9], m[10] - 1]
	for i in range(9):
		result[i] = limit(result[i], driver[9 + i], driver[18 + i]) if clamps else result[i]
	return result

func read_regression(x):
	var head = take_integers(x, 4)
	if problem != "":
		return null
	var g = {"are_vectors": head[1] != 0, "clamps": head[2] != 0, "targets": [], "which": [], "factors": []}
	g.joints = take_joints(x, head[0])
	g.drivers = take_rows(x, head[0], 27)
	for _k in range(head[3]):
		var next = take_targets(x, 1)
		var some = take_integers(x, 1)
		if problem != "" or next[0] == NONE:
			fail("it is damaged: a drive is too short")
			return null
		g.targets.append(next[0])
		g.which.append(take_integers(x, some[0]))
		g.factors.append(take(x, some[0]))
		if problem != "" or not are_below(g.which[-1], 9 * head[0] + 1, false):
			fail("it is damaged: a feature is not in it")
			return null
	return g

func run_regression(g):
	var all = []
	for j in range(g.joints.size()):
		all += features(g.drivers[j], vectors[g.joints[j]], g.are_vectors, g.clamps)
	all.append(1.0)
	for k in range(g.targets.size()):
		var sum = 0.0
		for n in range(g.which[k].size()):
			sum += g.factors[k][n] * all[g.which[k][n]]
		weights[g.targets[k]] = sum

func read_helper(x):
	var head = take_integers(x, 4)
	if problem != "":
		return null
	if not are_below([head[0], head[1]], joints.size(), false) or not are_below([head[2]], joints.size(), true) or parents[head[0]] != head[1]:
		fail("it is damaged: a helper joint is not below its parent")
		return null
	var g = {"parent": head[1], "toward": head[2], "drivers": [], "joints": take_joints(x, head[3])}
	g.place = take(x, 3)
	g.axes = take(x, 9)
	g.share = take(x, 1)
	for _d in range(g.joints.size()):
		g.drivers.append([take(x, 27), take_rows(x, 9, 9)])
	helpers.append(head[0])
	helper_matrices.append([])
	return g

func motion_of(joint):
	return product(globals[joint], unrests[joint])

func run_helper(g, at_rest):
	var motion = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
	for d in range(0 if at_rest else g.drivers.size()):
		var f = features(g.drivers[d][0], vectors[g.joints[d]], false, true)
		for i in range(9):
			motion[i] += dot(g.drivers[d][1][i], f)
	var stretch = []
	for i in range(6, 9):
		stretch.append(1 + limit(motion[i], -0.75, 3.0))
	var a = g.axes
	var axes = matrix_by([a[0], a[3], a[6]], [a[1], a[4], a[7]], [a[2], a[5], a[8]], ZERO)
	var turned = matrix_by([a[0], a[1], a[2]], [a[3], a[4], a[5]], [a[6], a[7], a[8]], ZERO)
	var m = product(matrix(quaternion(part(motion, 0, 3)), ZERO, ONE),
		product(axes, product(matrix(IDENTITY, ZERO, stretch), turned)))
	for r in range(3):
		m[4 * r + 3] = g.place[r] + motion[3 + r] - dot(part(m, 4 * r, 3), g.place)
	if g.toward != NONE and not at_rest:
		m = product(power(product(inverse(motion_of(g.parent)), motion_of(g.toward)), g.share[0]), m)
	var rest = inverse(unrests[g.parent])
	rest = matrix_by(column(rest, 0), column(rest, 1), column(rest, 2), g.place)
	return product(unrests[g.parent], product(m, rest))

# ---- poses ---------------------------------------------------------------------------------------------------------------------

func rest_place(joint):
	return part(rests, 10 * joint, 3) + part(rests, 10 * joint + 7, 3)

# A rotation away from rest, as a rotation vector; local translation and scale.
func set_vector(joint, vector, place):
	vectors[joint] = vector
	places[joint] = place

# A local transform as an engine has it. Between two calls no joint may rotate by more than half a turn: so windings follow.
func set_local(joint, rotation, place):
	var far = length(rotation)
	var away = times(back(part(rests, 10 * joint + 3, 4)), scaled(rotation, 1 / far if far > 0 else NAN))
	set_vector(joint, vector_near(away, vectors[joint]) if are_finite(away) else [NAN, NAN, NAN], place)

func place_joints():
	for j in range(joints.size()):
		var rotation = times(part(rests, 10 * j + 3, 4), quaternion(vectors[j]))
		var local = matrix(rotation, part(places[j], 0, 3), part(places[j], 3, 3))
		globals[j] = local if parents[j] == NONE else product(globals[parents[j]], local)

# Gives weights and helper_matrices. False where the pose, or what follows from it, is not finite: then weights are 0 and helper
# joints rest; joints that are not finite are at rest until they are set again.
func evaluate():
	var is_finite_pose = true
	for j in range(joints.size()):
		if not are_finite(vectors[j]) or not are_finite(places[j]):
			set_vector(j, ZERO, rest_place(j))
			is_finite_pose = false
	place_joints()
	for g in groups:
		run_group(g)
	for g in regressions:
		run_regression(g)
	for h in range(helper_drives.size()):
		helper_matrices[h] = run_helper(helper_drives[h], false)
		is_finite_pose = is_finite_pose and are_finite(helper_matrices[h])
	is_finite_pose = is_finite_pose and are_finite(weights)
	for k in range(0 if is_finite_pose else weights.size()):
		weights[k] = 0.0 if is_driven[k] or not are_finite([weights[k]]) else weights[k]
	for h in range(0 if is_finite_pose else helper_drives.size()):
		helper_matrices[h] = run_helper(helper_drives[h], true)
	return is_finite_pose
