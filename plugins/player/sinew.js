// SPDX-License-Identifier: MIT
//
// Plays the correctives and helper joints of a glTF that Sinew exported, under any pose: clips, inverse kinematics, ragdolls.
// docs/pose-space.md defines what it reads, docs/engines.md shows how it is used:
//
//   const live = liveThree(gltf.scene);        // or liveBabylon(container)
//   live.update();                             // at each redraw, after whatever poses the skeleton
//
// Where the extras are missing, old, damaged, or do not fit the skeleton, or where a pose or what follows from it is not finite, the
// character plays its linear blend: weights are 0, helper joints are at rest, and one warning says why.

const dot = (a, b) => { let sum = 0; for (let i = 0; i < a.length; i++) sum += a[i] * b[i]; return sum; };
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (v) => v.map((x) => x / Math.hypot(...v));
const limit = (x, least, most) => Math.min(Math.max(x, least), most);
const zero = [0, 0, 0], one = [1, 1, 1], identity = [0, 0, 0, 1];

// ---- rotations and matrices: quaternions are x y z w, matrices 3×4 by rows --------------------------------------------------

const times = (a, b) => [
	a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
	a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
const back = (q) => [-q[0], -q[1], -q[2], q[3]];

function quaternionOf(v) {
	const angle = Math.hypot(...v), share = angle > 0 ? Math.sin(angle / 2) / angle : 0;
	return [v[0] * share, v[1] * share, v[2] * share, Math.cos(angle / 2)];
}

// The rotation vector of a quaternion that is nearest to another one: it may be longer than a turn.
function vectorNear(q, near) {
	const sine = Math.hypot(q[0], q[1], q[2]), axis = sine > 1e-12 ? unit(q.slice(0, 3)) : dot(near, near) > 0 ? unit(near) : zero;
	const angle = 2 * Math.atan2(sine, q[3]), turns = Math.round((dot(axis, near) - angle) / (2 * Math.PI));
	return axis.map((x) => x * (angle + 2 * Math.PI * turns));
}

function matrixOf([x, y, z, w], t, s) {
	return [
		(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - w * z) * s[1], 2 * (x * z + w * y) * s[2], t[0],
		2 * (x * y + w * z) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - w * x) * s[2], t[1],
		2 * (x * z - w * y) * s[0], 2 * (y * z + w * x) * s[1], (1 - 2 * (x * x + y * y)) * s[2], t[2]];
}

const columnsOf = (m) => [0, 1, 2].map((c) => [m[c], m[4 + c], m[8 + c]]);
const matrixBy = (columns, t) => [0, 1, 2].flatMap((r) => [columns[0][r], columns[1][r], columns[2][r], t[r]]);
const vectorBy = (m, v) => [0, 4, 8].map((r) => m[r] * v[0] + m[r + 1] * v[1] + m[r + 2] * v[2]);
const product = (a, b) => [0, 4, 8].flatMap((r) => [0, 1, 2, 3].map((c) =>
	a[r] * b[c] + a[r + 1] * b[4 + c] + a[r + 2] * b[8 + c] + (c === 3 ? a[r + 3] : 0)));

function inverse(m) {
	const [a, b, c] = columnsOf(m), determinant = dot(a, cross(b, c));
	const rows = [cross(b, c), cross(c, a), cross(a, b)].map((row) => row.map((x) => x / determinant));
	return rows.flatMap((row) => [...row, -dot(row, [m[3], m[7], m[11]])]);
}

// Translation, rotation and scale of a matrix. If it has shear, its columns are made orthonormal, the first one first.
function partsOf(m) {
	const columns = columnsOf(m), scale = columns.map((column) => Math.hypot(...column));
	if (dot(columns[0], cross(columns[1], columns[2])) < 0) {
		scale[0] = -scale[0];
		columns[0] = columns[0].map((x) => -x);
	}
	const a = unit(columns[0]), along = dot(a, columns[1]), b = unit(columns[1].map((x, i) => x - along * a[i]));
	const e = [a, b, cross(a, b)], trace = e[0][0] + e[1][1] + e[2][2], q = [0, 0, 0, 0];
	const i = [0, 1, 2].reduce((most, k) => (e[k][k] > e[most][most] ? k : most)), j = (i + 1) % 3, k = (i + 2) % 3;
	[q[i], q[j], q[k], q[3]] = trace > 0 ? [e[j][k] - e[k][j], e[k][i] - e[i][k], e[i][j] - e[j][i], 1 + trace]
		: [1 + 2 * e[i][i] - trace, e[i][j] + e[j][i], e[k][i] + e[i][k], e[j][k] - e[k][j]];
	return { translation: [m[3], m[7], m[11]], rotation: unit(q.map((x) => (q[3] < 0 ? -x : x))), scale };
}

// The rigid part of a motion to the power `share`, along its screw.
function powerOf(m, share) {
	const v = vectorNear(partsOf(m).rotation, zero), angle = Math.hypot(...v), part = share * angle, small = angle < 1e-3;
	const add = (x, first, second) => x.map((y, i) => y + first * cross(v, x)[i] + second * cross(v, cross(v, x))[i]);
	const curve = small ? 1 / 12 : (1 - angle * Math.sin(angle) / (2 * (1 - Math.cos(angle)))) / angle ** 2;
	const log = add([m[3], m[7], m[11]], -0.5, curve).map((x) => x * share);
	const moved = part > 0 ? add(log, small ? share / 2 : (1 - Math.cos(part)) / (part * angle),
		small ? share ** 2 / 6 : (part - Math.sin(part)) / (part * angle ** 2)) : log;
	return matrixOf(quaternionOf(v.map((x) => x * share)), moved, one);
}

// ---- the pose space ---------------------------------------------------------------------------------------------------------

// From one rotation to another: the shorter way, or on the double cover.
function between(p, q, unwound) {
	const u = times(back(p), q), sine = Math.hypot(u[0], u[1], u[2]), sign = !unwound && u[3] < 0 ? -1 : 1;
	const share = sine > 0 ? sign * 2 * Math.atan2(sine, sign * u[3]) / sine : 0;
	return [u[0] * share, u[1] * share, u[2] * share];
}

function cone(x, c, width) {
	const xx = dot(x, x), cc = dot(c, c);
	const cosine = dot(x, c) / Math.sqrt(xx * cc), length = Math.sqrt(Math.min(xx, cc));
	return length > 0 ? length ** 1.5 * Math.exp((cosine - 1) / width ** 2) : 0;
}

const kernels = {
	gaussian: (r, width) => Math.exp(-((r / width) ** 2)),
	linear: (r) => -r,
	'thin-plate': (r, width) => (r > 0 ? (r / width) ** 2 * Math.log(r / width) : 0),
	'inverse-multiquadric': (r, width) => 1 / Math.sqrt(1 + (r / width) ** 2),
	cone,
};

// A centre, or a pose: rotations, translations and logarithms of scales of a group's joints.
const placeOf = (vectors, places) => ({
	vectors,
	rotations: vectors.map(quaternionOf),
	moves: places.map((place) => place.map((x, i) => (i < 3 ? x : Math.log(Math.max(Math.abs(x), 1e-9))))),
});

function prepareGroup(group, find) {
	if (!Object.hasOwn(kernels, group.kernel)) {
		throw new Error(`group '${group.name}' has the kernel '${group.kernel}', which this player does not know`);
	}
	const { swing, twist, axes, unwound, translation, scale, width, kernel, targets } = group, isCone = kernel === 'cone';
	const joints = group.joints.map(find), parts = (list, size) => joints.map((_, j) => list.slice(size * j, size * (j + 1)));
	const coordinates = (from, to) => joints.flatMap((_, j) => {
		const isWound = unwound[j] && !from.vectors; // the way from rest is the whole rotation vector
		const u = isWound ? to.vectors[j] : between(from.rotations[j], to.rotations[j], unwound[j]), along = dot(u, axes[j]);
		const moved = (gain, i) => (gain === 0 ? 0 : gain * (to.moves[j][i] - from.moves[j][i]));
		return [...u.map((x, i) => swing[j] * x + (twist[j] - swing[j]) * along * axes[j][i]),
			...[0, 1, 2, 3, 4, 5].map((i) => moved(i < 3 ? translation[j] : scale[j], i))];
	});
	const centres = group.examples.map((example, c) => placeOf(parts(example, 3), parts(group.places[c], 6)));
	const origin = { rotations: joints.map(() => identity), moves: joints.map(() => [...zero, ...zero]) };
	const rest = { ...origin, moves: (centres[targets.length] ?? origin).moves };
	const ways = centres.map((centre) => coordinates(rest, centre));
	return (pose, weights) => {
		const here = placeOf(joints.map((j) => pose[j].vector), joints.map((j) => [...pose[j].translation, ...pose[j].scale]));
		const way = coordinates(rest, here), slope = group.polynomial === 'linear' ? coordinates(origin, here) : [];
		const far = (centre) => Math.hypot(...coordinates(centre, here));
		const values = centres.map((centre, c) => (isCone ? cone(way, ways[c], width) : kernels[kernel](far(centre), width)));
		targets.forEach((target, k) => {
			const sum = group.constants[k] + dot(values, group.weights[k]) + dot(slope, group.slopes[k]);
			weights.set(target, group.clamp ? limit(sum, 0, 1) : sum);
		});
	};
}

// ---- features of rotations: pose regression, helper joints ------------------------------------------------------------------

function featuresOf(driver, vector, kind, clamps) {
	const v = [0, 3, 6].map((r) => dot(driver.axes.slice(r, r + 3), vector)), [x, y, z] = v;
	const list = kind === 'vectors' ? [x, y, z, x * x, y * y, z * z, x * y, y * z, z * x]
		: matrixOf(quaternionOf(v), zero, one).filter((_, i) => i % 4 < 3).map((e, i) => e - (i % 4 === 0 ? 1 : 0));
	return clamps ? list.map((feature, i) => limit(feature, driver.lowest[i], driver.highest[i])) : list;
}

function prepareRegression({ joints, features: kind, clamp, coefficients }, find) {
	const drivers = joints.map((driver) => [driver, find(driver.name)]);
	return (pose, weights) => {
		const all = [...drivers.flatMap(([driver, joint]) => featuresOf(driver, pose[joint].vector, kind, clamp)), 1];
		coefficients.forEach(({ name, features, factors }) => weights.set(name, dot(factors, features.map((f) => all[f]))));
	};
}

const motions = ['rotation', 'translation', 'stretch'].flatMap((name) => ['X', 'Y', 'Z'].map((axis) => name + axis));

function prepareHelper(helper, find, rests) {
	const drivers = helper.drivers.map((driver) => [driver, find(driver.joint)]), parent = find(helper.parent);
	const toward = helper.toward === undefined ? -1 : find(helper.toward), c = helper.place, unrest = rests.map(inverse);
	const rows = [0, 3, 6].map((r) => helper.stretchAxes.slice(r, r + 3)), turned = matrixBy(rows, zero);
	const axes = matrixBy([0, 1, 2].map((k) => rows.map((row) => row[k])), zero), G = matrixBy(columnsOf(rests[parent]), c);
	return (pose, globals, helpers) => {
		const motion = new Array(9).fill(0);
		for (const [driver, joint] of drivers) {
			const features = featuresOf(driver, pose[joint].vector, 'matrices', true);
			motions.forEach((name, i) => { motion[i] += dot(driver[name], features); });
		}
		const stretch = matrixOf(identity, zero, motion.slice(6).map((s) => 1 + limit(s, -0.75, 3)));
		const rotation = matrixOf(quaternionOf(motion.slice(0, 3)), zero, one);
		const linear = product(rotation, product(axes, product(stretch, turned))), moved = vectorBy(linear, c);
		const M = matrixBy(columnsOf(linear), c.map((x, i) => x + motion[3 + i] - moved[i]));
		const motionOf = (joint) => product(globals[joint], unrest[joint]);
		const S = toward < 0 ? M : product(powerOf(product(inverse(motionOf(parent)), motionOf(toward)), helper.share), M);
		helpers.set(helper.name, product(unrest[parent], product(S, G)));
	};
}

// ---- the core: extras.sinew, and poses of its joints ------------------------------------------------------------------------

const isDriven = (sinew) => Boolean(sinew?.poseSpace ?? sinew?.poseRegression ?? sinew?.helperJoints);

function check(sinew) {
	const { version, poseSpace, poseRegression, helperJoints, joints } = sinew;
	const known = version === 1 && (poseSpace?.version ?? 2) === 2 && (poseSpace?.kernelVersion ?? 2) === 2 &&
		(poseRegression?.version ?? 1) === 1 && (helperJoints?.version ?? 2) === 2;
	if (!known || !joints) {
		throw new Error(`its extras are of ${known ? 'an older' : 'another'} version; export it again`);
	}
}

// Throws an Error that says what is wrong with the extras. `pose` has an object for each of `joints`: vector (the rotation from
// rest), translation and scale. evaluate() gives { weights, helpers }: Maps from names to numbers, and to 3×4 matrices.
export function createDrive(sinew) {
	check(sinew);
	const { joints } = sinew, find = (name) => {
		const index = joints.findIndex((joint) => joint.name === name);
		if (index < 0) {
			throw new Error(`its extras do not have the joint '${name}'`);
		}
		return index;
	};
	const pose = joints.map(({ translation, scale }) => ({ vector: zero, translation, scale }));
	const globalsOf = () => pose.reduce((globals, { vector, translation, scale }, j) => {
		const local = matrixOf(times(joints[j].rotation, quaternionOf(vector)), translation, scale);
		globals.push(joints[j].parent < 0 ? local : product(globals[joints[j].parent], local));
		return globals;
	}, []);
	const rests = globalsOf(), helpers = (sinew.helperJoints?.helpers ?? []).map((helper) => prepareHelper(helper, find, rests));
	const corrections = (sinew.poseSpace?.groups ?? []).map((group) => prepareGroup(group, find));
	if (sinew.poseRegression) {
		corrections.push(prepareRegression(sinew.poseRegression, find));
	}
	function evaluate() {
		const answer = { weights: new Map(), helpers: new Map() }, globals = helpers.length > 0 ? globalsOf() : [];
		corrections.forEach((add) => add(pose, answer.weights));
		helpers.forEach((add) => add(pose, globals, answer.helpers));
		answer.weights.delete(null); // displacements of other meshes
		return answer;
	}
	// A local transform as an engine has it. Between two calls no joint may rotate by more than half a turn: so windings follow.
	function set(j, translation, rotation, scale) {
		pose[j] = { vector: vectorNear(unit(times(back(joints[j].rotation), rotation)), pose[j].vector), translation, scale };
	}
	return { joints, pose, evaluate, set };
}

// ---- engines: play() is for any other -----------------------------------------------------------------------------------------

// `owners`: what has extras, { sinew, label, setWeight(shape, weight) }. `nodes`: by name, { read() → [translation, rotation,
// scale], write(matrix), bind: the inverse bind matrix of a skin's joint }.
export function play(owners, nodes, warn) {
	let warned = false;
	const complain = (label, why) => {
		warned || warn(`Sinew: ${label} plays its linear blend alone: ${why}`);
		warned = true;
	};
	function nodeOf(name) {
		if (!nodes.has(name)) {
			throw new Error(`the skeleton has no joint '${name}'`);
		}
		return nodes.get(name);
	}
	function checkRest({ joints }) {
		for (const joint of joints.filter(({ parent }) => parent >= 0)) {
			const { bind } = nodeOf(joint.name), above = nodeOf(joints[joint.parent].name).bind;
			if (bind && above && Math.abs(dot(partsOf(product(above, inverse(bind))).rotation, joint.rotation)) < 0.999) {
				throw new Error(`the joint '${joint.name}' of the skeleton is bound in another rest pose`);
			}
		}
	}
	function show({ sinew, setWeight }, { weights, helpers }) {
		weights.forEach((weight, target) => {
			const sides = listOf(sinew.sides).filter((side) => side?.target === target && Number.isFinite(1 / side.reach));
			sides.forEach((side) => setWeight(side.shape, Math.max(0, weight / side.reach)));
			sides.length > 0 || setWeight(target, weight);
		});
		helpers.forEach((matrix, name) => nodeOf(name).write(matrix));
	}
	const listOf = (value) => (Array.isArray(value) ? value : []); // extras that are damaged may have anything in its place
	const zeros = ({ sinew: { poseSpace, poseRegression } }) => new Map([
		...listOf(poseSpace?.groups).flatMap((group) => listOf(group?.targets)).filter((name) => name !== null),
		...listOf(poseRegression?.coefficients).map((coefficient) => coefficient?.name)].map((name) => [name, 0]));
	const areFinite = ({ weights, helpers }) => [...weights.values(), ...helpers.values()].flat().every(Number.isFinite);
	function prepare(owner) {
		const drive = createDrive(owner.sinew), joints = drive.joints.map(({ name }) => nodeOf(name)), rest = drive.evaluate();
		checkRest(drive);
		if (!areFinite(rest)) {
			throw new Error('its extras are damaged: what follows from its rest pose is not finite');
		}
		[...rest.helpers.keys()].forEach(nodeOf);
		return () => {
			const locals = joints.map((node) => node.read()), isPose = ([, q, s]) => dot(q, q) > 0 && s[0] * s[1] * s[2] !== 0;
			const isFinite = locals.flat(2).every(Number.isFinite) && locals.every(isPose);
			isFinite && locals.forEach((local, j) => drive.set(j, ...local));
			const answer = isFinite ? drive.evaluate() : null, isShown = answer !== null && areFinite(answer);
			isShown || complain(owner.label, `its pose${isFinite ? ', or what follows from it,' : ''} is not finite`);
			show(owner, isShown ? answer : { weights: zeros(owner), helpers: rest.helpers });
		};
	}
	const updates = owners.flatMap((owner) => {
		try {
			return [prepare(owner)];
		} catch (error) {
			complain(owner.label, error.message);
			show(owner, { weights: zeros(owner), helpers: new Map() });
			return [];
		}
	});
	owners.length > 0 || complain('the character', 'it has no extras of Sinew');
	return { update: () => updates.forEach((update) => update()), count: updates.length };
}

// By rows, of a matrix whose columns follow each other, as both engines have it.
const rowsOf = (columns) => [0, 1, 2].flatMap((r) => [0, 4, 8, 12].map((c) => columns[c + r]));

// `root`: the scene of a glTF that three.js has loaded.
export function liveThree(root, warn = console.warn) {
	const owners = [], nodes = new Map(), skeletons = new Set();
	function visit(object, isOwned) {
		const { sinew, name = object.name } = object.userData, owns = !isOwned && isDriven(sinew), meshes = [];
		nodes.set(name, {
			read: () => [object.position.toArray(), object.quaternion.toArray(), object.scale.toArray()],
			write: (m) => {
				object.matrixAutoUpdate = false;
				object.matrix.set(...m, 0, 0, 0, 1);
				object.matrixWorldNeedsUpdate = true;
			},
		});
		object.skeleton && skeletons.add(object.skeleton);
		if (owns) {
			object.traverse((each) => each.morphTargetDictionary && meshes.push(each));
			owners.push({ sinew, label: name, setWeight: (shape, weight) => meshes.forEach((mesh) => {
				mesh.morphTargetInfluences[mesh.morphTargetDictionary[shape]] = weight;
			}) });
		}
		object.children.forEach((child) => visit(child, isOwned || owns));
	}
	visit(root, false);
	skeletons.forEach(({ bones, boneInverses }) => bones.forEach((bone, i) => {
		nodes.get(bone.userData.name ?? bone.name).bind = rowsOf(boneInverses[i].elements);
	}));
	return play(owners, nodes, warn);
}

// `container`: an asset container, or a scene, of Babylon.js with a loaded glTF.
export function liveBabylon(container, warn = console.warn) {
	const owners = [], nodes = new Map();
	for (const node of [...container.transformNodes, ...container.meshes]) {
		const sinew = node.metadata?.gltf?.extras?.sinew;
		nodes.set(node.name, {
			read: () => [node.position.asArray(), node.rotationQuaternion?.asArray() ?? identity, node.scaling.asArray()],
			write: (m) => {
				const { translation, rotation, scale } = partsOf(m);
				node.position.fromArray(translation);
				node.rotationQuaternion.fromArray(rotation);
				node.scaling.fromArray(scale);
			},
		});
		if (isDriven(sinew)) {
			const managers = [node, ...node.getChildMeshes()].flatMap((mesh) => mesh.morphTargetManager ?? []);
			const targets = managers.flatMap((all) => Array.from({ length: all.numTargets }, (_, i) => all.getTarget(i)));
			owners.push({ sinew, label: node.name, setWeight: (shape, weight) => targets.forEach((target) => {
				target.influence = target.name === shape ? weight : target.influence;
			}) });
		}
	}
	for (const bone of container.skeletons.flatMap((skeleton) => skeleton.bones)) {
		const node = nodes.get(bone.getTransformNode()?.name);
		node && (node.bind = rowsOf(bone.getAbsoluteInverseBindMatrix().asArray()));
	}
	return play(owners, nodes, warn);
}
